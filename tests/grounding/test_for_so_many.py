"""Figures for so many of something, and what two years that are columns differ by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

TOWNS = pd.DataFrame(
    {
        "town_id": [1, 2, 3],
        "town": ["Ash", "Elm", "Oak"],
        "county": ["North", "North", "South"],
        "inhabitants": [1000, 4000, 2000],
        "thefts_2019": [10, 20, None],
        "thefts_2020": [12, 16, 30],
    }
)
MEMBERS = pd.DataFrame({"member_id": range(1, 9), "town_id": [1, 1, 1, 2, 2, 2, 3, 3]})
BADGES = pd.DataFrame({"badge_id": range(1, 4), "member_id": [1, 2, 5]})


KNOWLEDGE = {
    "tables": {"towns": {"label": "town", "columns": {f"thefts_{y}": {"names": ["thefts"]} for y in (2019, 2020)}}}
}


@pytest.fixture(scope="module")
def club() -> Iterator[Grounder]:
    from lexsi_nb.data.engine import Engine
    from lexsi_nb.data.sources import frames
    from lexsi_nb.grounding.grounder import Grounder

    held: dict[str, Any] = {"towns": TOWNS, "members": MEMBERS, "badges": BADGES}
    engine = Engine(frames(held), namespace=held)
    yield Grounder(engine, KNOWLEDGE)
    engine.close()


def _rows(grounder: Any, question: str) -> list[tuple[Any, ...]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False, name=None)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("thefts per 1000 inhabitants in Elm in 2020", (4.0,)),
        ("thefts in 2019 per 1000 inhabitants in Ash", (10.0,)),
        ("badges per 100 members", (37.5, 3, 8)),
        ("how many badges are there per 10 members?", (3.75, 3, 8)),
    ],
)
def test_a_figure_is_told_for_so_many(club, question, first):
    found = _rows(club, question)
    assert len(found) == 1
    assert found[0][: len(first)] == pytest.approx(first)


def test_it_is_told_for_each_row_by_name(club):
    found = _rows(club, "thefts 2020 per 1000 inhabitants by town")
    assert [(row[1], row[0]) for row in found] == [("Oak", 15.0), ("Ash", 12.0), ("Elm", 4.0)]


@pytest.mark.parametrize(
    "question",
    [
        "thefts per 1000 inhabitants in Elm",  # of which year
        "thefts 2020 per 1000 inhabitants",  # of which town
        "thefts 2020 per 1000 inhabitants in North",  # of two towns
    ],
)
def test_what_is_not_said_is_not_assumed(club, question):
    assert isinstance(club.read(question), Declined)


@pytest.mark.parametrize(
    ("question", "change"),
    [
        ("difference between thefts in 2020 and 2019 in Elm", -4),
        ("difference between thefts 2019 and thefts 2020 in Ash", 2),
        ("how much higher were thefts in 2020 than in 2019 in Ash", 2),
    ],
)
def test_two_years_that_are_columns_differ_from_the_earlier_to_the_later(club, question, change):
    found = _rows(club, question)
    assert (len(found), found[0][0]) == (1, change)


@pytest.mark.parametrize(
    "question",
    [
        "difference between thefts in 2020 and 2018 in Elm",
        "difference between thefts in 2020 and 2019",
        "difference in average thefts between 2019 and 2020",  # Oak has one of the two alone
    ],
)
def test_a_difference_that_the_columns_do_not_tell_is_declined(club, question):
    assert isinstance(club.read(question), Declined)


@pytest.mark.parametrize(
    ("question", "ratio"),
    [("ratio of thefts 2020 to 2019 in Elm", 0.8), ("ratio of thefts 2019 to 2020 in Elm", 1.25)],
)
def test_a_ratio_of_two_years_is_of_the_one_that_is_said_first(club, question, ratio):
    assert _rows(club, question)[0][0] == pytest.approx(ratio)


def test_rows_that_are_counted_are_correlated_with_a_number_of_what_they_are_counted_for(club):
    # inhabitants 1000, 4000, 2000; members 3, 3, 2
    expected = float(TOWNS["inhabitants"].corr(pd.Series([3, 3, 2])))
    for question in ("correlation between the number of members and inhabitants per town",
                     "correlation of inhabitants and the number of members"):  # fmt: skip
        assert _rows(club, question) == [(pytest.approx(expected), 3)]


def test_those_without_any_count_as_none(frames_grounder):
    grounder = frames_grounder(towns=TOWNS, members=MEMBERS[MEMBERS["town_id"] != 3])
    expected = float(TOWNS["inhabitants"].corr(pd.Series([3, 3, 0])))
    assert _rows(grounder, "correlation between number of members and inhabitants") == [(pytest.approx(expected), 3)]


def test_a_year_that_is_said_last_is_that_of_the_column(club):
    assert _rows(club, "correlation between thefts and inhabitants in 2019") == [(pytest.approx(1.0), 2)]
    assert _rows(club, "correlation between thefts and inhabitants in 2020")[0][1] == 3
    assert _rows(club, "describe thefts in 2019")[0][:2] == (3, 1)


def test_a_second_count_beside_a_count_is_not_lost(bank_grounder):
    found = bank_grounder.read("loans granted each year and how many of them are still running")
    assert isinstance(found, Declined)
    assert "how many of them" in found.reason
