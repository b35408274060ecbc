"""Shares: what percentage of the rows, or of a sum, a condition or a group holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.asking import COUNT, SUM, Ask, figure, refuse, split_by
from lexsi_nb.grounding.forms.flags import flag
from lexsi_nb.grounding.forms.share_asked import bound_of, held_against, placed_last
from lexsi_nb.grounding.forms.share_groups import ranked_share, share_above, share_within
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Filter, Key, Link, Measure, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import filter_said, phrasing
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.wordings.periods import period


def share(ask: Ask) -> Reading | None:
    """Return the reading of a question for a share, None when it asks for none."""
    if ask.at("share") is None or ask.at("growth") is not None:
        return None
    if (bound := bound_of(ask)) is not None:
        return held_against(share(replace(ask, items=bound.items, first="")), bound)
    _shared(ask.items)
    for special in (ranked_share, share_above, share_within):
        if (found := special(ask)) is not None:
            return found
    items = [m for m in ask.items if m.tag("share") is None]
    while items and (items[0].tag("list") is not None or items[0].tag("count") is not None):
        items.pop(0)
    while items and items[-1].tag("in") is not None:
        items.pop()
    if len(items) > 1 and items[-1].tag("agg") == "sum" and not items[-1].entries:
        items.pop()  # "in percent of the total"
    if not items:
        refuse("A percentage of what?")
    within = next((i for i, m in enumerate(items) if m.tag("among") is not None), None)
    if within:
        base, by = split_by(items[within + 1 :])
        if base and by and key_size(by) == len(by):  # "share of women among the clients of each region"
            return _of(ask, base, items[:within], by, each=True)
        return _of(ask, items[within + 1 :], items[:within], ())
    head, by = split_by(items)
    size = key_size(by)
    if not head and size == len(by) > 1:  # "share of each card type"
        tables = {e.table for m in by[1:] for e in m.of("table", "column")}
        if len(tables) == 1:
            head = tuple(Mention(t, entries=(Entry("table", t),)) for t in tables)
    if by[size:] and set(by[size].gap) & lexicon.VERBS:  # "what share of clients in each region are women"
        return _of(ask, head, by[size:], by[:size], each=True)
    head = _named_rows(head, ask.index, grouped=bool(by))
    split = _predicate(head, ask.index)
    return _of(ask, head[:split], head[split:], by)


def _named_rows(head: tuple[Mention, ...], index: SchemaIndex, *, grouped: bool) -> tuple[Mention, ...]:
    """`share of junior cards`, `of bad loans`, `of women`: of all rows of the one table that such words are of."""
    if len(head) == 2 and head[0].of("condition") and head[1].of("table") and not (head[1].gap or grouped):
        return (head[1], replace(head[0], gap=("with",)))
    if len(head) != 1 or not (told := head[0].of("value", "condition")) or len(told) != len(head[0].entries):
        return head
    last = {e.table for e in index.lookup([head[0].words.casefold().split()[-1]]) if e.kind == "table"}
    tables = {e.table for e in told}
    coded = not grouped and all(e.kind == "value" and index.named_code(e) for e in told)  # a code book says who
    if len(tables) != 1 or not (tables & last or coded):
        return head
    table = next(iter(tables))
    return (Mention(table, entries=(Entry("table", table),)), replace(head[0], gap=("with",)))


def _shared(items: Sequence[Mention]) -> None:
    """Refuse `how many clients share an account`: to share is to have together, and no percentage."""
    for before, m, after in zip(items, items[1:], items[2:], strict=False):
        verb = m.words.casefold() in grammar.TO_SHARE and before.of("table", "value") and not m.gap
        if verb and (set(after.gap) & grammar.A or after.words.casefold() in grammar.THE_SAME):
            refuse("I don't read what rows share; ask for groups with more than one row.", m.words)


def key_size(by: Sequence[Mention]) -> int:
    """Return how many mentions of "by ..." name the groups, the word for "by" among them."""
    end = min(1, len(by))
    while end < len(by) and (by[end].of("table", "column") or by[end].tag("grain") is not None):
        if set(by[end].gap) & lexicon.VERBS:
            break
        end += 1
        joint = end + 1 < len(by) and by[end].tag("and") is not None and by[end].words not in (",", "&")
        end += 1 if joint and by[end + 1].of("table", "column") else 0
    return end


def of_groups(ask: Ask, rest: Sequence[Mention], keys: Sequence[Mention]) -> Reading:
    """Return the reading of the share that a condition has in each group."""
    by = (Mention("in each", tags=("by",)), *keys)
    among = next((i for i, m in enumerate(rest) if m.tag("among") is not None and not m.entries), None)
    if among:
        return _of(ask, rest[among + 1 :], rest[:among], by, each=True)
    split = _predicate(rest, ask.index)
    return _of(ask, rest[:split], rest[split:], by, each=True)


def _predicate(items: Sequence[Mention], index: SchemaIndex) -> int:
    """Return where the condition begins: at the main verb, else at a relative word, else after the first noun."""
    verbs = [i for i in range(1, len(items)) if set(items[i].gap) & lexicon.MAIN_VERBS]
    if verbs:
        first, last = verbs[0], verbs[-1]
        joined = items[last - 1].tag("and") is not None and set(items[first].gap) & grammar.RELATIVE_PRONOUN
        return first if joined else last  # "clients that are women and have a loan": both are the part
    loose = [
        i for i in range(1, len(items)) if set(items[i].gap) & lexicon.VERBS or items[i].tag("without") is not None
    ]
    if loose:
        return loose[0]
    first = next((i for i, m in enumerate(items) if m.of("table", "column", "value", "condition", "outcome")), 0)
    first += _modified(items[first:], index)
    return min(len(items), first + 1)


def _modified(items: Sequence[Mention], index: SchemaIndex) -> bool:
    """Whether a value or a flag stands right before the rows it is of: `private patients`, `churned customers`."""
    if len(items) < 2 or items[1].gap or not items[1].of("table"):
        return False
    tables = {e.table for e in items[1].of("table")}
    said = {e.table for e in items[0].of("value", "condition")}
    own = tables & said and not items[0].of("table")
    return bool(own) or flag(items[0], index) is not None


def measured(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions with what is counted or summed said: a count of rows, a sum of a number."""
    first = items[0] if items else None
    if first is None:
        return [COUNT]
    if first.tag("agg") is not None or first.tag("count") is not None:
        return list(items)
    numeric = any(e.column and e.column.type == "number" for e in first.of("column"))
    table_first = bool(first.of("table"))
    after = items[1] if len(items) > 1 else None
    if after is not None and after.of("table") and not after.gap and flag(first, index) is not None:
        return [COUNT, *items]  # "churned customers"
    if numeric and not table_first:
        return [figure(first), *items]
    if table_first and after is not None and not after.gap:
        owned = [e for e in after.of("column") if e.table in {t.table for t in first.of("table")}]
        if any(e.column and e.column.type == "number" for e in owned):
            return [SUM, *items]
    return [COUNT, *items]


