"""A frame that a person can sort, filter and page through: the rows stay in the kernel, a screenful is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Table
from lexsi_nb.artifacts.wording import percentage_text
from lexsi_nb.errors import BadData
from lexsi_nb.widgets.cell import decimals_of, fixed_text, named_cell
from lexsi_nb.widgets.live.base import Answer, LiveWidget, replied
from lexsi_nb.widgets.live.columns import Column
from lexsi_nb.widgets.live.frame_query import FrameRows, Query
from lexsi_nb.widgets.live.newest import Newest
from lexsi_nb.widgets.live.ordering import Check, no_check
from lexsi_nb.widgets.table import COLUMNS, table_html, table_text

PAGE = 20
MOST_CHOSEN = 50
MANY_ROWS = 200_000  # of so many a page is found beside what else the kernel does
FIRST = 1000  # rows that say with how many decimals a column is shown
# From the places of rows to HTML without scripts, and one sentence for a screen reader.
Explain = Callable[[Sequence[int]], tuple[str, str]]


@dataclass(frozen=True)
class Notes:
    """A column of words beside the frame's own: its head, and of rows by place (the words, more where a pointer rests).

    It stands behind the first `after` columns.
    """

    head: str
    of: Callable[[Sequence[int]], list[tuple[str, str]]]
    after: int = 0


@dataclass(frozen=True)
class Looks:
    """How columns of a frame are shown: which are `first`, heads other than the names, each with a hint, decimals.

    `cells` has the columns that are written otherwise: from the places of rows to their words. `bars` are columns of
    shares of 1, drawn as a thin bar too.
    """

    first: tuple[str, ...] = ()
    heads: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)
    cells: Mapping[str, Callable[[Sequence[int]], list[str]]] = field(default_factory=dict)
    bars: tuple[str, ...] = ()


class LiveTable(LiveWidget):
    """A pandas frame a page at a time, with *Explain* where its rows can be explained.

    `name` is the variable that holds the frame, or that the expression `made_by` is bound to in the cell; `case` the
    place of the column that names a row.
    """

    kind: ClassVar[str] = "table"

    def __init__(
        self,
        frame: Any,
        *,
        name: str = "predictions",
        made_by: str = "",
        title: str = "",
        units: Mapping[str, str] | None = None,
        looks: Looks | None = None,
        case: int = 0,
        explain: Explain | None = None,
        notes: Notes | None = None,
        static: Mapping[str, Any] | None = None,
        page: int = PAGE,
    ) -> None:
        self.rows = FrameRows(frame, name, made_by)
        self.units = dict(units or {})
        self.looks = looks or Looks()
        self.explain = explain
        self.notes = notes
        self._places: dict[int, int | None] = {}
        self._case = case
        self._static = static
        self._size = page
        self._pages = Newest()
        self.query, shown = self._shown(Query())
        super().__init__(title or name, explains=explain is not None, wide=frame.shape[1] > COLUMNS, **shown)

    @property
    def frame(self) -> Any:
        """The frame behind the table."""
        return self.rows.frame

    def cell(self) -> CodeCell | None:
        """Return the cell that gives the rows as they are sorted and filtered now."""
        return self.rows.cell(self.query)

    def static(self) -> dict[str, Any]:
        """Return the first rows as HTML and text."""
        if self._static is not None:
            return dict(self._static)
        table = Table(self.frame, name=self.rows.name, units=self.units)
        return {"text/html": table_html(table, then=self._saved()), "text/plain": table_text(table)}

    def _saved(self) -> str:
        return f", as saved. Run the cell to sort{', filter and explain' if self.explain else ' and filter'}."

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        more: dict[str, Answer] = {"page": self._turn, "stop": self._stop}
        if self.explain is not None:
            more["explain"] = self._explain
        return {**super().answers(), **more}

    def respond(self, message: Any, send: Callable[[dict[str, Any]], None]) -> None:
        """Have the reply sent: pages of many rows are found on a thread, and only the page asked for last."""
        if len(self.frame) < MANY_ROWS or not isinstance(message, dict) or message.get("request") != "page":
            super().respond(message, send)
            return
        self._pages.begin(lambda check: send(replied(message, lambda _, content: self._turn(content, check))))

    def _turn(self, content: Mapping[str, Any], check: Check = no_check) -> dict[str, Any]:
        check()
        query = Query.of(content, self.frame.shape[1])
        query, shown = self._shown(query, check)
        check()
        with self._lock:
            self.query = query
            self.update(**shown)
        return {}

    def _stop(self, _: Mapping[str, Any]) -> dict[str, Any]:
        self._pages.stop()
        return {}

    def _explain(self, content: Mapping[str, Any]) -> dict[str, Any]:
        places = [p for p in content.get("places", ()) if isinstance(p, int) and 0 <= p < len(self.frame)]
        if not places:
            raise BadData("No row was chosen.")
        if len(places) > MOST_CHOSEN:
            raise BadData(f"{len(places)} rows were chosen.", f"At most {MOST_CHOSEN} are explained at once.")
        assert self.explain is not None
        html, sentence = self.explain(places)
        return {"html": html, "sentence": sentence}

    def _shown(self, query: Query, check: Check = no_check) -> tuple[Query, dict[str, Any]]:
        """Return (the query as it can be shown, the state that shows it: its columns and its page)."""
        at = self._columns(query.names)
        places, matched = self.rows.page(query, self._size, check)
        if not len(places) and matched:  # fewer rows fit than before
            query = Query(query.sort, query.filters, (matched - 1) // self._size * self._size, query.names)
            places, matched = self.rows.page(query, self._size, check)
        columns = [self.rows.column(i) for i in at]
        picked = self.frame.iloc[places]
        whole = places.tolist()
        cells = [
            self._cells(picked.iloc[:, i], c.name, whole, self._decimals(i)) for i, c in zip(at, columns, strict=True)
        ]
        names = self._cells(picked.iloc[:, self._case], "id", whole, None) if self.frame.shape[1] else [""] * len(whole)
        shown = list(map(list, zip(*cells, strict=True))) if cells else [[] for _ in whole]
        rows = [
            {"place": place, "name": name, "cells": row} for place, name, row in zip(whole, names, shown, strict=True)
        ]
        heads = [self._head(c) for c in columns]
        if self.notes is not None:
            after = min(self.notes.after, len(heads))
            heads.insert(after, {"at": -1, "name": self.notes.head, "kind": "note"})
            for row, (words, title) in zip(rows, self.notes.of(whole), strict=True):
                row["cells"].insert(after, words)
                row["titles"] = {str(after): title}
        return query, {
            "columns": heads,
            "query": query.to_json(),
            "page": {"rows": rows, "matched": matched, "total": len(self.frame), "size": self._size},
        }

    def _columns(self, names: str) -> list[int]:
        wanted = names.casefold().strip()
        found = (i for i, label in enumerate(self.frame.columns) if wanted in str(label).casefold())
        picked = [i for i, _ in zip(found, range(COLUMNS), strict=False)]
        first = {name: at for at, name in enumerate(self.looks.first)}
        return sorted(picked, key=lambda i: first.get(str(self.frame.columns[i]), len(first)))

    def _head(self, column: Column) -> dict[str, Any]:
        name = column.name
        shown, hint = self.looks.heads.get(name, (f"{name} ({self.units[name]})" if name in self.units else name, ""))
        head = {"at": column.at, "name": shown, "kind": column.kind, "hint": hint, "bar": name in self.looks.bars}
        return {k: v for k, v in head.items() if v not in ("", False)}

    def _decimals(self, at: int) -> int | None:
        """Return with how many decimals a column is shown on every page: as its first rows need."""
        if at not in self._places:
            name, column = str(self.frame.columns[at]), self.frame.iloc[:FIRST, at]
            own = decimals_of(column.tolist()) if getattr(column.dtype, "kind", "") == "f" else None
            own = min(own, 2) if own and percentage_text(name, 1.0) else own
            self._places[at] = self.looks.decimals.get(name, own)
        return self._places[at]

    def _cells(self, values: Any, name: str, places: Sequence[int], decimals: int | None) -> list[str]:
        if name in self.looks.cells:
            return self.looks.cells[name](places)
        if decimals is not None:
            return [fixed_text(v, decimals) for v in values.tolist()]
        return [named_cell(name, v) for v in values.tolist()]
