"""Two numbers of one row held against each other: `goods with stock below reorder level`, `goods below their limit`."""

from __future__ import annotations

import re

from lexsi_nb.grounding.everyday.rows import Anew, let_stand, one_of, said_as, tables_called
from lexsi_nb.grounding.language import everyday
from lexsi_nb.grounding.mentions import TAGS
from lexsi_nb.grounding.reading import Column, Declined, Unread
from lexsi_nb.grounding.rendering.clauses import named
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words


def against_its_own(question: str, index: SchemaIndex) -> Anew | None:
    """`goods with stock below reorder level`: the rows whose one number is below the other.

    Raises:
        Unread: it is open, or not said, which number is meant.
    """
    m = everyday.AGAINST.search(question)
    tables = tables_called(m["noun"], index) if m is not None else []
    if m is None or len(tables) != 1 or _means_more(m["other"]):
        return None
    table = tables[0]
    other = _called(m["other"], table, index)
    if other is None:
        return None
    ones = [c] if m["one"] and (c := _called(m["one"], table, index)) is not None else []
    if not m["one"]:
        ones = [c for c in index.numeric(table) if c != other and set(name_words(c.name)) & everyday.STOCKED]
    ones = [c for c in ones if c != other]
    if not ones and m["one"]:
        return None
    if not ones:
        told = f"'{m['cmp']} {m['other']}': which number of {table} is? Say it, as in '{m['noun']} with ..."
        raise Unread(Declined(f"{told} {m['cmp']} {m['other']}'.", (m["cmp"],)))
    ways = [(f"{c.name} {m['cmp']} {other.name}", _anew(question, m, c, other, index)) for c in ones]
    asked = one_of(f"'{m['cmp']} {m['other']}' of which number?", ways, m["cmp"])
    return Anew(asked, f"{ways[0][0]}: both numbers of the same row of {table}; rows without one of them do not count")


def _means_more(words: str) -> bool:
    """Whether words are of the language before they are a column's: `above average`."""
    return bool(TAGS.get(tuple(words.casefold().split())))


def _called(words: str, table: str, index: SchemaIndex) -> Column | None:
    """Return the number of a table that is called by these words and no others."""
    said = name_words(words.strip("`"))
    found = [c for n, c in index.columns[table].items() if c.type == "number" and not c.sql and name_words(n) == said]
    plain = len(found) == 1 and found[0] in index.numeric(table)
    return found[0] if plain else None


def _anew(question: str, m: re.Match[str], one: Column, other: Column, index: SchemaIndex) -> str:
    op = everyday.AGAINST_WAYS[m["cmp"].casefold()]
    held = _held_against(one, op, other, index)
    made = everyday.AGAINST_IS.format(m["noun"], said_as(held.name))
    return question[: m.start()] + made + question[m.end() :]


def _held_against(one: Column, op: str, other: Column, index: SchemaIndex) -> Column:
    """Return 1 where one number of a row is above or below another, else 0, as a column with a name to ask by."""
    name = "_".join((*name_words(one.name), *_OPS[op], *name_words(other.name)))
    sql = f"CAST({named(one, '{p}')} {op} {named(other, '{p}')} AS INTEGER)"
    return let_stand(Column(one.table, name, "number", sql), index)


_OPS = {"<": ("below",), ">": ("above",), "<=": ("at", "most"), ">=": ("at", "least")}
