"""What counts rows without saying so: the busiest month, who hired most often, guests who came back."""

from __future__ import annotations

import re

from lexsi_nb.grounding.everyday.rows import (
    Anew,
    dated_rows,
    known,
    one_of,
    people_of,
    rows_of,
    said_as,
    tables_called,
)
from lexsi_nb.grounding.language import everyday, grammar
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.words import name_words


def busiest(question: str, index: SchemaIndex) -> Anew | None:
    """`busiest month`, `which club is busiest`: the one with the most rows of what happens there."""
    m = next((f for p in everyday.BUSY if (f := p.search(question))), None)
    if m is None or known(m["way"], index):
        return None
    noun, period = m["noun"], _period(m["noun"].casefold())
    rows = dated_rows(index) if period else _rows_at(noun, index)
    if not rows:
        return None
    if period in everyday.EITHER_DAY:
        return _which_day(period, rows, m)
    return _counted(period or noun, rows, m, m["way"])


def _which_day(period: str, rows: list[str], m: re.Match[str]) -> Anew:
    """Ask whether the busiest day is one of the week or one of the calendar.

    Raises:
        Unread: with the choice.
    """
    said = everyday.HAS_FEWEST if m["way"].casefold() in everyday.FEWEST else everyday.HAS_MOST
    ways = [
        (f"{day} with the most {t}", said.format(day, said_as(t), m["rest"] or ""))
        for t in rows
        for day in everyday.EITHER_DAY[period]
    ]
    return Anew(one_of(f"'{_lead(m)}': a day of the week or one day?", ways, _lead(m)))


def _period(noun: str) -> str:
    """Return a period as a question names it, with the date that it is of: `month`, `month of hire_date`."""
    for low, date in ((noun, ""), (noun.rpartition(" ")[0].rpartition(" ")[0], f" of {noun.rpartition(' ')[2]}")):
        found = everyday.PERIODS.get(low) or next((t for p, t in everyday.PIECES if p.search(low)), "")
        if found:
            return found + date
    return ""


def most_often(question: str, index: SchemaIndex) -> Anew | None:
    """`which guest hired most often`, `who visits most`, `most popular boat`: the most rows of what was done."""
    for patterns, passive in ((everyday.OFTEN, False), (everyday.POPULAR, True)):
        for p in patterns:
            m = p.search(question)
            found = _of_verb(m, index, passive=passive) if m is not None else None
            if found is not None:
                return found
    return None


def _of_verb(m: re.Match[str], index: SchemaIndex, *, passive: bool) -> Anew | None:
    verb, groups = m["verb"].casefold(), m.groupdict()
    done = list(dict.fromkeys(tables_called(verb, index)))
    if not done and verb not in everyday.GENERAL:
        return None
    if groups.get("who"):
        owners = [(t, p) for t in done for p in people_of(t, index)]
        return _counted(rows_word(owners[0][1], 1), [owners[0][0]], m, m["way"]) if len(owners) == 1 else None
    noun = m["noun"]
    rows = [t for t in _rows_at(noun, index) if not done or t in done]
    if not rows or (passive and not _named_table(noun, index) and verb in everyday.GENERAL):
        return None  # "most popular kind": the most common one
    quantities = [c for t in rows for c in index.numeric(t) if set(name_words(c.name)) & everyday.QUANTITIES]
    if quantities and passive and verb not in everyday.GENERAL:
        return _by_pieces(noun, rows, quantities, m)
    return _counted(_head(noun, index), rows, m, m["way"])


def _by_pieces(noun: str, rows: list[str], quantities: list[Column], m: re.Match[str]) -> Anew | None:
    """Ask whether `most ordered` is by the number of orders or by how many pieces they are of."""
    few = m["way"].casefold() in everyday.FEWEST
    counted = (everyday.HAS_FEWEST if few else everyday.HAS_MOST).format(noun, said_as(rows[0]), m["rest"] or "")
    way = everyday.HAS_LOWEST if few else everyday.HAS_HIGHEST
    c = quantities[0]
    pieces = way.format(noun, everyday.TOTAL.format(said_as(c.name), said_as(c.table)), m["rest"] or "")
    ways = [(f"the number of {rows[0]}", counted), (f"the total {c.name} of {c.table}", pieces)]
    return Anew(one_of(f"'{_lead(m)}' by what?", ways, _lead(m)))


def _lead(m: re.Match[str]) -> str:
    return f"{m['way']} {m.groupdict().get('verb') or m['noun']}"


def _counted(noun: str, rows: list[str], m: re.Match[str], way: str) -> Anew:
    """Return the question for the one with the most rows.

    Raises:
        Unread: rows of several tables can be meant.
    """
    said = everyday.HAS_FEWEST if way.casefold() in everyday.FEWEST else everyday.HAS_MOST
    end = "fewest" if way.casefold() in everyday.FEWEST else "most"
    ways = [(f"{end} {t}", said.format(noun, said_as(t), m["rest"] or "")) for t in rows]
    asked = one_of(f"'{_lead(m)}' can be told by several tables.", ways, _lead(m))
    return Anew(asked, f"'{_lead(m)}' read as the {end} {rows[0]}")


def _named_table(noun: str, index: SchemaIndex) -> str:
    found = [e.table for e in index.lookup(list(phrase(noun))) if e.kind == "table"]
    return found[0] if found else ""


