"""Frames that SQL cannot read are named; a table's name with two letters out of place is read, and said."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.grounding.reading import Declined, Reading
from lexsi_nb.grounding.words import misplaced
from lexsi_nb.magics.commands import command

TWICE = pd.DataFrame([[1, 2, 3]], columns=["fee", "fee", "paid"])
CLUBS = pd.DataFrame({"club_id": [1, 2, 3], "town": ["Ulm", "Bonn", "Kiel"]})


@pytest.fixture
def session():
    frames = {"clubs": CLUBS, "dues": TWICE}
    return Session(dict(frames), namespace=dict(frames))


@pytest.mark.parametrize("question", ["what tables are there", "total paid", "how many turnips"])
def test_a_frame_left_out_is_named_with_its_reason(session, question):
    assert "dues is left out: The frame 'dues' has duplicate column names: fee." in session.ask(question).answer


def test_an_answer_over_the_others_does_not_speak_of_it(session):
    assert "left out" not in session.ask("how many clubs").answer


def test_data_names_it(session, capsys):
    command(SimpleNamespace(session=session), "data")
    assert "dues is left out:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tables", "said", "table"),
    [
        (("customers", "orders"), "costumers", "customers"),
        (("customers", "orders"), "custommerrs", "customers"),
        (("passengers", "flights"), "pessangers", "passengers"),
    ],
)
def test_a_table_with_two_letters_out_of_place_is_read_and_said(frames_grounder, tables, said, table):
    held = {t: pd.DataFrame({f"{t[:-1]}_id": range(7), "weight": range(7)}) for t in tables}
    found = frames_grounder(**held).read(f"how many {said}")
    assert isinstance(found, Reading)
    assert found.table == table
    assert f"'{said}' read as {table}" in found.notes


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (("products", "orders"), "producers"),
        (("customers", "orders"), "castomirs"),
        (("patients", "stays"), "parents"),
        (("streams", "masters"), "smarters"),
    ],
)
def test_another_word_is_no_slip_and_the_nearest_names_are_listed(frames_grounder, tables, said):
    held = {t: pd.DataFrame({f"{t[:-1]}_id": range(7), "weight": range(7)}) for t in tables}
    found = frames_grounder(**held).read(f"how many {said}")
    assert isinstance(found, Declined)


def test_the_nearest_names_of_a_table_are_listed(frames_grounder):
    found = frames_grounder(customers=pd.DataFrame({"customer_id": [1, 2]})).read("how many castomirs")
    assert isinstance(found, Declined)
    assert "customers" in found.nearest


def test_letters_out_of_place():
    assert misplaced("costumer", "customer")
    assert not misplaced("producer", "product")
    assert not misplaced("loan", "lona")
