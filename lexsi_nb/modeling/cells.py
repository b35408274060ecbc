"""The train, predict, explain and check cells: plain pandas, numpy and lightgbm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import (
    Shape,
    dict_source,
    literal,
    literals,
    matrix_source,
    names_source,
    scores_source,
    uses_numpy,
)

AUC_SOURCE = '''\
def auc(y, score):
    """Return the area under the ROC curve and its variance (DeLong et al. 1988), by mid-ranks."""
    bad, good = pd.Series(score[y == 1]), pd.Series(score[y == 0])
    rank = pd.concat([bad, good]).rank().to_numpy()
    bad_above = (rank[: len(bad)] - bad.rank()) / len(good)
    good_below = 1 - (rank[len(bad) :] - good.rank()) / len(bad)
    return bad_above.mean(), bad_above.var() / len(bad) + good_below.var() / len(good)
'''


@dataclass(frozen=True)
class Labelled:
    """How the labelled rows are written: lines that prepare them, the frame expression and the one for y."""

    frame_name: str
    lines: tuple[str, ...]
    rows: str
    y: str


def imports(*, lightgbm: bool = False, numpy: bool = False, pandas: bool = False) -> list[str]:
    """Return the import lines and a blank one."""
    lines = ["import lightgbm as lgb"] * lightgbm + ["import numpy as np"] * numpy + ["import pandas as pd"] * pandas
    return [*lines, ""] if lines else []


def train_cell(shape: Shape, labelled: Labelled, settings: Settings, *, model: str, target: str) -> CodeCell:
    """Return the cell that learns `model` from all labelled rows."""
    source = [
        *imports(lightgbm=True, numpy=uses_numpy(shape) or any("np." in x for x in labelled.lines)),
        f"# Learn {target} from {labelled.frame_name}: numbers as they are, words as categories, gaps left as gaps.",
        *names_source(shape),
        *labelled.lines,
        *matrix_source(shape, labelled.rows),
        f"y = {labelled.y}",
        "",
        f"# {settings.why}",
        f"params = {dict_source(settings.params)}",
        f"{model} = lgb.train(params, lgb.Dataset({shape.matrix}, y), num_boost_round={settings.rounds})",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Train on {labelled.frame_name}", kind="model",
        requires=(labelled.frame_name,), produces=(model,),
    )  # fmt: skip


@dataclass(frozen=True)
class Scoring:
    """Names of a prediction: frame, entity, columns made, model and result variables."""

    frame_name: str
    rows: str
    n_rows: int
    entity: Any
    row_number: bool  # there is no entity: the row's number stands in
    score: str
    rank: str
    model: str
    variable: str


def predict_cell(shape: Shape, names: Scoring, keep: Sequence[Any], *, sortable: bool) -> CodeCell:
    """Return the cell that scores every row of a frame, highest first."""
    n = names
    score = scores_source(shape, n.model, "", n.n_rows)
    entity, column = literal(n.entity), literal(n.score)
    kept = literals(list(keep) if n.row_number else [n.entity, *keep])
    by = (
        f"[{column}, {entity}], ascending=[False, True]" if sortable
        else f"{column}, ascending=False, kind=\"stable\""
    )  # fmt: skip
    ties = f"ties in {n.entity} order" if sortable else "ties as they stand"
    source = [
        *imports(numpy=uses_numpy(shape) or "np." in score),
        f"# Score the rows of {n.frame_name}, highest first; {ties}.",
        *names_source(shape),
        *matrix_source(shape, n.rows),
        f"{n.variable} = {n.rows}{'[' + kept + ']'}.copy()",
        *([f"{n.variable}.insert(0, {entity}, list(range(len({n.variable}))))"] if n.row_number else []),
        f"{n.variable}[{column}] = {score}",
        f"{n.variable} = {n.variable}.sort_values({by}, ignore_index=True)",
        f"{n.variable}[{literal(n.rank)}] = {n.variable}.index + 1",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Score {n.frame_name}", kind="prediction",
        requires=(n.frame_name, n.model), produces=(n.variable,),
    )  # fmt: skip


@dataclass(frozen=True)
class Explaining:
    """Names of an explanation, and the cases: ids, or row numbers where an id has no literal, or None for all."""

    frame_name: str
    rows: str
    n_cases: int
    entity: Any
    row_number: bool
    ids: tuple[Any, ...] | None
    positions: tuple[int, ...] | None
    base: str
    raw: str
    unit: str
    model: str
    variable: str
    chunk: int


def explain_cell(shape: Shape, names: Explaining) -> CodeCell:
    """Return the cell that computes exact TreeSHAP contributions of the chosen rows."""
    n = names
    if n.ids is not None:
        pick = [f"case_ids = {literals(n.ids)}",
                f"cases = {n.rows}.set_index({literal(n.entity)}, drop=False).loc[case_ids]"]  # fmt: skip
        ids = "case_ids"
    elif n.positions is not None:
        pick = [f"rows = {literals(n.positions)}", f"cases = {n.rows}.iloc[rows]"]
        ids = "rows" if n.row_number else f"cases[{literal(n.entity)}].to_numpy()"
    else:
        pick = [f"cases = {n.rows}"]
        ids = "list(range(len(cases)))" if n.row_number else f"cases[{literal(n.entity)}].to_numpy()"
    contributions = scores_source(shape, n.model, ", pred_contrib=True", n.n_cases, chunk=n.chunk)
    raw = scores_source(shape, n.model, ", raw_score=True", n.n_cases)
    source = [
        *imports(numpy=True, pandas=True),
        f"# Exact SHAP values, in {n.unit}: base value + contributions = raw score of the model.",
        *names_source(shape),
        *pick,
        *matrix_source(shape, "cases"),
        f"contributions = {contributions}",
        f"raw_score = {raw}",
        "assert np.allclose(contributions.sum(axis=1), raw_score, rtol=1e-6, atol=1e-6)",
        "",
        f"{n.variable} = pd.DataFrame(contributions[:, :-1], columns=features)",
        f"{n.variable}.insert(0, {literal(n.entity)}, {ids})",
        f"{n.variable}.insert(1, {literal(n.base)}, contributions[:, -1])",
        f"{n.variable}[{literal(n.raw)}] = raw_score",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Explain {n.n_cases:,} rows of {n.frame_name}", kind="explanation",
        requires=(n.frame_name, n.model), produces=(n.variable,),
    )  # fmt: skip


def check_cell(
    shape: Shape, *, held: tuple[str, str, int], against: tuple[str, str, int], model: str, variable: str
) -> CodeCell:
    """Return the cell that measures how well scores tell two held-back groups apart.

    held, against: (variable, frame expression, rows).
    """
    lines = []
    for name, (_, rows, n_rows) in (("held", held), ("against", against)):
        lines += [*matrix_source(shape, rows), f"{name} = {scores_source(shape, model, '', n_rows)}"]
    source = [
        *imports(numpy=True, pandas=True),
        "",
        AUC_SOURCE,
        "",
        f"# A check on cases that were not learned from: do the rows of {held[0]} score above those of {against[0]}?",
        *names_source(shape),
        *lines,
        "value, variance = auc(np.repeat([1, 0], [len(held), len(against)]), np.concatenate([held, against]))",
        "half = 1.96 * np.sqrt(variance)",
        f"{variable} = pd.DataFrame(",
        '    {"AUC": [value], "low": [max(0, value - half)], "high": [min(1, value + half)],',
        f"     {literal('rows of ' + held[0])}: len(held), {literal('rows of ' + against[0])}: len(against)}}",
        ")",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Check on {held[0]}", kind="quality",
        requires=(held[0], against[0], model), produces=(variable,),
    )  # fmt: skip
