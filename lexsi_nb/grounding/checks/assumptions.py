"""What a reading takes for granted beyond the words: too much of it is declined, with what to say instead.

Each check stands for a way in which a fluent reading answers another question than the one asked: a noun or a
quantifier without a trace, a group that is a measure, tables joined by what they only share, a figure of one table
over conditions on another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.checks.asked_for import given, means, named_tables, tables_in
from lexsi_nb.grounding.checks.scruples import conditions
from lexsi_nb.grounding.language import assumptions as lexicon
from lexsi_nb.grounding.language import grammar, retold, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Declined, Link, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import figure_of, phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex, quote
from lexsi_nb.grounding.schema.naming import unit_in
from lexsi_nb.grounding.words import Token, name_parts, name_words, singular

_FEW_PER_PARENT = 3.0  # more children of a shared parent than this, and they are not "of" each other
_FEW_GROUPS = 30


def assumed(reading: Reading, items: Sequence[Mention], words: Sequence[Token], index: SchemaIndex) -> Reading:
    """Return the reading, "never" read as no such row.

    Raises:
        Unread: the reading takes for granted what the words don't say.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return reading
    reading = _never(reading, items, words, index)
    low = [w.low for w in words]
    _null_of_full(reading, low, index)
    _measure_as_group(reading, items, index)
    _finer_condition(reading, items, index)
    _quantifiers(reading, low)
    _compared_sums(reading, items, low, index)
    _chosen(items)
    if not grammar.SUM & set(low):
        _sum_of_offers(reading, items, index)
    _shared_parent(reading, items, index)
    _owner_of_value(reading, items, index)
    _trace_of_nouns(reading, items, index)
    _row_number(reading, items)
    _day_of_month(reading, low, index)
    _part_of_name(reading, items)
    given(reading, items, words, index)
    return reading


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _never(reading: Reading, items: Sequence[Mention], words: Sequence[Token], index: SchemaIndex) -> Reading:
    """`patients never admitted` have no admission: an admission without its day is another matter."""
    named, links = named_tables(items), []
    for link in reading.links:
        empty = [f for f in link.filters if f.op == "null" and not f.negated]
        if not empty or link.negated or link.table in named:
            links.append(link)
            continue
        dated = all(f.column is not None and f.column.type == "date" for f in empty)
        plain = reading.kind in ("count", "list") and not reading.keys and not reading.order
        if not any(w.low in grammar.NEVER for w in words) or not dated or len(link.filters) != 1 or not plain:
            raise _decline(
                f"'{empty[0].words}' may be missing in a row of {link.table}, or there may be no such row. "
                f"Say 'without {link.table}' for the latter.",
                empty[0].words,
            )
        links.append(Link(link.table, (replace(empty[0], op="notnull"),), True, words=link.words))
    if tuple(links) == reading.links:
        return reading
    changed = replace(reading, links=tuple(links))
    return replace(changed, sql=ReadingSQL(changed, index).text(), text=phrasing(changed))


