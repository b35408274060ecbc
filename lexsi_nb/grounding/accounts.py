"""Words held against the SQL: each number, comparison, negation and figure of a question must be found in it.

A reading that has no place for such a word has passed over it, and is declined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.grounding import lexicon_en as lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.words import Token

# tag -> what the SQL of a reading must hold where the tag was said
NEEDED: dict[str, str] = {
    "cmp": r"[<>]|BETWEEN|NULL| = | IN ",
    "not": r"NOT|<>|NULL",
    "without": r"NOT|<>|NULL|= 0",
    "neither": r"NOT|<>",
    "between": r"BETWEEN|>=|GROUP BY|UNION|WITH|corr",
    "agg:avg": r"avg\(",
    "agg:median": r"median|quantile",
    "agg:min": r"min\(",
    "agg:max": r"max\(",
    "agg:sum": r"sum\(|count\(",
    "agg:stddev": r"stddev",
    "agg:variance": r"var_samp",
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
    "correlation": r"corr\(",
}


def accounted(reading: Reading, items: Sequence[Mention], words: Sequence[Token]) -> None:
    """Hold a question's words against the SQL it was read as.

    Raises:
        Unread: a number, or a word for a figure, comparison or negation, has left no trace.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    for m in items:
        if m.entries or m.words.casefold() in lexicon.ACROSS:
            continue
        for tag in m.tags:
            wanted = NEEDED.get(tag) or NEEDED.get(tag.partition(":")[0])
            if wanted and len(m.tags) == 1 and not re.search(wanted, reading.sql, re.IGNORECASE):
                raise _left_out(m.words)
    for word in words:
        if word.kind == "number" and not _holds(reading.sql, word):
            raise _left_out(word.text)


def _holds(sql: str, word: Token) -> bool:
    value = float(word.value)
    if value == 1 and not word.text.isdigit():
        return True  # "one"
    return any(float(n) in (value, value / 100, value + 1) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", sql)) or any(
        float(n) == value for n in re.findall(r"\d+(?:\.\d+)?", sql)
    )


def _left_out(words: str) -> Unread:
    return Unread(Declined(f"I have no place for '{words}' in what I read, so I don't answer.", (words,)))
