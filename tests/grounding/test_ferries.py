"""A ferry line's frames, as a newcomer asks about them: two dates a row, times with a zone, values that are words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, PredictivePlan, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def _frames() -> dict[str, pd.DataFrame]:
    harbours = pd.DataFrame({"code": ["NOR", "ISL", "BAY"], "harbour": ["Norham", "Islay", "Baywick"]})
    boats = pd.DataFrame(
        {
            "hull": ["F1", "F2", "F3", "F4"],
            "kept at": ["NOR", "NOR", "ISL", "ISL"],
            "maker": ["Tern", "Tern", "Gull", "Gull"],
            "launched": pd.to_datetime(["2019-03-04", "2020-03-07", "2021-06-06", "2018-03-01"]),
            "tier": ["plus", "basic", "plus", "basic"],
            "state": ["unknown", "sound", "sound", "worn"],
            "insured": [1, 0, 0, 0],
            "heated": [True, False, True, False],
            "crew": [4, 6, None, 9],
        }
    )
    left = ["2024-03-02 23:30", "2024-03-09 10:00", "2024-04-01 08:00", "2024-03-11 12:00", "2024-05-05 07:00"]
    back = ["2024-03-03 01:00", "2024-03-09 12:00", "2024-04-01 09:00", None, "2024-05-05 09:00"]
    trips = pd.DataFrame(
        {
            "trip": range(1, 6),
            "boat": ["F1", "F1", "F2", "F3", "F3"],
            "left at": pd.to_datetime(pd.Series(left)).dt.tz_localize("Europe/Helsinki"),
            "back at": pd.to_datetime(pd.Series(back)).dt.tz_localize("Europe/Helsinki"),
            "ride": ["calm", "rough", "calm", "rough", "rough"],
        }
    )
    return {"harbours": harbours, "boats": boats, "trips": trips}


@pytest.fixture(scope="module")
def ferries() -> Iterator[Grounder]:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held: dict[str, Any] = _frames()
    grounder = opened(frames(held), held)
    yield grounder
    grounder.engine.close()


def _frame(grounder: Grounder, question: str) -> pd.DataFrame:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return grounder.engine.query(found.sql)


def _value(grounder: Grounder, question: str) -> Any:
    return _frame(grounder, question).iloc[0, 0]


def _answers(grounder: Grounder, question: str) -> list[str]:
    """Return the number that each option of a choice gives."""
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    return [o.number for o in options(found, question, grounder.read, grounder.engine)]


def test_a_piece_of_a_date_is_asked_of_which_of_two(ferries: Grounder) -> None:
    assert _answers(ferries, "how many trips in March?") == ["3", "2"]
    assert _answers(ferries, "how many trips on weekends?") == [
        "3",
        "3",
    ]  # never the day on which the boat was launched
    assert _value(ferries, "how many trips left at in March?") == 3
    assert _value(ferries, "how many trips with back at on a Sunday?") == 2
    by_day = _frame(ferries, "trips by weekday of left at")
    assert by_day.values.tolist() == [["Monday", 2], ["Saturday", 2], ["Sunday", 1]]


def test_a_piece_of_a_date_is_not_taken_from_what_rows_belong_to(ferries: Grounder) -> None:
    found = ferries.read("how many harbours on Sundays?")
    assert isinstance(found, Choice)
    assert "no date of its own" in found.prompt
    assert _value(ferries, "how many boats were launched on a Sunday?") == 1


def test_a_day_that_is_text_has_no_stand_in() -> None:
    """`applied` holds text: what was decided in a year was not applied for in it."""
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held = {
        "licences": pd.DataFrame(
            {
                "licence": range(1, 5),
                "applied": ["30.12.2022", "02.01.2023", "05.06.2023", "01.02.2024"],
                "decided on": pd.to_datetime(["2023-02-01", "2023-03-01", "2024-01-09", "2024-03-01"]),
                "kind": ["dog", "boat", "dog", "boat"],
            }
        )
    }
    grounder = opened(frames(held), held)
    for question in ("licences applied in 2023", "first applied licence", "how many licences were applied in 2023?"):
        found = grounder.read(question)
        assert isinstance(found, Declined), question
    assert "licences.applied is text" in grounder.read("licences applied in 2023").text
    assert _value(grounder, "how many licences were decided in 2023?") == 2
    assert _frame(grounder, "number of licences by kind in 2023").values.tolist() == [["boat", 1], ["dog", 1]]
    grounder.engine.close()


def test_a_column_called_since_leaves_since_its_meaning() -> None:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    since = pd.to_datetime(["2020-05-01", "2022-03-01", "2023-01-01", "2024-02-02"])
    held = {"patrons": pd.DataFrame({"patron": ["a", "b", "c", "d"], "since": since})}
    grounder = opened(frames(held), held)
    assert _value(grounder, "how many patrons since 2022?") == 3
    assert _value(grounder, "how many patrons joined since 2023-01-01?") == 2
    assert _value(grounder, "how many patrons with since before 2023?") == 2
    assert _value(grounder, "how many patrons with since in 2022?") == 1
    grounder.engine.close()


def test_the_cheapest_of_a_kind_is_a_row() -> None:
    """The kind is written in the plural in the data."""
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held = {"goods": pd.DataFrame({"good": ["a", "b", "c"], "category": ["Coats", "Hats", "Hats"], "price": [9, 5, 7]})}
    grounder = opened(frames(held), held)
    for question in ("what is the cheapest hat?", "which hat is the cheapest?"):
        assert _frame(grounder, question).values.tolist() == [["b", "Hats", 5]], question
    grounder.engine.close()


def test_a_figure_of_a_value_lists_what_is_measured(ferries: Grounder) -> None:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    probes = pd.DataFrame({"probe": ["p", "q"], "measures": ["salt", "heat"], "charge": [50, 70]})
    reads = pd.DataFrame({"probe": ["p", "p", "q"], "level": [1.0, 3.0, 9.0]})
    held = {"probes": probes, "reads": reads}
    grounder = opened(frames(held), held)
    found = grounder.read("average salt")
    grounder.engine.close()
    assert isinstance(found, Choice)
    assert any("level" in o for o in found.options)


def test_times_are_shown_in_their_own_zone(ferries: Grounder) -> None:
    found = ferries.read("list trips of F1")
    assert isinstance(found, Reading)
    rows = ferries.engine.query(found.sql)
    assert rows["left at"].astype(str).tolist() == ["2024-03-02 23:30:00", "2024-03-09 10:00:00"]
    assert [n for n in found.notes if "their own zone, Europe/Helsinki" in n]
    told = ferries.read("how many trips with left at on a Saturday?")
    assert isinstance(told, Reading)
    assert any("its own zone" in n for n in told.notes)


def test_a_value_that_is_a_word_of_the_language(ferries: Grounder) -> None:
    assert _value(ferries, "how many boats with state unknown?") == 1
    assert _value(ferries, "how many boats whose state is not unknown?") == 3
    assert _value(ferries, "how many boats have the tier plus?") == 2
    for question in ("how many plus boats are there?", "how many boats are plus?"):
        found = ferries.read(question)
        assert isinstance(found, Declined)
        assert "say tier 'plus'" in found.reason


def test_a_word_for_missing_that_is_a_value_too_is_asked_about(ferries: Grounder) -> None:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held = {"boats": _frames()["boats"].assign(state=["unknown", None, "sound", "worn"])}
    grounder = opened(frames(held), held)
    found = grounder.read("how many boats with state unknown?")
    grounder.engine.close()
    assert isinstance(found, Choice)
    assert found.options == ("state 'unknown'", "without state")


def test_the_most_of_rows_that_more_is_said_of(ferries: Grounder) -> None:
    assert _frame(ferries, "which boat has the most rough trips?").values.tolist() == [["F3", 2]]
    assert _frame(ferries, "which maker has the most rough trips?").values.tolist() == [["Gull", 2]]
    assert _frame(ferries, "which maker has the most heated basic boats?").empty
    assert _frame(ferries, "which maker has the most insured boats?").values.tolist() == [["Tern", 1]]
    assert _frame(ferries, "which tier has the most boats with insured?").values.tolist() == [["plus", 1]]
    assert _value(ferries, "number of heated sound boats") == 1


def test_the_fewest_may_be_none(ferries: Grounder) -> None:
    found = ferries.read("which maker has the fewest insured boats?")
    assert isinstance(found, Declined)
    assert "Gull" in found.reason
    assert _frame(ferries, "which harbour has the fewest rough trips?").values.tolist() == [["BAY", 0]]
    assert _frame(ferries, "which maker has the fewest rough trips?").values.tolist() == [["Tern", 1]]


def test_groups_without_such_rows_are_said(ferries: Grounder) -> None:
    found = ferries.read("number of insured boats by maker")
    assert isinstance(found, Reading)
    assert "maker Gull with no such boats: not shown" in found.apart


def test_each_side_of_a_comparison_keeps_its_own_condition(ferries: Grounder) -> None:
    answer, *figures = _frame(ferries, "are there more heated boats than boats without a crew?").iloc[0]
    assert (bool(answer), *figures) == (True, 2, 1)


def test_a_word_before_a_noun_is_no_word_of_rows_below(ferries: Grounder) -> None:
    found = ferries.read("how many rough boats are there?")
    assert isinstance(found, Declined)
    assert "boats with rough trips" in found.reason
    assert _value(ferries, "how many boats with rough trips are there?") == 2


def test_rows_done_by_those_that_a_flag_describes(ferries: Grounder) -> None:
    assert _frame(ferries, "how many trips were by heated boats?").values.tolist() == [[4]]


def test_names_with_a_unit_of_one_letter_and_words_that_are_their_own_plural() -> None:
    from lexsi_nb.data.sources import frames
    from tests.grounding.conftest import opened

    held = {
        "herbs": pd.DataFrame(
            {
                "herb": range(1, 5),
                "species": ["mint", "mint", "sage", "sage"],
                "bed area m2": [1.0, 3.0, 7.0, 9.0],
                "drying_h": [5, 7, 1, 3],
            }
        )
    }
    grounder = opened(frames(held), held)
    assert _value(grounder, "average bed area of sage") == 8
    assert _value(grounder, "total drying of mint") == 12
    assert _frame(grounder, "which species has the highest average bed area?").values.tolist() == [["sage", 8.0]]
    grounder.engine.close()


@pytest.mark.parametrize(
    "question",
    ["predict the crew of boats without a crew", "predict the crew where it is missing", "predict the crew of boats"],
)
def test_rows_without_the_target_are_those_to_predict(ferries: Grounder, question: str) -> None:
    plan = ferries.predictive(question)
    assert isinstance(plan, PredictivePlan), plan
    assert ferries.engine.query(plan.predict_sql)["hull"].tolist() == ["F3"]
