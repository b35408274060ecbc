"""Which rows of a frame a table shows: filters, an order, a place; and the code cell that gives the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.source import literal
from lexsi_nb.widgets.live.columns import Column, column_of

# Rows are picked out without sorting all where so many times as many stand before or behind them.
FEW = 40


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
    _ordered: tuple[Any, Any, bool] = (None, None, False)

    def column(self, at: int) -> Column:
        """Return how one column is read."""
        if at not in self._columns:
            self._columns[at] = column_of(self.frame, at)
        return self._columns[at]

    def fitting(self, query: Query) -> Any:
        """Return the places of the rows that fit the filters, int64, in the frame's order; None where all do.

        Raises:
            BadData: a limit is no number or no date.
        """
        key = query.filters
        if self._fitting[0] != key or not key:
            import numpy as np

            fits = self._fits(query)
            mask = None if not fits else eval(f"({fits})", {"pd": _pandas(), self.name: self.frame})
            places = None if mask is None else np.flatnonzero(mask.to_numpy(dtype=bool, na_value=False))
            self._fitting = (key, places)
        return self._fitting[1]

    def page(self, query: Query, size: int) -> tuple[Any, int]:
        """Return (places of the rows on this page, how many rows fit)."""
        import numpy as np

        places = self.fitting(query)
        matched = len(self.frame) if places is None else len(places)
        wanted = slice(query.offset, query.offset + size)
        if query.sort is None:
            rows = np.arange(*wanted.indices(matched)) if places is None else places[wanted]
            return rows, matched
        order = self._order(query, places, wanted, matched)
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

    def _by_name(self, column: Column) -> bool:
        return isinstance(column.label, str | int) and list(self.frame.columns).count(column.label) == 1

    def _order(self, query: Query, places: Any, wanted: slice, matched: int) -> Any:
        """Return the places among the fitting rows that stand at `wanted` in order."""
        from lexsi_nb.widgets.live.ordering import first_in_order, in_order, last_in_order

        key, needed = (query.sort, query.filters), min(wanted.stop, matched)
        if self._ordered[0] == key and (self._ordered[2] or len(self._ordered[1]) >= needed):
            return self._ordered[1][wanted]
        assert query.sort is not None
        column, descending = self.column(query.sort[0]), query.sort[1]
        rows = self.frame.iloc[:, column.at]
        if places is not None:
            rows = rows.iloc[places]
        values = eval(column.comparable("rows"), {"rows": rows})
        left = matched - wanted.start
        if 0 < left * FEW < matched:
            last = last_in_order(values, left, descending=descending)
            if last is not None:
                return last[: wanted.stop - wanted.start]
        # A few pages more than asked, so that turning pages needs no sorting.
        order = first_in_order(values, 4 * needed, descending=descending) if needed * FEW < matched else None
        whole = order is None
        if order is None:
            order = in_order(values, descending=descending)
        self._ordered = (key, order, whole)
        return order[wanted]


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
