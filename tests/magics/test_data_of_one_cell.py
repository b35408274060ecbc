"""A cell that names its data with --data: what is offered under its answer, and said after it, names them too."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.widgets.choice import choice_html
from lexsi_nb.widgets.facts import readings_html


@pytest.fixture
def folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder of trips with two delays, beside the notebook."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my trips").mkdir()
    trips = pd.DataFrame({"trip_id": [1, 2, 3], "dep_delay": [1.0, 2.0, 6.0], "arr_delay": [2.0, 4.0, 12.0]})
    trips.to_csv(tmp_path / "my trips" / "trips.csv", index=False)
    return tmp_path


def test_a_reading_that_is_offered_has_the_data_of_its_cell(ip: Any, folder: Any, capsys: Any) -> None:
    assert not ip.run_cell('%%lexsi --data "my trips"\naverage delay', store_history=False).success
    run = getattr(ip, ATTRIBUTE).session.runs[-1]
    assert run.status == "needs_choice"
    html = choice_html(run.choice, cell_options=run.cell_options)
    assert "<code>%%lexsi --data &quot;my trips&quot; " in html
    run.readings = [("mean of arr_delay", "average arr_delay")]
    assert "<code>%%lexsi --data &quot;my trips&quot; average arr_delay</code>" in readings_html(run)


def test_a_reading_is_taken_and_changed_over_the_data_of_its_cell(ip: Any, folder: Any, capsys: Any) -> None:
    ip.run_cell('%%lexsi --data "my trips"\naverage delay', store_history=False)
    session = getattr(ip, ATTRIBUTE).session
    assert ip.run_cell("%lexsi choose 1", store_history=False).success
    assert session.runs[-1].frame.iloc[0, 0] in (3, 6)
    assert session.runs[-1].cell_options == ' --data "my trips"'
    assert ip.run_cell('%%lexsi --data "my trips"\naverage dep_delay', store_history=False).success
    assert ip.run_cell("%lexsi reading 'dep_delay' means arr_delay", store_history=False).success
    assert session.runs[-1].frame.iloc[0, 0] == 6
    capsys.readouterr()
    assert ip.run_cell("%lexsi reading", store_history=False).success
    assert "column trips.arr_delay" in capsys.readouterr().out


def test_a_cell_without_data_says_how_to_stay_with_those_before(ip: Any, folder: Any, capsys: Any) -> None:
    assert ip.run_cell('%%lexsi --data "my trips"\nhow many trips are there?', store_history=False).success
    capsys.readouterr()
    result = ip.run_cell("%%lexsi\nmean arr_delay of trips", store_history=False)
    assert "There are no data to ask about." in str(result.error_in_exec)
    assert "%lexsi data my trips" in str(result.error_in_exec)
    assert ip.run_cell("%lexsi data my trips", store_history=False).success
    assert ip.run_cell("%%lexsi\nmean arr_delay of trips", store_history=False).success
    assert getattr(ip, ATTRIBUTE).session.runs[-1].frame.iloc[0, 0] == 6
