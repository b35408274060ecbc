"""A run's result graph as lines and as a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lexsi_nb.widgets.table import CELL, HEAD, aligned

if TYPE_CHECKING:
    from lexsi_nb.app.graph import Node, ResultGraph

HEADS = ["result", "kind", "what", "from", "made by", "content", "state"]


def graph_text(graph: ResultGraph) -> str:
    """Return a line a node, parents first."""
    if not graph.nodes:
        return f"Run {graph.run_id} made nothing."
    return aligned(HEADS, [_cells(n) for n in graph], left=0)


def graph_html(graph: ResultGraph) -> str:
    """Return the nodes as a table, parents first."""
    if not graph.nodes:
        return f"<div>Run {escape(graph.run_id)} made nothing.</div>"
    head = "".join(f'<th scope="col" style="{HEAD};text-align:left">{h}</th>' for h in HEADS)
    body = "\n".join(
        "<tr>" + "".join(f'<td style="{CELL};text-align:left">{escape(c)}</td>' for c in _cells(n)) + "</tr>"
        for n in graph
    )
    return f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cells(node: Node) -> list[str]:
    step = f"step {node.step}, {node.tool}" if node.step is not None else ""
    return [node.id, node.kind, node.what, ", ".join(node.parents), step, node.fingerprint[:8], node.text]
