"""What a model needs to write SQL for a question: the linked tables and columns, values of its words, join paths."""

from __future__ import annotations

import re

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote

MOST_LOOKED_AT = 200  # tables up to which those far above the named ones are shown as well


def linked_schema(question: str, index: SchemaIndex, *, most: int = 12) -> Observation:
    """Return the tables a question is about with their columns and joins, what its words mean, and its values.

    The likely tables come first. A value in the question's own spelling tells no more than the question does and is
    schema; one that was found by another spelling comes from the data and is stats.
    """
    items = mentions(question, index).items
    tables = _tables(items, index)[:most] or list(index.columns)[:most]
    lines = [_table(t, index) for t in tables]
    joins = [j for t in tables for j in index.joins.into(t) if j.child in tables]
    lines += [f"join {j.child}.{j.child_column} = {j.parent}.{j.parent_column} (many to one)" for j in joins]
    lines += [f"'{m.words}' can be {' or '.join(named)}" for m in items if (named := _columns(m))]
    lines += dict.fromkeys(f"'{m.words}' means {e.table}: {e.sql}" for m in items for e in m.of("condition", "metric"))
    values = dict.fromkeys((e.column, str(e.value)) for m in items for e in m.of("value"))
    said = question.casefold()
    own = [(c, v) for c, v in values if v.casefold() in said]
    found = [(c, v) for c, v in values if v.casefold() not in said]
    segments = [Segment("\n".join(lines), "schema")]
    segments += [Segment(f"value {c} = {v!r}", "schema", _told(c)) for c, v in own[:most]]
    foreign = not getattr(index.engine.dataset, "knows_itself", True)
    for about, comment in list(_comments(items, index).items())[:most]:
        segments.append(Segment(f"column {about}: {comment}", "schema", (str(about),), foreign=foreign))
    for column, value in found[:most]:
        shared = rows_with(index, column, value)
        segments.append(Segment(f"value {column} = {value!r}", "stats", _told(column), shared=shared))
    return Observation(tuple(segments))


def _told(column: Column | None) -> tuple[str, ...]:
    """Return the column that a value tells of: that a private one holds it stays here."""
    return (f"{column.table}.{column.name}",) if column is not None else ()


def _comments(items: list[Mention], index: SchemaIndex) -> dict[Column, str]:
    """Return what the knowledge graph, or else the database, says of the columns that a question is about."""
    named = [e.column for m in items for e in m.entries if e.column is not None and not e.column.sql]
    conditions = [e for m in items for e in m.of("condition", "metric", "outcome")]
    named += [
        c
        for e in conditions
        for n, c in index.columns.get(e.table, {}).items()
        if re.search(rf"\b{re.escape(n)}\b", e.sql)
    ]
    told: dict[Column, str] = {}
    for c in dict.fromkeys(named):
        facts = index.facts.column(c.table, c.name)
        codes = ", ".join(f"{k}: {v[0]}" for k, v in facts.codes.items() if v and v[0])
        comment = facts.comment or index.declared.comment(c.table, c.name)
        if text := " ".join(x for x in (comment, f"({codes})" if codes else "") if x):
            told[c] = text
    return told


def rows_with(index: SchemaIndex, column: Column | None, value: str) -> int:
    """Return how many rows have a value."""
    if column is None or column.sql:
        return 0
    text = value.replace("'", "''")
    sql = f"SELECT count(*) FROM {quote(column.table)} WHERE {quote(column.name)}::VARCHAR = '{text}'"
    return int(index.engine.query(sql).iloc[0, 0])


def _tables(items: list[Mention], index: SchemaIndex) -> list[str]:
    named = list(dict.fromkeys(e.table for m in items for e in m.entries if e.table in index.columns))
    between = [s.end[0] for a in named for b in named for path in index.joins.any(a, b)[:1] for s in path]
    below = [t for n in named for t in index.joins.below(n, index.columns)]
    above = [j.parent for n in named for j in index.joins.touching(n)]
    if len(index.columns) <= MOST_LOOKED_AT:
        above += [t for t in index.columns if any(index.joins.up(n, t) for n in named)]
    near = [t for t in index.columns if t in {*below, *above}]
    return list(dict.fromkeys([*named, *between, *near]))


def _table(table: str, index: SchemaIndex) -> str:
    columns = ", ".join(f"{c.name} {c.type}" for c in index.columns[table].values())
    note = index.facts.table(table).comment
    return f"{table}({columns})" + (f" -- {note}" if note else "")


def _columns(m: Mention) -> list[str]:
    """Return the columns that words can mean, where their name does not say it."""
    columns = list(dict.fromkeys(e.column for e in m.of("column") if e.column is not None and not e.column.sql))
    return [str(c) for c in columns[:6]] if any(c.name.casefold() != m.words.casefold() for c in columns) else []
