"""A way that a question says by a table or a column it passes: `clients with a gold card, by way of account`."""

from __future__ import annotations

import copy
import re
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import JoinGraph, Path
from lexsi_nb.grounding.schema.names import quote


class _Through(JoinGraph):
    """The joins of a dataset, where of several ways those are taken that pass one table, or a column of it."""

    def __init__(self, graph: JoinGraph, table: str, column: str) -> None:
        self.__dict__.update(graph.__dict__)
        self._whole, self._table, self._column = graph, table, column

    def up(self, base: str, target: str) -> list[Path]:
        """Return the many-to-one chains, those that pass the table where some do."""
        return self._passing(self._whole.up(base, target))

    def any(self, base: str, target: str) -> list[Path]:
        """Return the routes in either direction, those that pass the table where some do."""
        return self._passing(self._whole.any(base, target))

    def _passing(self, routes: list[Path]) -> list[Path]:
        if self._column:
            by = self._table, self._column
            return [p for p in routes if any((s.join.child, s.join.child_column) == by for s in p)] or routes
        return [p for p in routes if any(s.end[0] == self._table for s in p[:-1])] or routes


def passing(question: str, index: SchemaIndex) -> tuple[str, SchemaIndex, str, str] | None:
    """Return (the question without its way, an index that goes by it, the table and column); None without a way.

    The column is empty where the way is said by a table alone.
    """
    m = grammar.PASSING.fullmatch(question.strip())
    if m is None or m["table"] not in index.columns:
        return None
    column = m["column"] or ""
    if column and column not in index.columns[m["table"]]:
        return None
    narrowed = copy.copy(index)
    _ = index.joins.joins  # verified once, for both
    narrowed.joins = _Through(index.joins, m["table"], column)
    narrowed.facts = replace(index.facts, ways=tuple(w for w in index.facts.ways if w.start == m["table"]))
    return m["question"], narrowed, m["table"], column


def passed(sql: str, table: str, column: str = "") -> bool:
    """Whether a statement joins a table, by the column where one is given."""
    joined = re.search(rf"\b(?:JOIN|FROM) {re.escape(quote(table))}(?: AS \w+)?\s", sql) is not None
    return joined and (not column or re.search(rf"(?<!\w){re.escape(quote(column))}(?!\w)", sql) is not None)
