"""What a planner elsewhere is sent, whichever tool it calls and whatever goes wrong: no value the policy keeps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import DEFAULT_SCOPES, Session
from lexsi_nb.planners.scripted import call

from .conftest import Obedient

CELL, PRIVATE, RARE, SHARED = "CANARY-CELL", "CANARY-SSN", "CANARY-RARE", "OFTEN-SEEN"
SQL = "SELECT id, name, ssn, city, income, late FROM people"


@pytest.fixture
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 120
    income = rng.normal(size=n).round(3)
    return pd.DataFrame({
        "id": [f"{CELL}-{i}" for i in range(n)],
        "name": [f"{CELL}-name-{i}" for i in range(n)],
        "ssn": [f"{PRIVATE}-{i}" for i in range(n)],
        "city": [RARE if i < 3 else SHARED for i in range(n)],
        "income": income,
        "late": (income + rng.normal(size=n) > 0.3).astype(int),
    })  # fmt: skip


EVERYTHING = [
    call("inspect_data"),
    call("query_kg", search="late people"),
    call("sample_values", table="people", column="city"),
    call("sample_values", table="people", column="ssn"),
    call("text_to_sql", question="how many people by city"),
    call("run_sql", sql="answer_sql", label="answered"),
    call("text_to_sql", question="people whose citty is Praha"),
    call("run_sql", sql=SQL, label="context_df"),
    call("run_sql", sql="SELECT upper(ssn) AS s, max(name) AS m FROM people GROUP BY ALL", label="renamed"),
    call("run_sql", sql="SELECT * FROM renamed"),
    call("run_sql", sql="SELECT CAST(name AS INTEGER) FROM people"),
    call("run_sql", sql="SELECT strptime(ssn, '%Y') FROM people"),
    call("run_sql", sql="SELECT nme FROM people"),
    call("run_sql", sql="SELECT count(*) AS n FROM people WHERE ssn > 'A'"),
    call("train_tabular_model", df_label="context_df", target_column="late", entity_column="id"),
    call("train_tabular_model", df_label="context_df", target_column="name"),
    call("predict", df_label="context_df", top_k=3),
    call("explain_prediction", case_ids=[1, "nobody"], include_summary=True, include_similar=True),
    call("explain_prediction", top_k=2, include_summary=True),
    call("explain_model", feature="income"),
    call("render_chart", spec={"mark": "bar", "encoding": {"x": {"field": "city"}, "y": {"aggregate": "count"}}},
         label="context_df"),
    call("render_chart", spec={"mark": "bar", "encoding": {"x": {"field": "nothing"}}}, label="context_df"),
    call("show_artifacts", artifacts=[{"id": "nothing", "label": "x"}]),
    call("connect_datalake", kind="local", path="nowhere"),
    call("summarize_result", question="q", sql_result_label="context_df"),
    call("summarize_result", question="q"),
]  # fmt: skip


def sent_under(people: pd.DataFrame, policy: object) -> tuple[str, list[str]]:
    planner = Obedient(list(EVERYTHING))
    session = Session(
        namespace={"people": people}, planner=planner, policy=policy, max_steps=40, replay="off", scopes=DEFAULT_SCOPES
    )
    run = session.ask("Look at people.", approve=("connect_datalake",))
    assert run.status == "answered", run.answer
    return "\n".join(planner.sent), [f"{s.tool} {s.status}" for s in run.steps]


def test_under_schema_no_value_leaves(people):
    sent, steps = sent_under(people, "schema")
    for canary in (CELL, PRIVATE, RARE, SHARED):
        assert canary not in sent, sent[max(0, sent.find(canary) - 300) : sent.find(canary) + 60]
    assert {s.split()[0] for s in steps} >= {
        "inspect_data", "query_kg", "sample_values", "text_to_sql", "run_sql", "train_tabular_model", "predict",
        "explain_prediction", "explain_model", "render_chart", "show_artifacts", "connect_datalake", "summarize_result",
    }  # fmt: skip
    assert steps.count("run_sql ok") >= 5
    assert "predict ok" in steps
    assert "explain_prediction ok" in steps


def test_under_stats_only_values_that_enough_rows_share_leave(people):
    sent, _ = sent_under(people, {"level": "stats", "private": ["people.ssn"]})
    for canary in (CELL, PRIVATE, RARE):
        assert canary not in sent, sent[max(0, sent.find(canary) - 300) : sent.find(canary) + 60]
    assert SHARED in sent
    sent, _ = sent_under(people, {"level": "stats", "k": 2})
    assert RARE in sent
    assert CELL not in sent


def test_under_rows_a_private_column_stays_under_any_name(people):
    sent, _ = sent_under(people, {"level": "rows", "private": ["people.ssn"]})
    assert CELL in sent
    assert PRIVATE not in sent, sent[max(0, sent.find(PRIVATE) - 300) : sent.find(PRIVATE) + 60]
