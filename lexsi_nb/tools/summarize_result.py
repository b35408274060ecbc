"""`summarize_result`: the answer in two or three sentences, every number from the objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.wording import is_name_column, period_text
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context
from lexsi_nb.tools.explain_prediction import said
from lexsi_nb.tools.implied import show_implied
from lexsi_nb.tools.model_summary import written_by_model
from lexsi_nb.tools.place_of_case import place_of_case
from lexsi_nb.tools.predict import scored_of
from lexsi_nb.tools.scores import columns_of
from lexsi_nb.tools.telling import LAST, everything, is_count

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained

LISTED = 5
PAIRS = 30  # columns of a single row that are put in words
VALUE_CHARS = 200  # of one value; the result has it whole
DRIVERS = 3
_GUESS = {"regression": 0.0}  # what the measure of a model without skill reaches; 0.5 of all others
_FORMS = {True: "{:.3f}", False: "{:,.6g}"}  # of a probability, of a number that was predicted


@tool(
    scopes=("data:read",),
    side_effect="kernel",
    thread_safe=True,
    capabilities=("summary", "answer"),
    requires=(
        "sql_result:*",
        "last_sql_result",
        "last_model_id",
        "last_predictions",
        "last_prediction_columns",
        "last_xai",
        "last_xai_failures",
        "last_importance",
        "last_dependence",
        "last_counterfactuals",
    ),
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
    A result of one key and one measure a group also gets a bar chart, one over time a line. Not for text that is no
    result of this run: put that into notes.

    Args:
        question: The user's question, word for word.
        sql_result_label: Which run_sql result to cite; the latest when omitted.
        include_xai: Mention what moved the scores.
        notes: A caveat to add, or what was skipped.
    """
    predictions = ctx.get("last_predictions")
    counted, source = "", sql_result_label or LAST
    frame = None
    if predictions is not None:
        source = ctx.get("last_predict_df_label") or LAST
        text = _ranked(predictions, ctx, include_xai=include_xai)
        if sql_result_label and sql_result_label not in (
            ctx.get("last_train_df_label"),
            ctx.get("last_predict_df_label"),
        ):
            text += f" {sql_result_label}: {_told(ctx.frame(sql_result_label), '')}"
    elif include_xai and (lead := _lead(ctx)):
        model = ctx.get("last_model_id")
        caveat = _caveat(ctx, model, "this model tells the cases apart")
        text = " ".join(t for t in (_measured(ctx, model), _no_skill(ctx, model), lead, caveat) if t)
    else:
        frame = ctx.frame(sql_result_label) if sql_result_label else ctx.get("last_sql_result")
        text = _told(frame, ctx.notes.read_as)
        if frame is ctx.get("last_sql_result") and is_count(ctx.get("last_sql") or ""):
            counted = _told(frame, "")
        text += "".join(f" {n[:1].upper()}{n[1:]}." for n in ctx.notes.apart)
        show_implied(ctx, sql_result_label)
    notes = ctx.held_against_results(notes) if notes else notes
    told = everything(source, ctx)
    if predictions is not None and sql_result_label:
        told = tuple(dict.fromkeys((*told, *everything(sql_result_label, ctx))))
    if ctx.run.narrate and ctx.run.reply is not None:
        cited = predictions if predictions is not None else frame
        text = written_by_model(question, text, cited, (notes or "").strip(), told, ctx)
    elif notes and notes.strip():
        text += f" {notes.strip()}"
    if stale := _stale(ctx, sql_result_label):
        text = f"{stale} {text}"
    ctx.put("last_summary", text)
    # A count tells no value, unless a private column decided which rows were counted; how it was read may quote one.
    said_less = Segment(counted, columns=told)
    whole = said_less if text == counted else Segment(text, "rows", told, instead=said_less)
    return ToolResult(True, Observation.of(whole), payload={"question": question})


def _ranked(frame: Any, ctx: Context, *, include_xai: bool) -> str:
    """Return the narrative of a prediction, from the frame of scores as it is."""
    columns = ctx.get("last_prediction_columns") or columns_of(frame)
    score, entity = columns.get("prob") or columns.get("pred"), columns.get("entity")
    if score is None or entity is None or not {score, entity} <= set(frame.columns):
        text = _unclear(frame)
    else:
        prob = bool(columns.get("prob"))
        one = place_of_case(ctx.run.question, ctx.get("last_explained"), frame, score, entity, _FORMS[prob])
        text = one or _highest(frame, score, entity, is_probability=prob, ctx=ctx)
    predicted = ctx.get("last_predicted")
    model_id = predicted.model_id if predicted is not None else ctx.get("last_model_id")
    caveat = _caveat(ctx, model_id, "this ranking holds")
    lead = _lead(ctx) if include_xai else ""
    text = f"{_no_skill(ctx, model_id)} {lead or text} {caveat}".strip()
    if include_xai and not lead:
        text += _moved(ctx.get("last_explained"), ctx.get("last_xai"), ctx.get("last_xai_failures") or [])
    return text


