"""The rows to score by the plain logistic regression that is fitted beside the trees, where it ranks better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling import quality_sources as sources
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.readable import readable
from lexsi_nb.modeling.source import (
    frame_lines,
    free,
    imports,
    indented,
    inputs_source,
    literal,
    literals,
    target_source,
)

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Trained

SCORES = "regression_scores"


@dataclass(frozen=True)
class RegressionScores:
    """The rows with their probability by the regression, highest first, and the cell that makes them."""

    frame: Any
    cell: CodeCell
    variable: str


def is_wanted(trained: Trained) -> bool:
    """Whether a regression ranks better than the trees, and can be fitted from their features and rows."""
    beside = trained.quality.beside
    return trained.task == "classification" and beside is not None and beside.is_better


def regression_scores(
    trained: Trained, labelled: Any, frame: Any, *, frame_name: str, variable: str
) -> RegressionScores:
    """Return the rows of `frame` scored by a logistic regression on the rows that the trees learned from.

    It is the one whose quality stands beside theirs: the same inputs, standardised, with a ridge of 1.
    """
    shape = readable(trained, frame, frame_name, beside=(trained.frame_name, variable))[1]
    lines, opened = frame_lines(frame_name, frame)
    more, known = frame_lines(trained.frame_name, labelled)
    lines += [line for line in more if line not in lines]
    values = as_pandas(labelled)[trained.target]
    dropped, known, y = target_source(
        known, trained.target, values, trained.positive, complete=bool(values.notna().all()),
        known=free(f"{trained.frame_name}_known", shape.taken),
    )  # fmt: skip
    read = literals([*shape.features, *([shape.moment] if shape.moment is not None else [])])
    entity = trained.entity
    ids = "np.arange(len(opened))" if entity is None else f"opened[{literal(entity)}].to_numpy()"
    source = [
        *imports(shape, "numpy", "pandas"),
        *inputs_source(shape),
        sources.DESIGN,
        "",
        sources.LOGISTIC,
        "",
        "def scored_by_regression(known, y, opened):",
        '    """Return the opened rows with their probability by a logistic regression on the known ones."""',
        *indented(f"read = {read}".split("\n")),
        "    rows = pd.concat([known[read], opened[read]], ignore_index=True)",
        "    open_ = np.arange(len(rows)) >= len(known)",
        "    outcome = np.concatenate([y, np.zeros(len(opened))])",
        f"    log_odds = logistic_scores(design_of({shape.inputs('rows')}), outcome, open_)",
        f"    scores = pd.DataFrame({{{literal(entity or 'row')}: {ids}}})",
        '    scores["probability"] = 1 / (1 + np.exp(-log_odds))',
        '    return scores.sort_values("probability", ascending=False, kind="stable", ignore_index=True)',
        "",
        "",
        f"# The rows of {frame_name} by a logistic regression on {trained.frame_name}, as in the quality of the trees.",
        *lines,
        *dropped,
        f"{variable} = scored_by_regression({known}, {y}, {opened})",
    ]
    cell = CodeCell(
        "\n".join(source) + "\n",
        title=f"Score {frame_name} by a logistic regression",
        kind="prediction",
        requires=(trained.frame_name, frame_name),
        produces=(variable,),
    )
    made = cell.run({trained.frame_name: labelled, frame_name: frame})[variable]
    return RegressionScores(made, cell, variable)
