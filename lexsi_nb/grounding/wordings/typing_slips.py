"""Words as they were meant: signs and short forms written out, slips in the words of the language put right."""

from __future__ import annotations

import re

from lexsi_nb.grounding.language import grammar, lexicon, turns, vocabulary
from lexsi_nb.grounding.mentions import TAGS
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import forms, singular, tokens

SHORTEST = 6  # letters of a word that a slip is put right in
LONG = 7  # and of one in which a vowel may be wrong
_LANGUAGE = frozenset(
    w for phrases in lexicon.PHRASES.values() for p in phrases for w in p.split() if len(w) >= SHORTEST and w.isalpha()
) | frozenset(m for m in lexicon.MONTHS if len(m) >= SHORTEST)

_DONE = tuple(grammar.ENDINGS)  # forms of verbs, of which another may be one vowel away

_PUT_IN = frozenset(  # words that turns of speech are put in: none of them is a slip
    w for _, means in (*turns.TURNS, *vocabulary.REPHRASED) for w in re.findall(r"[a-z]+", means.casefold())
)


def written_out(question: str, index: SchemaIndex) -> tuple[str, tuple[str, ...]]:
    """Return the question with short forms written out and slips put right, and a note for each slip.

    A slip is one letter lost, doubled or swapped, or a wrong vowel, inside a word of the language that names
    nothing in the data.
    """
    for short, said in vocabulary.SPOKEN:
        question = re.sub(short, said, question, flags=re.IGNORECASE)
    notes: list[str] = []
    for t in tokens(question):
        right = _meant(t.low, index) if t.kind == "word" and t.low.isalpha() else ""
        if right:
            question = re.sub(rf"(?<!\w){re.escape(t.text)}(?!\w)", right, question)
            notes.append(f"'{t.text}' read as '{right}'")
    return question, tuple(notes)


def _meant(word: str, index: SchemaIndex) -> str:
    if shortened := _shortened(word, index):
        return shortened
    known = (
        word in lexicon.STOP
        or word in _LANGUAGE
        or word in _PUT_IN
        or word in lexicon.NUMBERS
        or word in lexicon.SCALES
    )
    if known or len(word) < SHORTEST or any(f in index.known_words for f in forms(word)):
        return ""
    if joined := index.written_together(word):
        return joined
    if word.endswith(grammar.ENDINGS) and (singular(word) in _LANGUAGE or any(f in _LANGUAGE for f in forms(word))):
        return ""
    hits = [w for w in _LANGUAGE if _slip(word, w)]
    return hits[0] if len(hits) == 1 and index.respelt(word) in (None, hits[0]) else ""


def _shortened(word: str, index: SchemaIndex) -> str:
    """Return the one known name that a word without vowels shortens, `acct` and `amt`; empty text for other words."""
    said = singular(word)
    taken = word in lexicon.STOP or word in lexicon.SCALES or any(f in index.known_words for f in forms(word))
    if taken or len(said) < 3 or set(said[1:]) & grammar.VOWELS or (word,) in TAGS or not said.isascii():
        return ""
    hits = {w for w in index.known_words if len(w) > len(said) and w[0] == said[0] and w[-1] == said[-1]}
    rest = re.compile(".*".join(map(re.escape, said)))
    hits = {w for w in hits if rest.fullmatch(w) and w.isalpha()}
    return hits.pop() if len(hits) == 1 else ""


def _slip(word: str, right: str) -> bool:
    """Whether one letter inside was lost, doubled or swapped with its neighbour, or a vowel is another one.

    The first and the last letter stay.
    """
    if word[0] != right[0] or word[-1] != right[-1] or abs(len(word) - len(right)) > 1:
        return False
    if len(word) == len(right):
        at = [i for i in range(len(word)) if word[i] != right[i]]
        if len(at) == 1 and len(word) >= LONG and not word.endswith(_DONE):  # "avarage"; but "stocked" is no "stacked"
            return {word[at[0]], right[at[0]]} <= grammar.VOWELS
        return len(at) == 2 and at[1] == at[0] + 1 and word[at[0]] == right[at[1]] and word[at[1]] == right[at[0]]
    long, short = (word, right) if len(word) > len(right) else (right, word)
    return any(long[:i] + long[i + 1 :] == short for i in range(1, len(long) - 1))
