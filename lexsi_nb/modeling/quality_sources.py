"""The functions that a quality cell is put together from, as source."""

from __future__ import annotations

# The sum of squares of what each row moves the area by is DeLong's variance; rows of one group move it together.
AUC_MOVES = '''\
def auc_and_moves(y, score):
    """Return the area under the ROC curve and what each row moves it by (DeLong et al. 1988), by mid-ranks."""
    bad, good = pd.Series(score[y == 1]), pd.Series(score[y == 0])
    rank = pd.concat([bad, good]).rank().to_numpy()
    bad_above = (rank[: len(bad)] - bad.rank()) / len(good)
    good_below = 1 - (rank[len(bad) :] - good.rank()) / len(bad)
    moves = np.zeros(len(y))
    moves[y == 1] = (bad_above - bad_above.mean()) / np.sqrt(len(bad) * (len(bad) - 1))
    moves[y == 0] = (good_below - good_below.mean()) / np.sqrt(len(good) * (len(good) - 1))
    return bad_above.mean(), moves
'''

MACRO_AUC_MOVES = '''\
def auc_and_moves(y, scores):
    """Return the mean over the classes of the AUC of one class against the rest, and what each row moves it by."""
    values, moves, classes = [], np.zeros(len(y)), np.unique(y)
    for k in classes:
        one, rest = pd.Series(scores[y == k, k]), pd.Series(scores[y != k, k])
        rank = pd.concat([one, rest]).rank().to_numpy()
        one_above = (rank[: len(one)] - one.rank()) / len(rest)
        rest_below = 1 - (rank[len(one) :] - rest.rank()) / len(one)
        values.append(one_above.mean())
        moves[y == k] += (one_above - one_above.mean()).to_numpy() / np.sqrt(len(one) * max(1, len(one) - 1))
        moves[y != k] += (rest_below - rest_below.mean()).to_numpy() / np.sqrt(len(rest) * max(1, len(rest) - 1))
    return np.mean(values), moves / len(classes)
'''

HALF = '''\
def half_of(moves{groups}):
    """Return half of the 95 % interval of what the rows move so{together}; a line a repeat."""
    {total}return 1.96 * np.sqrt((moves**2).sum(axis=-1).mean())
'''

DESIGN = '''\
def design_of(X):
    """Return the inputs as standardised numbers: a column a word, gaps in numbers as the mean and marked."""
    Z = pd.get_dummies(X, dtype=float)
    gaps = Z.isna().loc[:, Z.isna().any()].astype(float)
    Z = pd.concat([Z.fillna(Z.mean()), gaps], axis=1).to_numpy()
    return np.column_stack([np.ones(len(Z)), (Z - Z.mean(axis=0)) / np.where(Z.std(axis=0) > 0, Z.std(axis=0), 1)])
'''

LOGISTIC = '''\
def logistic_scores(Z, y, test):
    """Return the log-odds of the test rows by a logistic regression on the others (Newton's method, ridge of 1)."""
    seen, ridge = Z[~test], np.diag([0.0] + [1.0] * (Z.shape[1] - 1)) + 1e-9 * np.eye(Z.shape[1])
    b = np.zeros(Z.shape[1])
    for _ in np.arange(12):
        p = 1 / (1 + np.exp(-np.clip(seen @ b, -30, 30)))
        slope, curvature = seen.T @ (y[~test] - p) - ridge @ b, (seen.T * (p * (1 - p))) @ seen + ridge
        b += np.linalg.solve(curvature, slope)
    return Z[test] @ b
'''

LOGISTIC_CLASSES = '''\


def logistic_class_scores(Z, y, test):
    """Return the log-odds of each class against the rest, a column a class."""
    return np.column_stack([logistic_scores(Z, (y == k).astype(int), test) for k in np.arange(y.max() + 1)])
'''

LINEAR = '''\
def linear_scores(Z, y, test):
    """Return the predictions of the test rows by a linear regression on the others (least squares, ridge of 1)."""
    seen, ridge = Z[~test], np.diag([0.0] + [1.0] * (Z.shape[1] - 1)) + 1e-9 * np.eye(Z.shape[1])
    return Z[test] @ np.linalg.solve(seen.T @ seen + ridge, seen.T @ y[~test])
'''

STRATIFIED = """\
        fold = np.empty(len(y), dtype=int)
        for label in np.unique(y):
            rows = rng.permutation(np.flatnonzero(y == label))
            fold[rows] = np.arange(len(rows)) % folds"""

STRATIFIED_GROUPS = """\
        of_group = np.empty(len(label_of), dtype=int)
        for label in np.unique(label_of):
            members = rng.permutation(np.flatnonzero(label_of == label))
            of_group[members] = np.arange(len(members)) % folds
        fold = of_group[groups]"""

