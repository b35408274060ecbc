"""Words of a question that nothing in the data accounts for, and orders to change them: said instead of answered."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.errors import nearest
from lexsi_nb.grounding.forms.drawn_as import not_drawn
from lexsi_nb.grounding.language import grammar, lexicon, undefined
from lexsi_nb.grounding.mentions import Mentions
from lexsi_nb.grounding.parsing.open_choices import undefined_words
from lexsi_nb.grounding.predictions.no_case import time_ahead
from lexsi_nb.grounding.reading import Choice, Declined, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.wordings.own_words import own_words
from lexsi_nb.grounding.wordings.typing_slips import written_out
from lexsi_nb.grounding.wordings.values_there import values_there
from lexsi_nb.grounding.words import Token, singular, tokens

MOST_NAMED = 8  # values that a choice among them names
MOST_LEFT_OUT = 2  # frames that SQL cannot read, said in a decline


def no_unknown_words(question: str, found: Mentions, index: SchemaIndex, original: str) -> None:
    """Refuse a question with words that nothing accounts for, or that asks to change something.

    Raises:
        Unread: with the decline, or a choice where one of such words can be settled.
    """
    orders = [w for w in _orders(tokens(question)) if not index.entries.get((singular(w.casefold()),))]
    if orders:
        raise Unread(Declined(f"I only read data; '{orders[0]}' is nothing I do.", tuple(orders)))
    lacking = [m.words for m in found.items if not m.known and not index.holds(phrase(m.words))]
    other = undefined.OTHER_CHARTS.search(question)
    if other is not None and any(w.casefold() in other[0].casefold() for w in lacking):
        raise Unread(Declined(not_drawn(other["kind"]), tuple(lacking)))
    asked = any(m.of("table", "metric", "column") or m.tag("count") is not None or m.tag("agg") for m in found.items)
    if len(lacking) == 1 and asked:
        _part_of_values(lacking[0], index)
    if lacking:
        unread = getattr(index.engine, "unreadable", dict)()
        if why := next((str(e) for t, e in unread.items() if phrase(t) in map(phrase, lacking)), ""):
            raise Unread(Declined(why, tuple(lacking)))
        if (ahead := time_ahead(original, lacking)) is not None:
            raise Unread(ahead)
        undefined_words([m for m in found.items if m.words in lacking], found.items, index)
        lacking = own_words(lacking, original, written_out(question, index)[0])
        there = values_there(lacking, found.items, index)
        near = dict.fromkeys(n for w in lacking if w not in there for n in nearest(w, index.names()))
        said = ", ".join(f"'{w}'" for w in lacking)
        how = f" If it has one: %lexsi kg add {said} means ..." if len(lacking) == 1 else _what_there_is(found, index)
        held = f" {'; '.join(there.values())}." if there else ""
        how += "".join(f" {t} is left out: {e.what}" for t, e in list(unread.items())[:MOST_LEFT_OUT])
        raise Unread(Declined(f"I find no meaning for {said} in the data.{held}{how}", tuple(lacking), tuple(near)))
    if not found.items:
        raise Unread(Declined("There is no question about the data here."))
    late = undefined.PUNCTUAL.search(question.casefold())
    if late is not None and not any(e for m in found.items if late[0] in m.words.casefold() for e in m.entries):
        told = f"Nothing in the data says what is '{late[0]}'."
        raise Unread(Declined(f"{told} Say it by a number, such as a delay of at most 0.", (late[0],)))


def _orders(words: Sequence[Token]) -> list[str]:
    """Return the words that order a change: they open the question, or a part of it after `and`, `then` or `to`."""
    found, opens = [], True
    for i, t in enumerate(words):
        after = {w.low for w in words[i + 1 : i + 2]}
        gives = t.low in grammar.GIVE and opens and after & grammar.EVERYONE
        if opens and (gives or t.low in lexicon.FORBIDDEN):
            found.append(t.text)
        opens = t.low in lexicon.OPENING or (opens and t.low in lexicon.POLITE)
    return found


def _part_of_values(word: str, index: SchemaIndex) -> None:
    """Ask which is meant by a name that several values of one column have as a part: `Brno` of two districts.

    Raises:
        Unread: with the choice.
    """
    said = phrase(word)
    if not index.value_words.issuperset(said):
        return
    for column, listed in index.values.items():
        held = [str(v) for key, v in listed.items() if len(key) > len(said) == 1 and said[0] in key]
        held = list(dict.fromkeys(held))
        if len(said[0] if said else "") > 2 and 1 < len(held) <= MOST_NAMED:
            ways = (*held, f"all of them, as {column.name}")
            raise Unread(Choice(f"'{word}' is a part of several values of {column}.", ways, word))


def _what_there_is(found: Mentions, index: SchemaIndex) -> str:
    """Return what a question can name instead: the columns of the one table it names, or else the tables."""
    tables = list(dict.fromkeys(e.table for m in found.items for e in m.of("table")))
    if len(tables) == 1 and tables[0] in index.columns:
        names = list(index.columns[tables[0]])
        more = ", ..." if len(names) > MOST_NAMED else ""
        return f" Say it with columns of {tables[0]}: {', '.join(names[:MOST_NAMED])}{more}."
    return f" The tables are {', '.join(index.columns)}." if 0 < len(index.columns) <= MOST_NAMED else ""
