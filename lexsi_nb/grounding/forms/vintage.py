"""Vintage tables: what share of each cohort had an event within so many periods; cells too young stay empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.forms.retention import ask_what_is_active, dates_of, events_of, of_life
from lexsi_nb.grounding.forms.vintage_rates import by_cohort, is_rate
from lexsi_nb.grounding.forms.vintage_table import Vintage, table
from lexsi_nb.grounding.forms.vintage_words import (
    Ages,
    Cut,
    bare,
    conditioned,
    cut_of,
    first_only,
    is_date,
    tables_of,
    tidy,
    two_parts,
    without_ages,
    without_frame,
)
from lexsi_nb.grounding.language import grammar, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Filter, Link, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex

PERIODS = ("year", "half-year", "quarter", "month")


def vintage(ask: Ask) -> Reading | None:
    """Return the reading of a vintage table, None when none is asked for.

    Two tables are needed: whose rows are the cohorts, and whose rows are the event. "Cohorts" of one table are groups,
    and a rate by cohort is that rate in each group.

    Raises:
        Unread: what is open is asked for; what can't be told is declined.
    """
    framed = any(bare(m, "vintage") for m in ask.items)
    kept = any(bare(m, "retention") for m in ask.items)
    items, ages = without_ages(ask.items)
    shares = any(bare(m, "share") for m in items)
    if not (framed or kept or (ages.unit and shares)):
        return None
    if again := [m.words for m in items if bare(m, "again")]:
        refuse(
            "I read the first event after a row's date; what happens again I don't read yet. "
            "Ask for the share with more than one, by cohort.", *again
        )  # fmt: skip
    tables = list(dict.fromkeys(t for m in items for t in tables_of(m)))
    if is_rate(items) and ages.unit and not shares:
        refuse("I tell ages of cohorts as shares in percent; ask for the share of the rows with the event.")
    if is_rate(items) and not shares:
        return by_cohort(ask, tables)
    if not (_of_two(items, tables) or ages.unit or shares or kept):
        return by_cohort(ask, tables)
    frame = [w for m in ask.items if bare(m, "vintage", "retention") for w in m.words.casefold().split()]
    found = _read(ask, items, ages, active=kept, framed=framed)
    return replace(found, chart="line" if grammar.CURVES & {*frame} else "")


def _of_two(items: Sequence[Mention], tables: Sequence[str]) -> bool:
    """Whether rows of two tables are said, one of them maybe by its date or by a value: `loans by opening year`."""
    for m in items if len(tables) == 1 else ():
        had = bool(set(m.gap) & grammar.HAD)
        others = {e.table for e in m.entries} if is_date(m) or (had and m.of("value")) else set()
        if others and tables[0] not in others:
            return True
    return len(tables) > 1


def _read(ask: Ask, items: Sequence[Mention], ages: Ages, *, active: bool, framed: bool) -> Reading:
    index = ask.index
    cut = cut_of(without_frame(items))
    named = list(dict.fromkeys(t for m in cut.rest for t in tables_of(m)))
    if active and not (named or cut.table or cut.column):
        ask_what_is_active("", "".join(cut.units[:1]), index)
    cohort = _whose(cut, ages, named, index)
    own, event = two_parts(cut.rest, cohort)
    own, event = tidy(own), first_only(tidy(event))
    if event and own and bare(own[-1], "without", "not", "neither"):
        refuse("I read an event that came, not one that is missing.", f"{own[-1].words} {event[0].words}")
    if not event and active:
        ask_what_is_active(cohort, "".join(cut.units[:1]), index)
    noun = Mention(cohort, entries=(Entry("table", cohort),))
    own = own if any(cohort in tables_of(m) for m in own) else [noun, *own]
    own, event, done = (own, event, None) if event else _done(own, cohort)
    said = [m for m in (cut.column, *ages.since) if m is not None and is_date(m)]
    born = _dated(cohort, said, index, cut.words, other=done)
    if of_life(born, index) and not ages.steps:
        refuse(f"{born} is a day of birth: say the ages, as in 'within 20, 30 and 40 years'.", born.name)
    event, dates = _own_dates(event, cohort, index)
    rows = ask.read([COUNT, *own])
    if two := [k for k in rows.links if not k.negated and k.table in events_of(cohort, index)]:
        refuse("I can't tell which of these is the event; ask for one at a time.", *_said(event), two[0].words)
    if done is not None:
        met, link = done, Link(cohort, (Filter(done, "notnull"),))
        _link(rows, replace(rows, links=(*rows.links, link)), cohort)
    elif not event:
        below = events_of(cohort, index)
        told = f" Rows that may tell one: {', '.join(below[:8])}." if below else ""
        refuse(f"A vintage table tells when an event came; this names {rows_word(cohort)} and no event.{told}", cohort)
    else:
        held = ask.read([COUNT, *own, *event])
        link = _link(rows, held, cohort)
        rows = replace(rows, filters=held.filters)  # "accounts with a loan in Prague": those in Prague
        met = _dated(link.table, dates, index, event[0].words)
    if done is None and any(f.column == met for f in link.filters):
        refuse(f"A condition on {met} would cut the ages short, so I read none in a vintage table.", *_said(event))
    if not cut.units and (framed or active or not ages.steps):
        ways = tuple(retold.BY.format("{}", p) for p in PERIODS)
        raise Unread(Choice("Cohorts by which period of their date?", PERIODS, said=ways))
    grain, unit = "".join(cut.units[:1]), ages.unit or cut.units[-1]
    return table(Vintage(rows, link, born, met, grain, unit, ages.steps, active), index)


def _done(own: Sequence[Mention], cohort: str) -> tuple[list[Mention], list[Mention], Column | None]:
    """Return (words of the rows, words of the event, its date where it stands in the rows' own table).

    `orders shipped`: by a date of the orders; `orders returned`: by a date of the returns, whose rows are the event.
    """
    for i, m in enumerate(own):
        if not is_date(m) or conditioned(own[i + 1] if i + 1 < len(own) else None):
            continue
        columns = [e.column for e in m.of("column") if e.column and e.column.type == "date"]
        rest = [x for x in own if x is not m]
        if mine := [c for c in columns if c.table == cohort]:
            return rest, [], mine[0] if len(mine) == 1 else None
        tables = list(dict.fromkeys(c.table for c in columns))
        if len(tables) == 1:
            noun = Mention(tables[0], entries=(Entry("table", tables[0]),))
            return rest, first_only([noun, replace(m, gap=())]), None
    return list(own), [], None


def _said(items: Sequence[Mention]) -> list[str]:
    return [m.words for m in items]


def _whose(cut: Cut, ages: Ages, named: Sequence[str], index: SchemaIndex) -> str:
    """Return the table whose rows are the cohorts: the one whose date is said, else the one that others point at."""
    for said in (cut.table, *(m for m in ages.since if m.of("table"))):
        if said is not None:
            return _the_one(tables_of(said), said.words)
    for said in (cut.column, *ages.since):
        if said is None or not is_date(said):
            continue
        owners = list(dict.fromkeys(e.table for e in said.of("column") if e.column and e.column.type == "date"))
        told = [t for t in owners if t in named] or owners
        parents = [t for t in told if any(index.joins.up(n, t) for n in named if n != t)]
        return _the_one(parents if len(told) > 1 else told, said.words)
    if len(named) == 2:
        for cohort, event in (tuple(named), tuple(reversed(named))):
            if index.joins.up(event, cohort):
                return cohort
        if index.joins.any(named[0], named[1]):
            return named[0]
    if len(named) == 1:
        return named[0]
    refuse("I can't tell whose rows are the cohorts and whose are the event.", *named)


def _the_one(tables: Sequence[str], words: str) -> str:
    if len(tables) != 1:
        refuse(f"I can't tell whose date '{words}' is: of {' or '.join(tables) or 'no table here'}.", words)
    return tables[0]


def _own_dates(event: Sequence[Mention], cohort: str, index: SchemaIndex) -> tuple[list[Mention], list[Mention]]:
    """Return the words of the event without the names of its dates, and these: `an order delivered`."""
    tables = {t for m in event for t in tables_of(m)} - {cohort}
    rest: list[Mention] = []
    dates: list[Mention] = []
    for i, m in enumerate(event):
        after = event[i + 1] if i + 1 < len(event) else None
        open_ = after is None or not (bare(after, "date", "cmp", "between", "in") or after.number is not None)
        own = is_date(m) and bool(tables & {e.table for e in m.of("column")}) and len(event) > 1
        (dates if own and open_ else rest).append(m)
    return first_only(rest), dates


def _dated(table_: str, said: Sequence[Mention], index: SchemaIndex, words: str, other: Column | None = None) -> Column:
    """Return the date of a table's rows: the one that is said, else the only one.

    Raises:
        Unread: it has none; which of several is asked.
    """
    columns = [e.column for m in said for e in m.of("column") if e.column and e.column.type == "date"]
    named = list(dict.fromkeys(c for c in columns if c.table == table_))
    if columns and not named:
        refuse(f"'{said[0].words}' is no date of {table_}.", said[0].words)
    times = [c for c in named or dates_of(table_, index) if c != other]
    if not times:
        refuse(f"{table_} has no date of its own, so its rows have no age.", table_)
    if len(times) > 1:
        names = tuple(c.name for c in times)
        prompt = f"{table_} has more than one date; which one is meant?"
        raise Unread(Choice(prompt, names, words, dates=names if words else (), lasting=False))
    return times[0]


def _link(rows: Reading, held: Reading, cohort: str) -> Link:
    """Return the event as rows that those of the cohorts must have.

    Raises:
        Unread: the words are no plain cohort rows with one event.
    """
    plain = not (rows.limit or rows.order or rows.having or rows.keys or rows.distinct)
    counted = [m.function for m in rows.measures] == ["count"] and rows.table == held.table == cohort
    more = [k for k in held.links if k not in rows.links]
    lost = [f for f in rows.filters if f not in held.filters] + [k for k in rows.links if k not in held.links]
    if not (plain and counted and rows.measures == held.measures) or held.keys or held.limit:
        refuse("I read a vintage table of plain rows and one event that they may have.", cohort)
    if len(more) > 1:
        refuse("I can't tell which of these is the event; ask for one at a time.", *(k.words or k.table for k in more))
    if lost or not more:
        refuse("I can't tell the event from conditions on the cohorts' rows here.", cohort)
    if more[0].negated or more[0].op:
        refuse("I read an event that came, once or more often; not one that is missing or counted.", more[0].words)
    return more[0]
