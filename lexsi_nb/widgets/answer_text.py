"""A run's answer as plain text: stable, for terminals, diffs and notebooks without HTML."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.results import Attribution, Choice, Table
from lexsi_nb.artifacts.wording import SYNTHETIC
from lexsi_nb.widgets.attribution import attribution_text
from lexsi_nb.widgets.choice import choice_text
from lexsi_nb.widgets.facts import counted, fact_rows, in_sight
from lexsi_nb.widgets.ranking import MOVED, moved_text, ranking_of
from lexsi_nb.widgets.showing import Item, items
from lexsi_nb.widgets.table import aligned
from lexsi_nb.widgets.table import table_text as frame_text

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

WIDTH = 110
MARGIN = 14
NAMED = 3  # variables in one line
LONGEST_HEADLINE = 200
MOST_RANKED = 200  # rows of a ranking
# To the first full stop that ends a sentence: not one of a number or an abbreviation's letter.
_SENTENCE = re.compile(r"[^\n]+?(?<!\b\w)[.?!](?=\s|$)")


def answer_text(run: Run, *, code: bool = True) -> str:
    """Return everything a person sees of the run, as text."""
    parts = [head_text(run)]
    parts += [item_text(item, run) for item in items(run)]
    parts += [content.text for content in run.of(BinaryContent)]
    attributions = run.of(Attribution) if run.shown is None else []
    if attributions:
        parts.append(f"What moved the score of {attributions[0].case}:\n{attribution_text(attributions[0])}")
    parts.append(foot_text(run, code=code))
    return "\n\n".join(p for p in parts if p)


def item_text(item: Item, run: Run) -> str:
    """Return one shown result as text, under its label."""
    from lexsi_nb.widgets.bundle import text_of

    if item.is_picture:
        return f"chart: {f'{item.label}: ' if item.label else ''}{text_of(item.artifact)}"
    body = ranking_text(run) if item.is_ranking else text_of(item.artifact)
    return f"{item.label}\n{body}" if item.label else body


def head_text(run: Run, *, table: bool = True, choice: bool = True) -> str:
    """Return the answer, what may change a decision and, unless left out, the choice and the table with its facts."""
    parts = []
    if run.synthetic:
        parts.append(SYNTHETIC)
    if run.answer and run.choice is None:
        # The body of a dry run is shown as it would be sent.
        lines = (line if line.startswith("{") else textwrap.fill(line, WIDTH) for line in run.answer.splitlines())
        parts.append("\n".join(lines))
    parts.append("\n".join(_line("note", line) for line in in_sight(run)))
    if choice and isinstance(run.choice, Choice):
        parts.append(choice_text(run.choice))
    if run.shown is None and table:
        parts.append(ranking_text(run) or table_text(run))
        parts.append(facts_text(run) if facts_follow_table(run) else "")
    return "\n\n".join(p for p in parts if p)


def facts_follow_table(run: Run) -> bool:
    """Whether the facts stand under the ranked cases, above charts, rather than with what was made and sent."""
    return run.shown is None and ranking_of(run) is not None


def facts_text(run: Run) -> str:
    """Return every fact as lines."""
    return "\n".join(_line(name, line) for name, line in fact_rows(run))


def headline(answer: str) -> tuple[str, str]:
    """Return (the first sentence, the rest); ("", answer) where the first line is more than a sentence's length.

    >>> headline("The 10 highest of 403 loans. Too few to tell.")
    ('The 10 highest of 403 loans.', ' Too few to tell.')
    """
    found = _SENTENCE.match(answer)
    first = found[0] if found else answer.partition("\n")[0]
    return (first, answer[len(first) :]) if len(first) <= LONGEST_HEADLINE else ("", answer)


def ranking_text(run: Run) -> str:
    """Return the ranked cases as aligned columns, "" when there are none."""
    ranking = ranking_of(run)
    if ranking is None:
        return ""
    ranking = ranking.first(MOST_RANKED)
    head = ["#", ranking.entity, ranking.score, MOVED, *ranking.kept]
    rows = [[r.rank.ljust(2), r.case, r.score, moved_text(r.moved), *r.kept] for r in ranking.rows]
    return aligned(head, rows, left=3) + (f"\n{ranking.note}" if ranking.note else "")


def table_text(run: Run) -> str:
    """Return the last table of the run, "" where the answer says it all."""
    tables = run.of(Table)
    if not tables or run.status != "answered" or tables[-1].frame.shape == (1, 1):
        return ""
    return frame_text(tables[-1])


def foot_text(run: Run, *, code: bool = True) -> str:
    """Return what was made, what was sent, and by what; before it the facts that stand nowhere else."""
    return "\n".join(_line(name, words) for name, words in foot_rows(run, code=code))


def foot_rows(run: Run, *, code: bool = True) -> list[tuple[str, str]]:
    """Return what was made, what was sent, and by what, as (heading, words)."""
    rows = [] if facts_follow_table(run) else fact_rows(run)
    if run.variables:
        rows.append(("variables", "; ".join(f"{v.name} ({v.shape})" for v in run.variables)))
    rows += [("sent off this machine", sent_text(run)), ("made with", by_text(run))]
    if run.recording:
        rows.append(("replayed" if run.replayed else "recorded", recording_text(run)))
    if run.cells and code:
        where = "%lexsi show prints them, %lexsi insert in an empty cell puts them there"
        rows.append(("code", f"{counted(len(run.cells), 'cell')}: {where}"))
    return rows


def made_line(run: Run) -> list[str]:
    """Return what was sent, made and by what as the parts of one line."""
    parts = [f"sent off this machine: {sent_text(run)}"]
    if run.variables:
        names = [v.name for v in run.variables]
        parts.append(counted(len(names), "variable") if len(names) > NAMED else f"made {', '.join(names)}")
    models = f", models {run.backend}" if run.backend else ""
    return [*parts, f"by planner {run.planner}{models}", f"run {run.id}"]


def sent_text(run: Run) -> str:
    """Return what left the machine, in words."""
    if not run.sent:
        return "nothing"
    sizes: dict[str, list[int]] = {}
    for sent in run.sent:
        sizes.setdefault(sent.to, []).append(sent.bytes)
    said = "; ".join(f"{counted(len(b), 'request')} with {sum(b):,} bytes to {to}" for to, b in sizes.items())
    return f"{said}. Used: {run.usage.words}" if run.usage.words else said


def recording_text(run: Run) -> str:
    """Return where the run was written to, or came from."""
    return f"from {run.recording}, no model was asked; --ask asks again" if run.replayed else f"in {run.recording}"


def by_text(run: Run) -> str:
    """Return planner, model backend, seed, versions and run id in one line."""
    versions = ", ".join(f"{name} {number}" for name, number in run.versions.items())
    data = "SYNTHETIC data, " if run.synthetic else ""
    return f"{data}planner {run.planner}, models {run.backend or 'none'}, seed {run.seed}, {versions}, run {run.id}"


def _line(name: str, text: str) -> str:
    indent = " " * MARGIN
    lead = f"{name:<{MARGIN}}" if len(name) < MARGIN else f"{name}\n{indent}"
    return lead + textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)[MARGIN:]
