"""Words held against the SQL: each number, comparison, negation and figure of a question must be found in it.

A reading that has no place for such a word has passed over it, and is declined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from lexsi_nb.grounding.language import grammar, lexicon, vocabulary
from lexsi_nb.grounding.mentions import Mention, unit_said
from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.units import MONTHS_A_YEAR
from lexsi_nb.grounding.words import Token, singular

# tag -> what the SQL of a reading must hold where the tag was said
NEEDED: dict[str, str] = {
    "cmp": r"[<>]|BETWEEN|NULL| = | IN ",
    "not": r"NOT|<>|NULL|= FALSE",
    "without": r"NOT|<>|NULL|= 0|= FALSE",
    "neither": r"NOT|<>|NULL|= FALSE",
    "between": r"BETWEEN|>=|GROUP BY|UNION|WITH|corr",
    "agg:avg": r"avg\(",
    "agg:median": r"median|quantile",
    "agg:min": r"min\(",
    "agg:max": r"max\(",
    "agg:sum": r"sum\(|count\(",
    "agg:stddev": r"stddev",
    "agg:variance": r"var_samp",
    "agg:cv": r"stddev",
    "super": r"ORDER BY|min\(|max\(",
    "top": r"ORDER BY",
    "most": r"ORDER BY",
    "mode": r"ORDER BY|mode\(",
    "nth": r"OFFSET|DATE|quantile",
    "distinct": r"DISTINCT|GROUP BY|count\(\*\)",
    "share": r"/",
    "null": r"NULL",
    "ratio": r"/",
    "difference": r" - |lag\(",
    "running": r"OVER",
    "outliers": r"quantile|stddev",
    "duplicates": r"> 1|>= 2|HAVING|DISTINCT",
    "correlation": r"corr\(",
    "retention": r"\bcohort",
}

_NAME = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\b[A-Za-z_]\w*")  # texts, and names


def accounted(reading: Reading, items: Sequence[Mention], words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold a question's words against the SQL it was read as.

    Raises:
        Unread: a number, or a word for a figure, comparison or negation, has left no trace.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    for m in items:
        if reading.kind == "vintage" and _of_ages(m):
            continue
        if m.entries and not (_traced(reading.sql, m) or _happened(reading, m) or _any_one(reading, m, index)):
            raise _left_out(m.words)
        if m.entries or m.words.casefold() in lexicon.ACROSS:
            continue
        for tag in m.tags:
            wanted = NEEDED.get(tag) or NEEDED.get(tag.partition(":")[0])
            if wanted and len(m.tags) == 1 and not re.search(wanted, reading.sql, re.IGNORECASE):
                raise _left_out(m.words)
    counts = [m.words for m in items if m.tag("count") is not None and not m.entries]
    if len(counts) > 1 and len(re.findall(r"count\(", reading.sql, re.IGNORECASE)) < len(counts):
        raise _left_out(counts[-1])
    best = [
        m.words for m in items
        if not m.entries and len(m.tags) == 1 and (m.tag("super") is not None or m.tag("most") is not None)
    ]  # fmt: skip
    ends = {m.tag("top"): m.words for m in items if m.tag("top") and not m.entries}
    if len(ends) > 1:
        raise _left_out(list(ends.values())[-1])
    _asked_as_well(reading, items)
    if len(best) > 1 and len(re.findall(r"ORDER BY|OVER \(|m(?:ax|in)\(", reading.sql)) < len(best):
        raise _left_out(best[0])
    truths = {m.words.split()[-1] for m in items if any(isinstance(e.value, bool) for e in m.of("value"))}
    for at, word in enumerate(words):
        if word.text in truths:
            continue  # "cancelled = 1", of a column of yes and no
        # "five-year", "3 years" where months are told; not "in five-year bands"
        unit = words[at + 1].low if at + 1 < len(words) and "floor(" not in reading.sql else ""
        times = (MONTHS_A_YEAR,) if unit in grammar.YEAR else (1, MONTHS_A_YEAR) if unit in grammar.YEARS else (1,)
        if word.kind == "number" and unit in vocabulary.PERCENT and _beyond(reading.sql, word):
            continue
        if word.kind == "number" and not any(_holds(reading.sql, word, n) for n in times):
            raise _left_out(word.text)


def _of_ages(m: Mention) -> bool:
    """Whether a word is told by the ages of a vintage table: `cumulative`, `monthly` also where the data have one."""
    return (m.tag("running") is not None and not m.entries) or bool(unit_said(m))


def _beyond(sql: str, word: Token) -> bool:
    """Whether `50% above` (or below) is told as a multiple: 1.5 times the average."""
    found = {float(n) for n in re.findall(r"(\d+(?:\.\d+)?) \* \(SELECT", sql)}
    return bool(found & {round(1 + float(word.value) / 100, 6), round(1 - float(word.value) / 100, 6)})


def _asked_as_well(reading: Reading, items: Sequence[Mention]) -> None:
    """`the loans and their districts`: what is said after "and" is shown, or the reading leaves it out."""
    used = [*reading.columns, *reading.shown, *(k.column for k in reading.keys)]
    used += [c for m in reading.measures if (c := m.column) is not None]
    listed = reading.kind in ("list", "topk")
    tables = {reading.table, *(c.table for c in used)} if listed else {k.column.table for k in reading.keys}
    tables |= {k.table for k in reading.links if k.filters}
    for i, (joint, m) in enumerate(pairwise(items)):
        after = items[i + 2] if i + 2 < len(items) else None
        plain = joint.tag("and") is not None and not joint.entries and m.of("table") and not m.of("value", "condition")
        ends = after is None or (not after.entries and after.tag("and") is not None)
        shown = {e.table for e in m.of("table")} & tables or {e.column for e in m.of("column")} & set(used)
        if plain and ends and grammar.THEIR & set(m.gap) and not shown:
            raise _left_out(f"{joint.words} {' '.join(m.gap)} {m.words}")


def _happened(reading: Reading, m: Mention) -> bool:
    """Whether a name is only what happened to each row that is read: `cards issued`, `loans granted`."""
    said = m.words.casefold().split()[-1] not in lexicon.DATE_NOUNS
    if not said and " " not in m.words and any(c.type == "date" and c.table == reading.table for c in reading.shown):
        return True  # "the date of the last card": its own date is shown
    tables = {reading.table, *(k.table for k in reading.links)}
    return said and any(e.column and e.column.type == "date" and e.table in tables for e in m.of("column"))


def _any_one(reading: Reading, m: Mention, index: SchemaIndex) -> bool:
    """Whether a name is of any one row that each row belongs to: `the lowest balance ever recorded on an account`."""
    tables = {e.table for e in m.of("table")}
    some = set(m.gap) & grammar.ANY_ONE and not grammar.EVERYONE & set(m.gap)
    plain = some and not m.of("value", "condition")
    figure = reading.kind == "aggregate" and not reading.keys and reading.measures[:1]
    return bool(plain and figure) and any(index.joins.up(reading.table, t) for t in tables if t != reading.table)


def _traced(sql: str, m: Mention) -> bool:
    """Whether one meaning of a name has left a trace: its column, its value, its table or a column that joins it."""
    if any(e.kind in ("condition", "metric", "outcome", "term", "unit") for e in m.entries):
        return True
    low = sql.casefold()
    for e in m.entries:
        if isinstance(e.value, bool) and str(e.value).casefold() in low:
            return True
        if e.kind == "value" and (f"'{str(e.value).casefold()}'" in low.replace("''", "'") or _number(sql, e.value)):
            return True
        if e.kind == "column" and e.column is not None and (e.column.sql or _named(low, e.column.name)):
            return True
        if e.kind == "table" and (_named(low, e.table) or any(_named(low, w) for w in m.words.casefold().split())):
            return True
        if e.kind == "table" and re.search(rf"(?<![a-z]){re.escape(singular(m.words.casefold()))}", low):
            return True
    return not m.of("value", "column")


def _named(sql: str, name: str) -> bool:
    plain = sql.replace('""', '"')
    return re.search(rf"(?<![\w]){re.escape(name.casefold())}(?![\w])", plain) is not None


def _number(sql: str, value: object) -> bool:
    return isinstance(value, int) and re.search(rf"(?<![\w.]){value}(?![\w.])", sql) is not None


def _holds(sql: str, word: Token, times: int = 1) -> bool:
    value = float(word.value) * times
    sql += " ".join(_day_before(day) for day in re.findall(r"< DATE '(\d{4}-\d\d-\d\d)'", sql))  # "until 31 May"
    sql = _NAME.sub(lambda m: m[0] if m[0][0] == "'" or word.text in m[0].strip('"').split("_") else " ", sql)
    if value == times == 1 and not word.text.isdigit():
        return True  # "one"
    return any(float(n) in (value, value / 100, value + 1) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", sql)) or any(
        float(n) == value for n in re.findall(r"\d+(?:\.\d+)?", sql)
    )


def _day_before(day: str) -> str:
    """Return the last day of a period whose end is told by the day after it, as SQL."""
    return f" '{date.fromisoformat(day) - timedelta(days=1)}'"


def _left_out(words: str) -> Unread:
    return Unread(Declined(f"I have no place for '{words}' in what I read, so I don't answer.", (words,)))
