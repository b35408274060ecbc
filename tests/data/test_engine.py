"""The engine: guarded, capped, cancellable, and queried in place."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.errors import BadData, Cancelled, QueryFailed, RefusedSQL, UnknownColumn, UnknownTable

FOREVER = "SELECT count(*) FROM range(100000000000) a, range(100000) b WHERE a.range % 7 = b.range % 11"


def test_cell_source_runs_unchanged_on_the_facade(engine: Engine) -> None:
    names = {"con": engine.connection}
    exec(
        'context_df = con.sql("""SELECT * FROM loan WHERE status IN (\'A\', \'B\')""").df()\n'
        'con.register("context_df", context_df)\n'
        'n = con.execute("SELECT count(*) FROM context_df").fetchone()\n'
        'rows = con.execute("SELECT count(*) FROM loan WHERE status = ?", ["C"]).fetchall()\n'
        'table = con.sql("FROM context_df").to_arrow_table()\n',
        names,
    )
    assert names["n"] == (234,)
    assert names["rows"] == [(403,)]
    assert names["table"].num_rows == 234


def test_setup_cell_alone_gives_the_same_frames(bank, bank_engine: Engine) -> None:
    cell = bank.setup_cell("db")
    assert "import lexsi" not in cell.source
    db = cell.run({})["db"]
    for table in bank.table_names():
        sql = f'SELECT * FROM "{table}" LIMIT 1000'
        pd.testing.assert_frame_equal(db.sql(sql).df(), bank_engine.query(sql))


def test_result_over_the_cap_is_an_error_and_at_the_cap_is_none(bank_engine: Engine) -> None:
    assert len(bank_engine.query("FROM range(10)", max_rows=10)) == 10
    with pytest.raises(QueryFailed, match="more than 9 rows"):
        bank_engine.query("FROM range(10)", max_rows=9)


def test_order_of_rows_survives_the_cap(bank_engine: Engine) -> None:
    frame = bank_engine.query("SELECT trans_id FROM trans ORDER BY amount DESC, trans_id LIMIT 5000")
    again = bank_engine.query("SELECT trans_id FROM trans ORDER BY amount DESC, trans_id LIMIT 5000", max_rows=None)
    assert frame.trans_id.tolist() == again.trans_id.tolist()


def test_unknown_table_names_the_nearest(bank_engine: Engine) -> None:
    with pytest.raises(UnknownTable, match=r"'lons'.*loan"):
        bank_engine.query("SELECT * FROM lons")
    with pytest.raises(UnknownTable, match="district"):
        bank_engine.table("distrikt")


def test_unknown_column_names_the_nearest_and_where_it_is(bank_engine: Engine) -> None:
    with pytest.raises(UnknownColumn, match="status"):
        bank_engine.query("SELECT statsu FROM loan")
    with pytest.raises(UnknownColumn, match="It is in district"):
        bank_engine.query("SELECT region FROM loan")
    with pytest.raises(UnknownColumn, match="amount"):
        bank_engine.query("SELECT l.amuont FROM loan l")


def test_other_errors_are_one_line(bank_engine: Engine) -> None:
    with pytest.raises(QueryFailed) as caught:
        bank_engine.query("SELECT status::INTEGER FROM loan")
    assert "\n" not in str(caught.value)
    with pytest.raises(QueryFailed, match="sqrt"):
        bank_engine.query("SELECT sqr(amount) FROM loan")


def test_query_can_be_stopped_from_another_thread(engine: Engine) -> None:
    caught: list[BaseException] = []
    started = threading.Event()

    def work() -> None:
        started.set()
        try:
            engine.query(FOREVER)
        except BaseException as e:  # noqa: BLE001
            caught.append(e)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    while not engine._running:
        assert thread.is_alive()
    engine.interrupt()
    thread.join(5)
    assert not thread.is_alive()
    assert isinstance(caught[0], Cancelled)
    assert engine.query("SELECT 1 AS x").x[0] == 1


def background(work: Any) -> tuple[threading.Thread, list[Any]]:
    """Start `work` on a thread; its result or what it raised goes to the list."""
    out: list[Any] = []

    def body() -> None:
        try:
            out.append(work())
        except BaseException as e:  # noqa: BLE001
            out.append(e)

    thread = threading.Thread(target=body)
    thread.start()
    return thread, out


def test_stopping_one_query_leaves_its_neighbours_running(bank, engine: Engine) -> None:
    other = Engine(bank)
    slow = "SELECT count(*) AS n FROM range(30000000) a WHERE a.range % 7 = 3"
    stopped, first = background(lambda: engine.query(FOREVER))
    while not engine._running:
        assert stopped.is_alive()
    behind, second = background(lambda: engine.query("SELECT count(*) AS n FROM loan"))
    beside, third = background(lambda: other.query(slow))
    while not other._running and beside.is_alive():
        pass
    engine.interrupt()
    for thread in (stopped, behind, beside):
        thread.join(60)
    assert isinstance(first[0], Cancelled)
    assert second[0].n[0] == 682
    assert third[0].n[0] == 4285714
    other.close()


def test_a_query_right_after_a_stopped_one_is_not_hit(engine: Engine) -> None:
    for _ in range(20):
        thread, out = background(lambda: engine.query(FOREVER))
        while not engine._running:
            assert thread.is_alive()
        engine.interrupt()
        assert engine.query("SELECT count(*) AS n FROM trans").n[0] > 0
        thread.join(10)
        assert isinstance(out[0], Cancelled)


