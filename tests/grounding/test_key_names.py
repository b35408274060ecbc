"""A noun that only the key has a name for stands for the rows, and a `not` belongs to what comes after it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx


@pytest.fixture(scope="module")
def sales() -> pd.DataFrame:
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "order_id": pd.array(np.arange(1, 401), dtype="Int64"),
            "region": draw.choice(["North", "South", "East"], 400),
            "amount": draw.normal(100, 20, 400).round(2),
            "returned": pd.array(draw.integers(0, 2, 400), dtype="Int64"),
        }
    )
    frame.loc[300:, "returned"] = pd.NA
    return frame


def ask(frame: pd.DataFrame, question: str) -> Any:
    return lx.Session({"sales": frame}, namespace={}).ask(question)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which orders are likely to be returned? Show the top 5 and why", 5),
        ("Which orders will be returned? Show the top 350 and why", 100),
        ("Which orders are likely to be returned? Show me the top 10 highest-risk orders and tell me why.", 10),
    ],
)
def test_how_many_to_show_is_no_id_of_a_row(sales: pd.DataFrame, question: str, shown: int) -> None:
    run = ask(sales, question)
    assert re.search(r"\b(among|of) 100\b", run.answer), run.answer
    assert len(run.frame) == shown


def test_a_not_after_a_noun_says_nothing_of_missing_values(sales: pd.DataFrame) -> None:
    some = sales.copy()
    some.loc[[3, 50, 77, 200], "order_id"] = pd.NA
    run = ask(some, "average amount of orders not in the North")
    wanted = some.loc[some["region"] != "North", "amount"].mean()
    assert run.status == "declined" or run.frame.iloc[0, -1] == pytest.approx(wanted)
    assert "missing" not in run.answer
    said = ask(some, "average amount of sales not in the North")
    assert said.frame.iloc[0, -1] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what is the status of the loan of the client with id 88?", "D"),
        ("how many orders has the account with id 1?", 1),
        ("how many loans of the client with id 89", 0),
        ("how many transactions of the account with ID 4?", None),
    ],
)
def test_an_id_is_a_key_of_the_noun_before_it(bank_grounder, question: str, value: Any) -> None:
    found = bank_grounder.read(question)
    assert "age" not in found.sql
    assert "birth" not in found.sql
    frame = bank_grounder.engine.query(found.sql)
    if value is None:
        value = bank_grounder.engine.query("SELECT count(*) FROM trans WHERE account_id = 4").iloc[0, 0]
    assert frame.iloc[0, -1] == value
