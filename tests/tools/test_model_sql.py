"""SQL that a model writes for text_to_sql: linked schema in, checks before it runs, problems sent back."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

QUESTION = "which branch keeps the thriftiest borrowers of Prague"  # nothing the grammar can read
GOOD = "SELECT count(*) AS n FROM loan WHERE status = 'A'"


class ScriptedModel:
    """Gives its replies in order and keeps what it was sent."""

    name = "scripted model"

    def __init__(self, *replies: str, local: bool = True) -> None:
        self.replies, self.local, self.sent = list(replies), local, []

    async def complete(self, prompt: str, *, system: str = "", output_type: type = str) -> str:
        self.sent.append((system, prompt))
        return self.replies[min(len(self.sent), len(self.replies)) - 1]


def said(sql: str) -> str:
    return json.dumps({"sql": sql, "read_as": "as it was meant"})


def asked(bank, model, **options):
    planner = ScriptedPlanner([call("text_to_sql", question=QUESTION), say("done")])
    session = Session(bank, planner=planner, model=model, namespace={}, **options)
    return session.ask(QUESTION)


BAD = {
    "a literal that occurs nowhere": ("SELECT count(*) AS n FROM loan WHERE status = 'bad'", "'bad' does not occur"),
    "a join on no key": (
        'SELECT count(*) AS n FROM loan l JOIN "order" o ON o.amount = l.amount',
        "joins on no key",
    ),
    "a fan-out": (
        "SELECT sum(l.amount) AS s FROM loan l JOIN trans t ON t.account_id = l.account_id",
        "more than once",
    ),
    "a column that is not there": ("SELECT avg(l.amuont) AS a FROM loan l", "amuont"),
    "no join condition": ("SELECT count(l.loan_id) AS n FROM loan l, client c", "without a condition"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_the_data_do_not_bear_out_goes_back_before_it_runs(bank, kind):
    bad, words = BAD[kind]
    model = ScriptedModel(said(bad), said(GOOD))
    run = asked(bank, model)
    written = json.loads(run.steps[0].summary)
    assert written["sql"] == GOOD
    assert len(model.sent) == 2
    assert words in model.sent[1][1]
    assert bad in model.sent[1][1]


def test_the_prompt_links_tables_values_and_joins(bank):
    model = ScriptedModel(said(GOOD))
    asked(bank, model)
    system, prompt = model.sent[0]
    assert "DuckDB" in system
    assert QUESTION in prompt
    assert "value district.region = 'Prague'" in prompt
    assert "join client.district_id = district.district_id" in prompt or "district(" in prompt


def test_three_bad_statements_end_the_step_with_the_problem(bank):
    model = ScriptedModel(said(BAD["a fan-out"][0]))
    run = asked(bank, model)
    assert run.steps[0].status == "failed"
    assert len(model.sent) == 3
    assert "more than once" in run.steps[0].summary


def test_a_model_may_say_what_the_data_lack(bank):
    run = asked(bank, ScriptedModel('{"lacks": "nothing says who is thrifty"}'))
    assert run.steps[0].status == "failed"
    assert "nothing says who is thrifty" in run.steps[0].summary


def test_values_of_the_data_stay_here_under_the_schema_policy(bank):
    model = ScriptedModel(said(BAD["a literal that occurs nowhere"][0]), said(GOOD), local=False)
    asked(bank, model)
    assert "'bad' does not occur in loan.status." in model.sent[1][1]
    assert "There is:" not in model.sent[1][1]
    assert "withheld by the data policy" in model.sent[1][1]
    seen = ScriptedModel(said(BAD["a literal that occurs nowhere"][0]), said(GOOD), local=False)
    asked(bank, seen, policy="stats")
    assert "There is: 'A', 'B', 'C', 'D'." in seen.sent[1][1]


def test_what_is_grounded_asks_no_model(bank):
    model = ScriptedModel(said(GOOD))
    planner = ScriptedPlanner([call("text_to_sql", question="how many loans"), say("done")])
    Session(bank, planner=planner, model=model, namespace={}).ask("how many loans")
    assert model.sent == []


@pytest.mark.parametrize("reply", ["```sql\n" + GOOD + "\n```", GOOD + ";", "Here you are: " + said(GOOD)])
def test_a_statement_is_found_in_any_usual_wrapping(bank, reply):
    run = asked(bank, ScriptedModel(reply))
    assert json.loads(run.steps[0].summary)["sql"] == GOOD


def test_what_a_private_column_holds_or_lacks_is_told_to_no_model(bank):
    private = {"level": "stats", "private": ["district.region"]}
    asked_of = "SELECT count(*) AS n FROM district WHERE region = 'Nowhere'"
    model = ScriptedModel(said(asked_of), local=False)
    run = asked(bank, model, policy=private)
    assert len(model.sent) == 1  # nothing comes back that says whether it occurs
    assert "district.region = 'Prague'" not in model.sent[0][1]
    assert json.loads(run.steps[0].summary)["sql"] == asked_of
    open_model = ScriptedModel(said(asked_of), local=False)
    asked(bank, open_model, policy={"level": "stats"})
    assert "value district.region = 'Prague'" in open_model.sent[0][1]
    assert "does not occur" in open_model.sent[1][1]


NOT_BORNE_OUT = {
    "a literal": (
        "SELECT count(*) AS n FROM loan WHERE status = 'overdue'",
        "'overdue' does not occur in loan.status.",
    ),
    "unlike keys": (
        "SELECT l.loan_id FROM loan l JOIN account a ON a.account_id = l.loan_id",
        "do not belong together",
    ),
    "no key": ('SELECT l.loan_id FROM loan l JOIN "order" o ON o.amount = l.amount', "joins on no key"),
    "no condition": ("SELECT l.loan_id FROM loan l, card c", "without a condition"),
    "a lookup": ("SELECT loan_id FROM loan WHERE loan_id IN (SELECT card_id FROM card)", "do not belong together"),
    "a write": ("CREATE TABLE workspace.t AS SELECT * FROM loan WHERE status = 'Z'", "'Z' does not occur"),
}


@pytest.mark.parametrize("kind", NOT_BORNE_OUT)
def test_a_statement_written_out_goes_back_before_it_runs_and_runs_where_it_is_sent_again(bank, kind):
    sql, told = NOT_BORNE_OUT[kind]
    planner = ScriptedPlanner([call("run_sql", sql=sql), call("run_sql", sql=f"{sql}  ;"), say("done")])
    first, second = Session(bank, planner=planner, namespace={}).ask("q").steps
    assert first.status == "failed"
    assert told in first.summary
    assert "It did not run" in first.summary
    assert second.status == "ok"
    if kind != "a write":
        assert f"Mind: {told}" in second.summary or (told in second.summary and "Mind: " in second.summary)


def test_a_statement_that_the_data_bear_out_runs_at_once(bank):
    sql = "SELECT count(*) AS n FROM loan l JOIN account a USING (account_id) WHERE status = 'B'"
    (step,) = Session(bank, planner=ScriptedPlanner([call("run_sql", sql=sql), say("x")]), namespace={}).ask("q").steps
    assert step.status == "ok"
    assert "Mind" not in step.summary


def test_keys_that_meet_in_part_are_told_beside_the_result():
    frames = {
        "visits": pd.DataFrame({"visit": [1, 2, 3, 4], "patient": ["P1", "P2", "p3", "p4"]}),
        "people": pd.DataFrame({"code": ["P1", "P2", "P3"], "born": [1950, 1960, 1970]}),
    }
    sql = "SELECT * FROM visits JOIN people ON patient = code"
    planner = ScriptedPlanner([call("run_sql", sql=sql), say("x")])
    (step,) = Session(frames, planner=planner, namespace={}).ask("q").steps
    assert step.status == "ok"
    assert "2 of 4 rows of visits match" in step.summary


def test_a_private_column_is_not_told_of_beside_a_statement(bank):
    planner = ScriptedPlanner([call("run_sql", sql="SELECT count(*) FROM loan WHERE status = 'overdue'"), say("done")])
    run = Session(bank, planner=planner, namespace={}, policy={"level": "rows", "private": ["loan.status"]}).ask("q")
    assert "overdue" not in run.steps[0].summary


@pytest.mark.parametrize("code", ["A", "a", "A "])
def test_a_literal_as_one_of_several_spellings_occurs(code):
    frames = {"orders": pd.DataFrame({"order_id": range(4), "code": ["A", "a", "A ", "B"]})}
    sql = f"SELECT count(*) AS n FROM orders WHERE code = '{code}'"
    (step,) = (
        Session(frames, planner=ScriptedPlanner([call("run_sql", sql=sql), say("x")]), namespace={}).ask("q").steps
    )
    assert step.status == "ok", step.summary


def test_what_text_to_sql_wrote_is_not_looked_at_again(bank, monkeypatch):
    from lexsi_nb.tools import run_sql as module

    seen = []
    monkeypatch.setattr(module, "not_borne_out", lambda sql, ctx: seen.append(sql) or [])
    session = Session(bank, planner="embedded", namespace={})
    assert session.ask("how many loans with status B").status == "answered"
    assert seen == []
