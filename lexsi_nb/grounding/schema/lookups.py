"""What an index is asked for now and then, worked out on the first question for it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from lexsi_nb.grounding.language import schema_words
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.schema.entries import Entry
from lexsi_nb.grounding.schema.listed import MOST_ROWS, holding
from lexsi_nb.grounding.schema.names import Phrase, phrase
from lexsi_nb.grounding.words import name_words, singular

_SIGNS = re.compile(r"[%$#&/+@*<>=]")
MOST_KEYED = 40  # columns of one name that a thing may be the key of
MOST_NAMES = 500  # looked-up names remembered


class Lookups(ABC):
    """Beginnings of values, names held by long columns, tables by their key, names written together."""

    engine: Any
    columns: dict[str, dict[str, Column]]
    rows: dict[str, int | None]
    values: dict[Column, dict[Phrase, Any]]
    alike: dict[Column, dict[Phrase, list[str]]]
    entries: dict[Phrase, list[Entry]]

    def __init__(self) -> None:
        self._together: dict[str, str] = {}
        self._starts: dict[str, list[Column]] | None = None
        self._keyed: dict[str, list[tuple[str, str]]] | None = None
        self._beginnings: dict[str, list[tuple[Column, Phrase, Any]]] = {}
        self._held: dict[str, list[tuple[Column, str]]] = {}

    @abstractmethod
    def unique(self, table: str, column: str) -> bool:
        """Whether a column is a key of its table."""

    def names(self) -> list[str]:
        """Return every table and column name, each once."""
        return self._names

    @cached_property
    def _names(self) -> list[str]:
        return list(dict.fromkeys([*self.columns, *(c for t in self.columns.values() for c in t)]))

    @cached_property
    def signed(self) -> list[str]:
        """The names that hold a sign, and so are cut into pieces where they are not quoted; the longest first."""
        return sorted((n for n in self._names if _SIGNS.search(n) and "`" not in n), key=len, reverse=True)

    def holds(self, said: Phrase) -> bool:
        """Whether any column has a listed value of these words."""
        return any(said in listed for listed in self.values.values())

    def meant(self, column: Column, said: str, value: Any) -> list[Any]:
        """Return the values of a column that words stand for: the one written just so, else all that are read alike."""
        same = self.alike.get(column, {}).get(phrase(str(value)), [value])
        return [said] if said in same else list(same)

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
        if self._keyed is None:
            self._keyed = {}
            for table, columns in self.columns.items():
                for name in columns:
                    words = name_words(name)
                    if len(words) == 2 and words[1] in schema_words.KEY:
                        self._keyed.setdefault(words[0], []).append((table, name))
        named = self._keyed.get(word, [])
        tables = list(dict.fromkeys(t for t, n in named if self.unique(t, n))) if 1 < len(named) <= MOST_KEYED else []
        return tables[0] if len(tables) == 1 else ""

    def written_together(self, word: str) -> str:
        """Return the name of two words that a word joins: timezone for time zone; an empty text where there is none."""
        if not self._together:
            self._together = {"".join(k): " ".join(k) for k in self.entries if len(k) == 2}
        return self._together.get(singular(word), "")

    def _starting(self, letters: str) -> list[Column]:
        """Return the columns whose name starts with three letters, in the order of the tables."""
        if self._starts is None:
            self._starts = {}
            for columns in self.columns.values():
                for name, column in columns.items():
                    parts = name_words(name)
                    if parts:
                        self._starts.setdefault(parts[0][:3], []).append(column)
        return self._starts.get(letters, [])

    def shortened(self, words: Phrase) -> list[Entry]:
        """Return the columns whose name shortens the words: each part of it begins a word, or all in one do.

        One word needs four letters of it, and a name of more words at least one that is the same.
        """
        found: list[Entry] = []
        run = "".join(words)
        for column in self._starting(words[0][:3]):
            table, name, parts = column.table, column.name, name_words(column.name)
            fits = len(parts) == len(words) and all(
                len(p) >= 3 and w.startswith(p) for p, w in zip(parts, words, strict=True)
            )
            if len(words) > 1:
                exact = any(p == w for p, w in zip(parts, words, strict=False))
                joined = (
                    len(parts) == 1
                    and len(name) >= 6
                    and run.startswith(parts[0])
                    and not "".join(words[:-1]).startswith(parts[0])
                    and len(words[0]) < len(parts[0])
                )
                hit = (fits and exact) or joined
            else:
                hit = fits and len("".join(parts)) >= 4 and len(run) >= len("".join(parts)) + 3
            if hit:
                found.append(Entry("column", table, column))
        return found
