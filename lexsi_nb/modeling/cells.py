"""The train, predict, explain and check cells: plain pandas, numpy and the library of the model.

Beside its product a cell binds imports, `model_features` and functions only: what it computes on the way is local to
them, so that a cell inserted in a notebook does not rebind a name of the user's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import (
    Shape,
    dict_source,
    imports,
    indented,
    inputs_source,
    literal,
    literals,
    scores_source,
)

AUC_SOURCE = '''\
def auc_and_variance(y, score):
    """Return the area under the ROC curve and its variance (DeLong et al. 1988), by mid-ranks."""
    bad, good = pd.Series(score[y == 1]), pd.Series(score[y == 0])
    rank = pd.concat([bad, good]).rank().to_numpy()
    bad_above = (rank[: len(bad)] - bad.rank()) / len(good)
    good_below = 1 - (rank[len(bad) :] - good.rank()) / len(bad)
    return bad_above.mean(), bad_above.var() / len(bad) + good_below.var() / len(good)
'''


@dataclass(frozen=True)
class Labelled:
    """How the labelled rows are written: lines that prepare them, the name of their frame and the expression for y.

    `groups`: the expression for a number a row that rows which belong together share, "" where each stands alone;
    `together` says which those are. `held`, `learn`: expressions, a bool a row, for early stopping.
    """

    frame_name: str
    lines: tuple[str, ...]
    rows: str
    y: str
    groups: str = ""
    together: str = ""
    held: str = ""
    held_text: str = ""
    apart: bool = False  # held rows share no group with those learned from


def train_cell(shape: Shape, labelled: Labelled, settings: Settings, *, model: str, target: str) -> CodeCell:
    """Return the cell that learns `model` from all labelled rows."""
    patience = settings.patience
    body = shape.library.train_source(
        dict_source(settings.params), settings.rounds, words=bool(shape.words), patience=patience
    )
    learn = shape.name("model_of")
    split, more, why = [], [], [f"# {settings.why}"]
    if patience:
        split = ["learn = ~held & ~np.isin(groups, groups[held])" if labelled.apart else "learn = ~held"]
        more = ["held", *(["groups"] if labelled.apart else [])]
        why += [f"# Held out to count the rounds: {labelled.held_text}.", "# The model then learns from all rows."]
    inputs, rows = f"{shape.inputs(labelled.rows)}", [f"{a}={getattr(labelled, a)}" for a in more]
    made = [f"{model} = {learn}({inputs}, {labelled.y})"]
    if patience:
        made = [f"{model} = {learn}(", *(f"    {a}," for a in (inputs, labelled.y, *rows)), ")"]
    source = [
        *imports(shape, *numpy_of(*labelled.lines, *split, *rows), *pandas_of(labelled.y, *rows), use="train"),
        *inputs_source(shape),
        f"def {learn}({', '.join(['X', 'y', *more])}):",
        '    """Return boosted trees that tell y from X."""',
        *indented([*why, *split, *"\n".join(body).split("\n")]),
        "",
        "",
        f"# Learn {target} from {labelled.frame_name}.",
        *labelled.lines,
        *made,
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Train on {labelled.frame_name}", kind="model",
        requires=(labelled.frame_name,), produces=(model,),
    )  # fmt: skip


def numpy_of(*sources: str) -> tuple[str, ...]:
    """Return ("numpy",) where a source uses it."""
    return ("numpy",) if any("np." in s for s in sources) else ()


def pandas_of(*sources: str) -> tuple[str, ...]:
    """Return ("pandas",) where a source uses it."""
    return ("pandas",) if any("pd." in s for s in sources) else ()


@dataclass(frozen=True)
class Scoring:
    """Names of a prediction: frame, lines that convert it, entity, columns made, model and result variables."""

    frame_name: str
    lines: tuple[str, ...]
    rows: str
    n_rows: int
    entity: Any
    row_number: bool  # there is no entity: the row's number stands in
    score: str
    rank: str
    model: str
    variable: str
    quality: str = ""  # the variable of the quality table where scores are calibrated by it
    classes: tuple[Any, ...] = ()  # more than two classes
    class_columns: tuple[str, ...] = ()  # the column of each class's probability
    predicted: str = "predicted"  # the column of the likeliest class
    ranked_class: Any = None  # the class whose probability ranks the rows; None: the likeliest


CALIBRATED = '''\
def {name}(log_odds):
    """Return log-odds as they turned out on rows not learned from (Platt scaling, fitted in the quality cell)."""
    line = {quality}.set_index("measure")["value"]
    return line["calibration intercept"] + line["calibration slope"] * log_odds


'''


def predict_cell(shape: Shape, names: Scoring, keep: Sequence[Any], *, sortable: bool) -> CodeCell:
    """Return the cell that scores every row of a frame, highest first."""
    n = names
    score = scores_source(shape, n.model, n.rows, n.n_rows, "raw score" if n.quality else "score")
    calibrated = shape.name("calibrated")
    functions = CALIBRATED.format(name=calibrated, quality=n.quality).split("\n")[:-1] if n.quality else []
    if n.quality:
        score = f"1 / (1 + np.exp(-{calibrated}({score})))"
    made = [f"{n.variable}[{literal(n.score)}] = {score}"]
    if n.classes:
        of_class = shape.name("class_scores_of")
        functions = class_scores_function(of_class, n)
        made = [f"{n.variable} = pd.concat([{n.variable}.reset_index(drop=True), {of_class}({score})], axis=1)"]
    entity, column = literal(n.entity), literal(n.score)
    kept = literals(list(keep) if n.row_number else [n.entity, *keep])
    by = (
        f"[{column}, {entity}], ascending=[False, True]" if sortable
        else f"{column}, ascending=False, kind=\"stable\""
    )  # fmt: skip
    ties = f"ties in {n.entity} order" if sortable else "ties as they stand"
    source = [
        *imports(shape, *numpy_of(*made), *pandas_of(*made), use="score"),
        *inputs_source(shape, model=n.model),
        *functions,
        f"# Score the rows of {n.frame_name}, highest first; {ties}.",
        *n.lines,
        f"{n.variable} = {n.rows}[{kept}].copy()",
        *([f"{n.variable}.insert(0, {entity}, list(range(len({n.variable}))))"] if n.row_number else []),
        *made,
        f"{n.variable} = {n.variable}.sort_values({by}, ignore_index=True)",
        f"{n.variable}[{literal(n.rank)}] = {n.variable}.index + 1",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Score {n.frame_name}", kind="prediction",
        requires=(n.frame_name, n.model, *([n.quality] if n.quality else [])), produces=(n.variable,),
    )  # fmt: skip


def class_scores_function(name: str, names: Scoring) -> list[str]:
    """Return the function that makes the columns of a prediction of several classes."""
    n, ranked = names, "by_class.max(axis=1)"
    if n.ranked_class is not None:
        ranked = f"by_class[:, {n.classes.index(n.ranked_class)}]"
    return [
        f"def {name}(by_class):",
        '    """Return the likeliest class, the probability that ranks the rows, and that of each class."""',
        *indented(f"table = pd.DataFrame(by_class, columns={literals(n.class_columns)})".split("\n")),
        *indented(f"classes = pd.Index({literals(n.classes)})".split("\n")),
        f"    table.insert(0, {literal(n.predicted)}, classes[by_class.argmax(axis=1)])",
        f"    table.insert(1, {literal(n.score)}, {ranked})",
        "    return table",
        "",
        "",
    ]


@dataclass(frozen=True)
class Explaining:
    """Names of an explanation, and the cases.

    `ids` are entity ids, `positions` row numbers where an id has no literal or there is no entity; neither: all rows.
    `source`: the variable, its column and how many of its first rows hold just those ids.
    """

    frame_name: str
    lines: tuple[str, ...]
    rows: str
    n_cases: int
    entity: Any
    row_number: bool
    ids: tuple[Any, ...] | None
    positions: tuple[int, ...] | None
    source: tuple[str, Any, int] | None
    base: str
    raw: str
    unit: str
    model: str
    variable: str
    chunk: int
    quality: str = ""  # the variable of the quality table where scores are calibrated by it
    classes: tuple[Any, ...] = ()
    explained_class: str = ""  # the column that says which class the contributions are for


def cases_source(shape: Shape, names: Explaining) -> tuple[list[str], str]:
    """Return (lines that name the cases, the expression for their rows)."""
    n = names
    rows = f"{n.rows}.reset_index(drop=True)" if n.row_number else n.rows
    by_id = f"{n.rows}.set_index({literal(n.entity)}, drop=False)"
    case_ids, case_rows = shape.name("case_ids"), shape.name("case_rows")
    if n.source is not None:
        variable, column, k = n.source
        lines = [f"{case_ids} = {variable}[{literal(column)}].head({k}).tolist()"]
        return lines, f"{rows}.iloc[{case_ids}]" if n.row_number else f"{by_id}.loc[{case_ids}]"
    if n.ids is not None:
        return [f"{case_ids} = {literals(n.ids)}"], f"{by_id}.loc[{case_ids}]"
    if n.positions is not None:
        return [f"{case_rows} = {literals(n.positions)}"], f"{rows}.iloc[{case_rows}]"
    return [], rows


def explain_cell(shape: Shape, names: Explaining) -> CodeCell:
    """Return the cell that computes exact TreeSHAP contributions of the chosen rows."""
    n, library = names, shape.library
    explain = shape.name("attributions_of")
    lines, cases = cases_source(shape, n)
    ids = "rows.index" if n.row_number else f"rows[{literal(n.entity)}].to_numpy()"
    if n.n_cases <= n.chunk:
        made = [f"{n.variable} = {explain}({cases})"]
    else:
        all_cases = shape.name("cases_to_explain")
        made = [
            f"{all_cases} = {cases}",
            f"{n.variable} = pd.concat(",
            f"    [{explain}({all_cases}.iloc[i : i + {n.chunk:_}]) for i in range(0, len({all_cases}), {n.chunk:_})],",
            "    ignore_index=True,",
            ")",
        ]
    many = len(n.classes)
    body = [
        f'"""Return exact SHAP values, in {n.unit}: base value + contributions = raw score of the model."""',
        f"X = {shape.scored('rows')}",
        f"contributions = {library.scores_source(n.model, 'X', 'contributions', classes=many)}",
        f"raw_score = {library.scores_source(n.model, 'X', 'raw score')}",
        *(["# Those of the likeliest class, row by row.", "likeliest = raw_score.argmax(axis=1)",
           "row = np.arange(len(raw_score))",
           "contributions, raw_score = contributions[row, likeliest], raw_score[row, likeliest]"] if many else []),
        "off = np.abs(contributions.sum(axis=1) - raw_score).max()",
        f"assert off <= {library.tolerance} * np.abs(contributions).max()",
        *calibrated_lines(n.quality),
        *folded_lines(shape),
        f"table.insert(0, {literal(n.entity)}, {ids})",
        f"table.insert(1, {literal(n.base)}, contributions[:, -1])",
        f"table[{literal(n.raw)}] = raw_score",
        *([f"table[{literal(n.explained_class)}] = pd.Index({literal(list(n.classes))})[likeliest]"]
          if many else []),
        "return table",
    ]  # fmt: skip
    source = [
        *imports(shape, "numpy", "pandas", use="score"),
        *inputs_source(shape, model=n.model),
        f"def {explain}(rows):",
        *indented(body),
        "",
        "",
        *n.lines,
        *lines,
        *made,
    ]
    requires = (n.frame_name, n.model, *([n.source[0]] if n.source else []), *([n.quality] if n.quality else []))
    return CodeCell(
        "\n".join(source) + "\n", title=f"Explain {n.n_cases:,} rows of {n.frame_name}", kind="explanation",
        requires=requires, produces=(n.variable,),
    )  # fmt: skip


def calibrated_lines(quality: str) -> list[str]:
    """Return the lines that calibrate contributions and raw score: a line in log-odds, so they still add up."""
    if not quality:
        return []
    return [
        "# Calibrated as the scores are; a straight line in log-odds, so that the parts still add up.",
        f'line = {quality}.set_index("measure")["value"]',
        'intercept, slope = line["calibration intercept"], line["calibration slope"]',
        "contributions, raw_score = slope * contributions, intercept + slope * raw_score",
        "contributions[:, -1] += intercept",
    ]


def folded_lines(shape: Shape) -> list[str]:
    """Return the lines that make the table of contributions, a column a feature: parts of a date are summed."""
    features = shape.name("model_features")
    if not shape.dates:
        return [f"table = pd.DataFrame(contributions[:, :-1], columns={features})"]
    return [
        *f"feature_of_input = {literals([c for _, c in shape.inputs_by_feature])}".split("\n"),
        "parts = pd.DataFrame(contributions[:, :-1], columns=feature_of_input)",
        f"table = parts.T.groupby(level=0, sort=False).sum().T[{features}]  # the parts of a date are summed",
    ]


@dataclass(frozen=True)
class Group:
    """A frame of a check: its variable, lines that convert it, the pandas frame's name, and its rows."""

    frame_name: str
    lines: tuple[str, ...]
    rows: str
    n_rows: int


