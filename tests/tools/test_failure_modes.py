"""Three ways in which such agents fail that this one cannot: empty errors, labels unknown to SQL, no summary."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.modeling.embedded import EmbeddedBackend
from lexsi_nb.planners.scripted import ScriptedPlanner, call, decline, say


@pytest.fixture
def names() -> dict[str, Any]:
    """Return sixty labelled and twenty open cases."""
    rng = np.random.default_rng(5)
    known = pd.DataFrame({"loan_id": range(60), "x": rng.normal(size=60)})
    known["bad"] = (known["x"] + rng.normal(size=60) > 0).astype(int)
    return {"known": known, "opened": pd.DataFrame({"loan_id": range(100, 120), "x": rng.normal(size=20)})}


TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="loan_id")
SCORE = call("predict", df_label="opened")


class Silent(EmbeddedBackend):
    """A backend whose service fails without a word."""

    def __init__(self, *fails: str) -> None:
        self.fails = fails

    def train(self, *args: Any, **options: Any) -> Any:
        """Train, or raise an exception that says nothing."""
        if "train" in self.fails:
            raise Exception("")
        return super().train(*args, **options)

    def predict(self, *args: Any, **options: Any) -> Any:
        """Predict, or raise an exception that says nothing, after one that says something."""
        if "predict" in self.fails:
            try:
                raise ConnectionError("the pool is full")
            except ConnectionError as error:
                raise RuntimeError from error
        return super().predict(*args, **options)


@pytest.mark.parametrize(("step", "at"), [("train", 0), ("predict", 1)])
def test_a_failure_without_a_message_still_says_what_failed(step, at, names, play):
    run = play(TRAIN, SCORE, namespace=names, backend=Silent(step))
    assert run.steps[at].status == "failed"
    assert run.steps[at].tool in run.steps[at].summary
    assert "without a message" in run.steps[at].summary
    if step == "predict":
        assert "the pool is full" in run.steps[at].summary


def test_a_label_is_a_table_for_sql(names, play):
    run = play(
        call("run_sql", sql="SELECT * FROM opened WHERE loan_id < 110", label="predict_df"),
        call("run_sql", sql="SELECT * FROM predict_df", label="same"),
        call("run_sql", sql='SELECT count(*) AS n FROM "predict_df" AS p JOIN opened USING (loan_id)', label="n"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["ok"] * 3
    assert names["same"].equals(names["predict_df"])
    assert names["n"].iloc[0, 0] == 10


def test_predictions_are_a_table_too(names, play):
    run = play(
        TRAIN, SCORE, call("run_sql", sql="SELECT max(probability) AS p FROM predictions", label="top"), namespace=names
    )
    assert run.steps[2].status == "ok", run.steps[2].summary
    assert names["top"].iloc[0, 0] == names["predictions"]["probability"].max()


# -- a summary that was skipped


def ask(names: dict[str, Any], *lines: Any, **options: Any) -> tuple[Any, ScriptedPlanner, Session]:
    """Return the run, the planner and the session of a question."""
    planner = ScriptedPlanner(list(lines))
    session = Session(planner=planner, namespace=names, **options)
    return session.ask("which are bad?"), planner, session


def test_the_summary_says_which_class_the_scores_are_of(names):
    known, opened = names["known"].copy(), names["opened"]
    known["bad"] = known["bad"].map({0: "stays", 1: "leaves"})
    run, _, _ = ask({"known": known, "opened": opened}, TRAIN, SCORE, say("done"))
    rarer = known["bad"].value_counts().index[-1]
    assert re.search(rf"The 10 highest of 20 rows score [\d.]+ to [\d.]+ for bad = '{rarer}'\.", run.answer)


def test_an_answer_after_predict_carries_the_summary(names):
    run, _, _ = ask(names, TRAIN, SCORE, say("The predictions are cached; next you could explain them."))
    assert run.status == "answered"
    assert [s.tool for s in run.steps] == ["train_tabular_model", "predict", "summarize_result"]
    assert "The 10 highest of 20 rows score " in run.answer
    assert run.answer.endswith("The predictions are cached; next you could explain them.")


def test_a_summary_that_was_made_and_not_told_is_told(names):
    run, _, _ = ask(names, TRAIN, SCORE, call("summarize_result", question="q"), say("Done."))
    assert len(run.steps) == 3
    assert run.answer.startswith(run.steps[2].summary)
    assert run.answer.endswith("Done.")


def test_a_summary_that_was_told_is_not_told_twice(names):
    def tell(turn: Any) -> Any:
        return say(turn.observations("summarize_result")[-1].text)

    run, _, _ = ask(names, TRAIN, SCORE, call("summarize_result", question="q"), tell)
    assert run.answer.count("The 10 highest of 20 rows") == 1


def test_a_summary_from_before_the_prediction_does_not_count(names):
    early = [call("run_sql", sql="SELECT count(*) AS n FROM known", label="n"), call("summarize_result", question="q")]
    run, _, _ = ask(names, *early, TRAIN, SCORE, say("Done."))
    assert [s.tool for s in run.steps][-1] == "summarize_result"
    assert "The 10 highest of 20 rows score " in run.answer


def test_a_second_prediction_gets_a_summary_of_its_own(names):
    names["few"] = names["opened"].head(5)
    summary = call("summarize_result", question="q")
    run, _, _ = ask(names, TRAIN, SCORE, summary, call("predict", df_label="few"), say("Done."))
    assert "Highest scores among 5:" in run.answer
    assert " of 20 rows" not in run.answer


def test_a_forced_answer_carries_it_too(names):
    run, _, _ = ask(names, TRAIN, SCORE, max_steps=2)
    assert "The 10 highest of 20 rows score " in run.answer


def test_a_declined_question_gets_none(names):
    run, _, _ = ask(names, TRAIN, SCORE, decline("I would rather not."))
    assert (run.status, run.answer) == ("declined", "I would rather not.")


def test_the_events_tell_the_same_answer(names):
    session = Session(planner=ScriptedPlanner([TRAIN, SCORE, say("Done.")]), namespace=names)

    async def last() -> Any:
        return [e async for e in session.stream("q")][-1]

    assert asyncio.run(last()).answer == session.runs[-1].answer


def test_scores_do_not_reach_a_planner_elsewhere_by_way_of_the_answer(names):
    planner = ScriptedPlanner([TRAIN, SCORE, say("Done."), say("Hello.")])
    planner.local = False
    session = Session(planner=planner, namespace=names, policy="schema")
    run = session.ask("which are bad?")
    session.ask("and now?")
    assert "The 10 highest of 20 rows score " in run.answer
    score = f"{names['predictions']['probability'].iloc[0]:.2f}"
    assert not [m for m in planner.turns[-1].messages if score in m.text]
