"""Rows that share a name, values that only a sign tells apart, several texts in quotes, and figures of a value."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

FRAMES = {
    "keepers": pd.DataFrame({"keeper_id": [1, 2, 3, 4], "name": ["Ada Roy", "Ada Roy", "Bo Lind", "Cy Falk"]}),
    "donors": pd.DataFrame(
        {
            "donor_id": range(1, 9),
            "keeper_id": [1, 1, 2, 2, 3, 3, 3, 4],
            "blood": ["O+", "O-", "A+", "A-", "O+", "B+", None, "O-"],
            "town": ["Lund", "Oslo", "Oslo", "Ulm", "Lund", "Ulm", "Bern", "Bern"],
            "pints": [1.0, 2, 3, 4, 5, 6, 7, 8],
        }
    ),
    "tests": pd.DataFrame({"test_no": [1, 2, 3, 4], "kind": ["IRON", "IRON", "SALT", "SALT"], "level": [1.0, 3, 7, 9]}),
}


def value(frames_grounder: Any, question: str) -> Any:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many donors are O+?", 2),
        ("number of O- donors", 2),
        ("how many donors have blood A-", 1),
        ("number of donors with blood O+ or A+", 3),
        ("how many donors are not O+ or A+?", 4),
        ("how many donors are not 'O-' or 'B+'?", 4),
        ("number of donors not from 'Lund' or 'Oslo'", 4),
        ("number of donors from 'Lund' or 'Oslo'", 4),
        ("number of donors not from Lund or Oslo", 4),
        ("average pints of donors from 'Ulm' or 'Bern'", 6.25),
    ],
)
def test_a_sign_and_quotes_tell_which_values(frames_grounder, question: str, number: float) -> None:
    assert value(frames_grounder, question).iloc[0, 0] == number


@pytest.mark.parametrize("question", ["name of the keeper with the most donors", "which keeper has the most donors?"])
def test_one_of_a_name_is_found(frames_grounder, question: str) -> None:
    frame = value(frames_grounder, question)
    assert frame["keeper_id"].tolist() == [3]
    assert frame["name"].tolist() == ["Bo Lind"]


def test_groups_by_a_name_say_how_many_are_several(frames_grounder) -> None:
    found = frames_grounder(**FRAMES).read("number of donors by keeper name")
    assert isinstance(found, Reading)
    assert "1 value of name is of several keepers: those are taken together" in found.apart


@pytest.mark.parametrize("question", ["average IRON", "maximum SALT by town"])
def test_a_figure_of_a_value_is_not_of_other_rows(frames_grounder, question: str) -> None:
    found = frames_grounder(**FRAMES).read(question)
    assert isinstance(found, Declined), found
    assert "pints" not in found.text


def test_what_is_on_time_is_in_no_column_of_a_time(frames_grounder) -> None:
    trains = pd.DataFrame({"train_id": [1, 2], "time_hour": ["09:00", "10:00"], "delay": [0, 5]})
    found = frames_grounder(trains=trains).read("on time trains")
    assert isinstance(found, Declined), found
    assert "'on time'" in found.text


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many loans in 96?", 117),
        ("number of accounts opened since 97", 898),
        ("number of cards issued before 95", 18),
        ("how many good loans?", 606),
        ("number of past loans", 234),
        ("average duration of healthy loans in Prague", None),
    ],
)
def test_short_years_and_names_of_the_graph(bank_grounder, question: str, number: float | None) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    if number is not None:
        assert bank_grounder.engine.query(found.sql).iloc[0, 0] == number
    else:
        assert "status IN ('A', 'C')" in found.sql


@pytest.mark.parametrize(
    ("question", "percent"),
    [
        ("share of good loans", 100 * 606 / 682),
        ("what share is women?", 100 * 2645 / 5369),
        ("share of co-holders", None),
    ],
)
def test_a_share_of_what_the_graph_names(bank_grounder, question: str, percent: float | None) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    percent = percent or 100 * (5369 - 4500) / 5369
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(percent)


@pytest.mark.parametrize("question", ["how many good customers?", "good accounts", "loans that are good"])
def test_what_the_graph_names_of_loans_is_of_nothing_else(bank_grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)
