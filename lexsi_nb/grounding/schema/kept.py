"""Readings that a person chose and kept: what words of a question stand for from then on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.grounding.language import grammar, lexicon, retold


def as_kept(question: str, kept: Sequence[tuple[str, str]]) -> tuple[str, tuple[str, ...]]:
    """Return the question with kept words replaced by what they stand for, and a note for each.

    `kept`: (words, what they mean). Words that stand in what they mean already are left alone, and so is quoted text.
    """
    notes: list[str] = []
    for words, means in kept:
        place = re.compile(rf"(?<![\w'\"`]){re.escape(words)}(?![\w'\"`])", re.IGNORECASE)
        if means.casefold() in question.casefold() or not place.search(question):
            continue
        found = place.search(question)
        head, joint, tail = means.partition(retold.JOINT or "\n")
        rest = question[found.end() :] if found else ""
        lead, tells = question[: found.start()] if found else "", rest.rstrip(" ?.!")
        placed = bool(found and joint and grammar.LIVING_IN.match(rest))  # clients from Paris with a loan
        whole = f"{head}{tells}{retold.JOINT}{tail}" if placed else means
        part = _part_of(lead) if placed or not tells else ""
        if part and retold.PERCENTAGE:  # "share of female borrowers": of the borrowers, those that are
            question = retold.PERCENTAGE.format(whole, part)
        elif placed:
            question = f"{lead}{whole}"
        else:
            question = place.sub(lambda _, means=means: means, question)
        notes.append(f"'{words}' is {means}, as the knowledge graph keeps it")
    return question, tuple(notes)


def _part_of(lead: str) -> str:
    """Return the one word before some rows that says a share of which part of them is asked, empty where none does."""
    *asked, word = lead.casefold().split() or [""]
    said = " ".join(w for w in asked if w not in grammar.THE)
    return word if said in lexicon.PHRASES.get("share", ()) else ""


def replaced(before: str, after: str, words: str) -> str:
    """Return what stands in `after` where `words` stand in `before`; empty where more than the words differ."""
    place = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", before) if words else None
    if place is None:
        return ""
    lead, tail = before[: place.start()], before[place.end() :]
    fits = after.startswith(lead) and after.endswith(tail) and len(after) > len(lead) + len(tail)
    means = after[len(lead) : len(after) - len(tail)] if fits else ""
    return "" if means == words else means
