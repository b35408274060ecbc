"""A question cut into mentions: what each run of words can mean, and which words nothing accounts for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from lexsi_nb.grounding.deviations import beyond
from lexsi_nb.grounding.language import grammar, lexicon, schema_words, vocabulary
from lexsi_nb.grounding.schema.entries import of_other_rows
from lexsi_nb.grounding.schema.index import PHRASE_LIMIT, Entry, SchemaIndex
from lexsi_nb.grounding.words import CLOSE, OPEN, Token, another_word, decade, name_words, ordinal, singular, tokens

TAGS: dict[tuple[str, ...], tuple[str, ...]] = {}
for _tag, _phrases in lexicon.PHRASES.items():
    for _p in _phrases:
        TAGS[tuple(_p.split())] = (*TAGS.get(tuple(_p.split()), ()), _tag)
_OWN = {
    "vintage": vocabulary.VINTAGE, "best": vocabulary.BEST, "within": vocabulary.WITHIN_AGES,
    "retention": vocabulary.RETENTION, "again": vocabulary.AGAIN,
}  # fmt: skip
for _tag, _said in _OWN.items():
    for _p in _said:
        TAGS[tuple(_p.split())] = (_tag,)
# Tags that a schema name of the same word gives way to only when what the tag needs follows.
_NEEDS_NOUN = ("count", "agg", "super", "most", "list", "distinct", "top")
_STRUCTURE = ("by", "and", "or", "not", "without", "cmp", "between", "in", "to", "null", "notnull", "post", "sort")


@dataclass(frozen=True)
class Mention:
    """A run of words and its meanings. `tags` come from the lexicon, `entries` from the dataset."""

    words: str
    tags: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    number: float | int | None = None
    day: date | None = None
    literal: str | None = None
    upper: bool = False
    respelt: str = ""
    gap: tuple[str, ...] = ()  # the stop words that stood before it
    via: str = ""  # the table by which a place is meant: "women living in Prague"
    beside: str = ""  # the table of people that stands right before a place: "women in Prague"
    fused: str = ""  # the aggregate that a column's own name begins with: "average salary"

    def tag(self, name: str) -> str | None:
        """Return the argument of a tag (empty text for a tag without one), None when the tag is not there."""
        for t in self.tags:
            head, _, arg = t.partition(":")
            if head == name:
                return arg
        return None

    def kinds(self) -> set[str]:
        """The kinds of entries among the meanings."""
        return {e.kind for e in self.entries}

    def of(self, *kinds: str) -> list[Entry]:
        """Return the entries of the kinds."""
        return [e for e in self.entries if e.kind in kinds]

    @property
    def known(self) -> bool:
        """Whether anything accounts for the words."""
        return bool(self.tags or self.entries or self.number is not None or self.day or self.literal is not None)


@dataclass
class Mentions:
    """The mentions of a question without stop words, in order, and the spellings that were put right."""

    items: list[Mention] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def said_again(items: Sequence[Mention]) -> str:
    """Return the words of mentions as a question is asked by, with the stop words before each and without signs."""
    return " ".join(" ".join((*(g for g in m.gap if g not in "?!.,;:"), m.words)) for m in items)


def mentions(question: str, index: SchemaIndex) -> Mentions:
    """Return the question's mentions: at each place the longest known phrase wins."""
    words, found, at = tokens(question), Mentions(), 0
    gap: list[str] = []
    while at < len(words):
        if words[at].low in (OPEN, CLOSE):
            gap.append(words[at].low)
            at += 1
            continue
        before = found.items[-1] if found.items else None
        wanted = before is None or before.number is not None or any(before.tag(t) is not None for t in _NEEDS_NOUN)
        size, item = _longest(words, at, index, wanted)
        if item is None and words[at].low not in lexicon.STOP and words[at].kind == "word":
            size, item = _misspelt(words, at, index, found)
        if item is None and words[at].low not in lexicon.STOP and words[at].kind == "word":
            size, item = _abbreviated(words, at, index, found)
        if item is None and words[at].low not in lexicon.STOP and words[at].kind == "word":
            size, item = 1, _respelt(words[at], index, found)
        stop = words[at].low in lexicon.STOP or words[at].low in ("?", "&")
        if (
            item is None
            and stop
            and (e := index.entries.get((words[at].low,)))
            and _noun_wanted(found.items, words, at, index)
        ):
            item = Mention(words[at].text, entries=tuple(e))
        if item is None and (letter := _letter_value(found.items, words, at, index)):
            item = Mention(words[at].text, entries=(letter,))
        if item is None and stop and _lettered(found.items, words, at, index):
            item = Mention(words[at].text)
        if item is None and stop:
            gap.append(words[at].low)
        else:
            found.items.append(replace(item or Mention(words[at].text), gap=tuple(gap)))
            gap = []
        at += size
    found.items = [_settled(found.items, i) for i in range(len(found.items))]
    return found


