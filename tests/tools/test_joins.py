"""Joins of kernel frames: what they match and repeat is said, keys that match once cleaned are offered."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.planners.scripted import call


@pytest.fixture
def shop() -> dict[str, Any]:
    return {
        "customers": pd.DataFrame({"id": ["C1", "C2", "C3"], "credit": [100, 200, 300]}),
        "orders": pd.DataFrame({"customer": ["C1", "C1", "C2", "C9"], "amount": [1, 2, 3, 4]}),
    }


def test_match_rate_multiplicity_and_rows_are_said(shop: dict[str, Any], play: Any) -> None:
    sql = "SELECT * FROM orders o LEFT JOIN customers c ON o.customer = c.id"
    run = play(call("run_sql", sql=sql, label="both"), namespace=shop)
    said = run.steps[0].summary
    assert (
        "orders.customer = customers.id: 3 of 4 rows of orders match (75 %), 2 of 3 rows of customers match (67 %)"
        in said
    )
    assert "many-to-one" in said
    assert "4 and 3 rows before, 4 after the left join" in said
    assert run.facts["joins"]
    assert len(shop["both"]) == 4


def test_a_sum_that_counts_a_row_more_than_once_is_warned_of(shop: dict[str, Any], play: Any) -> None:
    sql = "SELECT sum(c.credit) AS credit, sum(o.amount) AS amount FROM customers c JOIN orders o ON o.customer = c.id"
    run = play(call("run_sql", sql=sql, label="t"), namespace=shop)
    said = run.steps[0].summary
    assert "counts a row of customers up to 2 times" in said
    assert "Aggregate orders by its key first" in said
    assert "o.amount" not in "".join(w for w in run.facts["warnings"])
    assert any("customers" in w for w in run.facts["warnings"])


def test_two_tables_that_hang_on_a_third_repeat_each_other(shop: dict[str, Any], play: Any) -> None:
    shop["calls"] = pd.DataFrame({"customer": ["C1", "C1", "C1"], "minutes": [5, 6, 7]})
    sql = (
        "SELECT c.id, sum(o.amount) AS amount FROM customers c JOIN orders o ON o.customer = c.id "
        "JOIN calls k ON k.customer = c.id GROUP BY c.id"
    )
    run = play(call("run_sql", sql=sql), namespace=shop)
    said = run.steps[0].summary
    assert "counts a row of orders up to 3 times, once a matching row of calls" in said


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT max(c.credit) FROM customers c JOIN orders o ON o.customer = c.id",
        "SELECT count(DISTINCT c.id) FROM customers c JOIN orders o ON o.customer = c.id",
        "SELECT sum(o.amount) FROM customers c JOIN orders o ON o.customer = c.id",
        "SELECT sum(c.credit) FROM customers c JOIN (SELECT DISTINCT customer FROM orders) o ON o.customer = c.id",
    ],
)
def test_figures_on_the_right_grain_are_not_warned_of(shop: dict[str, Any], play: Any, sql: str) -> None:
    run = play(call("run_sql", sql=sql), namespace=shop)
    assert "Mind:" not in run.steps[0].summary
    assert not any("times" in w for w in run.facts.get("warnings", []))


def test_a_many_to_many_join_is_warned_of(play: Any) -> None:
    names = {"a": pd.DataFrame({"k": [1, 1, 2]}), "b": pd.DataFrame({"k": [1, 1, 1]})}
    run = play(call("run_sql", sql="SELECT * FROM a JOIN b USING (k)"), namespace=names)
    assert "keys repeat in a and in b" in run.steps[0].summary
    assert "3 and 3 become 6" in run.steps[0].summary


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_keys_that_match_once_cleaned_come_with_a_cell(play: Any, library: str) -> None:
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[library]
    names: dict[str, Any] = {
        "orders": make({"cust": [" c07", "C8", "c8 "], "amount": [1, 2, 3]}),
        "customers": make({"id": ["C07", "C8"], "name": ["x", "y"]}),
    }
    run = play(call("run_sql", sql="SELECT * FROM orders JOIN customers ON cust = id", label="both"), namespace=names)
    assert "trimmed, upper case" in run.steps[0].summary
    assert "100 % of orders" in run.steps[0].summary
    cell = next(c for c in run.cells if c.title.startswith("Clean the keys"))
    alone: dict[str, Any] = {k: names[k] for k in ("orders", "customers")}
    for c in run.cells:
        exec(c.source, alone)
    assert cell.produces == ("orders_keyed", "customers_keyed")
    joined = alone["orders_keyed"].merge(alone["customers_keyed"], left_on="cust_key", right_on="id_key")
    assert sorted(joined["name"]) == ["x", "y", "y"]
    assert "orders_keyed" not in names  # offered, not run


def test_joins_of_a_curated_dataset_are_left_alone_and_of_its_labels_are_not(bank: Any, play: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT count(*) FROM loan JOIN account USING (account_id)"),
        call("run_sql", sql="SELECT loan_id, account_id FROM loan WHERE status = 'A'", label="good"),
        call("run_sql", sql="SELECT count(*) FROM good JOIN account USING (account_id)"),
        dataset=bank,
    )
    assert "match" not in run.steps[0].summary
    assert "rows of good match (100 %)" in run.steps[2].summary


def test_a_join_that_fails_on_unlike_types_says_which_keys_would_match(play: Any) -> None:
    names: dict[str, Any] = {
        "a": pd.DataFrame({"k": ["007", "8 ", "x1"]}),
        "b": pd.DataFrame({"k": [7, 8, 9]}),
    }
    run = play(call("run_sql", sql="SELECT * FROM a JOIN b ON a.k = b.k", label="j"), namespace=names)
    said = run.steps[0].summary
    assert run.steps[0].status == "failed"
    assert "x1" in said
    assert "0 of 3 rows of a match" in said
    assert "trimmed, without leading zeros, 67 % of a" in said
    assert names.keys() == {"a", "b"}
