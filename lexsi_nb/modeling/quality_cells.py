"""The quality cell: repeated cross-validation, its interval, baselines, calibration, lift and an out-of-time check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling import quality_sources as sources
from lexsi_nb.modeling.cells import Labelled
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import Shape, dict_source, imports, indented, inputs_source, literal

COLUMNS = '["measure", "value", "baseline", "sd", "low", "high", "rows", "cases"]'
THIRDS = '["lowest", "middle", "highest"]'


@dataclass(frozen=True)
class TimeSplit:
    """`later`: the expression, a bool a labelled row; None where there is no check and `text` says why."""

    text: str
    later: str | None = None
    cut: str = ""


@dataclass(frozen=True)
class Plan:
    """What a quality cell measures.

    `baseline`: a logistic (or linear) regression beside the model. `calibrate`: Platt scaling. `detail`: lift and the
    out-of-fold scores, bound to `out_of_fold`. `tenths`: reliability by tenths, else by thirds. `classes`: the names
    of more than two classes. `entity`: the column that the out-of-fold scores are told apart by.
    """

    task: str
    seed: int
    time: TimeSplit
    baseline: bool = True
    calibrate: bool = False
    detail: bool = False
    tenths: bool = False
    classes: tuple[Any, ...] = ()
    entity: Any = None
    out_of_fold: str = "out_of_fold"

    def laps(self, settings: Settings) -> int:
        """Return how often the loops of the cell go round."""
        runs = 1 + self.baseline + (self.task == "regression")
        return runs * settings.repeats * (settings.folds + 1) + (200 if self.task == "regression" else 0)


def quality_cell(
    shape: Shape, labelled: Labelled, settings: Settings, plan: Plan, *, model: str, variable: str
) -> CodeCell:
    """Return the cell that measures the model's settings on rows that each fit has not seen."""
    again = shape.library.again_source(model, dict_source(settings.params))
    measured = numbers_source(labelled, settings, plan) if plan.task == "regression" else (
        classes_source(labelled, settings, plan))  # fmt: skip
    functions, body = measured
    after = [f", {a}" for a, there in (("groups", labelled.groups), ("later", plan.time.later)) if there]
    spread = f"{variable}, {plan.out_of_fold}" if plan.detail else variable
    source = [
        *imports(shape, "numpy", "pandas", use="again"),
        *inputs_source(shape),
        *functions,
        "def unseen_scores(X, y, test):",
        f'    """Return the scores of the test rows by a fit on the others, with the settings of {model}."""',
        *indented("\n".join(again).split("\n")),
        "",
        "",
        validated_source(labelled, settings, plan),
        "",
        f"def quality_of(X, y{''.join(after)}):",
        '    """Return a row a measure: the mean over the repeats, its baseline, its spread, the 95 % interval."""',
        f"    scores = cross_validated(X, y, unseen_scores{', groups' if labelled.groups else ''})",
        body.rstrip("\n"),
        *([] if plan.time.later else [f"    # No out-of-time check: {plan.time.text}."]),
        *returned(plan),
        "",
        "",
        f"# The settings of {model} on rows it has not seen: cross-validation, repeated with other splits.",
        *labelled.lines,
        f"{spread} = quality_of(",
        f"    {shape.inputs(labelled.rows)},",
        f"    {labelled.y},",
        *([f"    groups={labelled.groups},"] if labelled.groups else []),
        *([f"    later={plan.time.later},"] if plan.time.later else []),
        ")",
    ]
    if plan.detail and plan.entity is not None:
        entity = literal(plan.entity)
        source.append(f"{plan.out_of_fold}.insert(0, {entity}, {labelled.rows}[{entity}].to_numpy())")
    return CodeCell(
        "\n".join(source) + "\n", title="Quality on unseen rows", kind="quality",
        requires=(labelled.frame_name, model),
        produces=(variable, plan.out_of_fold) if plan.detail else (variable,),
    )  # fmt: skip


def returned(plan: Plan) -> list[str]:
    """Return the lines that end `quality_of`."""
    frame = f"pd.DataFrame(table, columns={COLUMNS})"
    if not plan.detail:
        return [f"    return {frame}"]
    return ['    unseen = pd.DataFrame({"outcome": y, "score": mean_score})', f"    return {frame}, unseen"]


def validated_source(labelled: Labelled, settings: Settings, plan: Plan) -> str:
    """Return the function that scores each row by fits that have not seen it."""
    grouped = bool(labelled.groups)
    regress = plan.task == "regression"
    if regress and grouped:
        fold = "        fold = (rng.permutation(groups.max() + 1) % folds)[groups]"
    elif regress:
        fold = "        fold = rng.permutation(len(y)) % folds"
    else:
        fold = sources.STRATIFIED_GROUPS if grouped else sources.STRATIFIED
    labels = "    label_of = pd.Series(y).groupby(groups).max().to_numpy()  # the groups are told apart by it\n"
    classes = f", {len(plan.classes)}" if plan.classes else ""
    return sources.CROSS_VALIDATED.format(
        args=", groups" if grouped else "", splits=f"splits are {'random' if regress else 'stratified'}",
        note=f"    # {labelled.together} stay together.\n" if grouped else "",
        folds=settings.folds, repeats=settings.repeats, seed=plan.seed, fold=fold,
        empty=f"np.zeros((repeats, len(y){classes}))", labels=labels if grouped and not regress else "",
    )  # fmt: skip


