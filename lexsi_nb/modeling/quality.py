"""Quality read off the table that the quality cell made, and the time split that it uses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.backend import TOO_FEW, Beside, Calibration, OutOfTime, Quality, Task
from lexsi_nb.modeling.quality_cells import TimeSplit
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import literal

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

CASES_A_SIDE = 10  # of either class, before and after the cut
ROWS_A_SIDE = 30  # regression
FEW_POSITIVES, FEW_OF_A_CLASS, WIDE = 50, 20, 0.08


def split_by_time(
    rows: Any, column: Any, y: np.ndarray, *, expression: str, task: str, share: float = 1 / 3
) -> TimeSplit:  # fmt: skip
    """Return the split that puts the later `share` of the rows apart, or why there is none.

    rows: the labelled rows. expression: the source of that frame.
    """
    import numpy as np
    import pandas as pd

    if column is None:
        return TimeSplit("no time column")
    picked, times = f"{expression}[{literal(column)}]", rows[column]
    if times.dtype.kind in "iuf":
        cut = times.quantile(1 - share, interpolation="lower")
        shown, later, source = f"{cut:g}", times > cut, f"({picked} > {literal(cut)}).to_numpy()"
    else:
        aware = getattr(times.dtype, "tz", None) is not None
        times: Any = pd.to_datetime(times, errors="coerce", utc=aware)
        if times.isna().all():
            return TimeSplit(f"{column} holds no dates")
        cut = times.quantile(1 - share, interpolation="lower").ceil("D")
        shown, later = f"{cut:%Y-%m-%d}", times > cut
        how, moment = (", utc=True", f'pd.Timestamp("{shown}", tz="UTC")') if aware else ("", f'"{shown}"')
        coerce = ', errors="coerce"' if rows[column].notna().sum() != times.notna().sum() else ""
        source = f"(pd.to_datetime({picked}{coerce}{how}) > {moment}).to_numpy()"
    after = later.to_numpy(dtype=bool)
    if task == "regression":
        if min(after.sum(), (~after).sum()) < ROWS_A_SIDE:
            few = f"not enough rows: {after.sum()} later than {shown}, {(~after).sum()} not later"
            return TimeSplit(few, None, shown)
        return TimeSplit("", source, shown)
    if task == "multiclass":
        few = min(np.bincount(y[side], minlength=y.max() + 1).min() for side in (after, ~after))
        if few < CASES_A_SIDE:
            text = (
                f"not enough cases: a class has {few} rows on one side of {shown}; at least {CASES_A_SIDE} are needed"
            )
            return TimeSplit(text, None, shown)
        return TimeSplit("", source, shown)
    n = int(y.sum())
    sides = (y[after].sum(), y[~after].sum(), (1 - y[after]).sum(), (1 - y[~after]).sum())
    if min(sides) < CASES_A_SIDE:
        few = f"not enough cases: {sides[0]} of {n} are later than {shown}"
        return TimeSplit(f"{few}; at least {CASES_A_SIDE} are needed on either side", None, shown)
    return TimeSplit("", source, shown)


def read_quality(
    frame: pd.DataFrame, time: TimeSplit, settings: Settings, *, task: Task, n_rows: int, n_positive: int | None,
    n_rarest: int = 0, together: str = "",
) -> Quality:  # fmt: skip
    """Return the Quality that the quality table says.

    Headline rule, classification: "too few cases to tell" with fewer than 50 cases of the rarer class (20 rows of the
    rarest of several classes), or an interval wider than 0.08 to a side; else "no better than guessing" where it
    includes 0.5; else the AUC with its interval. Regression: fewer than 100 rows; an R2 interval that reaches 0.
    """
    row = frame.set_index("measure")
    metric = {"classification": "AUC", "multiclass": "macro AUC"}.get(task, "R2")
    value, low, high = (float(row.at[metric, c]) for c in ("value", "low", "high"))
    span = f"{metric} {value:.2f} ({low:.2f}-{high:.2f})"
    if task == "regression":
        enough, none = n_rows >= 100, low <= 0
    else:
        few = FEW_POSITIVES if task == "classification" else FEW_OF_A_CLASS
        enough = n_rarest >= few and (high - low) / 2 <= WIDE
        none = low <= 0.5
    headline = TOO_FEW if not enough else f"no better than guessing: {span}" if none else span
    measures = {"classification": ("log loss", "Brier score"), "multiclass": ("log loss", "accuracy")}.get(
        task, ("mean absolute error",))  # fmt: skip
    method = {"classification": "DeLong", "multiclass": "DeLong, a class against the rest"}.get(task, "bootstrap")
    platt = read_platt(row)
    return Quality(
        task=task, metric=metric, value=value, sd=float(row.at[metric, "sd"]), low=low, high=high,
        method=f"{method}, by {together}" if together else method, folds=settings.folds, repeats=settings.repeats,
        baseline=float(row.at[metric, "baseline"]),
        baseline_text="the mean" if task == "regression" else "guessing",
        scores={m: (float(row.at[m, "value"]), float(row.at[m, "baseline"])) for m in measures},
        out_of_time=read_out_of_time(row, time, metric, n_rows, n_positive),
        calibration=calibration(row, platt) if task == "classification" else class_calibration(row, task),
        headline=headline, enough=enough, n_rows=n_rows, n_positive=n_positive, frame=frame,
        beside=read_beside(row, metric), platt=platt, lift=read_lift(row), by_class=by_class(row, task),
    )  # fmt: skip


def read_beside(row: pd.DataFrame, metric: str) -> Beside | None:
    """Return the plain regression beside the model, None where there is none."""
    kind = "linear regression" if metric == "R2" else "logistic regression"
    if f"{metric} above {kind}" not in row.index:
        return None
    value = float(row.at[f"{metric}, {kind}", "value"])
    more, low, high = (float(row.at[f"{metric} above {kind}", c]) for c in ("value", "low", "high"))
    beside = f"{kind} beside it: {metric} {value:.2f}"
    interval = f"difference {more:+.3f} ({low:+.3f} to {high:+.3f}, 95%)"
    found = Beside(kind, value, more, low, high, "")
    if low > 0:
        verdict = "the trees are better"
    elif found.is_better:
        verdict = f"the {kind} is better: use it"
    else:
        verdict = f"the {kind} is as good as can be told"
    return replace(found, text=f"{beside}, {interval}: {verdict}")


def read_platt(row: pd.DataFrame) -> Calibration | None:
    """Return the calibration, used where the log loss on rows it was not fitted on is not worse; None: not fitted."""
    if "calibration slope" not in row.index:
        return None
    intercept, slope = (float(row.at[f"calibration {p}", "value"]) for p in ("intercept", "slope"))
    gain = float(row.at["log loss, calibrated", "baseline"]) - float(row.at["log loss, calibrated", "value"])
    return Calibration(intercept, slope, slope > 0 and gain >= -1e-4)


def read_lift(row: pd.DataFrame) -> tuple[tuple[int, float, int, int], ...]:
    """Return (top percent, lift, rows, cases) as the quality table has it."""
    found = []
    for share in (5, 10, 20):
        name = f"lift, top {share} %"
        if name in row.index:
            found.append((share, float(row.at[name, "value"]), int(row.at[name, "rows"]), int(row.at[name, "cases"])))
    return tuple(found)


def read_out_of_time(row: pd.DataFrame, time: TimeSplit, metric: str, n_rows: int, n_positive: int | None) -> OutOfTime:
    """Return the out-of-time result, or the reason that there is none."""
    name = f"{metric}, later rows"
    if name not in row.index:
        return OutOfTime(time.text, cut=time.cut)
    import math

    value, low, high = (float(row.at[name, c]) for c in ("value", "low", "high"))
    later = int(row.at[name, "rows"])
    positives = 0 if n_positive is None else int(row.at[name, "cases"])
    span = "" if math.isnan(low) else f" ({low:.2f}-{high:.2f})"
    of = f", {positives} cases" if n_positive is not None else ""
    return OutOfTime(
        f"{metric} {value:.2f}{span} on the {later:,} rows later than {time.cut}{of}",
        value, None if math.isnan(low) else low, None if math.isnan(high) else high, time.cut,
        n_rows - later, later, (n_positive or 0) - positives, positives,
    )  # fmt: skip


def calibration(row: pd.DataFrame, platt: Calibration | None) -> str:
    """Return what the scores are worth as probabilities: calibrated or not, with scored beside observed."""
    tenths = "mean score, tenth 1" in row.index or "mean calibrated score, tenth 1" in row.index
    parts = [f"tenth {i}" for i in range(1, 11)] if tenths else [f"{t} third" for t in ("lowest", "middle", "highest")]
    score = "mean calibrated score" if platt is not None else "mean score"
    parts = [f"{score}, {p}" for p in parts]
    shown = [parts[0], parts[-1]] if tenths else parts
    pairs = "; ".join(f"{row.at[t, 'value']:.2f} against {row.at[t, 'baseline']:.2f}" for t in shown)
    error = sum(abs(row.at[t, "value"] - row.at[t, "baseline"]) * row.at[t, "rows"] for t in parts)
    error /= sum(row.at[t, "rows"] for t in parts)
    by = f"by tenths, lowest and highest {pairs}" if tenths else f"by thirds {pairs}"
    mean = f"mean score {row.at['mean score', 'value']:.2f} against {row.at['mean score', 'baseline']:.2f} observed"
    if platt is None:
        return f"not calibrated; out of fold, {mean}; {by} (mean gap {error:.2f})"
    line = f"log-odds = {platt.intercept:.2f} + {platt.slope:.2f} * raw score, fitted on out-of-fold scores"
    loss, before = (float(row.at["log loss, calibrated", c]) for c in ("value", "baseline"))
    checked = f"log loss {loss:.4f} against {before:.4f} before, on halves it was not fitted on"
    if not platt.used:
        return f"not calibrated: {line} is no gain ({checked}); out of fold, {mean}"
    return f"calibrated: {line}; {checked}; {by} (mean gap {error:.2f})"


def class_calibration(row: pd.DataFrame, task: Task) -> str:
    """Return that the scores of several classes are not calibrated, with the class that is farthest off; "" else."""
    if task != "multiclass":
        return ""
    means: Any = row[row.index.str.startswith("mean score, ")]
    off = (means["value"] - means["baseline"]).abs()
    worst = off.idxmax()
    name = str(worst).removeprefix("mean score, ")
    pair = f"{means.at[worst, 'value']:.2f} against {means.at[worst, 'baseline']:.2f} observed"
    thirds: Any = row[row.index.str.startswith("reliability, ")]
    gap = ((thirds["value"] - thirds["baseline"]).abs() * thirds["rows"]).sum() / thirds["rows"].sum()
    return (
        f"not calibrated; out of fold, the mean score of a class is at most {off.max():.2f} off ({name}: {pair}); by "
        f"thirds of each class's score the mean gap is {gap:.2f}"
    )


def by_class(row: pd.DataFrame, task: Task) -> str:
    """Return AUC against the rest, precision and recall of each class, and what several classes do not have."""
    if task != "multiclass":
        return ""
    names = [str(m).removeprefix("recall, ") for m in row.index if str(m).startswith("recall, ")]

    def of(measure: str, name: str) -> str:
        value = float(row.at[f"{measure}, {name}", "value"])
        return "none said" if value != value else f"{value:.2f}"

    listed = "; ".join(
        f"{n} {of('AUC', n)}, {of('precision', n)}, {of('recall', n)} ({int(row.at[f'recall, {n}', 'rows']):,} rows)"
        for n in names
    )
    return (
        f"by class, AUC against the rest, precision and recall of the likeliest class: {listed}. Lift, thresholds with "
        "costs and the check on held-back cases are for two classes"
    )
