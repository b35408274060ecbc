"""The quality cell: repeated cross-validation, its interval, baselines, calibration and an out-of-time check."""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.cells import AUC_SOURCE, Labelled
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import Shape, dict_source, imports, indented, inputs_source

COLUMNS = '["measure", "value", "baseline", "sd", "low", "high", "rows", "cases"]'


@dataclass(frozen=True)
class TimeSplit:
    """`later`: the expression, a bool a labelled row; None where there is no check and `text` says why."""

    text: str
    later: str | None = None
    cut: str = ""


CROSS_VALIDATED = '''\
def cross_validated(X, y):
    """Return the score of each row by fits that have not seen it, a line a repeat; splits are stratified."""
    folds, repeats = {folds}, {repeats}
    scores = np.zeros((repeats, len(y)))
    for repeat in range(repeats):
        rng = np.random.default_rng([{seed}, repeat])
        fold = np.empty(len(y), dtype=int)
        for label in (0, 1):
            rows = rng.permutation(np.flatnonzero(y == label))
            fold[rows] = np.arange(len(rows)) % folds
        for k in range(folds):
            scores[repeat, fold == k] = unseen_scores(X, y, fold == k)
    return scores
'''

CLASSIFY = '''\
def quality_of(X, y{later}):
    """Return a row a measure: the mean over the repeats, its baseline, its spread, the 95 % interval."""
    scores = cross_validated(X, y)
    each = np.array([auc_and_variance(y, score) for score in scores])
    value, half = each[:, 0].mean(), 1.96 * np.sqrt(each[:, 1].mean())
    p, rate = np.clip(scores, 1e-12, 1 - 1e-12), y.mean()
    log_loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean(axis=1)
    guess = -(rate * np.log(rate) + (1 - rate) * np.log(1 - rate))  # the base rate said of every row
    brier = ((scores - y) ** 2).mean(axis=1)
    n, cases, nan = len(y), y.sum(), np.nan
    sd = {spread}
    table = [
        ["AUC", value, 0.5, sd[0], max(0, value - half), min(1, value + half), n, cases],
        ["log loss", log_loss.mean(), guess, sd[1], nan, nan, n, cases],
        ["Brier score", brier.mean(), rate * (1 - rate), sd[2], nan, nan, n, cases],
        ["mean score", scores.mean(), rate, nan, nan, nan, n, cases],
    ]
    # Calibration: the mean score of each third of the rows beside the rate that was observed there.
    mean_score = scores.mean(axis=0)
    for name, rows in zip(["lowest", "middle", "highest"], np.array_split(np.argsort(mean_score, kind="stable"), 3)):
        score, seen = mean_score[rows].mean(), y[rows]
        table.append([f"mean score, {{name}} third", score, seen.mean(), nan, nan, nan, len(rows), seen.sum()])
'''

CLASSIFY_TIME = """\
    # Out of time: learn from the earlier rows, measure on the later ones.
    value, variance = auc_and_variance(y[later], unseen_scores(X, y, later))
    low, high = max(0, value - 1.96 * np.sqrt(variance)), min(1, value + 1.96 * np.sqrt(variance))
    table.append(["AUC, later rows", value, 0.5, nan, low, high, later.sum(), y[later].sum()])
"""

R2_SOURCE = '''\
def r2_about(y, score, mean):
    """Return the share of the squared error about `mean` that the scores remove."""
    return 1 - ((y - score) ** 2).sum(axis=-1) / ((y - mean) ** 2).sum(axis=-1)
'''

CROSS_VALIDATED_NUMBER = '''\
def cross_validated(X, y):
    """Return the score of each row by fits that have not seen it, and the mean they saw; a line a repeat."""
    folds, repeats = {folds}, {repeats}
    scores, means = np.zeros((repeats, len(y))), np.zeros((repeats, len(y)))
    for repeat in range(repeats):
        fold = np.random.default_rng([{seed}, repeat]).permutation(len(y)) % folds
        for k in range(folds):
            test = fold == k
            scores[repeat, test], means[repeat, test] = unseen_scores(X, y, test), y[~test].mean()
    return scores, means
'''

