"""Looks at a column or table: summary, missing values, duplicates, distribution, outliers, correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse, split_by
from lexsi_nb.grounding.forms.boxes import boxes
from lexsi_nb.grounding.forms.correlations import correlation
from lexsi_nb.grounding.forms.distributions import distribution
from lexsi_nb.grounding.forms.duplicates import duplicates
from lexsi_nb.grounding.forms.looks import made, named_columns, picked, rows_of, trimmed, where_said
from lexsi_nb.grounding.forms.points import pairs_of
from lexsi_nb.grounding.forms.summaries import each_column, missing_anywhere
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Filter, Measure, Reading
from lexsi_nb.grounding.rendering.clauses import unrounded
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.labels import owner

MOST_COLUMNS = 60


# Figures that a summary has only where they are asked for.
_BEYOND = {
    "sum": "sum({x}) AS total", "variance": "var_samp({x}) AS variance", "range": "max({x}) - min({x}) AS range",
    "iqr": "quantile_cont({x}, 0.75) - quantile_cont({x}, 0.25) AS interquartile_range",
}  # fmt: skip
_LOOKS = ("correlation", "outliers", "duplicates", "missing", "distribution")


def profile(ask: Ask) -> Reading | None:
    """Return the reading of a question about a column's or table's make-up, None when it is none."""
    looks = [m for m in ask.items if not m.entries and any(m.tag(t) is not None for t in _LOOKS)]
    if len({t.partition(":")[0] for m in looks for t in m.tags} & set(_LOOKS)) > 1:
        refuse("I take one look at the data at a time.", looks[-1].words)
    for tag, read in (
        ("pairs", pairs_of), ("boxes", boxes), ("correlation", correlation), ("outliers", _outliers),
        ("duplicates", duplicates), ("missing", _missing), ("distribution", distribution), ("summary", _summary),
    ):  # fmt: skip
        if ask.at(tag) is not None:
            _of_no_groups(ask, tag)
            _not_their_own(ask)
            return read(ask)
    return None


def _of_no_groups(ask: Ask, look: str) -> None:
    """Refuse `missing values per region`: the look is at all rows together."""
    for by, noun in pairwise(ask.items) if look in ("duplicates", "summary") else ():
        grouped = by.tag("by") is not None and not by.entries and noun.tag("columns") is None
        if grouped and (noun.of("table", "column") or noun.tag("grain") is not None):
            refuse(f"I take this look at all rows together, not by {noun.words}.", f"{by.words} {noun.words}")


def _not_their_own(ask: Ask) -> None:
    """Refuse `histogram of member incomes`, where an income is that of a member's town: members have none."""
    for i, m in enumerate(ask.items):
        columns = [e.column for e in m.of("column") if e.column is not None]
        before = ask.items[i - 1] if i and not m.gap else None
        noun = before if before is not None and before.of("table") else owner(ask.items, i)
        if not columns or noun is None or m.of("table") or any(c.type != "number" for c in columns):
            continue
        tables = {e.table for e in noun.of("table")}
        if tables and not any(ask.index.joins.up(c.table, t) for c in columns for t in tables):
            refuse(f"'{m.words}' is {columns[0]}, and a row of {sorted(tables)[0]} has none of its own.", m.words)


# -- summary ----------------------------------------------------------------------------------------------------------


def _each_column(ask: Ask, table: str, rest: Sequence[Mention]) -> Reading:
    known = ask.index.facts
    columns = [c for c in ask.index.columns[table].values() if not known.column(table, c.name).alias_of][:MOST_COLUMNS]
    rows = rows_of(ask, columns, rest, table)
    return made(
        "summary", rows, picked(rows) + each_column(columns, ask.index), f"summary of each column{where_said(rows)}"
    )


def _summary(ask: Ask) -> Reading | None:
    listed = [m for m in ask.items if m.tag("agg") is not None and not m.entries]
    more = [f for m in listed if (f := m.tag("agg") or "") in _BEYOND]
    if listed:  # "summary of x: mean, min, max" holds these anyway
        kept = [m for m in ask.items if m not in listed]
        ask = replace(ask, items=tuple(trimmed(kept)))
    columns, rest = named_columns(ask, 1)
    tables = [e.table for m in rest for e in m.of("table")]
    if not columns and len(set(tables)) == 1 and len(trimmed(list(rest))) == 1:
        return _each_column(ask, tables[0], list(rest))
    if not columns:
        refuse("I can't tell which column to describe.")
    c, rows = columns[0], rows_of(ask, columns, rest)
    x = ask.index.filled(c)
    y = unrounded(c, x)
    parts = [
        "count(*) AS number_of_rows",
        f"count(*) - count({x}) AS missing",
        f"count(DISTINCT {x}) AS distinct_values",
    ]
    if c.type == "number":
        parts += [
            f"avg({x}) AS mean", f"stddev_samp({x}) AS std", f"min({x}) AS min",
            f"quantile_cont({y}, 0.25) AS lower_quartile", f"median({y}) AS median",
            f"quantile_cont({y}, 0.75) AS upper_quartile", f"max({x}) AS max",
            *(_BEYOND[f].format(x=y if f == "iqr" else x) for f in more),
        ]  # fmt: skip
    else:
        parts += [f"min({x}) AS min", f"max({x}) AS max", f"mode({x}) AS most_frequent"]
    sql = picked(rows) + "SELECT " + ",\n       ".join(parts) + "\nFROM picked"
    return made("summary", rows, sql, f"summary of {c.name}{where_said(rows)}")


