"""Open questions put back: each option with its number and the question that asks for it and nothing else."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

OPEN = [
    "average amount", "average amount in 1997", "how many in Prague", "how many in 1997?", "number by district",
    "largest payment", "trend of loans", "top 3 clients by loan amount", "how many durations",
    "loans longer than average", "total debits in 1996", "unemployment rate in Kladno",
    "how many men and women have a loan?", "number of women and men by region", "total credits per year",
    "total amount by type",
]  # fmt: skip


@pytest.mark.parametrize("question", OPEN)
def test_every_option_has_a_question_with_that_reading(bank_grounder, question):
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice)
    found = options(choice, question, bank_grounder.read, bank_grounder.engine)
    assert len(found) > 1
    for option in found:
        reading = bank_grounder.read(option.question)
        assert isinstance(reading, Reading), option
        assert reading.text == option.text
    assert len({o.text for o in found}) == len(found)


def test_conditions_stay_and_the_number_is_given(frames_grounder):
    orders = pd.DataFrame(
        {"order_id": range(200), "price": [float(i) for i in range(200)], "weight": [float(i % 50) for i in range(200)],
         "day": pd.date_range("2021-01-01", periods=200)}
    )  # fmt: skip
    grounder = frames_grounder(orders=orders)
    question = "how many orders over 15 in 2021"
    found = options(grounder.read(question), question, grounder.read, grounder.engine)
    assert [o.question for o in found] == [
        "how many orders with price over 15 in 2021", "how many orders with weight over 15 in 2021"
    ]  # fmt: skip
    assert [o.number for o in found] == ["184", str(int((orders.weight > 15).sum()))]


def test_a_year_after_an_amount_is_no_amount(bank_grounder):
    assert isinstance(bank_grounder.read("average order amount in 1997"), Declined)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("pension by year", "k_symbol = 'DUCHOD'"),
        ("default by region", "status IN ('B', 'D')"),
        ("interest per quarter of 1997", "k_symbol = 'UROK'"),
        ("household payments by month of 1998", "k_symbol = 'SIPO'"),
        ("in debt by duration", "status = 'D'"),
    ],
)
def test_what_is_open_for_each_group_stays_a_condition(bank_grounder, question, condition):
    found = options(bank_grounder.read(question), question, bank_grounder.read, bank_grounder.engine)
    assert len(found) > 1
    for option in found:
        reading = bank_grounder.read(option.question)
        assert isinstance(reading, Reading), option
        assert condition in reading.sql
        assert reading.text == option.text


def test_large_figures_are_written_out(bank_grounder):
    found = options(bank_grounder.read(q := "total amount of 1997"), q, bank_grounder.read, bank_grounder.engine)
    total = bank_grounder.engine.query("SELECT sum(amount) FROM trans WHERE year(date) = 1997").iloc[0, 0]
    assert f"{float(total):,.0f}" in [o.number for o in found]


@pytest.fixture
def barges(frames_grounder):
    barges = pd.DataFrame(
        {"barge_id": range(1, 7), "yard": list("AAABBC"), "tons": [1.0, 2, 3, 50, 60, 10], "crew": [9, 9, 9, 1, 1, 2]}
    )
    runs = pd.DataFrame(
        {"run_id": range(1, 9), "barge_id": [1, 1, 1, 1, 2, 4, 5, 6], "load": [1.0, 1, 1, 1, 2, 9, 9, 5]}
    )
    return frames_grounder(barges=barges, runs=runs)


@pytest.mark.parametrize(
    ("question", "firsts"),
    [
        ("largest yard", ["A", "B", "A"]),
        ("smallest yard", ["C", "A", "B"]),
        ("bottom 1 yards by load", ["C", "A", "A"]),
        ("top 1 yards by load", ["B", "B", "B"]),
    ],
)
def test_groups_are_ranked_by_what_was_chosen(barges, question, firsts):
    found = options(barges.read(question), question, barges.read, barges.engine)
    assert [barges.engine.query(barges.read(o.question).sql).iloc[0, 0] for o in found[:3]] == firsts


def test_top_groups_may_be_those_with_most_rows(barges):
    found = options(barges.read("top 2 yards"), "top 2 yards", barges.read, barges.engine)
    frame = barges.engine.query(barges.read(found[0].question).sql)
    assert frame.iloc[:, 0].tolist() == ["A", "B"]
    assert "by average" in found[1].text


def test_words_between_what_is_open_stay_and_a_doubled_one_goes(bank_grounder):
    for question in ("total of all debits in March 1997", "total of all withdrawals in March 1997"):
        found = options(bank_grounder.read(question), question, bank_grounder.read, bank_grounder.engine)
        asked = [o for o in found if o.question]
        assert len(asked) > 1, found
        for option in asked:
            assert bank_grounder.read(option.question).text == option.text
            assert "all all" not in option.question


def test_an_option_that_no_question_asks_for_says_so_when_it_is_chosen(bank):
    from lexsi_nb.app.session import Session

    session = Session(bank, planner="embedded", namespace={})
    first = session.ask("account with the highest balance")
    assert first.status == "needs_choice"
    second = session.ask("2")
    assert second.status == "declined"
    assert "the balance by the last row of each account_id" in second.answer
    assert "no question asks for by itself" in second.answer


def test_a_value_that_says_a_word_twice_stays_whole(frames_grounder):
    towns = ["Walla Walla", "Walla Creek", "Oslo", "Lund"] * 3
    grounder = frames_grounder(visitors=pd.DataFrame({"visitor_id": range(12), "town": towns}))
    question = "how many visitors from Walla?"
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    asked = [o.question for o in options(found, question, grounder.read, grounder.engine)]
    assert any("Walla Walla" in q for q in asked), asked
