"""The parameters of a question as fields: the answer with other values is that of the data, and no model is asked."""

from __future__ import annotations

import re
import threading
from datetime import date

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.controls import UnknownParameter
from lexsi_nb.errors import RunFailed
from lexsi_nb.planners.scripted import call, say

QUESTION = "How many loans of {status} over {least} were granted before {as_of}?"
SQL = "SELECT count(*) AS n FROM loans WHERE status = 'running' AND amount > 250 AND granted < DATE '1998-12-31'"
ASKED = {"status": "running", "least": 250, "as_of": "1998-12-31"}


@pytest.fixture
def dated() -> pd.DataFrame:
    days = pd.date_range("1996-01-15", periods=40, freq="MS")
    return pd.DataFrame(
        {"loan_id": range(40), "amount": range(0, 1200, 30), "granted": days, "status": ["running", "paid"] * 20}
    )


def counted(dated: pd.DataFrame, status: str, least: float, as_of: str) -> int:
    return int(((dated.status == status) & (dated.amount > least) & (dated.granted < as_of)).sum())


@pytest.fixture
def session(folder, remote, replayed, dated):
    """A session whose question is replayed, and whose model must not be asked."""
    script = [call("run_sql", sql=SQL, label="n"), say("Counted.")]
    remote(script, {"loans": dated, **ASKED}).ask(QUESTION, recording="q1")
    session = replayed({"loans": dated, **ASKED})
    session.ask(QUESTION, recording="q1")
    return session


def press_run(widget, **values):
    return widget.receive({"id": "1", "request": "run", "content": {"values": values}})


def test_text_has_each_parameter_and_how_to_run_with_others(session, dated):
    widget = lx.controls(session=session)
    text = widget.static()["text/plain"]
    assert re.search(r"^status +text +running$", text, re.MULTILINE)
    assert re.search(r"^least +number +250$", text, re.MULTILINE)
    assert re.search(r"^as_of +day +1998-12-31$", text, re.MULTILINE)
    assert '  %lexsi controls status=running\n  lx.controls().ask({"status": "running"})' in text
    run = widget.ask({"least": 300, "as_of": date(1998, 1, 1)})
    assert run.frame.iloc[0, 0] == counted(dated, "running", 300, "1998-01-01")
    assert re.search(r"^least +number +300$", repr(widget), re.MULTILINE)
    assert session.controls().run is run
    assert repr(session.controls()) == repr(widget)
    with pytest.raises(UnknownParameter, match=r"No parameter 'as_at'\. Nearest: .*as_of\."):
        widget.ask({"as_at": "1998-01-01"})


def test_each_parameter_has_a_field_of_its_kind(session):
    widget = lx.controls(session=session)
    assert widget.state["title"] == QUESTION
    assert widget.state["fields"] == [
        {"name": "status", "kind": "text", "value": "running", "asked": "running"},
        {"name": "least", "kind": "number", "value": "250", "asked": "250"},
        {"name": "as_of", "kind": "date", "value": "1998-12-31", "asked": "1998-12-31"},
    ]
    assert "Counted." in widget.static()["text/html"]
    assert "Counted." in widget.static()["text/plain"]
    assert "<script" not in widget.static()["text/html"]


@pytest.mark.parametrize(
    "values",
    [
        {"status": "paid", "least": "300.5", "as_of": "1998-01-01"},
        {"status": "running", "least": "1,000", "as_of": "1999-03-02"},
        {"as_of": "1990-01-01"},
    ],
)
def test_run_gives_the_number_that_pandas_gives(session, dated, values):
    widget = lx.controls(session=session)
    reply = press_run(widget, **values)
    now = ASKED | values | ({"least": float(values["least"].replace(",", ""))} if "least" in values else {})
    run = widget.controls.run
    assert "error" not in reply
    assert run.frame.iloc[0, 0] == counted(dated, **now)
    assert run is session.runs[-1]
    assert run.replayed
    assert reply["reply"]["answer"] == run.answer
    assert "Counted." not in run.answer
    assert [f["value"] for f in widget.state["fields"]][2] == now["as_of"]
    assert run.question.endswith(f"before {now['as_of']}?")
    # Values as the person's variables have them stay.
    assert {name: session.namespace[name] for name in ASKED} == ASKED


