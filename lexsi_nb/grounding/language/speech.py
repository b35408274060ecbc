"""The section of a language's file on turns of speech."""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.grounding.language.kinds import Pattern


@dataclass(frozen=True)
class Turns:
    """Turns of speech, and the plain words that they are read as."""

    TURNS: tuple[tuple[Pattern, str], ...]
