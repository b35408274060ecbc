"""One case's contributions: bars in HTML and in text, and a picture. No script, nothing to go blank."""

from __future__ import annotations

from html import escape
from typing import Any

from lexsi_nb.artifacts.results import Attribution

ORANGE, BLUE = "#d9771f", "#4c78a8"
MOST = 10
FLOOR = 0.05  # a contribution below this share of the largest is no reason: summed with the others
LONGEST = 10  # characters of the widest bar
LABEL = 48  # a longer label has a line of its own


def attribution_html(attribution: Attribution) -> str:
    """Return the contributions as lines with bars, largest first; what hardly counts summed in one.

    The bars are characters in a `pre`: they stay where a page drops styles, as GitHub does, a diff has a line a
    reason, and ten explanations are a third of the bytes of styled tables.
    """
    shown = bars(attribution)
    widest = max((abs(size) for _, size in shown), default=0.0) or 1.0
    width = max((len(label) for label, _ in shown if len(label) <= LABEL), default=0)
    lows = any(size < 0 for _, size in shown)
    lines = []
    for label, size in shown:
        colour = ORANGE if size > 0 else BLUE
        name = f"{label:<{width}}" if len(label) <= width else f"{label}\n{'':<{width}}"
        drawn = blocks(size, widest) if lows else blocks(size, widest).lstrip()
        bar = f"<b aria-hidden=true style=color:{colour}>{drawn}</b>"
        lines.append(f"{escape(name, quote=False)}  {size:+.2f}  {bar}")
    rows = "\n".join(lines)
    return (
        f"<pre style=margin:0;padding:0;text-align:left;font-family:monospace>{rows}</pre>"
        f"<div style=opacity:.75;font-size:85%>{escape(foot_line(attribution))}</div>"
    )


def attribution_text(attribution: Attribution) -> str:
    """Return the contributions as lines with bars of characters."""
    shown = bars(attribution)
    widest = max((abs(size) for _, size in shown), default=0.0) or 1.0
    width = max((len(label) for label, _ in shown), default=0)
    lines = []
    for label, size in shown:
        bar = ("+" if size > 0 else "-") * max(1, round(20 * abs(size) / widest))
        lines.append(f"  {label:<{width}}  {size:+.2f}  {bar}")
    lines.append(f"  {foot_line(attribution)}")
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
    """Return (feature = value, contribution), largest first; what hardly counts summed in one."""
    least = FLOOR * max((abs(r.contribution) for r in attribution.reasons), default=0.0)
    count = min(MOST, sum(abs(r.contribution) >= least for r in attribution.reasons))
    shown = [(f"{r.feature} = {r.value}", r.contribution) for r in attribution.reasons[:count]]
    rest = attribution.reasons[count:]
    if rest:
        others = f"{len(rest)} other" + ("s" if len(rest) > 1 else "")
        shown.append((others, sum(r.contribution for r in rest)))
    return shown


def foot_line(attribution: Attribution) -> str:
    total = sum(r.contribution for r in attribution.reasons)
    score = f", score {attribution.probability:.2f}" if attribution.probability is not None else ""
    sums = f"base {attribution.base:+.2f}, contributions {total:+.2f}, sum {attribution.raw_score:+.2f}"
    return f"{sums} {attribution.unit}{score}"


def blocks(contribution: float, widest: float) -> str:
    """Return a bar of block characters, half a character fine: to the left of the middle where it lowers.

    >>> blocks(1.0, 2.0), blocks(-0.3, 2.0)
    ('          █████', '       ▐██')
    """
    whole, half = divmod(max(1, round(2 * LONGEST * abs(contribution) / widest)), 2)
    if contribution > 0:
        return " " * LONGEST + "█" * whole + "▌" * half
    return ("▐" * half + "█" * whole).rjust(LONGEST)
