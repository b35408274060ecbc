"""Words that a question is compared with stand in the language's file and not in the code of the grounding.

The test reads the code and finds texts of natural language in comparisons, in sets, tuples and keys that are compared
with, in arguments of startswith, endswith, removeprefix, removesuffix, partition and replace, and in patterns. Texts of
the program's own (tags, kinds, functions, SQL) are told by what they are compared with: a text that is compared with a
word of the question (`.low`, `.words`, `.gap`, ...) is found whatever it is; elsewhere codes of the program pass.

What it does not see: a word that comes in through a variable whose name does not tell (`x == y`), one that is put
together from parts, the order in which a form takes its parts, and the words of answers, which are English.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

from lexsi_nb.grounding.language import lexicon
from lexsi_nb.grounding.schema.names import RESERVED

GROUNDING = Path(__file__).parents[2] / "lexsi_nb" / "grounding"
# What a name or an attribute is called that holds words of a question.
WORDS = re.compile(
    r"(?:\.low|\.words|\.gap|\.first|\.casefold\(\)|\blow|\blow\[.*\]|\bsaid|\bgap|\bword|name_words\(.*\))\b|casefold"
)
# What the program calls its own beside the tags: kinds, types, functions, ways, names of its columns and arguments.
PROGRAM = frozenset(
    """table column condition metric outcome term unit number text bool other word quoted sign aggregate groupby topk
    comparison yesno series schema sql low high from above below turned histogram reasons drivers feature change case
    alone association
    period key names vintage best monthname percentage usd eur""".split()
)
TAGS = frozenset(part for tag in lexicon.PHRASES for part in (tag, *tag.split(":")))
CODES = PROGRAM | TAGS
SQL = re.compile(r"[A-Z]{2,}|\w+\\?\(|\b(?:AS|ON|OR|IN)\b")
HOLDERS = ast.JoinedStr | ast.Tuple | ast.List | ast.Set | ast.BinOp | ast.BoolOp | ast.IfExp | ast.Starred
MATCHING = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "replace", "split"}
PATTERNS = {"compile", "search", "match", "fullmatch", "sub", "findall", "finditer"}
# What is compared with an attribute of these names is a code whatever the rest is called: `word.kind`.
CODED = re.compile(r"\.(?:kind|type|function|op|status|way|name)$")
# Texts that are no words of a question, by file: what the program wrote itself in a reading or a note, and SQL's words.
OWN: dict[str, frozenset[str]] = {
    "accounts.py": frozenset({"retention"}),  # a tag
    "assumptions.py": frozenset({r"\bmonth\b"}),  # a pattern over SQL
    "attachment.py": frozenset({" or "}),  # what joins the words of a reading's values
    "charting.py": frozenset({"_percent", "axis", "bin_start", "scale", "title"}),
    "clauses.py": frozenset({" or ", "as", "on", "is"}),
    "failing.py": frozenset({r"Could not convert string '([^']*)'"}),  # said by the engine
    "facts.py": frozenset({r"(count|avg|sum)\((\*|\w+)\)|.*\b[A-Za-z_]\w*\.[A-Za-z_].*"}),
    "first_ones.py": frozenset({"as_of", "cases"}),  # names in SQL
    "looks.py": frozenset({" with ", "rows of "}),
    "nested.py": frozenset({", one row", "share the last"}),
    "option_questions.py": frozenset({" of "}),
    "phrasing.py": frozenset({"row", " rows", "aeiou"}),
    "populations.py": frozenset(
        {"in", "and", "or", "not", "is", "null", "between", "date", "like", "with '", "' already"}
    ),
    "ranked.py": frozenset({", one row", ", the ", " row"}),
    "scruples.py": frozenset({"more share the last place"}),
    "spread.py": frozenset({"bin_start", "bin_end", "number_of_rows"}),  # names in SQL
    "stand_ins.py": frozenset({"share the last"}),
    "ties.py": frozenset({"share the last", ", one row", ", the ", " that share the first place"}),
    "words.py": frozenset({"aeiou", "aeiouy", "ch", "sh"}),  # the English plural, for the words of answers
    "names.py": frozenset(RESERVED),
}


def _texts(node: ast.AST) -> list[str]:
    """Return the texts of a constant, or of what holds some."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Dict):
        return [t for k in node.keys if k is not None for t in _texts(k)]
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if name in ("frozenset", "set", "tuple", "list", "dict.fromkeys"):
            return [t for a in node.args for t in _texts(a)]
        if name.endswith(".split") and isinstance(node.func, ast.Attribute):
            return [w for t in _texts(node.func.value) for w in t.split()]
        return []
    if isinstance(
        node, ast.JoinedStr | ast.Tuple | ast.List | ast.Set | ast.BinOp | ast.BoolOp | ast.IfExp | ast.Starred
    ):
        return [t for child in ast.iter_child_nodes(node) for t in _texts(child)]
    return []


