"""`by` before rows that a yes or no describes: who did it, where each row has one; else together or one by one."""

from __future__ import annotations

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Choice, Reading


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    session = lx.Session(
        {
            "members": pd.DataFrame({"member_id": [1, 2, 3], "retired": [True, False, True]}),
            "hampers": pd.DataFrame({"hamper_id": [10, 11, 12, 13], "member_id": [1, 1, 2, 3]}),
            "cheeses": pd.DataFrame({"cheese_id": [5, 6], "title": ["Brie", "Comte"], "smoked": [True, False]}),
            "hamper_items": pd.DataFrame({"hamper_id": [10, 10, 11, 12, 13], "cheese_id": [5, 6, 5, 6, 5]}),
        },
        namespace={},
    )
    session.binding.start()
    return session.binding.grounder()


@pytest.mark.parametrize("question", ["number of hampers by smoked cheeses", "hampers by smoked cheeses"])
def test_rows_that_each_may_have_many_of_are_asked_about(grounder: Grounder, question: str):
    found = grounder.read(question)
    assert isinstance(found, Choice)
    assert "'by smoked cheeses'" in found.prompt


def test_the_one_that_each_row_has_is_who_did_it(grounder: Grounder):
    found = grounder.read("number of hampers by retired members")
    assert isinstance(found, Reading)
    assert grounder.engine.query(found.sql).iloc[0, 0] == 3
