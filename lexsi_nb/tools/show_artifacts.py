"""`show_artifacts`: which results the answer shows, in which order, under which labels."""

from __future__ import annotations

from typing import TypedDict

from lexsi_nb.artifacts.results import by_id
from lexsi_nb.errors import LexsiError, nearest
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context

MOST = 20


class Shown(TypedDict):
    """A result and its label."""

    id: str
    label: str


class BadSelection(LexsiError):
    """What was to be shown is not there, or has no label; says every problem."""

    outline = "Pass ids of results that are there, each once, each with a label that is not its id."


@tool(
    scopes=("data:read",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("show", "answer", "display", "charts", "tables"),
    requires=("sql_result:*",),
    returns="What will be shown, in order.",
)
def show_artifacts(artifacts: list[Shown], *, ctx: Context) -> ToolResult:
    """Choose which results the answer shows, in which order, each under a short label.

    Use it once, before the final answer, where that is not the last table and every chart. Ids are the labels of
    run_sql results, chart ids of render_chart, predictions, model, ranking_chart, shap_chart, and why_<case> for an
    explained case. An empty list shows words only. Not for making results.

    Args:
        artifacts: At most 20, in order. A label is words for a person, never the id.
    """
    known = by_id(ctx.run.artifacts)
    problems = [] if len(artifacts) <= MOST else [f"{len(artifacts)} results are too many to show; at most {MOST}."]
    seen: set[str] = set()
    for at, one in enumerate(artifacts):
        id, label = one["id"], one["label"].strip()
        if id not in known:
            near = nearest(id, known) or list(known)[:12]
            problems.append(f"$.artifacts[{at}]: no result {id!r}. There is: {', '.join(near) or 'none yet'}.")
        elif id in seen:
            problems.append(f"$.artifacts[{at}]: {id} is there twice.")
        if not label or label == id:
            problems.append(
                f"$.artifacts[{at}]: the label of {id} is {'empty' if not label else 'its id'}; write words."
            )
        seen.add(id)
    if problems:
        raise BadSelection(" ".join(problems), "Nothing was changed.", "Call it again with the whole list.")
    chosen = [[one["id"], ctx.held_against_results(one["label"].strip())] for one in artifacts]
    ctx.put("shown_artifacts", chosen)
    listed = "; ".join(f"{label} ({id})" for id, label in chosen)
    return ToolResult(True, f"The answer shows: {listed}." if artifacts else "The answer shows words only.")
