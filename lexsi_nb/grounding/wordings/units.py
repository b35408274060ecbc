"""Numbers with a unit, or of heads: which column they are compared with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, schema_words, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Declined, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.naming import UNIT_OF, unit_in
from lexsi_nb.grounding.wordings.assumed_units import taken_unit
from lexsi_nb.grounding.words import singular

MONTHS_A_YEAR = 12


def measured(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """Return the mentions with units taken out and the column of a number said; `notes` gets what was assumed."""
    items = _said_twice(items)
    items = _lasting_years(_in_months(_of_money(_percent_beyond(items), index), index, notes), index, notes)
    return _units(_years_long(_heads(_percents(items, index), index), index, notes), index, notes)


def _said_twice(items: list[Mention]) -> list[Mention]:
    """`at least 36 months duration`: the column after its own unit says nothing new."""
    out: list[Mention] = []
    for m in items:
        unit = out[-1] if len(out) > 1 and out[-2].number is not None and not m.gap and not m.tags else None
        columns = {e.column for e in unit.of("unit")} if unit is not None else set()
        if not (columns and columns & {e.column for e in m.of("column")} and not m.of("table", "value")):
            out.append(m)
    return out


def _percent_beyond(items: list[Mention]) -> list[Mention]:
    """`more than 50% above the average` is more than 1.5 times it, `at least 20% below` at most 0.8 times."""
    out = list(items)
    for at in range(len(out) - 5, -1, -1):
        least, number, percent, way, figure = out[at : at + 5]
        unit = percent.tag("share") is not None and percent.words.casefold() in vocabulary.PERCENT
        said = (least.tag("cmp"), way.tag("cmp"))
        if not unit or number.number is None or said[0] not in (">", ">=") or said[1] not in (">", "<"):
            continue
        if figure.entries or figure.tag("agg") not in ("avg", "median"):
            continue
        sign = 1 if said[1] == ">" else -1
        factor = round(1 + sign * number.number / 100, 6)
        op = said[0] if sign > 0 else said[0].replace(">", "<")
        words = " ".join(m.words for m in (least, number, percent, way))
        times = Mention(f"{factor:g}", number=factor), Mention("times", tags=("times",))
        out[at : at + 4] = [Mention(words, tags=(f"cmp:{op}",), gap=least.gap), *times]
    return out


def _percents(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`humidity above 5 percent`, `a default rate above 10%`: a number in percent, not a share of rows."""
    out = list(items)
    for at in range(len(out) - 1, 2, -1):
        named, cmp, number, percent = out[at - 3 : at + 1]
        unit = percent.tag("share") is not None and percent.words.casefold() in vocabulary.PERCENT
        if not unit or number.number is None or cmp.tag("cmp") is None or named.of("table"):
            continue
        if at + 1 < len(out) and grammar.OF & set(out[at + 1].gap):
            continue
        columns = [e.column for e in named.of("column") if e.column and e.column.type == "number"]
        spans = [s for c in columns if not c.sql and (s := index.span(c))]
        if columns and spans and all(s[1] > 1 for s in spans):
            del out[at]
        elif spans or named.of("metric"):
            out[at - 1 : at + 1] = [replace(number, number=number.number / 100)]
    return out


