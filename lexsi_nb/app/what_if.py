"""One scored case with other values: what the model says of it then, and what moved; no frame of the user changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.looks import Prints
from lexsi_nb.artifacts.results import Attribution, stamped
from lexsi_nb.errors import BadData, StaleResult, UnknownColumn
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.readable import readable
from lexsi_nb.modeling.source import free, is_literal, literal, plain_value
from lexsi_nb.modeling.sureness import outside
from lexsi_nb.modeling.whatif import short, used_features

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer

ROW, FOUND = "what_if", "what_if_attributions"
MOST_WORDS = 8  # that are named
# Kind of feature -> (what it is, what to write).
WANTED = {
    "number": ("a number", "a number, as in 12.5"),
    "date": ("a date", "a date, as in 1998-12-31"),
    "truth": ("yes or no", "yes or no"),
    "word": ("a word", "a word"),
}


@dataclass(frozen=True, repr=False)
class Trial(Prints):
    """A case with other values. `attribution`: its score and contributions then, `before`: as it is.

    `beyond`: each value that no known case comes near, in words; `cell` makes it again.
    """

    attribution: Attribution
    beyond: tuple[str, ...]
    cell: CodeCell
    before: Attribution
    changes: Mapping[str, Any]


class WhatIf(Prints):
    """A scored case whose values can be changed, a row in memory. Features are named by their text.

    `before`: the case as it is; `used`: the features that the model reads at all.

    Raises (when made): UnknownCase: not among the scored rows; StaleResult: the data changed since the scores were
    made; BadData: the model is elsewhere, where each try would send data.
    """

    def __init__(self, explainer: Explainer | LateExplainer, case: Any) -> None:
        made = explainer.made()
        if not getattr(made.backend, "local", False):
            raise BadData(
                "What-if is not there for this model.",
                "It is on the Lexsi platform, where each try would send a row.",
                "Train with the embedded backend: %lexsi backend embedded",
            )
        self.explainer = made
        self.trained = made.trained
        self.before = made.explain(case)
        data = as_pandas(made.variables.frame(made.frame_name))
        entity = made.predicted.entity
        numbered = entity not in data.columns
        ids = data.index if numbered else data[entity]
        place = int(self.before.case) if numbered else [str(v) for v in ids.tolist()].index(self.before.case)
        self._row = data.iloc[[place]].copy()
        _, shape = readable(self.trained, self._row, made.frame_name)
        self.used = frozenset(str(f) for f in used_features(self.trained, shape))
        self._labels = {str(f): f for f in self.trained.features}
        self._picked = self._source(data, entity, place, numbered)

    @property
    def values(self) -> Mapping[str, Any]:
        """The case's own values by feature, as they stand in the frame."""
        return {name: self._row[label].iloc[0] for name, label in self._labels.items()}

    def kind(self, feature: str) -> str:
        """Return how a feature's value is given: number, date, word or truth."""
        label = self._label(feature)
        if label in self.trained.categories:
            return "word"
        if label in self.trained.dates:
            return "date"
        dtype = self._row[label].dtype
        return "truth" if dtype.kind == "b" or str(dtype) == "boolean" else "number"

    def words(self, feature: str) -> tuple[str, ...]:
        """Return the values of a word feature that the model was trained on."""
        return tuple(str(w) for w in self.trained.categories.get(self._label(feature), ()))

    def known(self, feature: str) -> str:
        """Return in words which values the known cases have: a range, the words, or what kind of value it is."""
        label, kind = self._label(feature), self.kind(feature)
        if kind == "word":
            words = self.words(feature)
            more = f" and {len(words) - MOST_WORDS:,} more" if len(words) > MOST_WORDS else ""
            return f"{', '.join(words[:MOST_WORDS])}{more}"
        if kind == "truth":
            return "yes or no"
        ends = self._ends(label)
        return "a day" if kind == "date" and ends is None else "" if ends is None else " to ".join(map(short, ends))

    def other(self, feature: str) -> Any:
        """Return a value that many known cases have, another than the case's own where there is one."""
        import numpy as np

        label, own = self._label(feature), self.values[feature]
        kind = self.kind(feature)
        if kind == "word":
            return next((w for w in self.words(feature) if w != str(own)), own)
        if kind == "truth":
            return not own if str(own) in ("True", "False") else True
        known = self.trained.training.get(label)
        if known is None or not np.isfinite(known).any():
            return own
        return _number(f"{np.median(known[np.isfinite(known)]):.6g}")

    def value(self, feature: str, typed: Any) -> Any:
        """Return what a person typed or passed as a value of a feature; nothing, or None, is a missing value.

        Raises:
            UnknownColumn: no feature of the model; lists the nearest.
            BadData: no value of its kind; says which kind it is.
        """
        import pandas as pd

        kind = self.kind(feature)
        text = typed.strip() if isinstance(typed, str) else typed
        if text == "" or (not isinstance(text, str) and _missing(text)):
            return {"number": float("nan"), "date": pd.NaT}.get(kind)
        try:
            return {"number": _number, "date": pd.Timestamp, "truth": _truth, "word": str}[kind](text)
        except (KeyError, ValueError, TypeError) as error:
            is_a, wanted = WANTED[kind]
            known = self.known(feature)
            seen = f"; the known cases have {known}" if kind != "truth" and known and known != "a day" else ""
            raise BadData(
                f"{typed!r} is no value of {feature}.", f"{feature} is {is_a}{seen}.",
                f"Write {wanted}; nothing or None for a missing value.",
            ) from error  # fmt: skip

    def tried(self, changes: Mapping[str, Any]) -> Trial:
        """Return the case with these values in place of its own: as a person types them, or as they are.

        Raises:
            UnknownColumn: no feature of the model; lists the nearest.
            BadData: no value of the feature's kind.
            StaleResult: the data changed since the scores were made.
        """
        labelled = {self._label(name): self.value(name, value) for name, value in changes.items()}
        made = self.explainer
        stale = made.variables.stale([made.predicted.variable])
        if stale:
            raise StaleResult(f"{made.predicted.variable} is stale: {'; '.join(stale.values())}.", "", "Ask again.")
        row_name, found_name = (free(n, made.variables.namespace) for n in (ROW, FOUND))
        change = [f"{row_name} = {self._picked}"]
        change += [f"{row_name}[{literal(f)}] = {_source_of(v)}" for f, v in labelled.items()]
        row = self._row.copy()
        for feature, value in labelled.items():
            row[feature] = value
        named = replace(self.trained, names={**self.trained.names, "attributions": found_name})
        explained = made.backend.explain(named, row, frame_name=row_name)
        from lexsi_nb.tools.explain_prediction import attribution_of

        [case] = explained.cases
        found = attribution_of(explained, named, row, case)
        source = _joined("\n".join(change), explained.cell.source)
        cell = replace(
            explained.cell,
            source=source,
            title=f"{made.predicted.entity} {self.before.case} with other values",
            requires=(made.frame_name, *(r for r in explained.cell.requires if r not in (row_name, made.frame_name))),
            produces=(row_name, *explained.cell.produces),
        )
        at = stamped(replace(found, case=self.before.case), synthetic=made.synthetic, cell=cell)
        given = {str(label): value for label, value in labelled.items()}
        return Trial(at, tuple(outside(self.trained, row.iloc[0])), cell, self.before, given)

    def _ends(self, label: Any) -> tuple[Any, Any] | None:
        """Return the least and the greatest value of the known cases, None where they are not to be had."""
        import numpy as np
        import pandas as pd

        if label in self.trained.training:
            known = self.trained.training[label]
            known = known[np.isfinite(known)]
            return (float(known.min()), float(known.max())) if len(known) else None
        name, variables = self.trained.frame_name, self.explainer.variables
        if name not in variables.namespace or variables.stale([self.trained.name("model")]):
            return None
        frame = as_pandas(variables.frame(name))
        days = pd.to_datetime(frame[label], errors="coerce") if label in frame.columns else None
        return None if days is None or days.isna().all() else (days.min(), days.max())

    def _source(self, data: Any, entity: Any, place: int, numbered: bool) -> str:
        frame = self.explainer.variables.frame(self.explainer.frame_name)
        rows = self.explainer.frame_name if hasattr(frame, "iloc") else f"{self.explainer.frame_name}.to_pandas()"
        case = None if numbered else plain_value(data[entity].iloc[place])
        if case is None or not is_literal(case) or not hasattr(frame, "iloc"):
            return f"{rows}.iloc[[{place}]].copy()"
        return f"{rows}[{rows}[{literal(entity)}] == {literal(case)}].copy()"

    def _label(self, feature: str) -> Any:
        if feature not in self._labels:
            raise UnknownColumn.among(feature, list(self._labels))
        return self._labels[feature]


def _number(value: Any) -> int | float:
    if isinstance(value, bool):
        raise ValueError
    number = float(value.replace(",", "") if isinstance(value, str) else value)
    if number - number != 0:  # not finite
        raise ValueError
    return int(number) if number == int(number) and abs(number) < 2**53 else number


def _truth(value: Any) -> bool:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[str(value).casefold()]


def _missing(value: Any) -> bool:
    return value is None or str(value) in ("<NA>", "NaT", "nan")


def _source_of(value: Any) -> str:
    if value is None:
        return "None"
    if hasattr(value, "isoformat"):
        return "pd.NaT" if value != value else f'pd.Timestamp("{value.isoformat()}")'
    return 'float("nan")' if isinstance(value, float) and value != value else literal(value)


def _joined(change: str, explain: str) -> str:
    """Return one source: the imports of the second, the change, the rest."""
    lines = explain.splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    if "pd." in change and "import pandas as pd" not in imports:
        imports.append("import pandas as pd")
    rest = "\n".join(line for line in lines if line not in imports).strip("\n")
    return "\n".join(imports) + f"\n\n{change}\n\n{rest}\n"
