"""What is folded on a page and whole on paper."""

from __future__ import annotations

FOLD = "lexsi-fold"  # the class of what print unfolds
# Known to Chromium from 131, Safari from 18.4 and Firefox from 143. The button of a fold is of no use on paper.
PRINTED = (
    f"<style>@media print{{.{FOLD}::details-content{{content-visibility:visible;display:block}}"
    f".{FOLD}>summary[role=button]{{display:none}}}}</style>"
)


def fold(summary: str, body: str, *, style: str = "", summary_attributes: str = "") -> str:
    """Return HTML that is unfolded by a click, and by print on a page that has `PRINTED`."""
    look = f' style="{style}"' if style else ""
    return f"<details class={FOLD}{look}><summary{summary_attributes}>{summary}</summary>{body}</details>"
