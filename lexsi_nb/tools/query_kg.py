"""`query_kg`: what the words of a question mean in this dataset."""

from __future__ import annotations

from typing import Any, Literal

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context

INFERRED = " [inferred, not reviewed]"
WEAK = 4.0  # below this score no trigger phrase of more than a word was met


@tool(
    scopes=("data:read",),
    cost_class="free",
    thread_safe=True,
    parallel_safe=True,
    capabilities=("meaning", "definition", "concepts", "joins", "metrics"),
    returns="Entries of the knowledge graph: an outline, the best matches, a section, or one entry in full.",
    check=lambda args, ctx: _problems(args),
)
def query_kg(
    section: Literal["concepts", "disambigs", "metrics", "join_paths", "tables"] | None = None,
    search: str | None = None,
    node: str | None = None,
    top_k: int = 8,
    *,
    ctx: Context,
) -> ToolResult:
    """Look words up in the knowledge graph: which column a word means, which join is right, which metrics exist.

    Use it before SQL whenever a noun could mean several tables or columns. Without arguments it gives an outline, with
    node one entry in full. Not for values: use sample_values.

    Args:
        section: List the entries of one section.
        search: The user's question word for word; phrases such as "lives in" decide, single nouns lose them.
        node: Name or id of one entry, such as disambig:default_is_b_or_d.
        top_k: How many entries a search returns, 1 to 50.
    """
    graph = ctx.dataset.knowledge
    if graph is None:
        return ToolResult(True, "There is no knowledge graph for these data. Use inspect_data for tables and columns.")
    text, found = _looked_up(graph, section, search, node, top_k, ctx.question)
    said = _segments(text, found, foreign=not ctx.dataset.knows_itself)
    return ToolResult(True, Observation.of(*said), payload=found)


def _segments(text: str, found: Any, *, foreign: bool) -> list[Segment]:
    """Return the text with what it says of each column apart: the code book of a private one tells its values."""
    if getattr(found, "id", "").startswith("column:"):
        return [Segment(text, columns=(found.label,), foreign=foreign)]
    out: list[Segment] = []
    for row in text.split("\n"):
        column = row.removeprefix("- column:").partition(":")[0] if row.startswith("- column:") else ""
        if not column and out and not out[-1].columns:
            out[-1] = Segment(f"{out[-1].text}\n{row}", foreign=foreign)
        else:
            out.append(Segment(row, columns=(column,) if column else (), foreign=foreign))
    return out


def _looked_up(
    graph: Any, section: str | None, search: str | None, node: str | None, top_k: int, question: str
) -> tuple[str, Any]:
    """Return what the graph says and the entries it says it of."""
    if node is not None:
        found = graph.node(node)  # raises UnknownNode with the nearest ids
        return full(found), found
    if search is not None:
        return _searched(graph, search, section, top_k, question)
    if section is not None:
        nodes = graph.section(section)
        return "\n".join([f"{section}: {len(nodes)} entries.", *map(line, nodes)]), nodes
    return graph.outline(), None


def _searched(graph: Any, search: str, section: str | None, top_k: int, question: str) -> tuple[str, Any]:
    wanted = {"disambigs": "disambiguations"}.get(section or "", section)

    def hits(text: str) -> list[Any]:
        return [h for h in graph.search(text, 10_000 if wanted else top_k) if not wanted or h.node.section == wanted][
            :top_k
        ]

    found, head = hits(search), f"Matches for {search!r}:"
    if (not found or found[0].score < WEAK) and question and question != search:
        # Single nouns score weakly: the whole question has the phrases that tell meanings apart.
        more = [h for h in hits(question) if h.node.id not in {f.node.id for f in found}]
        found = sorted([*found, *more], key=lambda h: (-h.score, h.node.id))[:top_k]
        head = f"Weak matches for {search!r}, broadened by the whole question:"
    if not found:
        return f"Nothing in the knowledge graph matches {search!r}. Call query_kg() for its outline.", None
    lines = [line(h.node) + (f" [matched: {', '.join(h.matched[:3])}]" if h.matched else "") for h in found]
    return "\n".join([head, *lines]), found


def line(node: Any) -> str:
    """Return an entry in one line."""
    sql = node.data.get("sql") or (node.data.get("reading") or {}).get("sql") if hasattr(node.data, "get") else None
    text = node.text + (f" SQL: {sql}" if sql and str(sql) not in node.text else "")
    return f"- {node.id}: {text}" + (INFERRED if inferred(node) else "")


def inferred(node: Any) -> bool:
    """Whether nobody has looked at an entry yet."""
    return hasattr(node.data, "get") and bool(node.data.get("inferred"))


def full(node: Any) -> str:
    """Return the whole record of an entry."""
    lines = [f"{node.id} ({node.section}): {node.text}" + (INFERRED if inferred(node) else "")]
    hidden = {"text", "triggers", "columns", *({"codes", "inferred"} if inferred(node) else ())}
    if node.triggers:
        lines.append(f"triggers: {', '.join(node.triggers)}")
    lines += [f"{k}: {v}" for k, v in node.data.items() if k not in hidden and v]
    columns = node.data.get("columns")
    if columns:
        lines.append(f"columns: {', '.join(map(str, columns))}")
    return "\n".join(lines)


def _problems(args: object) -> list[str]:
    k = getattr(args, "top_k", 8) if not isinstance(args, dict) else args.get("top_k", 8)
    return [] if 1 <= k <= 50 else [f"$.top_k: must be between 1 and 50, got {k}"]
