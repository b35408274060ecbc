"""A way that a question says by a table it passes: `clients with a gold card, by way of account`."""

from __future__ import annotations

import copy
import re
from dataclasses import replace

from lexsi_nb.grounding.language import grammar
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import JoinGraph, Path
from lexsi_nb.grounding.schema.names import quote


class _Through(JoinGraph):
    """The joins of a dataset, where of several ways those are gone that pass one table."""

    def __init__(self, graph: JoinGraph, table: str) -> None:
        self.__dict__.update(graph.__dict__)
        self._whole, self._table = graph, table

    def up(self, base: str, target: str) -> list[Path]:
        """Return the many-to-one chains, those that pass the table where some do."""
        return self._passing(self._whole.up(base, target))

    def any(self, base: str, target: str) -> list[Path]:
        """Return the routes in either direction, those that pass the table where some do."""
        return self._passing(self._whole.any(base, target))

    def _passing(self, routes: list[Path]) -> list[Path]:
        return [p for p in routes if any(s.end[0] == self._table for s in p[:-1])] or routes


def passing(question: str, index: SchemaIndex) -> tuple[str, SchemaIndex, str] | None:
    """Return (the question without its way, an index that goes by it, the table it passes); None without a way."""
    m = grammar.PASSING.fullmatch(question.strip())
    if m is None or m["table"] not in index.columns:
        return None
    narrowed = copy.copy(index)
    _ = index.joins.joins  # verified once, for both
    narrowed.joins = _Through(index.joins, m["table"])
    narrowed.facts = replace(index.facts, ways=tuple(w for w in index.facts.ways if w.start == m["table"]))
    return m["question"], narrowed, m["table"]


def passed(sql: str, table: str) -> bool:
    """Whether a statement joins a table."""
    return re.search(rf"\b(?:JOIN|FROM) {re.escape(quote(table))}(?: AS \w+)?\s", sql) is not None
