"""Rates of a verb or of a flag: `rejection rate` of the claims whose status is rejected, `fraud rate` of fraud_flag."""

from __future__ import annotations

from lexsi_nb.grounding.everyday.rows import Anew, said_as, stems, tables_called
from lexsi_nb.grounding.language import everyday, lexicon
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words


def rate(question: str, index: SchemaIndex) -> Anew | None:
    """`rejection rate by region`: the percentage of the rows that are so."""
    m = everyday.RATE.search(question) or everyday.RATE_OF.search(question)
    if m is None:
        return None
    words = name_words(m["of"])
    rate_named = index.lookup([*words, *name_words(m["rate"])]) or index.lookup([*name_words(m["rate"])])
    if rate_named or not words or (set(words) & lexicon.STOP and len(words) == 1):
        return None
    found = [*flags_called(words, index), *(values_done(words[0], index) if len(words) == 1 else [])]
    if not found:
        return None
    asks = [
        (text, question[: m.start()] + everyday.PERCENTAGE.format(said_as(c.table), told) + question[m.end() :])
        for c, told, text in found
    ]
    if len(asks) > 1:
        ways, questions = zip(*asks, strict=True)
        raise Unread(Choice(f"'{m[0]}' can be told in several ways.", ways, m[0], questions=questions, lasting=False))
    return Anew(asks[0][1], f"'{m[0]}' read as the percentage of {found[0][0].table} with {asks[0][0]}")


def flags_called(words: tuple[str, ...], index: SchemaIndex) -> list[tuple[Column, str, str]]:
    """Return the columns of yes and no that words name, with how a condition says it."""
    found = []
    for columns in index.columns.values():
        for name, c in columns.items():
            own = tuple(w for w in name_words(name) if w not in everyday.FLAG_WORDS)
            same = own == words or (len(own) == len(words) == 1 and bool(stems(own[0]) & stems(words[0])))
            if same and (c.type == "bool" or (c.type == "number" and index.is_zero_or_one(c))):
                value = "true" if c.type == "bool" else "1"
                found.append((c, f"{said_as(name)} {value}", f"{name} {value}"))
    return found


def values_done(word: str, index: SchemaIndex) -> list[tuple[Column, str, str]]:
    """Return the columns of few values one of which is the verb of a noun: rejected of rejection."""
    found = []
    for c, held in index.values.items():
        for key, value in held.items():
            if len(key) == 1 and key[0] != word and key[0].endswith(everyday.DONE) and stems(key[0]) & stems(word):
                found.append((c, f"{said_as(c.name)} {value}", f"{c.name} {value}"))
    return found


def called_by_flag(question: str, index: SchemaIndex) -> Anew | None:
    """`average premium of smokers`: of the rows of which the column of yes and no says yes."""
    m = everyday.CALLED_BY_FLAG.search(question)
    entries = index.lookup([m["flag"].casefold()]) if m is not None else []
    found = flags_called(tuple(name_words(m["flag"])), index) if m is not None else []
    if m is None or len(found) != 1 or any(e.kind != "column" for e in entries):
        return None
    c, told, text = found[0]
    asked = everyday.OF_ROWS_WITH.format(m["head"], said_as(c.table), told, m["rest"] or "")
    return Anew(asked, f"'{m['flag']}' read as {c.table} with {text}")


def flag_or_not(question: str, index: SchemaIndex) -> Anew | None:
    """`average age of members who cancelled vs those who did not`: the figure for both sides of a yes and no."""
    m = everyday.FLAG_OR_NOT.search(question)
    found = flags_called(tuple(name_words(m["flag"])), index) if m is not None else []
    if m is None or len(found) != 1:
        return None
    c = found[0][0]
    return Anew(everyday.BY_FLAG.format(m["head"], said_as(c.name)), f"read as both sides of {c}")


def flag_first(question: str, index: SchemaIndex) -> Anew | None:
    """`smokers with claims`: the rows of which the column of yes and no says yes, with claims."""
    for p in everyday.FLAG_FIRST:
        m = p.search(question)
        if m is None:
            continue
        word = m["flag"].casefold()
        entries = index.lookup([word])
        if not entries or any(e.kind != "column" for e in entries):
            continue
        found = flags_called(tuple(name_words(word)), index)
        if len(found) != 1:
            continue
        c, told, text = found[0]
        if word in map(str.casefold, index.columns[c.table]):
            continue  # named as it is, and not as what rows are
        rest = m.groupdict().get("rest") or ""
        asked = everyday.ROWS_WITH.format(m["lead"], said_as(c.table), told, rest).rstrip()
        return Anew(asked, f"'{m['flag']}' read as {c.table} with {text}")
    return None


def both_ways(question: str, index: SchemaIndex) -> Anew | None:
    """`average age of smokers vs non-smokers`: by the column of yes and no, which has both."""
    m = everyday.BOTH_WAYS.search(question)
    found = flags_called(tuple(name_words(m["flag"])), index) if m is not None else []
    if m is None or len(found) != 1:
        return None
    c = found[0][0]
    nouns = [w for w in (m["first"], m["rows"]) if w]
    if any(tables_called(w, index) != [c.table] for w in nouns):
        return None
    asked = everyday.OF_ROWS_BY.format(m["head"], said_as(c.table), said_as(c.name))
    return Anew(asked, f"'{m['flag']}' and not, by {c}")
