"""Vintage curves: one line a cohort, drawn from the table that is shown, up to the age that the cohort has reached."""

from __future__ import annotations

from typing import Any

import lexsi_nb as lx
from lexsi_nb.artifacts.results import Chart, Table
from lexsi_nb.widgets.table import first_cells


def test_curves_and_the_table_that_they_are_drawn_from(bank: Any) -> None:
    session = lx.Session(bank, namespace={})
    run = session.ask("vintage curves of loans by account opening quarter, age in years")
    session.close()
    assert run.status == "answered", run.answer
    [chart] = run.of(Chart)
    assert chart.title.startswith("Share of accounts with a loan, by quarter of date and age in years (SYNTHETIC")
    assert chart.spec["encoding"]["color"]["field"] == "began"
    assert {"calculate": "slice(datum.cohort, 0, 7)", "as": "began"} in chart.spec["transform"]
    names, rows, _ = first_cells(run.of(Table)[-1], width=160)
    assert names[:3] == ["cohort", "number_of_accounts", "within_1_year"]
    assert rows[-1][0] == "1997-10"
    assert rows[-1][3] == ""  # not two years old when the data end


def test_the_year_of_a_cohort_is_no_amount(bank: Any) -> None:
    session = lx.Session(bank, namespace={})
    run = session.ask("vintage table of accounts with a loan by opening year")
    session.close()
    assert "cohort 1993, number_of_accounts 1,139" in (run.answer or "")
    _, rows, _ = first_cells(run.of(Table)[-1], width=160)
    assert [r[0] for r in rows] == ["1993", "1994", "1995", "1996", "1997"]
