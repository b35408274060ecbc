"""A code cell as it can be read and copied."""

from __future__ import annotations

from html import escape

from lexsi_nb.artifacts.cells import CodeCell

_SOURCE = "margin:0;padding:.4em;border-left:3px solid #8886;overflow-x:auto;font-family:monospace"


def code_cell_html(cell: CodeCell) -> str:
    """Return the source under its title. Quotation marks stay as they are: in text they need no escape."""
    title = f"<div style=margin-top:.6em;opacity:.75>{escape(cell.title)}</div>" if cell.title else ""
    return f'{title}<pre style="{_SOURCE}">{escape(cell.source, quote=False)}</pre>'


def code_cell_text(cell: CodeCell) -> str:
    """Return the source, its title as a comment."""
    title = f"# {cell.title}\n" if cell.title else ""
    return f"{title}{cell.source.rstrip()}"
