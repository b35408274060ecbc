"""Where the models of a run live: the workspace of a session's backend and one project a task.

Under the keys `agent_workspace` and `agent_run_tab_project:<task>`. With the embedded backend a project is a name and
the backend; a hosted one adds what it needs to find it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, RunFailed
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import SideEffect, ToolResult
from lexsi_nb.tools.telling import told_by

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Backend, Trained
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


def effect(args: Any, ctx: StepContext, compute: str | None = None) -> Effect:
    """Return where the frames of a call go; rows and columns are known from the frames it names or reads."""
    backend = ctx.run.backend
    if not hosted(args, ctx):
        return Effect(note="Computed on this machine.")
    compute = compute or getattr(backend, "compute", "")
    cost = str(getattr(backend, "cost", "")) or "it may cost money; the backend does not say how much"
    to = str(getattr(backend, "place", "")) or backend.name
    return Effect(to=to, cost=cost, note=f"Compute: {compute}." if compute else "")


def scored_by(
    trained: Trained | None, labels: Iterable[str | None], ctx: StepContext, *, compute: str = "", note: str = ""
) -> Effect:
    """Return what a model is sent where: of each frame its rows, and of their columns the id and the features alone."""
    general = effect(None, ctx, compute or (compute_of(trained) if trained is not None else ""))
    if trained is None or not hosted(None, ctx):
        return general
    columns = tuple(map(str, (trained.entity or "row", *trained.features)))
    there = [label for label in labels if label and held(label, ctx)]
    frames = tuple((ctx.name_of(label), int(ctx.frame(label).shape[0]), columns) for label in there)
    return replace(general, frames=frames, note=" ".join(t for t in (general.note, note) if t))


def held(label: str, ctx: StepContext) -> bool:
    """Return whether there is a frame of that label or name."""
    variables = ctx.run.variables
    return (variables.named(label) or label) in variables.frames()


def model_asked(args: Any, ctx: StepContext) -> Trained | None:
    """Return the model that a call means, None where this run has none of it."""
    wanted = args.get("model_id") or ctx.get("last_model_id")
    return ctx.get(f"model:{wanted}") if wanted else None


def read_with(trained: Trained | None, labels: Iterable[str | None]) -> list[str]:
    """Return what a call reads beside what its arguments name: frames, and the variable of its model."""
    return [*(label for label in labels if label), *([trained.name("model")] if trained is not None else [])]


def refuse_private(trained: Trained, labels: Iterable[str | None], ctx: StepContext) -> None:
    """Return nothing where a hosted backend may be sent what a model reads of the frames.

    Raises:
        BadData: the id or a feature is private in one of them.
    """
    needed = [c for c in (trained.entity, *trained.features) if c is not None]
    for label in labels:
        if label and held(label, ctx) and (private := _private(label, needed, ctx)):
            raise BadData(
                f"{', '.join(map(str, private))} of {label} is private, so nothing is sent to {ctx.run.backend.name}.",
                f"{trained.model_id} reads it.",
                "Train a model without it (--again), or use the embedded backend.",
            )


def compute_of(trained: Trained) -> str:
    """Return the compute of a model that is elsewhere, "" where it is here."""
    return str(trained.model.get("compute", "")) if isinstance(trained.model, dict) else ""


def kept_here(ctx: StepContext, label: str, columns: list[Any], needed: tuple[Any, ...]) -> dict[Any, str]:
    """Return the columns of a frame that a hosted backend must not be sent, with the reason; none where it is here.

    Raises:
        BadData: one of `needed` (id, target) is among them.
    """
    private = _private(label, columns, ctx)
    if blocked := [str(c) for c in needed if c in private]:
        raise BadData(
            f"{', '.join(blocked)} is private, so nothing is sent to {ctx.run.backend.name}.",
            "A training there needs the id and the target.",
            "Use the embedded backend, or another id: SELECT row_number() OVER () AS id, ...",
        )
    return dict.fromkeys(private, "private by the data policy; it does not leave this machine")


def _private(label: str, columns: list[Any], ctx: StepContext) -> list[Any]:
    """Return the columns that the data policy keeps here, whatever they are called by now."""
    if not hosted(None, ctx):
        return []
    told = told_by(label, columns, ctx)
    return [
        c for c, origins in zip(columns, told, strict=True) if any(map(ctx.run.private, (str(c), *map(str, origins))))
    ]


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
