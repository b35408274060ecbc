"""A code cell in plain libraries that computes again what a step computed."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from dataclasses import dataclass
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
