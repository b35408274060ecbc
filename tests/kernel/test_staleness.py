"""A result says when what it was computed from has changed."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.kernel.variables import Variables


@pytest.fixture
def names() -> dict[str, Any]:
    return {"loans": pd.DataFrame({"a": [1, 2, 3]})}


@pytest.fixture
def variables(names: dict[str, Any]) -> Variables:
    """loans (the user's) -> context_df -> model -> predictions."""
    v = Variables(names)
    v.write("context_df", names["loans"] * 2, run_id="r1", step=4, parents=["loans"], producer="run_sql")
    v.write("model", "trees", run_id="r1", step=5, parents=["context_df"], producer="train_tabular_model")
    v.write("predictions", names["loans"] * 3, run_id="r1", step=6, parents=["model"], producer="predict")
    return v


def test_nothing_is_stale_at_first(variables: Variables) -> None:
    assert variables.stale() == {}
    assert [r.text for r in variables.listing()] == ["fresh"] * 3


def test_an_edit_in_place_makes_the_results_stale_and_its_repair_fresh(
    variables: Variables, names: dict[str, Any]
) -> None:
    names["loans"].loc[0, "a"] = 99
    assert variables.stale() == {
        "context_df": "loans was edited since step 4",
        "model": "context_df is stale: loans was edited since step 4",
        "predictions": "model is stale: context_df is stale: loans was edited since step 4",
    }
    names["loans"].loc[0, "a"] = 1
    assert variables.stale() == {}


def test_an_edit_of_our_variable_makes_only_later_results_stale(variables: Variables, names: dict[str, Any]) -> None:
    names["context_df"].loc[0, "a"] = 99
    assert list(variables.stale()) == ["model", "predictions"]
    assert variables.stale(["model"]) == {"model": "context_df was edited since step 5"}
    assert [(r.name, r.state) for r in variables.listing()] == [
        ("context_df", "edited"), ("model", "stale"), ("predictions", "stale"),
    ]  # fmt: skip


def test_added_rows_and_columns_are_edits(variables: Variables, names: dict[str, Any]) -> None:
    names["context_df"]["b"] = 1
    assert "model" in variables.stale()


def test_a_parent_that_is_gone_or_rebound(variables: Variables, names: dict[str, Any]) -> None:
    kept = names["context_df"]
    names["context_df"] = pd.DataFrame({"z": [0]})
    assert variables.stale()["model"] == "context_df was bound to something else since step 5"
    del names["context_df"]
    assert variables.stale()["model"] == "context_df is gone"
    assert next((r.name, r.state) for r in variables.listing()) == ("context_df", "gone")
    names["context_df"] = kept
    assert variables.stale() == {}


def test_making_the_parent_again_with_other_content_is_said(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", names["loans"] * 5, step=2, parents=["loans"])
    assert variables.stale()["model"] == "context_df was made again since step 5"
    variables.write("context_df", names["loans"] * 2, step=2, parents=["loans"])
    assert variables.stale() == {}


def test_a_users_variable_bound_over_ours_is_not_called_stale(variables: Variables, names: dict[str, Any]) -> None:
    names["predictions"] = 1
    names["loans"].loc[0, "a"] = 99
    assert "predictions" not in variables.stale()
    assert variables.listing()[-1].state == "yours now"


def test_a_watched_source_counts_as_a_parent(names: dict[str, Any]) -> None:
    content = {"now": "v1"}
    variables = Variables(names)
    variables.watch("bank", lambda: content["now"])
    variables.write("context_df", pd.DataFrame({"a": [1]}), step=1, parents=["bank"])
    assert variables.stale() == {}
    content["now"] = "v2"
    assert variables.stale() == {"context_df": "bank has changed since step 1"}


def test_a_parent_that_cannot_be_checked_never_counts_as_fresh(names: dict[str, Any]) -> None:
    variables = Variables(names)
    variables.write("context_df", pd.DataFrame({"a": [1]}), step=1, parents=["nowhere"])
    assert variables.stale() == {"context_df": "nowhere cannot be checked"}


def test_a_result_made_from_itself_ends(names: dict[str, Any]) -> None:
    variables = Variables(names)
    variables.write("a", pd.DataFrame({"a": [1]}))
    variables.write("a", pd.DataFrame({"a": [1]}), parents=["a"])
    assert variables.stale() == {}


def test_a_look_reads_each_parent_once(
    variables: Variables, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsi_nb.kernel import staleness

    read: list[int] = []
    real = staleness.fingerprint
    monkeypatch.setattr(staleness, "fingerprint", lambda v: (read.append(id(v)), real(v))[1])
    for i in range(5):
        variables.write(f"more_{i}", i, step=7, parents=["loans"])
    assert variables.stale() == {}
    assert read.count(id(names["loans"])) == 1
