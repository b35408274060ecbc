"""What a question came to: status, answer, steps, cells, artifacts, variables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.loop import Step
from lexsi_nb.agent.planner import Message
from lexsi_nb.agent.usage import Usage
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.looks import Shows
from lexsi_nb.artifacts.results import Approval, Choice, Shown, by_id
from lexsi_nb.errors import BadData, LexsiError, MissingExtra, RunFailed, UnknownName
from lexsi_nb.tools.step_titles import step_title

if TYPE_CHECKING:
    from lexsi_nb.app.graph import ResultGraph
    from lexsi_nb.kernel.variables import Variables

EXPORTED = "lexsi_nb_export"  # notebook metadata: a later export may replace the file
STATUSES = ("answered", "declined", "needs_choice", "awaiting_approval", "interrupted", "failed")


def question_key(question: str) -> str:
    """Return 12 hex digits that are equal for the same question, whatever its white space."""
    return hashlib.sha256(" ".join(question.split()).encode()).hexdigest()[:12]


class UnknownResult(UnknownName):
    """No result of that id in the run."""

    kind = "result"


class RunStopped(LexsiError):
    """A run that ended without an answer, as the one line that a cell fails with."""


class RunInterrupted(RunStopped):
    """A run that somebody stopped; `run` is None where it had not begun."""

    def __init__(self, what: str, why: str = "", next: str = "", *, run: Run | None = None) -> None:
        super().__init__(what, why, next)
        self.run = run


@dataclass(frozen=True)
class Variable:
    """A variable the run made: `shape` in words, made by `step` with `tool`, from `parents`.

    `fingerprint` is its content as the run left it, `marks` those of the parents as they were read.
    """

    name: str
    shape: str
    step: int
    tool: str
    parents: tuple[str, ...] = ()
    fingerprint: str = ""
    marks: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(repr=False)
class Run(Shows):
    """One question and what it came to.

    `status`: answered | declined | needs_choice | awaiting_approval | interrupted | failed.
    `frame`: the DataFrame the answer rests on, or None. `facts`: what the answer says beside the numbers, by heading.
    """

    id: str
    question: str
    planner: str
    backend: str
    dataset: str
    seed: int
    status: str = "failed"
    answer: str = ""
    frame: Any = None
    steps: list[Step] = field(default_factory=list)
    cells: list[CodeCell] = field(default_factory=list)
    artifacts: list[Shown] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    facts: dict[str, list[str]] = field(default_factory=dict)
    readings: list[tuple[str, str]] = field(default_factory=list)
    choice: Choice | None = None
    synthetic: bool = False
    sent: list[Any] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    recording: str = ""  # the file the run was written to, or came from
    replayed: bool = False  # no model decided: the recording did
    cell: str = ""  # id of the cell that asked, where the frontend tells
    asked: str = ""  # the question as written, with its parameters in braces
    parameters: Mapping[str, Any] = field(default_factory=dict)
    system: str = field(default="", repr=False)  # the framing that the planner read
    messages: tuple[Message, ...] = field(default=(), repr=False)  # of this run, as the planner read them
    traceback: str = ""
    approval: Approval | None = None  # what waits for a person, with status awaiting_approval
    given: Any = field(default=None, repr=False, compare=False)  # the dataset that was named for this run alone
    cell_options: str = ""  # how the cell named it: a cell that is offered for the same data begins so
    on_resume: Callable[..., Run] | None = field(default=None, repr=False, compare=False)
    on_again: Callable[[Mapping[str, Any]], Run] | None = field(default=None, repr=False, compare=False)
    shown: list[tuple[str, Shown]] | None = None  # (label, result) that the planner chose to show; None: all charts
    known: Variables | None = field(default=None, repr=False, compare=False)  # what the graph compares with

    def __repr__(self) -> str:
        answer = " ".join(self.answer.split())
        return f"<Run {self.id} {self.status}: {answer[:100]}{'...' if len(answer) > 100 else ''}>"

    @property
    def graph(self) -> ResultGraph:
        """What came from what, and what is stale now."""
        from lexsi_nb.app.graph import graph_of

        return graph_of(self)

    def cell_of(self, shown: Shown | str) -> CodeCell | None:
        """Return the code cell that makes a result again: an element of `artifacts`, or its id. None: there is none.

        Raises:
            UnknownResult: no result of that id; lists the nearest.
        """
        if isinstance(shown, str):
            known = by_id(self.artifacts)
            if shown not in known:
                raise UnknownResult.among(shown, known)
            shown = known[shown]
        name = getattr(shown.artifact, "name", "")
        return next((c for c in reversed(self.cells) if name and name in c.produces), None)

    @property
    def ok(self) -> bool:
        """Whether the question was answered, or rightly declined."""
        return self.status in ("answered", "declined")

    def of(self, kind: type) -> list[Any]:
        """Return the artifacts of one kind, in the order they were shown."""
        return [s.artifact for s in self.artifacts if isinstance(s.artifact, kind)]

    def raise_if_stopped(self) -> Run:
        """Return the run, or raise the one-line error that makes Run All stop.

        Raises:
            RunStopped: the run was interrupted, failed, or waits for the user.
        """
        if self.ok:
            return self
        kept = ", ".join(v.name for v in self.variables)
        if self.status == "interrupted":
            raise self._interrupted(kept)
        what = {
            "needs_choice": f"This can be read in more than one way: {self.answer}",
            "awaiting_approval": f"Waiting for approval of {self.approval.tool}." if self.approval else self.answer,
        }.get(self.status, self.answer.partition("\n\n")[0] or "The run failed.")
        after = self.steps[-1] if self.steps else None
        why = (
            f"Last step: {after.number} {after.tool} ({after.status})."
            if after and self.status != "needs_choice"
            else ""
        )
        if self.approval is not None:
            raise RunStopped(what, next=f"%lexsi approve {self.approval.id}  or  %lexsi decline {self.approval.id}")
        raise RunStopped(what, why, f"Kept: {kept}." if kept else "")

    def _interrupted(self, kept: str) -> RunInterrupted:
        """Return what is said of a run that somebody stopped: where, what stayed, how to go on."""
        after = self.steps[-1] if self.steps else None
        where = f"at step {after.number} ({step_title(after.tool)})" if after else "before the first step"
        again = "Run the cell again to ask again."
        return RunInterrupted(f"Stopped {where}.", f"Kept: {kept or 'nothing'}.", again, run=self)

    def resume(
        self,
        *,
        approve: bool = False,
        args: dict[str, Any] | None = None,
        decline: str | None = None,
        on_event: Callable[[Any], None] | None = None,
    ) -> Run:
        """Return this run after it went on from the call that waited for a person.

        `approve=True` runs what was shown. `args` alone parks the call with other arguments, to be looked at again;
        with `approve=True` the call runs with them. `decline` gives the reason of a no.

        Raises:
            RunFailed: the run is not waiting for anything, or the kernel lacks what it had made.
            AlreadySettled: somebody answered before.
        """
        if self.status != "awaiting_approval" or self.approval is None or self.on_resume is None:
            raise RunFailed(f"Run {self.id} is not waiting for anything.", f"Its status is {self.status}.")
        return self.on_resume(self.approval.id, approve=approve, args=args, decline=decline, on_event=on_event)

    def trajectory(self, form: str = "md") -> str:
        """Return what was said and done, message by message: "md" or "json". Secrets are masked.

        Raises:
            BadData: another form.
        """
        from lexsi_nb.app.trajectory import written

        return written(self, form)

    def export(self, path: str | Path) -> Path:
        """Write the code cells as a notebook that runs without lexsi_nb, and return its path.

        A name that ends in .md or .json gets the trajectory instead.

        Raises:
            BadData: the name has another ending, the folder is not there, or a file of that name was not written by
                an export.
            MissingExtra: nbformat is not installed.
        """
        target = Path(path)
        if target.suffix in (".md", ".json"):
            return self._export_trajectory(target)
        if target.suffix != ".ipynb":
            raise BadData(
                f"{target} is no notebook name.", "A trajectory ends in .md or .json.",
                f"Write {target.with_suffix('.ipynb')}",
            )  # fmt: skip
        if not target.parent.is_dir():
            raise BadData(f"There is no folder {target.parent}.", "", "Make it first, or name another.")
        if target.exists() and f'"{EXPORTED}"' not in target.read_text(errors="replace"):
            raise BadData(
                f"{target} is there already.", "It is no export of a run.", "Name another file, or move it away."
            )
        try:
            import nbformat
        except ImportError as error:
            raise MissingExtra.of("nbformat", "lab", "It writes notebooks.") from error
        v4 = nbformat.v4
        head = f"# {self.question.strip()}\n\n{self.answer}\n\nRun {self.id}, planner {self.planner}, seed {self.seed}."
        if self.synthetic:
            head += "\n\nSYNTHETIC data."
        cells = [v4.new_markdown_cell(head, id="question")]
        for at, cell in enumerate(self.cells, 1):
            about: dict[str, Any] = {"id": f"cell-{at}", "metadata": {"lexsi_nb": {"run": self.id}}}
            if cell.language == "python":
                cells.append(v4.new_code_cell(cell.source, **about))
            else:  # a Python kernel would stop at it
                cells.append(v4.new_markdown_cell(f"```{cell.language}\n{cell.source}\n```", **about))
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        whole = {"kernelspec": kernel, "language_info": {"name": "python"}, EXPORTED: self.id}
        notebook = v4.new_notebook(cells=cells, metadata=whole)
        nbformat.write(notebook, target)
        return target

    def _export_trajectory(self, target: Path) -> Path:
        if not target.parent.is_dir():
            raise BadData(f"There is no folder {target.parent}.", "", "Make it first, or name another.")
        ours = ("# Run ", '{\n  "id": ')
        if target.exists() and not target.read_text(errors="replace").startswith(ours):
            raise BadData(f"{target} is there already.", "It is no trajectory.", "Name another file, or move it away.")
        target.write_text(self.trajectory(target.suffix[1:]), encoding="utf-8")
        return target
