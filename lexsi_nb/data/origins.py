"""Which columns of the data each column of a result tells of, so that private ones are known under any name.

Errs on the side of too many: where the statement does what is not followed here, every column tells of all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Columns = Mapping[str, frozenset[str]]  # column, folded -> the "table.column" it tells of


@dataclass(frozen=True)
class Origins:
    """`columns`: for each column of the result in order. `rows`: what decided which rows there are."""

    columns: tuple[frozenset[str], ...]
    rows: frozenset[str] = frozenset()

    def of(self, at: int) -> tuple[str, ...]:
        """Return what a column tells of: its own origins and those of the conditions."""
        return tuple(sorted(self.columns[at] | self.rows))


def origins(sql: str, header: Sequence[str], tables: Mapping[str, Columns]) -> Origins:
    """Return the origins of the columns `header` of a statement over `tables` (names folded)."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    everything = frozenset(o for columns in tables.values() for c in columns.values() for o in c)
    whole = Origins(tuple(everything for _ in header), everything)
    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except (SqlglotError, RecursionError):
        return whole
    if not isinstance(tree, exp.Select) or any(_not_followed(node) for node in tree.walk()):
        return whole
    names = _known_names(tree, tables)
    for _ in range(50):
        if not _spread(tree, names):
            break
    else:
        return whole
    plain = not any(_star(p) for p in tree.expressions) and len(tree.expressions) == len(header)
    columns = tuple(
        _told(tree.expressions[i], names) if plain else _by_name(h, names, everything) for i, h in enumerate(header)
    )
    return Origins(columns, _conditions(tree, names))


def _not_followed(node: Any) -> bool:
    from sqlglot import exp

    kinds = (exp.SetOperation, exp.Pivot, exp.Unnest, exp.Lateral, exp.Columns, exp.Values, exp.PositionalColumn)
    if isinstance(node, kinds):
        return True
    if isinstance(node, exp.TableAlias):
        return bool(node.args.get("columns"))
    return isinstance(node, exp.Star) and bool(node.args.get("rename") or node.args.get("replace"))


def _star(projection: Any) -> bool:
    from sqlglot import exp

    return isinstance(projection, exp.Star) or (
        isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star)
    )


def _known_names(tree: Any, tables: Mapping[str, Columns]) -> dict[str, set[str]]:
    """Return what each bare name may tell of: columns of the tables, and a table or its alias as a whole row."""
    from sqlglot import exp

    names: dict[str, set[str]] = {}
    for columns in tables.values():
        for column, told in columns.items():
            names.setdefault(column.casefold(), set()).update(told)
    row = {
        t.alias_or_name.casefold(): {o for told in tables.get(t.name.casefold(), {}).values() for o in told}
        for t in tree.find_all(exp.Table)
    }
    for name, told in row.items():
        names.setdefault(name, set()).update(told)
    return names


def _spread(tree: Any, names: dict[str, set[str]]) -> bool:
    """Give every alias of every SELECT inside what its expression tells of; say whether anything was new."""
    from sqlglot import exp

    new = False
    for select in tree.find_all(exp.Select):
        for projection in select.expressions:
            name = projection.alias_or_name.casefold()
            if not name or _star(projection):
                continue
            told = _told(projection, names)
            if not told <= names.setdefault(name, set()):
                names[name] |= told
                new = True
    return new


def _told(node: Any, names: Mapping[str, set[str]]) -> frozenset[str]:
    from sqlglot import exp

    found: set[str] = set()
    for column in node.find_all(exp.Column):
        parts = [p.name.casefold() for p in column.parts if isinstance(p, exp.Identifier)]
        # A qualifier alone says nothing; one that is a column itself is a struct.
        own = [p for p in parts if p in names]
        found.update(*(names[p] for p in (own[-1:] if len(parts) < 3 and parts[-1:] == own[-1:] else own)))
    return frozenset(found)


def _by_name(header: str, names: Mapping[str, set[str]], everything: frozenset[str]) -> frozenset[str]:
    name = header.casefold()
    if name in names:
        return frozenset(names[name])
    # DuckDB numbers a name that is there twice, and names an expression by its text.
    words = re.findall(r"\w+", name)
    stems = {w for w in (*words, re.sub(r"_\d+$", "", name)) if w in names}
    if stems:
        return frozenset(o for w in stems for o in names[w])
    return frozenset() if name.startswith(("count_star", "count(*)")) else everything


def _conditions(tree: Any, names: Mapping[str, set[str]]) -> frozenset[str]:
    """Return what the parts beside the lists of columns tell of: they decide which rows there are."""
    from sqlglot import exp

    found: set[str] = set()
    for select in tree.find_all(exp.Select):
        for key, value in select.args.items():
            if key in ("expressions", "from", "from_", "with", "with_", "kind", "hint"):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, exp.Join):
                    on = part.args.get("on")
                    found |= _told(on, names) if on is not None else set()
                    found.update(*(names.get(i.name.casefold(), set()) for i in part.args.get("using") or ()))
                elif hasattr(part, "find_all"):
                    found |= _told(part, names)
        if select.args.get("distinct") is not None:
            found.update(*(_told(p, names) for p in select.expressions))
    return frozenset(found)
