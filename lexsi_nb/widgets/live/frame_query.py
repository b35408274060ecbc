"""Which rows of a frame a table shows: filters, an order, a place; and the code cell that gives the same rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.source import literal
from lexsi_nb.widgets.live.columns import Column, column_of, in_arrow
from lexsi_nb.widgets.live.matching import contains, in_parts
from lexsi_nb.widgets.live.ordering import Check, no_check

# So many rows are sorted as a whole; of more only those are found that stand at the asked places.
SORTED_WHOLE = 100_000
AROUND = 1000  # rows that are found with a page on each side, so that turning pages finds nothing anew


@dataclass(frozen=True)
class Filter:
    """Of text: what it `contains`, whatever the case. Of numbers and dates: the range, both ends in it; "" is open."""

    column: int
    contains: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True)
class Query:
    """What a table shows. `sort`: (column, descending), None for the frame's own order."""

    sort: tuple[int, bool] | None = None
    filters: tuple[Filter, ...] = ()
    offset: int = 0
    names: str = ""

    @classmethod
    def of(cls, content: Mapping[str, Any], n_columns: int) -> Query:
        """Return the query that the page sent.

        Raises:
            BadData: it names a column that is not there, or has another shape.
        """
        try:
            sort = content.get("sort")
            made = cls(
                None if sort is None else (int(sort["column"]), bool(sort["descending"])),
                tuple(
                    Filter(int(f["column"]), *(str(f.get(k) or "").strip() for k in ("contains", "low", "high")))
                    for f in content.get("filters", ())
                ),
                max(0, int(content.get("offset", 0))),
                str(content.get("names", "")),
            )
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise BadData(f"That is no query of a table: {error}.") from error
        asked = [f.column for f in made.filters] + ([made.sort[0]] if made.sort else [])
        if any(not 0 <= at < n_columns for at in asked):
            raise BadData("The table has no such column.", f"It has {n_columns}.", "Run the cell again.")
        return made

    def to_json(self) -> dict[str, Any]:
        """Return the query as the page takes it."""
        return {
            "sort": None if self.sort is None else {"column": self.sort[0], "descending": self.sort[1]},
            "filters": [_filter_json(f) for f in self.filters],
            "offset": self.offset,
            "names": self.names,
        }