def _null_of_full(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """A column that is filled in every row is not what tells rows "without" it from others."""
    if lexicon.MISSING & set(low):
        return
    absent = {f for link in reading.links if link.negated for f in link.filters}
    for f in conditions(reading):
        c = f.column
        if c is None or c.sql or f.op not in ("null", "notnull") or f in absent or f.values:
            continue
        zeros = f"count(*) FILTER ({quote(c.name)} = 0)" if c.type == "number" else "0"
        sql = f"SELECT count(*) - count({quote(c.name)}) AS n, {zeros} AS z FROM {quote(c.table)}"
        gaps, zero = index.engine.query(sql).iloc[0]
        if gaps and zero:  # "with no delay": a delay of 0, or one that nobody wrote down?
            ways = (f"{c.name} 0", f"{c.name} missing") if f.op == "null" else (f"{c.name} over 0", f"{c.name} known")
            raise Unread(Choice(f"{c} is 0 in some rows and missing in others; which is meant?", ways, f.words))
        if not gaps:
            way = f"Say '{c.name} 0', if that is meant." if c.type == "number" else "Say which."
            raise _decline(f"{c} is filled in every row, so '{f.words}' must be one of its values. {way}", f.words)
        if grammar.NEVER & set(low) and c.type != "date":
            raise _decline(f"'Never' asks for what happened, and {c} is only missing in some rows.", "never")


def _measure_as_group(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`charge per km` divides; it is no list of kilometres."""
    for key in reading.keys:
        c = key.column
        if c.type != "number" or key.grain or c.sql or not reading.measures:
            continue
        pairs = pairwise(items)
        per = [b.words for a, b in pairs if a.words.casefold() in grammar.PER_EACH and means(b, c)]
        named = name_words(c.name)
        known = index.facts.column(c.table, c.name)
        pointing = bool(index.joins.leaving(c.table, c.name))
        if not per or pointing or known.key or c == index.key_of(c.table) or set(named) & lexicon.GROUPING:
            continue
        counted = singular(named[-1]) != named[-1]
        groups = index.reads.one(f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}", c.table)[0]
        if counted or groups > _FEW_GROUPS or unit_in(c.name) or c.table != reading.table:
            raise _decline(
                f"'per {per[0]}' asks for a ratio, and I would make a group of each value of {c}. "
                f"Ask for the ratio of two totals, or say 'by {c.name}'.",
                per[0],
            )


def _finer_condition(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`total cost of morphine`: the cost is of stays, and a stay has many drugs."""
    named = set(named_tables(items))
    ranked = reading.kind in ("topk", "groupby") and reading.order is not None
    figures = [m for m in reading.measures if m.column is not None and m.function not in ("count", "distinct")]
    for link in reading.links:
        if (
            link.negated
            or link.op
            or link.table in named
            or not link.filters
            or index.joins.up(reading.table, link.table)
            or any({r.start, r.end} == {reading.table, link.table} for r in index.facts.routes)  # one of each
            or _held_by_route(reading, link, index)
        ):
            continue
        own = {m.column.table for m in figures if m.column is not None}
        if (own and not own & named) or (ranked and reading.table not in named):
            said = link.filters[0].words
            raise _decline(
                f"'{said}' is told of {link.table}, and the figure is of {reading.table}: one row there may have many. "
                f"Say which {reading.table} rows are meant.",
                said,
            )


def _held_by_route(reading: Reading, link: Link, index: SchemaIndex) -> bool:
    """Whether a condition is the one by which each row has one of these: the owner of a loan's account."""
    held = [f"{f.column.name} = '{f.values[0]}'" for f in link.filters if f.column and len(f.values) == 1]
    own = [r.sql for r in index.facts.routes if (r.start, r.through) == (reading.table, link.table)]
    return len(held) == len(link.filters) == 1 and held[0] in own and not link.filters[0].negated


def _quantifiers(reading: Reading, low: list[str]) -> None:
    """`only`, over rows that must exist, says that there are no others; `same` compares two values."""
    only = [w for w in low[:-1] if w in lexicon.ONLY]  # said last, it narrows: "five-year loans only"
    at_least_one = any(not k.negated and not k.op for k in reading.links)
    after = low[low.index(only[0]) + 1 : low.index(only[0]) + 2] if only else []
    if only and at_least_one and not grammar.ONCE & set(after):
        raise _decline(f"I can't yet read '{only[0]}' as none but these.", only[0])
    if lexicon.SAME & set(low) and not re.search(r"GROUP BY|\.\"?\w+\"? = \w+\.", reading.sql):
        raise _decline("I have no place for 'same' in what I read.", "same")


def _compared_sums(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`is satisfaction lower for billing than for devices` compares no totals; of one row each there is one figure."""
    summed = re.search(r"\bsum\(", reading.sql) and not re.search(r"\bcount\(|\bavg\(", reading.sql)
    if reading.kind not in ("comparison", "yesno") or not summed or lexicon.SUMS & set(low):
        return
    equal = re.findall(r"(?:WHERE|AND) (?:\w+\.)?\"?(\w+)\"? (?:= '|IN \()", reading.sql)
    if any(c in index.columns.get(reading.table, {}) and index.unique(reading.table, c) for c in equal):
        return
    prompt, c = "Are totals compared, or averages?", reading.measures[0].column if reading.measures else None
    said = next((m.words for m in items if c is not None and means(m, c)), "")
    if c is None or not said:
        raise _decline(f"{prompt} Say 'total' or 'average'.")
    ways, asks = (figure_of(f, c.name) for f in ("avg", "sum")), (way.format(said) for way in retold.MEAN_OR_SUM)
    raise Unread(Choice(prompt, tuple(ways), said, said=tuple(asks), lasting=False))


def _chosen(items: Sequence[Mention]) -> None:
    for m in items:
        said = [w for w in m.gap[-1:] if w in lexicon.CHOOSING]
        article = grammar.ANY_ONE & set(m.gap[-2:-1])  # "without a single gold card"
        if said and (
            (m.of("table") and not m.of("value")) or (said[0] in grammar.SINGLE and m.of("value") and not article)
        ):
            raise _decline(f"'{said[0]}' chooses among {m.words}, and nothing in the data tells how.", said[0])


def _sum_of_offers(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    for m in reading.measures:
        c = m.column
        if m.function != "sum" or c is None:
            continue
        said = set(name_parts(c.name))  # "units" are how many, "unit" is one
        listed = c.table not in named_tables(items) and bool(index.joins.into(c.table))
        if said & lexicon.OF_ONE or (said & lexicon.OFFERED and listed):
            raise _decline(f"{c} is what one of them costs, so a sum of it says nothing of what was paid.", c.name)


def _shared_parent(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Doctors of the ward that a patient lay in are not the patient's doctors."""
    named = named_tables(items)
    far = [k.table for k in reading.links] + [k.column.table for k in reading.keys]
    for table in dict.fromkeys(t for t in far if t != reading.table):
        route = next(iter(index.joins.any(reading.table, table)), ())
        for at, (before, step) in enumerate(pairwise(route)):
            shared = before.end[0]
            if before.up and not step.up and shared not in named:
                apart = index.joins.spread(route[at:])
                if apart > _FEW_PER_PARENT:
                    raise _decline(
                        f"{reading.table} and {table} only share their {shared}, which has many of each, "
                        "so I can't tell which belong together.",
                        table,
                    )


def _owner_of_value(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`books by French authors`: the word is said of authors, though books have that value too."""
    for m, noun in pairwise(items):
        tables = {e.table for e in noun.of("table")}
        columns = [e.column for e in m.of("value") if e.column is not None]
        if noun.gap or len(columns) < 2 or not tables & {c.table for c in columns}:
            continue
        used = [f.column for f in conditions(reading) if f.column in columns]
        pointed = {j.parent for c in used if c for j in index.joins.leaving(c.table, c.name)}
        homes = {c.table for c in used if c is not None} | pointed
        if used and not tables & homes and not m.of("table"):
            raise _decline(f"'{m.words}' is said of {noun.words}, and I would look it up in {used[0]}.", m.words)


def _trace_of_nouns(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """A table that is named, and that the rows read don't point at, must be found in the reading."""
    low, used = reading.sql.casefold(), tables_in(reading)
    for m in items:
        if m.tags or not m.of("table") or m.of("column", "value", "condition", "metric", "term", "outcome", "unit"):
            continue
        tables = {e.table for e in m.of("table")}
        if tables & used or singular(m.words.casefold()) in low:
            continue
        if not any(index.joins.up(u, t) for u in used if u in index.columns for t in tables):
            raise _decline(f"I have no place for '{m.words}' in what I read, so I don't answer.", m.words)


def _row_number(reading: Reading, items: Sequence[Mention]) -> None:
    """`flights per day on average` counts flights, though each has a number called flight."""
    for m in reading.measures:
        c = m.column
        if c is None or m.function in ("count", "distinct") or m.sql or c.name.casefold() == c.table.casefold():
            continue
        if c.name.casefold() != singular(c.table.casefold()):
            continue
        said = [k for k, i in enumerate(items) if i.words.casefold() == c.table.casefold()]
        if any(k == 0 or items[k - 1].tag("agg") is None for k in said):
            raise _decline(f"{c} only tells the rows apart; ask for the number of {c.table}.", c.name)


def _day_of_month(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """`flights per day`: the column `day` runs from 1 to 31, and beside it is one for the month."""
    columns = {n.casefold(): c for n, c in index.columns.get(reading.table, {}).items()}
    day = next((columns[n] for n in columns if n in schema_words.DAY), None)
    if (
        day is None
        or day.type != "number"
        or not schema_words.MONTH & set(columns)
        or any(p in " ".join(low) for p in grammar.OF_THE_MONTH)
    ):
        return
    grouped = re.search(r'GROUP BY [^\n()]*?"?\bday\b(?!\()', reading.sql)
    if grouped and not re.search(r"\bmonth\b", reading.sql):
        raise _decline(f"{day} is a day of a month, 1 to 31. Say 'by day of the month', or name a month.", "day")


def _part_of_name(reading: Reading, items: Sequence[Mention]) -> None:
    """A value that holds more words than were said, in rows that only exist somewhere; a name of another table."""
    for f in [f for link in reading.links for f in link.filters]:
        if f.column is None or f.column.type != "text" or f.op not in ("in", "=") or not f.words:
            continue
        whole = {" ".join(name_words(str(v))) for v in f.values}
        said = " ".join(name_words(f.words))
        if len(whole) == 1 and said and any(w != said and len(w.split()) > len(said.split()) for w in whole):
            raise _decline(f"'{f.words}' is only a part of '{f.values[0]}' in {f.column}. Say the whole.", f.words)
    for m, noun in zip(items[1:], items, strict=False):
        if not grammar.CALLED & set(m.gap) or not m.of("value") or not noun.of("table"):
            continue
        own = {e.table for e in noun.of("table")}
        used = [f.column for f in conditions(reading) if f.column in [e.column for e in m.of("value")]]
        if used and reading.table in own and not any(c.table in own for c in used if c is not None):
            raise _decline(f"I know '{m.words}' as a value of {used[0]}, not as the name of {noun.words}.", m.words)
