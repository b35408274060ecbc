"""One case's contributions: bars in HTML and in text, and a picture. No script, nothing to go blank."""

from __future__ import annotations

from html import escape
from typing import Any

from lexsi_nb.artifacts.results import Attribution

ORANGE, BLUE = "#d9771f", "#5083b8"
MOST = 6  # features by name, here as in the charts; the others are summed
LONGEST = 12  # characters of the widest bar
PRE = "background:none;font-family:monospace;letter-spacing:-.5px"
NEXT = "\n"
AXIS = "\u2502"
EIGHTHS = "\u258f\u258e\u258d\u258c\u258b\u258a\u2589"  # blocks of one to seven eighths of a character
LABEL = 48  # a longer label has a line of its own


def attribution_html(attribution: Attribution, *, place: str = "margin:0") -> str:
    """Return the contributions as lines with bars from a zero axis, largest first; those of the smaller ones as one.

    The bars are characters in a `pre`, closer than usual so that they are one surface: they stay where a page drops
    styles, as GitHub does, a diff has a line a reason, and ten explanations are a third of the bytes of styled tables.
    """
    shown = bars(attribution)
    widest = max((abs(size) for _, size in shown), default=0.0) or 1.0
    width = max((len(label) for label, _ in shown if len(label) <= LABEL), default=0)
    lows = any(size < 0 for _, size in shown)
    lines = []
    for label, size in shown:
        colour = ORANGE if size > 0 else BLUE
        name = f"{label:<{width}}" if len(label) <= width else f"{label}\n{'':<{width}}"
        drawn = f"<b aria-hidden=true style=color:{colour}>{blocks(size, widest)}</b>"
        if size > 0:
            drawn = f"{' ' * LONGEST * lows}{AXIS}{drawn}"
        else:
            drawn += AXIS
        lines.append(f"{escape(name, quote=False)}  {size:+.2f}  {drawn}")
    lines.append(escape(foot_line(attribution, apart="\n"), quote=False))
    return f'<pre style="{place};{PRE}">{NEXT.join(lines)}</pre>'


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
    """Return (feature = value, contribution), largest first; those beyond the 6 largest summed in one."""
    shown = [(f"{r.feature} = {r.value}", r.contribution) for r in attribution.reasons[:MOST]]
    rest = attribution.reasons[MOST:]
    if rest:
        others = f"{len(rest)} other feature" + ("s" if len(rest) > 1 else "")
        shown.append((others, sum(r.contribution for r in rest)))
    return shown


def foot_line(attribution: Attribution, *, apart: str = " ") -> str:
    """Return the sum that leads from the model's starting point to the score, each in both units where it has two."""
    total, raw = sum(r.contribution for r in attribution.reasons), attribution.raw_score
    start, score, end = "", "", attribution.probability
    if end is not None:
        score = f" (score {end:.3f})"
        if attribution.unit == "log-odds" and abs(_share(raw) - end) < 1e-6:
            start = f" (score {_share(attribution.base):.3f})"
    return (
        f"model's starting point {attribution.base:+.2f}{start}{apart}{'+' if total >= 0 else '-'} contributions "
        f"{abs(total):.2f} = {raw:+.2f} {attribution.unit}{score}"
    )


def blocks(contribution: float, widest: float) -> str:
    """Return a bar of block characters, an eighth of one fine: up to the zero axis where it lowers, half of one then.

    >>> blocks(1.0, 2.0), blocks(0.3, 2.0), blocks(-0.3, 2.0)
    ('██████', '█▊', '          ██')
    """
    if contribution > 0:
        whole, part = divmod(max(1, round(8 * LONGEST * contribution / widest)), 8)
        return "█" * whole + EIGHTHS[part - 1 : part]
    whole, half = divmod(max(1, round(2 * LONGEST * -contribution / widest)), 2)
    return ("▐" * half + "█" * whole).rjust(LONGEST)


def _share(log_odds: float) -> float:
    from math import exp

    return 1 / (1 + exp(-log_odds)) if log_odds > -700 else 0.0
