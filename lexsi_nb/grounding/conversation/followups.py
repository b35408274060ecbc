"""A question that leans on the one before it, made whole: `and by size?`, `only for 1996`, `as a chart`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.conversation.bounding import bounded, lost
from lexsi_nb.grounding.conversation.conversing import continued, counted, points_at_nothing, unresolved
from lexsi_nb.grounding.conversation.further_places import compares, gone_on
from lexsi_nb.grounding.conversation.pictures import drawn_anew, not_a_picture, picture_alone
from lexsi_nb.grounding.conversation.pointing import points_back
from lexsi_nb.grounding.conversation.turning import turned
from lexsi_nb.grounding.forms.asking import is_period, split_by
from lexsi_nb.grounding.language import conversation, grammar, lexicon, retold, vocabulary
from lexsi_nb.grounding.mentions import Mention, said_again
from lexsi_nb.grounding.predictions.explaining import Explained, asked, reasons_of
from lexsi_nb.grounding.reading import Choice, Column, Declined, Filter, PredictivePlan, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import _filter as told
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.wordings.pinned import parted
from lexsi_nb.grounding.wordings.relations import noticed
from lexsi_nb.grounding.words import place, tokens

Reader = Callable[[str], Any]
_RANKS = ("top", "super", "most", "mode")
LONGEST = 8  # mentions a follow-up may have


def whole_question(previous: Sequence[str], question: str, index: SchemaIndex, read: Reader) -> str | Explained:
    """Return the question with what it leaves unsaid taken from the questions before, oldest first.

    A question that can stand by itself comes back as it is; so does one that fits nothing before it.
    """
    base = ""  # the whole question before
    explained = False  # whether one case was explained right before
    among = False  # whether it was asked right before how many of some rows are something
    for at, earlier in enumerate((*previous, question)):
        lead, plain, tail = parted(base)

        def around(q: str, lead: str = lead, tail: str = tail) -> Any:
            return read(f"{lead}{q}{tail}")

        full = _next_case(plain, earlier, index, around) if explained else None
        was, among = among, bool(base and conversation.AMONG.fullmatch(earlier.strip().rstrip(" ?.!")))
        full = unresolved(earlier) if was and among else full  # of all of them, or of those that are the first?
        full = (
            full or asked(plain, earlier, index, around) or (_full(plain, earlier, index, around) if base else earlier)
        )
        if isinstance(full, str) and full != earlier:
            full = f"{lead}{full}{tail}"
        if at == len(previous):
            return full
        explained = isinstance(full, Explained) and full.kind == "reasons"
        aside = isinstance(full, str) and (points_at_nothing(full, earlier) or _aside(full, index, read))
        aside = aside or (isinstance(full, str) and not_a_picture(earlier, full, index, read))
        if not (base and (aside or compares(earlier))):
            base = full.question if isinstance(full, Explained) else full
    return question


def _aside(question: str, index: SchemaIndex, read: Reader) -> bool:
    """Whether a question that names nothing of its own had no answer: the next one goes on with the one before it.

    What names rows, an unknown thing or another place of a ranking may be what the next one is about.
    """
    items = noticed(question, index).items
    ranks = (*_RANKS, "nth")
    own = any(m.of("table", "metric", "outcome") or any(m.tag(t) is not None for t in ranks) for m in items)
    return not own and all(m.known for m in items) and isinstance(read(question), Declined)


def _next_case(base: str, question: str, index: SchemaIndex, read: Reader) -> Explained | None:
    """`why the first one?`, `and the second?`: the reasons of another case."""
    match = conversation.NEXT_CASE.fullmatch(question.strip().rstrip(" ?.!"))
    return reasons_of(match["case"], base, index, read) if match else None


def _full(base: str, question: str, index: SchemaIndex, read: Reader) -> str | Explained:
    if (narrowed := _narrowed(base, question, read) or bounded(base, question, index, read)) is not None:
        return narrowed
    if conversation.AS_TABLE.fullmatch(question.strip().rstrip(" ?.!")) and isinstance(read(base), Reading):
        return said_again([m for m in noticed(base, index).items if m.tag("chart") is None or m.entries])
    if (later := gone_on(base, question, index, read)) is not None:
        return later
    if (other := continued(base, question, index, read) or turned(base, question, index, read)) is not None:
        return other
    items = noticed(question, index).items
    if picture_alone(question, index) and isinstance(read(base), Reading):
        return drawn_anew(base, question, index, read)
    if (ranked := _ranked_among(base, question, items, read)) is not None:
        return ranked
    if (reason := _reason(base, question, items, read)) is not None:
        return reason
    marked = _marked(question)
    if marked and (other := _other_column(base, items, index, read)) is not None:
        return other
    if not items or len(items) > LONGEST or not (marked or _bare(items)):
        return question
    over_time = any(m.tag(t) is not None and not m.entries for m in items for t in ("trend", "growth", "running"))
    whole = _whole(items) or (over_time and any(m.of("table") for m in items))  # "trend of loans"
    if (not marked and whole) or isinstance(read(base), Declined):
        return question
    ranked = any(m.tag(t) is not None and not m.entries for m in noticed(base, index).items for t in _RANKS)
    if ranked and any(m.tag("top") is not None and not m.entries for m in items):
        return question  # another ranking, which the one before has no place for
    if not marked and (any(m.tag("predictive") is not None for m in items)
                       or isinstance(read(question), (Reading, PredictivePlan))):  # fmt: skip
        return question
    before = read(base)
    said = [m for m in items if m.entries or not any(m.tag(t) is not None for t in ("question", "and"))]
    groups_alone = not split_by(said)[0]  # "now by quarter": with all conditions
    ways = [
        way
        for said in _without_rows(items, before)
        for way in _joined(base, said, index, replacing=_replaces(question), used=_columns_used(before))
    ]
    for text in ways:
        whole = read(text)
        dropped = groups_alone and lost(before, whole)
        if isinstance(whole, (Reading, PredictivePlan)) and not dropped and not _figure_lost(before, whole):
            return text
    after = _said_after(base, question, read) if marked else None
    if after is None and ways and re.match(vocabulary.NARROWING, question.strip(), re.IGNORECASE):
        return ways[-1] if isinstance(read(base), Reading) else question  # no question of its own
    if after is None and marked and not _asks(items) and _figure_lost(before, read(question)):
        return " ".join([question.rstrip(" ?."), *grammar.OF_THOSE])  # which nothing answers
    return after or question


def _without_rows(items: Sequence[Mention], before: Any) -> list[list[Mention]]:
    """Return what a follow-up says, at first without the rows of before: `and for invoice tickets?`."""
    table = before.table if isinstance(before, Reading) and before.measures else ""
    plain = [
        m for m in items if not m.of("table") or m.of("value", "column") or table not in {e.table for e in m.entries}
    ]
    return [plain, list(items)] if table and any(m.of("value") for m in plain) else [list(items)]


def _figure_lost(before: Any, whole: Any) -> bool:
    """Whether a figure was asked for before, and only rows are listed now."""
    figure = isinstance(before, Reading) and bool(before.measures)
    return figure and isinstance(whole, Reading) and not whole.measures


def _said_after(base: str, question: str, read: Reader) -> str | None:
    """`count of cities in Germany`, `only those above a million people`: said in the order it was said in."""
    low, found = question.strip().casefold(), read(base)
    lead = max((p for p in lexicon.GOING_ON if low.startswith(f"{p} ")), key=len, default="")
    text = f"{base.rstrip(' ?.')} {question.strip()[len(lead) :].strip()}"
    whole = read(text) if lead and isinstance(found, Reading) else None
    if not isinstance(whole, Reading) or not isinstance(found, Reading):
        return None
    kept = (whole.kind, whole.table, whole.measures) == (found.kind, found.table, found.measures)
    return text if kept and set(found.filters) < set(whole.filters) and whole.links == found.links else None


def _ranked_among(base: str, question: str, items: Sequence[Mention], read: Reader) -> str | None:
    """`countries in Asia`, `the five largest by area`: of those, and not of all countries."""
    ranks = any(not m.entries and (m.tag("super") is not None or m.tag("top") is not None) for m in items)
    if not ranks or any(m.of("table", "value") for m in items) or not isinstance(found := read(base), Reading):
        return None
    if found.kind != "list" or found.limit or not (found.filters or found.links):
        return None
    rows = grammar.LISTING.sub("", base.strip().rstrip(" ?."))
    head, by, column = question.strip().rstrip(" ?.").partition(retold.BY_JOINT or "\n")
    ways = [f"{head} {rows}{by}{column}", f"{retold.OF.format(head, rows)}{by}{column}"]
    for text in ways:
        whole = read(text)
        if isinstance(whole, Reading) and (whole.filters, whole.links) == (found.filters, found.links):
            return text
    return " ".join([question.rstrip(" ?."), *grammar.OF_THOSE])  # which nothing answers


def _other_column(base: str, items: Sequence[Mention], index: SchemaIndex, read: Reader) -> str | None:
    """`median height`, `and weight?`: the same figure of another column."""
    said = [m for m in items if m.entries or (m.tag("and") is None and m.tag("question") is None)]
    found = read(base)
    if len(said) != 1 or not said[0].of("column") or said[0].of("table", "value") or not isinstance(found, Reading):
        return None
    figures = [m.column for m in found.measures if m.column is not None and m.function not in ("count", "distinct")]
    before = noticed(base, index).items
    at = [i for i, m in enumerate(before) if figures and any(e.column == figures[0] for e in m.of("column"))]
    if len(at) != 1:
        return None
    text = said_again([*before[: at[0]], replace(said[0], gap=before[at[0]].gap), *before[at[0] + 1 :]])
    return text if isinstance(read(text), Reading) else None


def _columns_used(found: Any) -> set[Column]:
    """Return the columns that the question before had conditions on."""
    if not isinstance(found, Reading):
        return set()
    inner = [f for link in found.links for f in link.filters]
    return {f.column for f in (*found.filters, *inner) if f.column is not None}


def _narrowed(base: str, question: str, read: Reader) -> str | None:
    """`and of those, how many were refunded?`: the question before with one more condition."""
    among = conversation.AMONG.fullmatch(question.strip().rstrip(" ?.!"))
    if among is not None and isinstance(before := read(base), Reading) and before.sql:
        narrowed = _narrowed(base, conversation.OF_THEM.format(among["what"]), read)
        return narrowed or (unresolved(question) if lost(before, read(question)) else None)
    found = re.match(vocabulary.OF_THOSE, question.strip(), re.IGNORECASE)
    more = question.strip()[found.end() :].strip(" ?.,") if found else ""
    if not more or not isinstance(read(base), (Reading, PredictivePlan)):
        return None  # where nothing was answered, there are no rows of it
    text = base.rstrip(" ?.")
    has = grammar.HOLDING.match(more)
    ways = [retold.AND.format(text, more), f"{text} {more}", retold.WITH.format(text, more)]
    if has:
        ways = [retold.WITH.format(text, more[has.end() :]), retold.THAT.format(text, more)]
    counts = grammar.ASKS_HOW_MANY.search(question)
    before = read(base)
    if isinstance(before, Reading) and before.limit:
        return unresolved(question)  # "the five largest", "how many of them": not the five largest of those
    if counts and isinstance(before, Reading) and before.kind == "list":
        rows = grammar.LISTING.sub("", text)
        ways = [w.replace(text, retold.HOW_MANY.format(rows), 1) for w in ways]
    elif counts and isinstance(before, Reading) and before.measures and not counted(before):
        return None  # a figure of those rows, and not their number
    return next((w for w in ways if isinstance(got := read(w), Reading) and not lost(before, got)), None)


def _marked(question: str) -> bool:
    """Whether the first words say that the question goes on with the one before."""
    low = [t.low for t in tokens(question) if t.kind != "sign"]
    return any(low[: len(p.split())] == p.split() for p in lexicon.GOING_ON)


def unanswered(previous: Sequence[str], question: str, index: SchemaIndex, read: Reader) -> str:
    """Return the question right before a follow-up, where that had no answer; "" for others.

    A follow-up goes on with the one before by its first words, names conditions or groups alone, or points back.
    """
    while previous and picture_alone(previous[-1], index):
        previous = previous[:-1]  # of what was asked before it, and so is this one
    if not previous or not goes_on(question, index):
        return ""
    whole = whole_question(previous[:-1], previous[-1], index, read)
    return previous[-1] if isinstance(whole, str) and isinstance(read(whole), (Declined, Choice)) else ""


def goes_on(question: str, index: SchemaIndex) -> bool:
    """Whether a question goes on with the one before by its first words, by what it names alone, or points back."""
    try:
        items = noticed(question, index).items
    except Unread:
        return False  # open by itself: what it asks is asked
    alone = bool(items) and len(items) <= LONGEST and _bare(items) and not _whole(items)
    return _marked(question) or alone or points_back(question, index)


def _replaces(question: str) -> bool:
    low = [t.low for t in tokens(question)]
    return not (grammar.JUST & set(low))


def _whole(items: Sequence[Mention]) -> bool:
    """Whether a question names its rows first and says something of them: it stands by itself, read or not."""
    said = [m for m in items if m.tag("list") is None or m.entries]
    return len(said) > 1 and bool(said[0].of("table")) and not said[0].gap and said[0].tag("by") is None


def kept(reading: Reading, before: Reading) -> str:
    """Return the conditions and groups that a follow-up took over from the reading before, in words; "" without any."""
    said = [told(f, reading.table) for f in _all(reading) if f in _all(before)]
    said += [f"by {k.grain + ' of ' if k.grain else ''}{k.column.name}" for k in reading.keys if k in before.keys]
    return ", ".join(dict.fromkeys(said))


def dropped(reading: Reading, before: Reading) -> str:
    """Return the conditions and groups of the reading before that a follow-up has no more, in words; "" without any.

    Another condition on the same column, or another group where none was said to be beside it, stands in their place.
    """
    now = _all(reading)
    said = [
        told(f, reading.table)
        for f in _all(before)
        if f not in now and not any(f.column is not None and f.column == x.column for x in now)
    ]
    groups = [k for k in before.keys if k not in reading.keys]
    said += [f"by {k.grain + ' of ' if k.grain else ''}{k.column.name}" for k in groups]
    return ", ".join(dict.fromkeys(said))


def _all(reading: Reading) -> list[Filter]:
    inner = [f for link in reading.links for f in link.filters]
    return [*reading.filters, *inner, *(f for m in reading.measures for f in m.where)]


def _bare(items: Sequence[Mention]) -> bool:
    """Whether the mentions are conditions, groups or a chart alone: nothing is asked for."""
    first = items[0]
    return first.tag("by") is not None or first.tag("chart") is not None or not _asks(items)


def _asks(items: Sequence[Mention]) -> bool:
    """Whether a figure, an order or a list is asked for."""
    asking = ("count", "agg", "super", "most", "list", "top", "share", "retention", "vintage")
    return any(m.tag(t) is not None for m in items for t in asking)


def _joined(
    base: str, items: Sequence[Mention], index: SchemaIndex, *, replacing: bool, used: set[Column]
) -> list[str]:
    """Return the ways to put what was said into the question before, the likeliest first."""
    said = [m for m in items if m.tag("question") is None or m.entries]
    while said and (said[0].tag("and") is not None or said[0].tag("list") is not None) and not said[0].entries:
        said.pop(0)
    charts = [m for m in said if m.tag("chart") is not None and not m.entries]
    said = [m for m in said if m not in charts]
    before = [m for m in noticed(base, index).items]
    head, by = split_by(before)
    end = "?" if base.rstrip().endswith("?") else ""
    lead = " ".join(m.words for m in charts)
    if not said:
        return []
    conditions, groups = split_by(said)
    ways: list[str] = []
    if groups and not conditions:
        rest = [said_again([*head, *by[cut:], *groups]) for cut in range(2, len(by))]  # "by month in 1998 for women"
        ways += [said_again([*head, *groups]), *rest]
    elif conditions and replacing and (swapped := _swapped(before, conditions)):
        ways.append(said_again([*swapped, *groups]))
        ways += [said_again([*_swapped(before, conditions, lead=c.name), *groups]) for c in _shared(conditions, used)]
    if conditions:
        lone = conditions[0].tag("in") is None and is_period(conditions, 0)
        extra = [Mention("in", tags=("in",)), *conditions] if lone else list(conditions)
        ways += [said_again([*head, *extra, *(groups or by)]), said_again([*before, *extra, *groups])]
        if not replacing and (other := _other_year(before, conditions)):
            ways.append(said_again([*other, *groups]))
    return [f"{lead} {w}".strip() + end for w in ways]


def _shared(conditions: Sequence[Mention], used: set[Column]) -> list[Column]:
    return [
        c for c in dict.fromkeys(e.column for m in conditions for e in m.of("value")) if c in used and c is not None
    ]


def _swapped(before: Sequence[Mention], conditions: Sequence[Mention], lead: str = "") -> list[Mention]:
    """Return the mentions with the value or period of before in place of the new one; empty where there is none.

    `lead` is a column's name to say before the value, where it could be one of several columns.
    """
    new = [m for m in conditions if m.tag("in") is None or m.entries]
    if len(new) == 1 and new[0].of("value"):
        columns = {e.column for e in new[0].of("value")}
        at = [i for i, m in enumerate(before) if columns & {e.column for e in m.of("value")}]
        if len(at) == 1:
            said = [Mention(lead, gap=before[at[0]].gap)] if lead else []
            kept = [replace(new[0], gap=()) if said else replace(new[0], gap=before[at[0]].gap)]
            return [*before[: at[0]], *said, *kept, *before[at[0] + 1 :]]
    size = is_period(new, 0) if new else 0
    if size and size == len(new):
        found = [(i, n) for i in range(len(before)) if (n := is_period(before, i))]
        if len(found) == 1:
            i, n = found[0]
            return [*before[:i], *new, *before[i + n :]]
    return _other_bound(before, new)


def _other_year(before: Sequence[Mention], conditions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with another year for the only one of before: `only 2024` after `only 2023`."""
    new = [m for m in conditions if m.tag("in") is None or m.entries]
    at = [i for i, m in enumerate(before) if is_year(m)]
    plain = len(new) == len(at) == 1 and is_year(new[0]) and is_period(before, at[0]) == 1
    return _swapped(before, conditions) if plain else []


