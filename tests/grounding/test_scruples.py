"""Questions that were once answered with a wrong number: now declined, asked about, or right."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined

ONCE_WRONG = [
    "which region has no loans in default?",
    "sum of loans",
    "how much are the loans?",
    "how much are loans in default?",
    "sum of standing orders by symbol",
    "how many transactions in 1996 and 1997?",
    "how many running loans in debt?",
    "how many clients live in a different district than their account?",
    "how many account owners live in Prague?",
]


@pytest.mark.parametrize("question", ONCE_WRONG)
def test_once_wrong_on_the_bank(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, (Declined, Choice)), found.text


def test_a_choice_keeps_the_comparison(bank_grounder):
    question = "how many accounts had a transaction over 50000"
    found = bank_grounder.read(question)
    if isinstance(found, Choice):
        for way in options(found, question, bank_grounder.read, bank_grounder.engine):
            assert " 50,000" not in way.text or "over 50,000" in way.text
            assert way.number in ("", "458") or "amount" not in way.text


def test_predicting_what_has_happened_is_declined(bank_grounder):
    found = bank_grounder.predictive("Which loans with status D are likely to default?")
    assert isinstance(found, Declined)


@pytest.mark.parametrize(
    ("frame", "question"),
    [
        (pd.DataFrame({"us": ["us", "it", "us", "no"], "n": [1, 2, 3, 4]}), "how many d with us us?"),
        (pd.DataFrame({"us": ["us", "it", "us", "no"], "n": [1, 2, 3, 4]}), "average n for us it"),
        (pd.DataFrame({"region": ["a", "b", "a"]}), "how many d in a?"),
        (pd.DataFrame({"grade": ["A", "B", "A"]}), "how many d are A?"),
        (pd.DataFrame({"active": [True, False, True]}), "how many d are not active?"),
        (pd.DataFrame({"active": [True, False, True]}), "how many active d?"),
        (pd.DataFrame({"A": [1, 3], "a": [100, 300]}), "average a"),
        (pd.DataFrame({"at": pd.to_datetime(["2024-01-01T01:00Z", "2024-06-01T01:00Z"])}), "number of d by year of at"),
    ],
    ids=["us", "for us it", "in a", "are A", "not active", "active", "A and a", "time zone"],
)
def test_once_wrong_on_frames(frame, question):
    run = Session(namespace={"d": frame}).ask(question)
    if run.status == "answered":
        right = {
            "how many d are A?": 2, "how many d in a?": 2, "how many d are not active?": 1, "how many active d?": 2,
            "number of d by year of at": 2024,
        }  # fmt: skip
        assert run.frame.iloc[0, 0] == right.get(question), run.answer
    else:
        assert run.status in ("declined", "needs_choice", "failed")


def test_a_column_named_v_breaks_nothing():
    run = Session(namespace={"d": pd.DataFrame({"v": [7.0, 8.0], "g": ["x", "y"]})}).ask("average v")
    assert run.frame.iloc[0, 0] == 7.5


def test_a_frame_named_like_a_keyword_can_be_asked_about():
    run = Session(namespace={"values": pd.DataFrame({"g": ["x", "y"]})}).ask("how many values are there?")
    assert run.frame.iloc[0, 0] == 2


def test_a_value_that_was_edited_in_is_known_to_the_next_question():
    orders = pd.DataFrame({"region": ["north", "north", "south"], "n": [1, 2, 3]})
    session = Session(namespace={"orders": orders})
    session.ask("how many orders with region north?")
    orders["region"] = ["zeta", "zeta", "south"]
    run = session.ask("how many orders with region zeta?")
    assert run.status == "answered", run.answer
    assert run.frame.iloc[0, 0] == 2


def test_ties_at_the_cut_are_said(bank_grounder):
    reading = bank_grounder.read("which account has the most loans?")
    if not isinstance(reading, (Declined, Choice)):
        assert any("share the last" in note for note in reading.notes)
