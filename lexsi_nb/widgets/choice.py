"""A question back to the user, with its readings and the cell that asks each."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from lexsi_nb.artifacts.results import Choice, Option

NAMED = "Ask again and name the one that is meant."  # where no reading can be asked by its number


def choice_html(choice: Choice) -> str:
    """Return the question and its readings as HTML."""
    options = "".join(
        f"<li>{escape(_said(o))}" + (f"<br><code>%%lexsi {escape(o.question)}</code>" if o.question else "") + "</li>"
        for o in choice.options
    )
    typed = "".join(f"<code>{escape(line)}</code> {escape(what)} " for what, line in typed_lines(choice))
    foot = f'<p style="margin:.4em 0;font-size:90%">{typed or NAMED}</p>' if choice.options else ""
    return f'<p style="margin:.4em 0;max-width:62em">{escape(choice.question)}</p><ol>{options}</ol>{foot}'


def typed_lines(choice: Choice) -> list[tuple[str, str]]:
    """Return what to type to choose, and to keep the choice, as (what it does, the line)."""
    first = next((i for i, o in enumerate(choice.options, 1) if o.question), 0)
    lines = [("takes that reading", f"%lexsi choose {first}")] if first else []
    keeps = next((i for i, o in enumerate(choice.options, 1) if o.means), 0)
    return [*lines, *([("takes and keeps it", f"%lexsi choose {keeps} keep")] if keeps else [])]


def choice_buttons(choice: Choice, choose: Callable[..., Any]) -> Any:
    """Return a widget with a button a reading and a box to keep the choice; None where ipywidgets is not installed.

    A click calls `choose(number, keep=...)` inside the widget's output; the first click counts.
    """
    askable = [(i, o) for i, o in enumerate(choice.options, 1) if o.question]
    try:
        import ipywidgets as w
    except ImportError:
        return None
    if not askable:
        return None
    keep = w.Checkbox(value=False, description="keep this meaning", indent=False)
    keep.disabled = not any(o.means for _, o in askable)
    layout = w.Layout(width="auto")
    buttons = [w.Button(description=_said(o), tooltip=o.question, layout=layout) for _, o in askable]
    out = w.Output()

    def act(number: int) -> None:
        if buttons[0].disabled:
            return
        for control in (*buttons, keep):
            control.disabled = True
        with out:
            choose(number, keep=keep.value and bool(choice.options[number - 1].means))

    for button, (number, _) in zip(buttons, askable, strict=True):
        button.on_click(lambda _, number=number: act(number))
    return w.VBox([*buttons, keep, out])


def choice_text(choice: Choice) -> str:
    """Return the question and its readings as lines."""
    lines = [choice.question]
    for number, option in enumerate(choice.options, 1):
        lines.append(f"  ({number}) {_said(option)}" + (f"\n      ask: {option.question}" if option.question else ""))
    typed = [f"  {line}   {what}" for what, line in typed_lines(choice)]
    lines += typed or ([NAMED] if choice.options else [])
    return "\n".join(lines)


def _said(option: Option) -> str:
    return f"{option.text}: {option.number}" if option.number else option.text