def check_cell(shape: Shape, *, held: Group, against: Group, model: str, variable: str) -> CodeCell:
    """Return the cell that measures how well scores tell two held-back groups apart."""
    scores = [scores_source(shape, model, g.rows, g.n_rows) for g in (held, against)]
    told = shape.name("told_apart")
    counts = [literal(f"rows of {g.frame_name}") for g in (held, against)]
    source = [
        *imports(shape, "numpy", "pandas", use="score"),
        *inputs_source(shape, model=model),
        AUC_SOURCE,
        "",
        f"def {told}(held, against):",
        '    """Return how well scores tell the held group from the other: AUC with its 95 % interval."""',
        "    y = np.repeat([1, 0], [len(held), len(against)])",
        "    value, variance = auc_and_variance(y, np.concatenate([held, against]))",
        "    half = 1.96 * np.sqrt(variance)",
        '    row = {"AUC": value, "low": max(0, value - half), "high": min(1, value + half)}',
        f"    return pd.DataFrame([row | {{{counts[0]}: len(held), {counts[1]}: len(against)}}])",
        "",
        "",
        f"# A check on rows that were not learned from: do those of {held.frame_name} score above those of "
        f"{against.frame_name}?",
        *held.lines,
        *against.lines,
        f"{variable} = {told}(",
        *indented("\n".join(f"{s}," for s in scores).split("\n")),
        ")",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title=f"Check on {held.frame_name}", kind="quality",
        requires=(held.frame_name, against.frame_name, model), produces=(variable,),
    )  # fmt: skip
