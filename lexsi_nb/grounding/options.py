"""What the readings of an open question are: each with a question that asks for it and, where cheap, its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.grounding.language import conversation
from lexsi_nb.grounding.option_questions import Asked, questions_for, uses, works
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.schema.kept import replaced

MIDNIGHT = " 00:00:00"
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
    found = offered(choice, question, read, engine, deep=deep)
    return tuple(OpenOption(o, words=choice.words) for o in choice.options) if isinstance(found, Declined) else found


def offered(
    choice: Choice, question: str, read: Callable[[str], Any], engine: Any, *, deep: bool = True
) -> tuple[OpenOption, ...] | Declined:
    """Return the options of a choice as `options` does; a decline where each of them is declined for a reason."""
    asked = choice.asked or question
    stand = [_stands(choice, at, asked, read, engine, deep=deep) for at in range(len(choice.options))]
    if _alike(stand):  # two that are asked alike are not told apart by being asked
        stand = [_stands(choice, at, asked, read, engine, deep=deep, taken=True) for at in range(len(choice.options))]
    every = [o for s in stand for o in s.options]
    if _alike(stand):
        return tuple(OpenOption(o.text, words=o.words) for o in every)
    askable = [o for o in every if o.question]
    if not askable and (why := _reason(choice, stand)) is not None:
        return why
    several = sum(any(o.question for o in s.options) for s in stand) > 1
    return tuple(askable if several and len({o.text for o in askable}) == len(askable) else every)


@dataclass(frozen=True)
class _Stands:
    """What an option stands as: itself, the options of one that is open, or its text with the reason against it."""

    options: tuple[OpenOption, ...]
    statements: tuple[str, ...] = ()
    why: Declined | None = None
    sure: bool = False  # whether that is said of the option, not of words that were tried for it


def _alike(stand: Sequence[_Stands]) -> bool:
    """Whether two options come to one statement."""
    statements = [sql for s in stand for sql in s.statements]
    return len({*statements}) < len(statements)


def _reason(choice: Choice, stand: Sequence[_Stands]) -> Declined | None:
    """Return the decline of a choice none of whose options is read: one reason for all, or that of each."""
    why = [s.why for s in stand if s.why is not None]
    if len(why) < len(stand):
        return None
    if len({w.reason for w in why}) == 1:
        return why[0]
    if not all(s.sure for s in stand):
        return None
    each = " ".join(f"({i}) {o}: {w.reason}" for i, (o, w) in enumerate(zip(choice.options, why, strict=True), 1))
    return Declined(f"{choice.prompt} {each}", tuple(dict.fromkeys(x for w in why for x in w.lacks)))


def _stands(
    choice: Choice, at: int, question: str, read: Callable[[str], Any], engine: Any, *, deep: bool, taken: bool = False
) -> _Stands:
    """Return what an option stands as.

    taken: asked for by what its words are taken as, and by nothing else.
    """
    option = choice.options[at]
    against: Asked | None = None
    for nth, asked in enumerate(questions_for(choice, at, question, read, engine, taken=taken)):
        if nth and not asked.sure:
            continue  # other words were tried, and it may be something else that they ask for
        if isinstance(asked.outcome, Declined):
            against = against or asked
        elif isinstance(asked.outcome, Choice):
            inner = options(asked.outcome, asked.question, read, engine, deep=False) if deep else ()
            kept = [o for o in inner if o.question and (asked.sure or uses(read(o.question), option))]
            if kept:
                held = tuple(replace(o, words=choice.words, means="") for o in kept)
                return _Stands(held, tuple(read(o.question).sql for o in kept))
        else:
            reading = asked.outcome
            lasting = choice.lasting and not asked.taken and not works(choice.words)  # "over" is of one column here
            means = replaced(question.rstrip(" ?."), asked.question, choice.words) if lasting else ""
            made = OpenOption(reading.text, asked.question, _number(reading, engine), choice.words, means)
            return _Stands((made,), (reading.sql,))
    if against is None or not isinstance(against.outcome, Declined):
        return _Stands((OpenOption(option, words=choice.words),))
    text = f"{option}: not here. {against.outcome.reason}" if against.sure else option
    return _Stands((OpenOption(text, words=choice.words),), why=against.outcome, sure=against.sure)


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


_WHOLE = 100_000  # above which figures behind the point are not told


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
    if reading.kind == "topk" and n == 1 and not keys and (first := _first_row(reading, engine)):
        return first
    if reading.kind not in ("groupby", "topk", "share") or not n or not 0 < keys < len(rows[0]) < keys + 3:
        return said
    first = f"{', '.join(map(_named, rows[0][:keys]))}: {_told(rows[0][keys])}"
    return first if n == 1 else f"{said}; {first}"


def _first_row(reading: Reading, engine: Any) -> str:
    """Return what the one row of a ranking is called and what it is ranked by, of those that are shown; else ""."""
    ranked = reading.order.column.name if reading.order is not None and reading.order.column is not None else ""
    frame = engine.run(reading.sql, "df", max_rows=None, timeout=SECONDS)
    if ranked not in frame.columns or len(frame) != 1:
        return ""
    others = [c for c in frame.columns if c != ranked]
    called = [frame[c].iloc[0] for at, c in enumerate(others[:2]) if at == 0 or isinstance(frame[c].iloc[0], str)]
    return f"{' '.join(map(_named, called))}: {_told(frame[ranked].iloc[0]).removesuffix(MIDNIGHT)}" if called else ""


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
