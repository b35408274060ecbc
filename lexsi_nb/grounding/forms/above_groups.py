"""Groups held against the average: `regions with more visits than average`, `whose mean cost is above the overall`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.forms.asking import COUNT, SUM, Ask, refuse
from lexsi_nb.grounding.forms.per_group import BY
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.notes.left_out import left_out
from lexsi_nb.grounding.parsing.groups import counted_rows
from lexsi_nb.grounding.reading import Choice, Having, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.rendering.sql import ReadingSQL, key_name, measure_name, unique_names
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.names import quote

_OVER = ("avg", "median")
_FIGURES = ("avg", "sum", "median", "min", "max", "value")
_WAYS = {"desc": ">", "asc": "<"}
_SAID = {">": "above", ">=": "at least", "<": "below", "<=": "at most"}


@dataclass(frozen=True)
class _Held:
    """What groups are held against: `figure` of each, `op`, a number or the average of `average` over them."""

    figure: tuple[Mention, ...]
    op: str
    average: Mention | None = None
    number: float | int | None = None
    of_groups: bool = False  # "than the average region"
    tail: tuple[Mention, ...] = ()
    added: bool = False  # "over 2 million in fees"


def above_groups(ask: Ask) -> Reading | None:
    """Return the reading of groups that are above (below) the average of them or of all, None for another question."""
    items, at = list(ask.items), 0
    while at < len(items) and not items[at].entries and any(items[at].tag(t) is not None for t in ("list", "count")):
        at += 1
    if ask.first in lexicon.ASKING or at + 2 >= len(items) or not items[at].of("table", "column"):
        return None
    noun, counted = items[at], any(m.tag("count") is not None for m in items[:at])
    rest = items[at + 1 :]
    held = _more_than(noun, rest) or _above(rest) or _figure_above(noun, rest) or _amount_in(rest, ask)
    if held is None:
        return None
    found = ask.tried([*held.figure, BY, replace(noun, gap=()), *held.tail])
    plain = found is not None and found.kind == "groupby" and found.keys and not any(k.grain for k in found.keys)
    if found is None or not plain or found.order or found.limit or found.having or found.table == "":
        return None
    if held.number is not None:
        return _beyond_number(ask, found, held, counted)
    return _beyond_average(ask, found, held, counted)


# -- what is said ----------------------------------------------------------------------------------------------------


def _bare(m: Mention, *tags: str) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in tags)


def _average(m: Mention | None) -> bool:
    return m is not None and not m.entries and m.tag("agg") in _OVER


def _figure(items: Sequence[Mention]) -> tuple[tuple[Mention, ...], int]:
    """Return (the figure that stands first, how many mentions it takes); none and 0 where none stands there."""
    first, after = (items[i] if i < len(items) else None for i in (0, 1))
    if first is None:
        return (), 0
    if first.of("metric") or first.fused:
        return (first,), 1
    if after is None:
        return (), 0
    if _bare(first, "count") and after.of("table"):
        return (first, after), 2
    if not first.entries and first.tag("agg") in _FIGURES and after.of("table", "column"):
        return (first, after), 2
    if first.of("table") and not after.entries and after.tag("agg") == "value":  # "whose bills add up to"
        return (after, replace(first, gap=())), 2
    return (), 0


def _more_than(noun: Mention, rest: Sequence[Mention]) -> _Held | None:
    """`more visits than (the) average (region)`, `a higher default rate than average`."""
    than = next((i for i, m in enumerate(rest) if _bare(m, "than")), 0)
    if than < 2 or not _bare(rest[0], "more") or not _average(rest[than + 1] if than + 1 < len(rest) else None):
        return None
    said = tuple(rest[1:than])
    counted = len(said) == 1 and bool(said[0].of("table")) and not said[0].of("metric")
    figure, size = ((COUNT, replace(said[0], gap=())), 1) if counted else _figure(said)
    if size != len(said):
        return None
    tail, of_groups = _without_noun(noun, rest[than + 2 :])
    op = _WAYS.get(rest[0].tag("more") or "desc", ">")
    return _Held(figure, op, rest[than + 1], of_groups=of_groups, tail=tail)


def _above(rest: Sequence[Mention]) -> _Held | None:
    """`an above-average number of visits`, `an above-average default rate`."""
    if not _bare(rest[0], "cmp") or not _average(rest[1]):
        return None
    figure, size = _figure(rest[2:])
    if not size or figure[0].tag("agg") in _OVER:
        return None
    return _Held(figure, rest[0].tag("cmp") or ">", rest[1], tail=tuple(rest[2 + size :]))


def _figure_above(noun: Mention, rest: Sequence[Mention]) -> _Held | None:
    """`whose average cost is above the overall average`, `whose number of visits is above average`."""
    figure, size = _figure(rest)
    after = rest[size:]
    if not size or len(after) < 2 or not _bare(after[0], "cmp") or after[0].tag("cmp") not in _SAID:
        return None
    op = after[0].tag("cmp") or ">"
    own = {e.table for e in noun.entries} & {e.table for e in figure[0].of("column")}
    if figure[0].fused and (own or figure[0].fused != "sum"):
        return None  # "regions with an average salary above 100", where a region has many of them
    if after[1].number is not None and not after[1].entries and (figure[0].fused or figure[0].tag("agg") == "value"):
        tail = after[3:] if len(after) > 2 and after[2].of("unit") else after[2:]
        return _Held(figure, op, number=after[1].number, tail=tuple(tail))
    if not _average(after[1]):
        return None
    tail, of_groups = _without_noun(noun, after[2:])
    if tail and tail[0].of("table", "column", "metric"):  # the figure is said again
        if not _same(figure[-1], tail[0]):
            return None
        tail = tail[1:]
    return _Held(figure, op, after[1], of_groups=of_groups, tail=tail)


def _amount_in(rest: Sequence[Mention], ask: Ask) -> _Held | None:
    """`harbours with over 2 million in fees`: what the rows add up to."""
    if not _bare(rest[0], "cmp") or rest[0].tag("cmp") not in _SAID or rest[1].number is None or rest[1].entries:
        return None
    at = 3 if len(rest) > 2 and rest[2].of("unit") else 2
    where, rows = (rest[i] if i < len(rest) else Mention("") for i in (at, at + 1))
    tables = {e.table for e in rows.of("table")}
    size = ask.index.size_of(next(iter(tables))) if len(tables) == 1 else None
    if not _bare(where, "in") or where.words.casefold() not in grammar.IN_OF or rows.gap or size is None:
        return None
    if (rest[0].tag("cmp") or "")[:1] != ">":
        refuse(f"I can't tell whether those without any {rows.words} are meant too. Ask for the total {size.name}.")
    figure = (SUM, Mention(size.name, entries=(Entry("column", size.table, size),)))
    return _Held(figure, rest[0].tag("cmp") or ">", number=rest[1].number, tail=tuple(rest[at + 2 :]), added=True)


def _without_noun(noun: Mention, rest: Sequence[Mention]) -> tuple[tuple[Mention, ...], bool]:
    again = bool(rest) and bool({*noun.entries} & {*rest[0].entries})
    return tuple(rest[1:] if again else rest), again


def _same(a: Mention, b: Mention) -> bool:
    columns = {e.column for e in a.of("column")} & {e.column for e in b.of("column")}
    tables = {e.table for e in a.of("table")}
    names = {e.value for e in a.of("metric")} & {e.value for e in b.of("metric")}
    return bool(columns or names or tables & {e.table for e in b.entries})


# -- what is read ----------------------------------------------------------------------------------------------------


def _beyond_number(ask: Ask, found: Reading, held: _Held, counted: bool) -> Reading | None:
    measure = found.measures[0]
    if held.number is None or measure.function not in ("sum", "metric", "avg", "median"):
        return None
    text = f"{found.text}, where {measure_name(measure).replace('_', ' ')} is {_SAID[held.op]} {held.number:,}"
    made = replace(found, having=(Having(measure, held.op, held.number),), text=text)
    made = replace(made, sql=ReadingSQL(made, ask.index).text())
    if counted:
        return counted_rows(made) if held.added else None
    return made


def _beyond_average(ask: Ask, found: Reading, held: _Held, counted: bool) -> Reading:
    found = replace(found, named_groups=True)
    found = replace(found, sql=ReadingSQL(found, ask.index).text())
    ways = _thresholds(ask, found, held)
    chosen = [set(_selected(ask, found, held.op, sql)) for sql, _ in ways]
    if any(c != chosen[0] for c in chosen):
        raise Unread(Choice("Held against which average?", tuple(said for _, said in ways)))
    threshold, said = ways[-1]
    names = _names(found)
    columns = ", ".join(map(quote, names))
    shown = "count(*) AS number_of_groups" if counted else columns
    sql = f"{_with(found)}SELECT {shown}\nFROM figures\nWHERE {quote(names[-1])} {held.op} {threshold}"
    way = " DESC" if held.op[0] == ">" else ""
    sql += "" if counted else f"\nORDER BY {quote(names[-1])}{way}, {', '.join(map(quote, names[:-1]))}"
    text = f"{found.text}, where it is {_SAID[held.op]} {said}"
    apart = left_out(found, ask.index)
    if counted:
        return replace(found, kind="aggregate", keys=(), text=f"number of groups of: {text}", sql=sql, apart=apart)
    kept = (Having(found.measures[0], held.op, said),)
    return replace(found, having=kept, text=text, sql=sql, apart=apart)


def _names(found: Reading) -> list[str]:
    """Return the names of the keys and of the first measure in the SQL of the groups."""
    names = unique_names([*map(key_name, found.keys), *map(measure_name, found.measures)])
    return names[: len(found.keys) + 1]


def _with(found: Reading) -> str:
    lines = [x for x in found.sql.split("\n") if not x.startswith("ORDER BY")]
    return "WITH figures AS (\n    " + "\n    ".join(lines) + "\n)\n"


def _selected(ask: Ask, found: Reading, op: str, threshold: str) -> list[tuple[str, ...]]:
    names = _names(found)
    sql = f"{_with(found)}SELECT {', '.join(map(quote, names[:-1]))}\nFROM figures\n"
    frame = ask.index.engine.query(f"{sql}WHERE {quote(names[-1])} {op} {threshold}")
    return [tuple(map(str, row)) for row in frame.itertuples(index=False)]


def _thresholds(ask: Ask, found: Reading, held: _Held) -> list[tuple[str, str]]:
    """Return (SQL, words) of each average that can be meant, the likeliest first."""
    measure, name = found.measures[0], quote(_names(found)[-1])
    function = held.average.tag("agg") if held.average is not None else "avg"
    said = "the median" if function == "median" else "the average"
    whole = held.average is not None and bool(grammar.OVERALL & set(held.average.words.casefold().split()))
    groups = (f"(SELECT {function}({name}) FROM figures)", f"{said} of these groups")
    if measure.function in ("count", "sum"):
        every = _every_row(ask, found)
        if not every or function == "median":
            return [groups]
        many = int(ask.index.engine.query(f"{_with(found)}SELECT count(*) AS n FROM figures").iloc[0, 0])
        if many >= every:
            return [groups]
        table = _table_of(ask, found)
        if held.op[0] == "<":
            none = f"{every - many:,} {rows_word(table)} have none"
            refuse(f"{none}, so they are below any average. Ask for those with at least one, or for those without.")
        over = f"(SELECT sum({name}) FROM figures) / (SELECT count(*) FROM {quote(table)})"
        return [(over, f"{said} over all {every:,} {rows_word(table)}"), groups]
    plain = replace(found, kind="aggregate", keys=(), measures=(measure,), named_groups=False)
    sql = ReadingSQL(plain, ask.index).text().replace("\n", " ")
    overall = (f"({sql})", f"the figure over all {rows_word(found.table)}")
    if held.of_groups:
        return [groups]
    if function == "median" and measure.function != "median":
        refuse(f"The median of which figures: of these groups, or of all {rows_word(found.table)}?")
    return [overall] if whole or function == "median" else [groups, overall]


def _table_of(ask: Ask, found: Reading) -> str:
    """Return the table whose rows the groups are, "" where they are none."""
    if len(found.keys) != 1:
        return ""
    column = found.keys[0].column
    to = ask.index.joins.leaving(column.table, column.name)
    if len(to) == 1:
        return to[0].parent
    return column.table if ask.index.unique(column.table, column.name) else ""


def _every_row(ask: Ask, found: Reading) -> int:
    table = _table_of(ask, found)
    return int(ask.index.rows.get(table) or 0) if table and table != found.table else 0
