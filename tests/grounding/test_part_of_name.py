"""What rows are called may be one word of their name: all whose name has it are meant, and it is said."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

PUPILS = pd.DataFrame(
    {
        "pupil_id": range(1, 9),
        "name": ["Mia Berg", "Mia Holt", "Tom Berg", "Mia Berg", "Miadora Fox", "Tom Mia", "Ina Fox", None],
        "house": ["North", "South", "North", "South", "North", "North", "South", "South"],
        "points": [4, 6, 1, 2, 9, 8, 3, 5],
    }
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many pupils are called Mia?", 4),
        ("how many pupils named mia", 4),
        ("number of North pupils called Mia", 2),
        ("how many pupils are called Mia Berg", 2),
        ("average points of pupils called Mia", 5.0),
    ],
)
def test_a_word_of_a_name_is_all_that_have_it(frames_grounder, question, number):
    grounder = frames_grounder(pupils=PUPILS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == number


def test_it_is_said_and_no_name_is_declined(frames_grounder):
    grounder = frames_grounder(pupils=PUPILS)
    assert "the word Mia" in grounder.read("how many pupils are called Mia?").text
    assert isinstance(grounder.read("how many pupils are called Zoe?"), Declined)
