"""Words of a question: tokens with numbers, dates and quoted text told apart, singular forms, near spellings."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from lexsi_nb.grounding.language import grammar, lexicon

# Brackets around conditions that belong together; other brackets are no tokens.
OPEN, CLOSE = "⟨", "⟩"
TokenKind = Literal["word", "number", "date", "quoted", "sign"]

# How numbers are written: with a dot and commas where the language does not say otherwise.
_DECIMAL, _THOUSANDS = re.escape(grammar.DECIMAL or "."), re.escape(grammar.THOUSANDS or ",")
_LETTERS = "|".join(map(re.escape, (s for s in lexicon.SCALES if len(s) == 1)))
_TOKEN = re.compile(
    rf"""(?P<quoted>"(?:[^"]|"")+"|`[^`]+`|“[^”]+”|(?<!\w)'[^']+'(?!\w)|(?<!\w)‘[^’]+’)
    |(?P<date>\d{{4}}-\d{{2}}-\d{{2}})
    |(?P<number>(?<![\w.])-?\d{{1,3}}(?:[{_THOUSANDS}\u00a0 ]\d{{3}})+(?:{_DECIMAL}\d+)?(?![\w])
    |(?<![\w.])-?\d+(?:{_DECIMAL}\d+)?(?:{_LETTERS})?(?!\w))
    |(?P<word>[^\W\d_](?:[\w]|(?<=\w)[-'’](?=[^\W\d_]))*|_\w+|\d+\w+)
    |(?P<sign>>=|<=|!=|<>|==|[=<>,&?%{OPEN}{CLOSE}])
    """,
    re.VERBOSE,
)


_SIGNS = str.maketrans({"’": "'", "≥": ">=", "≤": "<=", "≠": "!="})


@dataclass(frozen=True)
class Token:
    """One word, number, date, quoted text or sign; `low` is what phrases are matched on."""

    text: str
    low: str
    kind: TokenKind = "word"
    value: Any = None  # float | int for numbers, date for dates, the inner text for quoted


def tokens(text: str) -> list[Token]:
    """Return the tokens of a question, number words and scales joined into numbers."""
    found: list[Token] = []
    for m in _TOKEN.finditer(text.translate(_SIGNS)):
        raw = m.group(0)
        kind: TokenKind = m.lastgroup  # type: ignore[assignment]
        if kind == "quoted":
            inner = raw[1:-1].replace('""', '"') if raw[0] == '"' else raw[1:-1]
            found.append(Token(raw, inner.casefold(), "quoted", inner))
        elif kind == "date":
            try:
                found.append(Token(raw, raw, "date", date.fromisoformat(raw)))
            except ValueError:
                found.append(Token(raw, raw, "word"))
        elif kind == "number":
            found.append(Token(raw, raw.casefold(), "number", _number(raw)))
        else:
            low = raw.casefold()
            end = next((p for p in grammar.GENITIVE if low.endswith(p) and low not in grammar.SPLIT), "")
            low = low.removesuffix(end) if kind == "word" else low
            for part in grammar.SPLIT.get(low, (low,)):
                found.append(Token(raw, part, kind))
    return _shared_scale(_join_numbers(_large(found)))


def _shared_scale(found: list[Token]) -> list[Token]:
    """`between 1 and 2 million`: the scale is said of both."""
    out = list(found)
    for i in range(len(out) - 3):
        lead, low, joint, high = out[i : i + 4]
        scale = lexicon.SCALES.get(high.low.split()[-1]) if high.kind == "number" and " " in high.low else None
        plain = low.kind == "number" and " " not in low.low and low.low[-1:].isdigit()
        if lead.low in grammar.SPAN_OPENS and joint.low in grammar.SPAN_JOINS and scale and plain:
            n = low.value * scale
            if n < high.value:
                n = int(n) if float(n).is_integer() else n
                out[i + 1] = Token(low.text, f"{low.low} {high.low.split()[-1]}", "number", n)
    return out


# Words that make one number or two tokens with what stands beside them.
JOINED = frozenset({*grammar.SPLIT, *lexicon.NUMBERS, *lexicon.SCALES})


def alone(words: Sequence[str], among: Collection[str]) -> bool:
    """Whether there is one word, and it is one of those."""
    return len(words) == 1 and words[0] in among


def _number(raw: str) -> float | int:
    low = re.sub(rf"[{_THOUSANDS}\s]", "", raw.casefold()).replace(grammar.DECIMAL or ".", ".")
    scale = 1
    if low[-1].isalpha():
        scale, low = int(lexicon.SCALES.get(low[-1], 1)), low[:-1]
    n = float(low) * scale
    return int(n) if n.is_integer() else n


def _large(found: list[Token]) -> list[Token]:
    """`half a million`, `a million` and `five-year` as numbers."""
    out: list[Token] = []
    for t in found:
        scale = lexicon.SCALES.get(t.low) if t.kind == "word" and len(t.low) > 1 else None
        if scale and out and out[-1].low in grammar.A_ONE:
            half = len(out) > 1 and out[-2].low in grammar.PARTS
            part = grammar.PARTS[out[-2].low] if half else 1
            said = out[-2:] if half else out[-1:]
            del out[-len(said) :]
            out.append(Token(" ".join([*(s.text for s in said), t.text]), t.low, "number", int(scale * part)))
        elif t.kind == "word" and "-" in t.low and t.low.split("-")[0] in lexicon.NUMBERS:
            first, _, rest = t.low.partition("-")
            out += [Token(first, first, "number", int(lexicon.NUMBERS[first])), Token(rest, rest)]
        else:
            out.append(t)
    return out


def ordinal(word: str) -> float | None:
    """Return the number of an ordinal in digits: 95th is 95."""
    m = grammar.ORDINAL.fullmatch(word)
    return float(m.group(1)) if m else None


def place(word: str) -> int:
    """Return the place that an ordinal says: second is 2, 12th is 12; 0 where the word is none."""
    said = ordinal(word)
    return lexicon.ORDINALS.get(word) or (int(said) if said is not None and said.is_integer() else 0)


def decade(word: str) -> int | None:
    """Return the first year of a decade: 1960s is 1960."""
    m = grammar.DECADE.fullmatch(word)
    return int(m.group(1)) if m else None


def _join_numbers(found: list[Token]) -> list[Token]:
    """Number words become numbers; `2 million`, `two hundred` and `twenty five` become one."""
    out: list[Token] = []
    for t in found:
        last = out[-1] if out and out[-1].kind == "number" else None
        if t.kind == "word" and t.low in lexicon.SCALES and len(t.low) > 1 and last:
            n = last.value * lexicon.SCALES[t.low]
            out[-1] = Token(
                f"{last.text} {t.text}", f"{last.low} {t.low}", "number", int(n) if float(n).is_integer() else n
            )
        elif t.kind == "word" and t.low in lexicon.NUMBERS:
            n = lexicon.NUMBERS[t.low]
            if last and last.low in lexicon.NUMBERS and last.value >= 20 and n < 10:
                out[-1] = Token(f"{last.text} {t.text}", last.low, "number", last.value + int(n))
            else:
                out.append(Token(t.text, t.low, "number", int(n)))
        else:
            out.append(t)
    return out


@lru_cache(maxsize=65_536)
def singular(word: str) -> str:
    """Return the singular of an English noun in lower case; other words come back as they are.

    >>> singular("loans"), singular("cities"), singular("branches"), singular("status"), singular("gas")
    ('loan', 'city', 'branch', 'status', 'gas')
    """
    if word in lexicon.IRREGULAR:
        return lexicon.IRREGULAR[word]
    found = next(((m, one) for many, one in grammar.SINGULAR if (m := many.search(word))), None)
    return found[0].expand(found[1]) if found else word


_PLURALS = {one: many for many, one in lexicon.IRREGULAR.items()}


def plural(word: str) -> str:
    """Return the plural of an English noun; a plural comes back as it is, and a name that is no word gets "rows".

    >>> plural("loan"), plural("city"), plural("box"), plural("children"), plural("person"), plural("pr"), plural("prs")
    ('loans', 'cities', 'boxes', 'children', 'people', 'pr rows', 'prs')
    """
    low = word.casefold()
    if low in lexicon.IRREGULAR or singular(low) != low or low.endswith("s"):
        return word
    if low in _PLURALS:
        return _PLURALS[low]
    if len(low) < 3 or not set(low) & set("aeiouy"):
        return f"{word} rows"
    if low.endswith("y") and low[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if low.endswith(("x", "z", "ch", "sh")) else f"{word}s"


@lru_cache(maxsize=65_536)
def forms(word: str) -> tuple[str, ...]:
    """Return the forms a word is looked up under, the word itself first: singular, then verb stems."""
    out = [word, singular(word), *(m.expand(stem) for said, stem in grammar.STEMS if (m := said.search(word)))]
    return tuple(dict.fromkeys(out))


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def name_parts(name: str) -> tuple[str, ...]:
    """Return the words of an identifier in lower case, as they are."""
    return tuple(p.casefold() for p in re.findall(r"[^\W_]+", _CAMEL.sub(" ", name)))


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of an identifier in singular lower case.

    >>> name_words("unitPrice"), name_words("Total Sales (EUR)"), name_words("open_trades_2019")
    (('unit', 'price'), ('total', 'sale', 'eur'), ('open', 'trade', '2019'))
    """
    for end in grammar.GENITIVE if "'" in name else ():
        name = re.sub(rf"{re.escape(end)}\b", "", name)  # "buyer's city", said with or without
    parts = re.findall(r"[^\W_]+", _CAMEL.sub(" ", name))
    return tuple(singular(p.casefold()) for p in parts)


LONG = 7  # letters of a table's name in which two may be out of place
FURTHEST = 2  # letters that a misspelling of a long word may have wrong


def misplaced(a: str, b: str) -> bool:
    """Whether two words differ by two letters of a longer word that changed places or were doubled or lost, no more.

    >>> misplaced("costumer", "customer"), misplaced("producer", "product"), misplaced("custommerr", "customer")
    (True, False, True)
    """
    same = {*a} == {*b} and a[:1] == b[:1] and a[-1:] == b[-1:]
    return same and min(len(a), len(b)) >= LONG and _apart(a, b) <= FURTHEST


def near(a: str, b: str) -> bool:
    """Whether two words differ by one typing slip (two in words of nine letters and more), the first letter kept."""
    if a[:1] != b[:1] or min(len(a), len(b)) < 5:
        return False
    limit = FURTHEST if min(len(a), len(b)) >= 9 else 1
    return abs(len(a) - len(b)) <= limit and _apart(a, b) <= limit


def _apart(a: str, b: str) -> int:
    """Return how many letters are put in, left out, changed, or swapped with a neighbour between two words."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        older, before, row = before, row, [i] + [0] * len(b)
        for j, cb in enumerate(b, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (ca != cb))
            if i > 1 and j > 1 and ca == b[j - 2] and a[i - 2] == cb:
                row[j] = min(row[j], older[j - 2] + 1)
    return row[-1]


def another_word(word: Token, right: str) -> bool:
    """Whether a short word in small letters is a word of its own rather than a name with one letter changed."""
    said = singular(word.low)
    return word.text.islower() and len(said) == len(right) <= SHORT and sorted(said) != sorted(right)


SHORT = 6  # letters: a change of one in so few makes another word
