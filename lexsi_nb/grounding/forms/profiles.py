"""Looks at a column or table: summary, missing values, duplicates, distribution, outliers, correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.summaries import each_column
from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.joins import Path
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.phrasing import phrasing
from lexsi_nb.grounding.reading import Choice, Column, Reading, Unread
from lexsi_nb.grounding.sql import ReadingSQL

BINS = 10
FEW = 20  # different numbers that are listed one by one rather than put into bins
MOST_COLUMNS = 60
_FRAME = (
    "list",
    "summary",
    "missing",
    "duplicates",
    "outliers",
    "correlation",
    "distribution",
    "count",
    "distinct",
    "pairs",
)


def profile(ask: Ask) -> Reading | None:
    """Return the reading of a question about a column's or table's make-up, None when it is none."""
    for tag, read in (
        ("pairs", _pairs), ("correlation", _correlation), ("outliers", _outliers), ("duplicates", _duplicates),
        ("missing", _missing), ("distribution", _distribution), ("summary", _summary),
    ):  # fmt: skip
        if ask.at(tag) is not None:
            return read(ask)
    return None


def _rows(ask: Ask, columns: Sequence[Column], rest: Sequence[Mention], table: str = "") -> Reading:
    """Return the reading of the rows that the rest of a question selects, with some columns, as plain SQL."""
    base = table or columns[0].table
    noun = Mention(base, entries=tuple(e for e in ask.index.entries[(base.casefold(),)] if e.kind == "table"))
    kept = [m for m in rest if m.entries or m.number is not None or m.day or m.literal is not None or m.tags]
    kept = _trim([m for m in kept if not (m.of("table") and any(e.table == base for e in m.of("table")))])
    found = ask.read([noun, *kept])
    if found.kind != "list" or found.order or (found.limit and not found.notes):
        refuse("I can't read the conditions of this question.")
    plain = Reading("list", base, columns=tuple(columns), filters=found.filters, links=found.links)
    sql = "\n".join(x for x in ReadingSQL(plain, ask.index).text().splitlines() if not x.startswith("ORDER BY"))
    return replace(plain, sql=sql, text=phrasing(plain))


def _trim(items: list[Mention]) -> list[Mention]:
    """Drop joining words that nothing follows or precedes."""
    joining = ("and", "in", "to", "by", "or", "vs", "columns", "tables", "total", "more", "cmp")
    while items and any(items[-1].tag(t) is not None for t in joining) and not items[-1].entries:
        items.pop()
    while items and any(items[0].tag(t) is not None for t in ("and", "to", "or", "vs")) and not items[0].entries:
        items.pop(0)
    return items


def _named_columns(ask: Ask, most: int, types: tuple[str, ...] = ()) -> tuple[list[Column], list[Mention]]:
    """Return the columns that are named, open ones decided by the tables named, and the mentions that are left."""
    items = [m for m in ask.items if not any(m.tag(t) is not None for t in _FRAME) or m.entries]
    tables = {e.table for m in items for e in m.of("table")}
    found: list[Column] = []
    rest: list[Mention] = []
    for i, m in enumerate(items):
        options = [e.column for e in m.of("column") if e.column and (not types or e.column.type in types)]
        condition = _conditioned(ask, items, i)
        if (
            not options
            or len(found) >= most
            or condition
            or (m.of("table") and (len(options) != 1 or _alone(items, i)))
        ):
            rest.append(m)
            continue
        said = [c for c in options if c.table in tables] or [c for c in options if c.table in {f.table for f in found}]
        said = said if len(said) == 1 else options
        if len(said) > 1 and (dated := _of_year(said, items, i)):
            said = [dated]
        if len(said) != 1:
            raise Unread(Choice(f"'{m.words}' can be more than one column.", tuple(map(str, said[:8])), m.words))
        found.append(said[0])
    years = {str(m.number) for m in ask.items if isinstance(m.number, int)}
    used = {y for y in years for c in found if c.name.endswith(y)}
    rest = [m for m in rest if str(m.number) not in used]
    return found, rest


def _alone(items: Sequence[Mention], at: int) -> bool:
    """Whether a word for a table and for a column of that table is the table: the only noun, or beside a column."""
    tables = {e.table for e in items[at].of("table")}
    own = items[at].words.casefold() in {t.casefold() for t in tables}
    others = [m for i, m in enumerate(items) if i != at and m.of("table", "column")]
    return own and (not others or any(not m.of("table") for m in others))


def _conditioned(ask: Ask, items: Sequence[Mention], at: int) -> bool:
    after = items[at + 1] if at + 1 < len(items) else None
    if after is None:
        return False
    return after.tag("cmp") is not None or bool(
        {e.column for e in items[at].of("column")} & {e.column for e in after.of("value")}
    )


def _of_year(options: Sequence[Column], items: Sequence[Mention], at: int) -> Column | None:
    """Return the one column whose name ends in the year that follows."""
    years = [str(m.number) for m in items[at + 1 : at + 3] if isinstance(m.number, int)]
    hits = [c for c in options if any(c.name.endswith(y) for y in years)]
    return hits[0] if len(hits) == 1 else None


def _made(kind: Any, rows: Reading, sql: str, text: str, notes: tuple[str, ...] = (), chart: str = "") -> Reading:
    return Reading(kind, rows.table, columns=rows.columns, filters=rows.filters, links=rows.links, text=text, sql=sql,
                   notes=notes, chart=chart)  # fmt: skip


def _picked(rows: Reading) -> str:
    return "WITH picked AS (\n    " + rows.sql.replace("\n", "\n    ") + "\n)\n"


def _where(rows: Reading) -> str:
    head, _, tail = rows.text.partition(" with ")
    return f" of {head.removeprefix('rows of ')}" + (f" with {tail}" if tail else "")


# -- summary ----------------------------------------------------------------------------------------------------------


def _each_column(ask: Ask, table: str, rest: Sequence[Mention]) -> Reading:
    known = ask.index.facts
    columns = [c for c in ask.index.columns[table].values() if not known.column(table, c.name).alias_of][:MOST_COLUMNS]
    rows = _rows(ask, columns, rest, table)
    return _made("summary", rows, _picked(rows) + each_column(columns), f"summary of each column{_where(rows)}")


def _summary(ask: Ask) -> Reading | None:
    listed = [m for m in ask.items if m.tag("agg") is not None and not m.entries]
    if listed:  # "summary of x: mean, min, max" holds these anyway
        kept = [m for m in ask.items if m not in listed]
        ask = replace(ask, items=tuple(_trim(kept)))
    columns, rest = _named_columns(ask, 1)
    tables = [e.table for m in rest for e in m.of("table")]
    if not columns and len(set(tables)) == 1 and len(_trim(list(rest))) == 1:
        return _each_column(ask, tables[0], list(rest))
    if not columns:
        refuse("I can't tell which column to describe.")
    c, rows = columns[0], _rows(ask, columns, rest)
    x = quote(c.name)
    parts = [
        "count(*) AS number_of_rows",
        f"count(*) - count({x}) AS missing",
        f"count(DISTINCT {x}) AS distinct_values",
    ]
    if c.type == "number":
        parts += [
            f"avg({x}) AS mean", f"stddev_samp({x}) AS std", f"min({x}) AS min",
            f"quantile_cont({x}, 0.25) AS lower_quartile", f"median({x}) AS median",
            f"quantile_cont({x}, 0.75) AS upper_quartile", f"max({x}) AS max",
        ]  # fmt: skip
    else:
        parts += [f"min({x}) AS min", f"max({x}) AS max", f"mode({x}) AS most_frequent"]
    sql = _picked(rows) + "SELECT " + ",\n       ".join(parts) + "\nFROM picked"
    return _made("summary", rows, sql, f"summary of {c.name}{_where(rows)}")


# -- missing values and duplicates ------------------------------------------------------------------------------------


def _missing(ask: Ask) -> Reading | None:
    columns, rest = _named_columns(ask, 4)
    if (rows := _rows_without(ask, columns)) is not None:
        return rows
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    which = not columns
    if which:
        if len(tables) != 1:
            refuse("I can't tell in which table or column to look for missing values.")
        facts = ask.index.facts
        columns = [
            c for c in ask.index.columns[tables[0]].values() if not facts.column(tables[0], c.name).alias_of
        ][:MOST_COLUMNS]  # fmt: skip
    elif len({c.table for c in columns}) > 1:
        refuse("I look for missing values in one table at a time.")
    share = ask.at("share") is not None
    rest = [m for m in rest if m.tag("share") is None]
    rows = _rows(ask, columns, rest)
    if not which and len(columns) == 1:
        lost = f"count(*) - count({ask.index.filled(columns[0])})"
        first = f"100.0 * ({lost}) / count(*) AS percentage_missing" if share else f"{lost} AS missing"
        sql = (
            _picked(rows)
            + f"SELECT {first}, {f'{lost} AS missing, ' if share else ''}count(*) AS number_of_rows\nFROM picked"
        )
        return _made("missing", rows, sql, f"{'percentage of ' * share}missing {columns[0].name}{_where(rows)}")
    lines = [
        f"SELECT '{c.name.replace(chr(39), chr(39) * 2)}' AS column_name, count(*) - count({x}) AS missing,"
        f" 100.0 * (count(*) - count({x})) / count(*) AS percentage FROM picked"
        for c in columns
        for x in (ask.index.filled(c),)
    ]
    at = ask.at("columns")
    each = at is not None and at > 0 and ask.items[at - 1].tag("by") is not None
    every = ask.at("list") is None and (at is None or each)
    having = "" if every else "\nWHERE missing > 0"
    body = "\nUNION ALL\n".join(lines).replace("\n", "\n    ")
    sql = _picked(rows) + f"SELECT *\nFROM (\n    {body}\n) AS counted{having}\nORDER BY missing DESC, column_name"
    return _made("missing", rows, sql, f"missing values in each column{_where(rows)}")


def _rows_without(ask: Ask, columns: Sequence[Column]) -> Reading | None:
    """`which district has a missing value for x`: the rows themselves, where a table is named before the gap."""
    at, first = ask.at("missing") or 0, ask.items[0]
    nouns = {e.table for m in ask.items[:at] for e in m.of("table")}
    asked = first.tag("list") is not None and ask.at("share") is None and ask.at("count") is None
    nouned = {e.column for m in ask.items if m.of("table") for e in m.of("column")}
    columns = [c for c in columns if c not in nouned]
    if not asked or len(columns) != 1 or nouns != {columns[0].table} or ask.index.key_of(columns[0].table) is None:
        return None
    items = [m for i, m in enumerate(ask.items) if i != at or m.entries]
    rest = [m for m in items if columns[0] not in [e.column for e in m.of("column")] and m.tag("list") is None]
    key, label = ask.index.key_of(columns[0].table), ask.index.label_of(columns[0].table)
    shown = [c for c in (key, label, columns[0]) if c is not None]
    _, rest = _named_columns(replace(ask, items=tuple(rest)), 0)
    years = [m for m in rest if isinstance(m.number, int) and columns[0].name.endswith(str(m.number))]
    found = _rows(ask, list(dict.fromkeys(shown)), _trim([m for m in rest if m not in years]))
    x = quote(columns[0].name)
    sql = _picked(found) + f"SELECT *\nFROM picked\nWHERE {x} IS NULL"
    return _made("missing", found, sql, f"rows of {columns[0].table} where {columns[0].name} is missing")


def _duplicates(ask: Ask) -> Reading | None:
    columns, rest = _named_columns(ask, 3)
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    if not columns and len(tables) == 1 and any(m.words.casefold() in ("id", "ids", "keys", "key") for m in ask.items):
        key = ask.index.key_of(tables[0])
        columns = [key] if key else []
    rest = [m for m in rest if m.words.casefold() not in ("id", "ids", "key", "keys")]
    whole = not columns
    if whole and len(tables) != 1:
        refuse("I can't tell in which table or column to look for duplicates.")
    facts = ask.index.facts
    if whole:
        columns = [c for c in ask.index.columns[tables[0]].values() if not facts.column(tables[0], c.name).alias_of]
    if len({c.table for c in columns}) > 1:
        refuse("I look for duplicates in one table at a time.")
    rows = _rows(ask, columns, rest)
    names = ", ".join(quote(c.name) for c in columns)
    held = "" if whole else "\n    WHERE " + " AND ".join(f"{quote(c.name)} IS NOT NULL" for c in columns)
    groups = f"repeated AS (\n    SELECT {names}, count(*) AS times\n    FROM picked{held}"
    groups += "\n    GROUP BY ALL\n    HAVING count(*) > 1\n)"
    what = "whole rows" if whole else " and ".join(c.name for c in columns)
    listed = any(m.tag("list") is not None and m.words.casefold() in ("which", "what") for m in ask.items)
    if not listed and (ask.at("count") is not None or ask.first in ("is", "are", "do", "does", "has", "have")):
        yes = "count(*) > 0 AS answer, " if ask.at("count") is None else ""
        sql = f"{_picked(rows)[:-1]}, {groups}\nSELECT {yes}count(*) AS repeated_values,"
        sql += " coalesce(sum(times), 0) AS rows_with_them\nFROM repeated"
        return _made("duplicates", rows, sql, f"values of {what} that occur more than once{_where(rows)}")
    sql = f"{_picked(rows)[:-1]}, {groups}\nSELECT *\nFROM repeated\nORDER BY times DESC, {names}"
    return _made("duplicates", rows, sql, f"values of {what} that occur more than once{_where(rows)}")


# -- distribution and outliers ----------------------------------------------------------------------------------------


def _distribution(ask: Ask) -> Reading | None:
    items = [m for m in ask.items if m.tag("share") is None]
    ask = replace(ask, items=tuple(m for m in items if m.words.casefold() not in ("over", "across")))
    columns, rest = _named_columns(ask, 1)
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    if not columns:
        refuse("I can't tell the distribution of which column is meant.")
    c = columns[0]
    base = next((t for t in tables if t != c.table and ask.index.joins.up(t, c.table)), c.table)
    rows = _rows(ask, columns, rest, base)
    x = quote(c.name)
    kinds = int(ask.index.engine.query(_picked(rows) + f"SELECT count(DISTINCT {x}) AS n FROM picked").iloc[0, 0])
    if kinds > FEW and c.type == "number":
        return _binned(c, rows)
    if c.type == "date":
        refuse(f"{c.name} is a date; ask for its rows by year, quarter or month.", c.name)
    sql = _picked(rows) + (
        f"SELECT {x}, count(*) AS number_of_rows, 100.0 * count(*) / sum(count(*)) OVER () AS percentage\n"
        f"FROM picked\nGROUP BY {x}\nORDER BY {x if c.type == 'number' else 'number_of_rows DESC, ' + x}"
    )
    return _made("distribution", rows, sql, f"distribution of {c.name}{_where(rows)}", chart="bar")


def _binned(c: Column, rows: Reading) -> Reading:
    x = quote(c.name)
    sql = _picked(rows)[:-1] + (
        f", limits AS (\n    SELECT min({x}) AS low, (max({x}) - min({x})) / {BINS}.0 AS width\n    FROM picked\n)"
        ", binned AS (\n"
        f"    SELECT least(floor(({x} - low) / width), {BINS - 1}) AS bin, low, width\n    FROM picked, limits\n"
        f"    WHERE {x} IS NOT NULL\n)\n"
        "SELECT low + bin * width AS bin_start, low + (bin + 1) * width AS bin_end, count(*) AS number_of_rows\n"
        "FROM binned\nGROUP BY bin, low, width\nORDER BY bin"
    )
    note = (f"{BINS} bins of equal width; the highest value is in the last",)
    return _made("distribution", rows, sql, f"distribution of {c.name}{_where(rows)}", note, "histogram")


def _outliers(ask: Ask) -> Reading | None:
    items = [
        m for m in ask.items if m.number != 1.5 and m.tag("agg") != "iqr" and m.words.casefold() not in ("rule", "by")
    ]
    counted = ask.at("count") is not None
    columns, rest = _named_columns(replace(ask, items=tuple(items)), 1, ("number",))
    if not columns:
        refuse("I can't tell the outliers of which number are meant.")
    c = columns[0]
    key = ask.index.key_of(c.table)
    label = ask.index.label_of(c.table)
    rows = _rows(ask, list(dict.fromkeys([*([key] if key else []), *([label] if label else []), c])), rest)
    x = quote(c.name)
    asked = next((a for m in ask.items if (a := m.tag("outliers")) is not None), "")
    fences, where, rule = _fences(x, asked)
    sql = _picked(rows)[:-1] + (
        f", fences AS (\n    SELECT {fences}\n    FROM picked\n)\n"
        f"SELECT {'count(*) AS number_of_outliers' if counted else 'picked.*'}\nFROM picked, fences\n"
        f"WHERE {where}"
    )
    if not counted:
        sql += f"\nORDER BY {x} DESC" + (f", {quote(key.name)}" if key and key != c else "")
    return _made("outliers", rows, sql, f"outliers of {c.name}{_where(rows)}", (rule,))


def _fences(x: str, asked: str) -> tuple[str, str, str]:
    """Return (figures, condition, rule in words) of what counts as far out."""
    side, _, times = asked.partition(":")
    if times:
        low, high = f"{x} < middle - {times} * spread", f"{x} > middle + {times} * spread"
        where = {"from": f"{low}\n   OR {high}", "above": high, "below": low}[side]
        words = {"from": "from", "above": "above", "below": "below"}[side]
        return (
            f"avg({x}) AS middle, stddev_samp({x}) AS spread", where,
            f"rule: more than {times} standard deviations {words} the mean",
        )  # fmt: skip
    figures = f"quantile_cont({x}, 0.25) AS lower, quantile_cont({x}, 0.75) AS upper"
    low, high = f"{x} < lower - 1.5 * (upper - lower)", f"{x} > upper + 1.5 * (upper - lower)"
    where = {"high": high, "low": low}.get(side, f"{low}\n   OR {high}")
    ends = {"high": "above the upper quartile", "low": "below the lower quartile"}
    said = ends.get(side, "below the lower or above the upper quartile")
    return figures, where, f"rule: more than 1.5 interquartile ranges {said}"


# -- correlation ------------------------------------------------------------------------------------------------------


def _correlation(ask: Ask) -> Reading | None:
    columns, rest = _named_columns(ask, 2, ("number",))
    if len(columns) != 2:
        refuse("A correlation needs two numbers of the data.")
    a, b = columns
    base, pair = _grain(a, b, ask.index)
    rest = [m for m in rest if not m.of("table") and m.tag("by") is None]
    rows = _rows(ask, pair, rest, base)
    x, y = (quote(c.name) if a.name != b.name else quote(f"{c.table}_{c.name}") for c in (a, b))
    sql = (
        _picked(rows) + f"SELECT corr({x}, {y}) AS correlation,\n"
        f"       count(*) FILTER (WHERE {x} IS NOT NULL AND {y} IS NOT NULL) AS pairs\nFROM picked"
    )
    note = ("Pearson's coefficient; it says how well a straight line fits, not what causes what",)
    return _made("correlation", rows, sql, f"correlation of {a.name} and {b.name} over rows of {base}", note, "scatter")


def _pairs(ask: Ask) -> Reading | None:
    """The rows of two numbers, to be drawn as points."""
    columns, rest = _named_columns(ask, 2, ("number",))
    if len(columns) != 2:
        refuse("Points need two numbers of the data.")
    base, pair = _grain(columns[0], columns[1], ask.index)
    key = ask.index.key_of(base)
    rest = [m for m in rest if not m.of("table") and m.tag("by") is None]
    rows = _rows(ask, [*([key] if key and key not in pair else []), *pair], rest, base)
    return _made("list", rows, rows.sql, rows.text, chart="scatter")


def _grain(a: Column, b: Column, index: SchemaIndex) -> tuple[str, list[Column]]:
    """Return the table in which each row has one value of both."""
    for base, other in ((a, b), (b, a)):
        routes: list[Path] = index.joins.up(base.table, other.table)
        if len(routes) == 1:
            return base.table, [a, b]
    refuse(f"{a} and {b} have no common rows.", str(a), str(b))
