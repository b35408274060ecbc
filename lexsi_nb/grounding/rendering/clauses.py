"""Clauses of DuckDB SQL: typed literals, conditions, aggregates, FROM and JOIN lines."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from lexsi_nb.grounding.reading import Column, Filter, Relative
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Path
from lexsi_nb.grounding.schema.names import quote

_SQL = {
    "avg": "avg", "sum": "sum", "min": "min", "max": "max", "median": "median", "stddev": "stddev_samp",
    "variance": "var_samp",
}  # fmt: skip


def unrounded(column: Column | None, sql: str) -> str:
    """Return a column as SQL that quantiles are taken of: of decimals they would be rounded to so many digits."""
    return f"CAST({sql} AS DOUBLE)" if column is not None and column.decimal else sql


def aggregate(function: str, column: str, where: str = "", of: Column | None = None) -> str:
    """Return an aggregate of a column as SQL; `where` is a FILTER clause for it, `of` the column it is taken of."""
    if function in ("iqr", "median") or function.startswith("q0"):
        column = unrounded(of, column)
    if function == "range":
        return f"max({column}){where} - min({column}){where}"
    if function == "iqr":
        return f"quantile_cont({column}, 0.75){where} - quantile_cont({column}, 0.25){where}"
    if function == "cv":
        return f"stddev_samp({column}){where} / nullif(avg({column}){where}, 0)"
    if function.startswith("q0"):
        return f"quantile_cont({column}, {function[1:]}){where}"
    return f"{_SQL[function]}({column}){where}"


def named(c: Column, prefix: str) -> str:
    """Return a column as SQL; a derived one by its expression."""
    if c.sql:
        return c.sql.replace("{p}", prefix)
    own = prefix + quote(c.name)
    return f"({own} AT TIME ZONE {literal(c.zone)})" if c.zone else own


def literal(value: Any) -> str:
    """Return a value as a typed SQL literal."""
    if isinstance(value, Relative):
        times = "" if value.factor == 1 else f"{value.factor:g} * "
        if value.sql:
            return f"{times}({value.sql})"
        column = named(value.column, "")
        return f"{times}(SELECT {aggregate(value.function, column, of=value.column)} FROM {quote(value.column.table)})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float, Decimal)):
        return str(value)
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    return "'" + str(value).replace("'", "''") + "'"


def condition(f: Filter, prefix: str) -> str:
    """Return a filter as SQL; `prefix` is the alias with its dot, or empty."""
    if f.column is None:
        sql = f.sql if not prefix else qualified(f.sql, prefix[:-1])
        return f"NOT ({sql})" if f.negated else (f"({sql})" if " or " in sql.lower() else sql)
    c = named(f.column, prefix)
    v = [literal(x) for x in f.values]
    if f.op in ("null", "notnull") and f.values:  # empty texts stand for nothing as well
        empty = f"({c} IS NULL OR trim({c}) = '')"
        return empty if (f.op == "null") != f.negated else f"NOT {empty}"
    if f.op in ("null", "notnull"):
        return f"{c} IS {'' if (f.op == 'null') != f.negated else 'NOT '}NULL"
    if f.op == "range":
        text = f"{c} >= {v[0]} AND {c} < {v[1]}"
        return f"NOT ({text})" if f.negated else text
    if f.op == "between":
        return f"{c} {'NOT ' if f.negated else ''}BETWEEN {v[0]} AND {v[1]}"
    if f.op == "in" and len(v) > 1:
        return f"{c} {'NOT ' if f.negated else ''}IN ({', '.join(v)})"
    if f.op == "in":
        return f"{c} {'<>' if f.negated else '='} {v[0]}"
    return f"NOT ({c} {f.op} {v[0]})" if f.negated else f"{c} {f.op} {v[0]}"


def qualified(sql: str, alias: str) -> str:
    """Return an expression of the knowledge graph with every bare column prefixed."""
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read="duckdb")
    for c in tree.find_all(exp.Column):
        if c.find_ancestor(exp.Subquery) is None:
            c.set("table", exp.to_identifier(alias))
    return tree.sql("duckdb")


def over_rows(sql: str, lead: str) -> tuple[str, dict[str, str]]:
    """Return a metric's expression over renamed columns, and the new name of each column it needs."""
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read="duckdb")
    names: dict[str, str] = {}
    for c in list(tree.find_all(exp.Column)):
        names[c.name] = f"{lead}{c.name}"
        c.replace(exp.column(names[c.name]))
    return tree.sql("duckdb"), names


class Builder:
    """FROM and JOIN lines around one root table; each many-to-one path is joined once."""

    def __init__(
        self, root: str, index: SchemaIndex, taken: set[str] | None = None, *, plain: bool = False, outer: bool = True
    ) -> None:
        self.index, self.root, self.taken = index, root, taken if taken is not None else set()
        self.alias: dict[Path, str] = {}
        self.lines: list[str] = []
        self.rows = root  # what stands in the place of the root table: itself, or a query by name
        self.outer = outer  # rows without a parent stay in, with nulls
        self.keep = False  # so do rows whose key is null, where all other rows have a parent
        self.alias[()] = "" if plain else self._free(root)

    def _free(self, table: str) -> str:
        low = "".join(ch for ch in table.casefold() if ch.isascii() and ch.isalnum()).lstrip("0123456789") or "t"
        short = [low[:n] for n in range(1, len(low) + 1)] + [f"{low[0]}{n}" for n in range(2, 99)]
        name = next(s for s in short if s not in self.taken and quote(s) == s and s not in ("as", "on", "by", "is"))
        self.taken.add(name)
        return name

    def node(self, path: Path) -> str:
        """Return the alias with a dot of the table at the end of a many-to-one path, joined when it was not yet."""
        if path in self.alias:
            return self.alias[path] + "." if self.alias[path] else ""
        before = self.node(path[:-1])
        step = path[-1]
        table, column = step.end
        alias = self.alias[path] = self._free(table)
        stays = self.keep or not step.join.complete
        kind = "LEFT JOIN" if self.outer and step.up and stays else "JOIN"
        self.lines.append(
            f"{kind} {quote(table)} AS {alias} ON {alias}.{quote(column)} = {before}{quote(step.start[1])}"
        )
        return alias + "."

    def source(self) -> list[str]:
        """Return the FROM and JOIN lines."""
        return [f"FROM {quote(self.rows)}" + (f" AS {self.alias[()]}" if self.alias[()] else ""), *self.lines]


def has_parent(route: Path, column: str, *, negated: bool) -> str:
    """Return that a row has its parent, at the end of a many-to-one path: keys that are there, and listed there."""
    if len(route) == 1 and route[0].join.complete:
        return f"{column} IS {'' if negated else 'NOT '}NULL"
    listed = _listed(route, column)
    return f"NOT coalesce({listed}, FALSE)" if negated else listed


def _listed(route: Path, column: str) -> str:
    step, beyond = route[0], route[1:]
    if not beyond and step.join.complete:
        return f"{column} IS NOT NULL"
    table, key = step.end
    more = f" WHERE {_listed(beyond, quote(beyond[0].start[1]))}" if beyond else ""
    return f"{column} IN (SELECT {quote(key)} FROM {quote(table)}{more})"
