"""A run's answer as HTML that needs no kernel, no script and no network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lexsi_nb.artifacts.results import Choice, Table
from lexsi_nb.widgets.answer_text import by_text, recording_text, sent_text
from lexsi_nb.widgets.attribution import attribution_html
from lexsi_nb.widgets.choice import choice_html
from lexsi_nb.widgets.code_cell import code_cell_html
from lexsi_nb.widgets.ranking import ranking_of
from lexsi_nb.widgets.showing import Item, items
from lexsi_nb.widgets.table import CELL, table_html

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

BUTTON = "cursor:pointer;display:inline-block;border:1px solid #8889;border-radius:3px;padding:0 8px"
# Unfolded bars reach left, under the reasons, so that the table does not grow wider than the page.
UNFOLDED = "margin:1.4em 0 .6em -33em;width:37em;text-align:left"
# Of a cell of ranked cases. Its padding is the page's own; short, as each of a hundred cells has it.
RIGHT = "align=right style=vertical-align:top"
LEFT = "style=vertical-align:top;text-align:left"
# A long list folds after this many lines.
OPEN_LINES = 4
# A notebook file has its HTML line by line: a row a line makes a diff that can be read.
NEXT = "\n"


def answer_html(run: Run) -> str:
    """Return everything a person sees of the run, on one page."""
    return head_html(run) + "".join(item_html(item, run) for item in items(run)) + foot_html(run)


def item_html(item: Item, run: Run) -> str:
    """Return one shown result, under its label."""
    from lexsi_nb.widgets.bundle import html_of

    head = f'<div style="margin-top:.6em"><b>{escape(item.label)}</b></div>' if item.label else ""
    return head + (ranking_html(run) if item.is_ranking else html_of(item.artifact))


def head_html(run: Run, *, table: bool = True, choice: bool = True) -> str:
    """Return the answer, its facts and, unless they are left out, its table and the choice it leaves."""
    parts = []
    if run.synthetic:
        parts.append(
            '<div style="display:inline-block;border:1px solid #b58900;border-radius:3px;padding:0 6px;'
            'font-size:85%"><b>SYNTHETIC</b> data: generated, no real clients</div>'
        )
    if run.answer and run.choice is None:
        parts.append(f'<p style="margin:.4em 0;max-width:62em;white-space:pre-line">{escape(run.answer)}</p>')
    parts.append(_facts(run))
    if choice and isinstance(run.choice, Choice):
        parts.append(choice_html(run.choice))
    if run.shown is None and table:
        parts.append(ranking_html(run) or _table(run))
    return f'<div class="lexsi-answer" style="line-height:1.4">{NEXT.join(p for p in parts if p)}</div>'


def foot_html(run: Run, *, cells: bool = True) -> str:
    """Return what was made, what was sent, by what, and the code."""
    rows = []
    if run.variables:
        made = ", ".join(f"<code>{escape(v.name)}</code> ({escape(v.shape)})" for v in run.variables)
        rows.append(_row("variables", made))
    rows.append(_row("sent", escape(sent_text(run))))
    rows.append(_row("by", escape(by_text(run))))
    if run.recording:
        rows.append(_row("replayed" if run.replayed else "recorded", escape(recording_text(run))))
    if run.cells and cells:
        rows.append(_row("code", code_html(run)))
    return (
        '<table style="border-collapse:collapse;margin:0;font-size:90%;text-align:left;max-width:66em">'
        f"<tbody>{NEXT.join(rows)}</tbody></table>"
    )


def code_html(run: Run) -> str:
    """Return the code cells, folded, and the line that inserts them."""
    count = len(run.cells)
    shown = "".join(code_cell_html(c) for c in run.cells)
    return (
        f"{count} cell{'' if count == 1 else 's'}, plain libraries only "
        '<details style="display:inline-block;vertical-align:top">'
        f'<summary role="button" style="{BUTTON}">Show</summary>{shown}</details>'
        " <code>%lexsi insert</code> puts them below"
    )


def _facts(run: Run) -> str:
    rows = []
    for name, lines in run.facts.items():
        items = [escape(line) for line in lines]
        if name == "read as" and run.readings:
            other = NEXT.join(
                f"<div>{escape(text)}: <code>%%lexsi {escape(question)}</code></div>" for text, question in run.readings
            )
            items.append(f'<details><summary role="button" style="{BUTTON}">Change reading</summary>{other}</details>')
        if name == "left out" and len(items) > OPEN_LINES:
            rest = NEXT.join(f"<div>{i}</div>" for i in items)
            body = f"<details><summary>{len(items)} items: {_firsts(lines)}</summary>{rest}</details>"
        else:
            body = NEXT.join(f"<div>{i}</div>" for i in items)
        rows.append(_row(name, body))
    if not rows:
        return ""
    return (
        '<table style="border-collapse:collapse;margin:0;text-align:left;font-size:95%;max-width:66em">'
        f"<tbody>{NEXT.join(rows)}</tbody></table>"
    )


def _firsts(lines: list[str]) -> str:
    return escape(", ".join(line.split(":")[0] for line in lines[:6]) + (", ..." if len(lines) > 6 else ""))


def _row(name: str, body: str) -> str:
    return (
        f'<tr><td style="{CELL};opacity:.7;white-space:nowrap;text-align:left">{escape(name)}</td>'
        f'<td style="{CELL};text-align:left">{body}</td></tr>'
    )


def ranking_html(run: Run) -> str:
    """Return the ranked cases, each with its reasons folded in; "" when there are none."""
    ranking = ranking_of(run)
    if ranking is None:
        return ""
    heads = ["#", ranking.entity, *ranking.kept, "score", "raises", "lowers", ""]
    head = "".join(f'<th scope="col" style=text-align:left>{escape(h)}</th>' for h in heads)
    body = []
    for r in ranking.rows:
        cells = [f"<td {RIGHT}>{r.position}</td><td {RIGHT}><b>{escape(r.case)}</b></td>"]
        cells += [f"<td {RIGHT}>{escape(v)}</td>" for v in (*r.kept, r.score)]
        for reasons in (r.raises, r.lowers):
            words = ", ".join(f"<span style=white-space:nowrap>{escape(t)}</span>" for t in reasons)
            cells.append(f"<td {LEFT}>{words}</td>")
        why = ""
        if r.attribution is not None:
            why = (
                f'<details><summary role="button" aria-label="Explain {escape(r.case, quote=True)}" style="{BUTTON}">'
                f'Explain</summary><div style="{UNFOLDED}">{attribution_html(r.attribution)}</div></details>'
            )
        cells.append(f"<td {LEFT}>{why}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<table style="border-collapse:collapse;margin:.5em 0"><thead><tr>{head}</tr></thead>'
        f"<tbody>{NEXT.join(body)}</tbody></table>"
    )


def _table(run: Run) -> str:
    tables = run.of(Table)
    if not tables or run.status != "answered" or tables[-1].frame.shape == (1, 1):
        return ""
    return table_html(tables[-1])
