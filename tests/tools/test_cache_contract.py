"""The seventeen keys that tools share: each is written by its producer, with the type that its readers expect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.kernel.cache import KEYS
from lexsi_nb.planners.scripted import call, say
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.catalogue import built_in
from lexsi_nb.tools.project import Project, Workspace

# Key -> (who writes it, who reads it, type). A `*` stands for the part that differs.
CONTRACT: dict[str, tuple[str, tuple[str, ...], type]] = {
    "sql_result:*": ("run_sql", ("train_tabular_model", "predict", "summarize_result"), pd.DataFrame),
    "last_sql_result": ("run_sql", ("summarize_result",), pd.DataFrame),
    "last_sql": ("run_sql", (), str),
    "last_model_id": ("train_tabular_model", ("predict", "explain_prediction", "summarize_result"), str),
    "last_model_task": ("train_tabular_model", ("predict", "explain_prediction"), dict),
    "last_train_tag": ("train_tabular_model", (), str),
    "last_train_df_label": ("train_tabular_model", (), str),
    "agent_run_tab_project:*": ("train_tabular_model", ("predict", "explain_prediction"), Project),
    "agent_workspace": ("train_tabular_model", (), Workspace),
    "last_predictions": ("predict", ("explain_prediction", "summarize_result"), pd.DataFrame),
    "last_predict_tag": ("predict", ("explain_prediction",), str),
    "last_predict_df_label": ("predict", (), str),
    "last_prediction_columns": ("predict", ("summarize_result",), dict),
    "predict_cache:*": ("predict", ("predict",), ToolResult),
    "last_xai": ("explain_prediction", ("summarize_result",), list),
    "last_xai_failures": ("explain_prediction", ("summarize_result",), list),
    "question": ("", ("query_kg",), str),  # the run itself writes it
}


@pytest.fixture
def finished(play) -> Any:
    """Return a run that went through every step of a prediction."""
    rng = np.random.default_rng(5)
    cases = pd.DataFrame({"loan_id": range(80), "x": rng.normal(size=80)})
    cases["bad"] = (cases["x"] + rng.normal(size=80) > 0).astype(int)
    return play(
        call("run_sql", sql="SELECT * FROM cases WHERE loan_id < 60", label="context_df"),
        call("run_sql", sql="SELECT loan_id, x FROM cases WHERE loan_id >= 60", label="predict_df"),
        call("train_tabular_model", df_label="context_df", target_column="bad", entity_column="loan_id"),
        call("predict", df_label="predict_df"),
        call("explain_prediction", case_ids=[61, 62, 999]),
        call("summarize_result", question="q"),
        namespace={"cases": cases},
    )


def test_there_are_the_seventeen_keys_of_the_reference():
    assert len(CONTRACT) == 17
    assert {k.removesuffix("*") for k in CONTRACT} == set(KEYS)


def test_every_key_is_written_with_its_type_by_its_producer(finished):
    cache, seen = finished.session.cache, {}
    for key in cache:
        pattern = f"{key.split(':')[0]}:*" if ":" in key else key
        seen.setdefault(pattern, []).append(cache[key])
    for key, (_, _, kind) in CONTRACT.items():
        assert key in seen, key
        assert all(isinstance(v, kind) for v in seen[key]), key
    assert cache["question"] == "q"


def test_tools_declare_the_keys_they_write_and_read():
    specs = {s.name: s for s in Registry(built_in()).specs}
    for key, (producer, readers, _) in CONTRACT.items():
        if not producer:
            continue
        assert key in specs[producer].produces, (key, producer)
        for reader in readers:
            assert key in specs[reader].requires, (key, reader)


def test_what_the_keys_hold(finished):
    cache = finished.session.cache
    assert cache["last_model_task"] == {
        "task_type": "classification",
        "target_column": "bad",
        "entity_column": "loan_id",
    }
    assert cache["last_prediction_columns"] == {"pred": "probability", "prob": "probability", "entity": "loan_id"}
    assert (cache["last_train_df_label"], cache["last_predict_df_label"]) == ("context_df", "predict_df")
    assert [x["case_id"] for x in cache["last_xai"]] == [61, 62]
    assert [f["case_id"] for f in cache["last_xai_failures"]] == ["999"]
    assert cache["agent_run_tab_project:classification"].name == f"agentclass{finished.id[:8]}"
    assert cache["agent_workspace"].name == "embedded"


def test_the_keys_are_wiped_at_the_next_run_and_frames_stay(finished):
    session = finished.session
    finished.planner_used.lines.append(say("hello"))
    session.ask("next")
    scratch = {k for k in session.cache if not k.startswith("sql_result:")}
    assert scratch == {"question"}
    assert session.cache["question"] == "next"
    assert len(session.cache["sql_result:context_df"]) == 60


def test_a_built_in_tool_is_a_file_of_its_name_and_a_line_of_the_catalogue() -> None:
    from pathlib import Path

    import lexsi_nb.tools as package

    folder = Path(package.__file__).parent
    files = {f.stem for f in folder.glob("*.py") if f"\ndef {f.stem}(" in f.read_text() and "@tool(" in f.read_text()}
    assert [t.__module__.rpartition(".")[2] for t in built_in()] == [t.__name__ for t in built_in()]
    assert {t.__name__ for t in built_in()} == files
