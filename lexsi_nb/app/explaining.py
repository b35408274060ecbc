"""Explaining any case of the last ranking, after the run is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Attribution, stamped
from lexsi_nb.errors import RunFailed, StaleResult, UnknownCase
from lexsi_nb.kernel.variables import Variables
from lexsi_nb.modeling.cases import id_text, near_ids
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.sureness import base_rate, sureness

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import CaseReasons, Explained
    from lexsi_nb.tools.similar import Similar

# From here on only the asked rows are handed to the model, as reading the whole frame would be felt.
MANY_ROWS = 20_000


@dataclass(frozen=True)
class Explainer:
    """The model and the scored frame of a run that ranked cases."""

    backend: Any
    trained: Any
    predicted: Any
    frame_name: str
    variables: Variables
    synthetic: bool = False
    units: Mapping[str, str] = field(default_factory=dict)  # of the numbers of features, where they are known

    def case_of(self, row: Any) -> Any:
        """Return the case id in `row`: an id, a row of a frame, or a mapping with the entity column."""
        entity = self.predicted.entity
        if hasattr(row, "columns") and hasattr(row, "iloc"):  # a frame of one row, as a filter gives it
            if len(row) != 1:
                raise UnknownCase(f"{len(row):,} rows were passed.", "", "Pass one row, or an id.")
            row = row.iloc[0]
        if hasattr(row, "index") and hasattr(row, "get") and entity in getattr(row, "index", ()):
            return row[entity]
        if isinstance(row, dict):
            if entity not in row:
                raise UnknownCase(f"The row has no {entity!r}.", "", f"Pass an id or a row with {entity}.")
            return row[entity]
        return row

    def made(self) -> Explainer:
        """Return itself: nothing has to be made again."""
        return self

    def explain(self, row: Any) -> Attribution:
        """Return what moved the score of one case, known cases like it, and how sure the score is.

        Raises:
            UnknownCase: not among the scored rows; lists the nearest ids.
            StaleResult: the frame or the model changed since the scores were made.
        """
        return self.explain_all([self.case_of(row)])[0]

    def explain_all(self, cases: Sequence[Any]) -> list[Attribution]:
        """Return the same for several case ids, in the order asked. Raises: as `explain`."""
        from lexsi_nb.tools.explain_prediction import attribution_of

        stale = self.variables.stale([self.predicted.variable])
        if stale:
            reason = "; ".join(stale.values())
            raise StaleResult(f"{self.predicted.variable} is stale: {reason}.", "", "Ask again.")
        frame = self.variables.frame(self.frame_name)
        rows, ids = self._found(frame, cases)
        explained = self.backend.explain(self.trained, rows, ids, frame_name=self.frame_name)
        similar = self._similar(explained, rows)
        cell = explained.cell if similar is None else _joined(explained.cell, similar.cell)
        made = []
        for case in explained.cases:
            found = attribution_of(explained, self.trained, rows, case)
            beside = self._beside(case, self._values(rows, explained, case.case_id), similar)
            made.append(stamped(replace(found, beside=beside), synthetic=self.synthetic, cell=cell))
        return made

    def _found(self, frame: Any, cases: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Return (the rows to hand to the model, the ids as they stand there)."""
        entity = self.predicted.entity
        data = as_pandas(frame)
        if entity not in data.columns:  # a row is named by its place
            known = {str(i) for i in range(len(data))}
            for case in cases:
                if id_text(case) not in known:
                    raise UnknownCase.among(str(case), known)
            return frame, [int(id_text(case)) for case in cases]
        fits, ids = None, []
        for case in cases:
            fit = _equal(data[entity], case)
            if not fit.any():
                raise UnknownCase.among(str(case), near_ids(str(case), data[entity]))
            ids.append(data[entity].to_numpy()[fit][0])
            fits = fit if fits is None else fits | fit
        return (data[fits] if len(data) > MANY_ROWS else frame), ids

    def _similar(self, explained: Explained, rows: Any) -> Similar | None:
        """Return known cases like the explained ones; None where the known ones are gone or changed."""
        from lexsi_nb.tools.similar import similar_cases

        known = self.trained.frame_name
        if known not in self.variables.namespace or self.variables.stale([self.trained.name("model")]):
            return None
        labelled = self.variables.frame(known)
        return similar_cases(
            self.trained, explained, rows, labelled, frame_name=self.frame_name, variable="similar_cases"
        )

    def _values(self, rows: Any, explained: Explained, case: Any) -> Any:
        data = as_pandas(rows)
        if explained.entity not in data.columns:
            return data.iloc[int(case)]
        return data.loc[data[explained.entity] == case].iloc[0]

    def _beside(self, case: CaseReasons, values: Any, similar: Similar | None) -> tuple[tuple[str, str], ...]:
        lines: list[tuple[str, str]] = []
        if rate := base_rate(self.trained):
            lines.append(("score", f"{case.score:.3f}; the average of known cases is {rate}"))
        if self.trained.classes:
            lines.append(("predicted", f"{case.predicted}, score {case.score:.3f}; the contributions are for it"))
        if similar is not None:
            words = _alike(similar.of(case.case_id), similar.other.removeprefix("similar_"), self.trained)
            lines += [("most like it" if at == 0 else "", line) for at, line in enumerate(words)]
        sure = sureness(self.trained, case.score, values)
        return (*lines, *(("how sure" if at == 0 else "", line) for at, line in enumerate(sure)))


