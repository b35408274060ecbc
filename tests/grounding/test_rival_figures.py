"""Words that ask for one figure or another: people or a population, the age of others, rows or their values."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

TOWNS = pd.DataFrame(
    {"town_id": [1, 2, 3], "title": ["Ash", "Elm", "Oak"], "population": [900, 400, 70], "pools": [2, 1, 0]}
)
PATIENTS = pd.DataFrame(
    {
        "patient_id": [1, 2, 3, 4],
        "town_id": [1, 1, 2, 3],
        "sex": ["male", "female", "female", "male"],
        "born_on": pd.to_datetime(["1950-01-01", "1960-01-01", "1970-01-01", "1980-01-01"]),
    }
)
WARDS = pd.DataFrame({"ward_id": [1, 2], "town_id": [1, 2], "beds": [10, 20]})
MOVES = pd.DataFrame(
    {
        "move_id": [1, 2, 3, 4],
        "patient_id": [1, 1, 2, 3],
        "sort": ["transfer", "transfer", "visit", "visit"],
        "clinic": ["North", "South", "North", "North"],
    }
)
FRAMES = {"towns": TOWNS, "patients": PATIENTS, "wards": WARDS, "moves": MOVES}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many patients live in Ash?", 2),
        ("how many patients in Ash are women?", 1),
        ("how many wards are there?", 2),
        ("wards in Elm: how many of them are there?", 1),
    ],
)
def test_what_is_plain_is_counted(frames_grounder, question: str, number: int) -> None:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    rows = grounder.engine.query(found.sql)
    assert int(rows.iloc[0, -1]) == number


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("how many men and women are there?", ("the number of each sex", "of all of them together")),
    ],
)
def test_what_can_be_either_is_asked_about(frames_grounder, question: str, options: tuple[str, ...]) -> None:
    choice = frames_grounder(**FRAMES).read(question)
    assert isinstance(choice, Choice), choice
    for said in options:
        assert any(said in option for option in choice.options)


@pytest.mark.parametrize("question", ["how many people live in Kladno?", "which region has the most people?"])
def test_people_are_rows_or_a_population(bank_grounder, question: str) -> None:
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice), choice
    assert len(choice.options) == 2
    assert "client" in choice.options[0]
    assert "inhabitants" in choice.options[1]


@pytest.mark.parametrize(
    "question",
    [
        "how many people have a classic card?",
        "how many people in Kladno are men?",
    ],
)
def test_people_who_have_something_are_rows(bank_grounder, question: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert found.table == "client"


@pytest.mark.parametrize("question", ["names of clients", "how old are the orders?", "how many accounts are paid to?"])
def test_what_only_others_have_is_declined(bank_grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)


@pytest.mark.parametrize(
    "question",
    ["how many birth dates are shared by at least two clients?", "how many birth dates occur more than once"],
)
def test_shared_values_are_counted(bank_grounder, question: str) -> None:
    days = bank_grounder.engine.query("SELECT birth_date FROM client")["birth_date"].value_counts()
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert bank_grounder.engine.query(found.sql).iloc[0, 0] == (days > 1).sum()


def test_missing_values_of_groups_are_shares_of_each(bank_grounder) -> None:
    query = "SELECT type, 100.0 * avg((k_symbol IS NULL)::INT) AS part FROM trans GROUP BY type"
    wanted = bank_grounder.engine.query(query)
    found = bank_grounder.read("percentage of missing values in k_symbol of trans per type")
    assert isinstance(found, Reading), found
    rows = bank_grounder.engine.query(found.sql)
    shares = dict(zip(wanted["type"], wanted["part"], strict=True))
    assert dict(zip(rows["type"], rows["percentage_missing"], strict=True)) == pytest.approx(shares)


def test_in_total_is_of_all_rows_together(bank_grounder) -> None:
    assert isinstance(bank_grounder.read("accounts with standing orders of more than 20,000 in total"), Declined)
    assert isinstance(bank_grounder.read("accounts with more than 500 transactions in total"), Reading)


def test_two_figures_of_one_word_are_asked_about(bank_grounder) -> None:
    assert isinstance(bank_grounder.read("number of cities"), Choice)


@pytest.mark.parametrize("question", ["names of wards", "names of the patients", "how many of them are women?"])
def test_what_nothing_tells_is_declined(frames_grounder, question: str) -> None:
    declined = frames_grounder(**FRAMES).read(question)
    assert isinstance(declined, Declined), declined


def test_the_oldest_by_a_group_is_one_of_each(frames_grounder) -> None:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read("oldest patient by sex")
    assert isinstance(found, Reading), found
    rows = grounder.engine.query(found.sql)
    assert dict(zip(rows["sex"], rows["patient_id"], strict=True)) == {"male": 1, "female": 2}


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        ("average beds of wards in Ash", "and in Elm?", 20),
        ("how many moves of sort transfer", "and of visit moves?", 2),
        ("how many moves of sort transfer", "and of visits?", 2),
        ("average beds of wards in Ash", "and the share in Elm?", None),
        ("average beds of wards in Ash", "and of the wards in Elm?", 20),
    ],
)
def test_a_follow_up_keeps_the_figure_or_is_declined(frames_grounder, before, question, wanted) -> None:
    grounder = frames_grounder(**FRAMES)
    found = grounder.read(grounder.in_context([before], question))
    if wanted is None or not isinstance(found, Reading):
        assert isinstance(found, Declined | Choice), found
    else:
        assert found.measures
        assert grounder.engine.query(found.sql).iloc[0, 0] == wanted