CROSS_VALIDATED = '''\
def cross_validated(X, y, fit{args}):
    """Return the score of each row by fits that have not seen it, a line a repeat; {splits}."""
    folds, repeats = {folds}, {repeats}
{note}    scores = {empty}
{labels}    for repeat in range(repeats):
        rng = np.random.default_rng([{seed}, repeat])
{fold}
        for k in range(folds):
            scores[repeat, fold == k] = fit(X, y, fold == k)
    return scores
'''

PLATT = '''\
def platt(log_odds, y):
    """Return (intercept, slope) of the logistic regression of y on the log-odds (Platt 1999), by Newton's method."""
    Z, b = np.column_stack([np.ones(log_odds.size), log_odds.ravel()]), np.array([0.0, 1.0])
    y = np.broadcast_to(y, log_odds.shape).ravel()
    for _ in np.arange(12):
        p = 1 / (1 + np.exp(-np.clip(Z @ b, -30, 30)))
        b += np.linalg.solve((Z.T * (p * (1 - p))) @ Z + 1e-9 * np.eye(2), Z.T @ (y - p))
    return b
'''

CLASSIFY = """\
    each = [auc_and_moves(y, score) for score in scores]
    value, moves = np.array([a for a, _ in each]), np.array([m for _, m in each])
    auc, half = value.mean(), half_of(moves{groups})
    p, rate = np.clip(scores, 1e-12, 1 - 1e-12), y.mean()
    log_loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean(axis=1)
    guess = -(rate * np.log(rate) + (1 - rate) * np.log(1 - rate))  # the base rate said of every row
    brier = ((scores - y) ** 2).mean(axis=1)
    n, cases, nan = len(y), y.sum(), np.nan
    sd = {spread}
    table = [
        ["AUC", auc, 0.5, sd[0], max(0, auc - half), min(1, auc + half), n, cases],
        ["log loss", log_loss.mean(), guess, sd[1], nan, nan, n, cases],
        ["Brier score", brier.mean(), rate * (1 - rate), sd[2], nan, nan, n, cases],
        ["mean score", scores.mean(), rate, nan, nan, nan, n, cases],
    ]
"""

BESIDE = """\
    # Beside it a {simple} on the same splits; the rows are the same, so the difference has an interval.
    linear = cross_validated({design}, y, {fit}{groups_arg})
    each = [auc_and_moves(y, score) for score in linear]
    plain, plain_moves = np.array([a for a, _ in each]), np.array([m for _, m in each])
    half, apart = half_of(plain_moves{groups}), half_of(moves - plain_moves{groups})
    more, low, high = auc - plain.mean(), max(0, plain.mean() - half), min(1, plain.mean() + half)
    table += [
        ["{metric}, logistic regression", plain.mean(), 0.5, nan, low, high, n, cases],
        ["{metric} above logistic regression", more, 0, nan, more - apart, more + apart, n, cases],
    ]
"""

CALIBRATE = """\
    # Platt scaling: log-odds = intercept + slope * raw score; checked on halves of the rows that it was not fitted on.
    log_odds, half_rows = np.log(p / (1 - p)), {halves} % 2
    intercept, slope = platt(log_odds, y)
    fitted = np.empty_like(log_odds)
    for part in (0, 1):
        a, b = platt(log_odds[:, half_rows != part], y[half_rows != part])
        fitted[:, half_rows == part] = 1 / (1 + np.exp(-(a + b * log_odds[:, half_rows == part])))
    loss = -(y * np.log(fitted) + (1 - y) * np.log(1 - fitted)).mean()
    table += [
        ["calibration intercept", intercept, 0, nan, nan, nan, n, cases],
        ["calibration slope", slope, 1, nan, nan, nan, n, cases],
        ["log loss, calibrated", loss, log_loss.mean(), nan, nan, nan, n, cases],
    ]
"""

RELIABILITY = """\
    # Calibration: the mean score of each {part} of the rows beside the rate that was observed there.
    mean_score = {scores}.mean(axis=0)
    names = {names}
    for name, rows in zip(names, np.array_split(np.argsort(mean_score, kind="stable"), len(names))):
        score, seen = mean_score[rows].mean(), y[rows]
        table.append([f"{row}", score, seen.mean(), nan, nan, nan, len(rows), seen.sum()])
"""

LIFT = """\
    # Lift: how often the rate among the rows scored highest is the rate of all rows.
    for share in (5, 10, 20):
        top = np.argsort(-mean_score, kind="stable")[: max(1, n * share // 100)]
        table.append([f"lift, top {share} %", y[top].mean() / rate, 1, nan, nan, nan, len(top), y[top].sum()])
"""

