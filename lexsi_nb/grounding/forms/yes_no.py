"""Yes or no: whether rows exist, whether a figure is above a number or another figure, whether all rows fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.clauses import literal
from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.forms.comparing import answered, needs_figure, paired
from lexsi_nb.grounding.forms.shares import beyond
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Measure, Reading
from lexsi_nb.grounding.sql import ReadingSQL, measure_name


def yes_no(ask: Ask) -> Reading | None:
    """Return the reading of a yes or no question, None when it is none."""
    if ask.first not in lexicon.ASKING:
        return None
    items = ask.items
    if not items or ask.at("growth") is not None:
        return None
    if any(m.tag("more") is not None for m in items) or _compares(items):
        if any(m.tag("or") is not None for m in items):
            return None  # which of two
        needs_figure(ask)
        pair = paired(ask, ("than", "cmp"))
        if pair is not None:
            low = any(m.tag("more") == "asc" or (m.tag("cmp") or "")[:1] == "<" for m in items)
            return answered(pair, "<" if low else ">")
    if (found := _threshold(ask)) is not None:
        return found
    if items[0].tag("by") is not None and items[0].words.casefold() in grammar.EVERY and not items[0].entries:
        return _all(replace(ask, items=items[1:]))
    if items[0].tag("without") is not None and not items[0].entries:
        refuse(
            f"Yes would say that there is none. Ask without '{items[0].words}', and turn the answer.", items[0].words
        )
    gap = set(items[0].gap)
    if gap & lexicon.ALL:
        return _all(ask)
    if gap & lexicon.THERE or ask.first in grammar.ASKS_FOR_ROWS:
        return _exists(ask, items)
    refuse("I can't read this as a question for yes or no; ask for the number instead.")


def _compares(items: Sequence[Mention]) -> bool:
    """Whether a comparison is followed by a thing, not by a number."""
    for i, m in enumerate(items):
        after = next((x for x in items[i + 1 :] if all(x.tag(t) is None for t in ("in", "count", "agg"))), None)
        if m.tag("cmp") is not None and after is not None and after.of("value", "condition", "table"):
            return True
    return False


def _threshold(ask: Ask) -> Reading | None:
    """`is the average amount above 100`: a figure before, a comparison and a number at the end."""
    items = ask.items
    at = len(items) - 2
    if at < 1 or items[at].tag("cmp") is None or items[at + 1].number is None:
        return None
    figures = [m for m in items[:at] if m.tag("agg") is not None or m.tag("count") is not None or m.fused]
    if not figures and not any(m.of("metric") for m in items[:at]):
        return None
    found = ask.read(items[:at])
    if len(found.measures) != 1 or found.keys or found.order:
        return None
    name, op, number = measure_name(found.measures[0]), items[at].tag("cmp") or ">", items[at + 1].number
    sql = f"SELECT {quote(name)} {op} {literal(number)} AS answer, {quote(name)}\nFROM (\n    "
    sql += found.sql.replace("\n", "\n    ") + "\n) AS figure"
    said = f"whether {found.text} is {items[at].words} {items[at + 1].words}"
    return Reading("yesno", found.table, found.measures, text=said, sql=sql, notes=found.notes)


def _exists(ask: Ask, items: Sequence[Mention]) -> Reading:
    rest = [m for m in items if not (m.tag("count") is not None or m.tag("list") is not None)]
    found = ask.read([COUNT, *rest])
    if found.kind != "count" or found.keys or len(found.measures) != 1:
        refuse("I can't read this as a question for yes or no; ask for the number instead.")
    name = quote(measure_name(found.measures[0]))
    lines = found.sql.split("\n", 1)
    counted = lines[0].removeprefix("SELECT ").split(" AS ")[0]
    sql = f"SELECT {counted} > 0 AS answer, {counted} AS {name}" + (f"\n{lines[1]}" if len(lines) > 1 else "")
    return replace(found, kind="yesno", text=f"whether there are any: {found.text}", sql=sql)


def _all(ask: Ask) -> Reading:
    """`do all accounts have a loan`: whether no row is without."""
    items = ask.items
    nouns = ("table", "value", "condition", "outcome")
    split = next(
        (i for i in range(1, len(items)) if set(items[i].gap) & lexicon.VERBS or items[i].of(*nouns)), len(items)
    )
    whole, part = ask.read([COUNT, *items[:split]]), ask.read([COUNT, *items])
    where, links = beyond(part, whole)
    if not where and not links:
        refuse("I can't tell what all of them should have.")
    counted = Measure("count", table=whole.table)
    fitting = replace(counted, where=where, links=links, name="fitting")
    inner = replace(whole, measures=(fitting, replace(counted, name="of_all")))
    body = ReadingSQL(inner, ask.index).text().replace("\n", "\n    ")
    sql = f"SELECT fitting = of_all AS answer, fitting, of_all\nFROM (\n    {body}\n) AS counted"
    return replace(part, kind="yesno", text=f"whether all {whole.table} rows are: {part.text}", sql=sql)
