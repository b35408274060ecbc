"""What the readings of an open question are: each with a question that asks for it and, where cheap, its number."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.grounding.grains import GRAINS
from lexsi_nb.grounding.language import conversation, grammar, lexicon, retold
from lexsi_nb.grounding.mentions import TAGS
from lexsi_nb.grounding.reading import Choice, Reading
from lexsi_nb.grounding.schema.kept import replaced
from lexsi_nb.grounding.words import plural, singular

SECONDS = 2.0  # a figure that takes longer is not shown beside its reading
GIVEN_ROWS, GIVEN_ROW, MISSING = "{} rows", "1 row", "missing"


@dataclass(frozen=True)
class OpenOption:
    """One way to read an open question."""

    text: str
    question: str = ""
    number: str = ""
    words: str = ""  # what was open in the question
    means: str = ""  # and what stands for it in this one


def options(
    choice: Choice, question: str, read: Callable[[str], Any], engine: Any, *, deep: bool = True
) -> tuple[OpenOption, ...]:
    """Return the options of a choice, each with the question that asks for it and for nothing else.

    An option that is open itself stands as the options it has, with `deep` alone. One that no question asks for is
    shown only where fewer than two can be asked for.
    """
    asked = choice.asked or question
    found = [_found(choice, at, asked, read, engine, deep=deep) for at in range(len(choice.options))]
    if _alike(found):  # two that are asked alike are not told apart by being asked
        found = [_found(choice, at, asked, read, engine, deep=deep, pinned=True) for at in range(len(choice.options))]
    every = [o for ways in found for o, _ in ways]
    if _alike(found):
        return tuple(OpenOption(o.text, words=o.words) for o in every)
    askable = [o for o in every if o.question]
    several = sum(any(o.question for o, _ in ways) for ways in found) > 1
    return tuple(askable if several and len({o.text for o in askable}) == len(askable) else every)


def _alike(found: Sequence[Sequence[tuple[OpenOption, str]]]) -> bool:
    """Whether two options come to one statement."""
    statements = [sql for ways in found for _, sql in ways if sql]
    return len({*statements}) < len(statements)


def _found(
    choice: Choice, at: int, question: str, read: Callable[[str], Any], engine: Any, *, deep: bool, pinned: bool = False
) -> list[tuple[OpenOption, str]]:
    """Return what an option stands as, each with its statement: itself, the options of one that is open, or its text.

    pinned: asked for by what its words are taken as, and by nothing else.
    """
    option = choice.options[at]
    lasting = choice.lasting and not _works(choice.words)  # "over" is of one column here, of another there
    ways = [] if pinned else _asked(choice, at, question, read)
    if not choice.said and not choice.questions:  # the same words as told of rows of another table are not it
        ways = [w for w in ways if not isinstance(w[1], Reading) or _table_named(option, engine) in ("", w[1].table)]
    if not any(isinstance(w[1], Reading) for w in ways) and (pins := _pinned(choice, option, question, read, engine)):
        ways, lasting = pins, False
    for asked, reading, sure in ways[:1]:
        if isinstance(reading, Choice):
            inner = options(reading, asked, read, engine, deep=False) if deep else ()
            kept = [o for o in inner if o.question and (sure or _uses(read(o.question), option))]
            if kept:
                return [(replace(o, words=choice.words, means=""), read(o.question).sql) for o in kept]
            continue
        means = replaced(question.rstrip(" ?."), asked, choice.words) if lasting else ""
        return [(OpenOption(reading.text, asked, _number(reading, engine), choice.words, means), reading.sql)]
    return [(OpenOption(option, words=choice.words), "")]


def _pinned(
    choice: Choice, option: str, question: str, read: Callable[[str], Any], engine: Any
) -> list[tuple[str, Reading | Choice, bool]]:
    """Return the question that takes some words as a table, a column or a value, where that is what the option is."""
    words, names = choice.words, (t.name for t in engine.tables())
    if not words or not retold.TAKEN_AS or set(words) & set("'{}"):
        return []
    if not any(option == n or option.startswith(f"{n}.") for n in names):
        return []
    asked = retold.TAKEN_AS.format(words, option, question)
    reading = read(asked)
    good = isinstance(reading, Choice) or (isinstance(reading, Reading) and reading.sql)
    return [(asked, reading, True)] if good else []


def chosen(ways: Sequence[OpenOption], said: str) -> OpenOption | None:
    """Return the option that is said by its number or its own words; None for none."""
    low = " ".join(said.casefold().split()).strip(" ?.!")
    if (m := conversation.CHOSEN.fullmatch(low)) is not None:
        at = int(m["number"])
        return ways[at - 1] if 1 <= at <= len(ways) else None
    for w in ways:
        own = {" ".join(t.casefold().split()).strip(" ?.!") for t in (w.text, f"{w.text}: {w.number}")}
        if low in own:
            return w
    return None


def _works(words: str) -> bool:
    """Whether words do something in a question: `above` compares, so it has to stay."""
    return bool(TAGS.get(tuple(words.casefold().split())))


def _asked(
    choice: Choice, at: int, question: str, read: Callable[[str], Any]
) -> list[tuple[str, Reading | Choice, bool]]:
    """Return (the question that asks for an option, its reading or what is open in it, whether it is said to ask so).

    Nothing where no question does.
    """
    text, option = question.rstrip(" ?."), choice.options[at]
    date = choice.dates[at] if choice.dates else ""
    place = _place(choice.words, text) if choice.words else None
    said = choice.said[at] if choice.said else "" if choice.dates else option
    plain = [choice.questions[at]] if choice.questions else [said.format(text)] if choice.said and "{}" in said else []
    stays = choice.said or not _works(choice.words) or f" {choice.words} ".casefold() in f" {said} ".casefold()
    if place is not None and said and not plain and stays:  # "above" is not lost: it has work to do
        here = place.search(text)
        said = said.replace(choice.words, here.group(0)) if here and choice.said else said
        figure, of, rows = said.rpartition(" of ")
        ways = (said, f"{figure}{of}{plural(rows)}") if of else (said,)  # a table may be called as a word is that works
        plain = [_put(new, place, text) for new in ways]
    given = choice.said or choice.questions
    ways = [] if given else _with_date(choice.words, date, text) if date else _ways(choice.words, option, text)
    still_open: list[tuple[str, Reading | Choice, bool]] = []
    for asked in [*ways, *plain]:
        reading = read(asked)
        if isinstance(reading, Reading) and reading.sql and (asked in plain or _uses(reading, option)):
            return [(asked, reading, True)]
        if isinstance(reading, Choice) and reading.prompt != choice.prompt:  # else the same is still open
            still_open.append((asked, reading, asked in plain))
    return still_open


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
        if _works(words):
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


_WHOLE = 100_000  # above which figures behind the point are not told
_SHOWN = 3  # columns of a list that were asked for, with its key and order


def _uses(reading: Reading, option: str) -> bool:
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


def _number(reading: Reading, engine: Any) -> str:
    """Return what a reading gives: its figure, or how many rows and the first of groups."""
    try:
        rows = _rows(f"SELECT * FROM (\n{reading.sql}\n) AS given LIMIT 2", engine)
        if reading.kind in ("count", "aggregate"):
            return _told(rows[0][0]) if len(rows) == 1 and len(rows[0]) == 1 else ""
        n = int(_rows(f"SELECT count(*) AS n FROM (\n{reading.sql}\n) AS given", engine)[0][0])
    except LexsiError:
        return ""  # not cheap: the choice stands without it
    said = GIVEN_ROWS.format(f"{n:,}") if n != 1 else GIVEN_ROW
    keys = len(reading.keys)
    if reading.kind == "comparison" and n == len(rows) == 2 and len(rows[0]) == 2:
        return "; ".join(f"{_named(thing)}: {_told(figure)}" for thing, figure in rows)
    if reading.kind == "share" and n == 1 and not keys:
        return f"{_told(rows[0][0])} %"
    if reading.kind not in ("groupby", "topk", "share") or not n or not 0 < keys < len(rows[0]) < keys + 3:
        return said
    first = f"{', '.join(map(_named, rows[0][:keys]))}: {_told(rows[0][keys])}"
    return first if n == 1 else f"{said}; {first}"


def _rows(sql: str, engine: Any) -> list[tuple[Any, ...]]:
    return engine.run(sql, "fetchall", max_rows=None, timeout=SECONDS)


def _named(value: Any) -> str:
    """Return a group as it is called: a year has no commas."""
    return MISSING if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _told(value: Any) -> str:
    if value is None or value != value:
        return MISSING
    number = float(value) if hasattr(value, "__float__") else None
    if number is None:
        return str(value)
    whole = number.is_integer() or abs(number) >= _WHOLE
    return f"{number:,.0f}" if whole else f"{number:,.6g}"
