"""Every option of a choice is chosen by its number and by its words; a greeting says what can be asked."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Reading

OPEN = [
    "average amount", "average amount in 1997", "how many in Prague", "number by district", "largest payment",
    "trend of loans", "top 3 clients by loan amount", "how many durations", "total debits in 1996",
    "total amount of 1997", "how many loans last year", "pension by year",
]  # fmt: skip


@pytest.mark.parametrize("question", OPEN)
def test_each_option_is_chosen_by_number_and_by_words(bank_grounder, question):
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice), choice
    ways = options(choice, question, bank_grounder.read, bank_grounder.engine)
    assert len(ways) > 1
    for at, way in enumerate(ways, 1):
        for said in (str(at), f"choose {at}", way.text, f"{way.text[:1].upper()}{way.text[1:]}: {way.number}."):
            assert bank_grounder.in_context([question], said) == way.question, said
        chosen = bank_grounder.read(way.question)
        assert isinstance(chosen, Reading)
        assert chosen.text == way.text


def test_a_number_after_an_answer_chooses_nothing(bank_grounder):
    assert bank_grounder.in_context(["how many loans are there"], "2") == "2"


@pytest.mark.parametrize("question", ["hello", "Help!", "what can I ask?", "Hi there"])
def test_a_greeting_names_questions_that_have_an_answer(frames_grounder, question):
    plants = pd.DataFrame(
        {
            "plant_id": range(1, 9),
            "colour": ["red", "blue"] * 4,
            "height": [1.0, 2, 3, 4, 5, 6, 7, 8],
            "planted_on": pd.date_range("2022-01-05", periods=8, freq="20D"),
        }
    )
    grounder = frames_grounder(plants=plants)
    said = grounder.what_can_be_asked(question).split("\n")
    assert len(said) == 3
    asked = said[1].split("'")[1::2]
    assert len(asked) > 2
    assert all(isinstance(grounder.read(q), Reading) for q in asked)


def test_a_question_is_no_greeting(bank_grounder):
    for question in ("how many loans", "help desk calls", "what can loans be"):
        assert bank_grounder.what_can_be_asked(question) == ""
