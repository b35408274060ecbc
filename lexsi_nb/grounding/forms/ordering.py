"""Words in the order a plain question has: a group said first, `count` said last, `neither` as two times `not`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.forms.averages import against_average
from lexsi_nb.grounding.language import grammar, lexicon, schema_words, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.turns import plainly
from lexsi_nb.grounding.words import name_words, singular

NOT, AND = Mention("not", tags=("not",)), Mention("and", tags=("and",))
WITHOUT = Mention("without", tags=("without",))
_QUOTED = re.compile(r"[\"`“‘]|(?<!\w)'")
_LOOSE = ("in", "to", "and")


def arranged(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a question in the order that the grammar reads."""
    out = _neither(list(items))
    if len(out) > 2 and _bare(out[0], "in") and _bare(out[1], "list"):
        out = out[1:]  # "in which year"
    out = _listed_by(without_keeper(_mode_first(_elided(out))))
    out = _adjectives_last(_every_row(out))
    out = _group_last(out)
    out = _extremes(out)
    out = _or_more_of(out)
    out = _numbers_counted(out)
    out = _counted_noun(out)
    out = _figure_first(_over_noun(out))
    out = against_average(out)
    return _without_dangling(out)


def _elided(items: list[Mention]) -> list[Mention]:
    """`accounts with a card and accounts without one`: without a card."""
    out: list[Mention] = []
    for i, m in enumerate(items):
        one = m.words.casefold() in grammar.ONES and not m.entries and bool(out) and _bare(out[-1], "without")
        if one and (held := _had(items[: i - 1])):
            out.append(replace(held, gap=()))
            continue
        out.append(m)
        if (
            _bare(m, "without")
            and m.words.casefold() in grammar.BARE_WITHOUT
            and i + 1 == len(items)
            and (held := _had(items[:i]))
        ):
            out.append(replace(held, gap=()))
    return out


def _had(before: Sequence[Mention]) -> Mention | None:
    """Return the last thing that rows were said to have: `accounts with a card`."""
    had = [m for m in before if m.of("table", "value", "condition") and set(m.gap) & grammar.HAD]
    return had[-1] if had else None


def _listed_by(items: list[Mention]) -> list[Mention]:
    """`list districts by name` orders the rows; by what many of them share, it may as well count them."""
    by = next((i for i, m in enumerate(items) if _bare(m, "by") and m.words.casefold() in grammar.BY), None)
    lists = (
        bool(grammar.LIST & set(items[0].words.casefold().split()[:1])) if items and _bare(items[0], "list") else False
    )
    if by is None or by != len(items) - 2 or not lists or any(_bare(m, "count", "agg", "share", "top") for m in items):
        return items
    noun, key = next((m for m in items[:by] if m.entries), None), items[-1]
    tables = {e.table for e in noun.of("table")} if noun is not None else set()
    own = [e.column for e in key.of("column") if e.column is not None and e.table in tables]
    if not tables or key.tag("grain") is not None:
        return items
    single = [c for c in own if c.type in ("date", "number") or name_words(c.name)[-1] in schema_words.LABEL]
    if not single:
        ways = (f"the {noun.words if noun else ''} in the order of {key.words}", f"their number by {key.words}")
        raise Unread(Choice("Listed, or counted in groups?", ways))
    return [*items[:by], Mention("sorted by", tags=("sort",)), key]


