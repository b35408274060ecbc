"""The best of each group, and the second or third best of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, Ask, refuse
from lexsi_nb.grounding.grains import grain_name, period_of
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.notes.left_out import left_out_of_best, own_columns
from lexsi_nb.grounding.reading import Column, Key, Measure, Reading
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.rendering.phrasing import column_of, end_of, phrasing, rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, listed_names, measure_name, unique_names
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import singular

_RANKS = ("super", "top", "most", "mode")
_KEY_SIZES = (4, 3, 2, 1)  # mentions that the name of a group may take


def in_place(ask: Ask) -> Reading | None:
    """Return the reading of `the second largest loan`, None for another question."""
    return _nth(ask)


def ranked(ask: Ask) -> Reading | None:
    """Return the reading of "the largest x in each y" or "the second largest x", None for another question."""
    return _best_of_each(ask) or _nth(ask)


def first_or_last(ask: Ask) -> Reading | None:
    """Return the reading of `when was the first card issued`: the earliest or latest date."""
    ways = [m.tag("super") for m in ask.items if m.tag("super") is not None and not m.entries]
    if len(ways) != 1 or ways[0] not in ("first", "last"):
        return None
    found = ask.tried(ask.items)
    if found is None or found.kind != "topk" or found.measures or not found.order or not found.order.column:
        return None
    measure = Measure("min" if ways[0] == "first" else "max", found.order.column, table=found.table)
    made = replace(found, kind="aggregate", measures=(measure,), columns=(), shown=(), order=None, limit=None, notes=())
    made = replace(made, sql=ReadingSQL(made, ask.index).text())
    return replace(made, text=phrasing(made))


# -- the best of each group ------------------------------------------------------------------------------------------


def _best_of_each(ask: Ask) -> Reading | None:
    if not any(_ranks(m) for m in ask.items):
        return None
    common = any(m.tag("mode") is not None and not m.entries for m in ask.items)
    for at, m in enumerate(ask.items):
        plain = m.words.casefold() in grammar.BY
        each = m.words.casefold() in lexicon.EACH or (plain and (common or _one_of_groups(ask.items, at)))
        if m.tag("by") is None or m.entries or not each:
            continue
        for size in _KEY_SIZES:
            by, rest = ask.items[at : at + 1 + size], [*ask.items[:at], *ask.items[at + 1 + size :]]
            rest = _without_joints(rest)
            if len(by) < 1 + size or _cut_off(by[-1]) or any(_ranks(x) for x in by) or not any(_ranks(x) for x in rest):
                continue
            whole = ask.tried(rest)
            if whole is None or whole.kind != "topk" or not whole.limit or whole.order is None:
                continue
            if (figure := _figure_of_each(ask, whole, rest, by)) is not None:
                return figure
            if (found := _partitioned(ask, whole, by)) is not None:
                return found
    return None


def _cut_off(m: Mention) -> bool:
    """Whether a mention opens something that stands after it: `in` of `per month in 1996`."""
    return not m.entries and any(m.tag(t) is not None for t in ("in", "and", "by", "cmp", "between", "not", "without"))


def _one_of_groups(items: Sequence[Mention], at: int) -> bool:
    """Whether the `by` at a place is that of `the oldest client by gender`: one row is ranked, by no number."""
    ranked = [m for m in items[:at] if not m.entries and m.tag("super") is not None]
    after = items[at + 1] if at + 1 < len(items) else Mention("")
    columns = [e.column for e in after.of("column") if e.column]
    named = at > 0 and bool(items[at - 1].of("table")) and not any(m.tag("count") is not None for m in items)
    return named and bool(ranked) and bool(columns) and all(c.type in ("text", "bool") for c in columns)


def _figure_of_each(ask: Ask, whole: Reading, rest: Sequence[Mention], by: Sequence[Mention]) -> Reading | None:
    """`the latest opening date per region` is one date for each, however many rows have it."""
    column = whole.order.column if whole.order is not None else None
    ways = [m.tag("super") for m in rest if m.tag("super") is not None and not m.entries]
    if column is None or column.type != "date" or whole.shown != (column,) or whole.limit != 1 or len(ways) != 1:
        return None
    tag = f"agg:{'max' if ways[0] in ('last', 'desc') else 'min'}"
    told = [replace(m, tags=(tag,)) if m.tag("super") is not None and not m.entries else m for m in rest]
    told = [m for m in told if m.tag("list") is None or m.entries]
    found = ask.tried([*told, *by])
    plain = found is not None and found.kind == "groupby" and len(found.measures) == 1
    return found if plain and found is not None and found.measures[0].column == column else None


def _ranks(m: Mention) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in _RANKS)


def _without_joints(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions without the joining words that a part taken out left at an end."""
    out = list(items)
    while out and out[0].words in (",", "&"):
        out.pop(0)
    while out and out[-1].words in (",", "&"):
        out.pop()
    return out


