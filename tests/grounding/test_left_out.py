"""What a figure leaves out is said: rows without a match, a group or a value, empty periods, and copies of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

DAYS = ["2024-01-03", "2024-01-09", "2024-01-20", "2024-02-01", "2024-02-14", "2024-05-05", "2024-05-06", "2024-05-07"]


@pytest.fixture(scope="module")
def clinic() -> dict[str, pd.DataFrame]:
    patients = pd.DataFrame(
        {
            "patient_id": [1, 2, 3, 4, 5],
            "name": ["Ada", "Ben", "Cleo", "Dan", "Eve"],
            "town": ["Lund", "Lund", "Umea", None, "Umea"],
        }
    )
    # Two visits are of no known patient: one has no number, the other one that is in no row. Eve has no visit.
    visits = pd.DataFrame(
        {
            "visit_id": range(1, 11),
            "patient_id": pd.array([1, 1, 1, 2, 3, 3, 4, None, 77, 2], dtype="Int64"),
            "visited_at": pd.to_datetime([*DAYS, "2024-05-08", "2024-06-01"]),
            "fee": [10.0, 20.0, 30.0, 40.0, None, 60.0, 70.0, 80.0, 90.0, 100.0],
            "outcome": ["ok", "ok", "", "ill", None, "ill", "ok", "ok", "ok", None],
        }
    )
    return {"patients": patients, "visits": visits}


@pytest.fixture(scope="module")
def grounder(clinic: dict[str, pd.DataFrame]) -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    return opened(frames(clinic), clinic)


def _read(grounder: Grounder, question: str) -> tuple[pd.DataFrame, str]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql), f"{found.text} | {'. '.join(found.apart)}"


def test_an_average_per_thing_counts_those_without_rows_and_leaves_out_what_matches_none(grounder):
    frame, said = _read(grounder, "average number of visits per patient")
    assert frame.iloc[0].tolist() == [8 / 5, 8 / 4, 5, 4]  # the mean over all five, and over the four that came
    assert "over all 5 patients, 1 with none count as 0" in said
    assert (
        "2 visits without patient: left out (1 without patient_id; 1 whose patient_id is in no row of patients)" in said
    )


def test_a_group_without_a_name_is_no_group_of_an_average(grounder):
    frame, said = _read(grounder, "average number of visits per town")
    assert frame.iloc[0].tolist() == [3.5, 2]  # Lund 5, Umea 2; Dan has no town
    assert "3 visits without town: left out" in said
    assert "1 of patients without town" in said


def test_rows_without_a_match_are_told_from_rows_without_a_value(grounder):
    frame, said = _read(grounder, "number of visits by town")
    told = {k if isinstance(k, str) else None: n for k, n in frame.itertuples(index=False)}
    assert told == {"Lund": 5, "Umea": 2, None: 1, "(no matching patients)": 2}
    assert "3 visits without town: set apart" in said


def test_a_missing_group_is_never_the_first_of_a_ranking(clinic):
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    ids = pd.array([1, 1, 1, 2, 3, 3, 4, None, None, None, None, None], dtype="Int64")
    visits = pd.DataFrame({"visit_id": range(1, 13), "patient_id": ids, "outcome": [""] * 5 + ["ok"] * 4 + ["ill"] * 3})
    both = {"patients": clinic["patients"], "visits": visits}
    grounder = opened(frames(both), both)
    frame, said = _read(grounder, "which patient has the most visits")
    assert frame.iloc[0].tolist() == ["Ada", 3]
    assert "5 visits without patient: left out (5 without patient_id)" in said
    frame, said = _read(grounder, "which outcome has the most visits")
    assert frame.iloc[0].tolist() == ["ok", 4]
    assert "5 visits without outcome: not ranked" in said


def test_things_without_rows_are_said_beside_a_list_of_groups(grounder):
    frame, said = _read(grounder, "how many visits per patient")
    assert len(frame) == 5  # four patients, and the visits of none
    assert "1 patient with no visits: not shown" in said


def test_empty_months_count_as_none_in_an_average_and_are_said(grounder):
    frame, said = _read(grounder, "average number of visits per month")
    assert frame.iloc[0].tolist() == [10 / 6, 10 / 4, 6, 4]
    assert "over all 6 months from the first to the last, 2 with none count as 0" in said
    frame, said = _read(grounder, "number of visits per month")
    assert len(frame) == 4
    assert "2 of the 6 months from the first to the last have none: not shown" in said


def test_rows_without_a_value_are_said_of_a_mean_and_a_sum(grounder):
    frame, said = _read(grounder, "average fee")
    assert frame.iloc[0, 0] == pytest.approx(500 / 9)
    assert "1 visit without fee: left out" in said
    assert "1 visit without fee: left out" in _read(grounder, "total fee by outcome")[1]
    assert "without fee" not in _read(grounder, "how many visits are ok")[1]


def test_empty_text_is_missing_everywhere_and_said_apart(grounder):
    frame, said = _read(grounder, "how many visits have no outcome")
    assert frame.iloc[0, 0] == 3
    assert "2 null and 1 empty text" in said
    frame, said = _read(grounder, "how many visits are not ill")
    assert frame.iloc[0, 0] == 5  # neither null nor empty text is an outcome that differs
    assert "3 visits without outcome (2 null and 1 empty text): not counted" in said
    assert _read(grounder, "how many distinct outcomes")[0].iloc[0, 0] == 2
    frame, _ = _read(grounder, "describe visits")
    assert frame.set_index("column_name").missing["outcome"] == 3
    assert _read(grounder, "missing outcome in visits")[0].iloc[0, 0] == 3
    assert "3 visits without outcome: set apart (2 null; 1 empty text)" in _read(grounder, "visits by outcome")[1]


def test_the_whole_of_a_share_is_all_rows_and_says_those_without_a_value(grounder):
    ill, said = _read(grounder, "what percentage of visits are ill")
    assert ill.iloc[0].tolist() == [20.0, 10]
    assert "a share of all visits, also of the 3 without outcome (2 null and 1 empty text)" in said


def test_copies_of_rows_are_said_of_every_figure(clinic):
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    named = {"visits": pd.concat([clinic["visits"], clinic["visits"].head(2)], ignore_index=True)}
    grounder = opened(frames(named), named)
    for question, value in (("average fee", 530 / 11), ("total fee", 530.0), ("how many visits are ok", 7)):
        frame, said = _read(grounder, question)
        assert frame.iloc[0, 0] == pytest.approx(value)
        assert "2 rows of visits are exact copies of others: counted again" in said
    assert "copies" not in _read(grounder, "highest fee")[1]


def test_things_of_one_name_are_told_apart_also_where_they_have_no_rows():
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    named = {
        "pupils": pd.DataFrame({"pupil_id": [1, 2, 3, 4], "name": ["Ann", "Ann", "Bob", "Cy"]}),
        "tests": pd.DataFrame({"test_id": range(1, 7), "pupil_id": [1, 1, 2, 2, 3, 3], "points": range(6)}),
    }
    grounder = opened(frames(named), named)
    frame, said = _read(grounder, "how many tests per pupil")
    assert len(frame) == 3
    assert "1 pupil with no tests: not shown" in said
    assert _read(grounder, "average number of tests per pupil")[0].iloc[0, 0] == 6 / 4


def test_rows_that_point_at_nothing_are_said_of_an_average_by_the_pointing_column(clinic):
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    bare = {"patients": clinic["patients"].drop(columns="name"), "visits": clinic["visits"]}
    frame, said = _read(opened(frames(bare), bare), "average number of visits per patient")
    assert frame.iloc[0].tolist() == [8 / 5, 8 / 4, 5, 4]
    assert "1 visit whose patient_id is in no row of patients: left out" in said
    assert "1 visit without patient_id: left out" in said


def test_groups_by_the_column_that_points_at_things_say_those_without_rows(grounder, clinic):
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    bare = {"patients": clinic["patients"].drop(columns="name"), "visits": clinic["visits"].iloc[:6]}
    assert "2 patients with no visits: not shown" in _read(opened(frames(bare), bare), "visits per patient")[1]


def test_rows_of_some_things_are_not_silently_a_number_for_each(grounder):
    from lexsi_nb.grounding.reading import Choice

    found = grounder.read("how many visits by patients from Lund")
    assert isinstance(found, Choice)
    assert [grounder.engine.query(grounder.read(q).sql).shape[0] for q in found.questions] == [1, 2]
