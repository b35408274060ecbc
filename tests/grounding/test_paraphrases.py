"""The same question in other words has the same answer, or is asked about; never another number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

SAME = [
    ("number of loans taken by accounts in south Moravia", "number of loans of accounts in south Moravia"),
    ("number of accounts by year of opening", "number of accounts by year"),
    ("row count of table trans", "how many rows does trans have"),
    ("how large is a loan on average?", "average loan amount"),
    ("how many transactions were made in the first six months of 1994?", "how many transactions in h1 1994"),
    ("what is the median size of a loan in Prague?", "median loan amount in Prague"),
    ("give me the 95 % quantile of transaction amounts", "95th percentile of transaction amounts"),
    ("how many accounts have no fewer than 5 standing orders", "how many accounts have at least 5 standing orders"),
    ("In 1995, how much money did we lend in total?", "how much was lent in 1995"),
    ("number of clients residing in every region", "number of clients living in each region"),
    ("how many values of bank are missing in trans?", "number of missing values in bank of trans"),
    ("draw a bar chart showing how many loans there are per status", "bar chart of the number of loans per status"),
    ("Which card was issued more frequently, gold or classic?", "gold vs classic cards: which was issued more often"),
    ("give me a description of the loan amount", "describe the loan amount"),
    ("what percent of the loans falls into each status?", "percentage of loans in each status"),
    ("using the 1.5 IQR rule, show outliers in the loan amount", "outliers in the loan amount by the 1.5 IQR rule"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "plain"), SAME)
def test_other_words_same_answer(bank_grounder: Grounder, said: str, plain: str) -> None:
    a, b = bank_grounder.read(said), bank_grounder.read(plain)
    assert isinstance(a, Reading), a
    assert isinstance(b, Reading), b
    assert rows(bank_grounder.engine.query(a.sql)) == rows(bank_grounder.engine.query(b.sql))


@pytest.fixture(scope="module")
def fleet(frames_grounder) -> Grounder:
    """Buses of two makers with a row a trip; the line that runs each."""
    buses = pd.DataFrame(
        {"bus_id": [1, 2, 3, 4], "maker": ["MAN", "MAN", "Volvo", "Volvo"], "seats": [20, 60, 60, 80],
         "year": [1990, 2001, 2003, 2010]}
    )  # fmt: skip
    lines = pd.DataFrame({"line_id": ["L1", "L2", "L3"], "title": ["North Line", "South Line", "City Line"]})
    trips = pd.DataFrame(
        {
            "trip_id": range(10),
            "bus_id": [1, 1, 1, 2, 2, 3, 4, 4, 4, 4],
            "line_id": [f"L{n}" for n in (1, 1, 2, 2, 3, 3, 1, 2, 3, 1)],
        }
    )
    return frames_grounder(buses=buses, lines=lines, trips=trips)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("how many trips were made by buses that have over 50 seats?", [(7,)]),
        ("how many trips were made by a line other than North Line?", [(6,)]),
        ("how many trips were operated by lines other than North Line?", [(6,)]),
        ("how many seats do buses have on average?", [(55.0,)]),
        ("how many seats do buses have on average, per maker?", [("MAN", 40.0), ("Volvo", 70.0)]),
        ("count the buses whose year is before 2002", [(2,)]),
        ("how many seats do all buses have together?", [(220,)]),
        ("number of trips made by line", [("City Line", 3), ("North Line", 4), ("South Line", 3)]),
    ],
)
def test_by_whom_a_thing_was_done_is_no_group(fleet: Grounder, question: str, gold: list) -> None:
    found = fleet.read(question)
    assert isinstance(found, Reading), found
    assert rows(fleet.engine.query(found.sql)) == gold


@pytest.mark.parametrize(
    "question",
    [
        "number of trips by buses with more than 50 seats",
        "how many trips were made by buses",
        "how many seats per maker on average",
    ],
)
def test_one_figure_or_one_for_each_is_asked(fleet: Grounder, question: str) -> None:
    assert isinstance(fleet.read(question), (Choice, Declined))


def test_which_deposits_are_meant_is_asked(bank_grounder: Grounder) -> None:
    for question in ("how much was deposited in total in 1996?", "sum of all deposits during 1996", "total deposits"):
        found = bank_grounder.read(question)
        assert isinstance(found, Choice)
        assert any("cash" in o for o in found.options)
        assert any("incoming" in o for o in found.options)


@pytest.mark.parametrize("said", ["keep only loans larger than 300k", "restrict it to those over 300k"])
def test_keeping_some_rows_goes_on_with_the_question_before(bank_grounder: Grounder, said: str) -> None:
    whole = bank_grounder.in_context(["loans by status"], said)
    found = bank_grounder.read(str(whole))
    assert isinstance(found, Reading)
    gold = "SELECT status, count(*) FROM loan WHERE amount > 300000 GROUP BY 1"
    assert rows(bank_grounder.engine.query(found.sql)) == rows(bank_grounder.engine.query(gold))


def test_a_verb_is_no_column_of_other_rows(frames_grounder) -> None:
    people = pd.DataFrame({"person_id": [1, 2], "name_given": ["Ann", "Bo"]})
    prizes = pd.DataFrame({"prize_id": [1, 2, 3], "person_id": [1, 1, 2], "year": [1999, 2000, 2000]})
    found = (grounder := frames_grounder(people=people, prizes=prizes)).read("number of prizes given in 2000")
    assert isinstance(found, Reading), found
    assert rows(grounder.engine.query(found.sql)) == [(2,)]


def test_kinds_of_a_thing_are_one_column(frames_grounder) -> None:
    ships = pd.DataFrame(
        {"ship_id": [1, 2, 3], "type": ["a", "b", "a"], "engine": ["gas", "oil", "gas"], "engines": [1, 2, 1]}
    )
    grounder = frames_grounder(ships=ships)
    for question in ("what types of engine exist?", "list the different engines of the ships"):
        assert isinstance(grounder.read(question), (Choice, Declined)), question
    found = grounder.read("which engine types are there")
    assert isinstance(found, Reading), found
    assert rows(grounder.engine.query(found.sql)) == [("gas",), ("oil",)]
