"""A fingerprint changes when the content does, and only then."""

from __future__ import annotations

import datetime as dt
import decimal
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsi_nb.kernel.fingerprint import fingerprint


def wide() -> pd.DataFrame:
    """A frame with a column of every common type."""
    return pd.DataFrame(
        {
            "int": [1, 2, 3, 4],
            "float": [0.5, None, 1e300, -0.0],
            "bool": [True, False, True, True],
            "text": ["a", None, "", "grüße"],
            "object": pd.Series(["a", None, 3, decimal.Decimal("1.50")], dtype=object),
            "object_text": pd.Series(["x", "y", None, "z"], dtype=object),
            "category": pd.Categorical(["u", "v", None, "u"]),
            "time": pd.to_datetime(["2020-01-01", None, "2021-05-05", "1999-12-31"]),
            "zoned": pd.date_range("2020-01-01", periods=4, tz="Europe/Prague"),
            "delta": pd.to_timedelta([1, 2, None, 4], unit="s"),
            "period": pd.period_range("2020-01", periods=4, freq="M"),
            "Int64": pd.array([1, None, 3, 4], dtype="Int64"),
            "boolean": pd.array([True, None, False, True], dtype="boolean"),
            "Float64": pd.array([1.5, None, 3.0, 4.0], dtype="Float64"),
            "arrow_int": pd.array([1, None, 3, 4], dtype="int64[pyarrow]"),
            "arrow_text": pd.array(["p", None, "q", "rr"], dtype="string[pyarrow]"),
            "python_text": pd.array(["p", None, "q", "rr"], dtype="string[python]"),
            "interval": pd.interval_range(0, 4),
            "sparse": pd.arrays.SparseArray([0, 0, 1, 2]),
            "nested": [[1, 2], {"a": [None]}, (1, "x"), None],
        }
    )


CHANGES: dict[str, Any] = {
    "int": 9, "float": 9.0, "bool": False, "text": "b", "object": "b", "object_text": "xx", "category": "v",
    "time": pd.Timestamp("2020-01-02"), "zoned": pd.Timestamp("2020-01-02", tz="Europe/Prague"),
    "delta": pd.Timedelta(9, "s"), "period": pd.Period("2021-01", freq="M"), "Int64": 9, "boolean": False,
    "Float64": 9.0, "arrow_int": 9, "arrow_text": "pp", "python_text": "pp",
}  # fmt: skip


@pytest.mark.parametrize("column", CHANGES)
def test_one_changed_cell_changes_the_fingerprint_and_back_again(column: str) -> None:
    frame = wide()
    before = fingerprint(frame)
    old = frame[column].iloc[0]
    frame.loc[0, column] = CHANGES[column]
    assert fingerprint(frame) != before
    frame.loc[0, column] = old
    assert fingerprint(frame) == before


@pytest.mark.parametrize("column", [c for c in CHANGES if c not in ("int", "bool", "period")])
def test_a_value_that_becomes_null_changes_the_fingerprint(column: str) -> None:
    frame = wide()
    before = fingerprint(frame)
    frame.loc[0, column] = None
    assert fingerprint(frame) != before


def test_a_change_inside_a_nested_cell_is_seen() -> None:
    frame = wide()
    before = fingerprint(frame)
    frame["nested"].iloc[1]["a"].append(1)
    assert fingerprint(frame) != before


@pytest.mark.parametrize("column", list(wide().columns))
def test_slices_strides_and_copies_of_equal_content_agree(column: str) -> None:
    frame = wide()[[column]]
    pieces = [frame.iloc[1:3], frame.iloc[::2], frame.iloc[::-1], frame.iloc[:0]]
    for piece in pieces:
        assert fingerprint(piece) == fingerprint(piece.copy(deep=True))
    assert len({str(fingerprint(p)) for p in pieces}) == len(pieces)


