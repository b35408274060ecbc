"""A scored case whose values a person changes: the score then, and what moved it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from lexsi_nb.app.what_if import Trial, WhatIf
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.whatif import NOT_ADVICE, short
from lexsi_nb.widgets.attribution import BLUE, ORANGE
from lexsi_nb.widgets.explanation import explanation_html, explanation_text
from lexsi_nb.widgets.live.base import Answer, LiveWidget

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer

FIELDS = 12  # shown at first: those that moved the score most
MOST_FIELDS = 60
MOST_WORDS = 300
MOVED = 10


class WhatIfForm(LiveWidget):
    """The values of a case as fields; `title` says which case. The user's frames stay as they are."""

    kind: ClassVar[str] = "what-if"

    def __init__(self, explainer: Explainer | LateExplainer, case: Any) -> None:
        self.what_if = WhatIf(explainer, case)
        before = self.what_if.before
        self.changes: dict[str, Any] = {}
        self.trial: Trial = self.what_if.tried({})
        order = [r.feature for r in before.reasons]
        self._shown = [str(f) for f in order if str(f) in self.what_if.used][:FIELDS] or [
            str(f) for f in order[:FIELDS]
        ]
        super().__init__(
            f"What if: {f'{before.entity} ' if before.entity else ''}{before.case}",
            note=NOT_ADVICE,
            others=[f for f in order if f not in self._shown],
            **self._drawn(),
        )

    def cell(self) -> CodeCell | None:
        """Return the cell that scores and explains the case with the values that stand there now."""
        return self.trial.cell

    def static(self) -> dict[str, Any]:
        """Return the case as it is, and what the changed values make of it."""
        before = self.what_if.before
        html, text = explanation_html(before), explanation_text(before)
        if self.changes:
            html = f"<div><p>{escape(self._said())}</p>{moved_html(before, self.trial.attribution)}</div>"
            text = self._said()
        return {"text/html": html, "text/plain": text}

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "change": self._change, "reset": self._reset, "add": self._add}

    def _change(self, content: Mapping[str, Any]) -> dict[str, Any]:
        name, typed = str(content["feature"]), str(content["value"])
        value = self.what_if.value(name, typed)
        own = typed.strip() == _field_text(self.what_if.values[name])
        changes = {k: v for k, v in self.changes.items() if k != name} | ({} if own else {name: value})
        self.trial = self.what_if.tried(changes)
        self.changes = changes
        self.update(**self._drawn())
        return {"sentence": self._said()}

    def _reset(self, _: Mapping[str, Any]) -> dict[str, Any]:
        self.changes = {}
        self.trial = self.what_if.tried({})
        self.update(**self._drawn())
        return {"sentence": self._said()}

    def _add(self, content: Mapping[str, Any]) -> dict[str, Any]:
        name = str(content["feature"])
        self.what_if.kind(name)
        if len(self._shown) >= MOST_FIELDS:
            raise BadData(f"{MOST_FIELDS} features are shown, as many as fit.", "", "Change others in code: Show code.")
        if name not in self._shown:
            self._shown.append(name)
        self.update(others=[f for f in self.state["others"] if f != name], **self._drawn())
        return {}

    def _drawn(self) -> dict[str, Any]:
        return {
            "fields": [self._field(name) for name in self._shown],
            "sentence": self._said(),
            "changed": len(self.changes),
            "beyond": list(self.trial.beyond),
            "html": moved_html(self.what_if.before, self.trial.attribution),
        }

    def _field(self, name: str) -> dict[str, Any]:
        own = self.what_if.values[name]
        kind = self.what_if.kind(name)
        now = self.changes.get(name, own) if name in self.changes else own
        words = sorted({*self.what_if.words(name), *([] if _missing(own) else [str(own)])}) if kind == "word" else []
        return {
            "feature": name,
            "kind": kind,
            "own": _field_text(own),
            "shown": short(own),
            "value": _field_text(now),
            "changed": name in self.changes,
            "words": words if len(words) <= MOST_WORDS else [],
            "unused": name not in self.what_if.used,
        }

    def _said(self) -> str:
        return score_said(self.what_if.before, self.trial.attribution, len(self.changes))


def score_said(before: Attribution, after: Attribution, changed: int) -> str:
    """Return in a sentence what the score was and is: `Score 0.52 as it is; 0.31 with 2 other values (-0.21).`"""
    then, now = (a.raw_score if a.probability is None else a.probability for a in (before, after))
    if not changed:
        return f"Score {then:.4g} as it is." if before.probability is None else f"Score {then:.2f} as it is."
    values = "1 other value" if changed == 1 else f"{changed} other values"
    if before.probability is None:
        return f"Score {then:.4g} as it is; {now:.4g} with {values} ({now - then:+.4g})."
    return f"Score {then:.2f} as it is; {now:.2f} with {values} ({now - then:+.2f})."


def moved_html(before: Attribution, after: Attribution) -> str:
    """Return contributions as they were and are as a table with bars, those that moved furthest first; no scripts."""
    was = {r.feature: r.contribution for r in before.reasons}
    rows = sorted(after.reasons, key=lambda r: (-abs(r.contribution - was.get(r.feature, 0.0)), -abs(r.contribution)))
    widest = max((abs(c) for c in (*was.values(), *(r.contribution for r in rows))), default=0.0) or 1.0
    shown, rest = rows[:MOVED], rows[MOVED:]
    lines = [
        _line(f"{r.feature} = {r.value}", was.get(r.feature, 0.0), r.contribution, widest)
        for r in shown
    ]  # fmt: skip
    if rest:
        others = f"{len(rest)} other" + ("s" if len(rest) > 1 else "")
        lines.append(
            _line(others, sum(was.get(r.feature, 0.0) for r in rest), sum(r.contribution for r in rest), widest)
        )
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
    said = "0" if _signed(moved) == "0" else f"<b>{_signed(moved)}</b>"
    return (
        f'<tr><td style="text-align:left;padding:1px 10px 1px 0">{escape(label)}</td>'
        f"{number.format(_signed(was))}{number.format(_signed(now))}{number.format(said)}"
        f'<td style="padding:1px 8px">{bar}</td></tr>'
    )


def _signed(number: float) -> str:
    return f"{number:+.2f}" if abs(number) >= 0.005 else "0"


def _missing(value: Any) -> bool:
    return value is None or value != value or str(value) in ("<NA>", "NaT")


def _field_text(value: Any) -> str:
    """Return a value as it stands in a field: plain digits, dates in ISO form, nothing for missing."""
    if _missing(value):
        return ""
    value = value.item() if callable(getattr(value, "item", None)) else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    if hasattr(value, "strftime"):
        return str(value).removesuffix(" 00:00:00")
    return str(value)
