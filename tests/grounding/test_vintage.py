"""Vintage tables: what share of each cohort had the event within an age, and which cells are too young to tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading

OFFSETS = {
    "year": {"years": 1}, "half_year": {"months": 6}, "quarter": {"months": 3}, "month": {"months": 1},
    "week": {"days": 7}, "day": {"days": 1},
}  # fmt: skip


def by_hand(rows: pd.DataFrame, events: pd.DataFrame, cut: Any, unit: str, step: int, end: pd.Timestamp) -> pd.Series:
    """Return the percentage of each cohort with an event before its rows are `step` units old; NaN where too young.

    rows: member, born; events: member, met. Days alone count; an event before its row's own date is none of it.
    """
    rows = rows.dropna(subset="born").assign(born=lambda d: d.born.dt.normalize())
    events = events.assign(met=lambda d: d.met.dt.normalize())
    age = pd.DateOffset(**{k: n * step for k, n in OFFSETS[unit].items()})

    def within(row: Any) -> bool:
        own = events.loc[events.member == row.member, "met"]
        return bool(((own >= row.born) & (own < row.born + age)).any())

    rows = rows.assign(held=[within(r) for r in rows.itertuples()], old=[b + age <= end for b in rows.born])
    groups = rows.groupby(cut(rows.born))
    return (100.0 * groups.held.mean()).where(groups.old.all())


@pytest.fixture
def shopping() -> dict[str, pd.DataFrame]:
    members = pd.DataFrame(
        {
            "member_id": [1, 2, 3, 4],
            "joined_on": pd.to_datetime(["2020-01-10", "2020-06-10", "2021-03-01", "2021-11-01"]),
        }
    )
    visits = pd.DataFrame(
        {
            "visit_id": [10, 11, 12, 13],
            "member_id": [1, 2, 2, 3],
            "visited_on": pd.to_datetime(["2020-05-01", "2021-12-01", "2022-03-01", "2022-12-31"]),
        }
    )
    return {"members": members, "visits": visits}


def table_of(grounder: Any, question: str) -> pd.DataFrame:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    assert found.kind == "vintage"
    return grounder.engine.query(found.sql).set_index("cohort")


def test_a_row_is_a_cohort_and_a_column_an_age(frames_grounder, shopping):
    frame = table_of(frames_grounder(**shopping), "vintage table of members with a visit by year")
    assert list(frame.columns) == ["number_of_members", "within_1_year", "within_2_years"]
    assert frame.number_of_members.to_dict() == {2020: 2, 2021: 2}
    assert frame.within_1_year.to_dict() == {2020: 50.0, 2021: 0.0}  # member 2 came after 18 months, member 3 after 22
    assert frame.within_2_years[2020] == 100.0


def test_a_cell_is_empty_until_the_whole_cohort_is_old_enough_and_that_is_said(frames_grounder, shopping):
    shopping["members"].loc[3, "joined_on"] = pd.Timestamp("2021-12-31 12:00")
    shopping["visits"].loc[3, "visited_on"] = pd.Timestamp("2022-12-30")
    grounder = frames_grounder(**shopping)
    frame = table_of(grounder, "vintage table of members with a visit by year")
    assert np.isnan(frame.within_1_year[2021])
    assert frame.number_of_members[2021] == 2
    notes = grounder.read("vintage table of members with a visit by year").notes
    assert any("empty" in n and "2022-12-30" in n and "last visit" in n for n in notes)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("said", "unit", "steps", "cut"),
    [
        ("by year and month, within 1, 2, 3, 7 and 12 months", "month", (1, 2, 3, 7, 12), lambda s: s.dt.year),
        ("by quarter, within 1 and 2 years", "year", (1, 2), lambda s: s.dt.to_period("Q").dt.start_time),
        ("by month, within 5 and 30 days", "day", (5, 30), lambda s: s.dt.to_period("M").dt.start_time),
        (
            "by half-year, within 1, 2, 3 half-years", "half_year", (1, 2, 3),
            lambda s: pd.to_datetime({"year": s.dt.year, "month": np.where(s.dt.month <= 6, 1, 7), "day": 1}),
        ),
    ],
    ids=["months", "years", "days", "half-years"],
)  # fmt: skip
def test_every_cell_is_what_is_counted_by_hand(frames_grounder, seed, said, unit, steps, cut):
    """Month ends, leap days, times of the day, several events a member, none, and events before a member's own date."""
    rng = np.random.default_rng(seed)
    ends = pd.to_datetime(["2019-12-31", "2020-01-31", "2020-02-29", "2020-03-30", "2020-06-30", "2020-08-31"])
    born = pd.Series(rng.choice(ends, 30)) + pd.to_timedelta(rng.integers(-3, 3, 30), "D")
    born[rng.integers(0, 30, 2)] = pd.NaT
    members = pd.DataFrame({"member_id": range(30), "joined": born + pd.to_timedelta(rng.integers(0, 24, 30), "h")})
    who = rng.integers(0, 24, 70)  # six have no visit
    later = zip(born[who], rng.integers(-2, 14, 70), strict=True)
    anniversaries = pd.Series([b + pd.DateOffset(months=int(m)) for b, m in later])
    met = anniversaries + pd.to_timedelta(rng.integers(-1, 2, 70), "D") + pd.to_timedelta(rng.integers(0, 24, 70), "h")
    met[0] = pd.Timestamp("2021-08-30")
    visits = pd.DataFrame({"visit_id": range(70), "member_id": who, "visited": met})
    frame = table_of(frames_grounder(members=members, visits=visits), f"vintage table of members with a visit {said}")
    end = met.max().normalize()
    rows, events = members.set_axis(["member", "born"], axis=1), visits.iloc[:, 1:].set_axis(["member", "met"], axis=1)
    assert frame.iloc[:, 0].tolist() == rows.dropna().groupby(cut(rows.dropna().born)).size().tolist()
    for step in steps:
        wanted = by_hand(rows, events, cut, unit, step, end)
        got = frame[f"within_{step}_{unit}{'s' * (step > 1)}"].astype(float)
        np.testing.assert_allclose(got.to_numpy(), wanted.to_numpy(), err_msg=f"{step} {unit}")


