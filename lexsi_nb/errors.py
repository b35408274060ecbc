"""Errors a person can act on: what happened, why, what to do next."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

LIKE = 0.55  # how alike a name must be to be offered, in [0, 1]: see difflib.SequenceMatcher.ratio


class LexsiError(Exception):
    """Base of every error this package raises on purpose.

    `str(error)` is one line: what happened, why, next step. IPython shows only that line.

    `reveals` says what the words may tell of the data: "schema" where they name tables, columns, labels and settings
    only. `outline` is what can be said of it where the words are withheld; "" for the first line of the class.
    """

    quotes = False  # whether the text may hold values of the data, or words that somebody else wrote
    reveals: ClassVar[str] = "rows"
    outline = ""

    def __init__(self, what: str, why: str = "", next: str = "") -> None:
        self.what, self.why, self.next = what, why, next
        super().__init__(" ".join(part for part in (what, why, next) if part))

    def _render_traceback_(self) -> list[str]:
        # IPython calls this instead of printing a stack: the cell fails with a line, and Run All stops.
        return [f"{type(self).__name__}: {self}"]


class UnknownName(LexsiError):
    """A name that is not there; lists the nearest ones that are."""

    kind = "name"
    reveals = "schema"

    @classmethod
    def among(cls, name: str, known: Iterable[str], *, where: str = "", next: str = "") -> UnknownName:
        """Return the error for `name`, with the nearest of `known` spelt out."""
        known = list(dict.fromkeys(known))
        near = nearest(name, known)
        place = f" in {where}" if where else ""
        if near:
            why = f"Nearest: {', '.join(near)}."
        elif known:
            more = f" and {len(known) - 12} more" if len(known) > 12 else ""
            why = f"There is: {', '.join(sorted(known, key=str)[:12])}{more}."
        else:
            why = f"There is no {cls.kind} at all."
        return cls(f"No {cls.kind} {name!r}{place}.", why, next)


class UnknownTable(UnknownName):
    """No such table in the active dataset."""

    kind = "table"


class UnknownColumn(UnknownName):
    """No such column in the table."""

    kind = "column"


class UnknownFrame(UnknownName):
    """No such frame: neither a label of this run nor a DataFrame variable of the kernel."""

    kind = "frame"


class UnknownTool(UnknownName):
    """No such tool in the registry."""

    kind = "tool"


class UnknownCase(UnknownName):
    """No such case (entity id) among the predictions."""

    kind = "case"
    reveals = "rows"
    outline = "No such case among the predictions."


class BadData(LexsiError):
    """The data cannot be used as asked: unreadable file, duplicate columns, empty result."""


class BadTarget(LexsiError):
    """The target cannot be learned: all null, one class, constant, too many classes."""


class RefusedSQL(LexsiError):
    """The statement is not a plain read of the active dataset."""

    reveals = "schema"


class QueryFailed(LexsiError):
    """The engine refused or could not finish the query."""

    quotes = True


class FanOut(LexsiError):
    """An aggregate would take one row of a table more than once, because a join repeats it."""


class StaleResult(LexsiError):
    """A result was computed from content that has changed since."""

    reveals = "schema"


class MissingExtra(LexsiError):
    """An optional library is not installed; the message has the line that installs it."""

    reveals = "schema"

    @classmethod
    def of(cls, library: str, extra: str, why: str) -> MissingExtra:
        """Return the error naming the exact `%pip` line."""
        return cls(f"{library} is not installed.", why, f'Run: %pip install "lexsi-nb[{extra}]"')


class Cancelled(LexsiError):
    """The step was stopped before it finished; nothing of it was written."""

    reveals = "schema"


class RunFailed(LexsiError):
    """A run ended without an answer."""


def in_a_line(error: BaseException) -> str:
    """Return an error in words: ours say it all, of others the kind tells something too."""
    if isinstance(error, LexsiError):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def nearest(name: str, known: Iterable[str], *, n: int = 3) -> list[str]:
    """Return up to `n` of `known` that look like `name`, nearest first, case ignored."""
    by_lower: dict[str, str] = {}
    for k in known:
        by_lower.setdefault(str(k).casefold(), str(k))
    said = str(name).casefold()
    letters = Counter(said)
    # No more letters can match than those of `said` that a name has at all: most of many names need no closer look.
    shared = {k: sum(letters[c] for c in letters.keys() & set(k)) for k in by_lower}
    near = [k for k, most in shared.items() if 2 * most / ((len(said) + len(k)) or 1) >= LIKE]
    return [by_lower[h] for h in difflib.get_close_matches(said, near, n=n, cutoff=LIKE)]


def argument_refused(said: str) -> tuple[str, str]:
    """Return (what, why) in plain words of what argparse says of an option.

    >>> argument_refused("argument --seed: invalid int value: 'x'")
    ("--seed takes a whole number, and 'x' is none.", '')
    >>> argument_refused("argument --tier: invalid choice: 'x' (choose from 'a', 'b')")
    ("--tier has no choice 'x'.", 'There are: a, b.')
    """
    import re

    kinds = {"int": "a whole number", "float": "a number"}
    if (m := re.fullmatch(r"argument (\S+): invalid (\w+) value: (.+)", said)) is not None:
        return f"{m[1]} takes {kinds.get(m[2], m[2])}, and {m[3]} is none.", ""
    if (m := re.fullmatch(r"argument (\S+): invalid choice: (.+?) \(choose from (.+)\)", said)) is not None:
        return f"{m[1]} has no choice {m[2]}.", f"There are: {m[3].replace(chr(39), '')}."
    if (m := re.fullmatch(r"argument (\S+): expected (?:one|at least one) argument", said)) is not None:
        return f"{m[1]} needs a value.", ""
    if (m := re.fullmatch(r"unrecognized arguments: (.+)", said)) is not None:
        return f"There is no option {m[1].split()[0]!r}.", ""
    return f"{said[:1].upper()}{said[1:]}.", ""
