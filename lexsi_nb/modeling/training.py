"""From a labelled frame to a trained model: audit, train cell, quality cell."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData, Cancelled
from lexsi_nb.modeling.audit import audit
from lexsi_nb.modeling.backend import NAMES, TOO_FEW, Quality, Task, Tick, Trained, TrainSpec
from lexsi_nb.modeling.backend import Cancelled as Poll
from lexsi_nb.modeling.cells import Labelled, train_cell
from lexsi_nb.modeling.columns import Columns, as_pandas, require, split_columns
from lexsi_nb.modeling.deadline import deadline
from lexsi_nb.modeling.groups import Groups, groups_of
from lexsi_nb.modeling.laps import Laps
from lexsi_nb.modeling.leaks import days_of, later_than
from lexsi_nb.modeling.libraries.library import Library, library_of
from lexsi_nb.modeling.quality import WIDE, read_quality, split_by_time
from lexsi_nb.modeling.quality_cells import Plan, TimeSplit, quality_cell
from lexsi_nb.modeling.settings import Settings, settings_for
from lexsi_nb.modeling.source import Shape, frame_lines, free, imports, inputs_source, list_lines, target_source
from lexsi_nb.modeling.target import Target, read_target

if TYPE_CHECKING:
    import pandas as pd

CALIBRATED_FROM = 200  # cases of the rarer class: two numbers fitted on fewer would move the scores by their own noise
DETAIL_FROM = 50  # cases from which lift and thresholds say something
BASELINE_INPUTS = 200  # columns, words counted by their values, up to which a plain regression is fitted beside


def train(frame: Any, spec: TrainSpec, *, tick: Tick, cancelled: Poll) -> Trained:
    """Return the model, its quality and its cells. Raises: as `Backend.train`."""
    with deadline(spec.time_limit):
        return train_now(frame, spec, tick=tick, cancelled=cancelled)


def train_now(frame: Any, spec: TrainSpec, *, tick: Tick, cancelled: Poll) -> Trained:
    """Return the same, with all the time it takes."""
    library = library_of(spec.model_type)
    module = library.load()
    tick(0, 100, "reading the columns")
    data: Any = as_pandas(frame)
    named = [c for c in (spec.target, spec.entity, spec.time_column) if c is not None]
    require(data, [*named, *(spec.features or ())], where=spec.frame_name)
    lines, expression = frame_lines(spec.frame_name, frame)
    if spec.sample_percentage is not None:
        data, lines, expression = sampled(data, spec, lines, expression)
    target = read_target(data, spec)
    task: Task = "multiclass" if target.classes else spec.task
    usable = data if target.usable.all() else data[target.usable]
    columns, shape, X, noted = choose(usable, target, task, spec, cancelled, library)
    n_cases = len(target.y) if task == "regression" else int(np_counts(target.y).min())
    settings = settings_for(
        library, task=task, n_rows=len(target.y), n_features=len(shape.inputs_by_feature), n_cases=n_cases,
        seed=spec.seed, repeats=spec.repeats, classes=len(target.classes),
    )  # fmt: skip
    labelled, groups = written(shape, data, usable, target, spec, settings, (lines, expression), task)
    n_rarest = n_cases
    if labelled.groups and task != "regression":
        n_rarest = groups.rarest(target.y)
        settings = replace(settings, folds=max(2, min(settings.folds, n_rarest)))

    tick(5, 100, "training")
    fit = train_cell(shape, labelled, settings, model=spec.name("model"), target=spec.target)
    model = fit.run({spec.frame_name: frame})[spec.name("model")]
    time = split_by_time(usable, spec.time_column, target.y, expression=labelled.rows, task=task)
    plan = planned(shape, X, spec, target, task, time, n_cases)
    check = quality_cell(shape, labelled, settings, plan, model=spec.name("model"), variable=spec.name("quality"))
    laps = Laps(
        plan.laps(settings), "cross-validating",
        lambda done, of, stage: tick(20 + 80 * done // of, 100, stage), cancelled,
    )  # fmt: skip
    made = check.run({spec.frame_name: frame, spec.name("model"): model, "range": laps})
    tick(100, 100, "cross-validating")
    n_positive = target.n_positive if task == "classification" else None
    quality = read_quality(
        made[spec.name("quality")], time, settings, task=task, n_rows=len(target.y), n_positive=n_positive,
        n_rarest=n_rarest, together=labelled.together,
    )  # fmt: skip

    digest = hashlib.sha256(fit.source.encode() + library.content(model)).hexdigest()
    ids = usable[spec.entity].dropna().tolist() if spec.entity is not None else []
    return Trained(
        model_id=f"{library.model_type}_{digest[:6]}", model=model, features=columns.features,
        categories=dict(zip(columns.words, map(tuple, library.categories(model)), strict=True)),
        task=task, target=spec.target, entity=spec.entity, positive=target.positive, left_out=columns.left_out,
        warnings=(*few_cases(quality, n_cases), *target.warnings, *groups.warnings, *noted),
        quality=quality, card=card(spec, library, module, columns, quality, settings, library.rounds(model), target),
        cells=(fit, check), frame_name=spec.frame_name, n_rows=len(target.y), n_positive=n_positive,
        names=dict(spec.names),
        training={i: X[i].to_numpy() for i, c in shape.inputs_by_feature if c not in shape.words},
        gaps={c: int(X[c].isna().sum()) for c in columns.words},
        train_ids=frozenset(ids), model_type=library.model_type, classes=target.classes, dates=shape.dates,
        moment=shape.moment, out_of_fold=made.get(spec.name("out_of_fold")), model_name=spec.model_name,
    )  # fmt: skip


def np_counts(y: Any) -> Any:
    """Return how many rows each class has."""
    import numpy as np

    return np.bincount(y)


def written(
    shape: Shape, data: Any, usable: Any, target: Target, spec: TrainSpec, settings: Settings,
    source: tuple[list[str], str], task: Task,
) -> tuple[Labelled, Groups]:  # fmt: skip
    """Return how the cells write the labelled rows, and which of the rows belong together."""
    lines, expression = source
    classes = shape.name("model_classes") if target.classes else ""
    known, rows, y_source = target_source(
        expression, spec.target, data[spec.target], target.positive, complete=bool(target.usable.all()),
        known=free(f"{spec.frame_name}_known", shape.taken), classes=classes,
    )  # fmt: skip
    listed = list_lines(classes, target.classes) if classes else []
    groups = groups_of(usable, target.y, entity=spec.entity, rows=rows)
    if groups.source and task != "regression" and groups.rarest(target.y) < 2:
        groups = Groups(
            warnings=(f"{groups.warnings[0].partition(':')[0]}: quality is too good where they are alike.",)
        )
    labelled = Labelled(
        spec.frame_name, (*lines, *known, *listed), rows, y_source, groups=groups.source, together=groups.together
    )
    if settings.patience:
        labelled = held_out(labelled, usable, groups, target, spec, task)
    return labelled, groups


def held_out(
    labelled: Labelled, usable: Any, groups: Groups, target: Target, spec: TrainSpec, task: Task
) -> Labelled:  # fmt: skip
    """Return the same with the rows that early stopping holds out: the latest fifth, a fifth of the groups or rows."""
    import numpy as np

    time = split_by_time(usable, spec.time_column, target.y, expression=labelled.rows, task=task, share=0.2)
    if time.later:
        later = CodeCell(f"import pandas as pd\nlater = {time.later}", produces=("later",)).run(
            {labelled.rows: usable}
        )["later"]
        apart = bool(labelled.groups)
        if apart:  # where nearly every group goes on into the later rows, nothing would be left to learn from
            apart = (~np.isin(groups.codes, groups.codes[later]) & ~later).sum() >= 0.5 * (~later).sum()
        text = f"the rows later than {time.cut}" + (f", and {labelled.together} with them" if apart else "")
        return replace(labelled, held=time.later, held_text=text, apart=apart)
    if labelled.groups:
        text = f"every fifth of the groups ({labelled.together})"
        return replace(labelled, held=f"{labelled.groups} % 5 == 0", held_text=text)
    held = f"np.random.default_rng({spec.seed}).random(len({labelled.rows})) < 0.2"
    return replace(labelled, held=held, held_text="a fifth of the rows, drawn at random")


def planned(
    shape: Shape, X: pd.DataFrame, spec: TrainSpec, target: Target, task: Task, time: TimeSplit, n_cases: int
) -> Plan:  # fmt: skip
    """Return what the quality cell measures. Rules: see CALIBRATED_FROM, DETAIL_FROM and BASELINE_INPUTS."""
    inputs = sum(len(X[c].cat.categories) if c in shape.words else 1 for c, _ in shape.inputs_by_feature)
    two = task == "classification"
    least = {None: CALIBRATED_FROM, True: DETAIL_FROM}.get(spec.calibrate, float("inf"))
    return Plan(
        task, spec.seed, time, baseline=inputs <= BASELINE_INPUTS, calibrate=two and n_cases >= least,
        detail=two and n_cases >= DETAIL_FROM, tenths=two and n_cases >= CALIBRATED_FROM, classes=target.classes,
        entity=spec.entity, out_of_fold=spec.name("out_of_fold"),
    )  # fmt: skip


def sampled(data: Any, spec: TrainSpec, lines: list[str], expression: str) -> tuple[Any, list[str], str]:
    """Return (the sampled rows, the lines with the one that samples them, the sample's name). Raises: BadData."""
    percent = float(spec.sample_percentage or 0)
    if not 0 < percent <= 100:
        raise BadData(
            f"Cannot train on {percent:g} percent of {spec.frame_name}.",
            "A share of the rows is above 0 and at most 100.",
            "Leave sample_percentage out for all rows.",
        )
    name = f"{spec.frame_name}_sample"
    drawn = f"{name} = {expression}.sample(frac={percent / 100!r}, random_state={spec.seed})"
    return data.sample(frac=percent / 100, random_state=spec.seed), [*lines, drawn], name


def choose(
    usable: Any, target: Target, task: Task, spec: TrainSpec, cancelled: Poll, library: Library
) -> tuple[Columns, Shape, Any, tuple[str, ...]]:
    """Return the columns after the audit, their shape, the matrix of the inputs, and warnings.

    Raises: BadData: no column is left, with each reason.
    """
    reasons: dict[Any, str] = {}
    if spec.time_column is not None:
        reasons[spec.time_column] = "the date of the case; used only for the time split"
    reasons |= {**spec.exclude, spec.target: ""}
    if spec.entity is not None:
        reasons[spec.entity] = ""
    reasons |= later_than(usable, spec.time_column, reasons)
    moment = spec.time_column
    if moment is not None and (usable[moment].dtype.kind in "iufb" or days_of(usable[moment]) is None):
        moment = None
    taken = frozenset({spec.frame_name, *(spec.name(role) for role in NAMES)})
    columns = split_columns(usable, not_features=reasons, features=spec.features, dates=spec.dates)
    shape = shaped(columns, library, taken, moment)
    noted: tuple[str, ...] = ()
    X = usable[[]]
    if columns.features:
        X = feature_matrix(usable, shape)
        found = audit(X, target.y, shape, task=task, target=spec.target, cancelled=cancelled)
        noted = found.warnings
        if found.drop:
            columns = columns.without(found.drop)
            shape = shaped(columns, library, taken, moment)
            X = feature_matrix(usable, shape) if columns.features else usable[[]]
    if cancelled():
        raise Cancelled("Stopped before training.")
    if not columns.features:
        why = "; ".join(f"{c}: {reason}" for c, reason in columns.left_out[:8]) or "there is no other column"
        raise BadData(
            f"No column of {spec.frame_name} can be learned from.", f"Left out: {why}.", "Add columns to its query."
        )
    return columns, shape, X, noted


def shaped(columns: Columns, library: Library, taken: frozenset[str], moment: Any) -> Shape:
    """Return the shape of these columns; `moment` counts only where there are dates."""
    return Shape(columns.features, columns.words, library, taken, columns.dates, moment if columns.dates else None)


def feature_matrix(frame: pd.DataFrame, shape: Shape) -> pd.DataFrame:
    """Return the inputs as the cells make them, under readable names: numbers, date parts float64, words category."""
    source = [*imports(shape), *inputs_source(shape), f"X = {shape.inputs('frame')}"]
    X = CodeCell("\n".join(source), title="features", produces=("X",)).run({"frame": frame})["X"]
    X.columns = [name for name, _ in shape.inputs_by_feature]
    return X


def few_cases(quality: Quality, n_rarest: int) -> tuple[str, ...]:
    """Return the warning that the model rests on few cases, if it does."""
    if quality.enough:
        return ()
    half = (quality.high - quality.low) / 2
    cases = f"{quality.n_rows:,} rows"
    if quality.task == "classification":
        cases = f"{n_rarest:,} cases among {cases}"
    elif quality.task == "multiclass":
        cases = f"{cases}, {n_rarest:,} of the rarest class"
    if half < WIDE:  # a handful of rows can give an interval that looks narrow
        return (f"Learned from {cases}: {TOO_FEW}.",)
    return (f"Learned from {cases}: the {quality.metric} is known to about {half:.2f} to either side only.",)


def card(
    spec: TrainSpec, library: Library, module: Any, columns: Columns, quality: Quality, settings: Settings,
    rounds: int, target: Target,
) -> dict[str, Any]:  # fmt: skip
    """Return the model card: how it was made and how good it is, plain values only."""
    facts: dict[str, Any] = {"model_name": spec.model_name} if spec.model_name else {}
    facts |= {
        "model_type": library.model_type, "library": f"{library.module} {module.__version__}", "task": quality.task,
        "target": spec.target, "entity": spec.entity, "frame": spec.frame_name, "seed": spec.seed,
        "rows": quality.n_rows, "positives": quality.n_positive, "features": [str(c) for c in columns.features],
        "left_out": dict(columns.left_out), "params": dict(settings.params), "rounds": rounds,
        "quality": quality.text, "headline": quality.headline, "out_of_time": quality.out_of_time.text,
        "calibration": quality.calibration,
    }  # fmt: skip
    if target.classes:
        facts["classes"] = {str(c): int(n) for c, n in zip(target.classes, np_counts(target.y), strict=True)}
    if quality.n_positive is not None:
        facts["prevalence"] = f"{quality.n_positive / quality.n_rows:.1%}; classes are not re-weighted"
    if quality.beside is not None:
        facts["beside"] = quality.beside.text
    if quality.by_class:
        facts["by_class"] = quality.by_class
    if quality.lift:
        facts["lift"] = lift_text(quality)
    return facts


def lift_text(quality: Quality) -> str:
    """Return `top 10 % of the rows: 3.1 times the base rate, 62 of 200 cases`, a clause a share."""
    return "; ".join(
        f"top {share} % of the rows: {lift:.1f} times the base rate, {cases:,} of {quality.n_positive:,} cases"
        for share, lift, _, cases in quality.lift
    )
