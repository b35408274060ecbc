"""One case with other values: the score and contributions are those of the model on that row; nothing else changes."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.what_if import WhatIf
from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.errors import BadData, StaleResult, UnknownCase, UnknownColumn
from lexsi_nb.widgets.live.what_if import WhatIfForm
from lexsi_nb.widgets.named_values import named_values
from lexsi_nb.widgets.trial import score_said
from tests.widgets.conftest import loans


@pytest.fixture
def form(session: lx.Session) -> WhatIfForm:
    return WhatIfForm(session.what_if(session.explainer.made().predicted.frame["loan_id"].iloc[0]))


def scored_by_hand(session: lx.Session, case: Any, **changes: Any) -> float:
    """Return the raw score of the case by the model itself, its inputs made without the product."""
    made = session.explainer.made()
    frame = made.variables.frame(made.frame_name)
    row = frame[frame["loan_id"] == case].copy()
    for name, value in changes.items():
        row[name] = value
    X = row[list(made.trained.features)].copy()
    for name in X:
        if name in made.trained.categories:
            X[name] = X[name].astype("string").astype("category")
        else:
            X[name] = X[name].astype("float64")
    return float(made.trained.model.predict(X, raw_score=True)[0])


def test_the_score_is_that_of_the_model_on_the_changed_row(session: lx.Session) -> None:
    case = session.explainer.made().predicted.frame["loan_id"].iloc[0]
    what_if = WhatIf(session.explainer, case)
    changes = {"amount due": 2_000, "grade's": "a", "late": False}
    trial = what_if.tried(changes)
    assert trial.attribution.raw_score == pytest.approx(scored_by_hand(session, case, **changes), abs=1e-9)
    total = trial.attribution.base + sum(r.contribution for r in trial.attribution.reasons)
    assert total == pytest.approx(trial.attribution.raw_score, abs=1e-9)
    assert what_if.before.raw_score == pytest.approx(scored_by_hand(session, case), abs=1e-9)
    assert trial.attribution.raw_score < what_if.before.raw_score


def test_the_cell_makes_the_same_in_a_fresh_namespace(session: lx.Session) -> None:
    made = session.explainer.made()
    case = made.predicted.frame["loan_id"].iloc[3]
    trial = WhatIf(session.explainer, case).tried({"amount due": 5_000, "grade's": "it's", "rate": float("nan")})
    frame = made.variables.frame(made.frame_name)
    before = frame.copy()
    names = {made.frame_name: frame, made.trained.name("model"): made.trained.model}
    names |= {made.trained.name("quality"): made.trained.quality.frame} if made.trained.calibrated else {}
    exec(compile(trial.cell.source, "cell", "exec"), names)
    assert names["what_if_attributions"]["raw_score"].iloc[0] == pytest.approx(trial.attribution.raw_score, abs=1e-12)
    pd.testing.assert_frame_equal(frame, before)


def test_the_frames_and_variables_of_the_user_stay(session: lx.Session, form: WhatIfForm) -> None:
    made = session.explainer.made()
    frame, names = made.variables.frame(made.frame_name).copy(), set(made.variables.namespace)
    form.receive({"id": "1", "request": "change", "content": {"feature": "amount due", "value": "1"}})
    assert set(made.variables.namespace) == names
    pd.testing.assert_frame_equal(made.variables.frame(made.frame_name), frame)


def test_a_change_says_what_the_score_was_and_is(form: WhatIfForm) -> None:
    reply = form.receive({"id": "1", "request": "change", "content": {"feature": "amount due", "value": "1,500"}})
    then, now = form.what_if.before.probability, form.trial.attribution.probability
    assert reply["reply"]["sentence"] == (
        f"Score {then:.3f} → {now:.3f} ({round(now, 3) - round(then, 3):+.3f}) with 1 other value."
    )
    field = next(f for f in form.state["fields"] if f["feature"] == "amount due")
    assert (field["value"], field["changed"]) == ("1,500", True)
    assert "1500" in form.cell().source
    assert reply["reply"]["sentence"] in form.static()["text/plain"]
    form.receive({"id": "2", "request": "change", "content": {"feature": "amount due", "value": field["own"]}})
    assert form.changes == {}
    form.receive({"id": "3", "request": "change", "content": {"feature": "late", "value": "no"}})
    form.receive({"id": "4", "request": "reset", "content": {}})
    assert form.state["changed"] == 0
    assert form.trial.attribution.probability == pytest.approx(then)


def test_each_field_has_its_contribution_and_the_known_range(form: WhatIfForm, session: lx.Session) -> None:
    form.receive({"id": "1", "request": "change", "content": {"feature": "amount due", "value": "1500"}})
    was, now = ({r.feature: r.contribution for r in a.reasons} for a in (form.what_if.before, form.trial.attribution))
    field = next(f for f in form.state["fields"] if f["feature"] == "amount due")
    assert (field["now"], field["moved"]) == (
        f"{now['amount due']:+.2f}", f"{now['amount due'] - was['amount due']:+.2f}"
    )  # fmt: skip
    known = loans()["amount due"][:320]
    assert field["known"] == f"known {known.min():,} to {known.max():,}"
    assert 'class="lexsi-was"' in field["bar"]  # the outline of what it was
    form.receive({"id": "2", "request": "change", "content": {"feature": "amount due", "value": field["own"]}})
    assert form.changes == {}


@pytest.mark.parametrize(
    ("then", "now", "changed", "said"),
    [
        (0.5182, 0.5182, 0, "Score 0.518 as it is."),
        (0.5182, 0.3102, 2, "Score 0.518 → 0.310 (-0.208) with 2 other values."),
        (0.51821, 0.51824, 1, "Score 0.51821 → 0.51824 (+0.00003) with 1 other value."),
        (0.5182, 0.5182 + 1e-9, 1, "Score 0.518 as it is and with 1 other value: no visible change."),
    ],
)
def test_a_score_has_as_many_digits_as_show_its_change(then: float, now: float, changed: int, said: str) -> None:
    assert score_said(*(Attribution("1", 0.0, 0.0, p, ()) for p in (then, now)), changed) == said


@pytest.mark.parametrize(
    ("feature", "typed", "said"),
    [
        ("amount due", "much", "'much' is no value of amount due.\n\nWrite a number"),
        ("amount due", "inf", "'inf' is no value of amount due."),
        ("late", "perhaps", "'perhaps' is no value of late."),
        ("colour", "red", "colour"),
    ],
)
def test_what_is_no_value_is_said_and_loses_nothing(form: WhatIfForm, feature: str, typed: str, said: str) -> None:
    form.receive({"id": "1", "request": "change", "content": {"feature": "late", "value": "no"}})
    before = dict(form.changes)
    reply = form.receive({"id": "2", "request": "change", "content": {"feature": feature, "value": typed}})
    assert said.split("\n")[0] in reply["error"]
    assert form.changes == before


def test_a_value_beyond_the_known_cases_is_said(form: WhatIfForm) -> None:
    form.receive({"id": "1", "request": "change", "content": {"feature": "amount due", "value": "9e9"}})
    assert form.state["beyond"][0].startswith("amount due 9,000,000,000 (known: ")
    form.receive({"id": "2", "request": "change", "content": {"feature": "grade's", "value": "z"}})
    assert "grade's z (no known case has it)" in form.state["beyond"]


def test_a_missing_value_is_tried(form: WhatIfForm, session: lx.Session) -> None:
    form.receive({"id": "1", "request": "change", "content": {"feature": "rate", "value": ""}})
    case = session.explainer.made().predicted.frame["loan_id"].iloc[0]
    assert form.trial.attribution.raw_score == pytest.approx(scored_by_hand(session, case, rate=np.nan), abs=1e-9)


def test_a_case_or_feature_that_is_not_there_is_named(session: lx.Session) -> None:
    with pytest.raises(UnknownCase):
        WhatIf(session.explainer, 99_999)
    case = session.explainer.made().predicted.frame["loan_id"].iloc[0]
    with pytest.raises(UnknownColumn, match="amount due"):
        WhatIf(session.explainer, case).tried({"amount du": 3})


def test_a_model_elsewhere_is_not_tried(session: lx.Session) -> None:
    class Away:
        local = False

    from dataclasses import replace

    with pytest.raises(BadData, match="Lexsi platform"):
        WhatIf(replace(session.explainer.made(), backend=Away()), 1)


def test_after_an_edit_of_the_scored_rows_it_says_stale() -> None:
    session = lx.Session({"loans": loans()}, namespace={})
    session.ask("which loans are likely to be defaulted?")
    made = session.explainer.made()
    what_if = WhatIf(session.explainer, made.predicted.frame["loan_id"].iloc[0])
    made.variables.frame(made.frame_name).loc[:, "rate"] = 0.0
    with pytest.raises(StaleResult):
        what_if.tried({"late": True})


def test_many_features_start_with_those_that_count_and_others_can_be_added(form: WhatIfForm) -> None:
    shown = [f["feature"] for f in form.state["fields"]]
    others = form.state["others"]
    assert set(shown) <= form.what_if.used
    assert set(shown) | set(others) == set(map(str, form.what_if.trained.features))
    for name in others:
        form.receive({"id": "1", "request": "add", "content": {"feature": name}})
    assert form.state["others"] == []


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"amount due": "1,500", "late": "no"}, {"amount due": 1500, "late": False}),
        ({"amount due": np.float64(1500.0), "late": np.bool_(False)}, {"amount due": 1500, "late": False}),
        ({"late": 0, "rate": ""}, {"late": False, "rate": float("nan")}),
        ({"rate": None, "grade's": "b"}, {"rate": float("nan"), "grade's": "b"}),
    ],
)
def test_values_are_taken_as_typed_or_as_they_are(session: lx.Session, changes: Any, same: Any) -> None:
    case = session.explainer.made().predicted.frame["loan_id"].iloc[0]
    trial = session.what_if(case).tried(changes)
    assert trial.attribution.raw_score == pytest.approx(scored_by_hand(session, case, **same), abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"amount due": "abc"},
            r"'abc' is no value of amount due\. amount due is a number; the known cases have [\d,]+ to ",
        ),
        ({"amount due": [1]}, r"\[1\] is no value of amount due\."),
        ({"amount due": True}, "True is no value of amount due."),
        ({"rate": float("inf")}, "inf is no value of rate."),
        ({"late": 7}, "7 is no value of late. late is yes or no. Write yes or no; nothing or None"),
        ({"amount": 3}, "No column 'amount'. Nearest: amount due."),
    ],
)
def test_a_value_of_another_kind_is_named_with_what_is_needed(form: WhatIfForm, changes: Any, said: str) -> None:
    with pytest.raises((BadData, UnknownColumn), match=said) as caught:
        form.tried(changes)
    assert "SQL" not in str(caught.value)


def test_plain_text_has_the_values_the_known_cases_and_how_to_try_others(form: WhatIfForm) -> None:
    text = form.static()["text/plain"]
    case = form.what_if.before.case
    assert re.search(r"amount due +[\d,]+ +[\d,]+ to [\d,]+", text)
    assert re.search(r"grade's +\S+ +a, b, it's", text)
    assert re.search(r"late +(yes|no) +yes or no", text)
    [line] = re.findall(r"^  %lexsi whatif (.*)$", text, re.MULTILINE)
    words, changes = named_values(line)
    assert words == [case]
    [call] = re.findall(r"^  lx\.what_if\((.*)\)\.tried\((.*)\)$", text, re.MULTILINE)
    assert call[0] == case
    # Both mean the same, and another score.
    tried, typed = form.tried(ast.literal_eval(call[1])), form.tried(changes)
    assert tried.attribution.raw_score == typed.attribution.raw_score != form.what_if.before.raw_score


def test_changed_values_are_shown_with_what_they_moved(session: lx.Session) -> None:
    case = session.explainer.made().predicted.frame["loan_id"].iloc[0]
    form = WhatIfForm(session.what_if(case), {"amount due": "9e9"})
    trial = form.trial
    text, printed = form.static()["text/plain"], repr(trial)
    now = next(r.contribution for r in trial.attribution.reasons if r.feature == "amount due")
    then = next(r.contribution for r in trial.before.reasons if r.feature == "amount due")
    for shown in (text, printed):
        assert score_said(trial.before, trial.attribution, 1) in shown
        assert re.search(rf"amount due = \S+ +{re.escape(f'{then:+.2f}')} +{re.escape(f'{now:+.2f}')}", shown)
        assert "Outside of what was learned from: amount due 9,000,000,000 (known: " in shown
    assert re.search(r"amount due +9,000,000,000 +[\d,]+ +", text)
    assert "<script" not in trial._repr_mimebundle_()["text/html"]


def test_a_what_if_of_a_session_shows_itself_as_text(session: lx.Session) -> None:
    case = session.explainer.made().predicted.frame["loan_id"].iloc[0]
    assert repr(session.what_if(case)).startswith(f"What if: loan_id {case}\nScore 0.")