def _mode_first(items: list[Mention]) -> list[Mention]:
    """`which type is most popular` and `which gender has more loans`: the superlative stands before what it is of."""
    if len(items) < 2 or not _bare(items[0], "list"):
        return items
    if _bare(items[-1], "mode") and len(items) == 3 and items[1].of("column"):
        return [items[0], items[-1], items[1]]
    if _bare(items[-1], "mode") and len(items) == 4 and items[1].of("table") and items[2].of("column"):
        return [items[0], items[-1], *items[1:3]]  # "which order type is most common"
    more = [i for i, m in enumerate(items) if _bare(m, "more")]
    two = any(_bare(m, "than", "or", "vs", "difference", "ratio") for m in items)
    if len(more) == 1 and more[0] == 2 and not two and items[1].of("column", "table") and len(items) > 3:
        way = items[2].tag("more") or "desc"
        noun = bool(items[3].of("table")) and not items[3].of("column")
        return [*items[:2], Mention(items[2].words, tags=(f"{'most' if noun else 'super'}:{way}",)), *items[3:]]
    return items


def without_keeper(items: list[Mention]) -> list[Mention]:
    """`how many x does the shop have`: who has them is the one who keeps the data."""
    last = items[-1] if items else None
    if last is None or len(items) < 3:
        return items
    if len(items) > 3 and _keeps(items[1]) and items[1].words.casefold() in grammar.KEEPERS and not items[2].gap:
        return [items[0], *items[2:]] if _bare(items[0], "agg") else items  # "how much did the bank lend to women"
    return items[:-1] if _keeps(last) and _bare(items[0], "count") else items


def _keeps(m: Mention) -> bool:
    """Whether a mention names no rows and is who does something: `does the shop`."""
    weak = bool(m.of("column")) and not m.of("table", "value", "condition") and not m.tags
    return weak and bool(grammar.DOES & set(m.gap)) and bool(grammar.THE & set(m.gap))


def _bare(m: Mention, *tags: str) -> bool:
    return not m.entries and any(m.tag(t) is not None for t in tags)


def _adjectives_last(items: list[Mention]) -> list[Mention]:
    """`which branch has the fewest open tickets`: the tickets are counted, and `open` is said of them."""
    out = list(items)
    for i in range(len(out) - 2):
        end = i + 1
        while end < len(out) - 1 and out[end].of("value") and not out[end].of("table", "column") and not out[end].gap:
            end += 1
        noun = {e.table for e in out[end].of("table")} if not out[end].gap else set()
        said = out[i + 1 : end]
        if _bare(out[i], "most") and said and all(noun & {e.table for e in m.of("value")} for m in said):
            return [*out[: i + 1], out[end], *said, *out[end + 1 :]]
    return out


def _neither(items: list[Mention]) -> list[Mention]:
    """`neither A nor B` is not A and not B; of a column named before, and of tables as well."""
    at = next((i for i, m in enumerate(items) if _bare(m, "neither")), None)
    nor = next((i for i, m in enumerate(items) if _bare(m, "nor")), None)
    if at is None or nor is None or nor < at:
        return items
    first, rest = items[at + 1 : nor], items[nor + 1 :]
    before = items[at - 1] if at else None
    column = [before] if before is not None and before.of("column") and not before.of("table") else []
    tables = bool(first and first[-1].of("table") and not first[-1].of("value", "condition"))
    no = WITHOUT if tables else NOT
    return [*items[:at], no, *first, AND, *column, no, *rest]


def _every_row(items: list[Mention]) -> list[Mention]:
    """`give me every loan above 100`: each row, not a group for each."""
    lead = next((i for i, m in enumerate(items) if not _bare(m, "list")), 0)
    asks = bool(items) and bool(lexicon.ASKING & set(items[0].gap)) and items[0].words.casefold() in grammar.EVERY
    if asks and len(items) > 1 and _bare(items[0], "by"):  # "does every account have a loan"
        return [replace(items[1], gap=(*items[0].gap, items[0].words.casefold(), *items[1].gap)), *items[2:]]
    if not lead or lead + 1 >= len(items) or items[lead].words.casefold() not in grammar.EVERY or items[lead].entries:
        return items
    noun = bool(items[lead + 1].of("table", "value", "condition"))
    figures = any(_bare(m, "agg", "count", "super", "top", "most", "share") for m in items)
    return [*items[:lead], *items[lead + 1 :]] if noun and not figures else items


