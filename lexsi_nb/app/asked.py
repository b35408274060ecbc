"""What `session.ask` takes beside the question, and what the settings of models may be."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

from lexsi_nb.errors import BadData, UnknownName, nearest

# Of one run; what holds for all of them is an argument of the session.
OPTIONS = (
    "max_steps", "dry_run", "approve", "dataset", "again", "budget", "recording", "replay", "anew", "params", "cell",
)  # fmt: skip
OF_SESSION = (
    "planner", "backend", "policy", "scopes", "namespace", "seed", "model_type", "model", "variables", "sql_seconds",
    "sql_memory", "sql_rows", "recordings", "record", "tracer", "limits", "context_tokens",
)  # fmt: skip


class UnknownAskOption(UnknownName):
    """`session.ask` does not take an argument of that name."""

    kind = "argument"


def must_be_asked(question: Any, options: Mapping[str, Any]) -> None:
    """Return nothing where a question can be asked so.

    Raises:
        BadData: the question is no text.
        UnknownAskOption: an argument that `ask` does not take; says what it takes.
    """
    if not isinstance(question, str):
        what = type(question).__name__
        raise BadData(f"A question is text and not {what}.", "", 'Write: session.ask("how many orders are there?")')
    for name in options:
        if name in OPTIONS:
            continue
        if name in OF_SESSION:
            next = f"It holds for a session: lx.Session(..., {name}=...)."
        else:
            next = ""
        near = nearest(name, OPTIONS)
        why = f"Nearest: {', '.join(near)}." if near and not next else f"It takes on_event, {', '.join(OPTIONS)}."
        raise UnknownAskOption(f"session.ask has no argument {name!r}.", why, next)


def must_be_set(seed: Any, model_type: str | None, *, said: tuple[str, str] = ("seed", "model_type")) -> None:
    """Return nothing where models can be made so; None is what was not named. said: what the two are called.

    Raises:
        BadData: the seed is no whole number from 0, or there is no such library of trees; says which there are.
    """
    from lexsi_nb.modeling.libraries.library import MODEL_TYPES

    whole = isinstance(seed, Integral) and not isinstance(seed, bool)
    if seed is not None and not (whole and 0 <= int(seed) < 2**31):
        raise BadData(
            f"{said[0]} is {seed!r}.", "It is a whole number from 0 to 2147483647.", f"Leave {said[0]} out for 0."
        )
    if model_type is not None and str(model_type).strip().casefold() not in {m.casefold() for m in MODEL_TYPES}:
        raise BadData(
            f"{said[1]} is {model_type!r}.",
            f"There is: {', '.join(MODEL_TYPES)}.",
            f'Leave {said[1]} out for "{MODEL_TYPES[0]}".',
        )
