"""A share held against a number is a yes or no; a time or a place said last in a share of told rows is asked about."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Reading

CALLS = pd.DataFrame(
    {
        "call_id": range(1, 9),
        "line": ["red", "blue", "red", "blue", "red", "red", "blue", "red"],
        "age": [50, 20, 60, 30, 70, 45, 20, 61],
        "town": ["Aa", "Aa", "Bb", "Bb", "Bb", "Bb", "Bb", "Bb"],
        "made_on": pd.to_datetime(["2020-01-01"] * 5 + ["2021-01-01"] * 3),
    }
)  # 5 of 8 are on the red line: 62.5 percent


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is the share of calls on the red line above 60%?", True),
        ("is the share of red calls above 40%?", True),
        ("is the percentage of calls with line red less than 60 percent?", False),
        ("was the share of red calls at least 62.5%?", True),
        ("do more than 65% of calls have the line red?", False),
        ("do over 60 percent of calls have line red?", True),
    ],
)
def test_a_share_is_held_against_a_number(frames_grounder, question: str, answer: bool) -> None:
    grounder = frames_grounder(calls=CALLS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    row = grounder.engine.query(found.sql).iloc[0]
    assert (bool(row.answer), row.percentage) == (answer, 62.5)


@pytest.mark.parametrize(
    "question", ["is the share of red calls between 40% and 70%?", "is the share of red calls by town above 40%?"]
)
def test_a_bound_that_is_no_single_number_is_not_answered(frames_grounder, question: str) -> None:
    assert not isinstance(frames_grounder(calls=CALLS).read(question), Reading)


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("share of red calls in 2021", ["66.6667 %", "40 %"]),
        ("what is the percentage of red calls in Bb", ["66.6667 %", "80 %"]),
    ],
)
def test_what_told_rows_are_a_share_of_is_asked(frames_grounder, question: str, numbers: list[str]) -> None:
    grounder = frames_grounder(calls=CALLS)
    choice = grounder.read(question)
    assert isinstance(choice, Choice), choice
    assert [o.number for o in options(choice, question, grounder.read, grounder.engine)] == numbers


def test_a_condition_of_the_graph_is_told_rows_too(bank_grounder) -> None:
    question = "share of defaulted loans in 1996"
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice), choice
    gold = bank_grounder.engine.query(
        "SELECT 100 * avg((status IN ('B', 'D'))::INT) FROM loan WHERE year(date) = 1996"
    ).iloc[0, 0]
    found = options(choice, question, bank_grounder.read, bank_grounder.engine)
    assert found[0].number == f"{gold:,.6g} %"
    assert isinstance(bank_grounder.read("was the share of defaulted loans in 1996 above 10%?"), Choice)


def test_a_verb_says_what_the_part_is(bank_grounder) -> None:
    found = bank_grounder.read("what share of female clients live in Prague")
    gold = bank_grounder.engine.query(
        "SELECT 100 * avg((region = 'Prague')::INT) FROM client JOIN district USING (district_id)"
        " WHERE gender = 'female'"
    ).iloc[0, 0]
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(gold)
