"""A question that names variables runs again with their new values: where each place is beyond doubt, and not else."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.errors import BadData
from lexsi_nb.planners.rebinding import CannotRebind, bound, rebound
from lexsi_nb.planners.scripted import call, say
from lexsi_nb.store.recording import RecordedCall, RecordedData, RecordedStep, Recording
from lexsi_nb.store.recording_files import RecordingFiles

QUESTION = "How many loans were granted before {as_of}?"
OLD, NEW = "1998-12-31", "1997-06-30"


@pytest.fixture
def dated() -> pd.DataFrame:
    return pd.DataFrame({"loan_id": [1, 2, 3], "granted": pd.to_datetime(["1997-01-01", "1998-01-01", "1999-01-01"])})


def lines(value=OLD):
    return [
        call("run_sql", sql=f"SELECT count(*) AS n FROM loans WHERE granted < DATE '{value}'", label="n"),
        say(f"2 loans were granted before {value}."),
    ]


def test_a_variable_in_braces_stands_for_its_value(folder, remote, replayed, dated):
    first = remote(lines(), {"loans": dated, "as_of": OLD}).ask(QUESTION, recording="q1")
    assert first.question == f"How many loans were granted before {OLD}?"
    read = RecordingFiles().read("q1")
    assert (read.question, read.parameters) == (QUESTION, {"as_of": OLD})
    same = replayed({"loans": dated, "as_of": OLD}).ask(QUESTION, recording="q1")
    assert same.answer == "2 loans were granted before 1998-12-31."
    run = replayed({"loans": dated, "as_of": NEW}).ask(QUESTION, recording="q1")
    assert (run.status, run.frame.iloc[0, 0]) == ("answered", 1)
    assert "2 loans" not in run.answer
    assert f"DATE '{NEW}'" in run.cells[-1].source


@pytest.mark.parametrize(
    "value", [datetime.date(1997, 6, 30), pd.Timestamp(NEW), np.datetime64(NEW), datetime.datetime(1997, 6, 30)]
)
def test_dates_of_any_kind_are_written_the_same_way(folder, remote, replayed, dated, value):
    remote(lines(), {"loans": dated, "as_of": OLD}).ask(QUESTION, recording="q1")
    run = replayed({"loans": dated, "as_of": value}).ask(QUESTION, recording="q1")
    assert (run.status, run.frame.iloc[0, 0]) == ("answered", 1)


def test_braces_mean_nothing_without_a_name_or_a_variable(folder, remote, dated):
    for names, options in (({"as_of": OLD}, {}), ({}, {"recording": "q1"}), ({"as_of": dated}, {"recording": "q2"})):
        run = remote([say("x")], {"loans": dated, **names}).ask(QUESTION, **options)
        assert run.question == QUESTION
    run = remote([say("x")], {"loans": dated}).ask('what does {"a": {b}} mean in f"{x!r}"', recording="q3")
    assert run.question == 'what does {"a": {b}} mean in f"{x!r}"'


def test_named_variables_must_be_there(folder, remote, dated):
    session = remote([say("x")], {"loans": dated, "as_of": OLD})
    assert session.ask(QUESTION, params=["as_of"]).question.endswith(f"before {OLD}?")
    with pytest.raises(BadData, match=r"The question has no .region."):
        session.ask(QUESTION, params=["region"])
    del session.namespace["as_of"]
    with pytest.raises(BadData, match="There is no such variable"):
        session.ask(QUESTION, params=["as_of"])


def made(question, old, *args, tool="run_sql", replies=()):
    steps = tuple(RecordedStep((RecordedCall(tool, a),)) for a in args)
    return Recording(question, "p", RecordedData("d"), steps, "said", parameters=old, replies=replies)


def sql(text):
    return {"sql": text}


@pytest.mark.parametrize(
    ("question", "old", "new", "args", "expected"),
    [
        pytest.param(
            "in {r}",
            {"r": "Prague"},
            {"r": "O'Brien"},
            sql("SELECT 'Prague', 'x'"),
            "SELECT 'O''Brien', 'x'",
            id="quote",
        ),
        pytest.param(
            "in {r}",
            {"r": "Prague"},
            {"r": "'; DROP TABLE x --"},
            sql("SELECT 'Prague'"),
            "SELECT '''; DROP TABLE x --'",
            id="injection",
        ),
        pytest.param(
            "in {r}",
            {"r": "Prague"},
            {"r": "Brno"},
            sql("SELECT 'Prague' WHERE r = 'Prague' -- Prague"),
            "SELECT 'Brno' WHERE r = 'Brno' -- Prague",
            id="twice",
        ),
        pytest.param(
            "over {n}", {"n": 250}, {"n": 300}, sql("SELECT 100 WHERE a > 250"), "SELECT 100 WHERE a > 300", id="number"
        ),
        pytest.param(
            "over {n}", {"n": 0.25}, {"n": 0.5}, sql("SELECT 1 WHERE a > 0.25"), "SELECT 1 WHERE a > 0.5", id="fraction"
        ),
        pytest.param(
            "{a} or {b}",
            {"a": "north", "b": "south"},
            {"a": "south", "b": "north"},
            sql("SELECT 'north', 'south'"),
            "SELECT 'south', 'north'",
            id="swapped",
        ),
    ],
)
def test_values_are_put_where_they_belong(question, old, new, args, expected):
    recording = rebound(made(question, old, args), new)
    assert recording.steps[0].calls[0].args["sql"] == expected
    assert recording.answer is None
    assert recording.parameters == new


@pytest.mark.parametrize(
    ("question", "old", "new", "args", "said"),
    [
        pytest.param(
            "in {y}",
            {"y": 1997},
            {"y": 1998},
            sql("SELECT 1 WHERE d >= '1997-01-01'"),
            "stands inside '1997-01-01'",
            id="part of a date",
        ),
        pytest.param(
            "in {y}",
            {"y": 1997},
            {"y": 1998},
            sql("SELECT 1 WHERE y >= 1997 AND y < 1998"),
            "1998 may have been derived",
            id="next year",
        ),
        pytest.param(
            "to {d}",
            {"d": OLD},
            {"d": NEW},
            sql(f"SELECT 1 WHERE d BETWEEN '1998-12-01' AND '{OLD}'"),
            "1998-12-01 may have been derived",
            id="start of the month",
        ),
        pytest.param(
            "to {d}",
            {"d": OLD},
            {"d": NEW},
            sql(f"SELECT 1 WHERE d < '{OLD}' AND y = 1998"),
            "the year 1998 may have been derived",
            id="year of the date",
        ),
        pytest.param(
            "to {d}",
            {"d": OLD},
            {"d": NEW},
            sql(f"SELECT 1 WHERE d < '{OLD} 23:59'"),
            "stands inside",
            id="with a time",
        ),
        pytest.param(
            "to {d}",
            {"d": OLD},
            {"d": NEW},
            sql("SELECT 1 WHERE d < '1999-01-01'"),
            "may have been derived",
            id="day after",
        ),
        pytest.param("to {d}", {"d": OLD}, {"d": NEW}, sql("SELECT 1"), "stands in no recorded argument", id="nowhere"),
        pytest.param(
            "top 10 over {n}",
            {"n": 10},
            {"n": 20},
            sql("SELECT 1 WHERE a > 10"),
            "The question says 10 beside",
            id="said twice",
        ),
        pytest.param(
            "over {n}",
            {"n": 10},
            {"n": 20},
            sql("SELECT 1 WHERE a > 10 LIMIT 10"),
            "stands in run_sql 2 times",
            id="limit",
        ),
        pytest.param(
            "over {n} years",
            {"n": 10},
            {"n": 20},
            sql("SELECT 1 WHERE a > 10 OR m > 120"),
            "120 may have been derived",
            id="in months",
        ),
        pytest.param(
            "in {r}",
            {"r": "Prague"},
            {"r": "Brno"},
            sql("SELECT 1 WHERE r LIKE '%Prague%'"),
            "stands inside '%Prague%'",
            id="pattern",
        ),
        pytest.param(
            "in {r}",
            {"r": "Prague"},
            {"r": "Brno"},
            sql("SELECT 1 WHERE r IN ('Prague', 'PRAGUE')"),
            "stands inside 'PRAGUE'",
            id="other case",
        ),
        pytest.param(
            "{a} or {b}", {"a": 5, "b": 5}, {"a": 6, "b": 5}, sql("SELECT 5"), "had the same value", id="two alike"
        ),
        pytest.param("over {n}", {"n": 10}, {"n": "ten"}, sql("SELECT 10"), "is of another type", id="type"),
        pytest.param(
            "in {r}", {"r": "Prague"}, {"q": "x"}, sql("SELECT 'Prague'"), "recorded with other variables", id="names"
        ),
        pytest.param(
            "in {r}", {"r": "Prague"}, {"r": "Brno"}, sql("SELECT 'Prague"), "its SQL cannot be read", id="broken"
        ),
    ],
)
def test_what_is_in_doubt_stops(question, old, new, args, said):
    with pytest.raises(CannotRebind) as error:
        rebound(made(question, old, args), new)
    assert said in str(error.value)


def test_copies_of_the_question_follow_it():
    old, new = {"r": "Prague"}, {"r": "Brno"}
    question = "Loans in {r}?"
    asked = {"question": bound(question, old), "notes": f"see {bound(question, old)}"}
    recording = rebound(made(question, old, asked, sql("SELECT 'Prague'")), new)
    assert recording.steps[0].calls[0].args == {"question": "Loans in Brno?", "notes": "see Loans in Brno?"}


def test_titles_follow_and_labels_stay():
    old, new = {"r": "Prague"}, {"r": "Brno"}
    args = {"sql": "SELECT 'Prague' AS p", "title": "Loans of Prague", "label": "prague_loans", "top": {"k": 3}}
    anew = rebound(made("in {r}", old, args), new).steps[0].calls[0].args
    assert anew == {
        "sql": "SELECT 'Brno' AS p",
        "title": "Loans of Brno",
        "label": "prague_loans",
        "top": {"k": 3},
    }


def test_the_stop_is_one_line_in_a_session(folder, remote, replayed, dated):
    script = [call("run_sql", sql="SELECT count(*) AS n FROM loans WHERE year(granted) < 1999", label="n"), say("2")]
    remote(script, {"loans": dated, "as_of": OLD}).ask(QUESTION, recording="q1")
    with pytest.raises(CannotRebind, match="1999 may have been derived"):
        replayed({"loans": dated, "as_of": NEW}).ask(QUESTION, recording="q1")


def test_side_replies_follow_the_values(folder, remote, replayed, dated):
    class Writer:
        name, local = "remote:helper", False

        async def complete(self, prompt, *, system="", output_type=str):
            return "SELECT count(*) AS n FROM loans WHERE granted < DATE '1998-12-31'"

    import lexsi_nb as lx

    @lx.tool(reveals="schema")
    def write(question: str, *, agent: lx.AgentRef) -> str:
        """Write SQL.

        Args:
            question: The question.
        """
        return agent.oneshot(prompt="Write SQL.", query=f"Q: {question}")

    session = remote(
        [call("write", question=bound(QUESTION, {"as_of": OLD})), *lines()], {"loans": dated, "as_of": OLD}
    )
    session.model = Writer()
    session.add_tool(write)
    session.ask(QUESTION, recording="q1")
    again = replayed({"loans": dated, "as_of": NEW})
    again.add_tool(write)
    run = again.ask(QUESTION, recording="q1")
    assert (run.status, run.frame.iloc[0, 0]) == ("answered", 1)
    assert NEW in run.steps[0].summary
