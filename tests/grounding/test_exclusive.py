"""A part that its whole excludes is said to be so: never a plain share of 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lexsi_nb.grounding.reading import Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.mark.parametrize(
    "question",
    [
        "share of running loans in default",
        "what percentage of running loans defaulted",
        "how many running loans are in default",
        "share of loans over 300000 that are under 100000",
        "share of women who are men",
    ],
)
def test_conditions_that_exclude_each_other_are_told(bank_grounder: Grounder, question: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Declined), found
    assert "exclude each other" in found.text


def test_what_the_values_mean_is_told(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("share of running loans in default")
    assert isinstance(found, Declined)
    assert "D: running, in debt" in found.text


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("share of finished loans in default", 100 * 31 / 234),
        ("share of defaulted loans with status D", 100 * 45 / 76),
        ("share of running loans over 100000", 100 * 293 / 403),
    ],
)
def test_conditions_that_go_together_are_answered(bank_grounder: Grounder, question: str, share: float) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(share)
