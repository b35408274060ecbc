"""Names as SQL and as phrases, and the broad type of a column."""

from __future__ import annotations

import re
from functools import lru_cache

from lexsi_nb.grounding.reading import ColumnType
from lexsi_nb.grounding.words import JOINED, singular, tokens

Phrase = tuple[str, ...]


@lru_cache(maxsize=4_096)
def column_type(sql_type: str) -> ColumnType:
    """Return the broad type of a DuckDB type name."""
    t = sql_type.upper()
    if t.endswith("]"):
        return "other"  # a list of texts is no text
    if t.startswith(
        (
            "TINYINT",
            "SMALLINT",
            "INT",
            "BIGINT",
            "HUGEINT",
            "UTINY",
            "USMALL",
            "UINT",
            "UBIG",
            "UHUGE",
            "FLOAT",
            "DOUBLE",
            "REAL",
            "DECIMAL",
        )
    ):
        return "number"
    if t.startswith(("VARCHAR", "ENUM", "CHAR", "TEXT", "STRING")):
        return "text"
    if t.startswith(("DATE", "TIMESTAMP")):
        return "date"
    return "bool" if t.startswith("BOOL") else "other"


# Words and numbers one blank apart: what tokens() cuts there needs no look at signs, quotes and dates.
_PLAIN = re.compile(r"(?:[A-Za-z]+|\d+(?= [A-Za-z]|$))(?: (?:[A-Za-z]+|\d+(?= [A-Za-z]|$)))*")


def phrase(text: str) -> Phrase:
    """Return the singular words of a name or phrase, as questions are matched."""
    if _PLAIN.fullmatch(text) and JOINED.isdisjoint(words := text.casefold().split(" ")):
        return tuple(map(singular, words))
    return tuple(singular(t.low) for t in tokens(text) if t.kind != "sign")


def quote(name: str) -> str:
    """Return an identifier as SQL, quoted only where it must be."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) and name.casefold() not in RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'


RESERVED = frozenset(
    """all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
    default deferrable desc describe distinct do else end except false fetch for foreign from grant group having in
    initially intersect into lambda lateral leading limit not null offset on only or order pivot placing primary
    qualify references returning select show some summarize symmetric table then to trailing true union unique
    unpivot using variadic when where window with values at by join natural cross inner left right full outer between
    is like interval exists row position map struct group set union semi positional tablesample
    alter anti asof authorization binary collation concurrently cube drop force freeze glob if ilike insert install
    isnull lock notnull overlaps pivot_longer pivot_wider regexp revoke rlike rollback rollup similar uncache unpack
    verbose xor""".split()
)
