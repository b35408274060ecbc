"""What acting on a score would have cost, counted on scores of rows that were not learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.source import literal

if TYPE_CHECKING:
    import pandas as pd

    from lexsi_nb.modeling.backend import Trained

SOURCE = '''\
import numpy as np
import pandas as pd


def thresholds_of(unseen, cost_missed, cost_false_alarm, steps=20):
    """Return what flagging all rows from a score on would have cost: thresholds, the cheapest among them."""
    table = unseen.groupby("score")["outcome"].agg(["sum", "count"]).sort_index(ascending=False).cumsum()
    table.loc[np.inf] = [0, 0]  # nobody is flagged
    table = table.sort_index(ascending=False)
    flagged, caught, cases = table["count"], table["sum"], unseen["outcome"].sum()
    result = pd.DataFrame({
        "threshold": table.index,
        "flagged": flagged.to_numpy(),
        "caught": caught.to_numpy(),
        "missed": (cases - caught).to_numpy(),
        "false_alarms": (flagged - caught).to_numpy(),
        "precision": (caught / flagged.where(flagged > 0)).to_numpy(),
        "recall": (caught / cases).to_numpy(),
        "cost": (cost_missed * (cases - caught) + cost_false_alarm * (flagged - caught)).to_numpy(),
    })
    result["cheapest"] = result.index == result["cost"].idxmin()
    kept = np.unique(np.linspace(0, len(result) - 1, steps).round().astype(int))
    return result[result.index.isin(kept) | result["cheapest"]].reset_index(drop=True)


'''


@dataclass(frozen=True)
class Decided:
    """Thresholds with their costs. `frame`: a row a threshold, `cheapest` marks the best; `text` says it in a line."""

    frame: pd.DataFrame
    cell: CodeCell
    text: str
    variable: str


def thresholds(
    trained: Trained, *, cost_missed: float, cost_false_alarm: float, variable: str = "thresholds"
) -> Decided:
    """Return what each threshold would have cost, given what a missed case and a false alarm cost, in one unit.

    Raises: BadData: costs below 0 or both 0, or the model has no out-of-fold scores: under 50 cases, or not two
    classes.
    """
    if min(cost_missed, cost_false_alarm) < 0 or not cost_missed + cost_false_alarm > 0:
        raise BadData("Costs are not below 0, and not both 0.", "", "Give what a missed case and a false alarm cost.")
    unseen = trained.out_of_fold
    if unseen is None:
        why = "A threshold is chosen for two classes." if trained.task != "classification" else (
            f"{trained.model_id} was learned from too few cases; at least 50 are needed.")  # fmt: skip
        raise BadData("No threshold can be chosen.", why, "Rank the rows instead.")
    name = trained.name("out_of_fold")
    source = SOURCE + (
        f"# What a missed case costs: {cost_missed:g}; a false alarm: {cost_false_alarm:g}.\n"
        f"{variable} = thresholds_of({name}, cost_missed={literal(cost_missed)}, "
        f"cost_false_alarm={literal(cost_false_alarm)})\n"
    )
    cell = CodeCell(source, title="Thresholds with costs", kind="quality", requires=(name,), produces=(variable,))
    frame = cell.run({name: unseen})[variable]
    return Decided(frame, cell, said(frame, unseen, cost_missed, cost_false_alarm), variable)


def said(frame: pd.DataFrame, unseen: pd.DataFrame, cost_missed: float, cost_false_alarm: float) -> str:
    """Return the cheapest threshold beside flagging nobody and flagging everybody."""
    import math

    best: Any = frame[frame["cheapest"]].iloc[0]
    cases, n = int(unseen["outcome"].to_numpy().sum()), len(unseen)
    nobody, everybody = cost_missed * cases, cost_false_alarm * (n - cases)
    beside = f"flagging nobody {nobody:,.6g}, everybody {everybody:,.6g}"
    if math.isinf(best["threshold"]):
        return f"At these costs flagging nobody is cheapest: {best['cost']:,.6g}; {beside}."
    return (
        f"Cheapest: flag from a score of {best['threshold']:.2f} on. Of {n:,} rows {int(best['flagged']):,} are "
        f"flagged, {int(best['caught']):,} of {cases:,} cases among them; it costs {best['cost']:,.6g} ({beside}). "
        "Chosen on the rows it is counted on, so a little too good."
    )
