"""Yes or no: whether rows exist, whether a figure is above a number or another figure, whether all rows fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.forms.compared_figures import needs_figure
from lexsi_nb.grounding.forms.comparing import answered, paired
from lexsi_nb.grounding.forms.nested import the_first
from lexsi_nb.grounding.forms.shares import beyond
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.ties import tie_note
from lexsi_nb.grounding.reading import Measure, Reading
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.rendering.sql import ReadingSQL, measure_name
from lexsi_nb.grounding.schema.index import Entry
from lexsi_nb.grounding.schema.names import quote

_NOUNS = ("table", "value", "condition", "outcome")
_CONDITIONS = ("cmp", "date", "between", "in", "age", "null", "notnull", "half", "quarter")


def yes_no(ask: Ask) -> Reading | None:
    """Return the reading of a yes or no question, None when it is none."""
    if ask.first not in lexicon.ASKING:
        return None
    ask = replace(ask, items=_got(ask.items))
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
    if items[0].tag("without") is not None and not items[0].entries:
        refuse(
            f"Yes would say that there is none. Ask without '{items[0].words}', and turn the answer.", items[0].words
        )
    if (found := _at_least(ask) or _first_is(ask) or _is_first(ask) or _ever(ask)) is not None:
        return found
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
    if len(items) > 2 and items[-1].of("unit") and items[-2].number is not None:
        items = items[:-1]  # "above 15,000 crowns"
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
    return _whether(found, f"there are any: {found.text}")


def _got(items: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the mentions with `get` as the verb that it is here: `did every visit get a bill`."""
    out: list[Mention] = []
    verbs: tuple[str, ...] = ()
    for m in items:
        if out and m.tag("list") is not None and not m.entries and m.words.casefold() in lexicon.MAIN_VERBS:
            verbs = (*verbs, *m.gap, m.words.casefold())
            continue
        out.append(replace(m, gap=(*verbs, *m.gap)) if verbs else m)
        verbs = ()
    return tuple(out)


def _predicate(items: Sequence[Mention]) -> int:
    """Return where what all should be begins: `every visit of an owner has | a bill`.

    What stands before it tells which rows: with one verb that is no part of a relative clause it is plain, without one
    only where one thing follows the rows.
    """
    verbs = [
        i for i in range(1, len(items))
        if set(items[i].gap) & lexicon.MAIN_VERBS and not set(items[i].gap) & lexicon.RELATIVES
    ]  # fmt: skip
    if verbs:
        return verbs[0]
    said = _parts(items)
    rest = [i for i in said if not set(items[i].gap) & lexicon.RELATIVES]  # "accounts with a loan"
    if len(rest) > 1:
        ends = [*rest[1:], len(items)]
        told = [" ".join(m.words for m in items[a:b]) for a, b in zip(rest, ends, strict=True)]
        words = " or ".join(f"'{w}'" for w in told)
        refuse(f"I can't tell what all of them should be: {words}. Say it with 'have': do all ... have ...")
    return (rest or said or [len(items)])[0]


def _parts(items: Sequence[Mention]) -> list[int]:
    """Return where each thing begins that is said of the rows that stand first."""
    out: list[int] = []
    joined = False
    for i in range(1, len(items)):
        m, before = items[i], items[i - 1]
        opens = bool(m.of(*_NOUNS)) or any(m.tag(t) is not None for t in _CONDITIONS) or bool(m.of("column"))
        after_column = bool(before.of("column")) and not before.of(*_NOUNS) and not m.of(*_NOUNS)
        leads = not before.entries and any(before.tag(t) is not None for t in (*_CONDITIONS, "or", "to"))
        if opens and not ((joined and m.of("table")) or after_column or leads or m.of("unit")):
            out.append(i)
        joined = m.number is not None and before.tag("cmp") is not None  # "at least one loan"
    return out


def _at_least(ask: Ask) -> Reading | None:
    """`are there at least 100 visits`: a number of rows held against a number."""
    items = ask.items
    if len(items) < 3 or items[0].tag("cmp") is None or items[0].entries or items[1].number is None:
        return None
    rows = items[2].of("table") or (items[2].of("value") and not items[2].of("column", "unit"))
    if not rows or items[2].of("unit") or not set(items[0].gap) & lexicon.THERE:
        return None
    found = ask.tried([COUNT, *items[2:]])
    if found is None or found.kind != "count" or found.keys or len(found.measures) != 1:
        return None
    name, number = quote(measure_name(found.measures[0])), items[1].number
    inner = found.sql.replace("\n", "\n    ")
    answer = f"{name} {items[0].tag('cmp') or '>'} {literal(number)} AS answer"
    sql = f"SELECT {answer}, {name}\nFROM (\n    {inner}\n) AS figure"
    return replace(found, kind="yesno", text=f"whether {found.text} is {items[0].words} {items[1].words}", sql=sql)


