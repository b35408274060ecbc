"""`explain_prediction`: what moved the score of chosen cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import Attribution, Reason, Table
from lexsi_nb.errors import Cancelled, LexsiError, RunFailed, StaleResult, UnknownCase
from lexsi_nb.modeling.cases import id_text
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools import charts
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.counterfactual import Asked, finder, leave_counterfactuals
from lexsi_nb.tools.predict import model_of, predicted_of
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
from lexsi_nb.tools.similar import MEASURE, NEAREST, Similar, similar_cases
from lexsi_nb.tools.steady import steady
from lexsi_nb.tools.telling import told_by

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import CaseReasons, Explained, Trained
    from lexsi_nb.modeling.whatif import WhatIf

Failure = dict[str, Any]


@tool(
    scopes=("model:use",),
    side_effect="write",
    acts=acts,
    needs_approval=hosted,
    effect=lambda args, ctx: _effect(args, ctx),
    reads=lambda args, ctx: read_with(model_asked(args, ctx), [ctx.get("last_predict_df_label")]),
    restore=lambda args, ctx, first: _again(args, ctx, first),
    thread_safe=True,
    capabilities=("explain", "shap", "why", "similar"),
    requires=("last_predictions", "last_predict_tag", "last_model_id", "last_model_task", "agent_run_tab_project:*"),
    produces=("last_xai", "last_xai_failures", "last_counterfactuals"),
    check=lambda args, ctx: _problems(args),
    returns="A line a case: its score and the features that raised and lowered it most.",
)
def explain_prediction(
    case_ids: list[str | int] | None = None,
    top_k: int = 10,
    model_id: str | None = None,
    include_similar: bool = False,
    include_summary: bool = True,
    include_counterfactual: bool = False,
    immutable: list[str] | None = None,
    toward: Literal["lower", "higher"] = "lower",
    mark: float | None = None,
    *,
    ctx: Context,
) -> ToolResult:
    """Say which features raised and lowered the score of chosen cases, by exact SHAP contributions.

    Use it after predict, for "why" questions. Contributions add up to the score in log-odds; they say what moved the
    score, not what causes the outcome. Not for rows that predict has not scored; for all rows at once use
    explain_model.

    Args:
        case_ids: The highest top_k predictions when omitted.
        top_k: How many cases when case_ids is omitted.
        model_id: The model; the last one trained when omitted.
        include_similar: Also the 3 known cases most like each, with their outcome.
        include_summary: Also each case's reasons in words.
        include_counterfactual: Also up to 3 changes, a feature each, that would move the score past the mark.
        immutable: Columns that counterfactuals leave as they are.
        toward: Where counterfactuals move the score.
        mark: The base rate, or the mean of a regression, when omitted.
    """
    trained = model_of(ctx, model_id)
    predicted = predicted_of(ctx)
    label = ctx.get("last_predict_df_label")
    frame, frame_name = ctx.frame(label), ctx.name_of(label)
    _refuse_stale(ctx, predicted.variable)
    refuse_private(trained, [label], ctx)
    if include_counterfactual:
        finder(ctx, trained)  # what cannot be done is said before anything is asked of a platform
    ids, failures = _cases(predicted, case_ids, top_k)
    if not ids:
        raise UnknownCase.among(str((case_ids or [""])[0]), map(str, predicted.frame[predicted.entity]))
    ctx.tick(0, len(ids), "explaining")
    source = (predicted.variable, predicted.frame, len(ids)) if case_ids is None else None
    with steady(ctx, frame_name):
        explained, more = _explain(ctx, trained, frame, ids, frame_name, source)
    failures += more
    ctx.emit(explained.cell)
    ctx.write("attributions", explained.frame, parents=(frame_name, trained.name("model")), cell=explained.cell)
    similar = _similar(ctx, trained, explained, frame, frame_name) if include_similar else None
    changes: tuple[WhatIf, ...] = ()
    ctx.put("last_counterfactuals", "")
    if include_counterfactual:
        asked = Asked(tuple(immutable or ()), toward, mark)
        changes = leave_counterfactuals(ctx, trained, explained, frame, asked)
    told = _told(ctx, trained, explained, frame, include_summary or include_similar)
    ctx.put("last_xai", [_record(c, explained, trained, include_summary, similar, told) for c in explained.cases])
    ctx.put("last_xai_failures", failures)
    ctx.put("last_explained", explained)
    attributions = [attribution_of(explained, trained, frame, c) for c in explained.cases]
    for attribution in attributions:
        ctx.show(attribution, parents=(explained.variable,))
    picture = charts.contributions(explained, attributions[0], ctx.name_for("shap_chart"), synthetic=ctx.run.synthetic)
    ctx.emit(picture.cell)
    ctx.show(picture.chart, parents=(explained.variable,))
    for failure in failures:
        ctx.note(lambda f=failure: ctx.notes.warn(f"Not explained: case {f['case_id']}: {f['error']}"))
    told = _tells(explained, trained, label, ctx)
    return ToolResult(
        True,
        _observation(explained, failures, include_summary, similar, trained, changes, told),
        payload={"xai": ctx.get("last_xai")},
    )


def _effect(args: Any, ctx: Context) -> Effect:
    """Return what explaining sends where: the ids of the cases, and the rows where they are not there already."""
    n = len(args.get("case_ids") or ()) or args.get("top_k")
    note = f"{n} case{'s' * (n != 1)} by id; the rows go up where they are not there."
    return scored_by(model_asked(args, ctx), [ctx.get("last_predict_df_label")], ctx, note=note)


def _tells(explained: Explained, trained: Trained, label: str, ctx: Context) -> tuple[str, ...]:
    """Return the columns of the data that ids, values and outcomes of the explained cases come from."""
    names = [explained.entity, trained.target, *trained.features]
    columns = [o for frame in (label, trained.frame_name) for told in told_by(frame, names, ctx) for o in told]
    return tuple(dict.fromkeys(columns))


def _again(args: Any, ctx: Context, first: ToolResult) -> ToolResult | None:
    """Return the result of a call that was made before, from what stands at the backend."""
    return restored(explain_prediction, args, ctx, first)


def _problems(args: Any) -> list[str]:
    top_k = args.get("top_k", 10) if isinstance(args, dict) else args.top_k
    return [f"$.top_k: {top_k}; a number from 1"] if top_k < 1 else []


def _refuse_stale(ctx: Context, variable: str) -> None:
    """Raise StaleResult where the rows or the model changed since the scores were made."""
    stale = ctx.run.variables.stale([variable])
    if stale:
        raise StaleResult(f"{variable} is stale: {stale[variable]}.", "", "Call predict again.")


def _cases(predicted: Any, wanted: list[str | int] | None, top_k: int) -> tuple[list[Any], list[Failure]]:
    """Return (ids as they are in the frame, what could not be found)."""
    ids = predicted.frame[predicted.entity].tolist()
    if wanted is None:
        return ids[:top_k], []
    by_text = {str(i): i for i in ids}
    found, failures = [], []
    for case in dict.fromkeys(map(str, wanted)):
        if case in by_text:
            found.append(by_text[case])
        else:
            failures.append({"case_id": case, "error": str(UnknownCase.among(case, by_text))})
    return found, failures


def _explain(
    ctx: Context, trained: Trained, frame: Any, ids: list[Any], frame_name: str, source: Any
) -> tuple[Explained, list[Failure]]:
    """Return the explanation of all cases that can be explained, and why the others cannot.

    Raises:
        LexsiError: none of them can.
    """
    backend = project_of(ctx, trained.task).backend

    def explain(cases: list[Any], cases_of: Any = None) -> Explained:
        return backend.explain(
            trained, frame, cases, frame_name=frame_name, case_source=cases_of, tick=ctx.tick,
            cancelled=ctx.run.cancelled,
        )  # fmt: skip

    try:
        return explain(ids, source), []
    except Cancelled:
        raise
    except Exception as whole:
        good, failures = [], []
        for case in ids if len(ids) > 1 else ():
            try:
                explain([case])
                good.append(case)
            except Cancelled:
                raise
            except Exception as error:  # noqa: BLE001  (a hosted backend may raise anything; it is kept with the case)
                failures.append({"case_id": case, "error": _said(error)})
        if not good:
            if isinstance(whole, LexsiError):
                raise
            raise RunFailed("No case could be explained.", _said(whole)) from whole
        return explain(good), failures


def _said(error: Exception) -> str:
    """Return what an error says; its kind where it says nothing."""
    return str(error).strip() or f"{type(error).__name__} without a message"


def _similar(ctx: Context, trained: Trained, explained: Explained, frame: Any, frame_name: str) -> Similar:
    labelled = ctx.frame(trained.frame_name)
    name = ctx.name_for("similar_cases")
    similar = similar_cases(trained, explained, frame, labelled, frame_name=frame_name, variable=name)
    ctx.emit(similar.cell)
    parents = (frame_name, trained.frame_name, explained.variable)
    ctx.write("similar_cases", similar.frame, parents=parents, cell=similar.cell)
    limit = NEAREST * min(len(explained.cases), 6)
    table = Table(similar.frame, title="known cases most like them", name=name, limit=limit)
    ctx.show(table, parents=(name,))
    ctx.note(lambda: ctx.notes.say("similar", f"{_similar_line(similar, explained, trained)} {MEASURE}."))
    return similar


def _similar_line(similar: Similar, explained: Explained, trained: Trained) -> str:
    first = explained.cases[0].case_id
    rows = similar.of(first)
    listed = ", ".join(
        f"{r[similar.other]} ({said(r['distance'])}; {trained.target} {said(r[trained.target])})" for r in rows
    )
    return f"most like {first}: {listed}; the others in similar_cases. Distance:"


def attribution_of(explained: Explained, trained: Any, frame: Any, case: CaseReasons) -> Attribution:
    """Return one explained case with every feature's value and contribution, largest first."""
    row = explained.frame.loc[explained.frame[explained.entity] == case.case_id].iloc[0]
    frame = frame if hasattr(frame, "iloc") else frame.to_pandas()
    if explained.entity in frame.columns:
        values = frame.loc[frame[explained.entity] == case.case_id].iloc[0]
    else:
        values = frame.iloc[case.case_id]
    reasons = sorted(
        (Reason(f, said(values[f]), float(row[f])) for f in trained.features),
        key=lambda r: (-abs(r.contribution), r.feature),
    )
    probability = case.score if trained.task == "classification" else None
    return Attribution(
        str(case.case_id), case.base_value, case.raw_score, probability, tuple(reasons), explained.unit,
        explained.entity, explained.variable,
    )  # fmt: skip


