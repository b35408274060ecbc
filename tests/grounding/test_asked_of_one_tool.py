"""What is asked of one tool alone: SQL that is given to be run, and entries of the knowledge graph."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def session(bank):
    import lexsi_nb as lx

    session = lx.Session(bank, planner="embedded", namespace={})
    yield session
    session.close()


@pytest.mark.parametrize(
    "question",
    [
        "Run: select count(*) as n from disp where type = 'OWNER'",
        "please run this query: select count(*) as n from disp where type = 'OWNER';",
        "execute the following SQL\nwith o as (select * from disp where type = 'OWNER') select count(*) as n from o",
    ],
)
def test_sql_that_is_given_is_run_as_it_is(session, question):
    run = session.ask(question)
    assert (run.status, run.frame.iloc[0, 0]) == ("answered", 4500)
    assert [step.tool for step in run.steps if step.tool.startswith(("run_", "text_"))] == ["run_sql"]


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Run: select * from invoices", "No table 'invoices'"),
        ("run: select balance from loan", "No column 'balance'"),
        ("run: select 1; drop table loan", "second statement"),
        ("run: select from where", "cannot be read"),
    ],
)
def test_sql_that_does_not_run_says_why(session, question, why):
    run = session.ask(question)
    assert run.status == "declined"
    assert why in run.answer


def test_an_order_to_change_rows_is_not_run(session):
    assert session.ask("run: delete from loan").status == "declined"
    assert session.ask("how many loans are there?").frame.iloc[0, 0] == 682


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does the knowledge graph say about default?", "status B (finished, not paid) or D"),
        ("what is the definition of a customer in the knowledge graph", "A customer is a person, a row of client."),
        ("look up loan duration in the kg", "is loan.duration, in months"),
    ],
)
def test_entries_of_the_graph_are_told(session, question, said):
    run = session.ask(question)
    assert run.status == "answered"
    assert said in run.answer


@pytest.mark.parametrize("what", ["unicorns", "churn", "loan taxes"])
def test_what_the_graph_has_no_word_of_is_declined(session, what):
    run = session.ask(f"What does the knowledge graph say about {what}?")
    assert (run.status, run.answer) == ("declined", f"The knowledge graph says nothing of '{what}'.")