def _group_last(items: list[Mention]) -> list[Mention]:
    """`for each region, the number of loans`: the group comes last."""
    if len(items) < 3 or not _bare(items[0], "by"):
        return items
    end = 1
    while end < len(items) and _of_key(items[end], end > 1 and items[end - 1].words in (",", "&")):
        end += 1
    while end > 1 and _bare(items[end - 1], "and"):
        end -= 1
    rest = items[end:]
    while rest and rest[0].words in (",", "&"):
        rest = rest[1:]
    if end == 1 or not rest:
        return items
    return [*rest, *items[:end]]


def _of_key(m: Mention, after_comma: bool) -> bool:
    """Whether a mention still names the group: nouns and the joints between them, up to a comma."""
    if _bare(m, "and"):
        return m.words not in (",", "&")
    return not after_comma and bool(m.of("table", "column") or m.tag("grain")) and not _ranks(m)


def _ranks(m: Mention) -> bool:
    return _bare(m, "super", "top", "most", "agg", "count")


def _extremes(items: list[Mention]) -> list[Mention]:
    """`the lowest and highest payment`: the minimum and the maximum of a column."""
    for i in range(len(items) - 3):
        a, *rest = items[i:]
        if rest[0].words == a.words and rest[0].of("column"):
            rest = rest[1:]  # "cheapest and dearest price": the column that `cheapest` names by itself
        if len(rest) < 3:
            break
        joint, b, noun = rest[:3]
        ways = (a.tag("super"), b.tag("super"))
        named = noun.words == b.words  # "most and least populous": of rows, which come after it
        numbers = any(e.column and e.column.type in ("number", "date") for e in noun.of("column"))
        ends = set(ways) in ({"asc", "desc"}, {"first", "last"})
        of_rows = i > 0 and bool(items[i - 1].of("table")) and bool(grammar.HAVING & {*a.gap})  # "towns with"
        if (
            _bare(a, "super")
            and _bare(b, "super")
            and _bare(joint, "and")
            and numbers
            and ends
            and not (of_rows or named)
        ):
            names = {"asc": "agg:min", "desc": "agg:max", "first": "agg:min", "last": "agg:max"}
            made = [replace(m, tags=(names[m.tag("super") or ""],)) for m in (a, b)]
            return [*items[:i], made[0], joint, made[1], *rest[2:]]
    return items


def _or_more_of(items: list[Mention]) -> list[Mention]:
    """`four standing orders or more`: the number and what it may be beyond stand together."""
    out = list(items)
    for i in range(len(out) - 2):
        number, noun, post = out[i : i + 3]
        if number.number is not None and noun.of("table") and not noun.gap and _bare(post, "post"):
            out[i + 1], out[i + 2] = post, noun
    return out


def _numbers_counted(items: list[Mention]) -> list[Mention]:
    """`median number of inhabitants`: a figure of a column that is a number already."""
    for i in range(len(items) - 2):
        figure, count, noun = items[i : i + 3]
        numbers = any(e.column and e.column.type == "number" for e in noun.of("column")) and not noun.of("table")
        if _bare(figure, "agg", "super") and _bare(count, "count") and numbers:
            _one_or_each(items, i, noun)
            return [*items[: i + 1], *items[i + 2 :]]
    return items


def _one_or_each(items: list[Mention], at: int, noun: Mention) -> None:
    """`average number of crimes per region` can be over the regions or over the rows in each of them."""
    by = next((i for i in range(at, len(items) - 1) if _bare(items[i], "by")), None)
    key = items[by + 1] if by is not None else None
    tables = {e.table for e in noun.of("column")}
    if by is None or key is None or not _bare(items[at], "agg") or any(e.table in tables for e in key.of("table")):
        return
    if any(e.table in tables for m in items[at + 3 : by] for e in m.of("table")):
        return  # "average number of crimes of the towns per region": of each town
    if any(e.table in tables for e in key.of("column")):
        ways = (f"over each {key.words}, of its total", f"over the rows in each {key.words}")
        raise Unread(
            Choice(f"'{items[at].words} {items[at + 1].words} {noun.words}' can be more than one figure.", ways)
        )


