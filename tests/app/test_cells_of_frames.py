"""The cell that opens kernel frames names those alone that the answer reads."""

from __future__ import annotations

from typing import Any

import pandas as pd

from lexsi_nb.app.session import Session


def frames() -> dict[str, Any]:
    return {
        "visits": pd.DataFrame({"visit_id": [1, 2, 3], "site_id": [1, 1, 2], "minutes": [10, 20, 30]}),
        "sites": pd.DataFrame({"site_id": [1, 2], "region": ["north", "south"]}),
        "unused": pd.DataFrame({"zz": [1]}),
        "box": pd.DataFrame({"box_id": [1, 2]}),
    }


def test_frames_that_the_sql_does_not_read_are_not_opened() -> None:
    held = frames()
    run = Session(held, namespace=dict(held)).ask("average minutes of visits by region")
    opened, *_ = run.cells
    assert set(opened.requires) == {"visits", "sites"}
    assert "unused" not in opened.source
    scope = {n: held[n] for n in opened.requires}
    for cell in run.cells:
        if "altair" not in cell.source:
            exec(cell.source, scope)
    assert scope["answer_df"].equals(run.frame)


def test_a_place_without_a_value_says_how_to_give_it() -> None:
    held = frames()
    run = Session(held, namespace=dict(held)).ask("how many visits with minutes over {most}")
    assert run.status == "declined"
    assert "%%lexsi --params most" in run.answer


def test_readings_have_plurals_that_are_words() -> None:
    held = frames()
    session = Session(held, namespace=dict(held))
    run = session.ask("how many boxes")
    assert "number of boxes" in run.answer.casefold()
    assert list(run.frame.columns) == ["number_of_boxes"]


def test_a_frame_that_sql_cannot_read_stops_no_question_about_the_others() -> None:
    held = {**frames(), "dup": pd.DataFrame([[1, 2]], columns=["a", "a"])}
    session = Session(namespace=held)
    assert session.ask("how many visits").frame.iloc[0, 0] == 3
    assert session.ask("average minutes of visits").frame.iloc[0, 0] == 20
    about = session.ask("how many dup")
    assert about.status == "declined"
    assert "duplicate column names: a" in about.answer
