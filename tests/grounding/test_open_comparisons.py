"""What is compared or averaged where a word leaves it open: asked with both numbers, or declined with what to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def _frame(grounder: Grounder, table: str) -> pd.DataFrame:
    return grounder.engine.query(f'SELECT * FROM "{table}"')


def test_totals_or_averages_are_asked_with_both_numbers(bank_grounder: Grounder) -> None:
    question = "compare loan amount of status A and B"
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice)
    loans = _frame(bank_grounder, "loan")
    a, b = loans.amount[loans.status == "A"], loans.amount[loans.status == "B"]
    mean, total = options(choice, question, bank_grounder.read, bank_grounder.engine)
    assert mean.question == "compare average loan amount of status A and B"
    assert total.question == "compare total loan amount of status A and B"
    assert mean.number == f"B: {b.mean():,.0f}; A: {a.mean():,.6g}"
    assert total.number == f"A: {a.sum():,.0f}; B: {b.sum():,.0f}"


def test_a_comparison_said_for_yes_or_no_is_asked_too(bank_grounder: Grounder) -> None:
    question = "is the loan amount higher for men than for women?"
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice)
    asked = [o.question for o in options(choice, question, bank_grounder.read, bank_grounder.engine)]
    assert asked == [f"is the {w} loan amount higher for men than for women" for w in ("average", "total")]


@pytest.mark.parametrize("figure", ["difference of", "ratio of"])
def test_a_comparison_within_groups_says_what_to_ask(bank_grounder: Grounder, figure: str) -> None:
    declined = bank_grounder.read(f"{figure} average loan amount between status A and B by region")
    assert isinstance(declined, Declined)
    assert "not within each region" in declined.reason


def test_a_figure_that_is_open_in_a_pair_says_what_is(bank_grounder: Grounder) -> None:
    declined = bank_grounder.read("total credits and total debits per year")
    assert isinstance(declined, Declined)
    assert "(2) total amount of credits" in declined.reason


def test_a_mean_of_what_many_share_is_declined(bank_grounder: Grounder) -> None:
    for whose in ("the client", "clients"):
        declined = bank_grounder.read(f"average salary of the district of {whose}")
        assert isinstance(declined, Declined)
        assert "districts with a client" in declined.reason
    found = bank_grounder.read("average salary of districts with a client")
    assert isinstance(found, Reading)
    clients, districts = _frame(bank_grounder, "client"), _frame(bank_grounder, "district")
    lived = districts[districts.district_id.isin(clients.district_id)]
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(lived.average_salary.mean())


def test_places_that_people_live_in_are_counted_once(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("how many different districts do clients live in?")
    assert isinstance(found, Reading)
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == _frame(bank_grounder, "client").district_id.nunique()
    assert isinstance(bank_grounder.read("how many different loans do clients live in?"), Declined)


@pytest.mark.parametrize("question", ["average amount, month", "mean loan amount and year", "total amount, month"])
def test_a_period_beside_a_figure_is_no_figure(bank_grounder: Grounder, question: str) -> None:
    declined = bank_grounder.read(question)
    assert isinstance(declined, Declined)
    assert " by " in declined.reason
