"""One case's contributions: bars in HTML and in text, and a picture. No script, nothing to go blank."""

from __future__ import annotations

from html import escape
from typing import Any

from lexsi_nb.artifacts.results import Attribution

ORANGE, BLUE = "#e4842a", "#4c78a8"
MOST = 10
LONGEST = 12  # characters of the widest bar


def attribution_html(attribution: Attribution) -> str:
    """Return the contributions as a table with bars, largest first; the rest summed in one row."""
    widest = max((abs(r.contribution) for r in attribution.reasons), default=0.0) or 1.0
    rows = [_row(*bar, widest) for bar in bars(attribution)]
    return (
        f'<table style="border-collapse:collapse;font-size:90%;line-height:1.1"><tbody>{"".join(rows)}</tbody></table>'
        f'<div style="opacity:.75;font-size:85%">{escape(_foot(attribution))}</div>'
    )


def attribution_text(attribution: Attribution) -> str:
    """Return the contributions as lines with bars of characters."""
    widest = max((abs(r.contribution) for r in attribution.reasons), default=0.0) or 1.0
    shown = bars(attribution)
    width = max((len(label) for label, _ in shown), default=0)
    lines = []
    for at, (label, size) in enumerate(shown):
        bar = ("+" if size > 0 else "-") * max(1, round(20 * abs(size) / widest)) if at < MOST else ""
        lines.append(f"  {label:<{width}}  {size:+.2f}  {bar}".rstrip())
    lines.append(f"  {_foot(attribution)}")
    return "\n".join(lines)


def attribution_spec(attribution: Attribution) -> dict[str, Any]:
    """Return the contributions as a Vega-Lite spec, for a picture of them."""
    values = [{"feature": label, "contribution": size} for label, size in bars(attribution)]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": title(attribution) + (" (SYNTHETIC data)" if attribution.synthetic else ""),
        "width": 420,
        "data": {"values": values},
        "mark": {"type": "bar"},
        "encoding": {
            "x": {"field": "contribution", "type": "quantitative", "title": f"contribution ({attribution.unit})"},
            "y": {"field": "feature", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 320}},
            "color": {"condition": {"test": "datum.contribution > 0", "value": ORANGE}, "value": BLUE},
        },
    }


def title(attribution: Attribution) -> str:
    """Return the heading, such as `What moved the score of loan_id 5314`."""
    return f"What moved the score of {f'{attribution.entity} ' if attribution.entity else ''}{attribution.case}"


def bars(attribution: Attribution) -> list[tuple[str, float]]:
    """Return (feature = value, contribution), largest first; the rest summed in one."""
    shown = [(f"{r.feature} = {r.value}", r.contribution) for r in attribution.reasons[:MOST]]
    rest = attribution.reasons[MOST:]
    if rest:
        others = f"{len(rest)} other" + ("s" if len(rest) > 1 else "")
        shown.append((others, sum(r.contribution for r in rest)))
    return shown


def _foot(attribution: Attribution) -> str:
    total = sum(r.contribution for r in attribution.reasons)
    score = f", score {attribution.probability:.2f}" if attribution.probability is not None else ""
    sums = f"base {attribution.base:+.2f}, contributions {total:+.2f}, sum {attribution.raw_score:+.2f}"
    return f"{sums} {attribution.unit}{score}"


def _row(label: str, contribution: float, widest: float) -> str:
    colour = ORANGE if contribution > 0 else BLUE
    # Pulled together, as some fonts leave a seam between blocks.
    bar = f'<td style="padding:0;letter-spacing:-1px;color:{colour};text-align:{{}}">{blocks(contribution, widest)}</td>'
    halves = f"<td></td>{bar.format('left')}" if contribution > 0 else bar.format("right")
    return (
        f'<tr><td style="text-align:left;padding:1px 9px 1px 0">{escape(label)}</td>'
        f'<td style="padding:1px 8px">{contribution:+.2f}</td>{halves}</tr>'
    )


def blocks(contribution: float, widest: float) -> str:
    """Return a bar of block characters, half a character fine.

    Characters stay where a page drops styles, as GitHub does, and are a third of the bytes of a styled box.

    >>> blocks(1.0, 2.0), blocks(-0.3, 2.0)
    ('██████', '▐█')
    """
    whole, half = divmod(max(1, round(2 * LONGEST * abs(contribution) / widest)), 2)
    return "█" * whole + "▌" * half if contribution > 0 else "▐" * half + "█" * whole
