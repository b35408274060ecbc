"""The shared keys: frames are the user's variables, everything else is scratch of one run."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.errors import Cancelled, UnknownFrame
from lexsi_nb.kernel.cache import RunCache
from lexsi_nb.kernel.variables import Variables


@pytest.fixture
def names() -> dict[str, Any]:
    return {}


@pytest.fixture
def cache(names: dict[str, Any]) -> RunCache:
    variables = Variables(names)
    return RunCache(variables, variables.handle("r1", question_key="q"), question="which?")


def frame(*values: Any) -> pd.DataFrame:
    return pd.DataFrame({"a": list(values)})


def test_a_frame_key_is_a_variable(cache: RunCache, names: dict[str, Any]) -> None:
    value = frame(1)
    cache["sql_result:context_df"] = value
    assert names["context_df"] is value is cache["sql_result:context_df"]


def test_the_next_tool_sees_an_edit_made_in_a_cell(cache: RunCache, names: dict[str, Any]) -> None:
    cache["sql_result:context_df"] = frame(1, 2)
    cache["last_sql_result"] = cache["sql_result:context_df"]
    names["context_df"].loc[0, "a"] = 9
    assert cache["sql_result:context_df"]["a"].tolist() == [9, 2]
    names["context_df"] = frame(5)
    assert cache["sql_result:context_df"]["a"].tolist() == cache["last_sql_result"]["a"].tolist() == [5]


def test_a_users_variable_is_left_alone(cache: RunCache, names: dict[str, Any]) -> None:
    mine = names["context_df"] = frame("mine")
    assert cache["sql_result:context_df"] is mine
    cache["sql_result:context_df"] = frame(1)
    assert names["context_df"] is mine
    assert cache["sql_result:context_df"] is names["context_df_2"]


def test_a_new_run_wipes_scratch_and_keeps_frames(cache: RunCache, names: dict[str, Any]) -> None:
    cache["sql_result:context_df"] = frame(1)
    cache["last_sql"] = "select 1"
    cache["last_sql_result"] = cache["sql_result:context_df"]
    cache.begin(cache.variables.handle("r2"), "and now?")
    assert dict(cache) == {"sql_result:context_df": names["context_df"], "question": "and now?"}


def test_a_deleted_variable_is_gone_from_the_cache(cache: RunCache, names: dict[str, Any]) -> None:
    cache["sql_result:context_df"] = frame(1)
    cache["last_sql_result"] = cache["sql_result:context_df"]
    del names["context_df"]
    assert "sql_result:context_df" not in cache
    assert "last_sql_result" not in cache
    assert cache.get("last_sql_result") is None
    assert list(cache) == ["question"]
    with pytest.raises(KeyError):
        cache["sql_result:context_df"]


def test_an_unknown_label_names_the_nearest(cache: RunCache) -> None:
    cache["sql_result:context_df"] = frame(1)
    with pytest.raises(UnknownFrame, match="Nearest: context_df"):
        cache.frame("contxt_df")


def test_an_odd_label_is_found_by_its_own_words(cache: RunCache, names: dict[str, Any]) -> None:
    cache["sql_result:top 10"] = frame(1)
    assert cache.frame("top 10") is names["top_10"] is cache.frame("top_10")


def test_frames_of_a_step_show_up_when_it_succeeds(cache: RunCache, names: dict[str, Any]) -> None:
    with cache.variables.handle("r1").step(1) as step:
        cache.step = step
        cache["sql_result:a"] = frame(1)
        assert cache["sql_result:a"]["a"].tolist() == [1]
        assert "a" not in names
    cache.step = None
    assert "a" in names


def test_a_cancelled_run_writes_no_frame(cache: RunCache, names: dict[str, Any]) -> None:
    handle = cache.variables.handle("r2")
    cache.begin(handle, "which?")
    handle.revoke()
    with pytest.raises(Cancelled):
        cache["sql_result:a"] = frame(1)
    assert names == {}


def test_a_frame_key_cannot_delete_the_users_variable(cache: RunCache, names: dict[str, Any]) -> None:
    cache["sql_result:a"] = frame(1)
    cache["last_sql"] = "select 1"
    with pytest.raises(TypeError):
        del cache["sql_result:a"]
    del cache["last_sql"]
    assert "a" in names
    assert "last_sql" not in cache