def test_an_event_on_the_anniversary_is_of_the_next_period(frames_grounder):
    members = pd.DataFrame({"member_id": [1, 2], "joined": pd.to_datetime(["2020-02-29", "2020-01-31"])})
    visits = pd.DataFrame(
        {
            "visit_id": [1, 2, 3],
            "member_id": [1, 2, 2],
            "at": pd.to_datetime(["2021-02-28", "2020-02-28", "2022-12-31"]),
        }
    )
    grounder = frames_grounder(members=members, visits=visits)
    frame = table_of(grounder, "vintage table of members with a visit by year, within 12 and 13 months")
    assert frame.within_12_months.tolist() == [50.0]  # the leap day's first year ends on 27 February
    assert frame.within_13_months.tolist() == [100.0]
    frame = table_of(grounder, "vintage table of members with a visit by year, within 1 month")
    assert frame.within_1_month.tolist() == [50.0]  # 28 February is before the end of January's month, 29 February


def test_events_before_a_row_and_rows_without_a_date_are_left_out_and_said(frames_grounder, shopping):
    shopping["members"].loc[4] = [5, pd.NaT]
    shopping["visits"].loc[4] = [14, 4, pd.Timestamp("2021-10-31")]
    grounder = frames_grounder(**shopping)
    found = grounder.read("vintage table of members with a visit by year")
    assert "1 member without joined_on: left out" in found.apart
    assert "1 visit before the joined_on of their member: not counted" in found.apart
    frame = grounder.engine.query(found.sql).set_index("cohort")
    assert frame.number_of_members.sum() == 4
    assert frame.within_1_year[2021] == 0.0


def test_without_any_event_every_age_that_was_reached_is_zero(frames_grounder, shopping):
    shopping["visits"] = shopping["visits"].assign(kind=["a", "a", "a", "b"])
    frame = table_of(frames_grounder(**shopping), "vintage table of members with a visit of kind b by year")
    assert frame.within_1_year.tolist() == [0.0, 0.0]


def test_conditions_on_the_rows_and_on_the_event_are_held(frames_grounder, shopping):
    shopping["members"]["city"] = ["Oslo", "Rome", "Oslo", "Rome"]
    shopping["visits"]["price"] = [5, 20, 5, 30]
    grounder = frames_grounder(**shopping)
    frame = table_of(grounder, "vintage table of members in Oslo with a visit by year")
    assert frame.number_of_members.tolist() == [1, 1]
    assert frame.within_1_year.tolist() == [100.0, 0.0]
    frame = table_of(grounder, "vintage table of visits with a price over 10 by year the members joined")
    assert frame.within_2_years[2020] == 50.0


