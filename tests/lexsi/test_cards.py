"""What a person is shown before a call is sent to the platform, and for which data a yes holds."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.modeling.lexsi.backend import LexsiBackend
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

Frames = dict[str, pd.DataFrame]
TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="loan_id")
NEW, WHY, ALL = call("predict", df_label="new"), call("explain_prediction", top_k=2), call("explain_model")
UPLOAD, INFER = "v2/project/uploadfile_with_info", "v2/ai-models/run_model_on_data"
COLUMNS = "loan_id, x, z, word"


@pytest.fixture
def wide(frames: Frames, monkeypatch: pytest.MonkeyPatch) -> Frames:
    """Frames with more rows than are explained at once, and a column that no model reads."""
    monkeypatch.setattr(LexsiBackend, "most_cases", 10)
    return {**frames, "new": frames["new"].assign(note="n")}


@pytest.fixture
def play(server: Any, session_on: Any) -> Any:
    """Return a function that plays calls, approves each, and returns [(tool, card, requests after it)] and the run."""

    def run(namespace: Frames, *lines: Any, options: str = "", **more: Any) -> Any:
        planner = ScriptedPlanner([*lines, say("done")])
        session = session_on(f"lexsi {options}".strip(), namespace=namespace, planner=planner, replay="off", **more)
        found, cards = session.ask("q"), []
        while found.status == "awaiting_approval":
            tool, shown, before = found.approval.tool, dict(found.approval.effect), len(server.seen)
            found.resume(approve=True)
            cards.append((tool, shown, server.seen[before:]))
        return cards, found

    return run


def test_each_card_says_what_is_sent_where_on_which_compute(server: Any, play: Any, wide: Frames) -> None:
    cards, _ = play(wide, TRAIN, NEW, WHY, ALL, options="--compute medium")
    assert [t for t, _, _ in cards] == ["train_tabular_model", "predict", "explain_prediction", "explain_model"]
    assert all(s["goes to"].startswith(f"Lexsi at {server.url}") for _, s, _ in cards)
    assert all("Compute: medium." in s["note"] for _, s, _ in cards)
    (_, train, _), (_, predict, _), (_, why, _), (_, everything, sent) = cards
    assert (train["rows"], train["columns"]) == ("160", f"{COLUMNS}, bad")
    assert predict["frame new"] == why["frame new"] == f"30 rows: {COLUMNS}"
    assert "2 cases by id" in why["note"]
    assert everything["frame new, 10 of 30 rows drawn at random"] == f"10 rows: {COLUMNS}"
    # The requests are those that the cards announced.
    [drawn] = [s.body.split(b"\r\n\r\n", 1)[1].splitlines() for s in sent if s.path == UPLOAD]
    assert drawn[0].decode() == COLUMNS.replace(", ", ",")
    assert sum(b"," in line for line in drawn[1:]) == 10
    assert {s.body["instance_type"] for s in server.to(INFER)} == {"medium"}


def test_another_pod_goes_before_the_compute_of_the_model(server: Any, play: Any, frames: Frames) -> None:
    cards, run = play(frames, TRAIN, call("predict", df_label="new", pod="large"))
    assert "Compute: large." in cards[1][1]["note"]
    assert [s.body["instance_type"] for s in server.to(INFER)] == ["small", "large"]
    assert run.cells[-2].source.count('model_inference("large"') == 1


def test_the_same_question_about_other_rows_is_asked_about_anew(server: Any, play: Any, wide: Frames) -> None:
    lines = (TRAIN, NEW, WHY, ALL)
    play(wide, *lines)
    uploads = len(server.to(UPLOAD))
    cards, run = play(wide, *lines)
    assert (cards, len(server.to(UPLOAD))) == ([], uploads)
    wide["new"] = wide["new"].assign(z=1.0)
    cards, run = play(wide, *lines)
    assert [t for t, _, _ in cards] == ["predict", "explain_prediction", "explain_model"]
    assert [s.status for s in run.steps][:4] == ["duplicate", "ok", "ok", "ok"]


def test_scores_of_another_model_are_asked_about_anew(server: Any, play: Any, frames: Frames) -> None:
    play(frames, TRAIN, NEW, WHY)
    frames["known"] = frames["known"].assign(x=lambda f: -f["x"])
    cards, _ = play(frames, TRAIN, NEW, WHY)
    assert [t for t, _, _ in cards] == ["train_tabular_model", "predict", "explain_prediction"]


@pytest.mark.parametrize("later", [call("predict", df_label="asked"), call("explain_model", df_label="asked")])
def test_a_feature_that_tells_of_a_private_column_of_the_scored_rows_is_not_sent(
    server: Any, play: Any, frames: Frames, later: Any
) -> None:
    frames["new"] = frames["new"].rename(columns={"z": "income"})
    asked = call("run_sql", sql="SELECT loan_id, x, income AS z, word FROM new", label="asked")
    _, run = play(frames, asked, TRAIN, later, policy={"level": "rows", "private": ["new.income"]})
    assert [s.status for s in run.steps][:3] == ["ok", "ok", "failed"]
    assert "z of asked is private, so nothing is sent to lexsi" in run.steps[2].summary
    assert len(server.to(UPLOAD)) == 2  # of the training


def test_what_the_platform_lacks_is_said_before_it_is_asked(server: Any, play: Any, frames: Frames) -> None:
    cards, run = play(frames, TRAIN, NEW, call("explain_prediction", include_counterfactual=True))
    assert cards[-1][2] == []
    assert "The lexsi backend has no counterfactuals. Leave include_counterfactual out." in run.steps[2].summary


def test_the_check_of_scores_can_be_stopped_and_says_how_far_it_is(
    server: Any, bank: Any, session_on: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    real = LexsiBackend.check

    def check(self: Any, *given: Any, **more: Any) -> Any:
        seen.append((more["cancelled"](), more["tick"]))
        return real(self, *given, **more)

    monkeypatch.setattr(LexsiBackend, "check", check)
    question = "Which running loans are likely to default?"
    run = session_on("lexsi", dataset=bank).ask(question, approve=("train_tabular_model", "predict"))
    assert [s.status for s in run.steps if s.tool == "predict"] == ["ok"], run.answer
    assert [stopped for stopped, _ in seen] == [False]
