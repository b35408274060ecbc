"""Whom a question asks for that names nobody: `who has the most pets` asks for the owners whom pets belong to."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.words import name_words

_HOW_MANY = ("most", "cmp", "without")


def who_asked(question: str, items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions with the people named that `who` stands for, where the data leave no doubt.

    Raises:
        Unread: what they have belongs to people of several tables.
    """
    if len(items) < 2 or items[0].words.casefold() not in grammar.WHO or items[0].entries:
        return list(items)
    people = _people_of(items[1:], index)
    if len(people) > 1:
        low = question.casefold()
        at = low.find(items[0].words.casefold())
        ways = [retold.WHICH.format(rows_word(p, 1)) for p in people]
        asks = [question[:at] + w + question[at + len(items[0].words) :] for w in ways if w]
        text = f"'{items[0].words}' can be {' or '.join(people)}."
        raise Unread(Choice(text, tuple(people), items[0].words, questions=tuple(asks), lasting=False))
    if not people:
        return list(items)
    noun = Mention(people[0], entries=(Entry("table", people[0]),))
    return [items[0], noun, *items[1:]]


def _people_of(items: Sequence[Mention], index: SchemaIndex) -> list[str]:
    """Return the tables of people that what is counted (most pets, no pets) belongs to, or a figure is of."""
    if any(m.of("table") and grammar.DOING & set(m.gap) and i for i, m in enumerate(items)):
        return []
    first = items[0]
    if first.entries or not grammar.HAVING & set(first.gap):
        bare = not first.entries and not grammar.OF & set(first.gap)
        counted = bare and (first.tag("most") is not None or first.tag("without") is not None)  # "who has no pets"
    else:
        counted = any(first.tag(t) is not None for t in _HOW_MANY)
    noun = next((m for m in items[1:] if m.entries and not (m.of("value") and not m.of("table", "column"))), None)
    if noun is None:
        return []
    if counted and noun.of("table"):
        tables = {e.table for e in noun.of("table")}
        if len(tables) > 1:
            return []
        table = tables.pop()
        return [p for p in index.columns if p != table and of_people(p, index) and index.joins.up(table, p)]
    if first.tag("super") in ("desc", "asc") and noun.of("table") and grammar.HAVING & set(first.gap):
        starts = {e.table for e in noun.of("table")}
        return [r.end for r in index.facts.routes if starts == {r.start} and of_people(r.end, index)]
    if first.tag("super") is not None and noun.of("column") and grammar.HAVING & set(first.gap):
        owners = {e.table for e in noun.of("column") if not e.weak} or {e.table for e in noun.of("column")}
        return [p for p in owners if of_people(p, index)] if len(owners) == 1 else []
    return []


def of_people(table: str, index: SchemaIndex) -> bool:
    """Whether the rows of a table are people, by its name or by a name that only people have."""
    named = any(name_words(c) in lexicon.PERSON_NAMES for c in index.columns[table])
    return named or name_words(table)[-1] in lexicon.PEOPLE
