"""A code cell in plain libraries that computes again what a step computed."""

from __future__ import annotations

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
