"""English words that other parts pass over as filling, and what they say where they stand in another place."""

from __future__ import annotations

# Verbs that are passed over after the rows they are told of ("salary paid by BOS"); before them they choose some.
PARTICIPLES: frozenset[str] = frozenset(
    """offered held paid received kept made given used existing opened closed ordered awarded sold purchased bought
    granted delivered reviewed published placed registered released produced played scored operated served handled
    charged collected written signed submitted processed hired founded single""".split()
)
# What such a word stands after when it is said of what comes next.
BEFORE_ADJECTIVES: frozenset[str] = frozenset(
    "the a an all any of for in by per our my from and or some there these those that its their with".split()
)
HELPERS: frozenset[str] = frozenset(
    "is are was were be been being has have had get gets got do does did it they he she we you i".split()
)
# Verbs that are nouns too: after these words they name what is asked for.
VERBAL_NOUNS: frozenset[str] = frozenset(
    "hits hit wins win plays play places place runs run buys buy pays pay pay sells earns supply supplies fly".split()
)
BEFORE_NOUNS: frozenset[str] = frozenset(
    "the a an of for in by per each every more most fewer fewest less least total all any no without with".split()
)
# Of whom something is told that was said before, in a clause of its own: "the books they wrote".
PRONOUNS: frozenset[str] = frozenset({"they", "he", "she"})
RUNS: tuple[str, ...] = ("in a row", "since then", "by then", "until then", "before then", "after that", "one another")
CONTAINING: frozenset[str] = frozenset({"contain", "contains", "containing", "including", "includes", "include"})
# Words that pick some of what a name in brackets stands for.
PICKING: frozenset[str] = frozenset(
    "other same next former remaining first last new old previous current long big early late".split()
)