def _first_is(ask: Ask) -> Reading | None:
    """`is the largest visit in the north`: whether the one row that is first is so."""
    items = ask.items
    ranked = len(items) > 2 and items[0].tag("super") is not None and not items[0].entries
    size = next((n for n in (2, 3) if ranked and items[n - 1].of("table")), 0)  # "the largest visit", "heaviest" first
    rest = [m for m in items[size:] if m.entries or m.tag("in") is None]
    plain = len(rest) == 1 and rest[0].of("value", "condition", "outcome") and not rest[0].of("table", "column")
    if not size or not plain or (condition := the_first(items[:size], ask.index, ask.plain)) is None:
        return None
    found = ask.tried([COUNT, items[size - 1], condition, *items[size:]])
    if found is None or found.kind != "count" or len(found.filters) + len(found.links) < 2:
        return None
    return _whether(found, f"the first of them is so: {found.text}")


def _is_first(ask: Ask) -> Reading | None:
    """`is Bari the town with the most visits`: whether the one that is first is that one."""
    named, *rest = ask.items
    if not named.of("value") or named.of("table", "column") or not rest or not rest[0].of("table", "column"):
        return None
    if not any(m.tag("super") is not None or m.tag("most") is not None for m in rest):
        return None
    found = ask.tried(rest)
    if found is None or found.limit != 1 or found.order is None or tie_note(found, found.sql, ask.index):
        return None
    shown = [k.column for k in found.keys] or list(found.columns)
    values = {e.value for e in named.of("value") if e.column in shown}
    column = next((e.column for e in named.of("value") if e.column in shown), None)
    if column is None or len(values) != 1:
        return None
    first = f"{quote(column.name)} = {literal(values.pop())} AS answer"
    sql = f"SELECT {first}, *\nFROM (\n    " + found.sql.replace("\n", "\n    ") + "\n) AS first_one"
    return replace(found, kind="yesno", text=f"whether {named.words} is the first: {found.text}", sql=sql, notes=())


def _ever(ask: Ask) -> Reading | None:
    """`was the balance of any account ever below zero`: whether there is a row with such a value."""
    items = ask.items
    size = 2 if len(items) == 4 and set(items[1].gap) & lexicon.THERE and items[1].of("table") else 1
    number = [e.column for e in items[0].of("column") if e.column and e.column.type == "number"]
    compared = len(items) == size + 2 and items[size].tag("cmp") is not None and items[size + 1].number is not None
    if len(number) != 1 or items[0].of("table") or not compared or items[0].fused:
        return None
    if size == 1 and not set(items[1].gap) & grammar.EVER:
        return None
    noun = items[1] if size == 2 else Mention(number[0].table, entries=(Entry("table", number[0].table),))
    found = ask.tried([COUNT, noun, replace(items[0], gap=("with",)), *items[size:]])
    return _whether(found, f"there are any: {found.text}") if found is not None and found.kind == "count" else None


def _whether(found: Reading, said: str) -> Reading:
    """Return the reading of a count as a yes or no: whether it is above zero."""
    name = quote(measure_name(found.measures[0]))
    lines = found.sql.split("\n", 1)
    counted = lines[0].removeprefix("SELECT ").split(" AS ")[0]
    sql = f"SELECT {counted} > 0 AS answer, {counted} AS {name}" + (f"\n{lines[1]}" if len(lines) > 1 else "")
    return replace(found, kind="yesno", text=f"whether {said}", sql=sql)


def _all(ask: Ask) -> Reading:
    """`do all accounts have a loan`: whether no row is without."""
    items = ask.items
    split = _predicate(items)
    named = {e.table for e in items[0].of("value")} if not items[0].of("table", "column") else set()
    noun = [Mention(t, entries=(Entry("table", t),)) for t in named] if len(named) == 1 else []
    whole, part = ask.read([COUNT, *noun, *items[:split]]), ask.read([COUNT, *noun, *items])
    where, links = beyond(part, whole)
    if not where and not links:
        refuse("I can't tell what all of them should have.")
    counted = Measure("count", table=whole.table)
    fitting = replace(counted, where=where, links=links, name="fitting")
    inner = replace(whole, measures=(fitting, replace(counted, name="of_all")))
    body = ReadingSQL(inner, ask.index).text().replace("\n", "\n    ")
    sql = f"SELECT fitting = of_all AS answer, fitting, of_all\nFROM (\n    {body}\n) AS counted"
    return replace(part, kind="yesno", text=f"whether all {whole.table} rows are: {part.text}", sql=sql)
