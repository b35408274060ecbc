"""Values or rows that occur more than once."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.forms.asking import Ask, refuse
from lexsi_nb.grounding.forms.looks import FRAME, made, named_columns, picked, rows_of, where_said
from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Column, Reading
from lexsi_nb.grounding.schema.names import quote


def _pointing(ask: Ask) -> tuple[list[Column], list[Mention]] | None:
    """`does any account appear more than once in the loan table`: which column points there."""
    inside = [m.tag("in") is not None and not m.entries for m in ask.items]
    at = next((i for i in range(len(inside) - 1, 0, -1) if inside[i - 1] and ask.items[i].of("table")), 0)
    table = ask.items[at].of("table")[0].table if at else ""
    nouns = [m for m in ask.items[: max(at - 1, 0)] if m.of("table") and table not in {e.table for e in m.of("table")}]
    if len(nouns) != 1:
        return None
    parents = {e.table for e in nouns[0].of("table")}
    found = [
        c for c in ask.index.columns[table].values()
        if parents & {j.parent for j in ask.index.joins.leaving(table, c.name)}
    ]  # fmt: skip
    own = any(e.table == table for e in nouns[0].of("column"))
    if len(found) != 1 and not own:
        refuse(f"No single column of {table} tells its {nouns[0].words}.", nouns[0].words)
    rest = [m for i, m in enumerate(ask.items) if m is not nouns[0] and i != at - 1 and m.tag("duplicates") is None]
    rest = [m for m in rest if not any(m.tag(t) is not None for t in FRAME) or m.entries]
    return (found, rest) if len(found) == 1 else None


def _own_key(m: Mention, ask: Ask) -> Mention:
    """Return the mention of `member ids` as the key of the members, though other tables point at it by that name."""
    columns = [e for e in m.of("column") if e.column is not None]
    own = [e for e in columns if e.column == ask.index.key_of(e.table) and len(ask.index.joins.into(e.table)) > 0]
    named = any(x.of("table") for x in ask.items if x is not m)
    return replace(m, entries=(own[0],)) if len(columns) > 1 and len(own) == 1 and not named else m


def duplicates(ask: Ask) -> Reading | None:
    ask = replace(ask, items=tuple(_own_key(m, ask) for m in ask.items))
    columns, rest = _pointing(ask) or named_columns(ask, 3)
    columns = list(dict.fromkeys(columns))
    tables = list(dict.fromkeys(e.table for m in rest for e in m.of("table")))
    if not columns and len(tables) == 1 and any(m.words.casefold() in grammar.KEYS for m in ask.items):
        key = ask.index.key_of(tables[0])
        columns = [key] if key else []
    rest = [m for m in rest if m.words.casefold() not in grammar.KEYS]
    whole = not columns
    tables = tables or ask.only_table()
    if whole and len(tables) != 1:
        refuse("I can't tell in which table or column to look for duplicates.")
    facts = ask.index.facts
    if whole:
        columns = [c for c in ask.index.columns[tables[0]].values() if not facts.column(tables[0], c.name).alias_of]
    if len({c.table for c in columns}) > 1:
        refuse("I look for duplicates in one table at a time.")
    rows = rows_of(ask, columns, rest)
    names = ", ".join(quote(c.name) for c in columns)
    held = "" if whole else "\n    WHERE " + " AND ".join(f"{quote(c.name)} IS NOT NULL" for c in columns)
    groups = f"repeated AS (\n    SELECT {names}, count(*) AS times\n    FROM picked{held}"
    groups += "\n    GROUP BY ALL\n    HAVING count(*) > 1\n)"
    what = "whole rows" if whole else " and ".join(c.name for c in columns)
    asked = ask.first in grammar.IS_ASKED
    none = any(m.tag("duplicates") == "none" for m in ask.items)
    if none and not asked:
        refuse("I tell whether there are duplicates, not which rows have none.", ask.items[0].words)
    which = [m for m in ask.items if m.tag("list") is not None and m.words.casefold() in grammar.WHICH]
    listed = bool(which) and (not asked or which[-1] is ask.items[-1])  # "are there any? Which?"
    if not listed and (ask.at("count") is not None or asked):
        yes = f"count(*) {'=' if none else '>'} 0 AS answer, " if ask.at("count") is None or none else ""
        sql = f"{picked(rows)[:-1]}, {groups}\nSELECT {yes}count(*) AS repeated_values,"
        sql += " coalesce(sum(times), 0) AS rows_with_them\nFROM repeated"
        said = f"values of {what} that occur more than once{where_said(rows)}"
        return made("duplicates", rows, sql, f"whether values of {what}{where_said(rows)} are unique" if none else said)
    sql = f"{picked(rows)[:-1]}, {groups}\nSELECT *\nFROM repeated\nORDER BY times DESC, {names}"
    return made("duplicates", rows, sql, f"values of {what} that occur more than once{where_said(rows)}")
