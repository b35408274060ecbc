"""Words, under a title where they have one."""

from __future__ import annotations

from html import escape

from lexsi_nb.artifacts.results import Text


def text_html(text: Text) -> str:
    """Return the words as paragraphs."""
    title = f"<div><b>{escape(text.title)}</b></div>" if text.title else ""
    parts = (p for p in text.text.split("\n\n") if p.strip())
    return title + "".join(
        f'<p style="margin:.4em 0;max-width:62em;white-space:pre-line">{escape(p)}</p>' for p in parts
    )


def text_text(text: Text) -> str:
    """Return the words, the title above them."""
    return f"{text.title}\n{text.text}" if text.title else text.text