CLASSIFY_TIME = """\
    # Out of time: learn from the earlier rows, measure on the later ones.
    value, moves = auc_and_moves(y[later], unseen_scores(X, y, later))
    half = half_of(moves{later_groups})
    low, high = max(0, value - half), min(1, value + half)
    table.append(["{metric}, later rows", value, 0.5, nan, low, high, later.sum(), {later_cases}])
"""

CLASSES = """\
    each = [auc_and_moves(y, score) for score in scores]
    value, moves = np.array([a for a, _ in each]), np.array([m for _, m in each])
    auc, half = value.mean(), half_of(moves{groups})
    share = np.bincount(y) / len(y)
    log_loss = -np.log(np.clip(scores[:, np.arange(len(y)), y], 1e-12, 1)).mean(axis=1)
    right = (scores.argmax(axis=2) == y).mean(axis=1)
    n, nan, cases = len(y), np.nan, np.nan
    sd = {spread}
    table = [
        ["macro AUC", auc, 0.5, sd[0], max(0, auc - half), min(1, auc + half), n, nan],
        ["log loss", log_loss.mean(), -(share * np.log(share)).sum(), sd[1], nan, nan, n, nan],
        ["accuracy", right.mean(), share.max(), sd[2], nan, nan, n, nan],
    ]
    # Calibration: the mean score of each class beside its share, over all rows.
    for k, name in enumerate({classes}):
        table.append([f"mean score, {{name}}", scores[:, :, k].mean(), share[k], nan, nan, nan, n, (y == k).sum()])
    # Each class against the rest, by its mean score: AUC, how often the likeliest class is right (precision) and found
    # (recall), and by thirds of the score what was observed beside it.
    mean_score = scores.mean(axis=0)
    for k, name in enumerate({classes}):
        one, score, said = y == k, mean_score[:, k], mean_score.argmax(axis=1) == k
        above = (pd.Series(score).rank()[one].mean() - (one.sum() + 1) / 2) / (~one).sum()
        right = one[said].mean() if said.any() else nan
        table += [
            [f"AUC, {{name}}", above, 0.5, nan, nan, nan, n, one.sum()],
            [f"precision, {{name}}", right, share[k], nan, nan, nan, said.sum(), (one & said).sum()],
            [f"recall, {{name}}", said[one].mean(), said.mean(), nan, nan, nan, one.sum(), (one & said).sum()],
        ]
        for part, rows in zip(["lowest", "middle", "highest"], np.array_split(np.argsort(score, kind="stable"), 3)):
            seen = one[rows]
            row = [f"reliability, {{name}}, {{part}} third", score[rows].mean(), seen.mean()]
            table.append([*row, nan, nan, nan, len(rows), seen.sum()])
"""

R2 = '''\
def r2_about(y, score, mean, weight=1.0):
    """Return the share of the squared error about `mean` that the scores remove."""
    return 1 - (weight * (y - score) ** 2).sum(axis=-1) / (weight * (y - mean) ** 2).sum(axis=-1)


def mean_of_others(X, y, test):
    """Return the mean of the rows outside `test`."""
    return y[~test].mean()
'''

REGRESS = """\
    means = cross_validated(X, y, mean_of_others{groups_arg})
    each = r2_about(y, scores, means)
{linear}    # Interval: 95 % of the R2 over 200 bootstrap samples of the {units}.
    rng, draws = np.random.default_rng({seed}), []
    for draw in range(200):
{draw}
        draws.append([{drawn}])
    low, high = np.percentile(draws, [2.5, 97.5], axis=0)
    error, guess = np.abs(y - scores).mean(axis=1), np.abs(y - means).mean()
    n, nan = len(y), np.nan
    sd = {spread}
    table = [
        ["R2", each.mean(), 0.0, sd[0], low[0], high[0], n, nan],
        ["mean absolute error", error.mean(), guess, sd[1], nan, nan, n, nan],
        ["mean score", scores.mean(), y.mean(), nan, nan, nan, n, nan],
    ]
"""

REGRESS_BESIDE = """\
    more = each.mean() - plain.mean()
    table += [
        ["R2, linear regression", plain.mean(), 0.0, nan, low[1], high[1], n, nan],
        ["R2 above linear regression", more, 0.0, nan, low[2], high[2], n, nan],
    ]
"""

REGRESS_TIME = """\
    # Out of time: learn from the earlier rows, measure on the later ones.
    value = r2_about(y[later], unseen_scores(X, y, later), y[~later].mean())
    table.append(["R2, later rows", value, 0.0, nan, nan, nan, later.sum(), nan])
"""
