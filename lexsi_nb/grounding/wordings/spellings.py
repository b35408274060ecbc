"""What people call the values of the data: a name's beginning, an adjective of a country, a month without a year."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lexsi_nb.grounding.language import grammar, lexicon, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.countries import ADJECTIVES
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.words import alone, name_words

SHORTEST = 5  # letters of one word that may stand for a longer value
LONGEST = 5  # words looked up together


def called(items: Sequence[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """Return the mentions with unknown words read as the values they stand for; `notes` gets what was assumed."""
    out: list[Mention] = []
    at = 0
    while at < len(items):
        made = None
        if not items[at].known:
            made = (
                _shared_end(items, at, index)
                or _month(items, at, index)
                or _adjective(items, at, index, notes)
                or _beginning(items, at, index, notes)
            )
            made = made or _spelt_out(items, at, index)
        size, mention = made or (1, items[at])
        out.append(mention)
        at += size
    return out


def _unknown_run(items: Sequence[Mention], at: int, size: int) -> list[Mention]:
    """Return the mentions of a run with nothing between them; empty where there is none."""
    run = list(items[at : at + size])
    joined = len(run) == size and not any(m.gap for m in run[1:]) and not any(m.number is not None for m in run)
    return run if joined else []


# -- values that are words of the language as well ---------------------------------------------------------------------

_NO_VALUES = ("not", "without", "neither", "nor", "in", "to", "or", "between", "by", "number")  # do their own work


def like_words(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions, a word of the language beside a column that holds it as a value: `state unknown`.

    Raises:
        Unread: the column has gaps as well, and the word says that nothing is there.
    """
    out: list[Mention] = []
    for at, m in enumerate(items):
        after = items[at + 1] if at + 1 < len(items) else None
        left = [x for x in items[:at] if x.tag("not") is None or x.entries]  # "state not unknown"
        before = left[-1] if left else None
        columns = [x is not None and bool(x.of("column")) for x in (before, after)]
        joins = m.tag("and") is not None and all(columns)  # "by class plus tier"
        if m.entries or not m.tags or joins or any(m.tag(t) is not None for t in _NO_VALUES):
            out.append(m)
            continue
        found = _held(m, after if after is not None and not after.gap else None, index)
        told = not set(m.gap).difference(grammar.ARE, grammar.ARTICLES, grammar.OF)
        found = found or _held(m, before if told else None, index)
        gaps = [e.column for e in found if e.column and m.tag("null") is not None and index.has_gaps(e.column)]
        if gaps:
            ways = (f"{gaps[0].name} '{found[0].value}'", f"without {gaps[0].name}")
            raise Unread(Choice(f"{gaps[0]} holds '{found[0].value}', and has gaps as well.", ways, m.words))
        out.append(Mention(m.words, entries=found, gap=m.gap) if found else m)
    return out


def _held(m: Mention, beside: Mention | None, index: SchemaIndex) -> tuple[Entry, ...]:
    """Return the values that a word is of the columns named beside it."""
    key = phrase(m.words)
    columns = dict.fromkeys(e.column for e in beside.of("column") if e.column) if beside is not None else ()
    return tuple(Entry("value", c.table, c, v[key]) for c in columns if key in (v := index.values.get(c, {})))


# -- the end that several names share ---------------------------------------------------------------------------------


def _shared_end(items: Sequence[Mention], at: int, index: SchemaIndex) -> tuple[int, Mention] | None:
    """Read `upper` in `upper or lower Saxony` as upper Saxony, where one column holds both names."""
    i = at + 1
    while i + 1 < len(items) and _joins(items[i]) and not items[i + 1].known and not items[i + 1].gap:
        i += 2  # "upper, middle and lower Saxony"
    whole = items[i + 1] if i + 1 < len(items) and _joins(items[i]) else None
    if whole is None or whole.gap or len(said := whole.words.split()) < 2:
        return None
    key, columns = phrase(f"{items[at].words} {' '.join(said[1:])}"), {e.column for e in whole.of("value")}
    entries = tuple(e for e in index.entries.get(key, ()) if e.kind == "value" and e.column in columns)
    return (1, Mention(items[at].words, entries=entries, gap=items[at].gap)) if entries else None


def _joins(m: Mention) -> bool:
    return not m.entries and (m.tag("and") is not None or m.tag("or") is not None)


# -- months -----------------------------------------------------------------------------------------------------------


