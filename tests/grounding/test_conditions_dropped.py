"""`%lexsi reading without 'WORDS'`: the same question of more rows; what is no condition stays."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from lexsi_nb.app.chosen import without
from lexsi_nb.app.session import Session
from lexsi_nb.errors import LexsiError
from lexsi_nb.magics.readings import reading

BOATS = pd.DataFrame(
    {"boat_id": range(1, 7), "harbour": ["Kiel", "Ulm", "Kiel", "Kiel", "Ulm", "Ulm"], "sold": [True, False] * 3}
)
TRIPS = pd.DataFrame(
    {
        "trip_id": range(1, 13),
        "boat_id": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
        "guests": [3, 5, 2, 8, 4, 6, 7, 1, 9, 2, 3, 4],
        "sailed_on": pd.to_datetime(["2023-05-01", "2024-05-01"] * 6),
    }
)
JOINED = TRIPS.merge(BOATS, on="boat_id")


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frames = {"boats": BOATS, "trips": TRIPS}
    return Session(dict(frames), namespace=dict(frames))


def dropped(session, question, words):
    assert session.ask(question).status == "answered"
    return without(session, session.runs[-1], words)


@pytest.mark.parametrize("words", ["Kiel", "in Kiel", "kiel"])
def test_a_place_is_dropped_with_what_leads_up_to_it(session, words):
    run = dropped(session, "total guests of trips in Kiel in 2023", words)
    assert run.question == "total guests of trips in 2023"
    assert run.frame.iloc[0, 0] == JOINED[JOINED.sailed_on.dt.year == 2023].guests.sum()


def test_a_year_is_dropped(session):
    run = dropped(session, "total guests of trips in Kiel in 2023", "2023")
    assert run.frame.iloc[0, 0] == JOINED[JOINED.harbour == "Kiel"].guests.sum()


def test_an_adjective_is_dropped_and_groups_stay(session):
    run = dropped(session, "how many sold boats by harbour", "sold")
    assert dict(run.frame.itertuples(index=False)) == {"Kiel": 3, "Ulm": 3}


def test_of_the_bank(bank, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = Session(bank, namespace={})
    run = dropped(session, "how many loans with status C in 1997", "status C")
    dates = session.binding.engine.query("SELECT date FROM loan")["date"].astype("datetime64[ns]")
    assert run.frame.iloc[0, 0] == (dates.dt.year == 1997).sum()


@pytest.mark.parametrize("words", ["trips", "guests", "total"])
def test_what_is_no_condition_is_not_dropped(session, words):
    with pytest.raises(LexsiError, match="is no condition that can be dropped"):
        dropped(session, "total guests of trips in Kiel", words)


def test_words_that_the_question_does_not_have_list_the_nearest(session):
    with pytest.raises(LexsiError, match=r"'Kile' is not in the question.* Nearest: Kiel"):
        dropped(session, "total guests of trips in Kiel", "Kile")


def test_the_reading_says_how_to_drop_a_condition(session, capsys):
    session.ask("total guests of trips in Kiel")
    reading(SimpleNamespace(session=session), "")
    assert "%lexsi reading without 'WORDS'" in capsys.readouterr().out


@pytest.mark.parametrize("question", ["vintage table of boats with a trip", "retention of boats with trips"])
def test_the_period_of_cohorts_is_chosen_by_its_number(question):
    boats = BOATS.assign(launched=pd.date_range("2021-01-01", periods=6, freq="60D"))
    session = Session({"boats": boats, "trips": TRIPS}, namespace={})
    run = session.ask(question)
    assert run.status == "needs_choice"
    assert [o.question for o in run.choice.options][:2] == [f"{question} by year", f"{question} by half-year"]
    assert session.choose(1).status == "answered"
