"""How the calls of one turn end a run."""

from __future__ import annotations

from collections.abc import Callable

from lexsi_nb.agent.planner import ToolCall
from lexsi_nb.agent.steps import Ending
from lexsi_nb.toolkit.redaction import mask, masked
from lexsi_nb.toolkit.refs import LoopController
from lexsi_nb.toolkit.spec import Outcome

# A call of a turn, how it left the gates, and what its tool said about going on.
Done = tuple[ToolCall, Outcome, LoopController]


def stopped_by(done: list[Done], observe: Callable[[Outcome], str] = lambda outcome: "") -> Ending | None:
    """Return how a turn's calls end the run, or None when it goes on.

    A fatal stop outweighs a success, also where its tool failed; a success of a tool that failed counts for nothing.
    Both outweigh a call that waits. The person gets the tool's own words, the history what `observe` lets through.
    """
    for _, outcome, controller in done:
        if controller.state is controller.STOP_FATAL:
            words = mask(controller.reason) or outcome.result.observation.text or "A tool stopped the run."
            return Ending("failed", words, said=observe(outcome) or f"{outcome.tool} stopped the run.")
    for _, outcome, controller in done:
        if controller.stops and not outcome.is_error:
            return Ending("answered", outcome.result.observation.text, said=observe(outcome))
    for _, outcome, _ in done:
        if outcome.status == "dry_run":
            return Ending("answered", _rehearsed(outcome))
        if outcome.status == "awaiting_approval":
            return Ending("awaiting_approval", outcome.result.observation.text)
    return None


def _rehearsed(outcome: Outcome) -> str:
    """Return what a dry run would have done first, an argument a line, SQL as it is written."""
    lines = [f"Dry run: the first change would be {outcome.tool}. Nothing was changed."]
    for name, value in masked(outcome.args).items():
        text = str(value)
        lines.append(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")
    return "\n".join(lines)
