"""By which number the rows of a table are the largest or the longest."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import everyday, schema_words, vocabulary
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words


def sized_by(words: str, table: str, index: SchemaIndex) -> Column | None:
    """Return the size of a table, for an adjective of length the one number that is told in a length.

    None where the table has no such number, or where several are of a length.
    """
    size = index.size_of(table)
    wanted = set(vocabulary.SIZES.get(words.casefold(), ()))
    if not wanted or index.facts.empty:
        return size
    long = [c for c in index.numeric(table) if wanted & {*name_words(c.name), index.facts.column(table, c.name).unit}]
    return long[0] if len(long) == 1 else None


def no_amounts(words: str, numbers: Sequence[Column]) -> list[Column]:
    """Return the numbers that `longest` can be told by: no amount of money is long."""
    money = everyday.PAYMENTS | schema_words.MONEY
    if words.casefold() not in vocabulary.SIZES:
        return list(numbers)
    return [c for c in numbers if not set(name_words(c.name)) & money]


def unfitting(words: str, table: str, index: SchemaIndex) -> bool:
    """Whether a declared size is of another kind than an adjective of length asks for: the longest of amounts."""
    size = index.size_of(table)
    return size is not None and words.casefold() in vocabulary.SIZES and sized_by(words, table, index) != size
