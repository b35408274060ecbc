"""What moved the score of a case, or of several, as HTML of the live widgets, in the words of the static form."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.widgets.attribution import bars, foot_line, title
from lexsi_nb.widgets.explanation import APART, apart, mean_of, sentence
from lexsi_nb.widgets.live.bars import Axis


def explained_html(attributions: Sequence[Attribution]) -> str:
    """Return one case with its bars, or what moved several on average and each of them folded."""
    if len(attributions) == 1:
        return _case_html(attributions[0])
    together = f"<p>{APART}</p>" if apart(attributions) else _case_html(mean_of(attributions))
    folded = "".join(
        f"<details><summary>{escape(sentence(a))}</summary>{_bars_html(a)}{_beside_html(a)}</details>"
        for a in attributions
    )
    return f"{together}{folded}"


def _case_html(attribution: Attribution) -> str:
    head = title(attribution)
    rest = sentence(attribution).removeprefix(head)
    words = f'<p class="lexsi-lead"><b>{escape(head)}</b>{escape(rest)}</p>'
    return f"{words}{_bars_html(attribution)}{_beside_html(attribution)}"


def _bars_html(attribution: Attribution) -> str:
    shown = bars(attribution)
    axis = Axis.of(size for _, size in shown)
    lines = "".join(
        f'<tr><th scope="row">{escape(label)}</th><td class="lexsi-number">{size:+.2f}</td>'
        f'<td class="lexsi-drawn">{axis.bar(size)}</td></tr>'
        for label, size in shown
    )
    foot = f'<div class="lexsi-quiet">{escape(foot_line(attribution))}</div>'
    return f'<table class="lexsi-bars" aria-label="Contributions"><tbody>{lines}</tbody></table>{foot}'


def _beside_html(attribution: Attribution) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(heading)}</th><td>{escape(words)}</td></tr>'
        for heading, words in attribution.beside
    )
    return f'<table class="lexsi-rows"><tbody>{rows}</tbody></table>' if rows else ""
