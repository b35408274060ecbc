"""Change between two years that are columns of a row: `which towns saw crime_2019 fall to crime_2020`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.looks import made, picked, rows_of, trimmed, where_said
from lexsi_nb.grounding.language import lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.names import quote

_FRAME = ("growth", "falling", "difference", "ratio", "list", "points", "agg", "share", "total", "count")
_JOINTS = ("in", "date", "to", "between", "and", "vs")
_COMPARED = ("count", "list", "more", "than")
_FIGURES = ("avg", "sum", "median", "max", "min")


def change_of_years(ask: Ask) -> Reading | None:
    """Return the reading of a change from one year's column to another's, None for another question."""
    if (found := _years_compared(ask)) is not None:
        return found
    moves = [m for m in ask.items if not m.entries and (m.tag("growth") is not None or m.tag("falling") is not None)]
    said_first = 0
    of_years = not moves and (apart := _apart(ask)) is not None
    if of_years and apart is not None:
        ask, moves, said_first = apart
    years = [m for m in ask.items if isinstance(m.number, int)]
    named = [m for m in ask.items if m.of("column") and _pair(m, years) is not None]
    if len(moves) == 1 and len(years) == 2 and not named:
        _years_known(ask.items, years)
    if len(moves) != 1 or len(years) != 2 or len(named) != 1 or int(years[0].number or 0) >= int(years[1].number or 0):
        return None
    pair = _pair(named[0], years)
    if pair is None:
        return None
    first, last = pair
    rest = [m for m in ask.items if m not in (*moves, *years, named[0])]
    said_so = [m for m in rest if m.words.casefold() not in lexicon.HOW_MUCH and not m.entries]
    figures = [f for m in said_so if (f := m.tag("agg")) in _FIGURES]
    figures += [named[0].fused] if named[0].fused in _FIGURES else []
    nouns = [m for m in rest if m.of("table") and first.table in {e.table for e in m.of("table")}]
    listed = any(m.tag("list") is not None and m.words.casefold() in lexicon.WHICH_ROWS for m in rest) and bool(nouns)
    kept = [m for m in rest if m.entries or not any(m.tag(t) is not None for t in (*_FRAME, *_JOINTS))]
    if any(not m.entries and m.number is None for m in kept) or len(figures) > 1:
        return None
    kept = [m for m in kept if m not in nouns]
    conditions = [x for m in kept for x in (Mention("in", tags=("in",)), m)] if kept else []
    key, label = ask.index.key_of(first.table), ask.index.label_of(first.table)
    shown = [c for c in dict.fromkeys((key, label, first, last)) if c is not None]
    rows = rows_of(ask, shown, trimmed(conditions), first.table)
    a, b = quote(first.name), quote(last.name)
    down = moves[0].tag("falling") is not None
    said = f"{first.name} to {last.name}{where_said(rows)}"
    counted = any(m.tag("count") is not None and not m.entries for m in rest) and bool(nouns)
    if counted and not figures:
        sql = f"{picked(rows)}SELECT count(*) AS number_of_rows\nFROM picked\nWHERE {b} {'<' if down else '>'} {a}"
        return made("count", replace(rows, columns=()), sql, f"number of {'falls' if down else 'rises'} from {said}")
    if listed and not figures:
        sql = f"{picked(rows)}SELECT *, {b} - {a} AS change\nFROM picked\nWHERE {b} {'<' if down else '>'} {a}\n"
        text = f"{'fall' if down else 'rise'} from {said}"
        return made("list", replace(rows, columns=()), f"{sql}ORDER BY change{'' if down else ' DESC'}", text)
    if listed or ask.first in lexicon.ASKING:
        refuse("I tell how much a column of one year differs from that of another; ask for the change.", moves[0].words)
    if not figures and not _one_row(rows, ask):
        refuse(
            f"The change of {named[0].words} of which row of {first.table}, or of their sum or average?", named[0].words
        )
    much = any(m.words.casefold() in lexicon.HOW_MUCH for m in rest if not m.entries)
    figures = figures or ["sum"] * much  # of one row
    f = f"{figures[0]}({{x}})" if figures else "{x}"
    x, y = f.format(x=a), f.format(x=b)
    if of_years and figures and any(ask.index.has_gaps(c) for c in (first, last)):
        refuse(f"Some rows have {first.name} or {last.name} alone; ask for the figure of each.", moves[0].words)
    figure = f"{lexicon.FUNCTIONS.get(figures[0], figures[0])} " if figures else ""
    if moves[0].tag("ratio") is not None:
        figures_of = {first.name: x, last.name: y}
        over, under = (last.name, first.name) if str(said_first) == last.name[-4:] else (first.name, last.name)
        sql = (
            f"{picked(rows)}SELECT 1.0 * {figures_of[over]} / nullif({figures_of[under]}, 0) AS ratio,\n"
            f"       {figures_of[over]} AS {quote(over)}, {figures_of[under]} AS {quote(under)}\nFROM picked"
        )
        return made("comparison", rows, sql, f"ratio of {figure}{over} to {under}{where_said(rows)}")
    sql = (
        f"{picked(rows)}SELECT {y} - {x} AS change, 100.0 * ({y} - {x}) / nullif({x}, 0) AS change_percent,\n"
        f"       {x} AS {a}, {y} AS {b}\nFROM picked\nWHERE {a} IS NOT NULL AND {b} IS NOT NULL"
    )
    gaps = bool(figures) and any(ask.index.has_gaps(c) for c in (first, last))
    notes = ("rows without one of the two are left out",) * gaps
    return made("comparison", rows, sql, f"change of {figure}{said}", notes)


def _apart(ask: Ask) -> tuple[Ask, list[Mention], int] | None:
    """Return `difference between crime in 2020 and 2019` as the change from the earlier to the later year.

    With it come the word that asks and the year that is said first, which a ratio is of.
    """
    moves = [m for m in ask.items if (m.tag("difference") is not None or m.tag("ratio") is not None) and not m.entries]
    named = [m for m in ask.items if any(_stem(e.column) for e in m.of("column"))]
    years = [m for m in ask.items if isinstance(m.number, int)]
    if len(moves) != 1 or not named or ask.first in lexicon.ASKING:
        return None
    options = [{e.column for e in m.of("column") if e.column is not None} for m in named]
    said = [y for m, o in zip(named, options, strict=True) if len(o) == 1 for y in [next(iter(o)).name[-4:]]]
    found = sorted({*said, *(str(y.number) for y in years)})
    if len(found) != 2 or len({_stem(c) for o in options for c in o}) != 1:
        return None
    first_said = next(int(y) for m in ask.items for y in _years_of(m) if y in found)
    stem, table = next((_stem(c), c.table) for o in options for c in o)
    pair = [ask.index.columns[table].get(f"{stem}{y}") for y in found]
    if any(c is None or c.type != "number" for c in pair):
        return None
    entries = tuple(Entry("column", table, c) for c in pair if c is not None)
    whole = replace(named[0], entries=entries, number=None)
    drop = [*named[1:], *years, *(m for m in ask.items if m.tag("than") is not None and not m.entries)]
    kept = [whole if m is named[0] else m for m in ask.items if m not in drop]
    two = [Mention(y, number=int(y)) for y in found]
    return replace(ask, items=(*kept, *two)), moves, first_said


def _years_of(m: Mention) -> list[str]:
    """Return the year that a mention is, or that the one column it names is of."""
    if isinstance(m.number, int):
        return [str(m.number)]
    columns = {e.column for e in m.of("column")}
    return [c.name[-4:] for c in columns if c is not None] if len(columns) == 1 else []


def _stem(column: Column | None) -> str:
    """Return the name of a column of one year without the year, an empty text for other columns."""
    name = column.name if column is not None and column.type == "number" else ""
    return name[:-4] if name[-4:].isdigit() and len(name) > 5 else ""


def _years_compared(ask: Ask) -> Reading | None:
    """Return the reading of `how many towns had more thefts in 2020 than in 2019`, where each year is a column."""
    plain = [m for m in ask.items if not m.entries]
    signs = [m for m in plain if m.tag("cmp") in (">", "<") or m.tag("more")]
    years = [m for m in ask.items if isinstance(m.number, int)]
    named = [m for m in ask.items if m.of("column") and _pair(m, years) is not None]
    if len(signs) != 1 or len({m.entries for m in named}) != 1 or len(named) > len(years):
        return None
    pair = _pair(named[0], years)
    rest = [m for m in ask.items if m not in (*signs, *years, *named)]
    known = all(any(m.tag(t) is not None for t in (*_COMPARED, *_JOINTS)) for m in rest if not m.entries)
    nouns = [m for m in rest if m.of("table") and pair and pair[0].table in {e.table for e in m.of("table")}]
    counted = any(m.tag("count") is not None and not m.entries for m in rest)
    after = ask.items[ask.items.index(signs[0]) + 1 :]
    number = bool(after) and after[0].number is not None  # "more than 1996 thefts in 1995"
    than = signs[0].tag("cmp") is not None or any(m.tag("than") is not None for m in rest)
    if pair is None or not known or len(nouns) != 1 or pair[0] == pair[1] or number or not than:
        return None
    kept = [m for m in rest if m.entries and m not in nouns]
    conditions = [x for m in kept for x in (Mention("in", tags=("in",)), m)]
    key, label = ask.index.key_of(pair[0].table), ask.index.label_of(pair[0].table)
    shown = [c for c in dict.fromkeys((key, label, *pair)) if c is not None]
    rows = rows_of(ask, shown, trimmed(conditions), pair[0].table)
    a, b = (quote(c.name) for c in pair)
    less = signs[0].tag("cmp") == "<" or signs[0].tag("more") == "asc"
    head = where_said(rows) + ("," if rows.filters or rows.links else " with")
    text = f"{head} {pair[0].name} {'under' if less else 'over'} {pair[1].name}"
    notes = ("rows without one of the two are left out",) * any(ask.index.has_gaps(c) for c in pair)
    where = f"FROM picked\nWHERE {a} {'<' if less else '>'} {b}"
    rows = replace(rows, columns=())
    if counted:
        return made("count", rows, f"{picked(rows)}SELECT count(*) AS number_of_rows\n{where}", f"number{text}", notes)
    sql = f"{picked(rows)}SELECT *\n{where}\nORDER BY {b} - {a}{' DESC' * less}"
    return made("list", rows, sql, f"rows{text}", notes)


def _years_known(items: Sequence[Mention], years: Sequence[Mention]) -> None:
    """Refuse `crime from 2020 to 2021` where there are columns of 2019 and 2020 only."""
    for m in items:
        names = [e.column.name for e in m.of("column") if e.column is not None and e.column.type == "number"]
        told = [n[-4:] for n in names if n[-4:].isdigit() and n[-5:-4] == "_"]
        if len(told) > 1 and len(told) == len(names) and {str(y.number) for y in years} & set(told):
            refuse(f"'{m.words}' is known of {' and '.join(sorted(told))} only.", m.words)


def _pair(m: Mention, years: Sequence[Mention]) -> tuple[Column, Column] | None:
    """Return the two columns of one table that the words name with the two years."""
    if len(years) != 2:
        return None
    options = [e.column for e in m.of("column") if e.column is not None and e.column.type == "number"]
    found = [[c for c in options if c.name.endswith(str(y.number))] for y in years]
    if any(len(f) != 1 for f in found) or found[0][0].table != found[1][0].table:
        return None
    return found[0][0], found[1][0]


def _one_row(rows: Reading, ask: Ask) -> bool:
    return len(ask.index.engine.query(f"SELECT * FROM (\n{rows.sql}\n) AS r LIMIT 2")) == 1
