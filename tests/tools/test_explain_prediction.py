"""explain_prediction: chosen or highest cases, similar known ones with their outcome, failures kept with the case."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Attribution
from lexsi_nb.errors import BadData
from lexsi_nb.modeling.embedded import EmbeddedBackend
from lexsi_nb.planners.scripted import call
from lexsi_nb.tools.explain_prediction import said


class Quick(EmbeddedBackend):
    """The embedded backend, which measures quality by one round of folds."""

    def train(self, frame: Any, spec: Any, **options: Any) -> Any:
        """Train."""
        return super().train(frame, dataclasses.replace(spec, repeats=1), **options)


@pytest.fixture
def frames() -> dict[str, Any]:
    """Return sixty labelled and twenty open cases with gaps."""
    rng = np.random.default_rng(3)
    known = pd.DataFrame({"case": range(60), "x": rng.normal(size=60), "y": rng.normal(size=60) * 100})
    known["kind"] = rng.choice(["a", "b", None], 60)
    known["bad"] = (known["x"] + rng.normal(size=60) > 0).astype(int)
    scored = pd.DataFrame({"case": range(100, 120), "x": rng.normal(size=20), "y": rng.normal(size=20) * 100})
    scored["kind"] = rng.choice(["a", "b", None], 20)
    known.loc[3, "x"] = scored.loc[2, "y"] = np.nan
    return {"known": known, "opened": scored}


TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="case")
SCORE = call("predict", df_label="opened")


def test_chosen_cases_are_explained_in_the_order_asked(frames, play):
    run = play(TRAIN, SCORE, call("explain_prediction", case_ids=["103", 101]), namespace=frames, backend=Quick())
    assert [a.case for a in run.of(Attribution)] == ["103", "101"]
    assert [x["case_id"] for x in run.session.cache["last_xai"]] == [103, 101]


def test_every_feature_is_in_the_record_largest_first(frames, play):
    run = play(TRAIN, SCORE, call("explain_prediction", top_k=2), namespace=frames, backend=Quick())
    record = run.session.cache["last_xai"][0]
    assert set(record["shap_values"]) == {"x", "y", "kind"}
    sizes = [abs(v) for v in record["shap_values"].values()]
    assert sizes == sorted(sizes, reverse=True)
    row = frames["attributions"].iloc[0]
    assert row["base_value"] + sum(record["shap_values"].values()) == pytest.approx(row["raw_score"], abs=1e-9)
    assert record["summary"].startswith("raised by")


def test_summaries_can_be_left_out(frames, play):
    run = play(
        TRAIN, SCORE, call("explain_prediction", top_k=1, include_summary=False), namespace=frames, backend=Quick()
    )
    assert "summary" not in run.session.cache["last_xai"][0]
    assert "raised by" not in run.steps[2].summary


# -- similar cases


def gower(frames: dict[str, Any], case: int) -> pd.Series:
    """Return the distance of a case to each known one, feature by feature, the slow way."""
    known, row = frames["known"], frames["opened"].set_index("case").loc[case]
    total = np.zeros(len(known))
    for column in ("x", "y"):
        span = known[column].max() - known[column].min()
        for i, value in enumerate(known[column]):
            if pd.isna(value) and pd.isna(row[column]):
                continue
            total[i] += 1 if pd.isna(value) or pd.isna(row[column]) else min(abs(value - row[column]) / span, 1)
    for i, value in enumerate(known["kind"]):
        same = (pd.isna(value) and pd.isna(row["kind"])) or value == row["kind"]
        total[i] += 0 if same else 1
    return pd.Series(total / 3, index=known["case"])


def test_similar_cases_are_the_three_nearest_known_ones_with_their_outcome(frames, play):
    run = play(
        TRAIN, SCORE, call("explain_prediction", top_k=5, include_similar=True), namespace=frames, backend=Quick()
    )
    assert run.steps[2].status == "ok", run.steps[2].summary
    outcome = frames["known"].set_index("case")["bad"]
    for record in run.session.cache["last_xai"]:
        distances = gower(frames, record["case_id"])
        nearest = distances.sort_values(kind="stable").head(3)
        assert [s["similar_case"] for s in record["similar"]] == nearest.index.tolist()
        assert [s["distance"] for s in record["similar"]] == pytest.approx(nearest.tolist(), abs=1e-4)
        assert [s["bad"] for s in record["similar"]] == [outcome[s["similar_case"]] for s in record["similar"]]


def test_similar_cases_say_how_they_are_measured_and_are_shown(frames, play):
    run = play(
        TRAIN, SCORE, call("explain_prediction", top_k=1, include_similar=True), namespace=frames, backend=Quick()
    )
    assert "Gower distance" in run.facts["similar"][0]
    assert "Gower distance" in run.steps[2].summary
    assert "similar_cases" in [s.id for s in run.artifacts]
    assert run.graph["similar_cases"].parents == ("opened", "known", "attributions")


def test_the_cell_alone_finds_the_same_similar_cases(frames, play):
    run = play(
        TRAIN, SCORE, call("explain_prediction", top_k=4, include_similar=True), namespace=frames, backend=Quick()
    )
    alone = {"known": frames["known"], "opened": frames["opened"], "case_ids": "mine", "distance": "mine"}
    for cell in run.cells:
        if cell.kind != "chart":
            assert "lexsi" not in cell.source
            exec(compile(cell.source, cell.title, "exec"), alone)
    pd.testing.assert_frame_equal(alone["similar_cases"], frames["similar_cases"])
    assert alone["distance"] == "mine"


def test_a_case_is_not_like_itself(frames, play):
    run = play(
        TRAIN, call("predict", df_label="known"), call("explain_prediction", top_k=4, include_similar=True),
        namespace=frames, backend=Quick(),
    )  # fmt: skip
    assert run.steps[2].status == "ok", run.steps[2].summary
    assert not (frames["similar_cases"]["case"] == frames["similar_cases"]["similar_case"]).any()


def test_similar_cases_without_an_entity_are_row_numbers(frames, play):
    for name in ("known", "opened"):
        frames[name] = frames[name].drop(columns="case").round(1)
    train = call("train_tabular_model", df_label="known", target_column="bad")
    run = play(
        train, SCORE, call("explain_prediction", top_k=2, include_similar=True), namespace=frames, backend=Quick()
    )
    assert run.steps[2].status == "ok", run.steps[2].summary
    assert frames["similar_cases"]["similar_row"].between(0, 59).all()


def test_similar_cases_without_an_entity_are_the_same_whatever_the_index(frames, play):
    calls = (
        call("train_tabular_model", df_label="known", target_column="bad"), SCORE,
        call("explain_prediction", top_k=2, include_similar=True),
    )  # fmt: skip
    plain = {k: v.drop(columns="case") for k, v in frames.items()}
    moved = {k: v.set_axis(range(1000, 1000 + len(v))) for k, v in plain.items()}
    first, second = (play(*calls, namespace=n, backend=Quick()) for n in (plain, moved))
    pd.testing.assert_frame_equal(plain["similar_cases"], moved["similar_cases"])
    for run in (first, second):
        assert [len(x["similar"]) for x in run.session.cache["last_xai"]] == [3, 3]


def test_similar_cases_bear_days_that_pandas_nanoseconds_do_not_reach(frames, play):
    days = [datetime.date(2500, 1, 1), datetime.date(2020, 1, 1), datetime.date(2020, 3, 1)]
    for frame in frames.values():
        frame["due"] = [days[i % 3] for i in range(len(frame))]
    run = play(
        TRAIN, SCORE, call("explain_prediction", top_k=2, include_similar=True), namespace=frames, backend=Quick()
    )
    assert run.steps[2].status == "ok", run.steps[2].summary
    assert frames["similar_cases"]["distance"].between(0, 1).all()


def test_days_are_said_without_an_hour(frames, play):
    assert said(pd.Timestamp("2021-06-25")) == said(np.datetime64("2021-06-25", "ns")) == "2021-06-25"
    assert said(pd.Timestamp("2021-06-25 13:30")) == "2021-06-25 13:30:00"
    assert said(datetime.date(2021, 6, 25)) == "2021-06-25"


# -- failures


class Brittle(Quick):
    """The embedded backend, which cannot explain some cases."""

    def __init__(self, *bad: int, error: Exception) -> None:
        self.bad, self.error = bad, error

    def explain(self, trained: Any, frame: Any, case_ids: Any = None, **options: Any) -> Any:
        """Explain, or raise where a case is one of the bad ones."""
        if set(case_ids or ()) & set(self.bad):
            raise self.error
        return super().explain(trained, frame, case_ids, **options)


def test_a_case_that_fails_is_kept_with_its_reason_and_the_others_are_explained(frames, play):
    backend = Brittle(101, error=BadData("Nothing to read.", "The row is broken."))
    run = play(
        TRAIN, SCORE, call("explain_prediction", case_ids=[101, 102, 999]), call("summarize_result", question="q"),
        namespace=frames, backend=backend,
    )  # fmt: skip
    failures = run.session.cache["last_xai_failures"]
    assert {str(f["case_id"]): f["error"] for f in failures}["101"] == "Nothing to read. The row is broken."
    assert len(failures) == 2
    assert [a.case for a in run.of(Attribution)] == ["102"]
    assert "2 cases could not be explained: 999, 101." in run.answer
    assert any("case 101" in w for w in run.facts["warnings"])


def test_an_error_without_words_is_named_by_its_kind(frames, play):
    backend = Brittle(101, error=RuntimeError(""))
    run = play(TRAIN, SCORE, call("explain_prediction", case_ids=[101, 102]), namespace=frames, backend=backend)
    assert run.session.cache["last_xai_failures"] == [{"case_id": 101, "error": "RuntimeError without a message"}]


def test_where_no_case_can_be_explained_the_step_fails_with_the_reason(frames, play):
    backend = Brittle(*range(100, 120), error=RuntimeError("the service is away"))
    run = play(TRAIN, SCORE, call("explain_prediction", top_k=3), namespace=frames, backend=backend)
    assert run.steps[2].status == "failed"
    assert "the service is away" in run.steps[2].summary
    assert "last_xai" not in run.session.cache


def test_scores_of_rows_that_changed_are_not_explained(frames, play):
    def edit(turn: Any) -> Any:
        frames["opened"].loc[0, "x"] = 50.0
        return call("explain_prediction", top_k=1)

    run = play(TRAIN, SCORE, edit, namespace=frames, backend=Quick())
    assert run.steps[2].status == "failed"
    assert "opened was edited" in run.steps[2].summary
    assert "predict again" in run.steps[2].summary


def test_explaining_before_predicting_says_what_comes_first(frames, play):
    run = play(
        TRAIN, call("explain_prediction"), call("explain_prediction", top_k=0), namespace=frames, backend=Quick()
    )
    assert "Call predict first" in run.steps[1].summary
    assert run.steps[2].status == "rejected"
