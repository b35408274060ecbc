"""Both ends at once, the best of each group told shortly, shares within a group, and parts of names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def clinic(frames_grounder: Callable[..., Grounder]) -> Grounder:
    """Visits to clinics: towns with parts of names in common, kinds, prices without ties and fees with many."""
    import pandas as pd

    clinics = pd.DataFrame(
        {
            "clinic_id": [1, 2, 3, 4, 5],
            "town": ["Salem Hill", "New Salem", "Derby - north", "Derby - south", "Poole"],
            "beds": [10, 20, 30, 40, 50],
        }
    )
    visits = pd.DataFrame(
        {
            "visit_id": range(100, 112),
            "clinic_id": [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5],
            "kind": ["scan", "scan", "talk", "scan", "talk", "talk", "talk", "scan", "talk", "scan", "scan", "scan"],
            "price": [30, 70, 50, 10, 90, 25, 45, 65, 85, 15, 35, 55],
            "seen_on": pd.date_range("2024-01-01", periods=12),
        }
    )
    payments = pd.DataFrame(
        {
            "payment_id": range(1, 10),
            "method": ["cash", "cash", "cash", "card", "card", "card", "card", "card", "card"],
            "amount": [5, 9, 9, 7, 7, 7, 2, 2, 1],
        }
    )
    return frames_grounder(clinics=clinics, visits=visits, payments=payments)


def _shown(grounder: Grounder, question: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), f"{question}: {found}"
    frame = grounder.engine.query(found.sql)
    return [str(c) for c in frame.columns], rows(frame)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("cheapest and most expensive visit by kind", [("scan", 10.0, 70.0), ("talk", 25.0, 90.0)]),
        ("the largest and the smallest payment per method", [("card", 7.0, 1.0), ("cash", 9.0, 5.0)]),
        ("smallest and largest payment", [(1.0, 9.0)]),
    ],
)
def test_two_ends_are_two_figures(clinic: Grounder, question: str, gold: list[tuple[Any, ...]]) -> None:
    assert _shown(clinic, question)[1] == gold


def test_the_best_of_a_group_is_told_by_its_key_and_what_it_is_best_in(clinic: Grounder) -> None:
    columns, found = _shown(clinic, "most expensive visit per kind")
    assert columns == ["kind", "visit_id", "price"]
    assert found == [("scan", 101.0, 70.0), ("talk", 104.0, 90.0)]
    columns, _ = _shown(clinic, "show the cheapest visit per kind")
    assert "seen_on" in columns  # rows were asked for


def test_a_best_that_many_rows_share_is_a_figure(clinic: Grounder) -> None:
    assert _shown(clinic, "largest payment per method") == (["method", "max_amount"], [("card", 7.0), ("cash", 9.0)])
    found = clinic.read("largest payment per method")
    assert isinstance(found, Reading)
    assert "5 payments have these figures" in found.notes


WITHIN = [
    ("Derby - north", "talk", 100.0),
    ("Derby - south", "scan", 50.0),
    ("Derby - south", "talk", 50.0),
    ("New Salem", "scan", 50.0),
    ("New Salem", "talk", 50.0),
    ("Poole", "scan", 100.0),
    ("Salem Hill", "scan", 66.666667),
    ("Salem Hill", "talk", 33.333333),
]


@pytest.mark.parametrize(
    "question",
    [
        "percentage of visits by kind for each town",
        "share of visits by kind within each town",
        "for each town the percentage of visits by kind",
    ],
)
def test_a_share_by_one_thing_for_each_other_adds_up_in_the_other(clinic: Grounder, question: str) -> None:
    found = clinic.read(question)
    assert isinstance(found, Reading), found
    assert "in each town" in found.text
    frame = clinic.engine.query(found.sql)
    assert rows(frame[["town", "kind", "percentage"]]) == WITHIN


def test_a_share_by_two_things_is_of_all(clinic: Grounder) -> None:
    found = clinic.read("percentage of visits by kind and town")
    assert isinstance(found, Reading)
    assert clinic.engine.query(found.sql)["percentage"].sum() == pytest.approx(100)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("beds in Salem", ["Salem Hill", "New Salem"]),
        ("number of visits in Salem", ["Salem Hill", "New Salem"]),
        ("average price in Derby", ["Derby - north", "Derby - south"]),
        ("beds of Derby", ["Derby - north", "Derby - south"]),
    ],
)
def test_a_part_of_several_names_is_asked_about(clinic: Grounder, question: str, names: list[str]) -> None:
    found = clinic.read(question)
    assert isinstance(found, Choice), found
    assert sorted(found.options[: len(names)]) == sorted(names)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("visits per kind in percent of the total", [("scan", 58.333333), ("talk", 41.666667)]),
        ("percentage of scans among the visits of each town", None),
    ],
)
def test_a_percentage_of_the_total_is_of_all_groups(clinic: Grounder, question: str, gold: list[Any] | None) -> None:
    found = clinic.read(question)
    assert isinstance(found, Reading), found
    frame = clinic.engine.query(found.sql)
    if gold is None:
        of_each = [("Derby - north", 0.0), ("Derby - south", 50.0), ("New Salem", 50.0), ("Poole", 100.0)]
        assert rows(frame[["town", "percentage"]]) == [*of_each, ("Salem Hill", 66.666667)]
    else:
        assert rows(frame[["kind", "percentage"]]) == gold


def test_a_figure_of_rows_that_are_named_is_over_them(clinic: Grounder) -> None:
    found = clinic.read("average number of beds of the clinics per town")
    assert isinstance(found, Reading), found
    assert rows(clinic.engine.query(found.sql))[0] == ("Derby - north", 30.0)


def test_the_best_of_each_period_is_a_figure_of_its_time(clinic: Grounder) -> None:
    assert _shown(clinic, "most expensive visit per month in 2024") == (
        ["month", "max_price"],
        [("2024-01-01 00:00:00", 90.0)],
    )
    assert _shown(clinic, "most expensive visit per kind in 2024")[1] == [("scan", 101.0, 70.0), ("talk", 104.0, 90.0)]


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "number of accounts with and without a loan",
            "SELECT count(*) FILTER (WHERE account_id IN (SELECT account_id FROM loan)),"
            " count(*) FILTER (WHERE account_id NOT IN (SELECT account_id FROM loan)) FROM account",
        ),
        (
            "how many accounts with and without a standing order per frequency",
            "SELECT frequency, count(*) FILTER (WHERE account_id IN (SELECT account_id FROM 'order')),"
            " count(*) FILTER (WHERE account_id NOT IN (SELECT account_id FROM 'order')) FROM account GROUP BY 1",
        ),
        (
            "average payment of loans with and without a card",
            "SELECT avg(payments) FILTER (WHERE account_id IN (SELECT account_id FROM card JOIN disp USING (disp_id))),"
            " avg(payments) FILTER (WHERE account_id NOT IN (SELECT account_id FROM card JOIN disp USING (disp_id)))"
            " FROM loan",
        ),
    ],
)
def test_rows_with_something_stand_beside_those_without(bank_grounder: Grounder, question: str, gold: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    assert rows(bank_grounder.engine.query(found.sql)) == rows(bank_grounder.engine.query(gold.replace("'", '"')))


@pytest.mark.parametrize("question", ["accounts with or without a loan", "loans with and without a k_symbol"])
def test_no_other_with_and_without_is_read(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), Declined)
