"""How the values of a number lie in each group: box plots, and histograms whose bars are cut by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse, split_by
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Key, Measure, Reading
from lexsi_nb.grounding.rendering.phrasing import figure_of, phrasing
from lexsi_nb.grounding.rendering.spread import SpreadSQL, spread_names
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.names import quote

MEDIAN = Mention("median", tags=("agg:median",))
MOST_BOXES = 60  # that can be read beside each other
MOST_PARTS = 8  # groups that their colours tell apart in one bar
BINS = 10
FEW = 20  # different numbers that are listed one by one rather than put into bins
RULE = "whiskers to the furthest values within 1.5 interquartile ranges; of those beyond, the furthest are points"
_MIDDLES = frozenset({"avg", "median"})


def boxes(ask: Ask) -> Reading:
    """Return one box a group, or one of all rows: quartiles, median, whiskers, and how many values are beyond."""
    head, groups = split_by(ask.items)
    said = [m for m in head if not m.entries and (m.tag("agg") is not None or m.tag("count") is not None)]
    if figures := [m.words for m in said if (m.tag("agg") or "") not in _MIDDLES]:
        words = figures[0]
        refuse(f"A box is drawn of the values of a column, and '{words}' is one figure a group: ask for bars.", words)
    found = values_by_group(replace(ask, items=tuple(m for m in head if m not in said)), groups)
    if found is None:
        refuse("A box plot needs one number of the data, as in 'box plot of' that number 'by' its groups.")
    mean = any(m.tag("agg") == "avg" for m in said)
    notes = [*found.notes, RULE, *(["the mean is a diamond"] if mean else [])]
    figures = (*found.measures, *([replace(found.measures[0], function="avg")] if mean else []))
    made = replace(found, kind="distribution", chart="box", measures=figures, notes=tuple(notes))
    made = replace(made, sql=SpreadSQL(made, ask.index).boxes(), text=f"spread of {_of(found)}")
    if found.keys:
        n = int(ask.index.engine.query(f"SELECT count(*) AS n FROM (\n{made.sql}\n) AS boxes").iloc[0, 0])
        if n > MOST_BOXES:
            refuse(f"{n:,} boxes can't be read beside each other; ask for at most {MOST_BOXES} groups, or of one.")
    return made


def bins_by_group(ask: Ask) -> Reading | None:
    """`histogram of amount by status`: the bins of all values, and how many of each group are in each; else None."""
    head, groups = split_by(ask.items)
    if len(groups) < 2 or any(m.tag(t) is not None for m in head for t in ("agg", "count") if not m.entries):
        return None
    found = values_by_group(replace(ask, items=head), groups)
    if found is None or len(found.keys) != 1:
        return None
    column = found.measures[0].column
    (name,), value = spread_names(found)
    key, x = quote(name), quote(value)
    values = SpreadSQL(found, ask.index).picked()
    counts = f"{values}\nSELECT count(DISTINCT {key}) AS groups, count(DISTINCT {x}) AS kinds FROM picked"
    n, kinds = map(int, ask.index.engine.query(counts).iloc[0])
    if column is None:
        return None
    if kinds <= FEW:
        return _one_by_one(found, column, ask)
    if n > MOST_PARTS:
        refuse(
            f"{n:,} groups in one histogram can't be told apart. A box plot of {column.name} by them has a box each."
        )
    made = replace(
        found, kind="distribution", chart="histogram", notes=(f"{BINS} bins of equal width over all values",)
    )
    return replace(made, sql=SpreadSQL(made, ask.index).bins(BINS), text=f"distribution of {_of(found)}")


def _one_by_one(found: Reading, column: Column, ask: Ask) -> Reading:
    """Return how many rows of each group have each of a few numbers."""
    counted = (Measure("count", table=found.table),)
    made = replace(found, measures=counted, keys=(Key(column), *found.keys), kind="groupby", chart="stacked", sql="")
    return replace(made, kind="distribution", sql=ReadingSQL(made, ask.index).text(), text=phrasing(made))


def values_by_group(ask: Ask, groups: Sequence[Mention]) -> Reading | None:
    """Return the median of one number by its groups, which holds rows, conditions and groups; None for others."""
    framing = ("boxes", "distribution", "list")
    head = [m for m in ask.items if m.entries or not any(m.tag(t) is not None for t in framing)]
    numbers = [m for m in head if any(e.column and e.column.type == "number" for e in m.of("column"))]
    if len(numbers) != 1 or any(m.tag("and") is not None and not m.entries for m in head):
        return None
    found = ask.read([MEDIAN, *head, *groups])
    plain = found.kind in ("aggregate", "groupby") and len(found.measures) == 1 and len(found.keys) <= 1
    column = found.measures[0].column if found.measures else None
    if len(groups) > 1 and plain and not found.keys:
        refuse(f"Each of {found.table} is a group of its own here, with one value.", *(m.words for m in groups[1:2]))
    if not plain or column is None or column.type != "number" or found.having or found.order or found.limit:
        refuse("I can't read this as the values of one number by one grouping.", *(m.words for m in groups[:2]))
    return found


def _of(found: Reading) -> str:
    """Return what a median is told of: `amount of loans, by status`."""
    column = found.measures[0].column
    assert column is not None
    lead = figure_of("median", column.name)
    return found.text.removeprefix(lead.removesuffix(column.name))
