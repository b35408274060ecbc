"""A model that predicts nothing says so first; a question for reasons is held against what it takes for granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session


@pytest.fixture(scope="module")
def noise() -> pd.DataFrame:
    rng, n = np.random.default_rng(5), 150
    return pd.DataFrame(
        {
            "id": range(1, n + 1),
            "a": rng.normal(size=n).round(2),
            "b": rng.choice(["x", "y", "z"], n),
            "y": rng.choice([0.0, 1.0, np.nan], n, p=[0.4, 0.3, 0.3]),
            "amount": np.where(rng.random(n) < 0.2, np.nan, rng.normal(100, 20, n)).round(1),
        }
    )


@pytest.fixture(scope="module")
def session(noise: pd.DataFrame) -> Iterator[Session]:
    import lexsi_nb as lx

    opened = lx.Session({"df": noise}, planner="embedded", namespace={"df": noise})
    yield opened
    opened.close()


def test_a_model_without_skill_says_so_before_its_scores(session):
    session.reset()
    run = session.ask("predict amount")
    assert run.status == "answered", run.answer
    assert run.answer.startswith("This model predicts no better than the mean of all known (R2 ")


def test_the_premise_of_a_question_for_reasons_is_checked(session, noise):
    session.reset()
    frame = session.ask("predict y for df").frame
    assert frame is not None
    scores = session.namespace["predictions"].sort_values("probability")
    low, high = scores.id.iloc[0], scores.id.iloc[-1]
    assert "So it is not high." in session.ask(f"why is {low} high?").answer
    said = session.ask(f"why is {high} high?").answer
    assert f"{high} scores " in said
    assert f"place 1 of {len(scores)}" in said
    assert "not high" not in said
    assert "So it is not low." in session.ask(f"why is {high} so low?").answer
    known = int(noise.id[noise.y.notna()].iloc[0])
    run = session.ask(f"why {known}?")  # a row that was not scored is no failure
    assert run.status == "declined"
    assert "is not among the rows that were scored" in run.answer


def test_without_a_model_there_is_nothing_to_explain(session):
    session.reset()
    run = session.ask("explain 260")
    assert run.status == "declined"
    assert run.answer.startswith("Nothing was predicted before")


def test_the_probability_of_one_row_is_of_the_column_that_is_named(session, noise):
    session.reset()
    open_ = int(noise.id[noise.y.isna()].iloc[0])
    run = session.ask(f"what is the probability that y is 1 for id {open_}")
    assert run.status == "answered", run.answer
    assert run.answer.startswith(f"{open_} scores 0.")
    session.reset()
    assert "probability that y is 1" in session.ask(f"probability that y is 0 for id {open_}").answer
    session.reset()
    known = int(noise.id[noise.y.notna()].iloc[0])
    assert session.ask(f"probability that y is 1 for id {known}").status == "declined"
