"""Frames as they come: wide, oddly named, of mixed or rare types, of other libraries. A clear error, or the values."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.planners.scripted import call


def queried(play: Any, frame: Any, sql: str = "SELECT * FROM t", **more: Any) -> Any:
    """Run inspect_data, sample_values of the first column and `sql`; return the step and the result."""
    names: dict[str, Any] = {"t": frame, **more}
    run = play(call("inspect_data"), call("run_sql", sql=sql, label="out"), namespace=names)
    for cell_step in run.steps:
        assert cell_step.summary.strip()
    return run, names


def works(play: Any, frame: Any, sql: str = "SELECT * FROM t") -> pd.DataFrame:
    run, names = queried(play, frame, sql)
    assert [s.status for s in run.steps] == ["ok", "ok"], [s.summary for s in run.steps]
    alone: dict[str, Any] = {"t": frame}
    for cell in run.cells:
        exec(cell.source, alone)
    pd.testing.assert_frame_equal(alone["out"], names["out"])
    return names["out"]


def fails(play: Any, frame: Any, words: str, sql: str = "SELECT * FROM t") -> None:
    run, names = queried(play, frame, sql)
    assert run.steps[1].status == "failed"
    assert words in run.steps[1].summary, run.steps[1].summary
    assert "\n" not in run.steps[1].summary
    assert "Traceback" not in run.steps[1].summary
    assert names.keys() == {"t"}
    assert names["t"] is frame


def test_two_thousand_columns(play: Any) -> None:
    frame = pd.DataFrame(np.arange(6000).reshape(3, 2000), columns=[f"f{i}" for i in range(2000)])
    assert works(play, frame).shape == (3, 2000)
    run, _ = queried(play, frame)
    assert len(run.steps[1].summary) < 8_000


@pytest.mark.parametrize(
    "name", ["select", "order", "group", "from", "table", "end", "user", "1st", "a b", "a.b", "", " "]
)
def test_reserved_and_odd_column_names(play: Any, name: str) -> None:
    frame = pd.DataFrame({name: [1, 2], "plain": [3, 4]})
    if not name:
        run, names = queried(play, frame)
        assert run.steps[1].status in ("ok", "failed")
        assert names["t"] is frame
        return
    assert works(play, frame, f'SELECT "{name}" AS v FROM t').v.tolist() == [1, 2]


@pytest.mark.parametrize("name", ["order", "select", "table", "user"])
def test_reserved_variable_names(play: Any, name: str) -> None:
    names: dict[str, Any] = {name: pd.DataFrame({"x": [1, 2]})}
    run = play(
        call("sample_values", table=name, column="x"),
        call("run_sql", sql=f'SELECT sum(x) AS s FROM "{name}"', label="out"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["ok", "ok"], [s.summary for s in run.steps]
    assert names["out"].s[0] == 3


def test_duplicate_column_names_are_named(play: Any) -> None:
    twice = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
    names: dict[str, Any] = {"t": twice, "good": pd.DataFrame({"x": [1]})}
    run = play(
        call("run_sql", sql="SELECT * FROM t", label="out"),
        call("run_sql", sql="FROM good", label="fine"),
        namespace=names,
    )
    assert run.steps[0].status == "failed"
    assert "duplicate column names: a" in run.steps[0].summary
    assert run.steps[1].status == "ok"


def test_a_frame_that_cannot_be_read_does_not_hide_the_others_from_inspect(play: Any) -> None:
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    names: dict[str, Any] = {"t": twice, "good": pd.DataFrame({"x": [1]})}
    run = play(call("inspect_data"), call("inspect_data", table_filter=["t"]), namespace=names)
    assert run.steps[0].status == "ok"
    assert "## good (1 rows)" in run.steps[0].summary
    assert "duplicate column names: a" in run.steps[0].summary
    assert run.steps[1].status == "failed"


def test_names_that_differ_in_case_alone(play: Any) -> None:
    run, names = queried(play, pd.DataFrame({"Amount": [1], "amount": [2]}))
    assert names["t"].shape == (1, 2)
    assert run.steps[1].status == "ok" or "amount" in run.steps[1].summary.casefold()


def test_names_that_are_no_text_and_levels(play: Any) -> None:
    assert works(play, pd.DataFrame({0: [1], 1.5: [2]}), 'SELECT "0.0" + "1.5" AS s FROM t').s[0] == 3
    levels = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]))
    run, names = queried(play, levels)
    assert run.steps[1].status in ("ok", "failed")
    assert names["t"] is levels


def test_mixed_types_in_one_column_become_text(play: Any) -> None:
    out = works(play, pd.DataFrame({"m": [1, "two", None, 3.5]}), "SELECT m::VARCHAR AS m FROM t")
    assert out.m.tolist()[:2] == ["1", "two"]
    late = pd.DataFrame({"m": [1] * 5_000 + ["text"]}, dtype=object)
    run, names = queried(play, late, "SELECT count(m) AS n FROM t")
    assert run.steps[1].status == "ok" or "m" in run.steps[1].summary
    assert names["t"] is late


def test_kinds_without_a_type_in_common_are_named(play: Any) -> None:
    frame = pd.DataFrame({"ok": [1, 2, 3], "m": [1, b"x", datetime.date(2020, 1, 1)]})
    fails(play, frame, "The column 'm' of t mixes bytes, date, int. SQL needs one type a column. Convert it")


def test_instants_with_a_zone(play: Any) -> None:
    when = pd.to_datetime(["2024-03-31 01:30", "2024-10-27 00:30"]).tz_localize("UTC").tz_convert("Europe/Prague")
    out = works(play, pd.DataFrame({"t": when}), "SELECT epoch(t) AS s, t FROM t")
    assert out.s.tolist() == [w.timestamp() for w in when]
    assert [w.timestamp() for w in out["t"]] == [w.timestamp() for w in when]


def test_dates_that_nanoseconds_cannot_hold(play: Any) -> None:
    frame = pd.DataFrame({"d": [datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None]})
    assert works(play, frame, "SELECT year(d) AS y FROM t WHERE d IS NOT NULL").y.tolist() == [1, 9999]
    run, names = queried(play, frame)
    assert run.steps[1].status == "ok" or "date" in run.steps[1].summary.casefold()
    assert names["t"] is frame


def test_decimals_keep_their_digits(play: Any) -> None:
    frame = pd.DataFrame({"d": [decimal.Decimal("0.10"), decimal.Decimal("12345678901234.56")]})
    assert works(play, frame, "SELECT sum(d)::VARCHAR AS s FROM t").s[0] == "12345678901234.66"


def test_nested_values(play: Any) -> None:
    frame = pd.DataFrame({"l": [[1, 2], []], "s": [{"a": 1, "b": "x"}, {"a": 2, "b": None}]})
    assert works(play, frame, "SELECT len(l) AS n, s.a AS a FROM t").values.tolist() == [[2, 1], [0, 2]]
    run, _ = queried(play, frame)
    assert run.steps[1].status == "ok", run.steps[1].summary


def test_infinity_and_missing_numbers(play: Any) -> None:
    frame = pd.DataFrame({"x": [np.inf, -np.inf, np.nan, 1.0]})
    assert works(play, frame, "SELECT count(*) AS n FROM t WHERE isinf(x)").n[0] == 2
    assert works(play, frame, "SELECT max(x) AS m FROM t WHERE x IS NOT NULL AND NOT isnan(x)").m[0] == np.inf


@pytest.mark.parametrize("dtype", [None, "object", "float64", "string", "Int64", "datetime64[ns]"])
def test_columns_without_any_value(play: Any, dtype: Any) -> None:
    frame = pd.DataFrame({"x": pd.Series([None, None], dtype=dtype)})
    assert works(play, frame, "SELECT count(*) AS n, count(x) AS k FROM t").values.tolist() == [[2, 0]]


def test_categories_with_levels_that_no_row_has(play: Any) -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["b", None, "b"], categories=["a", "b", "unused"])})
    out = works(play, frame, "SELECT c, count(*) AS n FROM t GROUP BY c ORDER BY n DESC")
    assert out.n.tolist() == [2, 1]
    numbers = pd.DataFrame({"c": pd.Categorical([3, 1], categories=[1, 2, 3], ordered=True)})
    run, _ = queried(play, numbers, "SELECT count(DISTINCT c) AS n FROM t")
    assert run.steps[1].status == "ok" or "c" in run.steps[1].summary


def test_polars_and_arrow_frames(play: Any) -> None:
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for frame in (
        pl.DataFrame({"x": [1, 2], "s": ["a", None]}),
        pa.table({"x": [1, 2], "s": ["a", None]}),
        pa.RecordBatch.from_pydict({"x": [1, 2], "s": ["a", None]}),
    ):
        assert works(play, frame, "SELECT sum(x) AS t, count(s) AS n FROM t").values.tolist() == [[3, 1]]


def test_arrow_names_twice_are_named(play: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    fails(play, pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), "duplicate column names: a")


def test_extension_types_of_pandas(play: Any) -> None:
    frame = pd.DataFrame(
        {
            "i": pd.array([1, None], dtype="Int64"),
            "b": pd.array([True, None], dtype="boolean"),
            "s": pd.array(["a", None], dtype="string"),
            "d": pd.to_timedelta(["1 days", None]),
        }
    )
    assert works(play, frame, "SELECT count(i) + count(b) + count(s) + count(d) AS n FROM t").n[0] == 4


@pytest.mark.parametrize(
    "values",
    [
        pd.period_range("2024-01", periods=2, freq="M"),
        pd.arrays.IntervalArray.from_breaks([0, 1, 2]),
        pd.arrays.SparseArray([0, 1]),
        [1 + 2j, 3j],
        [object(), object()],
        [b"\x00\xff", b"x"],
        [{1, 2}, {3}],
        [2**70, -(2**70)],
        pd.cut([1, 2], 2),
        pd.Categorical(pd.period_range("2024-01", periods=2, freq="M")),
        pd.Categorical([1j, 2j]),
        pd.Categorical([datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)]),
        pd.Categorical([decimal.Decimal("1.5"), decimal.Decimal(2)]),
    ],
    ids=[
        "period",
        "interval",
        "sparse",
        "complex",
        "objects",
        "bytes",
        "sets",
        "big",
        "cut",
        "periods",
        "complexes",
        "days",
        "decimals",
    ],
)
def test_types_that_sql_may_not_know_are_read_or_named(play: Any, values: Any) -> None:
    frame = pd.DataFrame({"strange": values, "x": [1, 2]})
    run, names = queried(play, frame)
    step = run.steps[1]
    assert names["t"] is frame
    if step.status == "ok":
        assert len(names["out"]) == 2
    else:
        assert "strange" in step.summary, step.summary
        assert "out" not in names
    only_x = works_or_says(play, frame)
    assert only_x in ("ok", "failed")


def works_or_says(play: Any, frame: Any) -> str:
    run, _ = queried(play, frame, "SELECT x FROM t")
    return run.steps[1].status


def test_no_rows_and_no_columns(play: Any) -> None:
    assert len(works(play, pd.DataFrame({"x": pd.Series([], dtype="int64")}))) == 0
    fails(play, pd.DataFrame(index=[1, 2]), "no columns")


@pytest.mark.parametrize(("name", "columns"), [("key", ["key", "x"]), (None, ["x"])])
def test_an_index_is_a_column_where_it_has_a_name(play: Any, name: str | None, columns: list[str]) -> None:
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.Index(["a", "b"], name=name))
    assert list(works(play, frame).columns) == columns


def test_a_view_of_another_frame_and_strided_columns(play: Any) -> None:
    frame = pd.DataFrame({"x": range(10), "y": range(10)})
    assert works(play, frame[frame.x % 2 == 0], "SELECT sum(x) AS s FROM t").s[0] == 20
    assert works(play, frame.iloc[::-1], "SELECT first(x) AS f FROM t").f[0] == 9