def test_interrupt_with_nothing_running_does_nothing(engine: Engine) -> None:
    engine.interrupt()
    assert len(engine.query("SELECT 1")) == 1


def test_time_limit_stops_a_query(engine: Engine) -> None:
    with pytest.raises(QueryFailed, match=r"limit is 0\.2 s"):
        engine.query(FOREVER, timeout=0.2)
    assert len(engine.query("SELECT 1", timeout=5)) == 1


def test_memory_limit_is_an_error_not_a_crash(bank) -> None:
    engine = Engine(bank, memory_limit="60MB", threads=1)
    with pytest.raises(QueryFailed, match="memory"):
        engine.query("SELECT list(trans_id), list(balance), list(date) FROM trans")
    engine.close()


def test_nothing_is_written_or_read_outside(engine: Engine, tmp_path) -> None:
    outside = tmp_path / "x.csv"
    outside.write_text("a\n1\n")
    # Also where the guard would be fooled: the engine's own lock refuses.
    for sql in (
        f"COPY loan TO '{tmp_path / 'y.csv'}'",
        f"FROM read_csv('{outside}')",
        "SET threads = 1",
        "INSTALL httpfs",
    ):
        with pytest.raises(Exception, match=r"(?i)cannot|disabled|locked"):
            engine._con.execute(sql)
    with pytest.raises(RefusedSQL):
        engine.query("DROP VIEW loan")
    assert not (tmp_path / "y.csv").exists()


def test_python_variables_are_not_read_by_name(engine: Engine) -> None:
    secret = pd.DataFrame({"x": [1]})
    with pytest.raises(UnknownTable):
        engine.query("SELECT * FROM secret")
    assert len(secret) == 1


def test_registered_frame_may_not_hide_a_table(engine: Engine) -> None:
    with pytest.raises(BadData, match="hide the table 'loan'"):
        engine.register("Loan", pd.DataFrame({"x": [1]}))
    assert len(engine.query("FROM loan")) == 682


def test_edit_in_place_is_seen_by_the_next_query(engine: Engine) -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"]})
    engine.register("mine", frame)
    assert engine.query("SELECT sum(x) AS t FROM mine").t[0] == 6
    frame.loc[0, "x"] = 10
    frame.loc[0, "s"] = "z"
    frame["more"] = 7
    row = engine.query("SELECT sum(x) AS t, max(s) AS s, sum(more) AS m FROM mine").iloc[0]
    assert (row.t, row.s, row.m) == (15, "z", 21)


def test_frames_given_to_one_query_are_forgotten_after(engine: Engine) -> None:
    assert len(engine.query("FROM mine", frames={"mine": pd.DataFrame({"x": [1]})})) == 1
    with pytest.raises(UnknownTable):
        engine.query("FROM mine")


def test_unregistered_frame_is_gone(engine: Engine) -> None:
    engine.register("mine", pd.DataFrame({"x": [1]}))
    engine.query("FROM mine")
    engine.unregister("mine")
    with pytest.raises(UnknownTable):
        engine.query("FROM mine")


def test_registered_frame_is_described(engine: Engine) -> None:
    engine.register("mine", pd.DataFrame({"x": [1.5], "s": ["a"]}))
    info = engine.table("mine")
    assert (info.rows, info.column_names()) == (1, ["x", "s"])


@pytest.mark.parametrize("name", ["plain", "with space", 'quo"te', "čeština", "order", "Ünï 'x'"])
def test_odd_names_of_tables_and_columns(name: str) -> None:
    source = {name: pd.DataFrame({name: [1, 2]})}
    dataset = datasets.frames(source)
    engine = Engine(dataset)
    spelt = '"' + name.replace('"', '""') + '"'
    assert engine.query(f"SELECT sum({spelt}) AS t FROM {spelt}").t[0] == 3
    assert engine.table(name).column_names() == [name]
    con = dataset.setup_cell().run({"frames": source, **source})["con"]
    assert con.sql(f"SELECT count(*) FROM {spelt}").fetchall() == [(2,)]
    engine.close()


def test_no_copy_of_numeric_columns(engine: Engine) -> None:
    frame = pd.DataFrame({"k": np.arange(4_000_000) % 7, "v": np.ones(4_000_000)})
    psutil = pytest.importorskip("psutil")
    engine.register("big", frame)
    engine.query("SELECT k, sum(v) FROM big GROUP BY k")
    before = psutil.Process().memory_info().rss
    engine.query("SELECT k, sum(v) FROM big GROUP BY k")
    assert psutil.Process().memory_info().rss - before < frame.memory_usage().sum() / 2


def test_zero_rows_and_empty_results_are_results(engine: Engine) -> None:
    engine.register("none", pd.DataFrame({"x": pd.Series([], dtype="int64")}))
    assert list(engine.query("SELECT x FROM none").columns) == ["x"]
    assert len(engine.query("SELECT * FROM loan WHERE amount < 0")) == 0


def test_tables_have_rows_types_and_comments(bank_engine: Engine) -> None:
    loan = bank_engine.table("LOAN")
    assert loan.rows == 682
    status = next(c for c in loan.columns if c.name == "status")
    assert status.type == "VARCHAR"
    assert "running, in debt" in status.comment
    region = next(c for c in bank_engine.table("district").columns if c.name == "A3")
    assert "region" in region.comment