def _partitioned(ask: Ask, whole: Reading, by: Sequence[Mention]) -> Reading | None:
    noun = Mention(
        whole.table, entries=tuple(e for e in ask.index.entries[(whole.table.casefold(),)] if e.kind == "table")
    )
    grouped = ask.tried([COUNT, noun, *by])
    if grouped is None or not grouped.keys or grouped.links or grouped.filters or grouped.table != whole.table:
        return None
    keys = grouped.keys
    if any(not ask.index.joins.up(whole.table, k.column.table) for k in keys):
        refuse(f"One {whole.table} can fall in several of these groups.", by[-1].words)
    if whole.measures:
        return _groups_of_groups(ask, whole, keys)
    return _figure_of_groups(ask, whole, keys) or _rows_of_groups(ask, whole, keys)


def _figure_of_groups(ask: Ask, whole: Reading, keys: tuple[Key, ...]) -> Reading | None:
    """`for each carrier, the longest distance`: the figure, where no word asks for the row that has it."""
    column = whole.order.column if whole.order else None
    pairs = zip(ask.items, [None, *ask.items], strict=False)
    nouns = [m for m, before in pairs if _noun(m, ask) or not _verb_of(before, m, column)]
    rows = any(
        whole.table in {e.table for e in m.of("table")} and column not in {e.column for e in m.of("column")}
        for m in nouns
    )
    said = any(e.column == column for m in ask.items for e in m.of("column"))
    if column is None or column.type != "number" or whole.limit != 1 or rows or not said or {*whole.shown} - {column}:
        return None
    function = "max" if whole.order and whole.order.descending else "min"
    return _of_figures(ask, whole, keys, (Measure(function, column, table=whole.table),))


def _noun(m: Mention, ask: Ask) -> bool:
    """Whether a table is said by its own name: `the heaviest product`, not `the longest distance flown`."""
    word = m.words.casefold().split()[-1]
    return any(e.kind == "table" for w in (word, singular(word)) for e in ask.index.entries.get((w,), ()))


def _verb_of(before: Mention | None, m: Mention, column: Column | None) -> bool:
    """Whether a word right after a column only says what was done: `the longest distance flown`."""
    return before is not None and not m.gap and any(e.column == column for e in before.of("column"))


def _rows_of_groups(ask: Ask, whole: Reading, keys: tuple[Key, ...]) -> Reading:
    assert whole.order is not None
    own, column = _of_the_best(ask, whole), whole.order.column
    if column is not None and column.type == "number" and any(k.grain for k in keys) and own != whole.columns:
        function = "max" if whole.order.descending else "min"  # "the largest payment per year"
        return _of_figures(ask, whole, keys, (Measure(function, column, table=whole.table),))
    if column is None:
        refuse("I can't tell the best of each group here.")
    keys = period_columns(keys)
    columns = tuple(dict.fromkeys([*(k.column for k in keys), *own, column]))
    plain = replace(whole, kind="list", keys=keys, columns=columns, order=None, limit=None, notes=())
    plain = replace(plain, named_groups=_of_things(ask, whole.table, keys))
    made = _cut(ask, whole, plain, *_names(columns, keys, column), keys)
    if own != whole.columns and (figure := _shared_by_many(ask, whole, made, keys)) is not None:
        return figure
    every = tuple(dict.fromkeys([*columns, *own_columns(whole.table, ask.index)]))
    shown = _best(ask, whole, replace(plain, columns=every), *_names(every, keys, column))
    return replace(made, keys=(), apart=left_out_of_best(plain, column, ask.index, shown))


def period_columns(keys: Sequence[Key]) -> tuple[Key, ...]:
    """Return groups with each period as a column of its own: `the first loan of each year`."""
    out: list[Key] = []
    for k in keys:
        kind = "number" if k.grain == "year" else "date"
        period = period_of(named(k.column, "{p}"), k.grain)
        out.append(Key(Column(k.column.table, grain_name(k.grain), kind, period)) if k.grain else k)
    return tuple(out)


