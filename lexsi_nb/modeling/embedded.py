"""The embedded backend: LightGBM or XGBoost on this machine; each step executes the plain cell that it hands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.modeling import training
from lexsi_nb.modeling.backend import (
    Cancelled,
    Checked,
    Explained,
    Predicted,
    Tick,
    Trained,
    TrainSpec,
    never,
    no_tick,
)
from lexsi_nb.modeling.cases import positions_of, reasons
from lexsi_nb.modeling.cells import Explaining, Group, Scoring, check_cell, explain_cell, predict_cell
from lexsi_nb.modeling.extrapolation import extrapolations
from lexsi_nb.modeling.laps import Laps
from lexsi_nb.modeling.readable import readable
from lexsi_nb.modeling.source import (
    CHUNK,
    Shape,
    frame_lines,
    free,
    imports,
    inputs_source,
    is_literal,
    plain_value,
    scores_source,
)
from lexsi_nb.modeling.whatif import WhatIfs, counterfactuals

if TYPE_CHECKING:
    import pandas as pd


class EmbeddedBackend:
    """Trains, scores and explains in this process. Nothing leaves the machine."""

    name = "embedded"
    local = True

    def train(self, frame: Any, spec: TrainSpec, *, tick: Tick = no_tick, cancelled: Cancelled = never) -> Trained:
        """Return a trained model with its quality, audit and cells.

        Raises: BadTarget, BadData, UnknownColumn: what is wrong with the frame and what to do; MissingExtra: a
        library is not installed; Cancelled.
        """
        return training.train(frame, spec, tick=tick, cancelled=cancelled)

    def predict(
        self, trained: Trained, frame: Any, *, frame_name: str = "predict_df", keep: Sequence[str] = (),
        tick: Tick = no_tick, cancelled: Cancelled = never,
    ) -> Predicted:  # fmt: skip
        """Return the rows of `frame` scored, highest first, with the columns `keep`.

        Raises: UnknownColumn: a feature, the entity or a kept column is not there; BadData: no rows.
        """
        data, shape = readable(trained, frame, frame_name, also=keep)
        numbered = trained.entity is None
        entity = trained.entity or "row"
        keep = [c for c in dict.fromkeys(keep) if c != entity]
        taken = [entity, *keep]
        score = free("prediction" if trained.task == "regression" else "probability", taken)
        predicted = free("predicted", taken) if trained.classes else ""
        by_class: list[str] = []
        for label in trained.classes:
            by_class.append(free(f"probability_{label}", [*taken, score, predicted, *by_class]))
        lines, rows = frame_lines(frame_name, frame)
        names = Scoring(
            frame_name, tuple(lines), rows, len(data), free(entity, keep), numbered,
            score, free("rank", [*taken, *by_class]), trained.name("model"), trained.name("predictions"),
            trained.name("quality") if trained.calibrated else "", trained.classes, tuple(by_class), predicted,
            trained.positive if trained.classes else None,
        )  # fmt: skip
        cell = predict_cell(shape, names, keep, sortable=numbered or sortable(data[entity]))
        laps = Laps(-(-len(data) // CHUNK), "scoring", tick, cancelled)
        read = {names.quality: trained.quality.frame} if names.quality else {}
        made = cell.run({**read, frame_name: frame, names.model: trained.model, "range": laps})[names.variable]
        X = training.feature_matrix(data, shape)
        beyond = extrapolations(trained.training, X, gaps=trained.gaps, n_labelled=trained.n_rows)
        warnings = [e.text for e in beyond]
        warnings += unseen(trained, X)
        if not numbered and data[entity].duplicated().any():
            twice = int(data[entity].duplicated(keep=False).sum())
            warnings.append(f"{twice:,} rows of {frame_name} share their {entity} with another row.")
        tick(1, 1, "scoring")
        return Predicted(
            trained.model_id, made, str(names.entity), score, names.rank, cell, frame_name, names.variable,
            tuple(warnings), beyond, predicted, tuple(by_class),
        )  # fmt: skip

    def explain(
        self, trained: Trained, frame: Any, case_ids: Sequence[Any] | None = None, *,
        frame_name: str = "predict_df", top_reasons: int = 3, case_source: tuple[str, Any, int] | None = None,
        tick: Tick = no_tick, cancelled: Cancelled = never,
    ) -> Explained:  # fmt: skip
        """Return exact TreeSHAP attributions of the cases, in the order asked (None: every row of `frame`).

        Contributions add up to the raw score: log-odds of the probability, or the predicted number. With several
        classes they are those of the likeliest class of each case. Parts of a date are summed.

        Raises: UnknownCase: no such id, with the nearest; BadData: an id in several rows; UnknownColumn.
        """
        data, shape = readable(trained, frame, frame_name)
        numbered = trained.entity is None
        entity = trained.entity or "row"
        index = range(len(data))
        column = data[entity] if not numbered else pd_series(index, entity)
        positions = None if case_ids is None else positions_of(column, case_ids, where=frame_name)
        ids = list(index) if positions is None else positions
        picked = [plain_value(column.iloc[i]) for i in ids]
        first = None if positions is None else first_rows(case_source, entity, picked)
        by_id = positions is not None and not numbered and all(map(is_literal, picked)) and len(picked) <= 1000
        lines, rows = frame_lines(frame_name, frame)
        names = Explaining(
            frame_name, tuple(lines), rows, len(ids), free(entity, shape.features), numbered,
            tuple(picked) if by_id else None,
            None if by_id or positions is None else tuple(positions), first,
            free("base_value", [entity, *shape.features]), free("raw_score", [entity, *shape.features]),
            unit_of(trained), trained.name("model"), trained.name("attributions"),
            shap_chunk(*shape.library.size(trained.model)),
            trained.name("quality") if trained.calibrated else "", trained.classes,
            free("explained_class", [entity, *shape.features]) if trained.classes else "",
        )  # fmt: skip
        cell = explain_cell(shape, names)
        laps = Laps(-(-len(ids) // names.chunk), "explaining", tick, cancelled)
        read = {} if first is None or case_source is None else {first[0]: case_source[1]}
        read |= {names.quality: trained.quality.frame} if names.quality else {}
        made = cell.run({**read, frame_name: frame, names.model: trained.model, "range": laps})[names.variable]
        chances = None
        if trained.classes:
            chances = class_chances(trained, shape, data.iloc[ids])
        return explained(trained, data.iloc[ids], made, cell, names, top_reasons, chances)

    def counterfactuals(
        self, trained: Trained, labelled: Any, frame: Any, case_ids: Sequence[Any], **options: Any
    ) -> WhatIfs:  # fmt: skip
        """Return what would have to change for another score. Options and errors: see `whatif.counterfactuals`."""
        return counterfactuals(trained, labelled, frame, case_ids, **options)

    def check(
        self, trained: Trained, held: Any, against: Any, *,
        held_name: str = "already_df", against_name: str = "predict_df",
        tick: Tick = no_tick, cancelled: Cancelled = never,
    ) -> Checked:  # fmt: skip
        """Return the AUC of the scores of `held` (known to be positive) against those of `against`.

        Raises: BadData: a row of either was learned from, a group has fewer than 2 rows, or the model has several
        classes; UnknownColumn.
        """
        if trained.classes:
            raise BadData(
                f"{held_name} cannot check the model.", f"It tells {len(trained.classes)} classes, not two.",
                "Train on a 0/1 column.",
            )  # fmt: skip
        groups = []
        for frame, name in ((held, held_name), (against, against_name)):
            data, shape = readable(trained, frame, name, beside=(held_name, against_name))
            known = 0 if trained.entity is None else int(data[trained.entity].isin(list(trained.train_ids)).sum())
            if known or len(data) < 2:
                raise BadData(
                    f"{name} cannot check the model.",
                    f"{known:,} of its rows were learned from." if known else "It has fewer than 2 rows.",
                    f"Give rows that are not in {trained.frame_name}.",
                )
            lines, rows = frame_lines(name, frame)
            groups.append(Group(name, tuple(lines), rows, len(data)))
        variable = trained.name("check")
        cell = check_cell(shape, held=groups[0], against=groups[1], model=trained.name("model"), variable=variable)
        laps = Laps(2, "checking", tick, cancelled)
        names = {held_name: held, against_name: against, trained.name("model"): trained.model, "range": laps}
        row = cell.run(names)[variable].iloc[0]
        auc, low, high = float(row["AUC"]), float(row["low"]), float(row["high"])
        n_held, n_against = groups[0].n_rows, groups[1].n_rows
        text = (
            f"AUC {auc:.2f} ({low:.2f}-{high:.2f}, 95% DeLong): scores of {n_held:,} rows of {held_name} against "
            f"{n_against:,} of {against_name}, neither learned from"
        )
        return Checked(auc, low, high, "DeLong", n_held, n_against, text, cell, variable)


def unit_of(trained: Trained) -> str:
    """Return the unit of the contributions."""
    if trained.classes:
        return "log-probability of the likeliest class before scaling"
    return "log-odds" if trained.task == "classification" else f"units of {trained.target}"


def class_chances(trained: Trained, shape: Shape, rows: Any) -> Any:
    """Return the probability of the likeliest class, a row."""
    score = scores_source(shape, "model", "rows", len(rows))
    source = [*imports(shape, "numpy", use="score"), *inputs_source(shape, model="model"), f"p = {score}.max(axis=1)"]
    cell = CodeCell("\n".join(source), title="probability of the likeliest class", produces=("p",))
    return cell.run({"rows": rows, "model": trained.model})["p"]


def explained(
    trained: Trained, rows: Any, made: Any, cell: Any, names: Explaining, top: int, chances: Any = None
) -> Explained:
    """Return the attributions frame with reasons a case and importance. chances: scores of several classes."""
    import numpy as np

    contributions = made[list(trained.features)].to_numpy()
    raw, base = made[names.raw].to_numpy(), made[names.base].to_numpy()
    score = 1 / (1 + np.exp(-raw)) if trained.task == "classification" else raw if chances is None else chances
    values = rows[list(trained.features)]
    cases = reasons(made[names.entity].tolist(), values, contributions, base, raw, score, top=top)
    if names.explained_class:
        cases = tuple(
            replace(c, predicted=p) for c, p in zip(cases, made[names.explained_class].tolist(), strict=False)
        )
    mean = np.abs(contributions).mean(axis=0)
    order = np.argsort(-mean, kind="stable")
    importance = tuple((str(trained.features[i]), float(mean[i])) for i in order)
    return Explained(
        trained.model_id, made, str(names.entity), names.base, names.raw, names.unit, cases, importance, cell,
        names.frame_name, names.variable, class_column=names.explained_class,
    )  # fmt: skip


def unseen(trained: Trained, X: Any) -> list[str]:
    """Return a warning for each word feature with values that training had not; they count as missing."""
    out = []
    for column, known in trained.categories.items():
        values = X[column]
        new = [c for c in values.cat.categories if c not in set(known)]
        n = int(values.isin(new).sum()) if new else 0
        if n:
            shown = ", ".join(repr(str(c)) for c in new[:3]) + (", ..." if len(new) > 3 else "")
            out.append(f"{n:,} of {len(X):,} rows to score have a {column} not learned from ({shown}): read as gaps.")
    return out


def sortable(ids: Any) -> bool:
    """Return whether ids can be put in order: not where text and numbers are mixed."""
    try:
        ids.drop_duplicates().sort_values()
    except TypeError:
        return False
    return True


def shap_chunk(trees: int, leaves: int) -> int:
    """Return rows a SHAP call so that it takes well under a second: cost grows with trees, leaves and depth."""
    return max(100, min(CHUNK, 20_000_000 // (max(1, trees) * leaves * leaves)))


def first_rows(source: tuple[str, Any, int] | None, entity: str, ids: Sequence[Any]) -> tuple[str, Any, int] | None:
    """Return (variable, column, k) when the first k rows of the source's frame hold just these ids, else None."""
    if source is None:
        return None
    variable, frame, k = source
    column = entity if entity in frame.columns else frame.columns[0]
    head = [plain_value(v) for v in frame[column].head(k).tolist()]
    return (variable, column, k) if head == list(ids) else None


def pd_series(values: Any, name: str) -> pd.Series:
    """Return row numbers as a column of ids."""
    import pandas as pd

    return pd.Series(values, name=name)
