"""summarize_result: numbers of the objects only, notes appended, and scores whose columns have no known name."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.planners.scripted import call
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context

LOANS = pd.DataFrame(
    {"status": list("ABABC"), "amount": [10.0, 20.0, 30.0, 40.0, 5.0], "year": [1993, 1994, 1993, 1995, 1995]}
)
SAY = call("summarize_result", question="q")


def told(play: Any, sql: str, **options: Any) -> str:
    """Return the summary of one query."""
    lines = [call("run_sql", sql=sql, label="answer_df"), call("summarize_result", question="q", **options)]
    run = play(*lines, namespace={"loans": LOANS.copy()})
    assert run.steps[1].status == "ok", run.steps[1].summary
    return run.steps[1].summary


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT sum(amount) AS total FROM loans", "105."),
        ("SELECT min(year) AS year, sum(amount) AS total FROM loans", "year 1993, total 105."),
        ("SELECT status, sum(amount) AS t FROM loans GROUP BY 1 ORDER BY 1", "A: 40; B: 60; C: 5."),
        ("SELECT * FROM loans WHERE amount > 99", "no rows."),
        ("SELECT * FROM loans ORDER BY amount DESC", "5 rows; first: status B, amount 40, year 1995."),
    ],
)
def test_it_says_what_the_result_holds(play, sql, said):
    assert told(play, sql) == said


def test_notes_are_appended(play):
    assert told(play, "SELECT count(*) AS n FROM loans", notes=" Without closed ones. ") == "5. Without closed ones."


def test_the_named_result_is_cited_and_not_the_latest(play):
    run = play(
        call("run_sql", sql="SELECT 1 AS a", label="first"),
        call("run_sql", sql="SELECT 2 AS a", label="second"),
        call("summarize_result", question="q", sql_result_label="first"),
        call("summarize_result", question="q", sql_result_label="frist"),
        namespace={"loans": LOANS},
    )
    assert run.steps[2].summary == "1."
    assert "first" in run.steps[3].summary
    assert run.steps[3].status == "failed"


def test_before_anything_it_says_so(play):
    assert play(SAY, namespace={"loans": LOANS}).steps[0].summary == "Nothing was computed yet."


# -- predictions of any shape: another backend, or a tool of the user's, may leave them


def scored_by(frame: pd.DataFrame, **keys: Any) -> Any:
    """Return a tool that leaves `frame` as the predictions of the run."""

    @tool(scopes=("model:use",), side_effect="kernel", name="score")
    def score(*, ctx: Context) -> ToolResult:
        """Score with a service."""
        ctx.put("last_predictions", frame)
        for key, value in keys.items():
            ctx.put(key, value)
        return ToolResult(True, "Scored.")

    return score


def summary_of(frame: pd.DataFrame, play: Any, **keys: Any) -> str:
    """Return what is said of such predictions."""

    def add(turn: Any) -> Any:
        return call("score")

    from lexsi_nb.app.session import Session
    from lexsi_nb.planners.scripted import ScriptedPlanner, say

    session = Session(planner=ScriptedPlanner([add, SAY, say("end")]), namespace={"loans": LOANS})
    session.add_tool(scored_by(frame, **keys))
    run = session.ask("q")
    session.close()
    assert [s.status for s in run.steps] == ["ok", "ok"], run.steps
    return run.steps[1].summary


def test_scores_under_names_of_another_backend_are_found(play):
    frame = pd.DataFrame({"id": [1, 2, 3], "Predicted_value_AutoML": [0, 1, 0], "pred_proba_AutoML": [0.2, 0.9, 0.5]})
    assert summary_of(frame, play) == "Highest scores among 3: 2 (0.900), 3 (0.500), 1 (0.200)."


def test_scores_whose_columns_are_not_clear_are_summarised_by_what_is_certain(play):
    frame = pd.DataFrame({"id": [1, 2], "q17": [0.2, 0.9]})
    text = summary_of(frame, play)
    assert text.startswith("2 rows were scored; which column holds the score is not clear from the names: id, q17.")
    assert text.endswith("First row: id 1, q17 0.2.")


def test_column_names_that_do_not_exist_are_not_trusted(play):
    frame = pd.DataFrame({"id": [1], "q17": [0.2]})
    text = summary_of(frame, play, last_prediction_columns={"pred": "gone", "prob": "gone", "entity": "id"})
    assert "not clear" in text


def test_reasons_come_from_last_xai_where_there_is_no_more(play):
    frame = pd.DataFrame({"id": [1, 2], "probability": [0.2, 0.9]})
    xai = [{"case_id": 2, "shap_values": {"a": 0.1, "b": -0.7, "c": 0.0}}]
    text = summary_of(frame, play, last_xai=xai, last_xai_failures=[{"case_id": 1, "error": "away"}])
    assert text.endswith("What moved this score most: b, a. 1 case could not be explained: 1.")


def test_every_number_of_a_predictive_summary_is_in_the_objects(play):
    rng = np.random.default_rng(5)
    known = pd.DataFrame({"case": range(60), "x": rng.normal(size=60)})
    known["bad"] = (known["x"] + rng.normal(size=60) > 0).astype(int)
    names = {"known": known, "opened": pd.DataFrame({"case": range(100, 120), "x": rng.normal(size=20)})}
    run = play(
        call("train_tabular_model", df_label="known", target_column="bad", entity_column="case"),
        call("predict", df_label="opened"),
        call("explain_prediction", top_k=7),
        call("summarize_result", question="q", notes="Seen by nobody."),
        namespace=names,
    )
    text = run.steps[3].summary
    frame = names["predictions"].set_index("case")["probability"]
    assert text.startswith(f"The 10 highest of 20 rows score {frame.iloc[0]:.3f} to {frame.iloc[9]:.3f}.")
    rest = text.split(". ", 1)[1]
    assert set(re.findall(r"\d+", rest)) <= {str(known["bad"].sum()), "60", "7"}
    assert text.endswith("Seen by nobody.")


def test_scores_of_rows_that_changed_since_are_told_as_stale(play):
    rng = np.random.default_rng(5)
    names: dict[str, Any] = {"known": pd.DataFrame({"loan_id": range(60), "x": rng.normal(size=60)})}
    names["known"]["bad"] = (names["known"]["x"] + rng.normal(size=60) > 0).astype(int)
    names["opened"] = pd.DataFrame({"loan_id": range(100, 120), "x": rng.normal(size=20)})

    def edit(_: Any) -> Any:
        names["opened"].loc[0, "x"] = 9.0
        return SAY

    train = call("train_tabular_model", df_label="known", target_column="bad", entity_column="loan_id")
    score = call("predict", df_label="opened")
    run = play(train, score, edit, score, SAY, namespace=names)
    stale = "predictions is stale: opened was edited since step 2; what follows was made before."
    assert stale in run.steps[2].summary
    assert "stale" not in run.steps[4].summary


def test_a_result_of_rows_that_changed_since_is_told_as_stale(play):
    loans = LOANS.copy()

    def edit(_: Any) -> Any:
        loans.loc[0, "amount"] = 1000.0
        return call("summarize_result", question="q", sql_result_label="total")

    sums = call("run_sql", sql="SELECT sum(amount) AS s FROM loans", label="total")
    run = play(sums, edit, namespace={"loans": loans})
    assert run.steps[1].summary == "total is stale: loans was edited since step 1; what follows was made before. 105."
