"""The user's own words behind those of a rewritten question: a decline quotes what was said."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from lexsi_nb.grounding.words import tokens


def own_words(lacking: Sequence[str], question: str, rewritten: str) -> list[str]:
    """Return unknown words as the question has them; of words that stand for none of it, what they were made from.

    >>> own_words(["person"], "cards owned by someone", "cards owned by a person")
    ['someone']
    >>> own_words(["flurb"], "how many flurb", "how many flurb")
    ['flurb']
    """
    said, made = tokens(question), tokens(rewritten)
    held = {t.low for t in said}
    out: list[str] = []
    for words in lacking:
        parts = {t.low for t in tokens(words)}
        if parts <= held:
            out.append(words)
            continue
        blocks = SequenceMatcher(None, [t.low for t in said], [t.low for t in made], autojunk=False).get_opcodes()
        from_ = [
            " ".join(t.text for t in said[a:b] if t.kind != "sign")
            for _, a, b, c, d in blocks
            if parts & {t.low for t in made[c:d]}
        ]
        out += [w for w in from_ if w] or [words]
    return list(dict.fromkeys(out))
