"""The variables that runs made, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

HEADS = ("name", "what", "made by", "from", "state")


def listing_text(rows: Sequence[Any]) -> str:
    """Return a line a variable, aligned."""
    if not rows:
        return "No variable was made yet."
    table = [HEADS, *(_cells(r) for r in rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(HEADS))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in table)


def listing_html(rows: Sequence[Any]) -> str:
    """Return the variables as an HTML table."""
    if not rows:
        return "<div>No variable was made yet.</div>"
    head = "".join(f'<th style="text-align:left;padding-right:12px">{h}</th>' for h in HEADS)
    body = "\n".join(
        "<tr>"
        + "".join(f'<td style="text-align:left;padding-right:12px">{escape(c)}</td>' for c in _cells(r))
        + "</tr>"
        for r in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Any) -> tuple[str, str, str, str, str]:
    step = f"run {row.run_id}" + (f" step {row.step}" if row.step else "") + (f", {row.tool}" if row.tool else "")
    return row.name, row.what, step, ", ".join(row.parents), row.text


def tools_text(specs: Sequence[Any], scopes: frozenset[str]) -> str:
    """Return a line a tool: name, what it does, and what stands in its way."""
    if not specs:
        return "There is no tool."
    width = max(len(s.name) for s in specs)
    lines = []
    for s in specs:
        most = "at most " if s.acts else ""  # what it does depends on the call
        marks = [] if s.side_effect == "none" else [f"{most}{s.side_effect}"]
        if s.side_effect == "irreversible" or s.needs_approval:
            marks.append("asks")
        if missing := sorted(s.scopes - scopes):
            marks.append(f"not permitted: {', '.join(missing)}")
        first = s.description.strip().splitlines()[0]
        lines.append(f"{s.name:<{width}}  {first}" + (f" [{', '.join(marks)}]" if marks else ""))
    return "\n".join(lines)
