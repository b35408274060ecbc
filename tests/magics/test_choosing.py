"""A question put back: its readings with their numbers, the choice of one, and keeping it."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from lexsi_nb.app.chosen import choose
from lexsi_nb.app.session import Session
from lexsi_nb.errors import BadData
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.widgets.choice import choice_html, choice_text


@pytest.fixture
def trips():
    return pd.DataFrame(
        {"trip_id": [1, 2, 3, 4], "dep_delay": [1.0, 2.0, 3.0, 6.0], "arr_delay": [10.0, 20.0, 30.0, 60.0]}
    )


@pytest.fixture
def session(trips, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = Session(namespace={"trips": trips})
    yield session
    session.close()


def test_readings_that_no_number_can_ask_say_what_to_do():
    from lexsi_nb.artifacts.results import Choice, Option

    choice = Choice("Which table?", (Option("loan"), Option("card")))
    assert choice_text(choice).splitlines()[-1] == "Ask again and name the one that is meant."
    assert "Ask again and name the one that is meant." in choice_html(choice)


def test_both_readings_come_with_their_numbers_and_what_to_type(session):
    run = session.ask("average delay")
    assert run.status == "needs_choice"
    assert [o.number for o in run.choice.options] == ["3", "30"]
    assert "%lexsi choose 1 keep" in choice_text(run.choice)
    assert "%lexsi choose 1 keep" in choice_html(run.choice)


def test_a_chosen_reading_is_asked(session):
    run = choose(session, session.ask("average delay"), 2)
    assert run.status == "answered"
    assert run.frame.iloc[0, 0] == 30.0


def test_a_kept_choice_answers_the_next_question_and_says_so(session, tmp_path):
    choose(session, session.ask("average delay"), 2, keep=True)
    held = yaml.safe_load((tmp_path / "lexsi_kg.yaml").read_text())
    (entry,) = [e for sections in held.values() for e in sections["disambiguations"].values()]
    assert entry["reads"]["words"] == "delay"
    again = session.ask("average delay")
    assert again.status == "answered"
    assert again.frame.iloc[0, 0] == 30.0
    assert "as the knowledge graph keeps it" in again.answer
    other = session.ask("maximum delay")
    assert other.frame.iloc[0, 0] == 60.0


def test_a_kept_choice_outlives_the_session_and_can_be_taken_out(session, trips, tmp_path):
    from lexsi_nb.data import notebook_terms

    dataset = choose(session, session.ask("average delay"), 1, keep=True).dataset
    assert dataset
    fresh = Session(namespace={"trips": trips})
    assert fresh.ask("average delay").frame.iloc[0, 0] == 3.0
    (id_,) = notebook_terms.read_terms()
    notebook_terms.remove(id_, "delay")
    fresh.binding.forget_grounding()
    assert fresh.ask("average delay").status == "needs_choice"
    fresh.close()


def test_a_choice_that_is_not_there_is_named(session):
    with pytest.raises(BadData, match="There is no reading 9"):
        choose(session, session.ask("average delay"), 9)
    with pytest.raises(BadData, match="put no question back"):
        choose(session, session.ask("average dep_delay"), 1)


def test_the_command_takes_and_keeps(ip, trips, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ip.user_ns["trips"] = trips
    ip.run_cell("%%lexsi average delay", store_history=False)
    getattr(ip, ATTRIBUTE).session.ask("average delay")
    capsys.readouterr()
    assert ip.run_cell("%lexsi choose 2 keep", store_history=False).success
    assert "'delay' is" in capsys.readouterr().out
    assert (tmp_path / "lexsi_kg.yaml").exists()


def test_a_reading_is_shown_changed_and_kept(ip, trips, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ip.user_ns["trips"] = trips
    session = getattr(ip, ATTRIBUTE).session
    asked = session.ask("average dep_delay")
    capsys.readouterr()
    assert ip.run_cell("%lexsi reading", store_history=False).success
    told = capsys.readouterr().out
    assert f"read as: {asked.facts['read as'][0]}" in told
    assert "dep_delay  column trips.dep_delay" in told
    assert "average    a figure of a column" in told
    assert ip.run_cell("%lexsi reading 'dep_delay' means arr_delay keep", store_history=False).success
    assert session.runs[-1].frame.iloc[0, 0] == trips["arr_delay"].mean()
    assert "arr_delay" in (tmp_path / "lexsi_kg.yaml").read_text()
    assert not ip.run_cell("%lexsi reading 'nothing' means arr_delay", store_history=False).success
    assert "'nothing' is not in the question" in capsys.readouterr().out


def test_a_reading_tells_what_each_word_was_taken_for(ip, capsys):
    ip.user_ns["boats"] = pd.DataFrame(
        {"boat_id": [1, 2, 3, 4], "berth": list("ABBC"), "length": [7.0, 9.0, 12.0, 8.0],
         "bought": pd.to_datetime(["2019-03-01", "2020-03-01", "2020-07-01", "2021-01-01"])}
    )  # fmt: skip
    ip.user_ns["crews"] = pd.DataFrame({"crew_id": [1, 2], "boat_id": [1, 2], "length": [3, 4], "name": ["C", "D"]})
    session = getattr(ip, ATTRIBUTE).session
    session.ask("mean length of boats with berth A or B and length over 8 bought in 2020")
    capsys.readouterr()
    assert ip.run_cell("%lexsi reading", store_history=False).success
    told = {" ".join(line.split()) for line in capsys.readouterr().out.splitlines()}
    expected = {
        "length column boats.length", "A boats.berth = 'A'", "B boats.berth = 'B'", "8 a number of boats.length",
        "2020 a time of boats.bought", "boats table boats",
    }  # fmt: skip
    assert expected <= told


def test_the_reading_of_a_follow_up_is_of_the_whole_question(ip, capsys):
    ip.user_ns["boats"] = pd.DataFrame({"boat_id": [1, 2, 3, 4], "coast": ["north", "south", "west", "west"]})
    session = getattr(ip, ATTRIBUTE).session
    session.ask("how many boats on the north coast")
    session.ask("and in the south?")
    capsys.readouterr()
    assert ip.run_cell("%lexsi reading", store_history=False).success
    told = capsys.readouterr().out
    assert "with the question before: how many boats" in told
    assert "boats.coast = 'south'" in told
    assert ip.run_cell("%lexsi reading 'south' means west", store_history=False).success
    assert session.runs[-1].frame.iloc[0, 0] == 2


@pytest.mark.parametrize(("asked", "found"), [("how many orders", (3, 4)), ("number of orders", (3, 4))])
def test_rows_or_things_can_be_chosen_and_asked_for(tmp_path, monkeypatch, asked, found):
    monkeypatch.chdir(tmp_path)
    session = Session({"orders": pd.DataFrame({"order_id": [1, 1, 2, 3], "amount": [1.0, 2.0, 3.0, 4.0]})})
    run = session.ask(asked)
    assert [o.question for o in run.choice.options] == [
        "how many different order_id of orders",
        "how many rows of orders",
    ]
    assert tuple(choose(session, run, n).frame.iloc[0, 0] for n in (1, 2)) == found
    listed = session.ask("show orders")
    assert [len(choose(session, listed, n).frame) for n in (1, 2)] == [3, 4]
    session.close()


def test_a_reading_that_no_question_asks_for_is_named_in_sentences(session):
    from lexsi_nb.artifacts.results import Choice, Option

    run = session.ask("average delay")
    run.choice = Choice("Which?", (Option("those that differ in order_id"),))
    with pytest.raises(BadData) as refused:
        choose(session, run, 1)
    assert str(refused.value) == (
        "No question asks for reading 1 alone. It is: those that differ in order_id. "
        "Ask again and say that in your own words."
    )


def test_a_session_takes_a_reading_and_changes_one(trips):
    session = Session({"trips": trips}, namespace={})
    with pytest.raises(BadData, match="no question was put back"):
        session.choose(1)
    session.ask("average delay")
    assert session.choose(2).frame.iloc[0, 0] == trips["arr_delay"].mean()
    session.ask("average dep_delay")
    assert session.reread("dep_delay", "arr_delay").frame.iloc[0, 0] == trips["arr_delay"].mean()
    with pytest.raises(BadData, match="is not in the question"):
        session.reread("nothing", "arr_delay")
