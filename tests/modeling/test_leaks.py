"""The audit before training: each kind of planted leak is left out by name, honest strong features are not."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.modeling.groups import find_entity
from lexsi_nb.modeling.leaks import dated, days_of


@pytest.fixture
def left_out(backend, make_cases, spec):
    """Return a function: plant columns into 400 cases, train, and return (reason by column, features)."""

    def plant(columns, **changes):
        frame = make_cases(400)
        made = backend.train(frame.assign(**columns(frame)), spec(repeats=1, **changes))
        return dict(made.left_out), made.features

    return plant


def test_a_flag_with_a_later_date_beside_it_is_left_out(left_out):
    def columns(frame):
        rng = np.random.default_rng(0)
        flagged = (frame["bad"] == 1) & (rng.random(400) < 0.8) | (rng.random(400) < 0.1)
        day = frame["opened"] + pd.to_timedelta(rng.integers(10, 300, 400), "D")
        return {
            "collections_flag": flagged.astype(int), "collections_amount": np.where(flagged, frame["amount"], 0.0),
            "collections_date": day.where(flagged), "collectionsx": rng.normal(size=400),
        }  # fmt: skip

    out, features = left_out(columns, time_column="opened")
    assert out["collections_date"].startswith("later than opened in ")
    assert out["collections_date"].endswith(": not known on that day")
    for column in ("collections_flag", "collections_amount"):
        assert out[column].startswith("dated by collections_date, which is later than opened in ")
    assert "collectionsx" in features


@pytest.mark.parametrize(
    "name", ["closed_at", "closed_on", "date_closed", "date_of_closed", "closed date", "Closed_Time"]
)
def test_dates_are_paired_by_their_names(name):
    assert dated(name) == "closed"


def test_names_that_say_nothing_pair_with_nothing():
    assert [dated(n) for n in ("date", "at", "day", "opened", "up_to_date_flag", "a_at")] == [""] * 6


@pytest.mark.parametrize(
    "write",
    [
        lambda d: d.dt.strftime("%Y-%m-%d"),
        lambda d: d.dt.date,
        lambda d: d.dt.strftime("%Y%m%d").astype(int),
        lambda d: d.dt.tz_localize("Europe/Prague"),
    ],
)
def test_later_dates_are_found_however_they_are_written(left_out, write):
    out, _ = left_out(lambda f: {"paid_at": write(f["opened"] + pd.Timedelta(days=3))}, time_column="opened")
    assert out["paid_at"].startswith("later than opened in 400 of 400 rows")


def test_dates_up_to_the_day_are_honest(left_out):
    def columns(frame):
        joined, asked = frame["opened"] - pd.Timedelta(days=40), frame["opened"] + pd.Timedelta(hours=9)
        return {"joined_date": joined, "asked_at": asked, "joined_count": np.arange(400) % 7}

    out, features = left_out(columns, time_column="opened")
    assert set(out) == {"opened"}
    assert {"joined_date", "asked_at", "joined_count"} <= set(features)


def test_days_are_read_from_dates_only():
    assert days_of(pd.Series([1, 2, 3])) is None
    assert days_of(pd.Series(["a", "b"])) is None
    assert days_of(pd.Series([True, False])) is None
    assert days_of(pd.Series([None, None])) is None
    assert days_of(pd.Series([datetime.date(2020, 1, 2), None])).notna().tolist() == [True, False]


def test_a_column_known_or_filled_for_one_class_only_is_left_out(left_out):
    def columns(frame):
        rng, bad = np.random.default_rng(1), frame["bad"] == 1
        some = bad & (rng.random(400) < 0.6)
        return {
            "recovered": pd.Series(rng.normal(size=400)).where(bad),
            "letters_sent": np.where(some, rng.integers(1, 5, 400), 0),
            "lawyer": pd.Series(rng.choice(["Novak", "Svoboda"], 400)).where(some),
            "renewed": np.where(bad, "no", rng.choice(["yes", "no"], 400)),
        }

    out, features = left_out(columns)
    assert "known only afterwards" in out["recovered"]
    assert out["letters_sent"].startswith("0.0 in all 320 rows of one class of bad")
    assert out["lawyer"].startswith("missing in all 320 rows of one class of bad")
    assert out["renewed"].startswith("no in all 80 rows of one class of bad")
    assert {"amount", "region"} <= set(features)


def test_honest_strong_features_stay(left_out):
    def columns(frame):
        rng, bad = np.random.default_rng(2), frame["bad"] == 1
        return {
            "strong": bad + rng.normal(scale=0.5, size=400),  # AUC about 0.92
            "flag": np.where(bad, rng.random(400) < 0.9, rng.random(400) < 0.05).astype(int),
            "rare": ((rng.random(400) < 0.03) & bad).astype(int),  # a handful, all bad: may be chance
            "grade": np.where(bad, rng.choice(list("CDE"), 400), rng.choice(list("ABC"), 400)),
            "gaps": pd.Series(rng.normal(size=400)).where(~bad | (rng.random(400) < 0.3)),
        }  # fmt: skip

    out, features = left_out(columns)
    assert {"strong", "flag", "rare", "grade", "gaps"} <= set(features), out


def test_numbers_and_codes_that_give_a_number_target_are_left_out(left_out):
    def columns(frame):
        cost = (frame["amount"] / 500).round() + 1
        return {"cost": cost, "cost_eur": cost / 25.1, "cost_band": "band " + cost.astype(int).astype(str),
                "bad": frame["bad"]}  # fmt: skip

    out, features = left_out(columns, target="cost", task="regression")
    assert out["cost_eur"].startswith("gives cost nearly by itself")
    assert out["cost_band"].startswith("a copy of the target cost, recoded")
    assert "bad" in features


def test_codes_of_several_classes_are_left_out(left_out):
    def columns(frame):
        grade = pd.qcut(frame["amount"], 3, labels=list("abc")).astype(str)
        return {
            "grade": grade,
            "code": grade.map({"a": 7, "b": 3, "c": 5}),
            "finer": grade + frame["region"].fillna("none"),
        }

    out, features = left_out(columns, target="grade")
    assert out["code"] == "a copy of the target grade, maybe recoded"
    assert "nearly perfectly" in out["finer"]
    assert {"region", "noise"} <= set(features)


def test_identifiers_are_left_out(left_out):
    def columns(frame):
        return {"client_id": np.arange(400) % 50, "line": np.arange(400), "iban": [f"CZ{i:09d}" for i in range(400)]}

    out, _ = left_out(columns)
    assert out["client_id"] == "an identifier by its name"
    assert out["line"] == "a row counter"
    assert "identifier" in out["iban"]


def test_rows_of_one_entity_and_copies_stay_in_one_fold(backend, make_cases, spec):
    frame = make_cases(300)
    frame["bad"] = np.random.default_rng(0).integers(0, 2, 300)  # nothing to learn but the rows themselves
    thrice = pd.concat([frame] * 3, ignore_index=True)
    made = backend.train(thrice, spec())
    assert made.warnings[0].startswith("900 rows share their case_id")
    assert "stay together" in made.warnings[0]
    assert made.quality.value < 0.65  # rows of their own in every fold would be known by heart: 0.95
    assert made.quality.method == "DeLong, by rows of one case_id"
    alone = backend.train(frame, spec()).quality
    assert made.quality.high - made.quality.low == pytest.approx(alone.high - alone.low, rel=0.3)
    copied = pd.concat([frame, frame.head(100).assign(case_id=np.arange(100) + 90_000)], ignore_index=True)
    made = backend.train(copied, spec(time_column="opened"))
    assert any("200 rows equal another row in every column: copies stay together" in w for w in made.warnings)
    assert made.quality.value < 0.65
    names = {"context_df": copied}
    for cell in made.cells:
        exec(cell.source, names)
    pd.testing.assert_frame_equal(names["quality"], made.quality.frame)


def test_rows_that_are_alike_by_chance_are_not_copies(backend, make_cases, spec):
    frame = make_cases(300)[["case_id", "region", "bad"]]
    assert not [w for w in backend.train(frame, spec()).warnings if "equal another row" in w]


def test_regression_keeps_entities_together(backend, make_cases, spec):
    frame = make_cases(200)
    frame["cost"] = np.random.default_rng(0).normal(size=200)
    made = backend.train(pd.concat([frame] * 4, ignore_index=True), spec(target="cost", task="regression"))
    assert made.quality.value < 0.05
    assert made.quality.method == "bootstrap, by rows of one case_id"


def test_the_entity_is_found_where_none_is_given(make_cases):
    frame = make_cases(40)
    assert find_entity(frame, "bad") == "case_id"
    assert find_entity(frame.rename(columns={"case_id": "amount_2"}), "bad") is None
    assert find_entity(frame.assign(case_id=1, iban=[f"CZ{i}" for i in range(40)]), "bad") == "iban"
    assert find_entity(frame.assign(case_id=frame["case_id"].astype(float)), "bad") is None
    assert find_entity(frame.assign(case_id=[[i] for i in range(40)]), "bad") is None
    for name in ("cid", "loan_no", "CustID", "policynumber"):
        assert find_entity(frame.rename(columns={"case_id": name}), "bad") == name
    assert find_entity(frame.rename(columns={"case_id": "paid"}), "bad") is None


def test_a_column_that_counts_the_cases_tells_them_apart_and_an_index_does_not(make_cases):
    frame = make_cases(40).drop(columns="case_id")
    assert find_entity(frame.assign(loan=range(5000, 5040)), "bad") == "loan"
    assert find_entity(frame.assign(loan=range(5000, 5040), email=[f"a{i}@b.c" for i in range(40)]), "bad") == "email"
    for index in ("index", "Unnamed: 0", "level_0", "line"):
        assert find_entity(frame.assign(**{index: range(40)}), "bad") is None