def test_show_code_reproduces_the_answer_alone(session, dated):
    widget = lx.controls(session=session)
    press_run(widget, status="paid", as_of="1998-01-01")
    reply = widget.receive({"id": "2", "request": "code"})["reply"]
    assert reply["title"] == "status = paid, least = 250, as_of = 1998-01-01"
    fresh = {"loans": dated}
    exec(reply["source"], fresh)
    made = fresh[widget.controls.run.cells[-1].produces[0]]
    assert made.iloc[0, 0] == counted(dated, "paid", 250, "1998-01-01")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"least": "much"}, "'much' is no value of least. Write a number, as in 12.5."),
        ({"least": "inf"}, "'inf' is no value of least."),
        ({"as_of": "1998-02-30"}, "'1998-02-30' is no value of as_of. Write a day, as in 1998-12-31."),
        ({"as_of": ""}, "'' is no value of as_of."),
        ({"status": "  "}, "'  ' is no value of status. Write one line of text."),
        ({"status": "a\nb"}, "is no value of status."),
    ],
)
def test_what_is_no_value_is_said_and_nothing_is_run(session, values, said):
    widget = lx.controls(session=session)
    before, runs = widget.state, len(session.runs)
    assert said in press_run(widget, **values)["error"]
    assert widget.state == before
    assert len(session.runs) == runs


def test_a_failed_replay_says_the_step_and_keeps_the_answer(session, dated):
    widget = lx.controls(session=session)
    before = widget.state
    session.namespace["loans"] = dated.rename(columns={"granted": "opened"})
    error = press_run(widget, as_of="1998-01-01")["error"]
    assert "step 1" in error
    assert "granted" in error
    assert widget.state == before
    assert widget.controls.run.ok
    session.namespace["loans"] = dated
    assert "error" not in press_run(widget, as_of="1998-01-01")
    assert widget.controls.run.frame.iloc[0, 0] == counted(dated, "running", 250, "1998-01-01")


def test_a_value_without_a_sure_place_says_so(folder, remote, replayed, dated):
    question = "How many loans before {as_of}?"
    sql = "SELECT count(*) AS n FROM loans WHERE year(granted) < 1999"
    names = {"loans": dated, "as_of": "1998-12-31"}
    remote([call("run_sql", sql=sql, label="n"), say("n")], names).ask(question, recording="q2")
    session = replayed(names)
    session.ask(question, recording="q2")
    error = press_run(lx.controls(session=session), as_of="1997-01-01")["error"]
    assert "Step 1: the year 1999 may have been derived from 1998-12-31" in error


def test_a_run_from_another_thread_waits_for_no_other_question(session):
    widget = lx.controls(session=session)
    replies = []
    session._turns.begin()  # a question is running
    try:
        thread = threading.Thread(target=lambda: replies.append(press_run(widget, as_of="1998-01-01")))
        thread.start()
        thread.join(30)
    finally:
        session._turns.end()
    assert "Another question is still running." in replies[0]["error"]


def test_a_model_without_a_recording_is_not_asked_again(folder, remote, dated):
    session = remote([say("Some."), say("Asked again.")], {"loans": dated, **ASKED})
    session.ask(QUESTION, params=list(ASKED), replay="off")
    assert "no recording" in press_run(lx.controls(session=session), as_of="1998-01-01")["error"]
    assert len(session.runs) == 1


def test_the_planner_on_this_machine_needs_no_recording(folder, dated):
    session = lx.Session({"loans": dated}, namespace={"least": 250})
    first = session.ask("How many loans have an amount over {least}?", params=["least"])
    assert first.status == "answered", first.answer
    widget = lx.controls(session=session)
    assert "error" not in press_run(widget, least="900")
    assert widget.controls.run.frame.iloc[0, 0] == int((dated.amount > 900).sum())
    assert not (folder / ".lexsi").exists()


def test_values_are_given_without_variables(session, dated):
    run = session.ask(QUESTION, recording="q1", params={**ASKED, "least": 600})
    assert run.frame.iloc[0, 0] == counted(dated, "running", 600, "1998-12-31")


def test_without_parameters_the_error_says_what_to_do(dated):
    session = lx.Session({"loans": dated}, namespace={})
    session.ask("How many loans are there?")
    with pytest.raises(RunFailed, match="No answered question has parameters yet") as error:
        lx.controls(session=session)
    assert "--params" in str(error.value)
