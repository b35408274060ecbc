"""DataFrames of a namespace as a dataset."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.errors import BadData, UnknownTable


def test_frames_of_a_namespace_by_variable_name() -> None:
    namespace = {"sales": pd.DataFrame({"x": [1]}), "_hidden": pd.DataFrame({"x": [1]}), "n": 3, "pd": pd}
    assert datasets.frames(namespace).table_names() == ["sales"]


def test_no_frame_is_an_error_that_says_so() -> None:
    with pytest.raises(BadData, match="no DataFrame"):
        datasets.frames({"n": 3})


def test_polars_and_arrow_tables_are_frames() -> None:
    pa = pytest.importorskip("pyarrow")
    pl = pytest.importorskip("polars")
    source = {
        "a": pa.table({"x": [1, 2]}),
        "p": pl.DataFrame({"x": [3, 4]}),
        "b": pa.RecordBatch.from_pydict({"x": [5]}),
    }
    engine = Engine(datasets.frames(source))
    total = engine.query("SELECT (SELECT sum(x) FROM a) + (SELECT sum(x) FROM p) + (SELECT sum(x) FROM b) AS t").t[0]
    assert total == 15
    assert [t.rows for t in engine.tables()] == [2, 2, 1]
    engine.close()


def test_duplicate_columns_fail_only_when_that_frame_is_read() -> None:
    twice = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
    engine = Engine(datasets.frames({"good": pd.DataFrame({"x": [1]}), "twice": twice}))
    assert len(engine.query("FROM good")) == 1
    with pytest.raises(BadData, match=r"'twice' has duplicate column names: a\."):
        engine.query("FROM twice")
    engine.close()


def test_edit_and_replacement_of_the_variable_are_seen() -> None:
    namespace = {"sales": pd.DataFrame({"x": [1, 2]})}
    engine = Engine(datasets.frames(namespace), namespace=namespace)
    namespace["sales"].loc[0, "x"] = 10
    assert engine.query("SELECT sum(x) AS t FROM sales").t[0] == 12
    namespace["sales"] = pd.DataFrame({"x": [100]})
    assert engine.query("SELECT sum(x) AS t FROM sales").t[0] == 100
    engine.close()


def test_deleted_variable_is_an_error_with_the_nearest_names() -> None:
    namespace = {"sales": pd.DataFrame({"x": [1]}), "sales_eu": pd.DataFrame({"x": [1]})}
    engine = Engine(datasets.frames(namespace), namespace=namespace)
    del namespace["sales"]
    with pytest.raises(UnknownTable, match="sales_eu"):
        engine.query("FROM sales")
    engine.close()


def test_label_may_be_the_variable_itself_but_not_another_frame() -> None:
    namespace = {"sales": pd.DataFrame({"x": [1]})}
    engine = Engine(datasets.frames(namespace), namespace=namespace)
    engine.register("sales", namespace["sales"])
    with pytest.raises(BadData, match="hide the table"):
        engine.register("sales", pd.DataFrame({"x": [2]}))
    engine.close()


def test_frame_without_columns_or_of_another_kind_is_named() -> None:
    engine = Engine(datasets.frames({"bare": pd.DataFrame(index=[1, 2]), "good": pd.DataFrame({"x": [1]})}))
    with pytest.raises(BadData, match="no columns"):
        engine.query("FROM bare")
    with pytest.raises(BadData, match="not a DataFrame but list"):
        engine.register("mine", [1, 2])
    engine.close()


def test_column_names_that_are_not_text() -> None:
    engine = Engine(datasets.frames({"wide": pd.DataFrame({0: [1], 1: [2]})}))
    assert engine.query('SELECT "0" + "1" AS t FROM wide').t[0] == 3
    engine.close()


def test_setup_cell_registers_the_frames_by_their_own_names() -> None:
    sales = pd.DataFrame({"x": [1, 2]})
    cell = datasets.frames({"sales": sales}).setup_cell()
    assert cell.requires == ("sales",)
    con = cell.run({"sales": sales})["con"]
    assert con.sql("SELECT sum(x) FROM sales").fetchall() == [(3,)]


def test_fingerprint_follows_the_content_hash_of_the_caller() -> None:
    dataset = datasets.frames({"sales": pd.DataFrame({"x": [1]})})
    assert dataset.fingerprint("a") != dataset.fingerprint("b")
    assert len(dataset.fingerprint()) == 16


def test_zero_rows_are_fine() -> None:
    engine = Engine(datasets.frames({"none": pd.DataFrame({"x": []})}))
    assert engine.table("none").rows == 0
    assert len(engine.query("FROM none")) == 0
    engine.close()
