"""Half-years as periods, and the first or last row of each period."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Declined, Reading

FINES = pd.DataFrame(
    {
        "fine_id": range(1, 10),
        "officer": ["Ann", "Bo", "Ann", "Bo", "Ann", "Cy", "Cy", "Ann", "Bo"],
        "euros": [10, 20, 15, 80, 5, 60, 30, 25, 40],
        "given_on": pd.to_datetime(
            [
                "2020-01-31", "2020-06-30", "2020-07-01", "2020-12-31", "2021-01-01", "2021-01-01", "2022-03-03",
                "2022-08-08", "2022-08-09",
            ]
        ),
    }
)  # fmt: skip
HALF = pd.to_datetime(
    [f"{d.year}-{'01' if d.month < 7 else '07'}-01" for d in FINES.given_on]
)  # the first day of the half-year


@pytest.fixture(scope="module")
def office(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(fines=FINES)
    yield grounder
    grounder.engine.close()


def _read(grounder: Grounder, question: str) -> Reading:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return found


def _frame(grounder: Grounder, question: str) -> Any:
    return grounder.engine.query(_read(grounder, question).sql)


def _by_half(frame: Any) -> dict[pd.Timestamp, Any]:
    return dict(zip(pd.to_datetime(frame["half_year"]), frame.iloc[:, -1], strict=True))


@pytest.mark.parametrize(
    "question", ["number of fines by half-year", "fines per half year", "half-yearly number of fines"]
)
def test_rows_of_each_half_year(office: Grounder, question: str) -> None:
    assert _by_half(_frame(office, question)) == FINES.groupby(HALF).size().to_dict()


def test_figures_and_running_totals_of_half_years(office: Grounder) -> None:
    sums = FINES.groupby(HALF).euros.sum()
    assert _by_half(_frame(office, "total euros by half-year")) == sums.to_dict()
    running = _frame(office, "running total of euros by half-year")
    assert _by_half(running) == sums.cumsum().to_dict()
    assert _frame(office, "which half-year had the highest total euros?").iloc[0, 0] == sums.idxmax()


def test_a_half_year_without_rows_is_told_and_stands_in_growth(office: Grounder) -> None:
    found = _read(office, "number of fines by half-year")
    assert any("1 of the 6 half-years" in n for n in found.apart), found.apart
    growth = _frame(office, "growth of the number of fines by half-year")
    assert len(growth) == 6  # the second half of 2021 has none


def test_the_last_half_year_may_be_incomplete(office: Grounder) -> None:
    assert any("the last half-year is incomplete" in n for n in _read(office, "fines by half-year").notes)


def test_half_years_of_the_bank(bank: Dataset, bank_grounder: Grounder) -> None:
    loans = bank_grounder.engine.query("SELECT * FROM loan")
    days = pd.to_datetime(loans.date)
    halves = [pd.Timestamp(d.year, 1 if d.month < 7 else 7, 1) for d in days]
    assert (
        _by_half(_frame(bank_grounder, "total loan amount by half-year"))
        == loans.groupby(halves).amount.sum().to_dict()
    )


FIRSTS = {
    "first fine of each year": ("Y", "min"), "earliest fine per year": ("Y", "min"),
    "last fine of each year": ("Y", "max"), "latest fine per month": ("M", "max"),
    "first fine of each quarter": ("Q", "min"),
}  # fmt: skip


@pytest.mark.parametrize("question", FIRSTS)
def test_the_first_or_last_row_of_each_period(office: Grounder, question: str) -> None:
    freq, way = FIRSTS[question]
    best = FINES.groupby(FINES.given_on.dt.to_period(freq)).given_on.transform(way)
    wanted = FINES[FINES.given_on == best]
    got = _frame(office, question)
    assert sorted(got["fine_id"]) == sorted(wanted.fine_id)


def test_ties_are_all_shown_and_told(office: Grounder) -> None:
    found = _read(office, "first fine of each year")
    assert sorted(office.engine.query(found.sql)["fine_id"]) == [1, 5, 6, 7]
    assert any("equal to the last one" in n for n in found.notes)
    assert "one for each year: the earliest by given_on" in found.text


@pytest.mark.parametrize("question", ["first fine of each half", "fines by half", "first fine of each mood"])
def test_no_such_period_is_declined(office: Grounder, question: str) -> None:
    assert isinstance(office.read(question), Declined)
