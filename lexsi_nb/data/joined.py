"""Which columns of which tables a read joins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Columns = Callable[[str], list[str]]  # table -> its column names


@dataclass(frozen=True)
class JoinKeys:
    """Two tables joined on equal columns, side by side; `kind` is inner, left, right or full."""

    left: str
    right: str
    on: tuple[tuple[str, str], ...]
    kind: str = "inner"


def joins_of(sql: str, columns: Columns) -> list[tuple[JoinKeys, ...]]:
    """Return the joins between plain tables in `sql`, select by select.

    Joins of subqueries, of expressions and by inequality are left out. SQL that cannot be parsed has none.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return []
    found = []
    for select in tree.find_all(exp.Select):
        if keys := _joins_of_select(select, columns):
            found.append(tuple(dict.fromkeys(keys)))
    return found


def _tables(select: Any) -> dict[str, str]:
    """Return alias -> table of the plain tables that a select reads."""
    from sqlglot import exp

    parts = [_first(select), *(j.this for j in _joins(select))]
    return {
        part.alias_or_name: part.name
        for part in parts
        if isinstance(part, exp.Table) and isinstance(part.this, exp.Identifier) and not part.text("db")
    }


def _first(select: Any) -> Any:
    start = select.args.get("from_") or select.args.get("from")
    return start.this if start is not None else None


def _joins(select: Any) -> list[Any]:
    """Return the joins of a select; of `FROM a JOIN b` without a SELECT they hang on the first table."""
    first = _first(select)
    hanging = first.args.get("joins") if first is not None else None
    return [*(hanging or ()), *(select.args.get("joins") or ())]


def _joins_of_select(select: Any, columns: Columns) -> list[JoinKeys]:
    from sqlglot import exp

    tables = _tables(select)
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    kinds: dict[tuple[str, str], str] = {}
    seen = list(tables)[:1]
    where = select.args.get("where")
    conditions = [(None, c) for c in _conjuncts(where.this if where is not None else None)]
    for join in _joins(select):
        alias = join.this.alias_or_name
        kind = (join.side or "inner").lower()
        for name in join.args.get("using") or ():
            owner = next((a for a in seen if name.name.casefold() in _folded(tables.get(a, ""), columns)), None)
            if owner is not None and alias in tables:
                pairs.setdefault((owner, alias), []).append((name.name, name.name))
                kinds[owner, alias] = kind
        conditions += [(kind, c) for c in _conjuncts(join.args.get("on"))]
        seen.append(alias)
    for kind, condition in conditions:
        if not isinstance(condition, exp.EQ):
            continue
        owners = [_owner(side, tables, columns) for side in (condition.left, condition.right)]
        sides = [o for o in owners if o is not None]
        if len(sides) < 2 or sides[0][0] == sides[1][0]:
            continue
        first, second = sorted(sides, key=lambda s: list(tables).index(s[0]))
        pairs.setdefault((first[0], second[0]), []).append((first[1], second[1]))
        kinds.setdefault((first[0], second[0]), kind or "inner")
    return [JoinKeys(tables[a], tables[b], tuple(dict.fromkeys(on)), kinds[a, b]) for (a, b), on in pairs.items()]


def _conjuncts(condition: Any) -> list[Any]:
    from sqlglot import exp

    if condition is None:
        return []
    return list(condition.flatten()) if isinstance(condition, exp.And) else [condition]


def _owner(side: Any, tables: dict[str, str], columns: Columns) -> tuple[str, str] | None:
    """Return (alias, column) of a plain column of one of the tables."""
    from sqlglot import exp

    if not isinstance(side, exp.Column):
        return None
    if side.table:
        alias = next((a for a in tables if a.casefold() == side.table.casefold()), None)
        return (alias, side.name) if alias is not None else None
    having = [a for a, t in tables.items() if side.name.casefold() in _folded(t, columns)]
    return (having[0], side.name) if len(having) == 1 else None


def _folded(table: str, columns: Columns) -> set[str]:
    return {c.casefold() for c in columns(table)} if table else set()
