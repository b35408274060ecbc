"""Whether a figure grows, falls or has a trend: of its complete periods alone, and of those whose outcome is final."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture
def museum(frames_grounder: Callable[..., Grounder]) -> Any:
    import pandas as pd

    days, tickets = [], []
    for year, n in ((2015, 2), (2016, 4), (2017, 6), (2018, 5), (2019, 9)):
        days += [pd.Timestamp(year, 1 + m, 2 if m else 1) for m in range(n)]
        tickets += [100 - 5 * (year - 2015)] * n
    days[-1], tickets = pd.Timestamp(2019, 12, 31), tickets
    days += [pd.Timestamp(2020, 1, 3), pd.Timestamp(2020, 2, 3)]  # the last year has only begun
    tickets += [70, 70]
    visits = pd.DataFrame({"visit_id": range(len(days)), "visited": days, "paid": tickets})
    grounder = frames_grounder(visits=visits)
    yield grounder
    grounder.engine.close()


def _row(grounder: Grounder, question: str) -> tuple[dict[str, Any], Reading]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert found.kind == "yesno"
    return grounder.engine.query(found.sql).iloc[0].to_dict(), found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is the number of visits growing by year", True),
        ("is the number of visits by year falling", False),
        ("is there a trend in the number of visits by year", True),
        ("are visits increasing", True),
    ],
)
def test_a_count_is_judged_over_its_complete_years(museum: Grounder, question: str, answer: bool) -> None:
    row, found = _row(museum, question)
    assert bool(row["answer"]) is answer
    assert (row["first_year"], row["first_number_of_visits"]) == (2015, 2)
    assert (row["last_year"], row["last_number_of_visits"]) == (2019, 9)
    assert (row["rises"], row["falls"]) == (3, 1)
    assert "the last year is incomplete: the data end on 2020-02-03, and left out of the judgement" in found.notes


def test_a_mean_that_falls_is_said_to_fall(museum: Grounder) -> None:
    row, _ = _row(museum, "is the average paid by year dropping")
    assert bool(row["answer"])
    assert (row["first_mean_paid"], row["last_mean_paid"]) == (100, 80)


def test_which_figure_of_a_number_is_asked(museum: Grounder) -> None:
    found = museum.read("is paid rising by year")
    assert isinstance(found, Choice), found
    assert found.options[:2] == ("average paid", "total paid")


def test_a_period_that_was_not_said_is_told(museum: Grounder) -> None:
    assert "by year, as no period was said" in _row(museum, "is the number of visits going up")[1].notes


def test_years_whose_outcome_is_open_are_no_trend(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("trend of defaults by year")
    assert isinstance(found, Reading), found
    assert any("these years can still change, so they are no trend" in n for n in found.notes), found.notes
    judged = bank_grounder.read("is the number of defaults falling")
    assert isinstance(judged, Declined), judged
    assert "left out of the judgement" in judged.reason
    assert not any("still running" in n for n in bank_grounder.read("number of loans by year").notes)


def test_a_running_number_and_the_growth_of_people_are_of_their_rows(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    hired = pd.to_datetime(["2022-01-05", "2022-01-20", "2022-02-03", "2022-03-01", "2022-03-09", "2022-03-30"])
    staff = pd.DataFrame({"staff_id": range(1, 7), "age": [30, 41, 22, 35, 50, 28], "hired": hired})
    bills = pd.DataFrame({"bill_id": range(1, 7), "price": [5.0, 6, 7, 8, 9, 10], "sent": hired})
    grounder = frames_grounder(staff=staff, bills=bills)
    for question in (
        "cumulative number of staff by month",
        "running count of staff per month",
        "running total of staff by month",
        "cumulative number of bills by month",
    ):
        found = grounder.read(question)
        assert isinstance(found, Reading), (question, found)
        assert list(grounder.engine.query(found.sql)["running_total"]) == [2, 3, 6], question
        for before in ("number of bills with price 5", "total price of bills"):  # it names its own figure and rows
            assert grounder.in_context([before], question) == question
    found = grounder.read("growth of staff month over month")
    assert isinstance(found, Reading), found
    assert "growth of number of staff" in found.text
    assert isinstance(grounder.read("cumulative bills by month"), Choice)  # how many, or how much
    grounder.engine.close()
