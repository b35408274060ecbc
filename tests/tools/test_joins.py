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


SHOP = "customers c JOIN orders o ON o.customer = c.id"
FANNED = {
    "sum": f"SELECT sum(c.credit) AS credit, sum(o.amount) AS amount FROM {SHOP}",
    "mean": f"SELECT avg(credit) FROM {SHOP}",
    "count": f"SELECT count(c.credit) FROM {SHOP}",
    "median": f"SELECT median(c.credit + 1) FROM {SHOP}",
    "a group": f"SELECT c.id, sum(c.credit) FROM {SHOP} GROUP BY 1",
    "all groups": f"SELECT c.id AS customer_id, sum(c.credit) FROM {SHOP} GROUP BY ALL",
    "having": f"SELECT c.id FROM {SHOP} GROUP BY c.id HAVING sum(c.credit) > 1",
    "left": "SELECT sum(c.credit) FROM customers c LEFT JOIN orders o ON o.customer = c.id",
    "comma": "SELECT sum(credit) FROM customers, orders WHERE customer = id",
    "from first": f"FROM {SHOP} SELECT sum(c.credit)",
    "cross": "SELECT sum(c.credit) FROM customers c CROSS JOIN orders",
    "subquery": "SELECT sum(c.credit) FROM customers c JOIN (SELECT customer FROM orders) o ON o.customer = c.id",
    "hidden in a WITH": f"WITH j AS (SELECT * FROM {SHOP}) SELECT sum(credit) FROM j",
    "hidden twice": f"SELECT sum(x) FROM (SELECT credit * 2 AS x FROM (SELECT c.* FROM {SHOP}) a) b",
    "mixed grains": (
        f"WITH j AS (SELECT o.order_id, c.credit, o.amount FROM {SHOP}) SELECT sum(credit), sum(amount) FROM j"
    ),
    "beside a union": f"SELECT sum(c.credit) FROM {SHOP} UNION ALL SELECT 1",
    "a subquery tied to its query": (
        "SELECT k.minutes, (SELECT sum(c.credit) FROM customers c JOIN orders o ON o.customer = c.id "
        "WHERE c.id = k.customer) FROM calls k"
    ),
    "aggregated once, repeated after": (
        "WITH a AS (SELECT customer, sum(amount) AS s FROM orders GROUP BY 1) "
        "SELECT sum(a.s) FROM a JOIN calls k ON k.customer = a.customer"
    ),
    "a write": f"CREATE TABLE workspace.t AS SELECT sum(c.credit) AS s FROM {SHOP}",
    "in brackets": "SELECT sum(l.credit) FROM (customers l JOIN orders o ON o.customer = l.id)",
    "columns named anew": "SELECT sum(c.money) FROM customers AS c(key, money) JOIN orders o ON o.customer = c.key",
    "lateral": ("SELECT sum(credit) FROM customers c JOIN LATERAL (FROM orders o WHERE o.customer = c.id) x ON true"),
    "a field of a struct": (
        "SELECT sum(s.v) FROM (SELECT id, {'v': credit} AS s FROM customers) c JOIN orders o ON o.customer = c.id"
    ),
    "unnested": "SELECT sum(c.credit) FROM customers c, unnest([1, 2]) u(v)",
}


@pytest.fixture
def shop_with_calls(shop: dict[str, Any]) -> dict[str, Any]:
    shop["orders"]["order_id"] = [1, 2, 3, 4]
    shop["calls"] = pd.DataFrame({"customer": ["C1", "C1", "C1"], "minutes": [5, 6, 7]})
    return shop


@pytest.mark.parametrize("sql", FANNED.values(), ids=FANNED.keys())
def test_a_figure_that_takes_a_row_more_than_once_is_refused(
    shop_with_calls: dict[str, Any], play: Any, sql: str
) -> None:
    run = play(call("run_sql", sql=sql), namespace=shop_with_calls)
    step = run.steps[0]
    assert step.status == "failed", step.summary
    assert "FanOut: Refused: " in step.summary
    assert "times" in step.summary
    assert not run.cells


def test_the_refusal_names_the_figure_the_tables_and_what_to_do(shop: dict[str, Any], play: Any) -> None:
    run = play(call("run_sql", sql=f"SELECT sum(c.credit) AS s FROM {SHOP}", label="t"), namespace=shop)
    said = run.steps[0].summary
    assert "SUM(c.credit) would take a row of customers up to 2 times" in said
    assert "Aggregate orders to one row a key" in said
    assert "EXISTS" in said
    assert "t" not in shop


def test_two_tables_that_hang_on_a_third_repeat_each_other(shop_with_calls: dict[str, Any], play: Any) -> None:
    both = f"{SHOP} JOIN calls k ON k.customer = c.id"
    run = play(
        call("run_sql", sql=f"SELECT c.id, sum(o.amount) AS amount FROM {both} GROUP BY c.id"),
        call("run_sql", sql=f"SELECT count(*) AS n FROM {both}"),
        namespace=shop_with_calls,
    )
    assert "would take a row of orders up to 3 times" in run.steps[0].summary
    assert "counts combinations of rows of customers, orders, calls" in run.steps[1].summary


