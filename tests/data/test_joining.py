"""How well two tables join, and which cleaning of their keys makes them match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.data.joined import JoinKeys, joins_of
from lexsi_nb.data.joining import cleaned, cleaning_cell, measure, percent
from lexsi_nb.errors import UnknownColumn, UnknownTable

COLUMNS = {"orders": ["order_id", "customer", "amount"], "customers": ["id", "region"], "items": ["order_id", "price"]}


def keys(sql: str) -> list[JoinKeys]:
    return [k for joined in joins_of(sql, lambda table: COLUMNS.get(table, [])) for k in joined]


@pytest.fixture
def two() -> Iterator[Any]:
    made: list[Engine] = []

    def build(left: list[Any], right: list[Any]) -> Engine:
        engine = Engine(datasets.frames({"l": pd.DataFrame({"a": left}), "r": pd.DataFrame({"b": right})}))
        made.append(engine)
        return engine

    yield build
    for engine in made:
        engine.close()


ON = JoinKeys("l", "r", (("a", "b"),))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM orders o JOIN customers c ON o.customer = c.id",
        "SELECT * FROM orders o JOIN customers c ON c.id = o.customer AND o.amount > 3",
        "SELECT * FROM orders, customers WHERE customer = id AND amount > 3",
        "WITH x AS (SELECT * FROM orders JOIN customers ON customer = customers.id) SELECT * FROM x",
        "SELECT * FROM (SELECT * FROM orders o JOIN customers c ON o.customer = c.id) WHERE amount > 1",
    ],
)
def test_equal_columns_of_two_tables_are_a_join(sql: str) -> None:
    assert keys(sql) == [JoinKeys("orders", "customers", (("customer", "id"),), "inner")]


def test_using_sides_and_several_keys_are_read() -> None:
    assert keys("FROM orders JOIN items USING (order_id)") == [JoinKeys("orders", "items", (("order_id", "order_id"),))]
    assert keys("SELECT * FROM orders o LEFT JOIN customers c ON o.customer = c.id")[0].kind == "left"
    two = keys("SELECT * FROM orders o JOIN items i ON o.order_id = i.order_id AND o.amount = i.price")
    assert two[0].on == (("order_id", "order_id"), ("amount", "price"))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM orders",
        "SELECT * FROM orders o JOIN (SELECT id FROM customers) c ON o.customer = c.id",
        "SELECT * FROM orders o JOIN customers c ON o.customer < c.id",
        "SELECT * FROM orders o JOIN customers c ON upper(o.customer) = c.id",
        "no sql at all (",
    ],
)
def test_what_is_no_plain_join_is_left_alone(sql: str) -> None:
    assert keys(sql) == []


def test_measure_counts_rows_matches_and_multiplicity(two: Any) -> None:
    m = measure(two([1, 1, 2, None, 9], [1, 2, 2, 2, 7]), ON)
    assert (m.left.rows, m.left.matched, m.left.most, m.left.nulls) == (5, 3, 2, 1)
    assert (m.right.rows, m.right.matched, m.right.most, m.right.nulls) == (5, 4, 3, 0)
    assert (m.rows, m.shape) == (2 * 1 + 1 * 3, "many-to-many")
    assert "3 of 5 rows of l match (60 %)" in m.text
    assert "5 and 5 rows before, 5 after the inner join" in m.text


def test_rows_after_follow_the_kind_of_join(two: Any) -> None:
    engine = two([1, 2, 3], [3, 4])
    for kind, rows in {"inner": 1, "left": 3, "right": 2, "full": 4}.items():
        m = measure(engine, JoinKeys("l", "r", (("a", "b"),), kind))
        assert m.after == rows == len(engine.query(f"SELECT * FROM l {kind} JOIN r ON l.a = r.b"))


def test_measure_of_nothing_is_zero(two: Any) -> None:
    m = measure(two(["x"], ["y"]), ON)
    assert (m.left.rate, m.rows, m.after) == (0.0, 0, 0)


def test_unknown_names_are_errors_with_the_nearest(two: Any) -> None:
    engine = two([1], [1])
    with pytest.raises(UnknownTable):
        measure(engine, JoinKeys("nope", "r", (("a", "b"),)))
    with pytest.raises(UnknownColumn):
        measure(engine, JoinKeys("l", "r", (("aa", "b"),)))


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ([" A1", "B2 ", "C3"], ["A1", "B2", "C3"], {"trimmed"}),
        (["a1", "b2", "c3"], ["A1", "B2", "C3"], {"upper case"}),
        (["001", "002", "000"], ["1", "2", "0"], {"without leading zeros"}),
        (["00123", "00456"], [123, 456], {"without leading zeros"}),
        ([1.0, 2.0, None], ["1", "2", "3"], set()),
        ([" a01", "b02 "], ["A01", "B02"], {"trimmed", "upper case"}),
        ([" 007", "x 8 "], ["7", "X 8"], {"trimmed", "upper case", "without leading zeros"}),
    ],
)
def test_the_fewest_steps_that_match_are_found(two: Any, left: list[Any], right: list[Any], wanted: set[str]) -> None:
    engine = two(left, right)
    found = measure(engine, ON)
    better = cleaned(engine, found)
    assert better is not None
    assert set(better.steps[1:]) == wanted
    assert better.measure.left.matched == sum(v is not None for v in left)


def test_keys_that_match_or_never_will_need_no_cleaning(two: Any) -> None:
    engine = two(["A", "B"], ["A", "B"])
    assert cleaned(engine, measure(engine, ON)) is None
    engine = two(["A", "B"], ["X", "Y"])
    assert cleaned(engine, measure(engine, ON)) is None


def test_keys_that_a_cleaning_would_merge_are_counted(two: Any) -> None:
    engine = two(["a", "A", "b", "c", "d"], ["A", "B", "C", "D"])
    better = cleaned(engine, measure(engine, ON))
    assert better is not None
    assert better.merged == 1


def test_the_cleaning_cell_gives_keys_that_match_and_touches_no_frame() -> None:
    names = {
        "orders": pd.DataFrame({"cust": [" 007", "8", "8 "], "amount": [1, 2, 3]}),
        "customers": pd.DataFrame({"id": [7, 8], "name": ["x", "y"]}),
    }
    copies = {k: v.copy() for k, v in names.items()}
    engine = Engine(datasets.frames(names), namespace=names)
    on = JoinKeys("orders", "customers", (("cust", "id"),))
    better = cleaned(engine, measure(engine, on))
    assert better is not None
    cell = cleaning_cell(better, {"orders": "orders", "customers": "customers"})
    import duckdb

    made = cell.run({"con": duckdb.connect(), **names})
    joined = made["orders_keyed"].merge(made["customers_keyed"], left_on="cust_key", right_on="id_key")
    assert joined["name"].tolist() == ["x", "y", "y"]
    for name, frame in names.items():
        pd.testing.assert_frame_equal(frame, copies[name])
    engine.close()


def test_percent_never_rounds_to_all_or_nothing() -> None:
    assert [percent(s) for s in (0, 0.001, 0.5, 0.999, 1)] == ["0 %", "under 1 %", "50 %", "over 99 %", "100 %"]
