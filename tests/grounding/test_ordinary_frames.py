"""Frames as newcomers have them: a key that names the rows, 1 for yes, periods without a year, options to choose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


@pytest.fixture(scope="module")
def sales() -> pd.DataFrame:
    rng, n = np.random.default_rng(3), 400
    return pd.DataFrame(
        {
            "order_id": range(1000, 1000 + n),
            "customer_id": rng.integers(1, 60, n),
            "order_date": pd.date_range("2023-01-01", periods=n, freq="D"),
            "price": rng.gamma(2, 80, n).round(2),
            "weight": rng.gamma(2, 70, n).round(1),
            "region": rng.choice(["North", "South", "East", "West"], n),
            "status": rng.choice(["shipped", "pending", "cancelled"], n),
            "returned": rng.choice([0, 1], n, p=[0.8, 0.2]),
        }
    )


@pytest.fixture(scope="module")
def shop_grounder(sales: pd.DataFrame) -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    return opened(frames({"sales_df": sales}), {"sales_df": sales})


def _value(grounder: Grounder, question: str) -> float:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql).iloc[0, 0]


def test_the_noun_of_a_key_means_the_rows(shop_grounder: Grounder, sales: pd.DataFrame) -> None:
    assert _value(shop_grounder, "how many orders were there?") == 400
    assert _value(shop_grounder, "how many orders in the North") == (sales.region == "North").sum()
    assert _value(shop_grounder, "how many customers") == sales.customer_id.nunique()
    found = shop_grounder.read("list orders with price above 300")
    assert isinstance(found, Reading)
    assert len(shop_grounder.engine.query(found.sql)) == (sales.price > 300).sum()


def test_one_for_yes_is_a_condition(shop_grounder: Grounder, sales: pd.DataFrame) -> None:
    assert _value(shop_grounder, "how many orders were returned") == sales.returned.sum()
    assert _value(shop_grounder, "how many orders were not returned") == (sales.returned == 0).sum()
    assert _value(shop_grounder, "what share of orders were returned") == pytest.approx(100 * sales.returned.mean())
    got = _value(shop_grounder, "average price of returned orders")
    assert got == pytest.approx(sales.price[sales.returned == 1].mean())
    found = shop_grounder.read("list the returned orders in the North")
    assert isinstance(found, Reading)
    listed = shop_grounder.engine.query(found.sql)
    assert len(listed) == ((sales.returned == 1) & (sales.region == "North")).sum()


def test_the_most_likely_is_no_count_of_rows(shop_grounder: Grounder) -> None:
    found = shop_grounder.understood("Show me the 5 orders most likely to be returned")
    assert isinstance(found, Declined)
    assert "known in all 400 rows" in found.reason


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("total price in Q1", "total price in Q1 2023"),
        ("how many orders in January", "how many orders in January 2023"),
        ("how many orders in the last month", "how many orders in February 2024"),
        ("total price in the last quarter", "total price in Q1 2024"),
    ],
)
def test_an_open_period_is_asked_about(shop_grounder: Grounder, question: str, first: str) -> None:
    found = shop_grounder.read(question)
    assert isinstance(found, Choice)
    listed = options(found, question, shop_grounder.read, shop_grounder.engine)
    assert listed[0].question == first
    assert all(isinstance(shop_grounder.read(o.question), Reading) for o in listed)


def test_a_month_that_only_one_year_has_is_of_that_year(shop_grounder: Grounder) -> None:
    assert _value(shop_grounder, "how many orders in March") == 31
    assert _value(shop_grounder, "how many orders in the second half") == 184


def test_a_part_of_the_only_year_needs_no_question(frames_grounder) -> None:
    visits = pd.DataFrame({"visit_id": range(300), "day": pd.date_range("2022-02-01", periods=300)})
    found = frames_grounder(visits=visits).read("how many visits in Q2")
    assert isinstance(found, Reading)
    assert "2022-04-01" in found.sql


LEADS = ("how many orders", "total orders", "average orders", "number by region of orders", "average order value")
MORE = (
    "between 100 and 200", "over 100", "in the North", "in March 2023", "that were returned", "not in the North",
    "in the North or South", "with status shipped", "except cancelled", "from 2023-02-01 to 2023-03-01",
)  # fmt: skip


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("lead", LEADS)
def test_an_option_keeps_every_condition_and_is_no_key(shop_grounder: Grounder, lead: str, more: str) -> None:
    question = f"{lead} {more}"
    found = shop_grounder.read(question)
    if not isinstance(found, Choice):
        assert isinstance(found, (Reading, Declined))
        return
    told = re.findall(r"\d+|North|South|shipped|cancelled|not|except|returned", more)
    for option in options(found, question, shop_grounder.read, shop_grounder.engine):
        assert not re.search(r"(distinct|total|mean) (order|customer)_id", option.text)
        if not option.question:
            continue
        assert more in option.question.replace("with price ", "").replace("with weight ", "")
        reading = shop_grounder.read(option.question)
        assert isinstance(reading, Reading)
        words = reading.sql.replace("<>", "not except")
        assert all(w.lstrip("0") in words for w in told), (option.question, reading.sql)


def test_words_of_an_operation_are_not_kept(shop_grounder: Grounder) -> None:
    question = "how many orders between 100 and 200"
    found = shop_grounder.read(question)
    assert isinstance(found, Choice)
    listed = options(found, question, shop_grounder.read, shop_grounder.engine)
    assert [o.means for o in listed] == ["", ""]  # "between" means price here, and something else elsewhere
    question = "average orders in the North"
    found = shop_grounder.read(question)
    assert isinstance(found, Choice)
    assert not any(o.means for o in options(found, question, shop_grounder.read, shop_grounder.engine))
