"""What pandas and old files have beside plain columns: an index with a name, names that are numbers, Latin-1 text."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.data.engine import Engine
from lexsi_nb.data.sources import frames
from lexsi_nb.data.sources import open as opened
from lexsi_nb.errors import BadData


def test_a_named_index_is_a_column_of_the_frame_and_of_its_cell():
    towns = pd.DataFrame({"town_id": [3, 5, 8], "size": [10, 20, 30]}).set_index("town_id")
    engine = Engine(frames({"towns": towns}), namespace={"towns": towns})
    assert [c.name for c in engine.table("towns").columns] == ["town_id", "size"]
    assert engine.query("SELECT sum(town_id) AS n FROM towns").iloc[0, 0] == 16
    engine.close()
    session = lx.Session({"towns": towns}, planner="embedded", namespace={"towns": towns})
    run = session.ask("total size of towns with town_id above 4")
    assert run.frame is not None
    assert run.frame.iloc[0, 0] == 50
    scope = {"towns": towns}
    for cell in run.cells:
        exec(cell.source, scope)
    assert scope["answer_df"].iloc[0, 0] == 50
    assert list(towns.columns) == ["size"]  # the frame itself is as it was
    session.close()


def test_an_index_without_a_name_or_with_a_name_that_is_taken_is_none():
    plain = pd.DataFrame({"a": [1, 2]}, index=[7, 8])
    taken = pd.DataFrame({"a": [1, 2]}, index=pd.Index([7, 8], name="A"))
    engine = Engine(frames({"plain": plain, "taken": taken}))
    for table in ("plain", "taken"):
        assert [c.name for c in engine.table(table).columns] == ["a"]
    engine.close()


def test_latin_1_text_is_read(tmp_path: Path):
    file = tmp_path / "places.csv"
    file.write_bytes("id,place,price\n1,Köln,3.5\n2,Málaga,4.5\n".encode("latin-1"))
    engine = Engine(opened(file))
    assert engine.query("SELECT place FROM places ORDER BY id").place.tolist() == ["Köln", "Málaga"]
    engine.close()


def test_text_that_is_neither_is_refused_with_what_to_do(tmp_path: Path):
    file = tmp_path / "places.csv"
    file.write_bytes("id,place\n1,Köln\n".encode("utf-16"))
    with pytest.raises(BadData) as found:
        Engine(opened(file))
    assert "UTF-8" in str(found.value)


@pytest.mark.parametrize("made", [int, str])
def test_a_column_may_be_called_by_a_year(made):
    sales = pd.DataFrame({"shop": ["a", "b", "a"], made(2023): [1, 2, 3], made(2024): [4, 5, 6]})
    session = lx.Session({"sales": sales}, planner="embedded", namespace={})
    for question, value in (("average 2023", 2), ("total 2024", 15), ("how many sales have 2023 above 1", 2)):
        session.reset()
        run = session.ask(question)
        assert run.status == "answered", run.answer
        assert run.frame is not None
        assert run.frame.iloc[0, 0] == value, question
    session.close()
