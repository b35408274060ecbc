"""Where the models of a run live: the workspace of a session's backend and one project a task.

Under the keys `agent_workspace` and `agent_run_tab_project:<task>`. With the embedded backend a project is a name and
the backend; a hosted one adds what it needs to find it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
        project = Project(f"agent{task[:5]}{ctx.run.run_id[:8]}", task, backend)
        ctx.put(key, project)
    return project
