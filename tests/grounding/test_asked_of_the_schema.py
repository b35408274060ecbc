"""What is asked of the schema itself: what a column of a table means, what tables are joined, how large they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

KNOWLEDGE = {
    "tables": {
        "hive": {
            "comment": "wooden hives on the meadow",
            "names": ["hive", "hives"],
            "columns": {
                "hive_id": {"role": "key"},
                "mood": {
                    "comment": "how the bees behave",
                    "codes": {"G": "gentle", "T": "touchy"},
                    "names": ["mood", "temper"],
                },
                "frames": {"comment": "wooden frames in it"},
                "set_up": {"comment": "day it was put on the meadow"},
            },
        },
        "harvest": {
            "comment": "honey taken from a hive",
            "names": ["harvest", "harvests"],
            "columns": {
                "harvest_id": {"role": "key"},
                "hive_id": {"role": "key"},
                "mood": {"comment": "how the keeper felt", "codes": {"P": "pleased", "T": "tired"}},
                "weight": {"comment": "weight of the honey", "unit": "kg"},
            },
        },
    }
}


@pytest.fixture(scope="module")
def bees() -> Iterator[Grounder]:
    from lexsi_nb.data.engine import Engine
    from lexsi_nb.data.sources import frames
    from lexsi_nb.grounding.grounder import Grounder

    held: dict[str, Any] = {
        "hive": pd.DataFrame(
            {
                "hive_id": [1, 2, 3],
                "mood": ["G", "T", "G"],
                "frames": [10, 12, 9],
                "set_up": pd.to_datetime(["2020-03-01", "2021-04-02", "2021-05-03"]),
            }
        ),
        "harvest": pd.DataFrame(
            {
                "harvest_id": [7, 8, 9, 10],
                "hive_id": [1, 1, 2, 3],
                "mood": ["P", "T", "P", "P"],
                "weight": [4.5, 3, 8, 6],
            }
        ),
    }
    engine = Engine(frames(held), namespace=held)
    yield Grounder(engine, KNOWLEDGE)
    engine.close()


TOLD = [
    ("what does mood mean in the harvest table", "'harvest.mood' is how the keeper felt. P: pleased, T: tired"),
    ("what does the mood column in hive mean?", "'hive.mood' is how the bees behave. G: gentle, T: touchy"),
    ("what do the codes in hive mood mean", "'hive.mood' is how the bees behave. G: gentle, T: touchy"),
    ("meaning of the hive mood codes", "'hive.mood' is how the bees behave. G: gentle, T: touchy"),
    ("explain the hive mood codes", "'hive.mood' is how the bees behave. G: gentle, T: touchy"),
    ("which tempers of hives exist and what do they mean", "'hive.mood' is how the bees behave"),
    ("what is temper T?", "'T' in hive.mood is touchy"),
    ("what does T mean in harvests", "'T' in harvest.mood is tired"),
    ("what does frames measure", "'hive.frames' is wooden frames in it"),
    ("what is stored in harvest", "'harvest' is honey taken from a hive"),
    ("which is the biggest table", "the table with the most rows is harvest, with 4 rows"),
    ("what table has the fewest rows", "the table with the fewest rows is hive, with 3 rows"),
    ("foreign keys of harvest", "harvest.hive_id points at hive.hive_id"),
    ("which foreign keys does hive have", "no column of hive points at another table"),
    ("does hive have a column weight", "no, hive has none; there is harvest.weight"),
    ("is there a column frames in hive?", "yes, there is hive.frames"),
    ("how many tables have a hive_id", "2 tables have hive_id: hive.hive_id, harvest.hive_id"),
    ("which columns of hive are dates", "columns of hive that are dates: set_up"),
    ("numeric columns of harvest", "columns of harvest that are numbers: harvest_id"),
    ("which columns are texts", "columns of hive that are texts: mood"),
    ("which tables can be joined with hive", "hive is joined with harvest (by harvest.hive_id)"),
    (
        "what are the columns of harvest and what do they mean?",
        "columns of harvest: harvest_id (nothing is said of it)",
    ),
    ("which columns does harvest have and what do they mean", "columns of harvest: harvest_id (nothing is said of"),
    (
        "data dictionary of hive",
        "columns of hive: hive_id (nothing is said of it); mood (how the bees behave: G is gentle",
    ),
    ("what do G and P mean", "'G' in hive.mood is gentle; 'P' in harvest.mood is pleased"),
    (
        "what is the meaning of the letters G and T in hive mood",
        "'G' in hive.mood is gentle; 'T' in hive.mood is touchy",
    ),
    ("what table has the most columns", "the table with the most columns is hive, with 4 columns and harvest"),
    ("in which table can I find the weight", "there is harvest.weight"),
    ("which key joins hives and harvests", "hive and harvest are joined by hive.hive_id"),
    ("is set_up a date or a text?", "the type of hive.set_up is"),
    ("explain temper T please", "'T' in hive.mood is touchy"),
    ("what is the difference between hive.mood and harvest.mood", "'hive.mood' is how the bees behave"),
    ("which table links hives and harvests", "hive and harvest are joined by hive.hive_id = harvest.hive_id"),
    ("what is the type of weight", "the type of harvest.weight is DOUBLE"),
]


@pytest.mark.parametrize(("question", "said"), TOLD, ids=[q for q, _ in TOLD])
def test_it_is_told_from_the_schema_and_the_graph(bees, question, said):
    found = bees.read(question)
    assert isinstance(found, Reading), found
    assert (found.kind, found.notes[0][: len(said)]) == ("schema", said)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("what does weight mean in hive", "hive has no weight"),
        ("what does mood mean in the contract", "'contract' is no table of the data"),
        ("what does the spare weight mean", "Nothing in the data or the knowledge graph says"),
        ("what does P mean in hives", "Nothing in the data or the knowledge graph says"),
    ],
)
def test_what_the_table_does_not_have_is_declined(bees, question, why):
    found = bees.read(question)
    assert isinstance(found, Declined), found
    assert why in found.reason


def test_what_a_code_is_asks_for_its_meaning_and_not_for_its_rows(bank_grounder):
    for question in ("whats a DISPONENT", "what's a DISPONENT", "what is a disponent"):
        found = bank_grounder.read(question)
        assert isinstance(found, Reading), found
        assert found.notes[0].startswith("'DISPONENT' in disp.type is co-holder")


def test_a_word_for_other_rows_is_no_table(bank_grounder):
    found = bank_grounder.read("columns of the table branches")
    assert isinstance(found, Declined)
    assert "There is no table branches" in found.reason
    assert isinstance(bank_grounder.read("columns of the table loans"), Reading)
