"""Ranges, missing values and the values of columns that have few."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.data.profile import Profile, folded
from lexsi_nb.errors import UnknownColumn, UnknownTable


@pytest.fixture
def profile(bank_engine: Engine) -> Profile:
    return Profile(bank_engine)


def test_values_by_falling_count(profile: Profile) -> None:
    status = profile.column("loan", "status")
    assert status.values == (("C", 403), ("A", 203), ("D", 45), ("B", 31))
    assert (status.distinct, status.nulls) == (4, 0)
    assert profile.column("loan", "duration").values[0] == (60, 145)


def test_keys_amounts_and_dates_have_a_range_and_no_values(profile: Profile) -> None:
    for table, column in (("loan", "loan_id"), ("loan", "amount"), ("trans", "balance"), ("trans", "date")):
        found = profile.column(table, column)
        assert found.values == ()
        assert found.minimum < found.maximum


def test_missing_share(profile: Profile) -> None:
    symbol = profile.column("order", "k_symbol")
    assert symbol.nulls == 1379
    assert symbol.null_share == pytest.approx(1379 / 6471)
    assert sum(n for _, n in symbol.values) == 6471 - 1379


def test_a_value_is_found_where_it_stands_and_once_for_an_alias(profile: Profile) -> None:
    assert [(h.table, h.column, h.value) for h in profile.find("PRAGUE")] == [("district", "region", "Prague")]
    assert {(h.table, h.column) for h in profile.find("uver")} == {("order", "k_symbol"), ("trans", "k_symbol")}
    assert profile.find("nothing like it") == []


def test_unknown_names(profile: Profile) -> None:
    with pytest.raises(UnknownTable, match="loan"):
        profile.column("loans", "status")
    with pytest.raises(UnknownColumn, match="status"):
        profile.column("loan", "statuss")


def test_odd_columns() -> None:
    frame = pd.DataFrame(
        {
            'a "b" c': ["x", "x", None],
            "empty": pd.Series([None, None, None], dtype="object"),
            "same": [1, 1, 1],
            "list": [[1], [2], [3]],
            "when": pd.to_datetime(["2020-01-01", "2021-01-01", None], utc=True),
            "flag": [True, False, True],
            "kind": pd.Categorical(["u", "v", "u"], categories=["u", "v", "unused"]),
            "prose": ["word " * 40] * 3,
        }
    )
    engine = Engine(datasets.frames({"odd": frame}))
    table = Profile(engine).table("odd")
    assert table['a "b" c'].values == (("x", 2),)
    assert table["empty"].nulls == 3
    assert table["empty"].constant
    assert table["same"].constant
    assert table["flag"].values == ((True, 2), (False, 1))
    assert table["kind"].values == (("u", 2), ("v", 1))
    assert table["prose"].values == ()
    assert str(table["when"].minimum).startswith("2020")
    engine.close()


def test_many_values_are_not_kept_and_zero_rows_are_fine() -> None:
    engine = Engine(
        datasets.frames({"many": pd.DataFrame({"s": [f"v{i}" for i in range(500)]}), "none": pd.DataFrame({"s": []})})
    )
    profile = Profile(engine)
    assert profile.column("many", "s").values == ()
    assert (profile.column("none", "s").rows, profile.column("none", "s").null_share) == (0, 0.0)
    engine.close()


def test_forgotten_profile_is_read_again() -> None:
    namespace = {"t": pd.DataFrame({"s": ["a"]})}
    engine = Engine(datasets.frames(namespace))
    profile = Profile(engine)
    assert profile.find("a")
    namespace["t"].loc[0, "s"] = "b"
    profile.forget(["t"])
    assert profile.find("b")
    assert not profile.find("a")
    engine.close()


def test_folding_ignores_case_accents_and_spaces() -> None:
    assert folded("  Jiří   NOVÁK ") == "jiri novak"