def test_the_declared_end_of_the_data_counts_where_there_is_one(bank_grounder):
    found = bank_grounder.read("vintage table of accounts with a loan by year")
    assert any("1998-12-31, the day the data end" in n for n in found.notes)
    frame = bank_grounder.engine.query(found.sql).set_index("cohort")
    rows = bank_grounder.engine.query("SELECT account_id AS member, date::TIMESTAMP AS born FROM account")
    events = bank_grounder.engine.query("SELECT account_id AS member, date::TIMESTAMP AS met FROM loan")
    first = events.groupby("member").met.min()
    rows["met"] = rows.member.map(first)
    for step in (1, 2, 3):
        held = rows.met < rows.born + pd.DateOffset(years=step)
        wanted = 100.0 * held.groupby(rows.born.dt.year).mean()
        old = rows.born.groupby(rows.born.dt.year).max() + pd.DateOffset(years=step) <= pd.Timestamp("1998-12-31")
        got = frame[f"within_{step}_year{'s' * (step > 1)}"].astype(float)
        np.testing.assert_allclose(got.to_numpy(), wanted.where(old).to_numpy())


def test_an_event_two_joins_away_belongs_to_its_row(bank_grounder):
    frame = table_of(bank_grounder, "vintage table of cards by quarter of account opening, within 4 and 6 quarters")
    sql = """
        SELECT date_trunc('quarter', a.date) AS q, 100.0 * avg(CASE WHEN EXISTS (
            SELECT 1 FROM disp AS d JOIN card AS c USING (disp_id) WHERE d.account_id = a.account_id
            AND c.issued >= a.date AND c.issued < a.date + INTERVAL 1 YEAR) THEN 1 ELSE 0 END) AS share
        FROM account AS a GROUP BY q ORDER BY q"""
    wanted = bank_grounder.engine.query(sql)
    got = frame.within_4_quarters
    assert got.dropna().tolist() == pytest.approx(wanted.share[got.notna().to_numpy()].tolist())
    assert frame.within_6_quarters.isna().any()


def test_an_event_may_be_a_date_of_the_rows_themselves(frames_grounder, shopping):
    visits = shopping["visits"]
    visits["paid_on"] = visits.visited_on + pd.to_timedelta([1, 4, 5, 0], "D")
    visits.loc[3, "paid_on"] = pd.NaT
    grounder = frames_grounder(visits=visits)
    found = grounder.read("share of visits with paid_on within 2 and 5 days by year of visited_on")
    assert isinstance(found, Reading), found
    frame = grounder.engine.query(found.sql).set_index("cohort")
    assert frame.within_2_days.dropna().to_dict() == {2020: 100.0, 2021: 0.0}  # 2022 is not two days old on 6 March
    assert frame.within_5_days.dropna().to_dict() == {2020: 100.0, 2021: 100.0}
    assert any("2022-03-06, the day of the last paid_on" in n for n in found.notes)


def test_what_was_done_names_the_event_by_its_date(frames_grounder, shopping):
    shopping["refunds"] = pd.DataFrame(
        {"refund_id": [1, 2], "visit_id": [10, 12], "refunded_on": pd.to_datetime(["2020-05-09", "2022-12-30"])}
    )
    frame = table_of(
        frames_grounder(**shopping), "share of visits refunded within 10 and 400 days by year of visited_on"
    )
    assert frame.within_10_days[2020] == 100.0
    assert frame.within_400_days.isna().tolist() == [False, True, True]


def test_retention_is_the_share_with_an_event_in_each_period(frames_grounder, shopping):
    shopping["visits"].loc[4] = [14, 1, pd.Timestamp("2021-02-01")]
    grounder = frames_grounder(**shopping)
    frame = table_of(grounder, "retention of members with a visit by joined year")
    assert frame.in_year_1.tolist() == [50.0, 0.0]
    assert frame.in_year_2[2020] == 100.0  # both came in their second year, one of them for the second time


def test_what_a_vintage_table_needs_is_asked_for(frames_grounder, shopping):
    grounder = frames_grounder(**shopping)
    open_ = grounder.read("vintage table of members with a visit")
    assert isinstance(open_, Choice)
    assert open_.options == ("year", "half-year", "quarter", "month")
    without = {**shopping, "visits": shopping["visits"].drop(columns="visited_on")}
    assert isinstance(frames_grounder(**without).read("vintage table of members with a visit by year"), Declined)


