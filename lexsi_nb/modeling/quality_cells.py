"""The quality cell: repeated cross-validation, its interval, baselines, calibration and an out-of-time check."""

from __future__ import annotations

from dataclasses import dataclass

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.cells import AUC_SOURCE, Labelled, imports
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import Shape, matrix_source, names_source

COLUMNS = '["measure", "value", "baseline", "sd", "low", "high", "rows", "cases"]'


@dataclass(frozen=True)
class TimeSplit:
    """`later`: the expression, a bool a labelled row; None where there is no check and `text` says why."""

    text: str
    later: str | None = None
    cut: str = ""


CLASSIFY = """\
folds, repeats = {folds}, {repeats}
scores = np.zeros((repeats, len(y)))
for repeat in range(repeats):
    rng = np.random.default_rng([{seed}, repeat])
    fold = np.empty(len(y), dtype=int)
    for label in (0, 1):  # stratified: every fold gets its share of both classes
        rows = rng.permutation(np.flatnonzero(y == label))
        fold[rows] = np.arange(len(rows)) % folds
    for k in range(folds):
        test = fold == k
        fitted = lgb.train({model}.params, lgb.Dataset({x}[~test], y[~test]))
        scores[repeat, test] = fitted.predict({x}[test])

each = np.array([auc(y, score) for score in scores])
value, half = each[:, 0].mean(), 1.96 * np.sqrt(each[:, 1].mean())
p, rate = np.clip(scores, 1e-12, 1 - 1e-12), y.mean()
log_loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean(axis=1)
guess = -(rate * np.log(rate) + (1 - rate) * np.log(1 - rate))  # the base rate said of every row
brier = ((scores - y) ** 2).mean(axis=1)
sd = (lambda values: values.std(ddof=1)) if repeats > 1 else (lambda values: np.nan)
n, cases, nan = len(y), y.sum(), np.nan
table = [
    ["AUC", value, 0.5, sd(each[:, 0]), max(0, value - half), min(1, value + half), n, cases],
    ["log loss", log_loss.mean(), guess, sd(log_loss), nan, nan, n, cases],
    ["Brier score", brier.mean(), rate * (1 - rate), sd(brier), nan, nan, n, cases],
    ["mean score", scores.mean(), rate, nan, nan, nan, n, cases],
]
# Calibration: the mean score of each third of the rows beside the rate that was observed there.
mean_score = scores.mean(axis=0)
for name, rows in zip(["lowest", "middle", "highest"], np.array_split(np.argsort(mean_score, kind="stable"), 3)):
    score, seen = mean_score[rows].mean(), y[rows]
    table.append([f"mean score, {{name}} third", score, seen.mean(), nan, nan, nan, len(rows), seen.sum()])
"""

CLASSIFY_TIME = """\
# Out of time: learn from the earlier rows, measure on the later ones.
later = {later}
fitted = lgb.train({model}.params, lgb.Dataset({x}[~later], y[~later]))
value, variance = auc(y[later], fitted.predict({x}[later]))
low, high = max(0, value - 1.96 * np.sqrt(variance)), min(1, value + 1.96 * np.sqrt(variance))
table.append(["AUC, later rows", value, 0.5, nan, low, high, later.sum(), y[later].sum()])
"""

R2_SOURCE = '''\
def r2(y, score, mean):
    """Return the share of the squared error about `mean` that the scores remove."""
    return 1 - ((y - score) ** 2).sum(axis=-1) / ((y - mean) ** 2).sum(axis=-1)
'''

REGRESS = """\
folds, repeats = {folds}, {repeats}
scores, means = np.zeros((repeats, len(y))), np.zeros((repeats, len(y)))
for repeat in range(repeats):
    rng = np.random.default_rng([{seed}, repeat])
    fold = rng.permutation(len(y)) % folds
    for k in range(folds):
        test = fold == k
        fitted = lgb.train({model}.params, lgb.Dataset({x}[~test], y[~test]))
        scores[repeat, test], means[repeat, test] = fitted.predict({x}[test]), y[~test].mean()

# Interval: 95 % of the R2 over 200 bootstrap samples of the rows.
each = r2(y, scores, means)
rng, draws = np.random.default_rng({seed}), []
for draw in range(200):
    rows = rng.integers(0, len(y), len(y))
    draws.append(r2(y[rows], scores[:, rows], means[:, rows]).mean())
low, high = np.percentile(draws, [2.5, 97.5])
error, guess = np.abs(y - scores).mean(axis=1), np.abs(y - means).mean()
sd = (lambda values: values.std(ddof=1)) if repeats > 1 else (lambda values: np.nan)
n, nan = len(y), np.nan
table = [
    ["R2", each.mean(), 0.0, sd(each), low, high, n, nan],
    ["mean absolute error", error.mean(), guess, sd(error), nan, nan, n, nan],
    ["mean score", scores.mean(), y.mean(), nan, nan, nan, n, nan],
]
"""

REGRESS_TIME = """\
# Out of time: learn from the earlier rows, measure on the later ones.
later = {later}
fitted = lgb.train({model}.params, lgb.Dataset({x}[~later], y[~later]))
value = r2(y[later], fitted.predict({x}[later]), y[~later].mean())
table.append(["R2, later rows", value, 0.0, nan, nan, nan, later.sum(), nan])
"""


def quality_cell(
    shape: Shape, labelled: Labelled, settings: Settings, time: TimeSplit, *,
    task: str, seed: int, model: str, variable: str,
) -> CodeCell:  # fmt: skip
    """Return the cell that measures the model's settings on rows that each fit has not seen."""
    classify = task == "classification"
    fill = {"folds": settings.folds, "repeats": settings.repeats, "seed": seed, "model": model, "x": shape.matrix}
    body = (CLASSIFY if classify else REGRESS).format(**fill)
    out_of_time = (
        (CLASSIFY_TIME if classify else REGRESS_TIME).format(**fill, later=time.later)
        if time.later else f"# No out-of-time check: {time.text}.\n"
    )  # fmt: skip
    source = [
        *imports(lightgbm=True, numpy=True, pandas=True),
        "",
        AUC_SOURCE if classify else R2_SOURCE,
        "",
        "# The model's settings on rows it has not seen: cross-validation, repeated with other splits.",
        *names_source(shape),
        *labelled.lines,
        *matrix_source(shape, labelled.rows),
        f"y = {labelled.y}",
        body,
        out_of_time.rstrip(),
        f"{variable} = pd.DataFrame(table, columns={COLUMNS})",
    ]
    return CodeCell(
        "\n".join(source) + "\n", title="Quality on unseen rows", kind="quality",
        requires=(labelled.frame_name, model), produces=(variable,),
    )  # fmt: skip
