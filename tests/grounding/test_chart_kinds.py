"""Charts by their names: boxes, points, bars, areas, pies, heat maps; one that does not fit is another, and said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.grounding.rendering.charting import picture

DRAWS = np.random.default_rng(3)
N = 200
DIVERS = pd.DataFrame(
    {
        "diver_id": range(1, N + 1),
        "club": DRAWS.choice(["coral", "kelp", "reef"], N),
        "began": pd.Timestamp("2021-01-03") + pd.to_timedelta(DRAWS.integers(0, 700, N), unit="D"),
        "height": np.where(DRAWS.random(N) < 0.1, np.nan, DRAWS.normal(170, 9, N).round(1)),
        "lungs": DRAWS.normal(6, 1, N).round(2),
        "level": DRAWS.integers(1, 5, N),
        "insured": DRAWS.random(N) < 0.4,
        "town": [f"town {i % 30}" for i in range(N)],
    }
)
DIVES = pd.DataFrame(
    {
        "dive_id": range(1, 601),
        "diver_id": DRAWS.integers(1, N + 1, 600),
        "depth": np.r_[DRAWS.gamma(3, 6, 597).round(1), [300.0, 310.0, 320.0]],
        "gas": DRAWS.choice(["air", "nitrox", None], 600),
        "dived_on": pd.Timestamp("2022-01-01") + pd.to_timedelta(DRAWS.integers(0, 700, 600), unit="D"),
    }
)


@pytest.fixture
def club(frames_grounder) -> Any:
    return frames_grounder(divers=DIVERS, dives=DIVES)


def _read(grounder: Any, question: str) -> tuple[Reading, pd.DataFrame]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return found, grounder.engine.query(found.sql)


def _box(values: pd.Series) -> dict[str, float]:
    """Return a box by plain pandas: quartiles, whiskers within 1.5 interquartile ranges, ends, how many are beyond."""
    values = values.dropna()
    low, middle, high = values.quantile([0.25, 0.5, 0.75])
    reach = 1.5 * (high - low)
    within = values[values.between(low - reach, high + reach)]
    return {
        "median": middle, "lower_quartile": low, "upper_quartile": high, "lower_whisker": within.min(),
        "upper_whisker": within.max(), "lowest": values.min(), "highest": values.max(),
        "number_of_values": len(values), "beyond_whiskers": len(values) - len(within),
    }  # fmt: skip


def _same_boxes(got: pd.DataFrame, key: str, groups: Any) -> None:
    expected = {k: _box(v) for k, v in groups}
    assert set(got[key]) == set(expected)
    for row in got.to_dict("records"):
        for name, value in expected[row[key]].items():
            assert row[name] == pytest.approx(value), (row[key], name)


# -- boxes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "box plot of height by club",
        "boxplot of the height of divers by club",
        "box-plot of height by club",
        "box and whisker plot of height by club",
    ],
)
def test_boxes_are_of_the_values_of_each_group(club, question) -> None:
    found, got = _read(club, question)
    _same_boxes(got, "club", DIVERS.groupby("club")["height"])
    assert found.chart == "box"
    assert any("without height" in said for said in found.apart)


def test_boxes_go_through_joins_and_keep_conditions(club) -> None:
    both = DIVES.merge(DIVERS, on="diver_id")
    _, got = _read(club, "box plot of depth by club")
    _same_boxes(got, "club", both.groupby("club")["depth"])
    _, got = _read(club, "box plot of depth by club for insured divers")
    _same_boxes(got, "club", both[both.insured].groupby("club")["depth"])


def test_one_box_is_of_all_rows(club) -> None:
    found, got = _read(club, "box plot of depth of dives")
    assert got.iloc[0].to_dict() == pytest.approx(_box(DIVES["depth"]))
    assert set(picture(found)) == {"layer"}


def test_boxes_over_time_stand_upright_in_the_order_of_time(club) -> None:
    found, got = _read(club, "box plot of depth by year")
    assert list(got["year"]) == [2022, 2023]
    assert picture(found)["encoding"]["x"]["field"] == "year"
    _, got = _read(club, "box plot of depth by weekday")
    days = list(got["weekday"])
    assert days == sorted(
        days, key=["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].index
    )


def test_a_mean_that_was_asked_for_is_in_the_box(club) -> None:
    found, got = _read(club, "box plot of average lungs by club")
    expected = DIVERS.groupby("club")["lungs"].mean()
    assert dict(zip(got["club"], got["mean"], strict=True)) == pytest.approx(expected.to_dict())
    assert "the mean is a diamond" in found.notes


def test_boxes_of_the_bank_where_a_loan_meets_one_owner(bank_grounder) -> None:
    _, got = _read(bank_grounder, "box plot of loan amount by gender of the owner")
    loans = bank_grounder.engine.query(
        "SELECT c.gender, l.amount FROM loan l JOIN disp d ON d.account_id = l.account_id AND d.type = 'OWNER'"
        " JOIN client c USING (client_id)"
    )
    _same_boxes(got, "gender", loans.groupby("gender")["amount"])


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("box plot of number of divers by club", "ask for bars"),
        ("box plot of total depth by club", "ask for bars"),
        ("box plot of dives by gas", "needs one number"),
        ("box plot of height and lungs of divers", "needs one number"),
        ("box plot of club", "needs one number"),
        ("box plot of lungs by diver", "a group of its own"),
        ("box plot of depth by diver", "can't be read beside each other"),
    ],
)
def test_what_has_no_boxes_is_declined(club, question, why) -> None:
    found = club.read(question)
    assert isinstance(found, Declined), found
    assert why in found.reason


# -- histograms -------------------------------------------------------------------------------------------------------


def test_a_histogram_by_group_has_the_bins_of_all(club) -> None:
    found, got = _read(club, "histogram of lungs by club")
    edges = np.linspace(DIVERS["lungs"].min(), DIVERS["lungs"].max(), 11)
    for name, values in DIVERS.groupby("club")["lungs"]:
        counts, _ = np.histogram(values, bins=edges)
        mine = got[got["club"] == name]
        expected = {round(low, 6): n for low, n in zip(edges, counts, strict=False) if n}
        assert dict(zip(mine["bin_start"].round(6), mine["number_of_rows"], strict=True)) == expected
    assert picture(found)["encoding"]["color"]["field"] == "club"


def test_few_numbers_are_counted_one_by_one(club) -> None:
    found, got = _read(club, "histogram of level by club")
    expected = DIVERS.groupby(["level", "club"]).size().to_dict()
    assert {(a, b): n for a, b, n in got.itertuples(index=False, name=None)} == expected
    assert found.chart == "stacked"


def test_a_histogram_of_too_many_groups_is_declined(club) -> None:
    found = club.read("histogram of lungs by town")
    assert isinstance(found, Declined)
    assert "box plot" in found.reason


def test_a_number_called_as_its_table_is_the_number_where_values_are_asked_for(frames_grounder) -> None:
    pay = pd.DataFrame({"rower": [f"r{i}" for i in range(60)], "boat": ["a", "b"] * 30, "fee": np.arange(60) * 1.5})
    grounder = frames_grounder(fees=pay)
    found, got = _read(grounder, "histogram of fee")
    assert (found.chart, got["number_of_rows"].sum(), len(got)) == ("histogram", 60, 10)
    found, got = _read(grounder, "histogram of fee by boat")
    assert got.groupby("boat")["number_of_rows"].sum().to_dict() == {"a": 30, "b": 30}
    assert found.chart == "histogram"
    _, got = _read(grounder, "distribution of fees by boat")
    assert dict(zip(got["boat"], got["number_of_fees"], strict=True)) == {"a": 30, "b": 30}


def test_rows_by_a_number_that_each_has_of_its_own_are_in_bins(club) -> None:
    got = _read(club, "histogram of divers by lungs")[1]
    pd.testing.assert_frame_equal(got, _read(club, "histogram of lungs")[1])
    _, got = _read(club, "histogram of divers by level")
    assert dict(zip(got["level"], got["number_of_divers"], strict=True)) == DIVERS["level"].value_counts().to_dict()


# -- points -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "x", "y"),
    [
        ("scatter of height and lungs", "height", "lungs"),
        ("scatter plot of height and lungs of divers", "height", "lungs"),
        ("plot height against lungs", "lungs", "height"),
        ("scatter plot of height vs lungs", "lungs", "height"),
    ],
)
def test_what_is_drawn_against_another_goes_up(club, question, x, y) -> None:
    found, got = _read(club, question)
    encoding = picture(found)["encoding"]
    assert (encoding["x"]["field"], encoding["y"]["field"]) == (x, y)
    assert len(got) == N
    gaps = int(DIVERS["height"].isna().sum())
    assert f"{gaps} divers without both numbers: no point" in found.notes


def test_points_are_coloured_by_a_group(club, bank_grounder) -> None:
    found, got = _read(club, "scatter of height and lungs by club")
    assert picture(found)["encoding"]["color"]["field"] == "club"
    assert list(got["club"]) == list(DIVERS["club"])
    found, _ = _read(bank_grounder, "scatter of average salary and unemployment 1995 coloured by region")
    assert picture(found)["encoding"]["color"]["field"] == "region"
    for question in ("scatter of height and lungs by town", "scatter of height and lungs by gas"):
        assert isinstance(club.read(question), Declined)


def test_points_of_numbers_that_one_table_alone_has_in_common(bank_grounder) -> None:
    found, got = _read(bank_grounder, "scatter of amount and duration")
    assert (found.table, len(got)) == ("loan", 682)


def test_points_of_very_many_rows_are_a_sample_and_say_so(frames_grounder) -> None:
    n = 120_000
    pulses = pd.DataFrame({"pulse_id": range(n), "force": np.arange(n) % 997, "echo": np.arange(n) % 1009})
    grounder = frames_grounder(pulses=pulses)
    found, got = _read(grounder, "scatter of force and echo")
    assert len(got) == 5_000
    assert f"a sample of 5,000 of {n:,} points" in found.notes
    assert (got["force"] == pulses["force"].to_numpy()[got["pulse_id"]]).all()


def test_a_sample_of_rows_that_are_alike_has_as_many_of_each_as_all_have(frames_grounder) -> None:
    n = 150_000
    beats = pd.DataFrame({"force": np.where(np.arange(n) % 4 == 0, 1, 2), "echo": np.arange(n) % 5})
    beats.loc[::10, "echo"] = None
    found, got = _read(frames_grounder(beats=beats), "scatter of force and echo")
    assert found.notes == ("15,000 beats without both numbers: no point", "a sample of 5,000 of 135,000 points")
    assert (got["force"] == 1).mean() == pytest.approx((beats.dropna()["force"] == 1).mean(), abs=0.03)
    assert list(got.columns) == ["force", "echo"]


def test_figures_of_groups_are_no_points(club) -> None:
    assert isinstance(club.read("scatter of average height and lungs by club"), Declined)
    assert isinstance(club.read("scatter of height"), Declined)


# -- figures by groups ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "chart", "note"),
    [
        ("stacked bar chart of number of dives by year and gas", "stacked", ""),
        ("grouped bar chart of number of dives by year and gas", "grouped", ""),
        ("stacked bars of average depth by year and gas", "grouped", "does not add up over groups"),
        ("bar chart of average depth by year and gas", "grouped", ""),
        ("bar chart of total depth by gas and year", "stacked", ""),
        ("stacked bar chart of dives by gas", "bar", ""),
        ("area chart of number of dives by month", "area", ""),
        ("stacked area chart of dives by quarter and gas", "area", ""),
        ("area chart of average depth by quarter and gas", "line", "does not add up"),
        ("area chart of dives by gas", "bar", "has no order"),
        ("pie chart of dives by gas", "pie", ""),
        ("donut chart of divers by club", "donut", ""),
        ("pie chart of divers by town", "bar", "a pie of 30 parts can't be read"),
        ("pie chart of average depth by gas", "bar", "no part of a whole"),
        ("pie chart of divers by club and level", "stacked", "a pie has one grouping"),
        ("heat map of number of dives by club and year", "heat", ""),
        ("heatmap of average depth by month and gas", "turned", ""),
        ("heat map of dives by town and gas", "heat", ""),
        ("heat map of dives by gas and town", "turned", ""),
        ("line chart of divers by year and town", "turned", "30 colours can't be told apart"),
    ],
)
def test_the_kind_that_is_drawn(club, question, chart, note) -> None:
    found, _ = _read(club, question)
    assert found.chart == chart
    assert any(note in said for said in found.notes) if note else not any("drawn" in said for said in found.notes)
    assert picture(found) is not None


def test_half_years_are_as_wide_as_they_are_long(club) -> None:
    found, got = _read(club, "bar chart of number of dives by half-year")
    x = picture(found)["encoding"]["x"]
    assert (x["type"], x["timeUnit"]) == ("temporal", {"unit": "yearmonth", "step": 6})
    assert got["number_of_dives"].sum() == len(DIVES)


def test_a_pie_of_parts_that_overlap_or_are_below_zero_is_bars(frames_grounder, bank_grounder) -> None:
    found, _ = _read(bank_grounder, "pie chart of loans by gender")
    assert found.chart == "bar"
    assert any("in several groups" in said for said in found.notes)
    books = pd.DataFrame({"entry": range(4), "side": list("aabb"), "balance": [5, 6, -9, -4]})
    found, _ = _read(frames_grounder(books=books), "pie chart of total balance by side")
    assert found.chart == "bar"


def test_times_go_along_a_line_whatever_was_named_first(club) -> None:
    found, got = _read(club, "line chart of number of dives by gas and quarter")
    encoding = picture(found)["encoding"]
    assert (encoding["x"]["field"], encoding["color"]["field"]) == ("quarter", "gas")
    expected = DIVES.assign(q=DIVES.dived_on.dt.to_period("Q").dt.start_time).groupby(["gas", "q"], dropna=False).size()
    assert sorted(got["number_of_dives"]) == sorted(expected)


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("plot number of dives against year", "plot number of dives by year"),
        ("plot the average depth against gas", "plot the average depth by gas"),
        ("line chart of average depth versus month", "line chart of average depth by month"),
    ],
)
def test_a_figure_against_groups_is_by_them(club, question, same) -> None:
    (found, got), (other, expected) = _read(club, question), _read(club, same)
    assert (found.text, found.chart) == (other.text, other.chart)
    pd.testing.assert_frame_equal(got, expected)


@pytest.mark.parametrize("question", ["plot average depth against average height", "plot depth against gas"])
def test_what_is_no_figure_against_groups_is_declined(club, question) -> None:
    assert isinstance(club.read(question), (Declined, Choice))


@pytest.mark.parametrize(
    "question",
    ["heat map of dives by gas", "heat map of lungs", "heat map of dives", "heat map of depth by dive and gas"],
)
def test_a_heat_map_has_two_groupings(club, question) -> None:
    assert isinstance(club.read(question), (Declined, Choice))


def test_what_has_no_groups_says_that_it_is_not_drawn(club) -> None:
    found, _ = _read(club, "bar chart of insured divers")
    assert "not drawn: there is no figure by groups" in found.notes or found.keys


# -- kinds that are not drawn -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind", "instead"),
    [
        ("violin plot of lungs by club", "violin plot", "a box plot or a histogram"),
        ("sankey of dives by gas", "sankey", "stacked bars"),
        ("sankey diagram of dives by gas", "sankey diagram", "stacked bars"),
        ("treemap of dives by gas", "treemap", "bars"),
        ("radar chart of dives by gas", "radar chart", "bars"),
        ("map of divers by club", "map", "bars"),
        ("draw a map of divers by town", "map", "bars"),
        ("density plot of lungs", "density plot", "a box plot or a histogram"),
        ("bubble chart of height and lungs", "bubble chart", "a scatter plot"),
        ("pair plot of divers", "pair plot", "a correlation matrix"),
        ("waterfall chart of dives by gas", "waterfall chart", "bars"),
    ],
)
def test_a_kind_that_is_not_drawn_is_declined_with_those_that_are(club, question, kind, instead) -> None:
    found = club.read(question)
    assert isinstance(found, Declined), found
    assert found.reason.startswith(f"I draw no {kind}. I draw bars")
    assert found.reason.endswith(f"Here {instead} may do.")


def test_a_column_called_like_a_chart_is_the_column(frames_grounder) -> None:
    walks = pd.DataFrame({"walk": range(1, 61), "map": ["old", "new"] * 30, "area": np.arange(60) * 1.5})
    grounder = frames_grounder(walks=walks)
    _, got = _read(grounder, "number of walks by map")
    assert dict(got.itertuples(index=False, name=None)) == {"old": 30, "new": 30}
    _, got = _read(grounder, "average area by map")
    assert dict(got.itertuples(index=False, name=None)) == pytest.approx(walks.groupby("map")["area"].mean().to_dict())
    _, got = _read(grounder, "box plot of area by map")
    _same_boxes(got, "map", walks.groupby("map")["area"])


# -- of the question before -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "question", "chart"),
    [
        ("number of divers by club", "as a pie", "pie"),
        ("number of divers by club", "as bars", "bar"),
        ("number of dives by year", "make it a line", "line"),
        ("number of dives by year", "show it as an area chart", "area"),
        ("number of dives by year", "turn that into a line chart", "line"),
        ("number of dives by year and gas", "as stacked bars", "stacked"),
        ("number of dives by year and gas", "as grouped bars please", "grouped"),
        ("stacked bar chart of number of dives by year and gas", "as a heat map", "turned"),
        ("average depth by gas", "as a box plot", "box"),
        ("distribution of lungs", "as a box plot", "box"),
        ("box plot of lungs of divers", "as a histogram", "histogram"),
        ("bar chart of number of divers by club", "can you make it a donut chart?", "donut"),
    ],
)
def test_the_question_before_is_drawn_as_another_kind(club, base, question, chart) -> None:
    whole = club.in_context([base], question)
    found, _ = _read(club, whole)
    assert found.chart == chart, whole


def test_a_kind_that_does_not_fit_leaves_the_question_before_as_it_was(club) -> None:
    before = ["number of divers by club", "as a box plot"]
    declined = club.read(club.in_context(before[:1], before[1]))
    assert isinstance(declined, Declined)
    assert "ask for bars" in declined.reason
    assert _read(club, club.in_context(before, "as a pie"))[0].chart == "pie"
    violin = club.read(club.in_context(before[:1], "as a violin plot"))
    assert isinstance(violin, Declined)
    assert violin.reason.startswith("I draw no violin plot")
    found, _ = _read(club, club.in_context([*before[:1], "as a violin plot"], "as bars"))
    assert (found.chart, found.text) == ("bar", "number of divers, by club")
