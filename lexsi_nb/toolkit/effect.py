"""What a call would do to the world outside, in the words a person approves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.artifacts.secrets import mask_known

_MOST_COLUMNS = 40


@dataclass(frozen=True)
class Effect:
    """How many rows and which columns go where, and what it costs. A tool says it with `@tool(effect=...)`.

    `frames`: further frames the call names, as (name, rows, columns). `mark`: the content of those frames, so that an
    approval does not hold for data that changed after they were shown.
    """

    rows: int | None = None
    columns: tuple[str, ...] = ()
    to: str = ""
    cost: str = ""
    note: str = ""
    frames: tuple[tuple[str, int, tuple[str, ...]], ...] = field(default=())
    mark: str = ""

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """The effect as (heading, words), only what is known, without keys and passwords."""
        out: list[tuple[str, str]] = []
        if self.rows is not None:
            out.append(("rows", f"{self.rows:,}"))
        if self.columns:
            out.append(("columns", _columns(self.columns)))
        out += [(f"frame {name}", f"{rows:,} rows: {_columns(columns)}") for name, rows, columns in self.frames]
        if self.to:
            out.append(("goes to", self.to))
        if self.cost:
            out.append(("cost", self.cost))
        if self.note:
            out.append(("note", self.note))
        return tuple((heading, mask_known(words)) for heading, words in out)

    @property
    def text(self) -> str:
        """The effect in one line; "" when nothing is known."""
        return "; ".join(f"{heading}: {words}" for heading, words in self.lines)

    def beside(self, other: Effect) -> Effect:
        """Return this effect with what `other` knows where this one says nothing."""
        mine, theirs = vars(self), vars(other)
        said = {**theirs, **{k: v for k, v in mine.items() if v not in (None, "", ())}}
        if self.rows is not None or self.columns:
            said["frames"] = self.frames
        return Effect(**said)

    @property
    def bound(self) -> str:
        """What an approval is bound to beside the arguments: the words shown and the content behind them."""
        return f"{self.text}\n{self.mark}" if self.mark else self.text


def effect_of(said: Any) -> Effect:
    """Return what a tool's `effect` function said as an Effect: one, a mapping of its fields, or a line of text.

    Raises:
        TypeError: it is none of these.
    """
    if said is None:
        return Effect()
    if isinstance(said, Effect):
        return said
    if isinstance(said, str):
        return Effect(note=said)
    if isinstance(said, Mapping):
        fields = dict(said)
        if "columns" in fields:
            fields["columns"] = tuple(map(str, fields["columns"]))
        return Effect(**fields)
    raise TypeError(
        f"effect= returned {type(said).__name__}; return lx.Effect(rows=..., columns=..., to=..., cost=...)"
    )


def _columns(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _MOST_COLUMNS} more" if len(names) > _MOST_COLUMNS else ""
    return ", ".join(names[:_MOST_COLUMNS]) + more
