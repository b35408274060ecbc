"""Columns of the tables that a row points at, as features of a column of its own: the region of a client's district."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Step
from lexsi_nb.grounding.schema.names import quote

SHARED_BY = (
    20  # rows that a parent has at least, where rows share it: of fewer, a model would know the row's owner again
)
LEVELS = 2  # joins away: an account, and its branch
MOST = 60  # columns of parents read at most

LeftOut = tuple[str, str]
Keep = Callable[[Column], tuple[bool, str]]  # whether a column is a feature, and why not


@dataclass
class Parents:
    """`select`: (expression, name) of each feature; `joins`: the JOIN lines; `left`: what is not read, and why."""

    select: list[tuple[str, str]] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)


def parents_of(table: str, shown: Iterable[str], keep: Keep, index: SchemaIndex) -> Parents:
    """Return the features that the rows of `table` have in the tables they point at; LEFT JOINs lose no row.

    A parent is read where each row has one of its own, or where very many share it (`SHARED_BY`): with a few rows
    each, those of one parent would stand on both sides of a split, and the measure would be too good.
    """
    out, taken = Parents(), {name.casefold() for name in shown}
    path = [(s, quote(table), "", False) for s in index.joins.parents(table)]
    for level in range(LEVELS):
        further: list[tuple[Step, str, str, bool]] = []
        for step, child, said, shared in path:  # what very many rows share points at what no fewer do
            (start, column), (parent, key) = step.start, step.end
            if parent == table or index.facts.column(start, column).alias_of:
                continue
            n, kinds = _pointing(start, column, index)
            if not kinds or (n != kinds and n < SHARED_BY * kinds and not shared):
                few = f"about {n / max(kinds, 1):.1f} rows of {start} share one of {parent}, on both sides of a split"
                out.left.append((parent, few if kinds else f"no row of {start} points at it"))
                continue
            alias = f"p{len(out.joins) + 1}"
            fresh = _columns(parent, f"{said}{parent}", alias, taken, keep, index, out)
            if not fresh and level == LEVELS - 1:
                continue
            out.joins.append(f"LEFT JOIN {quote(parent)} AS {alias} ON {alias}.{quote(key)} = {child}.{quote(column)}")
            further += [(s, alias, f"{parent}_", shared or n > kinds) for s in index.joins.parents(parent)]
        path = further
    out.joins = _needed(out)
    return out


def _pointing(table: str, column: str, index: SchemaIndex) -> tuple[int, int]:
    """Return how many rows point at a parent, and at how many of its rows."""
    c = quote(column)
    n, kinds = index.reads.one(f"SELECT count({c}) AS n, count(DISTINCT {c}) AS kinds FROM {quote(table)}", table)
    return int(n), int(kinds)


def _columns(
    parent: str, said: str, alias: str, taken: set[str], keep: Keep, index: SchemaIndex, out: Parents
) -> list[str]:
    """Add the columns of a parent that may be features and return their names."""
    names: list[str] = []
    apart: dict[str, list[str]] = {}  # reason -> columns
    for column in index.columns[parent].values():
        kept, why = keep(column)
        if why:
            apart.setdefault(why, []).append(column.name)
        if not kept or len(out.select) >= MOST:
            continue
        name = column.name if column.name.casefold() not in taken else f"{said}_{column.name}"
        if name.casefold() in taken:
            continue  # by another way of the same table
        taken.add(name.casefold())
        names.append(name)
        out.select.append((f"{alias}.{quote(column.name)}", name))
    out.left += [(f"{parent}: {', '.join(columns)}", why) for why, columns in apart.items()]
    return names


def _needed(out: Parents) -> list[str]:
    """Return the joins that a feature, or the join of one, goes through."""
    used, lines = {e.split(".")[0] for e, _ in out.select}, []
    for line in reversed(out.joins):
        alias = line.split(" AS ")[-1].split(" ON ")[0]
        if alias in used:
            used.add(line.rsplit(" = ", 1)[1].split(".")[0])
            lines.append(line)
    return lines[::-1]
