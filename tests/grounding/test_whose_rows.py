"""Whose rows a figure is of: those without a value, copies among them, several of one name; whose words are quoted."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading


def _read(grounder, question: str) -> tuple[pd.DataFrame, str]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql), f"{found.text} | {'. '.join(found.apart)}"


@pytest.mark.parametrize(
    ("question", "rows", "value"),
    [
        ("How many visits are not a1?", 1, 3),
        ("How many visits are neither a1 nor b1?", 1, 2),
        ("How many visits with no a1 and no b1?", 1, 2),
        ("How many visits are not a1 and not b1?", 1, 2),
        ("How many visits have reason not in (a1, b1)?", 1, 2),
        ("average fee of visits that are neither a1 nor b1", 1, 4.5),
        ("total fee of visits without a1 and without b1", 1, 9.0),
        ("list visits that are neither a1 nor b1", 2, 2),
    ],
)
def test_rows_without_a_value_are_said_of_each_way_to_negate(frames_grounder, question, rows, value):
    fees = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    visits = pd.DataFrame({"visit_id": range(6), "reason": ["a1", "b1", "c1", "", None, "c1"], "fee": fees})
    frame, said = _read(frames_grounder(visits=visits), question)
    assert len(frame) == rows
    assert frame.iloc[0, 0] == value
    assert said.endswith("| 2 visits without reason (1 null and 1 empty text): not counted")


def test_copies_are_said_of_the_rows_of_the_figure_alone(frames_grounder):
    days = pd.date_range("2023-01-01", periods=20, freq="D")
    once = pd.DataFrame({"day": days, "ward": ["north", "south"] * 10, "cost": [float(i) for i in range(20)]})
    stays = pd.concat([once, once.iloc[[2, 4, 5]]], ignore_index=True)
    grounder = frames_grounder(stays=stays)
    for question, value, note in (
        ("How many stays on 2023-01-02?", 1, ""),
        ("How many stays on 2023-01-03?", 2, "1 row of stays is an exact copy of another: counted again"),
        ("How many stays in ward north?", 12, "2 rows of stays are exact copies of others: counted again"),
        ("average cost of stays with cost over 10", 15.0, ""),
        ("total cost of stays", 201.0, "3 rows of stays are exact copies of others: counted again"),
    ):
        frame, said = _read(grounder, question)
        assert frame.iloc[0, 0] == value, question
        assert said.partition(" | ")[2] == note, question


def test_a_figure_of_a_name_says_how_many_are_called_so(frames_grounder):
    names = ["Ann Lee", "Ann Lee", "Ann Lee", "Bob Ray", "Cy Poe"]
    towns = ["Oslo", "Bergen", "Oslo", "Oslo", "Bergen"]
    members = pd.DataFrame({"member_id": range(1, 6), "name": names, "town": towns})
    tickets = pd.DataFrame({"ticket_id": range(8), "member_id": [1, 2, 3, 4, 5, 1, 2, 4], "price": [5.0] * 8})
    grounder = frames_grounder(members=members, tickets=tickets)
    for question, value, note in (
        ("how many tickets did Ann Lee buy?", 5, "3 members are called Ann Lee: all of them are meant"),
        ("total price of tickets of Ann Lee", 25.0, "3 members are called Ann Lee: all of them are meant"),
        ("how many tickets did Bob Ray buy?", 2, ""),
        ("how many members are called Ann Lee?", 3, ""),
    ):
        frame, said = _read(grounder, question)
        assert frame.iloc[0, 0] == value, question
        assert said.partition(" | ")[2] == note, question


@pytest.mark.parametrize("word", ["someone", "anybody"])
def test_a_decline_quotes_the_words_of_the_question(frames_grounder, word):
    members = pd.DataFrame({"member_id": range(1, 6), "referred_by": [None, 1, 1, 2, None]})
    found = frames_grounder(members=members).read(f"How many members were referred by {word}?")
    assert isinstance(found, Declined)
    assert f"no meaning for '{word}'" in found.reason
    assert found.lacks == (word,)


@pytest.mark.parametrize("last", ["Zed", "Rex"])
def test_the_best_of_each_thing_leaves_out_rows_of_none_and_says_copies(frames_grounder, last):
    pets = pd.DataFrame(
        {"pet_id": [1, 2, 3, 4], "name": ["Rex", "Tom", "Ivy", last], "kind": ["dog", "cat", None, "x"]}
    )
    days = ["2023-01-01", "2023-02-01", "2023-01-05", "2023-03-05", "2023-04-01", "2023-03-05", "2023-01-01", None]
    days = pd.to_datetime([*days, "2022-05-01", "2022-06-01", "2022-06-03", "2023-01-04"])
    owners = pd.array([1, 1, 2, 2, 9, 2, 4, 1, 1, 1, 2, None], dtype="Int64")
    costs = [10.0, 20.0, 30.0, 40.0, 50.0, 40.0, 10.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    grounder = frames_grounder(pets=pets, visits=pd.DataFrame({"pet_id": owners, "date": days, "cost": costs}))
    apart = "2 visits without pet: left out (1 without pet_id; 1 whose pet_id is in no row of pets)"
    apart += ". 1 visit without date: left out"
    copies = ". 1 row of visits is an exact copy of another: shown again"
    for question, shown, note in (
        ("last visit of each pet", [10.0, 20.0, 40.0, 40.0], apart + copies),
        ("cost of the last visit of each pet", [10.0, 20.0, 40.0, 40.0], apart + copies),
        ("first visit of each pet", [4.0, 6.0, 10.0], apart),
    ):
        frame, said = _read(grounder, question)
        assert sorted(frame["cost"]) == shown, question
        assert frame["name"].notna().all()
        assert said.partition(" | ")[2] == note, question
    said = _read(grounder, "most expensive visit of each kind")[1]  # a kind is no thing: those of none are shown apart
    assert "2 visits without kind: set apart" in said