def _counted_noun(items: list[Mention]) -> list[Mention]:
    """`loan count by status`: the number of loans; `crime count`: a number that is a column already."""
    out = list(items)
    for i in range(1, len(out)):
        m, before = out[i], out[i - 1]
        after = out[i + 1] if i + 1 < len(out) else None
        closes = (
            after is None or _bare(after, "by", "in", "date", "and", "sort") or bool(grammar.FOR & {*after.gap[:1]})
        )
        if not _bare(m, "count") or m.words.casefold() not in grammar.COUNTS or m.gap or not closes:
            continue
        others = {e.table for x in out[: i - 1] for e in x.of("table")} - {e.table for e in before.of("table")}
        if after is None and others and not _bare(out[i - 2], "by", "sort", "agg", "top", "super"):
            continue  # "accounts without a loan but with a card: number"
        if before.of("table") and not any(_bare(x, "count") for x in out[:i]):
            return [*out[: i - 1], m, before, *out[i + 1 :]]
        if any(e.column and e.column.type == "number" for e in before.of("column")):
            return [*out[:i], *out[i + 1 :]]
    return out


def _figure_first(items: list[Mention]) -> list[Mention]:
    """`loan amounts by region, median`, `what do the orders add up to`: a figure said last is of what came before."""
    at = len(items) - 1
    if (
        at < 1
        or not _bare(items[at], "agg")
        or any(_bare(m, "agg", "count", "share", "super", "most") for m in items[:at])
    ):
        return items
    if any(_bare(m, "cmp", "more") for m in items):
        return items
    rest = items[:at]
    while rest and (_bare(rest[-1], "and") or rest[-1].words in (",", "&")):
        rest.pop()
    lead = 0
    while lead < len(rest) and _bare(rest[lead], "list"):
        lead += 1
    return [items[at], *rest[lead:]] if rest[lead:] else items


def _over_noun(items: list[Mention]) -> list[Mention]:
    """`sum of inhabitants over all districts of the east`: the rows that the column is of anyway."""
    for i in range(1, len(items) - 1):
        over, noun = items[i], items[i + 1]
        if over.words.casefold() not in lexicon.ACROSS or over.entries or not noun.of("table"):
            continue
        tables = {e.table for e in noun.of("table")}
        figures = any(_bare(m, "agg", "super") or m.fused for m in items[:i])
        if figures and any(e.table in tables for m in items[:i] for e in m.of("column")):
            return [*items[:i], *items[i + 2 :]]
    return items


def _without_dangling(items: list[Mention]) -> list[Mention]:
    """Drop a preposition or joint at the end: `which banks do the orders go to`."""
    out = list(items)
    while len(out) > 1 and _bare(out[-1], *_LOOSE) and not any(out[-1].tag(t) for t in ("grain",)):
        out.pop()
    return out


def unfilled(question: str, index: SchemaIndex | None = None) -> str:
    """Return the question without phrases that say nothing of the data; the names in `index` are left alone."""
    for short, full in vocabulary.YEARS:
        question = short.sub(full, question)
    if _QUOTED.search(question):
        return question
    for said, means in vocabulary.REPHRASED:
        question = said.sub(means, question)
    if index is not None:
        question = plainly(question, lambda w: any(not e.weak for e in index.entries.get((singular(w),), ())))
    for said in lexicon.FILLERS:
        found = re.search(rf"(?<![\w'-]){re.escape(said)}(?![\w'-])", question, re.IGNORECASE)
        if found and len(question) > len(said) + 2:
            question = f"{question[: found.start()].rstrip(' ')} {question[found.end() :].lstrip(' ')}"
    return question.strip()
