"""Which tables a read mentions."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=512)
def tables_of(sql: str) -> list[str]:
    """Return the tables that `sql` reads, in order of appearance; names of its own CTEs are left out.

    SQL that cannot be parsed gives an empty list: the engine says what is wrong with it.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return []
    own = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    names: dict[str, None] = {}
    for table in tree.find_all(exp.Table):
        if table.name and table.name.casefold() not in own:
            names.setdefault(table.name)
    return list(names)
