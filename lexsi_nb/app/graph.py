"""What a run's results came from: typed nodes, parents, fingerprints, the cells that make them, and what is stale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.artifacts.looks import Shows
from lexsi_nb.artifacts.results import Chart, Shown, by_id
from lexsi_nb.errors import UnknownName
from lexsi_nb.kernel.frames import describe

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.artifacts.cells import CodeCell
    from lexsi_nb.kernel.variables import Variables

Kind = Literal["dataset", "frame", "model", "predictions", "attributions", "chart", "value"]
State = Literal["fresh", "edited", "stale", "replaced", "gone"]
# The kind of what a code cell of that kind makes.
_MADE: dict[str, Kind] = {
    "model": "model",
    "prediction": "predictions",
    "explanation": "attributions",
    "chart": "chart",
}


class UnknownNode(UnknownName):
    """No such node in the result graph."""

    kind = "result"


@dataclass(frozen=True)
class Node:
    """A result, or what one came from.

    `fingerprint` is its content when the run made or read it (16 hex digits; "" where there is none, as for a chart).
    `cell` makes it again. `state` is as of now; `reason` says why it is not fresh.
    """

    id: str
    kind: Kind
    what: str = ""
    parents: tuple[str, ...] = ()
    fingerprint: str = ""
    step: int | None = None
    tool: str = ""
    cell: CodeCell | None = None
    state: State = "fresh"
    reason: str = ""

    @property
    def text(self) -> str:
        """The state as shown: `fresh`, or `stale: loans was edited since step 4`."""
        return f"{self.state}: {self.reason}" if self.reason else self.state


@dataclass(frozen=True)
class ResultGraph(Shows):
    """The nodes of one run, parents before children.

    Indexed by id; `for node in graph` walks them in order.
    """

    run_id: str
    nodes: tuple[Node, ...] = ()
    synthetic: bool = False

    def __getitem__(self, id: str) -> Node:
        found = next((n for n in self.nodes if n.id == id), None)
        if found is None:
            raise UnknownNode.among(id, [n.id for n in self.nodes])
        return found

    def __contains__(self, id: object) -> bool:
        return any(n.id == id for n in self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def of(self, kind: Kind) -> list[Node]:
        """Return the nodes of one kind, in order."""
        return [n for n in self.nodes if n.kind == kind]

    def children(self, id: str) -> list[Node]:
        """Return the nodes made from `id`, in order."""
        self[id]
        return [n for n in self.nodes if id in n.parents]

    def stale(self) -> dict[str, str]:
        """Return id -> reason of the nodes that no longer fit what they came from."""
        return {n.id: n.reason for n in self.nodes if n.state in ("stale", "replaced", "gone")}

    def __repr__(self) -> str:
        return f"<ResultGraph of run {self.run_id}: {', '.join(n.id for n in self.nodes)}>"


def graph_of(run: Run) -> ResultGraph:
    """Return the graph of a run as its variables are now."""
    made = {v.name: v for v in run.variables}
    variables = run.known
    reasons = variables.stale() if variables is not None else {}
    nodes: dict[str, Node] = {}
    for source in _sources(run, made):
        nodes[source] = _source(run, source, variables)
    for v in run.variables:
        cell = next((c for c in reversed(run.cells) if v.name in c.produces), None)
        state, reason = _state(run, v, variables, reasons)
        nodes[v.name] = Node(
            v.name, _kind(v.shape, cell), v.shape, tuple(v.parents), v.fingerprint, v.step, v.tool, cell, state, reason
        )
    for id, shown in by_id(run.artifacts).items():
        if id not in nodes and isinstance(shown.artifact, Chart):
            nodes[id] = _picture(run, id, shown, nodes)
    return ResultGraph(run.id, tuple(_ordered(nodes)), run.synthetic)


def _sources(run: Run, made: dict[str, Any]) -> list[str]:
    """Return what the run read and did not make, in the order it was first read."""
    parents = [p for v in run.variables for p in v.parents]
    parents += [p for s in run.artifacts for p in s.parents]
    return [p for p in dict.fromkeys(parents) if p not in made]


def _source(run: Run, name: str, variables: Variables | None) -> Node:
    """Return a node for a dataset or a frame of the user's."""
    mark = next((v.marks[name] for v in run.variables if name in v.marks), "")
    cell = next((c for c in run.cells if c.kind == "data"), None)
    if variables is None:
        return Node(name, "dataset", run.dataset, fingerprint=mark, cell=cell)
    try:
        now = variables.fingerprint(name)
    except UnknownName:
        return Node(name, "frame", "", (), mark, state="gone", reason="there is no such frame now")
    changed = bool(mark) and now != mark
    state: State = "edited" if changed else "fresh"
    reason = "changed since it was read" if changed else ""
    bound = variables.bound(name)
    if bound is not None:  # of an earlier run, whose state `%lexsi vars` tells; here it is what this run read
        if mark and not changed and bound.fingerprint != mark:
            reason = "edited before it was read"
        what, by = describe(variables.namespace[name]), f"{bound.producer} of run {bound.run_id}"
        return Node(
            name, _kind(what, None), what, tuple(bound.parents), mark, bound.step, by, state=state, reason=reason
        )
    if name in variables.frames():
        what = describe(variables.namespace[name])
        return Node(name, "frame", what, (), mark, state=state, reason=reason)
    return Node(name, "dataset", run.dataset, (), mark, cell=cell, state=state, reason=reason)


def _state(run: Run, v: Any, variables: Variables | None, reasons: dict[str, str]) -> tuple[State, str]:
    if variables is None:
        return "fresh", ""
    bound = variables.bound(v.name)
    if bound is None:
        there = v.name in variables.namespace
        return "gone", "the name is yours now" if there else "the variable was deleted"
    if bound.fingerprint != v.fingerprint:
        return "replaced", f"made again by run {bound.run_id}"
    if v.name in reasons:
        return "stale", reasons[v.name]
    return ("fresh", "") if variables.fingerprint(v.name) == v.fingerprint else ("edited", "")


def _picture(run: Run, id: str, shown: Shown, nodes: dict[str, Node]) -> Node:
    """Return a node for a chart: as stale as what it shows."""
    parents = [nodes[p] for p in shown.parents if p in nodes]
    bad = next((p for p in parents if p.state != "fresh"), None)
    state: State = "stale" if bad is not None else "fresh"
    why = "" if bad is None else f"{bad.id} is {bad.state}" + (f": {bad.reason}" if bad.reason else "")
    return Node(
        id, "chart", shown.artifact.title, shown.parents, "", shown.step, shown.tool, run.cell_of(shown), state, why
    )


def _kind(shape: str, cell: CodeCell | None) -> Kind:
    if cell is not None and cell.kind in _MADE:
        return _MADE[cell.kind]
    return "frame" if "DataFrame" in shape or "Table" in shape else "value"


def _ordered(nodes: dict[str, Node]) -> list[Node]:
    """Return the nodes with parents before children, otherwise in the order they came."""
    out: dict[str, Node] = {}

    def place(id: str, above: tuple[str, ...]) -> None:
        if id in out or id not in nodes or id in above:
            return
        for parent in nodes[id].parents:
            place(parent, (*above, id))
        out[id] = nodes[id]

    for id in nodes:
        place(id, ())
    return list(out.values())