def test_which_of_two_dates_is_asked_and_can_be_said(frames_grounder, shopping):
    shopping["visits"]["paid_on"] = shopping["visits"].visited_on + pd.Timedelta(days=400)
    shopping["members"]["left_on"] = shopping["members"].joined_on + pd.Timedelta(days=900)
    grounder = frames_grounder(**shopping)
    assert isinstance(grounder.read("vintage table of members with a visit by year"), Choice)
    of_visits = grounder.read("vintage table of members with a visit by joined year")
    assert isinstance(of_visits, Choice)
    assert set(of_visits.options) == {"visited_on", "paid_on"}
    ways = options(of_visits, "vintage table of members with a visit by joined year", grounder.read, grounder.engine)
    assert [w.text for w in ways] == [
        f"share of members with a visit by its {d}, by year of joined_on and age in years"
        for d in ("visited_on", "paid_on")
    ]
    frame = table_of(grounder, "vintage table of members with a visit of paid_on by joined year")
    assert frame.within_2_years[2020] == 50.0


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda f: {**f, "members": f["members"].drop(columns="joined_on")}, "no date"),
        (lambda f: {"members": f["members"]}, ""),
        (lambda f: {**f, "visits": f["visits"].rename(columns={"member_id": "guest"}).assign(guest="x")}, ""),
        (lambda f: {**f, "members": f["members"].assign(member_id=[1, 1, 2, 3])}, ""),
    ],
    ids=["no date", "one table", "no join", "no key"],
)
def test_rows_that_cannot_be_followed_are_declined(frames_grounder, shopping, change, word):
    found = frames_grounder(**change(shopping)).read("vintage table of members with a visit by year")
    assert isinstance(found, Declined)
    assert word in found.reason


def test_without_cohorts_the_share_is_of_all_rows_that_are_old_enough(frames_grounder, shopping):
    shopping["members"].loc[4] = [5, pd.Timestamp("2022-06-01")]
    shopping["visits"].loc[4] = [14, 5, pd.Timestamp("2022-06-02")]
    grounder = frames_grounder(**shopping)
    found = grounder.read("share of members with a visit within 6 and 12 months")
    assert isinstance(found, Reading), found
    frame = grounder.engine.query(found.sql)
    assert frame.iloc[0].tolist() == [4, 25.0, 25.0]  # member 5 is not a year old: left out of both
    assert "1 member younger than that: left out" in found.apart
    assert any("12 months old on 2022-12-31" in n for n in found.notes)


def test_no_cohort_old_enough_is_said(frames_grounder, shopping):
    found = frames_grounder(**shopping).read("vintage table of members with a visit by year, within 9 years")
    assert isinstance(found, Declined)
    assert "9 years old" in found.reason
    assert "2022-12-31" in found.reason


def test_names_with_blanks_and_quotes_are_read(frames_grounder, shopping):
    members = shopping["members"].set_axis(["Member Id", "Joined On"], axis=1)
    visits = shopping["visits"].set_axis(["visit id", "Member Id", 'the "day"'], axis=1)
    grounder = frames_grounder(**{"club members": members, "visits": visits})
    frame = table_of(grounder, "vintage table of club members with a visit by year")
    assert frame.within_1_year.tolist() == [50.0, 0.0]


def test_cohorts_of_one_table_are_groups_by_its_date(bank_grounder):
    found = bank_grounder.read("cohort by quarter: number of loans")
    assert [k.grain for k in found.keys] == ["quarter"]
    assert found.measures[0].function == "count"


def test_figures_of_cohorts_stand_beside_each_other(bank_grounder):
    found = bank_grounder.read("cohort by quarter of grant: number of loans and number of bad loans")
    assert isinstance(found, Reading), found
    plain = bank_grounder.read("number of loans and number of bad loans by quarter")
    assert found.sql == plain.sql


@pytest.mark.parametrize(
    "question",
    [
        "default rate per grant-year vintage",
        "default rate by grant year cohort",
        "default rate by loan vintage by year",
    ],
)
def test_a_rate_by_vintage_is_of_the_rows_whose_outcome_is_final(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    frame = bank_grounder.engine.query(found.sql)
    loans = bank_grounder.engine.query("SELECT year(date) AS year, status FROM loan")
    final = loans[loans.status.isin(["A", "B"])]
    wanted = (final.status == "B").groupby(final.year).mean()
    assert dict(zip(frame.year, frame.default_rate, strict=True)) == pytest.approx(wanted.to_dict())
    assert any(f"{len(loans) - len(final):,} loans" in a and "left out" in a for a in found.apart)
    plain = bank_grounder.read("default rate by year")
    assert plain.measures == found.measures  # the same figure, of all loans
