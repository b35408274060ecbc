"""The state of the stand-in: workspaces, projects, files, jobs, models."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from tests.lexsi_server.faults import Faults
from tests.lexsi_server.learning import Learned, read

SDK_TOKEN = "sdk-token-of-the-tests"


class Refused(Exception):
    """Answered with success false and these details."""


@dataclass
class Job:
    """A long piece of work; `done` is set when it has ended."""

    id: str
    project: str
    status: str = "running"
    message: str = "Started"
    logs: str = ""
    done: threading.Event = field(default_factory=threading.Event)


@dataclass
class Project:
    """One project of a workspace."""

    project_name: str
    user_project_name: str
    workspace_name: str
    modality: str
    files: dict[str, bytes] = field(default_factory=dict)  # path -> CSV
    tags: dict[str, str] = field(default_factory=dict)  # tag -> path
    config: dict[str, Any] | None = None
    models: dict[str, Learned] = field(default_factory=dict)
    inferences: dict[str, pd.DataFrame] = field(default_factory=dict)
    log: str = ""

    def described(self) -> dict[str, Any]:
        """Return the project as the client reads it."""
        return {
            "created_by": "tester", "project_name": self.project_name, "user_project_name": self.user_project_name,
            "user_workspace_name": "demo", "workspace_name": self.workspace_name,
            "metadata": {"modality": self.modality, "project_type": "classification"},
        }  # fmt: skip


class AtOnce:
    """Counts what is under way at the same time; `most` is the highest count so far."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = threading.Lock()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count one more while it is entered."""
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            yield
        finally:
            with self.lock:
                self.now -= 1


class Platform:
    """Everything the stand-in knows."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.closing = threading.Event()
        self.workspaces: dict[str, str] = {"demo": "demo_1"}  # user's name -> internal name
        self.projects: dict[str, Project] = {}
        self.jobs: dict[str, Job] = {}
        self.connectors: dict[tuple[str, str], dict[str, Any]] = {}  # (owner, name) -> what it was made of
        self.chat: list[str] = []  # what the chat gateway answers next
        self.lock = threading.RLock()
        self.stalled, self.unstall, self.came = threading.Event(), threading.Event(), threading.Event()
        self.bytes_came = 0  # of a stalled request's body
        self.at_once = AtOnce()  # cases that are being explained

    def jwt(self) -> str:
        """Return a bearer token."""
        if self.faults.opaque_token:
            return "opaque"
        claims: dict[str, Any] = {"sub": "tester", "n": time.monotonic_ns()}
        if self.faults.lifetime is not None:
            claims["exp"] = time.time() + self.faults.lifetime
        parts = [json.dumps({"alg": "HS256", "typ": "JWT"}).encode(), json.dumps(claims).encode(), b"signature"]
        return ".".join(base64.urlsafe_b64encode(p).rstrip(b"=").decode() for p in parts)

    def project(self, name: str) -> Project:
        """Return a project by its internal name."""
        if name not in self.projects:
            raise Refused(f"no project {name}")
        return self.projects[name]

    def new_job(self, project: Project, work: Any) -> Job:
        """Return a job that does `work` on a thread of its own."""
        job = Job(f"e{len(self.jobs) + 1}", project.project_name)
        self.jobs[job.id] = job

        def run() -> None:
            try:
                if self.faults.endless:
                    self.closing.wait()
                elif self.faults.job is not None:
                    project.log = self.faults.job_logs
                    job.status, job.message = "failed", self.faults.job
                    return
                if not self.faults.job_never_made:
                    with self.lock:
                        work()
                job.status, job.message = "completed", "Done"
            except Exception as error:  # noqa: BLE001  (a failed job says why, whatever it was)
                project.log = f"{type(error).__name__}: {error}"
                job.status, job.message = "failed", str(error)
            finally:
                job.done.set()

        threading.Thread(target=run, daemon=True).start()
        return job

    def learn(self, project: Project, tags: list[str], config: dict[str, Any], model: str | None) -> None:
        """Train a model of the rows of some tags."""
        missing = [t for t in tags if project.tags.get(t) not in project.files]
        if missing:
            raise FileNotFoundError(f"no data file of tag {', '.join(missing)}")
        frame = pd.concat([read(project.files[project.tags[t]]) for t in tags])
        name = model or "XGBoost"
        made = Learned(
            frame, id=config["unique_identifier"], label=config["true_label"],
            features=list(config["metadata"]["feature_include"]),
        )  # fmt: skip
        version = sum(m.startswith(f"{name}_v") for m in project.models) + 1
        project.models[f"{name}_v{version}"] = made

    def infer(self, project: Project, tag: str, model: str) -> None:
        """Score the rows of a tag."""
        frame = read(project.files[project.tags[tag]])
        scored = project.models[model].inference(frame)
        if self.faults.lost_rows:
            scored = scored.iloc[: -self.faults.lost_rows]
        project.inferences[f"{tag}_{model}_Inference"] = scored
