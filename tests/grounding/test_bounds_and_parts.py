"""Bounds on one side, ages, months of one year, the number of rows of a list, codes beside each other: right values."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

MEMBERS = pd.DataFrame(
    {
        "member_id": range(1, 9),
        "name": ["Ann", "Bob", "Cid", "Dee", "Eve", "Flo", "Gus", "Hal"],
        "age": [20, 30, 35, 40, 50, 60, 65, 70],
        "sex": list("FMFMFFFM"),
        "town": ["Bath", "Hull", "Bath", "Bath", "Hull", "Bath", "Hull", "Bath"],
        "member_type": ["gold", "basic", "basic", "gold", "basic", "basic", "guest", "guest"],
    }
)
LOANS = pd.DataFrame(
    {
        "loan_id": range(1, 8),
        "member_id": [1, 1, 2, 3, 3, 3, 4],
        "fee": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        "day": pd.to_datetime(
            ["2024-01-05", "2024-02-01", "2024-02-09", "2024-03-03", "2024-05-01", "2024-05-02", "2025-02-01"]
        ),
    }
)

NUMBERS = [
    ("how many members are aged 60+?", 3),
    ("how many members are 60 or older?", 3),
    ("how many members aged between 30 and 40?", 3),
    ("how many members aged 30-40", 3),
    ("how many members are older than the average?", 4),
    ("how many members are younger than the median age?", 4),
    ("how many loans with a fee of 5+?", 3),
    ("how many loans from 5 upwards", 3),
    ("how many loans in January and February 2024?", 3),
    ("how many loans in January and May 2024?", 3),
    ("how many loans in May or March 2024", 3),
]


@pytest.mark.parametrize(("question", "number"), NUMBERS, ids=[q for q, _ in NUMBERS])
def test_bounds_ages_and_months(frames_grounder, question: str, number: float) -> None:
    grounder = frames_grounder(members=MEMBERS, loans=LOANS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == number


COMPARED = [
    ("which sex has more members, F or M?", {"F": 5, "M": 3}),
    ("were there more loans in February or May 2024?", {"February 2024": 2, "May 2024": 2}),
    ("loans in January vs February 2024", {"January 2024": 1, "February 2024": 2}),
]


@pytest.mark.parametrize(("question", "figures"), COMPARED, ids=[q for q, _ in COMPARED])
def test_two_of_one_kind_are_compared(frames_grounder, question: str, figures: dict[str, int]) -> None:
    grounder = frames_grounder(members=MEMBERS, loans=LOANS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert dict(grounder.engine.query(found.sql).itertuples(index=False, name=None)) == figures


SHOWN = [
    ("3 members", [1, 2, 3]),
    ("show me 2 members from Hull", [2, 5]),
    ("give me 3 members from Bath", [1, 3, 4]),  # and no towns of three members
    ("4 basic members", [2, 3, 5, 6]),
    ("5 members over 50", [6, 7, 8]),
    ("3 oldest members", [8, 7, 6]),
]


@pytest.mark.parametrize(("question", "ids"), SHOWN, ids=[q for q, _ in SHOWN])
def test_the_number_before_the_rows_of_a_list(frames_grounder, question: str, ids: list[int]) -> None:
    grounder = frames_grounder(members=MEMBERS, loans=LOANS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)["member_id"]) == ids


@pytest.mark.parametrize(
    "question",
    [
        "how many 3 members",
        "loans older than the average",  # a loan has no age
        "how many loans in February?",  # of two years
        "which sex has more members, F or X?",
    ],
)
def test_what_stays_open_is_not_answered(frames_grounder, question: str) -> None:
    found = frames_grounder(members=MEMBERS, loans=LOANS).read(question)
    assert isinstance(found, (Declined, Choice)), found


def test_a_month_of_the_only_year_where_several_dates_could_be_meant(frames_grounder) -> None:
    orders = pd.DataFrame(
        {
            "order_id": [1, 2, 3],
            "ordered_on": pd.to_datetime(["2024-03-01", "2024-03-09", "2024-05-01"]),
            "shipped_on": pd.to_datetime(["2024-03-02", "2024-04-01", "2024-05-03"]),
        }
    )
    grounder = frames_grounder(orders=orders)
    found = grounder.read("how many orders were shipped in March?")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 1
    assert isinstance(grounder.read("how many orders in March?"), Choice)


def test_what_was_done_in_a_year_is_not_told_by_the_year_of_something_else(frames_grounder) -> None:
    cars = pd.DataFrame({"car_id": [1, 2, 3], "year": [2019, 2020, 2020], "sold": [1, 0, 1]})
    grounder = frames_grounder(cars=cars)
    assert isinstance(grounder.read("how many cars were sold in 2020?"), Declined)
    found = grounder.read("how many cars were sold?")
    assert isinstance(found, Reading)
    assert grounder.engine.query(found.sql).iloc[0, 0] == 2


def test_no_word_stands_twice_in_a_figures_name(frames_grounder) -> None:
    bills = pd.DataFrame({"bill_id": [1, 2], "total": [5.0, 6.0]})
    found = frames_grounder(bills=bills, loans=LOANS, members=MEMBERS).read("sum of total of bills")
    assert isinstance(found, Reading)
    assert found.text == "sum of total of bills"
    grounder = frames_grounder(members=MEMBERS, loans=LOANS)
    found = grounder.read("members with over 1 loans")
    assert isinstance(found, Reading)
    assert "more than 1 loan" in found.text
    assert "loans" not in found.text


def test_two_numbers_of_the_column_that_is_asked_for(frames_grounder) -> None:
    pupils = pd.DataFrame({"pupil_id": range(1, 7), "grade": [9, 9, 9, 10, 10, 11], "score": [1, 2, 3, 4, 5, 6]})
    grounder = frames_grounder(pupils=pupils)
    found = grounder.read("which grade has more pupils, 9 or 10?")
    assert isinstance(found, Reading), found
    assert dict(grounder.engine.query(found.sql).itertuples(index=False, name=None)) == {"9": 3, "10": 2}
    for question in ("which grade has more pupils, 9, 10 or 11?", "which grade has more pupils, 9 or 13?"):
        assert not isinstance(grounder.read(question), Reading), question


def test_words_added_to_a_comparison_are_not_passed_over(frames_grounder) -> None:
    grounder = frames_grounder(members=MEMBERS, loans=LOANS)
    assert isinstance(grounder.read("compare the number of members in Bath and Hull"), Reading)
    for added in ("and their towns", "more than once"):
        found = grounder.read(f"compare the number of members in Bath and Hull {added}")
        assert isinstance(found, (Declined, Choice)), added


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many loans above 100000 and below 200000?", "amount > 100000 and amount < 200000"),
        ("number of loans with payments over 5000 and under 6000", "payments > 5000 and payments < 6000"),
        ("how many loans of 300000 and above", "amount >= 300000"),
        ("number of loans with at least 36 months duration", "duration >= 36"),
        ("number of loans with more than 24 months term in 1997", "duration > 24 and year(date) = 1997"),
    ],
)
def test_two_bounds_and_a_unit_with_its_column(bank_grounder, question: str, sql: str) -> None:
    found = bank_grounder.read(question)
    gold = bank_grounder.engine.query(f"select count(*) from loan where {sql}").iloc[0, 0]
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == gold


def test_dates_of_no_rows_are_said_to_be_empty(frames_grounder) -> None:
    calls = pd.DataFrame({"call_id": pd.Series([], dtype="int64"), "rung": pd.Series([], dtype="datetime64[ns]")})
    assert frames_grounder(calls=calls).read("calls rung in 2024").text == "calls.rung is empty in every row."
