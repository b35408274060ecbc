"""Open times: `last hire of Gia Rossi`, of hires with several dates; `mean delay, month`, where no groups are said."""

from __future__ import annotations

from lexsi_nb.grounding.everyday.rows import said_as, spanning, tables_called
from lexsi_nb.grounding.language import everyday
from lexsi_nb.grounding.reading import Choice, Declined, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import singular


def last_by_which(question: str, index: SchemaIndex) -> None:
    """Ask by which date `the last hire` is told, where hires have several and the question names none.

    Raises:
        Unread: with the choice.
    """
    m = everyday.LAST_ROW.search(question)
    noun = m["noun"].casefold() if m is not None else ""
    tables = tables_called(noun, index) if noun and noun == singular(noun) else []
    if m is None or len(tables) != 1 or len(index.time_of(tables[0], loose=True)) < 2:
        return
    dates = [d for d in spanning(tables[0], index) if d in index.time_of(tables[0], loose=True)]
    way = everyday.LAST_WAYS[m["way"].casefold()]
    asked = [everyday.WITH_END.format(m["noun"], m["rest"] or "", way, said_as(d.name)) for d in dates]
    if len(dates) > 1:
        ways = tuple(f"by {d.name}" for d in dates)
        raise Unread(
            Choice(f"'{m['way']} {m['noun']}' by which date?", ways, m["way"], questions=tuple(asked), lasting=False)
        )


def period_beside(question: str, index: SchemaIndex) -> None:
    """Refuse `mean delay, month`: a period beside a figure is a group where it is said to be one.

    Raises:
        Unread: with the question for the groups.
    """
    m = everyday.PERIOD_BESIDE.search(question)
    if m is not None:
        asked = everyday.BY_FLAG.format(m["head"], m["piece"])
        raise Unread(Declined(f"'{m['piece']}' stands beside a figure. For groups ask '{asked}'.", (m["piece"],)))
