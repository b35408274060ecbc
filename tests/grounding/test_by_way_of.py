"""Places that are reached in more than one way: each way is asked with its number, and can be said by a table."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.options import options
from lexsi_nb.grounding.reading import Choice, Declined, Reading


def _districts(grounder: Grounder, way: str) -> set[int]:
    """Return the districts with a gold card, by the account that it is of or by the client who holds it."""
    t = {n: grounder.engine.query(f'SELECT * FROM "{n}"') for n in ("account", "client", "disp", "card")}
    cards = t["card"][t["card"].type == "gold"].merge(t["disp"], on="disp_id")
    return set(cards.merge(t[way], on=f"{way}_id").district_id)


@pytest.mark.parametrize("question", ["districts with a gold card", "how many districts have a gold card?"])
def test_each_way_is_asked_with_its_number(bank_grounder: Grounder, question: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Choice), found
    ways = options(found, question, bank_grounder.read, bank_grounder.engine)
    wanted = [len(_districts(bank_grounder, way)) for way in ("account", "client")]
    assert wanted[0] != wanted[1]
    assert [int(w.number.split()[0]) for w in ways] == wanted
    for way, table in zip(ways, ("account", "client"), strict=True):
        assert f"(by way of {table})" in way.text
        assert isinstance(bank_grounder.read(way.question), Reading)


def test_groups_by_either_way(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("cards by region")
    assert isinstance(found, Choice)
    ways = options(found, "cards by region", bank_grounder.read, bank_grounder.engine)
    t = {
        n: bank_grounder.engine.query(f'SELECT * FROM "{n}"') for n in ("account", "client", "disp", "card", "district")
    }
    cards = t["card"].merge(t["disp"], on="disp_id")
    for way, table in zip(ways, ("account", "client"), strict=True):
        whole = cards.merge(t[table], on=f"{table}_id").merge(t["district"], on="district_id")
        got = bank_grounder.engine.query(bank_grounder.read(way.question).sql)
        wanted = whole.groupby("region").size()
        pd.testing.assert_series_equal(
            got.set_index("region").iloc[:, 0].sort_index().astype(int), wanted.astype(int), check_names=False
        )


def test_two_ways_to_one_table_are_told_apart(frames_grounder) -> None:
    ports = pd.DataFrame({"code": ["LUN", "OSL", "PIS"], "zone": ["north", "north", "south"]})
    legs = pd.DataFrame({"leg_id": [1, 2, 3], "origin": ["LUN", "OSL", "LUN"], "dest": ["OSL", "LUN", "PIS"]})
    grounder = frames_grounder(ports=ports, legs=legs)
    for question in ("how many ports in the north zone have no legs going there?", "ports without legs"):
        found = grounder.read(question)
        assert not isinstance(found, Reading), found
        if isinstance(found, Choice):
            assert len(set(found.options)) == len(found.options) > 1


def test_the_best_of_groups_where_both_tables_have_names(frames_grounder) -> None:
    lands = pd.DataFrame({"land_id": [1, 2], "name": ["East", "West"]})
    lakes = pd.DataFrame(
        {"lake_id": range(1, 5), "land_id": [1, 1, 2, 2], "name": list("abcd"), "area": [5.0, 9.0, 7.0, 3.0]}
    )
    grounder = frames_grounder(lands=lands, lakes=lakes)
    found = grounder.read("the biggest lake by area in each land")
    assert isinstance(found, Reading), found
    assert sorted(grounder.engine.query(found.sql)["lake_id"]) == [2, 3]


def test_a_way_that_is_none_is_declined(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("number of loans, by way of card")
    assert isinstance(found, Declined)
    assert "by way of card" in found.reason
    assert isinstance(bank_grounder.read("number of loans, by way of harbour"), Declined)
