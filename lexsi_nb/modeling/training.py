"""From a labelled frame to a trained model: audit, train cell, quality cell."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData, Cancelled
from lexsi_nb.modeling.audit import audit
from lexsi_nb.modeling.backend import NAMES, TOO_FEW, Quality, Tick, Trained, TrainSpec
from lexsi_nb.modeling.backend import Cancelled as Poll
from lexsi_nb.modeling.cells import Labelled, train_cell
from lexsi_nb.modeling.columns import Columns, as_pandas, require, split_columns
from lexsi_nb.modeling.laps import Laps
from lexsi_nb.modeling.libraries.library import Library, library_of
from lexsi_nb.modeling.quality import WIDE, read_quality, split_by_time
from lexsi_nb.modeling.quality_cells import quality_cell
from lexsi_nb.modeling.settings import Settings, settings_for
from lexsi_nb.modeling.source import Shape, frame_lines, free, imports, inputs_source, target_source
from lexsi_nb.modeling.target import Target, read_target

if TYPE_CHECKING:
    import pandas as pd


def train(frame: Any, spec: TrainSpec, *, tick: Tick, cancelled: Poll) -> Trained:
    """Return the model, its quality and its cells. Raises: as `Backend.train`."""
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
    complete = bool(target.usable.all())
    usable = data if complete else data[target.usable]
    columns, X, noted = choose(usable, target, spec, cancelled, library)

    taken = frozenset({spec.frame_name, *(spec.name(role) for role in NAMES)})
    shape = Shape(columns.features, columns.words, library, taken)
    known, rows, y_source = target_source(
        expression, spec.target, data[spec.target], target.positive,
        complete=complete, known=free(f"{spec.frame_name}_known", taken),
    )  # fmt: skip
    labelled = Labelled(spec.frame_name, (*lines, *known), rows, y_source)
    n_positive = target.n_positive if spec.task == "classification" else None
    n_cases = len(target.y) if n_positive is None else min(n_positive, len(target.y) - n_positive)
    settings = settings_for(
        library, task=spec.task, n_rows=len(target.y), n_features=len(columns.features), n_cases=n_cases,
        seed=spec.seed, repeats=spec.repeats,
    )  # fmt: skip

    tick(5, 100, "training")
    fit = train_cell(shape, labelled, settings, model=spec.name("model"), target=spec.target)
    model = fit.run({spec.frame_name: frame})[spec.name("model")]
    time = split_by_time(usable, spec.time_column, target.y, expression=labelled.rows, task=spec.task)
    check = quality_cell(
        shape, labelled, settings, time,
        task=spec.task, seed=spec.seed, model=spec.name("model"), variable=spec.name("quality"),
    )  # fmt: skip
    # Both loops of the cell and, in a regression, its 200 bootstrap draws.
    total = settings.repeats * (settings.folds + 1) + (200 if n_positive is None else 0)
    laps = Laps(total, "cross-validating", lambda done, of, stage: tick(20 + 80 * done // of, 100, stage), cancelled)
    table = check.run({spec.frame_name: frame, spec.name("model"): model, "range": laps})[spec.name("quality")]
    quality = read_quality(table, time, settings, task=spec.task, n_rows=len(target.y), n_positive=n_positive)

    digest = hashlib.sha256(fit.source.encode() + library.content(model)).hexdigest()
    model_id = f"{library.model_type}_{digest[:6]}"
    ids = usable[spec.entity].dropna().tolist() if spec.entity is not None else []
    return Trained(
        model_id=model_id, model=model, features=columns.features,
        categories=dict(zip(columns.words, map(tuple, library.categories(model)), strict=True)),
        task=spec.task, target=spec.target, entity=spec.entity, positive=target.positive,
        left_out=columns.left_out,
        warnings=(*few_cases(quality), *target.warnings, *shared_entities(usable, spec), *noted),
        quality=quality, card=card(spec, library, module, columns, quality, settings),
        cells=(fit, check), frame_name=spec.frame_name, n_rows=len(target.y), n_positive=n_positive,
        names=dict(spec.names),
        training={c: X[c].to_numpy() for c in columns.numbers},
        gaps={c: int(X[c].isna().sum()) for c in columns.words},
        train_ids=frozenset(ids), model_type=library.model_type,
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
    usable: Any, target: Target, spec: TrainSpec, cancelled: Poll, library: Library
) -> tuple[Columns, Any, tuple[str, ...]]:
    """Return the columns after the audit, the matrix it read, and its warnings.

    Raises: BadData: no column is left, with each reason.
    """
    reasons: dict[Any, str] = {}
    if spec.time_column is not None:
        reasons[spec.time_column] = "the date of the case; used only for the time split"
    reasons |= {**spec.exclude, spec.target: ""}
    if spec.entity is not None:
        reasons[spec.entity] = ""
    columns = split_columns(usable, not_features=reasons, features=spec.features)
    noted: tuple[str, ...] = ()
    X = usable[[]]
    if columns.features:
        X = feature_matrix(usable, Shape(columns.features, columns.words, library))
        found = audit(X, target.y, columns, task=spec.task, target=spec.target, cancelled=cancelled)
        columns, noted = columns.without(found.drop), found.warnings
    if cancelled():
        raise Cancelled("Stopped before training.")
    if not columns.features:
        why = "; ".join(f"{c}: {reason}" for c, reason in columns.left_out[:8]) or "there is no other column"
        raise BadData(
            f"No column of {spec.frame_name} can be learned from.", f"Left out: {why}.", "Add columns to its query."
        )
    return columns, X, noted


def feature_matrix(frame: pd.DataFrame, shape: Shape) -> pd.DataFrame:
    """Return the features as the cells make them, under the user's names: numbers float64, words category."""
    source = [*imports(shape), *inputs_source(shape), f"X = {shape.inputs('frame')}"]
    X = CodeCell("\n".join(source), title="features", produces=("X",)).run({"frame": frame})["X"]
    X.columns = list(shape.features)
    return X


