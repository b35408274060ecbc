"""Last doubts about a reading: what is known to be read wrongly is declined, with what to ask instead.

Each check stands for a kind of question that was once answered with a wrong number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from lexsi_nb.grounding.checks.exclusive import exclusive
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import TAGS
from lexsi_nb.grounding.reading import Choice, Column, Declined, Filter, Reading, Unread
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import SchemaIndex, phrase, quote
from lexsi_nb.grounding.words import Token, name_words, plural

FEW_NAMESAKES = 12


def scrupulous(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> Reading:
    """Return the reading, with a note where its last row is one of several equal ones.

    Raises:
        Unread: one of the doubts holds.
    """
    low = [w.low for w in words]
    _number_of_text(reading)
    _grain(reading, low, index)
    _condition_of_values(reading, words, index)
    _condition_of_whom(reading)
    _whom(reading, low, index)
    _of_what(reading, words, index)
    _group_of_superlative(reading, low)
    _number_of_a_table(reading, words, index)
    _sum_of_rows(reading, low, index)
    exclusive(reading, index)
    _swallowed_value(reading, words, index)
    _truth_values(reading, low)
    _nothing_there(reading, index)
    _namesakes(reading, index)
    return _ties(_time_zone(reading, index), index)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _number_of_text(reading: Reading) -> None:
    """`more than one genre` and `3 regions` count them; no text is above a number, or is one."""
    for f in conditions(reading):
        numbers = any(isinstance(v, (int, float)) and not isinstance(v, bool) for v in f.values)
        if numbers and f.column is not None and f.column.type in ("text", "bool"):
            raise _decline(f"{f.column} holds words, and '{f.words}' asks for a number.", f.words)


def _grain(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """Values of a column with conditions on related rows: true of a row of the table, not of the value."""
    if reading.kind != "list" or not reading.links or not reading.columns or (reading.distinct and reading.shown):
        return  # kinds of rows that the conditions are told of by name
    if not (reading.shown or reading.distinct):
        return  # the rows themselves
    first = reading.links[0]
    plain = not (reading.filters or first.negated or first.op or grammar.OF & set(low[:5]))
    plain = plain and not any(f.negated for f in first.filters)
    if reading.distinct and plain and len(reading.links) == 1:
        return  # "regions with a client born after 1980": one row of the region has such a client
    if any("LIMIT 1)" in f.sql for link in reading.links for f in link.filters):
        return  # of one row only
    key = index.key_of(reading.table)
    if key in reading.columns or any(_unique(c, index) for c in reading.columns):
        return
    column, link = reading.columns[0], reading.links[0]
    raise _decline(
        f"'{link.words}' would be judged a row of {reading.table}, and several rows share one {column.name}. "
        f"Ask for the number of {link.table} by {column.name}.",
        link.words,
    )


def _condition_of_values(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """`regions with a salary above 9000`, where a region has many rows each with a salary of its own."""
    counted = [m.column for m in reading.measures if m.function == "distinct" and m.column is not None]
    if counted and reading.kind == "count" and len(reading.measures) == 1:
        reading = replace(reading, kind="list", distinct=True, columns=tuple(counted))
    if reading.kind != "list" or not reading.distinct or not reading.columns:
        return
    sized = [f for f in reading.filters if f.op in (">", ">=", "<", "<=", "between") and f.home == reading.table]
    said = any(e.table == reading.table for w in words for e in index.lookup([w.low]) if e.kind == "table")
    if (
        not sized
        or said
        or any(f.column in reading.columns for f in sized)
        or any(f.column and f.column.type == "date" for f in sized)
    ):
        return
    if not any(_unique(c, index) for c in reading.columns):
        column = reading.columns[0]
        raise _decline(
            f"Several rows of {reading.table} share one {column.name}, and '{sized[0].words}' is told of each row. "
            f"Ask for a figure by {column.name}.",
            sized[0].words,
        )


def _unique(column: Column, index: SchemaIndex) -> bool:
    sql = f"SELECT count(*) = count(DISTINCT {quote(column.name)}) AS u FROM {quote(column.table)}"
    return not column.sql and bool(index.engine.query(sql).iloc[0, 0])


def _condition_of_whom(reading: Reading) -> None:
    """After "without X", a condition that is not on X may be meant of either."""
    for link in reading.links:
        for f in link.filters if link.negated else ():
            if f.home and f.home != link.table and f.words.casefold() not in grammar.HOLDS:
                raise _decline(
                    f"I can't tell whether '{f.words}' is said of {reading.table} or of {link.table}. "
                    f"Put it before 'without {link.words}'.",
                    f.words,
                )


def _of_what(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """ "Which plane flew the longest distance" asks for a plane; a row of another table is no answer."""
    if len(words) < 2 or words[0].low not in grammar.WHICH or reading.kind not in ("list", "topk") or reading.keys:
        return
    entries = index.lookup([words[1].low])
    asked = {e.table for e in entries if e.kind == "table" and not e.weak}
    if any(c.table in asked for c in reading.shown):
        return  # "which member had the longest visit": the member's name beside the visit
    if asked and not any(e.kind == "column" for e in entries) and reading.table not in asked and not reading.measures:
        raise _decline(
            f"'{words[1].text}' asks for rows of {' or '.join(sorted(asked))}; I read rows of {reading.table}."
        )


def _whom(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """ "Who has the largest loan" asks for a person; a row of another kind is no answer."""
    if grammar.WHO & set(low[:1]) and reading.kind == "aggregate" and not reading.keys:
        raise _decline("'Who' asks for a person, and I read it as a figure. Name what is to be listed.", "who")
    if not grammar.WHO & set(low[:1]) or reading.kind not in ("list", "topk"):
        return
    tables = {reading.table, *(k.column.table for k in reading.keys), *(c.table for c in reading.columns)}
    people = {e.table for w in lexicon.PEOPLE for e in index.entries.get((w,), ()) if e.kind == "table"}
    people |= {c.table for t in tables for c in index.columns[t].values() if name_words(c.name) in lexicon.PERSON_NAMES}
    if not tables & people:
        raise _decline(f"'Who' asks for a person, and I read it as rows of {reading.table}. Name what is to be listed.")


def _group_of_superlative(reading: Reading, low: list[str]) -> None:
    """ "The largest in each region" wants a row a region, "highest region" wants nothing sensible."""
    column = reading.order.column if reading.order else None
    if "PARTITION BY" in reading.sql:
        return
    own = set(name_words(column.name)) if column else set()  # "workers per 100"
    each = grammar.EACH & (set(low) - own)
    if reading.kind == "topk" and not reading.keys and (each or (column and column.type == "text")):
        raise _decline(
            "I don't pick the highest row of each group yet; ask for the maximum of a column by group.",
            *(w for w in low if w in grammar.EACH),
        )


def _number_of_a_table(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """ "More than 130 loans" counts loans: 130 is no value of a column."""
    for now, after in pairwise(words):
        counted = now.kind == "number" and any(e.kind == "table" for e in index.entries.get(phrase(after.text), ()))
        if counted and any(now.value in f.values and f.column is not None for f in reading.filters):
            raise _decline(
                f"'{now.text} {after.text}' counts rows, and I read it as a value. Ask for the number of {after.text} "
                "by the column you mean.",
                now.text,
            )


def _sum_of_rows(reading: Reading, low: list[str], index: SchemaIndex) -> None:
    """A sum or "how much" of rows names no column to add up."""
    asked = bool(grammar.SUMS & set(low)) or any(p in " ".join(low) for p in grammar.MUCH)
    counts = [m for m in reading.measures if m.function == "count"]
    if reading.kind == "series":  # a running total adds up the counts of periods
        return
    if low[-1] in grammar.SUMS and any(m.of_total for m in counts):  # "in percent of the total"
        return
    if not asked or not counts or grammar.COUNTED & set(low) or len(counts) != len(reading.measures):
        return
    table = counts[0].table or reading.table
    facts = index.facts.table(table).columns
    keys = {n for n, f in facts.items() if f.key} | {c.name for c in (index.key_of(table),) if c is not None}
    numbers = [c.name for c in index.columns[table].values() if c.type == "number" and c.name not in keys]
    if not numbers:
        raise _decline(f"{reading.table} has no number to add up; ask for the number of {plural(reading.table)}.")
    raise _decline(f"A sum of which column of {reading.table}? It has {', '.join(numbers[:8])}.")


def _swallowed_value(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """A word that is passed over as filling, or does some work, may be a value of the data: "in", "us", "plus"."""
    used = {t for f in conditions(reading) for v in f.values for t in str(v).split()}
    passed = [w for w in words if w.low in lexicon.STOP and w.text not in used]
    for column in (c for t in reading.tables for c in index.columns.get(t, {}).values()):
        values = set(map(str, index.values.get(column, {}).values()))
        for word in (*passed, *_working(words, column, used, index)) if values else ():
            if word.text in values:
                raise _decline(
                    f"'{word.text}' is a word of the question and a value of {column}. "
                    f"If the value is meant, say {column.name} '{word.text}'.",
                    word.text,
                )


_OWN_WORK = frozenset(("not", "without", "neither", "nor", "in", "to", "or", "between", "by"))


def _working(words: Sequence[Token], column: Column, used: set[str], index: SchemaIndex) -> list[Token]:
    """Return the words that join or order others, and stand where a value would: before the rows, or after "are"."""
    found = []
    for i, w in enumerate(words):
        work = {t.partition(":")[0] for t in TAGS.get((w.low,), ())}
        if not work or work & _OWN_WORK or w.text in used:
            continue
        after = [e for x in words[i + 1 : i + 2] for e in index.lookup([x.low])]
        rows = any(e.kind == "table" and e.table == column.table for e in after)
        told = i > 0 and words[i - 1].low in grammar.ARE and not [x for x in words[i + 1 :] if x.kind == "word"]
        if rows or told:
            found.append(w)
    return found


def conditions(reading: Reading) -> list[Filter]:
    """Return every condition of a reading, those on related rows, of single measures and of alternatives too."""
    links = [*reading.links, *(k for f in reading.filters for k in f.links)]
    inner = [f for link in links for f in link.filters]
    measured = [f for m in reading.measures for f in m.where]
    every = [*reading.filters, *inner, *measured]
    return [*every, *(part for f in every for part in f.inside())]


def few_numbers(c: Column, index: SchemaIndex) -> set[float]:
    """Return the values of a number column with so few that they are a list to choose from; none for any other."""
    name = quote(c.name)
    sql = f"SELECT DISTINCT {name} AS v FROM {quote(c.table)} WHERE {name} IS NOT NULL LIMIT {_FEW + 1}"
    held = {float(v) for (v,) in index.reads.rows(sql, c.table)}
    many = (index.rows.get(c.table) or 0) >= _ROWS_A_VALUE * max(len(held), 1)
    return held if len(held) <= _FEW and many else set()


_FEW, _ROWS_A_VALUE = 12, 20


def _truth_values(reading: Reading, low: list[str]) -> None:
    """ "Not active" over a true/false column is not "active is missing", "active" not a count of its values."""
    said = set(low)
    for f in conditions(reading):
        if f.column is not None and f.column.type == "bool" and f.op in ("null", "notnull") and not grammar.NULL & said:
            raise _decline(
                f"{f.column} is true or false. Ask for its values by group: count by {f.column.name}.", f.words
            )
    for m in reading.measures:
        if (
            m.column is not None
            and m.column.type == "bool"
            and m.function == "distinct"
            and not grammar.DIFFERENT & said
        ):
            raise _decline(f"{m.column} is true or false. Ask for a count by {m.column.name}.", m.column.name)


def _nothing_there(reading: Reading, index: SchemaIndex) -> None:
    """A figure of no rows, or a number that a column does not reach, is said to be none instead of shown as missing."""
    for f in conditions(reading):
        if f.column is None or f.column.type != "number" or f.column.sql or f.op not in ("in", "=") or f.negated:
            continue
        span = index.span(f.column)
        numbers = [v for v in f.values if isinstance(v, (int, float))]
        if span and numbers and all(not span[0] <= v <= span[1] for v in numbers):
            raise _decline(f"{f.column} runs from {span[0]:g} to {span[1]:g}; no row has {numbers[0]:g}.", f.words)
        held = few_numbers(f.column, index) if numbers else set()
        if held and not held & set(map(float, numbers)):
            listed = ", ".join(f"{v:g}" for v in sorted(held))
            raise _decline(f"{f.column} has only {listed}; no row has {numbers[0]:g}.", f.words)
    if reading.kind != "aggregate" or reading.keys or not conditions(reading):
        return
    frame = index.engine.query(reading.sql)
    if frame.shape[0] == 1 and frame.iloc[0].isna().all():
        raise _decline(f"No row fits, so there is no figure: {reading.text}.")


def _time_zone(reading: Reading, index: SchemaIndex) -> Reading:
    """Say the zone that days are told in: a day in one zone is another day elsewhere."""
    read = [f.column for f in conditions(reading) if f.op not in ("null", "notnull")]
    read += [k.column for k in reading.keys]
    read += [m.column for m in reading.measures] + [*reading.columns]
    told: dict[str, list[str]] = {}
    for c in dict.fromkeys(c for c in read if c is not None):
        day = index.columns[c.table].get(c.date, c) if c.date else c
        if day.zone and str(day) not in told.setdefault(day.zone, []):
            told[day.zone].append(str(day))
    said = [
        f"days and times of {' and '.join(names)} are told in {'its' if len(names) == 1 else 'their'} own zone, {zone}"
        for zone, names in told.items()
    ]
    return replace(reading, notes=tuple(dict.fromkeys((*reading.notes, *said))))


def _namesakes(reading: Reading, index: SchemaIndex) -> None:
    """A figure of the one thing of a name, where several things have that name."""
    if reading.kind != "list" or not reading.shown or reading.links or reading.limit or len(reading.filters) != 1:
        return
    f, label = reading.filters[0], index.label_of(reading.table)
    if f.column is None or f.column != label or f.op != "in" or len(f.values) != 1 or f.negated:
        return
    rows = Reading("list", reading.table, columns=tuple(_telling(reading.table, index)), filters=reading.filters)
    frame = index.engine.query(ReadingSQL(rows, index).text())
    if not 1 < len(frame) <= FEW_NAMESAKES:
        return
    ways = tuple(", ".join(str(v) for v in row if v == v) for row in frame.itertuples(index=False))
    raise Unread(Choice(f"'{f.values[0]}' names {len(frame)} rows of {reading.table}; which?", ways))


def _telling(table: str, index: SchemaIndex) -> list[Column]:
    """Return the columns that tell rows of one name apart: the key, the name and short texts."""
    key, label = index.key_of(table), index.label_of(table)
    texts = [c for c in index.columns[table].values() if c.type == "text" and c not in (key, label)]
    return [c for c in (key, label, *texts[:3]) if c is not None]


def _ties(reading: Reading, index: SchemaIndex) -> Reading:
    """Return the reading with a note where the cut falls among equal values."""
    order, limit = reading.order, reading.limit
    found = re.search(r"LIMIT (\d+)\s*$", reading.sql)
    told = any(n.startswith("more share the last place") for n in reading.notes)
    if order is None or not limit or found is None or int(found.group(1)) != limit or told:
        return reading
    frame = index.engine.query(reading.sql[: found.start()] + f"LIMIT {limit + 1}")
    name = order.column.name if order.column is not None else frame.columns[-1]
    if len(frame) <= limit or name not in frame.columns or not _equal(*frame[name].iloc[-2:]):
        return reading
    return replace(
        reading, notes=(*reading.notes, f"more rows share the last {name} shown; the cut among them is by key")
    )


def _equal(a: Any, b: Any) -> bool:
    return bool(a == b) or (a != a and b != b)
