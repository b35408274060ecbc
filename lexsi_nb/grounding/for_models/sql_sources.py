"""Which column of which table a name in a SELECT stands for, through sub-queries and CTEs that pass it on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class Origin:
    """A column of the data; `repeated`: the table whose join in a sub-query repeats the rows it is of."""

    column: Column
    repeated: str = ""
    alone: bool = False  # each value stands in one row: what a sub-query groups by alone


PROBE_SECONDS = 10.0
_UNNAMED = "#"  # before the number of a sub-query without a name
Names = dict[str, Origin]  # name in lower case -> what it is


@dataclass(frozen=True)
class Sources:
    """What a SELECT reads: `names` by alias, and of those that are tables themselves their names in `tables`.

    `rows`: the table whose rows an alias has, each at most once: of a table itself, and of a sub-query that only
    narrows one. `outer`: what the SELECT around it reads, of a condition that looks out.
    """

    names: dict[str, Names]
    tables: dict[str, str]
    rows: dict[str, str] = field(default_factory=dict)
    outer: Sources | None = None

    def alias(self, node: Any) -> str:
        """Return the alias that an expression is a column of; an empty text where it is none, or open."""
        from sqlglot import exp

        if not isinstance(node, exp.Column):
            return ""
        if node.table:
            return node.table.casefold() if node.table.casefold() in self.names else ""
        hits = [alias for alias, held in self.names.items() if node.name.casefold() in held]
        return hits[0] if len(hits) == 1 else ""

    def origin(self, node: Any) -> Origin | None:
        """Return what an expression names; None where it is no column, or open."""
        alias = self.alias(node)
        return self.names[alias].get(node.name.casefold()) if alias else None

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
        self._ctes = {c.alias_or_name.casefold(): c for c in tree.find_all(exp.CTE)}
        self._outputs: dict[str, tuple[Names, str]] = {}
        self._with = tree.args.get("with_") or tree.args.get("with")

    def of(self, select: exp.Select) -> Sources:
        """Return what a SELECT reads itself, and what those around it read."""
        around = select.parent_select
        return replace(self._own(select), outer=self.of(around) if around is not None else None)

    def _own(self, select: exp.Select) -> Sources:
        from sqlglot import exp

        found = Sources({}, {})
        parts: list[Any] = [select.args.get("from_") or select.args.get("from"), *(select.args.get("joins") or [])]
        for item in (p.this for p in parts if p is not None):
            alias, rows = item.alias_or_name.casefold() or f"{_UNNAMED}{len(found.names)}", ""
            if isinstance(item, exp.Table) and item.name.casefold() in self._ctes:
                found.names[alias], rows = self._cte(item.name.casefold())
                found.names[alias] = _renamed(found.names[alias], item)
            elif isinstance(item, exp.Table) and item.name.casefold() in self._known:
                found.tables[alias] = rows = self._known[item.name.casefold()]
                found.names[alias] = self._columns(rows)
            elif isinstance(item, exp.Subquery):
                names, rows = self._passed(item.this)
                found.names[alias] = _renamed(names, item)
            if rows:
                found.rows[alias] = rows
        return found

    def _columns(self, table: str) -> Names:
        return {n.casefold(): Origin(c) for n, c in self._index.columns[table].items()}

    def _cte(self, name: str) -> tuple[Names, str]:
        if name not in self._outputs:  # one that reads a table of its own name reads the table
            table = self._known.get(name, "")
            self._outputs[name] = (self._columns(table), table) if table else ({}, "")
            names, rows = self._passed(self._ctes[name].this)
            self._outputs[name] = _renamed(names, self._ctes[name]), rows
        return self._outputs[name]

    def _passed(self, query: Any) -> tuple[Names, str]:
        """Return the columns that a sub-query gives on as they are, and the table whose rows it has."""
        from sqlglot import exp

        if isinstance(query, exp.Subquery):
            return self._passed(query.this)
        if isinstance(query, exp.SetOperation):
            (left, rows), (right, others) = self._passed(query.left), self._passed(query.right)
            both = {n: o for n, r, o in _paired(query, left, right) if r.column == o.column}
            return both, rows if rows == others and query.args.get("distinct") else ""
        return self._of_select(query) if isinstance(query, exp.Select) else ({}, "")

    def _of_select(self, query: exp.Select) -> tuple[Names, str]:
        from sqlglot import exp

        sources, out = self._own(query), dict[str, Origin]()
        group, distinct = query.args.get("group"), query.args.get("distinct")
        for e in query.expressions:
            star = e.is_star
            told = [sources.names.get(e.table.casefold(), {})] if star and isinstance(e, exp.Column) else []
            for held in (told or sources.names.values()) if star else ():
                out |= held
            origin = sources.origin(e.unalias()) if not star else None
            if origin is not None:
                out[e.alias_or_name.casefold()] = origin
        summed = any(a.parent_select is query and not a.find_ancestor(exp.Window) for a in query.find_all(exp.AggFunc))
        if group or distinct:
            one = len(query.expressions if group is None else group.expressions) == 1
            keys = _grouped(query) if group else {*out}
            return {n: replace(o, repeated="", alone=one and n in keys) for n, o in out.items()}, ""
        many = {t: self.repeated(query, t, sources) for t in dict.fromkeys(o.column.table for o in out.values())}
        repeated = {n: replace(o, repeated=o.repeated or many[o.column.table]) for n, o in out.items()}
        return repeated, "" if summed else _rows_of(sources, self._index)

    def repeated(self, select: exp.Select, table: str, sources: Sources) -> str:
        """Return the table several of whose rows meet a row of a table in a SELECT; empty where none do."""
        joins, held = self._index.joins, list(dict.fromkeys(sources.rows.values()))
        beside = [t for t in held if t != table] if table in held else []
        many = next((t for t in beside if not joins.up(table, t) and joins.any(table, t)), "")
        return many if many and self._repeats(select, table, sources) else ""

    def _repeats(self, select: exp.Select, table: str, sources: Sources) -> bool:
        """Whether the join of a SELECT, narrowed as it is, really repeats rows of a table; true where that is open."""
        from sqlglot import exp

        aliases = [a for a, t in sources.rows.items() if t == table]
        names = sources.names[aliases[0]]
        told = [n for n, o in names.items() if o.column.table == table and not o.repeated and not o.column.sql]
        key = next((n for n in told if self._index.unique(table, names[n].column.name)), "")
        if not key or len(aliases) > 1:
            return True
        of = exp.to_identifier(aliases[0], quoted=True) if not aliases[0].startswith(_UNNAMED) else None
        name = exp.column(exp.to_identifier(key, quoted=True), of).sql("duckdb")
        probe = select.copy()
        for part in ("group", "having", "order", "limit", "offset", "distinct", "qualify", "windows"):
            probe.set(part, None)
        if self._with is not None and not (probe.args.get("with_") or probe.args.get("with")):
            probe.set("with_", self._with.copy())
        probe.set("expressions", [exp.maybe_parse(f"count({name})"), exp.maybe_parse(f"count(DISTINCT {name})")])
        engine = self._index.engine
        try:
            n, different = engine.run(probe.sql("duckdb"), "fetchall", max_rows=None, timeout=PROBE_SECONDS)[0]
        except LexsiError:
            return True
        return bool(n > different)


def _paired(query: Any, left: Names, right: Names) -> list[tuple[str, Origin, Origin]]:
    """Return the outputs of both sides of a UNION by their place: (name, that of the right, that of the left)."""
    named = [s.casefold() for s in query.left.named_selects], [s.casefold() for s in query.right.named_selects]
    if any("*" in said for said in named):
        named = ([*left], [*right]) if named == (["*"], ["*"]) and [*left] == [*right] else ([], [])
    pairs = [(a, left.get(a), right.get(b)) for a, b in zip(*named, strict=False)]
    return [
        (name, r, replace(o, repeated=o.repeated or r.repeated, alone=False))
        for name, o, r in pairs
        if o is not None and r is not None
    ]


def _grouped(query: exp.Select) -> set[str]:
    """Return the outputs that a SELECT groups by, in lower case: by name, by alias or by place."""
    from sqlglot import exp

    found: set[str] = set()
    for e in query.args["group"].expressions:
        if isinstance(e, exp.Literal) and e.is_int and int(e.this) <= len(query.expressions):
            found.add(query.expressions[int(e.this) - 1].alias_or_name.casefold())
        elif isinstance(e, exp.Column):
            named = [
                x for x in query.expressions if x.unalias() == e or x.alias_or_name.casefold() == e.name.casefold()
            ]
            found |= {x.alias_or_name.casefold() for x in named}
    return found


def _renamed(names: Names, item: Any) -> Names:
    """Return the names under which an alias with a list of columns gives them: `t(a, b)`."""
    alias = item.args.get("alias")
    columns = [c.name.casefold() for c in (alias.args.get("columns") or ())] if alias is not None else []
    query = getattr(item, "this", None)
    said = [s.casefold() for s in getattr(query, "named_selects", ())]
    if not columns:
        return names
    if "*" in said or len(said) < len(columns):
        return {}
    return {new: names[old] for new, old in zip(columns, said, strict=False) if old in names}


def _rows_of(sources: Sources, index: SchemaIndex) -> str:
    """Return the table whose rows the join of some sources has, each at most once; empty where that is open."""
    held = list(dict.fromkeys(sources.rows.values()))
    if len(sources.rows) != len(sources.names) or len(held) < len(sources.rows):
        return ""
    return next((t for t in held if all(o == t or index.joins.up(t, o) for o in held)), "")
