"""Which columns of a table tell of one of its columns, which are left out, and why."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.modeling.columns import only_names

ROWS_A_TEXT = 5  # rows that each text of a column should have to be learned from


def _restated(target: Column, x: Column, index: SchemaIndex) -> bool:
    """Whether one of two columns is computed from the other: what restates the target says nothing of its causes."""
    mine, other = (index.facts.column(c.table, c.name).restates or "" for c in (target, x))
    return target.name in re.findall(r"\w+", other) or x.name in re.findall(r"\w+", mine)


def features_of(
    target: Column, key: Column, times: list[Column], filled: int, open_: int, index: SchemaIndex
) -> tuple[list[Column], list[tuple[str, str]]]:
    """Return the columns to predict from, and those left out with the reason. open_: rows without the target."""
    others = [x for x in index.columns[target.table].values() if x not in (target, key)]
    never = _never_filled(others, target, index) if open_ else ()
    left: list[tuple[str, str]] = []
    kept: list[Column] = []
    for x in others:
        facts = index.facts.column(target.table, x.name)
        if facts.alias_of:
            continue  # the same column under its other name
        if facts.key or index.joins.leaving(target.table, x.name):
            left.append((f"{target.table}.{x.name}", "a key"))
        elif x in never:
            left.append((f"{target.table}.{x.name}", f"no value in any of the {open_:,} rows without {target.name}"))
        elif _restated(target, x, index):
            left.append((f"{target.table}.{x.name}", f"restates {target.name}"))
        elif facts.restates == "outcome":
            left.append((f"{target.table}.{x.name}", "restates an outcome, known only afterwards"))
        elif x.type == "date" and x not in times:
            left.append((f"{target.table}.{x.name}", "a date that some rows lack: not the day of a row"))
        elif x.type == "date":
            if len(times) != 1:
                left.append((f"{target.table}.{x.name}", "one of several dates; none is known to be the as-of day"))
        elif x.type == "text" and (why := _too_many_kinds(x, target, filled, index)):
            left.append((f"{target.table}.{x.name}", why))
        elif x.type in ("number", "text", "bool"):
            kept.append(x)
    return kept, [*left, *_related(target, index)]


def _never_filled(columns: list[Column], target: Column, index: SchemaIndex) -> list[Column]:
    """Return the columns without a value in any of the rows whose target is missing."""
    if not columns:
        return []
    counts = ", ".join(f"count({quote(x.name)})" for x in columns)
    sql = f"SELECT {counts} FROM {quote(target.table)} WHERE {quote(target.name)} IS NULL"
    return [x for x, n in zip(columns, index.reads.one(sql, target.table), strict=True) if not n]


def _too_many_kinds(x: Column, target: Column, filled: int, index: SchemaIndex) -> str:
    """Return why the texts of a column have too few rows each where the target is known, or ""."""
    sql = f"SELECT count(DISTINCT {quote(x.name)}) FROM {quote(x.table)} WHERE {quote(target.name)} IS NOT NULL"
    different = int(index.reads.one(sql, x.table)[0])
    if different * ROWS_A_TEXT > filled:
        return f"{different:,} different values in the {filled:,} known rows, too few rows each to learn from"
    return only_names(x.name, different, filled)


def _related(target: Column, index: SchemaIndex) -> list[tuple[str, str]]:
    """Return the tables whose rows tell of those of the target, which are left out, with the reason."""
    why = (
        f"nothing says which of them were known before {target.name} was; to use them, define {target.name} under "
        f"outcomes in lexsi_kg.yaml, and the time of {target.table} under tables: what is dated before it counts"
    )
    tables = dict.fromkeys(step.end[0] for step in index.joins.children(target.table))
    return [(f"{t} ({index.rows.get(t) or 0:,} rows that belong to {target.table})", why) for t in tables]


def of_a_parent(target: Column, filled: int, index: SchemaIndex) -> Callable[[Column], tuple[bool, str]]:
    """Return what says whether a column of a table that the rows point at is a feature, and why not."""

    def keep(x: Column) -> tuple[bool, str]:
        facts, levels = index.facts.column(x.table, x.name), index.values.get(x)
        if x.type not in ("number", "text", "bool") or facts.alias_of or facts.key or x == index.key_of(x.table):
            return False, ""
        if index.joins.leaving(x.table, x.name):
            return False, ""
        if facts.restates:
            return False, "restates another column"
        if (facts.undated or index.facts.table(x.table).undated) and not facts.static:
            return False, "undated"
        if facts.as_of and index.time_of(target.table):
            return False, f"known from {facts.as_of} on, and rows may be older"
        if facts.protected and not index.facts.column(target.table, target.name).protected:
            return False, "protected"
        if x.type == "text" and index.unique(x.table, x.name):
            return False, f"tells each {x.table} from the others, and nothing of them"
        if x.type == "text" and (levels is None or len(set(levels.values())) * ROWS_A_TEXT > filled):
            return False, "too many different values for the known rows"
        if x.type == "text" and levels and (why := only_names(x.name, len(set(levels.values())), filled)):
            return False, why
        return True, ""

    return keep
