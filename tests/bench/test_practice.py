"""The practice questions: well formed, and each gold runs over its tables."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import duckdb
import pytest

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))

from answers import questions  # noqa: E402


@pytest.mark.parametrize("name", list(questions.PRACTICE))
def test_practice_says_that_it_was_tuned_on(name):
    assert "tuned on" in questions.PRACTICE[name].read_text("utf-8").split("questions:\n")[0]
    rows = questions.load(name)
    assert len(rows) >= 30
    halves = "test" in {q.split for q in rows}
    assert {q.split for q in rows} == ({"dev", "test"} if halves and name.startswith("practice3_") else {"dev"})
    assert {q.expect for q in rows} <= set(questions.EXPECTED)
    assert name not in questions.FILES


@pytest.mark.parametrize("name", questions.MADE_UP)
def test_every_gold_of_a_made_up_schema_runs(name):
    con = duckdb.connect()
    for table, frame in import_module(f"unseen.{name}").load().items():
        con.register(table, frame)
    third = f"practice3_{name}" in questions.PRACTICE
    for question in questions.load(f"practice3_{name}" if third else f"practice_{name}"):
        for gold in question.golds:
            assert con.sql(gold).df().shape[1] >= 1, gold
