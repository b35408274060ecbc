"""How a reading is said: a column of other rows, yes and no, one row for each."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Reading

SHOPS = pd.DataFrame({"shop_id": [1, 2, 3], "region": ["west", "east", "east"], "franchised": [True, False, True]})
SALES = pd.DataFrame(
    {
        "sale_id": range(1, 8),
        "shop_id": [1, 1, 2, 2, 3, 3, 3],
        "price": [4.0, 6.0, 10.0, 2.0, 8.0, 1.0, 3.0],
        "sold_on": pd.to_datetime([f"2024-0{m}-11" for m in (1, 5, 2, 3, 6, 4, 5)]),
    }
)


@pytest.fixture
def shops(frames_grounder):
    return frames_grounder(shops=SHOPS, sales=SALES)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("mean price by region", "mean price of sales, by region of shops"),
        ("mean price of sales of franchised shops", "mean price of sales with shop franchised yes"),
        ("how many shops are not franchised", "number of shops with franchised no"),
        ("number of sales in the west", "number of sales with shop region west"),
        ("number of sales by month", "number of sales, by month of sold_on"),
        ("last sale of each shop", "rows of sales, one for each shop: the latest by sold_on"),
        (
            "the highest sale by price in each region",
            "rows of sales, one for each region of shops: the highest by price",
        ),
    ],
)
def test_a_reading_is_said_as_a_person_would(shops, question, text):
    found = shops.read(question)
    assert isinstance(found, Reading), found
    assert found.text == text


def test_what_is_said_can_be_asked_again(shops, bank_grounder):
    for grounder, question in [
        (shops, "mean price by region"),
        (shops, "number of sales in the west"),
        (shops, "how many shops are not franchised"),
        (bank_grounder, "number of loans in Prague by region"),
    ]:
        found = grounder.read(question)
        again = grounder.read(found.text)
        assert isinstance(again, Reading), (found.text, again)
        assert again.sql == found.sql