def _shared_by_many(ask: Ask, whole: Reading, made: Reading, keys: tuple[Key, ...]) -> Reading | None:
    """Return the figure of each group, where the best ones are many: `the largest payment per day` is no one row."""
    column = whole.order.column if whole.order is not None else None
    called = dict(zip(made.columns, listed_names(made.columns), strict=True))
    names = ", ".join(quote(called[k.column]) for k in keys)
    rows, groups = _sizes(ask, made.sql, names)
    if rows < 2 * groups or column is None or column.type != "number":
        return None
    function = "max" if whole.order is not None and whole.order.descending else "min"
    noted = (f"{rows:,} {rows_word(whole.table)} have these figures",)
    return _of_figures(ask, whole, keys, (Measure(function, column, table=whole.table),), noted)


def _of_figures(
    ask: Ask, whole: Reading, keys: tuple[Key, ...], measures: tuple[Measure, ...], notes: tuple[str, ...] = ()
) -> Reading:
    kind = "groupby" if keys else "aggregate"
    made = replace(
        whole, kind=kind, keys=keys, measures=measures, columns=(), shown=(), order=None, limit=None, notes=notes
    )
    return replace(made, sql=ReadingSQL(made, ask.index).text(), text=phrasing(made))


def _of_the_best(ask: Ask, whole: Reading) -> tuple[Column, ...]:
    """Return the columns that tell which row is the best one: its key and its name; all, where rows are asked for."""
    named = (ask.index.key_of(whole.table), ask.index.label_of(whole.table))
    listed = any(m.tag("list") is not None and not m.entries for m in ask.items)
    nouns = [m.words.casefold() for m in ask.items if whole.table in {e.table for e in m.of("table")}]
    many = any(w != singular(w) for w in nouns)  # "the goods with the highest price"
    if whole.limit != 1 or named[0] is None or listed or many:
        return whole.columns
    return tuple(c for c in (*named, *whole.shown) if c is not None)


def _names(columns: tuple[Column, ...], keys: tuple[Key, ...], by: Column) -> tuple[list[str], str]:
    """Return what the columns of the groups are called in a list of columns, and the one it is ordered by."""
    names = dict(zip(columns, listed_names(columns), strict=True))
    return [quote(names[k.column]) for k in keys], quote(names[by])


def _of_things(ask: Ask, table: str, keys: tuple[Key, ...]) -> bool:
    """Whether groups are the rows of other tables, as in `the last visit of each pet`: a visit of none is of no pet."""
    tables = {k.column.table: (ask.index.key_of(k.column.table), ask.index.label_of(k.column.table)) for k in keys}
    return table not in tables and all(k.column in tables[k.column.table] for k in keys)


def _groups_of_groups(ask: Ask, whole: Reading, keys: tuple[Key, ...]) -> Reading:
    own = [k for k in whole.keys if k not in keys]
    plain = replace(whole, kind="groupby", keys=(*keys, *own), order=None, limit=None, notes=())
    names = unique_names([*map(key_name, plain.keys), *map(measure_name, plain.measures)])
    parts = [quote(n) for n in names[: len(keys)]]
    return _cut(ask, whole, plain, parts, quote(names[len(plain.keys)]), keys)


def _cut(ask: Ask, whole: Reading, plain: Reading, parts: list[str], by: str, keys: tuple[Key, ...]) -> Reading:
    """Return the reading of the first rows of each group; rows equal to the last of them are in too."""
    assert whole.order is not None
    assert whole.limit is not None
    sql = _best(ask, whole, plain, parts, by)
    n, groups = _sizes(ask, sql, ", ".join(parts))
    notes = ("rows equal to the last one of their group are shown too",) if n > groups * whole.limit else ()
    said = " and ".join(_group(k, whole.table, ask) for k in keys)
    text = f"{whole.text}, in each {said}"
    if (column := whole.order.column) is not None:
        rows = phrasing(replace(whole, order=None, limit=None))
        those = "one" if whole.limit == 1 else whole.limit
        text = f"{rows}, {those} for each {said}: the {end_of(whole.order)} by {column.name}"
    return replace(plain, kind="topk", text=text, sql=sql, notes=notes, order=None, limit=None)


