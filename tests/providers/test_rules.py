"""Each rule of the planner's framing has a situation, and in each a message of ours tells the model what to do."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.agent.prompts import PLANNER_SYSTEM
from lexsi_nb.planners.scripted import ScriptedPlanner, call, calls, say

FRAME = pd.DataFrame({"city": ["Brno", "Praha", "Plzen"] * 20, "amount": range(60), "late": [0, 1, 0] * 20})


def run(*lines: Any, data: Any = None, **options: Any) -> lx.Session:
    session = lx.Session(data or {"sales": FRAME}, planner=ScriptedPlanner(list(lines)), namespace={}, **options)
    session.ask("How are the sales?")
    return session


def said(session: lx.Session, at: int = -1) -> str:
    return session.runs[-1].steps[at].summary


def test_there_are_eleven_rules() -> None:
    numbers = re.findall(r"(?m)^(\d+)\. ", PLANNER_SYSTEM)
    assert [int(n) for n in numbers] == list(range(1, 12))


def test_every_tool_that_the_rules_name_is_there() -> None:
    from lexsi_nb.toolkit.registry import Registry
    from lexsi_nb.tools.catalogue import built_in

    names = set(Registry(built_in()).names)
    named = set(re.findall(r"\b[a-z]+_[a-z_]+\b", PLANNER_SYSTEM))
    assert named - names <= {"context_df", "predict_df", "df_label", "tool_name"}


def test_rule_1_sql_without_the_schema_is_told_the_nearest_columns() -> None:
    session = run(call("run_sql", sql="SELECT amont FROM sales"), say("x"))
    assert "amount" in said(session)


def test_rule_2_an_unknown_entry_of_the_graph_names_the_nearest(bank: Any) -> None:
    session = run(call("query_kg", node="disambig:default_is_b_or"), say("x"), data=bank)
    assert "disambig:default_is_b_or_d" in said(session)


def test_rule_3_a_number_of_no_result_is_marked_and_a_withheld_part_is_said(model_server: Any) -> None:
    model_server.brain = lambda asked: (
        model_server.Reply("It is 777.")
        if asked.results
        else model_server.Reply(calls=[("run_sql", {"sql": "SELECT sum(amount) AS s FROM sales"})])
    )
    session = lx.Session({"sales": FRAME}, planner=model_server.choice("openai"), namespace={}, replay="off")
    assert session.ask("How are the sales?").answer == "It is 777 [not in the results]."
    assert "withheld by the data policy" in model_server.requests[-1].results[0][1]


def test_rules_4_and_5_what_the_data_lack_and_what_is_open_is_named() -> None:
    session = run(call("text_to_sql", question="average salary by planet"), say("x"))
    assert "planet" in said(session)
    assert session.runs[-1].steps[-1].status == "failed"


def test_rule_6_sql_by_name_before_it_was_written() -> None:
    session = run(call("run_sql", sql="answer_sql"), say("x"))
    assert "Call text_to_sql first" in said(session)


def test_rule_6_a_question_that_failed_leaves_no_sql_of_the_one_before() -> None:
    session = run(
        call("text_to_sql", question="total amount by city"),
        calls(call("text_to_sql", question="average salary by planet"), call("run_sql", sql="answer_sql")),
        say("x"),
    )
    assert session.runs[-1].steps[-1].status == "failed"
    assert "no statement" in said(session).casefold()


def test_rule_6_sql_by_name_is_the_sql_that_was_written() -> None:
    session = run(
        calls(call("text_to_sql", question="total amount by city"), call("run_sql", sql="answer_sql", label="totals")),
        say("x"),
    )
    assert session.runs[-1].frame.shape == (3, 2)
    assert "answer_sql" not in session.runs[-1].cells[-1].source


def test_rule_7_an_empty_result_sends_to_sample_values() -> None:
    session = run(call("run_sql", sql="SELECT * FROM sales WHERE amount > 99"), say("x"))
    assert "The result is empty: check the literals with sample_values" in said(session)


def test_rule_7_a_literal_that_occurs_nowhere_comes_back_before_it_runs() -> None:
    wrong, meant = (call("run_sql", sql=f"SELECT * FROM sales WHERE city = '{city}'") for city in ("brno", "Brno"))
    first, second = run(wrong, meant, say("x")).runs[-1].steps
    assert (first.status, second.status) == ("failed", "ok")
    assert "'brno' does not occur in sales.city." in first.summary
    assert "There is: 'Brno'" in first.summary
    assert "20 rows" in second.summary


def test_rule_8_sample_values_gives_the_spelling() -> None:
    session = run(call("sample_values", table="sales", column="city"), say("x"))
    assert "'Brno'" in said(session) or "Brno" in said(session)


@pytest.mark.parametrize("tool", ["predict", "explain_prediction"])
def test_rule_9_a_step_out_of_order_names_the_one_before(tool: str) -> None:
    args = {"df_label": "sales"} if tool == "predict" else {}
    session = run(call(tool, **args), say("x"))
    assert re.search(r"Call (train_tabular_model|predict) first", said(session))


def test_rule_10_a_denied_call_says_that_it_is_final() -> None:
    session = run(call("run_sql", sql="SELECT 1"), say("x"), scopes=frozenset())
    assert session.runs[-1].steps[-1].status == "denied"
    assert "do not" in said(session).casefold()


PREDICTION = [
    ("run_sql", {"sql": "SELECT id, city, size, late FROM sales WHERE id < 40", "label": "context_df"}),
    ("run_sql", {"sql": "SELECT id, city, size FROM sales WHERE id >= 40", "label": "predict_df"}),
    ("train_tabular_model", {"df_label": "context_df", "target_column": "late", "entity_column": "id"}),
    ("predict", {"df_label": "predict_df"}),
]


@pytest.mark.parametrize("policy", ["schema", "rows"])
@pytest.mark.parametrize("side_query_fails", [False, True])
def test_rule_11_a_skipped_summary_is_made_and_stands_before_the_models_words(
    model_server: Any, policy: str, side_query_fails: bool
) -> None:
    def brain(asked: Any) -> Any:
        if not asked.tools:
            return model_server.Reply("A model's summary of 20 scores.")
        return model_server.Reply("See predictions.") if asked.results else model_server.Reply(calls=PREDICTION)

    model_server.brain = brain
    model_server.faults = ["", "", "401"] if side_query_fails else []
    mixed = [i * 7919 % 61 for i in range(60)]
    data = {"sales": FRAME.assign(id=range(60), size=mixed, late=[int(m * m % 17 > 7) for m in mixed])}
    session = lx.Session(data, planner=model_server.choice("anthropic"), policy=policy, namespace={}, replay="off")
    run = session.ask("Which sales will be late?")
    assert run.status == "answered", run.answer
    assert [s.tool for s in run.steps][-2:] == ["predict", "summarize_result"]
    summary, _, words = run.answer.rpartition("\n\n")
    assert words == "See predictions."
    by_model = policy == "rows" and not side_query_fails
    assert (summary == "A model's summary of 20 scores.") is by_model
    assert ("The 10 highest of 20 rows score " in summary) is not by_model
    assert "stale" not in run.answer


def test_rule_11_a_label_where_a_frame_is_wanted_names_the_nearest() -> None:
    session = run(
        call("run_sql", sql="SELECT * FROM sales", label="context_df"),
        call("train_tabular_model", df_label="contextdf", target_column="late"),
        say("x"),
    )
    assert "Nearest: context_df" in said(session)
    assert "A df_label is the label" in said(session)


def test_rule_11_a_bare_label_in_sql_is_read_as_the_frame_it_holds() -> None:
    session = run(
        call("run_sql", sql="SELECT * FROM sales WHERE amount > 29", label="predict_df"),
        call("run_sql", sql="SELECT count(*) AS n FROM predict_df"),
        say("x"),
    )
    assert session.runs[-1].frame["n"].tolist() == [30]
    missing = run(call("run_sql", sql="SELECT * FROM predict_df"), say("x"))
    assert "predict_df" in said(missing)
    assert missing.runs[-1].steps[-1].status == "failed"