def test_order_names_types_and_index_count() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]})
    variants = [
        frame, frame[["b", "a"]], frame.rename(columns={"a": "c"}), frame.iloc[::-1], frame.astype("int32"),
        frame.astype("float64"), frame.astype("Int64"), frame.astype("uint64"), frame.set_index("a"),
        frame.set_axis([5, 6, 7]), frame.rename_axis("row"), frame.rename_axis("col", axis=1), frame.iloc[:2],
        frame.set_axis([0, 1], axis=1), frame.set_axis(["0", "1"], axis=1), frame.set_index(["a", "b"]),
        frame.to_numpy(), frame["a"], frame.astype(str), pl.from_pandas(frame), pa.Table.from_pandas(frame),
        frame.set_axis(["a", "a"], axis=1), pd.DataFrame(), pd.DataFrame(index=[0, 1, 2]),
    ]  # fmt: skip
    assert len({str(fingerprint(v)) for v in variants}) == len(variants)


def test_row_major_and_column_major_arrays_agree() -> None:
    data = np.random.default_rng(0).normal(size=(5000, 7))
    by_rows, by_columns = pd.DataFrame(data, copy=False), pd.DataFrame(np.asfortranarray(data), copy=False)
    assert fingerprint(by_rows) == fingerprint(by_columns) == fingerprint(by_rows.copy())
    assert fingerprint(data) == fingerprint(np.asfortranarray(data)) != fingerprint(data.T)
    assert fingerprint(data[::3, ::2]) == fingerprint(data[::3, ::2].copy())


def test_nulls_of_different_kinds_differ() -> None:
    columns = [pd.DataFrame({"o": pd.Series(["a", null], dtype=object)}) for null in (None, np.nan, pd.NA, pd.NaT)]
    assert len({str(fingerprint(c)) for c in columns}) == 4


def test_text_that_is_split_elsewhere_differs() -> None:
    a, b = pd.DataFrame({"t": ["ab", "c"]}), pd.DataFrame({"t": ["a", "bc"]})
    assert fingerprint(a) != fingerprint(b)
    assert fingerprint(a.astype(object)) != fingerprint(b.astype(object))
    assert fingerprint(["ab", "c"]) != fingerprint(["a", "bc"])


def test_lone_surrogates_are_hashed_too() -> None:
    good, odd = (pd.DataFrame({"t": pd.Series([t, "b"], dtype=object)}) for t in ("a", "\udc80"))
    assert fingerprint(odd) != fingerprint(good)
    assert fingerprint(odd) == fingerprint(odd.copy())


def test_categories_and_their_order_count() -> None:
    frames = [
        pd.DataFrame({"c": pd.Categorical(["a", "b"], categories=c, ordered=o)})
        for c, o in ((["a", "b"], False), (["b", "a"], False), (["a", "b"], True), (["a", "b", "c"], False))
    ]
    assert len({str(fingerprint(f)) for f in frames}) == 4


ARROW = {
    "int": pa.array([1, None, 3, 4]),
    "bool": pa.array([True, None, False, True]),
    "text": pa.array(["a", None, "", "grüße"]),
    "large": pa.array(["a", None, "", "grüße"], pa.large_string()),
    "view": pa.array(["a", None, "", "a text of more than twelve bytes"], pa.string_view()),
    "bytes": pa.array([b"a", None, b"", b"bb"]),
    "fixed": pa.array([b"aa", None, b"bb", b"cc"], pa.binary(2)),
    "decimal": pa.array([decimal.Decimal("1.5"), None, decimal.Decimal("2.5"), decimal.Decimal("3.5")]),
    "date": pa.array([dt.date(2020, 1, 1), None, dt.date(2021, 1, 1), dt.date(2022, 1, 1)]),
    "stamp": pa.array([1, None, 3, 4], pa.timestamp("us", "UTC")),
    "half": pa.array(np.array([1, 2, 3, 4], np.float16)),
    "null": pa.nulls(4),
    "codes": pa.array(["a", None, "b", "a"]).dictionary_encode(),
    "list": pa.array([[1, 2], None, [], [3]]),
    "lists": pa.array([[[1], None], None, [], [[3, 4]]]),
    "list3": pa.array([[1, 2, 3], None, [4, 5, 6], [7, 8, 9]], pa.list_(pa.int64(), 3)),
    "struct": pa.array([{"x": 1, "y": "a"}, None, {"x": None, "y": "b"}, {"x": 4, "y": None}]),
    "map": pa.array([[("a", 1)], None, [], [("b", 2)]], pa.map_(pa.string(), pa.int64())),
}
if hasattr(pa, "uuid"):  # pyarrow 18
    ARROW["extension"] = pa.array([b"0" * 16, None, b"1" * 16, b"2" * 16], pa.uuid())