def _caveat(ctx: Context, model_id: Any, what: str) -> str:
    """Return that there are too few cases to tell, where there are."""
    trained = ctx.get(f"model:{model_id}")
    if trained is None or trained.quality.enough:
        return ""
    quality = trained.quality
    n = quality.n_positive
    known = "" if n is None else f": {n:,} of the {quality.n_rows:,} known {'is' if n == 1 else 'are'} {_positive(ctx)}"
    return f"{quality.headline[:1].upper()}{quality.headline[1:]} how well {what}{known}."


def _measured(ctx: Context, model_id: Any) -> str:
    """Return how well a model does where that is all there is to tell: no row has its target open."""
    trained = ctx.get(f"model:{model_id}")
    told = ctx.notes.tasks.get(ctx.get("last_train_df_label"), {}).get("measured_text", "")
    if trained is None or not told:
        return ""
    headline = trained.quality.headline
    return f"{told} {headline[:1].upper()}{headline[1:]}." if trained.quality.enough else told


def _no_skill(ctx: Context, model_id: Any) -> str:
    """Return that the model does no better than a guess, where its interval reaches that; it goes before all else."""
    trained = ctx.get(f"model:{model_id}")
    if trained is None or not trained.quality.enough or trained.quality.low > _GUESS.get(trained.task, 0.5):
        return ""
    by = "the mean of all known" if trained.task == "regression" else "guessing"
    q = trained.quality
    held = f"{q.metric} {q.value:.2f}, {q.low:.2f} to {q.high:.2f}"
    return f"This model predicts no better than {by} ({held}), so its scores tell nothing reliable."


def _positive(ctx: Context) -> str:
    """Return what the cases are that were learned to be found: `in default`, or `positive`."""
    label = ctx.get("last_train_df_label")
    return str(ctx.notes.tasks.get(label, {}).get("positive_text", "positive"))


def _stale(ctx: Context, sql_result_label: str | None) -> str:
    """Return which of the results that are told are of another content than there is now, "" where none is."""
    predicted = ctx.get("last_predicted")
    names = [] if predicted is None or ctx.get("last_predictions") is None else [predicted.variable]
    names += [ctx.name_of(sql_result_label)] if sql_result_label else []
    why = ctx.run.variables.stale(names) if names else {}
    return " ".join(f"{n} is stale: {why[n]}; what follows was made before." for n in dict.fromkeys(names) if n in why)


def _lead(ctx: Context) -> str:
    """Return what explain_model and the counterfactuals found, which is then what was asked for; "" without."""
    overall, one = ctx.get("last_importance"), ctx.get("last_dependence")
    found = [one["text"] if one else "", overall["text"] if overall else "", ctx.get("last_counterfactuals") or ""]
    return " ".join(t for t in found if t)


def _highest(frame: Any, score: str, entity: str, *, is_probability: bool, ctx: Context) -> str:
    ordered = frame.sort_values(score, ascending=False, kind="stable")
    shown = min(int(ctx.get("last_top_k", 10)), len(frame))
    top = ordered.head(shown)
    form = _FORMS[is_probability]
    scores = [_form(form, s) for s in top[score].tolist()]
    if len(frame) == 1:
        return f"{top[entity].tolist()[0]} scores {scores[0]}{_of_class(ctx)}."
    if shown <= LISTED:
        listed = ", ".join(f"{i} ({s})" for i, s in zip(top[entity].tolist(), scores, strict=True))
        return f"Highest scores{_of_class(ctx)} among {len(frame):,}: {listed}."
    span = f"all score {scores[0]}" if scores[0] == scores[-1] else f"score {scores[0]} to {scores[-1]}"
    what = scored_of(ctx.notes.tasks.get(ctx.get("last_predict_df_label"), {}))
    return f"The {shown} highest of {len(frame):,} {what} {span}{_of_class(ctx)}."


def _of_class(ctx: Context) -> str:
    """Return which class the scores are of, where it is not what a 1 or a yes says by itself."""
    predicted = ctx.get("last_predicted")
    trained = ctx.get(f"model:{predicted.model_id if predicted is not None else ctx.get('last_model_id')}")
    if trained is None or trained.task == "regression" or trained.positive is None or trained.positive in (1, True):
        return ""
    return f" for {trained.target} = {trained.positive!r}"


def _form(form: str, value: Any) -> str:
    return form.format(value) if isinstance(value, (int, float)) else str(value)


