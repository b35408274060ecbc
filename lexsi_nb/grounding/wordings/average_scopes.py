"""Which rows an average is over, where rows are held against it and other conditions hold as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import retold
from lexsi_nb.grounding.reading import Choice, Declined, Filter, Link, Measure, Reading, Relative, Unread
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex

ALL, THESE = "all", "these"  # the arguments of the tag `scope`


def relative(f: Filter) -> Relative | None:
    """Return the figure that a condition compares with and of which no rows were said, None for another condition."""
    found = next((v for v in f.values if isinstance(v, Relative)), None)
    return found if found is not None and not found.whole and not found.sql else None


def which_rows(base: str) -> Choice:
    """Return the choice of the rows that an average is over, each with the question that says it."""
    ways = (f"of all {base} rows", "of the rows that fit the other conditions")
    return Choice("An average of which rows?", ways, said=(retold.OVER_ALL, retold.OVER_THESE), lasting=False)


def averages_placed(
    filters: Sequence[Filter], links: Sequence[Link], base: str, scope: str, index: SchemaIndex
) -> tuple[tuple[Filter, ...], tuple[Link, ...]]:
    """Return the conditions with each average over the rows that were said: all, or those that fit the others.

    Raises:
        Unread: nothing was said of them where it matters, or something where it does not.
    """
    alone = all(any(isinstance(v, Relative) for v in f.values) for f in filters)  # "salary below, rents above average"
    own = any(map(relative, filters)) and len(filters) + len(links) > 1 and (links or not alone)
    if own and not scope:
        raise Unread(which_rows(base))
    linked = [k for k in links if any(map(relative, k.filters))]
    if scope and not own and not linked:
        raise Unread(Declined("No average here could be over other rows."))
    if own:
        others = tuple(f for f in filters if relative(f) is None)
        filters = [_over(f, others, links, base, scope, index) for f in filters]
    elif linked and scope:
        if scope != ALL and (filters or len(links) > 1):
            told = f"The average is of {linked[0].table}, and other conditions are on {base}: I can't tell these rows."
            raise Unread(Declined(told))
        links = [replace(k, filters=tuple(_over_own(f, k, scope, index) for f in k.filters)) for k in links]
    return tuple(filters), tuple(links)


def _over_own(f: Filter, link: Link, scope: str, index: SchemaIndex) -> Filter:
    others = tuple(g for g in link.filters if relative(g) is None)
    return _over(f, others, (), link.table, scope, index)


def _over(
    f: Filter, others: tuple[Filter, ...], links: Sequence[Link], table: str, scope: str, index: SchemaIndex
) -> Filter:
    """Return a condition with its average over all rows of a table, or over those that fit the others."""
    held = relative(f)
    if held is None:
        return f
    if scope == ALL:
        return replace(f, values=(replace(held, whole=True),))
    if held.column.table != table:
        told = f"The average is of {held.column.table}, and the other conditions are on {table}."
        raise Unread(Declined(told, (f.words,)))
    figure = Measure(held.function, held.column, table=table)
    rows = Reading("aggregate", table, measures=(figure,), filters=others, links=tuple(links))
    return replace(f, values=(replace(held, sql=ReadingSQL(rows, index).text()),))
