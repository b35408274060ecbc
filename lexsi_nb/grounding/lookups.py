"""What an index is asked for now and then, worked out on the first question for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.grounding.listed import MOST_ROWS, holding
from lexsi_nb.grounding.names import Phrase
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.words import name_words, singular

if TYPE_CHECKING:
    from lexsi_nb.grounding.index import Entry

MOST_NAMES = 500  # looked-up names remembered


class Lookups:
    """Beginnings of values, names held by long columns, tables by their key, names written together."""

    engine: Any
    columns: dict[str, dict[str, Column]]
    rows: dict[str, int | None]
    values: dict[Column, dict[Phrase, Any]]
    entries: dict[Phrase, list[Entry]]

    def __init__(self) -> None:
        self._together: dict[str, str] = {}
        self._beginnings: dict[str, list[tuple[Column, Phrase, Any]]] = {}
        self._held: dict[str, list[tuple[Column, str]]] = {}

    def unique(self, table: str, column: str) -> bool:
        """Whether a column is a key of its table."""
        raise NotImplementedError

    def beginnings(self, word: str) -> list[tuple[Column, Phrase, Any]]:
        """Return (column, phrase, value) of the listed values of several words that begin with a word."""
        if not self._beginnings:
            for column, listed in self.values.items():
                for key, value in listed.items():
                    if len(key) > 1:
                        self._beginnings.setdefault(key[0], []).append((column, key, value))
        return self._beginnings.get(word, [])

    def holding(self, text: str) -> list[tuple[Column, str]]:
        """Return (column, value) of the text columns of many values that hold a name."""
        if text not in self._held:
            many = [
                c for t, cols in self.columns.items() for c in cols.values()
                if c.type == "text" and c not in self.values and 0 < (self.rows.get(t) or 0) <= MOST_ROWS
            ]  # fmt: skip
            if len(self._held) >= MOST_NAMES:
                self._held.clear()
            self._held[text] = holding(self.engine, many, text)
        return self._held[text]

    def keyed_by(self, word: str) -> str:
        """Return the one table whose key is named after a thing: the player's id; an empty text where there is none."""
        named = [
            (t, n) for t, cols in self.columns.items() for n in cols if name_words(n) in ((word, "id"), (word, "key"))
        ]
        tables = list(dict.fromkeys(t for t, n in named if self.unique(t, n))) if len(named) > 1 else []
        return tables[0] if len(tables) == 1 else ""

    def written_together(self, word: str) -> str:
        """Return the name of two words that a word joins: timezone for time zone; an empty text where there is none."""
        if not self._together:
            self._together = {"".join(k): " ".join(k) for k in self.entries if len(k) == 2}
        return self._together.get(singular(word), "")
