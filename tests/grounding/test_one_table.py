"""Questions over one table that needs no name, names with a genitive, and where a column is kept."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.grounding.reading import Choice, Reading

VISITS = pd.DataFrame(
    {
        "visit": [1, 2, 3, 3, 4, 5],
        "keeper's name": ["Ada", "Bo", None, None, "Ada", "Bo"],
        "wait": [3.0, None, 5.0, 5.0, 8.0, 1.0],
        "cost": [10, 20, 30, 30, 40, 50],
        "day": pd.to_datetime(["2024-01-03", "2024-01-20", "2024-02-03", "2024-02-03", "2024-03-03", "2024-03-31"]),
    }
)


@pytest.fixture(scope="module")
def visits(frames_grounder):
    return frames_grounder(visits=VISITS)


@pytest.mark.parametrize(
    ("question", "column", "value"),
    [
        ("are there duplicates?", "answer", True),
        ("how many duplicate rows?", "rows_with_them", 2),
    ],
)
def test_repeats_are_looked_for_in_the_only_table(visits, question, column, value):
    assert visits.engine.query(visits.read(question).sql)[column].tolist() == [value]


def test_gaps_are_looked_for_in_every_table_where_none_is_named(visits, bank_grounder):
    frame = visits.engine.query(visits.read("missing values").sql)
    assert dict(zip(frame.column_name, frame.missing, strict=True)) == {"keeper's name": 2, "wait": 1}
    tables = bank_grounder.engine.query(bank_grounder.read("are there missing values?").sql).table_name
    assert set(tables) == {"district", "order", "trans"}


@pytest.mark.parametrize("name", ["keeper's name", "keeper name", "Keeper's name"])
def test_a_name_with_a_genitive_is_found_with_and_without_it(visits, name):
    found = visits.read(f"total cost by {name}")
    assert isinstance(found, Reading), found
    frame = visits.engine.query(found.sql)
    assert dict(zip(frame["keeper's name"].fillna(""), frame.total_cost, strict=True)) == {"Ada": 50, "Bo": 70, "": 60}


@pytest.mark.parametrize("question", ["trend of wait by month", "growth of wait by month"])
def test_a_number_over_time_that_may_add_up_or_not_is_asked_about(visits, question):
    found = visits.read(question)
    assert isinstance(found, Choice)
    assert found.options == ("total wait", "mean wait")
    assert isinstance(visits.read("running total of wait by month"), Reading)
    assert isinstance(visits.read("trend of mean wait by month"), Reading)


def test_where_a_misspelt_column_is_kept_names_its_table():
    trips = pd.DataFrame({"tailnum": ["a", "b"], "km": [1, 2]})
    with closing(lx.Session(lx.datasets.open({"trips": trips, "other": trips[["km"]]}), namespace={})) as session:
        assert "trips.tailnum" in session.ask("which table has the tail number?").answer


def test_many_rows_are_learned_from_in_part_and_it_is_said(monkeypatch):
    monkeypatch.setattr("lexsi_nb.planners.grounded.MOST_LEARNED", 300)
    rng = np.random.default_rng(0)
    trips = pd.DataFrame({"size": rng.normal(10, 3, 400), "kind": rng.choice(list("abc"), 400)})
    trips["fare"] = trips["size"] * 2 + rng.normal(0, 1, 400)
    trips.loc[trips.index % 20 == 0, "fare"] = np.nan
    with closing(lx.Session(lx.datasets.open({"trips": trips}), namespace={})) as session:
        run = session.ask("predict the fare of trips")
        assert run.status == "answered"
        assert "Learned from 78.9% of the rows where it is known." in run.answer
