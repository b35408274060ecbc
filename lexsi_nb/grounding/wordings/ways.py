"""Words that say by which way one table is reached from another: `home region`, `branches in Prague`, "lives in".

The knowledge graph names them beside a path. Such a word adds no condition: it says which join is meant, and the SQL
of a reading has to go by that join.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.schema.facts import Demand, Way
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.words import singular

_SOURCE = re.compile(r'\b(?:FROM|JOIN)\s+(?:"(?P<quoted>[^"]+)"|(?P<plain>\w+))(?:\s+AS\s+(?P<alias>\w+))?')
_EQUAL = re.compile(r'\b(\w+)\.(?:"([^"]+)"|(\w+))\s*=\s*(\w+)\.(?:"([^"]+)"|(\w+))')


def placed(items: Sequence[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions without words that only say the way to a place, or with the place in their stead."""
    out: list[Mention] = []
    taken: list[Mention] = []
    through = ""
    for at, m in enumerate(items):
        way = None if m.known else _way(m.words, index)
        if taken and m.tag("in") is not None and not m.entries:
            m, taken = replace(m, gap=(*taken[0].gap, *m.gap)), []  # "branches in Prague": the place is after it
        elif taken or through:
            m = replace(m, gap=(*taken[0].gap, *m.gap) if taken else m.gap, via=through)
            taken, through = [], ""
        if way is None:
            out.append(m)
            continue
        after = items[at + 1] if at + 1 < len(items) else None
        if out and not m.gap and _at_end(out[-1], way):
            out[-1] = replace(out[-1], via=way.start)
            continue  # "Prague branches"
        if after is not None and (not after.gap or set(after.gap) & grammar.PLACED) and _at_end(after, way):
            taken, through = [m], way.start  # "home region", "branches of the district"
        elif after is not None and after.tag("in") is not None and at + 2 < len(items) and _at_end(items[at + 2], way):
            taken, through = [m], way.start  # "branches in Prague"
        else:
            out.append(replace(m, entries=(Entry("table", way.end),), via=way.start))
    return _belonging(_by_whom(out, index), index)


def _belonging(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`accounts that belong to women`: the value that the knowledge graph asks for with such words, said by name."""
    out: list[Mention] = []
    for m in items:
        before = out[-1] if out else None
        joint = before is not None and not before.entries
        said = [*before.gap, *before.words.casefold().split(), *m.gap] if before is not None and joint else [*m.gap]
        for d in index.facts.demands:
            asked = any(said[-len(p) :] == p for p in (x.split() for x in d.phrases))
            holders = {e.table for e in m.of("table", "value")}
            people = bool(holders) and all(t != d.table and index.joins.up(d.table, t) for t in holders)
            things = {e.table for x in out for e in x.of("table")}
            between = people and things and all(index.joins.up(d.table, t) for t in things - {d.table})
            value = _value(d, index) if asked and between and not things & holders else None
            if value is not None:
                out.append(Mention(" ".join(said), entries=(value,)))
                break
        out.append(m)
    return out


def _value(demand: Demand, index: SchemaIndex) -> Entry | None:
    """Return the value that a demanded condition asks for."""
    found = re.fullmatch(r"(\w+) = '([^']*)'", demand.sql)
    column = index.columns.get(demand.table, {}).get(found[1]) if found else None
    return Entry("value", demand.table, column, found[2]) if found and column is not None else None


def _by_whom(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`men living in Prague`: the place is that of the men, whatever rows are counted."""
    out = list(items)
    for at in range(1, len(out)):
        before, m = out[at - 1], out[at]
        if before.tag("in") is None or before.entries or not m.of("value", "column"):
            continue
        if not before.gap and at > 1:
            people = {e.table for e in out[at - 2].of("value")}
            ways = {w.start for w in index.facts.ways if _at_end(m, w)}
            said = (
                f"{out[at - 2].words} {before.words}".casefold()
            )  # "women from Prague", where the graph says which way
            told = any(said in w.phrases and {w.start} == people and _at_end(m, w) for w in index.facts.ways)
            if len(ways) > 1 and len(people) == 1 and people <= ways:
                out[at] = replace(m, **{"via" if told else "beside": next(iter(people))})
        if not before.gap:
            continue
        said = f"{before.gap[-1]} {before.words.casefold()}"
        named = {e.table for x in out[: at - 1] for e in x.of("table", "value")}
        found = [w for w in index.facts.ways if said in w.phrases and _at_end(m, w) and w.start in named]
        if len(found) == 1:
            out[at] = replace(m, via=found[0].start)
    return out


def _way(words: str, index: SchemaIndex) -> Way | None:
    word = singular(words.casefold())
    found = [w for w in index.facts.ways if any(singular(p) == word for p in w.phrases)]
    return found[0] if len(found) == 1 and found[0].end in index.columns else None


def _at_end(m: Mention, way: Way) -> bool:
    """Whether a mention names the table at the end of a way, a column of it or one of its values."""
    return any(e.table == way.end for e in m.of("table", "column", "value"))


def by_the_graph(reading: Reading, question: str, index: SchemaIndex) -> None:
    """Hold a reading against the paths of the knowledge graph: "lives in" goes by the person, not by the branch.

    Raises:
        Unread: a phrase points at a path that the reading does not take.
    """
    words = re.findall(r"[\w'-]+", question.casefold())
    _demanded(reading, words, index)
    for way in index.facts.ways:
        held = [p for p in way.phrases if _said(p, words)]
        if not held:
            continue
        if all(p.split()[0] in grammar.BY_PER for p in held) and not index.joins.up(reading.table, way.start):
            continue  # a group of other rows
        named = {m["quoted"] or m["plain"] for m in _SOURCE.finditer(reading.sql)}
        itself = way.start not in named and reading.table == way.end  # figures of the places themselves
        if way.end in named and not itself and not goes_by(reading.sql, way):
            raise Unread(Declined(f"{way.text} I read it another way, so I don't answer.", (way.end,)))


def _demanded(reading: Reading, words: Sequence[str], index: SchemaIndex) -> None:
    """Hold a reading against conditions that phrases ask for on a table that it only passes."""
    named = {m["quoted"] or m["plain"] for m in _SOURCE.finditer(reading.sql)}
    for d in index.facts.demands:
        passes = d.table in named and d.table != reading.table
        if passes and any(_said(p, words) for p in d.phrases) and d.sql not in reading.sql.replace('"', ""):
            raise Unread(Declined(f"{d.text} I read it another way, so I don't answer.", (d.table,)))


def _said(phrase: str, words: Sequence[str]) -> bool:
    """Whether a phrase stands in a question; before a time it says when, not where: `opened in 1995`."""
    said, last = phrase.split(), phrase.split()[-1]
    for i in range(len(words) - len(said) + 1):
        if list(words[i : i + len(said)]) != said:
            continue
        after = words[i + len(said)] if i + len(said) < len(words) else ""
        if last not in grammar.IN_FROM or not (after[:1].isdigit() or after in lexicon.MONTHS):
            return True
    return False


def goes_by(sql: str, way: Way) -> bool:
    """Whether SQL joins the two ends of a way by its column."""
    tables = {m["alias"] or m["quoted"] or m["plain"]: m["quoted"] or m["plain"] for m in _SOURCE.finditer(sql)}
    for a, a_quoted, a_plain, b, b_quoted, b_plain in _EQUAL.findall(sql):
        for left, column, right in ((a, a_quoted or a_plain, b), (b, b_quoted or b_plain, a)):
            if (tables.get(left), column, tables.get(right)) == (way.start, way.column, way.end):
                return True
    return False
