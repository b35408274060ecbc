"""`explain_prediction`: what moved the score of chosen cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import Attribution, Reason
from lexsi_nb.errors import RunFailed, UnknownCase
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools import charts
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.predict import model_of

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import CaseReasons, Explained


@tool(
    scopes=("model:use",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("explain", "shap", "why"),
    requires=("last_predictions", "last_model_id"),
    produces=("last_xai", "last_xai_failures"),
    returns="A line a case: its score and the features that raised and lowered it most.",
)
def explain_prediction(
    case_ids: list[str | int] | None = None,
    top_k: int = 10,
    model_id: str | None = None,
    include_similar: bool = False,
    include_summary: bool = True,
    *,
    ctx: Context,
) -> ToolResult:
    """Say which features raised and lowered the score of chosen cases, by exact SHAP contributions.

    Use it after predict, for "why" questions. Contributions add up to the score in log-odds; they say what moved the
    model's score, not what causes the outcome.

    Args:
        case_ids: Ids of the cases; the highest top_k predictions when omitted.
        top_k: How many cases when case_ids is omitted.
        model_id: The model; the last one trained when omitted.
        include_similar: Also name the most similar cases with a known outcome.
        include_summary: Also give each case's reasons in words.
    """
    trained = model_of(ctx, model_id)
    predicted = ctx.get("last_predicted")
    if predicted is None:
        raise RunFailed("There is nothing to explain yet.", "No predictions were made.", "Call predict first.")
    label = ctx.get("last_predict_df_label")
    frame, frame_name = ctx.frame(label), ctx.name_of(label)
    ids, failures = _cases(predicted, case_ids, top_k)
    if not ids:
        raise UnknownCase.among(str((case_ids or [""])[0]), map(str, predicted.frame[predicted.entity]))
    ctx.tick(0, len(ids), "explaining")
    source = (predicted.variable, predicted.frame, len(ids)) if case_ids is None else None
    explained = ctx.run.backend.explain(
        trained, frame, ids, frame_name=frame_name, case_source=source, tick=ctx.tick, cancelled=ctx.run.cancelled
    )
    ctx.emit(explained.cell)
    made = (frame_name, trained.name("model"))
    ctx.write("attributions", explained.frame, parents=made, cell=explained.cell)
    attributions = [attribution_of(explained, trained, frame, c) for c in explained.cases]
    ctx.put("last_xai", [_record(c, include_summary) for c in explained.cases])
    ctx.put("last_xai_failures", failures)
    ctx.put("last_explained", explained)
    for attribution in attributions:
        ctx.show(attribution, parents=(explained.variable,))
    picture = charts.contributions(explained, attributions[0], ctx.name_for("shap_chart"), synthetic=ctx.dataset.synthetic)
    ctx.emit(picture.cell)
    ctx.show(picture.chart, parents=(explained.variable,))
    for failure in failures:
        ctx.note(lambda f=failure: ctx.notes.warn(f"Not explained: case {f['case_id']}: {f['error']}"))
    return ToolResult(True, _observation(explained, failures, include_summary), payload={"xai": explained})


def _cases(predicted: Any, wanted: list[str | int] | None, top_k: int) -> tuple[list[Any], list[dict[str, str]]]:
    """Return (ids as they are in the frame, what could not be found)."""
    ids = predicted.frame[predicted.entity].tolist()
    if wanted is None:
        return ids[:top_k], []
    by_text = {str(i): i for i in ids}
    found, failures = [], []
    for case in wanted:
        if str(case) in by_text:
            found.append(by_text[str(case)])
        else:
            failures.append({"case_id": str(case), "error": str(UnknownCase.among(str(case), by_text))})
    return found, failures


def attribution_of(explained: Explained, trained: Any, frame: Any, case: CaseReasons) -> Attribution:
    """Return one explained case with every feature's value and contribution, largest first."""
    row = explained.frame.loc[explained.frame[explained.entity] == case.case_id].iloc[0]
    values = frame.loc[frame[explained.entity] == case.case_id].iloc[0]
    reasons = sorted(
        (Reason(f, said(values[f]), float(row[f])) for f in trained.features),
        key=lambda r: (-abs(r.contribution), r.feature),
    )
    probability = case.score if trained.task == "classification" else None
    return Attribution(str(case.case_id), case.base_value, case.raw_score, probability, tuple(reasons))


def said(value: Any) -> str:
    """Return a value as a person would write it: thousands grouped, dates in ISO form, missing as `missing`."""
    if value is None or (isinstance(value, float) and value != value) or str(value) in ("NaT", "<NA>"):
        return "missing"
    item = getattr(value, "item", None)
    if callable(item):
        value = item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:,.3g}"
    return str(value)


def _record(case: CaseReasons, summary: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "case_id": case.case_id,
        "shap_values": {r.feature: r.contribution for r in (*case.raises, *case.lowers)},
    }
    if summary:
        record["summary"] = _words(case)
    return record


def _words(case: CaseReasons) -> str:
    up = ", ".join(f"{r.feature} {said(r.value)}" for r in case.raises) or "nothing"
    down = ", ".join(f"{r.feature} {said(r.value)}" for r in case.lowers) or "nothing"
    return f"raised by {up}; lowered by {down}"


def _observation(explained: Explained, failures: list[dict[str, str]], summary: bool) -> Observation:
    lines = []
    for case in explained.cases:
        top = sorted((*case.raises, *case.lowers), key=lambda r: -abs(r.contribution))[:3]
        drivers = ", ".join(f"{r.feature} {r.contribution:+.2f}" for r in top)
        lines.append(f"{case.case_id}: score {case.score:.2f}; {drivers}" + (f"; {_words(case)}" if summary else ""))
    head = f"Contributions in {explained.unit} for {len(explained.cases)} case(s); {len(failures)} not explained."
    parts: list[str | Segment] = [head, Segment("\n".join(lines), "rows")]
    parts += [f["error"] for f in failures]
    return Observation.of(*parts)