def _other_bound(before: Sequence[Mention], new: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with another bound for the one of before: `over 200000`, `and over 300000?`."""
    for tag in ("cmp", "date"):
        if not new or new[0].tag(tag) is None or new[0].entries:
            continue
        plain = len(new) == 2 and new[1].number is not None
        if not (is_period(new, 1) == len(new) - 1 if tag == "date" else plain):
            continue
        sizes = [
            (i, 1 + (is_period(before, i + 1) if tag == "date" else int(before[i + 1].number is not None)))
            for i in range(len(before) - 1)
            if before[i].tag(tag) is not None and not before[i].entries
        ]
        if len(sizes) == 1 and sizes[0][1] > 1:
            i, n = sizes[0]
            return [*before[:i], replace(new[0], gap=before[i].gap), *new[1:], *before[i + n :]]
    return []


def _reason(base: str, question: str, items: Sequence[Mention], read: Reader) -> Explained | None:
    """`why the second one?`, `why 5314?`: the case of the ranking before."""
    words = [t for t in tokens(question) if t.kind != "sign"]
    if not words or words[0].low not in grammar.WHY or not isinstance(read(base), PredictivePlan):
        return None
    places = [n for t in words if (n := place(t.low))]
    numbers = [t.value for t in words if t.kind == "number" and not (places and t.low in grammar.ONE)]
    if len(places) == 1 and not numbers:
        return Explained(base, place=places[0])
    if len(numbers) == 1 and not places:
        return Explained(base, case=numbers[0])
    return None