def _of(
    ask: Ask, base: Sequence[Mention], held: Sequence[Mention], by: Sequence[Mention], *, each: bool = False
) -> Reading:
    held = [m for m in held if m.tag("to") is None and m.tag("total") is None]
    base = list(base)
    whole = ask.read(measured(base, ask.index))
    if not held and not by and len(base) == 2 and _modified(base, ask.index):  # "share of churned customers"
        part, rows = ask.read([COUNT, *base]), ask.read([COUNT, base[1]])
        return part_of(part, rows, ask.index)
    if not held:
        if by and (whole.filters or whole.links):
            return _both_shares(ask, whole, by)
        return _by_group(ask, base, by)
    if not (by or each):
        placed_last(base, held, whole)
    verb = bool(set(held[0].gap) & lexicon.VERBS) or any(m.of("condition", "outcome") for m in held)
    each = each or bool(by and by[0].words.casefold() in grammar.WITHIN_EACH)
    if by and not (verb or each):
        raise Unread(_which_share(whole))
    part = ask.read([*measured(base, ask.index), *held, *by])
    named = [m for m in base if m.entries or m.number is not None]  # "of the total salary" names but the salary
    alone = len(named) > 1 or bool(set(held[0].gap) & lexicon.VERBS)
    dated = any(period(list(held), i) for i in range(1, len(held)))  # "what percentage of visits were urgent in 2021?"
    return part_of(part, whole, ask.index, alone=alone and not dated)


def part_rows(ask: Ask, base: Sequence[Mention], held: Sequence[Mention], by: Sequence[Mention]) -> Reading:
    """Return the reading of the share that a condition has in rows that were named first."""
    return _of(ask, base, held, by, each=True)


