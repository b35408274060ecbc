"""Quality read off the table that the quality cell made, and the time split that it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.backend import TOO_FEW, OutOfTime, Quality, Task
from lexsi_nb.modeling.quality_cells import TimeSplit
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import literal

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

CASES_A_SIDE = 10  # of either class, before and after the cut
ROWS_A_SIDE = 30  # regression
FEW_POSITIVES, WIDE = 50, 0.08


def split_by_time(rows: Any, column: Any, y: np.ndarray, *, expression: str, task: str) -> TimeSplit:
    """Return the split that puts the later third of the rows apart, or why there is none.

    rows: the labelled rows. expression: the source of that frame.
    """
    import pandas as pd

    if column is None:
        return TimeSplit("no time column")
    picked, times = f"{expression}[{literal(column)}]", rows[column]
    if times.dtype.kind in "iuf":
        cut = times.quantile(2 / 3, interpolation="lower")
        shown, later, source = f"{cut:g}", times > cut, f"({picked} > {literal(cut)}).to_numpy()"
    else:
        aware = getattr(times.dtype, "tz", None) is not None
        times: Any = pd.to_datetime(times, errors="coerce", utc=aware)
        if times.isna().all():
            return TimeSplit(f"{column} holds no dates")
        cut = times.quantile(2 / 3, interpolation="lower").ceil("D")
        shown, later = f"{cut:%Y-%m-%d}", times > cut
        how, moment = (", utc=True", f'pd.Timestamp("{shown}", tz="UTC")') if aware else ("", f'"{shown}"')
        coerce = ', errors="coerce"' if rows[column].notna().sum() != times.notna().sum() else ""
        source = f"(pd.to_datetime({picked}{coerce}{how}) > {moment}).to_numpy()"
    after = later.to_numpy(dtype=bool)
    if task != "classification":
        if min(after.sum(), (~after).sum()) < ROWS_A_SIDE:
            few = f"not enough rows: {after.sum()} later than {shown}, {(~after).sum()} not later"
            return TimeSplit(few, None, shown)
        return TimeSplit("", source, shown)
    n = int(y.sum())
    sides = (y[after].sum(), y[~after].sum(), (1 - y[after]).sum(), (1 - y[~after]).sum())
    if min(sides) < CASES_A_SIDE:
        few = f"not enough cases: {sides[0]} of {n} are later than {shown}"
        return TimeSplit(f"{few}; at least {CASES_A_SIDE} are needed on either side", None, shown)
    return TimeSplit("", source, shown)


def read_quality(
    frame: pd.DataFrame, time: TimeSplit, settings: Settings, *, task: Task, n_rows: int, n_positive: int | None
) -> Quality:
    """Return the Quality that the quality table says.

    Headline rule, classification: "too few cases to tell" with fewer than 50 cases of the rarer class, or an
    interval wider than 0.08 to a side; else "no better than guessing" where it includes 0.5; else the AUC with its
    interval. Regression: fewer than 100 rows; an R2 interval that reaches 0.
    """
    row = frame.set_index("measure")
    classify = task == "classification"
    metric = "AUC" if classify else "R2"
    value, low, high = (float(row.at[metric, c]) for c in ("value", "low", "high"))
    span = f"{metric} {value:.2f} ({low:.2f}-{high:.2f})"
    if classify:
        rarer = min(n_positive or 0, n_rows - (n_positive or 0))
        enough = rarer >= FEW_POSITIVES and (high - low) / 2 <= WIDE
        none = low <= 0.5 <= high
    else:
        enough, none = n_rows >= 100, low <= 0
    headline = TOO_FEW if not enough else f"no better than guessing: {span}" if none else span
    measures = ("log loss", "Brier score") if classify else ("mean absolute error",)
    return Quality(
        task=task, metric=metric, value=value, sd=float(row.at[metric, "sd"]), low=low, high=high,
        method="DeLong" if classify else "bootstrap", folds=settings.folds, repeats=settings.repeats,
        baseline=float(row.at[metric, "baseline"]),
        baseline_text="guessing" if classify else "the mean",
        scores={m: (float(row.at[m, "value"]), float(row.at[m, "baseline"])) for m in measures},
        out_of_time=read_out_of_time(row, time, metric, n_rows, n_positive),
        calibration=calibration(row) if classify else "",
        headline=headline, enough=enough, n_rows=n_rows, n_positive=n_positive, frame=frame,
    )  # fmt: skip


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


def calibration(row: pd.DataFrame) -> str:
    """Return what the scores are worth as probabilities: uncalibrated, with scored beside observed by thirds."""
    thirds = [f"mean score, {t} third" for t in ("lowest", "middle", "highest")]
    pairs = "; ".join(f"{row.at[t, 'value']:.2f} against {row.at[t, 'baseline']:.2f}" for t in thirds)
    error = sum(abs(row.at[t, "value"] - row.at[t, "baseline"]) * row.at[t, "rows"] for t in thirds)
    error /= sum(row.at[t, "rows"] for t in thirds)
    mean = f"mean score {row.at['mean score', 'value']:.2f} against {row.at['mean score', 'baseline']:.2f} observed"
    return f"not calibrated; out of fold, {mean}; by thirds {pairs} (mean gap {error:.2f})"
