"""The plan for a column whose missing values are to be predicted from the other columns of its table."""

from __future__ import annotations

import re

from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.names import quote
from lexsi_nb.grounding.reading import Column, Declined, PredictivePlan, Unread

MOST_CLASSES = 10


def column_target(items: list[Mention], index: SchemaIndex) -> PredictivePlan:
    """Plan for a column whose missing values are the rows to predict, in its own table.

    Where the question asks what drives the column, it may be known everywhere: nothing is then predicted.
    """
    tables = list(dict.fromkeys(e.table for m in items for e in m.of("table")))
    options = [e.column for m in items for e in m.of("column") if e.column and (not tables or e.table in tables)]
    options = list(dict.fromkeys(options))
    if len(options) != 1:
        known = tuple(o.name for o in index.facts.outcomes)
        hint = f" What can be predicted here: {', '.join(known)}." if known else ""
        what = "more than one column" if options else "no outcome and no target column"
        raise Unread(Declined(f"This asks for a prediction but names {what}.{hint}", tuple(map(str, options)), known))
    target = options[0]
    odd = [m.words for m in items if not (m.entries or m.number is not None or _framing(m))]
    more = [
        m.words for m in items if m.entries and not (m.of("table") or any(e.column == target for e in m.of("column")))
    ]
    if odd or more:
        raise Unread(Declined("I read a prediction of a column without conditions only.", tuple([*odd, *more])))
    if index.facts.column(target.table, target.name).key:
        raise Unread(Declined(f"{target} is a key, nothing to predict.", (target.name,)))
    return _simple(target, index, explaining=any(m.tag("drives") is not None for m in items))


def _framing(m: Mention) -> bool:
    return any(
        m.tag(t) is not None
        for t in (
            "null",
            "notnull",
            "not",
            "predictive",
            "drives",
            "why",
            "list",
            "top",
            "super",
            "most",
            "and",
            "in",
            "to",
            "by",
            "count",
            "or",
        )
    )


def _restated(target: Column, x: Column, index: SchemaIndex) -> bool:
    """Whether one of two columns is computed from the other: what restates the target says nothing of its causes."""
    mine, other = (index.facts.column(c.table, c.name).restates or "" for c in (target, x))
    return target.name in re.findall(r"\w+", other) or x.name in re.findall(r"\w+", mine)


def _simple(target: Column, index: SchemaIndex, *, explaining: bool = False) -> PredictivePlan:
    table, t = target.table, quote(target.table)
    c = quote(target.name)
    counts = f"SELECT count(*) AS n, count({c}) AS filled, count(DISTINCT {c}) AS kinds FROM {t}"
    n, filled, kinds = (int(x) for x in index.reads.one(counts, table))
    if filled == n and not explaining:
        raise Unread(
            Declined(f"{target} is known in all {n:,} rows; there is no row to predict it for.", (target.name,))
        )
    if kinds < 2:
        raise Unread(
            Declined(
                f"{target} has {kinds} different value(s) in {filled:,} known rows, so there is nothing to learn.",
                (target.name,),
            )
        )
    regression = target.type == "number" and kinds > MOST_CLASSES
    if target.type == "date" or (not regression and kinds > 2):
        raise Unread(Declined(f"{target} has {kinds} classes; I predict numbers and two classes.", (target.name,)))
    key = index.key_of(table) or next(
        (x for x in index.columns[table].values() if x.type in ("number", "text") and index.unique(table, x.name)), None
    )
    if key is None:
        raise Unread(
            Declined(f"{table} has no column that identifies a row, so predictions could not be told apart.", (table,))
        )
    times = [x for x in index.columns[table].values() if x.type == "date"]
    left: list[tuple[str, str]] = []
    kept: list[Column] = []
    for x in index.columns[table].values():
        if x in (target, key):
            continue
        levels = index.values.get(x)
        facts = index.facts.column(table, x.name)
        if facts.key or index.joins.leaving(table, x.name):
            left.append((f"{table}.{x.name}", "a key"))
        elif _restated(target, x, index):
            left.append((f"{table}.{x.name}", f"restates {target.name}"))
        elif x.type == "date":
            if len(times) != 1:
                left.append((f"{table}.{x.name}", "one of several dates; none is known to be the as-of day"))
        elif x.type == "text" and (levels is None or len(set(levels.values())) * 5 > filled):
            left.append((f"{table}.{x.name}", "too many different values for the known rows"))
        elif x.type in ("number", "text", "bool"):
            kept.append(x)
    if not kept:
        raise Unread(Declined(f"{table} has no other column to predict {target.name} from.", (table,)))
    time = times[0] if len(times) == 1 else None
    shown = [key, *([time] if time else []), *kept]
    columns = ",\n       ".join(quote(x.name) for x in shown)
    order = f"ORDER BY {quote(key.name)}"
    task = {
        "task_type": "regression" if regression else "classification",
        "target_column": target.name,
        "entity_column": key.name,
        "time_column": time.name if time else None,
        "labelled_text": f"rows with {target.name} known",
        "scored_text": f"rows with {target.name} missing",
        "positive_text": "positive",
        "already_text": "",
        "show": [],
    }
    known = f"SELECT {columns},\n       {c}\nFROM {t}\nWHERE {c} IS NOT NULL\n{order}"
    missing = f"SELECT {columns}\nFROM {t}\nWHERE {c} IS NULL\n{order}"
    if filled == n:
        missing = ""
    read_as = (
        f"what moves {target.name}, learned from the {n:,} rows of {table}"
        if filled == n
        else f"{target.name} of the {n - filled:,} rows of {table} where it is missing, "
        f"learned from the {filled:,} where it is known"
    )
    warning = (
        f"nothing says when the columns of {table} were known: a column filled in after {target.name} would look ahead"
    )
    return PredictivePlan(table, known, missing, "", task, tuple(left), read_as, warnings=(warning,))
