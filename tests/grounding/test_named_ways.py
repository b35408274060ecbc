"""The way to a place that a question names itself, and open questions each of whose readings can be taken."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Reading


def figures(grounder: Grounder, question: str) -> dict[Any, Any]:
    reading = grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    frame = grounder.engine.query(reading.sql)
    return dict(zip(frame.iloc[:, 0], frame.iloc[:, -1], strict=True))


BY_CLIENT = (
    "SELECT d.region, count(*) FROM card c JOIN disp p USING (disp_id) JOIN client k USING (client_id)"
    " JOIN district d ON d.district_id = k.district_id GROUP BY 1"
)
BY_ACCOUNT = (
    "SELECT d.region, count(*) FROM card c JOIN disp p USING (disp_id) JOIN account k USING (account_id)"
    " JOIN district d ON d.district_id = k.district_id GROUP BY 1"
)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("number of cards by region of the client", BY_CLIENT),
        ("how many cards per client region", BY_CLIENT),
        ("count the cards by the client's region", BY_CLIENT),
        ("number of cards by region of the account", BY_ACCOUNT),
        ("cards by account region", BY_ACCOUNT),
    ],
)
def test_the_way_that_is_named_is_gone(bank_grounder: Grounder, question: str, gold: str) -> None:
    frame = bank_grounder.engine.query(gold)
    assert figures(bank_grounder, question) == dict(zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True))


def test_the_way_is_told_with_the_reading(bank_grounder: Grounder) -> None:
    reading = bank_grounder.read("number of cards by region of the client")
    assert reading.text == "number of cards, by region of district (region of the client: by client.district_id)"


def test_the_column_that_points_names_the_way(frames_grounder: Any) -> None:
    ports = pd.DataFrame({"code": ["AA", "BB", "CC"], "height": [10.0, 20.0, 60.0], "port_name": ["x", "y", "z"]})
    trips = pd.DataFrame(
        {
            "trip_id": range(90),
            "start": [["AA", "BB", "CC"][i % 3] for i in range(90)],
            "goal": [["AA", "BB", "CC"][(i // 3) % 2 + 1] for i in range(90)],
        }
    )
    grounder = frames_grounder(ports=ports, trips=trips)
    asked = "number of trips by port"
    choice = grounder.read(asked)
    assert isinstance(choice, Choice), choice
    found = options(choice, asked, grounder.read, grounder.engine)
    assert sorted(o.question for o in found) == ["number of trips by goal port", "number of trips by start port"]
    assert list(figures(grounder, "number of trips by start port").values()) == [30, 30, 30]
    assert list(figures(grounder, "number of trips by goal port").values()) == [45, 45]


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("how many withdrawals", 3),
        ("how many deposits in 1997", 2),
        ("total turnover", 3),
        ("how many accounts were opened by women", 2),
        ("how many accounts have a client younger than 25", 2),
        ("number of bad customers by region", 2),
        ("cards per district", 2),
        ("total by district", 3),
        ("which type is most frequent", 3),
    ],
)
def test_each_reading_of_an_open_question_can_be_taken_and_has_its_number(
    bank_grounder: Grounder, question: str, numbers: int
) -> None:
    choice = bank_grounder.read(question)
    assert isinstance(choice, Choice), choice
    found = options(choice, question, bank_grounder.read, bank_grounder.engine)
    assert len(found) == numbers
    assert all(o.question and o.number for o in found)
    assert len({o.number for o in found}) == len(found) or all(";" in o.number for o in found)
    for option in found:
        assert bank_grounder.read(option.question).text == option.text


def test_holders_of_one_kind_and_of_any_are_counted_apart(bank_grounder: Grounder) -> None:
    question = "how many accounts were opened by women"
    found = options(bank_grounder.read(question), question, bank_grounder.read, bank_grounder.engine)
    gold = [
        bank_grounder.engine.query(
            "SELECT count(DISTINCT account_id) FROM disp JOIN client USING (client_id) WHERE gender = 'female'" + more
        ).iloc[0, 0]
        for more in (" AND type = 'OWNER'", "")
    ]
    assert [o.number for o in found] == [f"{n:,}" for n in gold]


def test_groups_are_told_by_their_number_and_the_first_of_them(bank_grounder: Grounder) -> None:
    question = "total volume per year"
    found = options(bank_grounder.read(question), question, bank_grounder.read, bank_grounder.engine)
    gold = bank_grounder.engine.query("SELECT year(date) y, sum(amount) s FROM loan GROUP BY 1 ORDER BY 1").iloc[0]
    assert found[0].number == f"6 rows; {int(gold.y)}: {gold.s:,.0f}"
