"""What the north star answers, on the synthetic bank and on the real files: counts, honesty, and what never appears."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lexsi_nb.__main__ import QUESTION
from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Attribution, Chart
from lexsi_nb.magics.showing import bundles
from lexsi_nb.widgets.answer_html import foot_html, head_html
from lexsi_nb.widgets.answer_text import answer_text

RUNS = ["bank_run", "berka_run"]


@pytest.fixture(params=RUNS)
def run(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def names(run, request):
    return request.getfixturevalue("bank_session" if run.synthetic else "berka_session").namespace


def test_the_populations_are_those_of_the_knowledge_graph(run, names):
    assert run.status == "answered", run.answer
    assert (len(names["context_df"]), int(names["context_df"]["is_default"].sum())) == (234, 31)
    assert len(names["predict_df"]) == 403
    assert len(names["already_df"]) == 45
    assert len(names["predictions"]) == 403
    assert len(names["attributions"]) == 10


def test_the_debtors_are_neither_ranked_nor_learned_from(run, names):
    debtors = set(names["already_df"]["loan_id"])
    assert not debtors & set(names["predictions"]["loan_id"])
    assert not debtors & set(names["context_df"]["loan_id"])
    assert any("AUC" in line and "not trained on" in line for line in run.facts["quality"])


def test_nothing_of_the_outcome_or_of_later_days_is_a_feature(run, names):
    features = set(names["attributions"].columns)
    for banned in ("status", "payments", "birth_date", "gender", "unemployment_1996", "crimes_1995", "average_salary"):
        assert not any(banned in f for f in features), banned
    left = " ".join(run.facts["left out"])
    for named in ("payments", "status", "order", "disp", "card", "unemployment_1995", "gender"):
        assert named in left


def test_attributions_add_up_to_the_score_in_log_odds(run, names):
    frame = names["attributions"].set_index("loan_id")
    parts = frame.drop(columns=["base_value", "raw_score"])
    total = frame["base_value"] + parts.sum(axis=1)
    np.testing.assert_allclose(total, frame["raw_score"], atol=1e-6)
    scores = names["predictions"].set_index("loan_id")["probability"].loc[frame.index]
    np.testing.assert_allclose(1 / (1 + np.exp(-frame["raw_score"])), scores, atol=1e-9)


def test_quality_says_too_few_with_interval_and_baseline(run):
    quality = " ".join(run.facts["quality"])
    assert "too few cases to tell" in quality
    assert re.search(r"AUC 0\.\d\d \(0\.\d\d-0\.\d\d", quality)
    assert "0.50" in quality
    assert "not calibrated" in quality
    assert "out of time" in quality
    assert "Too few cases to tell how well this ranking holds: 31 of the 234 known are in default." in run.answer


def test_warnings_name_few_cases_and_the_longer_loans(run):
    warnings = " ".join(run.facts["warnings"])
    assert "31 cases" in warnings
    assert "duration" in warnings
    assert "the model saw only 17 such of 234" in warnings


@pytest.mark.parametrize(
    "render", [answer_text, lambda r: head_html(r) + foot_html(r, cells=False)], ids=["text", "html"]
)
def test_what_never_appears(run, names, render):
    text = render(run)
    lowered = text.lower()
    for word in ("because", "should lend", "recommend", "client_id", "account_id", "owner_id"):
        assert word not in lowered, word
    scores = [f"{p:.4f}" for p in names["predictions"]["probability"]]
    assert not [s for s in scores if s in text]


def test_everything_a_person_looks_for_is_there(run):
    text = answer_text(run)
    for heading in (
        "question read as",
        "not ranked",
        "ranked",
        "learned from",
        "warnings",
        "quality",
        "left out",
        "variables",
        "sent off this machine",
        "made with",
        "code",
    ):
        assert re.search(rf"^{heading}\s", text, re.MULTILINE), heading
    assert re.search(r"^sent off this machine\s+nothing$", text, re.MULTILINE)
    assert f"run {run.id}" in text
    assert "seed 0" in text
    assert run.readings, "no other reading to change to"


def test_synthetic_data_say_so_and_real_data_do_not(bank_run, berka_run):
    assert "SYNTHETIC" in answer_text(bank_run)
    assert "SYNTHETIC" not in answer_text(berka_run)
    assert all("SYNTHETIC" in str(c.spec["title"]) for c in bank_run.of(Chart))


def test_every_number_of_the_answer_is_in_the_objects(run, names):
    scores = names["predictions"]["probability"]
    head, caveat, moved = run.answer.split(". ")
    assert head == f"The 10 highest of 403 loans running in order score {scores[0]:.3f} to {scores[9]:.3f}"
    assert re.findall(r"\d+", caveat) == ["31", "234"]
    reasons = names["attributions"].drop(columns=["loan_id", "base_value", "raw_score"])
    assert not re.search(r"\d", moved.replace("10 scores", "").replace("90d", ""))
    assert moved.rstrip(".").split(": ")[1].split(", ") == list(reasons.abs().mean().nlargest(3).index)


def test_the_answer_reads_headline_table_facts_charts_foot(run):
    """The same order as HTML and as text; what may change a decision is never folded."""
    html = "".join(b.get("text/html", "<chart>") for b in bundles(run))
    text = answer_text(run)
    for form, code in ((html, "plain libraries only"), (text, "%lexsi insert")):
        marks = ["The 10 highest", "what moved it", "not ranked", "made with", code]
        places = [form.index(mark) for mark in marks]
        assert places == sorted(places)
    assert html.index(" left out</summary>") < html.index("<chart>") < html.index("made with")
    folded = "".join(re.findall(r"<details.*?</summary>(.*?)</details>", html, re.DOTALL))
    assert "not calibrated" in html.replace(folded, "")
    assert "Too few cases" not in folded


def test_each_of_the_ten_has_an_explanation(run):
    shown = run.of(Attribution)
    assert len(shown) == 10
    assert head_html(run).count(">Explain</summary>") == 10


def test_the_steps_are_those_of_the_reference(run):
    assert [s.tool for s in run.steps] == [
        "inspect_data", "query_kg", "text_to_sql", "run_sql", "run_sql", "run_sql", "train_tabular_model", "predict",
        "explain_prediction", "summarize_result",
    ]  # fmt: skip
    assert all(s.status == "ok" and s.summary for s in run.steps)


def test_the_same_seed_gives_the_same_model(bank, bank_run, bank_session):
    other = Session(bank, namespace={})
    again = other.ask(QUESTION)
    assert again.answer == bank_run.answer
    assert again.id == bank_run.id
    assert other.namespace["predictions"].equals(bank_session.namespace["predictions"])
    other.close()


def test_asking_twice_makes_no_second_name(bank):
    session = Session(bank, namespace={})
    for _ in range(2):
        run = session.ask(QUESTION)
    assert not [n for n in session.namespace if n.endswith("_2")]
    assert not any("here:" in w for w in run.facts["warnings"])
    session.close()


def test_html_needs_no_network_and_no_script(run):
    html = head_html(run) + foot_html(run)
    assert "<script" not in html
    assert not re.search(r"""(src|href)=["']?https?:""", html)
