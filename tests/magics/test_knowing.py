"""`%lexsi kg` in words: a line an entry, one in full, how many rows a meaning holds for, and the way back."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest
import yaml

from lexsi_nb import datasets
from lexsi_nb.app.session import Session
from lexsi_nb.errors import LexsiError
from lexsi_nb.magics.commands import command


@pytest.fixture
def bank_magics(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return SimpleNamespace(session=Session(dataset=datasets.bank(), namespace={}))


@pytest.fixture
def dogs_magics(tmp_path, monkeypatch):
    """Return the magics over kennels and their dogs, one of which has no kennel."""
    monkeypatch.chdir(tmp_path)
    kennels = pd.DataFrame({"kennel_id": [1, 2, 3], "place": ["Ulm", "Bonn", "Kiel"]})
    dogs = pd.DataFrame(
        {
            "dog_id": range(1, 9),
            "kennel_id": [1, 1, 2, 2, 3, 3, 3, None],
            "coat": ["short", "long", "curly", "long", "short", "long", "long", "curly"],
            "weight": [4, 9, 12, 30, 25, 8, 17, 22],
        }
    )
    frames = {"kennels": kennels, "dogs": dogs}
    return SimpleNamespace(session=Session(dataset=frames, namespace=dict(frames)))


def said(magics, capsys, line):
    capsys.readouterr()
    command(magics, f"kg {line}".strip())
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["", "default", "loan", "loan.status", "withdrawal of which kind", "who lives in Prag"]
)
def test_no_entry_is_shown_as_a_python_value(bank_magics, capsys, name):
    text = said(bank_magics, capsys, name)
    assert not set("{}[]") & set(text)
    assert "disambig:" not in text


def test_the_overview_says_what_a_name_means_where_and_who_said_so(bank_magics, capsys):
    command(bank_magics, "kg add 'tiny loan' means amount under 20000")
    lines = said(bank_magics, capsys, "").splitlines()
    first = lines[lines.index("words (30)") + 2].split("  ")
    assert [cell.strip() for cell in first if cell.strip()] == [
        "tiny loan", "loans with amount under 20,000", "loan", "you",
    ]  # fmt: skip
    assert "  and 10 more: %lexsi kg words" in lines
    assert len(said(bank_magics, capsys, "words").splitlines()) == 32


def test_one_entry_has_its_code_book_its_joins_and_what_reads_it(bank_magics, capsys):
    column = said(bank_magics, capsys, "loan.status")
    assert "value B    finished, not paid; also said finished and not paid, not paid back" in column
    assert "used by    default," in column
    table = said(bank_magics, capsys, "card")
    assert "joins      card.disp_id = disp.disp_id" in table
    both = said(bank_magics, capsys, "default")
    assert "default (words)" in both
    assert "default (outcome to predict)" in both


def test_a_draft_says_how_many_rows_of_a_join_match(dogs_magics, capsys):
    command(dogs_magics, "kg draft")
    text = said(dogs_magics, capsys, "")
    line = next(row for row in text.splitlines() if "dogs.kennel_id = kennels.kennel_id" in row)
    assert "all 7 rows match; 1 are empty" in line
    assert line.endswith("inferred")
    assert "curly, long, short: no meaning given" in said(dogs_magics, capsys, "coat")
    command(dogs_magics, "kg remove dogs.kennel_id")
    assert "joins (" not in said(dogs_magics, capsys, "")


def test_a_meaning_says_for_how_many_rows_it_holds(dogs_magics, bank_magics, capsys):
    heavy = int((dogs_magics.session.binding.engine.query("SELECT weight FROM dogs")["weight"] > 15).sum())
    assert f"That is {heavy} of 8 dogs." in said(dogs_magics, capsys, "add 'heavy dog' means weight over 15")
    text = said(bank_magics, capsys, "add 'bad customer' means status B or D")
    loan = bank_magics.session.binding.engine.query("SELECT status FROM loan")
    assert f"That is {loan.status.isin(['B', 'D']).sum()} of {len(loan)} loans." in text
    assert "Said of clients: those of such loans." in text


def test_an_edit_and_a_removal_say_the_line_that_takes_them_back(dogs_magics, capsys, tmp_path):
    command(dogs_magics, "kg add 'big dog' means weight over 15")
    before = (tmp_path / "lexsi_kg.yaml").read_text()
    back = "kg add 'big dog' means weight over 15"
    for line in ("edit 'big dog' means weight over 20", "remove big dog"):
        text = said(dogs_magics, capsys, line)
        if line.startswith("edit"):
            assert text.rstrip().endswith(f"To have that again: %lexsi {back}")
        command(dogs_magics, back)
        assert (tmp_path / "lexsi_kg.yaml").read_text() == before


def test_what_is_written_is_read_and_keeps_its_order(dogs_magics, tmp_path):
    for term, means in (("big dog", "weight over 15"), ("airy dog", "coat short"), ("cosy dog", "coat curly or long")):
        command(dogs_magics, f"kg add '{term}' means {means}")
    command(dogs_magics, "kg edit 'airy dog' means coat short or curly")
    (held,) = yaml.safe_load((tmp_path / "lexsi_kg.yaml").read_text()).values()
    assert list(held["disambiguations"]) == ["big_dog", "airy_dog", "cosy_dog"]
    assert dogs_magics.session.ask("how many airy dogs").frame.iloc[0, 0] == 4


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("add 'odd dog' means coat wiry", "coat is curly, long or short"),
        ("add 'odd dog' means wiry coat", "coat is curly, long or short"),
        ("remove bigg dog", "Nearest: big dog"),
    ],
)
def test_what_does_not_occur_is_refused_with_what_does(dogs_magics, line, near):
    command(dogs_magics, "kg add 'big dog' means weight over 15")
    with pytest.raises(LexsiError, match=near):
        command(dogs_magics, f"kg {line}")


def test_a_question_that_names_no_value_of_a_column_is_told_which_there_are(dogs_magics, bank_magics):
    run = dogs_magics.session.ask("how many dogs with coat wiry")
    assert run.status == "declined"
    assert "coat is curly, long or short." in run.answer
    assert "status is A, B, C or D." in bank_magics.session.ask("how many loans with status Q").answer


def test_a_name_that_matches_nothing_lists_the_nearest(bank_magics, capsys):
    assert "Nearest: turnover" in said(bank_magics, capsys, "turnovr")


def test_where_meanings_are_kept_is_said(dogs_magics, capsys, tmp_path):
    assert str(tmp_path / "lexsi_kg.yaml") in said(dogs_magics, capsys, "save")