def few_cases(quality: Quality) -> tuple[str, ...]:
    """Return the warning that the model rests on few cases, if it does."""
    if quality.enough:
        return ()
    half = (quality.high - quality.low) / 2
    cases = f"{quality.n_rows:,} rows"
    if quality.n_positive is not None:
        cases = f"{min(quality.n_positive, quality.n_rows - quality.n_positive):,} cases among {cases}"
    if half < WIDE:  # a handful of rows can give an interval that looks narrow
        return (f"Learned from {cases}: {TOO_FEW}.",)
    return (f"Learned from {cases}: the {quality.metric} is known to about {half:.2f} to either side only.",)


def shared_entities(usable: pd.DataFrame, spec: TrainSpec) -> tuple[str, ...]:
    """Return the warning that an entity has several rows, so that the folds of the quality check share it."""
    if spec.entity is None:
        return ()
    twice = int(usable[spec.entity].duplicated(keep=False).sum())
    if not twice:
        return ()
    return (f"{twice:,} rows share their {spec.entity} with another row: quality is too good where they are alike.",)


def card(
    spec: TrainSpec, library: Library, module: Any, columns: Columns, quality: Quality, settings: Settings
) -> dict[str, Any]:
    """Return the model card: how it was made and how good it is, plain values only."""
    return {
        "model_type": library.model_type, "library": f"{library.module} {module.__version__}", "task": spec.task,
        "target": spec.target, "entity": spec.entity, "frame": spec.frame_name, "seed": spec.seed,
        "rows": quality.n_rows, "positives": quality.n_positive, "features": [str(c) for c in columns.features],
        "left_out": dict(columns.left_out), "params": dict(settings.params), "rounds": settings.rounds,
        "quality": quality.text, "headline": quality.headline, "out_of_time": quality.out_of_time.text,
        "calibration": quality.calibration,
    }  # fmt: skip
