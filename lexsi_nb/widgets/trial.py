"""One case with other values beside the case as it is: scores, and how far each contribution moved."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Attribution, Reason
from lexsi_nb.artifacts.wording import SYNTHETIC
from lexsi_nb.modeling.whatif import NOT_ADVICE, short
from lexsi_nb.widgets.attribution import BLUE, ORANGE, bars
from lexsi_nb.widgets.blocks import Block, Rows, Words, blocks_text

if TYPE_CHECKING:
    from lexsi_nb.app.what_if import Trial

MOVED = 10


def trial_html(trial: Trial) -> str:
    """Return the scores and what moved as HTML without scripts."""
    said = escape(score_said(trial.before, trial.attribution, len(trial.changes)))
    return f"<div><p>{said}</p>{moved_html(trial.before, trial.attribution)}{_beyond_html(trial)}</div>"


def trial_text(trial: Trial) -> str:
    """Return the same as plain text."""
    given = ", ".join(f"{name} {said_value(value)}" for name, value in trial.changes.items())
    entity = f"{trial.before.entity} " if trial.before.entity else ""
    lead = f"{entity}{trial.before.case}{f' with {given}' if given else ''}"
    said = score_said(trial.before, trial.attribution, len(trial.changes))
    label = [Words(SYNTHETIC)] if trial.before.synthetic else []
    return blocks_text([*label, Words(f"{lead}\n{said}"), *trial_blocks(trial), Words(NOT_ADVICE)])


def trial_bundle(trial: Trial) -> dict[str, Any]:
    """Return what a cell shows of a trial."""
    label = f'<div style="font-size:85%">{SYNTHETIC}</div>' if trial.before.synthetic else ""
    return {"text/html": label + trial_html(trial), "text/plain": trial_text(trial)}


def said_value(value: Any) -> str:
    """Return a value as a person reads it.

    >>> said_value(True), said_value(1500.0), said_value(None)
    ('yes', '1,500', 'none')
    """
    return {"True": "yes", "False": "no"}.get(str(value), short(value))


def _beyond_html(trial: Trial) -> str:
    if not trial.beyond:
        return ""
    return f"<div>Outside of what was learned from: {escape('; '.join(trial.beyond))}.</div>"


def trial_blocks(trial: Trial) -> list[Block]:
    """Return what the changed values moved as a table with bars, and which values lie beyond the known cases."""
    shown, (others, rest) = moved(trial.before, trial.attribution)
    lines = [(f"{r.feature} = {r.value}", was, r.contribution) for r, was in shown]
    lines += [(others, *rest)] if others else []
    rows = tuple((label, signed(was), signed(now), signed(now - was)) for label, was, now in lines)
    bars = tuple(now - was if signed(now - was) != "0" else 0.0 for _, was, now in lines)
    beyond = [Words(f"Outside of what was learned from: {'; '.join(trial.beyond)}.")] if trial.beyond else []
    foot = (
        f"contributions in {trial.attribution.unit}; raw score {trial.before.raw_score:+.2f} as it is, "
        f"{trial.attribution.raw_score:+.2f} now"
    )
    heads = ("contribution of", "as it is", "now", "moved")
    return [Rows(heads, rows, bars, about="lowers, raises"), Words(foot, "quiet"), *beyond]


def bars_of(attribution: Attribution) -> Block:
    """Return the contributions of a case as a table with bars."""
    shown = bars(attribution)
    rows = tuple((label, f"{size:+.2f}") for label, size in shown)
    return Rows(("what moved its score", attribution.unit), rows, tuple(size for _, size in shown))


def moved(
    before: Attribution, after: Attribution
) -> tuple[list[tuple[Reason, float]], tuple[str, tuple[float, float]]]:
    """Return ((a reason as it is now, its contribution before), those that moved furthest first; the rest summed)."""
    was = {r.feature: r.contribution for r in before.reasons}
    rows = sorted(after.reasons, key=lambda r: (-abs(r.contribution - was.get(r.feature, 0.0)), -abs(r.contribution)))
    shown, rest = rows[:MOVED], rows[MOVED:]
    others = f"{len(rest)} other feature" + ("s" if len(rest) > 1 else "") if rest else ""
    sums = sum(was.get(r.feature, 0.0) for r in rest), sum(r.contribution for r in rest)
    return [(r, was.get(r.feature, 0.0)) for r in shown], (others, sums)


def score_said(before: Attribution, after: Attribution, changed: int) -> str:
    """Return in a sentence what the score was and is: `Score 0.518 → 0.310 (-0.208) with 2 other values.`

    With as many digits as show a change; one that five do not show is none to see.
    """
    then, now = (a.raw_score if a.probability is None else a.probability for a in (before, after))
    kind, digits = ("g", (4, 6, 8)) if before.probability is None else ("f", (3, 4, 5))
    values = "1 other value" if changed == 1 else f"{changed} other values"
    for count in digits if changed else ():
        was, new = (f"{score:,.{count}{kind}}" for score in (then, now))
        if was != new:
            by = float(new.replace(",", "")) - float(was.replace(",", ""))  # of what is shown, so that it adds up
            return f"Score {was} \N{RIGHTWARDS ARROW} {new} ({by:+,.{count}{kind}}) with {values}."
    first = f"Score {then:,.{digits[0]}{kind}} as it is"
    return f"{first} and with {values}: no visible change." if changed else f"{first}."


def moved_html(before: Attribution, after: Attribution) -> str:
    """Return contributions as they were and are as a table with bars, those that moved furthest first; no scripts."""
    shown, (others, rest) = moved(before, after)
    sizes = (*(r.contribution for r in before.reasons), *(r.contribution for r in after.reasons))
    widest = max(map(abs, sizes), default=0.0) or 1.0
    lines = [_line(f"{r.feature} = {r.value}", was, r.contribution, widest) for r, was in shown]
    lines += [_line(others, *rest, widest)] if others else []
    cell = 'style="text-align:{};padding:1px 8px;font-weight:600"'
    head = "".join(
        f"<th {cell.format(side)}>{escape(words)}</th>"
        for words, side in (("", "left"), ("as it is", "right"), ("now", "right"), ("moved", "right"), ("", "left"))
    )
    return (
        '<table style="border-collapse:collapse;font-size:90%">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        f'<div style="opacity:.75;font-size:85%">contributions in {escape(after.unit)}; raw score '
        f"{before.raw_score:+.2f} as it is, {after.raw_score:+.2f} now</div>"
    )


def _line(label: str, was: float, now: float, widest: float) -> str:
    moved = now - was
    number = '<td style="text-align:right;padding:1px 8px;font-variant-numeric:tabular-nums">{}</td>'
    width = max(1, min(90, round(90 * abs(now) / widest)))
    colour, sign = (ORANGE, "raises") if now > 0 else (BLUE, "lowers")
    bar = f'<div title="{sign}" style="background:{colour};height:.8em;width:{width}px"></div>' if now else ""
    said = "0" if signed(moved) == "0" else f"<b>{signed(moved)}</b>"
    return (
        f'<tr><td style="text-align:left;padding:1px 10px 1px 0">{escape(label)}</td>'
        f"{number.format(signed(was))}{number.format(signed(now))}{number.format(said)}"
        f'<td style="padding:1px 8px">{bar}</td></tr>'
    )


def signed(number: float) -> str:
    """Return a contribution with its sign; 0 for what is none at two decimals.

    >>> signed(0.284), signed(-0.004)
    ('+0.28', '0')
    """
    return f"{number:+.2f}" if abs(number) >= 0.005 else "0"
