"""Recognising our own code cells when the user runs them: by content, whatever the layout or the comments."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lexsi_nb.artifacts import CodeCell

_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
_NAMED = {tokenize.INDENT: "<indent>", tokenize.DEDENT: "<dedent>", tokenize.NEWLINE: "<line>"}
_OPEN, _CLOSE = ("(", "[", "{"), (")", "]", "}")
Tokens = tuple[str, ...]


def tokens_of(source: str) -> Tokens | None:
    """Return the source as tokens without comments, blank lines and spacing; None when it is not plain Python."""
    try:
        found = tokenize.generate_tokens(io.StringIO(source.strip() + "\n").readline)
        return tuple(_NAMED.get(t.type, t.string) for t in found if t.type not in _LAYOUT)
    except (tokenize.TokenError, SyntaxError):
        return None  # a magic, a shell line, half a statement: none of ours


@dataclass(frozen=True)
class Emitted:
    """A code cell that a run handed out, and what made it."""

    cell: CodeCell
    tokens: Tokens
    run_id: str
    question_key: str
    step: int | None
    producer: str


def split(tokens: Tokens, known: Iterable[Emitted]) -> list[Emitted] | None:
    """Return the emitted cells that `tokens` is exactly a concatenation of, in order; None when it is not."""
    by_start: dict[str, list[Emitted]] = {}
    for e in known:
        if e.tokens:
            by_start.setdefault(e.tokens[0], []).append(e)
    # before[i]: the cell that ends at i on some way from the start; later emissions win over earlier ones.
    before: dict[int, Emitted | None] = {0: None}
    for i in range(len(tokens)):
        if i not in before:
            continue
        for e in by_start.get(tokens[i], ()):
            end = i + len(e.tokens)
            if tokens[i:end] == e.tokens:
                before[end] = e
    if not tokens or len(tokens) not in before:
        return None
    parts: list[Emitted] = []
    at = len(tokens)
    while at:
        e = before[at]
        assert e is not None
        parts.append(e)
        at -= len(e.tokens)
    return parts[::-1]


def contains(outer: Tokens, inner: Tokens) -> bool:
    """Return whether `inner` stands in `outer` as whole lines."""
    size = len(inner)
    starts = (0, *(i + 1 for i, t in enumerate(outer) if t == "<line>"))
    return bool(inner) and any(outer[i : i + size] == inner for i in starts)


def tree_of(source: str) -> ast.Module | None:
    """Return the tree of a cell's source, lines of the notebook (%, !) left out; None where it is no Python."""
    for text in (source, "\n".join("" if t.lstrip()[:1] in ("%", "!") else t for t in source.splitlines())):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError):  # ValueError: a null byte
            continue
    return None


def bound_names(source: str) -> list[str]:
    """Return the names that the source assigns, deletes or assigns into (`df.loc[...] = 1`), one entry each time.

    In-place method calls are not seen.
    """
    tree = tree_of(source)
    if tree is None:
        return []
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            root: ast.expr = node
            while isinstance(root, (ast.Subscript, ast.Attribute)):
                root = root.value
            if isinstance(root, ast.Name):
                names.append(root.id)
    return names


def made_by(name: str, source: str, cell: CodeCell) -> bool:
    """Return whether running `source` leaves `name` as the emitted `cell` makes it.

    True when the source holds the cell as whole lines and binds the name nowhere else.
    """
    outer, inner = tokens_of(source), tokens_of(cell.source)
    if outer is None or inner is None or not contains(outer, inner):
        return False
    return _count(name, bound_names(source)) == _count(name, bound_names(cell.source)) > 0


def _count(name: str, names: Sequence[str]) -> int:
    return sum(n == name for n in names)


def binds(source: str) -> set[str]:
    """Return the names that running `source` binds in the namespace of the notebook."""
    found: set[str] = set()
    tree = tree_of(source)
    todo: list[ast.AST] = [] if tree is None else list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(a.asname or a.name).split(".")[0] for a in node.names}
        elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue  # their names stay inside
        else:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            todo += ast.iter_child_nodes(node)
    return found


def in_f_string(source: str, name: str) -> bool:
    """Return whether an f-string of `source` uses `name`, so that renaming by tokens would miss it."""
    return any(
        isinstance(inner, ast.Name) and inner.id == name
        for node in ast.walk(tree_of(source) or ast.Module([], []))
        if isinstance(node, ast.JoinedStr)
        for inner in ast.walk(node)
    )


def renamed(cell: CodeCell, names: Mapping[str, str]) -> CodeCell:
    """Return the cell with variables renamed; strings (SQL, view names), attributes and keywords stay as they are."""
    lines = cell.source.splitlines(keepends=True)
    try:
        found = list(tokenize.generate_tokens(io.StringIO(cell.source).readline))
    except (tokenize.TokenError, SyntaxError):  # a line of the notebook with an odd quote; it stays as it is
        return cell
    depth = 0
    for i in range(len(found) - 1, -1, -1):  # from the end, so that positions before stay right
        t = found[i]
        if t.type == tokenize.OP:
            depth += (t.string in _CLOSE) - (t.string in _OPEN)
        if t.type != tokenize.NAME or t.string not in names:
            continue
        attribute = i > 0 and found[i - 1].string == "."
        # `a, b = 1, 2` has its names outside of brackets
        keyword = depth > 0 and found[i + 1].string == "=" and i > 0 and found[i - 1].string in ("(", ",")
        if not attribute and not keyword:
            row, (start, end) = t.start[0] - 1, (t.start[1], t.end[1])
            lines[row] = lines[row][:start] + names[t.string] + lines[row][end:]
    return replace(
        cell,
        source="".join(lines),
        title=names.get(cell.title, cell.title),
        requires=tuple(names.get(n, n) for n in cell.requires),
        produces=tuple(names.get(n, n) for n in cell.produces),
    )
