"""What a run owes its reader before it ends: the summary of what it predicted, and the results a planner chose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import ToolCall
from lexsi_nb.artifacts.results import Shown, by_id
from lexsi_nb.toolkit.spec import GOOD

if TYPE_CHECKING:
    from lexsi_nb.agent.loop import Step
    from lexsi_nb.tools.context import RunContext


class Summary:
    """The answer of a run that predicted carries the summary of its results, whatever the planner wrote.

    With `check`, numbers of the answer that are in no result are marked.
    """

    def __init__(self, context: RunContext, check: Callable[[str], str] | None = None) -> None:
        self.context = context
        self.check = check  # of an answer in a model's own words

    def owed(self, steps: list[Step], *, failed: bool = False) -> ToolCall | None:
        """Return the call of summarize_result where a prediction has none after it; of a failed run without a model."""
        self.context.narrate = self.context.narrate and not failed
        good = [s.tool for s in steps if s.status in GOOD]
        if "predict" not in good:
            return None
        since = good[len(good) - good[::-1].index("predict") :]
        if "summarize_result" in since:
            return None
        return ToolCall("summarize_result", {"question": self.context.question, "include_xai": True})

    def complete(self, answer: str) -> str:
        """Return the answer with the summary before it where it lacks it; the summary where it is empty."""
        answer = self.check(answer) if self.check is not None else answer
        predicted = self.context.cache.get("last_predictions") is not None
        summary = self.context.cache.get("last_summary", "") if predicted or not answer.strip() else ""
        if not summary or " ".join(summary.split()) in " ".join(answer.split()):
            return answer
        return f"{summary}\n\n{answer}".strip()

    def beside(self, why: str) -> str:
        """Return why a run failed, and after an empty line the summary of what it had predicted."""
        predicted = self.context.cache.get("last_predictions") is not None
        summary = self.context.cache.get("last_summary", "") if predicted else ""
        return f"{why}\n\n{summary}" if summary else why


def chosen(context: RunContext) -> list[tuple[str, Shown]] | None:
    """Return (label, result) as the planner chose to show them; None where it left that open."""
    wanted: list[Any] | None = context.cache.get("shown_artifacts")
    if wanted is None:
        return None
    known = by_id(context.artifacts)
    return [(label, known[id]) for id, label in wanted if id in known]
