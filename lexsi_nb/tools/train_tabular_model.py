"""`train_tabular_model`: a model of a labelled frame, with its quality."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import ModelCard, Table
from lexsi_nb.artifacts.wording import BRIEF, MIND, PICTURE
from lexsi_nb.errors import LexsiError
from lexsi_nb.modeling.backend import NAMES, Trained, TrainSpec
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.decisions import thresholds
from lexsi_nb.modeling.groups import find_entity
from lexsi_nb.modeling.quality_picture import picture_of
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.project import acts, effect, hosted, kept_here, project_of, restored
from lexsi_nb.tools.restored import keep_training
from lexsi_nb.tools.steady import steady


def _costs(args: Any, ctx: Any) -> list[str]:
    given = args.get if isinstance(args, dict) else lambda name: getattr(args, name)
    missed, false_alarm = given("cost_missed"), given("cost_false_alarm")
    if (missed is None) != (false_alarm is None):
        return ["$.cost_missed and $.cost_false_alarm: give both or neither"]
    timeout = given("timeout_seconds")
    return [f"$.timeout_seconds: {timeout:g}; a number above 0"] if timeout is not None and timeout <= 0 else []


@tool(
    scopes=("model:train",),
    side_effect="write",
    acts=acts,
    needs_approval=hosted,
    effect=lambda args, ctx: _effect(args, ctx),
    restore=lambda args, ctx, first: _again(args, ctx, first),
    cost_class="slow",
    thread_safe=True,
    capabilities=("train", "model", "learn"),
    requires=("sql_result:*",),
    produces=(
        "last_model_id",
        "last_model_task",
        "last_train_tag",
        "last_train_df_label",
        "agent_run_tab_project:*",
        "agent_workspace",
    ),
    check=_costs,
    returns="Model id, what it was trained on, its quality with interval and baseline, and what was left out.",
)
def train_tabular_model(
    df_label: str,
    target_column: str,
    entity_column: str | None = None,
    task_type: Literal["classification", "regression"] = "classification",
    model_name: str | None = None,
    model_type: str | None = None,
    compute_type: str | None = None,
    xai_method: list[str] | None = None,
    sample_percentage: float | None = None,
    timeout_seconds: float = 900,
    cost_missed: float | None = None,
    cost_false_alarm: float | None = None,
    *,
    ctx: Context,
) -> ToolResult:
    """Train a model on a labelled frame and measure it by cross-validation.

    Use it after run_sql has made the labelled frame, before predict. Copies of the target, identifiers, constants and
    what was only known afterwards are left out and named. Not for frames whose target is unknown.

    Args:
        df_label: Label of the frame with the known outcomes, such as context_df.
        target_column: Column to learn.
        entity_column: Column that identifies a row. Found when omitted.
        task_type: classification (2 to 20 classes) or regression.
        model_name: A name for your own reference.
        model_type: LightGBM (default) or XGBoost where it is installed.
        compute_type: Used by hosted backends only.
        xai_method: Used by hosted backends only.
        sample_percentage: Of the rows to train on, above 0 to 100. All when omitted.
        timeout_seconds: After them training is stopped with an error.
        cost_missed: Cost of a missed case; with cost_false_alarm it adds a table of thresholds with their costs.
        cost_false_alarm: Cost of a false alarm, in the same unit.
    """
    frame, frame_name = ctx.frame(df_label), ctx.name_of(df_label)
    task = dict(ctx.notes.tasks.get(df_label, {}))
    spec = replace(
        _spec(ctx, df_label, target_column, entity_column, task_type, model_type, sample_percentage),
        time_limit=timeout_seconds,
        model_name=model_name,
    )
    backend = project_of(ctx, task_type).backend
    more = {} if getattr(backend, "local", False) or not hasattr(backend, "will_send") else {
        "compute": compute_type, "reopen": ctx.opened
    }  # fmt: skip
    with steady(ctx, frame_name):
        trained = backend.train(frame, spec, tick=ctx.tick, cancelled=ctx.run.cancelled, **more)
    for cell in trained.cells:
        ctx.emit(cell)
    made, measured = (trained.cells[0], trained.cells[-1]) if trained.cells else (None, None)
    ctx.write("model", trained.model, parents=(frame_name,), cell=made)
    ctx.write("quality", trained.quality.frame, parents=(frame_name,), cell=measured)
    if trained.out_of_fold is not None:
        ctx.write("out_of_fold", trained.out_of_fold, parents=(frame_name,), cell=measured)
    ctx.put("last_model_id", trained.model_id)
    ctx.put(
        "last_model_task", {"task_type": task_type, "target_column": target_column, "entity_column": trained.entity}
    )
    ctx.put("last_train_tag", trained.model_id)
    ctx.put("last_train_df_label", df_label)
    ctx.put(f"model:{trained.model_id}", trained)
    keep_training(ctx, trained.model_id, spec)
    ctx.show(_card(trained), parents=(frame_name,))
    ctx.note(lambda: _say(ctx, trained, task, model_name))
    if cost_missed is not None and cost_false_alarm is not None:
        _decide(ctx, trained, cost_missed, cost_false_alarm)
    meta = {"hosted_model": trained.model} if more else {}
    return ToolResult(True, _observation(trained), payload=trained, meta=meta)


def _again(args: Any, ctx: Context, first: ToolResult) -> ToolResult | None:
    """Return the result of a call that was made before, from what stands at the backend."""
    return restored(train_tabular_model, args, ctx, first)


def _spec(
    ctx: Context, df_label: str, target: str, entity: str | None, task_type: Any, model_type: str | None,
    sample_percentage: float | None,
) -> TrainSpec:  # fmt: skip
    """Return what is to be learned from a frame."""
    frame = ctx.frame(df_label)
    task = dict(ctx.notes.tasks.get(df_label, {}))
    data = as_pandas(frame)
    entity = entity or task.get("entity_column") or find_entity(data, target)
    private = kept_here(ctx, df_label, list(data.columns), (entity, target))
    return TrainSpec(
        target=target,
        entity=entity,
        task=task_type,
        frame_name=ctx.name_of(df_label),
        time_column=task.get("time_column"),
        exclude={**task.get("exclude", {}), **private},
        seed=ctx.run.seed,
        model_type=model_type or ctx.run.model_type,
        names={role: ctx.name_for(role) for role in NAMES},
        sample_percentage=sample_percentage,
        dates=not task,  # features of a predictive task have their as-of already
    )


def _effect(args: Any, ctx: Context) -> Effect:
    """Return what a training sends where: the rows and columns after the audit, and the features by name."""
    general = effect(args, ctx, args.get("compute_type"))
    will_send = getattr(ctx.run.backend, "will_send", None)
    if will_send is None:
        return general
    try:
        spec = _spec(ctx, args["df_label"], args["target_column"], args.get("entity_column"), args["task_type"],
                     args.get("model_type"), args.get("sample_percentage"))  # fmt: skip
        rows, columns, note = will_send(ctx.frame(args["df_label"]), spec)
    except LexsiError as error:  # said by the tool as well, before anything is sent
        return replace(general, note=f"It cannot be trained: {error}")
    return replace(general, rows=rows, columns=columns, note=f"{note} {general.note}".strip())


def _decide(ctx: Context, trained: Trained, cost_missed: float, cost_false_alarm: float) -> None:
    """Show what each threshold would have cost."""
    decided = thresholds(
        trained, cost_missed=cost_missed, cost_false_alarm=cost_false_alarm, variable=ctx.name_for("thresholds")
    )
    ctx.emit(decided.cell)
    made_from = (trained.name("out_of_fold"),)
    ctx.write("thresholds", decided.frame, parents=made_from, cell=decided.cell)
    ctx.show(Table(decided.frame, title="thresholds with costs", name=decided.variable), parents=made_from)
    ctx.note(lambda: ctx.notes.say("quality", decided.text))


def _say(ctx: Context, trained: Trained, task: dict[str, Any], model_name: str | None) -> None:
    notes, quality = ctx.notes, trained.quality
    what = task.get("labelled_text", "rows")
    bad = ""
    if trained.n_positive is not None:
        share = trained.n_positive / max(trained.n_rows, 1)
        bad = f", {trained.n_positive:,} of them {task.get('positive_text', 'positive')} ({share:.0%})"
    named = f" Called {model_name}." if model_name else ""
    if trained.classes:
        bad = f", {len(trained.classes)} classes of {trained.target}"
    notes.say("learned from", f"{trained.n_rows:,} {what}{bad}.{named}")
    notes.say(BRIEF, f"learned from {trained.n_rows:,} {what}{bad}")
    notes.say(BRIEF, quality.in_brief)
    if trained.task == "classification":
        notes.say(BRIEF, "calibrated" if trained.calibrated else "not calibrated")
    for warning in trained.warnings:
        notes.warn(warning)
    notes.say("quality", quality.verdict)
    for line in picture_of(quality):
        notes.say(PICTURE, line)
    notes.say("quality", f"{quality.headline}: {quality.text}" if not quality.enough else quality.text)
    notes.say("quality", f"out of time: {quality.out_of_time.text}")
    if (beside := quality.beside) is not None:
        notes.say("quality", beside.text)
        if beside.is_better:
            numbers = f"{quality.metric} {beside.value:.2f} against {quality.value:.2f}"
            notes.say(
                MIND, f"A {beside.kind} does better on these data ({numbers}); the scores shown are of the trees."
            )
    if quality.calibration:
        notes.say("quality", quality.calibration)
    if quality.by_class:
        notes.say("quality", quality.by_class)
    if quality.lift:
        notes.say("quality", f"lift: {trained.card['lift']}")
    for column, why in trained.left_out:
        notes.leave_out(column, why)


def _card(trained: Trained) -> ModelCard:
    facts = tuple((str(k), str(v)) for k, v in trained.card.items())
    return ModelCard(trained.model_id, trained.quality.headline, facts, trained.warnings, trained.name("model"))


def _observation(trained: Trained) -> Observation:
    left = "; ".join(f"{c}: {why}" for c, why in trained.left_out) or "nothing"
    quality = trained.quality
    return Observation.of(
        f"Trained {trained.model_id} on {trained.n_rows:,} rows of {trained.frame_name}, target {trained.target}, "
        f"{len(trained.features)} features: {', '.join(trained.features[:40])}.",
        Segment(
            f"Quality ({quality.folds} folds x {quality.repeats} repeats): {quality.headline}. {quality.text}", "stats"
        ),
        Segment(f"Left out: {left}.", "stats", instead=f"Left out: {', '.join(c for c, _ in trained.left_out)}."),
    )
