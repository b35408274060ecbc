"""A run's answer as HTML that needs no kernel, no script and no network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lexsi_nb.artifacts.results import Choice, Table
from lexsi_nb.widgets.answer_text import (
    by_text,
    facts_follow_table,
    headline,
    made_line,
    recording_text,
    sent_text,
)
from lexsi_nb.widgets.attribution import BLUE, attribution_html
from lexsi_nb.widgets.choice import choice_html
from lexsi_nb.widgets.code_cell import code_cell_html
from lexsi_nb.widgets.copying import copy_html
from lexsi_nb.widgets.facts import (
    BUTTON,
    NEXT,
    SEPARATOR,
    brief,
    counted,
    facts_html,
    folded_html,
    in_sight_html,
    readings_html,
    row_html,
    rows_html,
)
from lexsi_nb.widgets.folding import PRINTED, fold
from lexsi_nb.widgets.ranking import MOVED, RankedCase, arrow, ranking_of
from lexsi_nb.widgets.showing import Item, items
from lexsi_nb.widgets.table import CELL, table_html

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

# Unfolded bars reach left, under the reasons, so that the table does not grow wider than the page.
EXPLAIN = "cursor:pointer;line-height:24px"
UNFOLDED = "margin:1em 0 .6em -33em;width:37em;text-align:left"
BADGE = "display:inline-block;border:1px solid #b58900;border-radius:3px;padding:0 6px;font-size:85%"
# An unfolded row stays beside its explanation, not in the middle of it.
LINE_UP = "vertical-align:baseline"
MOST_ROWS, MOST_EXPLAINED = 50, 20  # of a ranking
NOTE = "opacity:.75;font-size:90%"
COPY = f"{BUTTON};background:none;color:inherit;margin-left:6px;vertical-align:top;margin-top:-5px"
WORDS = "margin:.4em 0;max-width:62em;white-space:pre-line"


def answer_html(run: Run) -> str:
    """Return everything a person sees of the run, on one page."""
    return head_html(run) + "".join(item_html(item, run) for item in items(run)) + foot_html(run)


def item_html(item: Item, run: Run) -> str:
    """Return one shown result, under its label."""
    from lexsi_nb.widgets.bundle import html_of

    return label_html(item) + (ranking_html(run) if item.is_ranking else html_of(item.artifact))


def label_html(item: Item) -> str:
    """Return the label of a shown result, "" for none."""
    return f'<div style="margin-top:.6em"><b>{escape(item.label)}</b></div>' if item.label else ""


def head_html(run: Run, *, table: bool = True, choice: bool = True) -> str:
    """Return the answer, what may change a decision and, unless left out, the choice and the table with its facts."""
    parts = []
    if run.synthetic:
        parts.append(f'<div style="{BADGE}"><b>SYNTHETIC</b> data: generated, no real clients</div>')
    if run.answer and run.choice is None:
        parts.append(f'<p style="{WORDS}">{_headline(run.answer)}</p>')
    parts.append(in_sight_html(run))
    if choice and isinstance(run.choice, Choice):
        parts.append(choice_html(run.choice, cell_options=run.cell_options))
    if run.shown is None and table:
        parts.append(ranking_html(run) or _table(run))
        parts.append(facts_html(run) if facts_follow_table(run) else "")
    return f'<div class="lexsi-answer" style="line-height:1.4">{NEXT.join(p for p in parts if p)}</div>'


def foot_html(run: Run, *, cells: bool = True, copy: bool = False) -> str:
    """Return one line on what was made, sent, and by what, which unfolds all of it, and the code.

    `copy`: with a button that copies the code, where somebody may click.
    """
    parts, rows, readings = [], [], ""
    if not facts_follow_table(run):
        parts, rows, readings = brief(run), [rows_html(run)], readings_html(run)
    if run.variables:
        made = [f"<code>{escape(v.name)}</code> ({escape(v.shape)})" for v in run.variables]
        rows.append(row_html("variables", [], html=made))
    rows += [row_html("sent off this machine", [sent_text(run)]), row_html("made with", [by_text(run)])]
    if run.recording:
        rows.append(row_html("replayed" if run.replayed else "recorded", [recording_text(run)]))
    line = SEPARATOR.join([*parts, *made_line(run)])
    code = (
        f'<table style="margin:.6em 0 0"><tbody>{_code_row(run, copy)}</tbody></table>' if run.cells and cells else ""
    )
    return f"{folded_html(line, NEXT.join(r for r in rows if r))}{readings}{code}"


def code_html(run: Run, *, copy: bool = False) -> str:
    """Return the code cells, folded, and the line that inserts them; with `copy` a button that copies them."""
    shown = "".join(code_cell_html(c) for c in run.cells)
    return (
        f"{counted(len(run.cells), 'cell')}, plain libraries only "
        '<details style="display:inline-block;vertical-align:top;margin-top:-5px">'
        f'<summary role="button" style="{BUTTON}">Show</summary>{shown}</details>'
        f"{copy_html(COPY) if copy else ''}"
        " type <code>%lexsi insert</code> in an empty cell to get them there"
    )


def _code_row(run: Run, copy: bool) -> str:
    left = f"{CELL};text-align:left"
    return f'<tr><td style="{left};opacity:.7">code</td><td style="{left}">{code_html(run, copy=copy)}</td></tr>'


def _headline(answer: str) -> str:
    """Return the answer with its first sentence as the headline."""
    first, rest = headline(answer)
    return f"<b>{escape(first)}</b>{escape(rest)}"


def ranking_html(run: Run) -> str:
    """Return the ranked cases, each with its reasons folded in; "" when there are none."""
    ranking = ranking_of(run)
    if ranking is None:
        return ""
    ranking = ranking.first(MOST_ROWS, explained=MOST_EXPLAINED)  # a notebook keeps them with each output
    heads = ["#", ranking.entity, ranking.score, MOVED, *ranking.kept, ""]
    head = "".join(_head(h, ranking.hint if h == ranking.score else "", left=h == MOVED) for h in heads)
    body = NEXT.join(f'<tr style="text-align:right">{_cells(row)}</tr>' for row in ranking.rows)
    return (
        f'<table style="border-collapse:collapse;margin:.5em 0"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table>{PRINTED}"
        + (f'<div style="{NOTE}">{escape(ranking.note)}</div>' if ranking.note else "")
    )


def _head(name: str, hint: str, *, left: bool) -> str:
    title = f' title="{escape(hint)}"' if hint else ""
    side = "left" if left else "right"
    return f'<th scope="col"{title} style=text-align:{side}>{escape(name)}</th>'


def _cells(row: RankedCase) -> str:
    """Return the cells of a ranked case; a thin bar under its score, the explanation folded into the last one."""
    bar = "" if row.share is None else f"<div style=height:3px;width:{row.share:.0%};background:{BLUE}></div>"
    reasons = " ".join(
        f'<span title="{escape(str(r.value))}: {r.contribution:+.2f}">{escape(arrow(r), quote=False)}</span>'
        for r in row.moved
    )
    cells = [row.rank, f"<b>{escape(row.case)}</b>", f"{escape(row.score)}{bar}", reasons, *map(escape, row.kept)]
    looks = ["", "", ";min-width:4em", ";text-align:left", *[""] * len(row.kept)]
    why = ""
    if row.attribution is not None:
        look = f' aria-label="Explain {escape(row.case)}" style={EXPLAIN}'
        why = fold("Explain", attribution_html(row.attribution, place=UNFOLDED), summary_attributes=look)
    drawn = [f"<td style={LINE_UP}{look}>{cell}</td>" for cell, look in zip(cells, looks, strict=True)]
    return "".join([*drawn, f"<td style={LINE_UP}>{why}</td>"])


def _table(run: Run) -> str:
    tables = run.of(Table)
    if not tables or run.status != "answered" or tables[-1].frame.shape == (1, 1):
        return ""
    return table_html(tables[-1])
