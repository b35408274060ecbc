"""A question back to the user, with its readings and the cell that asks each."""

from __future__ import annotations

from html import escape

from lexsi_nb.artifacts.results import Choice, Option

NAMED = "Ask again and name the one that is meant."  # where no reading can be asked by its number


def choice_html(choice: Choice, taken: int = 0, said: str = "", cell_options: str = "") -> str:
    """Return the question and its readings as HTML; with the number of the reading that was taken, what came of it.

    cell_options: those of the cell that asked, which a cell for one of the readings has too.
    """
    if taken:
        options = "".join(f"<li>{_marked(o, n == taken)}</li>" for n, o in enumerate(choice.options, 1))
        foot = f'<p style="margin:.4em 0;max-width:62em">{escape(said)}</p>'
        return f'<p style="margin:.4em 0;max-width:62em">{escape(choice.question)}</p><ol>{options}</ol>{foot}'
    options = "".join(
        f"<li>{escape(_said(o))}"
        + (f"<br><code>%%lexsi{escape(cell_options)} {escape(o.question)}</code>" if o.question else "")
        + "</li>"
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


def choice_text(choice: Choice, taken: int = 0, said: str = "") -> str:
    """Return the question and its readings as lines; with the number of the reading that was taken, what came of it."""
    if taken:
        readings = [f"{'->' if n == taken else '  '}({n}) {_said(o)}" for n, o in enumerate(choice.options, 1)]
        return "\n".join([choice.question, *readings, said])
    lines = [choice.question]
    for number, option in enumerate(choice.options, 1):
        lines.append(f"  ({number}) {_said(option)}" + (f"\n      ask: {option.question}" if option.question else ""))
    typed = [f"  {line}   {what}" for what, line in typed_lines(choice)]
    lines += typed or ([NAMED] if choice.options else [])
    return "\n".join(lines)


def _said(option: Option) -> str:
    return f"{option.text}: {option.number}" if option.number else option.text


def _marked(option: Option, taken: bool) -> str:
    words = escape(_said(option))
    return f"<b>{words}</b> (taken)" if taken else words
