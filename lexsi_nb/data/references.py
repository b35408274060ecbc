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
