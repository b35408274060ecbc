"""Columns of 1 and 0 said of rows, and names that are words of the language or hold signs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def plans() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "subscription_id": range(1, 9),
            "plan": ["basic", "basic", "pro", "pro", "pro", "team", "team", None],
            "cancelled": [1, 0, 1, 1, 0, 0, 0, 1],
            "annual": [1, 1, 1, 0, 0, 0, 0, 0],
            "Total": [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0],
            "rebate %": [0, 5, 0, 5, 10, 0, 10, 0],
            "started": pd.date_range("2024-01-01", periods=8, freq="MS"),
        }
    )


@pytest.fixture(scope="module")
def grounder(plans: pd.DataFrame) -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    return opened(frames({"subscriptions": plans}), {"subscriptions": plans})


def _rows(grounder: Grounder, question: str) -> list[list[Any]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql).values.tolist()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many subscriptions cancelled?", 4),
        ("how many cancelled?", 4),
        ("how many annual subscriptions cancelled", 2),
        ("what percentage cancelled?", 50.0),
        ("what percentage of subscriptions cancelled?", 50.0),
        ("cancelled rate", 50.0),
        ("share of cancelled subscriptions", 50.0),
        ("share of basic subscriptions", 25.0),
        ("percentage of pro subscriptions that cancelled", 200 / 3),
        ("percentage of annual subscriptions that cancelled", 100 * 2 / 3),
        ("percentage of cancelled subscriptions that are annual", 50.0),
    ],
)
def test_the_ones_are_counted(grounder, question, value):
    assert _rows(grounder, question)[0][0] == pytest.approx(value)


def test_a_share_in_each_group_is_of_the_rows_of_the_group(grounder):
    for question in (
        "what percentage of subscriptions in each plan cancelled",
        "cancelled rate by plan",
        "percentage of subscriptions that are cancelled by plan",
    ):
        told = {r[0]: r[1] for r in _rows(grounder, question)}
        assert [told[k] for k in ("basic", "pro", "team")] == [50.0, pytest.approx(200 / 3), 0.0], question


def test_the_day_on_which_it_came_to_that_is_not_another_day(grounder):
    found = grounder.read("how many subscriptions cancelled in 2024")
    assert isinstance(found, Declined)
    assert "subscriptions has started" in found.text


def test_a_flag_that_is_named_is_still_a_column(grounder):
    assert _rows(grounder, "subscriptions by cancelled") == [[0, 4], [1, 4]]
    assert _rows(grounder, "how many subscriptions have cancelled 0") == [[4]]


def test_a_column_named_like_a_figure_is_the_column_after_a_figure(grounder):
    assert _rows(grounder, "average Total of subscriptions with started after 2024-06-15") == [[75.0]]
    assert _rows(grounder, "average Total of annual subscriptions") == [[20.0]]
    assert _rows(grounder, "highest Total of cancelled subscriptions") == [[80.0]]
    assert _rows(grounder, "median Total") == [[45.0]]


def test_a_name_with_a_sign_and_a_space_takes_a_number(grounder):
    assert _rows(grounder, "average Total of subscriptions with rebate % 0") == [[45.0]]
    assert _rows(grounder, "average Total of subscriptions with rebate % above 4") == [[45.0]]
    assert _rows(grounder, "how many subscriptions have rebate % 10") == [[2]]


def test_the_most_of_a_text_asks_by_what(grounder):
    from lexsi_nb.grounding.reading import Choice

    found = grounder.read("which plan sold the most")
    assert isinstance(found, Choice)
    assert "most subscriptions rows" in found.options
    assert "total Total" in found.options


@pytest.fixture(scope="module")
def berths() -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held = pd.DataFrame(
        {
            "berth_id": range(1, 7),
            "quay": ["north", "north", "east", "east", "east", "west"],
            "taken": [True, False, True, True, False, False],
            "lit": ["yes", "no", "no", "yes", "no", "no"],
        }
    )
    return opened(frames({"berths": held}), {"berths": held})


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many berths where taken is true", 3),
        ("how many berths with taken = yes", 3),
        ("how many berths have taken false", 3),
        ("number of berths with taken is no and quay east", 1),
        ("how many lit berths where taken == True", 2),
        ("how many berths with lit = no", 4),
        ("how many berths where lit is false", 4),
        ("how many berths with taken no", 3),
        ("number of berths with taken no and quay east", 1),
        ("how many berths where taken is 1", 3),
        ("how many berths with taken = 0", 3),
    ],
)
def test_yes_and_no_are_said_as_values_of_a_column(berths, question, value):
    assert _rows(berths, question) == [[value]]


@pytest.mark.parametrize(
    ("said", "sql"),
    [("taken is true", "taken = TRUE"), ("taken = false", "taken = FALSE"), ("taken is no", "taken = FALSE")],
)
def test_yes_and_no_are_kept_as_a_meaning(berths, said, sql):
    from lexsi_nb.grounding.knowledge.definitions import Definition, define

    found = define("odd", said, berths)
    assert isinstance(found, Definition)
    assert (found.table, found.sql) == ("berths", sql)
