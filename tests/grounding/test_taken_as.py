"""Readings of an open question: each can be asked for, whatever the question says beside the words that are open."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import OpenOption, offered, options
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import answered


@pytest.fixture
def firm(frames_grounder: Any) -> Grounder:
    return frames_grounder(**_frames())


def _frames() -> dict[str, pd.DataFrame]:
    people = pd.DataFrame(
        {"person_id": [f"P{i + 1:03d}" for i in range(40)], "town": [["Ulm", "Graz", "Linz"][i % 3] for i in range(40)],
         "wage": [1000.0 + 37 * i for i in range(40)]}
    )  # fmt: skip
    letters = pd.DataFrame(
        {"letter_id": range(1, 121), "sender": [f"P{i % 40 + 1:03d}" for i in range(120)],
         "receiver": [f"P{(i * 7) % 39 + 1:03d}" for i in range(120)], "pages": [i % 8 + 1 for i in range(120)],
         "written_on": pd.date_range("2021-01-01", periods=120, freq="6D"),
         "read_on": pd.date_range("2021-11-01", periods=120, freq="6D")}
    )  # fmt: skip
    lease = pd.DataFrame({"lease_id": range(1, 31), "person_id": [f"P{i % 17 + 1:03d}" for i in range(30)]})
    tickets = pd.DataFrame(
        {"ticket_id": range(1, 61), "person_id": [f"P{i % 40 + 1:03d}" for i in range(60)],
         "topic": [["lease", "noise", "heating"][i % 3] for i in range(60)]}
    )  # fmt: skip
    return {"people": people, "letters": letters, "lease": lease, "tickets": tickets}


def ways(grounder: Grounder, question: str) -> list[OpenOption]:
    """Return the options of an open question; the test fails where one of them cannot be asked for."""
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    made = list(options(found, question, grounder.read, grounder.engine))
    assert len(made) > 1
    assert all(o.question and isinstance(grounder.read(o.question), Reading) for o in made), made
    return made


def number(grounder: Grounder, option: OpenOption) -> float:
    return float(answered(grounder, option.question).iloc[0, 0])


def test_a_table_or_a_value_each_with_its_number(firm: Grounder) -> None:
    frames = _frames()
    table, value = ways(firm, "people without a lease, how many")
    assert table.number == str(40 - frames["lease"].person_id.nunique())
    by_topic = frames["tickets"][frames["tickets"].topic == "lease"].person_id.nunique()
    assert value.number == str(40 - by_topic) != table.number
    by_town = ways(firm, "leases by town")
    got = [dict(answered(firm, o.question).itertuples(index=False)) for o in by_town]
    held = frames["lease"].merge(frames["people"]).groupby("town").size().to_dict()
    said = (
        frames["tickets"][frames["tickets"].topic == "lease"].merge(frames["people"]).groupby("town").size().to_dict()
    )
    assert got == [held, said]


def test_each_date_with_its_number(firm: Grounder) -> None:
    letters = _frames()["letters"]
    made = ways(firm, "number of letters in 2022")
    wanted = [int((letters[c].dt.year == 2022).sum()) for c in ("written_on", "read_on")]
    assert [number(firm, o) for o in made] == wanted
    assert wanted[0] != wanted[1]
    monthly = ways(firm, "monthly letters in 2022")
    for option, column in zip(monthly, ("written_on", "read_on"), strict=True):
        in_year = letters[letters[column].dt.year == 2022]
        assert answered(firm, option.question).iloc[:, 1].sum() == len(in_year)


@pytest.mark.parametrize("question", ["number of letters from Graz", "letters by town"])
def test_ways_by_two_columns(firm: Grounder, question: str) -> None:
    frames = _frames()
    made = ways(firm, question)
    for option, column in zip(made, ("sender", "receiver"), strict=True):
        counts = frames["letters"].merge(frames["people"], left_on=column, right_on="person_id").groupby("town").size()
        frame = answered(firm, option.question)
        got = {"Graz": int(frame.iloc[0, 0])} if frame.shape == (1, 1) else dict(frame.itertuples(index=False))
        assert got == {t: n for t, n in counts.items() if t in got}
        assert "Graz" in got


def test_where_every_option_is_out_of_the_data_that_is_said(firm: Grounder) -> None:
    question = "number of letters in 1950"
    found = firm.read(question)
    assert isinstance(found, Choice)
    told = offered(found, question, firm.read, firm.engine)
    assert isinstance(told, Declined)
    assert "written_on runs from 2021-01-01" in told.reason
    assert "read_on runs from 2021-11-01" in told.reason
    said = lx.Session(_frames(), planner="embedded", namespace={}).ask(question)
    assert said.status == "declined"
    assert "written_on runs from 2021-01-01" in said.answer


def test_a_chosen_meaning_goes_on_in_a_session() -> None:
    frames = _frames()
    session = lx.Session(frames, planner="embedded", namespace={})
    assert session.ask("leases by town").status == "needs_choice"
    said = session.ask("2")
    assert said.status == "answered", said.answer
    assert "tickets with topic lease" in said.answer
    assert int(said.frame.iloc[:, 1].sum()) == int((frames["tickets"].topic == "lease").sum())


def test_follow_ups_keep_what_was_chosen_by_its_number() -> None:
    frames = _frames()
    letters, people = frames["letters"], frames["people"]
    session = lx.Session(frames, planner="embedded", namespace={})

    def asked(*questions: str) -> Any:
        return [session.ask(q) for q in questions][-1]

    told = asked("number of letters in 2022", "2", "and in 2021?")
    assert int(told.frame.iloc[0, 0]) == int((letters.read_on.dt.year == 2021).sum())
    told = asked("by month")
    assert int(told.frame.iloc[:, 1].sum()) == int((letters.read_on.dt.year == 2021).sum())
    received = letters.merge(people, left_on="receiver", right_on="person_id")
    told = asked("letters from Graz", "2", "and from Ulm?", "how many of them?")
    assert int(told.frame.iloc[0, 0]) == int((received.town == "Ulm").sum())
    told = asked("people without a lease", "1", "only from Linz")
    without = people[~people.person_id.isin(frames["lease"].person_id)]
    assert set(told.frame.person_id) == set(without[without.town == "Linz"].person_id)
    told = asked("how many people are there?")
    assert int(told.frame.iloc[0, 0]) == len(people)


@pytest.mark.parametrize(
    "question",
    [
        "taking 'leases' as wage: leases by town",  # no meaning of these words
        "taking 'leases' as people: leases by town",
        "taking people.town as the date: number of letters in 2022",
        "taking nothing.here as the date: number of letters in 2022",
        "taking 'noise' as tickets.topic noise: number of people",  # and nothing is read by it
    ],
)
def test_what_words_do_not_mean_is_not_taken(firm: Grounder, question: str) -> None:
    assert not isinstance(firm.read(question), Reading)


def test_a_place_of_either(bank_grounder: Grounder) -> None:
    client, card = ways(bank_grounder, "men with cards in Kladno")
    query = bank_grounder.engine.query
    cards = query("SELECT * FROM card JOIN disp USING (disp_id)")
    place, clients = query("SELECT * FROM district"), query("SELECT * FROM client WHERE gender = 'male'")
    accounts = query("SELECT * FROM account")
    kladno = set(place[place.name == "Kladno"].district_id)
    lives = set(clients[clients.district_id.isin(kladno)].client_id) & set(cards.client_id)
    kept = set(accounts[accounts.district_id.isin(kladno)].account_id)
    held = set(cards[cards.account_id.isin(kept)].client_id) & set(clients.client_id)
    assert set(answered(bank_grounder, client.question).client_id) == lives
    assert set(answered(bank_grounder, card.question).client_id) == held != lives


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("what is the best loan we ever made", ["max(amount)", "max(duration)", "max(payments)"]),
        ("sum of all incoming transactions during 1996", ["count(*)", "sum(amount)"]),
        ("number of large loans", ["avg(amount)", "median(amount)"]),
    ],
)
def test_which_figure(bank_grounder: Grounder, question: str, sql: list[str]) -> None:
    made = ways(bank_grounder, question)
    assert len(made) == len(sql)
    for option, figure in zip(made, sql, strict=True):
        got, query = answered(bank_grounder, option.question), bank_grounder.engine.query
        if "best" in question:
            name = figure[4:-1]
            assert got[name].iloc[0] == query(f"SELECT {figure} AS m FROM loan").m[0]
        elif "large" in question:
            wanted = query(f"SELECT count(*) AS n FROM loan WHERE amount > (SELECT {figure} FROM loan)").n[0]
            assert got.iloc[0, 0] == wanted
        else:
            wanted = query(f"SELECT {figure} AS x FROM trans WHERE type = 'PRIJEM' AND year(date) = 1996").x[0]
            assert got.iloc[0, 0] == wanted


def test_a_figure_of_each_period_or_of_their_totals(bank_grounder: Grounder) -> None:
    each, over = ways(bank_grounder, "average monthly amount of loans")
    loans = bank_grounder.engine.query("SELECT date_trunc('month', date) AS m, amount FROM loan").groupby("m").amount
    assert answered(bank_grounder, each.question).iloc[:, 1].tolist() == pytest.approx(loans.mean().tolist())
    assert number(bank_grounder, over) == pytest.approx(loans.sum().mean())


def test_how_many_are_the_oldest(bank_grounder: Grounder) -> None:
    one, ten = ways(bank_grounder, "the oldest clients")
    assert len(answered(bank_grounder, one.question)) == 1
    born = answered(bank_grounder, ten.question).birth_date
    wanted = bank_grounder.engine.query("SELECT birth_date FROM client ORDER BY 1 LIMIT 10").birth_date
    assert born.tolist() == wanted.tolist()


def test_the_biggest_by_its_number_or_by_what_belongs_to_it(frames_grounder: Any) -> None:
    wards = pd.DataFrame({"ward_id": [1, 2, 3], "ward_name": ["north", "south", "east"], "beds": [20, 35, 10]})
    stays = pd.DataFrame({"stay_id": range(12), "ward_id": [3] * 7 + [1] * 3 + [2] * 2})
    grounder = frames_grounder(wards=wards, stays=stays)
    beds, rows = ways(grounder, "what is the biggest ward?")
    assert "south" in answered(grounder, beds.question).iloc[0].tolist()
    assert "east" in answered(grounder, rows.question).iloc[0].tolist()


def test_ties_at_the_last_place_are_cut_or_shown(firm: Grounder) -> None:
    frames = _frames()
    question = "top 3 pages by number of letters"
    counts = frames["letters"].groupby("pages").size().sort_values(ascending=False)
    assert counts.iloc[2] == counts.iloc[3]
    cut, every = ways(firm, question)
    assert len(answered(firm, cut.question)) == 3
    assert len(answered(firm, every.question)) == int((counts >= counts.iloc[2]).sum()) > 3
    told = answered(firm, "top 3 people by wage, with all ties")
    assert told.wage.tolist() == sorted(frames["people"].wage, reverse=True)[:3]
    assert not isinstance(firm.read("average wage, with all ties"), Reading)
