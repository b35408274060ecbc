"""First questions over frames of one's own: numbers of one row, nouns of what was done, weeks, names, several dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.chosen import reread
from lexsi_nb.errors import BadData
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

RIDERS = pd.DataFrame(
    {
        "rider_id": [1, 2, 3, 4],
        "name": ["Gia Rossi", "Kate Moss", "Otto Berg", "Kate Lind"],
        "plan": ["gold", "basic", "gold", "basic"],
        "joined": pd.to_datetime(["2021-01-05", "2021-02-06", "2022-03-07", "2023-04-08"]),
    }
)
HIRES = pd.DataFrame(
    {
        "hire_id": range(1, 9),
        "rider_id": [1, 1, 1, 2, 2, 3, 3, 1],
        "start_date": pd.to_datetime(
            [f"2023-{day}" for day in "01-01 02-01 03-01 01-10 01-12 05-01 05-20 04-01".split()]
        ),
        "end_date": pd.to_datetime(
            ["2023-01-09", "2023-02-08", "2023-06-01", "2023-01-11", None, "2023-05-17", "2023-05-27", "2023-04-03"]
        ),
        "revenue": [100.0, 150.0, 90.0, 320.0, 10.0, 20.0, 30.0, 40.0],
        "cancelled": [True, False, False, True, False, True, False, False],
    }
)  # fmt: skip
TOOLS = pd.DataFrame(
    {
        "tool_id": [1, 2, 3, 4, 5],
        "tool": ["saw", "file", "adze", "plane", "awl"],
        "stock": [3.0, 9.0, 5.0, np.nan, 2.0],
        "reorder_level": [5.0, 5.0, 5.0, 5.0, np.nan],
        "price": [10.0, 2.0, 30.0, 4.0, 5.0],
    }
)
ORDERS = pd.DataFrame(
    {
        "order_id": [1, 2, 3, 4, 5],
        "tool_id": [1, 1, 2, 3, 3],
        "ordered_on": pd.to_datetime(["2023-01-01", "2023-01-02", "2023-01-03", "2023-01-04", "2023-01-05"]),
        "shipped_on": pd.to_datetime(["2023-01-03", "2023-01-04", "2023-01-05", "2023-01-06", None]),
        "delivered_on": pd.to_datetime(["2023-01-05", None, "2023-01-08", None, None]),
    }
)


@pytest.fixture(scope="module")
def yard(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    grounder = frames_grounder(riders=RIDERS, hires=HIRES, tools=TOOLS, orders=ORDERS)
    yield grounder
    grounder.engine.close()


def _rows(grounder: Grounder, question: str) -> list[list[Any]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql).values.tolist()


def _first(grounder: Grounder, question: str) -> list[Any]:
    return [row[0] for row in _rows(grounder, question)]


def _ways(grounder: Grounder, question: str) -> dict[str, list[Any]]:
    """Return what each option gives, by its question; each has one."""
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    asked = [o.question for o in options(found, question, grounder.read, grounder.engine)]
    assert all(asked), asked
    return {q: _first(grounder, q) for q in asked}


BELOW = TOOLS[TOOLS.stock < TOOLS.reorder_level].tool_id.tolist()


@pytest.mark.parametrize(
    "question",
    [
        "tools with stock below reorder level", "tools with stock < reorder_level", "tools below reorder level",
        "list tools whose stock is under their reorder level", "which tools are below the reorder level?",
    ],
)  # fmt: skip
def test_a_number_is_held_against_another_of_its_row(yard: Grounder, question: str) -> None:
    assert _first(yard, question) == BELOW == [1]


def test_both_bounds_and_a_count_of_such_rows(yard: Grounder) -> None:
    assert _first(yard, "how many tools with stock at least reorder level?") == [2]
    assert _first(yard, "how many tools with stock at most reorder level?") == [2]
    found = yard.read("tools below reorder level")
    assert isinstance(found, Reading)
    assert "stock below reorder_level" in found.notes[0]


def test_which_number_is_below_is_not_guessed(frames_grounder: Callable[..., Grounder]) -> None:
    goods = frames_grounder(goods=TOOLS.rename(columns={"stock": "depth"}))
    declined = goods.read("goods below reorder level")
    assert isinstance(declined, Declined)
    assert "goods with ..." in declined.reason
    goods.engine.close()
    two = frames_grounder(goods=TOOLS.assign(stock_in_yard=[9.0, 1.0, 1.0, 1.0, 1.0]))
    assert _ways(two, "goods below reorder level") == {
        "goods with stock_below_reorder_level equal to 1": [1],
        "goods with stock_in_yard_below_reorder_level equal to 1": [2, 3, 4],
    }
    two.engine.close()


def test_a_bound_that_is_no_column_stays_what_it_was(yard: Grounder) -> None:
    assert _first(yard, "tools with price above average") == [3]
    assert isinstance(yard.read("tools below safety level"), Declined)


def test_a_noun_of_what_was_done_counts_the_rows_that_say_so(yard: Grounder) -> None:
    assert _first(yard, "how many cancellations?") == [3]
    assert _first(yard, "list cancellations") == [1, 4, 6]
    assert dict(map(tuple, _rows(yard, "number of cancellations by plan"))) == {"gold": 2, "basic": 1}
    assert _first(yard, "rate of cancellation") == [37.5]
    assert list(_ways(yard, "cancellation").values()) == [[3], [37.5]]


@pytest.mark.parametrize("question", ["cancellations by month", "how many cancellations in 2023?"])
def test_when_it_was_done_is_not_taken_from_another_date(yard: Grounder, question: str) -> None:
    declined = yard.read(question)
    assert isinstance(declined, Declined)
    assert "when 'cancellations' came" in declined.reason


def test_a_value_or_a_date_of_that_name_goes_before_the_flag(frames_grounder: Callable[..., Grounder]) -> None:
    dated = frames_grounder(hires=HIRES.assign(cancelled_on=HIRES.start_date))
    assert not isinstance(dated.read("how many cancellations?"), Reading)
    dated.engine.close()


def test_weeks_are_told_in_days(yard: Grounder) -> None:
    days = (HIRES.end_date - HIRES.start_date).dt.days
    assert _first(yard, "hires longer than a week") == HIRES.hire_id[days > 7].tolist() == [1, 3, 6]
    assert _first(yard, "how many hires lasted more than two weeks?") == [int((days > 14).sum())] == [2]
    assert isinstance(yard.read("hires longer than a month"), Declined)


def test_the_day_of_a_named_person_is_told(yard: Grounder) -> None:
    assert str(_rows(yard, "when did Gia Rossi join?")[0][-1])[:10] == "2021-01-05"
    assert [r[0] for r in _rows(yard, "when did Kate join?")] == [2, 4]
    assert isinstance(yard.read("when did Nobody join?"), Declined)
    assert isinstance(yard.read("when did Gia Rossi leave?"), Declined)


def test_the_last_of_rows_with_several_dates_is_asked(yard: Grounder) -> None:
    assert _ways(yard, "last hire of Gia Rossi") == {
        "hire of Gia Rossi with the latest start_date": [8],
        "hire of Gia Rossi with the latest end_date": [3],
    }
    assert not isinstance(yard.read("last hire of each rider"), Reading)


def test_open_rows_of_several_dates_are_asked(yard: Grounder) -> None:
    assert _ways(yard, "how many open orders?") == {
        "how many orders with shipped_on missing?": [1],
        "how many orders with delivered_on missing?": [3],
    }


def test_with_one_open_date_among_several_it_is_said_what_to_ask(frames_grounder: Callable[..., Grounder]) -> None:
    orders = frames_grounder(orders=ORDERS.assign(shipped_on=ORDERS.ordered_on))
    declined = orders.read("open orders")
    assert isinstance(declined, Declined)
    assert "'orders with delivered_on missing'" in declined.reason
    orders.engine.close()


def test_a_number_of_rows_that_one_has_is_in_one_of_them_or_in_all(yard: Grounder) -> None:
    by_rider = HIRES.groupby("rider_id").revenue.sum()
    assert list(_ways(yard, "how many riders with revenue over 300?").values()) == [[1], [int((by_rider > 300).sum())]]
    assert list(_ways(yard, "riders with revenue over 300").values()) == [[2], ["Gia Rossi", "Kate Moss"]]


def test_a_top_without_a_number_is_by_what_they_have(yard: Grounder) -> None:
    found = _ways(yard, "top 2 riders who hired more than twice")
    assert list(found) == [
        "top 2 riders who hired more than twice by number of hires",
        "top 2 riders who hired more than twice by total revenue of hires",
    ]
    assert list(_ways(yard, "top 3 riders").values()) == [["Gia Rossi", "Kate Moss", "Otto Berg"]] * 2


def test_the_last_of_groups_is_not_asked_by_date(yard: Grounder) -> None:
    assert not isinstance(yard.read("latest hire by plan"), Reading | Choice)


def test_a_table_keeps_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = lx.Session({"riders": RIDERS, "hires": HIRES})
    run = session.ask("how many riders?")
    assert reread(session, run, "riders", "hires").frame.iloc[0, 0] == len(HIRES)
    with pytest.raises(BadData, match="is the name of the table riders"):
        reread(session, run, "riders", "hires", keep=True)
    assert session.ask("how many riders?").frame.iloc[0, 0] == len(RIDERS)
