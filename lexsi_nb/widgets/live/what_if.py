"""A scored case whose values a person changes: the score then, and what moved it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, ClassVar

from lexsi_nb.app.what_if import Trial, WhatIf
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.wording import SYNTHETIC
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.source import literal
from lexsi_nb.modeling.whatif import NOT_ADVICE, short
from lexsi_nb.widgets.blocks import Block, Rows, Words, blocks_text
from lexsi_nb.widgets.explanation import explanation_html
from lexsi_nb.widgets.live.bars import Axis
from lexsi_nb.widgets.live.base import Answer, LiveWidget
from lexsi_nb.widgets.named_values import quoted
from lexsi_nb.widgets.trial import bars_of, said_value, score_said, signed, trial_blocks, trial_html

FIELDS = 12  # shown at first: those that moved the score most
MOST_FIELDS = 60
MOST_WORDS = 300


class WhatIfForm(LiveWidget):
    """The values of a case as fields; `title` says which case. The user's frames stay as they are."""

    kind: ClassVar[str] = "what-if"

    def __init__(self, what_if: WhatIf, changes: Mapping[str, Any] | None = None) -> None:
        self.what_if = what_if
        before = self.what_if.before
        self.trial: Trial = self.what_if.tried(changes or {})
        self.changes = dict(self.trial.changes)
        order = [r.feature for r in before.reasons]
        self._shown = [str(f) for f in order if str(f) in self.what_if.used][:FIELDS] or [
            str(f) for f in order[:FIELDS]
        ]
        self._shown += [name for name in self.changes if name not in self._shown]
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
        html = explanation_html(before)
        if self.changes:
            html = trial_html(self.trial)
        return {"text/html": html, "text/plain": blocks_text(self.blocks())}

    def tried(self, changes: Mapping[str, Any]) -> Trial:
        """Return the case with these values in place of its own; the form stays. Raises: as `WhatIf.tried`."""
        return self.what_if.tried(changes)

    def blocks(self) -> list[Block]:
        """Return the features with their values, how to try others, and what moved the score or would move it."""
        before, names = self.what_if.before, self._shown
        rows = tuple((n, *self._value_and_was(n), self.what_if.known(n)) for n in names)
        heads = ("feature", "value", "was", "known cases")
        if not self.changes:
            heads, rows = (heads[0], heads[1], heads[3]), tuple((r[0], r[1], r[3]) for r in rows)
        others = len(self.what_if.values) - len(names)
        more = [Words(f"{others:,} more feature{'s' * (others > 1)} moved it less.", "quiet")] if others else []
        said = [Words(SYNTHETIC)] if before.synthetic else []
        return [
            *said,
            Words(f"{self.state['title']}\n{self._said()}", "strong"),
            Rows(heads, rows),
            *more,
            Words(self._how(names[0]), "quiet"),
            *(trial_blocks(self.trial) if self.changes else [bars_of(before)]),
            Words(NOT_ADVICE, "quiet"),
        ]

    def _value_and_was(self, name: str) -> tuple[str, str]:
        own = said_value(self.what_if.values[name])
        return (said_value(self.changes[name]), own) if name in self.changes else (own, "")

    def _how(self, name: str) -> str:
        case, other = self.what_if.before.case, self.what_if.other(name)
        value = other if isinstance(other, int | float) else _field_text(other)
        return (
            "Try other values:\n"
            f"  %lexsi whatif {shlex.quote(case)} {quoted(name, _field_text(other))}\n"
            f"  lx.what_if({case if case.isdigit() else literal(case)}).tried({{{literal(name)}: {literal(value)}}})"
        )

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "change": self._change, "reset": self._reset, "add": self._add}

    def _change(self, content: Mapping[str, Any]) -> dict[str, Any]:
        name, typed = str(content["feature"]), str(content["value"])
        value = self.what_if.value(name, typed)
        own = typed.strip() == _field_text(self.what_if.values[name])  # which may be rounded
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
        was, now = (
            {str(r.feature): r.contribution for r in a.reasons} for a in (self.what_if.before, self.trial.attribution)
        )
        rest = [name for name in now if name not in self._shown]
        others = [sum(side.get(name, 0.0) for name in rest) for side in (was, now)]
        axis = Axis.of([*others, *(side.get(name, 0.0) for side in (was, now) for name in self._shown)])
        return {
            "fields": [
                {**self._field(name), **_moved(axis, was.get(name, 0.0), now.get(name, 0.0))} for name in self._shown
            ],
            "rest": {"label": f"{len(rest)} other feature{'s' * (len(rest) > 1)}", **_moved(axis, *others)}
            if rest
            else None,
            "unit": self.trial.attribution.unit,
            "sentence": self._said(),
            "changed": len(self.changes),
            "beyond": list(self.trial.beyond),
        }

    def _field(self, name: str) -> dict[str, Any]:
        own = self.what_if.values[name]
        kind = self.what_if.kind(name)
        words = sorted({*self.what_if.words(name), *([] if _missing(own) else [str(own)])}) if kind == "word" else []
        return {
            "feature": name,
            "kind": kind,
            "own": _field_text(own),
            "shown": short(own),
            "value": _typed_text(self.changes[name]) if name in self.changes else _field_text(own),
            "changed": name in self.changes,
            "known": f"known {self.what_if.known(name)}" if kind == "number" and self.what_if.known(name) else "",
            "words": words if len(words) <= MOST_WORDS else [],
            "unused": name not in self.what_if.used,
        }

    def _said(self) -> str:
        return score_said(self.what_if.before, self.trial.attribution, len(self.changes))


def _moved(axis: Axis, was: float, now: float) -> dict[str, str]:
    """Return a contribution as the page shows it: what it is, how far it moved, both as a bar."""
    by = signed(now - was)
    return {"now": signed(now), "moved": "" if by == "0" else by, "bar": axis.bar(now, None if by == "0" else was)}


def _missing(value: Any) -> bool:
    return value is None or value != value or str(value) in ("<NA>", "NaT")


def _field_text(value: Any) -> str:
    """Return a value as it stands in a field, as beside it: digits grouped, dates in ISO form, nothing for missing."""
    if _missing(value):
        return ""
    value = value.item() if callable(getattr(value, "item", None)) else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return short(value)
    if hasattr(value, "strftime"):
        return str(value).removesuffix(" 00:00:00")
    return str(value)


def _typed_text(value: Any) -> str:
    """Return a changed value with all digits that were typed."""
    plain = isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool))
    return f"{value:,.15g}" if plain and value == value else _field_text(value)
