"""Women and men are people whose column of the sexes says so, in codes or in words: right numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

STAFF = pd.DataFrame(
    {
        "staff_id": range(1, 7),
        "full_name": ["Ann Bell", "Bob Cole", "Cid Dunn", "Dee East", "Eve Fox", "Flo Gray"],
        "sex": list("FMMFFF"),
        "pay": [10.0, 20.0, 40.0, 20.0, 30.0, 60.0],
        "team": ["a1", "a1", "b1", "b1", "b1", "a1"],
        "dob": pd.to_datetime(["1970-01-01", "1980-01-01", "1990-01-01", "1975-01-01", "1985-01-01", "1995-01-01"]),
    }
)
TURNS = pd.DataFrame({"turn_id": range(1, 9), "staff_id": [1, 1, 2, 3, 4, 4, 4, 6]})

NUMBERS = [
    ("how many women are there?", 4),
    ("how many female staff", 4),
    ("number of men", 2),
    ("average pay of men", 30),
    ("average pay of women", 30),
    ("how many women have more than 1 turn?", 2),
    ("how many turns by women", 6),
    ("what percentage of staff are female?", 400 / 6),
]


@pytest.mark.parametrize("codes", [{"F": "F", "M": "M"}, {"F": "female", "M": "male"}, {"F": "Female", "M": "Male"}])
@pytest.mark.parametrize(("question", "number"), NUMBERS, ids=[q for q, _ in NUMBERS])
def test_women_and_men(frames_grounder, codes: dict[str, str], question: str, number: float) -> None:
    grounder = frames_grounder(staff=STAFF.assign(sex=STAFF["sex"].map(codes)), turns=TURNS)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == pytest.approx(number)


def test_codes_of_another_column_are_no_sexes(frames_grounder) -> None:
    frame = STAFF.rename(columns={"sex": "grade"})
    assert isinstance(frames_grounder(staff=frame, turns=TURNS).read("how many women are there?"), (Declined, Choice))


def test_the_date_of_birth(frames_grounder) -> None:
    for name in ("dob", "birth_date", "date_of_birth"):
        grounder = frames_grounder(staff=STAFF.rename(columns={"dob": name}))
        found = grounder.read("what is the date of birth of Ann Bell?")
        assert isinstance(found, Reading), (name, found)
        assert str(grounder.engine.query(found.sql)[name].iloc[0])[:10] == "1970-01-01"


def test_plurals_that_end_otherwise(frames_grounder) -> None:
    grounder = frames_grounder(diagnosis=pd.DataFrame({"diagnosis_id": [1, 2, 3], "code": ["a1", "b1", "a1"]}))
    found = grounder.read("number of diagnoses")
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 3
