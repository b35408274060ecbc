"""`predict`: scores for rows whose outcome is unknown, highest first."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Observation
from lexsi_nb.artifacts.results import Chart, Shown, Table
from lexsi_nb.artifacts.wording import MIND
from lexsi_nb.data.origins import Origins
from lexsi_nb.errors import RunFailed, UnknownName
from lexsi_nb.kernel.fingerprint import fingerprint
from lexsi_nb.kernel.frames import frame_library
from lexsi_nb.modeling.plain_regression import SCORES, is_wanted, regression_scores
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools import charts
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.project import (
    acts,
    compute_of,
    hosted,
    model_asked,
    project_of,
    read_with,
    refuse_private,
    restored,
    scored_by,
)
from lexsi_nb.tools.restored import keep_scoring, scored_again, trained_again
from lexsi_nb.tools.scores import columns_of
from lexsi_nb.tools.steady import steady
from lexsi_nb.tools.telling import grid_segment, remember, told_by

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Predicted, Trained

SHOWN = 10
COMPARED = 2  # rows that each side of a check must have
POD = "small"


class UnknownModel(UnknownName):
    """No model of that id in this run."""

    kind = "model"


@tool(
    scopes=("model:use",),
    side_effect="write",
    acts=acts,
    needs_approval=hosted,
    effect=lambda args, ctx: _effect(args, ctx),
    reads=lambda args, ctx: read_with(model_asked(args, ctx), [_already(args["df_label"], ctx)]),
    restore=lambda args, ctx, first: _again(args, ctx, first),
    thread_safe=True,
    capabilities=("predict", "score", "rank"),
    requires=("sql_result:*", "last_model_id", "last_model_task", "agent_run_tab_project:*", "predict_cache:*"),
    produces=(
        "last_predictions",
        "last_predict_tag",
        "last_predict_df_label",
        "last_prediction_columns",
        "predict_cache:*",
    ),
    check=lambda args, ctx: _problems(args),
    returns="How many rows were scored, and the highest ones with their scores.",
)
def predict(
    df_label: str, model_id: str | None = None, top_k: int | None = SHOWN, pod: str | None = POD, *, ctx: Context
) -> ToolResult:
    """Score the rows of a frame with a trained model, highest first.

    Use it after train_tabular_model, on a frame with the same columns. Then call explain_prediction and
    summarize_result. All rows are scored; top_k only limits what is shown. Not for frames whose outcome is known.

    Args:
        df_label: Label of the frame to score, such as predict_df.
        model_id: The model; the last one trained when omitted.
        top_k: How many rows to show.
        pod: Used by hosted backends only.
    """
    trained = model_of(ctx, model_id)
    frame, frame_name = ctx.frame(df_label), ctx.name_of(df_label)
    refuse_private(trained, [df_label, _already(df_label, ctx)], ctx)
    frame, known = _without_empty_target(frame, trained.target)
    shown = [c for c in ctx.notes.tasks.get(df_label, {}).get("show", []) if c in frame.columns]
    key = _cache_key(trained, frame, shown)
    kept: ToolResult | None = ctx.get(key)
    if kept is None:
        ctx.tick(0, None, f"scoring {len(frame):,} rows")
        more = {"compute": _compute(pod, trained)} if hasattr(ctx.run.backend, "will_send") else {}
        with steady(ctx, frame_name):
            predicted: Predicted = project_of(ctx, trained.task).backend.predict(
                trained, frame, frame_name=frame_name, keep=shown, tick=ctx.tick, cancelled=ctx.run.cancelled, **more
            )
    else:
        predicted = kept.payload
    top_k = top_k or SHOWN
    _leave(ctx, predicted, trained, df_label, top_k)
    keep_scoring(ctx, predicted, df_label, shown)
    if kept is None:
        _check_known(ctx, trained, frame, frame_name, df_label)
    _score_plainly(ctx, trained, frame, frame_name)
    if known:
        ctx.note(lambda: ctx.notes.warn(f"{known:,} rows of {df_label} have a {trained.target} already."))
    top = predicted.frame.head(top_k)
    told = told_by(df_label, list(top.columns), ctx)
    remember(predicted.variable, list(top.columns), Origins(tuple(map(frozenset, told))), ctx)
    result = ToolResult(True, _observation(predicted, top, told, again=kept is not None), payload=predicted)
    if kept is None:
        ctx.put(key, result)
    return result


def _again(args: Any, ctx: Context, first: ToolResult) -> ToolResult | None:
    """Return the result of a call that was made before, from what stands at the backend."""
    return restored(predict, args, ctx, first)


def _effect(args: Any, ctx: Context) -> Effect:
    """Return what scoring sends where: the rows, and of their columns only the id and the model's features."""
    trained = model_asked(args, ctx)
    compute = "" if trained is None else _compute(args.get("pod"), trained)
    return scored_by(trained, (args["df_label"], _already(args["df_label"], ctx)), ctx, compute=compute)


