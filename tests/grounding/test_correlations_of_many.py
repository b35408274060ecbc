"""A correlation matrix, the strongest correlations and those with one column: which columns, over how many rows."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.rendering.charting import heading, picture

DRAWS = np.random.default_rng(11)
N = 150
KILNS = pd.DataFrame(
    {
        "kiln_id": range(1, N + 1),
        "works_id": DRAWS.integers(1, 9, N),
        "heat": DRAWS.normal(900, 40, N).round(1),
        "hours": np.where(DRAWS.random(N) < 0.2, np.nan, DRAWS.gamma(3, 4, N).round(1)),
        "shelves": DRAWS.integers(2, 6, N),
        "cracked": DRAWS.integers(0, 2, N),
        "voltage": 400,
        "glaze": DRAWS.choice(["ash", "salt"], N),
    }
)
KILNS["fuel"] = (KILNS["heat"] / 10 + DRAWS.normal(0, 2, N)).round(2)
WORKS = pd.DataFrame({"works_id": range(1, 9), "town": list("abcdefgh"), "staff": [3, 5, 8, 2, 9, 4, 7, 6]})
MEASURES = ["heat", "hours", "shelves", "cracked", "fuel"]


@pytest.fixture
def pottery(frames_grounder) -> Any:
    return frames_grounder(kilns=KILNS, works=WORKS)


def _read(grounder: Any, question: str) -> tuple[Reading, pd.DataFrame]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return found, grounder.engine.query(found.sql)


def _same(got: pd.DataFrame, data: pd.DataFrame, columns: list[str], method: str) -> None:
    """Hold a result against pandas: each pair of columns by its complete rows, the strongest first."""
    expected = {}
    for a, b in combinations(columns, 2):
        both = data[[a, b]].astype(float)
        expected[a, b] = (both.corr(method=method).iloc[0, 1], len(both.dropna()))
    assert {(r.first, r.second) for r in got.itertuples()} == set(expected)
    for row in got.itertuples():
        r, n = expected[row.first, row.second]
        assert (row.correlation, row.pairs) == (pytest.approx(r), n)
    sizes = got["correlation"].abs()
    assert sizes.is_monotonic_decreasing


@pytest.mark.parametrize(
    "question",
    [
        "correlation matrix of kilns",
        "correlations between the numeric columns of kilns",
        "correlations of kilns",
        "pairwise correlations of the kilns",
        "correlation heatmap of kilns",
        "heat map of the correlations of kilns",
        "how do the numeric columns of kilns correlate?",
        "correlate all numeric columns of kilns",
    ],
)
def test_a_matrix_is_of_the_numbers_that_measure_something(pottery, question) -> None:
    found, got = _read(pottery, question)
    _same(got, KILNS, MEASURES, "pearson")
    assert "left out as keys or codes: kiln_id, works_id" in found.notes
    assert "left out with one value alone: voltage" in found.notes
    assert found.notes[0].startswith("Pearson's coefficient")
    assert picture(found)["encoding"]["y"]["sort"] == MEASURES
    assert heading(found)["subtitle"] == "Pearson's coefficient"


@pytest.mark.parametrize("question", ["rank correlation matrix of kilns", "spearman correlation matrix of kilns"])
def test_ranks_are_of_the_rows_that_have_both(pottery, question) -> None:
    found, got = _read(pottery, question)
    _same(got, KILNS, MEASURES, "spearman")
    assert found.notes[0].startswith("Spearman's coefficient")


def test_conditions_hold_for_a_matrix(pottery) -> None:
    _, got = _read(pottery, "correlation matrix of kilns with glaze ash")
    _same(got, KILNS[KILNS.glaze == "ash"], MEASURES, "pearson")


def test_a_matrix_of_the_bank(bank_grounder) -> None:
    loans = bank_grounder.engine.query("SELECT * FROM loan")
    found, got = _read(bank_grounder, "correlation matrix of loans")
    _same(got, loans, ["amount", "duration", "payments"], "pearson")
    assert "left out as keys or codes: loan_id, account_id" in found.notes
    _, got = _read(bank_grounder, "correlation matrix of loans in status A")
    _same(got, loans[loans.status == "A"], ["amount", "duration", "payments"], "pearson")
    districts = bank_grounder.engine.query("SELECT * FROM district")
    numbers = [c for c in districts.columns if districts[c].dtype.kind in "if" and not c.startswith("A")]
    numbers.remove("district_id")
    for question, method in (("correlation matrix of districts", "pearson"),
                             ("rank correlation matrix of districts", "spearman")):  # fmt: skip
        _same(_read(bank_grounder, question)[1], districts, numbers, method)


def test_named_columns_are_a_matrix_of_these(pottery) -> None:
    found, got = _read(pottery, "rank correlation of heat, hours and fuel of kilns")
    _same(got, KILNS, ["heat", "hours", "fuel"], "spearman")
    assert found.text == "rank correlations of heat, hours, fuel of kilns"


@pytest.mark.parametrize(
    ("question", "n"),
    [
        ("strongest correlations in kilns", 10),
        ("top 3 correlations in kilns", 3),
        ("the 4 strongest correlations of kilns", 4),
        ("which columns of kilns are correlated?", 10),
        ("most correlated columns in kilns", 10),
    ],
)
def test_the_strongest_come_first(pottery, question, n) -> None:
    found, got = _read(pottery, question)
    every = _read(pottery, "correlation matrix of kilns")[1]
    pd.testing.assert_frame_equal(got, every.head(n))
    assert picture(found) is None


@pytest.mark.parametrize(
    ("question", "method"),
    [
        ("which column correlates most with heat?", "pearson"),
        ("what is most correlated with heat", "pearson"),
        ("which variable has the strongest correlation with the heat of kilns?", "pearson"),
        ("what correlates best with heat?", "pearson"),
        ("correlations of heat with all other columns", "pearson"),
        ("strongest correlations with heat", "pearson"),
        ("which column of kilns correlates most with heat?", "pearson"),
        ("find the columns of kilns most correlated with heat", "pearson"),
        ("columns most correlated with heat", "pearson"),
        ("rank correlations with heat", "spearman"),
    ],
)
def test_one_column_is_held_against_the_others(pottery, question, method) -> None:
    found, got = _read(pottery, question)
    others = KILNS[[c for c in MEASURES if c != "heat"]].corrwith(KILNS["heat"], method=method)
    assert dict(zip(got["column_name"], got["correlation"], strict=True)) == pytest.approx(others.to_dict())
    assert got["column_name"].iloc[0] == "fuel"
    n = {c: int(KILNS[["heat", c]].dropna().shape[0]) for c in others.index}
    assert dict(zip(got["column_name"], got["pairs"], strict=True)) == n
    assert "left out with one value alone: voltage" in found.notes


def test_more_columns_than_a_picture_has_room_for_are_named(frames_grounder) -> None:
    wide = pd.DataFrame(DRAWS.normal(size=(40, 23)), columns=[f"gauge_{c}" for c in "abcdefghijklmnopqrstuvw"])
    wide.insert(0, "probe", [f"p{i}" for i in range(40)])
    found, got = _read(frames_grounder(probes=wide), "correlation matrix of probes")
    _same(got, wide, [c for c in wide.columns if c != "probe"][:20], "pearson")
    assert "left out beyond the first 20: gauge_u, gauge_v, gauge_w" in found.notes
    assert len(found.sql) < 18_000
    found, got = _read(frames_grounder(probes=wide), "strongest correlations in probes")
    assert len(got) == 10
    assert "the first 10 of 190" in found.text


def test_the_number_of_a_row_is_no_measure(frames_grounder) -> None:
    ferries = pd.DataFrame({"ferry": DRAWS.integers(1, 90, 80), "cars": DRAWS.integers(0, 50, 80), "wind": range(80)})
    found, got = _read(frames_grounder(ferries=ferries), "correlation matrix of ferries")
    _same(got, ferries, ["cars", "wind"], "pearson")
    assert "left out as keys or codes: ferry" in found.notes


def test_an_infinite_value_leaves_its_column_out(frames_grounder) -> None:
    odd = pd.DataFrame(
        {"run": list("abcd"), "gain": [1.0, 2, 3, 5], "loss": [2.0, 4, 5, 9], "ratio": [1, 2, np.inf, 4]}
    )
    found, got = _read(frames_grounder(runs=odd), "correlation matrix of runs")
    _same(got, odd, ["gain", "loss"], "pearson")
    assert "left out with infinite values: ratio" in found.notes


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("correlation matrix", "two numbers of the data, or one table"),
        ("correlation matrix of kilns and works", "one table (kilns, works)"),
        ("correlation matrix of works", "has staff beside its keys and codes (works_id)"),
        ("correlation matrix of kilns by glaze", "not by groups"),
        ("correlation of kilns", "needs two numbers"),
        ("correlation of heat", "needs two numbers"),
        ("correlation of heat and voltage", "voltage has one value alone"),
        ("which column correlates most with voltage?", "voltage has one value alone"),
        ("which column correlates most with glaze?", ""),
        ("which column correlates most with kilns and fuel by works?", ""),
        ("what is least correlated with heat?", ""),
    ],
)
def test_what_cannot_be_correlated_is_declined(pottery, question, why) -> None:
    found = pottery.read(question)
    assert isinstance(found, Declined), found
    assert why in found.reason


def test_an_open_column_is_asked_about(bank_grounder) -> None:
    found = bank_grounder.read("what is most correlated with amount?")
    assert isinstance(found, Choice)
    assert {"loan.amount", "trans.amount"} <= set(found.options)


def test_no_word_says_that_one_causes_the_other(pottery) -> None:
    for question in ("correlation matrix of kilns", "which column correlates most with heat?"):
        found, _ = _read(pottery, question)
        said = " ".join((found.text, *found.notes))
        assert "not what causes what" in said
        assert not any(w in said for w in ("driv", "affect", "influenc", "effect", "because"))


def test_one_number_that_varies_has_no_correlation(frames_grounder):
    plots = pd.DataFrame({"plot_id": range(1, 9), "height": [1.0, 2, 3, 4, 5, 6, 7, 9], "width": [2.0] * 8})
    found = frames_grounder(plots=plots).read("correlation matrix of plots")
    assert isinstance(found, Declined), found
    assert "there is height" in found.reason
