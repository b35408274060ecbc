"""A question back to the user, with its readings and the cell that asks each."""

from __future__ import annotations

from html import escape

from lexsi_nb.artifacts.results import Choice, Option


def choice_html(choice: Choice) -> str:
    """Return the question and its readings as HTML."""
    options = "".join(
        f"<li>{escape(_said(o))}" + (f"<br><code>%%lexsi {escape(o.question)}</code>" if o.question else "") + "</li>"
        for o in choice.options
    )
    return f'<p style="margin:.4em 0;max-width:62em">{escape(choice.question)}</p><ul>{options}</ul>'


def choice_text(choice: Choice) -> str:
    """Return the question and its readings as lines."""
    lines = [choice.question]
    for option in choice.options:
        lines.append(f"  {_said(option)}" + (f"\n      ask: {option.question}" if option.question else ""))
    return "\n".join(lines)


def _said(option: Option) -> str:
    return f"{option.text}: {option.number}" if option.number else option.text
