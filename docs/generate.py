"""Writes docs/tools.md from the tools themselves. Run: python docs/generate.py (a test says when it is stale)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("tools.md")
HEAD = """# The tools

Written by `python docs/generate.py` from the tools' own declarations. A planner reads the same descriptions. Results
come back in two channels: what a planner reads (short, in classified segments) and the payload, which stays in the
kernel. A label such as `context_df` is a variable of the kernel, a SQL view and a name for other tools at once.
"""


def page() -> str:
    """Return the whole page."""
    from lexsi_nb.toolkit.registry import Registry
    from lexsi_nb.tools.catalogue import built_in

    registry = Registry(built_in())
    return "\n".join([HEAD, *(_tool(registry.tool(name)) for name in registry.names)])


def _tool(tool: Any) -> str:
    spec = tool.spec
    schema = tool.schema.json_schema
    required = set(schema.get("required", ()))
    lines = [f"## `{spec.name}`", "", spec.description.strip(), ""]
    if schema.get("properties"):
        lines += ["| argument | type | default | meaning |", "|---|---|---|---|"]
        for name, field in schema["properties"].items():
            default = "required" if name in required else f"`{field.get('default')}`"
            lines.append(f"| `{name}` | {_type(field)} | {default} | {field.get('description', '')} |")
        lines.append("")
    facts = [f"Returns: {spec.returns}"] if spec.returns else []
    most = ", at most: it depends on the call" if spec.acts else ""
    facts.append(f"Scopes: {', '.join(sorted(spec.scopes)) or 'none'}. Side effect: {spec.side_effect}{most}.")
    if spec.requires:
        facts.append(f"Reads: {', '.join(f'`{k}`' for k in spec.requires)}.")
    if spec.produces:
        facts.append(f"Writes: {', '.join(f'`{k}`' for k in spec.produces)}.")
    return "\n".join([*lines, *(f"- {fact}" for fact in facts), ""])


def _type(field: dict[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{v}`" for v in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type(f) for f in field["anyOf"] if f.get("type") != "null")
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    return str(field.get("type", "any"))


if __name__ == "__main__":
    PAGE.write_text(page())
