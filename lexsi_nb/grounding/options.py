"""What the readings of an open question are: each with a question that asks for it and, where cheap, its number."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexsi_nb.grounding.reading import Choice, Reading


@dataclass(frozen=True)
class OpenOption:
    """One way to read an open question."""

    text: str
    question: str = ""
    number: str = ""


def options(choice: Choice, question: str, read: Callable[[str], Any], engine: Any) -> tuple[OpenOption, ...]:
    """Return the options of a choice. An option whose question does not read to one thing has no question."""
    found = []
    for option in choice.options:
        asked, reading = _asked(choice, option, question, read)
        found.append(
            OpenOption(reading.text if reading else option, asked, _number(reading, engine) if reading else "")
        )
    return tuple(found)


def _asked(choice: Choice, option: str, question: str, read: Callable[[str], Any]) -> tuple[str, Reading | None]:
    said = option.replace(".", " ")
    text = question.rstrip(" ?.")
    tries = [f"{text} by {said}"]
    if choice.words and re.search(rf"\b{re.escape(choice.words)}\b", text):
        for new in (said, f"{choice.words} {said}"):
            tries.insert(0, re.sub(rf"\b{re.escape(choice.words)}\b", lambda _, new=new: new, text, count=1))
    for asked in tries:
        reading = read(asked)
        if (
            isinstance(reading, Reading)
            and reading.sql
            and (option.split(".")[-1] in reading.text or option in reading.tables)
        ):
            return asked, reading
    return "", None


def _number(reading: Reading, engine: Any) -> str:
    if reading.kind not in ("count", "aggregate"):
        return ""
    frame = engine.query(reading.sql)
    if frame.shape != (1, 1):
        return ""
    value = frame.iloc[0, 0]
    if value is None or value != value:
        return "missing"
    number = float(value) if hasattr(value, "__float__") else None
    if number is None:
        return str(value)
    return f"{number:,.0f}" if number.is_integer() else f"{number:,.6g}"
