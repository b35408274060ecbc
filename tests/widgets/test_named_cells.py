"""What a table shows of periods and percentages; the frame keeps each value as it is."""

from __future__ import annotations

import pandas as pd

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.results import Table
from lexsi_nb.widgets.bundle import html_of, text_of


def rows_of(**columns):
    return [line.split() for line in text_of(Table(pd.DataFrame(columns))).splitlines()[1:]]


def test_the_first_day_of_a_period_is_shown_as_the_period():
    days = pd.to_datetime(["2022-01-01", "2022-07-01"])
    shown = rows_of(month=days, quarter=days, half_year=days, cohort=days, due=days)
    assert shown[1] == ["2022-07", "2022-Q3", "2022-H2", "2022-07", "2022-07-01"]


def test_a_day_within_a_month_stays_a_day():
    days = pd.to_datetime(["2022-01-01", "2022-07-09"])
    assert [r[0] for r in rows_of(month=days)] == ["2022-01", "2022-07-09"]


def test_percentages_have_two_decimals_and_small_ones_two_digits():
    values = [29.381443298, 0.0, 0.0123456, 100.0]
    shown = rows_of(percentage=values, in_month_3=values, within_6_months=values, rate=values)
    assert [r[0] for r in shown] == ["29.38", "0.00", "0.012", "100.00"]
    assert shown[0] == ["29.38", "29.38", "29.38", "29.3814"]


def test_an_answer_names_the_month_in_words_text_and_html_and_keeps_the_day():
    visits = pd.DataFrame({"visit_id": range(40), "day": pd.date_range("2023-01-03", periods=40, freq="9D")})
    run = Session({"visits": visits}, namespace={"visits": visits}).ask("number of visits by month")
    assert "first: month 2023-01, number_of_visits 4." in run.answer
    assert run.frame.iloc[0, 0] == pd.Timestamp("2023-01-01")
    html = html_of(Table(run.frame))
    assert ">2023-12<" in html
    assert "2023-12-01" not in html
