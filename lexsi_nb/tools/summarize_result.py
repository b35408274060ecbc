"""`summarize_result`: the answer in two or three sentences, every number from the objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.explain_prediction import said

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Predicted

LISTED = 5


@tool(
    scopes=("data:read",),
    thread_safe=True,
    capabilities=("summary", "answer"),
    requires=("last_sql_result", "last_predictions", "last_xai"),
    returns="The answer as text; give it to the user as it is.",
)
def summarize_result(
    question: str,
    sql_result_label: str | None = None,
    include_xai: bool = True,
    notes: str | None = None,
    *,
    ctx: Context,
) -> ToolResult:
    """Put the results of this run into a short answer whose every number is in them.

    Use it last: always after predict, and after run_sql for a question of counts or amounts. It computes nothing new.

    Args:
        question: The user's question, word for word.
        sql_result_label: Which run_sql result to cite; the latest when omitted.
        include_xai: Mention what moved the scores.
        notes: A caveat to add, or what was skipped.
    """
    predicted = ctx.get("last_predicted")
    if predicted is not None:
        explained = ctx.get("last_explained") if include_xai else None
        text = _ranked(predicted, explained, ctx)
    else:
        frame = ctx.frame(sql_result_label) if sql_result_label else ctx.get("last_sql_result")
        text = _told(frame, ctx.notes.read_as)
    if notes:
        text += f" {notes.strip()}"
    kind = "rows" if predicted is not None else "stats"
    return ToolResult(True, Observation.of(Segment(text, kind)), payload={"question": question})


def _ranked(predicted: Predicted, explained: Explained | None, ctx: Context) -> str:
    shown = min(int(ctx.get("last_top_k", 10)), len(predicted.frame))
    top = predicted.frame.head(shown)
    ids, scores = top[predicted.entity].tolist(), top[predicted.score_column].tolist()
    form = "{:.2f}" if predicted.score_column == "probability" else "{:,.6g}"
    listed = ", ".join(f"{i} ({form.format(s)})" for i, s in list(zip(ids, scores, strict=True))[:LISTED])
    more = f" and {shown - LISTED} more in the table" if shown > LISTED else ""
    text = f"Highest scores among {len(predicted.frame):,}: {listed}{more}."
    trained = ctx.get(f"model:{predicted.model_id}")
    if trained is not None and not trained.quality.enough:
        text = (
            f"{trained.quality.headline[:1].upper()}{trained.quality.headline[1:]} how well this ranking holds. {text}"
        )
    if explained is not None and explained.importance:
        names = ", ".join(name for name, size in explained.importance[:3] if size > 0)
        if names:
            text += f" What moved these {len(explained.cases)} scores most: {names}."
    return text


def _told(frame: Any, read_as: str) -> str:
    what = f"{read_as[:1].upper()}{read_as[1:]}: " if read_as else ""
    if frame is None:
        return "Nothing was computed yet."
    rows, columns = frame.shape
    if rows == 0:
        return f"{what}no rows."
    if (rows, columns) == (1, 1):
        return f"{what}{said(frame.iloc[0, 0])}."
    if rows == 1:
        return what + ", ".join(f"{c} {said(v)}" for c, v in zip(frame.columns, frame.iloc[0], strict=True)) + "."
    if rows <= LISTED and columns == 2:
        lines = (f"{said(a)}: {said(b)}" for a, b in frame.itertuples(index=False, name=None))
        return what + "; ".join(lines) + "."
    first = ", ".join(f"{c} {said(v)}" for c, v in list(zip(frame.columns, frame.iloc[0], strict=True))[:4])
    return f"{what}{rows:,} rows; first: {first}."
