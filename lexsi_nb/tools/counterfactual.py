"""What would have to change for another score: a part of `explain_prediction`, shown as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.artifacts.results import Table
from lexsi_nb.errors import RunFailed
from lexsi_nb.modeling.whatif import NOT_ADVICE, WhatIf
from lexsi_nb.tools.context import StepContext
from lexsi_nb.tools.project import project_of

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Trained

MOST_CASES = 10
TOLD = 4  # cases that the summary tells, highest first; all are in the table


@dataclass(frozen=True)
class Asked:
    """How a counterfactual was asked for: what stays, which way the score should go, and past which mark."""

    immutable: tuple[str, ...] = ()
    toward: Literal["lower", "higher"] = "lower"
    mark: float | None = None


def leave_counterfactuals(
    ctx: StepContext, trained: Trained, explained: Explained, frame: Any, asked: Asked
) -> tuple[WhatIf, ...]:  # fmt: skip
    """Return the counterfactuals of the first 10 explained cases, after leaving their cell, variable and table.

    Raises: RunFailed: the backend has none; else as `counterfactuals`.
    """
    find = finder(ctx, trained)
    cases = [c.case_id for c in explained.cases[:MOST_CASES]]
    known = [c for c in trained.features if c in _fixed(ctx)]
    made = find(
        trained, ctx.frame(trained.frame_name), frame, cases, frame_name=explained.frame_name,
        immutable=list(dict.fromkeys([*asked.immutable, *known])), toward=asked.toward, mark=asked.mark,
        variable=ctx.name_for("counterfactuals"), tick=ctx.tick, cancelled=ctx.run.cancelled,
    )  # fmt: skip
    ctx.emit(made.cell)
    parents = (explained.frame_name, trained.frame_name, trained.name("model"))
    ctx.write("counterfactuals", made.frame, parents=parents, cell=made.cell)
    ctx.show(Table(made.frame, title="what would have to change", name=made.variable), parents=parents)
    fixed = [*asked.immutable, *map(str, known)]
    kept = f" Kept as they are: {', '.join(dict.fromkeys(fixed))}." if fixed else ""
    more = f" The first {MOST_CASES} of {len(explained.cases)} cases." if len(explained.cases) > MOST_CASES else ""
    lines = [f"{c.text}" for c in made.cases]
    trailer = f"{kept}{more} {NOT_ADVICE}"
    rest = len(lines) - TOLD
    others = f" {rest} more case{'s' * (rest > 1)} in {made.variable}." if rest > 0 else ""
    ctx.put("last_counterfactuals", f"{' '.join(lines[:TOLD])}{others}{trailer}")
    lines[-1] += trailer
    for line in lines:
        ctx.note(lambda said=line: ctx.notes.say("what if", said))
    return made.cases


def finder(ctx: StepContext, trained: Trained) -> Callable[..., Any]:
    """Return the backend's function that finds counterfactuals. Raises: RunFailed: it has none."""
    backend = project_of(ctx, trained.task).backend
    find = getattr(backend, "counterfactuals", None)
    if find is None:
        raise RunFailed(f"The {backend.name} backend has no counterfactuals.", "", "Leave include_counterfactual out.")
    return find


def _fixed(ctx: StepContext) -> list[str]:
    """Return the columns that the task of the scored rows says cannot change."""
    task = ctx.notes.tasks.get(str(ctx.get("last_predict_df_label")), {})
    return list(task.get("immutable", []))
