"""A figure of those who are so and of those who are not is one of both sides of a column of yes and no."""

from __future__ import annotations

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Reading

PUPILS = pd.DataFrame(
    {
        "pupil_id": range(1, 7),
        "height": [120, 131, 142, 110, 128, 150],
        "enrolled": [True, False, True, False, True, True],
        "EYE_GRP": ["blue", "brown", "blue", "green", "brown", "blue"],
    }
)


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    session = lx.Session({"pupils": PUPILS}, namespace={})
    session.binding.start()
    return session.binding.grounder()


@pytest.mark.parametrize(
    "question",
    [
        "mean height of pupils who enrolled vs those who did not",
        "mean height of pupils who enrolled and those who didn't",
        "mean height of enrolled vs not enrolled pupils",
        "mean height of enrolled pupils versus non-enrolled",
        "mean height of pupils that are enrolled compared with pupils that are not",
    ],
)
def test_both_sides_are_told(grounder: Grounder, question: str):
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    got = dict(grounder.engine.query(found.sql).itertuples(index=False))
    assert got == pytest.approx(PUPILS.groupby("enrolled")["height"].mean().to_dict())


@pytest.mark.parametrize(
    "question",
    [
        "difference in mean height between pupils who enrolled and those who did not",
        "ratio of the mean height of enrolled and not enrolled pupils",
    ],
)
def test_one_figure_of_the_two_is_not_answered_by_a_table_of_both(grounder: Grounder, question: str):
    found = grounder.read(question)
    assert not isinstance(found, Reading) or found.kind != "groupby"


def test_a_shortened_word_of_a_column_is_said_in_full(grounder: Grounder):
    found = grounder.read("number of pupils by eye group")
    assert isinstance(found, Reading)
    assert dict(grounder.engine.query(found.sql).itertuples(index=False)) == {"blue": 3, "brown": 2, "green": 1}