def _both_shares(ask: Ask, whole: Reading, by: Sequence[Mention]) -> Reading:
    """`share of women by region`: the share in each region, and beside it how all of them are spread."""
    grouped = ask.read([*measured(_nouns(ask, whole), ask.index), *by])
    if len(whole.measures) != 1 or not grouped.keys or grouped.table != whole.table:
        raise Unread(_which_share(whole))
    counted = replace(whole.measures[0], where=whole.filters, links=whole.links)
    spread = replace(counted, of_total=True, name="percentage_of_all_groups")
    made = replace(
        grouped, kind="share", sql="", notes=(),
        measures=(replace(counted, share=True), Measure("count", table=whole.table), spread),
    )  # fmt: skip
    text, said = phrasing(replace(made, measures=made.measures[:1])), "; beside it, how all are spread"
    try:
        return replace(made, sql=ReadingSQL(made, ask.index).text(), text=text + said)
    except Unread:  # a row may be in several groups: they have no common whole
        made = replace(made, measures=made.measures[:2])
        return replace(made, sql=ReadingSQL(made, ask.index).text(), text=text)


def _nouns(ask: Ask, whole: Reading) -> list[Mention]:
    return [Mention(whole.table, entries=(Entry("table", whole.table),))]


def _which_share(whole: Reading) -> Choice:
    """Return the question whether a share is of each group or of all groups together."""
    ways = (f"of the {whole.table} rows in each group, how many fit", "of all that fit, how many are in each group")
    return Choice("A percentage of which rows?", ways)


def part_of(part: Reading, whole: Reading, index: SchemaIndex, *, alone: bool = True) -> Reading:
    """Return the reading of the share that the rows of `part` have in those of `whole`."""
    where, links = beyond(part, whole)
    if len(part.measures) != 1 or part.order or part.limit or part.having:
        refuse("I read a share of one count or sum only.")
    if not where and not links:
        refuse("I can't tell which part is meant: no condition tells it from the whole.")
    spans = [f for f in where if f.column is not None and f.column.type == "date" and f.op == "range"]
    if len(where) + len(links) > 1 and not alone:
        said = filter_said(spans[0]) if spans else (where or links)[0].words
        raise Unread(Choice("A percentage of which rows?", (f"of all {part.table} rows", f"of those with {said}")))
    return with_measures(part, (replace(part.measures[0], where=where, links=links, share=True),), whole, index)


def beyond(part: Reading, whole: Reading) -> tuple[tuple[Filter, ...], tuple[Link, ...]]:
    """Return the conditions that `part` has beyond `whole`.

    Raises:
        Unread: the two are not about the same rows.
    """
    same = part.table == whole.table and all(f in part.filters for f in whole.filters)
    if not same or not all(k in part.links for k in whole.links):
        refuse("I can't tell the part from the whole here.")
    return tuple(f for f in part.filters if f not in whole.filters), tuple(
        k for k in part.links if k not in whole.links
    )


def with_measures(part: Reading, measures: tuple[Measure, ...], whole: Reading, index: SchemaIndex) -> Reading:
    """Return a reading of measures that carry their own conditions, over the rows of `whole`."""
    counted = Measure("count", table=part.table)
    shown = measures if any(m == counted for m in measures) else (*measures, counted)
    made = replace(
        part, kind="share", measures=shown, filters=whole.filters, links=whole.links, order=None, limit=None, sql=""
    )
    made = replace(made, sql=ReadingSQL(made, index).text())
    return replace(made, text=phrasing(replace(made, measures=measures)))


def _by_group(ask: Ask, base: Sequence[Mention], by: Sequence[Mention]) -> Reading:
    if not by:
        refuse("A percentage of what, and with which condition?")
    found = ask.read([*measured(base, ask.index), *by])
    if len(found.measures) != 1 or not found.keys:
        refuse("I read a percentage of one count or sum by group.")
    part = replace(found.measures[0], of_total=True, within=_within(ask, base, by, found))
    made = replace(found, kind="share", measures=(part, *found.measures), sql="")
    made = replace(made, sql=ReadingSQL(made, ask.index).text())
    return replace(made, text=phrasing(replace(made, measures=made.measures[:1])))


def _within(ask: Ask, base: Sequence[Mention], by: Sequence[Mention], found: Reading) -> tuple[Key, ...]:
    """Return the keys of the wholes: in `percentage of visits by kind for each clinic`, each clinic is one."""
    starts = [i for i, m in enumerate(by) if m.tag("by") is not None and not m.entries]
    if len(starts) != 2 or starts[0] != 0:
        return ()
    sides = (by[: starts[1]], by[starts[1] :])
    each = [side for side in sides if side[0].words.casefold() in lexicon.EACH]
    if len(each) != 1:
        return ()
    whole = ask.read([*measured(base, ask.index), *each[0]])
    if not 0 < len(whole.keys) < len(found.keys) or not {*whole.keys} <= {*found.keys}:
        refuse("I can't tell which groups make up a whole here.", each[0][0].words)
    return whole.keys