def _already(df_label: str, ctx: Context) -> str | None:
    """Return the label of the cases whose outcome is known already, which check the scores of a frame."""
    return ctx.notes.tasks.get(df_label, {}).get("already_label")


def _compute(pod: str | None, trained: Trained) -> str:
    """Return the compute that rows are scored on: the model's, unless a call names another than the default."""
    return pod if pod and pod != POD else compute_of(trained)


def model_of(ctx: Context, model_id: str | None) -> Trained:
    """Return a model of this session.

    Raises:
        RunFailed: none was trained yet.
        UnknownModel: no model of that id; lists the nearest.
    """
    wanted = model_id or ctx.get("last_model_id")
    if wanted is None:
        raise RunFailed("There is no model yet.", "Nothing was trained in this run.", "Call train_tabular_model first.")
    trained = ctx.get(f"model:{wanted}") or trained_again(ctx, wanted)
    if trained is None:
        known = [k.split(":", 1)[1] for k in ctx.cache if isinstance(k, str) and k.startswith("model:")]
        raise UnknownModel.among(wanted, known)
    return trained


def predicted_of(ctx: Context) -> Predicted:
    """Return the scores that were made last.

    Raises:
        RunFailed: none were made yet.
        StaleResult: they were made in a kernel that is gone, and cannot be made again.
    """
    predicted, made = ctx.get("last_predicted"), ctx.get("predicted_from")
    if predicted is None and made is not None:
        trained, label = model_of(ctx, made["model_id"]), made["df_label"]
        frame, _ = _without_empty_target(ctx.frame(label), trained.target)
        return scored_again(ctx, trained, frame, ctx.name_of(label), made["keep"])
    if predicted is None:
        raise RunFailed("There is nothing to explain yet.", "No predictions were made.", "Call predict first.")
    return predicted


def _problems(args: Any) -> list[str]:
    top_k = args.get("top_k") if isinstance(args, dict) else args.top_k
    return [f"$.top_k: {top_k}; a number from 1, or left out"] if top_k is not None and top_k < 1 else []


def _without_empty_target(frame: Any, target: Any) -> tuple[Any, int]:
    """Return the frame without a target column that is all null, and how many rows have a known outcome."""
    if target not in list(frame.columns if frame_library(frame) != "pyarrow" else frame.column_names):
        return frame, 0
    column = frame[target]
    if frame_library(frame) == "pandas":
        known = int(column.notna().sum())
        return (frame, known) if known else (frame.drop(columns=[target]), 0)
    known = (
        int(len(column) - column.null_count())
        if frame_library(frame) == "polars"
        else column.length() - column.null_count
    )
    if known:
        return frame, known
    return (frame.drop(target) if frame_library(frame) == "polars" else frame.drop_columns([target])), 0


def _cache_key(trained: Trained, frame: Any, shown: list[str]) -> str:
    """Return the key under which the scores of this very content by this very model are kept."""
    text = "|".join([trained.model_id, fingerprint(trained.model), fingerprint(frame), *map(str, shown)])
    return f"predict_cache:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _leave(ctx: Context, predicted: Predicted, trained: Trained, df_label: str, top_k: int) -> None:
    """Leave what a prediction leaves: keys, variable, cells and artifacts. The same again where nothing is new."""
    made_from = (predicted.frame_name, trained.name("model"))
    _emit(ctx, predicted.cell)
    ctx.write("predictions", predicted.frame, parents=made_from, cell=predicted.cell)
    columns = columns_of(predicted.frame, entity=predicted.entity)
    columns["pred"] = columns["pred"] or predicted.score_column
    ctx.put("last_predictions", predicted.frame)
    ctx.put("last_predict_tag", f"{trained.model_id}:{df_label}")
    ctx.put("last_predict_df_label", df_label)
    ctx.put("last_prediction_columns", columns)
    ctx.put("last_predicted", predicted)
    ctx.put("last_top_k", top_k)
    ctx.put("last_summary", "")
    top = predicted.frame.head(top_k)
    units = ctx.notes.tasks.get(df_label, {}).get("units", {})
    table = Table(top, title="highest scores", name=predicted.variable, units=units)
    _show(ctx, table, (predicted.variable,))
    labelled = ctx.frame(trained.frame_name)
    picture = charts.ranking(
        predicted, trained, labelled, top_k, ctx.name_for("ranking_chart"), synthetic=ctx.run.synthetic
    )
    _emit(ctx, picture.cell)
    _show(ctx, picture.chart, (predicted.variable,))
    ctx.note(lambda: _say(ctx, predicted, df_label, len(top)))


