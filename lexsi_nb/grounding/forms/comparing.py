"""Two things side by side: which is more, their difference, their ratio, and whether one is above the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexsi_nb.grounding.forms.asking import COUNT, IN, SUM, Ask, figure, is_period, refuse
from lexsi_nb.grounding.forms.compared_figures import by_figure, figure_said, needs_figure, of_each, of_which_figure
from lexsi_nb.grounding.forms.flags import flag
from lexsi_nb.grounding.forms.nested import named_by
from lexsi_nb.grounding.forms.no_pair import no_pair
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Reading
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.rendering.sql import measure_name
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote

_JOINTS = ("or", "vs", "and")
_FRAME = ("list", "more", "compare", "difference", "ratio", "growth", "share", "often", "points")


@dataclass(frozen=True)
class Pair:
    """Two readings with one measure each, and the words that tell them apart."""

    left: Reading
    right: Reading
    left_words: str
    right_words: str

    @property
    def name(self) -> str:
        """The output name of what is compared."""
        return measure_name(self.left.measures[0])


def compared(ask: Ask) -> Reading | None:
    """Return the reading of a comparison, difference or ratio, None when the question is none."""
    ask = _for_each(ask)
    difference, ratio, growth = ask.at("difference"), ask.at("ratio"), ask.at("growth")
    asks = [ask.at(t) for t in ("compare", "vs", "more")]
    either = ask.at("or") is not None and ask.at("more") is not None
    if difference is None and ratio is None and growth is None and not any(a is not None for a in asks) and not either:
        return None
    separators = (
        ("than", "or", "vs", "to", "and") if ratio is not None or growth is not None else ("than", "or", "vs", "and")
    )
    if difference is not None:
        separators = (*separators, "cmp")
    if ask.items and ask.items[0].tag("by") is not None:
        ask = replace(ask, items=ask.items[1:])
    needs_figure(ask)
    of_which_figure(ask)
    of_each(ask)
    ask = by_figure(ask)
    pair = paired(ask, separators)
    if pair is None and ask.at("compare") is not None:
        pair = _with_that(ask)
    if growth is not None and (pair is None or not _span(pair)):
        if ask.first in lexicon.ASKING:
            refuse("I can't read this as a question for yes or no; ask for the growth by period instead.")
        return None
    if pair is None:
        no_pair(ask)
    figure_said(ask, pair.left, pair.right, f"{pair.left_words} and {pair.right_words}")
    if difference is not None and ask.at("points") is not None and "percentage" not in pair.name:
        return _figure(pair, "difference_in_points", "100.0 * ({a} - {b})")
    if difference is not None:
        less = set(ask.items[difference].words.casefold().split()) & lexicon.LESS
        grown = growth is not None  # "by how much did it grow from 1995 to 1997": the later less the earlier
        return _figure(pair, "difference", "{b} - {a}" if less or grown else "{a} - {b}")
    if growth is not None and ask.first in lexicon.ASKING and ask.items[growth].words.casefold() in lexicon.GROWING:
        return answered(replace(pair, left=pair.right, right=pair.left, left_words=pair.right_words,
                                right_words=pair.left_words), ">")  # fmt: skip
    if growth is not None:
        return _figure(pair, "growth_percent", "100.0 * ({b} - {a}) / nullif({a}, 0)")
    if ratio is not None:
        return _figure(pair, "ratio", "1.0 * {a} / nullif({b}, 0)")
    low = any(m.tag("more") == "asc" for m in ask.items)
    return side_by_side(pair, descending=not low)


def _with_that(ask: Ask) -> Pair | None:
    """`compare the mean cost in the north with that in the south`: the separator is a word that carries no meaning."""
    for i, m in enumerate(ask.items):
        if i > 1 and grammar.COMPARED_WITH & set(m.gap) and not m.tag("and"):
            joint = Mention("and", tags=("and",))
            rest = replace(m, gap=tuple(w for w in m.gap if w not in grammar.COMPARED_WITH))
            items = (*ask.items[:i], joint, rest, *ask.items[i + 1 :])
            if (pair := paired(replace(ask, items=items), ("and",))) is not None:
                return pair
    return None


def _for_each(ask: Ask) -> Ask:
    """`how many gold cards are there for each classic card` is a ratio of the two."""
    at = next((i for i, m in enumerate(ask.items) if m.tag("by") is not None and not m.entries), None)
    if at is None or at + 1 >= len(ask.items) or not ask.items or ask.items[0].tag("count") is None:
        return ask
    if ask.items[at].words.casefold() not in lexicon.EACH:
        return ask
    after = {e.column for e in ask.items[at + 1].of("value")}
    before = {e.column for m in ask.items[:at] for e in m.of("value")}
    if not after & before:
        return ask
    to = Mention("to", tags=("to",))
    return replace(ask, items=(Mention("ratio", tags=("ratio",)), *ask.items[1:at], to, *ask.items[at + 1 :]))


def _span(pair: Pair) -> bool:
    return any(f.op == "range" for f in pair.left.filters)


def paired(ask: Ask, separators: Sequence[str], frame: Sequence[str] = _FRAME) -> Pair | None:
    """Return the two readings around the first separator that joins two like things."""
    places = [
        i for i, m in enumerate(ask.items) if any(m.tag(s) is not None for s in separators) and not m.entries
    ]  # fmt: skip
    for at in places:
        if (found := _around(ask, at, frame)) is not None:
            return found
    spoken = [at for at in places if ask.items[at].words not in ",&"]
    for at in spoken or places:
        if (found := _phrases(ask, at, frame)) is not None:
            return found
    return None


def _kind(items: Sequence[Mention], at: int) -> tuple[str, int]:
    """Return (what stands at a place, how many mentions it takes)."""
    if size := is_period(items, at):
        return "period", size
    m = items[at]
    if _coded(items, at):
        return "coded", 2
    if m.number is not None and at + 1 < len(items) and _unit(items[at + 1]):
        return "unit", 2
    if m.of("value"):
        return "value", 1
    if m.of("condition", "outcome"):
        return "condition", 1
    return ("table", 1) if m.of("table") else ("", 0)


def _coded(items: Sequence[Mention], at: int) -> bool:
    """Whether a column and one of its short values stand at a place: `status B`."""
    m, after = items[at], items[at + 1] if at + 1 < len(items) else None
    return after is not None and _short(after) and bool(m.of("column")) and not m.of("table")


def _unit(m: Mention) -> bool:
    """Whether a mention is the unit of one column: `12-month` says a duration."""
    return len({e.column for e in m.of("unit")}) == 1 and not m.gap


def _short(m: Mention) -> bool:
    """Whether a mention can only be a short value that no index has: the letter of a code."""
    return not m.entries and not m.tags and len(m.words) <= 2 and m.number is None


def _around(ask: Ask, at: int, frame: Sequence[str]) -> Pair | None:
    """Two values, periods or tables right before and after the separator; everything else holds for both."""
    items = list(ask.items)
    start = at + 1
    while start < len(items) and (items[start].tag("in") is not None or items[start].tag("to") is not None):
        start += 1
    if start >= len(items):
        return None
    if at > 1 and _coded(items, at - 2) and _short(items[start]):
        items.insert(start, items[at - 2])  # "of status A and B"
    kind, size = _kind(items, start)
    before = _last(items, at, kind, size)
    if not kind or before is None:
        return None
    left, right = items[before[0] : before[1]], items[start : start + size]
    if kind == "table" and named_by(left[0]) == named_by(right[0]):
        return None  # "accounts with a card and accounts without": two phrases
    of_one = kind != "value" or bool({e.column for e in left[0].of("value")} & {e.column for e in right[0].of("value")})
    if not of_one and not _of_one_thing(left[0], right[0], ask.index):
        return None
    rest = [*items[: before[0]], *items[before[1] : at], *items[start + size :]]
    _only_two(rest, left, right, kind)
    columns = {e.column for e in left[0].of("value")} if kind == "value" else set()
    if whose := next(
        (m for m in rest if grammar.THEIR & set(m.gap) and columns & {e.column for e in m.of("column")}), None
    ):
        refuse(f"I compare a figure of two, and have no place for '{whose.words}'.", whose.words)
    rest = [m for m in rest if m.of("table") or not columns & {e.column for e in m.of("column")}]  # "which region"
    if kind == "value" and not any(m.of("table", "metric") or m.tag("agg") is not None for m in rest):
        tables = {e.table for e in left[0].of("value")} & {e.table for e in right[0].of("value")}
        nouns = [Mention(t, entries=(Entry("table", t),)) for t in list(tables)[:1]]
        front = next((i + 1 for i, m in enumerate(rest) if m.tag("count") is not None and not m.entries), 0)
        rest = [*rest[:front], *nouns, *rest[front:]]  # "number of junior and gold cards issued in 1998"
    if kind == "unit":  # "12-month or 60-month visits": with a duration of 12
        left, right = ([replace(side[1], gap=("with",)), side[0]] for side in (left, right))
    rest = _settle(rest, frame, kind)
    if (
        kind == "value"
        and rest
        and rest[0] is SUM
        and all(_one_row(side[0], rest[1], ask.index) for side in (left, right))
    ):
        rest = [replace(SUM, words="avg", tags=("agg:avg",)), *rest[1:]]  # of one row, a rate as well
    lead = [IN] if kind == "period" else []
    return _read(ask, [*rest, *lead, *left], [*rest, *lead, *right], left, right)


def _one_row(m: Mention, number: Mention, index: SchemaIndex) -> bool:
    """Whether a value names one row of the table that a figure is of."""
    named = {e.column for e in m.of("value") if e.column is not None}
    tables = {e.table for e in number.of("column")}
    return bool(named) and all(c.table in tables and index.unique(c.table, c.name) for c in named)


def _of_one_thing(left: Mention, right: Mention, index: SchemaIndex) -> bool:
    """Whether two values of different columns say which rows of one table: a region, and the name of a district."""
    tables = {e.table for e in left.of("value")} & {e.table for e in right.of("value")}
    labels = {index.label_of(t) for t in tables}
    return any(e.column in labels for m in (left, right) for e in m.of("value") if e.column is not None)


def _only_two(rest: Sequence[Mention], left: Sequence[Mention], right: Sequence[Mention], kind: str) -> None:
    """Refuse a third thing of the same kind: `more crimes, Kladno, Kolin or Decin`."""
    if kind == "period":
        joints = [i for i, m in enumerate(rest) if not m.entries and any(m.tag(t) is not None for t in _JOINTS)]
        third = next((i for i in range(len(rest)) if (n := is_period(rest, i)) and {i - 1, i + n} & {*joints}), None)
        if third is not None:
            refuse("I compare two periods at a time. Ask for the figure by year.", rest[third].words)
    if kind == "unit" and any(_kind(rest, i) == ("unit", 2) for i in range(len(rest))):
        refuse("I compare two things at a time. Ask for the figure by group.")
    if kind != "value":
        return
    columns = {e.column for e in left[0].of("value")} & {e.column for e in right[0].of("value")}
    third = next((m for m in rest if columns & {e.column for e in m.of("value")} and not m.of("table")), None)
    if third is not None:
        refuse(f"I compare two things at a time; '{third.words}' is a third. Ask for the figure by group.", third.words)


def _last(items: Sequence[Mention], at: int, kind: str, size: int) -> tuple[int, int] | None:
    """Return the nearest place before `at` where the same kind of thing stands."""
    for end in range(at, max(0, at - 4), -1):
        for begin in range(max(0, end - 3), end):
            if _kind(items, begin) == (kind, end - begin):
                return begin, end
    return None


def _settle(rest: list[Mention], frame: Sequence[str], kind: str) -> list[Mention]:
    """Drop the words that only said that two things are compared; say what is counted or summed."""
    out = [m for m in rest if not any(m.tag(t) is not None for t in frame) or m.entries]
    kept = []
    for i, m in enumerate(out):
        after = out[i + 1] if i + 1 < len(out) else None
        loose = (
            m.tag("and") is not None
            or m.tag("to") is not None
            or m.tag("in") is not None
            or m.tag("between") is not None
        )
        if loose and (
            after is None or after.tags or not after.known or m.tag("between") is not None or m.words in ",&"
        ):
            continue
        kept.append(m)
    out = kept
    if any(
        m.tag("agg") is not None or m.tag("count") is not None or (m.of("metric") and not m.of("column")) for m in out
    ):
        front = [i for i, m in enumerate(out) if m.tag("agg") is not None or m.tag("count") is not None]
        return [*out[front[0] :], *out[: front[0]]] if front else out
    number = next(
        (m for m in out if any(e.column and e.column.type == "number" for e in m.of("column")) and not m.of("table")),
        None,
    )
    if number is not None:
        return [figure(number), number, *[m for m in out if m is not number]]
    return [COUNT, *out]


def _read(
    ask: Ask, left: list[Mention], right: list[Mention], first: Sequence[Mention], second: Sequence[Mention]
) -> Pair | None:
    a, b = ask.tried(left), ask.tried(right)
    if a is None or b is None:
        return None
    plain = all(len(r.measures) == 1 and not (r.keys or r.order or r.limit or r.having) for r in (a, b))
    if not plain or a.sql == b.sql:
        return None
    if a.measures[0].function != b.measures[0].function and not _two_figures(a, b):
        return None
    for r in (a, b):
        if "count(" not in r.sql and ask.index.engine.query(r.sql).isna().all(axis=None):
            refuse(f"No row fits, so there is nothing to compare: {r.text}.")
    said = sum(m.tag("agg") is not None or bool(m.of("metric")) for m in ask.items)
    if a.measures[0].column != b.measures[0].column and said < 2:
        return None  # "average payments of x and y" is the same figure of both
    return Pair(a, b, _said(first), _said(second))


def _two_figures(a: Reading, b: Reading) -> bool:
    """Whether two figures of one column and of the same rows are compared: its mean and its median."""
    left, right = a.measures[0], b.measures[0]
    told = all(m.function not in ("count", "distinct", "metric") for m in (left, right))
    return told and left.column == right.column and (a.table, a.filters, a.links) == (b.table, b.filters, b.links)


def _said(items: Sequence[Mention]) -> str:
    if len(items) == 2 and items[0].of("column") and (items[1].number is not None or _short(items[1])):
        return items[1].words.upper()  # "status B", "12 month": the value
    values = list(dict.fromkeys(e.value for m in items for e in m.of("value")))
    if len(items) == 1 and len(values) == 1 and isinstance(values[0], str):
        return values[0]
    return " ".join(m.words for m in items if m.tag("in") is None)


def _phrases(ask: Ask, at: int, frame: Sequence[str]) -> Pair | None:
    """Two whole phrases: `loans in default to loans in order`; a figure said first holds for both."""
    left = _settle(list(ask.items[:at]), frame, "")
    right = [m for m in ask.items[at + 1 :] if not any(m.tag(t) is not None for t in frame)]
    if not left or not right or not any(m.entries for m in right):
        return None
    lead = [m for m in left[:1] if m.tag("agg") is not None or m.tag("count") is not None or m.of("metric")]
    of_rows = len(left) > 2 and bool(grammar.OF & set(left[2].gap))  # "mean loan of accounts": a figure of loans
    said_so = len(left) > 1 and flag(left[1], ask.index) is not None  # "certified trainers": of these alone
    lead += [m for m in left[1:2] if lead and not said_so and (of_rows if m.of("table") else m.of("column"))]
    if all(side[0].tag("agg") is not None and not side[0].entries for side in (left, right)):
        pair = _read(ask, left, right, left, right)  # "the average amount and the median amount"
        if pair is not None and _two_figures(pair.left, pair.right):
            return pair
    if not any(m.tag("agg") is not None or m.tag("count") is not None for m in right):
        right = [*lead, *right]
    named = [
        [m for m in side if m not in lead and not any(m.tag(t) is not None for t in frame)] for side in (left, right)
    ]
    if not all(any(m.entries or m.number is not None for m in side) for side in named):
        return None  # a figure, and a list of what it is of
    pair = _read(ask, left, right, *named)
    if pair is None or pair.left.table == pair.right.table:
        return pair
    named_only = [m for m in (*ask.items[:at], *ask.items[at + 1 :]) if m.entries]
    plain = all(m.of("table", "metric") or m.tag("count") is not None for m in named_only)
    return pair if ask.at("ratio") is not None and plain else None  # "number of cards to number of accounts"


def _numbers(pair: Pair) -> tuple[str, str, list[str]]:
    a, b = (f"({_indent(r.sql)})" for r in (pair.left, pair.right))
    names = [_name(pair.left_words), _name(pair.right_words)]
    names = names if names[0] != names[1] and all(names) else ["first", "second"]
    return a, b, names


def _indent(sql: str) -> str:
    return "\n    " + sql.replace("\n", "\n    ") + "\n"


def _name(words: str) -> str:
    name = "_".join("".join(ch if ch.isalnum() else " " for ch in words.casefold()).split())
    return name if not name[:1].isdigit() else f"in_{name}"


def _figure(pair: Pair, name: str, form: str) -> Reading:
    a, b, names = _numbers(pair)
    body = f"WITH figures AS (\n  SELECT {a} AS {quote(names[0])},\n  {b} AS {quote(names[1])}\n)\n"
    figure = form.format(a=quote(names[0]), b=quote(names[1]))
    sql = f"{body}SELECT {figure} AS {name}, {quote(names[0])}, {quote(names[1])}\nFROM figures"
    said = name.replace("_", " ")
    return _made(pair, sql, f"{said} of {pair.left.text} and {pair.right.text}")


def side_by_side(pair: Pair, *, descending: bool = True) -> Reading:
    """Return the reading that lists both figures, the larger first."""
    lines = []
    for words, r in ((pair.left_words, pair.left), (pair.right_words, pair.right)):
        lines.append(f"SELECT {literal(words)} AS compared,\n       {r.sql.removeprefix('SELECT ')}")
    name = quote(pair.name)
    sql = "\nUNION ALL\n".join(lines) + f"\nORDER BY {name}{' DESC' if descending else ''} NULLS LAST"
    return _made(pair, sql, f"{pair.left.text}, compared with {pair.right.text}")


def answered(pair: Pair, op: str) -> Reading:
    """Return the reading of a yes or no: whether the first figure is above (below) the second, with both."""
    a, b, names = _numbers(pair)
    one, two = quote(names[0]), quote(names[1])
    sql = f"WITH figures AS (\n  SELECT {a} AS {one},\n  {b} AS {two}\n)\n"
    sql += f"SELECT {one} {op} {two} AS answer, {one}, {two}\nFROM figures"
    word = {">": "above", "<": "below", ">=": "at least", "<=": "at most", "=": "the same as"}[op]
    return replace(_made(pair, sql, f"whether {pair.left.text} is {word} {pair.right.text}"), kind="yesno")


def _made(pair: Pair, sql: str, text: str) -> Reading:
    if "\nWITH " in f"\n{pair.left.sql}\n{pair.right.sql}":
        refuse("I can't compare two figures that each need several steps.")
    notes = tuple(dict.fromkeys((*pair.left.notes, *pair.right.notes)))
    measures = tuple(replace(m, where=(*m.where, *r.filters)) for r in (pair.left, pair.right) for m in r.measures)
    return Reading("comparison", pair.left.table, measures, text=text, sql=sql, notes=notes)
