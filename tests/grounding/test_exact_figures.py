"""Figures as exact as the data: quantiles of decimals are not rounded, infinite values are said."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.reading import Reading

FEES = ["1.01", "2.02", "3.03", "5.06"]


@pytest.fixture(scope="module")
def session() -> lx.Session:
    tolls = pd.DataFrame(
        {
            "toll_id": [1, 2, 3, 4],
            "fee": [Decimal(f) for f in FEES],
            "lane": ["north", "south", "north", "south"],
            "speed": [50.0, float("inf"), 70.0, 90.0],
        }
    )
    return lx.Session({"tolls": tolls}, planner="embedded", namespace={})


@pytest.mark.parametrize(
    ("question", "quantile"),
    [("median fee", 0.5), ("what is the 90th percentile of fee?", 0.9), ("p25 of fee", 0.25)],
)
def test_a_quantile_of_decimals_is_not_rounded_to_their_digits(session: lx.Session, question: str, quantile: float):
    answer = session.ask(question).frame
    assert answer is not None
    want = pd.Series([float(f) for f in FEES]).quantile(quantile)
    assert answer.iloc[0, 0] == pytest.approx(want, rel=1e-12)


def test_so_are_those_of_groups_spreads_and_summaries(session: lx.Session):
    by_lane = session.ask("median fee by lane").frame
    assert by_lane is not None
    assert dict(by_lane.itertuples(index=False)) == pytest.approx({"north": 2.02, "south": 3.54})
    fees = pd.Series([float(f) for f in FEES])
    spread = session.ask("interquartile range of fee").frame
    assert spread is not None
    assert spread.iloc[0, 0] == pytest.approx(fees.quantile(0.75) - fees.quantile(0.25), rel=1e-12)
    summary = session.ask("describe fee").frame
    assert summary is not None
    assert summary["lower_quartile"].iloc[0] == pytest.approx(fees.quantile(0.25), rel=1e-12)


@pytest.mark.parametrize("question", ["mean speed", "standard deviation of speed", "average speed by lane"])
def test_infinite_values_are_said_of_a_figure(session: lx.Session, question: str):
    assert "1 toll with infinite speed" in session.ask(question).answer


def test_finite_ones_need_no_remark(session: lx.Session):
    assert "infinite" not in session.ask("mean fee").answer


def test_a_size_that_all_rows_exceed_is_not_said_to_be_out_of_reach(bank_grounder: Grounder):
    low, high = bank_grounder.read("how many loans above 97"), bank_grounder.read("how many loans above 7000000")
    assert isinstance(low, Reading)
    assert isinstance(high, Reading)
    every = bank_grounder.engine.query("SELECT count(*) FROM loan").iloc[0, 0]
    assert bank_grounder.engine.query(low.sql).iloc[0, 0] == every
    assert not any("no number" in n for n in low.notes)
    assert any("the size of loan" in n for n in low.notes)
    assert any("no number of loan reaches" in n for n in high.notes)