RIGHT = {
    "max": (f"SELECT max(c.credit) AS v FROM {SHOP}", 200),
    "distinct": (f"SELECT count(DISTINCT c.id) AS v FROM {SHOP}", 2),
    "the many side": (f"SELECT sum(o.amount) AS v FROM {SHOP}", 6),
    "rows": (f"SELECT count(*) AS v FROM {SHOP}", 3),
    "distinct keys": (
        "SELECT sum(c.credit) AS v FROM customers c JOIN (SELECT DISTINCT customer FROM orders) o ON o.customer = c.id",
        300,
    ),
    "aggregated first": (
        "WITH a AS (SELECT customer, sum(amount) AS s FROM orders GROUP BY 1) "
        "SELECT sum(c.credit) + sum(a.s) AS v FROM customers c JOIN a ON a.customer = c.id",
        306,
    ),
    "a filter that leaves one": (f"SELECT sum(c.credit) AS v FROM {SHOP} WHERE o.amount <> 2", 300),
    "a filter of the figure": (f"SELECT sum(c.credit) FILTER (WHERE o.amount <> 2) AS v FROM {SHOP}", 300),
    "grouped by the many side": (
        f"SELECT max(v) AS v FROM (SELECT o.order_id, sum(c.credit) AS v FROM {SHOP} GROUP BY 1)", 200,
    ),
    "semi": ("SELECT sum(c.credit) AS v FROM customers c SEMI JOIN orders o ON o.customer = c.id", 300),
    "exists": ("SELECT sum(credit) AS v FROM customers c WHERE EXISTS (FROM orders o WHERE o.customer = c.id)", 300),
    "a distinct subquery": (f"SELECT sum(credit) AS v FROM (SELECT DISTINCT c.id, c.credit FROM {SHOP})", 300),
    "the grain is said": (f"SELECT avg(credit) AS v FROM (SELECT o.order_id, c.credit FROM {SHOP})", 400 / 3),
    "unmatched rows of a left join": (
        "SELECT sum(o.amount) AS v FROM customers c LEFT JOIN orders o ON o.customer = c.id", 6,
    ),
    "a range": (
        "SELECT sum(o.amount) AS v FROM orders o JOIN calls k ON o.amount BETWEEN k.minutes - 5 AND k.minutes - 4.5",
        3,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("sql", "value"), RIGHT.values(), ids=RIGHT.keys())
def test_figures_on_the_right_grain_are_computed(
    shop_with_calls: dict[str, Any], play: Any, sql: str, value: float
) -> None:
    run = play(call("run_sql", sql=sql), namespace=shop_with_calls)
    assert run.steps[0].status == "ok", run.steps[0].summary
    assert run.frame.v[0] == pytest.approx(value)
    assert not any("times" in w for w in run.facts.get("warnings", []))


def test_a_curated_dataset_is_held_to_the_same(bank: Any, play: Any) -> None:
    joined = "FROM loan l JOIN disp d ON d.account_id = l.account_id"
    run = play(
        call("run_sql", sql=f"SELECT sum(l.amount) AS v {joined}"),
        call("run_sql", sql=f"SELECT sum(l.amount) AS v {joined} WHERE d.type = 'OWNER'"),
        call("run_sql", sql="SELECT sum(amount) AS v FROM loan"),
        dataset=bank,
    )
    assert [s.status for s in run.steps] == ["failed", "ok", "ok"]
    assert "takes" not in run.steps[1].summary
    tables = [s.artifact.frame for s in run.artifacts]
    assert tables[0].v[0] == tables[1].v[0]


def test_a_figure_that_was_not_checked_in_time_says_so(
    shop: dict[str, Any], play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsi_nb.data.engine import Engine
    from lexsi_nb.errors import QueryFailed

    plain = Engine.run

    def slow(self: Any, sql: str, *rest: Any, **options: Any) -> Any:
        if "lexsi_row" in sql:
            raise QueryFailed("The query was stopped after 10.0 s.", "The limit is 10 s.", "")
        return plain(self, sql, *rest, **options)

    monkeypatch.setattr(Engine, "run", slow)
    run = play(call("run_sql", sql=f"SELECT sum(c.credit) AS s FROM {SHOP}"), namespace=shop)
    assert "was not checked" in run.steps[0].summary
    assert any("not checked" in w for w in run.facts["warnings"])


def test_a_many_to_many_join_is_warned_of(play: Any) -> None:
    names = {"a": pd.DataFrame({"k": [1, 1, 2]}), "b": pd.DataFrame({"k": [1, 1, 1]})}
    meant = call("run_sql", sql="SELECT * FROM a JOIN b USING (k)")
    before, run = play(meant, meant, namespace=names).steps
    assert before.status == "failed"
    assert "a.k = b.k joins on no key: neither side is unique." in before.summary
    assert run.status == "ok"
    assert "keys repeat in a and in b" in run.summary
    assert "3 and 3 become 6" in run.summary


def test_a_count_of_a_many_to_many_join_is_refused_unless_the_pairs_are_meant(play: Any) -> None:
    names = {"a": pd.DataFrame({"k": [1, 1, 2]}), "b": pd.DataFrame({"k": [1, 1, 1]})}
    run = play(call("run_sql", sql="SELECT count(*) AS n FROM a JOIN b USING (k)"), namespace=names)
    assert run.steps[0].status == "failed"
    assert "counts combinations of rows of a, b" in run.steps[0].summary
    assert "FROM (SELECT a.<its key>, b.<its key> FROM ...)" in run.steps[0].summary
    meant = "SELECT count(*) AS n FROM (SELECT a.k, b.k AS other FROM a JOIN b USING (k))"
    pairs = call("run_sql", sql=meant, label="pairs")
    play(pairs, pairs, namespace=names)
    assert names["pairs"].n.tolist() == [6]


def test_a_count_of_a_join_that_repeats_one_side_only_runs(play: Any) -> None:
    names = {"a": pd.DataFrame({"k": [1, 2]}), "b": pd.DataFrame({"k": [1, 1, 2]})}
    play(call("run_sql", sql="SELECT count(*) AS n FROM a JOIN b USING (k)", label="rows"), namespace=names)
    assert names["rows"].n.tolist() == [3]


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
