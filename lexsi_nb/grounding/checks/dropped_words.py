"""Words whose sense a reading drops: a letter alone, `both` at the end, `larger` of two counts, `share` as a verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.checks.scruples import conditions
from lexsi_nb.grounding.language import grammar, passed_over, schema_words
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Filter, Reading, Unread
from lexsi_nb.grounding.words import Token, name_words, singular


def no_word_dropped(reading: Reading, items: Sequence[Mention], words: Sequence[Token]) -> None:
    """Hold small words of a question against what its reading makes of them.

    Raises:
        Unread: one of them says more than the reading does.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _letter_alone(reading, words)
    _both_at_the_end(items, words)
    _size_of_counts(reading, items)
    _share_as_verb(reading, items)
    _done_with_a_column(reading, items)
    _length_as_hour(reading, items)
    _value_of_its_own(reading)
    _most_things_of_a_size(reading, items)
    _largest_of_a_number(items)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _letter_alone(reading: Reading, words: Sequence[Token]) -> None:
    """`names that begin with S`: a capital by itself is a value, a column or a part of a name."""
    for word in words[1:]:
        letter = word.kind == "word" and len(word.text) == 1 and word.text.isupper()
        if letter and word.low not in passed_over.PRONOUNS | passed_over.HELPERS and not _in(word.text, reading):
            raise _decline(f"I have no place for '{word.text}' in what I read.", word.text)


def _in(letter: str, reading: Reading) -> bool:
    return re.search(rf"(?<!\w){letter}(?!\w)", reading.sql) is not None


def _both_at_the_end(items: Sequence[Mention], words: Sequence[Token]) -> None:
    """`how many people write with both`: with both of what?"""
    at = next((i for i, w in enumerate(words) if w.low in grammar.BOTH), None)
    if at is None or any(m.tag("and") is not None for m in items):
        return
    if all(w.kind == "sign" for w in words[at + 1 :]):
        raise _decline("I can't tell which two are meant by 'both'.", words[at].text)


def _size_of_counts(reading: Reading, items: Sequence[Mention]) -> None:
    """`how many times larger is Chad than Togo` asks for a size; there is one row of each."""
    counts = reading.kind == "comparison" and all(m.function == "count" for m in reading.measures)
    for m in items if counts and not any(m.tag("count") is not None for m in items) else ():
        last = m.words.casefold().split()[-1]
        if m.tag("ratio") is not None and not m.entries and last in grammar.SIZES:
            raise _decline(f"I can't tell by which figure '{m.words}' is meant.", m.words)


def _share_as_verb(reading: Reading, items: Sequence[Mention]) -> None:
    """`how many streets share the name Mill Lane` counts them; it asks for no percentage."""
    for counted, noun, m in zip(items, items[1:], items[2:], strict=False):
        counts = counted.tag("count") is not None and not counted.entries
        verb = m.words.casefold() in grammar.TO_SHARE and bool(noun.of("table")) and not m.gap
        if reading.kind == "share" and counts and verb:
            raise _decline("I don't read what rows share; ask for those with that value.", m.words)


def _done_with_a_column(reading: Reading, items: Sequence[Mention]) -> None:
    """`how many people bat ...` counts people; a column that is said as a verb is not what is counted."""
    counted = [m.column for m in reading.measures if m.function == "distinct" and m.column is not None]
    if reading.kind != "count" or not counted or any(m.tag("distinct") is not None for m in items):
        return
    for noun, m in pairwise(items):
        c = next((c for c in counted if any(e.column == c for e in m.of("column"))), None)
        last = noun.words.casefold().split()[-1]
        plural = bool(noun.of("table")) and not noun.of("column", "value") and singular(last) != last
        if c is not None and plural and not m.gap and not m.of("table"):
            raise _decline(f"I would count the values of {c}, and you ask for {noun.words}.", m.words)


def _length_as_hour(reading: Reading, items: Sequence[Mention]) -> None:
    """`trips longer than 3 hours` last so long; the hour of the day is no length."""
    for f in conditions(reading):
        c = f.column
        bounded = c is not None and f.op in (">", ">=", "<", "<=", "between") and not f.negated
        if c is None or not bounded or c.name.casefold() not in schema_words.PIECES:
            continue
        for number, m in pairwise(items):
            said = number.number is not None and not m.gap and c in [e.column for e in m.of("column")]
            if said and m.words.casefold() != c.name.casefold() and _held(f, number):
                told = f"'{number.words} {m.words}' is a length of time, and {c} is a part of a date"
                raise _decline(f"{told}. Name the column that holds the length.", m.words)


def _held(f: Filter, number: Mention) -> bool:
    return any(v == number.number for v in f.values)


def _value_of_its_own(reading: Reading) -> None:
    """`how many parks did Abbey Park have`: the different values of a column, of which one is given."""
    for m in reading.measures if reading.kind == "count" else ():
        same = [f for f in reading.filters if f.column == m.column and f.op in ("=", "in") and not f.negated]
        if m.function == "distinct" and m.column is not None and any(len(f.values) == 1 for f in same):
            raise _decline(
                f"'{same[0].words}' is one {m.column.name} itself; there is nothing to count.", same[0].words
            )


def _largest_of_a_number(items: Sequence[Mention]) -> None:
    """`the largest school`, where a column tells how many schools there are: that is the size of none of them."""
    for size, m in pairwise(items):
        sized = size.tag("super") is not None and not size.entries and size.words.casefold() in grammar.SIZE_OF_ONE
        last = m.words.casefold().split()[-1]
        one = sized and not m.of("table", "value") and singular(last) == last
        for c in [e.column for e in m.of("column") if one and e.column is not None and e.column.type == "number"]:
            counted = [w for w in re.findall(r"[a-z]+", c.name.casefold()) if w != last and singular(w) == last]
            if counted and name_words(c.name)[-1:] == (last,):
                told = f"{c} is a number of {counted[0]}; the size of each is not in it."
                raise _decline(f"{told} Ask for the highest number of {counted[0]}.", m.words)


def _most_things_of_a_size(reading: Reading, items: Sequence[Mention]) -> None:
    """`the region with most towns above 5000 people` counts towns; their people are not added up."""
    summed = reading.order.measure if reading.kind == "topk" and reading.order else None
    c = summed.column if summed is not None and summed.function == "sum" else None
    for most, noun, heads in zip(items, items[1:], items[2:], strict=False):
        said = most.tag("most") is not None and bool(noun.of("table")) and not noun.of("column")
        if (
            c is not None
            and said
            and c in [e.column for e in heads.of("column")]
            and heads.words.casefold() != c.name.casefold()
        ):
            raise _decline(f"I would rank by the total {c.name}, and you ask for most {noun.words}.", noun.words)