def _month(items: Sequence[Mention], at: int, index: SchemaIndex) -> tuple[int, Mention] | None:
    m = items[at]
    low = m.words.casefold()
    if low not in lexicon.MONTHS or (at and items[at - 1].number is not None):
        return None
    before = items[at - 1] if at else None
    placed = before is not None and (before.tag("in") is not None or before.tag("or") is not None)
    if (low in grammar.MONTH_VERBS or len(low) < 4) and not (
        placed or set(m.gap) & grammar.BEFORE_MONTH or m.words[0].isupper()
    ):
        return None
    number = lexicon.MONTHS[low]
    entries = tuple(Entry("value", c.table, c, number) for t in index.columns for c in _months_of(t, index))
    return (1, Mention(m.words, entries=entries, gap=m.gap)) if entries else None


def _months_of(table: str, index: SchemaIndex) -> list[Column]:
    """Return the columns that say the month of a row: its own, else that of each date."""
    own = [
        c for n, c in index.columns[table].items() if c.type == "number" and alone(name_words(n), schema_words.MONTH)
    ]
    if len(own) == 1 and (span := index.span(own[0])) is not None and span[0] >= 1 and span[1] <= 12:
        return own
    times = index.time_of(table)
    of = {t: f" of {t.name}" if len(times) > 1 else "" for t in times}
    return [Column(table, f"month{of[t]}", "number", f"month({named(t, '{p}')})", date=t.name) for t in times]


# -- adjectives of countries ------------------------------------------------------------------------------------------


def _adjective(items: Sequence[Mention], at: int, index: SchemaIndex, notes: list[str]) -> tuple[int, Mention] | None:
    for size in (2, 1):
        run = _unknown_run(items, at, size)
        words = " ".join(m.words for m in run)
        name = ADJECTIVES.get(words.casefold(), "")
        entries = tuple(e for e in index.entries.get(phrase(name), ()) if e.kind == "value") if name else ()
        if entries:
            notes.append(f"'{words}' read as {entries[0].value}")
            return size, Mention(words, entries=entries, gap=run[0].gap)
    return None


# -- beginnings of values ---------------------------------------------------------------------------------------------


def _beginning(items: Sequence[Mention], at: int, index: SchemaIndex, notes: list[str]) -> tuple[int, Mention] | None:
    """Read `United Air Lines` as the one value of a column that begins so."""
    for size in range(LONGEST, 0, -1):
        run = _unknown_run(items, at, size)
        if not run or any(run[-1].tag(t) is not None for t in _NO_VALUES):
            continue  # "paid in 1995" is no beginning of "paid in full"
        words = " ".join(m.words for m in run)
        key = phrase(words)
        if not key or (len(key) == 1 and (len(key[0]) < SHORTEST or not run[0].words[:1].isupper())):
            continue
        hits = [(c, v) for c, p, v in index.beginnings(key[0]) if p[: len(key)] == key]
        columns = list(dict.fromkeys(c for c, _ in hits))
        if hits and len(columns) == len({(str(c), str(v)) for c, v in hits}) and not _elsewhere(key, hits, index):
            said = dict.fromkeys(str(v) for _, v in hits)
            notes.append(f"'{words}' read as {' or '.join(said)}")
            return size, Mention(words, entries=tuple(Entry("value", c.table, c, v) for c, v in hits), gap=run[0].gap)
    return None


def _elsewhere(key: tuple[str, ...], hits: Sequence[tuple[Column, Any]], index: SchemaIndex) -> bool:
    """Whether other values of the same columns have the word further on: `Salem` of `Salem Hill` and `New Salem`."""
    own = {str(v) for _, v in hits}
    listed = [index.values.get(c, {}) for c, _ in hits]
    return len(key) == 1 and any(key[0] in p and str(v) not in own for values in listed for p, v in values.items())


def _spelt_out(items: Sequence[Mention], at: int, index: SchemaIndex) -> tuple[int, Mention] | None:
    """Read a name with a capital letter that a column of too many values to list holds."""
    for size in range(LONGEST, 0, -1):
        run = _unknown_run(items, at, size)
        if not run or not run[0].words[:1].isupper() or len(run[0].words) < 3:
            continue
        words = " ".join(m.words for m in run)
        if hits := index.holding(words):
            return size, Mention(words, entries=tuple(Entry("value", c.table, c, v) for c, v in hits), gap=run[0].gap)
    return None
