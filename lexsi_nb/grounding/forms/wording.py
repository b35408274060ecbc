"""Ways of saying the same: charts, a count at the end, a group of the best within a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.flags import said_of_rows
from lexsi_nb.grounding.forms.most_used import most_used
from lexsi_nb.grounding.forms.ordering import arranged
from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.ages import aged_than, older_in_time
from lexsi_nb.grounding.parsing.sizes import sized_by
from lexsi_nb.grounding.reading import Choice, Column, Declined, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.words import singular


def settled(items: Sequence[Mention], index: SchemaIndex) -> tuple[list[Mention], str]:
    """Return (the mentions in the order a plain question has, the chart that was asked for)."""
    out, chart = _chart(list(items))
    out = most_used(said_of_rows(out, index), index)
    out = _counted_last(older_in_time(aged_than(out, index), index))
    out = _sized(_with_noun(_named_rows(out, index), index))
    out = _data_words(out)
    out = _best_within(out, index)
    out = _over_all(_in_units(_how(_periods_together(out)), index))
    out = arranged(_done_rows(out, index))
    out = [m for i, m in enumerate(out) if not (m.tag("question") is not None and not m.entries)]
    return _grains(out), chart


def _done_rows(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`the number of issued cards`: each row of them was."""
    out: list[Mention] = []
    for i, m in enumerate(items):
        noun = items[i + 1] if i + 1 < len(items) else None
        columns = [e.column for e in m.of("column") if e.column is not None and e.column.type == "date"]
        dates = {c.table for c in columns if not index.has_gaps(c)}  # a day that is missing says that it was not done
        done = (
            dates
            and not m.of("table", "value")
            and m.words.casefold().endswith(grammar.PARTICIPLE_ENDS)
            and m.words.casefold() not in grammar.OPEN
        )
        figure = len(out) > 1 and out[-2].tag("agg") and not out[-2].entries and bool(out[-1].of("table"))
        if done and figure and not m.gap and len(columns) == 1 and dates & {e.table for e in out[-1].of("table")}:
            continue  # "the maximum loan granted": each of them was
        if done and noun is not None and not noun.gap and dates & {e.table for e in noun.of("table")}:
            items[i + 1] = replace(noun, gap=m.gap)
            continue
        out.append(m)
    return out


