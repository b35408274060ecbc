"""Names as they are written in a question: those with signs in them, and `rows` for the one table there is."""

from __future__ import annotations

import re

from lexsi_nb.grounding.language import vocabulary
from lexsi_nb.grounding.reading import Choice, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex

MOST_TABLES = 6
_SIGN = re.compile(r"[^\w\s]")


def as_written(question: str, index: SchemaIndex) -> str:
    """Return the question with names that hold signs in quotes, and `how many rows` with the table that is meant.

    Raises:
        Unread: rows of more than one table can be meant, and nothing else in the question says of which.
    """
    if any(q in question for q in "\"'`“‘"):
        return question
    for name in index.signed:
        question = re.sub(rf"(?<![\w`]){re.escape(name)}(?![\w`])", f"`{name}`", question, flags=re.IGNORECASE)
    question = _signs_told(question, index)
    if (first := vocabulary.FIRST_ROWS.match(question)) is not None:
        return _first_rows(int(first.group(1)), list(index.columns))
    found = vocabulary.ROWS_COUNTED.match(question)
    if found is None or any((w,) in index.entries for w in vocabulary.ROWS):
        return question
    rest, tables = question[found.end() :], list(index.columns)
    if len(tables) == 1:
        return f"number of `{tables[0]}`{rest}"
    if not re.search(r"\w", rest) and len(tables) > 1:
        raise Unread(Choice("How many rows of which table?", tuple(tables[:MOST_TABLES]), ""))
    return question


def _signs_told(question: str, index: SchemaIndex) -> str:
    """Return the question with values in quotes that only a sign tells from others of their column: `O+` and `O-`."""
    for same in (s for groups in index.alike.values() for s in groups.values()):
        apart = {v.strip().casefold() for v in same}
        for value in same if len(apart) == len(same) else ():
            if _SIGN.search(value) and "'" not in value:
                place = rf"(?<![\w'+-]){re.escape(value)}(?![\w'+-])"
                question = re.sub(place, lambda m: f"'{m[0]}'", question)
    return question


def asked_of_the_graph(question: str) -> str:
    """Return what a question asks the knowledge graph for; an empty text for another question.

    >>> asked_of_the_graph("What does the knowledge graph say about default?")
    'default'
    """
    text = " ".join(question.split()).rstrip(" ?.!")
    found = next((m for p in vocabulary.IN_THE_GRAPH if (m := re.fullmatch(p, text, re.IGNORECASE))), None)
    return found["what"].strip("'\"`") if found else ""


def own_sql(question: str) -> str:
    """Return the SQL that a question gives to be run as it is; an empty text for a question in words.

    >>> own_sql("Run: select 1"), own_sql("run the numbers of loans")
    ('select 1', '')
    """
    found = vocabulary.OWN_SQL.match(question)
    return found["sql"].strip().rstrip(";").strip() if found else ""


def _first_rows(number: int, tables: list[str]) -> str:
    """Return the question for the first rows of the one table there is; which is meant of several is asked."""
    if len(tables) == 1:
        return f"first {number} rows of `{tables[0]}`"
    asked = tuple(f"first {number} rows of `{t}`" for t in tables[:MOST_TABLES])
    raise Unread(Choice("Rows of which table?", tuple(tables[:MOST_TABLES]), "", questions=asked))
