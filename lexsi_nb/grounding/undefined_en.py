"""English words that say how much or how large without saying of what, or that judge without a measure."""

from __future__ import annotations

# They stand for an amount of something that is not said.
AMOUNTS: frozenset[str] = frozenset({"volume", "volumes", "business", "money", "worth", "sums"})
# Adjectives of rows that no measure stands for, and where on a scale they are.
HIGH: frozenset[str] = frozenset(
    "big large huge high great major important valuable wealthy rich heavy significant substantial long strong".split()
)
LOW: frozenset[str] = frozenset("small little low minor tiny poor short weak light".split())
LATE: frozenset[str] = frozenset("recent new fresh latest".split())
EARLY: frozenset[str] = frozenset("old early former".split())
# Words that stand for rows without naming them.
ONES: frozenset[str] = frozenset({"ones", "things", "stuff", "new"})