def said(value: Any) -> str:
    """Return a value as a person would write it: thousands grouped, dates in ISO form, missing as `missing`."""
    if value is None or (isinstance(value, float) and value != value) or str(value) in ("NaT", "<NA>"):
        return "missing"
    exact: Any = value
    if type(value).__name__ == "datetime64":
        exact = exact.astype("datetime64[us]")  # of finer ones `item` makes a number
    item = getattr(exact, "item", None)
    if callable(item):
        value = item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:,.3g}"
    return str(value).removesuffix(" 00:00:00") if hasattr(value, "strftime") else str(value)  # a day is an instant too


def _told(ctx: Context, trained: Trained, explained: Explained, frame: Any, wanted: bool) -> dict[str, Any]:
    """Return what a hosted backend tells about the cases beside their contributions, by id as text."""
    tell = getattr(project_of(ctx, trained.task).backend, "told", None)
    if tell is None or not wanted:
        return {}
    return tell(trained, frame, [c.case_id for c in explained.cases], tick=ctx.tick, cancelled=ctx.run.cancelled)


def _record(
    case: CaseReasons, explained: Explained, trained: Trained, summary: bool, similar: Similar | None,
    told: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Return one case for `last_xai`: every contribution, largest first, and what was asked for beside it."""
    row = explained.frame.loc[explained.frame[explained.entity] == case.case_id].iloc[0]
    values = sorted(((str(f), float(row[f])) for f in trained.features), key=lambda v: (-abs(v[1]), v[0]))
    record: dict[str, Any] = {"case_id": case.case_id, "score": case.score, "shap_values": dict(values)}
    if summary:
        record["summary"] = _words(case)
    if similar is not None:
        record["similar"] = similar.of(case.case_id)
    said_there = told.get(id_text(case.case_id))
    if said_there is not None and summary and said_there.summary:
        record["platform_summary"] = said_there.summary
    if said_there is not None and similar is not None:
        record["platform_similar"] = said_there.similar
    return record


def _words(case: CaseReasons) -> str:
    up = ", ".join(f"{r.feature} {said(r.value)}" for r in case.raises) or "nothing"
    down = ", ".join(f"{r.feature} {said(r.value)}" for r in case.lowers) or "nothing"
    return f"raised by {up}; lowered by {down}"


def _observation(
    explained: Explained, failures: list[Failure], summary: bool, similar: Similar | None, trained: Trained,
    changes: tuple[WhatIf, ...], told: tuple[str, ...],
) -> Observation:  # fmt: skip
    lines = []
    for case in explained.cases:
        top = sorted((*case.raises, *case.lowers), key=lambda r: -abs(r.contribution))[:3]
        drivers = ", ".join(f"{r.feature} {r.contribution:+.2f}" for r in top)
        line = f"{case.case_id}: score {case.score:.3f}; {drivers}" + (f"; {_words(case)}" if summary else "")
        if similar is not None:
            near = ", ".join(
                f"{r[similar.other]} ({trained.target} {said(r[trained.target])})" for r in similar.of(case.case_id)
            )
            line += f"; most like {near}"
        lines.append(line)
    head = f"Contributions in {explained.unit} for {len(explained.cases)} case(s); {len(failures)} not explained."
    parts: list[str | Segment] = [head, Segment("\n".join(lines), "rows", told)]
    if similar is not None:
        parts.append(f"Similar by {MEASURE}.")
    parts += [Segment(c.text, "rows", told) for c in changes]
    parts += [Segment(f"Not explained: {f['case_id']}: {f['error']}", "rows", told) for f in failures]
    return Observation.of(*parts)