@dataclass
class FrameRows:
    """The rows of a pandas frame by place, filtered and sorted; the last answer is kept, as pages follow each other."""

    frame: Any
    name: str = "predictions"
    made_by: str = ""  # the expression that makes the frame, where no variable holds it
    _columns: dict[int, Column] = field(default_factory=dict)
    _fitting: tuple[Any, Any] = (None, None)
    _ordered: tuple[Any, Any, int] = (None, (), 0)  # query, places in order, the rank of the first of them

    def column(self, at: int) -> Column:
        """Return how one column is read."""
        if at not in self._columns:
            self._columns[at] = column_of(self.frame, at)
        return self._columns[at]

    def fitting(self, query: Query, check: Check = no_check) -> Any:
        """Return the places of the rows that fit the filters, int64, in the frame's order; None where all do.

        Raises:
            BadData: a limit is no number or no date.
        """
        key = query.filters
        if self._fitting[0] != key or not key:
            import numpy as np

            conditions = [c for f in query.filters for c in self._tests(f)]
            mask = None
            for fits, alone in conditions:
                found = in_parts(fits, self.frame, check) if alone else fits(self.frame)
                mask = found if mask is None else mask & found
                check()
            self._fitting = (key, None if mask is None else np.flatnonzero(mask))
        return self._fitting[1]

    def page(self, query: Query, size: int, check: Check = no_check) -> tuple[Any, int]:
        """Return (places of the rows on this page, how many rows fit). `check` is called at times; it may raise."""
        import numpy as np

        places = self.fitting(query, check)
        matched = len(self.frame) if places is None else len(places)
        wanted = slice(query.offset, query.offset + size)
        if query.sort is None:
            rows = np.arange(*wanted.indices(matched)) if places is None else places[wanted]
            return rows, matched
        order = self._order(query, places, wanted, matched, check)
        return (order if places is None else places[order]), matched

    def cell(self, query: Query) -> CodeCell:
        """Return the cell that gives all rows of the query in their order."""
        lines, rows = [], self.name
        fits = self._fits(query)
        if "pd." in fits:
            lines += ["import pandas as pd", ""]
        if self.made_by:
            lines.append(f"{self.name} = {self.made_by}")
        if fits:
            lines += _assigned("fits", fits)
            rows = f"{self.name}[fits]"
        if query.sort is None:
            lines.append(f"shown = {rows}")
        else:
            lines += self._sort_lines(query.sort, rows)
        title = f"Rows of {self.name} as the table shows them"
        return CodeCell(
            "\n".join(lines) + "\n", title, "data", requires=() if self.made_by else (self.name,), produces=("shown",)
        )

    def _sort_lines(self, sort: tuple[int, bool], rows: str) -> list[str]:
        column, descending = self.column(sort[0]), sort[1]
        falling = "ascending=False, " if descending else ""
        if self._by_name(column) and column.form in ("plain", "string", "yes/no"):
            return [f'shown = {rows}.sort_values({literal(column.label)}, {falling}kind="stable")']
        values = column.comparable(column.picked("shown", by_name=self._by_name(column)))
        return [
            f"shown = {rows}",
            f'order = {values}.reset_index(drop=True).sort_values({falling}kind="stable").index',
            "shown = shown.iloc[order]",
        ]

    def _fits(self, query: Query) -> str:
        """Return the expression that is true for the rows that fit, "" without filters; a line a condition."""
        parts = [p for f in query.filters for p in self._conditions(f)]
        return parts[0] if len(parts) == 1 else "\n& ".join(f"({p})" if " " in p else p for p in parts)

    def _conditions(self, wanted: Filter) -> list[str]:
        column = self.column(wanted.column)
        picked = column.picked(self.name, by_name=self._by_name(column))
        if column.kind == "text":
            if not wanted.contains:
                return []
            found = f"str.contains({literal(wanted.contains)}, case=False, regex=False, na=False)"
            return [f"{column.words(picked)}.{found}"]
        values = column.comparable(picked)
        limits = [(">=", wanted.low), ("<=", wanted.high)]
        return [f"{values} {_limit(sign, text, column)}" for sign, text in limits if text]

    def _tests(self, wanted: Filter) -> list[tuple[Callable[[Any], Any], bool]]:
        """Return each condition of a filter as (from rows to which fit, whether a part of the rows will do)."""
        column = self.column(wanted.column)
        if column.kind == "text" and wanted.contains and in_arrow(self.frame.iloc[:, column.at].dtype):
            return [(lambda rows: contains(rows.iloc[:, column.at], wanted.contains), True)]
        # Of a part without any value pandas may make another type.
        alone = column.form in ("plain", "string", "decimal") and not hasattr(self.frame.iloc[:, column.at], "cat")
        return [(partial(self._evaluated, condition), alone) for condition in self._conditions(wanted)]

    def _evaluated(self, condition: str, rows: Any) -> Any:
        fits = eval(condition, {"pd": _pandas(), self.name: rows})
        return fits.to_numpy(dtype=bool, na_value=False)

    def _by_name(self, column: Column) -> bool:
        return isinstance(column.label, str | int) and list(self.frame.columns).count(column.label) == 1

    def _order(self, query: Query, places: Any, wanted: slice, matched: int, check: Check) -> Any:
        """Return the places among the fitting rows that stand at `wanted` in order."""
        from lexsi_nb.widgets.live.ordering import between, in_order

        key, needed = (query.sort, query.filters), min(wanted.stop, matched)
        held, order, first = self._ordered
        if held == key and first <= wanted.start and needed <= first + len(order):
            return order[wanted.start - first : wanted.stop - first]
        assert query.sort is not None
        column, descending = self.column(query.sort[0]), query.sort[1]
        rows = self.frame.iloc[:, column.at]
        if places is not None:
            rows = rows.iloc[places]
        values = eval(column.comparable("rows"), {"rows": rows})
        check()
        order, first = None, max(0, wanted.start - AROUND)
        if matched > SORTED_WHOLE:
            order = between(values, first, wanted.stop + AROUND, descending=descending, check=check)
        if order is None:
            order, first = in_order(values, descending=descending), 0
        self._ordered = (key, order, first)
        return order[wanted.start - first : wanted.stop - first]


def _assigned(name: str, expression: str) -> list[str]:
    lines = expression.splitlines()
    return [f"{name} = {expression}"] if len(lines) == 1 else [f"{name} = (", *(f"    {line}" for line in lines), ")"]


def _limit(sign: str, text: str, column: Column) -> str:
    if column.kind == "date":
        return _date_limit(sign, text, column.zone)
    plain = text.replace(",", "").replace("_", "").strip()
    try:
        value: float = int(plain)
    except ValueError:
        try:
            value = float(plain)
        except ValueError:
            value = float("nan")
    if value != value or value in (float("inf"), float("-inf")):
        raise BadData(f"{text!r} is no number.", "", f"Write the limit of {column.name} as in 1200.5")
    return f"{sign} {value!r}"


def _date_limit(sign: str, text: str, zone: Any) -> str:
    """Return the comparison with a day or a moment; a day that ends a range is in it to its last moment."""
    from datetime import date, datetime, timedelta

    try:
        day: date | None = date.fromisoformat(text)
        moment = datetime(day.year, day.month, day.day)
    except ValueError:
        day = None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise BadData(f"{text!r} is no date.", "", "Write it as in 1998-07-08 or 1998-07-08T12:30") from None
    if day is not None and sign == "<=":
        moment, sign = moment + timedelta(days=1), "<"
    if zone is not None and moment.tzinfo is None:
        return (
            f"{sign} pd.Timestamp({literal(moment.isoformat(' ').removesuffix(' 00:00:00'))}, tz={literal(str(zone))})"
        )
    if zone is None and moment.tzinfo is not None:
        raise BadData(f"{text!r} has a time zone, the column has none.", "", "Leave the zone out.")
    return f"{sign} pd.Timestamp({literal(moment.isoformat(' ').removesuffix(' 00:00:00'))})"


def _filter_json(wanted: Filter) -> dict[str, Any]:
    if wanted.contains:
        return {"column": wanted.column, "contains": wanted.contains}
    return {"column": wanted.column, "low": wanted.low, "high": wanted.high}


def _pandas() -> Any:
    import pandas

    return pandas
