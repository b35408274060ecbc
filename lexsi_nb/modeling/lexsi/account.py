"""An account on the platform: login, organisation, workspace, the projects of runs and their deletion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.modeling.lexsi import connectors, sdk
from lexsi_nb.modeling.lexsi.calls import Calls
from lexsi_nb.modeling.lexsi.failures import PlatformFailed
from lexsi_nb.modeling.lexsi.wire import Http, Wire, client_of

MADE_BY_US = "agent"  # what the names of per-run projects begin with


@dataclass(frozen=True)
class Place:
    """Where models are made: address, organisation, workspace, compute; and how long a call may take.

    `seconds`: of one request without a byte. `quiet_seconds`: of a job's stream without one. `parallel`: explanations
    asked for at once.
    """

    url: str = "https://api.lexsi.ai"
    organization: str = "personal"
    workspace: str = "lexsi-nb"
    compute: str = "small"
    seconds: float = 60.0
    quiet_seconds: float = 120.0
    limit: float = 900.0
    parallel: int = 4

    @property
    def text(self) -> str:
        """The place in words."""
        return f"Lexsi at {self.url}, organisation {self.organization}, workspace {self.workspace}"


@dataclass
class Account:
    """A login that is made when it is first needed, and the projects that were made by it."""

    place: Place
    http: Http
    key: Callable[[], str]
    made: list[str] = field(default_factory=list)  # projects of this account that still stand
    connectors: list[str] = field(default_factory=list)  # connectors that were made by it and still stand
    _client: Any = field(default=None, repr=False)
    _workspace: Any = field(default=None, repr=False)
    _projects: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.wire = Wire(self.http, seconds=self.place.seconds, quiet_seconds=self.place.quiet_seconds)
        self.calls = Calls(self.wire, seconds=self.place.limit)

    # What follows runs inside `calls.run`.

    def lexsi(self) -> Any:
        """Return the SDK's entry object, logged in. Its client sends by our wire."""
        found = sdk.load()
        if self._client is None:
            self.wire.key = self.key()
            client = client_of(found, self.wire, self.place.url.rstrip("/"))
            entry = found.lexsi()
            entry.api_client = client
            entry.login(self.wire.key)
            self._client = entry
        return self._client

    def organization(self) -> Any:
        """Return the organisation. Raises: PlatformFailed: there is none of that name, with those there are."""
        lexsi, wanted = self.lexsi(), self.place.organization
        if wanted == "personal":
            return lexsi.organization(wanted)
        known = lexsi.organizations()["name"].tolist()
        if wanted not in known:
            raise PlatformFailed(
                f"No organisation {wanted!r} at Lexsi.", f"There is: {', '.join(map(str, known))}.",
                "Choose: %lexsi backend lexsi --organization NAME",
            )  # fmt: skip
        return lexsi.organization(wanted)

    def workspace(self) -> Any:
        """Return the workspace; made where it is not there."""
        if self._workspace is None:
            organization, name = self.organization(), self.place.workspace
            listed = organization.workspaces()
            there = not isinstance(listed, str) and name in _names(listed, "user_workspace_name")
            self._workspace = organization.workspace(name) if there else organization.create_workspace(name)
        return self._workspace

    def project(self, name: str, task: str = "") -> Any:
        """Return the tabular project of that name; made where it is not there and `task` says what for.

        Raises: PlatformFailed: it is not there and no task is given.
        """
        if name in self._projects:
            return self._projects[name]
        workspace = self.workspace()
        there = name in _names(workspace.projects(), "user_project_name")
        if not there and not task:
            raise PlatformFailed(
                f"There is no project {name} at Lexsi any more.", "It was deleted, maybe by %lexsi lexsi cleanup.",
                "Ask with again=True (--again), so that the model is trained again.",
            )  # fmt: skip
        if not there:
            workspace.create_project(name, modality="tabular", project_type=task)
            self.made.append(name)
        project = workspace.project(name)  # the reply to its making need not say that it is tabular
        if not hasattr(project, "upload_data"):
            raise PlatformFailed(
                f"Project {name} at Lexsi takes no tables.", "It was made for another kind of data.", "Ask again."
            )
        self._projects[name] = project
        return project

    def ours(self) -> list[str]:
        """Return the projects of the workspace that runs made, by their names."""
        listed = _names(self.workspace().projects(), "user_project_name")
        return [n for n in listed if n in self.made or is_ours(n)]

    def lakes(self) -> list[str]:
        """Return the connectors that runs made, by their names."""
        try:
            owner = connectors.owner_of(self, make=False)
            listed = connectors.names(owner)
        except LexsiError:  # a personal account without the project that would hold them, an SDK without connectors
            return []
        return [n for n in listed if n.startswith(connectors.OURS)]

    def clean(self, names: list[str]) -> tuple[list[str], list[str]]:
        """Return (what was deleted, what stood in the way of others) of the named projects and connectors of runs.

        None named: those that this account made.

        Raises: PlatformFailed: a name is not one of a run's; nothing is deleted.
        """
        lakes = [n for n in names if n in self.connectors or n.startswith(connectors.OURS)]
        projects = [n for n in names if n not in lakes]
        if strange := [n for n in projects if n not in self.made and not is_ours(n)]:
            raise PlatformFailed(
                f"{', '.join(strange)} was not made by a run, so nothing was deleted.", "",
                "See: %lexsi lexsi projects",
            )  # fmt: skip
        if not names:
            lakes, projects = list(self.connectors), list(self.made)
        gone, kept = connectors.delete(self, lakes) if lakes else ([], [])
        more = self.delete(projects)
        return gone + more[0], kept + more[1]

    def delete(self, names: list[str]) -> tuple[list[str], list[str]]:
        """Return (projects that were deleted, what stood in the way of others)."""
        gone, kept = [], []
        for name in names:
            try:
                self.project(name).delete_project()
            except LexsiError as error:
                kept.append(f"{name}: {error}")
                continue
            self._projects.pop(name, None)
            self.made[:] = [n for n in self.made if n != name]
            gone.append(name)
        return gone, kept


def is_ours(name: str) -> bool:
    """Return whether a project's name looks like one of a run: agent, five letters of its task, eight of its id.

    >>> is_ours("agentclass0123abcd"), is_ours("agent orange")
    (True, False)
    """
    rest = name.removeprefix(MADE_BY_US)
    return rest != name and rest[:5] in ("class", "regre", "lakes") and len(rest) == 13 and rest[5:].isalnum()


def _names(frame: Any, column: str) -> list[str]:
    return [str(n) for n in frame[column].tolist()] if len(frame) and column in frame.columns else []
