"""What must not stand in for what was asked: namesakes, missing groups, one of several equals, lists in one text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def harbour() -> dict[str, Any]:
    """Lands with harbours, ships, and their trips of one year, of which some name no ship or an unlisted one."""
    import pandas as pd

    lands = pd.DataFrame(
        {
            "land_code": ["AL", "BE", "CO", "DU"],
            "name": ["Alba", "Bero", "Costa", "Duno"],
            "seat": ["Porta", "Lira", "Costa City", "Duno"],
            "side": ["north", "north", "south", "south"],
            "surface": [400, 300, 200, 200],
            "tongues": ["al,be", "be,co,du", "co", "du,al"],
        }
    )
    harbours = pd.DataFrame(
        {
            "harbour_id": range(1, 9),
            "name": ["Porta", "Lira", "Costa City", "Duno", "Osta", "Vell", "Mirra", "Tarn"],
            "land_code": ["AL", "BE", "CO", "DU", "AL", "BE", "AL", "AL"],
            "depth": [9.5, 8.5, 7.5, 12.5, 6.5, 5.5, 4.5, 3.5],
        }
    )
    ships = pd.DataFrame(
        {
            "hull": [f"S{i}" for i in range(1, 11)],
            "beds": [10 * i for i in range(1, 11)],
            "pace": [20.0, 30, 30, 15, 12, 11, 10, 9, 8, 7],
            "yard": ["North Yard", "South Yard"] * 5,
        }
    )
    trips = pd.DataFrame(
        {
            "trip_id": range(1, 61),
            "year": 2013,
            "month": [1 + i % 12 for i in range(60)],
            "day": 3,
            "hull": ([f"S{1 + i % 10}" for i in range(48)] + ["S99"] * 6 + [None] * 6),
            "line": ["Red", "Blue", "Green"] * 20,
            "miles": [100 + i for i in range(60)],
        }
    )
    return {"lands": lands, "harbours": harbours, "ships": ships, "trips": trips}


@pytest.fixture(scope="module")
def grounder(frames_grounder: Callable[..., Grounder]) -> Iterator[Grounder]:
    """The grounding of the harbours."""
    found = frames_grounder(**harbour())
    yield found
    found.engine.close()


@pytest.mark.parametrize(
    "question",
    [
        "harbours in Osta",  # the harbour of that name lies in none
        "how many harbours in Lira",  # the seat of a land, or the harbour of that name
        "surface of Porta",  # a harbour has none, and the land with that seat is another thing
        "last trip",  # of one day, which have no time
        "first trip of the year",
        "deepest harbour per land, top 2",
        "harbours that are not seats",
        "which harbours are seats",
        "trips with and without a hull, how many",
        "ships with more beds than S1",
        "ships with trips in more than 20 years",
        "beds plus pace of ships",
        "top 4 hulls by number of trips",
        "fast trips, how many",
        "depth per land",
        "days with trips",
        "which hulls were only used by Red",
        "total surface of lands and of harbours",
        "total trips and total miles by line",
        "ships with more than 5 trips",  # one more would fit that the ships do not list
        "fastest ship",  # two of them
        "seat of the land with the smallest surface",  # two of them
        "how many tongues does Bero have",  # one text
        "number of different tongues",
        "total beds by Red",
        "how many beds were sailed by Red",  # once a ship, or once a trip
        "seat of the land with the largest surface in the south",
        "their seats",
    ],
)
def test_what_would_be_something_else_is_asked_about_or_declined(grounder: Grounder, question: str) -> None:
    found = grounder.read(question)
    assert isinstance(found, (Choice, Declined)), found


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("how many harbours are in Alba", "SELECT count(*) FROM harbours WHERE land_code = 'AL'"),
        ("number of lands with seat Porta", "SELECT count(*) FROM lands WHERE seat = 'Porta'"),
        ("trips in June, July or August, how many", "SELECT count(*) FROM trips WHERE month IN (6, 7, 8)"),
        ("trips without a ship, how many", "SELECT 12"),
        ("for each line, the highest miles", "SELECT 159"),
        ("number of trips leaving from Red", "SELECT 20"),
        ("how many harbours lie in Alba", "SELECT 4"),
        ("all but Red trips, how many", "SELECT count(*) FROM trips WHERE line <> 'Red'"),
        ("trips in June, how many", "SELECT count(*) FROM trips WHERE month = 6"),
        ("depth of Osta", "SELECT depth FROM harbours WHERE name = 'Osta'"),
        ("seat of the land with the largest surface", "SELECT 'Porta'"),
        ("land with the code AL", "SELECT 'al,be'"),
    ],
)
def test_the_plain_question_beside_it_has_its_value(grounder: Grounder, question: str, gold: str) -> None:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    query = grounder.engine.query
    assert query(found.sql).iloc[0, -1] == query(gold).iloc[0, 0]


def test_a_ranking_after_a_list_is_of_the_rows_listed(grounder: Grounder) -> None:
    whole = grounder.in_context(["harbours in Alba"], "the two largest by depth")
    assert isinstance(whole, str)
    found = grounder.read(whole)
    assert isinstance(found, Reading), found
    assert list(grounder.engine.query(found.sql)["depth"]) == [9.5, 6.5]


def test_a_word_that_a_column_shortens_is_not_read_as_its_synonym(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    sides = pd.DataFrame({"side_id": range(6), "lgID": ["A", "B"] * 3, "divID": ["E", "W", "C"] * 2, "wins": range(6)})
    grounder = frames_grounder(sides=sides)
    for question in ("sides by league and division", "sides by division"):
        found = grounder.read(question)
        assert not isinstance(found, Reading) or any(k.column.name == "divID" for k in found.keys), found
    grounder.engine.close()


def test_a_column_is_named_in_its_own_number(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    planes = pd.DataFrame(
        {
            "plane_id": range(6),
            "motors": [1, 2, 2, 4, 2, 1],
            "motor": ["jet", "fan", "fan", "jet", "jet", "rod"],
            "type": ["land", "sea"] * 3,
        }
    )
    grounder = frames_grounder(planes=planes)
    golds = {"how many planes with 2 motors": [3], "which motor types are there": ["fan", "jet", "rod"]}
    for question, gold in golds.items():
        found = grounder.read(question)
        assert isinstance(found, Reading), found
        assert list(grounder.engine.query(found.sql).iloc[:, -1]) == gold
    assert isinstance(grounder.read("list the motors"), Choice)
    assert isinstance(grounder.read("how many different motors are there"), Choice)
    grounder.engine.close()


def test_a_follow_up_is_said_in_the_order_it_was_said_in(grounder: Grounder) -> None:
    whole = grounder.in_context(["how many harbours are in Alba"], "only those with depth above 6")
    assert isinstance(whole, str)
    found = grounder.read(whole)
    assert isinstance(found, Reading), found
    assert grounder.engine.query(found.sql).iloc[0, 0] == 2


def test_groups_that_the_named_table_does_not_list_are_asked_about(frames_grounder: Callable[..., Grounder]) -> None:
    import pandas as pd

    codes = [a + b for a in "ABCDE" for b in "PQRST"]
    valleys = pd.DataFrame({"code": codes, "title": [f"Vale {c.title()}" for c in codes]})
    mills = pd.DataFrame({"title": [f"Mill {n}" for n in range(77)], "valley": [*codes * 3, "ZZ", "ZZ"]})
    grounder = frames_grounder(old_valleys=valleys, mills=mills)
    for question in ("average number of mills per valley", "how many valleys have fewer than 4 mills"):
        found = grounder.read(question)
        assert isinstance(found, Choice), found
        assert "1 valley of mills would be among them" in found.prompt, found
    found = grounder.read("how many valleys have more than 2 mills")  # ZZ would not be among them
    assert isinstance(found, Reading)
    assert grounder.engine.query(found.sql).iloc[0, 0] == 25
    grounder.engine.close()
