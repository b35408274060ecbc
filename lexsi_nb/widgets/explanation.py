"""One explained case with what else is known of it, and several cases together; without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from lexsi_nb.artifacts.results import Attribution, Reason
from lexsi_nb.widgets.attribution import attribution_html, attribution_text, title
from lexsi_nb.widgets.ranking import NOISE

APART = "The chosen cases are predicted to be of different classes, so each is explained by itself."
NAMED = 3  # reasons each way in the sentence
_CELL = "padding:1px 12px 1px 0;vertical-align:top;text-align:left"


def sentence(attribution: Attribution) -> str:
    """Return in one sentence what moved the score most; it says nothing of causes.

    >>> sentence(Attribution("7", 0.0, 0.4, 0.6, (Reason("age", 30, 0.5), Reason("debt", 2, -0.1)), entity="id"))
    'What moved the score of id 7 most: age 30 raised it; debt 2 lowered it.'
    """
    floor = NOISE * max((abs(r.contribution) for r in attribution.reasons), default=0.0)
    parts = []
    for reasons, did in ((attribution.raises, "raised"), (attribution.lowers, "lowered")):
        named = [r for r in reasons[:NAMED] if abs(r.contribution) >= floor]
        if named:
            parts.append(f"{_listed(named)} {did} it")
    return f"{title(attribution)} most: {'; '.join(parts)}." if parts else f"{title(attribution)}: nothing."


def explanation_html(attribution: Attribution) -> str:
    """Return title, sentence, bars and what stands beside as HTML; title and bars where nothing does."""
    head = title(attribution)
    if not attribution.beside:
        return f"<div><b>{escape(head)}</b>{attribution_html(attribution)}</div>"
    rest = sentence(attribution).removeprefix(head)
    words = f'<p style="margin:0 0 .5em;max-width:62em"><b>{escape(head)}</b>{escape(rest)}</p>'
    return f"<div>{words}{attribution_html(attribution)}{_beside_html(attribution)}</div>"


def explanation_text(attribution: Attribution) -> str:
    """Return the same as lines."""
    if not attribution.beside:
        return f"{title(attribution)}\n{attribution_text(attribution)}"
    width = max(len(heading) for heading, _ in attribution.beside)
    beside = [f"  {heading:<{width}}  {words}" for heading, words in attribution.beside]
    return "\n".join([sentence(attribution), attribution_text(attribution), *beside])


def selection_sentence(attributions: Sequence[Attribution]) -> str:
    """Return in one sentence what moved the scores of several cases most, on average."""
    if len(attributions) == 1:
        return sentence(attributions[0])
    return APART if apart(attributions) else sentence(mean_of(attributions))


def mean_of(attributions: Sequence[Attribution]) -> Attribution:
    """Return the mean contributions of several cases; base + contributions is their mean raw score.

    A value is shown where all cases have it.
    """
    n = len(attributions)
    sums: dict[str, float] = {}
    values: dict[str, set[str]] = {}
    for reason in (r for a in attributions for r in a.reasons):
        sums[reason.feature] = sums.get(reason.feature, 0.0) + reason.contribution
        values.setdefault(reason.feature, set()).add(str(reason.value))
    reasons = [Reason(f, next(iter(values[f])) if len(values[f]) == 1 else "", s / n) for f, s in sums.items()]
    first = attributions[0]
    scores = [a.probability for a in attributions if a.probability is not None]
    return replace(
        first,
        case=f"{n} cases, on average",
        entity="",
        base=sum(a.base for a in attributions) / n,
        raw_score=sum(a.raw_score for a in attributions) / n,
        probability=sum(scores) / n if len(scores) == n else None,
        reasons=tuple(sorted(reasons, key=lambda r: (-abs(r.contribution), r.feature))),
        beside=(),
    )


def apart(attributions: Sequence[Attribution]) -> bool:
    """Return whether contributions are for different classes, so that their mean says nothing."""
    return len({dict(a.beside).get("predicted", "").rsplit(", score", 1)[0] for a in attributions}) > 1


def _listed(reasons: Sequence[Reason]) -> str:
    named = [f"{r.feature} {r.value}".rstrip() for r in reasons]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def _beside_html(attribution: Attribution) -> str:
    rows = "".join(
        f'<tr><td style="{_CELL};opacity:.75;white-space:nowrap">{escape(heading)}</td>'
        f'<td style="{_CELL};max-width:52em">{escape(words)}</td></tr>'
        for heading, words in attribution.beside
    )
    return f'<table style="border-collapse:collapse;font-size:90%;margin-top:.5em"><tbody>{rows}</tbody></table>'
