"""Counterfactuals: which other values of a case's features would have moved its score past a mark; a cell, run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.backend import Cancelled, Tick, never, no_tick
from lexsi_nb.modeling.cases import positions_of
from lexsi_nb.modeling.cells import CALIBRATED
from lexsi_nb.modeling.columns import as_pandas, require
from lexsi_nb.modeling.laps import Laps
from lexsi_nb.modeling.readable import readable
from lexsi_nb.modeling.source import (
    Shape,
    frame_lines,
    free,
    imports,
    inputs_source,
    is_literal,
    list_lines,
    literal,
    literals,
    plain_value,
    spared,
)

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Trained

NOT_ADVICE = "A what-if of the model: other inputs, other score. It is not advice, and not what a change would cause."

SOURCE = '''\
def score_of(rows):
    """Return the score of each row."""
    return {score}


def values_to_try(known, feature):
    """Return values seen among the known rows: every word, at most 20 quantiles of a number or date."""
    values = known[feature].dropna()
    if feature in {words}:
        return sorted(values.astype("string").unique())
    values = values[~values.isin([np.inf, -np.inf])].sort_values().drop_duplicates()
    return values.iloc[np.unique(np.linspace(0, len(values) - 1, 20).round().astype(int))].tolist()


def with_values(case, feature, values):
    """Return the case once for each value, that value in place of its own."""
    rows = pd.concat([case] * len(values), ignore_index=True)
    rows[feature] = pd.Series(values, dtype=object)
    return rows


def moved(now, value, tried):
    """Return how far a value is from the one there is, as a share of the values tried; else 1."""
    if pd.isna(now):
        return 1.0
    try:
        span = tried[-1] - tried[0]
        return abs((value - now) / span) if span else 1.0
    except TypeError:  # text and truth values
        return 1.0


def what_would_change(case, known, features, mark, most={most}):
    """Return up to `most` changes of one feature each, so that the score is {side} `mark`: a greedy search.

    Of the changes that get there the one with the smallest move is kept, else the one that moves the score furthest.
    """
    features, changes, score = list(features), [], score_of(case)[0]
    for step in range(1, most + 1):
        if score {past} mark or not features:
            break
        options = []
        for feature in features:
            tried, now = values_to_try(known, feature), case[feature].iloc[0]
            if tried:
                scores = score_of(with_values(case, feature, tried))
                options += [(s, moved(now, v, tried), feature, v) for s, v in zip(scores, tried)]
        there = [o for o in options if o[0] {past} mark]
        best = min(there, key=lambda o: o[1]) if there else {furthest}(options, key=lambda o: o[0], default=None)
        if best is None or not best[0] {better} score:
            break
        score, _, feature, value = best
        changes.append([step, str(feature), case[feature].iloc[0], value, score])
        case = with_values(case, feature, [value])
        features.remove(feature)
    return changes


'''


@dataclass(frozen=True)
class WhatIf:
    """A counterfactual of one case.

    `changes`: rows of the table that belong to it, in the order they were made. `reached`: whether the score passed
    `mark`. `text` says it in a line.
    """

    case_id: Any
    score: float
    mark: float
    reached: bool
    changes: Any
    text: str


@dataclass(frozen=True)
class WhatIfs:
    """Counterfactuals of some cases.

    `frame`: a row a change: the case, `step`, `feature`, `value`, `instead`, `score` after it; none for a case that no
    change moves.
    """

    cases: tuple[WhatIf, ...]
    frame: Any
    cell: CodeCell
    variable: str


def counterfactuals(
    trained: Trained, labelled: Any, frame: Any, case_ids: Sequence[Any], *, frame_name: str = "predict_df",
    immutable: Sequence[Any] = (), toward: Literal["lower", "higher"] = "lower", mark: float | None = None,
    most_changes: int = 3, variable: str = "counterfactuals", tick: Tick = no_tick, cancelled: Cancelled = never,
) -> WhatIfs:  # fmt: skip
    """Return up to `most_changes` changes of one feature each that move the score of each case past the mark.

    Greedy: each step tries observed values of every feature that may change (words: all; numbers and dates: up to 20
    quantiles of `labelled`), and keeps the one that passes the mark with the smallest move of its feature, or else
    moves the score furthest. immutable: features that stay as they are. mark: the score to pass; None is the base
    rate, or the mean of a regression. For several classes the score is that of the class that ranks.

    Raises: UnknownColumn: an immutable column is not there; UnknownCase; BadData: nothing may change, or several
    classes without one that ranks.
    """
    known = as_pandas(labelled)
    if trained.classes and trained.positive is None:
        raise BadData(
            "It is not clear which class's score to move.",
            f"{trained.target} has {len(trained.classes)} classes and none of them ranks.",
            f"Train on a column that says whether {trained.target} is the class you mean.",
        )
    data, shape = readable(trained, frame, frame_name, beside=(trained.frame_name, variable))
    fixed = fixed_features(trained, data, immutable)
    may_change = [f for f in trained.features if f not in fixed]
    if not may_change:
        raise BadData("No feature may change.", "All of them are immutable.", "Leave one out of `immutable`.")
    used = used_features(trained, shape)
    may_change = [f for f in may_change if f in used] or may_change  # the others move no score
    column = data[trained.entity] if trained.entity is not None else row_numbers(data)
    positions = positions_of(column, case_ids, where=frame_name)
    mark = base_score(trained, known) if mark is None else float(mark)
    cell = whatif_cell(
        trained, shape, (frame_name, frame), labelled, may_change, column, positions,
        mark=mark, toward=toward, most=most_changes, variable=variable,
    )  # fmt: skip
    laps = Laps(len(positions) * most_changes, "trying other values", tick, cancelled)
    names = {frame_name: frame, trained.frame_name: labelled, trained.name("model"): trained.model, "range": laps}
    names |= {trained.name("quality"): trained.quality.frame} if trained.calibrated else {}
    made = cell.run(names)[variable]
    starts = start_scores(cell, names, data.iloc[positions], shape)
    ids = [plain_value(column.iloc[i]) for i in positions]
    cases = tuple(read(i, s, made, mark, toward) for i, s in zip(ids, starts, strict=True))
    return WhatIfs(cases, made, cell, variable)


def fixed_features(trained: Trained, data: Any, immutable: Sequence[Any]) -> set[Any]:
    """Return the features that stay. Raises: UnknownColumn: neither a feature nor a column of the frame."""
    by_text = {str(f).casefold(): f for f in trained.features}
    require(data, [c for c in immutable if str(c).casefold() not in by_text], where="the frame")
    return {by_text[t] for c in immutable if (t := str(c).casefold()) in by_text}


def used_features(trained: Trained, shape: Shape) -> set[Any]:
    """Return the features that any tree splits on, by themselves or by a part."""
    return {c for (_, c), used in zip(shape.inputs_by_feature, shape.library.used(trained.model), strict=True) if used}


def row_numbers(data: Any) -> Any:
    """Return the row numbers of a frame, which stand in where there is no entity."""
    import pandas as pd

    return pd.Series(range(len(data)), name="row")


def whatif_cell(
    trained: Trained, shape: Shape, scored: tuple[str, Any], labelled: Any, may_change: list[Any], ids: Any,
    positions: list[int], *, mark: float, toward: str, most: int, variable: str,
) -> CodeCell:  # fmt: skip
    """Return the cell that tries other values of each case."""
    frame_name, frame = scored
    model = trained.name("model")
    lines, rows = frame_lines(frame_name, frame)
    more, known = frame_lines(trained.frame_name, labelled)
    lines += [line for line in more if line not in lines]
    functions, score = score_source(trained, shape, model)
    low = toward == "lower"
    picked = [plain_value(ids.iloc[i]) for i in positions]
    by_id = trained.entity is not None and all(map(is_literal, picked)) and ids.nunique() == len(ids)
    entity = trained.entity if trained.entity is not None else "row"
    cases, case = (picked, f"{rows}[{rows}[{literal(entity)}] == case_id]") if by_id else (
        positions, f"{rows}.iloc[[case_id]]")  # fmt: skip
    shown = "case_id" if by_id or trained.entity is None else f"{rows}[{literal(entity)}].iloc[case_id]"
    columns = [entity, "step", "feature", "value", "instead", "score"]
    changing, search = shape.name("may_change"), shape.name("what_would_change")
    columns[1:] = [free(c, [str(entity)]) for c in columns[1:]]
    source = [
        *imports(shape, "numpy", "pandas", use="score"),
        *inputs_source(shape, model=model),
        *functions,
        spared(SOURCE, shape.taken).format(
            score=score, words=literals([f for f in may_change if f in trained.categories]), most=most,
            side="at most" if low else "at least", past="<=" if low else ">=", better="<" if low else ">",
            furthest="min" if low else "max",
        ).rstrip("\n"),
        "",
        "",
        f"# What would have to change for a score of {'at most' if low else 'at least'} {mark:.6g}; the other features "
        "stay as they are.",
        *lines,
        *list_lines(changing, may_change),
        f"{variable} = pd.DataFrame(",
        "    [",
        f"        [{shown}, *change]",
        f"        for case_id in {literals(cases)}",
        f"        for change in {search}(",
        f"            {case}, {known}, {changing}, mark={literal(mark)}",
        "        )",
        "    ],",
        f"    columns={literals(columns)},",
        ")",
    ]  # fmt: skip
    read_from = [frame_name, trained.frame_name, model, *([trained.name("quality")] if trained.calibrated else [])]
    return CodeCell(
        "\n".join(source) + "\n", title="What would have to change", kind="explanation",
        requires=tuple(dict.fromkeys(read_from)),
        produces=(variable,),
    )  # fmt: skip


def score_source(trained: Trained, shape: Shape, model: str) -> tuple[list[str], str]:
    """Return (the function that calibrates, where there is one, the expression for the scores of `rows`)."""
    score = shape.library.scores_source(model, shape.scored("rows"), "raw score" if trained.calibrated else "score")
    if trained.classes:
        return [], f"{score}[:, {trained.classes.index(trained.positive)}]"
    if not trained.calibrated:
        return [], score
    name = shape.name("calibrated")
    functions = CALIBRATED.format(name=name, quality=trained.name("quality")).split("\n")[:-1]
    return functions, f"1 / (1 + np.exp(-{name}({score})))"


def start_scores(cell: CodeCell, names: dict[str, Any], rows: Any, shape: Shape) -> list[float]:
    """Return the scores of the cases as they are, by the functions of the cell."""
    head = cell.source.partition("# What would have to change")[0]
    score = CodeCell(f"{head}scores = score_of(rows)\n", title="scores of the cases", produces=("scores",))
    return [float(s) for s in score.run({**names, "rows": rows})["scores"]]


def base_score(trained: Trained, known: Any) -> float:
    """Return the base rate of the class that the score is for, or the mean of a regression."""
    if trained.task == "classification":
        return (trained.n_positive or 0) / trained.n_rows
    if trained.task == "multiclass":
        return float((known[trained.target].astype("string") == str(trained.positive)).mean())
    return float(known[trained.target].astype("float64").mean())


def read(case_id: Any, start: float, made: Any, mark: float, toward: str) -> WhatIf:
    """Return the counterfactual of one case from the table of all."""
    entity, _, _, _, _, score = made.columns
    changes = made[made[entity].astype(object) == case_id].reset_index(drop=True)
    end = float(changes[score].iloc[-1]) if len(changes) else start
    reached = end <= mark if toward == "lower" else end >= mark
    return WhatIf(case_id, start, mark, reached, changes, said(case_id, start, end, mark, reached, changes))


def said(case_id: Any, start: float, end: float, mark: float, reached: bool, changes: Any) -> str:
    """Return the counterfactual in a line."""
    if not len(changes):
        why = "already there" if reached else "no observed value of a feature that may change moves it that way"
        return f"Case {case_id} scores {start:.2f}, mark {mark:.2f}: {why}."
    listed = ", ".join(
        f"{feature} {short(instead)} instead of {short(value)}"
        for _, _, feature, value, instead, _ in changes.itertuples(index=False, name=None)
    )
    reaches = "passes" if reached else "comes closest to"
    return f"Case {case_id} scores {start:.2f}; with {listed} it {reaches} the mark {mark:.2f}: {end:.2f}."


def short(value: Any) -> str:
    """Return a value as a person would write it."""
    value = plain_value(value)
    if value is None or value != value or str(value) in ("<NA>", "NaT"):
        return "none"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:,.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:,.6g}"
    return f"{value:%Y-%m-%d}" if hasattr(value, "strftime") else str(value)
