"""Readings that take more for granted than the words say: declined, asked about, or right; never another question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def hospital() -> dict[str, Any]:
    """Two dates of a stay, two doctors of a stay, a supervisor among the doctors, wards that doctors only share."""
    import pandas as pd

    wards = pd.DataFrame(
        {
            "ward_code": ["ICU", "MAT", "SUR", "ONC"],
            "ward_name": ["Intensive Care", "Maternity", "Surgery", "Oncology"],
            "beds": [12, 20, 30, 25],
            "floor": [1, 2, 3, 2],
        }
    )
    doctors = pd.DataFrame(
        {
            "doc_id": range(1, 21),
            "full_name": [f"Dr {n}" for n in "ABCDEFGHIJKLMNOPQRST"],
            "supervisor_id": [None] * 5 + [1, 2, 3, 4, 5] * 3,
            "ward_code": ["ICU", "MAT", "SUR", "ONC"] * 5,
            "salary": range(60_000, 80_000, 1_000),
        }
    )
    patients = pd.DataFrame(
        {
            "patient_no": range(1001, 1041),
            "sex": ["F", "M"] * 20,
            "birth_dt": pd.date_range("1940-01-01", periods=40, freq="500D"),
            "city": ["Leeds", "York", "Hull", "Bradford"] * 10,
            "smoker": [True, False, False, True] * 10,
        }
    )
    admitted = pd.date_range("2021-01-01", periods=120, freq="6D")
    admissions = pd.DataFrame(
        {
            "admission_id": range(1, 121),
            "patient_no": [1001 + i % 30 for i in range(120)],
            "admitted": admitted,
            "discharged": pd.Series(admitted + pd.Timedelta(days=4)).where([i % 10 != 0 for i in range(120)]),
            "ward_code": ["ICU", "MAT", "SUR"] * 40,
            "admitting_doc": [1 + i % 18 for i in range(120)],
            "diagnosis": ["asthma", "stroke", "fracture", "asthma"] * 30,
            "emergency": ["Y", "N", "N"] * 40,
            "cost": [100.0 + i for i in range(120)],
        }
    )
    prescriptions = pd.DataFrame(
        {
            "prescription_id": range(1, 201),
            "admission_id": [1 + i % 90 for i in range(200)],
            "drug": ["insulin", "morphine", "ibuprofen", "insulin"] * 50,
            "days": [1 + i % 9 for i in range(200)],
            "unit_price": [2.5 + i % 7 for i in range(200)],
        }
    )
    return {
        "wards": wards, "doctors": doctors, "patients": patients, "admissions": admissions,
        "prescriptions": prescriptions,
    }  # fmt: skip


def library() -> dict[str, Any]:
    """A nationality and a language with the same words, a list price, staff and members of branches."""
    import pandas as pd

    authors = pd.DataFrame(
        {
            "author_id": range(1, 11),
            "author_name": [f"Author {n}" for n in "ABCDEFGHIJ"],
            "nationality": ["French", "German", "British", "French", "Irish"] * 2,
        }
    )
    books = pd.DataFrame(
        {
            "isbn": [f"978{i:05d}" for i in range(40)],
            "title": [f"Title {i}" for i in range(40)],
            "author_id": [1 + i % 9 for i in range(40)],
            "genre": ["crime", "romance", "history", "poetry"] * 10,
            "language": ["English", "French", "German", "English", "English"] * 8,
            "list_price": [5.0 + i for i in range(40)],
        }
    )
    branches = pd.DataFrame({"branch": ["Central", "East", "West"], "staff": [34, 8, 9], "open": ["Y", "N", "Y"]})
    copies = pd.DataFrame(
        {
            "barcode": range(500, 600),
            "isbn": [f"978{i % 35:05d}" for i in range(100)],
            "branch": ["Central", "East", "Central", "Central"] * 25,
        }
    )
    members = pd.DataFrame(
        {
            "member_no": range(1, 31),
            "first_name": ["Ann", "Bob", "Cy"] * 10,
            "category": ["adult", "student", "senior"] * 10,
            "home_branch": ["Central", "East", "Central"] * 10,
        }
    )
    loans = pd.DataFrame(
        {
            "loan_id": range(1, 201),
            "barcode": [500 + i % 80 for i in range(200)],
            "member_no": [1 + i % 25 for i in range(200)],
            "renewals": [i % 4 for i in range(200)],
            "km": [1.0 + i for i in range(200)],
        }
    )
    return {
        "authors": authors, "books": books, "branches": branches, "copies": copies, "members": members, "loans": loans,
    }  # fmt: skip


def daily() -> dict[str, Any]:
    """A date in three columns of numbers, and a number of each row called as the row."""
    import pandas as pd

    days = pd.date_range("2023-01-01", periods=90)
    columns = {"year": days.year, "month": days.month, "day": days.day, "ride": range(90), "fare": range(90)}
    return {"rides": pd.DataFrame(columns)}


@pytest.fixture(scope="module")
def grounders(frames_grounder: Callable[..., Grounder]) -> Iterator[dict[str, Grounder]]:
    """The schemas, grounded once."""
    found = {"hospital": frames_grounder(**hospital()), "library": frames_grounder(**library())}
    found["daily"] = frames_grounder(**daily())
    yield found
    for grounder in found.values():
        grounder.engine.close()


ANOTHER_QUESTION = [
    ("hospital", "Which doctor admitted the most patients?"),
    ("hospital", "How many patients have been admitted more than once?"),
    ("hospital", "Who supervises Dr G?"),
    ("hospital", "doctors supervised by Dr A"),
    ("hospital", "How many admissions per bed by ward?"),
    ("hospital", "total cost of morphine"),
    ("hospital", "How many admissions had only ibuprofen?"),
    ("hospital", "What is the total price of all prescriptions?"),
    ("hospital", "how many patients of Dr G have asthma?"),
    ("hospital", "youngest smoker"),
    ("hospital", "most expensive admission by price"),
    ("hospital", "how many emergencies"),
    ("hospital", "number of wards a patient has been in"),
    ("hospital", "which floor has the most beds"),
    ("hospital", "first patient"),
    ("hospital", "is the cost lower for asthma than stroke"),
    ("library", "number of books by French authors"),
    ("library", "living authors"),
    ("library", "most popular genre among seniors"),
    ("library", "authors with books in more than one genre"),
    ("library", "members per staff by branch"),
    ("library", "average renewals per km"),
    ("library", "total price"),
    ("library", "members with more loans than copies"),
    ("library", "how many home branches"),
    ("daily", "rides per day on average"),
    ("daily", "average number of rides per day"),
]


@pytest.mark.parametrize(("schema", "question"), ANOTHER_QUESTION, ids=[q for _, q in ANOTHER_QUESTION])
def test_another_question_is_not_answered(grounders, schema, question):
    found = grounders[schema].read(question)
    assert isinstance(found, (Declined, Choice)), f"{found.text}\n{found.sql}"


RIGHT = [
    ("hospital", "How many patients were never admitted?", 10),
    ("hospital", "How many patients had a stroke?", 15),
    ("hospital", "total beds on floor 2", 45),
    ("hospital", "How many admissions have not been discharged?", 12),
    ("hospital", "average cost of stroke", sum(100.0 + i for i in range(1, 120, 4)) / 30),
    ("library", "how many French authors", 4),
    ("library", "number of French books", 8),
    ("library", "how many books have no copies", 5),
    ("library", "number of books by Irish authors", 4),
    ("library", "total renewals of students", None),
]


@pytest.mark.parametrize(("schema", "question", "value"), RIGHT, ids=[q for _, q, _ in RIGHT])
def test_what_takes_nothing_for_granted_is_answered(grounders, schema, question, value):
    found = grounders[schema].read(question)
    assert isinstance(found, Reading), found.text
    if value is None:
        frames = library()
        both = frames["loans"].merge(frames["members"], on="member_no")
        value = both.loc[both.category == "student", "renewals"].sum()
    assert grounders[schema].engine.query(found.sql).iloc[0, 0] == pytest.approx(value)


STILL_READ = [
    ("hospital", "How many beds per floor?", 3),
    ("hospital", "total cost per ward", 3),
    ("hospital", "What is the median cost for stroke patients?", 1),
    ("library", "members of the Central branch", 20),
    ("library", "number of members per branch", 2),
    ("library", "number of books by genre", 4),
    ("library", "how many different genres", 1),
]


@pytest.mark.parametrize(("schema", "question", "rows"), STILL_READ, ids=[q for _, q, _ in STILL_READ])
def test_groups_and_owners_that_are_clear_are_read(grounders, schema, question, rows):
    found = grounders[schema].read(question)
    assert isinstance(found, Reading), found.text
    assert len(grounders[schema].engine.query(found.sql)) == rows


def test_a_flag_before_its_rows_says_which_are_meant(grounders):
    found = grounders["library"].read("open branches")
    assert isinstance(found, Reading), found
    frame = grounders["library"].engine.query(found.sql)
    assert set(frame["open"]) == {"Y"}
    every = grounders["library"].engine.query("SELECT count(*) AS n FROM branches WHERE open = 'Y'").iloc[0, 0]
    assert len(frame) == every > 0
