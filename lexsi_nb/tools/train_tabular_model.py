"""`train_tabular_model`: a model of a labelled frame, with its quality."""

from __future__ import annotations

from typing import Any, Literal

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import ModelCard
from lexsi_nb.modeling.backend import Trained, TrainSpec
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.project import project_of


@tool(
    scopes=("model:train",),
    side_effect="kernel",
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
    *,
    ctx: Context,
) -> ToolResult:
    """Train a model on a labelled frame and measure it by cross-validation.

    Use it after run_sql has made the labelled frame; follow it with predict. It audits the columns first: copies of
    the target, identifiers and constants are left out and named. Not for frames whose target is unknown.

    Args:
        df_label: Label of the frame with the known outcomes, such as context_df.
        target_column: Column to learn.
        entity_column: Column that identifies a row. Found automatically when omitted.
        task_type: classification (two classes) or regression.
        model_name: A name for your own reference.
        model_type: LightGBM (default) or XGBoost where it is installed.
        compute_type: Used by hosted backends only.
        xai_method: Used by hosted backends only.
        sample_percentage: Percent of the rows to train on, above 0 up to 100. All when omitted.
    """
    frame = ctx.frame(df_label)
    frame_name = ctx.name_of(df_label)
    task = dict(ctx.notes.tasks.get(df_label, {}))
    spec = TrainSpec(
        target=target_column,
        entity=entity_column or task.get("entity_column"),
        task=task_type,
        frame_name=frame_name,
        time_column=task.get("time_column"),
        exclude=dict(task.get("exclude", {})),
        seed=ctx.run.seed,
        model_type=model_type or ctx.run.model_type,
        names={role: ctx.name_for(role) for role in ("model", "quality", "predictions", "attributions", "check")},
        **_sampled(sample_percentage),
    )
    trained = project_of(ctx, task_type).backend.train(frame, spec, tick=ctx.tick, cancelled=ctx.run.cancelled)
    for cell in trained.cells:
        ctx.emit(cell)
    made = trained.cells[0] if trained.cells else None
    ctx.write("model", trained.model, parents=(frame_name,), cell=made)
    ctx.write(
        "quality", trained.quality.frame, parents=(frame_name,), cell=trained.cells[-1] if trained.cells else None
    )
    ctx.put("last_model_id", trained.model_id)
    ctx.put(
        "last_model_task", {"task_type": task_type, "target_column": target_column, "entity_column": trained.entity}
    )
    ctx.put("last_train_tag", trained.model_id)
    ctx.put("last_train_df_label", df_label)
    ctx.put(f"model:{trained.model_id}", trained)
    ctx.show(_card(trained), parents=(frame_name,))
    ctx.note(lambda: _say(ctx, trained, task, model_name))
    return ToolResult(True, _observation(trained), payload=trained)


def _sampled(percentage: float | None) -> dict[str, Any]:
    if percentage is None:
        return {}
    return {"sample_percentage": percentage}


def _say(ctx: Context, trained: Trained, task: dict[str, Any], model_name: str | None) -> None:
    notes = ctx.notes
    what = task.get("labelled_text", "rows")
    bad = ""
    if trained.n_positive is not None:
        share = trained.n_positive / max(trained.n_rows, 1)
        bad = f", {trained.n_positive:,} of them {task.get('positive_text', 'positive')} ({share:.0%})"
    named = f" Called {model_name}." if model_name else ""
    notes.say("learned from", f"{trained.n_rows:,} {what}{bad}.{named}")
    for warning in trained.warnings:
        notes.warn(warning)
    quality = trained.quality
    notes.say("quality", f"{quality.headline}: {quality.text}" if not quality.enough else quality.text)
    notes.say("quality", f"out of time: {quality.out_of_time.text}")
    notes.say("quality", quality.calibration)
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
        f"Left out: {left}.",
    )
