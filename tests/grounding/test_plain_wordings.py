"""Wordings of people new to their data: one option is no choice, both kinds of a flag, lengths, the last month."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Reading

PUPILS = pd.DataFrame(
    {
        "pupil_id": range(1, 7),
        "name": ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"],
        "age": [10.0, 12, 14, 16, 18, 20],
        "boarding": [True, False, True, False, True, False],
        "entered_on": pd.to_datetime(
            ["2022-03-04", "2022-11-02", "2022-11-20", "2022-12-01", "2022-12-09", "2022-12-30"]
        ),
    }
)
LESSONS = pd.DataFrame(
    {
        "lesson_id": range(1, 7),
        "pupil_id": [1, 1, 2, 3, 4, 5],
        "subject": ["art", "art", "maths", "maths", "music", "music"],
        "minutes": [90, 10, 60, 60, 30, 40],
    }
)


@pytest.fixture
def school(frames_grounder):
    return frames_grounder(pupils=PUPILS, lessons=LESSONS)


def _rows(grounder, question: str) -> list:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return list(grounder.engine.query(found.sql).itertuples(index=False, name=None))


def test_a_choice_of_one_is_taken_and_said(school):
    assert _rows(school, "mean of pupils") == [(15.0,)]
    assert "can only be this" in " ".join(school.read("mean of pupils").notes)
    assert set(_rows(school, "mean of pupils by boarding")) == {(True, 14.0), (False, 16.0)}


@pytest.mark.parametrize(
    "question",
    [
        "average age of boarding vs not boarding pupils",
        "average age of boarding and non-boarding pupils",
        "average age of boarding pupils versus not boarding pupils",
    ],
)
def test_a_flag_and_its_opposite_are_two_groups(school, question):
    assert set(_rows(school, question)) == {(True, 14.0), (False, 16.0)}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which subject has the longest lessons on average?", "maths"),
        ("which subject has the shortest lessons on average?", "music"),
        ("what subject has on average the longest lessons", "maths"),
    ],
)
def test_long_is_told_by_the_one_length_of_time(school, question, first):
    assert _rows(school, question)[0][0] == first


def test_the_last_month_is_asked_by_the_end_of_the_data(school):
    question = "how many pupils entered last month"
    choice = school.read(question)
    assert isinstance(choice, Choice), choice
    assert "2022-12-30" in choice.prompt
    assert [o.number for o in options(choice, question, school.read, school.engine)] == ["3", "2"]
