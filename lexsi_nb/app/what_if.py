"""One scored case with other values: what the model says of it then, and what moved; no frame of the user changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Attribution, stamped
from lexsi_nb.errors import BadData, StaleResult, UnknownColumn
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.readable import readable
from lexsi_nb.modeling.source import free, is_literal, literal, plain_value
from lexsi_nb.modeling.sureness import outside
from lexsi_nb.modeling.whatif import used_features

if TYPE_CHECKING:
    from lexsi_nb.app.explaining import Explainer, LateExplainer

ROW, FOUND = "what_if", "what_if_attributions"


@dataclass(frozen=True)
class Trial:
    """A case with other values. `beyond`: each value that no known case comes near, in words; `cell` makes it again."""

    attribution: Attribution
    beyond: tuple[str, ...]
    cell: CodeCell


class WhatIf:
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

    def value(self, feature: str, text: str) -> Any:
        """Return what a person typed as a value of a feature; nothing typed is a missing value. Raises: BadData."""
        import pandas as pd

        kind, text = self.kind(feature), text.strip()
        if not text:
            return None if kind == "word" else float("nan") if kind == "number" else pd.NaT if kind == "date" else None
        try:
            if kind == "number":
                number = float(text.replace(",", ""))
                if number != number or number in (float("inf"), float("-inf")):
                    raise ValueError
                return int(number) if number == int(number) and abs(number) < 2**53 else number
            if kind == "date":
                return pd.Timestamp(text)
            if kind == "truth":
                return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.casefold()]
        except (KeyError, ValueError) as error:
            wanted = {"number": "a number, as in 12.5", "date": "a date, as in 1998-12-31", "truth": "yes or no"}[kind]
            raise BadData(f"{text!r} is no value of {feature}.", "", f"Write {wanted}; nothing for missing.") from error
        return text

    def tried(self, changes: Mapping[str, Any]) -> Trial:
        """Return the case with these values in place of its own. Raises: UnknownColumn: no feature of the model."""
        labelled = {self._label(name): value for name, value in changes.items()}
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
        return Trial(at, tuple(outside(self.trained, row.iloc[0])), cell)

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
