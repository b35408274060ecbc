"""A follow-up about what comes after in a ranking, or beside a figure: `and the second most?`, `more than in 1997?`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lexsi_nb.grounding.conversation.conversing import Before, counted, unresolved
from lexsi_nb.grounding.language import conversation
from lexsi_nb.grounding.mentions import Mention, said_again
from lexsi_nb.grounding.reading import Declined, Reading
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.wordings.relations import noticed
from lexsi_nb.grounding.words import place, tokens

_ENDS = ("most", "super", "mode")
_LIMIT = re.compile(r"LIMIT 1(?: OFFSET \d+)?$")
MOST = 1_000  # places up to which a ranking goes on


def gone_on(base: str, question: str, index: SchemaIndex, read: Callable[[str], Any]) -> str | None:
    """Return the whole question for a later place, for the next places or for a comparison; None for another one.

    What has no whole question comes back as one that is declined.
    """
    text = " ".join(question.split()).strip(" ?.!,")
    forms = [(form, m) for pattern, form in _FORMS if (m := pattern.fullmatch(text))]
    if not forms:
        return None
    before = Before(base.strip().rstrip(" ?."), read(base), index, read)
    if not isinstance(before.found, Reading):
        return None
    form, match = forms[0]
    return form(before, match)


def _later_place(b: Before, m: re.Match[str]) -> str | None:
    """`which district has the most clients?`, `and the second most?`: another place of that ranking."""
    n, items = place(m["nth"].casefold()), b.items
    at = [i for i, x in enumerate(items) if not x.entries and any(x.tag(t) is not None for t in _ENDS)]
    plain = len(at) == 1 and _LIMIT.search(b.found.sql) is not None
    if not n or n < 2 or not plain:
        return None
    end = [x for x in noticed(m["end"] or "", b.index).items if not x.entries]
    if m["end"] and not any(_way(x) == _way(items[at[0]]) for x in end):
        return None  # `the second fewest`, of the most
    rest = [x for x in items[: at[0]] if x.entries or x.tag("nth") is None]
    gap = next((x.gap for x in items[: at[0]] if not x.entries and x.tag("nth") is not None), items[at[0]].gap)
    nth = Mention(m["nth"], tags=(f"nth:{n}",), gap=gap)
    way = said_again([*rest, nth, replace(items[at[0]], gap=()), *items[at[0] + 1 :]])
    got = b.read(way)
    if isinstance(got, Declined):
        return way  # several share the place
    wanted = _LIMIT.sub(f"LIMIT 1 OFFSET {n - 1}", b.found.sql)
    return way if isinstance(got, Reading) and got.sql == wanted else unresolved(m[0])


def _way(m: Mention) -> str:
    """Return which end of a ranking a word says."""
    return next((w for t in _ENDS if (w := m.tag(t))), "")


def compares(question: str) -> bool:
    """Whether a follow-up only holds the figure before against another: the next one goes on with that figure."""
    return conversation.AGAINST.fullmatch(" ".join(question.split()).strip(" ?.!,")) is not None


def _next_few(b: Before, m: re.Match[str]) -> str | None:
    """`top 5 districts by number of clients`, `the next 5`: the places after those."""
    more = next((t.value for t in tokens(m["n"] or "") if t.kind == "number"), None)
    shown, text, skipped = b.found.limit, b.text, 0
    if (later := conversation.WITHOUT_FIRST.fullmatch(b.text)) is not None:
        text, skipped = later["ranking"], int(later["n"])
    if shown is None or b.found.order is None or not b.found.sql.partition("\nLIMIT ")[1]:
        return None
    more = shown if more is None else more
    if not isinstance(more, int) or not 0 < more <= MOST:
        return None
    whole, items = skipped + shown, noticed(text, b.index).items
    at = [i for i, x in enumerate(items) if x.number == whole and not x.entries]
    for i in at:
        new = [*items[:i], replace(items[i], words=str(whole + more), number=whole + more), *items[i + 1 :]]
        way = conversation.AFTER_FIRST.format(said_again(new), whole)
        got = b.read(way)
        same = isinstance(got, Reading) and _ranking(got.sql) == _ranking(b.found.sql)
        if same and got.sql.endswith(f"LIMIT {more} OFFSET {whole}"):
            return way
    return unresolved(m[0])


def _ranking(sql: str) -> str:
    return sql.rpartition("\nLIMIT ")[0]


def _against(b: Before, m: re.Match[str]) -> str | None:
    """`how many loans in 1996?`, `more than in 1997?`: whether that figure is above the same of other rows."""
    found = b.found
    if found.keys or found.limit or len(found.measures) != 1 or not (found.filters or found.links):
        return None
    if counted(found):
        way = conversation.MORE_ROWS.format(m["way"], b.rows(), m["what"])
    else:
        figure = conversation.COUNTING.sub("", b.text)
        way = conversation.MORE_FIGURE.format(figure, _of_a_figure(m["way"]), m["what"])
    got = b.read(way)
    if isinstance(got, Declined):
        return way  # with its own reason
    held = isinstance(got, Reading) and got.kind == "yesno" and len(got.measures) == 2 and got.table == found.table
    alike = held and [x.function for x in got.measures] == [found.measures[0].function] * 2
    return way if alike and set(found.filters) <= set(got.measures[0].where) else unresolved(m[0])


def _of_a_figure(word: str) -> str:
    """Return the word that is said of a figure: a number is higher, rows are more."""
    return conversation.OF_A_FIGURE.get(word.casefold(), word)


_FORMS = (
    (conversation.LATER_PLACE, _later_place),
    (conversation.NEXT_FEW, _next_few),
    (conversation.AGAINST, _against),
)
