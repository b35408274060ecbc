"""The question of a cell: options first, then words on the line, in the body, or both."""

from __future__ import annotations

import re

from lexsi_nb.errors import LexsiError, nearest

# Option -> whether a value follows it.
OPTIONS: dict[str, bool] = {
    "--data": True, "--frames": True, "--planner": True, "--max-steps": True, "--dry-run": False, "--into": True,
    "--cells": True, "--seed": True, "--approve": True, "--again": False, "--model-type": True,
    "--recording": True, "--replay": True, "--ask": False, "--params": True, "--budget": True,
}  # fmt: skip
_TOKEN = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|\S)+)""")


class BadOption(LexsiError):
    """An option of `%%lexsi` that is not there or lacks its value."""


def pad_empty_body(lines: list[str]) -> list[str]:
    """Return the cell with a body: IPython refuses a cell magic whose body is empty."""
    if len(lines) == 1 and re.match(r"%%lexsi(\s|$)", lines[0]):
        return [lines[0] if lines[0].endswith("\n") else lines[0] + "\n", "\n"]
    return lines


def split(line: str) -> tuple[str, str]:
    """Return (options, question) of the magic's line. What follows the options is left as it was typed.

    Raises:
        BadOption: an unknown option, or one without its value; names the nearest.
    """
    at = 0
    while found := _TOKEN.match(line, at):
        token = found.group(1)
        if not token.startswith("--") or token == "--":
            if token == "--":
                at = found.end()
            break
        name, equals, _ = token.partition("=")
        if name not in OPTIONS:
            near = nearest(name, OPTIONS) or list(OPTIONS)
            raise BadOption(
                f"No option {name!r}.", f"Nearest: {', '.join(near)}.", "A question that starts so goes after --."
            )
        at = found.end()
        if OPTIONS[name] and not equals:
            value = _TOKEN.match(line, at)
            if value is None:
                raise BadOption(f"{name} needs a value.", "", f"Write {name} VALUE, then the question.")
            at = value.end()
    options = re.sub(r"(^|\s)--\s*$", "", line[:at])
    return options.strip(), line[at:].strip()


def question_of(line: str, cell: str | None) -> str:
    """Return the question from what stands on the line and in the body."""
    return "\n".join(part for part in (line.strip(), (cell or "").strip()) if part)
