"""Whose a name is: names of rows, groups that only some rows have, equal names, blanks, rows missing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def college() -> dict[str, Any]:
    """Clubs with names of their own and of their seasons, pupils with a tutor, enrolments, essays of some pupils."""
    import pandas as pd

    clubs = pd.DataFrame(
        {
            "clubID": ["AA", "BB", "CC", "DD"],
            "clubName": ["Archers", "Bowmen", "Chess", "Archers"],
            "open": ["Y", "N", "Y", "Y"],
        }
    )
    seasons = pd.DataFrame(
        {
            "season_no": range(1, 9),
            "name": [f"Side {i % 6}" for i in range(8)],
            "clubID": ["AA", "AA", "BB", "BB", "CC", "CC", "DD", "DD"],
            "fans": [10, 20, 30, 40, 50, 60, 70, 900],
        }
    )
    tutors = pd.DataFrame({"tutor_id": [1, 2, 3], "full_name": ["Ann", "Bob", "Cy"], "house": ["Red", "Blue", "Red"]})
    courses = pd.DataFrame(
        {
            "course_code": ["C1", "C2", "C3"],
            "title": ["Maths", "Art", "Law"],
            "house": ["Blue", "Blue", "Red"],
            "ISO": ["AND", "OR", "XX"],
            "site": ["", "Hall", None],
        }
    )
    pupils = pd.DataFrame({"pupil_no": range(101, 111), "tutor_id": [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]})
    enrolments = pd.DataFrame(
        {
            "enrol_id": range(1, 31),
            "pupil_no": [101 + i % 10 for i in range(30)],
            "course_code": ["C1", "C2", "C1"] * 10,
            "final_grade": [None if i % 5 == 0 else 5.0 + i % 4 for i in range(30)],
            "passed": [i % 2 == 0 for i in range(30)],
            "last_essay": pd.date_range("2024-01-01", periods=30),
        }
    )
    essays = pd.DataFrame(
        {
            "essay_no": range(1, 5),
            "pupil_no": [101, 102, 103, 999],
            "language": ["en", "no", "en", "en"],
            "page_count": [50, 60, 70, 80],
        }
    )
    return {
        "clubs": clubs, "seasons": seasons, "tutors": tutors, "courses": courses, "pupils": pupils,
        "enrolments": enrolments, "essays": essays,
    }  # fmt: skip


@pytest.fixture(scope="module")
def grounder(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    """The grounding of the college."""
    found = frames_grounder(**college())
    yield found
    found.engine.close()


def rows(grounder: Grounder, question: str) -> list[tuple[Any, ...]]:
    """Return the rows that a question is answered with."""
    found = grounder.read(question)
    assert isinstance(found, Reading), found.text
    return [tuple(r) for r in grounder.engine.query(found.sql).itertuples(index=False)]


@pytest.mark.parametrize(
    "question", ["names of all clubs", "list the names of the clubs", "list the club names", "what are the club names?"]
)
def test_a_name_is_that_of_the_rows_it_is_said_of(grounder: Grounder, question: str) -> None:
    """`name` is a column of seasons; the clubs' own is clubName."""
    found = rows(grounder, question)
    assert {r[-1] for r in found} == {"Archers", "Bowmen", "Chess"}


def test_names_that_repeat_are_those_of_the_rows_said(grounder: Grounder) -> None:
    """Which are asked for, so they are listed, with how often."""
    assert rows(grounder, "Which club names occur more than once, and how often?") == [("Archers", 2)]


def test_a_list_with_columns_says_which_row_each_is(grounder: Grounder) -> None:
    """`courses with their site`: the title beside the key."""
    found = rows(grounder, "list the courses with their ISO")
    assert ("C1", "Maths", "AND") in found


def test_named_rows_are_told_apart(grounder: Grounder) -> None:
    """A column of several rows that were named shows their names too; `and` is no value AND of the column before."""
    assert set(rows(grounder, "ISO and house for Maths, Art")) == {("Maths", "AND", "Blue"), ("Art", "OR", "Blue")}


