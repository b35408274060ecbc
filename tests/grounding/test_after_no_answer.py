"""What is said after a question that had no answer, and where a number is held against text."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pandas as pd
import pytest

from lexsi_nb import Session
from lexsi_nb.errors import QueryFailed
from lexsi_nb.grounding.reading import PredictivePlan, Reading
from lexsi_nb.grounding.rendering.failing import does_not_run


def _frames() -> dict[str, Any]:
    return {"bikes": pd.DataFrame({"bike_id": range(1, 7), "colour": ["red", "blue", "red", "red", "blue", "green"]})}


def test_a_follow_up_says_that_the_question_before_had_no_answer():
    names = _frames()
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        assert session.ask("how comfy are the bikes").status == "declined"
        run = session.ask("and by colour?")
        assert run.status == "declined"
        assert run.answer.startswith("The question before ('how comfy are the bikes') was not answered")
        run = session.ask("how many bikes are there")
        assert run.status == "answered"
        run = session.ask("and by colour?")
        assert run.status == "answered"
        assert "not answered" not in run.answer


def test_an_engine_that_reads_text_as_a_number_is_put_in_plain_words():
    said = does_not_run(QueryFailed("x", "Could not convert string 'Elm' to INT32 when casting from source column t."))
    assert "a column of text, which has values such as 'Elm'" in said.reason
    assert "INT32" not in said.reason


def test_so_many_are_enough_says_how_many(bank_grounder):
    plan = bank_grounder.understood("clients without a card, who will get one? 7 names are enough")
    assert isinstance(plan, PredictivePlan), plan
    assert plan.top_k == 7
    found = bank_grounder.read("list the districts, 4 rows are enough")
    assert isinstance(found, Reading), found
    assert len(bank_grounder.engine.query(found.sql)) == 4
    assert not found.filters


def test_a_follow_up_keeps_the_conditions_before_and_says_what_it_has_no_more():
    bikes = _frames()["bikes"].assign(
        bought=pd.to_datetime(["2019-05-01", "2020-05-01", "2020-06-01", "2020-07-01", "2021-05-01", "2020-01-01"]),
        size=["s", "m", "s", "l", "m", "m"],
    )
    names = {"bikes": bikes}
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        session.ask("how many bikes were bought in 2020")
        run = session.ask("and by colour?")
        assert sorted(run.frame.itertuples(index=False, name=None)) == [("blue", 1), ("green", 1), ("red", 2)]
        assert "kept from before: bought from 2020-01-01 to before 2021-01-01" in run.answer
        assert "no longer" not in run.answer
        run = session.ask("and by size?")
        assert sorted(run.frame.itertuples(index=False, name=None)) == [("l", 1), ("m", 2), ("s", 1)]
        assert "no longer: by colour" in run.answer


def _riders() -> dict[str, Any]:
    riders = pd.DataFrame({"rider_id": [1, 2, 3, 4], "town": ["Ulm", "Ulm", "Bonn", "Kiel"], "points": [9, 7, 7, 1]})
    rides = pd.DataFrame({"ride_id": range(1, 8), "rider_id": [1, 1, 2, 2, 3, 4, 4]})
    return {"riders": riders, "rides": rides}


@pytest.mark.parametrize(
    "follow_up",
    ["how many rides did they have?", "order it by town", "sort those by town", "and how many of them are from Ulm"],
)
@pytest.mark.parametrize(
    ("before", "status", "why"),
    [
        ("top 2 riders by number of rides", "needs_choice", "waits for a choice"),
        ("the most graceful riders", "declined", "was not answered"),
    ],
)
def test_what_points_back_at_no_answer_is_not_answered_over_everything(follow_up, before, status, why):
    names = _riders()
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        assert session.ask(before).status == status
        run = session.ask(follow_up)
        assert run.status == "declined", run.answer
        assert run.answer.startswith(f"This points back at the question before ('{before}'), which {why}.")


def test_what_names_its_own_rows_is_answered_after_no_answer():
    names = _riders()
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        for question, value in (("how many rides did riders from Ulm have?", 4), ("number of riders by their town", 2)):
            assert session.ask("top 2 riders by number of rides").status == "needs_choice"
            run = session.ask(question)
            assert run.status == "answered", run.answer
            assert run.frame.iloc[0, -1] == value
        session.ask("riders from Ulm")
        run = session.ask("how many rides did they have?")
        assert run.frame.iloc[0, 0] == 4


def test_a_year_after_only_is_a_condition_and_no_number_of_rows():
    bikes = _frames()["bikes"].assign(bought=pd.to_datetime(["2019-05-01", *["2020-02-01"] * 3, *["2021-02-01"] * 2]))
    names = {"bikes": bikes}
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        for year, groups in (("only 2020", [("blue", 1), ("red", 2)]), ("just 2021", [("blue", 1), ("green", 1)])):
            session.reset()
            session.ask("how many bikes by colour")
            run = session.ask(year)
            assert run.status == "answered", run.answer
            assert sorted(run.frame.itertuples(index=False, name=None)) == groups
        run = session.ask("only 2020")  # another year stands in its place
        assert sorted(run.frame.itertuples(index=False, name=None)) == [("blue", 1), ("red", 2)]
        session.reset()
        session.ask("how many bikes by colour")
        assert list(session.ask("just the first 1").frame.iloc[0]) == ["red", 3]


def test_a_follow_up_of_a_question_over_other_data_says_so(bank):
    names = _riders()
    with closing(Session(names, planner="embedded", namespace=names)) as session:
        assert session.ask("how many loans by status", dataset=bank).status == "answered"
        for question in ("and by district?", "how many rides did they have?"):
            run = session.ask(question)
            assert run.status == "declined"
            assert "not answered" not in run.answer
            assert "('how many loans by status') was asked over the dataset bank, and this one over" in run.answer
            assert "--data bank" in run.answer
            session.reset()
            session.ask("how many loans by status", dataset=bank)
        run = session.ask("and by district.region?", dataset=bank)
        assert run.status == "answered"
        assert "kept from before" not in run.answer
        assert session.ask("how many riders by town").status == "answered"
        run = session.ask("only Ulm")
        assert run.frame.iloc[0, -1] == 2
