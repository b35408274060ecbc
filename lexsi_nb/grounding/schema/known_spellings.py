"""Misspelt words of the data put right: by one slip of any word, by two letters out of place of a table's name."""

from __future__ import annotations

from collections.abc import Collection

from lexsi_nb.grounding.words import FURTHEST, misplaced, near, singular

MOST_SPELLINGS = 1_000  # remembered


class Spellings:
    """The known words of a dataset, looked up by how they begin and how long they are. `tables`: names of rows."""

    def __init__(self, known: Collection[str], tables: Collection[str]) -> None:
        self._spelt: dict[tuple[str, int], list[str]] = {}
        self._tables, self._right = frozenset(tables), dict[str, str | None]()
        for word in known:
            self._spelt.setdefault((word[:1], len(word)), []).append(word)

    def right(self, word: str) -> str | None:
        """Return the one known word that a misspelling is near to, None when there is none or more than one."""
        if word not in self._right:
            if len(self._right) >= MOST_SPELLINGS:
                self._right.clear()
            self._right[word] = self._near_to(singular(word))
        return self._right[word]

    def _near_to(self, said: str) -> str | None:
        sizes = range(len(said) - FURTHEST, len(said) + FURTHEST + 1)
        alike = [w for n in sizes for w in self._spelt.get((said[:1], n), ())]
        hits = {singular(w) for w in alike if near(said, w)}
        slips = {w for w in hits if sorted({*said}) == sorted({*w})}  # a letter doubled, lost or swapped, none changed
        hits = slips if len(hits) > 1 and len(slips) == 1 else hits
        if not hits:
            further = {singular(w) for w in alike if misplaced(said, w)}
            hits = further if further <= {singular(t) for t in self._tables} else set()
        return hits.pop() if len(hits) == 1 else None
