"""Where the models of a run live: the workspace of a session's backend and one project a task.

Under the keys `agent_workspace` and `agent_run_tab_project:<task>`. With the embedded backend a project is a name and
the backend; a hosted one adds what it needs to find it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, RunFailed
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import SideEffect, ToolResult
from lexsi_nb.tools.telling import told_by

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Backend
    from lexsi_nb.tools.context import StepContext


@dataclass(frozen=True)
class Workspace:
    """Where projects are made: a backend's name, and what it knows it by."""

    name: str
    handle: Any = None


@dataclass(frozen=True)
class Project:
    """The models of one task of one run, and the backend that trained them: it scores and explains them too."""

    name: str
    task: str
    backend: Backend


def project_of(ctx: StepContext, task: str) -> Project:
    """Return the project of a task in this run; made, with its workspace, when it is not there yet."""
    key = f"agent_run_tab_project:{task}"
    project = ctx.get(key)
    if project is None:
        backend = ctx.run.backend
        if ctx.get("agent_workspace") is None:
            ctx.put("agent_workspace", Workspace(backend.name, getattr(backend, "workspace", None)))
        name = f"agent{task[:5]}{ctx.run.run_id[:8]}"
        in_project = getattr(backend, "in_project", None)
        project = Project(name, task, backend if in_project is None else in_project(name))
        ctx.put(key, project)
    return project


def hosted(args: Any, ctx: StepContext) -> bool:
    """Return whether the backend is elsewhere: its calls send data and may cost money, so a person is asked."""
    return not getattr(ctx.run.backend, "local", False)


def acts(args: Any, ctx: StepContext) -> SideEffect:
    """Return what a call of the backend does: on this machine it makes variables, elsewhere it acts outside."""
    return "write" if hosted(args, ctx) else "kernel"


def effect(args: Any, ctx: StepContext) -> Effect:
    """Return where the frames of a call go; rows and columns are known from the frames it names."""
    backend = ctx.run.backend
    if not hosted(args, ctx):
        return Effect(note="Computed on this machine.")
    compute = args.get("compute_type") or args.get("pod") or getattr(backend, "compute", "")
    cost = str(getattr(backend, "cost", "")) or "it may cost money; the backend does not say how much"
    to = str(getattr(backend, "place", "")) or backend.name
    return Effect(to=to, cost=cost, note=f"Compute: {compute}." if compute else "")


def kept_here(ctx: StepContext, label: str, columns: list[Any], needed: tuple[Any, ...]) -> dict[Any, str]:
    """Return the columns of a frame that a hosted backend must not be sent, with the reason; none where it is here.

    Raises:
        BadData: one of `needed` (id, target) is among them.
    """
    if not hosted(None, ctx):
        return {}
    told = told_by(label, columns, ctx)
    private = {
        c for c, origins in zip(columns, told, strict=True) if any(map(ctx.run.private, (str(c), *map(str, origins))))
    }
    if blocked := [str(c) for c in needed if c in private]:
        raise BadData(
            f"{', '.join(blocked)} is private, so nothing is sent to {ctx.run.backend.name}.",
            "A training there needs the id and the target.",
            "Use the embedded backend, or another id: SELECT row_number() OVER () AS id, ...",
        )
    return dict.fromkeys(private, "private by the data policy; it does not leave this machine")


def restored(tool: Callable[..., ToolResult], args: Any, ctx: StepContext, first: ToolResult) -> ToolResult | None:
    """Return the result of a hosted call made again from what stands at the backend: nothing is trained twice.

    A backend that cannot open its models again leaves the call as it is, where this run still has what it made.

    Raises:
        RunFailed: this run has not; says how to do it again.
    """
    if not hasattr(ctx.run.backend, "in_project"):
        _refuse_where_gone(ctx)
        return None
    ctx.opened = first.meta.get("hosted_model")
    return tool(**dict(args), ctx=ctx)


def _refuse_where_gone(ctx: StepContext) -> None:
    """Return nothing where this run has what the call made.

    Raises:
        RunFailed: this run has not; says how to do it again.
    """
    if not any(shown.tool == ctx.tool for shown in ctx.run.artifacts):
        raise RunFailed(
            f"{ctx.tool} was done before for the same question, arguments and data.",
            "What it made is not in this run.",
            "Ask with again=True (--again) to do it again.",
        )
