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


def test_a_way_that_is_none_is_declined(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("number of loans, by way of card")
    assert isinstance(found, Declined)
    assert "by way of card" in found.reason
    assert isinstance(bank_grounder.read("number of loans, by way of harbour"), Declined)