REGRESS = '''\
def quality_of(X, y{later}):
    """Return a row a measure: the mean over the repeats, its baseline, its spread, the 95 % interval."""
    scores, means = cross_validated(X, y)
    each = r2_about(y, scores, means)
    # Interval: 95 % of the R2 over 200 bootstrap samples of the rows.
    rng, draws = np.random.default_rng({seed}), []
    for draw in range(200):
        rows = rng.integers(0, len(y), len(y))
        draws.append(r2_about(y[rows], scores[:, rows], means[:, rows]).mean())
    low, high = np.percentile(draws, [2.5, 97.5])
    error, guess = np.abs(y - scores).mean(axis=1), np.abs(y - means).mean()
    n, nan = len(y), np.nan
    sd = {spread}
    table = [
        ["R2", each.mean(), 0.0, sd[0], low, high, n, nan],
        ["mean absolute error", error.mean(), guess, sd[1], nan, nan, n, nan],
        ["mean score", scores.mean(), y.mean(), nan, nan, nan, n, nan],
    ]
'''

REGRESS_TIME = """\
    # Out of time: learn from the earlier rows, measure on the later ones.
    value = r2_about(y[later], unseen_scores(X, y, later), y[~later].mean())
    table.append(["R2, later rows", value, 0.0, nan, nan, nan, later.sum(), nan])
"""


def spread(measures: str, n: int, repeats: int) -> str:
    """Return the expression for the spread of each measure over the repeats; one repeat has none."""
    return f"np.std([{measures}], axis=1, ddof=1)" if repeats > 1 else f"[nan] * {n}  # a single repeat has no spread"


def quality_cell(
    shape: Shape, labelled: Labelled, settings: Settings, time: TimeSplit, *,
    task: str, seed: int, model: str, variable: str,
) -> CodeCell:  # fmt: skip
    """Return the cell that measures the model's settings on rows that each fit has not seen."""
    classify = task == "classification"
    measures = ("each[:, 0], log_loss, brier", 3) if classify else ("each, error", 2)
    fill = {
        "folds": settings.folds, "repeats": settings.repeats, "seed": seed,
        "later": ", later" if time.later else "", "spread": spread(*measures, settings.repeats),
    }  # fmt: skip
    validated, measured = (CROSS_VALIDATED, CLASSIFY) if classify else (CROSS_VALIDATED_NUMBER, REGRESS)
    out_of_time = CLASSIFY_TIME if classify else REGRESS_TIME
    again = shape.library.again_source(model, dict_source(settings.params), settings.rounds)
    source = [
        *imports(shape, "numpy", "pandas", use="again"),
        *inputs_source(shape),
        AUC_SOURCE if classify else R2_SOURCE,
        "",
        "def unseen_scores(X, y, test):",
        f'    """Return the scores of the test rows by a fit on the others, with the settings of {model}."""',
        *indented("\n".join(again).split("\n")),
        "",
        "",
        validated.format(**fill),
        "",
        measured.format(**fill).rstrip(),
        out_of_time.rstrip() if time.later else f"    # No out-of-time check: {time.text}.",
        f"    return pd.DataFrame(table, columns={COLUMNS})",
        "",
        "",
        f"# The settings of {model} on rows it has not seen: cross-validation, repeated with other splits.",
        *labelled.lines,
        f"{variable} = quality_of(",
        f"    {shape.inputs(labelled.rows)},",
        f"    {labelled.y},",
        *([f"    later={time.later},"] if time.later else []),
        ")",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title="Quality on unseen rows", kind="quality",
        requires=(labelled.frame_name, model), produces=(variable,),
    )  # fmt: skip
