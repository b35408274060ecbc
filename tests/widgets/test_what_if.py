"""One case with other values: the score and contributions are those of the model on that row; nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.what_if import WhatIf
from lexsi_nb.errors import BadData, StaleResult, UnknownCase, UnknownColumn
from lexsi_nb.widgets.live.what_if import WhatIfForm


def loans(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "loan_id": np.arange(1, n + 1),
            "amount due": rng.integers(1_000, 90_000, n),
            "grade's": rng.choice(["a", "b", "it's"], n),
            "late": rng.random(n) < 0.4,
            "rate": np.where(rng.random(n) < 0.1, np.nan, rng.random(n)),
        }
    )
    push = frame["amount due"] / 30_000 + 2 * (frame["grade's"] == "b") + 1.5 * frame["late"] + rng.normal(0, 1, n)
    frame["defaulted"] = np.where(np.arange(n) < 320, (push > 3).astype(float), np.nan)
    return frame


@pytest.fixture(scope="module")
def session() -> lx.Session:
    session = lx.Session({"loans": loans()}, namespace={})
    run = session.ask("which loans are likely to be defaulted?")
    assert session.explainer is not None, run.answer
    return session


@pytest.fixture
def form(session: lx.Session) -> WhatIfForm:
    return WhatIfForm(session.explainer, session.explainer.made().predicted.frame["loan_id"].iloc[0])


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
        f"Score {then:.2f} as it is; {now:.2f} with 1 other value ({now - then:+.2f})."
    )
    field = next(f for f in form.state["fields"] if f["feature"] == "amount due")
    assert (field["value"], field["changed"]) == ("1500", True)
    assert "1500" in form.cell().source
    assert reply["reply"]["sentence"] in form.static()["text/plain"]
    form.receive({"id": "2", "request": "change", "content": {"feature": "amount due", "value": field["own"]}})
    assert form.changes == {}
    form.receive({"id": "3", "request": "change", "content": {"feature": "late", "value": "no"}})
    form.receive({"id": "4", "request": "reset", "content": {}})
    assert form.state["changed"] == 0
    assert form.trial.attribution.probability == pytest.approx(then)


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
    assert form.state["beyond"][0].startswith("amount due 9e+09 (known: ")
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