def _longest(words: list[Token], at: int, index: SchemaIndex, wanted: bool = False) -> tuple[int, Mention | None]:
    first = words[at]
    if first.kind == "quoted":
        entries = index.entries.get(name_words(first.value), []) or index.entries.get((first.low,), [])
        names = [e for e in entries if e.kind in ("table", "column")] if first.text[0] in '`"“' else []
        return 1, Mention(first.text, entries=tuple(names), literal=first.value)
    if first.kind == "date":
        return 1, Mention(first.text, day=first.value)
    if (far := beyond(words, at)) is not None:
        return far[0], Mention(" ".join(t.text for t in words[at : at + far[0]]), tags=(f"outliers:{far[1]}",))
    if (sized := _sized(words, at, index, (2, 1) if (first.low,) in TAGS else (2,))) is not None:
        return sized
    if first.low in grammar.THE and _sized(words, at + 1, index, (2,)) is not None:
        return 1, None  # "the most populous": not "the most" of something
    if (rank := _percentile(words, at)) is not None:
        return rank[0], Mention(" ".join(t.text for t in words[at : at + rank[0]]), tags=(f"agg:q{rank[1]:g}",))
    for size in range(min(PHRASE_LIMIT, len(words) - at), 0, -1):
        run = words[at : at + size]
        if size > 1 and _begins_comparison(words, at + size - 1):
            continue  # "placed at least one": not placed_at
        if any(t.kind == "quoted" for t in run) or (size > 1 and run[-1].kind == "sign"):
            continue
        low = [t.low for t in run]
        tags = TAGS.get(tuple(low), ())
        if any(t.startswith("post") for t in tags) and (
            not at or [t.kind for t in words[at + size :][:1]] == ["number"]
        ):
            continue  # "and over 300?": nothing stands before it; "and below 300": the number comes after
        one = wanted or (at and words[at - 1].low in grammar.A | grammar.A_ONE)
        if size > 1 and "sort" in tags and one and index.entries.get((singular(low[0]),)):
            tags = ()  # "largest order by amount", "with an order by month" are about orders
        if size > 1 and wanted and any(t.startswith("agg:") for t in tags) and _column(index, low[0]):
            continue  # "average total of the orders": a column called total
        stop = all(w in lexicon.STOP for w in low)
        entries = [] if stop and (size > 1 or len(low[0]) < 4) else index.lookup(low)
        if all(t.kind == "number" for t in run) and size == 1:
            return 1, Mention(first.text, entries=tuple(entries), number=first.value)
        if (
            size == 2
            and low[0] in grammar.TO
            and at
            and (words[at - 1].low in vocabulary.GOING or of_other_rows(index.lookup([words[at - 1].low]), entries))
            and not tags
            and any(e.kind == "table" for e in index.lookup([low[1]]))
        ):
            continue  # "went to accounts in Prague", not a column "account to"
        if size == 2 and low[1] in lexicon.JOINING and entries and not tags and _splits(words, at, index):
            continue  # "the ratio of accounts to clients", not a column "account to"
        if tags or entries:
            upper = run[0].text[:1].isupper() and at > 0
            return size, Mention(
                " ".join(t.text for t in run), tags, tuple(entries), upper=upper, fused=_fused(low, entries)
            )
    if (sized := _sized(words, at, index, (1,))) is not None:
        return sized
    if (year := decade(first.low)) is not None:
        return 1, Mention(first.text, tags=(f"decade:{year}",))
    if first.low in lexicon.MONTHS and at + 1 < len(words) and words[at + 1].kind == "number":
        return 1, Mention(first.text, tags=(f"monthname:{lexicon.MONTHS[first.low]}",))
    return 1, None


def _column(index: SchemaIndex, word: str) -> bool:
    return any(e.kind == "column" and not e.weak for e in index.entries.get((singular(word),), ()))


def _splits(words: list[Token], at: int, index: SchemaIndex) -> bool:
    """Whether a noun, a joining word and another noun stand here, rather than a name that ends in such a word."""
    tables = [any(e.kind == "table" for e in index.lookup([t.low])) for t in (words[at], *words[at + 2 : at + 3])]
    dated = words[at + 1].low in grammar.IN_OF and any(t.kind == "number" for t in words[at + 2 : at + 3])
    return dated or (len(tables) == 2 and all(tables))