@pytest.mark.parametrize("kind", ARROW)
def test_arrow_chunks_and_slices_of_equal_content_agree(kind: str) -> None:
    array = ARROW[kind]
    whole = fingerprint(pa.table({"c": array}))
    in_two = pa.chunked_array([array.slice(0, 1), array.slice(1, 0), array.slice(1)])
    assert fingerprint(pa.table({"c": in_two})) == whole
    longer = pa.concat_arrays([array, array, array])
    assert fingerprint(pa.table({"c": longer.slice(4, 4)})) == whole
    assert fingerprint(pa.table({"c": array.slice(1)})) != whole


@pytest.mark.parametrize("kind", [k for k in ARROW if k not in ("null", "view")])
def test_arrow_order_and_nulls_count(kind: str) -> None:
    array = ARROW[kind]
    marks = {
        str(fingerprint(pa.table({"c": a})))
        for a in (array, array.take(pa.array([2, 1, 0, 3])), array.take(pa.array([0, None, None, 3])))
    }
    assert len(marks) == 3


def test_what_lies_under_an_arrow_null_does_not_count() -> None:
    valid = pa.py_buffer(bytes([0b101]))
    for values in ([1, 2, 3], [1, 99, 3]):
        data = pa.py_buffer(np.array(values, np.int64).tobytes())
        dirty = pa.Array.from_buffers(pa.int64(), 3, [valid, data])
        assert fingerprint(dirty) == fingerprint(pa.array([1, None, 3]))
    offsets = pa.py_buffer(np.array([0, 1, 3, 4], np.int32).tobytes())
    dirty = pa.Array.from_buffers(pa.string(), 3, [valid, offsets, pa.py_buffer(b"aXXb")])
    assert fingerprint(dirty) == fingerprint(pa.array(["a", None, "b"]))


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["a", "b"]), pl.String, pl.Object])
def test_polars_text_types_are_told_apart_by_content(dtype: Any) -> None:
    one, other = (
        pl.DataFrame({"c": pl.Series(["a", "b"], dtype=dtype)}),
        pl.DataFrame({"c": pl.Series(["b", "a"], dtype=dtype)}),
    )
    assert fingerprint(one) != fingerprint(other)
    assert fingerprint(one) == fingerprint(pl.DataFrame({"c": pl.Series(["a", "b"], dtype=dtype)}))


def test_polars_edits_and_chunks() -> None:
    frame = pl.DataFrame({"a": [1, 2, 3], "s": ["x", None, "z"], "l": [[1], [], None]})
    before = fingerprint(frame)
    assert fingerprint(pl.concat([frame[:1], frame[1:]], rechunk=False)) == before
    assert fingerprint(frame[1:]) == fingerprint(frame.clone()[1:]) != before
    frame[0, "a"] = 9
    assert fingerprint(frame) != before


VALUES: list[Any] = [
    None, True, 1, 1.0, "1", b"1", 1j, [1], (1,), {1}, frozenset({1}), {"a": 1}, {"a": 2}, [], {}, "", 0, -0.0, 0.0,
    decimal.Decimal("1.0"), decimal.Decimal("1.00"), dt.date(2020, 1, 1), dt.datetime(2020, 1, 1),
    dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.time(1), dt.timedelta(1), np.int64(1), np.int32(1), np.float64(1),
    np.array(1), np.array([1]), np.array([[1]]), np.array(["a"]), np.array([1, "a"], dtype=object),
    np.datetime64("2020-01-01"), np.ma.array([1, 2], mask=[False, True]),
    np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
    pd.Timestamp("2020-01-01"), pd.Timedelta(1), pd.NA, pd.NaT, pd.Index([1]), pd.Series([1]), int, str, len, dt,
    range(3), pd.Interval(0, 1), pd.Period("2020-01", freq="M"), bytearray(b"1"), slice(1, 2), ...,
    [[1], 2], [[1, 2]],
]  # fmt: skip


