"""A prediction of a column of one's own frames: what it is learned from, what is left out, what else to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Declined, PredictivePlan

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder

N = 500


def _patients(*, known: int = N) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    first, last = rng.integers(0, 8, N), rng.integers(0, 6, N)
    relapsed: pd.Series = pd.Series(rng.random(N) < 0.3).astype("object")
    relapsed[known:] = None
    return pd.DataFrame(
        {
            "patient_id": np.arange(1, N + 1),
            "surname": [f"Name{a}{b}" for a, b in zip(first, last, strict=True)],
            "remark": [f"seen by nurse, bed {i}" for i in range(N)],
            "ward": rng.choice(["North", "South", "East"], N),
            "weight": rng.normal(75, 12, N).round(1),
            "relapsed": relapsed if known < N else relapsed.astype(bool),
        }
    )


@pytest.fixture(scope="module")
def clinic() -> Grounder:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    rng = np.random.default_rng(1)
    checks = pd.DataFrame(
        {
            "check_id": range(2_000),
            "patient_id": rng.permutation(np.arange(2_000) % N + 1),
            "checked_on": pd.date_range("2023-01-01", periods=2_000, freq="h"),
            "pulse": rng.normal(80, 9, 2_000).round(),
        }
    )
    named = {"patients": _patients(), "checks": checks}
    return opened(frames(named), named)


def _plan(grounder: Grounder, question: str) -> PredictivePlan:
    found = grounder.understood(question)
    assert isinstance(found, PredictivePlan), found
    return found


def test_names_and_free_text_are_no_features_and_said_with_their_figures(clinic: Grounder) -> None:
    plan = _plan(clinic, "predict relapsed")
    out = dict(plan.left_out)
    assert out["patients.surname"] == "names: 48 different ones in 500 rows, too few rows each to learn from"
    assert out["patients.remark"].startswith("500 different values in the 500 known rows")
    learned = list(clinic.engine.query(plan.context_sql).columns)
    assert learned == ["patient_id", "ward", "weight", "relapsed"]


def test_rows_of_other_tables_are_named_as_left_out_with_what_would_let_them_count(clinic: Grounder) -> None:
    [why] = [
        why
        for what, why in _plan(clinic, "predict relapsed").left_out
        if what == "checks (2,000 rows that belong to patients)"
    ]
    assert "nothing says which of them were known before relapsed" in why
    assert "lexsi_kg.yaml" in why


@pytest.mark.parametrize("question", ["which patients are likely to relapse", "who will relapse?"])
def test_what_is_known_of_all_rows_names_the_questions_that_can_be_asked(clinic: Grounder, question: str) -> None:
    found = clinic.understood(question)
    assert isinstance(found, Declined)
    assert "known in all 500 rows" in found.reason
    for other in ("predict relapsed", "what drives relapsed"):
        assert f"'{other}'" in found.reason
        _plan(clinic, other)


def test_a_longer_word_names_the_column_that_begins_alike(clinic: Grounder) -> None:
    found = clinic.understood("predict relapsation")
    assert isinstance(found, Declined)
    assert "relapsed" in found.nearest


@pytest.mark.parametrize(
    ("question", "rows"), [("predict relapsed", 80), ("which patients of the North ward are likely to relapse", None)]
)
def test_a_prediction_offers_its_other_ways(frames_grounder, question: str, rows: int | None) -> None:
    patients = _patients(known=420)
    grounder = frames_grounder(patients=patients)
    plan = _plan(grounder, question)
    north = int((patients.ward[420:] == "North").sum())
    assert len(grounder.engine.query(plan.predict_sql)) == (rows or north)
    asked = [other for _, other in plan.readings]
    assert asked == [*(["predict relapsed"] if rows is None else []), "what drives relapsed"]
    assert all(isinstance(grounder.understood(other), PredictivePlan) for other in asked)
    back = _plan(grounder, "what drives relapsed").readings
    assert back == (("relapsed of the rows where it is missing", "predict relapsed"),)


def test_an_outcome_of_the_file_beside_the_notebook_lets_dated_rows_count(
    frames_grounder, tmp_path, monkeypatch
) -> None:
    (tmp_path / "lexsi_kg.yaml").write_text(
        """
frames:
  outcomes:
    cancelled:
      entity_table: members
      target: is_cancelled
      sql: cancelled
      names: [cancel]
      labelled: {sql: as_of < '2025-01-01', text: members of 2024}
      scored: {sql: as_of >= '2025-01-01', text: members of today}
  tables:
    members: {entity: member_id, time: as_of}
    visits: {entity: visit_id, time: visited_at}
"""
    )
    monkeypatch.chdir(tmp_path)
    as_of = [pd.Timestamp("2024-06-01")] * 150 + [pd.Timestamp("2025-06-01")] * 50
    members = pd.DataFrame({"member_id": range(1, 201), "as_of": as_of, "cancelled": [True, False] * 100})
    days = [pd.Timestamp("2024-01-01") + pd.Timedelta(days=i % 300) for i in range(3_000)]
    visits = pd.DataFrame(
        {"visit_id": range(3_000), "member_id": [i % 200 + 1 for i in range(3_000)], "visited_at": days}
    )
    grounder = frames_grounder(members=members, visits=visits)
    plan = _plan(grounder, "which members are likely to cancel")
    learned = grounder.engine.query(plan.context_sql).set_index("member_id")
    dated = visits.merge(members, on="member_id").query("visited_at < as_of").groupby("member_id").size()
    assert len(learned) == 150
    assert learned.visit_count.to_dict() == {m: dated.get(m, 0) for m in range(1, 151)}


def test_what_the_rows_to_predict_never_have_is_no_feature(frames_grounder) -> None:
    patients = _patients(known=420)
    patients["discharged_to"] = np.where(patients.index < 420, "home", None)
    patients.loc[:100, "discharged_to"] = "clinic"
    plan = _plan(frames_grounder(patients=patients), "predict relapsed")
    assert dict(plan.left_out)["patients.discharged_to"] == "no value in any of the 80 rows without relapsed"
    assert "discharged_to" not in plan.context_sql


def test_a_date_that_some_rows_lack_is_not_the_day_of_a_row(frames_grounder) -> None:
    patients = _patients()
    days = pd.Series(pd.date_range("2024-01-01", periods=N))
    plan = _plan(
        frames_grounder(patients=patients.assign(relapsed_on=days.where(patients.relapsed))), "predict relapsed"
    )
    assert plan.task["time_column"] is None
    assert "not the day of a row" in dict(plan.left_out)["patients.relapsed_on"]
    both = patients.assign(relapsed_on=days.where(patients.relapsed), admitted_on=days)
    plan = _plan(frames_grounder(patients=both), "predict relapsed")
    assert plan.task["time_column"] == "admitted_on"
    assert "relapsed_on" not in plan.context_sql


def test_columns_of_a_table_that_rows_point_at_are_not_said_to_be_unused(frames_grounder) -> None:
    wards = pd.DataFrame({"ward": ["North", "South", "East"], "beds": [10, 20, 30]})
    plan = _plan(frames_grounder(patients=_patients(), wards=wards), "predict relapsed")
    assert not any(what == "wards" for what, _ in plan.left_out)
