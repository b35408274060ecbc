"""What one word can name besides what was taken, and words that are filling in one place and say more in another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def museum() -> dict[str, Any]:
    """Halls with works, works lent out with a fee, a side's years, and visits with complaints."""
    import pandas as pd

    halls = pd.DataFrame(
        {
            "hall_id": [1, 2, 3],
            "hall_name": ["East", "West", "North"],
            "area": [10, 20, 30],
            "region_cd": ["EU", "EU", "AS"],
        }
    )
    regions = pd.DataFrame({"region_cd": ["EU", "AS", "AF"], "region_name": ["Europe", "Asia", "Africa"]})
    works = pd.DataFrame(
        {
            "work_id": range(1, 13),
            "hall_id": [1, 2, 3] * 4,
            "title": [f"Work {i}" for i in range(12)],
            "price": [0.5e6 + 0.5e6 * i for i in range(12)],
            "priority": [1, 2, 3, 1] * 3,
            "opened": pd.date_range("2020-01-01", periods=12, freq="60D"),
        }
    )
    sides = pd.DataFrame({"sideID": ["A", "B"] * 6, "year_no": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6], "fans": range(12)})
    visits = pd.DataFrame({"visit_id": range(1, 9), "hall_id": [1, 2] * 4, "reason": ["water leak", "other"] * 4})
    water_leaks = pd.DataFrame({"leak_id": [1, 2], "visit_id": [1, 2], "list_price": [3.5, 4.5]})
    return {
        "halls": halls, "regions": regions, "works": works, "sides": sides, "visits": visits,
        "water_leaks": water_leaks,
    }  # fmt: skip


@pytest.fixture(scope="module")
def grounder(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    """The grounding of the museum."""
    found = frames_grounder(**museum())
    yield found
    found.engine.close()


@pytest.mark.parametrize(
    "question",
    [
        "visits without any water leak, how many",  # a table and a value
        "average price",  # of works, or the list price of leaks
        "biggest hall",  # by area, or by its works
        "how many sides are there",  # each has many rows
        "area of Europe",  # one for each hall
        "how many halls are in the EU",  # a code, said as a name
    ],
)
def test_what_a_word_can_name_besides_is_asked_about(grounder: Grounder, question: str) -> None:
    found = grounder.read(question)
    assert isinstance(found, Choice), found
    assert len(found.options) > 1


@pytest.mark.parametrize(
    "question",
    [
        "open works",
        "priority 1 works",
        "how many paid works",
        "works for 3 years in a row",
        "works whose title contains Work",
        "halls by the works they show",
        "works from all three halls",
        "top 3 halls by number of works, the last 3",
        "halls with works of both priority 1 and 2",
    ],
)
def test_what_says_more_than_was_read_is_declined(grounder: Grounder, question: str) -> None:
    assert isinstance(grounder.read(question), (Declined, Choice))


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("how many works have a price between 1 and 2 million",
         "SELECT count(*) FROM works WHERE price BETWEEN 1e6 AND 2e6"),
        ("how many works have a price above the average",
         "SELECT count(*) FROM works WHERE price > (SELECT avg(price) FROM works)"),
        ("how many works with priority 1", "SELECT count(*) FROM works WHERE priority = 1"),
        ("average price of works", "SELECT avg(price) FROM works"),
        ("how many halls are in Europe", "SELECT count(*) FROM halls WHERE region_cd = 'EU'"),
    ],
)  # fmt: skip
def test_the_plain_question_beside_it_has_the_right_value(grounder: Grounder, question: str, gold: str) -> None:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    query = grounder.engine.query
    assert query(found.sql).iloc[0, 0] == query(gold).iloc[0, 0]


def test_growth_since_a_year_is_against_the_year_before(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    sales = pd.DataFrame({"sale_id": range(6), "year": [1, 2, 2, 3, 3, 3], "amount": [1.0, 2, 3, 4, 5, 6]})
    sales["year"] += 2000
    grounder = frames_grounder(sales=sales)
    found = grounder.read("growth of total amount by year since 2002")
    assert isinstance(found, Reading), found
    assert [round(x, 6) for x in grounder.engine.query(found.sql)["change"]] == [4.0, 10.0]
    grounder.engine.close()


def test_far_below_is_not_read_as_far_above(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    marks = pd.DataFrame({"mark_id": range(20), "points": [50.0] * 18 + [1.0, 99.0]})
    grounder = frames_grounder(marks=marks)
    above = grounder.read("points above Q3 + 1.5*IQR")
    below = grounder.read("points below Q3 + 1.5*IQR")
    assert isinstance(above, Reading), above
    assert not isinstance(below, Reading) or below.sql != above.sql
    grounder.engine.close()


def test_a_follow_up_asks_the_same_figure_of_another_column(grounder: Grounder) -> None:
    whole = grounder.in_context(["median price of works"], "and priority?")
    assert isinstance(whole, str)
    found = grounder.read(whole)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 1.5
    assert not isinstance(grounder.read("how many works with a price over 2 million over 1 million"), Reading)
