"""How values are distributed: by value, in bins, over groups and periods, and how many have one, two or three rows."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse, split_by
from lexsi_nb.grounding.forms.boxes import BINS, FEW, bins_by_group
from lexsi_nb.grounding.forms.looks import made, named_columns, picked, rows_of, trimmed, where_said
from lexsi_nb.grounding.forms.shares import measured
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.rendering.phrasing import phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL, measure_name
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.relations import noticed

FEW_COUNTS = 10  # different numbers of rows that say something of how these are distributed, whatever they are of


def _over_groups(ask: Ask) -> Reading | None:
    """`distribution of sales by kind`: the rows, or the sum of a number, in each group and what part of all that is."""
    head, groups = split_by([m for m in ask.items if m.tag("share") is None or m.entries])
    head = tuple(m for m in head if m.entries or not any(m.tag(t) is not None for t in ("distribution", "list")))
    if any(m.words.casefold() == c.name.casefold() for m in head for c in _called_as_its_table([m])[0]):
        return None
    if len(groups) < 2 or not head or any(m.of("column") and not (m.of("table", "metric") or m.fused) for m in head):
        return None
    found = ask.read([*measured(head, ask.index), *groups])
    plain = found.kind == "groupby" and len(found.measures) == 1 and not (found.having or found.order)
    if not plain or found.measures[0].function not in ("count", "sum", "metric"):
        refuse("I can't read the groups of this question.", groups[0].words)
    if (binned := _rows_by_a_number(found, ask)) is not None:
        return binned
    counted = head[0].tag("count") is not None and not head[0].entries and _things(found, ask)
    if counted and (of_counts := _of_counts(found, ask)) is not None:
        return of_counts
    total = replace(found.measures[0], of_total=True)
    made_ = replace(found, kind="distribution", measures=(found.measures[0], total), chart="bar")
    return replace(
        made_, sql=ReadingSQL(replace(made_, sql=""), ask.index).text(), text=f"{found.text}, and their shares"
    )


def _rows_by_a_number(found: Reading, ask: Ask) -> Reading | None:
    """`histogram of loans by amount`: where nearly each has an amount of its own, in bins; None for others."""
    key = found.keys[0].column
    plain = len(found.keys) == 1 and key.type == "number" and not key.sql and found.measures[0].function == "count"
    if not plain or key not in ask.index.numeric(key.table) or found.having or "DISTINCT" in found.sql:
        return None
    rows = Reading("list", found.table, columns=(key,), filters=found.filters, links=found.links)
    sql = "\n".join(x for x in ReadingSQL(rows, ask.index).text().splitlines() if not x.startswith("ORDER BY"))
    rows = replace(rows, sql=sql, text=phrasing(rows))
    x = quote(key.name)
    kinds, n = ask.index.engine.query(f"{picked(rows)}SELECT count(DISTINCT {x}), count({x}) FROM picked").iloc[0]
    return _binned(key, rows) if kinds > max(FEW, n / 2) else None


def _kinds_by_group(ask: Ask) -> Reading | None:
    """`distribution of status by region`: the rows of each kind in each group, and what part of the group that is."""
    head, groups = split_by([m for m in ask.items if m.tag("share") is None or m.entries])
    head = tuple(m for m in head if m.entries or not any(m.tag(t) is not None for t in ("distribution", "list", "how")))
    columns = {e.column for m in head for e in m.of("column") if e.column is not None}
    if len(groups) < 2 or len(head) != 1 or len(columns) != 1 or head[0].of("value", "metric"):
        return None
    c = columns.pop()
    if c.type not in ("text", "bool") or groups[1].tag("grain") is not None:
        return None
    noun = Mention(c.table, entries=(Entry("table", c.table),))
    kind = Mention(c.name, entries=(Entry("column", c.table, c),))
    found = ask.tried([COUNT, noun, *groups, Mention("and", tags=("and",)), kind])
    if found is None or len(found.keys) != 2 or found.keys[1].column != c or len(found.measures) != 1:
        return None
    if found.having or found.order or found.limit:
        return None
    part = replace(found.measures[0], of_total=True, within=found.keys[:1])
    made_ = replace(found, kind="distribution", measures=(found.measures[0], part), chart="")
    text = f"{found.text}, and their shares of each {found.keys[0].column.name}"
    return replace(made_, sql=ReadingSQL(replace(made_, sql=""), ask.index).text(), text=text)


def _things(found: Reading, ask: Ask) -> bool:
    """Whether the groups are things that rows are counted of, as shops are, and no kinds or regions."""
    thing = found.keys[0].column
    names = (ask.index.key_of(thing.table), ask.index.label_of(thing.table))
    named = thing in names or bool(ask.index.joins.leaving(thing.table, thing.name))
    return len(found.keys) == 1 and found.keys[0].grain == "" and named and found.measures[0].function == "count"


def _of_counts(found: Reading, ask: Ask) -> Reading | None:
    """`distribution of the number of sales per shop`: how many shops have one, two, three of them."""
    thing = found.keys[0].column
    number = quote(measure_name(found.measures[0]))
    body = "\n".join(x for x in found.sql.splitlines() if not x.startswith("ORDER BY")).replace("\n", "\n    ")
    sql = (
        f"WITH figures AS (\n    {body}\n)\nSELECT {number}, count(*) AS times,\n"
        f"       100.0 * count(*) / sum(count(*)) OVER () AS percentage\nFROM figures\n"
        f"GROUP BY {number}\nORDER BY {number}"
    )
    counts = ask.index.engine.query(sql)["times"]
    if len(counts) > max(FEW_COUNTS, counts.sum() / 2):  # nearly each has a number of its own
        return None
    note = (f"of each {thing.name} with at least one; times says how many have so many",)
    return replace(
        found, kind="distribution", sql=sql, text=f"how often each {found.text} occurs", notes=note, chart=""
    )


def no_number_of_values(reading: Reading, asked: str, index: SchemaIndex) -> None:
    """Refuse to tell `how is status spread over regions` as the number of its different values in each.

    Raises:
        Unread: the question has no word for a number.
    """
    counted = [m.column for m in reading.measures if m.function == "distinct" and m.column is not None]
    if not counted or not reading.keys or len(counted) != len(reading.measures):
        return
    items = noticed(asked, index).items
    spread = any(m.tag("distribution") is not None and not m.entries for m in items)
    if spread and not any(m.tag(t) is not None for m in items for t in ("count", "distinct")):
        c, key = counted[0].name, reading.keys[0].column.name
        refuse(f"I don't tell it as a number of different values. Ask for the distribution of {c} by {key}.", c)


def distribution(ask: Ask) -> Reading | None:
    if (found := _over_groups(ask) or _kinds_by_group(ask) or bins_by_group(ask)) is not None:
        return found
    items = [m for m in ask.items if m.tag("share") is None]
    ask = replace(ask, items=tuple(m for m in items if m.words.casefold() not in grammar.ALL_OVER))
    columns, rest = named_columns(ask, 1)
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    columns, rest = (columns, rest) if columns else _called_as_its_table(rest)
    if not columns:
        refuse("I can't tell the distribution of which column is meant.")
    c = columns[0]
    if c.type == "date" and any(m.tag("grain") and not m.entries for m in rest):
        return _of_periods(ask, c, [*rest])
    base = next((t for t in tables if t != c.table and ask.index.joins.up(t, c.table)), c.table)
    rows = rows_of(ask, columns, rest, base)
    x = quote(c.name)
    kinds = int(ask.index.engine.query(picked(rows) + f"SELECT count(DISTINCT {x}) AS n FROM picked").iloc[0, 0])
    if kinds > FEW and c.type == "number":
        return _binned(c, rows)
    if c.type == "date":
        refuse(f"{c.name} is a date; ask for its rows by year, quarter or month.", c.name)
    sql = picked(rows) + (
        f"SELECT {x}, count(*) AS number_of_rows, 100.0 * count(*) / sum(count(*)) OVER () AS percentage\n"
        f"FROM picked\nGROUP BY {x}\nORDER BY {x if c.type == 'number' else 'number_of_rows DESC, ' + x}"
    )
    return made("distribution", rows, sql, f"distribution of {c.name}{where_said(rows)}", chart="bar")


def _called_as_its_table(rest: list[Mention]) -> tuple[list[Column], list[Mention]]:
    """`histogram of salary`, where the rows of a table are salaries, too: the number of that name is meant."""
    found = [(m, e.column) for m in rest for e in m.of("column") if m.of("table") and e.column]
    found = [(m, c) for m, c in found if c.type == "number" and c.table in {e.table for e in m.of("table")}]
    if len(found) != 1:
        return [], rest
    return [found[0][1]], [m for m in rest if m is not found[0][0]]


def _of_periods(ask: Ask, c: Column, rest: list[Mention]) -> Reading:
    """`distribution of birth years`: the rows in each period, and what part of all that is."""
    grain = next(m for m in rest if m.tag("grain") and not m.entries)
    noun, key = (
        Mention(t, entries=(e,)) for t, e in ((c.table, Entry("table", c.table)), (c.name, Entry("column", c.table, c)))
    )
    kept = [m for m in rest if m is not grain and c.table not in {e.table for e in m.of("table")}]
    found = ask.read([COUNT, noun, *trimmed(kept), Mention("by", tags=("by",)), key, grain])
    if found.kind != "groupby" or len(found.keys) != 1 or found.keys[0].column != c or found.order or found.having:
        refuse("I can't read the groups of this question.", grain.words)
    total = replace(found.measures[0], of_total=True)
    made_ = replace(found, kind="distribution", measures=(found.measures[0], total), chart="bar")
    sql = ReadingSQL(replace(made_, sql=""), ask.index).text()
    return replace(made_, sql=sql, text=f"{found.text}, and their shares")


def _binned(c: Column, rows: Reading) -> Reading:
    x = quote(c.name)
    sql = picked(rows)[:-1] + (
        f", limits AS (\n    SELECT min({x}) AS low, (max({x}) - min({x})) / {BINS}.0 AS width\n    FROM picked\n)"
        ", binned AS (\n"
        f"    SELECT least(floor(({x} - low) / width), {BINS - 1}) AS bin, low, width\n    FROM picked, limits\n"
        f"    WHERE {x} IS NOT NULL\n)\n"
        "SELECT low + bin * width AS bin_start, low + (bin + 1) * width AS bin_end, count(*) AS number_of_rows\n"
        "FROM binned\nGROUP BY bin, low, width\nORDER BY bin"
    )
    note = (f"{BINS} bins of equal width; the highest value is in the last",)
    return made("distribution", rows, sql, f"distribution of {c.name}{where_said(rows)}", note, "histogram")