def _natural(text: str) -> bool:
    """Whether a text holds a word of two letters at least, or one that is a word alone."""
    return bool(re.search(r"[^\W\d_]{2,}", text)) or text.strip() in ("a", "i")


def _found(source: str, codes: Set[str] = CODES) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of each text that looks like a word a question is compared with."""
    tree = ast.parse(source)
    held = _collections(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for texts, others in _compared(node, held):
            words = any(WORDS.search(o) and not CODED.search(o) for o in others)
            yield from ((line, t) for t in texts if _natural(t) and (words or t not in codes))
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        on = ast.unparse(node.func.value)
        if node.func.attr in PATTERNS and on == "re":
            for text in _texts(node.args[0]):
                plain = re.sub(r"\\[a-zA-Z]|\(\?P?<\w+>|\(\?\w*[:=!<]|\[[^\]]*\]", " ", text)
                if _natural(plain) and not SQL.search(text):
                    yield line, text
        elif node.func.attr in MATCHING:
            for text in [t for a in node.args for t in _texts(a)]:
                if _natural(text) and not (text.rstrip(":") in codes and not WORDS.search(on)) and not SQL.search(text):
                    yield line, text


def _collections(tree: ast.AST) -> dict[str, list[str]]:
    """Return the texts of each name that a set, tuple, list or dict of texts is bound to."""
    out: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            plain = isinstance(node.value, ast.Constant | ast.JoinedStr)
            texts = [] if plain else [t for t in _texts(node.value) if _natural(t)]
            for target in [node.target] if isinstance(node, ast.AnnAssign) else node.targets:
                if isinstance(target, ast.Name) and texts:
                    out[target.id] = texts
    return out


def _compared(node: ast.AST, held: dict[str, list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield (texts, the code that they are compared with)."""
    parts: list[ast.AST] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        parts = [node.value, node.slice]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        looked_up = isinstance(node.func.value, ast.Dict | ast.Name) and not _texts(node.args[0])
        parts = [node.func.value, node.args[0]] if looked_up else []
    texts = [t for p in parts for t in _texts(p)]
    named = [t for p in parts if isinstance(p, ast.Name) for t in held.get(p.id, [])]
    others = [ast.unparse(p) for p in parts if not _texts(p) and not (isinstance(p, ast.Name) and p.id in held)]
    if texts or named:
        yield [t for t in (*texts, *named) if not SQL.search(t)], others


def _code() -> list[Path]:
    return [p for p in sorted(GROUNDING.rglob("*.py")) if p.parent.name != "language"]


@pytest.mark.parametrize("path", _code(), ids=lambda p: p.stem)
def test_no_word_of_a_question_stands_in_the_code(path: Path) -> None:
    found = [(n, t) for n, t in _found(path.read_text("utf-8")) if t not in OWN.get(path.name, ())]
    assert not found, f"{path.name}: these belong in the language's file: {found}"


@pytest.mark.parametrize("name", OWN)
def test_no_exception_is_longer_than_needed(name: str) -> None:
    found = {t for p in _code() if p.name == name for _, t in _found(p.read_text("utf-8"))}
    assert found >= OWN[name]


def test_the_program_has_no_more_words_of_its_own_than_needed() -> None:
    found = {t.rstrip(":") for p in _code() for _, t in _found(p.read_text("utf-8"), TAGS)}
    assert not PROGRAM - TAGS - found


@pytest.mark.parametrize(
    "source",
    [
        'if word == "how many": ...',
        'if token.text in ("of", "the"): ...',
        'if m.words.casefold() == "count": ...',  # a tag too, but here a word
        'if t.low == "number": ...',
        'if {"who", "whom"} & set(low): ...',
        'if m.gap == ("of",): ...',
        '_X = frozenset({"list", "count"})\nif m.words.casefold() in _X: ...',
        'x = ("average", "mean")\nif low[0] in x: ...',
        'if name.endswith("number of"): ...',
        '_P = re.compile(r"\\bhow (?:many|much)\\b")',
        'way = {"highest": 1, "lowest": 2}[m.words]',
        'way = {"highest": 1}.get(word)',
        'if said.startswith(("which", "what")): ...',
        '_Y = frozenset("each every per".split())\nif low[1] in _Y: ...',
    ],
)
def test_such_words_are_found(source: str) -> None:
    assert list(_found(source))


@pytest.mark.parametrize(
    "source",
    [
        'if reading.kind == "list": ...',
        'if c.type in ("number", "date"): ...',
        'if re.search(r"GROUP BY|OVER \\(", sql): ...',
        'if m.tag("count") is not None: ...',
        'if word.kind == "number": ...',
        'raise Unread(Declined("I can not tell which."))',
        "if t.low in grammar.OF: ...",
    ],
)
def test_codes_of_the_program_and_words_of_answers_pass(source: str) -> None:
    assert not list(_found(source))