def _unclear(frame: Any) -> str:
    """Return what can be said of scores whose columns have no name that is known."""
    names = [str(c) for c in frame.columns]
    listed = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    text = f"{len(frame):,} rows were scored; which column holds the score is not clear from the names: {listed}."
    if len(frame):
        text += f" First row: {_pairs(frame, 6)}."
    return text


def _moved(explained: Explained | None, xai: list[dict[str, Any]] | None, failures: list[dict[str, Any]]) -> str:
    text = ""
    names = _drivers(explained, xai)
    if names:
        n = len(xai) if xai else len(explained.cases) if explained is not None else 0
        text = f" What moved {'this score' if n == 1 else f'these {n} scores'} most: {', '.join(names)}."
    if failures:
        cases = ", ".join(str(f["case_id"]) for f in failures[:LISTED]) + (", ..." if len(failures) > LISTED else "")
        n = len(failures)
        text += f" {n} case{'s' * (n > 1)} could not be explained: {cases}."
    return text


def _drivers(explained: Explained | None, xai: list[dict[str, Any]] | None) -> list[str]:
    """Return the features with the largest mean contribution, by size, over the explained cases."""
    if explained is not None:
        return [name for name, size in explained.importance[:DRIVERS] if size > 0]
    sizes: dict[str, float] = {}
    for case in xai or []:
        for name, value in case["shap_values"].items():
            sizes[name] = sizes.get(name, 0.0) + abs(value)
    return [name for name, size in sorted(sizes.items(), key=lambda s: -s[1])[:DRIVERS] if size > 0]


def _told(frame: Any, read_as: str) -> str:
    what = f"{read_as[:1].upper()}{read_as[1:]}: " if read_as else ""
    if frame is None:
        return "Nothing was computed yet."
    if not hasattr(frame, "iloc"):
        frame = frame.to_pandas()
    rows, columns = frame.shape
    if rows == 0:
        return f"{what}no rows."
    if (rows, columns) == (1, 1):
        return f"{what}{_named(frame.columns[0], frame.iloc[0, 0])}."
    if rows == 1:
        more = f", and {columns - PAIRS:,} more columns" if columns > PAIRS else ""
        return f"{what}{_pairs(frame, PAIRS)}{more}."
    if columns == 1 and read_as.casefold().startswith("distinct "):
        return what + _values(frame)
    if _BOTH_ENDS in read_as:
        return f"{what}{_pairs(frame, PAIRS)}; and {_pairs(frame.iloc[::-1], PAIRS)}{_more(rows - 2)}."
    if rows <= LISTED and columns == 2:
        key, measure = frame.columns
        lines = (f"{_named(key, a)}: {_named(measure, b)}" for a, b in frame.itertuples(index=False, name=None))
        return what + "; ".join(lines) + "."
    if f", {rows} rows" in read_as:  # "highest amount first, 5 rows" has said how many
        return f"{what.removesuffix(': ')}; first: {_pairs(frame, 4)}."
    return f"{what}{rows:,} rows; first: {_pairs(frame, 4)}."


_BOTH_ENDS = " first, one row; and "  # between the two ends of an order, in how it was read


def _more(rows: int) -> str:
    return f" ({rows:,} more {'row shares' if rows == 1 else 'rows share'} these places)" if rows > 0 else ""


def _values(frame: Any) -> str:
    """Return how many values a column of different ones has: a missing one is none, nor is empty text."""
    name, listed = frame.columns[0], frame.iloc[:, 0]
    held = [v for v in listed.dropna().tolist() if not (isinstance(v, str) and not v.strip())]
    without = " (and rows without one)" if len(held) < len(listed) else ""
    if len(held) <= LISTED:
        return f"{len(held):,} value{'s' * (len(held) != 1)}{without}: {', '.join(_named(name, v) for v in held)}."
    return f"{len(held):,} values{without}; first: {_named(name, held[0])}."


def _pairs(frame: Any, most: int) -> str:
    """Return the first row as `name value, ...`."""
    first = next(frame.head(1).itertuples(index=False, name=None))  # `iloc[0]` makes whole numbers floats
    pairs = list(zip(frame.columns, first, strict=True))[:most]
    return ", ".join(f"{c} {_named(c, v)}" for c, v in pairs)


def _named(column: Any, value: Any) -> str:
    """Return a value of a column; ids and years are not grouped by thousands."""
    whole = hasattr(value, "__index__") and not isinstance(value, bool)
    if isinstance(value, str) and not value.strip():
        return "empty text"
    text = str(int(value)) if whole and is_name_column(column) else period_text(column, value) or said(value)
    return text if len(text) <= VALUE_CHARS else f"{text[: VALUE_CHARS - 3]}..."
