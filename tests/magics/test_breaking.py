"""Odd options, settings and variables in the way: each was a fault once."""

from __future__ import annotations

import asyncio
import json

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.errors import LexsiError
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.magics.body import split
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


def ask(ip, cell: str, *lines):
    planner = ScriptedPlanner(list(lines) or [say("x")])
    getattr(ip, ATTRIBUTE).session.planner = lambda: planner
    return ip.run_cell(cell, store_history=False)


@pytest.fixture
def loans(ip):
    ip.user_ns["loans"] = pd.DataFrame({"loan_id": [1, 2, 3], "amount": [10.0, 20.0, 30.0]})
    return ip.user_ns["loans"]


def test_a_quoted_path_with_a_space_is_one_path(ip, tmp_path):
    folder = tmp_path / "my dir"
    folder.mkdir()
    pd.DataFrame({"a": [1, 2]}).to_csv(folder / "x.csv", index=False)
    result = ask(ip, f"%%lexsi --data '{folder}/x.csv' q", call("run_sql", sql="SELECT count(*) FROM x"), say("2"))
    assert result.success


def test_two_dashes_alone_end_the_options():
    assert split("-- --foo bar") == ("", "--foo bar")


@pytest.mark.parametrize("options", ["--max-steps 0", "--max-steps -1", "--frames loans --data bank", "--max-steps x"])
def test_options_that_cannot_be_meant_are_refused(ip, loans, options):
    assert not ask(ip, f"%%lexsi {options} q").success


def test_a_wrong_setting_does_not_keep_the_magics_away(ip):
    ip.run_cell("%config LexsiMagics.seed = 'x'", store_history=False)
    ip.run_line_magic("unload_ext", "lexsi_nb")
    ip.run_line_magic("load_ext", "lexsi_nb")
    assert "lexsi" in ip.magics_manager.magics["cell"]


def test_an_export_never_replaces_a_file_of_the_users(ip, loans, tmp_path):
    ask(ip, "%%lexsi q", call("run_sql", sql="SELECT * FROM loans", label="all_loans"), say("x"))
    run = getattr(ip, ATTRIBUTE).session.runs[-1]
    mine = tmp_path / "analysis.ipynb"
    mine.write_text(json.dumps({"cells": []}))
    with pytest.raises(LexsiError, match="already"):
        run.export(mine)
    assert mine.read_text() == json.dumps({"cells": []})
    ours = run.export(tmp_path / "ours.ipynb")
    assert run.export(ours) == ours
    with pytest.raises(LexsiError, match="notebook name"):
        run.export(tmp_path / "a.txt")
    with pytest.raises(LexsiError, match="no folder"):
        run.export(tmp_path / "missing" / "a.ipynb")


def test_a_name_the_user_took_is_the_users_in_the_listing(ip, loans, capsys):
    ask(ip, "%%lexsi q", call("run_sql", sql="SELECT * FROM loans", label="all_loans"), say("x"))
    ip.user_ns["all_loans"] = [1, 2]
    capsys.readouterr()
    ip.run_cell("%lexsi vars", store_history=False)
    assert "yours now" in capsys.readouterr().out


def test_cells_spare_the_users_variables():
    rng = pd.Series(range(60))
    cases = pd.DataFrame({"id": rng, "x": (rng * 7) % 11, "bad": (rng % 3 == 0).astype(int)})
    mine = {
        name: f"my {name}" for name in ("top", "base", "bars", "case", "parts", "rule", "inputs_of", "model_features")
    }
    names = {"cases": cases, **mine}
    planner = ScriptedPlanner(
        [
            call("train_tabular_model", df_label="cases", target_column="bad", entity_column="id"),
            call("predict", df_label="cases"),
            call("explain_prediction", top_k=2),
            say("x"),
        ]
    )
    session = Session(namespace=names, planner=planner)
    run = session.ask("q")
    assert run.status == "answered", run.answer
    assert {n: names[n] for n in mine} == mine
    for cell in run.cells:
        exec(cell.source, names)
    assert {n: names[n] for n in mine} == mine


def test_cells_that_were_run_change_nothing_in_those_of_the_same_question(ip):
    rng = pd.Series(range(60))
    ip.user_ns["cases"] = pd.DataFrame({"id": rng, "x": (rng * 7) % 11, "bad": (rng % 3 == 0).astype(int)})
    steps = [
        call("train_tabular_model", df_label="cases", target_column="bad", entity_column="id"),
        call("predict", df_label="cases"),
        call("explain_prediction", top_k=2),
        say("x"),
    ]
    ask(ip, "%%lexsi q", *steps)
    runs = getattr(ip, ATTRIBUTE).session.runs
    first = runs[-1]
    for cell in first.cells:
        ip.run_cell(cell.source, store_history=False).raise_error()
    assert "model_features" in ip.user_ns
    ask(ip, "%%lexsi q", *steps)
    again = runs[-1]
    assert again is not first
    assert [c.source for c in again.cells] == [c.source for c in first.cells]
    assert not [w for w in again.facts.get("warnings", ()) if "would replace" in w]


def test_a_stream_whose_loop_has_gone_says_nothing(recwarn):
    session = Session(
        namespace={"a": pd.DataFrame({"x": [1]})}, planner=ScriptedPlanner([call("inspect_data"), say("x")])
    )

    async def first() -> None:
        async for _ in session.stream("q"):
            break

    asyncio.run(first())
    session.use(planner=ScriptedPlanner([say("fine")]))
    assert session.ask("again").answer == "fine"


def test_the_model_type_of_a_question_reaches_the_tool(ip):
    cases = pd.DataFrame(
        {"id": range(60), "x": [i * 7 % 11 for i in range(60)], "bad": [int(i % 3 == 0) for i in range(60)]}
    )
    ip.user_ns["cases"] = cases
    train = call("train_tabular_model", df_label="cases", target_column="bad", entity_column="id")
    ask(ip, "%%lexsi --model-type xgboost q", train, say("x"))
    assert "XGBoost" in getattr(ip, ATTRIBUTE).session.runs[-1].steps[0].summary  # made, or not installed here
    ask(ip, "%%lexsi q", train, say("x"))
    assert getattr(ip, ATTRIBUTE).session.runs[-1].steps[0].status == "ok"


def test_a_dry_run_shows_the_sql_as_it_is_written(ip, loans):
    ask(ip, "%%lexsi --dry-run q", call("run_sql", sql="SELECT amount\nFROM loans", label="x"), say("x"))
    answer = getattr(ip, ATTRIBUTE).session.runs[-1].answer
    assert "SELECT amount\nFROM loans" in answer
    assert "Nothing was changed" in answer
