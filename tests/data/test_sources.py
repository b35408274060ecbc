"""`datasets.open`: paths, folders, databases, frames."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.errors import BadData, LexsiError


def total(source: object, sql: str) -> object:
    dataset = datasets.open(source)
    engine = Engine(dataset)
    value = engine.query(sql).iloc[0, 0]
    if dataset.kind != "frames":
        assert dataset.setup_cell().run({})["con"].sql(sql).fetchall()[0][0] == value
    engine.close()
    return value


@pytest.mark.parametrize("name", ["sales.csv", "sales.tsv", "sales.parquet", "sales.json"])
def test_one_file_is_one_table(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({"x": [1, 2], "s": ["a", "b"]})
    file = tmp_path / name
    {
        "csv": lambda: frame.to_csv(file, index=False),
        "tsv": lambda: frame.to_csv(file, index=False, sep="\t"),
        "parquet": lambda: frame.to_parquet(file),
        "json": lambda: frame.to_json(file, orient="records"),
    }[file.suffix[1:]]()
    assert total(file, "SELECT sum(x) FROM sales") == 3
    assert total(str(file), "SELECT count(*) FROM sales WHERE s = 'a'") == 1


def test_folder_gives_a_table_a_file(tmp_path: Path) -> None:
    pd.DataFrame({"x": [1]}).to_csv(tmp_path / "a b.csv", index=False)
    pd.DataFrame({"x": [2]}).to_parquet(tmp_path / "order.parquet")
    (tmp_path / "readme.md").write_text("no data")
    assert datasets.open(tmp_path).table_names() == ["a b", "order"]
    assert total(tmp_path, 'SELECT sum(a.x + b.x) FROM "a b" a, "order" b') == 3


def test_folder_of_the_real_files_is_recognised(berka_folder: Path) -> None:
    assert datasets.open(berka_folder).kind == "berka"


def test_glob_and_list_of_files_and_file_address(tmp_path: Path) -> None:
    for name in ("jan.csv", "feb.csv", "other.tsv"):
        (tmp_path / name).write_text("x\n1\n")
    assert datasets.open(tmp_path / "*.csv").table_names() == ["feb", "jan"]
    several = [tmp_path / "jan.csv", str(tmp_path / "other.tsv")]
    assert datasets.open(several).table_names() == ["jan", "other"]
    assert total(several, "SELECT jan.x + other.x FROM jan, other") == 2
    assert total((tmp_path / "jan.csv").as_uri(), "SELECT sum(x) FROM jan") == 1
    with pytest.raises(BadData, match="No file matches"):
        datasets.open(tmp_path / "*.parquet")


def test_duckdb_file_is_read_and_free_again(tmp_path: Path) -> None:
    import duckdb

    file = tmp_path / "own's.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute('CREATE TABLE "my table" AS SELECT 42 AS x')
    engine = Engine(datasets.open(file))
    assert engine.query('SELECT x FROM "my table"').x[0] == 42
    with duckdb.connect(str(file)) as con:  # would raise while an engine held the file
        con.execute("CREATE TABLE more AS SELECT 1")
    engine.close()
    assert datasets.open(file).setup_cell().run({})["con"].sql('FROM "my table"').fetchall() == [(42,)]


def test_sqlite_file(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "own.db") as db:
        db.execute("CREATE TABLE sales (x INT, s TEXT)")
        db.execute("INSERT INTO sales VALUES (1, 'a'), (2, NULL)")
    db.close()
    assert total(tmp_path / "own.db", "SELECT sum(x) FROM sales") == 3


def test_frames_and_mappings_of_frames() -> None:
    assert total(pd.DataFrame({"x": [1, 2]}), "SELECT sum(x) FROM data") == 3
    assert total({"mine": pd.DataFrame({"x": [1, 2]})}, "SELECT sum(x) FROM mine") == 3


def test_dataset_is_returned_as_it_is(bank) -> None:
    assert datasets.open(bank) is bank


def test_unknown_path_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("x\n1\n")
    with pytest.raises(BadData, match=r"Nearest in .*sales\.csv"):
        datasets.open(tmp_path / "sale.csv")


def test_address_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="Download the file"):
        datasets.open("https://example.com/x.csv")


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.docx").write_text("x")
    with pytest.raises(BadData, match="Known endings"):
        datasets.open(tmp_path / "x.docx")
    with pytest.raises(BadData, match="can be read"):
        datasets.open(tmp_path)
    with pytest.raises(BadData, match="Cannot open int"):
        datasets.open(3)
    (tmp_path / "x.parquet").write_text("not parquet")
    with pytest.raises(BadData, match="cannot be opened"):
        Engine(datasets.open(tmp_path / "x.parquet"))
    (tmp_path / "x.duckdb").write_text("not a database")
    with pytest.raises(BadData, match="cannot be opened"):
        datasets.open(tmp_path / "x.duckdb")


def test_two_files_for_one_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "a.tsv").write_text("x\n1\n")
    with pytest.raises(BadData, match="would be one table"):
        datasets.open(tmp_path)


def test_deleted_file_is_an_error_when_opened(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    dataset = datasets.open(tmp_path / "a.csv")
    before = dataset.fingerprint()
    (tmp_path / "a.csv").unlink()
    assert dataset.fingerprint() != before
    with pytest.raises(LexsiError):
        Engine(dataset)


def workbook(file: Path, **sheets: pd.DataFrame) -> Path:
    with pd.ExcelWriter(file) as writer:
        for name, frame in sheets.items():
            frame.to_excel(writer, sheet_name=name, index=False)
    return file


def test_sheets_of_a_workbook_are_tables(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    one = workbook(tmp_path / "sales.xlsx", Sheet1=pd.DataFrame({"x": [1, 2], "s": ["a", None]}))
    assert datasets.open(one).table_names() == ["sales"]
    assert total(one, "SELECT sum(x) FROM sales") == 3
    two = workbook(tmp_path / "year.xlsx", Q1=pd.DataFrame({"x": [1]}), **{"Q 2": pd.DataFrame({"x": [5]})})
    assert datasets.open(two).table_names() == ["year_Q1", "year_Q 2"]
    assert total(two, 'SELECT a.x + b.x FROM "year_Q1" a, "year_Q 2" b') == 6


def test_a_workbook_that_is_none_says_so(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    (tmp_path / "x.xlsx").write_text("not a workbook")
    with pytest.raises(BadData, match=r"x\.xlsx cannot be opened\..+"):
        datasets.open(tmp_path / "x.xlsx")


def test_a_folder_mixes_files_databases_and_workbooks(tmp_path: Path) -> None:
    import duckdb

    pytest.importorskip("openpyxl")
    (tmp_path / "a.csv").write_text("x\n1\n")
    workbook(tmp_path / "b.xlsx", S=pd.DataFrame({"x": [2]}))
    with duckdb.connect(str(tmp_path / "c.duckdb")) as con:
        con.execute("CREATE TABLE c AS SELECT 4 AS x")
    with sqlite3.connect(tmp_path / "d's.sqlite") as db:
        db.execute("CREATE TABLE d AS SELECT 8 AS x")
    db.close()
    assert datasets.open(tmp_path).table_names() == ["a", "b", "c", "d"]
    assert total(tmp_path, "SELECT a.x + b.x + c.x + d.x FROM a, b, c, d") == 15


def test_glob_reaches_into_folders_below(tmp_path: Path) -> None:
    for name in ("2023/jan.csv", "2024/feb.csv"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x\n1\n")
    assert datasets.open(tmp_path / "*" / "*.csv").table_names() == ["jan", "feb"]
    assert total(tmp_path / "**" / "*.csv", "SELECT jan.x + feb.x FROM jan, feb") == 2


def test_packed_text_is_read(tmp_path: Path) -> None:
    pd.DataFrame({"x": [1, 2]}).to_csv(tmp_path / "sales.csv.gz", index=False)
    assert datasets.open(tmp_path).table_names() == ["sales"]
    assert total(tmp_path / "sales.csv.gz", "SELECT sum(x) FROM sales") == 3


def test_names_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    (tmp_path / "Sales.csv").write_text("x\n1\n")
    (tmp_path / "sales.tsv").write_text("x\n1\n")
    with pytest.raises(BadData, match="would be one table"):
        datasets.open(tmp_path)
