"""Explanations over many cases: which features move scores most, and how one feature does; cells, run as they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData, UnknownColumn
from lexsi_nb.modeling.source import frame_lines, literal, literals, spared

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Trained


@dataclass(frozen=True)
class Figures:
    """A table that a cell computed from an explanation, and the variable that holds it."""

    frame: Any
    cell: CodeCell
    variable: str


IMPORTANCE = '''\
import pandas as pd


def importance_of(contributions):
    """Return the mean absolute contribution of each feature and its share of the sum, largest first."""
    size = contributions.abs().mean().sort_values(ascending=False, kind="stable")
    table = pd.DataFrame({{"feature": size.index.astype(str), "importance": size.to_numpy()}})
    table["share"] = table["importance"] / (table["importance"].sum() or 1)
    return table


# Which features moved the scores of the {n:,} rows of {frame} most, in {unit}.
{variable} = importance_of({attributions}.drop(columns={beside}))
'''

DEPENDENCE = '''\
import numpy as np
import pandas as pd


def dependence_of(values, contribution):
    """Return the mean contribution by value, missing ones apart: {by}."""
    values, contribution = values.reset_index(drop=True), pd.Series(contribution)
    known = values.notna()
{groups}
    rows = []
    for key, part in contribution[known].groupby(group, observed=True):
        {name}
        rows.append([name, len(part), part.mean(), part.min(), part.max()])
    if not known.all():
        part = contribution[~known]
        rows.append(["missing", len(part), part.mean(), part.min(), part.max()])
    return pd.DataFrame(rows, columns=["value", "cases", "contribution", "lowest", "highest"])


# How {feature} moved the scores of the {n:,} rows of {frame}: contributions in {unit}.
{lines}{variable} = dependence_of(
    {values},
    {attributions}[{column}].to_numpy(),
)
'''

RANGES = """\
    group = values[known]
    if group.nunique() > 8:
        group = pd.qcut(group, 5, duplicates="drop")"""

RANGE_NAME = """\
low, high = values[part.index].min(), values[part.index].max()
        name = f"{{low:{0}}}" if low == high else f"{{low:{0}}} to {{high:{0}}}\""""

WORDS = """\
    often = values[known].value_counts().index[:12]
    group = values[known].where(values[known].isin(often), "others")"""


def importance(explained: Explained, *, variable: str = "importance") -> Figures:
    """Return `feature`, `importance` (mean absolute contribution over the cases), `share` of the sum; largest first."""
    source = spared(IMPORTANCE, {variable, explained.variable}).format(
        n=len(explained.frame), frame=explained.frame_name, unit=explained.unit, variable=variable,
        attributions=explained.variable, beside=literals(beside(explained)),
    )  # fmt: skip
    cell = CodeCell(
        source, title="What moved the scores most", kind="explanation", requires=(explained.variable,),
        produces=(variable,),
    )  # fmt: skip
    return Figures(cell.run({explained.variable: explained.frame})[variable], cell, variable)


def dependence(
    trained: Trained, explained: Explained, frame: Any, feature: Any, *, variable: str = "dependence"
) -> Figures:  # fmt: skip
    """Return `value`, `cases`, the mean `contribution`, `lowest` and `highest` of one feature, a row a range or word.

    Numbers and dates of more than 8 values are cut into fifths. explained: of every row of `frame`, in its order.

    Raises: UnknownColumn: the model has no such feature, with the nearest; BadData: not the rows that were explained.
    """
    column = feature_of(trained, feature)
    lines, rows = aligned(explained, frame)
    words, dates = column in trained.categories, column in trained.dates
    taken = {variable, explained.variable, explained.frame_name}
    source = spared(DEPENDENCE, taken).format(
        by="each word, the 12 most frequent" if words else "each fifth, or each value where there are at most 8",
        groups=WORDS if words else RANGES,
        name="name = str(key)" if words else RANGE_NAME.format("%Y-%m-%d" if dates else ",.6g"),
        feature=column, n=len(explained.frame), frame=explained.frame_name, unit=explained.unit, variable=variable,
        lines="".join(f"{line}\n" for line in lines), values=values_source(trained, column, rows),
        attributions=explained.variable, column=literal(column),
    )  # fmt: skip
    cell = CodeCell(
        source, title=f"How {column} moved the scores", kind="explanation",
        requires=(explained.frame_name, explained.variable), produces=(variable,),
    )  # fmt: skip
    made = cell.run({explained.frame_name: frame, explained.variable: explained.frame})[variable]
    return Figures(made, cell, variable)


def beside(explained: Explained) -> list[Any]:
    """Return the columns of an explanation that are no feature."""
    return [
        explained.entity, explained.base_column, explained.raw_column,
        *([explained.class_column] if explained.class_column else []),
    ]  # fmt: skip


def feature_of(trained: Trained, wanted: Any) -> Any:
    """Return the feature of the model that is meant: by its name, or by words that only one feature's name has.

    Raises: UnknownColumn: none, with the reason where it was left out, or several.
    """
    by_text = {str(f).casefold(): f for f in trained.features}
    text = str(wanted).casefold()
    if text in by_text:
        return by_text[text]
    parts = set(text.replace("_", " ").replace(".", " ").split())
    found = [f for t, f in by_text.items() if parts and parts <= set(t.replace("_", " ").split())]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(map(str, found[:12]))
        raise UnknownColumn(f"{wanted} could be several features: {listed}.", "", "Name one of them.")
    left = {c.rpartition(".")[2].casefold(): (c, why) for c, why in trained.left_out}
    if text in left:
        column, why = left[text]
        raise UnknownColumn(f"{column} is no feature of {trained.model_id}.", f"It was left out: {why}.")
    raise UnknownColumn.among(str(wanted), [str(f) for f in trained.features], where=trained.model_id)


def aligned(explained: Explained, frame: Any) -> tuple[list[str], str]:
    """Return (lines that convert the frame, its name then). Raises: BadData: not the rows that were explained."""
    from lexsi_nb.modeling.columns import as_pandas

    data = as_pandas(frame)
    ids = explained.frame[explained.entity]
    same = len(ids) == len(data)
    if same and explained.entity in data.columns:
        same = ids.astype(object).tolist() == data[explained.entity].astype(object).tolist()
    if not same:
        raise BadData(
            f"{explained.frame_name} is not what was explained.", "Its rows differ.", "Explain all of its rows."
        )
    return frame_lines(explained.frame_name, frame)


def values_source(trained: Trained, feature: Any, rows: str) -> str:
    """Return the expression for the values of a feature: float64, instants or text."""
    column = f"{rows}[{literal(feature)}]"
    if feature in trained.categories:
        return f'{column}.astype("string")'
    if feature in trained.dates:
        return f'pd.to_datetime({column}, errors="coerce", utc=True, format="ISO8601")'
    return f'{column}.astype("float64").replace([np.inf, -np.inf], np.nan)'