def _best(ask: Ask, whole: Reading, plain: Reading, parts: list[str], by: str) -> str:
    """Return the SQL of the first rows of each group."""
    writer = ReadingSQL(plain, ask.index)
    lines = [x for x in writer.text().split("\n") if not x.startswith("ORDER BY")]
    if writer.fan_out:
        refuse(f"One {whole.table} can fall in several of these groups.")
    inner = "\n    ".join(lines)
    way = " DESC" if whole.order is not None and whole.order.descending else ""
    partition = ", ".join(parts)
    return (
        f"SELECT *\nFROM (\n    {inner}\n) AS ranked\nWHERE {by} IS NOT NULL\n"
        f"QUALIFY rank() OVER (PARTITION BY {partition} ORDER BY {by}{way}) <= {whole.limit}\n"
        f"ORDER BY {partition}, {by}{way}"
    )


def _sizes(ask: Ask, sql: str, partition: str) -> tuple[int, int]:
    row = ask.index.engine.query(
        f"SELECT count(*) AS n, count(DISTINCT ({partition})) AS g FROM (\n{sql}\n) AS shown"
    ).iloc[0]
    return int(row["n"]), int(row["g"])


def _group(key: Key, base: str, ask: Ask) -> str:
    """Return what one group is: a period, a row of the table that a key points at, or a value of a column."""
    into = ask.index.joins.leaving(base, key.column.name) if key.column.table == base and not key.grain else ()
    one = rows_word(into[0].parent, 1) if len(into) == 1 else ""
    return key.grain or (one if one not in ("", rows_word("", 1)) else column_of(key.column, base))


# -- the second best -------------------------------------------------------------------------------------------------


def _nth(ask: Ask) -> Reading | None:
    at = next((i for i, m in enumerate(ask.items) if m.tag("nth") is not None and not m.entries), None)
    if at is None:
        return None
    place, after = int(ask.items[at].tag("nth") or 0), ask.items[at + 1] if at + 1 < len(ask.items) else None
    if after is None or not _ranks(after):
        refuse(f"I can't place '{ask.items[at].words}' in this question.", ask.items[at].words)
    if sum(_ranks(m) for m in ask.items) > 1:
        return None
    found = ask.read([*ask.items[:at], *ask.items[at + 1 :]])
    if found.kind in ("list", "aggregate", "count", "groupby") and "LIMIT 1)" in found.sql:
        return None  # of the row that is to be found first
    if found.measures and not found.keys and found.measures[0].function in ("max", "min"):
        return _nth_value(ask, found, place)
    if found.kind != "topk" or found.limit != 1 or not found.sql.endswith("\nLIMIT 1") or found.order is None:
        refuse(f"I can't place '{ask.items[at].words}' in this question.", ask.items[at].words)
    body = found.sql.removesuffix("LIMIT 1")
    shown = ask.index.engine.query(f"{body}LIMIT {place + 1}")
    name = found.order.column.name if found.order.column else measure_name(found.measures[0])
    values = list(shown[name]) if name in shown.columns else []
    if len(values) < place:
        refuse(f"There are only {len(values)}.", ask.items[at].words)
    if len(set(map(str, values))) < len(values):
        refuse(f"Several share a place ({name} {values[place - 1]}), so the {ask.items[at].words} is open.")
    text = found.text.replace(", one row", f", the {ask.items[at].words} row")
    return replace(found, sql=f"{body}LIMIT 1 OFFSET {place - 1}", text=text, notes=(), limit=None, order=None)


def _nth_value(ask: Ask, found: Reading, place: int) -> Reading:
    """`the second highest amount`: of the values, each once."""
    m = found.measures[0]
    if len(found.measures) != 1 or m.column is None:
        refuse("I read a place in the order of one column only.")
    rows = Reading("list", found.table, columns=(m.column,), filters=found.filters, links=found.links, distinct=True)
    lines = [x for x in ReadingSQL(rows, ask.index).text().split("\n") if not x.startswith("ORDER BY")]
    name, way = quote(m.column.name), " DESC" if m.function == "max" else ""
    body = "\n".join(lines) + f"\nORDER BY {name}{way} NULLS LAST\nLIMIT 1 OFFSET {place - 1}"
    text = f"place {place} of the {'highest' if m.function == 'max' else 'lowest'} {m.column.name}, each value once"
    return Reading("list", found.table, columns=(m.column,), filters=found.filters, links=found.links, sql=body,
                   text=f"{text} ({found.text})")  # fmt: skip
