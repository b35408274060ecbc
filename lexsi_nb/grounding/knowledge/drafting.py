"""A first draft of what is known of any dataset: keys, times, joins, code books, names that comments give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lexsi_nb.data.declared import Declared, merged
from lexsi_nb.grounding.language import lexicon, vocabulary
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Join
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.words import singular

FEW_CODES = 12  # different values a column may have and still be a code book to fill in
LONGEST_NAME = 3  # words


def draft(index: SchemaIndex, declared: Declared | None = None, private: Sequence[str] = ()) -> dict[str, Any]:
    """Return sections of a knowledge graph, every entry marked inferred; what the graph has already is left out.

    Keys and joins are verified on the data, declared ones too. `declared` has the comments; the values of columns
    that are `private` ("table.column") stay out of it.
    """
    said = merged([index.declared, declared or Declared()])
    known = set(index.facts.tables)
    tables = {t: _table(t, index, said, private) for t in index.columns if t not in known}
    joins = [_join(j, index) for j in index.joins.joins if not {j.child, j.parent} <= known]
    return {"tables": tables, "join_paths": joins}


def _table(table: str, index: SchemaIndex, said: Declared, private: Sequence[str]) -> dict[str, Any]:
    key, times = index.key_of(table), index.time_of(table, loose=True)
    comment = said.comment(table)
    names = [table.casefold().replace("_", " "), *_names([*names_in(comment), *_in_full(table, comment)], index)]
    entry: dict[str, Any] = {"inferred": True, "names": list(dict.fromkeys(names))}
    if comment:
        entry["comment"] = comment
    if key is not None and index.unique(table, key.name):
        entry["entity"] = key.name
    entry["time"] = times[0].name if len(times) == 1 else None
    if len(times) > 1:
        entry["dates"] = [t.name for t in times]
    columns: dict[str, Any] = {}
    for c in index.columns[table].values():
        comment, about = said.comment(table, c.name), {}
        if comment:
            about["comment"] = comment
        given = names_in(comment)
        own = phrase(table)
        given += [n.split(" ", 1)[1] for n in given if len(n.split()) > 1 and phrase(n)[:1] == own]
        if names := _names(given, index):
            about["names"] = names
        values = sorted(set(map(str, (index.values.get(c) or {}).values())))
        if 0 < len(values) <= FEW_CODES and f"{table}.{c.name}" not in private and c != key:
            about["codes"] = {v: meaning_in(comment, v) for v in values}
        if about:
            columns[c.name] = {"inferred": True, **about}
    if columns:
        entry["columns"] = columns
    return entry


def _join(j: Join, index: SchemaIndex) -> dict[str, Any]:
    child, parent = quote(j.child_column), quote(j.parent_column)
    found = f"{child} IN (SELECT {parent} FROM {quote(j.parent)})"
    counts = f"count(*) AS n, count({child}) AS filled, count(*) FILTER (WHERE {found}) AS hit"
    rows, filled, hit = map(int, index.reads.one(f"SELECT {counts} FROM {quote(j.child)}", j.child, j.parent))
    said = f"{'all ' if hit == filled else f'{hit:,} of '}{filled:,} rows match"
    return {
        "from": f"{j.child}.{j.child_column}", "to": f"{j.parent}.{j.parent_column}", "many_to_one": True,
        "inferred": True, "text": said + (f"; {rows - filled:,} are empty" if filled < rows else ""),
    }  # fmt: skip


def meaning_in(comment: str, code: str) -> str:
    """Return what a comment says a code stands for, an empty text where it does not.

    >>> meaning_in("Status: O = open, S = shipped (by post)", "S"), meaning_in("O = open", "S")
    ('shipped', '')
    """
    place = rf"(?<![\w.]){re.escape(code)}['\"]?{vocabulary.CODE_STANDS_FOR}['\"]?(?P<said>[^,;|()/'\"=]+)"
    found = re.search(place, comment)
    return found["said"].strip(" .") if found else ""


def names_in(comment: str) -> list[str]:
    """Return the names that a comment gives: a comment of a few words, or what it says that is also called.

    >>> names_in("Order value, also called turnover or revenue"), names_in("Full name")
    (['order value', 'turnover', 'revenue'], ['full name'])
    """
    also = re.search(vocabulary.ALSO_CALLED, comment, re.IGNORECASE)
    head = re.split(r"[,.;:(]", comment[: also.start()] if also else comment)[0].strip()
    found = [head] if head else []
    found += re.split(vocabulary.BETWEEN_NAMES, also["names"]) if also else []
    plain = [" ".join(n.casefold().split()).strip("'\"") for n in found]
    return list(dict.fromkeys(n for n in plain if n and len(n.split()) <= LONGEST_NAME))


def _in_full(table: str, comment: str) -> list[str]:
    """Return the first word of a comment where the table's name shortens it: orders, of `ord`."""
    first = next(iter(re.findall(r"[^\W\d_]+", comment.casefold())), "")
    short = table.casefold()
    return [singular(first)] if len(short) > 2 and first.startswith(short) and singular(first) != short else []


def _names(given: Sequence[str], index: SchemaIndex) -> list[str]:
    """Return the names that stand for nothing in the data or the language yet."""
    free = []
    for name in given:
        key = phrase(name)
        if key and key not in index.entries and any(w not in lexicon.STOP for w in key):
            free.append(name)
    return free
