"""The workspace: the one schema that SQL may write to."""

from __future__ import annotations

import threading
from typing import Any

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.data.workspace import check_write, is_write
from lexsi_nb.errors import Cancelled, QueryFailed, RefusedSQL, UnknownTable

WRITES = """
CREATE TABLE workspace.x AS SELECT * FROM loan
create or replace table workspace.x as from loan
CREATE TABLE IF NOT EXISTS workspace.x AS SELECT 1 AS a
CREATE TABLE Workspace."my x" (a INT, b VARCHAR)
INSERT INTO workspace.x VALUES (1)
INSERT INTO workspace.x SELECT * FROM loan WHERE status = 'A'
INSERT INTO workspace.x BY NAME SELECT 1 AS a
WITH q AS (SELECT 1 AS a) INSERT INTO workspace.x FROM q
UPDATE workspace.x SET a = 3 WHERE a = 1
UPDATE workspace.x SET a = l.amount FROM loan l WHERE l.loan_id = a
DELETE FROM workspace.x
DELETE FROM workspace.x WHERE a IN (SELECT loan_id FROM loan)
DROP TABLE workspace.x
DROP TABLE IF EXISTS workspace.x;
""".strip().splitlines()

REFUSED = """
CREATE TABLE x AS SELECT 1 | CREATE
CREATE TABLE main.x AS SELECT 1 | main.x
CREATE TABLE other.workspace.x AS SELECT 1 | CREATE
CREATE TEMP TABLE workspace.x AS SELECT 1 | TEMPORARY
CREATE VIEW workspace.x AS SELECT 1 | VIEW
CREATE MACRO workspace.f(a) AS a | CREATE
CREATE SCHEMA workspace | CREATE
CREATE SEQUENCE workspace.s | SEQUENCE
CREATE INDEX i ON workspace.x (a) | CREATE
CREATE TABLE workspace.x AS SELECT * FROM 'x.csv' | x.csv
CREATE TABLE workspace.x AS SELECT * FROM read_csv('x.csv') | read_csv
CREATE TABLE workspace.x AS SELECT getenv('HOME') AS h | getenv
CREATE TABLE workspace.x (a INT DEFAULT nextval('s')) | nextval
CREATE TABLE workspace.x AS SELECT 1; DROP TABLE loan | second statement
INSERT INTO loan SELECT * FROM workspace.x | INSERT loan
INSERT INTO workspace.x SELECT * FROM read_text('/etc/passwd') | read_text
INSERT INTO workspace.x VALUES (1) RETURNING * | RETURNING
UPDATE loan SET amount = 0 FROM workspace.x | UPDATE loan
DELETE FROM loan USING workspace.x | DELETE loan
DROP TABLE loan | DROP
DROP TABLE workspace.x, loan | DROP
DROP SCHEMA workspace CASCADE | DROP
DROP VIEW workspace.x | VIEW
TRUNCATE workspace.x | TRUNCATE
ALTER TABLE workspace.x ADD COLUMN b INT | ALTER
MERGE INTO workspace.x USING loan ON true WHEN MATCHED THEN DELETE | MERGE
COPY workspace.x TO 'x.csv' | COPY
SELECT * FROM workspace.x | SELECT
WITH q AS (DELETE FROM loan RETURNING *) INSERT INTO workspace.x FROM q | DELETE
""".strip().splitlines()


@pytest.mark.parametrize("sql", WRITES)
def test_a_write_to_the_workspace_passes(sql: str) -> None:
    assert is_write(sql)
    assert check_write(sql).text == sql.rstrip(";")


@pytest.mark.parametrize("row", REFUSED)
def test_every_other_write_is_refused_by_name(row: str) -> None:
    sql, words = row.rsplit(" | ", 1)
    with pytest.raises(RefusedSQL) as caught:
        check_write(sql)
    assert words.casefold() in str(caught.value).casefold()
    assert "workspace." in str(caught.value) or caught.value.next


