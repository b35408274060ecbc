"""Where a plain regression ranks better than the trees: the answer says so in sight, and its scores are there."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.wording import MIND
from lexsi_nb.widgets.answer_html import head_html

QUESTION = "Which customers are likely to have churned? Show the top 10."


def customers(chance) -> pd.DataFrame:
    """400 customers; a quarter has not been seen churn or stay yet."""
    rng, n = np.random.default_rng(0), 400
    frame = pd.DataFrame(
        {"customer_id": range(n), "visits": rng.integers(1, 50, n), "kind": rng.choice(list("abc"), n)}
    )
    frame["churned"] = pd.Series(rng.random(n) < chance(frame["visits"])).astype("Int64")
    frame.loc[frame.index % 4 == 0, "churned"] = pd.NA
    return frame


@pytest.fixture(scope="module")
def better() -> tuple[Session, dict]:
    frame = customers(lambda visits: 1 / (1 + np.exp(visits / 6 - 3)))
    with closing(Session(namespace={"customers": frame})) as session:
        yield session, session.ask(QUESTION)


def test_it_is_said_in_sight_and_its_scores_are_a_variable(better) -> None:
    session, run = better
    better_line, scores_line = run.facts[MIND]
    assert better_line.startswith("A logistic regression does better on these data (AUC 0.9")
    assert "regression_scores" in scores_line
    visible = head_html(run).split("<details")[0]
    assert better_line in visible
    assert scores_line in visible
    made = session.namespace["regression_scores"]
    assert set(made["customer_id"]) == set(session.namespace["predictions"]["customer_id"])
    assert made["probability"].is_monotonic_decreasing
    assert made["probability"].between(0, 1).all()
    visits = session.namespace["customers"].set_index("customer_id")["visits"].loc[made["customer_id"]]
    assert visits.reset_index(drop=True).corr(made["probability"], method="spearman") < -0.95  # as they were made


def test_its_cells_alone_make_the_same(better) -> None:
    session, run = better
    names = {"customers": session.namespace["customers"]}
    for cell in run.cells:
        if cell.kind != "chart":
            exec(cell.source, names)
    pd.testing.assert_frame_equal(names["regression_scores"], session.namespace["regression_scores"])


def test_where_the_trees_do_better_nothing_is_said() -> None:
    frame = customers(lambda visits: np.where((visits > 15) & (visits < 35), 0.9, 0.1))
    with closing(Session(namespace={"customers": frame})) as session:
        run = session.ask(QUESTION)
        assert run.status == "answered", run.answer
        assert MIND not in run.facts
        assert "regression_scores" not in session.namespace
        assert "better than a logistic regression" in run.facts["quality"][0]
