"""Which column of which table a name in a SELECT stands for, through sub-queries and CTEs that pass it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class Origin:
    """A column of the data; `repeated`: the table whose join in a sub-query repeats the rows it is of."""

    column: Column
    repeated: str = ""


Names = dict[str, Origin]  # name in lower case -> what it is


@dataclass(frozen=True)
class Sources:
    """What a SELECT reads: `names` by alias, and of those that are tables themselves their names in `tables`."""

    names: dict[str, Names]
    tables: dict[str, str]

    def origin(self, node: Any) -> Origin | None:
        """Return what an expression names; None where it is no column, or open."""
        from sqlglot import exp

        if not isinstance(node, exp.Column):
            return None
        name = node.name.casefold()
        if node.table:
            return self.names.get(node.table.casefold(), {}).get(name)
        hits = [held[name] for held in self.names.values() if name in held]
        return hits[0] if len(hits) == 1 else None

    def column(self, node: Any) -> Column | None:
        """Return the column of the data that an expression names; None where it is none, or open."""
        found = self.origin(node)
        return found.column if found is not None else None


class Scopes:
    """The sources of every SELECT of one statement."""

    def __init__(self, tree: Any, index: SchemaIndex) -> None:
        from sqlglot import exp

        self._index = index
        self._known = {t.casefold(): t for t in index.columns}
        self._ctes = {c.alias_or_name.casefold(): c.this for c in tree.find_all(exp.CTE)}
        self._outputs: dict[str, Names] = {}

    def of(self, select: exp.Select) -> Sources:
        """Return what a SELECT reads itself."""
        from sqlglot import exp

        names: dict[str, Names] = {}
        tables: dict[str, str] = {}
        parts: list[Any] = [select.args.get("from_") or select.args.get("from"), *(select.args.get("joins") or [])]
        for item in (p.this for p in parts if p is not None):
            alias = item.alias_or_name.casefold()
            if isinstance(item, exp.Table) and item.name.casefold() in self._ctes:
                names[alias] = self._cte(item.name.casefold())
            elif isinstance(item, exp.Table) and item.name.casefold() in self._known:
                tables[alias] = self._known[item.name.casefold()]
                names[alias] = {n.casefold(): Origin(c) for n, c in self._index.columns[tables[alias]].items()}
            elif isinstance(item, exp.Subquery):
                names[alias] = self._passed(item.this)
        return Sources(names, tables)

    def _cte(self, name: str) -> Names:
        if name not in self._outputs:
            self._outputs[name] = {}  # one that reads itself ends here
            self._outputs[name] = self._passed(self._ctes[name])
        return self._outputs[name]

    def _passed(self, query: Any) -> Names:
        """Return the columns that a sub-query gives on as they are."""
        from sqlglot import exp

        if not isinstance(query, exp.Select):
            return {}
        sources, out = self.of(query), {}
        single = bool(query.args.get("group") or query.args.get("distinct"))
        for e in query.expressions:
            star = e.is_star
            told = [sources.names.get(e.table.casefold(), {})] if star and isinstance(e, exp.Column) else []
            for held in (told or sources.names.values()) if star else ():
                out |= held
            origin = sources.origin(e.unalias()) if not star else None
            if origin is not None:
                out[e.alias_or_name.casefold()] = origin
        return {n: o if single else self._repeated(o, sources) for n, o in out.items()}

    def _repeated(self, origin: Origin, sources: Sources) -> Origin:
        many = repeating(origin.column.table, sources, self._index)
        return Origin(origin.column, origin.repeated or many)


def repeating(table: str, sources: Sources, index: SchemaIndex) -> str:
    """Return the table beside one of which each of its rows can meet several; an empty text where there is none."""
    joins = index.joins
    beside = (
        [t for t in dict.fromkeys(sources.tables.values()) if t != table] if table in sources.tables.values() else []
    )
    return next((t for t in beside if not joins.up(table, t) and joins.any(table, t)), "")
