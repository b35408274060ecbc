"""The grounded planner: the calls it makes, from the turn alone, and how it ends."""

from __future__ import annotations

import ast
import asyncio
import json
import re
from pathlib import Path

import pytest

from lexsi_nb.agent.planner import Decision, Message, Turn
from lexsi_nb.app.session import Session
from lexsi_nb.planners.grounded import GroundedPlanner

# English, SQL and type words that are also a name or a value of the bank.
COMMON = frozenset({"most", "date", "type", "name", "order", "status", "operation"})


def decide(planner: GroundedPlanner, question: str, *messages: Message, force: bool = False) -> Decision:
    async def last() -> Decision:
        turn = Turn(question, "", "", (), (Message("user", question), *messages), 1, force)
        return [item async for item in planner.decide(turn)][-1]

    return asyncio.run(last())


def done(call_name: str, text: str, *, status: str = "ok", call_id: str = "1", **args) -> tuple[Message, Message]:
    from lexsi_nb.agent.planner import ToolCall

    return (
        Message("assistant", calls=(ToolCall(call_name, args, call_id),)),
        Message("tool", text, call_id=call_id, name=call_name, status=status),
    )


def test_a_count_question_takes_three_steps(shop):
    run = Session(namespace=dict(shop)).ask("how many customers have no orders")
    assert run.status == "answered"
    assert [s.tool for s in run.steps] == ["text_to_sql", "run_sql", "summarize_result"]
    gold = (~shop["customers"].customer_id.isin(shop["orders"].customer_id)).sum()
    assert run.frame.iloc[0, 0] == gold
    assert str(gold) in run.answer


@pytest.mark.parametrize("question", ["what is the meaning of life?", "delete all customers", "good customers", "hm"])
def test_what_cannot_be_grounded_ends_without_a_tool_call(shop, question):
    run = Session(namespace=dict(shop)).ask(question)
    assert run.status == "declined"
    assert run.steps == []
    assert run.answer


def test_a_greeting_is_told_what_can_be_asked(shop):
    run = Session(namespace=dict(shop)).ask("hi")
    assert (run.status, run.steps) == ("answered", [])
    assert "customers" in run.answer


def test_an_option_typed_as_the_next_question_is_chosen(shop):
    session = Session(namespace={"orders": shop["orders"]})
    put_back = session.ask("average orders")
    said = session.ask(f"{put_back.choice.options[0].text}: {put_back.choice.options[0].number}")
    assert said.status == "answered"
    assert said.frame.iloc[0, 0] == session.choose(1).frame.iloc[0, 0]


def test_two_readings_are_put_to_the_person_with_their_numbers(shop):
    run = Session(namespace={"orders": shop["orders"]}).ask("average orders")
    assert run.status == "needs_choice"
    assert run.steps == []
    assert f"{shop['orders'].unitPrice.mean():,.6g}" in run.answer


def test_a_schema_question_looks_at_the_schema(shop):
    run = Session(namespace=dict(shop)).ask("what tables are there?")
    assert [s.tool for s in run.steps] == ["inspect_data"]
    assert "customers (50 rows" in run.answer
    run = Session(namespace=dict(shop)).ask("what columns does orders have?")
    assert "unitPrice" in run.answer


def test_the_north_star_takes_the_documented_steps(berka_grounder):
    planner = GroundedPlanner(berka_grounder)
    question = "For loans currently being repaid, which are likely to default? Show me the top 10 and tell me why."
    sql = json.dumps(
        {"kind": "predictive", "context_sql": "c", "predict_sql": "p", "already_sql": "a", "top_k": 10,
         "task": {"target_column": "y", "entity_column": "id", "task_type": "classification"}}
    )  # fmt: skip
    replies = {"text_to_sql": sql, "summarize_result": "The ten are these."}
    messages: list[Message] = []
    calls = []
    for n in range(12):
        decision = decide(planner, question, *messages)
        if decision.answer is not None:
            break
        (call,) = decision.calls
        calls.append((call.name, call.args.get("label")))
        messages += done(call.name, replies.get(call.name, "10 rows x 2 columns."), call_id=str(n), **call.args)
    assert calls == [
        ("inspect_data", None), ("query_kg", None), ("text_to_sql", None), ("run_sql", "context_df"),
        ("run_sql", "predict_df"), ("run_sql", "already_df"), ("train_tabular_model", None), ("predict", None),
        ("explain_prediction", None), ("summarize_result", None),
    ]  # fmt: skip
    assert (decision.answer, decision.status) == ("The ten are these.", "answered")


def test_a_failed_call_ends_the_run_with_what_it_said(berka_grounder):
    planner = GroundedPlanner(berka_grounder)
    sql = json.dumps({"kind": "analytic", "sql": "SELECT 1"})
    decision = decide(
        planner, "how many loans", *done("text_to_sql", sql),
        *done("run_sql", "The query was stopped after 30 s.", status="failed", call_id="2"),
    )  # fmt: skip
    assert decision.status == "failed"
    assert "stopped after 30 s" in (decision.answer or "")


def test_a_denied_call_is_final(berka_grounder):
    decision = decide(
        GroundedPlanner(berka_grounder), "how many loans", *done("text_to_sql", "no scope", status="denied")
    )
    assert decision.status == "declined"


def test_no_rows_to_score_is_said_before_anything_is_trained(berka_grounder):
    sql = json.dumps({"kind": "predictive", "context_sql": "c", "predict_sql": "p", "task": {}})
    decision = decide(
        GroundedPlanner(berka_grounder), "which loans will default", *done("text_to_sql", sql),
        *done("run_sql", "234 rows x 5 columns.", call_id="2", label="context_df"),
        *done("run_sql", "0 rows x 5 columns.", call_id="3", label="predict_df"),
    )  # fmt: skip
    assert decision.status == "declined"


def test_a_forced_answer_never_calls(berka_grounder):
    decision = decide(GroundedPlanner(berka_grounder), "how many loans", force=True)
    assert decision.calls == ()
    assert decision.answer


def test_no_name_of_the_bank_stands_in_the_source(project_root: Path, bank_grounder):
    """The planner knows no data: every table, column and value word comes from the engine or the knowledge graph."""
    index = bank_grounder.index
    common = COMMON
    names = {n.casefold() for n in (*index.columns, *index.names())}
    values = {str(v).casefold() for listed in index.values.values() for v in listed.values() if len(str(v)) > 3}
    wanted = {n for n in names | values if len(n) > 2}
    folder = project_root / "lexsi_nb"
    for file in (*(folder / "grounding").rglob("*.py"), folder / "planners" / "grounded.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                words = set(re.findall(r"[\w.]+", node.value.casefold()))
                assert not (words & wanted) - common, f"{file.name}:{node.lineno}: {sorted((words & wanted) - common)}"
                assert node.value.casefold() not in names - COMMON, f"{file.name}:{node.lineno}: {node.value}"
