"""Questions that lean on the one before: made whole from the conversation, or left alone."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.predictions.explaining import Explained

LEANING = [
    (["How many loans are there?"], "and by region?", "number of loans, by region of district"),
    (["loans by region"], "only for Prague", "number of loans with district region Prague, by region of district"),
    (["how many loans in Prague in 1996?"], "same for 1997", "1997-01-01"),
    (["how many loans in Prague in 1996?"], "what about north Moravia?", "north Moravia"),
    (["loans by status"], "only those over 300k", "amount over 300,000, by status"),
    (["number of clients", "now by gender"], "women only", "gender female"),
    (["average loan amount"], "by status", "mean amount of loans, by status"),
]


@pytest.mark.parametrize(("before", "question", "said"), LEANING, ids=[q for _, q, _ in LEANING])
def test_a_follow_up_is_made_whole(bank_grounder, before, question, said):
    whole = bank_grounder.in_context(before, question)
    assert isinstance(whole, str)
    assert said in bank_grounder.read(whole).text


TURNED = [
    ("which district has the most loans?", "and the fewest?", "number of loans, by name of district, lowest"),
    ("average loan amount in Prague", "and the total?", "total amount of loans with district region Prague"),
    ("average loan amount in Prague", "and the median", "median amount of loans with district region Prague"),
    ("which region has the highest average loan amount", "and the lowest?", "lowest mean amount first"),
    ("who is the oldest client", "and the youngest?", "latest birth_date first, one row"),
    ("how many loans in Prague in 1997", "list them", "rows of loans with"),
    ("how many loans in Prague in 1997", "which ones?", "rows of loans with"),
    ("list the loans in Prague", "how many are there?", "number of loans with district region Prague"),
]


@pytest.mark.parametrize(("before", "question", "said"), TURNED, ids=[q for _, q, _ in TURNED])
def test_a_follow_up_turns_the_question_before(bank_grounder, before, question, said):
    whole = bank_grounder.in_context([before], question)
    found = bank_grounder.read(whole)
    assert said in found.text


def test_the_rows_listed_are_those_that_were_counted(bank_grounder):
    counted = bank_grounder.read("how many loans in Prague in 1997")
    listed = bank_grounder.read(bank_grounder.in_context(["how many loans in Prague in 1997"], "list them"))
    count = bank_grounder.engine.query(counted.sql).iloc[0, 0]
    frame = bank_grounder.engine.query(listed.sql)
    assert (listed.kind, len(frame), frame["loan_id"].nunique()) == ("list", count, count)
    assert set(frame["date"].dt.year) == {1997}


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("how many loans in Prague", "and the fewest?"),  # nothing was ranked
        ("how many loans in Prague", "and the average?"),  # of what?
        ("average loan amount", "list them"),
        ("loans by status", "list them"),  # the groups, or the loans?
        ("what percentage of loans defaulted", "list them"),
    ],
)
def test_a_turn_that_the_question_before_does_not_have_is_not_answered(bank_grounder, before, question):
    from lexsi_nb.grounding.reading import Choice, Declined

    assert isinstance(bank_grounder.read(bank_grounder.in_context([before], question)), Declined | Choice)


@pytest.mark.parametrize(
    "question", ["how many cards", "average amount of loans", "what tables are there?", "good customers"]
)
def test_a_question_that_stands_by_itself_is_left_alone(bank_grounder, question):
    assert bank_grounder.in_context(["how many loans in 1996"], question) == question


def test_a_period_takes_the_place_of_the_one_before(bank_grounder):
    whole = bank_grounder.in_context(["how many loans in Prague in 1996?"], "same for 1997")
    assert "1996" not in whole


def test_why_asks_for_a_case_of_the_ranking_before(bank_grounder):
    ranking = ["which running loans are likely to default"]
    assert bank_grounder.in_context(ranking, "why the second one?") == Explained(ranking[0], place=2)
    assert bank_grounder.in_context(ranking, "why 5314?") == Explained(ranking[0], case=5314)
    assert bank_grounder.in_context(["how many loans"], "why the second one?") == "why the second one?"


def test_the_second_case_is_explained(bank):
    from lexsi_nb.app.session import Session

    session = Session(dataset=bank, namespace={})
    ranked = session.ask("which running loans are likely to default? show the top 5")
    run = session.ask("why the second one?")
    call = next(s for s in run.steps if s.tool == "explain_prediction")
    assert [str(c) for c in call.args["case_ids"]] == [str(ranked.frame.iloc[1, 0])]


def test_a_chart_is_drawn_when_asked_for(bank):
    from lexsi_nb.app.session import Session

    session = Session(dataset=bank, namespace={})
    session.ask("loans by status")
    run = session.ask("as a pie chart")
    assert [s.tool for s in run.steps] == ["text_to_sql", "run_sql", "render_chart", "summarize_result"]
    assert next(s for s in run.steps if s.tool == "render_chart").args["spec"]["mark"] == "arc"


def test_a_question_that_is_open_by_itself_goes_on_with_none(frames_grounder):
    import pandas as pd

    planes = pd.DataFrame({"plane_id": [1, 2], "seats": [120, 320]})
    flights = pd.DataFrame({"flight": range(1, 5), "plane_id": [1, 2, 2, 2]})
    grounder = frames_grounder(planes=planes, flights=flights)
    asked = "flights by planes with more than 300 seats, how many?"
    for before in ([], ["how many flights?"]):
        assert grounder.unanswered(before, asked) == ""