def _named_rows(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Words that stand for rows of one table with a condition on another, as both: a bad customer has a bad loan."""
    out: list[Mention] = []
    for m in items:
        of = [e for e in m.of("condition") if e.value in index.columns]
        if len(of) == 1 and len(m.entries) == 1:
            noun = Entry("table", of[0].value)
            out += [
                replace(m, entries=(noun,), tags=()),
                replace(m, entries=(replace(of[0], value=None),), gap=("with",)),
            ]
        else:
            out.append(m)
    return out


def _with_noun(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`late orders`, a name that ends in the rows it is said of: those rows are named, too."""
    out: list[Mention] = []
    for m in items:
        out.append(m)
        first, _, last = m.words.casefold().rpartition(" ")
        tables = (
            {e.table for e in m.of("condition")} if first and not m.of("table", "value", "column", "metric") else ()
        )
        nouns = [e for e in index.entries.get((singular(last),), ()) if e.kind == "table" and not e.weak]
        if len(tables) == 1 and [e.table for e in nouns] == list(tables):
            out.append(Mention(last, entries=tuple(nouns)))
    return out


def _how(items: list[Mention]) -> list[Mention]:
    """`how are the loans distributed`: "how" is read where a word for a look at the data stands, else refused."""
    asked = [m for m in items if m.tag("how") is not None and not m.entries]
    if not asked:
        return items
    apart = any(m.words.casefold().startswith(lexicon.DIFFERING) for m in items if m.tag("by") is not None)
    if not apart and not any(
        m.tag(t) is not None for m in items for t in ("distribution", "trend", "correlation", "growth", "predictive")
    ):
        raise Unread(Declined(f"I don't read questions with '{asked[0].words.split()[0]}' here.", (asked[0].words,)))
    return [m for m in items if m not in asked]


def _periods_together(items: list[Mention]) -> list[Mention]:
    """`per quarter in 1997 and 1998`: one span of both years, where each row of the answer is a part of it."""
    grains = any(m.tag("by") is not None and not m.entries for m in items) and any(m.tag("grain") for m in items)
    out = list(items)
    for i in range(1, len(out) - 1) if grains else ():
        before, after = out[i - 1], out[i + 1]
        if out[i].tag("and") is not None and is_year(before) and is_year(after):
            out[i] = Mention("or", tags=("or",))
    return out


def _in_units(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`duration in months`, `total amount in crowns of loans`: a unit that what is measured has anyway."""
    for at in range(len(items) - 1, 1, -1):
        m, before = items[at], items[at - 1]
        if before.tag("in") is None or before.entries or m.number is not None:
            continue
        units = {e.column for e in index.lookup([m.words.casefold()]) if e.kind in ("unit", "column")}
        rest = [*items[: at - 1], *items[at + 1 :]]
        numbers = [e.column for x in rest for e in x.of("column") if e.column and e.column.type == "number"]
        sizes = [c for x in rest for e in x.of("table", "value") if (c := index.size_of(e.table))]
        last = at + 1 == len(items) or not m.of("column")
        if units and last and (units & set(numbers) or (not numbers and units & set(sizes))):
            figures = any(x.tag(t) is not None for x in rest for t in ("agg", "count", "super", "share", "most"))
            figures = figures or numbers or any(x.of("metric") for x in rest)
            return rest if figures else [Mention("how much", tags=("agg:sum",)), *rest]
    return items


def _over_all(items: list[Mention]) -> list[Mention]:
    """`average salary across districts`: over all rows of the table the column is in; `among` is a condition."""
    shares = any(m.tag("share") is not None for m in items)
    out = [m for m in items if shares or m.tag("among") is None or m.entries]
    if len(out) < 3 or out[-2].words.casefold() not in lexicon.ACROSS or out[-2].entries:
        return out
    tables = {e.table for e in out[-1].of("table")}
    figures = any(m.tag("agg") is not None for m in out[:-2]) or any(m.fused for m in out[:-2])
    owned = any(e.table in tables for m in out[:-2] for e in m.of("column"))
    return [*out[:-2]] if figures and owned and tables else out


def _sized(items: list[Mention]) -> list[Mention]:
    """`taller than 80`, `the lightest`: an adjective as the column it is about and what it does."""
    out: list[Mention] = []
    for i, m in enumerate(items):
        act = m.tag("sized")
        if act is None:
            out.append(m)
            continue
        column, does = replace(m, tags=()), Mention(m.words, tags=(act,), gap=m.gap)
        after = items[i + 1] if i + 1 < len(items) else None
        named = after is not None and {e.column for e in after.of("column")} & {e.column for e in m.entries}
        if named:
            out.append(does)  # "the lightest weight"
        else:
            out += [does, column] if act.startswith("super") else [replace(column, gap=m.gap), replace(does, gap=())]
    return out


def _chart(items: list[Mention]) -> tuple[list[Mention], str]:
    asked = [m.tag("chart") or "" for m in items if m.tag("chart") is not None and not m.entries]
    if not asked:
        return items, ""
    kind = next((a for a in asked if a != "any"), "any")
    kept = [m for m in items if not (m.tag("chart") is not None and not m.entries)]
    if kind == "scatter" or (kind == "any" and _one_against_another(kept)):
        return [Mention("scatter", tags=("pairs",)), *kept], "scatter"
    if kind == "box":
        return [Mention("box", tags=("boxes",)), *kept], kind
    return (_figure_against_groups(kept) if kind in ("any", "line", "bar", "area") else kept), kind


def _figure_against_groups(items: list[Mention]) -> list[Mention]:
    """`plot the number of loans against year`: a figure of each group, which the axis along tells."""
    at = [i for i, m in enumerate(items) if m.tag("vs") is not None and not m.entries]
    if len(at) != 1 or any(m.tag("by") is not None and not m.entries for m in items):
        return items
    head, tail = items[: at[0]], items[at[0] + 1 :]
    figure, groups = (
        any(m.tag(t) is not None for m in side for t in ("agg", "count") if not m.entries) for side in (head, tail)
    )
    one = len(items) == at[0] + 2 and (items[-1].tag("grain") is not None or items[-1].of("column", "table"))
    if not figure or groups or not one or items[-1].of("value"):
        return items
    return [*items[: at[0]], Mention("by", tags=("by",)), items[-1]]


def _one_against_another(items: Sequence[Mention]) -> bool:
    """Whether `plot amount against duration` names two numbers: each row is a point."""
    at = next((i for i, m in enumerate(items) if m.tag("vs") is not None and not m.entries), None)
    if at is None or any(m.tag(t) is not None for m in items for t in ("agg", "count", "share") if not m.entries):
        return False
    sides = [[e.column for m in side for e in m.of("column") if e.column] for side in (items[:at], items[at + 1 :])]
    return all(side and any(c.type == "number" for c in side) for side in sides) and not any(m.fused for m in items)


def _counted_last(items: list[Mention]) -> list[Mention]:
    """`loans between 100k and 150k, how many?` counts the rows that come before."""
    if len(items) < 2 or items[-1].tag("count") is None or items[-1].entries:
        return items
    if items[-1].words.casefold() in grammar.NUMBERS:
        return items  # "and what is the number?": of each
    if any(m.tag("by") is not None for m in items):
        return items  # one number, or one a group?
    rest = items[:-1]
    if items[-1].words.casefold().startswith(grammar.HOW_OFTEN) and any(m.tag("duplicates") is not None for m in rest):
        return _ended(rest)  # each is listed with its number
    while rest and (rest[-1].tag("and") is not None or rest[-1].tag("list") is not None):
        rest.pop()
    while rest and rest[0].tag("list") is not None:
        rest.pop(0)
    if any(m.tag("count") is not None and not m.entries for m in rest[:1]):
        return rest
    return [items[-1], *rest]


def _ended(items: list[Mention]) -> list[Mention]:
    while items and items[-1].tag("and") is not None and not items[-1].entries:
        items = items[:-1]
    return items


def _data_words(items: list[Mention]) -> list[Mention]:
    """`people in the data`, `the transactions table`: words for what the tables are in, or that they are tables."""
    nouns = any(m.entries for m in items)
    out: list[Mention] = []
    for i, m in enumerate(items):
        after = items[i + 1] if i + 1 < len(items) else None
        beside = (out and out[-1].of("column") and not m.gap) or (
            after is not None and after.of("column") and not after.gap
        )
        if m.tag("columns") is not None and not m.entries and m.words.casefold() in grammar.COLUMN and beside:
            continue  # "the seats column"
        data = m.tag("tables") is not None and not m.entries and nouns
        counted = any(x.tag("count") is not None and not x.entries for x in items)
        if data and counted and after is not None and after.of("table") and m.words.casefold() in grammar.TABLE:
            continue  # "rows in table trans"
        if data and out and (out[-1].of("table") or out[-1].tag("in") is not None):
            named = any(x.tag("columns") is not None or (x.tag("list") is not None and i < 3) for x in items)
            if not named or any(x.tag("count") is not None for x in items):
                if out[-1].tag("in") is not None and not out[-1].entries:
                    out.pop()
                continue
        if m.tag("in") is not None and after is None and not m.entries and nouns:
            continue
        out.append(m)
    return out


def _grains(items: list[Mention]) -> list[Mention]:
    """`the monthly number of loans` is by month."""
    out: list[Mention] = []
    moved: list[Mention] = []
    for i, m in enumerate(items):
        adjective = m.words.casefold() in lexicon.ADVERBS and m.tag("grain") and not m.entries
        before = items[i - 1] if i else None
        figure = before is not None and not before.entries and before.tag("agg") in ("avg", "median", "max", "min")
        if adjective and figure and not (out and any(x.tag("count") is not None for x in items)):
            said = f"{before.words if before else ''} {m.words}"
            ways = (f"one figure for each {m.tag('grain')}", f"the figure over all {m.tag('grain')}s")
            asked = (retold.FOR_EACH.format(m.tag("grain")), retold.OVER_PERIODS.format(m.tag("grain")))
            raise Unread(Choice(f"'{said}' can be more than one figure.", ways, m.words, said=asked, lasting=False))
        if adjective and not (before is not None and before.tag("by") is not None):
            moved += [Mention("by", tags=("by",)), m]
        else:
            out.append(m)
    return [*out, *moved]


def _best_within(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`clients in the district with the highest salary`: the district is one condition on the others."""
    for i in range(len(items) - 1, 0, -1):
        m = items[i]
        way = m.tag("super")
        if way not in ("desc", "asc") or m.entries or i + 1 >= len(items):
            continue
        noun, column = items[i - 1], items[i + 1]
        tables = {e.table for e in noun.of("table")}
        options = [
            e.column for e in column.of("column") if e.column and e.column.table in tables and e.column.type == "number"
        ]
        size = [c for t in {e.table for e in column.of("table")} if (c := index.size_of(t))] if not options else []
        if i - 1 == 0 or all(x.tag("list") is not None for x in items[: i - 1]) or len(tables) != 1:
            continue
        earlier = items[: i - 1]
        if earlier[0].tag("by") is not None and not earlier[0].entries:
            continue  # "for every region, the district with the highest salary"
        if not any(x.of("table", "column") or x.tag("count") is not None for x in earlier):
            continue
        if len(options) == 1 and set(m.gap) & lexicon.VERBS:
            return [
                *earlier,
                _best(noun, options[0], way, index, f"{noun.words} {m.words} {column.words}"),
                *items[i + 2 :],
            ]
        if not options and size and not noun.of("value"):
            continue
    for i, m in enumerate(items):  # "in the largest district by population"
        if m.tag("super") and not m.entries and i > 0 and i + 1 < len(items):
            noun = items[i + 1]
            tables = list(dict.fromkeys(e.table for e in noun.of("table")))
            said = any(
                x.of("table", "value") and tables and tables[0] not in {e.table for e in x.of("table", "value")}
                for x in items[:i]
            )
            size = _ranked_by(m, tables[0], index) if len(tables) == 1 else None
            alone = i + 2 == len(items) and not any(x.number is not None for x in items[:i])
            linked = set(m.gap) & grammar.LINKED or items[i - 1].tag("in") is not None
            if size is not None and said and alone and linked and index.key_of(size.table) is not None:
                way = "desc" if m.tag("super") in ("desc", "last") else "asc"
                best = _best(noun, size, way, index, f"{m.words} {noun.words}")
                return [*items[:i], best]
    return items


def _ranked_by(m: Mention, table: str, index: SchemaIndex) -> Column | None:
    """Return the column that a superlative of a table goes by: its size, or its only date."""
    way = m.tag("super") or ""
    if way in ("desc", "asc"):
        return sized_by(m.words, table, index)
    times = index.time_of(table, loose=True)
    return times[0] if way in ("first", "last") and len(times) == 1 else None


def _best(noun: Mention, column: Column, way: str, index: SchemaIndex, words: str) -> Mention:
    """Return the mention of the one row of a table that has the most (least) of a column, as a condition."""
    table = column.table
    key = index.key_of(table)
    if key is None:
        return noun
    _alone(column, way, index)
    k, order = quote(key.name), f"{quote(column.name)}{' DESC' if way == 'desc' else ''} NULLS LAST, {quote(key.name)}"
    sql = f"{k} = (SELECT {k} FROM {quote(table)} ORDER BY {order} LIMIT 1)"
    said = f"the {table} with the {'highest' if way == 'desc' else 'lowest'} {column.name}"
    return replace(noun, words=words, entries=(Entry("condition", table, sql=sql, text=said),))


def _alone(column: Column, way: str, index: SchemaIndex) -> None:
    """Refuse to take one of several rows that share the highest or the lowest value."""
    c, t, end = quote(column.name), quote(column.table), "max" if way == "desc" else "min"
    sql = f"SELECT {end}({c}) AS v, count(*) FILTER ({c} = (SELECT {end}({c}) FROM {t})) AS n FROM {t}"
    value, rows = index.reads.one(sql, column.table)
    if rows > 1:
        told = f"{rows} rows of {column.table} share the {'highest' if way == 'desc' else 'lowest'} {column.name}"
        raise Unread(Declined(f"{told} ({value}), so it is open which one is meant.", (column.name,)))