def _head(noun: str, index: SchemaIndex) -> str:
    """Return the column of `kind of boat`, else the noun."""
    words = noun.casefold().split()
    at = next((i for i, w in enumerate(words) if w in grammar.OF), 0)
    if at and any(e.kind == "column" for e in index.lookup(words[:at])):
        return " ".join(words[:at])
    return noun


def _rows_at(noun: str, index: SchemaIndex) -> list[str]:
    """Return the tables of dated rows that a thing or a group has."""
    if table := _named_table(noun, index):
        return rows_of(table, index)
    columns = [e.column for e in index.lookup(_head(noun, index).casefold().split()) if e.column is not None]
    homes = dict.fromkeys(c.table for c in columns if c.type in ("text", "bool"))
    found: list[str] = []
    for home in homes:
        found += [home] if home in dated_rows(index) else rows_of(home, index)
    return list(dict.fromkeys(found))


def so_many_times(question: str, index: SchemaIndex) -> Anew | None:
    """`guests who hired more than 5 times`, `guests who came back`: those with so many rows."""
    for p in (*everyday.TIMES, *everyday.BACK):
        m = p.search(question)
        if m is None:
            continue
        groups = m.groupdict()
        heads, verb = tables_called(m["head"], index), groups.get("verb")
        if verb is None and known(_said_beside(m), index):
            continue
        rows = [t for h in heads for t in rows_of(h, index) if verb is None or t in tables_called(verb, index)]
        general = verb is not None and verb.casefold() in everyday.GENERAL
        rows = [t for h in heads for t in rows_of(h, index)] if general else rows
        if len(heads) != 1 or not rows:
            continue
        number = everyday.MORE_THAN_ONE
        if groups.get("so"):
            number = everyday.SO_OFTEN[groups["so"].casefold()]
        elif groups.get("n"):
            number = f"{groups['cmp']} {groups['n']}"
        ways = [
            (f"{number} {t}", question[: m.start()] + everyday.WITH_MANY.format(m["head"], number, said_as(t)) +
             question[m.end() :]) for t in rows
        ]  # fmt: skip
        asked = one_of(f"'{m[0]}' can be told by several tables.", ways, m[0])
        return Anew(asked, f"'{m[0]}' read as {m['head']} with {number} {rows[0]}")
    return None


def _said_beside(m: re.Match[str]) -> str:
    """Return the words of a match without its head: `returning` of `returning guests`."""
    return m[0].replace(m["head"], "").strip().split(" ")[-1]


def never_done(question: str, index: SchemaIndex) -> Anew | None:
    """`guests who have never hired a boat`: those without a row of it, where a boat is all that is hired."""
    for p in everyday.NEVER_DONE:
        m = p.search(question)
        if m is None:
            continue
        heads, things = tables_called(m["head"], index), tables_called(m["what"], index)
        rows = [t for h in heads for t in rows_of(h, index) if t in tables_called(m["verb"], index)]
        if len(heads) == len(rows) == len(things) == 1 and rows[0] in rows_of(things[0], index):
            asked = everyday.WITHOUT.format(m["head"], said_as(rows[0]))
            asked = question[: m.start()] + asked + question[m.end() :]
            return Anew(asked, f"'{m[0]}' read as {m['head']} without {rows[0]}")
    return None


def never_came(question: str, index: SchemaIndex) -> Anew | None:
    """`patients who have never come`: those without a row, where they have rows of one table."""
    m = everyday.NEVER_CAME.search(question)
    if m is None or m["verb"].casefold() not in everyday.GENERAL or known(m["verb"], index):
        return None
    rows = [t for h in tables_called(m["head"], index) for t in rows_of(h, index)]
    if len(rows) != 1:
        return None
    asked = question[: m.start()] + everyday.WITHOUT.format(m["head"], said_as(rows[0])) + question[m.end() :]
    return Anew(asked, f"'{m[0]}' read as {m['head']} without {rows[0]}")


def by_sum(question: str, index: SchemaIndex) -> Anew | None:
    """`top 5 products by quantity ordered`: by the total quantity of the orders."""
    m = everyday.BY_SUM.search(question)
    done = tables_called(m["verb"], index) if m is not None else []
    columns = [c for t in done for c in index.numeric(t) if m is not None and m["col"].casefold() in name_words(c.name)]
    if m is None or len(columns) != 1:
        return None
    c = columns[0]
    total = everyday.BY_TOTAL.format(everyday.TOTAL.format(said_as(c.name), said_as(c.table)))
    return Anew(question[: m.start()] + total + question[m.end() :], f"'{m[0]}' read as {total}")


def total_of_rows(question: str, index: SchemaIndex) -> Anew | None:
    """`guests with a total amount of hires over 1000`: the total of each guest, and no total of all large hires."""
    m = everyday.TOTAL_OF_ROWS.search(question)
    if m is None:
        return None
    heads, rows = tables_called(m["noun"], index), tables_called(m["rows"], index)
    columns = [e.column for e in index.lookup(m["col"].casefold().split()) if e.column is not None]
    if len(heads) != 1 or len(rows) != 1 or heads == rows or rows[0] not in {c.table for c in columns}:
        return None
    return Anew(question[: m.start("of")] + question[m.end("of") :])
