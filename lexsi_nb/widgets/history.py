"""The conversation of a session as text: what was asked, how it ended, what it cost, what no longer holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from lexsi_nb.agent.usage import money

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

LINE = 110  # characters of a question or an answer


def history_text(runs: Iterable[Run], stale: Mapping[str, str]) -> str:
    """Return a paragraph a question, oldest first. `stale`: variable -> why its result no longer holds."""
    return "\n\n".join(_paragraph(number, run, stale) for number, run in enumerate(runs, 1))


def _paragraph(number: int, run: Run, stale: Mapping[str, str]) -> str:
    more = f", {money(run.usage.cost)}" if run.usage.requests else ""
    replayed = ", replayed" if run.replayed else ""
    lines = [f"{number}. {_short(run.question)}", f"   {run.status}{replayed}{more} ({run.id}, {run.planner})"]
    first = next((line for line in run.answer.splitlines() if line.strip()), "")
    lines += [f"   {_short(first)}"] if first else []
    lines += [f"   stale: {v.name} ({stale[v.name]})" for v in run.variables if v.name in stale]
    return "\n".join(lines)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LINE else f"{line[: LINE - 3]}..."
