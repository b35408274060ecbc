"""`or` between conditions: alone, side by side, in brackets; asked about where words don't say what it joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

PORTS = pd.DataFrame({"port_id": [1, 2, 3], "port": ["Lund", "Oslo", "Pisa"], "coast": ["north", "north", "south"]})
BOATS = pd.DataFrame(
    {
        "boat_id": range(1, 9),
        "port_id": [1, 1, 2, 2, 3, 3, 3, 1],
        "colour": ["red", "blue", "red", "green", "blue", "red", "green", None],
        "length": [5, 12, 9, 15, 7, 20, 11, 6],
        "price": [10.0, 40.0, 25.0, 60.0, 15.0, 90.0, None, 12.0],
        "built_on": pd.to_datetime(
            ["1948-05-01", "1955-01-01", "1962-03-03", "1971-07-07", "1980-12-31", "1981-01-01", "1990-06-06", None]
        ),
    }
)
ALL = BOATS.merge(PORTS, on="port_id")


@pytest.fixture(scope="module")
def harbour(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(boats=BOATS, ports=PORTS)
    yield grounder
    grounder.engine.close()


def _found(grounder: Grounder, question: str) -> list[int]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return sorted(grounder.engine.query(found.sql)["boat_id"])


def _ids(where: Any) -> list[int]:
    return sorted(ALL.boat_id[where])


RED, LONG, DEAR = ALL.colour == "red", ALL.length > 10, ALL.price > 30
PLAIN = {
    "boats with colour red or length over 10": RED | LONG,
    "boats that are red or have a length over 10": RED | LONG,
    "red boats or boats in Lund": RED | (ALL.port == "Lund"),
    "boats with colour red or blue or length over 10": RED | (ALL.colour == "blue") | LONG,
    "boats with colour red or length over 10 or price over 30": RED | LONG | DEAR,
    "boats with length below 6 or above 14": (ALL.length < 6) | (ALL.length > 14),
    "boats built before 1950 or after 1980": (ALL.built_on < "1950-01-01") | (ALL.built_on >= "1981-01-01"),
    "red boats in Lund or Oslo": RED & ALL.port.isin(["Lund", "Oslo"]),
    "boats with colour red and (length over 10 or price over 30)": RED & (LONG | DEAR),
    "boats with (colour red and length over 10) or price over 30": (RED & LONG) | DEAR,
    "boats with colour red or (length over 10 and price over 30)": RED | (LONG & DEAR),
    "boats with (colour red or length over 10) and price over 30": (RED | LONG) & DEAR,
}


@pytest.mark.parametrize("question", PLAIN)
def test_rows_that_meet_one_of_two_conditions(harbour: Grounder, question: str) -> None:
    wanted = _ids(PLAIN[question])
    assert 0 < len(wanted) < len(BOATS)
    assert _found(harbour, question) == wanted


def test_figures_over_them(harbour: Grounder) -> None:
    count = harbour.read("how many boats have colour red or length over 10?")
    assert isinstance(count, Reading)
    assert harbour.engine.query(count.sql).iloc[0, 0] == (RED | LONG).sum()
    mean = harbour.read("average price of boats with colour red or length over 10 by port")
    assert isinstance(mean, Reading)
    got = harbour.engine.query(mean.sql)
    wanted = ALL[RED | LONG].groupby("port_id").price.mean()
    assert dict(zip(got.iloc[:, 0], got.iloc[:, 1], strict=True)) == pytest.approx(wanted.to_dict())


ASKED = {
    "boats with colour red and length over 10 or price over 30": [RED & (LONG | DEAR), (RED & LONG) | DEAR],
    "boats with colour red or length over 10 and price over 30": [(RED | LONG) & DEAR, RED | (LONG & DEAR)],
}


@pytest.mark.parametrize("question", ASKED)
def test_what_or_joins_is_asked_with_the_rows_of_each(harbour: Grounder, question: str) -> None:
    found = harbour.read(question)
    assert isinstance(found, Choice), found
    ways = options(found, question, harbour.read, harbour.engine)
    assert [_found(harbour, w.question) for w in ways] == [_ids(x) for x in ASKED[question]]
    assert [w.number.split()[0] for w in ways] == [str(x.sum()) for x in ASKED[question]]
    assert all("(" in w.text for w in ways)


@pytest.mark.parametrize(
    "question",
    [
        "boats with colour not red or length over 10", "boats without colour red or length over 10",
        "red boats with length over 10 or price over 30 and built after 1960",
        "boats with colour red or", "boats with (colour red or length over 10) or (price over 30 or length below 6)",
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_declined(harbour: Grounder, question: str) -> None:
    assert isinstance(harbour.read(question), Declined)


def test_rows_of_another_table_are_no_alternative(bank_grounder: Grounder) -> None:
    for question in ("female clients with a loan or from Prague", "women or clients with a loan"):
        assert isinstance(bank_grounder.read(question), Declined)


def test_a_follow_up_keeps_the_alternatives(harbour: Grounder) -> None:
    whole = harbour.in_context(["how many boats have colour red or length over 10?"], "by port?")
    assert isinstance(whole, str)
    found = harbour.read(whole)
    assert isinstance(found, Reading), whole
    got = harbour.engine.query(found.sql)
    wanted = ALL[RED | LONG].groupby("port_id").size()
    assert dict(zip(got.iloc[:, 0], got.iloc[:, -1], strict=True)) == wanted.to_dict()


def test_a_bound_that_could_be_of_two_columns_keeps_its_word(harbour: Grounder) -> None:
    question = "boats above 14 or below 6"
    found = harbour.read(question)
    assert isinstance(found, Choice), found
    ways = options(found, question, harbour.read, harbour.engine)
    assert [_found(harbour, w.question) for w in ways] == [
        _ids((ALL.length > 14) | (ALL.length < 6)), _ids((ALL.price > 14) | (ALL.price < 6)),
    ]  # fmt: skip


def test_an_option_that_is_open_itself_stands_as_its_own_options(harbour: Grounder) -> None:
    question = "red boats in Lund or longer than 10"
    found = harbour.read(question)
    assert isinstance(found, Choice), found
    ways = options(found, question, harbour.read, harbour.engine)
    lund = ALL.port == "Lund"
    wanted = [
        RED & (lund | LONG),
        RED & (lund | (ALL.price > 10)),
        (RED & lund) | LONG,
        (RED & lund) | (ALL.price > 10),
    ]
    assert [_found(harbour, w.question) for w in ways] == [_ids(x) for x in wanted]
    assert all(w.number for w in ways)
