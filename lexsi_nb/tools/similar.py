"""Known cases that are most like explained ones, and how their outcome was: a cell, run as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.columns import as_pandas

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Explained, Trained

NEAREST = 3
MEASURE = (
    "Gower distance over the model's features: a number's difference as a share of its range among the known cases "
    "(at most 1), a word equal 0 or not 1, a value missing on one side 1; the mean over the features"
)


@dataclass(frozen=True)
class Similar:
    """The nearest known cases. `frame`: case, rank (1 is nearest), similar, distance (0 to 1) and the outcome."""

    frame: Any
    cell: CodeCell
    case: str
    other: str

    def of(self, case_id: Any) -> list[dict[str, Any]]:
        """Return the known cases nearest to one, nearest first, as dicts."""
        rows = self.frame.loc[self.frame[self.case] == case_id]
        return [{str(k): v for k, v in row.items() if k != self.case} for row in rows.to_dict("records")]


def similar_cases(
    trained: Trained, explained: Explained, frame: Any, labelled: Any, *, frame_name: str, variable: str
) -> Similar:
    """Return the 3 known cases nearest to each explained one, ties in the order of the known frame.

    Distance after J. C. Gower, "A general coefficient of similarity and some of its properties", Biometrics 27 (1971).
    """
    case = explained.entity
    other = f"similar_{trained.entity or 'row'}"
    cell = _cell(trained, explained, (frame_name, frame), (trained.frame_name, labelled), other, variable)
    names = {frame_name: frame, trained.frame_name: labelled, explained.variable: explained.frame}
    return Similar(cell.run(names)[variable], cell, case, other)


def _cell(
    trained: Trained, explained: Explained, scored: tuple[str, Any], known: tuple[str, Any], other: str, variable: str
) -> CodeCell:
    from lexsi_nb.modeling.source import frame_lines, literal

    lines, rows = frame_lines(*scored)
    more, known_rows = frame_lines(*known)
    lines += [line for line in more if line not in lines]
    entity, target = literal(explained.entity), literal(trained.target)
    ids = f"{explained.variable}[{entity}]"
    if trained.entity:
        cases = f"{rows}.set_index({entity}, drop=False).loc[{ids}]"
        case_ids, known_ids = f"cases[{entity}].to_numpy()", f"known[{entity}].to_numpy()"
    else:
        cases = f"{rows}.reset_index(drop=True).iloc[{ids}]"  # a row is named by its place, whatever its index says
        case_ids, known_ids = "cases.index.to_numpy()", "known.index.to_numpy()"
        known_rows = f"{known_rows}.reset_index(drop=True)"
    if as_pandas(known[1])[trained.target].isna().any():
        known_rows += f".dropna(subset=[{target}])"  # a case without an outcome is not known
    itself = ""
    if scored[0] == known[0]:
        itself = "    distance[case_ids[:, None] == known_ids[None, :]] = np.inf  # a case is not like itself\n"
    days = _days_source(trained.dates) if trained.dates else ""
    source = f'''\
import numpy as np
import pandas as pd


def known_cases_like(cases, known, k={NEAREST}):
    """Return the k known rows nearest to each case by Gower distance: 0 the same, 1 nothing alike."""
    numbers = {_listed([f for f in trained.features if f not in trained.categories])}
    words = {_listed([f for f in trained.features if f in trained.categories])}
    parts = []
{days}    for column in numbers:
        a = cases[column].astype("float64").to_numpy()[:, None]
        b = known[column].astype("float64").to_numpy()[None, :]
        low, high = np.nanmin(b, initial=np.inf), np.nanmax(b, initial=-np.inf)
        apart = np.clip(np.abs(a - b) / (high - low), 0, 1) if high > low else (a != b).astype("float64")
        one_missing, both_missing = np.isnan(a) | np.isnan(b), np.isnan(a) & np.isnan(b)
        parts.append(np.where(both_missing, 0, np.where(one_missing, 1, apart)))
    for column in words:
        a = cases[column].astype("string").fillna("").to_numpy(dtype=object)[:, None]
        b = known[column].astype("string").fillna("").to_numpy(dtype=object)[None, :]
        parts.append((a != b).astype("float64"))
    distance = np.mean(parts, axis=0)
    case_ids, known_ids = {case_ids}, {known_ids}
{itself}    nearest = np.argsort(distance, axis=1, kind="stable")[:, :k]
    k = nearest.shape[1]
    return pd.DataFrame(
        {{
            {entity}: np.repeat(case_ids, k),
            "rank": np.tile(np.arange(1, k + 1), len(cases)),
            {literal(other)}: known_ids[nearest.ravel()],
            "distance": np.take_along_axis(distance, nearest, axis=1).ravel().round(4),
            {target}: known[{target}].to_numpy()[nearest.ravel()],
        }}
    )


# The {NEAREST} known cases of {known[0]} most like each explained one, and how they ended: {trained.target}.
'''
    source += "\n".join([*lines, f"{variable} = known_cases_like({cases}, {known_rows})"]) + "\n"
    return CodeCell(
        source,
        title=f"Known cases most like the {len(explained.cases)} explained",
        kind="explanation",
        requires=tuple(dict.fromkeys((scored[0], known[0], explained.variable))),
        produces=(variable,),
    )


def _days_source(dates: tuple[Any, ...]) -> str:
    return f"""    cases, known = cases.copy(), known.copy()
    for column in {_listed(list(dates))}:  # as days
        for rows in (cases, known):
            when = pd.to_datetime(rows[column], errors="coerce", utc=True, format="ISO8601")
            rows[column] = (when - pd.Timestamp("1970-01-01", tz="UTC").as_unit("s")).dt.days
"""


def _listed(names: list[Any]) -> str:
    from lexsi_nb.modeling.source import literals

    return literals(names).replace("\n", "\n    ")
