"""Rows that have none of another table yet: who will get a first one, and what it will be like."""

from __future__ import annotations

from typing import Any

import pytest

from lexsi_nb.grounding.reading import Declined, PredictivePlan
from tests.grounding.conftest import opened


@pytest.fixture(scope="module")
def gyms() -> Any:
    """Members with their visits; some bought a locker, and at most one."""
    import numpy as np
    import pandas as pd

    from lexsi_nb import datasets

    rng, n = np.random.default_rng(3), 400
    members = pd.DataFrame(
        {"member_id": range(1, n + 1), "joined": pd.to_datetime("2018-01-01"), "club": ["North", "South"] * (n // 2)}
    )
    visits = pd.DataFrame(
        {
            "visit_id": range(1, 8 * n + 1),
            "member_id": rng.integers(1, n + 1, 8 * n),
            "visited": pd.to_datetime("2018-01-02") + pd.to_timedelta(rng.integers(0, 1400, 8 * n), "D"),
            "minutes": rng.integers(20, 120, 8 * n),
        }
    )
    lockers = pd.DataFrame(
        {
            "locker_id": range(1, 201),
            "member_id": range(1, 201),
            "rented": pd.to_datetime("2018-06-01") + pd.to_timedelta(rng.integers(0, 1300, 200), "D"),
            "fee": rng.integers(10, 60, 200),
        }
    )
    knowledge = {
        "tables": {
            "members": {"entity": "member_id", "time": "joined", "columns": {"club": {"static": True}}},
            "visits": {"entity": "visit_id", "time": "visited", "columns": {"minutes": {}}},
            "lockers": {"entity": "locker_id", "time": "rented", "columns": {"fee": {}}},
        }
    }
    frames = {"members": members, "visits": visits, "lockers": lockers}
    grounder = opened(datasets.frames(frames), frames)
    grounder.knowledge = type("Knowledge", (), {"data": knowledge})()
    yield grounder
    grounder.engine.close()


def plan(grounder: Any, question: str) -> PredictivePlan:
    found = grounder.understood(question)
    assert isinstance(found, PredictivePlan), found
    return found


def test_the_figure_of_a_first_one_for_those_without(gyms):
    found = plan(gyms, "forecast the fee for members that have no locker yet")
    context, predict = (gyms.engine.query(s) for s in (found.context_sql, found.predict_sql))
    assert set(predict.member_id) == set(range(201, 401))
    gold = gyms.engine.query(
        "SELECT l.member_id, l.fee, (SELECT count(*) FROM visits v WHERE v.member_id = l.member_id"
        " AND v.visited < l.rented) AS visits FROM lockers l ORDER BY 1"
    )
    got = context.sort_values("member_id")
    assert got.fee.tolist() == gold.fee.tolist()
    assert got.visit_count.tolist() == gold.visits.tolist()
    assert found.task["task_type"] == "regression"
    assert "fee" not in predict.columns


def test_who_will_get_one_is_learned_from_a_day_before_the_end(gyms):
    found = plan(gyms, "which members without a locker are most likely to get one? top 7")
    context, predict = (gyms.engine.query(s) for s in (found.context_sql, found.predict_sql))
    assert found.top_k == 7
    assert set(predict.member_id) == set(range(201, 401))
    [as_of] = set(context.as_of.astype(str).str[:10])
    gold = gyms.engine.query(
        "SELECT m.member_id, coalesce(l.rented >= CAST(? AS DATE), FALSE)::INT AS gets FROM members m"
        " LEFT JOIN lockers l USING (member_id) WHERE l.rented IS NULL OR l.rented >= CAST(? AS DATE)".replace(
            "?", f"'{as_of}'"
        )
    )
    assert dict(zip(context.member_id, context.gets_locker, strict=True)) == dict(
        zip(gold.member_id, gold.gets, strict=True)
    )
    assert as_of in found.read_as


def test_only_those_asked_for_are_scored(gyms):
    found = plan(gyms, "which members of the club North will probably rent a locker?".replace("rent", "take"))
    predict = gyms.engine.query(found.predict_sql)
    assert set(predict.member_id) == {m for m in range(201, 401) if m % 2}
    assert "North" in found.read_as


@pytest.mark.parametrize(
    "question",
    [
        "which members will probably see a locker?",
        "which members without a locker of fee 30 are likely to get one",
        "predict the minutes of members without a locker",
    ],
)
def test_what_is_asked_otherwise_is_not_read_so(gyms, question):
    assert isinstance(gyms.understood(question), Declined)


def test_the_bank_s_accounts_without_a_loan(bank_grounder):
    found = plan(bank_grounder, "forecast the loan amount for accounts that have no loan yet")
    context, predict = (bank_grounder.engine.query(s) for s in (found.context_sql, found.predict_sql))
    assert (len(context), len(predict)) == (682, 3818)
    assert not {"status", "payments", "duration"} & set(context.columns)