def _emit(ctx: Context, cell: CodeCell) -> None:
    """Hand a cell out, unless the last one that binds its names is the same."""
    standing = next((c for c in reversed(ctx.run.cells) if set(c.produces) & set(cell.produces)), None)
    if standing is None or standing.source != cell.source:
        ctx.emit(cell)


def _show(ctx: Context, artifact: Table | Chart, parents: tuple[str, ...]) -> None:
    """Show a result, unless the last one of its name is the same."""
    id = Shown(artifact, ctx.number, ctx.tool).id
    standing = next((s.artifact for s in reversed(ctx.run.artifacts) if s.id == id), None)
    if isinstance(artifact, Chart):
        same = isinstance(standing, Chart) and standing.spec == artifact.spec
    else:
        same = isinstance(standing, Table) and standing.frame.equals(artifact.frame)
    if not same:
        ctx.show(artifact, parents=parents)


def _check_known(ctx: Context, trained: Trained, frame: Any, frame_name: str, df_label: str) -> None:
    """Compare cases whose outcome is already known, and that were not trained on, with the scored ones."""
    task = ctx.notes.tasks.get(df_label, {})
    label = task.get("already_label")
    if not label:
        return
    text = task.get("already_text", "cases with the outcome already")
    if label not in ctx.run.variables.labels():  # the planner did not run that SQL
        ctx.note(lambda: ctx.notes.warn(f"{text[:1].upper()}{text[1:]} were not looked at: there is no {label}."))
        return
    held = ctx.frame(label)
    if len(held) == 0:
        return
    cases = task.get("cases_text", "")
    ctx.note(
        lambda: ctx.notes.say("already", f"{len(held):,} {cases} {text} ({ctx.name_of(label)})".replace("  ", " "))
    )
    if few := [name for rows, name in ((held, ctx.name_of(label)), (frame, frame_name)) if len(rows) < COMPARED]:
        ctx.note(lambda: ctx.notes.say("quality", f"not checked on cases not trained on: {few[0]} has one row"))
        return
    backend = project_of(ctx, trained.task).backend
    checked = backend.check(
        trained, held, frame, held_name=ctx.name_of(label), against_name=frame_name, tick=ctx.tick,
        cancelled=ctx.run.cancelled,
    )  # fmt: skip
    ctx.emit(checked.cell)
    ctx.put("last_check", checked)
    ctx.note(lambda: ctx.notes.say("quality", f"check on cases not trained on: {checked.text}"))


def _score_plainly(ctx: Context, trained: Trained, frame: Any, frame_name: str) -> None:
    """Leave the scores of the plain regression as well, where it ranks better than the trees."""
    if not project_of(ctx, trained.task).backend.local or not is_wanted(trained):
        return
    labelled = ctx.frame(trained.frame_name)
    made = regression_scores(trained, labelled, frame, frame_name=frame_name, variable=ctx.name_for(SCORES))
    _emit(ctx, made.cell)
    ctx.write(SCORES, made.frame, parents=(trained.frame_name, frame_name), cell=made.cell)
    ctx.note(lambda: ctx.notes.say(MIND, f"Its scores of the same rows, highest first, are in {made.variable}."))


def _say(ctx: Context, predicted: Predicted, df_label: str, shown: int) -> None:
    task = ctx.notes.tasks.get(df_label, {})
    ctx.notes.say(
        "ranked",
        f"{len(predicted.frame):,} {scored_of(task)}; the {shown} highest are shown, all in {predicted.variable}.",
    )
    reaches = {reach.text: reach.words(task.get("cases_text", "rows")) for reach in predicted.extrapolations}
    for warning in predicted.warnings:
        ctx.notes.warn(reaches.get(warning, warning))
    if tie := predicted.tie_at(shown):
        ctx.notes.warn(tie)


def scored_of(task: Mapping[str, Any]) -> str:
    """Return what the scored rows are, in words: `loans running in order`, or `rows`."""
    cases, which = task.get("cases_text", ""), task.get("scored_text", "rows")
    return f"{cases} {which}".strip()


def _observation(predicted: Predicted, top: Any, told: tuple[tuple[str, ...], ...], *, again: bool) -> Observation:
    rows = top.to_csv(index=False, float_format="%.4f")
    how = "The same rows were scored before; the scores stand" if again else "Scored"
    what = f"{len(predicted.frame):,} rows of {predicted.frame_name} with {predicted.model_id}"
    return Observation.of(
        f"{how}: {what}; columns: {', '.join(map(str, predicted.frame.columns))}. "
        "Next: explain_prediction, then summarize_result.",
        grid_segment(rows, told),
    )
