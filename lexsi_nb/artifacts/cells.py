"""A code cell in plain libraries that computes again what a step computed."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from lexsi_nb.artifacts.looks import Shows

CellKind = Literal["data", "sql", "model", "quality", "prediction", "explanation", "chart", "code"]


@dataclass(frozen=True)
class CodeCell(Shows):
    """Source that a colleague could have written: it imports no module of ours.

    `requires` and `produces` are the variable names the source reads and binds.
    """

    source: str
    title: str = ""
    kind: CellKind = "code"
    language: str = "python"
    requires: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()
    step: int | None = None

    def run(self, names: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the source binds for `produces`, run in a scratch namespace holding `names`.

        The caller's mapping is not touched. Tools call this with the source they hand out, so that the
        two cannot drift.
        """
        file = f"<lexsi cell {self.title or self.kind}>"
        # linecache makes tracebacks show the emitted line.
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(keepends=True), file)
        scratch: dict[str, Any] = {"__name__": "__lexsi_cell__", **names}
        exec(compile(self.source, file, "exec"), scratch)
        return {name: scratch[name] for name in self.produces}


def quiet(source: str) -> str:
    """Return the source so that a notebook prints no value of its last line, as a method's own connection would be.

    >>> quiet("con.register('loans', loans)\\n"), quiet("x = 1\\n")
    ("con.register('loans', loans);\\n", 'x = 1\\n')
    """
    last = ast.parse(source).body[-1:]
    if not last or not isinstance(last[0], ast.Expr) or last[0].end_lineno is None:
        return source
    lines = source.splitlines(keepends=True)
    line = lines[last[0].end_lineno - 1].encode()
    before, after = line[: last[0].end_col_offset], line[last[0].end_col_offset :]
    if after.lstrip().startswith(b";"):
        return source
    lines[last[0].end_lineno - 1] = (before + b";" + after).decode()
    return "".join(lines)


LONG = 2_000  # characters of a list that stands once among the cells of a run
_LISTED = re.compile(r"^(\w+) = \[\n(?: {4}.*\n)+\]\n", re.MULTILINE)


def listed_once(cells: Iterable[CodeCell]) -> list[CodeCell]:
    """Return the cells of a run with a long list, as of the names of 2,000 features, in the first cell that has it.

    Those after it read the variable. A cell that binds the name otherwise keeps what it has.
    """
    bound: dict[str, tuple[str, str]] = {}  # name -> the list as it was bound last, and the title of that cell
    out = []
    for cell in cells:
        needs: list[str] = []

        def shorter(found: re.Match[str], cell: CodeCell = cell, needs: list[str] = needs) -> str:
            name, text = found.group(1), found.group(0)
            known = bound.get(name)
            if known is not None and known[0] == text and len(text) > LONG:
                needs.append(name)
                return f"# {name}: as in the cell {' '.join(known[1].split())!r}\n"
            bound[name] = (text, cell.title or cell.kind)
            return text

        source = _LISTED.sub(shorter, cell.source)
        for name in cell.produces:
            if name not in needs and not re.search(rf"^{re.escape(name)} = \[\n", source, re.MULTILINE):
                bound.pop(name, None)
        requires = (*cell.requires, *(n for n in needs if n not in cell.requires))
        out.append(replace(cell, source=source, requires=requires) if needs else cell)
    return out
