"""Rows held against the average or median of their own group."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import answered

TEAMS = pd.DataFrame({"team_id": [1, 2, 3], "floor": ["first", "first", "second"]})
STAFF = pd.DataFrame(
    {
        "staff_id": range(1, 10),
        "team_id": [1, 1, 1, 2, 2, 2, 3, 3, None],
        "office": ["Lund", "Oslo", "Lund", "Oslo", "Lund", None, "Oslo", "Oslo", "Lund"],
        "salary": [10.0, 20, 60, 5, 5, 20, 7, None, 90],
        "joined_on": pd.to_datetime(["2020-02-01"] * 4 + ["2021-02-01"] * 5),
    }
).astype({"team_id": "Int64"})


@pytest.fixture(scope="module")
def firm(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(staff=STAFF, teams=TEAMS)
    yield grounder
    grounder.engine.close()


def _against(frame: pd.DataFrame, by: Any, column: str, figure: str) -> Any:
    return frame[column] - frame.groupby(by)[column].transform(figure)


WAYS = {
    "staff with a salary above the average of their team": ("team_id", "mean", 1),
    "staff who earn more than the average of their own team": ("team_id", "mean", 1),
    "staff with a salary below the median of their office": ("office", "median", -1),
    "staff with a salary above the mean salary of their office": ("office", "mean", 1),
    "staff who earn less than their team's average": ("team_id", "mean", -1),
    "staff with a salary above the average of their year": (STAFF.joined_on.dt.year, "mean", 1),
}


@pytest.mark.parametrize("question", WAYS)
def test_rows_above_or_below_the_figure_of_their_group(firm: Grounder, question: str) -> None:
    by, figure, side = WAYS[question]
    gap = _against(STAFF, by, "salary", figure) * side
    wanted = STAFF.staff_id[gap > 0]
    assert 0 < len(wanted) < len(STAFF) / 2
    assert sorted(answered(firm, question)["staff_id"]) == sorted(wanted)


def test_a_group_of_another_table_and_a_count(firm: Grounder) -> None:
    whole = STAFF.merge(TEAMS, on="team_id")
    gap = _against(whole, "floor", "salary", "mean")
    assert answered(firm, "how many staff earn more than the average of their floor?").iloc[0, 0] == (gap > 0).sum()


def test_rows_without_a_group_and_the_rows_of_the_average_are_told(firm: Grounder) -> None:
    found = firm.read("staff with a salary above the average of their office")
    assert isinstance(found, Reading)
    assert found.apart == ("1 staff without office: not compared",)
    assert "of the same office" in found.notes[0]
    assert "above the average of their own office" in found.text


def test_an_open_column_is_asked_with_numbers(bank: Dataset, bank_grounder: Grounder) -> None:
    question = "loans above the average of their own status"
    found = bank_grounder.read(question)
    assert isinstance(found, Choice), found
    ways = options(found, question, bank_grounder.read, bank_grounder.engine)
    loans = bank_grounder.engine.query("SELECT * FROM loan")
    for way, column in zip(ways, ("amount", "duration", "payments"), strict=True):
        wanted = loans.loan_id[_against(loans, "status", column, "mean") > 0]
        assert sorted(answered(bank_grounder, way.question)["loan_id"]) == sorted(wanted)
        assert way.number == f"{len(wanted)} rows"


@pytest.mark.parametrize(
    "question",
    [
        "staff in Lund with a salary above the average of their team", "staff above the average of their mood",
        "staff with a salary above twice the average of their team",
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_declined(firm: Grounder, question: str) -> None:
    assert isinstance(firm.read(question), Declined)


def test_the_average_of_all_stays_that_of_all(firm: Grounder) -> None:
    got = answered(firm, "staff with a salary above the average")
    assert sorted(got["staff_id"]) == sorted(STAFF.staff_id[STAFF.salary > STAFF.salary.mean()])
