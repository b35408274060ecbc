"""What the platform may answer under names of its own, and where a key and a reason come from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.app import hosted
from lexsi_nb.egress.gate import Gate
from lexsi_nb.modeling.lexsi.calls import with_reason
from lexsi_nb.modeling.lexsi.failures import JobFailed, PlatformFailed
from lexsi_nb.modeling.lexsi.normal import answer_of
from lexsi_nb.planners import keys
from tests.lexsi.conftest import SPEC

SENT = ("id", "x")
BASE = {"id": [1, 2, 3], "x": [0.1, 0.2, 0.3]}


@pytest.mark.parametrize(
    ("added", "score", "of_predicted"),
    [
        ({"Predicted_value_AutoML": [0, 1, 0], "pred_proba_AutoML": [0.2, 0.9, 0.4]}, "pred_proba_AutoML", False),
        ({"Predicted_value_AutoML": [0, 1, 0], "pred_proba_AutoML": [0.8, 0.9, 0.6]}, "pred_proba_AutoML", True),
        # Where only the frequent class is predicted, as of something rare, it is that class's probability all the same.
        ({"Predicted_value_AutoML": [0, 0, 0], "pred_proba_AutoML": [0.8, 0.9, 0.6]}, "pred_proba_AutoML", True),
        ({"Predicted_value_AutoML": [0, 0, 0], "pred_proba_AutoML": [0.2, 0.1, 0.4]}, "pred_proba_AutoML", False),
        ({"Predicted_value_AutoML": [1, 1, 1], "pred_proba_AutoML": [0.8, 0.9, 0.6]}, "pred_proba_AutoML", False),
        ({"prediction": [0, 1, 0], "proba_0": [0.8, 0.1, 0.6], "proba_1": [0.2, 0.9, 0.4]}, "proba_1", False),
        ({"Probability": [1, 0, 1]}, "Probability", False),
    ],
)
def test_the_probability_is_found_under_its_names(added: Any, score: str, of_predicted: bool) -> None:
    found = answer_of(pd.DataFrame({**BASE, **added}), sent=SENT, regression=False)
    assert (found.score, found.of_predicted) == (score, of_predicted)


def test_a_number_is_found_and_what_is_none_is_named() -> None:
    numbers = pd.DataFrame({**BASE, "Predicted_value_AutoML": [1.5, 2.5, 3.5]})
    assert answer_of(numbers, sent=SENT, regression=True).score == "Predicted_value_AutoML"
    with pytest.raises(PlatformFailed, match=r"no column of a probability .* It added: grade\."):
        answer_of(pd.DataFrame({**BASE, "grade": ["A", "B", "C"]}), sent=SENT, regression=False)
    with pytest.raises(PlatformFailed, match="holds no probabilities"):
        answer_of(pd.DataFrame({**BASE, "proba": [0.1, 7.0, 0.3]}), sent=SENT, regression=False)
    # A feature of that name is what was sent, not what was answered.
    with pytest.raises(PlatformFailed, match="no column of a probability"):
        answer_of(pd.DataFrame({**BASE, "proba": [0.1, 0.2, 0.3]}), sent=(*SENT, "proba"), regression=False)


def test_where_the_logs_say_nothing_the_events_give_the_reason() -> None:
    said = [{"event_id": "e1", "message": ""}, {"event_id": "e1", "message": "Node ran out of memory"}]
    project = SimpleNamespace(logs=lambda **_: "No logs found", events=lambda event_id: said)
    failed = JobFailed("Training on Lexsi failed.", event_id="e1")
    for has_logs in (True, False):
        assert "Node ran out of memory." in str(with_reason(failed, project, has_logs))
    silent = SimpleNamespace(logs=lambda **_: "", events=lambda event_id: [])
    assert "The platform gave no reason." in str(with_reason(failed, silent, True))


def test_the_key_comes_from_the_environment_then_from_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "in_keyring", lambda name: f"of the keyring, {name}")
    monkeypatch.setenv("SDK_ACCESS_TOKEN", "of the environment")
    assert hosted.key_of(Gate()) == "of the environment"
    monkeypatch.delenv("SDK_ACCESS_TOKEN")
    assert hosted.key_of(Gate()) == "of the keyring, lexsi"


def test_cases_are_asked_for_a_few_at_once(server: Any, session_on: Any, frames: dict[str, pd.DataFrame]) -> None:
    ids, at_once = frames["new"]["loan_id"].tolist(), server.platform.at_once
    for parallel in (3, 1):
        backend = session_on(f"lexsi --parallel {parallel}").backend().in_project(f"agentclass0000000{parallel}")
        trained = backend.train(frames["known"], SPEC)
        server.faults.case_seconds = 0.03

        def most(act: Any, more: list[Any], made: Any = trained, own: Any = backend) -> int:
            at_once.most = 0
            getattr(own, act)(made, frames["new"], more, **({} if act == "told" else {"frame_name": "new"}))
            return at_once.most

        assert most("explain", ids[:1]) == parallel  # beside the case: what SHAP values add up to, of a few
        assert most("explain", ids[10:20]) == parallel  # the cell
        assert most("told", ids[20:]) == parallel
