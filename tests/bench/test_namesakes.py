"""A made-up name that the data hold after all: which answers to it are let pass, and which are still refused."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import reliability
from answers import judging
from answers.questions import Question

NAMESAKE = {"name": "Oz", "gold": "select height from hill where name = 'Oz'", "said": r"(?i)\bhills?\b"}
GOLD = [[(312.0,)]]
TOLD = "Height of hills with name Oz: 312."


def question(**fields: Any) -> Question:
    """A question for the height of Oz, meant as a place that is not."""
    made: dict[str, Any] = {"kind": "made_up", "expect": "decline", "namesake": NAMESAKE}
    return Question(**{"id": "x1", "question": "height of Oz", "split": "dev", **made, **fields})


def outcome(asked: Question, frame: pd.DataFrame | None, answer: str = TOLD, golds: Any = GOLD) -> str:
    """What comes of an answered run, as the runner has it."""
    run = SimpleNamespace(frame=frame, answer=answer, artifacts=[], steps=[], status="answered")
    return reliability.outcome_of(asked, "answered", asked.judged and judging.right(asked, run, golds))


def test_the_one_row_told_as_what_it_is_passes() -> None:
    assert outcome(question(), pd.DataFrame({"height": [312]})) == "right"
    assert outcome(question(), pd.DataFrame({"name": ["Oz"], "height": [312]})) == "right"
    assert outcome(question(), None, "The hill Oz is 312 high.") == "right"


def test_declining_and_asking_stay_right() -> None:
    assert reliability.outcome_of(question(), "declined", False) == "right"
    assert reliability.outcome_of(question(), "needs_choice", False) == "right"


def test_it_counts_among_answers_given_and_not_among_the_answerable() -> None:
    numbers = reliability.scores_of([reliability.Verdict(question(), "answered", "right", 0.1, "")])
    assert (numbers["precision"], numbers["answerable"], numbers["coverage"]) == (1.0, 0, None)


@pytest.mark.parametrize("answer", ["Height of Oz: 312.", "312", "", "Height of chills with name Oz: 312."])
def test_an_answer_that_does_not_say_what_was_taken_for_it_is_wrong(answer: str) -> None:
    assert outcome(question(), pd.DataFrame({"height": [312]}), answer) == "wrong"


def test_what_was_taken_for_it_is_said_in_words_and_not_by_the_frame_only() -> None:
    assert outcome(question(), pd.DataFrame({"hill": ["hill Oz"], "height": [312]}), "312.") == "wrong"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"height": [313]}),
        pd.DataFrame({"height": [312, 40]}),
        pd.DataFrame({"height": [None]}),
        pd.DataFrame({"height": []}),
        pd.DataFrame({"a": [1], "b": [2], "c": [3], "d": [4], "height": [312]}),
    ],
    ids=["another number", "another row", "a missing value", "no row", "a number among many"],
)
def test_other_rows_are_wrong(frame: pd.DataFrame) -> None:
    assert outcome(question(), frame) == "wrong"


def test_without_a_frame_the_number_has_to_be_said() -> None:
    assert outcome(question(), None, "There is a hill called Oz.") == "wrong"
    assert outcome(question(), None, "The hill Oz is 31 high.") == "wrong"


@pytest.mark.parametrize("golds", [[], [[]], [[(312.0,), (40.0,)]]], ids=["none", "no row", "two of that name"])
def test_a_name_that_is_not_there_once_is_no_answer(golds: Any) -> None:
    frame = pd.DataFrame({"height": [row[0] for row in golds[0]] if golds else [312]})
    assert outcome(question(), frame, golds=golds) == "wrong"


def test_without_a_namesake_an_answer_to_a_made_up_name_is_wrong() -> None:
    assert outcome(question(namesake={}), pd.DataFrame({"height": [312]})) == "wrong"


@pytest.mark.parametrize(
    "fields", [{"kind": "absent"}, {"kind": "out_of_range"}, {"kind": "undefined"}, {"expect": "ask"}]
)
def test_it_is_for_made_up_names_only(fields: dict[str, str]) -> None:
    assert outcome(question(**fields), pd.DataFrame({"height": [312]})) == "wrong"


def test_a_list_may_be_wide_and_a_group_may_not() -> None:
    """Beside an asked number, more than three further columns make a hit by chance likely; a list's rows are things."""
    wide = pd.DataFrame({"name": ["A", "B"], "p": [1, 2], "q": [3, 4], "r": [5, 6], "s": [7, 8]})
    gold = [[("A",), ("B",)]]
    for kind, expected in (("list", "right"), ("group", "wrong")):
        asked = question(kind=kind, expect="answer", namesake={})
        assert outcome(asked, wide, golds=gold) == expected
        assert outcome(asked, wide.drop(columns="s"), golds=gold) == "right"
