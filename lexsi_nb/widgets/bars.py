"""Contribution bars in plain HTML: no script, no kernel, nothing to go blank."""

from __future__ import annotations

from html import escape

from lexsi_nb.artifacts.results import Attribution

ORANGE, BLUE = "#e4842a", "#4c78a8"
MOST = 10


def attribution_html(attribution: Attribution, unit: str = "log-odds") -> str:
    """Return one case's contributions as a table with bars, largest first; the rest summed in one row."""
    shown, rest = attribution.reasons[:MOST], attribution.reasons[MOST:]
    widest = max((abs(r.contribution) for r in attribution.reasons), default=0.0) or 1.0
    rows = [_row(r.feature, r.value, r.contribution, widest) for r in shown]
    if rest:
        rows.append(_row(f"{len(rest)} others", "", sum(r.contribution for r in rest), widest))
    score = f", score {attribution.probability:.2f}" if attribution.probability is not None else ""
    total = sum(r.contribution for r in attribution.reasons)
    foot = f"base {attribution.base:+.2f}, contributions {total:+.2f}, sum {attribution.raw_score:+.2f} {unit}{score}"
    return (
        f'<table style="border-collapse:collapse;font-size:90%"><tbody>{"".join(rows)}</tbody></table>'
        f'<div style="opacity:.75;font-size:85%">{escape(foot)}</div>'
    )


def attribution_text(attribution: Attribution, unit: str = "log-odds") -> str:
    """Return one case's contributions as lines with bars of characters."""
    widest = max((abs(r.contribution) for r in attribution.reasons), default=0.0) or 1.0
    name = max((len(f"{r.feature} = {r.value}") for r in attribution.reasons[:MOST]), default=0)
    lines = []
    for r in attribution.reasons[:MOST]:
        bar = ("+" if r.contribution > 0 else "-") * max(1, round(20 * abs(r.contribution) / widest))
        lines.append(f"  {f'{r.feature} = {r.value}':<{name}}  {r.contribution:+.2f}  {bar}")
    rest = attribution.reasons[MOST:]
    if rest:
        lines.append(f"  {f'{len(rest)} others':<{name}}  {sum(r.contribution for r in rest):+.2f}")
    score = f", score {attribution.probability:.2f}" if attribution.probability is not None else ""
    lines.append(f"  base {attribution.base:+.2f}, sum {attribution.raw_score:+.2f} {unit}{score}")
    return "\n".join(lines)


def _row(feature: str, value: str, contribution: float, widest: float) -> str:
    width = max(1, round(100 * abs(contribution) / widest))
    colour, sign = (ORANGE, "raises") if contribution > 0 else (BLUE, "lowers")
    side = "left" if contribution > 0 else "right"
    bar = f'<div title="{sign}" style="background:{colour};height:.8em;width:{width}px;float:{side}"></div>'
    cells = ("", bar) if contribution > 0 else (bar, "")
    half = "".join(f'<td style="width:104px;padding:0">{c}</td>' for c in cells)
    shown = f" = {escape(value)}" if value else ""
    return (
        f'<tr><td style="text-align:left;padding:1px 10px 1px 0">{escape(feature)}{shown}</td>'
        f'<td style="text-align:right;padding:1px 8px">{contribution:+.2f}</td>{half}</tr>'
    )
