"""A cell that a person runs prints what it made, never the connection or the object that its last line returns."""

from __future__ import annotations

import ast
import re
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.artifacts.cells import CodeCell, quiet
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

QUESTION = "How many loans have an amount over 300 by region?"
FRAME = pd.DataFrame({"loan_id": range(40), "amount": range(0, 1200, 30), "region": ["North", "South"] * 20})


def source_of(kind: str, folder: Path) -> Any:
    """Return the same loans as kernel frames or as a file of a kind."""
    if kind == "frames":
        return {"loans": FRAME}
    path = folder / f"loans.{kind}"
    if kind == "csv":
        FRAME.to_csv(path, index=False)
    elif kind == "json":
        FRAME.to_json(path, orient="records")
    elif kind == "parquet":
        FRAME.to_parquet(path)
    elif kind == "xlsx":
        pytest.importorskip("openpyxl")
        FRAME.to_excel(path, index=False)
    elif kind == "sqlite":
        con = sqlite3.connect(path)
        FRAME.to_sql("loans", con, index=False)
        con.close()
    else:
        with duckdb.connect(str(path)) as con:
            con.register("frame", FRAME)
            con.execute("CREATE TABLE loans AS FROM frame")
    return lx.datasets.open(path)


def shown(cell: CodeCell, names: dict[str, Any]) -> str:
    """Run a cell as a notebook does, and return what it would print of its last line."""
    body = ast.parse(cell.source)
    last = body.body[-1]
    code = cell.source.rstrip()
    if not isinstance(last, ast.Expr) or code.endswith(";"):
        exec(compile(cell.source, "cell", "exec"), names)
        return ""
    exec(compile(ast.Module(body.body[:-1], []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return "" if value is None else repr(value)


@pytest.mark.parametrize("kind", ["frames", "csv", "json", "parquet", "xlsx", "sqlite", "duckdb"])
def test_opening_cells_print_nothing(kind: str, tmp_path: Path) -> None:
    session = lx.Session(source_of(kind, tmp_path), namespace={})
    run = session.ask(QUESTION)
    session.close()
    assert run.status == "answered", run.answer
    names: dict[str, Any] = {"loans": FRAME}
    for cell in run.cells:
        if cell.kind != "chart":
            assert shown(cell, names) == "", cell.source
    assert len(names["answer_df"]) == 2


def test_a_cell_that_writes_a_table_prints_nothing() -> None:
    write = call("run_sql", sql="CREATE TABLE workspace.big AS SELECT * FROM loans WHERE amount > 300")
    session = lx.Session({"loans": FRAME}, namespace={}, planner=ScriptedPlanner([write, say("Made.")]), approve="all")
    run = session.ask("keep the large ones")
    session.close()
    names: dict[str, Any] = {"loans": FRAME}
    assert run.cells, run.steps
    assert [shown(cell, names) for cell in run.cells] == [""] * len(run.cells)


def test_no_cell_of_the_main_job_ends_with_a_value_that_is_noise(bank: Any) -> None:
    """Its charts end with the chart, which is shown; nothing else ends with a value."""
    session = lx.Session(bank, namespace={})
    run = session.ask("For loans currently being repaid, which are likely to default?")
    shap, controls = session.shap(), session.shap().view("beeswarm").cell
    cells = [*run.cells, controls, *(shap.view(plot).cell for plot in ("importance", "dependence", "waterfall"))]
    session.close()
    assert {c.kind for c in run.cells} >= {"data", "sql", "model", "quality", "prediction", "explanation", "chart"}
    for cell in cells:
        last = ast.parse(cell.source).body[-1]
        if isinstance(last, ast.Expr) and not cell.source.rstrip().endswith(";"):
            assert isinstance(last.value, ast.Name), cell.source
            assert last.value.id in cell.produces


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("con.execute(1)", "con.execute(1);"),
        ("con.execute(1)  # why; so\n", "con.execute(1);  # why; so\n"),
        ("con.execute('''\ná;\n''')\n", "con.execute('''\ná;\n''');\n"),
        ("é(1);\n", "é(1);\n"),
        ("for x in y:\n    x()\n", "for x in y:\n    x()\n"),
        ("", ""),
    ],
)
def test_a_last_value_is_made_quiet(source: str, wanted: str) -> None:
    assert quiet(source) == wanted
    assert not re.search(r";;", wanted)
