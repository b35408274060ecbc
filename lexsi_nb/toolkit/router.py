"""Which tools a planner is shown for a question: the best by BM25, and those they need. Chosen once a run.

A run's choice does not change, so what a provider has cached of the prompt keeps its place. Tools left out still run
when they are called: what is shown is a matter of attention, what may run is a matter of the gates.
"""

from __future__ import annotations

import fnmatch
import functools
import math
import re
from collections import Counter
from collections.abc import Iterable

from lexsi_nb.toolkit.spec import ToolSpec
from lexsi_nb.toolkit.synonyms import GROUPS

FEW = 12
SHOWN = 8
_K1, _B = 1.2, 0.75  # Robertson and Zaragoza 2009, the usual middle values
# Words found only in parts ("pay slip" for payslip, "renewal" for renew) count, and for less than whole ones.
_PART, _PART_WEIGHT = 4, 0.3
# Words of the same meaning count for less than the word itself.
_NEAR_WEIGHT = 0.25
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
        texts = {name: words(_text(spec)) for name, spec in self.specs.items()}
        self._words = _Index(texts)
        self._parts = _Index({name: _parts(found) for name, found in texts.items()})

    @property
    def worthwhile(self) -> bool:
        """Whether there are so many tools that choosing pays: more than a dozen."""
        return len(self.specs) > FEW

    def rank(self, question: str) -> list[str]:
        """Return all names, the best for the question first; equal ones in the order of the registry."""
        asked = words(question)
        whole, parts = self._words.scores(asked), self._parts.scores(_parts(asked))
        near = self._words.scores(_near(asked))

        def score(name: str) -> float:
            return whole[name] + _PART_WEIGHT * parts[name] + _NEAR_WEIGHT * near[name]

        return sorted(self.specs, key=lambda name: -score(name))

    def select(self, question: str, k: int = SHOWN) -> list[str]:
        """Return the best k names, in the order of the registry."""
        best = set(self.rank(question)[:k])
        return [name for name in self.specs if name in best]

    def offer(self, question: str, k: int = SHOWN, *, keep: Iterable[str] = ()) -> frozenset[str]:
        """Return the best k names, those to `keep`, and what makes what they need, over any number of steps."""
        chosen = {*self.select(question, k), *(name for name in keep if name in self.specs)}
        waiting = list(chosen)
        while waiting:
            for key in self.specs[waiting.pop()].requires:
                for name, spec in self.specs.items():
                    if name not in chosen and any(_overlap(key, made) for made in spec.produces):
                        chosen.add(name)
                        waiting.append(name)
        return frozenset(chosen)


class _Index:
    """BM25 over bags of terms."""

    def __init__(self, texts: dict[str, list[str]]) -> None:
        bags = {name: Counter(terms) for name, terms in texts.items()}
        mean = sum(map(len, texts.values())) / max(1, len(texts)) or 1.0
        seen = Counter(term for bag in bags.values() for term in bag)
        self._weights: dict[str, dict[str, float]] = {}  # term -> name -> weight
        for name, bag in bags.items():
            length = _K1 * (1 - _B + _B * len(texts[name]) / mean)
            for term, often in bag.items():
                rare = math.log(1 + (len(bags) - seen[term] + 0.5) / (seen[term] + 0.5))
                self._weights.setdefault(term, {})[name] = rare * often * (_K1 + 1) / (often + length)

    def scores(self, asked: list[str]) -> Counter[str]:
        """Return name -> score; 0 for a name that shares no term."""
        found: Counter[str] = Counter()
        for term in set(asked):
            for name, weight in self._weights.get(term, {}).items():
                found[name] += weight  # type: ignore[assignment]
        return found


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


@functools.cache
def _thesaurus() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in GROUPS:
        stems = set(words(group))
        for one in stems:
            found.setdefault(one, set()).update(stems)
    return {one: frozenset(others) for one, others in found.items()}


def _near(stems: list[str]) -> list[str]:
    """Return words that mean about what the asked ones mean, those asked left out."""
    near = {other for one in stems for other in _thesaurus().get(one, ())}
    return sorted(near - set(stems))


def _parts(stems: list[str]) -> list[str]:
    return [word[i : i + _PART] for word in stems for i in range(max(1, len(word) - _PART + 1))]


def _text(spec: ToolSpec) -> str:
    # The name and the first sentence say what; what follows says when and when not.
    first = spec.description.partition("\n\n")[0]
    return " ".join([spec.name.replace("_", " "), first, spec.description, *spec.capabilities])


def _overlap(needed: str, made: str) -> bool:
    return fnmatch.fnmatchcase(needed, made) or fnmatch.fnmatchcase(made, needed)