def _sized(words: list[Token], at: int, index: SchemaIndex, sizes: tuple[int, ...]) -> tuple[int, Mention] | None:
    """Return (words used, mention) of an adjective that says itself what column it is about: `most populous`."""
    for size in sizes:
        said = " ".join(t.low for t in words[at : at + size])
        if said in lexicon.SIZED and (entries := index.entries.get((lexicon.SIZED[said][0],), [])):
            columns = tuple(e for e in entries if e.kind == "column" and e.column and e.column.type == "number")
            if columns:
                return size, Mention(said, tags=(f"sized:{lexicon.SIZED[said][1]}",), entries=columns)
    return None


def _percentile(words: list[Token], at: int) -> tuple[int, float] | None:
    """Return (words used, share) of `95th percentile of`, `p95 of`, or the first of `25th and 75th percentile`."""
    low = [t.low for t in words[at : at + 8]]
    if re.fullmatch(r"p\d{1,2}(\.\d+)?", low[0]):
        return 2 if grammar.OF & set(low[1:2]) else 1, float(low[0][1:]) / 100
    rank = ordinal(low[0])
    if rank is None or not 0 < rank < 100:
        return None
    if low[1:2] and low[1] in grammar.PERCENTILE:
        return 3 if grammar.OF & set(low[2:3]) else 2, rank / 100
    end = next((i for i, w in enumerate(low) if w in grammar.PERCENTILE), 0)
    listed = end and all(ordinal(w) is not None or w in grammar.AND for w in low[:end])
    return (1, rank / 100) if listed else None


def _begins_comparison(words: list[Token], at: int) -> bool:
    """Whether a comparison of two words begins at a place: "at least"."""
    pair = tuple(t.low for t in words[at : at + 2])
    return len(pair) == 2 and any(t.startswith("cmp:") for t in TAGS.get(pair, ()))


def _fused(low: list[str], entries: list[Entry]) -> str:
    """Return the aggregate that the name of a number column begins with or stands for, else an empty text."""
    if any(e.text == "sum" and e.kind == "column" for e in entries):
        return "sum"
    if len(low) < 2 or not any(e.column and e.column.type == "number" for e in entries):
        return ""
    return next((t.partition(":")[2] for t in TAGS.get((low[0],), ()) if t.startswith("agg:")), "")


def _of_number(item: Mention) -> bool:
    return any(e.column and e.column.type == "number" for e in item.of("column"))


def _misspelt(words: list[Token], at: int, index: SchemaIndex, found: Mentions) -> tuple[int, Mention | None]:
    """Read a name of two or three words of which one is misspelt: `south moravai`."""
    known = index.known_words
    for size in (3, 2):
        run = words[at : at + size]
        if len(run) < size or any(t.kind != "word" for t in run):
            continue
        right = [t.low if singular(t.low) in known else index.respelt(t.low) for t in run]
        if None in right or right == [t.low for t in run] or right[0] != run[0].low:
            continue
        entries = index.lookup([str(w) for w in right])
        if entries:
            said = " ".join(t.text for t in run)
            found.notes.append(f"'{said}' read as '{' '.join(map(str, right))}'")
            return size, Mention(said, entries=tuple(entries))
    return 1, None


def _abbreviated(words: list[Token], at: int, index: SchemaIndex, found: Mentions) -> tuple[int, Mention | None]:
    """Read words that a column's name shortens: `departure gate` for dep_gate, `ticket number` for ticketnum."""
    for size in (3, 2, 1):
        run = words[at : at + size]
        if len(run) < size or any(t.kind != "word" or len(t.low) < 3 for t in run):
            continue
        entries = index.shortened(tuple(singular(t.low) for t in run))
        if entries:
            said = " ".join(t.text for t in run)
            names = dict.fromkeys(e.column.name for e in entries if e.column)
            found.notes.append(f"'{said}' read as {' or '.join(names)}")
            return size, Mention(said, entries=tuple(entries))
    return 1, None


_SAID = frozenset(w for tag, ps in lexicon.PHRASES.items() if tag.startswith("age:") for p in ps for w in p.split())


def _respelt(word: Token, index: SchemaIndex, found: Mentions) -> Mention | None:
    right = index.respelt(word.low) if word.low not in _SAID else None  # `older` is no slip of `order`
    entries = index.lookup([right]) if right else []
    names = all(e.kind == "value" for e in entries)
    if not entries or word.low in lexicon.FORBIDDEN or (names and another_word(word, right or "")):
        return None
    tables = dict.fromkeys(e.table for e in entries if e.kind == "table")
    found.notes.append(f"'{word.text}' read as {next(iter(tables)) if len(tables) == 1 else repr(right)}")
    return Mention(word.text, entries=tuple(entries), respelt=right or "")


