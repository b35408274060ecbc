"""What words mean in the data, as a person reads it: a table a kind of entry, and one entry in full."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from lexsi_nb.data.entries import KINDS, Entry
from lexsi_nb.widgets.table import CELL, HEAD, aligned

MEANING, MOST = 64, 20  # characters of a meaning in a line of text; entries of a kind that are listed
WIDTH = 110
HEADS = ("name", "meaning", "where", "from")


def meanings_text(entries: Sequence[Entry], *, most: int = MOST) -> str:
    """Return a table a kind of entry, meanings cut to a line."""
    parts = []
    for kind, mine in groupby(entries, key=lambda e: e.kind):
        of = list(mine)
        rows = [[e.name, _short(e.meaning), e.place, e.source] for e in of[:most]]
        kept = [i for i in range(len(HEADS)) if any(r[i] for r in rows)]
        table = aligned([HEADS[i] for i in kept], [[r[i] for i in kept] for r in rows], left=0)
        parts.append(f"{_head(kind, len(of))}\n{_indented(table)}" + _more(kind, len(of), most))
    return "\n\n".join(parts)


def meanings_html(entries: Sequence[Entry], *, most: int = MOST) -> str:
    """Return a table a kind of entry as HTML; kinds of many entries are folded."""
    parts = []
    for kind, mine in groupby(entries, key=lambda e: e.kind):
        of = list(mine)
        rows = [[e.name, e.meaning, e.place, e.source] for e in of[:most]]
        kept = [i for i in range(len(HEADS)) if any(r[i] for r in rows)]
        head = "".join(f'<th scope="col" style="{HEAD};text-align:left">{HEADS[i]}</th>' for i in kept)
        body = "\n".join("<tr>" + "".join(_cell(r[i]) for i in kept) + "</tr>" for r in rows)
        table = f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        more = _more(kind, len(of), most).strip()
        note = f'<div style="opacity:.75;font-size:90%">{escape(more)}</div>' if more else ""
        parts.append(
            f'<details open><summary style="cursor:pointer;font-weight:600;margin:.4em 0">{_head(kind, len(of))}'
            f'</summary><div style="overflow-x:auto">{table}</div>{note}</details>'
        )
    return "\n".join(parts)


def record_text(entry: Entry, known: Sequence[tuple[str, str]]) -> str:
    """Return one entry in full: what is known of it, a line each."""
    import textwrap

    width = max(len(what) for what, _ in known)
    lines = [f"{entry.name} ({_one(entry.kind)})"]
    for what, said in known:
        first, then = f"  {what:<{width}}  ", " " * (width + 4)
        lines += textwrap.wrap(said, WIDTH, initial_indent=first, subsequent_indent=then, break_on_hyphens=False)
    return "\n".join(lines)


def record_html(entry: Entry, known: Sequence[tuple[str, str]]) -> str:
    """Return one entry in full as HTML."""
    rows = "\n".join(
        f'<tr><th scope="row" style="{CELL};text-align:left;font-weight:400;opacity:.75">{escape(what)}</th>'
        f"{_cell(said)}</tr>"
        for what, said in known
    )
    head = f"<b>{escape(entry.name)}</b> ({_one(entry.kind)})"
    return f'<div>{head}<table style="border-collapse:collapse;margin:.3em 0"><tbody>{rows}</tbody></table></div>'


def _head(kind: str, number: int) -> str:
    return f"{KINDS.get(kind, kind)} ({number:,})"


def _one(kind: str) -> str:
    return {"words": "words", "outcomes": "outcome to predict"}.get(kind, kind[:-1])


def _more(kind: str, number: int, most: int) -> str:
    return f"\n  and {number - most:,} more: %lexsi kg {kind}" if number > most else ""


def _short(text: str) -> str:
    return text if len(text) <= MEANING else f"{text[: MEANING - 3].rstrip()}..."


def _cell(text: str) -> str:
    return f'<td style="{CELL};text-align:left;max-width:46em">{escape(text)}</td>'


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
