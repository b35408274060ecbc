"""Completion in `%%lexsi` cells and `%lexsi` lines: options and their values, tables, columns, variables, commands.

It is a matcher of IPython's own completer, so it works in every frontend that completes at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lexsi_nb.magics.body import OPTIONS

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult

    from lexsi_nb.magics.lexsi import LexsiMagics

_CELL = re.compile(r"\s*%%lexsi(?=\s|$)")
_COMMAND = re.compile(r"\s*%lexsi\s+(\S*)$")
_GIVEN = re.compile(r"\s*%lexsi\s+(whatif|shap|controls)\s+(.*?)\S*$")
_OPTION = re.compile(r"(--[\w-]+)[ =]+\S*$")


def register(magics: LexsiMagics) -> None:
    """Complete for these magics from now on."""
    completer = getattr(magics.shell, "Completer", None)
    if completer is None:
        return
    from IPython.core.completer import context_matcher

    def match(context: CompletionContext) -> SimpleMatcherResult:
        return matches(magics, context)

    undecorated: Any = match  # IPython's type of the decorator knows only matchers of its first version
    magics.matcher = context_matcher(identifier="lexsi_nb")(undecorated)
    completer.custom_matchers.append(magics.matcher)


def unregister(magics: LexsiMagics) -> None:
    """Complete no longer."""
    completer = getattr(magics.shell, "Completer", None)
    if completer is not None and magics.matcher in completer.custom_matchers:
        completer.custom_matchers.remove(magics.matcher)


def matches(magics: LexsiMagics, context: CompletionContext) -> SimpleMatcherResult:
    """Return what continues the word at the cursor; in a question Python's own names are kept out."""
    from IPython.core.completer import SimpleCompletion

    line = context.line_with_cursor[: context.cursor_position]
    word = context.token
    if _CELL.match(context.full_text):
        found = _in_cell(magics, line, word, first=context.cursor_line == 0)
    elif _COMMAND.match(line):
        from lexsi_nb.magics.commands import COMMANDS

        found = [(name, "command") for name in COMMANDS]
    elif given := _GIVEN.match(line):
        found = list(_to_give(magics, given[1], given[2].split()))
    else:
        return {"completions": [], "suppress": False}
    start = word.casefold()
    completions = [SimpleCompletion(name, type=kind) for name, kind in found if name.casefold().startswith(start)]
    return {"completions": completions, "suppress": True, "ordered": True}


def _in_cell(magics: LexsiMagics, line: str, word: str, *, first: bool) -> list[tuple[str, str]]:
    if first and word.startswith("-"):
        return [(name, "option") for name in OPTIONS]
    option = _OPTION.search(line) if first else None
    if option is not None and OPTIONS.get(option.group(1)):
        return [(value, "value") for value in _values(magics, option.group(1))]
    return _names(magics)


def _to_give(magics: LexsiMagics, command: str, before: list[str]) -> Iterable[tuple[str, str]]:
    """Return what a command may be given, after the words `before`: pictures, or NAME= of features and parameters."""
    from lexsi_nb.app.controls import has_parameters

    session = magics.session if magics.asked else None
    names: Iterable[str] = ()
    if command == "shap":
        from lexsi_nb.magics.whatif import CHOSEN, PLOTS

        if not before:
            return [(plot, "picture") for plot in PLOTS]
        names = CHOSEN
    elif command == "controls" and session is not None and has_parameters(session):
        names = session.controls().values
    elif command == "whatif" and before and session is not None:
        trained = getattr(session.explainer, "trained", None)  # one that has to be made again is not, for a Tab
        names = (str(f) for f in trained.features) if trained is not None else ()
    return [(f"{name}=", "value") for name in names if " " not in name]


def _values(magics: LexsiMagics, option: str) -> Iterable[str]:
    if option == "--data":
        return ["bank", *_frames(magics)]
    if option == "--frames":
        return _frames(magics)
    if option == "--params":
        return [name for name, value in magics.namespace.items() if not name.startswith("_") and _is_plain(value)]
    return VALUES.get(option, ())


VALUES: dict[str, tuple[str, ...]] = {
    "--planner": ("auto", "embedded"),
    "--cells": ("show", "insert", "none"),
    "--replay": ("auto", "only", "off"),
    "--model-type": ("LightGBM", "XGBoost"),
}


def _names(magics: LexsiMagics) -> list[tuple[str, str]]:
    """Return tables, columns and variables, each once, in that order."""
    tables = magics.session.binding.names() if magics.asked else {}
    frames = _frames(magics)
    kinds: dict[str, str] = {}
    for name in tables:
        kinds.setdefault(name, "table")
    for columns in (*tables.values(), *frames.values()):
        for column in columns:
            kinds.setdefault(column, "column")
    for name in frames:
        kinds.setdefault(name, "variable")
    return list(kinds.items())


def _frames(magics: LexsiMagics) -> dict[str, list[str]]:
    """Return the DataFrames of the kernel with their columns."""
    from lexsi_nb.kernel.frames import frames_of

    return {name: [str(c) for c in _columns(frame)] for name, frame in frames_of(magics.namespace).items()}


def _columns(frame: Any) -> Iterable[Any]:
    return getattr(frame, "column_names", None) or list(getattr(frame, "columns", ()))


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool))