@dataclass(frozen=True)
class LateExplainer:
    """The same for a run that another kernel parked: model and scores are made again when they are asked for."""

    context: Any
    variables: Variables
    synthetic: bool = False

    def explain(self, row: Any) -> Attribution:
        """Return what moved the score of one case. Raises: as `Explainer.explain`; StaleResult: other rows now."""
        return self.made().explain(row)

    def explain_all(self, cases: Sequence[Any]) -> list[Attribution]:
        """Return the same for several. Raises: as `explain`."""
        return self.made().explain_all(cases)

    def made(self) -> Explainer:
        """Return the explainer with model and scores made again. Raises: as `explain`."""
        from lexsi_nb.tools.predict import model_of, predicted_of

        step = self.context.step(0, "explain_prediction", lambda *_: None)
        predicted = predicted_of(step)
        trained = model_of(step, predicted.model_id)
        return Explainer(
            self.context.backend, trained, predicted, predicted.frame_name, self.variables, self.synthetic,
            self.context.notes.units,
        )  # fmt: skip


def nothing_to_explain() -> RunFailed:
    """Return the error for an explanation before any ranking."""
    return RunFailed(
        "There is nothing to explain yet.",
        "No question of this session has ranked cases.",
        "Ask a predictive question first.",
    )


def _alike(rows: Sequence[Mapping[str, Any]], entity: str, trained: Any) -> list[str]:
    """Return known cases in words: first how many of them had the outcome, then each with its own and its distance."""
    from lexsi_nb.tools.explain_prediction import said

    case, other, target = entity.removesuffix("_id") or "case", f"similar_{entity}", trained.target
    yes_or_no = trained.task == "classification" and not trained.classes and trained.positive in (1, True)
    name = str(target).removeprefix("is_").removeprefix("has_") if yes_or_no else str(target)
    head = []
    if trained.task == "classification" and not trained.classes and rows:
        hits = sum(bool(row[target] == trained.positive) for row in rows)
        what = name if yes_or_no else f"{target} {said(trained.positive)}"
        head = [f"{what} in {hits} of the {len(rows)} most similar known cases"]

    def outcome(value: Any) -> str:
        return ("yes" if value == trained.positive else "no") if yes_or_no else said(value)

    return head + [f"{case} {r[other]}: {name} {outcome(r[target])} (distance {r['distance']:.2f})" for r in rows]


def _equal(ids: Any, case: Any) -> Any:
    """Return which ids are the case, bool: as the value it is, else as the text it is."""
    import numpy as np

    kind = getattr(ids.dtype, "kind", "O")
    text = id_text(case)
    if kind in "iuf" and isinstance(ids.dtype, np.dtype):
        try:
            return ids.to_numpy() == (int(text) if kind in "iu" else float(text))
        except ValueError:
            return np.zeros(len(ids), dtype=bool)
    same = (ids == case).to_numpy(dtype=bool, na_value=False) if isinstance(case, str) else np.zeros(len(ids), bool)
    return same if same.any() else ids.map(id_text).to_numpy() == text


def _joined(explained: CodeCell, similar: CodeCell) -> CodeCell:
    """Return one cell of the two, the second after the first."""
    lines = similar.source.splitlines()
    imports = [line for line in lines if line.startswith("import ") and line in explained.source.splitlines()]
    rest = "\n".join(line for line in lines if line not in imports).strip("\n")
    needed = (r for r in similar.requires if r not in explained.produces)
    return replace(
        explained,
        source=f"{explained.source.rstrip()}\n\n\n{rest}\n",
        requires=tuple(dict.fromkeys((*explained.requires, *needed))),
        produces=(*explained.produces, *similar.produces),
    )
