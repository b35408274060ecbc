"""What a model learned from and how good it is, as a small table."""

from __future__ import annotations

from html import escape

from lexsi_nb.artifacts.results import ModelCard

_CELL = "padding:2px 12px 2px 0;vertical-align:top;text-align:left"


def model_card_html(card: ModelCard) -> str:
    """Return the card as HTML."""
    rows = "\n".join(
        f'<tr><th style="{_CELL};font-weight:400;opacity:.7;white-space:nowrap">{escape(n)}</th>'
        f'<td style="{_CELL};max-width:50em">{escape(v)}</td></tr>'
        for n, v in _lines(card)
    )
    return (
        f"<div><b>{escape(card.model_id)}</b>: {escape(card.headline)}</div>"
        f'<table style="border-collapse:collapse;font-size:95%"><tbody>{rows}</tbody></table>'
    )


def model_card_text(card: ModelCard) -> str:
    """Return the card as lines."""
    lines = _lines(card)
    width = max((len(n) for n, _ in lines), default=0)
    return "\n".join([f"{card.model_id}: {card.headline}", *(f"  {n:<{width}}  {v}" for n, v in lines)])


def _lines(card: ModelCard) -> list[tuple[str, str]]:
    return [*card.facts, *(("warning", w) for w in card.warnings)]