# -- missing values and duplicates ------------------------------------------------------------------------------------


def _missing(ask: Ask) -> Reading | None:
    head, groups = split_by(ask.items)
    plain = len(groups) < 2 or groups[1].tag("columns") is not None
    columns, rest = named_columns(ask if plain else replace(ask, items=head), 4)
    rest += [] if plain else groups
    if (rows := _rows_without(ask, columns)) is not None:
        return rows
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    which = not columns
    anywhere = ask.at("columns") is not None or (ask.at("count") is None and ask.at("share") is None)
    if which and not tables and anywhere and not _conditions_in(rest):
        return missing_anywhere(ask.index)
    tables = tables or ask.only_table()
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
    if (found := _missing_by_group(ask, columns, rest, share=share)) is not None:
        return found
    rows = rows_of(ask, columns, rest)
    if ask.first in lexicon.ASKING and not share:
        return _any_missing(ask, columns, rows, of_table=which)
    if not which and len(columns) == 1:
        lost = f"count(*) - count({ask.index.filled(columns[0])})"
        first = f"100.0 * ({lost}) / count(*) AS percentage_missing" if share else f"{lost} AS missing"
        sql = (
            picked(rows)
            + f"SELECT {first}, {f'{lost} AS missing, ' if share else ''}count(*) AS number_of_rows\nFROM picked"
        )
        return made("missing", rows, sql, f"{'percentage of ' * share}missing {columns[0].name}{where_said(rows)}")
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
    sql = picked(rows) + f"SELECT *\nFROM (\n    {body}\n) AS counted{having}\nORDER BY missing DESC, column_name"
    return made("missing", rows, sql, f"missing values in each column{where_said(rows)}")


def _conditions_in(rest: Sequence[Mention]) -> bool:
    """Whether more is said than which columns have missing values: a condition, a group, a number."""
    framing = ("list", "columns", "in", "tables")
    return any(m.entries or m.number is not None or not any(m.tag(t) is not None for t in framing) for m in rest)


def _missing_by_group(ask: Ask, columns: Sequence[Column], rest: Sequence[Mention], *, share: bool) -> Reading | None:
    """`missing values of price by year`: how many there are in each group, and what part of its rows that is."""
    at = next((i for i, m in enumerate(rest) if m.tag("by") is not None and not m.entries), None)
    if at is None or any(m.tag("columns") is not None for m in rest[at:]):
        return None
    if len(columns) != 1:
        refuse("I tell the missing values of one column by group. Name the column.", rest[at].words)
    table = columns[0].table
    noun = Mention(table, entries=tuple(e for e in ask.index.entries[(table.casefold(),)] if e.kind == "table"))
    kept = [m for m in rest if table not in {e.table for e in m.of("table")}]
    found = ask.read([COUNT, noun, *trimmed(kept)])
    if found.kind != "groupby" or found.table != table or found.having or found.order or len(found.measures) != 1:
        refuse("I can't read the groups of this question.", rest[at].words)
    lost = Measure("count", table=table, name="missing", where=(Filter(columns[0], "null"),))
    part = replace(lost, name="percentage_missing", share=True)
    grouped = replace(
        found, kind="missing", measures=(*((part, lost) if share else (lost, part)), Measure("count", table=table))
    )
    sql = ReadingSQL(replace(grouped, sql=""), ask.index).text()
    return replace(grouped, sql=sql, text=f"missing {columns[0].name} in the {found.text}")


def _any_missing(ask: Ask, columns: Sequence[Column], rows: Reading, *, of_table: bool) -> Reading:
    """`does the loan table have missing values`: yes or no, with how many there are."""
    lost = " + ".join(f"count(*) - count({ask.index.filled(c)})" for c in columns)
    sql = f"{picked(rows)}SELECT {lost} > 0 AS answer, {lost} AS missing, count(*) AS number_of_rows\nFROM picked"
    what = "any column" if of_table else " and ".join(c.name for c in columns)
    return made("missing", rows, sql, f"whether values of {what} are missing{where_said(rows)}")


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
    _, rest = named_columns(replace(ask, items=tuple(rest)), 0)
    years = [m for m in rest if isinstance(m.number, int) and columns[0].name.endswith(str(m.number))]
    found = rows_of(ask, list(dict.fromkeys(shown)), trimmed([m for m in rest if m not in years]))
    x = ask.index.filled(columns[0])
    sql = picked(found) + f"SELECT *\nFROM picked\nWHERE {x} IS NULL"
    return made("missing", found, sql, f"rows of {columns[0].table} where {columns[0].name} is missing")


