"""The phrases that a column's name answers to: shortened words in full, units apart, names written together split."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lexsi_nb.grounding.language import grammar, lexicon, schema_words, vocabulary
from lexsi_nb.grounding.schema.names import Phrase, phrase
from lexsi_nb.grounding.words import alone, forms, name_words, singular

UNIT_OF: dict[str, str] = {w: unit for unit, said in vocabulary.UNITS.items() for w in said if " " not in w}
_IN_NAMES: dict[str, str] = {**{unit: unit for unit in vocabulary.UNITS}, **UNIT_OF}


def unit_in(name: str) -> str:
    """Return the unit that a column's name ends in: kg for weight_kg, km2 for coverkm2; an empty text without one."""
    words = name_words(name)
    if len(words) > 1 and words[-1] in _IN_NAMES and len(words[-1]) > 1 and words[-1] not in schema_words.NO_UNIT:
        return _IN_NAMES[words[-1]]
    glued = _glued_unit(words[0]) if len(words) == 1 else ""
    return glued


def _glued_unit(word: str) -> str:
    return next((u for u in ("km2", "usd", "eur", "kmh", "mph") if word.endswith(u) and len(word) >= len(u) + 3), "")


def full_names(name: str) -> list[Phrase]:
    """Return the phrases that say a name in full words, where they differ from it.

    >>> full_names("country_cd"), full_names("coverkm2"), full_names("zonecode"), full_names("is_gift")
    ([('country', 'code')], [('cover',)], [('zone', 'code')], [('gift',)])
    """
    words, out = name_words(name), []
    if len(words) == 1 and (split := _split(words[0])):
        words = split
        out.append(words)
    if len(words) > 1 and words[0] in vocabulary.TRUTHS:
        words = words[1:]
        out.append(words)
    unit = unit_in(name)
    if unit and len(words) > 1:
        words = words[:-1]
        out.append(words)
    elif unit:
        alone = "".join(words)
        words = (alone.removesuffix(_glued_unit(alone)),)
        out.append(words)
    if len(words) == 3 and words[0] in schema_words.DATED and words[1] in grammar.OF:
        out.append((words[2], words[0]))  # the birth date
    long = tuple(w for part in words for w in vocabulary.SHORT.get(part, part).split())
    if long != words:
        out.append(long)
    return list(dict.fromkeys(out))


def loose_names(name: str) -> list[Phrase]:
    """Return phrases that a name may answer to where nothing answers better: without its last word, turned round.

    >>> loose_names("country_cd"), loose_names("titleShort")
    ([('country',)], [('short', 'title')])
    """
    words = name_words(name)
    split = _split(words[0]) if len(words) == 1 else ()
    words = split or words
    out: list[Phrase] = []
    tail = vocabulary.SHORT.get(words[-1], words[-1])
    if len(words) > 1 and tail in schema_words.LOOSE_TAILS:
        out.append(tuple(w for part in words[:-1] for w in vocabulary.SHORT.get(part, part).split()))
    if len(words) == 2 and words[1] not in vocabulary.TAILS:
        out.append((words[1], words[0]))
    return out


def _split(word: str) -> Phrase:
    tail = next((t for t in vocabulary.TAILS if len(t) > 3 and word.endswith(t) and len(word) >= len(t) + 3), "")
    tail = tail or next((t for t in vocabulary.TAILS if word.removesuffix(t) in schema_words.YEAR - {word}), "")
    return (singular(word.removesuffix(tail)), tail) if tail else ()


def names_each(name: str, table: str) -> bool:
    """Whether a column's name is that of what rows are called: `name`, or the table's and `name`."""
    words = name_words(name)
    return alone(words, schema_words.LABEL) or (words[:-1] == name_words(table) and words[-1] in schema_words.NAME)


def names_rows(name: str, table: str) -> bool:
    """Return whether a column's name says that it names the rows of its table, shortened or not.

    >>> names_rows("branchName", "BankBranches"), names_rows("cust_nm", "cust"), names_rows("last_nm", "staff")
    (True, True, False)
    """
    words = name_words(name)
    if len(words) != 2 or vocabulary.SHORT.get(words[1], words[1]) not in schema_words.TITLE:
        return False
    rows = singular(name_words(table)[-1])
    short = len(words[0]) > 2 and (rows.startswith(words[0]) or vocabulary.SHORT.get(words[0]) == rows)
    return words[0] in schema_words.FULL or short


def year_like(name: str) -> bool:
    """Whether a column's name says that it holds a calendar year."""
    words = name_words(name)
    words = _split(words[0]) or words if len(words) == 1 else words  # yearid
    held = bool(schema_words.YEAR & set(words[-1:])) or alone(words, schema_words.SEASON)
    return held or (len(words) == 2 and words[0] in schema_words.YEAR and words[1] in schema_words.NO_NOUNS)


@dataclass(frozen=True)
class Said:
    """The phrases a column's name answers to: `loose` ones where nothing answers better; those of its unit."""

    words: Phrase
    whole: tuple[Phrase, ...]
    loose: tuple[Phrase, ...]
    units: tuple[Phrase, ...]


@lru_cache(maxsize=65_536)
def said_of(name: str) -> Said:
    """Return what a column's name answers to; wide schemas have the same names over and over.

    >>> said_of("expiry_day").loose, said_of("weight_kg").units[:2]
    ((('day', 'expiry'), ('day',)), (('kg',), ('kgs',)))
    """
    words = name_words(name)
    bare = name_words(re.sub(r"\([^)]*\)|\[[^]]*\]", " ", name)) if "(" in name or "[" in name else words
    whole = dict.fromkeys((words, bare, (name.casefold(),), *full_names(name)))
    loose = dict.fromkeys(loose_names(name))
    if len(words) == 1:
        loose |= dict.fromkeys((stem,) for stem in forms(words[0])[1:])
    elif words and words[-1] not in schema_words.NO_NOUNS and words[-1] not in lexicon.STOP and not words[-1].isdigit():
        loose[words[-1:]] = None
    units = tuple(phrase(unit) for unit in vocabulary.UNITS.get(unit_in(name), ()))
    return Said(words, tuple(whole), tuple(loose), units)
