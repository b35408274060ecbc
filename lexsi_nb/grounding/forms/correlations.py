"""How numbers go together: the correlation of two or more, of their values or their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.forms.looks import made, named_columns, of_years, picked, rows_of, where_said
from lexsi_nb.grounding.forms.matrices import MOST_COLUMNS, PEARSON, SPEARMAN, beside, matrix, one_value
from lexsi_nb.grounding.language import retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.rendering.sql import measure_name
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Path
from lexsi_nb.grounding.schema.names import quote

MEAN = Mention("mean", tags=("agg:avg",))
FEW = 20  # different numbers that are groups rather than a scale


def correlation(ask: Ask) -> Reading | None:
    if any(m.tag("correlation") == "either" for m in ask.items) and (found := _depending(ask)) is not None:
        return found
    ask = replace(ask, items=tuple(_numbers_plain(ask.items)))
    counts = [m for m in ask.items if m.tag("count") is not None and not m.entries]
    if len(counts) == 1 and (found := _with_a_count(ask, counts[0])) is not None:
        return found
    if counts:
        refuse("I correlate numbers that are columns, and no counts of rows.", counts[0].words)
    ranks = any("correlation:rank" in m.tags for m in ask.items)
    strongest = any("correlation:strongest" in m.tags for m in ask.items)
    columns, rest = of_years(ask) or named_columns(ask, MOST_COLUMNS, ("number",))
    several = strongest or any("correlation:matrix" in m.tags for m in ask.items)
    if several and len(columns) == 1:
        return beside(ask, columns[0], rest)
    if len(columns) > 2 or (several and not columns):
        return matrix(ask, columns, rest, strongest=strongest)
    if len(columns) != 2:
        refuse("A correlation needs two numbers of the data.")
    a, b = columns
    base, pair = common_rows(a, b, ask.index)
    rest = [m for m in rest if not m.of("table") and m.tag("by") is None]
    rows = rows_of(ask, pair, rest, base)
    if a.name != b.name:
        one_value(rows, pair, ask.index)
    x, y = (quote(c.name) if a.name != b.name else quote(f"{c.table}_{c.name}") for c in (a, b))
    if ranks:
        return _by_rank(rows, (a, b), (x, y))
    sql = (
        picked(rows) + f"SELECT corr({x}, {y}) AS correlation,\n"
        f"       count(*) FILTER (WHERE {x} IS NOT NULL AND {y} IS NOT NULL) AS pairs\nFROM picked"
    )
    return made(
        "correlation",
        rows,
        sql,
        f"correlation of {a.name} and {b.name} over rows of {base}{_conditions(rows)}",
        (PEARSON,),
        "scatter",
    )


def _depending(ask: Ask) -> Reading | None:
    """`how does the rent vary with the district`: the mean of each group; None for two numbers."""
    at = ask.at("correlation") or 0
    lead, after = _nouns(ask.items[:at]), _nouns(ask.items[at + 1 :])
    figure = any(m.tag(t) is not None for m in lead for t in ("agg", "count") if not m.entries)
    number = bool(lead) and not lead[0].of("table") and _numbers(lead[0]) > 0
    if not lead or not after:
        return None
    if not _numbers(after[0]) or ((figure or not number) and _few(lead, after[0], ask.index)):
        if not (figure or number or lead[0].of("metric")):
            refuse(
                f"'{lead[0].words}' is no number, so I can't tell how it goes with '{after[0].words}'.", lead[0].words
            )
        head = [MEAN] if number and not figure else []
        return ask.read([*head, *lead, Mention("by", tags=("by",)), *after])
    if figure or not number:
        told = " ".join(m.words for m in lead)
        refuse(
            f"I can't tell how '{told}' goes with the number '{after[0].words}'. Ask for the correlation between two"
            " numbers, or for a figure by a column of groups.",
            told,
        )
    return None


def _nouns(items: Sequence[Mention]) -> list[Mention]:
    return [m for m in items if m.tag("list") is None or m.entries]


def _numbers(m: Mention) -> int:
    """Return how many columns of numbers a mention may mean."""
    return sum(e.column is not None and e.column.type == "number" for e in m.of("column"))


def _few(lead: Sequence[Mention], m: Mention, index: SchemaIndex) -> bool:
    """Whether a mention is one column of numbers of which there are few: each is a group of its own."""
    tables = {e.table for x in lead for e in x.of("table")}
    columns = [e.column for e in m.of("column") if e.column is not None and not e.column.sql]
    columns = [c for c in columns if c.table in tables] or columns
    if len(columns) != 1:
        return False
    c = columns[0]
    return int(index.reads.one(f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}", c.table)[0]) <= FEW


def _numbers_plain(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions without the opening of a count before a column of numbers: `number of inhabitants`."""
    out: list[Mention] = []
    for m, after in zip_longest(items, items[1:]):
        counted = m.tag("count") is not None and not m.entries
        named = after.of("column") if counted and after is not None and not after.of("table") else []
        columns = [e.column for e in named if e.column is not None]
        if not columns or any(c.type != "number" for c in columns):
            out.append(m)
    return out


