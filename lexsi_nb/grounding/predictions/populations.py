"""The populations of a prediction: the rows that are scored, those whose outcome is known, and what narrows them."""

from __future__ import annotations

import re

from lexsi_nb.grounding.predictions.features import Collector
from lexsi_nb.grounding.reading import Column, Declined, Filter, Link, Reading, Unread
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.facts import Outcome
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote


def populations(o: Outcome, filters: tuple[Filter, ...], index: SchemaIndex) -> tuple[str, str, str, list[str]]:
    """Return (scored, already, words for the scored, words of the other conditions)."""
    from lexsi_nb.grounding.rendering.phrasing import _filter as said

    table = quote(o.entity_table)

    def n(sql: str) -> int:
        return int(index.engine.query(f"SELECT count(*) AS n FROM {table} WHERE {sql}").iloc[0, 0])

    stated = [f for f in filters if states(f, o)]
    others = [said(f, o.entity_table) for f in filters if not states(f, o)]
    if not stated:
        return o.scored.sql, o.already.sql, o.scored.text or "with the outcome open", others
    sql = " AND ".join(_plain(f) for f in stated)
    if n(f"({sql}) AND ({o.labelled.sql})"):
        these = ", ".join(said(f, o.entity_table) for f in stated)
        text = f"Of {these}, some rows have '{o.name}' known already; only open ones can be predicted."
        raise Unread(Declined(text, tuple(f.words for f in stated)))
    if n(sql) == n(o.scored.sql) == n(f"({sql}) AND ({o.scored.sql})"):
        return o.scored.sql, o.already.sql, o.scored.text, others
    already = o.already.sql if o.already.sql and not n(f"({sql}) AND ({o.already.sql})") else ""
    return sql, already, "with " + ", ".join(said(f, o.entity_table) for f in stated), others


def labelled_alone(f: Filter, o: Outcome, index: SchemaIndex) -> bool:
    """Whether a condition leaves none but rows whose outcome is known."""
    table = quote(o.entity_table)
    sql = f"SELECT count(*) AS n FROM {table} WHERE ({_plain(f)}) AND NOT ({o.labelled.sql})"
    return not int(index.engine.query(sql).iloc[0, 0])


def known_already(o: Outcome, scored: str, collector: Collector) -> tuple[str, ...]:
    """Return the warning that some of the rows to rank have the outcome already, where the question asked for them."""
    if not o.already.sql or scored == o.scored.sql:
        return ()
    there = f"SELECT count(*) AS n FROM {quote(o.entity_table)} WHERE ({scored}) AND ({o.already.sql})"
    count = collector.count(there)
    words = o.already.text or f"with '{o.name}' already"
    if count and count == collector.count(f"SELECT count(*) AS n FROM {quote(o.entity_table)} WHERE {scored}"):
        raise Unread(Declined(f"All {count:,} of these are {words}: there is nothing left to predict.", (o.name,)))
    return (f"{count:,} of the rows ranked are {words}: for them the outcome is known.",) if count else ()


def any_left(
    o: Outcome, scored: str, filters: tuple[Filter, ...], links: tuple[Link, ...], key: Column, index: SchemaIndex
) -> bool:
    """Whether any row of the population fits the further conditions."""
    inner = ReadingSQL(Reading("list", o.entity_table, columns=(key,), filters=filters, links=links), index).text()
    sql = f"SELECT count(*) AS n FROM {quote(o.entity_table)} WHERE ({scored}) AND {quote(key.name)} IN (\n{inner}\n)"
    return bool(index.engine.query(sql).iloc[0, 0])


def states(f: Filter, o: Outcome) -> bool:
    """Whether a condition is on what defines the outcome, so that it says which rows are open."""
    if f.column is None:
        return f.table == o.entity_table and bool(_named_in(f.sql) & _named_in(f"{o.sql} {o.scored.sql}"))
    words = set(o.sql.replace("(", " ").replace(")", " ").split()) | set(o.scored.sql.split())
    return f.home == o.entity_table and (f.column.name in words or quote(f.column.name) in words)


def _named_in(sql: str) -> set[str]:
    """Return the names in a condition, without its texts and the words of SQL."""
    names = re.findall(r"[A-Za-z_]\w*", re.sub(r"'(?:[^']|'')*'", "", sql))
    return {n.casefold() for n in names} - {"in", "and", "or", "not", "is", "null", "between", "date", "like"}


def others_of(filters: tuple[Filter, ...], o: Outcome, index: SchemaIndex) -> tuple[Filter, ...]:
    """Return the conditions that narrow the scored rows beyond their population."""
    return tuple(f for f in filters if not states(f, o))


def _plain(f: Filter) -> str:
    from lexsi_nb.grounding.rendering.clauses import condition

    return condition(f, "")


def any_of(*parts: str) -> str:
    return " OR ".join(f"({p})" for p in parts if p)
