"""What a person is asked about: what will run, with what, on which data, at what cost, and what to type."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from lexsi_nb.egress.redaction import redact
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


def approval_text(approval: Approval, decided: str = "") -> str:
    """Return the card as text that is the same at each run; once it is decided, with what was said."""
    rows = approval_rows(approval)
    if decided:
        width = max(len(heading) for heading, _ in rows)
        return "\n".join([decided, *(f"  {heading:<{width}}  {words}" for heading, words in rows)])
    width = max(len(heading) for heading, _ in [*rows, *commands(approval)])
    lines = [f"Approval {approval.id} is needed. Nothing has run."]
    lines += [f"  {heading:<{width}}  {words}" for heading, words in rows]
    lines += [f"  {what:<{width}}  {line}" for what, line in commands(approval)]
    return "\n".join(lines)


def approval_html(approval: Approval, decided: str = "") -> str:
    """Return the card as HTML without scripts; once it is decided, with what was said."""
    body = "".join(
        f'<tr><th style="{_CELL};font-weight:600">{escape(h)}</th><td style="{_CELL}">{escape(w)}</td></tr>'
        for h, w in approval_rows(approval)
    )
    typed = "".join(
        f'<tr><th style="{_CELL};font-weight:400">{escape(what)}</th>'
        f'<td style="{_CELL}"><code>{escape(line)}</code></td></tr>'
        for what, line in commands(approval)
    )
    head = f"<b>{escape(decided)}</b>" if decided else "<b>Approval needed.</b> Nothing has run."
    foot = "" if decided else f'<table style="border-collapse:collapse;font-size:90%">{typed}</table>'
    return (
        f'<div class="lexsi-approval" style="{_BOX}">{head}'
        f'<table style="border-collapse:collapse;margin:.4em 0">{body}</table>{foot}</div>'
    )


def approval_bundle(approval: Approval, decided: str = "") -> dict[str, Any]:
    """Return the card for a cell's output."""
    return {"text/html": approval_html(approval, decided), "text/plain": approval_text(approval, decided)}


def _shown(value: Any) -> str:
    text = redact(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]} [cut: {len(text):,} characters]"