@pytest.mark.parametrize(
    "question",
    [
        "enrolments by language",  # some pupils have an essay, and its language is not the enrolment's
        "number of enrolments by page count",
        "top 3 courses by number of enrolments, title and count",  # no page_count
        "What percentage of graded enrolments were passed?",  # not of the sum of grades
        "share of the graded enrolments that were passed",
        "how many pupils are missing from essays",
        "top course by essays",  # no order by last_essay
    ],
)
def test_a_column_of_other_rows_is_declined(grounder: Grounder, question: str) -> None:
    """Each was once answered with a number of something else."""
    assert isinstance(grounder.read(question), Declined | Choice)


def test_of_two_equal_names_the_nearer_one_is_not_taken(grounder: Grounder) -> None:
    """A pupil's tutor has a house, and so have the pupil's courses."""
    found = grounder.read("number of pupils by house")
    assert isinstance(found, Choice)
    assert {"tutors.house", "courses.house"} <= set(found.options)
    assert rows(grounder, "number of pupils by house of the tutor") == [("Red", 7), ("Blue", 3)]


@pytest.mark.parametrize(
    "question",
    ["how many courses have an empty site", "how many courses have no site", "courses without a site, how many"],
)
def test_an_empty_text_is_a_missing_value(grounder: Grounder, question: str) -> None:
    """One course has an empty text for a site, one a null."""
    assert rows(grounder, question) == [(2,)]
    assert rows(grounder, "how many courses have a site") == [(1,)]


def test_missing_values_count_empty_texts(grounder: Grounder) -> None:
    """The look at a column and the condition say the same."""
    found = rows(grounder, "missing values in the site of courses")
    assert found[0][0] == 2


def test_rows_have_one_parent_at_most(grounder: Grounder) -> None:
    """`names in more than one club` asks about names; no season has two clubs."""
    found = grounder.read("How many season names occur in more than one club?")
    assert isinstance(found, Declined | Choice)


def test_outliers_are_of_the_column_that_is_said(grounder: Grounder) -> None:
    """The fans of one season lie far above the others'."""
    found = rows(grounder, "number of seasons with fans more than two standard deviations above the mean")
    assert found[0][0] == 1


def test_a_column_of_yes_and_no_says_which_rows(grounder: Grounder) -> None:
    """Three clubs of four are open."""
    assert {r[0] for r in rows(grounder, "names of all open clubs")} == {"AA", "CC", "DD"}
    assert rows(grounder, "how many clubs are not open") == [(1,)]
    shown = rows(grounder, "list the name and open of the clubs")
    assert ("BB", "Bowmen", "N") in shown
    assert len(shown) == 4


def test_a_share_of_what_is_not_known_of_all_is_asked_about(frames_grounder: Callable[..., Grounder]) -> None:
    """Of four people, one is known to smoke, one not to."""
    import pandas as pd

    people = pd.DataFrame({"person_id": [1, 2, 3, 4], "smoker": ["Y", "N", None, None]})
    grounder = frames_grounder(people=people)
    assert isinstance(grounder.read("what percentage of people are smokers"), Choice)
    grounder.engine.close()


def test_figures_and_dates_of_another_table_stand_in_for_none(frames_grounder: Callable[..., Grounder]) -> None:
    """Tractors have a power and jobs none; the day of the last repair is no repair."""
    import pandas as pd

    repaired = pd.to_datetime(["2024-05-01", "2024-06-01", "2024-06-01"])
    tractors = pd.DataFrame({"tractor_id": [1, 2, 3], "power": [60, 90, 70], "lastRepair": repaired})
    jobs = pd.DataFrame({"job_id": range(5), "tractor_id": [1, 1, 1, 2, 2], "acres": [3, 4, 5, 6, 7]})
    grounder = frames_grounder(tractors=tractors, jobs=jobs)
    assert isinstance(grounder.read("power of jobs"), Declined)
    assert isinstance(grounder.read("number of tractors per repair"), Declined | Choice)
    assert rows(grounder, "power of the tractors") == [(1, 60), (2, 90), (3, 70)]
    assert rows(grounder, "number of tractors by lastRepair") == [
        (pd.Timestamp("2024-05-01"), 1),
        (pd.Timestamp("2024-06-01"), 2),
    ]
    grounder.engine.close()