def test_other_values_are_told_apart_by_type_and_content() -> None:
    marks = [str(fingerprint(v)) for v in VALUES]
    assert len(set(marks)) == len(VALUES)
    assert marks == [str(fingerprint(v)) for v in VALUES]
    assert all(fingerprint(v).exact for v in VALUES)
    assert all(len(m) == 16 and int(m, 16) >= 0 for m in marks)


def test_other_objects_count_by_identity_and_say_so() -> None:
    class Thing:
        pass

    one, other = Thing(), Thing()
    assert fingerprint(one) == fingerprint(one) != fingerprint(other)
    assert not fingerprint(one).exact
    assert not fingerprint(pd.DataFrame({"o": [one]})).exact
    seen = str(fingerprint(one))
    del one
    assert all(str(fingerprint(Thing())) != seen for _ in range(20))  # a reused address is another object


def test_equal_models_trained_twice_count_as_equal() -> None:
    lgb = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)

    def train(leaves: int) -> Any:
        data = lgb.Dataset(x, y)
        return lgb.train({"num_leaves": leaves, "verbose": -1, "seed": 0, "objective": "binary"}, data, 3)

    assert fingerprint(train(4)) == fingerprint(train(4)) != fingerprint(train(7))
    assert fingerprint(train(4)).exact


def test_a_container_that_holds_itself_ends() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert fingerprint(loop) == fingerprint(loop)
    holder = np.array([None, 1], dtype=object)
    holder[0] = holder
    assert fingerprint(holder) == fingerprint(holder)


def test_stable_across_processes() -> None:
    code = (
        "import pandas as pd, polars as pl, pyarrow as pa\n"
        "from lexsi_nb.kernel.fingerprint import fingerprint as f\n"
        "d = pd.DataFrame({'a': [1, 2], 's': ['x', None], 'c': pd.Categorical(['u', 'v'])})\n"
        "d['o'] = [{'k': {1, 'b'}}, None]\n"
        "p = pl.DataFrame({'c': pl.Series(['u', 'v'], dtype=pl.Categorical)})\n"
        "print(f(d), f(p), f(pa.table({'a': ['x', None]})), f({'a', 'b', 'c'}))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(runs) == 1


cells = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5), st.binary(max_size=3)
)


def same_exactly(a: Any, b: Any) -> bool:
    return [(type(v), repr(v)) for v in a] == [(type(v), repr(v)) for v in b]


@settings(max_examples=200, deadline=None)
@given(st.lists(cells, max_size=4), st.lists(cells, max_size=4))
def test_object_columns_agree_exactly_when_their_cells_do(a: list[Any], b: list[Any]) -> None:
    one, other = (pd.DataFrame({"o": pd.Series(v, dtype=object)}) for v in (a, b))
    assert (fingerprint(one) == fingerprint(other)) == same_exactly(a, b)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(max_size=4)), max_size=8), st.integers(0, 8), st.integers(0, 8))
def test_arrow_text_slices_agree_with_fresh_arrays(values: list[str | None], a: int, b: int) -> None:
    lo, hi = min(a, b, len(values)), min(max(a, b), len(values))
    for kind in (pa.string(), pa.large_string()):
        cut = pa.array(values, kind).slice(lo, hi - lo)
        assert fingerprint(cut) == fingerprint(pa.array(values[lo:hi], kind))


def test_a_frame_is_hashed_without_a_copy() -> None:
    import tracemalloc

    rows = 2_000_000
    frame = pd.DataFrame({"a": np.arange(rows), "b": np.arange(rows) * 0.5})
    fingerprint(frame)
    tracemalloc.start()
    fingerprint(frame)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000  # the frame has 32 MB
