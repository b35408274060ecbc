"""What a person is asked about: what will run, with what, on which data, at what cost, and what to type."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from lexsi_nb.app.run import RunStopped
from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import LexsiError
from lexsi_nb.store.parked import AlreadySettled
from lexsi_nb.toolkit.redaction import masked

if TYPE_CHECKING:
    from lexsi_nb.artifacts.results import Approval

_CELL = "padding:2px 12px 2px 0;vertical-align:top;text-align:left"
_BOX = "border:1px solid rgba(128,128,128,.6);border-radius:4px;padding:8px 12px;max-width:62em;line-height:1.4"
_MOST_CHARS = 2_000


def approval_rows(approval: Approval) -> list[tuple[str, str]]:
    """Return what is asked as (heading, words), in the order to read it."""
    rows = [("runs", f"{approval.tool}: {approval.what}" if approval.what else approval.tool)]
    rows += [(f"argument {name}", _shown(value)) for name, value in masked(approval.args).items()]
    rows += list(approval.effect)
    known = {heading for heading, _ in approval.effect}
    if "goes to" not in known:
        rows.append(("goes to", "the tool does not say"))
    if "cost" not in known:
        rows.append(("cost", "none stated"))
    if approval.why:
        rows.append(("asked because", approval.why))
    return rows


def commands(approval: Approval) -> list[tuple[str, str]]:
    """Return what to type, as (what it does, the line)."""
    edited = json.dumps(masked(approval.args), ensure_ascii=False, default=str)
    return [
        ("run it", f"%lexsi approve {approval.id}"),
        ("do not", f"%lexsi decline {approval.id} reason"),
        ("change it first", f"%lexsi edit {approval.id} {redact(edited)}"),
    ]


def approval_text(approval: Approval) -> str:
    """Return the card as text that is the same at each run."""
    rows = approval_rows(approval)
    width = max(len(heading) for heading, _ in [*rows, *commands(approval)])
    lines = [f"Approval {approval.id} is needed. Nothing has run."]
    lines += [f"  {heading:<{width}}  {words}" for heading, words in rows]
    lines += [f"  {what:<{width}}  {line}" for what, line in commands(approval)]
    return "\n".join(lines)


def approval_html(approval: Approval) -> str:
    """Return the card as HTML without scripts."""
    body = "".join(
        f'<tr><th style="{_CELL};font-weight:600">{escape(h)}</th><td style="{_CELL}">{escape(w)}</td></tr>'
        for h, w in approval_rows(approval)
    )
    typed = "".join(
        f'<tr><th style="{_CELL};font-weight:400">{escape(what)}</th>'
        f'<td style="{_CELL}"><code>{escape(line)}</code></td></tr>'
        for what, line in commands(approval)
    )
    return (
        f'<div class="lexsi-approval" style="{_BOX}"><b>Approval needed.</b> Nothing has run.'
        f'<table style="border-collapse:collapse;margin:.4em 0">{body}</table>'
        f'<table style="border-collapse:collapse;font-size:90%">{typed}</table></div>'
    )


def approval_bundle(approval: Approval) -> dict[str, Any]:
    """Return the card for a cell's output."""
    return {"text/html": approval_html(approval), "text/plain": approval_text(approval)}


def buttons(approval: Approval, answer: Callable[..., Any]) -> Any:
    """Return a widget with Approve, Decline and Change, None where ipywidgets is not installed.

    A click calls `answer(approve=True)`, `answer(decline=reason)` or `answer(args=...)` inside the widget's output;
    the first click counts and takes the buttons away. What stopped the answer is said, and where the run waits on,
    the buttons come back.
    """
    try:
        import ipywidgets as w
    except ImportError:
        return None
    reason = w.Text(placeholder="reason, when declining", layout=w.Layout(width="20em"))
    text = w.Textarea(value=json.dumps(masked(approval.args), indent=2, ensure_ascii=False, default=str), rows=4)
    text.layout.width = "40em"
    yes = w.Button(description="Approve", button_style="success", tooltip=f"Run {approval.tool} as shown")
    no = w.Button(description="Decline", button_style="warning", tooltip="Do not run it; the planner is told")
    change = w.Button(description="Change", tooltip="Ask again with the arguments below")
    said = w.Label()
    out = w.Output()
    controls = [yes, no, change, reason, text]

    def act(**what: Any) -> None:
        if yes.disabled:
            return
        for control in controls:
            control.disabled = True
        said.value, problem, settled = "Working.", "", True
        with out:
            try:
                answer(**what)
            except LexsiError as error:
                # RunStopped: the answer was taken, and the run ended without a result.
                problem, settled = str(error), isinstance(error, AlreadySettled | RunStopped)
        said.value = problem
        for control in controls:
            control.disabled = settled

    def edited(_: Any) -> None:
        try:
            args = json.loads(text.value)
        except ValueError as error:
            said.value = f"The arguments are no JSON: {error}"
            return
        if not isinstance(args, dict):
            said.value = "The arguments are no JSON object."
            return
        act(args=args)

    yes.on_click(lambda _: act(approve=True))
    no.on_click(lambda _: act(decline=reason.value))
    change.on_click(edited)
    folded = w.Accordion([w.VBox([text, change])], titles=("Change arguments",))
    return w.VBox([w.HBox([yes, no, reason]), folded, said, out])


def _shown(value: Any) -> str:
    text = redact(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]} [cut: {len(text):,} characters]"