def classes_source(labelled: Labelled, settings: Settings, plan: Plan) -> tuple[list[str], str]:
    """Return (the functions that measure a classification, the body of `quality_of`)."""
    several = bool(plan.classes)
    metric = "macro AUC" if several else "AUC"
    groups = ", groups" if labelled.groups else ""
    half = sources.HALF.format(
        groups=groups, together=f", {labelled.together} together" if groups else "",
        total="moves = np.array([np.bincount(groups, row) for row in np.atleast_2d(moves)])\n    " if groups else "",
    )  # fmt: skip
    functions = [sources.MACRO_AUC_MOVES if several else sources.AUC_MOVES, "", half, ""]
    measures = "value, log_loss, right" if several else "value, log_loss, brier"
    fill = {"groups": groups, "spread": spread(measures, 3, settings.repeats)}
    fill |= {"classes": literal(list(plan.classes))} if several else {}
    body = (sources.CLASSES if several else sources.CLASSIFY).format(**fill)
    if plan.baseline:
        functions += [sources.DESIGN, "", sources.LOGISTIC + sources.LOGISTIC_CLASSES * several, ""]
        body += sources.BESIDE.format(
            simple="logistic regression", design="design_of(X)", metric=metric, groups=groups, groups_arg=groups,
            fit="logistic_class_scores" if several else "logistic_scores",
        )  # fmt: skip
    if plan.calibrate:
        functions += [sources.PLATT, ""]
        halves = f"np.random.default_rng({plan.seed}).permutation(len(y))"
        if groups:
            halves = f"np.random.default_rng({plan.seed}).permutation(groups.max() + 1)[groups]"
        body += sources.CALIBRATE.format(halves=halves)
    if not several:
        body += reliability_source(plan)
    body += sources.LIFT if plan.detail else ""
    if plan.time.later:
        later_groups = ", pd.factorize(groups[later])[0]" if groups else ""
        cases = "nan" if several else "y[later].sum()"
        body += sources.CLASSIFY_TIME.format(later_groups=later_groups, metric=metric, later_cases=cases)
    return functions, body


def reliability_source(plan: Plan) -> str:
    """Return the lines that put scores beside observed rates."""
    names, row = (THIRDS, "{name} third") if not plan.tenths else ("np.arange(1, 11)", "tenth {name}")
    return sources.RELIABILITY.format(
        part="tenth" if plan.tenths else "third", scores="fitted" if plan.calibrate else "scores", names=names,
        row=("mean calibrated score, " if plan.calibrate else "mean score, ") + row,
    )  # fmt: skip


def numbers_source(labelled: Labelled, settings: Settings, plan: Plan) -> tuple[list[str], str]:
    """Return (the functions that measure a regression, the body of `quality_of`)."""
    groups = ", groups" if labelled.groups else ""
    functions = [sources.R2, ""]
    linear = ""
    if plan.baseline:
        functions += [sources.DESIGN, "", sources.LINEAR, ""]
        linear = (
            "    # Beside it a linear regression on the same splits.\n"
            f"    linear = cross_validated(design_of(X), y, linear_scores{groups})\n"
            "    plain = r2_about(y, linear, means)\n"
        )
    if groups:
        draw = (
            "        drawn = rng.integers(0, groups.max() + 1, groups.max() + 1)\n"
            "        weight = np.bincount(drawn, minlength=groups.max() + 1)"
        )
        r2 = "r2_about(y, {0}, means, weight[groups]).mean()"
    else:
        draw = "        rows = rng.integers(0, len(y), len(y))"
        r2 = "r2_about(y[rows], {0}[:, rows], means[:, rows]).mean()"
    if plan.baseline:
        draw += f"\n        ours, theirs = {r2.format('scores')}, {r2.format('linear')}"
        drawn = "ours, theirs, ours - theirs"
    else:
        drawn = r2.format("scores")
    body = sources.REGRESS.format(
        groups_arg=groups, linear=linear, seed=plan.seed, draw=draw, drawn=drawn,
        units=labelled.together if groups else "rows", spread=spread("each, error", 2, settings.repeats),
    )  # fmt: skip
    body += sources.REGRESS_BESIDE if plan.baseline else ""
    body += sources.REGRESS_TIME if plan.time.later else ""
    return functions, body


def spread(measures: str, n: int, repeats: int) -> str:
    """Return the expression for the spread of each measure over the repeats; one repeat has none."""
    return f"np.std([{measures}], axis=1, ddof=1)" if repeats > 1 else f"[nan] * {n}"
