"""`predict`: scores for rows whose outcome is unknown, highest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import Table
from lexsi_nb.errors import RunFailed, UnknownName
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools import charts
from lexsi_nb.tools.context import Context

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Predicted, Trained


class UnknownModel(UnknownName):
    """No model of that id in this run."""

    kind = "model"


@tool(
    scopes=("model:use",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("predict", "score", "rank"),
    requires=("sql_result:*", "last_model_id"),
    produces=("last_predictions", "last_predict_tag", "last_predict_df_label", "last_prediction_columns"),
    returns="How many rows were scored, and the highest ones with their scores.",
)
def predict(
    df_label: str, model_id: str | None = None, top_k: int | None = 10, pod: str | None = None, *, ctx: Context
) -> ToolResult:
    """Score the rows of a frame with a trained model, highest first.

    Use it after train_tabular_model, on a frame with the same columns. Then call explain_prediction and
    summarize_result. All rows are scored; top_k only limits what is shown.

    Args:
        df_label: Label of the frame to score, such as predict_df.
        model_id: The model; the last one trained when omitted.
        top_k: How many rows to show.
        pod: Used by hosted backends only.
    """
    trained = model_of(ctx, model_id)
    frame = ctx.frame(df_label)
    frame_name = ctx.name_of(df_label)
    task = ctx.notes.tasks.get(df_label, {})
    shown = [c for c in task.get("show", []) if c in frame.columns]
    ctx.tick(0, None, f"scoring {len(frame):,} rows")
    predicted = ctx.run.backend.predict(
        trained, frame, frame_name=frame_name, keep=shown, tick=ctx.tick, cancelled=ctx.run.cancelled
    )
    ctx.emit(predicted.cell)
    ctx.write("predictions", predicted.frame, parents=(frame_name, trained.name("model")), cell=predicted.cell)
    top = predicted.frame.head(top_k or 10)
    ctx.put("last_predictions", predicted.frame)
    ctx.put("last_predict_tag", f"{trained.model_id}:{df_label}")
    ctx.put("last_predict_df_label", df_label)
    ctx.put(
        "last_prediction_columns",
        {"pred": predicted.score_column, "prob": predicted.score_column, "entity": predicted.entity},
    )
    ctx.put("last_predicted", predicted)
    ctx.put("last_top_k", top_k or 10)
    units = task.get("units", {})
    ctx.show(Table(top, title="highest scores", name=predicted.variable, units=units), parents=(frame_name,))
    labelled = ctx.frame(ctx.get("last_train_df_label"))
    picture = charts.ranking(
        predicted, trained, labelled, top_k or 10, ctx.name_for("ranking_chart"), synthetic=ctx.dataset.synthetic
    )
    ctx.emit(picture.cell)
    ctx.show(picture.chart, parents=(predicted.variable,))
    ctx.note(lambda: _say(ctx, predicted, df_label, len(top)))
    _check_known(ctx, trained, frame, frame_name, df_label)
    return ToolResult(True, _observation(predicted, top), payload=predicted)


def model_of(ctx: Context, model_id: str | None) -> Trained:
    """Return a model of this session.

    Raises:
        RunFailed: none was trained yet.
        UnknownModel: no model of that id; lists the nearest.
    """
    wanted = model_id or ctx.get("last_model_id")
    if wanted is None:
        raise RunFailed("There is no model yet.", "Nothing was trained in this run.", "Call train_tabular_model first.")
    trained = ctx.get(f"model:{wanted}")
    if trained is None:
        known = [k.split(":", 1)[1] for k in ctx.cache if isinstance(k, str) and k.startswith("model:")]
        raise UnknownModel.among(wanted, known)
    return trained


def _check_known(ctx: Context, trained: Trained, frame: Any, frame_name: str, df_label: str) -> None:
    """Compare cases whose outcome is already known, and that were not trained on, with the scored ones."""
    task = ctx.notes.tasks.get(df_label, {})
    label = task.get("already_label")
    if not label:
        return
    held = ctx.frame(label)
    text = task.get("already_text", "cases with the outcome already")
    if len(held) == 0:
        return
    ctx.note(lambda: ctx.notes.say("already", f"{len(held):,} {text}: in {ctx.name_of(label)}, not ranked."))
    checked = ctx.run.backend.check(trained, held, frame, held_name=ctx.name_of(label), against_name=frame_name)
    ctx.emit(checked.cell)
    ctx.put("last_check", checked)
    ctx.note(lambda: ctx.notes.say("quality", f"check on cases not trained on: {checked.text}"))


def _say(ctx: Context, predicted: Predicted, df_label: str, shown: int) -> None:
    task = ctx.notes.tasks.get(df_label, {})
    what = task.get("scored_text", "rows")
    ctx.notes.say(
        "ranked", f"{len(predicted.frame):,} {what}; the {shown} highest are shown, all in {predicted.variable}."
    )
    reaches = {reach.text for reach in predicted.extrapolations}
    for warning in predicted.warnings:
        ctx.notes.warn(f"extrapolating: {warning}" if warning in reaches else warning)
    if tie := predicted.tie_at(shown):
        ctx.notes.warn(tie)


def _observation(predicted: Predicted, top: Any) -> Observation:
    rows = top.to_csv(index=False, float_format="%.4f")
    return Observation.of(
        f"Scored {len(predicted.frame):,} rows of {predicted.frame_name} with {predicted.model_id}; "
        f"columns: {', '.join(map(str, predicted.frame.columns))}. Next: explain_prediction, then summarize_result.",
        Segment(rows, "rows", tuple(map(str, top.columns))),
    )
