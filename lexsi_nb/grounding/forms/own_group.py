"""Rows held against the average of their own group: `loans above the average of their district`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.forms.ranked import period_columns
from lexsi_nb.grounding.language import everyday
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Column, Declined, Filter, Measure, Reading, Relative, Unread
from lexsi_nb.grounding.rendering.phrasing import phrasing, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, listed_names, measure_name
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.average_scopes import which_rows

_WHICH_ROWS = "An average of which rows of each {}? I compare all rows with all of their group, without conditions."
_OPS = {">": "above", ">=": "at least", "<": "below", "<=": "at most"}


def above_own_group(question: str, index: SchemaIndex, read: Callable[[str], Reading]) -> Reading | None:
    """Return the reading of rows above or below the mean or median of their own group; None for another question.

    The group's figure is over all rows of the group. The question is read in two parts, each as a question of its own:
    against the average of all rows, and the number of rows by the group.

    Raises:
        Unread: other conditions could be of the rows that the average is over as well.
    """
    parts = next(((p, m) for p in everyday.OWN_GROUP if (m := p.search(question)) is not None), None)
    if parts is None:
        return None
    m = parts[1]
    against_all = everyday.AGAINST_ALL.format(m["head"].strip(), m["figure"], m["column"] or "").strip()
    try:
        found = read(against_all)
        told = [f for f in found.filters if len(f.values) == 1 and isinstance(f.values[0], Relative)]
        if len(told) != 1 or found.kind not in ("list", "count") or found.keys or found.limit or found.order:
            return None
        grouped = read(everyday.ROWS_BY.format(found.table, m["group"].strip()))
    except Unread as end:
        if isinstance(end.outcome, Choice):
            raise Unread(_asked(end.outcome, against_all, m["group"].strip(), index, read)) from None
        return None
    held = told[0].values[0]
    own = told[0].column is not None and told[0].column.table == found.table and grouped.table == found.table
    plain = grouped.kind == "groupby" and grouped.keys and not (grouped.filters or grouped.links or grouped.having)
    if not own or not plain or held.factor != 1 or held.whole or any(m.share for m in found.measures):
        return None
    if len(found.filters) > 1 or found.links:
        said = m["group"].strip()
        raise Unread(Declined(_WHICH_ROWS.format(said), (said,)))
    return _held(found, told[0], grouped, index)


def _asked(choice: Choice, question: str, group: str, index: SchemaIndex, read: Callable[[str], Reading]) -> Choice:
    """Return what is open in the first part as a choice of the whole question: of which column, by which group."""

    def outcome(asked: str) -> Any:
        try:
            return read(asked)
        except Unread as end:
            return end.outcome

    found = options(choice, question, outcome, index.engine)
    asked = tuple(everyday.OF_OWN.format(o.question, group) for o in found if o.question)
    ways = tuple(o.text for o in found if o.question)
    if not asked or choice.said == which_rows("").said:
        raise Unread(Declined(_WHICH_ROWS.format(group), (group,)))
    return replace(choice, options=ways, questions=asked, said=(), dates=(), lasting=False)


def _held(found: Reading, condition: Filter, grouped: Reading, index: SchemaIndex) -> Reading:
    """Return the rows of a reading whose figure is above or below that of their group."""
    column, held, table = condition.column, condition.values[0], found.table
    assert column is not None
    keys = period_columns(grouped.keys)
    columns = tuple(
        dict.fromkeys([*(found.columns if found.kind == "list" else ()), column, *(k.column for k in keys)])
    )
    rows = Reading("list", table, columns=columns)
    writer = ReadingSQL(rows, index)
    inner = "\n        ".join(x for x in writer.text().split("\n") if not x.startswith("ORDER BY"))
    if writer.fan_out:
        raise Unread(Declined(f"One {table} can fall in several of these groups, so it has no one average."))
    names = dict(zip(columns, listed_names(columns), strict=True))
    by, figure = [quote(names[k.column]) for k in keys], quote(names[column])
    name = quote(f"{measure_name(Measure(held.function, column))}_of_group")
    compared = (
        f"SELECT *, {held.function}({figure}) OVER (PARTITION BY {', '.join(by)}) AS {name}\n    FROM (\n        "
        f"{inner}\n    ) AS rows"
    )
    known = " AND ".join(f"{k} IS NOT NULL" for k in by)
    what = f"count(*) AS {quote(f'number_of_{rows_word(table)}')}" if found.kind == "count" else "*"
    sql = f"SELECT {what}\nFROM (\n    {compared}\n) AS compared\nWHERE {known}\n  AND {figure} {condition.op} {name}"
    key = index.key_of(table)
    if found.kind == "list" and key is not None and key in names:
        sql += f"\nORDER BY {quote(names[key])}"
    said = " and ".join(_said(k.column, table) for k in keys)
    average = "median" if held.function == "median" else "average"
    plain = phrasing(replace(found, filters=()))
    text = f"{plain} with {column.name} {_OPS[condition.op]} the {average} of their own {said}"
    notes = (f"the {average} is over all {rows_word(table)} of the same {said}",)
    return replace(
        found, sql=sql, text=text, notes=notes, filters=(), columns=columns if found.kind == "list" else (),
        apart=_without_group(table, columns, keys, index),
    )  # fmt: skip


def _without_group(table: str, columns: tuple[Column, ...], keys: tuple, index: SchemaIndex) -> tuple[str, ...]:
    """Return the note on rows that are in no group, so that they are compared with nothing."""
    rows = Reading("list", table, columns=columns)
    names = dict(zip(columns, listed_names(columns), strict=True))
    lines = [x for x in ReadingSQL(rows, index).text().split("\n") if not x.startswith("ORDER BY")]
    missing = " OR ".join(f"{quote(names[k.column])} IS NULL" for k in keys)
    body = "\n".join(lines)
    (n,) = index.reads.one(f"SELECT count(*) AS n FROM (\n{body}\n) AS rows WHERE {missing}", table)
    said = " or ".join(_said(k.column, table) for k in keys)
    return (f"{n:,} {rows_word(table, n)} without {said}: not compared",) if n else ()


def _said(column: Column, table: str) -> str:
    return column.name if column.table == table or column.sql else str(column)
