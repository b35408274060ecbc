"""Words that leave no trace in the SQL: such a reading is declined."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.checks.accounts import accounted
from lexsi_nb.grounding.mentions import mentions
from lexsi_nb.grounding.reading import Reading, Unread
from lexsi_nb.grounding.words import tokens

COUNTED = Reading("count", "loan", sql="SELECT count(*) AS n\nFROM loan\nWHERE duration = 24")


@pytest.mark.parametrize(
    "question",
    [
        "how many loans of 24 months above 5000",
        "how many loans of 24 months, not in default",
        "median of loans of 24 months",
        "average of loans of 24 months",
        "largest loan of 24 months",
        "how many loans of 36 months",
        "number of loans of 24 months and number in default",
    ],
)
def test_a_word_without_a_place_is_declined(bank_grounder, question):
    with pytest.raises(Unread, match="no place for"):
        accounted(COUNTED, mentions(question, bank_grounder.index).items, tokens(question), bank_grounder.index)


def test_what_has_its_place_passes(bank_grounder):
    question = "how many loans have a duration of 24"
    assert (
        accounted(COUNTED, mentions(question, bank_grounder.index).items, tokens(question), bank_grounder.index) is None
    )


def test_what_happened_to_each_row_needs_no_place(bank_grounder):
    assert "number of cards" in bank_grounder.read("how many gold cards have we issued?").text


def test_a_chart_of_values_counts_them(bank_grounder):
    got = bank_grounder.engine.query(bank_grounder.read("pie chart of card types").sql)
    assert got.set_index("type")["number_of_cards"].to_dict() == {"classic": 659, "junior": 145, "gold": 88}
