"""`inspect_data`: the schema within its budget, cut between tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from lexsi_nb.planners.scripted import call
from lexsi_nb.tools.inspect_data import SCHEMA_BUDGET_CHARS


def schema(play: Any, names: dict[str, Any], **args: Any) -> str:
    run = play(call("inspect_data", **args), namespace=names)
    assert run.steps[0].status == "ok", run.steps[0].summary
    return run.steps[0].summary


def test_it_lists_tables_columns_types_rows_and_points_to_the_graph(bank: Any, play: Any) -> None:
    run = play(call("inspect_data"), dataset=bank)
    text = run.steps[0].summary
    assert "## loan (682 rows)" in text
    assert "- status: VARCHAR" in text
    assert "query_kg" in text
    assert len(text) <= SCHEMA_BUDGET_CHARS + 1000


def test_a_frame_without_a_graph_gets_no_pointer(play: Any) -> None:
    text = schema(play, {"mine": pd.DataFrame({"x": [1]})})
    assert "- x: BIGINT" in text
    assert "query_kg" not in text


def test_a_filter_keeps_the_named_tables_and_an_unknown_one_names_the_nearest(bank: Any, play: Any) -> None:
    run = play(call("inspect_data", table_filter=["card"]), call("inspect_data", table_filter=["lone"]), dataset=bank)
    assert "## card" in run.steps[0].summary
    assert "## loan" not in run.steps[0].summary
    assert run.steps[1].status == "failed"
    assert "loan" in run.steps[1].summary


def test_many_tables_are_cut_between_tables_and_the_rest_is_named(play: Any) -> None:
    names = {f"t{i:02d}": pd.DataFrame({f"column_number_{j}": [1] for j in range(30)}) for i in range(40)}
    text = schema(play, names)
    assert len(text) <= SCHEMA_BUDGET_CHARS + 300
    blocks = text.split("## ")[1:]
    assert 5 < len(blocks) < 40
    assert all(block.count("- column_number_") == 30 for block in blocks)
    assert "call with table_filter for: t" in text
    assert "t39" in text.splitlines()[-1]


def test_two_thousand_columns_are_cut_between_columns_and_counted(play: Any) -> None:
    wide = pd.DataFrame(np.zeros((2, 2000)), columns=[f"feature_{i}" for i in range(2000)])
    text = schema(play, {"wide": wide, "small": pd.DataFrame({"x": [1]})})
    assert len(text) <= SCHEMA_BUDGET_CHARS + 300
    listed = text.count("- feature_")
    assert f"- ... {2000 - listed} more columns" in text
    assert "small" in text


def test_a_huge_type_does_not_fill_the_budget(play: Any) -> None:
    nested = pd.DataFrame({"deep": [{f"field_{i}": i for i in range(2000)}], "x": [1]})
    text = schema(play, {"nested": nested})
    assert "- x: BIGINT" in text
    assert len(text) < 1500


def test_labels_and_workspace_tables_can_be_inspected(bank: Any, play: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT loan_id, amount FROM loan", label="mine"),
        call("run_sql", sql="CREATE TABLE workspace.kept AS SELECT 1 AS one"),
        call("inspect_data", table_filter=["mine"]),
        call("inspect_data"),
        dataset=bank,
    )
    assert [s.status for s in run.steps] == ["ok"] * 4, [s.summary for s in run.steps]
    assert "## mine (682 rows)" in run.steps[2].summary
    assert "## workspace.kept (1 rows)" in run.steps[3].summary


def test_what_is_said_of_a_private_column_stays_here(tmp_path, monkeypatch):
    import duckdb

    import lexsi_nb as lx
    from lexsi_nb.egress.policy import Policy
    from lexsi_nb.grounding.for_models.linking import linked_schema
    from lexsi_nb.tools.query_kg import _looked_up, _segments

    monkeypatch.chdir(tmp_path)
    with duckdb.connect(tmp_path / "x.duckdb") as con:
        con.execute("CREATE TABLE visits(visit_id INTEGER, st VARCHAR); INSERT INTO visits VALUES (1, 'P'), (2, 'Q')")
        con.execute("COMMENT ON COLUMN visits.st IS 'P = positive, Q = quiet'")
    (tmp_path / "lexsi_kg.yaml").write_text(
        "x.duckdb: {tables: {visits: {columns: {st: {comment: state, codes: {P: positive, Q: quiet}}}}}}"
    )
    session = lx.Session(dataset=tmp_path / "x.duckdb")
    graph = session.binding.start().knowledge
    index = session.binding.grounder().index
    from lexsi_nb.artifacts.observation import Observation
    from lexsi_nb.tools.inspect_data import _segments as inspected
    from lexsi_nb.tools.inspect_data import _table

    table = session.binding.engine.table("visits")
    texts = [
        Observation.of(*inspected(_table(table), [table], foreign=True)),
        Observation.of(*_segments(*_looked_up(graph, None, None, "visits.st", 8, ""), foreign=True)),
        Observation.of(*_segments(*_looked_up(graph, None, "which state", None, 8, ""), foreign=True)),
        linked_schema("how many visits by st", index),
    ]
    hidden, shown = Policy("schema", private=frozenset({"visits.st"})), Policy("schema")
    for said in texts:
        assert "positive" in said.text
        assert "positive" in shown.observe(said, local=False)
        assert "positive" not in hidden.observe(said, local=False)
    assert "- st: VARCHAR" in hidden.observe(texts[0], local=False)