def _noun_wanted(items: list[Mention], words: list[Token], at: int, index: SchemaIndex) -> bool:
    """Whether a function word stands where only a column name can: after an operation and before no other noun."""
    if not items or not any(items[-1].tag(t) is not None for t in ("agg", "by", "sort", "super", "distinct")):
        return False
    if at + 1 == len(words):
        return True
    after = words[at + 1]
    return (
        after.kind == "sign"
        or bool(TAGS.get((after.low,)))
        or (after.low in lexicon.STOP and not index.entries.get((after.low,)))
    )


def _lettered(items: list[Mention], words: list[Token], at: int, index: SchemaIndex) -> bool:
    """Whether a one-letter word such as A is a value of the column named before it."""
    word = words[at]
    if len(word.low) != 1 or not (word.text.isupper() or at + 1 == len(words)):
        return False
    column = next((m for m in reversed(items[-5:]) if m.of("column")), None)
    return column is not None and any(
        (word.low,) in index.values.get(e.column, {}) for e in column.of("column") if e.column
    )


def _letter_value(items: list[Mention], words: list[Token], at: int, index: SchemaIndex) -> Entry | None:
    """Return the value that a single capital stands for in `loans neither A nor C`: of a table said before."""
    word, before = words[at], words[at - 1].low if at else ""
    if len(word.text) != 1 or not word.text.isupper() or before not in lexicon.LETTER_AFTER:
        return None
    said = {e.table for m in items for e in m.of("table")}
    found = [(c, v[(word.low,)]) for c, v in index.values.items() if c.table in said and (word.low,) in v]
    named = any(e.column in [c for c, _ in found] for m in items for e in m.of("column"))
    return Entry("value", found[0][0].table, *found[0]) if len(found) == 1 and not named else None


def _settled(items: list[Mention], i: int) -> Mention:
    """Return the mention with either its tags or its entries, where both were possible."""
    item = items[i]
    later = items[i + 1] if i + 1 < len(items) else None
    if item.words.casefold() in grammar.GOING_TO and later is not None and later.entries and not later.of("outcome"):
        return replace(item, tags=("to",))  # "orders going to bank X"
    if not (item.tags and item.entries) or item.tag("sized") is not None:
        return item
    after = items[i + 1] if i + 1 < len(items) else None
    noun = after is not None and bool(after.entries or after.tag("count") is not None or after.tag("agg") is not None)
    heads = {t.partition(":")[0] for t in item.tags}
    of = after is not None and grammar.OF & set(after.gap)
    if heads == {"list"} and item.words.casefold() in schema_words.NAME and of:
        return replace(item, tags=())  # "the name of the district"
    counted = i > 0 and items[i - 1].number is not None
    figure = after is not None and (after.tag("count") is not None or after.tag("agg") is not None)
    if "grain" in heads and noun and not counted and figure:
        return replace(item, entries=())  # "monthly number of"
    if heads == {"date"} and after is not None and (after.day or after.number or after.tag("monthname")):
        return replace(item, entries=())  # "since 2022", beside a column `Since`
    if "grain" in heads:
        before = items[i - 1] if i else None
        named = any(
            e.column and name_words(e.column.name) == (singular(item.words.casefold()),) for e in item.of("column")
        )
        tags = not named and not (before is not None and before.number is not None)
        measured = after is not None and not after.of("table") and not after.gap and _of_number(after)
        if tags and item.of("value") and not measured and not (before is not None and before.tag("by") is not None):
            return replace(item, tags=(), entries=tuple(item.of("value")))  # "monthly accounts", "not monthly"
    elif (
        heads == {"agg"} and i and _figure_before(items[i - 1]) and not (after and not after.gap and _of_number(after))
    ):
        tags = False  # "average Total of the orders", where Total is a column
    else:
        tags = bool(heads & set(_STRUCTURE)) or bool(
            heads & set(_NEEDS_NOUN) and (noun or (after is not None and after.number is not None))
        )
    return replace(item, entries=()) if tags else replace(item, tags=())


def _figure_before(m: Mention) -> bool:
    return not m.entries and (m.tag("agg") is not None or m.tag("super") is not None)


def unit_of(m: Mention) -> str:
    """Return the unit of time that a mention names, an empty text for another."""
    if m.entries:
        return ""
    return m.tag("grain") or ""


def unit_said(m: Mention) -> str:
    """Return the unit of time that a mention's words are, also where the data have a name for them: 12 months."""
    grains = [t.partition(":")[2] for t in TAGS.get(tuple(m.words.casefold().split()), ()) if t.startswith("grain:")]
    return unit_of(m) or (grains[0] if grains else "")


def describe(value: Any) -> str:
    """Return a literal as a person reads it."""
    return (
        value.isoformat()
        if isinstance(value, date)
        else f"{value:,}"
        if isinstance(value, int) and abs(value) >= 10_000
        else str(value)
    )
