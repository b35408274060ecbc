"""`explain_model`: which features move a model's scores over many cases, and how one feature does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import Table
from lexsi_nb.errors import UnknownColumn
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.importance import Figures, dependence, feature_of, importance
from lexsi_nb.modeling.sampling import rows_to_explain
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.explanation_charts import beeswarm, dependence_chart, importance_bars
from lexsi_nb.tools.predict import model_of
from lexsi_nb.tools.project import (
    acts,
    hosted,
    model_asked,
    project_of,
    read_with,
    refuse_private,
    restored,
    scored_by,
)
from lexsi_nb.tools.steady import steady
from lexsi_nb.tools.telling import told_by

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Trained
    from lexsi_nb.tools.charts import Picture

MOST_CASES = 2000  # cases explained of a larger frame
LISTED = 12


@tool(
    scopes=("model:use",),
    side_effect="write",
    acts=acts,
    needs_approval=hosted,
    effect=lambda args, ctx: _effect(args, ctx),
    reads=lambda args, ctx: read_with(model_asked(args, ctx), [_label(args, ctx)]),
    restore=lambda args, ctx, first: _again(args, ctx, first),
    cost_class="slow",
    thread_safe=True,
    capabilities=("importance", "drivers", "factors", "features", "influence", "effect", "dependence", "beeswarm"),
    requires=("last_model_id", "last_model_task", "agent_run_tab_project:*"),
    produces=("last_importance", "last_dependence"),
    returns="The features by mean absolute contribution with their share; with a feature, its contribution by value.",
)
def explain_model(
    feature: str | None = None, df_label: str | None = None, model_id: str | None = None, *, ctx: Context
) -> ToolResult:
    """Say which features move the scores of a model most over many cases, or how one feature moves them.

    Use it after predict or train_tabular_model, for what drives an outcome or how a feature affects it. It shows global
    importance and a beeswarm; with a feature also the mean contribution by its value. They say what moves the scores,
    not what causes the outcome. Not for single cases: use explain_prediction.

    Args:
        feature: A feature of the model, to say how it moves the scores.
        df_label: Whose cases are explained; the frame scored last when omitted, else the labelled one.
        model_id: The model; the last one trained when omitted.
    """
    trained = model_of(ctx, model_id)
    column = None if feature is None else _feature(ctx, trained, feature)
    label = df_label or ctx.get("last_predict_df_label") or trained.frame_name
    refuse_private(trained, [label], ctx)
    frame, frame_name, noted = _cases(ctx, label)
    ctx.tick(0, None, "explaining")
    variable = ctx.name_for("overall_attributions")
    named = replace(trained, names={**trained.names, "attributions": variable})
    with steady(ctx, ctx.name_of(label)):
        explained: Explained = project_of(ctx, trained.task).backend.explain(
            named, frame, frame_name=frame_name, tick=ctx.tick, cancelled=ctx.run.cancelled
        )
    ctx.emit(explained.cell)
    ctx.write("overall_attributions", explained.frame, parents=(frame_name, trained.name("model")), cell=explained.cell)
    overall = importance(explained, variable=ctx.name_for("importance"))
    _leave(ctx, "importance", overall, (variable,))
    by_value = None
    if column is not None:
        by_value = _one_feature(ctx, trained, explained, frame, column)
    synthetic = ctx.dataset.synthetic
    _draw(ctx, importance_bars(explained, overall, ctx.name_for("importance_chart"), synthetic=synthetic), variable)
    swarm = beeswarm(trained, explained, frame, overall, ctx.name_for("beeswarm_chart"), synthetic=synthetic)
    _draw(ctx, swarm, variable)
    text = _said(explained, overall, frame_name)
    ctx.put("last_importance", {"text": text, "features": overall.frame.to_dict("records")})
    ctx.put("last_dependence", None if by_value is None else {"feature": str(column), "text": by_value[0]})
    ctx.note(lambda: ctx.notes.say("importance", f"{text}{noted}"))
    told = told_by(frame_name, [column], ctx)[0] if column is not None else ()
    return ToolResult(True, _observation(explained, overall, by_value, noted, told), payload=explained)


def _again(args: Any, ctx: Context, first: ToolResult) -> ToolResult | None:
    """Return the result of a call that was made before, from what stands at the backend."""
    return restored(explain_model, args, ctx, first)


def _label(args: Any, ctx: Context) -> str | None:
    """Return the label of the frame whose cases a call explains."""
    trained = model_asked(args, ctx)
    known = trained.frame_name if trained is not None else None
    return args.get("df_label") or ctx.get("last_predict_df_label") or known


def _effect(args: Any, ctx: Context) -> Effect:
    """Return what explaining a model sends where: rows of one frame, drawn from a larger one."""
    label, most = _label(args, ctx), int(getattr(ctx.run.backend, "most_cases", MOST_CASES))
    shown = scored_by(model_asked(args, ctx), [label], ctx)
    if not shown.frames or shown.frames[0][1] <= most:
        return shown
    [(name, rows, columns)] = shown.frames
    return replace(shown, frames=((f"{name}, {most:,} of {rows:,} rows drawn at random", most, columns),))


def _feature(ctx: Context, trained: Trained, wanted: str) -> Any:
    """Return the feature that is meant. Raises: UnknownColumn: with the reason where the task left it out."""
    try:
        return feature_of(trained, wanted)
    except UnknownColumn:
        text = wanted.casefold()
        for what, why in ctx.notes.left_out:
            if text in re.split(r"[.:, ]+", what.casefold()):
                raise UnknownColumn(
                    f"{wanted} is no feature of {trained.model_id}.", f"It was left out: {why}."
                ) from None
        raise


def _cases(ctx: Context, label: str) -> tuple[Any, str, str]:
    """Return (the rows to explain, their variable, what to say where they are a sample)."""
    frame, name = ctx.frame(label), ctx.name_of(label)
    n = len(as_pandas(frame))
    most = int(getattr(ctx.run.backend, "most_cases", MOST_CASES))
    if n <= most:
        return frame, name, ""
    drawn = ctx.name_for("explained_rows")
    cell = rows_to_explain(name, frame, most, drawn, seed=ctx.run.seed)
    sample = cell.run({name: frame})[drawn]
    ctx.emit(cell)
    ctx.write("explained_rows", sample, parents=(name,), cell=cell)
    return sample, drawn, f" They are {most:,} of {n:,} rows of {name}, drawn at random."


def _one_feature(
    ctx: Context, trained: Trained, explained: Explained, frame: Any, column: Any
) -> tuple[str, Figures]:  # fmt: skip
    """Leave how one feature moves the scores; return it in a line, and the figures."""
    figures = dependence(trained, explained, frame, column, variable=ctx.name_for("dependence"))
    parents = (explained.frame_name, explained.variable)
    _leave(ctx, "dependence", figures, parents)
    ctx.show(Table(figures.frame, title=f"how {column} moved the scores", name=figures.variable), parents=parents)
    name = ctx.name_for("dependence_chart")
    unit = ctx.notes.units.get(str(column), "")
    drawn = dependence_chart(
        trained, explained, frame, column, figures, name, synthetic=ctx.dataset.synthetic, unit=unit
    )
    _draw(ctx, drawn, explained.variable)
    text = _said_of(column, figures, explained)
    ctx.note(lambda: ctx.notes.say("dependence", text))
    return text, figures


def _leave(ctx: Context, label: str, figures: Figures, parents: tuple[str, ...]) -> None:
    ctx.emit(figures.cell)
    ctx.write(label, figures.frame, parents=parents, cell=figures.cell)


def _draw(ctx: Context, picture: Picture, parent: str) -> None:
    ctx.emit(picture.cell)
    ctx.show(picture.chart, parents=(parent,))


def _said(explained: Explained, overall: Figures, frame_name: str) -> str:
    """Return which features moved the scores most, in a line."""
    rows = [r for r in overall.frame.head(5).itertuples() if r.importance > 0]
    n = len(explained.frame)
    if not rows:
        return f"No feature moved the {n:,} scores of {frame_name}: they are all alike."
    listed = ", ".join(f"{r.feature} ({r.share:.0%})" for r in rows)
    listed += ", the only feature that was read" if len(overall.frame) == 1 else ""
    return (
        f"What moved the {n:,} scores of {frame_name} most: {listed}; shares of the mean absolute contribution in "
        f"{explained.unit}."
    )


def _said_of(column: Any, figures: Figures, explained: Explained) -> str:
    """Return how one feature moved the scores, in a line: the values that raise and lower them most."""
    rows = figures.frame
    if not rows["contribution"].abs().max() > 0:
        return f"{column} moved no score: the model does not use it."
    low, high = rows.loc[rows["contribution"].idxmin()], rows.loc[rows["contribution"].idxmax()]
    ends = "; ".join(
        f"{r['value']}: {r['contribution']:+.2f} ({int(r['cases']):,} cases)" for r in (high, low)
    )  # fmt: skip
    return (
        f"How {column} moved the scores, mean contribution in {explained.unit}: most upward at {ends.split('; ')[0]}, "
        f"most downward at {ends.split('; ')[1]}."
    )


def _observation(
    explained: Explained,
    overall: Figures,
    by_value: tuple[str, Figures] | None,
    noted: str,
    told: tuple[str, ...],
) -> Observation:
    lines = "\n".join(
        f"{r.feature}: {r.importance:.3f} ({r.share:.0%})" for r in overall.frame.head(LISTED).itertuples()
    )
    head = f"Mean absolute contribution in {explained.unit} over {len(explained.frame):,} rows of "
    parts: list[str | Segment] = [f"{head}{explained.frame_name}, by feature.{noted}", Segment(lines, "stats")]
    if by_value is not None:
        text, figures = by_value
        rows = list(figures.frame.itertuples())
        parts.append(Segment(text, "stats", told, shared=min((int(r.cases) for r in rows), default=0)))
        for r in rows:
            line = f"{r.value}: {r.contribution:+.3f} ({r.cases:,} cases)"
            parts.append(Segment(line, "stats", told, shared=int(r.cases)))
    parts.append("Next: summarize_result.")
    return Observation.of(*parts)
