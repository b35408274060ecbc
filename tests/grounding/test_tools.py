"""`text_to_sql` and `query_kg` as tools of a run."""

from __future__ import annotations

import json

import pytest

from lexsi_nb import datasets
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


def asked(dataset, *lines, question="q"):
    return Session(dataset=dataset, planner=ScriptedPlanner([*lines, say("done")]), namespace={}).ask(question)


@pytest.fixture
def berka(berka_folder):
    return datasets.berka(berka_folder)


def test_text_to_sql_returns_one_statement_and_how_it_was_read(berka):
    run = asked(berka, call("text_to_sql", question="average loan amount by region"))
    said = json.loads(run.steps[0].summary)
    assert said["kind"] == "analytic"
    assert said["read_as"] == "mean amount of loans, by region of district"
    assert said["sql"].startswith("SELECT d.region")


def test_auto_mode_knows_a_prediction(berka):
    run = asked(berka, call("text_to_sql", question="which running loans are likely to default"))
    said = json.loads(run.steps[0].summary)
    assert said["kind"] == "predictive"
    assert {"context_sql", "predict_sql", "already_sql", "task", "left_out"} <= said.keys()


def test_a_question_that_is_not_grounded_fails_with_what_it_lacks(berka):
    run = asked(berka, call("text_to_sql", question="accounts by shoe size"))
    assert run.steps[0].status == "failed"
    assert "shoe" in run.steps[0].summary


def test_an_open_question_lists_its_readings(berka):
    run = asked(berka, call("text_to_sql", question="average amount"))
    assert run.steps[0].status == "failed"
    assert "mean amount of orders" in run.steps[0].summary


def test_query_kg_in_its_three_modes(berka):
    run = asked(
        berka,
        call("query_kg"),
        call("query_kg", search="which loans are likely to default"),
        call("query_kg", section="metrics"),
        call("query_kg", node="loan"),
    )
    outline, search, section, node = (s.summary for s in run.steps)
    assert "concepts" in outline
    assert "default" in search
    assert "default_rate" in section
    assert "loan" in node
    assert all(s.status == "ok" for s in run.steps)


def test_query_kg_broadens_a_weak_search_by_the_whole_question(berka):
    question = "how many customers live in Prague"
    run = asked(berka, call("query_kg", search="xyz"), question=question)
    assert "broadened by the whole question" in run.steps[0].summary
    assert "client" in run.steps[0].summary


def test_query_kg_names_the_nearest_entry(berka):
    run = asked(berka, call("query_kg", node="defalt"))
    assert run.steps[0].status == "failed"
    assert "default" in run.steps[0].summary


def test_query_kg_without_a_graph_says_what_to_use(shop):
    run = Session(planner=ScriptedPlanner([call("query_kg"), say("done")]), namespace=dict(shop)).ask("q")
    assert "inspect_data" in run.steps[0].summary