# -- outliers -------------------------------------------------------------------------------------------------------


def _outliers(ask: Ask) -> Reading | None:
    items = [
        m for m in ask.items if m.number != 1.5 and m.tag("agg") != "iqr" and m.words.casefold() not in grammar.BY_RULE
    ]
    number = ask.at("count")
    counted = number is not None and (number < (ask.at("outliers") or 0) or number == len(ask.items) - 1)
    share = ask.at("share") is not None
    _by_which_rule(ask)
    items = [m for m in items if m.tag("share") is None or m.entries]
    columns, rest = named_columns(replace(ask, items=tuple(items)), 1, ("number",))
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    sizes = [s for t in tables if (s := ask.index.size_of(t)) is not None] if not columns else []
    columns = columns or (sizes if len(tables) == 1 and _plain_far(ask, tables[0]) else [])
    if not columns:
        refuse("I can't tell the outliers of which number are meant.")
    c = columns[0]
    key = ask.index.key_of(c.table)
    label = ask.index.label_of(c.table)
    rows = rows_of(ask, list(dict.fromkeys([*([key] if key else []), *([label] if label else []), c])), rest)
    x = quote(c.name)
    asked = next((a for m in ask.items if (a := m.tag("outliers")) is not None), "")
    fences, where, rule = _fences(x, asked, unrounded(c, x))
    if share:
        grouped = [m for by, m in pairwise(ask.items) if by.tag("by") is not None and not by.entries]
        if any(m.of("table", "column") or m.tag("grain") is not None for m in grouped):
            refuse("I take this look at all rows together.", ask.items[0].words)
        sql = picked(rows)[:-1] + (
            f", fences AS (\n    SELECT {fences}\n    FROM picked\n)\n"
            f"SELECT 100.0 * count(*) FILTER (WHERE {where}) / count({x}) AS percentage,\n"
            f"       count(*) FILTER (WHERE {where}) AS number_of_outliers\nFROM picked, fences"
        )
        return made("outliers", rows, sql, f"percentage of outliers of {c.name}{where_said(rows)}", (rule,))
    sql = picked(rows)[:-1] + (
        f", fences AS (\n    SELECT {fences}\n    FROM picked\n)\n"
        f"SELECT {'count(*) AS number_of_outliers' if counted else 'picked.*'}\nFROM picked, fences\n"
        f"WHERE {where}"
    )
    if not counted:
        sql += f"\nORDER BY {x} DESC" + (f", {quote(key.name)}" if key and key != c else "")
    return made("outliers", rows, sql, f"outliers of {c.name}{where_said(rows)}", (rule,))


def _plain_far(ask: Ask, table: str) -> bool:
    """Whether far-out rows of a table can only be told by their size: `unusually large orders`, or its one number."""
    far = next(m for m in ask.items if m.tag("outliers") is not None)
    return (
        bool(far.words.casefold().split()[-1] in grammar.SIZES | grammar.BIGGEST) or len(ask.index.numeric(table)) == 1
    )


def _by_which_rule(ask: Ask) -> None:
    """Refuse `unusually high prices` without a rule: nothing says what is usual."""
    far = next(m for m in ask.items if m.tag("outliers") is not None)
    ruled = any(m.number == 1.5 or m.tag("agg") == "iqr" for m in ask.items)
    if far.words.casefold().split()[-1] in lexicon.SAID_HIGH | lexicon.SAID_LOW and not ruled:
        refuse(f"Nothing says what is {far.words}. Ask for outliers, or by the 1.5 IQR rule.", far.words)


def _fences(x: str, asked: str, y: str) -> tuple[str, str, str]:
    """Return (figures, condition, rule in words) of what counts as far out; `y` is what quantiles are taken of."""
    side, _, times = asked.partition(":")
    if times:
        low, high = f"{x} < middle - {times} * spread", f"{x} > middle + {times} * spread"
        where = {"from": f"{low}\n   OR {high}", "above": high, "below": low}[side]
        words = {"from": "from", "above": "above", "below": "below"}[side]
        return (
            f"avg({x}) AS middle, stddev_samp({x}) AS spread", where,
            f"rule: more than {times} standard deviations {words} the mean",
        )  # fmt: skip
    figures = f"quantile_cont({y}, 0.25) AS lower, quantile_cont({y}, 0.75) AS upper"
    low, high = f"{x} < lower - 1.5 * (upper - lower)", f"{x} > upper + 1.5 * (upper - lower)"
    where = {"high": high, "low": low}.get(side, f"{low}\n   OR {high}")
    ends = {"high": "above the upper quartile", "low": "below the lower quartile"}
    said = ends.get(side, "below the lower or above the upper quartile")
    return figures, where, f"rule: more than 1.5 interquartile ranges {said}"
