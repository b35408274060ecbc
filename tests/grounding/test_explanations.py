"""Questions for an explanation: what drives an outcome, how a feature affects it, what would have to change."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Chart, Table
from lexsi_nb.grounding.predictions.explaining import Explained

RANKING = "which running loans are likely to default"


@pytest.mark.parametrize(
    ("question", "kind", "feature"),
    [
        ("what drives default?", "drivers", ""),
        ("which factors matter most for default?", "drivers", ""),
        ("What are the most important features for default?", "drivers", ""),
        ("what influences the risk?", "drivers", ""),
        ("how does amount affect the risk?", "feature", "amount"),
        ("how does the loan amount affect default?", "feature", "amount"),
        ("what is the effect of the term on default?", "feature", "duration"),
        ("how does default depend on duration?", "feature", "duration"),
        ("does the amount influence the chance of default?", "feature", "amount"),
    ],
)
def test_what_moves_the_scores_is_asked_for(bank_grounder, question, kind, feature):
    found = bank_grounder.in_context([], question)
    assert isinstance(found, Explained)
    assert (found.kind, found.feature, found.alone) == (kind, feature, True)
    assert bank_grounder.understood(found.question).task["target_column"] == "is_default"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what would have to change for 5314?", {"case": 5314}),
        ("What needs to change for loan 5314?", {"case": 5314}),
        ("what would lower the risk of loan 5314?", {"case": 5314}),
        ("what would raise the risk of 5314?", {"case": 5314, "toward": "higher"}),
        ("how could loan 5314 get a lower risk?", {"case": 5314}),
        ("what would have to change for 5314 without changing the duration?", {"case": 5314, "keep": ("duration",)}),
        (
            "what would have to change for 5314 if amount and duration stay the same?",
            {"case": 5314, "keep": ("amount", "duration")},
        ),
        ("what would have to be different for the second one to score below 0.2?", {"place": 2, "mark": 0.2}),
        ("what must change for 'C-17' to score below 20%?", {"case": "C-17", "mark": 0.2}),
    ],
)
def test_what_would_have_to_change_is_asked_for(bank_grounder, question, said):
    found = bank_grounder.in_context([], question)
    assert found == Explained("predict default", kind="change", alone=True, **said)
    after = bank_grounder.in_context([RANKING], question)
    assert after == Explained(RANKING, kind="change", **said)


@pytest.mark.parametrize(
    "question",
    [
        "how does region affect the average loan amount?",
        "how does amount change over time?",
        "what would have to change for 5314 and 5340?",
        "what would change if I waited?",
        "how many loans are there?",
    ],
)
def test_other_questions_are_left_alone(bank_grounder, question):
    assert bank_grounder.in_context([], question) == question


def test_how_a_feature_affects_the_ranking_before(bank_grounder):
    found = bank_grounder.in_context([RANKING], "how does duration affect it?")
    assert found == Explained(RANKING, kind="feature", feature="duration")


def test_the_planner_answers_what_drives_default(bank):
    names: dict[str, Any] = {}
    with closing(Session(bank, namespace=names)) as session:
        run = session.ask("what drives default?")
        assert run.status == "answered", run.answer
        assert [s.tool for s in run.steps][-3:] == ["predict", "explain_model", "summarize_result"]
        assert {"importance_chart", "beeswarm_chart"} <= {c.name for c in run.of(Chart)}
        first = names["importance"].iloc[0]
        assert f"What moved the 403 scores of predict_df most: {first['feature']} ({first['share']:.0%})" in run.answer
        assert "Too few cases to tell" in run.answer
        assert "With the question before" not in run.steps[0].thought
        run = session.ask("how does amount affect the risk?")
        assert run.steps[-2].args == {"feature": "amount"}
        assert "dependence_chart" in {c.name for c in run.of(Chart)}
        assert run.answer.startswith("How amount moved the scores")
        case = int(names["predictions"]["loan_id"].iloc[0])
        run = session.ask(f"what would have to change for {case} without changing the amount?")
        assert run.status == "answered", run.answer
        assert run.steps[-2].args["immutable"] == ["amount"]
        table = next(t.frame for t in run.of(Table) if t.title == "what would have to change")
        assert set(table["loan_id"]) == {case}
        assert not {"amount", "account_age_days", "frequency", "region"} & set(table["feature"])
        assert "Kept as they are: amount, " in " ".join(run.facts["what if"])
        assert f"Case {case} scores" in run.answer
        assert "not advice" in run.answer


def test_ages_and_what_never_changes_are_immutable(bank_grounder):
    task = bank_grounder.understood("predict default").task
    assert {"account_age_days", "frequency"} <= set(task["immutable"])
    assert not {"amount", "duration"} & set(task["immutable"])


def test_a_feature_that_was_left_out_is_named_with_the_reason(bank):
    with closing(Session(bank, namespace={})) as session:
        run = session.ask("how do payments affect the risk?")
    assert "payments" in run.answer
    assert "restates amount / duration" in run.answer


def test_what_drives_a_column_that_is_known_everywhere():
    rng = np.random.default_rng(0)
    clients = pd.DataFrame({"client": range(300), "income": rng.normal(size=300), "age": rng.integers(20, 80, 300)})
    clients["churned"] = (clients["income"] + rng.normal(size=300) < -0.5).astype(int)
    names: dict[str, Any] = {"clients": clients}
    with closing(Session(namespace=names)) as session:
        run = session.ask("what drives churned?")
        assert run.status == "answered", run.answer
        assert [s.tool for s in run.steps][-3:] == ["train_tabular_model", "explain_model", "summarize_result"]
        assert "What moved the 300 scores of context_df most: income" in run.answer
        assert "ranking" not in run.answer
        run = session.ask("how does income affect churned?")
        assert run.answer.startswith("How income moved the scores")
        run = session.ask("predict churned")
        assert run.answer.startswith("clients.churned is known in all 300 rows, so there is none to predict it for")
        assert "AUC" in run.answer


@pytest.mark.parametrize(
    "question",
    [
        "why is loan 5018 so risky?",
        "explain loan 5018",
        "why loan 5018?",
        "show me the SHAP values for loan 5018",
        "what speaks for and against loan 5018?",
        "give me the reasons for the score of loan no. 5018",
    ],
)
def test_one_case_is_explained_without_a_ranking_before(bank_grounder, question):
    found = bank_grounder.in_context([], question)
    assert found == Explained("predict default", case=5018, alone=True)


@pytest.mark.parametrize(
    "question",
    [
        "explain 5018",  # of what?
        "why is district 12 so risky?",  # the outcome is one of loans
        "why does loan 5018 have no card?",
        "explain loans 5018 and 5020",
        "why Prague?",
        "what makes a district risky?",
        "what matters most?",
    ],
)
def test_what_names_no_case_of_the_outcome_is_left_alone(bank_grounder, question):
    assert bank_grounder.in_context([], question) == question


AFTER_RANKING = [
    ("explain number 3", Explained(RANKING, place=3)),
    ("why the last one?", Explained(RANKING, place=10)),
    ("give me the reasons for the top one", Explained(RANKING, place=1)),
    ("why loan 5018?", Explained(RANKING, case=5018)),
    ("why?", Explained(RANKING)),
    ("what does the model look at most?", Explained(RANKING, kind="drivers")),
]


@pytest.mark.parametrize(("question", "wanted"), AFTER_RANKING, ids=[q for q, _ in AFTER_RANKING])
def test_what_is_explained_of_a_ranking(bank_grounder, question, wanted):
    assert bank_grounder.in_context([RANKING], question) == wanted


def test_another_case_after_an_explanation(bank_grounder):
    said = [RANKING, "why the first one?"]
    assert bank_grounder.in_context(said, "and the second?") == Explained(RANKING, place=2)
    assert bank_grounder.in_context(said, "what about loan 5018?") == Explained(RANKING, case=5018)


def test_a_case_that_was_not_scored_before_is_explained_by_itself(bank_grounder):
    one = "how likely is loan 6989 to default?"
    assert bank_grounder.in_context([one], "why loan 5018?") == Explained("predict default", case=5018, alone=True)


@pytest.mark.parametrize("question", ["what makes a loan risky?", "what are the main risk factors?"])
def test_what_drives_the_only_outcome(bank_grounder, question):
    found = bank_grounder.in_context([], question)
    assert isinstance(found, Explained)
    assert (found.kind, found.alone) == ("drivers", True)
    assert bank_grounder.understood(found.question).task["target_column"] == "is_default"


@pytest.mark.parametrize(
    ("question", "kind", "place"),
    [
        ("what are the main reasons?", "reasons", 0),
        ("explain the model", "drivers", 0),
        ("feature importances", "drivers", 0),
        ("which variables had the biggest influence?", "drivers", 0),
        ("and the last one, why?", "reasons", 10),
    ],
)
def test_the_model_and_the_reasons_of_the_ranking_before(bank_grounder, question, kind, place):
    found = bank_grounder.in_context(["risk of default for ongoing loans"], question)
    assert (found.kind, found.place, found.alone) == (kind, place, False)


def test_why_rows_have_the_outcome_is_what_drives_it(bank_grounder):
    found = bank_grounder.in_context([], "why do loans default?")
    assert (found.kind, found.alone) == ("drivers", True)
    assert isinstance(bank_grounder.in_context([], "why do accounts default?"), str)


@pytest.mark.parametrize(
    ("question", "says", "top_k"),
    [
        ("what is the probability that loan 4983 goes bad?", "4983", 10),
        ("rank open loans by probability of default and show the worst 5", "running in order", 5),
        ("predict which of the active loans end up as bad loans", "running in order", 10),
        ("expected monthly payments for accounts that don't have a loan", "accounts without a loan", 10),
        ("can you predict loan duration from the other columns?", "how well duration", 10),
        ("how accurate is a model that predicts default?", "chance of default", 10),
    ],
)
def test_predictions_in_other_words(bank_grounder, question, says, top_k):
    plan = bank_grounder.understood(question)
    assert says in plan.read_as
    assert plan.top_k == top_k


@pytest.mark.parametrize("question", ["what are the columns of trips", "which are the features of trips"])
def test_the_columns_of_a_table_are_no_drivers_of_its_column(frames_grounder, question):
    trips = pd.DataFrame({"trip": range(30), "km": [i % 7 for i in range(30)]})
    grounder = frames_grounder(trips=trips)
    assert grounder.in_context([], question) == question
    assert isinstance(grounder.in_context([], "what are the main features for km"), Explained)