def _years_long(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """`five-year loans`, where the loans have one number that is told in months."""
    out = list(items)
    for at in range(len(out) - 3, -1, -1):
        number, year, noun = out[at : at + 3]
        tables = {e.table for e in noun.of("table")}
        if not isinstance(number.number, int) or year.words.casefold() not in grammar.YEAR or year.gap or noun.gap:
            continue
        columns = [
            c
            for t in tables
            for n, c in index.columns[t].items()
            if index.facts.column(t, n).unit in schema_words.MONTHS
        ]
        if len(columns) != 1:
            continue
        months = number.number * MONTHS_A_YEAR
        notes.append(f"'{number.words} {year.words}' read as {columns[0].name} {months}")
        of = Mention(columns[0].name, entries=(Entry("column", columns[0].table, columns[0]),), gap=("with",))
        out[at : at + 3] = [replace(noun, gap=number.gap), of, Mention(str(months), number=months)]
    return out


def _in_months(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """`a duration shorter than 2 years`, `loans longer than 3 years`, where the column is told in months."""
    out = list(items)
    for at in range(len(out) - 1, 1, -1):
        number, cmp = out[at - 1], out[at - 2]
        years = out[at].words.casefold() in grammar.YEAR | grammar.YEARS and not out[at].gap and not out[at].entries
        if not years or not isinstance(number.number, int) or cmp.tag("cmp") is None:
            continue
        before = out[at - 3] if at > 2 else None
        said = [e.column for e in before.of("column")] if before is not None else []
        own = [c for c in said if c is not None and _told_in_months(c, index)]
        tables = list(dict.fromkeys(e.table for m in out[: at - 2] for e in m.of("table")))[:2]
        if not own and len(tables) == 1 and cmp.words.casefold() in grammar.LONGER:
            own = [c for c in index.columns[tables[0]].values() if _told_in_months(c, index)]
        if len(own) != 1:
            continue
        months = number.number * MONTHS_A_YEAR
        notes.append(f"'{number.words} {out[at].words}' read as {own[0].name} {months}")
        told = (
            []
            if own[0] in said
            else [Mention(own[0].name, entries=(Entry("column", own[0].table, own[0]),), gap=("with",))]
        )
        out[at - 2 : at + 1] = [*told, cmp, Mention(str(months), number=months)]
    return out


def _lasting_years(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """`a term of two years`, `with 4 years duration`, where the column is told in months."""
    out = list(items)
    for at in range(len(out) - 1, 0, -1):
        number, year = out[at - 1], out[at]
        said = year.words.casefold() in grammar.YEAR | grammar.YEARS and not year.gap and not year.entries
        if not said or not isinstance(number.number, int) or number.entries or number.day:
            continue
        before, after = out[at - 2] if at > 1 else None, out[at + 1] if at + 1 < len(out) else None
        first = before is not None and not set(number.gap) - grammar.OF - grammar.A
        own = [e.column for e in before.of("column")] if before is not None and first else []
        if own and (tagged := next((c for c in own if c is not None and _told_in_months(c, index)), None)) is not None:
            out[at - 1 : at + 1] = [Mention(str(months := number.number * MONTHS_A_YEAR), number=months)]
        else:
            own = [e.column for e in after.of("column")] if after is not None and not after.gap else []
            tagged = next((c for c in own if c is not None and _told_in_months(c, index)), None)
            if after is None or tagged is None:
                continue
            months = number.number * MONTHS_A_YEAR
            out[at - 1 : at + 2] = [replace(after, gap=number.gap), Mention(str(months), number=months)]
        notes.append(f"'{number.words} {year.words}' read as {tagged.name} {months}")
    return out


def _told_in_months(c: Column, index: SchemaIndex) -> bool:
    return index.facts.column(c.table, c.name).unit in schema_words.MONTHS


def _heads(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`more than 5 million people`: a number of heads is the population."""
    columns = tuple(e for e in index.entries.get((vocabulary.HEADS_COLUMN,), ()) if e.kind == "column")
    out = list(items)
    for at in range(len(out) - 1, 0, -1):
        number = out[at - 1]
        if (
            out[at].known
            or singular(out[at].words.casefold()) not in vocabulary.HEADS
            or number.number is None
            or not columns
        ):
            continue
        start = _compared(out, at - 1)
        out[start : at + 1] = [Mention(out[at].words, entries=columns, gap=out[start].gap), *_plain(out[start:at])]
    return out


def _plain(run: Sequence[Mention]) -> list[Mention]:
    return [replace(m, gap=()) if i == 0 else m for i, m in enumerate(run)]


def _compared(items: Sequence[Mention], at: int) -> int:
    """Return where the comparison of the number at a place begins."""
    start = at
    while start and (
        any(items[start - 1].tag(t) is not None for t in ("cmp", "between"))
        or (items[start - 1].number is not None and not items[start - 1].entries)
        or (items[start - 1].tag("and") is not None and start > 1 and items[start - 2].number is not None)
    ):
        start -= 1
    return start


def _units(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """`over 80 inches tall`, `a distance of at least 2000 miles`: the unit goes, the column is said."""
    out = _told_units(_unit_first(items))
    for at in range(len(out) - 1, 0, -1):
        m = out[at]
        unit = UNIT_OF.get(m.words.casefold(), "")
        if not unit or out[at - 1].number is None or m.of("table", "value", "unit"):
            continue
        start = _compared(out, at - 1)
        after = out[at + 1] if at + 1 < len(out) else None
        named = vocabulary.ADJECTIVES.get(after.words.casefold(), ()) if after is not None and not after.entries else ()
        entries = tuple(e for w in named for e in index.entries.get((w,), ()) if e.column and e.column.type == "number")
        if entries and (columns := _told_in(entries, unit)):
            said = f"{m.words} {after.words}" if after is not None else m.words
            notes.extend(taken_unit(columns, m.words, out[max(0, start - 2) : at], index))
            out[start : at + 2] = [Mention(said, entries=columns, gap=out[start].gap), *_plain(out[start:at])]
            continue
        column = out[start - 1] if start else None
        if m.entries and (column is None or not column.of("column")):
            continue
        if column is None or not column.of("column"):
            column = after if after is not None and set(after.gap) <= grammar.OF_IN_THE else None
        named = column.of("column") if column is not None and not column.of("table") else ()
        numbers = tuple(e for e in named if e.column and e.column.type == "number")
        if numbers and _told_in(numbers, unit):
            notes.extend(taken_unit(numbers, m.words, out[max(0, start - 2) : at], index))
            del out[at]
    return out


def _unit_first(items: list[Mention]) -> list[Mention]:
    """`under CZK 80,000`: the unit stands after the number, as elsewhere."""
    out = list(items)
    for at in range(len(out) - 1):
        unit, number = out[at], out[at + 1]
        plain = unit.of("unit") and not unit.of("table", "column", "value") and number.number is not None
        if plain and not number.gap and (at == 0 or out[at - 1].number is None):
            out[at], out[at + 1] = replace(number, gap=unit.gap), replace(unit, gap=())
    return out


def _of_money(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`lent the most money`, `the most money through orders`: the size of the rows that are named, once."""
    at = next((i for i, m in enumerate(items) if not m.known and m.words.casefold() in vocabulary.MONEY), None)
    if at is None:
        return items
    sizes = [c for t in index.columns if (c := index.size_of(t)) is not None]
    said = [i for i, m in enumerate(items) if any(e.column in sizes and e.text == "sum" for e in m.of("column"))]
    named = {e.table for m in items for e in m.of("table")}
    own = [e for i in said for e in items[i].of("column")] or [
        Entry("column", c.table, c) for c in sizes if c.table in named
    ]
    if len(own) != 1:
        return items
    out: list[Mention] = []
    for i, m in enumerate(items):
        if i in said:
            continue
        if i + 1 == at and m.tag("most") is not None:  # "the most money": the highest total
            out += [replace(m, tags=(f"super:{m.tag('most')}",)), Mention("total", tags=("agg:sum",))]
        elif i == at:
            out.append(replace(m, entries=(Entry("column", own[0].table, own[0].column),)))
        else:
            out.append(m)
    return out


def _told_units(items: list[Mention]) -> list[Mention]:
    """`area in km2`: the unit that the column is told in anyway."""
    for at in range(len(items) - 2, 0, -1):
        unit = UNIT_OF.get(items[at + 1].words.casefold(), "")
        told = [e for e in items[at - 1].of("column") if e.column and unit_in(e.column.name) == unit] if unit else []
        if told and items[at].tag("in") is not None and not items[at].entries:
            del items[at : at + 2]
    return items


def _told_in(entries: Sequence[Entry], unit: str) -> tuple[Entry, ...]:
    """Return the columns that can be told in a unit.

    Raises:
        Unread: all of them are told in another unit.
    """
    own = [(e, unit_in(e.column.name) if e.column else "") for e in entries]
    fits = tuple(e for e, u in own if u in ("", unit))
    if not fits:
        e, other = own[0]
        raise Unread(Declined(f"{e.column} is told in {other}; give the number in {other}.", (unit,)))
    return fits


_SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}


def in_currency(question: str, index: SchemaIndex) -> None:
    """Refuse an amount with the sign of a currency that no column is told in: $500, where all are told in another.

    Raises:
        Unread: the data say what currency their amounts are in, and it is another one.
    """
    found = re.search(r"([$€£¥])\s?\d|\d\s?([$€£¥])", question)
    if found is None:
        return
    sign = found.group(1) or found.group(2)
    words = {sign, _SIGNS[sign], *vocabulary.UNITS.get(_SIGNS[sign], ())}
    facts = [index.facts.column(t, n) for t, columns in index.columns.items() for n in columns]
    told = {u.casefold() for f in facts if f.totals or len(f.units) > 1 for u in f.units}
    told |= {u for columns in index.columns.values() for n in columns if (u := unit_in(n)) in ("usd", "eur")}
    if told and not told & words:
        said = ", ".join(sorted({f.unit for f in facts if len(f.units) > 1 and f.unit} or told))
        raise Unread(Declined(f"Amounts are told in {said}, and '{sign}' is another currency.", (sign,)))
