"""What was spent and what came in, where one column tells what was paid for a row."""

from __future__ import annotations

import re

from lexsi_nb.grounding.everyday.rows import Anew, dated_rows, known, payments_of, people_of, said_as
from lexsi_nb.grounding.language import everyday, grammar, retold
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words


def _payments(index: SchemaIndex) -> list[Column]:
    paid = {t: columns for t in index.columns if (columns := payments_of(t, index))}
    return [c for t in dated_rows(index, paid) for c in paid[t]]


def _anew(m: re.Match[str], way: str, column: Column, who: str) -> str:
    total = everyday.TOTAL.format(said_as(column.name), said_as(column.table))
    groups, plain = m.groupdict(), everyday.PLAIN_TOTAL.format(said_as(column.name))
    rest = groups.get("rest") or ""
    return way.format(total, who, rest, groups.get("head") or "", plain, f" {rest}")


def spent(question: str, index: SchemaIndex) -> Anew | None:
    """`who spent the most`, `top 3 guests by spending`: the total of what was paid for their rows."""
    for p, way in everyday.SPENT:
        m = p.search(question)
        if m is None:
            continue
        word = any(known(w, index) for w in re.findall(r"\w+", m[0].casefold()) if w in everyday.SPENDING)
        payments = _payments(index)
        if word or len(payments) != 1:
            return _open(m, way, payments, index) if not word and len(payments) > 1 else None
        column, who = payments[0], m.groupdict().get("who") or ""
        asked = _anew(m, way, column, _people(who, column.table, index))
        return Anew(asked, f"what was spent is told by {column}")
    return None


def _people(who: str, table: str, index: SchemaIndex) -> str:
    """Return whom `who` stands for: the people that the rows belong to, where there is one table of them."""
    people = people_of(table, index)
    if who.casefold() not in grammar.WHO or len(people) != 1:
        return who
    return retold.WHICH.format(rows_word(people[0], 1))


def _open(m: re.Match[str], way: str, payments: list[Column], index: SchemaIndex) -> Anew | None:
    """Ask which of several payments is meant."""
    who = m.groupdict().get("who") or ""
    asks = [(f"the total {c}", _anew(m, way, c, _people(who, c.table, index))) for c in payments[:8]]
    ways, questions = zip(*asks, strict=True)
    prompt = f"What is paid stands in several columns; which is meant by '{m[0]}'?"
    raise Unread(Choice(prompt, ways, m[0], questions=questions, lasting=False))


def earned(question: str, index: SchemaIndex) -> Anew | None:
    """Ask whether `revenue` is the total of what was paid for rows: nothing in the data says that it is.

    Raises:
        Unread: with the choice.
    """
    for p, way in everyday.EARNED:
        m = p.search(question)
        if m is None or not (payments := _payments(index)):
            continue
        said = {w for w in re.findall(r"\w+", question.casefold()) if w in everyday.INCOME}
        if any(known(w, index) for w in said) or everyday.FIGURE_BEFORE.search(m.groupdict().get("head") or ""):
            return None
        asks = [(f"the total {c}", _anew(m, way, c, m.groupdict().get("who") or "")) for c in payments[:7]]
        ways, questions = zip(*asks, strict=True)
        other = "something else: name the column, or say what it means with %lexsi kg add"
        prompt = "The data do not say what came in. What is meant?"
        named = m.re.groupindex.get("head") is not None  # by a word, which can mean it from now on
        words = question[m.end("head") : m.start("rest")].strip() if named else m[0]
        raise Unread(Choice(prompt, (*ways, other), words, questions=(*questions, question), lasting=named))
    return None


def paid_out(question: str, index: SchemaIndex) -> Anew | None:
    """`how much did we pay out in 2023`: the total of the one number that tells what was paid."""
    m = everyday.PAID_OUT.search(question)
    if m is None:
        return None
    columns = [c for c in _payments(index) if set(name_words(c.name)) & everyday.PAID]
    if len(columns) != 1:
        return None
    c = columns[0]
    asked = everyday.TOTAL.format(said_as(c.name), said_as(c.table)) + (m["rest"] or "")
    return Anew(asked, f"what was paid is told by {c}")
