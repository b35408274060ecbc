"""What an answer says beside its numbers: what stays in sight, one line, and the rows that it unfolds.

HTML, text and the terminal share the words; only HTML can fold.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from lexsi_nb.artifacts.wording import BRIEF, MIND, PICTURE
from lexsi_nb.widgets.folding import PRINTED, fold

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

# A summary that unfolds is a button: at least 24 px high, as a finger needs.
BUTTON = (
    "cursor:pointer;display:inline-block;border:1px solid #8889;border-radius:3px;padding:0 10px;font-size:90%;"
    "line-height:24px"
)
LINE = "cursor:pointer;padding:3px 0;line-height:1.4;font-size:95%;opacity:.85"
ASIDE = "border-left:3px solid #d9771f;padding:1px 0 1px 8px;margin:.3em 0;max-width:62em"
SAMP = "font-family:monospace;white-space:nowrap;line-height:1.25"
SEPARATOR = " \u00b7 "
# A notebook file has its HTML line by line: a row a line makes a diff that can be read.
NEXT = "\n"

HEADINGS = {"read as": "question read as", "already": "not ranked"}
# Parentheses that hold an expression, as in "default (is_default: status IN ('B', 'D'))".
_CODE = re.compile(r" \(((?:[^()]|\([^()]*\))*)\)")
_EXPRESSION = re.compile(r"\bIN \(|[=<>]|\b(?:IS|NOT|AND|OR|LIKE|BETWEEN) ")


def in_sight(run: Run) -> list[str]:
    """Return what may change a decision, and so is never folded; of an answer without a model every warning."""
    return [*run.facts.get(MIND, []), *(run.facts.get("warnings", []) if not _predicts(run) else [])]


def brief(run: Run) -> list[str]:
    """Return the parts of the one line that unfolds the facts, [] where there is nothing to unfold."""
    parts = [f"read as {without_code(line)}" for line in run.facts.get("read as", [])]
    parts += run.facts.get(BRIEF, [])
    rows = facts(run)
    known = {"read as", "warnings", "left out"}
    if "warnings" in rows:
        parts.append(counted(len(rows["warnings"]), "warning"))
    parts += [] if parts else [name for name in rows if name not in known]
    if "left out" in rows:
        parts.append(f"{len(rows['left out'])} left out")
    return parts


def facts(run: Run) -> dict[str, list[str]]:
    """Return the rows that the line unfolds: heading -> lines, without what stands in sight already."""
    seen = {BRIEF, MIND, *(() if _predicts(run) else ("warnings",))}
    return {name: lines for name, lines in run.facts.items() if name not in seen}


def in_sight_html(run: Run) -> str:
    """Return what stays in sight as HTML, a line each; "" where there is nothing."""
    return NEXT.join(f'<div style="{ASIDE}">{escape(line)}</div>' for line in in_sight(run))


def facts_html(run: Run) -> str:
    """Return the line, what it unfolds, and the other readings; "" where there is nothing."""
    parts = brief(run)
    said = folded_html(SEPARATOR.join(parts), rows_html(run)) if parts else ""
    return said + readings_html(run)


def readings_html(run: Run) -> str:
    """Return the other readings of the question, folded behind a button; "" where there is none."""
    if not run.readings:
        return ""
    other = NEXT.join(
        f"<div>{escape(text)}: <code>%%lexsi{escape(run.cell_options)} {escape(question)}</code></div>"
        for text, question in run.readings
    )
    return fold("Change reading", other, summary_attributes=f' role="button" style="{BUTTON}"') + PRINTED


def folded_html(line: str, body: str) -> str:
    """Return a line that unfolds what it sums up."""
    body = f'\n<div style="margin-left:1em">{body}</div>'
    look = f' style="{LINE}"'
    return fold(escape(line), body, style="margin:.4em 0;max-width:62em", summary_attributes=look) + PRINTED


def rows_html(run: Run) -> str:
    """Return every fact under its heading."""
    return NEXT.join(
        drawn_html(name, lines) if name == PICTURE else row_html(HEADINGS.get(name, name), lines)
        for name, lines in facts(run).items()
    )


def drawn_html(name: str, lines: list[str]) -> str:
    """Return lines that draw something: each space counts. Not in a `pre`, as those of a run are its code cells."""
    said = f"<br>{NEXT}".join(escape(line, quote=False).replace("  ", " \u00a0") for line in lines)
    return f'<p style="margin:.5em 0"><b>{escape(name)}</b><br>\n<samp style="{SAMP}">{said}</samp></p>'


def row_html(name: str, lines: list[str], *, html: list[str] | None = None) -> str:
    """Return lines under their heading, what is an expression in the font of code; `html`: lines that are HTML."""
    said = f"<br>{NEXT}".join([*map(_coded, lines), *(html or ())])
    return f'<p style="margin:.5em 0"><b>{escape(name)}</b><br>\n{said}</p>'


def fact_rows(run: Run) -> list[tuple[str, str]]:
    """Return (heading, line) of every fact for text, the heading once, and the other readings of the question."""
    rows = [
        (HEADINGS.get(name, name) if at == 0 else "", line)
        for name, lines in facts(run).items()
        for at, line in enumerate(lines)
    ]
    return rows + [("or read as" if at == 0 else "", f"{t}: {q}") for at, (t, q) in enumerate(run.readings)]


def without_code(text: str) -> str:
    """Return a reading in plain words, without the expressions in parentheses.

    >>> without_code("loans by the chance of default (is_default: status IN ('B', 'D')); of 1996 (the year)")
    'loans by the chance of default; of 1996 (the year)'
    """
    return _CODE.sub(lambda m: "" if _EXPRESSION.search(m[1]) else m[0], text)


def counted(n: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def _coded(text: str) -> str:
    """Return a line as HTML, its expressions in the font of code."""
    out, at = [], 0
    for m in _CODE.finditer(text):
        if _EXPRESSION.search(m[1]):
            out += [escape(text[at : m.start()], quote=False), f" (<code>{escape(m[1], quote=False)}</code>)"]
            at = m.end()
    return "".join([*out, escape(text[at:], quote=False)])


def _predicts(run: Run) -> bool:
    return BRIEF in run.facts
