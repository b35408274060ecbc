"""A follow-up that points back: `sort them by size`, `how much was that?`, `just the first three`, `and the rest?`.

Each form is put into words as a whole question and held against the reading before: what that one had is still there.
What points back and has no such question is not answered as if nothing had been said before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.grounding.conversation.one_row import only_row
from lexsi_nb.grounding.forms.asking import is_period, split_by
from lexsi_nb.grounding.language import conversation, grammar, retold, vocabulary
from lexsi_nb.grounding.mentions import Mention, said_again
from lexsi_nb.grounding.reading import Filter, PredictivePlan, Reading
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.relations import noticed
from lexsi_nb.grounding.words import singular, tokens

MOST = 1_000  # places of a ranking that a follow-up may ask for
LONGEST_SPAN = 6  # mentions that one condition may have


@dataclass(frozen=True)
class Before:
    """The question before: its words, its reading, and how questions are read."""

    text: str
    found: Any
    index: SchemaIndex
    read: Callable[[str], Any]

    @property
    def items(self) -> list[Mention]:
        """The mentions of its words."""
        return noticed(self.text, self.index).items

    def rows(self) -> str:
        """Return the words for its rows, without what opened the question and the figure that was told of them."""
        text = conversation.COUNTING.sub("", grammar.LISTING.sub("", self.text))
        figure = isinstance(self.found, Reading) and self.found.measures and not counted(self.found)
        return text.partition(conversation.OF)[2] if figure else text

    def kept_in(self, other: Any) -> bool:
        """Whether another reading has the same rows, figures and groups, under the same conditions at least."""
        found = self.found
        alike = isinstance(other, Reading) and isinstance(found, Reading)
        if not alike or (other.table, other.keys) != (found.table, found.keys):
            return False
        return conditions_of(other) >= conditions_of(found) and set(other.links) >= set(found.links)


def continued(base: str, question: str, index: SchemaIndex, read: Callable[[str], Any]) -> str | None:
    """Return the whole question that a follow-up stands for; None where it points at nothing before it.

    A follow-up of a known form that has no whole question comes back as one that is declined.
    """
    text = " ".join(question.split()).strip(" ?.!,")
    if re.fullmatch(vocabulary.LIST_THEM, text, re.IGNORECASE):
        return None
    forms = [(form, m) for pattern, form in _FORMS if (m := pattern.fullmatch(text))]
    forms = [(form, m) for form, m in forms if form is not _fewer or _places(m["n"], question, index)]
    theirs = any(p.fullmatch(text) for p, _ in (*conversation.THEIRS, *conversation.ONE_ROW))
    if not forms and not theirs and not conversation.SAME_PLACE.fullmatch(text):
        return None
    before = Before(base.strip().rstrip(" ?."), read(base), index, read)
    if not isinstance(before.found, Reading | PredictivePlan):
        return None
    for form, match in forms:
        if (whole := form(before, match)) is not None:
            return whole
    if (whole := _of_these(before, text) or _of_this(before, text)) is not None:
        return whole
    if any(m.tag("chart") is not None and not m.entries for m in noticed(question, index).items):
        return None  # "make it a pie chart", of all that was asked
    points = theirs or any(form in _POINTING for form, _ in forms)
    return unresolved(question) if points else None


def _whole_number(word: str) -> int:
    """Return the number that a word says, 0 for another word."""
    said = tokens(word)
    n = said[0].value if len(said) == 1 and said[0].kind == "number" else 0
    return n if isinstance(n, int) else 0


def _places(word: str, question: str, index: SchemaIndex) -> bool:
    """Whether a word may say how many places are wanted: `only 2023` is a year, `just the first 2000` are places."""
    n, items = _whole_number(word), noticed(question, index).items
    ranks = any(m.tag(t) is not None for m in items for t in ("top", "super", "list"))
    return bool(n) and (n <= MOST or ranks or not any(is_period(items, at) for at in range(len(items))))


def _fewer(b: Before, m: re.Match[str]) -> str | None:
    """`just the first three`: as many places of the same ranking."""
    n = _whole_number(m["n"])
    if not 0 < n <= MOST:
        return None
    found, items = b.found, b.items
    ranked = found.top_k if isinstance(found, PredictivePlan) else found.limit
    ordered = isinstance(found, PredictivePlan) or found.order is not None or bool(found.keys)
    ways = [
        said_again([*items[:i], replace(x, words=str(n), number=n), *items[i + 1 :]])
        for i, x in enumerate(items) if ranked and x.number == ranked and not x.entries
    ]  # fmt: skip
    for way in [*ways, conversation.TOP.format(b.text, n)] if ordered else []:
        got = b.read(way)
        if isinstance(found, PredictivePlan):
            if isinstance(got, PredictivePlan) and (got.top_k, got.predict_sql) == (n, found.predict_sql):
                return way
        elif b.kept_in(got) and got.limit == n and (not found.order or got.order == found.order):
            return way
    return None


def _best_of(b: Before, m: re.Match[str]) -> str | None:
    """`loans by region`, `which one is highest?`: the end of those groups."""
    if not isinstance(b.found, Reading) or len(b.found.keys) != 1 or len(b.found.measures) != 1 or b.found.limit:
        return None
    noun, key = (m["noun"] or "").casefold(), b.found.keys[0]
    period = key.grain and any(x.tag("grain") == key.grain for x in noticed(noun, b.index).items)
    if noun and not period and not any(e.column == key.column for e in b.index.lookup([noun])):
        return None
    way = (conversation.TOP if m["high"] else conversation.BOTTOM).format(b.text, 1)
    got = b.read(way)
    if not b.kept_in(got) or (got.limit, got.measures) != (1, b.found.measures) or got.order is None:
        return None
    return way if got.order.descending == bool(m["high"]) else None


def _number(b: Before, _: re.Match[str]) -> str | None:
    """`total amount of orders`, `how many are there?`: the number of the rows that the figure is of."""
    if not isinstance(b.found, Reading) or not b.found.measures or counted(b.found) or b.found.keys or not b.rows():
        return None
    way = retold.HOW_MANY.format(b.rows())
    got = b.read(way)
    return way if b.kept_in(got) and counted(got) else None


def _sorted(b: Before, m: re.Match[str]) -> str | None:
    said = m["way"] or ""
    way = conversation.SORT.format(b.text, m["by"]) + said
    got = b.read(way)
    if b.kept_in(got) and (got.order is not None or got.keys) and got.measures == b.found.measures:
        return way
    return _by_figure(b, m["by"], rises=any(x.tag("asc") is not None for x in noticed(said, b.index).items))


def _by_figure(b: Before, by: str, *, rises: bool) -> str | None:
    """`mean amount by region`, `sort by the mean`: those groups by their only figure, which `by` calls what it is."""
    found = b.found
    if not isinstance(found, Reading) or not found.keys or len(found.measures) != 1 or found.limit:
        return None
    [figure], items = found.measures, noticed(by, b.index).items
    alike = all(
        x.tag(figure.function) is not None
        or x.tag("agg") == figure.function
        or any(e.column == figure.column if figure.column else e.table == found.table for e in x.entries)
        for x in items
    )
    way = (conversation.RISING if rises else conversation.DESCENDING).format(b.text)
    got: Any = b.read(way) if items and alike else None
    if not b.kept_in(got) or got.measures != found.measures or got.order is None:
        return None
    return way if got.order.descending != rises else None


def _part_of_it(b: Before, m: re.Match[str]) -> str | None:
    """`total loan amount`, `how much of that went to women?`: the same figure under one condition more."""
    found = b.found
    if not isinstance(found, Reading) or found.keys or found.limit or len(found.measures) != 1:
        return None
    ways = [f"{b.text} {m['how']} {m['what']}", f"{b.text}{conversation.OF}{m['what']}"]
    for way in ways if found.measures[0].function in ("sum", "count") else []:
        got = b.read(way)
        if b.kept_in(got) and got.measures == found.measures and (conditions_of(got), got.links) != (
            conditions_of(found), found.links):  # fmt: skip
            return way
    return None


def _unbound(b: Before, m: re.Match[str]) -> str | None:
    """`now for all loans`: the question before without its conditions, or without the one on what is named."""
    if not isinstance(b.found, Reading) or not (b.found.filters or b.found.links):
        return None
    named = b.index.lookup([m["noun"].casefold()]) if m["noun"] else ()
    whole = not m["noun"] or any(e.kind == "table" and e.table == b.found.table for e in named)
    columns = {e.column for e in named if e.kind == "column"}
    left = () if whole else tuple(f for f in b.found.filters if f.column not in columns)
    if not whole and (not columns or left == b.found.filters):
        return None
    for way in _shorter(b.items):
        got = b.read(way)
        same = isinstance(got, Reading) and (got.kind, got.table, got.keys, got.limit, got.order) == (
            b.found.kind, b.found.table, b.found.keys, b.found.limit, b.found.order)  # fmt: skip
        if same and got.measures == b.found.measures and not got.links and set(got.filters) == set(left):
            return way
    return None


def _shorter(items: Sequence[Mention]) -> Iterator[str]:
    """Give the question without each run of mentions that may be a condition, the shortest first."""
    for size in range(1, min(LONGEST_SPAN, len(items) - 1) + 1):
        for at in range(len(items) - size + 1):
            run = items[at : at + size]
            if any(m.of("value", "condition") or m.number is not None or m.day for m in run):
                yield said_again([*items[:at], *items[at + size :]])


def _other_side(b: Before, m: re.Match[str]) -> str | None:
    """`opened before 1995`, `and since then?`: the other side of the day."""
    items = b.items
    at = [i for i, x in enumerate(items) if x.tag("date") in conversation.OTHER_SIDE and not x.entries]
    if len(at) != 1 or not isinstance(b.found, Reading):
        return None
    way = items[at[0]].tag("date") or ""
    if bool(m["later"]) != way.startswith("<"):
        return None
    new = Mention(conversation.OTHER_SIDE[way], tags=items[at[0]].tags, gap=items[at[0]].gap)
    text = said_again([*items[: at[0]], new, *items[at[0] + 1 :]])
    got = b.read(text)
    alike = isinstance(got, Reading) and (got.kind, got.table, got.keys) == (b.found.kind, b.found.table, b.found.keys)
    return text if alike and len(got.filters) == len(b.found.filters) and got.filters != b.found.filters else None


def _money(b: Before, _: re.Match[str]) -> str | None:
    """`how many loans in 1995`, `how much money was that?`: the sum of what says how large a row is."""
    if not isinstance(b.found, Reading) or not counted(b.found):
        return None
    facts = b.index.facts.tables.get(b.found.table)
    if facts is None or not facts.size:
        return None
    way = conversation.SIZE.format(facts.size, b.rows())
    got = b.read(way)
    return way if b.kept_in(got) and [m.function for m in got.measures] == ["sum"] else None


def _share(b: Before, m: re.Match[str]) -> str | None:
    """`how many clients are women`, `what share is that?`: of all rows of the table."""
    found = b.found
    if not isinstance(found, Reading) or not counted(found):
        return None
    if found.keys:
        way = conversation.IN_PERCENT.format(b.text)
        got = b.read(way)
        return way if b.kept_in(got) and any(x.of_total for x in got.measures) else None
    if not (found.filters or found.links):
        return None
    noun = (m["noun"] or "").casefold()
    if noun and not any(e.kind == "table" and e.table == found.table for e in b.index.lookup([noun])):
        return None
    way = conversation.PERCENT_OF.format(b.rows())
    got = b.read(way)
    if not isinstance(got, Reading) or (got.table, got.filters, got.links) != (found.table, (), ()):
        return None
    shares = [x for x in got.measures if x.share]
    kept = len(shares) == 1 and set(shares[0].where) == set(found.filters) and set(shares[0].links) == set(found.links)
    return way if kept else None


def _also_by(b: Before, m: re.Match[str]) -> str | None:
    """`and by region too`, `split that by region`: one group more."""
    if not isinstance(b.found, Reading) or not (m["verb"] or m["also"] or m["too"]):
        return None
    _, by = split_by(b.items)
    ways = (grammar.AND, grammar.BY) if by else (grammar.BY, grammar.BY)
    joint = next(iter(w for w in ways[0] if w.isalpha()), "")
    way = f"{b.text} {joint} {m['by']}"
    got = b.read(way)
    alike = isinstance(got, Reading) and (got.table, got.filters, got.links) == (
        b.found.table, b.found.filters, b.found.links)  # fmt: skip
    return way if alike and set(b.found.keys) < set(got.keys) else None


def _without(b: Before, m: re.Match[str]) -> str | None:
    """`leave out D`: one condition more, that none of these is among the rows."""
    found = b.found
    if not isinstance(found, Reading):
        return None
    head, by = map(said_again, split_by(b.items))
    what = m["what"] or m["that"]
    named = [f"{k.column.name} {what}" for k in found.keys]
    for said in (what, *named):
        out = conversation.EXCLUDING.format(said)
        for way in (f"{head} {out} {by}".strip(), f"{b.text} {out}"):
            got = b.read(way)
            more = conditions_of(got) - conditions_of(found) if b.kept_in(got) else set()
            if len(more) == 1 and all(f.negated for f in more):
                return way
    return None


def _the_rest(b: Before, _: re.Match[str]) -> str | None:
    """`how many accounts have a card`, `and how many don't?`: both together are all the rows there are."""
    found = b.found
    if not isinstance(found, Reading) or not counted(found) or found.keys:
        return None
    for pattern, said in ((conversation.HAS, conversation.WITHOUT), (conversation.ASIDE, conversation.NO_SUCH)):
        match = pattern.fullmatch(b.text)
        way = said.format(match["head"], match["what"]) if match else ""
        got = b.read(way) if way else None
        if not isinstance(got, Reading) or not counted(got) or got.keys or got.table != found.table:
            continue
        total = b.index.engine.query(f"SELECT count(*) AS n FROM {quote(found.table)}").iloc[0, 0]
        counts = [b.index.engine.query(r.sql).iloc[0, 0] for r in (found, got)]
        if sum(counts) == total:
            return way
    return None


def _of_these(b: Before, text: str) -> str | None:
    """`loans above 300,000`, `what is their average duration?`: of those rows."""
    found = b.found
    if not isinstance(found, Reading) or found.limit or found.keys or len(found.measures) > 1 or not b.rows():
        return None
    for pattern, whole in conversation.THEIRS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        way = " ".join(match.expand(whole).format(b.rows()).split())
        got = b.read(way)
        if not isinstance(got, Reading):
            continue
        rows = conditions_of(found)
        if conditions_of(got) >= rows and set(got.links) >= set(found.links) and (rows or got.table == found.table):
            return way
    return None


def points_at_nothing(whole: str, question: str) -> bool:
    """Whether a follow-up came back as one that is declined, as what it points at has no such question."""
    return whole == unresolved(question)


def unresolved(question: str) -> str:
    return " ".join([question.rstrip(" ?."), *grammar.OF_THOSE])


def _of_this(b: Before, text: str) -> str | None:
    """`which district has the highest salary`, `how many clients live there?`: of the one row that was the answer."""
    found = b.found
    if not isinstance(found, Reading):
        return None
    place = conversation.SAME_PLACE.fullmatch(text)
    column, value = only_row(found, b.index, named=place is not None)
    if column is None:
        return None
    if place is not None:
        ways = [conversation.IN_PLACE.format(place["head"], value, place["tail"] or "")]
    else:
        noun = "" if column.type == "text" else f"{singular(column.table)} "
        matches = [(m, whole) for pattern, whole in conversation.ONE_ROW if (m := pattern.fullmatch(text))]
        ways = [" ".join(m.expand(whole).format(f"{noun}{value}").split()) for m, whole in matches]
    for way in ways:
        got = b.read(way)
        if isinstance(got, Reading) and any(f.column == column and value in f.values for f in conditions_of(got)):
            return way
    return None


def counted(r: Reading) -> bool:
    """Whether a reading is the number of rows of its table, and nothing else."""
    plain = len(r.measures) == 1 and r.measures[0].function == "count" and not r.measures[0].share
    return plain and not r.measures[0].where and not r.measures[0].links and not r.having


def conditions_of(r: Any) -> set[Filter]:
    """Return the conditions of a reading, wherever they stand, without their words."""
    inner = [f for link in r.links for f in link.filters]
    every: list[Filter] = [*r.filters, *inner, *(f for m in r.measures for f in m.where)]
    return {_unworded(f) for f in every}


def _unworded(f: Filter) -> Filter:
    return replace(f, words="", table=f.home, parts=tuple(map(_unworded, f.parts)))


_FORMS = (
    (conversation.FEWER, _fewer),
    (re.compile(vocabulary.COUNT_THEM, re.IGNORECASE), _number),
    (conversation.BEST_OF, _best_of),
    (conversation.SORTED, _sorted),
    (conversation.UNBOUND, _unbound),
    (conversation.PART_OF_IT, _part_of_it),
    (conversation.SINCE, _other_side),
    (conversation.MONEY, _money),
    (conversation.SHARE, _share),
    (conversation.ALSO_BY, _also_by),
    (conversation.OMITTED, _without),
    (conversation.OTHERS, _the_rest),
)
_POINTING = (_fewer, _sorted, _part_of_it, _unbound, _other_side)
