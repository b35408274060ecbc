"""Axes say the unit of their numbers where the knowledge graph has it, and what a contribution does, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

import lexsi_nb as lx
from lexsi_nb.artifacts.results import Chart


@pytest.fixture(scope="module")
def asked(bank: Any) -> Any:
    session = lx.Session(bank, namespace={})
    yield session
    session.close()


@pytest.mark.parametrize(
    ("question", "channel", "title"),
    [
        ("What is the average amount of loans per region?", "x", "mean amount (CZK)"),
        ("total loan amount per year", "y", "total amount (CZK)"),
        ("Show the distribution of loan amounts", "x", "amount (CZK)"),
        ("How many loans are there per year?", "y", "number of loans"),
    ],
)
def test_an_axis_says_the_unit(asked: lx.Session, question: str, channel: str, title: str) -> None:
    chart = asked.ask(question).of(Chart)[-1]
    assert chart.spec["encoding"][channel]["title"] == title


def test_pictures_of_scores_say_units_and_what_they_show(asked: lx.Session) -> None:
    run = asked.ask("For loans currently being repaid, which are likely to default?")
    ranking = run.of(Chart)[0].spec["layer"][0]["encoding"]
    assert ranking["x"]["title"].startswith("score (")
    assert ranking["y"]["title"] == "number of rows"
    views = asked.shap()
    for feature, title in (("amount", "amount (CZK)"), ("duration", "duration (months)"),
                           ("balance_min_90d", "balance_min_90d (CZK)")):  # fmt: skip
        encoding = views.view("dependence", feature=feature).chart.spec["encoding"]
        assert encoding["x"]["title"] == title
        assert encoding["y"]["title"] == ["contribution (log-odds)", "above 0 raises the score"]
        assert [t.get("title") for t in encoding["tooltip"]][:2] == ["loan_id", title]
    assert views.view("waterfall").chart.spec["layer"][0]["encoding"]["x"]["title"] == "raw score (log-odds)"
    swarm = views.view("beeswarm").chart.spec
    assert {v["case"] for v in swarm["data"]["values"]} <= {str(i) for i in views.cases}
