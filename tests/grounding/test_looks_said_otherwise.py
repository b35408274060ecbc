"""Looks at the data in further words: what is related, far out, empty or there twice, and what rows look like."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

PUPILS = pd.DataFrame(
    {
        "pupil_id": range(1, 9),
        "house": ["Oak", "Oak", "Elm", "Elm", "Elm", "Ash", "Ash", "Ash"],
        "enrolled": pd.to_datetime(["2020-09-01"] * 3 + ["2021-09-01"] * 5),
        "height": [120, 121, 122, 123, 124, 125, 126, 199],
        "points_2021": [1, 2, 3, 4, 5, 6, 7, None],
        "points_2022": [2, 4, 6, 8, 10, 12, 14, 16],
        "nickname": ["Bo", None, "Bo", "Cy", None, "Di", "Ed", "Flo"],
    }
)
PRIZES = pd.DataFrame(
    {"prize_id": range(1, 6), "pupil_id": [1, 1, 3, 4, 8], "worth": [5, 6, 7, 8, 90], "cup": ["a", "a", "b", "a", "b"]}
)


@pytest.fixture
def school(frames_grounder) -> Any:
    return frames_grounder(pupils=PUPILS, prizes=PRIZES)


def _rows(grounder: Any, question: str) -> list[tuple[Any, ...]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False, name=None)]


@pytest.mark.parametrize(
    "question",
    [
        "corr of points 2021 and 2022",
        "how are points_2021 and points_2022 related?",
        "are points_2021 related to points_2022",
        "relationship between points_2021 and points_2022",
        "pearson coefficient of points_2021 vs points_2022",
    ],
)
def test_what_is_related_is_correlated(school, question):
    assert _rows(school, question) == [(pytest.approx(1.0), 7)]


def test_a_number_of_something_that_is_a_column_is_correlated(frames_grounder):
    towns = pd.DataFrame({"town": ["Ux", "Vy", "Wo"], "inhabitants": [10, 20, 40], "parks": [4, 3, 1]})
    grounder = frames_grounder(towns=towns)
    found = _rows(grounder, "correlation between the number of inhabitants and the number of parks")
    assert found == [(pytest.approx(-1.0), 3)]


def test_what_is_no_number_is_not_correlated(school):
    assert isinstance(school.read("how are house and points_2021 related"), Declined)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("are there outliers in the height? how many?", [(1,)]),
        ("unusually large prizes by the IQR rule", [(5, 90)]),
        ("outliers among the prizes", [(5, 90)]),
        ("pupils with a height with z-score above 2", [(8, 199)]),
        ("pupils with an extreme height (absolute z-score above 2)", [(8, 199)]),
        ("share of missing nickname in pupils", [(25.0, 2, 8)]),
        ("is the nickname ever empty?", [(True, 2, 8)]),
        ("how complete is the column nickname in pupils, in percent", [(75.0, 8)]),
        ("do any two pupils have the same nickname", [(True, 1, 2)]),
        ("are there two pupils with the same height?", [(False, 0, 0)]),
        ("are there any duplicate pupil ids?", [(False, 0, 0)]),
        ("is there more than one prize for any pupil", [(True, 1, 2)]),
        ("duplicate rows in prizes?", [(False, 0, 0)]),
        ("values of house", [("Ash",), ("Elm",), ("Oak",)]),
        ("show me some sample values of house", [("Ash",), ("Elm",), ("Oak",)]),
        ("can a pupil have several prizes?", [(True, 1, 2)]),
        ("does the same pupil appear twice in prizes", [(True, 1, 2)]),
        ("check pupil_id of pupils for duplicates", [(False, 0, 0)]),
        ("how many pupils are outliers in height, 2 sigma", [(1,)]),
        ("cohort table: number of pupils per year", [(2020, 3), (2021, 5)]),
    ],
)
def test_a_look_is_taken(school, question, expected):
    found = _rows(school, question)
    wide = len(expected[0])
    assert [tuple(row[-wide:] if len(row) > wide and wide == 2 else row[:wide]) for row in found] == expected


def test_counts_that_differ_from_thing_to_thing_are_told_by_thing(bank_grounder):
    found = _rows(bank_grounder, "distribution of the number of clients per district")
    assert (len(found), sum(row[1] for row in found)) == (77, 5369)
    of_orders = _rows(bank_grounder, "distribution of the number of standing orders per account")
    assert [row[0] for row in of_orders] == [1, 2, 3, 4, 5]


def test_a_distribution_of_years_is_told_by_year(school):
    found = _rows(school, "distribution of the enrolled years of the pupils")
    assert [row[:3] for row in found] == [(2020, 3, 37.5), (2021, 5, 62.5)]


def test_bins_are_drawn_whatever_chart_is_asked_for(bank):
    import lexsi_nb as lx

    session = lx.Session(bank, planner="embedded", namespace={})
    for question in ("plot the distribution of loan amounts", "bar chart of the distribution of loan amounts"):
        run = session.ask(question)
        assert run.status == "answered"
        assert any(type(shown.artifact).__name__ == "Chart" for shown in run.artifacts)
    session.close()


def test_the_columns_of_every_table_that_have_gaps_are_listed(school):
    found = _rows(school, "which columns have missing values?")
    assert [row[:3] for row in found] == [("pupils", "nickname", 2), ("pupils", "points_2021", 1)]


def test_the_share_of_each_group_is_of_its_own_rows(school):
    found = _rows(school, "for each house of the pupils, what share has a prize?")
    assert sorted((house, round(share, 4), rows) for house, share, rows in found) == [
        ("Ash", 33.3333, 3), ("Elm", 66.6667, 3), ("Oak", 50.0, 2),
    ]  # fmt: skip


def test_a_distribution_of_counts_over_kinds_is_the_counts(school):
    found = _rows(school, "distribution of the number of pupils per house")
    assert sorted(row[:2] for row in found) == [("Ash", 3), ("Elm", 3), ("Oak", 2)]
    of_things = _rows(school, "distribution of the number of prizes per pupil")
    assert [row[:2] for row in of_things] == [(1, 3), (2, 1)]


def test_a_column_that_is_not_there_has_no_sample(school):
    assert isinstance(school.read("sample values of the column colour in prizes"), Declined)
