"""English as data, the third file: turns of speech, and the plain words that they are read as.

A turn is left alone where one of the words it takes out is a name in the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_PERIOD = r"(year|quarter|month|week|day)"
_BEST = r"(highest|largest|biggest|greatest|longest|lowest|smallest|shortest|least)"
_FIGURE = r"(average|mean|median|total|typical)"
_END = r"(?=[ ,.?!]*$)"


Turn = str | Callable[[re.Match[str]], str]


def _turn(pattern: str, means: Turn) -> tuple[re.Pattern[str], Turn]:
    return re.compile(pattern, re.IGNORECASE), means


TURNS: tuple[tuple[re.Pattern[str], Turn], ...] = (
    # words that only stress
    _turn(r"\bvery (first|last|latest|earliest|oldest|youngest|newest|largest|biggest|smallest)\b", r"\1"),
    _turn(r"^(?:so|ok|okay|well|right|now then)[, ]+(?=how|what|which|who|when|is|are|do|does|did|list|show)", ""),
    _turn(r"\b(?:exactly|precisely|roughly|approximately) (how many|how much)\b", r"\1"),
    _turn(r"\bhow many (.+?) exactly" + _END, r"how many \1"),
    _turn(r",? in absolute (?:terms|numbers|figures)\b", ""),
    _turn(r",? (?:one|a) (?:dot|point|bar|line|row) (?:per|for each|for every) \w+" + _END, ""),
    _turn(r"\b(?:a|the) (?:complete|full|entire) list of\b", "list"),
    _turn(r",? all in all\b", " in total"),
    # periods
    _turn(rf",? \b{_PERIOD} (?:by|after) \1\b", r" by \1"),
    _turn(rf",? from (?:one )?{_PERIOD} to (?:the next|\1)(?: one)?\b", r" by \1"),
    _turn(rf"\bat the end of (?:each|every) {_PERIOD}\b", r"by \1"),
    # what is compared with what
    _turn(r"\b((?:19|20)\d\d) v\.? ((?:19|20)\d\d)\b", r"\1 vs \2"),
    _turn(r"\b(the (?:overall )?(?:average|mean|median)) one\b", r"\1"),
    _turn(r"\bpearson(?:'s)? r (?:of|between|for)\b", "correlation between"),
    _turn(
        r"\bhow (?:closely|strongly|tightly|well|much|far) (?:are|is|do|does) (?:the )?(.+?) "
        r"(?:cor)?(?:related|relate|relates|linked|connected|associated|correlate|correlates|go together)"
        r"(?: (?:with|to|and) (.+?))?" + _END,
        lambda m: f"correlation between {m[1]} and {m[2]}" if m[2] else f"correlation between {m[1]}",
    ),
    _turn(
        r"\bis there (?:a|any) (?:correlation|relation|relationship|connection|association) between\b",
        "correlation between",
    ),
    # groups
    _turn(r"\b(?:break|split|divide)(?: up)? (?:the |our |all (?:the )?)?(.+?)(?: down| up)? (by|per|into)\b", r"\1 by"),
    _turn(
        r"\bhow (?:are|were|is) (?:the |our )?(\w+(?: \w+)?) (?:spread|distributed|divided|split)(?: out)? "
        r"(?:over|across|among|between|by|into) (?:the )?(\w+(?: \w+)?)" + _END,
        r"number of \1 by \2",
    ),
    _turn(
        rf"^(?:in|at|for|on) (which|what) (.+?) (?:is|was|are|were) (?:the |our )?{_FIGURE} (.+?) (?:the )?{_BEST}\b",
        r"\1 \2 has the \5 \3 \4",
    ),
    # verbs
    _turn(r"\b(takes?|took|taken) out\b", r"\1"),
    _turn(r"\b(comes?|came) up\b", "occurs"),
    _turn(
        r"\b(?:carrying|bearing|marked(?: as)?|labell?ed(?: as)?|flagged(?: as)?|tagged(?: as)?|classified as"
        r"|categori[sz]ed as)\b",
        "with",
    ),
    _turn(r"\bleaving out\b", "except"),
    _turn(r"\bhow low (?:did|has|have) (.+?) (?:ever )?(?:fall|fallen|go|gone|drop|dropped|get|got)\b", r"lowest \1"),
    _turn(r"\bhow high (?:did|has|have) (.+?) (?:ever )?(?:rise|risen|go|gone|climb|climbed|get|got)\b", r"highest \1"),
    # what stands for a noun said before
    _turn(r"^((?:and |but |now |then )?(?:only|just|same for|the same for|what about|how about)?(?: only)? ?(?:the )?"
          r"\w+) ones" + _END, r"\1"),
)  # fmt: skip


def plainly(question: str, known: Callable[[str], bool]) -> str:
    """Return the question with turns of speech in plain words; `known` says whether a word names something."""
    for said, means in TURNS:
        question = said.sub(lambda m, means=means: _unless_known(m, means, known), question)
    return question


def _unless_known(m: re.Match[str], means: Turn, known: Callable[[str], bool]) -> str:
    made = means(m) if callable(means) else m.expand(means)
    kept = set(re.findall(r"\w+", made.casefold()))
    lost = [w for w in re.findall(r"\w+", m.group(0).casefold()) if w not in kept]
    return m.group(0) if any(known(w) for w in lost) else made
