"""Columns of 1 and 0 that say what a row did or is: `how many customers churned`, `what percentage churned?`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import grammar, lexicon, passed_over, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.periods import is_year

# What may not stand before a flag that is said of rows, and not after it.
_NAMED = (
    "by",
    "agg",
    "and",
    "or",
    "distinct",
    "cmp",
    "super",
    "top",
    "most",
    "in",
    "list",
    "mode",
    "vs",
    "correlation",
)
_COMPARED = ("cmp", "null", "notnull", "between", "not", "and", "or")


def flag(m: Mention, index: SchemaIndex) -> Column | None:
    """Return the one column of 1 and 0 that a mention names, None where it names another thing."""
    columns = {e.column for e in m.of("column") if e.column is not None}
    if len(columns) != 1 or len(m.entries) != len(m.of("column")) or m.literal is not None:
        return None
    column = columns.pop()
    if column.sql or column.type not in ("number", "bool"):
        return None
    return column if column.type == "bool" or index.is_zero_or_one(column) else None


def said_of_rows(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, a flag after its rows read as what they are; without rows, those that it is told of.

    Raises:
        Unread: a flag is said of a time, and nothing says when it came to be.
    """
    out = list(items)
    for i in range(len(out) - 1, 0, -1):
        m, before = out[i], out[i - 1]
        told = flag(m, index) if set(m.gap) & passed_over.COPULA else None
        if told is not None and not index.time_of(told.table):
            _undated(m, out[i + 1 :], told, index)  # "were sold in 2023", where a year is that of something else
        column = flag(m, index) if not set(m.gap) - grammar.ARTICLES else None
        if column is None or not _ends(out[i + 1 : i + 2], column):
            continue
        asked = next((x for x in out[:i] if not _bare(x, "list")), None)
        if _bare(before, "list") and i > 1 and _of(out[i - 2], column):  # "customers who churned"
            out[i - 1 : i + 1] = [replace(m, gap=grammar.ARE)]
        elif _of(before, column) or (i > 1 and _is_group(out[i - 2], before, index)):
            out[i] = replace(m, gap=grammar.ARE)
        elif asked is before and _bare(before, "count", "share") and not any(_of(x, column) for x in out):
            out[i : i + 1] = [
                Mention(column.table, entries=(Entry("table", column.table),)),
                replace(m, gap=grammar.ARE),
            ]
        else:
            continue
        _undated(m, out[i + 1 :], column, index)
    return out


def _undated(m: Mention, after: Sequence[Mention], column: Column, index: SchemaIndex) -> None:
    """Refuse `customers churned in 2022`, where the only dates are of other events."""
    at = 1 if after and _bare(after[0], "in") else 0
    dated = any(x.day is not None or is_year(x) or x.tag("monthname") or x.tag("quarter") for x in after[at : at + 1])
    if not dated:
        return
    times = [c.name for c in index.columns[column.table].values() if c.type == "date"]
    known = f"; {column.table} has {' and '.join(times)}" if times else ""
    refuse(f"When it came to '{m.words}' is not in the data{known}. Say the date that is meant.", m.words)


def _ends(after: Sequence[Mention], column: Column) -> bool:
    """Whether what follows a flag neither compares it nor is what it is told of."""
    return not any(
        m.number is not None or _bare(m, *_COMPARED) or (m.of("table") and not m.gap and _of(m, column)) for m in after
    )


def _is_group(by: Mention, m: Mention, index: SchemaIndex) -> bool:
    return _bare(by, "by") and bool(m.of("column")) and flag(m, index) is None


def _of(m: Mention, column: Column) -> bool:
    return column.table in {e.table for e in m.of("table")}


def _bare(m: Mention, *tags: str) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in tags)


def rates_said(question: str, index: SchemaIndex) -> str:
    """Return the question with `churn rate`, over a column of 1 and 0, as the percentage of the rows that are so."""
    for m in grammar.RATE.finditer(question):
        word = (m[1] or m[2]).casefold()
        named = any(index.lookup([word, rate]) or index.lookup([rate]) for rate in grammar.RATES)
        if named or word in lexicon.STOP:
            continue
        column = flag(Mention(word, entries=tuple(index.lookup([word]))), index)
        if column is not None:
            rows = column.table if quote(column.table) == column.table else f"`{column.table}`"
            return f"{question[: m.start()]}{retold.PERCENTAGE.format(rows, word)}{question[m.end() :]}"
    return question
