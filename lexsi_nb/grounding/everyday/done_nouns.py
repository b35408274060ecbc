"""Nouns of what was done, where a column of yes and no says it of each row: `cancellations` of `cancelled`."""

from __future__ import annotations

from lexsi_nb.grounding.everyday.rates import flags_called, values_done
from lexsi_nb.grounding.everyday.rows import Anew, date_called, known, said_as
from lexsi_nb.grounding.language import everyday
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Choice, Column, Declined, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.periods import is_year
from lexsi_nb.grounding.words import singular

_TIMED = ("grain", "monthname", "quarter", "half", "date", "trend", "growth", "running")


def noun_of_flag(question: str, index: SchemaIndex) -> Anew | None:
    """`how many cancellations`: the number of rows whose `cancelled` says yes.

    Raises:
        Unread: the noun stands alone, or a time is said, and nothing tells when it was done.
    """
    m = everyday.DONE_NOUN.search(question)
    if m is None or known(m["noun"], index):
        return None
    word = singular(m["noun"].casefold())
    found = [] if values_done(word, index) else flags_called((word,), index)
    if len(found) != 1 or date_called(word, found[0][0].table, index):
        return None  # a value or a day tells it too
    c, told, text = found[0]
    rows, rest = said_as(c.table), m["rest"] or ""
    if _timed(rest, index):
        _undated(m["noun"], c, text, index)
    counted = everyday.NUMBER_OF.format(everyday.ROWS_WITH.format("", rows, told, "").strip())
    if not m["lead"] and not rest:
        questions = (counted, everyday.PERCENTAGE.format(rows, told))
        ways = (f"number of {c.table} with {text}", f"percentage of {c.table} with {text}")
        raise Unread(Choice(f"'{m['noun']}' is told by {c}.", ways, m["noun"], questions=questions, lasting=False))
    lists = m["lead"] and everyday.LISTS.match(m["lead"])
    asked = everyday.ROWS_WITH.format(m["lead"], rows, told, "").rstrip() if lists else counted
    return Anew(
        question[: m.start()] + asked + rest + question[m.end() :], f"'{m['noun']}' read as {c.table} with {text}"
    )


def _timed(rest: str, index: SchemaIndex) -> bool:
    """Whether a condition or a group says a time."""
    return any(_tells_time(x) for x in mentions(rest, index).items) if rest else False


def _tells_time(m: Mention) -> bool:
    dated = any(e.column is not None and e.column.type == "date" for e in m.of("column"))
    return m.day is not None or is_year(m) or dated or any(m.tag(t) is not None for t in _TIMED)


def _undated(noun: str, c: Column, text: str, index: SchemaIndex) -> None:
    times = [x.name for x in index.columns[c.table].values() if x.type == "date"]
    near = (
        f" Say the date of {c.table} that is meant, as in '{c.table} with {text} by month of {times[0]}'."
        if times
        else ""
    )
    raise Unread(Declined(f"{c} says whether, and nothing in the data says when '{noun}' came.{near}", (noun,)))
