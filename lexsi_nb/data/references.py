"""Which tables a read mentions."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=512)
def tables_of(sql: str) -> list[str]:
    """Return the tables that `sql` reads, in order of appearance; names of its own CTEs are left out.

    Tables of the workspace and of the engine's own schemas are no tables of the dataset. SQL that cannot be parsed
    gives an empty list: the engine says what is wrong with it.
    """
    return list(dict.fromkeys(name for schema, name in _mentioned(sql) if schema in ("", "main")))


@lru_cache(maxsize=512)
def workspace_tables_of(sql: str) -> list[str]:
    """Return the tables of the workspace that `sql` mentions, with their schema."""
    return list(dict.fromkeys(f"workspace.{name}" for schema, name in _mentioned(sql) if schema == "workspace"))


@lru_cache(maxsize=512)
def only_table(sql: str) -> str | None:
    """Return the one table (in lower case) of which `sql` gives at most each row once; None where it may give more.

    >>> only_table("SELECT a FROM T WHERE a > 1"), only_table("SELECT unnest(a) FROM t")
    ('t', None)
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return None
    if not isinstance(tree, exp.Select) or any(tree.args.get(k) for k in ("joins", "laterals", "with_")):
        return None
    start = tree.args.get("from_")
    table = start.this if start is not None else None
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier) or table.text("db"):
        return None
    if table.args.get("joins") or table.args.get("pivots") or len(list(tree.find_all(exp.Query))) != 1:
        return None
    makes_rows = any(
        isinstance(n, (exp.Unnest, exp.Explode, exp.UDTF, exp.Group)) or "unnest" in n.name.lower()
        for n in tree.find_all(exp.Func, exp.UDTF, exp.Group)
    )
    return None if makes_rows else table.name.casefold()


def _mentioned(sql: str) -> list[tuple[str, str]]:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return []
    own = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    found = [(t.text("db").casefold(), t.name) for t in tree.find_all(exp.Table) if t.name]
    return [(schema, name) for schema, name in found if schema or name.casefold() not in own]