def _with_a_count(ask: Ask, count: Mention) -> Reading | None:
    """`correlation between the number of visits and the rooms per hotel`: rows are counted for each hotel."""
    items = [m for m in ask.items if m.tag("correlation") is None or m.entries]
    at = items.index(count)
    noun = items[at + 1] if at + 1 < len(items) else None
    numbers = [m for m in items if m.of("column") and not m.of("table", "value")]
    options = [e.column for m in numbers for e in m.of("column") if e.column is not None and e.column.type == "number"]
    if noun is None or not noun.of("table") or len(numbers) != 1 or len(options) != 1:
        return None
    c = options[0]
    key, label = ask.index.key_of(c.table), ask.index.label_of(c.table)
    groups = Mention(c.table, entries=(Entry("table", c.table),))
    framing = ("list", "and", "by", "in", "vs", "to")
    rest = [m for m in items if m not in (count, noun, numbers[0])]
    rest = [m for m in rest if c.table not in {e.table for e in m.of("table")}]
    if key is None or any(m.entries or not any(m.tag(t) is not None for t in framing) for m in rest):
        return None
    counted = ask.read([COUNT, noun, Mention("by", tags=("by",)), groups])
    by = counted.keys[0].column if counted.kind == "groupby" and len(counted.keys) == 1 else None
    if by is None or counted.table == c.table:
        return None
    points = any(j.parent == c.table for j in ask.index.joins.leaving(by.table, by.name))
    own = key if points else by if by in (key, label) else None
    if own is None or not ask.index.unique(own.table, own.name):
        return None
    number, name = quote(measure_name(counted.measures[0])), quote(by.name)
    body = "\n".join(x for x in counted.sql.splitlines() if not x.startswith("ORDER BY")).replace("\n", "\n    ")
    sql = (
        f"WITH counted AS (\n    {body}\n), picked AS (\n"
        f"    SELECT t.{quote(c.name)}, coalesce(n.{number}, 0) AS {number}\n"
        f"    FROM {quote(c.table)} AS t\n    LEFT JOIN counted AS n ON n.{name} = t.{quote(own.name)}\n)\n"
        f"SELECT corr({quote(c.name)}, {number}) AS correlation, count({quote(c.name)}) AS pairs\nFROM picked"
    )
    notes = (
        f"Pearson's coefficient, over rows of {c.table}; those without any {noun.words} count as 0",
        *counted.notes,
    )
    text = f"correlation of {c.name} and the {counted.text}"
    return replace(counted, kind="correlation", sql=sql, text=text, notes=notes, keys=(), measures=(), chart="")


def _by_rank(rows: Reading, columns: tuple[Column, Column], names: tuple[str, str]) -> Reading:
    """Spearman's coefficient: Pearson's of the ranks, equal values sharing the mean of theirs."""
    x, y = names
    ranks = [
        f"rank() OVER (ORDER BY {n}) + (count(*) OVER (PARTITION BY {n}) - 1) / 2.0 AS rank_of_{at}"
        for at, n in ((1, x), (2, y))
    ]
    sql = (
        picked(rows)[:-1] + ", ranked AS (\n    SELECT " + ",\n           ".join(ranks) + "\n    FROM picked\n"
        f"    WHERE {x} IS NOT NULL AND {y} IS NOT NULL\n)\n"
        "SELECT corr(rank_of_1, rank_of_2) AS correlation, count(*) AS pairs\nFROM ranked"
    )
    said = f"rank correlation of {columns[0].name} and {columns[1].name}{where_said(rows)}"
    return made("correlation", rows, sql, said, (SPEARMAN,))


def _conditions(rows: Reading) -> str:
    _, joint, tail = rows.text.partition(retold.JOINT)
    return joint + tail


def common_rows(a: Column, b: Column, index: SchemaIndex) -> tuple[str, list[Column]]:
    """Return the table in which each row has one value of both."""
    for base, other in ((a, b), (b, a)):
        routes: list[Path] = index.joins.up(base.table, other.table)
        if len(routes) == 1:
            return base.table, [a, b]
    refuse(f"{a} and {b} have no common rows.", str(a), str(b))
