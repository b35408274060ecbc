"""Wide frames, long cells, many tables and long names never make a request overflow, nor a run slow."""

from __future__ import annotations

import time
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.artifacts.figures import MARK, Known, figures
from lexsi_nb.egress.fence import fenced
from lexsi_nb.egress.redaction import redact

MOST_BYTES = 60_000  # of one request: about 15,000 tokens

DATA = {
    "wide": {"wide": pd.DataFrame([range(2_000)] * 3, columns=[f"measure_number_{i:04}" for i in range(2_000)])},
    "one wide row": {"wide": pd.DataFrame([["y" * 500] * 200], columns=[f"text_{i}" for i in range(200)])},
    "long cells": {"long": pd.DataFrame({"note": ["x" * 100_000] * 30, "n": range(30)})},
    "long names": {"named": pd.DataFrame({f"column_{'y' * 500}_{i}": [1] for i in range(50)})},
    "many tables": {f"table_{'z' * 60}_{i:03}": pd.DataFrame({"a": [i]}) for i in range(150)},
}


@pytest.mark.parametrize("policy", ["schema", "rows"])
@pytest.mark.parametrize("shape", list(DATA))
def test_no_request_overflows(model_server: Any, shape: str, policy: str) -> None:
    data = DATA[shape]
    table = next(iter(data))
    column = str(data[table].columns[0])
    turn = [
        ("inspect_data", {}),
        ("run_sql", {"sql": f'SELECT * FROM "{table}"', "label": "all_rows"}),
        ("sample_values", {"table": table, "column": column}),
        ("summarize_result", {"question": "Q"}),
    ]

    def brain(asked: Any) -> Any:
        return model_server.Reply("Done.") if asked.results or not asked.tools else model_server.Reply(calls=turn)

    model_server.brain = brain
    session = lx.Session(data, planner=model_server.choice("anthropic"), policy=policy, namespace={}, replay="off")
    run = session.ask("What is in the data?")
    assert [s.status for s in run.steps] == ["ok"] * 4, [s.summary[:300] for s in run.steps]
    assert len(run.sent) == (3 if policy == "rows" else 2)
    assert max(sent.bytes for sent in run.sent) < MOST_BYTES, [sent.bytes for sent in run.sent]


LONG = 50_000


@pytest.mark.parametrize("unit", ["x", "1", " ", "\n", "< ", "eyJ", "password", "a-", "1,", "&lt;", "://a:", "/"])
def test_what_reads_text_of_data_takes_time_in_line_with_its_length(unit: str) -> None:
    from lexsi_nb.app.offering import _ELSEWHERE
    from lexsi_nb.toolkit.redaction import mask

    text = "<" + unit * (LONG // len(unit)) + "!"
    for read in (redact, fenced, figures, mask, Known().add_text, _ELSEWHERE.search):
        began = time.thread_time()
        read(text)
        assert time.thread_time() - began < 2, read


def test_marked_numbers_are_taken_out_whole() -> None:
    known = Known()
    known.add_text(f"There are 41 rows\nand 17 {MARK} of them, 18{MARK}, or 12.")
    assert [known.has(f) for f in figures("41 17 18 12")] == [True, False, False, True]
