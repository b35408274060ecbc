"""Turns of speech in the plain words that they are read as."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexsi_nb.grounding.language import grammar, turns


def plainly(question: str, known: Callable[[str], bool]) -> str:
    """Return the question with turns of speech in plain words; `known` says whether a word names something.

    A turn is left alone where one of the words it takes out is a name in the data.
    """
    for said, means in turns.TURNS:
        question = said.sub(lambda m, means=means: _unless_known(m, means, known), question)
    return question


def _unless_known(m: re.Match[str], means: str, known: Callable[[str], bool]) -> str:
    made = m.expand(means)
    kept = set(re.findall(r"\w+", made.casefold()))
    said = m.group(0).casefold()
    for phrase in grammar.NEVER_LOST:
        said = said.replace(phrase, "")
    lost = [w for w in re.findall(r"\w+", said) if w not in kept]
    return m.group(0) if any(known(w) for w in lost) else made