@pytest.mark.parametrize("sql", [*WRITES, *(r.rsplit(" | ", 1)[0] for r in REFUSED)])
def test_the_read_guard_lets_no_write_pass(sql: str, engine: Engine) -> None:
    if sql.startswith("SELECT"):
        return
    with pytest.raises(RefusedSQL):
        engine.query(sql)


def test_a_table_is_made_filled_changed_read_and_dropped(engine: Engine) -> None:
    made = engine.write("CREATE TABLE workspace.big AS SELECT loan_id, amount FROM loan WHERE amount > 300000")
    assert made is not None
    assert (made.name, made.rows, made.column_names()) == ("workspace.big", 54, ["loan_id", "amount"])
    engine.write("INSERT INTO workspace.big VALUES (1, 1)")
    engine.write("UPDATE workspace.big SET amount = 2 WHERE loan_id = 1")
    assert engine.query("SELECT amount FROM workspace.big WHERE loan_id = 1").amount[0] == 2
    assert engine.query("SELECT count(*) AS n FROM workspace.big JOIN loan USING (loan_id)").n[0] == 54
    assert "workspace.big" in engine.readable()
    assert engine.write("DROP TABLE workspace.big") is None
    with pytest.raises(UnknownTable):
        engine.query("FROM workspace.big")


def test_a_failed_write_leaves_nothing(engine: Engine) -> None:
    with pytest.raises(QueryFailed):
        engine.write("CREATE TABLE workspace.x AS SELECT status::INTEGER AS s FROM loan")
    assert engine.workspace() == ()
    engine.write("CREATE TABLE workspace.x AS SELECT 1 AS a")
    with pytest.raises(QueryFailed):
        engine.write("CREATE TABLE workspace.x AS SELECT 1 AS a")
    assert engine.query("FROM workspace.x").a.tolist() == [1]


def test_a_write_that_is_stopped_leaves_nothing(engine: Engine) -> None:
    caught: list[BaseException] = []

    def work() -> None:
        try:
            engine.write(
                "CREATE TABLE workspace.x AS SELECT a.range + b.range AS s FROM range(1000000) a, range(100000) b"
            )
        except BaseException as e:  # noqa: BLE001
            caught.append(e)

    thread = threading.Thread(target=work)
    thread.start()
    while not engine._running:
        assert thread.is_alive()
    engine.interrupt()
    thread.join(10)
    assert isinstance(caught[0], Cancelled)
    assert engine.workspace() == ()
    with pytest.raises(QueryFailed, match="limit is"):
        engine.write(
            "CREATE TABLE workspace.y AS SELECT a.range AS s FROM range(1000000) a, range(100000) b", timeout=0.2
        )
    assert engine.workspace() == ()


def test_registered_frames_can_be_kept_in_the_workspace() -> None:
    names: dict[str, Any] = {"sales": pd.DataFrame({"x": [1, 2]})}
    engine = Engine(datasets.frames(names), namespace=names)
    engine.write("CREATE TABLE workspace.kept AS FROM sales")
    names["sales"].loc[0, "x"] = 100
    assert engine.query("SELECT sum(x) AS t FROM workspace.kept").t[0] == 3
    engine.close()


def test_the_workspace_moves_to_the_engine_that_follows(bank: Any) -> None:
    first = Engine(bank)
    first.write("CREATE TABLE workspace.\"My x\" AS SELECT DATE '2020-01-01' AS d, [1, 2] AS l")
    second = Engine(bank)
    second.take_workspace(first)
    first.close()
    assert second.query('SELECT d, l[2] AS two FROM workspace."My x"').two[0] == 2
    assert second.table("workspace.My x").rows == 1
    second.close()


def test_source_of_a_write_runs_on_a_plain_connection_as_well(engine: Engine) -> None:
    import duckdb

    source = (
        'con.execute("CREATE SCHEMA IF NOT EXISTS workspace")\n'
        'con.execute("CREATE TABLE workspace.x AS SELECT 41 + 1 AS a")\n'
        'frame = con.sql("FROM workspace.x").df()\n'
    )
    for con in (engine.connection, duckdb.connect()):
        names: dict[str, Any] = {"con": con}
        exec(source, names)
        assert names["frame"].a.tolist() == [42]
