"""The questions that ask for one option of a choice and for nothing else, the one that changes least first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.grounding.grains import GRAINS
from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import TAGS
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.wordings.pinned import parted
from lexsi_nb.grounding.words import plural, singular

OR_ELSE = "\n"  # between two ways to ask for an option, of which the first that is read is taken
PUT = "…"  # between words that stand for the open ones and words for the end of the question
_SHOWN = 3  # columns of a list that were asked for, with its key and order


@dataclass(frozen=True)
class Asked:
    """A question for an option, and what it means. sure: known to ask so; taken: by what words are taken as."""

    question: str
    outcome: Reading | Choice | Declined
    sure: bool
    taken: bool = False


def questions_for(
    choice: Choice, at: int, question: str, read: Callable[[str], Any], engine: Any, *, taken: bool = False
) -> list[Asked]:
    """Return the questions that ask for an option: one that is read alone, else those that are open in another way.

    Where there is none of these, those that are declined, one that is known to ask for it first.

    taken: by what words are taken as and by nothing else.
    """
    lead = parted(question)[0]
    text = question[len(lead) :]
    if lead:
        found = questions_for(choice, at, text, lambda q: read(f"{lead}{q}"), engine, taken=taken)
        return [replace(a, question=f"{lead}{a.question}") for a in found]
    option = choice.options[at]
    found = [] if taken else _reworded(choice, at, question, read)
    if not choice.said and not choice.questions:  # the same words as told of rows of another table are not it
        named = _table_named(option, engine)
        found = [a for a in found if not isinstance(a.outcome, Reading) or named in ("", a.outcome.table)]
    read_so = [a for a in found if isinstance(a.outcome, Reading)]
    if read_so:
        return read_so
    by_meaning = _taken(choice.words, option, question, read, engine)
    every = [*by_meaning, *found]
    open_still = [a for a in every if not isinstance(a.outcome, Declined)]
    return open_still or [a for a in every if a.sure] or every


def _taken(words: str, option: str, question: str, read: Callable[[str], Any], engine: Any) -> list[Asked]:
    """Return the question that takes some words as a table, a column or a value, where that is what the option is."""
    names = (t.name for t in engine.tables())
    if not words or not retold.TAKEN_AS or set(words) & set("'{}"):
        return []
    if not any(option in (n, f"{n}{retold.JOINT}{words}") or option.startswith(f"{n}.") for n in names):
        return []
    asked = retold.TAKEN_AS.format(words, option, question)
    outcome = read(asked)
    good = not isinstance(outcome, Reading) or outcome.sql
    return [Asked(asked, outcome, sure=True, taken=True)] if good else []


def _reworded(choice: Choice, at: int, question: str, read: Callable[[str], Any]) -> list[Asked]:
    """Return the question with other words in the place of the open ones that is read, else all that were tried."""
    text, option = question.rstrip(" ?."), choice.options[at]
    date = choice.dates[at] if choice.dates else ""
    given = choice.said or choice.questions
    plain = [choice.questions[at]] if choice.questions else _worded(choice, at, text)
    ways = [] if given else _with_date(choice.words, date, text) if date else _ways(choice.words, option, text)
    sure = [*(plain if given else []), *(ways if option in GRAINS else [])]
    tried: list[Asked] = []
    for asked in [*ways, *plain]:
        outcome = read(asked)
        if isinstance(outcome, Reading) and outcome.sql and (asked in plain or uses(outcome, option)):
            return [Asked(asked, outcome, sure=True)]
        if isinstance(outcome, Choice) and outcome.prompt != choice.prompt:  # else the same is still open
            tried.append(Asked(asked, outcome, asked in plain))
        if isinstance(outcome, Declined):
            tried.append(Asked(asked, outcome, asked in sure))
    return tried


def _worded(choice: Choice, at: int, text: str) -> list[str]:
    """Return the question with what asks for an option in the place of the open words, or around it."""
    if not choice.said:
        own = "" if choice.dates else choice.options[at]
        stays = not works(choice.words) or f" {choice.words} ".casefold() in f" {own} ".casefold()
        place = _place(choice.words, text) if choice.words and stays else None  # "above" is not lost: it has work to do
        return _with_rows(own, place, text) if place is not None and own else []
    out: list[str] = []
    for said in choice.said[at].split(OR_ELSE):
        place = _place(choice.words, text) if choice.words else None
        here = place.search(text) if place is not None else None
        if "{}" in said:
            out.append(said.format(text))
        elif place is not None and here is not None and PUT in said:
            new, end = said.split(PUT)
            out.append(f"{' '.join(place.sub(lambda _, new=new: new, text, count=1).split())}{end}")
        elif place is not None and here is not None and said:
            out += _with_rows(said.replace(choice.words, here.group(0)), place, text)
    return out


def _with_rows(said: str, place: re.Pattern[str], text: str) -> list[str]:
    """Return the question with words in a place; their table in the plural too, as in the singular it may be a word."""
    figure, of, rows = said.rpartition(" of ")
    return [_put(new, place, text) for new in ((said, f"{figure}{of}{plural(rows)}") if of else (said,))]


def _put(new: str, place: re.Pattern[str], text: str) -> str:
    """Return the question with new words in a place; their first word is not said twice: `of all (all debits)`."""
    m = place.search(text)
    if m is None:
        return text
    before, first = text[: m.start()].rstrip(), new.split(" ")[0]
    if before.casefold().split(" ")[-1] == first.casefold():
        before = before[: -len(first)].rstrip()
    return " ".join(x for x in (before, f"{new}{text[m.end() :]}") if x)


# Between two words of what is open: "total withdrawals" of `total of all withdrawals`.
_BETWEEN = rf"\s+(?:(?:{'|'.join(map(re.escape, sorted(grammar.OF | grammar.THE | lexicon.ALL)))})\s+)*"


def _place(words: str, text: str) -> re.Pattern[str] | None:
    """Return the pattern of some words in a question, there in the plural or here; None where they are not in it."""
    *lead, last = words.split()
    for end in dict.fromkeys((last, singular(last.casefold()))):
        said = _BETWEEN.join(map(re.escape, [*lead, end]))
        place = re.compile(rf"(?<!\w){said}(?!\w)", re.IGNORECASE)
        if place.search(text):
            return place
    return None


def _with_date(words: str, date: str, text: str) -> list[str]:
    """Return questions with the date beside the words that are a piece of it: `by weekday of shipped`."""
    place = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    beside = (retold.OF.format(words, date), f"{date} {words}")
    return [place.sub(lambda _, new=new: new, text, count=1) for new in beside if place.search(text)]


def _ways(words: str, option: str, text: str) -> list[str]:
    """Return questions that may ask for an option, the one that changes least first."""
    if option in GRAINS:
        return [retold.BY.format(text, option)]
    table, _, column = option.rpartition(".")
    said = [f"{table} {column}", retold.OF.format(column, table), column] if table else [option]
    ways: list[str] = []
    lead = grammar.COUNT_OPENS.match(text)
    if not words:
        rest = text[lead.end() :] if lead else ""
        joint = retold.COUNT_JOINTS.get(lead.group(0).lower(), "") if lead else ""
        return [f"{lead.group(0)}{joint} {option}{rest}"] if lead else []
    place = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    if place.search(text):
        if works(words):
            put = [retold.WITH_THIS.format(f"{said[0]} {words}"), f"{said[0]} {words}"]
            if singular(words.casefold()) in grammar.PERIOD_NOUNS:  # "which month of hire_date"
                put = [retold.OF.format(words, said[-1]), *put]
        else:
            part = option.split(" ")[0]
            put = said if table else [*said, f"{part} {words}"]
            if table and not column.startswith(words) and words not in column:
                put.append(retold.WITH_THIS.format(f"{column} {words}"))
        ways += [place.sub(lambda _, new=new: new, text, count=1) for new in put]
    return [*ways, retold.BY.format(text, said[0])]


def _table_named(option: str, engine: Any) -> str:
    """Return the table of an option that ends in one, `total amount of order`; an empty text where it names none."""
    _, of, rows = option.partition(" of ")
    return next((t.name for t in engine.tables() if rows == t.name or rows.startswith(f"{t.name} ")), "") if of else ""


def uses(reading: Reading, option: str) -> bool:
    """Whether a reading rests on the option: its column or table is among what it reads."""
    columns = [m.column for m in reading.measures if m.column] + [k.column for k in reading.keys]
    columns += [*reading.columns] if reading.kind != "list" or len(reading.columns) <= _SHOWN else []
    conditions = [*reading.filters, *(f for k in reading.links for f in k.filters)]
    columns += [g.column for f in conditions for g in (f, *f.inside()) if g.column]
    columns += [reading.order.column] if reading.order and reading.order.column else []
    dates = {f"{c.table}.{c.date}" for c in columns if c.date}
    names = {c.name for c in columns} | {str(c) for c in columns} | dates | {k.grain for k in reading.keys if k.grain}
    if option in names or option == reading.table:
        return True
    return " " in option and option.split(" of ")[0] in reading.text


def works(words: str) -> bool:
    """Whether words do something in a question: `above` compares, so it has to stay."""
    return bool(TAGS.get(tuple(words.casefold().split())))
