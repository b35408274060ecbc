"""Conditions that no row can meet together: two on one column, on the rows asked for or on a part of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

from lexsi_nb.grounding.reading import Column, Declined, Filter, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import condition
from lexsi_nb.grounding.rendering.phrasing import filter_said, one_of, rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex, quote

_NULLS = ("null", "notnull")


def exclusive(reading: Reading, index: SchemaIndex) -> None:
    """Hold the conditions of a reading against each other: a share of what excludes its whole is always none.

    Raises:
        Unread: two of them exclude each other, so meant was "or", another value, or a choice.
    """
    _says_nothing_more(reading)
    for a, b in _beside(reading):
        column = _shared(a, b, index)
        if column is None or not (_apart(a, b) or _sql_apart(a, b, column, index)):
            continue
        text = f"No row is both {_told(a)} and {_told(b)}: the two exclude each other{_known(a, b, column, index)}."
        raise Unread(Declined(f"{text} Ask for one of them, or say 'or'.", (b.words,)))


def _says_nothing_more(reading: Reading) -> None:
    """Refuse `members who did yoga but not swim` as one visit that is yoga and no swim: no visit of yoga is any.

    Raises:
        Unread: rows of two kinds are meant, the one there and the other not.
    """
    for link in (*reading.links, *(k for m in reading.measures for k in m.links)):
        told = [f for f in link.filters if f.column is not None]
        for held, other in permutations(told, 2):
            one_column = other.negated and not held.negated and held.column == other.column
            if one_column and _apart(held, replace(other, negated=False)):
                row, rows = one_of(link.table), rows_word(link.table, 1)
                text = f"{_told(other)} says nothing more of {row} with {_told(held)}."
                way = f"Ask for those with {row} of the one kind but no {rows} of the other."
                raise Unread(Declined(f"{text} {way}", (other.words,)))


def _beside(reading: Reading) -> Iterator[tuple[Filter, Filter]]:
    """Return the pairs of conditions that one row has to meet."""
    yield from combinations(reading.filters, 2)
    for m in reading.measures:
        yield from ((a, b) for a in reading.filters for b in m.where)
        yield from combinations(m.where, 2)
    links = [*reading.links, *(k for m in reading.measures for k in m.links)]
    for link in links:
        yield from combinations(link.filters, 2)


def _shared(a: Filter, b: Filter, index: SchemaIndex) -> Column | None:
    """Return the one column that two conditions are on."""
    if "any" in (a.op, b.op):
        return None  # alternatives leave some rows
    columns = {c for f in (a, b) for c in _columns(f, index)}
    return columns.pop() if a.home == b.home and len(columns) == 1 else None


def _columns(f: Filter, index: SchemaIndex) -> list[Column]:
    if f.column is not None or not f.sql:
        return [f.column] if f.column is not None else []
    bare = set(re.findall(r"\w+", re.sub(r"'[^']*'", "", f.sql)))
    return [c for n, c in index.columns.get(f.home, {}).items() if n in bare]


def _apart(a: Filter, b: Filter) -> bool:
    if a.op in _NULLS or b.op in _NULLS:
        missing = [f for f in (a, b) if f.op in _NULLS and (f.op == "null") != f.negated]
        held = [f for f in (a, b) if f not in missing and not (f.negated and f.op not in _NULLS)]
        return len(missing) == len(held) == 1
    if a.op in ("in", "=") and b.op in ("in", "="):
        if a.negated != b.negated:
            yes, no = (b, a) if a.negated else (a, b)
            return bool(yes.values) and set(yes.values) <= set(no.values)
        return not (a.negated or set(a.values) & set(b.values))
    if a.negated or b.negated:
        return False
    return _ends_before(a, b) or _ends_before(b, a)


def _ends_before(a: Filter, b: Filter) -> bool:
    """Whether the values that one condition leaves end before those of the other begin."""
    high, low = _bound(a, "<"), _bound(b, ">")
    if high is None or low is None or type(high[0]) is not type(low[0]):
        return False
    return high[0] < low[0] or (high[0] == low[0] and not (high[1] and low[1]))


def _bound(f: Filter, side: str) -> tuple[Any, bool] | None:
    """Return the bound of a condition on one side, and whether the bound itself still fits; None where it has none."""
    plain = [v for v in f.values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    plain = [float(v) for v in plain] if len(plain) == len(f.values) else [*f.values]
    if any(not (isinstance(v, float) or hasattr(v, "isoformat")) for v in plain) or not plain:
        return None
    if f.op in ("range", "between") and len(plain) == 2:
        return (plain[1], f.op == "between") if side == "<" else (plain[0], True)
    if f.op in ("in", "="):
        return (max(plain) if side == "<" else min(plain), True)
    return (plain[0], f.op.endswith("=")) if f.op[:1] == side else None


def _sql_apart(a: Filter, b: Filter, column: Column, index: SchemaIndex) -> bool:
    """Whether no value of a column meets both of two conditions, one of them named, while some meet each."""
    if (a.column is not None and b.column is not None) or column.sql:
        return False
    one, two = condition(a, ""), condition(b, "")
    values = f"(SELECT DISTINCT {quote(column.name)} FROM {quote(column.table)}) AS v"
    sql = (
        f"SELECT count(*) FILTER (WHERE ({one}) AND ({two})) AS n, count(*) FILTER (WHERE {one}) AS a,"
        f" count(*) FILTER (WHERE {two}) AS b FROM {values}"
    )
    both, first, second = index.reads.one(sql, column.table)
    return not both and bool(first) and bool(second)


def _told(f: Filter) -> str:
    said = filter_said(f)
    return said if f.column is None or f.words.casefold() in said.casefold() else f"'{f.words}' ({said})"


def _known(a: Filter, b: Filter, column: Column, index: SchemaIndex) -> str:
    """Return what the values that the two conditions are on stand for, where the knowledge graph says it."""
    codes = index.facts.column(column.table, column.name).codes
    said = f"{condition(a, '')} {condition(b, '')}"
    listed = [f"{code}: {codes[code][0]}" for code in codes if f"'{code}'" in said]
    return f" ({column.name} {'; '.join(listed)})" if listed else ""
