"""The index of names and values: what is read anew when frames change, joins of wide schemas, short tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Declined, Reading
from tests.grounding.conftest import opened

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def frames() -> dict[str, Any]:
    """Return two frames that join."""
    import pandas as pd

    visits = pd.DataFrame({"visit_id": range(1, 7), "site_id": [1, 1, 2, 2, 3, 3], "purpose": ["repair", "sale"] * 3})
    sites = pd.DataFrame({"site_id": [1, 2, 3], "region": ["north", "south", "north"]})
    return {"visits": visits, "sites": sites}


def marked(held: dict[str, Any]) -> tuple[Grounder, list[str]]:
    """Return a grounder that is told the content of its frames, and the list that its reads are noted in."""
    from lexsi_nb.data.sources import frames as dataset
    from lexsi_nb.grounding.grounder import Grounder
    from lexsi_nb.kernel.fingerprint import fingerprint

    plain = opened(dataset(held), held)
    grounder = Grounder(plain.engine, None, lambda: {n: fingerprint(f) for n, f in held.items()})
    seen: list[str] = []
    rows = plain.engine.rows
    plain.engine.rows = lambda sql: (seen.append(sql), rows(sql))[1]  # type: ignore[method-assign]
    return grounder, seen


def test_frames_that_did_not_change_are_not_read_again() -> None:
    grounder, seen = marked(frames())
    assert isinstance(grounder.read("how many visits in north"), Reading)
    assert seen
    index = grounder.index
    seen.clear()
    grounder.look_again()
    assert isinstance(grounder.read("how many visits in north"), Reading)
    assert grounder.index is index
    assert not seen


def test_of_frames_edited_in_place_only_the_edited_one_is_read_again() -> None:
    held = frames()
    grounder, seen = marked(held)
    assert isinstance(grounder.read("how many visits in north"), Reading)
    assert isinstance(grounder.read("how many visits in the west"), Declined)
    held["sites"].loc[0, "region"] = "west"
    seen.clear()
    grounder.look_again()
    found = grounder.read("how many visits in the west")
    assert isinstance(found, Reading)
    assert grounder.engine.query(found.sql).iloc[0, 0] == 2
    assert seen
    assert all("sites" in sql for sql in seen)


def test_a_key_that_an_edit_breaks_joins_no_more() -> None:
    held = frames()
    grounder, _ = marked(held)
    assert isinstance(grounder.read("number of visits by region"), Reading)
    held["sites"].loc[0, "site_id"] = 2
    grounder.look_again()
    assert not isinstance(grounder.read("number of visits by region"), Reading)


def test_a_session_sees_values_that_were_edited_in_place() -> None:
    import lexsi_nb as lx

    held = frames()
    session = lx.Session(held, planner="embedded", namespace=dict(held))
    try:
        assert session.ask("how many audit visits").status == "declined"
        session.variables.namespace["visits"].loc[0, "purpose"] = "audit"
        run = session.ask("how many audit visits")
        assert (run.status, run.frame.iloc[0, 0]) == ("answered", 1)
    finally:
        session.close()


@pytest.mark.parametrize("short", [0, 1_000])
def test_values_of_short_and_of_long_tables_are_listed_alike(
    monkeypatch: pytest.MonkeyPatch, shop: dict[str, Any], short: int
) -> None:
    from lexsi_nb.data.sources import frames as dataset
    from lexsi_nb.grounding.schema import listed

    monkeypatch.setattr(listed, "SHORT", short)
    index = opened(dataset(shop), shop).index
    held = {str(c): sorted(set(v.values())) for c, v in index.values.items()}
    assert held["orders.Status"] == ["on hold", "returned", "shipped"]
    assert held["customers.City"] == ["New York", "Oslo", "S\u00e3o Paulo", "Z\u00fcrich"]
    assert set(held) == {"orders.Status", "customers.City", "customers.Full Name", "df.b"}


def wide(tables: int) -> dict[str, Any]:
    """Return many frames with a text column of one name each, all of it repeated, and two that really join."""
    import pandas as pd

    out: dict[str, Any] = {}
    for i in range(tables):
        out[f"log_{i}"] = pd.DataFrame({"kind_no": ["x", "x", "y"], "level": ["hi", "lo", "lo"], f"n{i}": [1, 2, 3]})
    out["drivers"] = pd.DataFrame({"driver_no": ["a", "b", "c"], "town": ["Oslo", "Bergen", "Oslo"]})
    out["trips"] = pd.DataFrame(
        {"trip": [1, 2, 3, 4], "driver_no": ["a", "a", "b", "c"], "km": [10.0, 20.0, 30.0, 50.0]}
    )
    return out


def test_of_very_many_suggested_joins_those_of_the_path_are_verified() -> None:
    from lexsi_nb.data.sources import frames as dataset

    held = wide(30)
    grounder = opened(dataset(held), held)
    index = grounder.index
    looked: list[Any] = []
    verify = index.joins._verify
    assert verify is not None
    index.joins._verify = lambda j: (looked.append(j), verify(j))[1]
    found = grounder.read("average km of trips by town")
    assert isinstance(found, Reading)
    rows = grounder.engine.query(found.sql)
    assert dict(zip(rows.iloc[:, 0], rows.iloc[:, 1], strict=True)) == {"Oslo": pytest.approx(80 / 3), "Bergen": 30.0}
    assert 0 < len(looked) < 20


def test_a_wide_schema_is_linked_by_the_joins_beside_what_is_named() -> None:
    from lexsi_nb.data.sources import frames as dataset
    from lexsi_nb.grounding.for_models.linking import linked_schema

    held = wide(30)
    index = opened(dataset(held), held).index
    looked: list[Any] = []
    verify = index.joins._verify
    assert verify is not None
    index.joins._verify = lambda j: (looked.append(j), verify(j))[1]
    text = linked_schema("average km of trips", index).text
    assert "join trips.driver_no = drivers.driver_no" in text
    assert len(looked) < 60


def test_values_held_of_all_columns_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    from lexsi_nb.data.sources import frames as dataset
    from lexsi_nb.grounding.schema import listed

    monkeypatch.setattr(listed, "MOST_VALUES", 100)
    held = {f"t{t}": pd.DataFrame({"kind": [f"kind {t} {i}" for i in range(40)]}) for t in range(5)}
    index = opened(dataset(held), held).index
    remembered = [v for _, kept in index.reads._kept.values() if isinstance(kept, dict) for v in kept.values()]
    assert sum(len(v.values) for v in remembered) == sum(map(len, index.values.values())) == 80
    assert {str(c): n for c, n in index.listed.items()} == {f"t{t}.kind": 40 for t in range(5)}


def test_prose_is_no_value_and_is_not_held() -> None:
    import pandas as pd

    from lexsi_nb.data.sources import frames as dataset

    held = {
        "notes": pd.DataFrame({"kind": ["a plan", "a call"] * 3, "body": [f"{i} " + "word " * 9_000 for i in range(6)]})
    }
    grounder = opened(dataset(held), held)
    assert {str(c) for c in grounder.index.values} == {"notes.kind"}
    assert grounder.index.unique("notes", "body")
    assert not any("word word" in str(kept) for _, kept in grounder.index.reads._kept.values())


def test_enums_and_lists_of_texts_are_read_for_what_they_are(tmp_path: Path) -> None:
    import duckdb

    from lexsi_nb import datasets
    from lexsi_nb.data.engine import Engine
    from lexsi_nb.grounding.grounder import Grounder

    with duckdb.connect(tmp_path / "kinds.duckdb") as con:
        con.execute("CREATE TYPE size AS ENUM ('small', 'large')")
        con.execute("CREATE TYPE mood AS ENUM ('calm', 'cross')")
        con.execute(
            "CREATE TABLE parcels AS SELECT i AS id, 'small'::size AS size, ['a', 'b'] AS tags FROM range(3) r(i)"
        )
        con.execute(
            "CREATE TABLE visits AS SELECT i AS visit_id, 'calm'::mood AS mood, 'x y' AS place FROM range(3) r(i)"
        )
    index = Grounder(Engine(datasets.open(tmp_path / "kinds.duckdb"))).index
    assert {str(c): list(v.values()) for c, v in index.values.items()} == {
        "parcels.size": ["small"], "visits.mood": ["calm"], "visits.place": ["x y"],
    }  # fmt: skip
    assert index.columns["parcels"]["tags"].type == "other"
