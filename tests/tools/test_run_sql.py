"""`run_sql`: labels, preview, cache keys, names of labels as tables, the workspace, and what it refuses."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.egress.policy import Policy
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


@pytest.fixture
def names() -> dict[str, Any]:
    return {
        "loans": pd.DataFrame({"loan_id": range(50), "amount": [10.0 * i for i in range(50)], "s": list("AB") * 25})
    }


def test_a_result_has_counts_types_and_at_most_twenty_rows(names: dict[str, Any], play: Any) -> None:
    run = play(call("run_sql", sql="SELECT * FROM loans ORDER BY loan_id"), namespace=names)
    lines = run.steps[0].summary.splitlines()
    assert lines[0] == "50 rows x 3 columns."
    assert lines[1] == "Columns: loan_id: int64, amount: float64, s: str" or lines[1].startswith(
        "Columns: loan_id: int64"
    )
    assert len(lines) == 2 + 1 + 20
    assert lines[2] == "loan_id,amount,s"


def test_only_the_preview_is_of_class_rows(names: dict[str, Any], play: Any) -> None:
    run = play(call("run_sql", sql="SELECT * FROM loans"), namespace=names)
    observation = run.session.history.messages[2].seen
    assert [s.kind for s in observation.segments] == ["schema", "schema", "rows"]
    assert observation.segments[2].columns == ("loans.loan_id", "loans.amount", "loans.s")
    cut = Policy("schema").observe(observation, local=False)
    assert "50 rows x 3 columns" in cut
    assert "240.0" not in cut
    assert "withheld" in cut


def test_every_cache_key_is_written(names: dict[str, Any], play: Any) -> None:
    sql = "SELECT loan_id FROM loans WHERE s = 'A'"
    run = play(call("run_sql", sql=sql, label="a_df"), namespace=names)
    cache = run.session.cache
    assert cache["last_sql"] == sql
    assert cache["sql_result:a_df"] is names["a_df"]
    assert cache["last_sql_result"] is names["a_df"]
    assert cache["question"] == "q"


def test_the_cell_of_rows_to_learn_from_is_titled_in_plain_words(names: dict[str, Any], play: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT 1 AS x", label="already_df"),
        call("run_sql", sql="SELECT 2 AS x", label="two_df"),
        namespace=names,
    )
    titles = [cell.title for cell in run.cells if cell.kind == "sql"]
    assert titles == ["Rows where it has happened already (already_df)", "two_df by SQL"]


def test_without_a_label_the_last_result_is_kept_and_no_variable_made(names: dict[str, Any], play: Any) -> None:
    before = set(names)
    run = play(call("run_sql", sql="SELECT 1 AS x"), namespace=names)
    assert run.session.cache["last_sql_result"].x[0] == 1
    assert not [k for k in run.session.cache if k.startswith("sql_result:") and k != "sql_result:loans"]
    assert set(names) == before


def test_the_next_run_starts_with_fresh_scratch_keys_and_the_same_labels(names: dict[str, Any], play: Any) -> None:
    run = play(call("run_sql", sql="SELECT 1 AS x", label="one"), namespace=names)
    session = run.session
    session.use(planner=ScriptedPlanner([say("x")]))
    session.ask("another")
    assert "last_sql" not in session.cache
    assert "last_sql_result" not in session.cache
    assert session.cache["sql_result:one"].x[0] == 1


def test_a_label_is_a_table_of_later_queries_also_of_later_runs(names: dict[str, Any], play: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT * FROM loans WHERE s = 'A'", label="predict_df"),
        call("run_sql", sql="SELECT * FROM predict_df", label="again"),
        namespace=names,
    )
    pd.testing.assert_frame_equal(names["again"], names["predict_df"])
    run.session.use(planner=ScriptedPlanner([call("run_sql", sql="SELECT count(*) AS n FROM predict_df"), say("x")]))
    assert run.session.ask("count").frame.n[0] == 25


def test_an_unknown_name_lists_the_nearest_labels_and_tables(names: dict[str, Any], play: Any, bank: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT * FROM loans", label="predict_df"),
        call("run_sql", sql="SELECT * FROM predct_df"),
        call("run_sql", sql="SELECT * FROM lones"),
        namespace=names,
    )
    assert "predict_df" in run.steps[1].summary
    assert "loans" in run.steps[2].summary
    mine: dict[str, Any] = {"predict_df": pd.DataFrame({"x": [1]})}
    run = play(call("run_sql", sql="SELECT * FROM predct_df"), dataset=bank, namespace=mine)
    assert "predict_df" in run.steps[0].summary


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DROP TABLE loans", "DROP"),
        ("SELECT * FROM read_csv('/etc/passwd')", "read_csv"),
        ("SELECT 1; SELECT 2", "second statement"),
        ("SELEC 1", "SELEC"),
        ("SELECT FROM WHERE", "cannot be read"),
        ("", "sql"),
        ("SELECT s::INTEGER FROM loans", "Could not convert"),
        ("SELECT nope FROM loans", "nope"),
        ("SELECT frobnicate(1)", "frobnicate"),
        ("INSERT INTO loans VALUES (1)", "INSERT"),
        ("CREATE TABLE x AS SELECT 1", "CREATE"),
    ],
)
def test_what_fails_says_why_in_one_line_and_changes_nothing(
    names: dict[str, Any], play: Any, sql: str, words: str
) -> None:
    before = dict(names)
    run = play(call("run_sql", sql=sql, label="x"), namespace=names)
    step = run.steps[0]
    assert step.status in ("failed", "invalid", "rejected")
    assert words.casefold() in step.summary.casefold()
    assert names.keys() == before.keys()
    assert len(names["loans"]) == 50
    assert "last_sql" not in run.session.cache
    assert run.cells == []


def test_an_error_without_a_message_still_says_something(names: dict[str, Any], play: Any, monkeypatch: Any) -> None:
    from lexsi_nb.data.engine import Engine

    def fail(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("")

    monkeypatch.setattr(Engine, "run", fail)
    run = play(call("run_sql", sql="SELECT 1"), namespace=names)
    assert run.steps[0].status == "failed"
    assert run.steps[0].summary == "run_sql failed. RuntimeError, without a message."


def test_an_empty_result_is_a_result_that_hints_at_the_literals(names: dict[str, Any], play: Any) -> None:
    empty = call("run_sql", sql="SELECT * FROM loans WHERE s = 'Z'", label="none")
    before, run = play(empty, empty, namespace=names).steps
    assert before.status == "failed"
    assert "'Z' does not occur in loans.s." in before.summary
    assert run.status == "ok"
    assert "sample_values" in run.summary
    assert len(names["none"]) == 0


def test_wide_and_long_values_are_cut_between_lines(play: Any) -> None:
    wide = {"w": pd.DataFrame({f"c{i}": ["x" * 300] * 30 for i in range(200)})}
    run = play(call("run_sql", sql="SELECT * FROM w"), namespace=wide)
    assert "30 rows x 200 columns" in run.steps[0].summary
    assert "and 140 more" in run.steps[0].summary
    assert len(run.steps[0].summary) < 8_000


def test_a_row_over_the_cap_is_an_error(names: dict[str, Any], play: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT * FROM range(1000001)", label="big"),
        call("run_sql", sql="SELECT * FROM range(1000000)", label="fits"),
        namespace=names,
    )
    assert run.steps[0].status == "failed"
    assert "more than 1,000,000 rows" in run.steps[0].summary
    assert "big" not in names
    assert len(names["fits"]) == 1_000_000


def test_quotes_and_backslashes_survive_into_the_cell(play: Any) -> None:
    names: dict[str, Any] = {"t": pd.DataFrame({'a "b"': ["x\\y", 'tri"""ple'], "c": [1, 2]})}
    spelt = '"a ""b"""'
    run = play(
        call("run_sql", sql=f"SELECT c, 'back\\slash' AS b FROM t WHERE {spelt} = 'x\\y'", label="one"),
        call("run_sql", sql=f'SELECT c AS "d" FROM t WHERE {spelt} = \'tri"""ple\'', label="two"),
        call("run_sql", sql='SELECT c AS "d"', label="three"),
        call("run_sql", sql='SELECT c AS "e" FROM t ORDER BY "c"', label="four"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["ok", "ok", "failed", "ok"], [s.summary for s in run.steps]
    alone: dict[str, Any] = {"t": names["t"]}
    for cell in run.cells:
        exec(cell.source, alone)
    for made in ("one", "two", "four"):
        pd.testing.assert_frame_equal(alone[made], names[made])
    assert names["one"].c.tolist() == [1]
    assert names["two"].d.tolist() == [2]


def test_a_workspace_table_is_made_read_and_reproduced_by_cells(names: dict[str, Any], play: Any) -> None:
    run = play(
        call("run_sql", sql="CREATE TABLE workspace.rich AS SELECT * FROM loans WHERE amount > 400"),
        call("run_sql", sql="INSERT INTO workspace.rich SELECT * FROM loans WHERE amount = 0"),
        call("run_sql", sql="SELECT sum(amount) AS s, count(*) AS n FROM workspace.rich", label="rich"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["ok"] * 3, [s.summary for s in run.steps]
    assert "workspace.rich has 10 rows x 3 columns" in run.steps[1].summary
    assert names["rich"].n[0] == 10
    alone: dict[str, Any] = {"loans": names["loans"]}
    for cell in run.cells:
        exec(cell.source, alone)
    pd.testing.assert_frame_equal(alone["rich"], names["rich"])


def test_the_workspace_lasts_over_runs_and_its_cells_come_along(names: dict[str, Any], play: Any) -> None:
    run = play(call("run_sql", sql="CREATE TABLE workspace.rich AS FROM loans WHERE amount > 400"), namespace=names)
    session = run.session
    names["another"] = pd.DataFrame({"x": [1]})  # the engine is built anew for it
    session.use(planner=ScriptedPlanner([call("run_sql", sql="FROM workspace.rich", label="rich"), say("x")]))
    again = session.ask("again")
    assert again.steps[0].status == "ok", again.steps[0].summary
    alone: dict[str, Any] = {"loans": names["loans"], "another": names["another"]}
    for cell in again.cells:
        exec(cell.source, alone)
    pd.testing.assert_frame_equal(alone["rich"], names["rich"])
    session.use(planner=ScriptedPlanner([call("run_sql", sql="DROP TABLE workspace.rich"), say("x")]))
    assert session.ask("drop").steps[0].summary == "Dropped workspace.rich."


def test_a_write_takes_no_label_and_a_refused_one_leaves_nothing(names: dict[str, Any], play: Any) -> None:
    run = play(
        call("run_sql", sql="CREATE TABLE workspace.x AS SELECT 1 AS a", label="x"),
        call("run_sql", sql="CREATE TABLE workspace.x AS SELECT * FROM 'x.csv'"),
        call("run_sql", sql="FROM workspace.x"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["rejected", "failed", "failed"]
    assert "label" in run.steps[0].summary
    assert "x.csv" in run.steps[1].summary


def test_a_frame_changed_by_the_user_while_a_run_goes_on_is_seen_or_refused(names: dict[str, Any], play: Any) -> None:
    def edit(turn: Any) -> Any:
        names["loans"].loc[0, "amount"] = 1_000_000.0
        return call("run_sql", sql="SELECT max(amount) AS m FROM loans", label="m")

    run = play(call("run_sql", sql="SELECT max(amount) AS m FROM loans", label="before"), edit, namespace=names)
    assert run.steps[1].status == "ok"
    assert names["m"].m[0] == 1_000_000.0
    assert run.session.variables.stale(["before"])


def test_a_frame_replaced_or_deleted_while_a_run_goes_on(names: dict[str, Any], play: Any) -> None:
    def replace(turn: Any) -> Any:
        names["loans"] = pd.DataFrame({"loan_id": [7]})
        return call("run_sql", sql="SELECT * FROM loans", label="now")

    def delete(turn: Any) -> Any:
        del names["loans"]
        return call("run_sql", sql="SELECT * FROM loans", label="gone")

    run = play(replace, delete, namespace=names)
    assert names["now"].loan_id.tolist() == [7]
    assert run.steps[1].status == "failed"
    assert "loans" in run.steps[1].summary
    assert "gone" not in names


FOREVER = "SELECT count(*) AS n FROM range(100000000000) a, range(100000) b WHERE a.range % 7 = b.range % 11"


def test_a_query_has_a_time_limit_unless_told_otherwise(names: dict[str, Any], play: Any) -> None:
    from lexsi_nb.data.limits import SECONDS

    run = play(call("run_sql", sql="SELECT 1 AS x"), namespace=names)
    assert run.session.binding.engine.timeout == SECONDS == 120
    run = play(call("run_sql", sql=FOREVER, label="n"), namespace=names, sql_seconds=0.3)
    assert run.steps[0].status == "failed"
    assert "The limit is 0.3 s." in run.steps[0].summary
    assert "sql_seconds" in run.steps[0].summary
    assert "n" not in names


def test_rows_and_memory_have_limits_that_a_session_sets(names: dict[str, Any], play: Any) -> None:
    run = play(
        call("run_sql", sql="FROM loans"), call("run_sql", sql="FROM loans LIMIT 49"), namespace=names, sql_rows=49
    )
    assert [s.status for s in run.steps] == ["failed", "ok"]
    assert "more than 49 rows" in run.steps[0].summary
    big = "SELECT list(r::VARCHAR) FROM (SELECT range AS r FROM range(30000000))"
    run = play(call("run_sql", sql=big), namespace=names, sql_memory="60MB")
    assert run.steps[0].status == "failed"
    assert "ran out of memory" in run.steps[0].summary
    assert "sql_memory" in run.steps[0].summary


@pytest.mark.parametrize("wrong", [{"sql_seconds": 0}, {"sql_memory": "lots"}, {"sql_rows": 0}])
def test_a_limit_that_is_none_says_what_one_looks_like(play: Any, wrong: dict[str, Any]) -> None:
    from lexsi_nb.errors import BadData

    with pytest.raises(BadData, match=next(iter(wrong))):
        play(**wrong)
