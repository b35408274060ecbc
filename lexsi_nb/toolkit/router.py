"""Which tools a planner is shown for a question: the best by BM25, and those they need. Chosen once a run.

A run's choice does not change, so what a provider has cached of the prompt keeps its place. Tools left out still run
when they are called: what is shown is a matter of attention, what may run is a matter of the gates.
"""

from __future__ import annotations

import fnmatch
import math
import re
from collections import Counter
from collections.abc import Iterable

from lexsi_nb.toolkit.spec import ToolSpec

DOZEN = 12
SHOWN = 8
_K1, _B = 1.2, 0.75  # Robertson and Zaragoza 2009, the usual middle values
_WORD = re.compile(r"[a-z0-9]+")
_STOP = frozenset(
    "a an and any are as at be by can do does for from get give has have how i in into is it its me my of on or our "
    "please so that the their them then there this to up us use was we what when where which who will with you your "
    "not".split()
)


class Router:
    """An index over the specs of a registry, built once; ranking a question costs microseconds."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self.specs = {spec.name: spec for spec in specs}
        self._bags = {name: Counter(words(_text(spec))) for name, spec in self.specs.items()}
        self._lengths = {name: sum(bag.values()) for name, bag in self._bags.items()}
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))
        self._seen = Counter(word for bag in self._bags.values() for word in bag)

    @property
    def worthwhile(self) -> bool:
        """Whether there are so many tools that choosing pays: more than a dozen."""
        return len(self.specs) > DOZEN

    def rank(self, question: str) -> list[str]:
        """Return all names, the best for the question first; equal ones in the order of the registry."""
        asked = Counter(words(question))
        scores = {name: self._score(asked, name) for name in self.specs}
        return sorted(scores, key=lambda name: -scores[name])

    def select(self, question: str, k: int = SHOWN) -> list[str]:
        """Return the best k names, in the order of the registry."""
        best = set(self.rank(question)[:k])
        return [name for name in self.specs if name in best]

    def offer(self, question: str, k: int = SHOWN) -> frozenset[str]:
        """Return the best k names and the tools that make what those need, over any number of steps."""
        chosen = set(self.select(question, k))
        waiting = list(chosen)
        while waiting:
            for key in self.specs[waiting.pop()].requires:
                for name, spec in self.specs.items():
                    if name not in chosen and any(_overlap(key, made) for made in spec.produces):
                        chosen.add(name)
                        waiting.append(name)
        return frozenset(chosen)

    def _score(self, asked: Counter[str], name: str) -> float:
        bag, total = self._bags[name], 0.0
        for word in asked:
            often = bag.get(word, 0)
            if often:
                seen, count = self._seen[word], len(self.specs)
                rare = math.log(1 + (count - seen + 0.5) / (seen + 0.5))
                total += rare * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * self._lengths[name] / self._mean))
        return total


def words(text: str) -> list[str]:
    """Return the stems of a text's words, those that carry no meaning left out.

    >>> words("Which loans are running?")
    ['loan', 'run']
    """
    return [stem(word) for word in _WORD.findall(text.casefold()) if word not in _STOP]


def stem(word: str) -> str:
    """Return a word without its commonest English endings; crude, and the same on both sides."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ings", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _text(spec: ToolSpec) -> str:
    # The name and the first sentence say what; what follows says when and when not.
    first = spec.description.partition("\n\n")[0]
    return " ".join([spec.name.replace("_", " "), first, spec.description, *spec.capabilities])


def _overlap(needed: str, made: str) -> bool:
    return fnmatch.fnmatchcase(needed, made) or fnmatch.fnmatchcase(made, needed)
