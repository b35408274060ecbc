"""What Tab offers in a `%%lexsi` cell and on a `%lexsi` line."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.magics import ATTRIBUTE, unload
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

pytestmark = pytest.mark.filterwarnings("ignore::IPython.core.completer.ProvisionalCompleterWarning")


def offered(ip: Any, text: str) -> list[str]:
    """Return what IPython's completer offers at the end of the text, as a kernel asks it."""
    from IPython.core.completer import provisionalcompleter, rectify_completions

    with provisionalcompleter():
        return [c.text for c in rectify_completions(text, ip.Completer.completions(text, len(text)))]


@pytest.fixture
def loans(ip: Any) -> pd.DataFrame:
    ip.user_ns["loans"] = pd.DataFrame({"loan_id": [1, 2], "amount": [10.0, 20.0]})
    return ip.user_ns["loans"]


def test_options_and_their_values(ip: Any, loans: pd.DataFrame) -> None:
    assert offered(ip, "%%lexsi --da") == ["--data"]
    assert offered(ip, "%%lexsi --cells in") == ["insert"]
    assert offered(ip, "%%lexsi --data ") == ["bank", "loans"]
    assert offered(ip, "%%lexsi --frames lo") == ["loans"]
    ip.user_ns["limit"] = 5
    assert offered(ip, "%%lexsi --params lim") == ["limit"]


def test_columns_and_variables_without_python_names(ip: Any, loans: pd.DataFrame) -> None:
    assert offered(ip, "%%lexsi\nwhich loans have the largest am") == ["amount"]
    assert offered(ip, "%%lexsi\nwhich LO") == ["loan_id", "loans"]
    assert offered(ip, "%%lexsi which a") == ["amount"]


def test_tables_and_columns_of_the_dataset_once_there_is_one(ip: Any, tmp_path: Any) -> None:
    pd.DataFrame({"district_id": [1], "region": ["N"]}).to_csv(tmp_path / "district.csv", index=False)
    magics = getattr(ip, ATTRIBUTE)
    planner = ScriptedPlanner([call("run_sql", sql="SELECT region FROM district"), say("One.")])
    magics.session.planner = lambda: planner
    assert ip.run_cell(f"%%lexsi --data {tmp_path}\nregions?").success
    assert offered(ip, "%%lexsi\nper dis") == ["district", "district_id"]
    assert offered(ip, "%%lexsi\nper reg") == ["region"]


def test_commands_on_the_line(ip: Any) -> None:
    assert offered(ip, "%lexsi expl") == ["explain"]
    assert offered(ip, "x = 1\n%lexsi au") == ["audit"]


def test_python_cells_are_left_alone_and_unloading_ends_it(ip: Any, loans: pd.DataFrame) -> None:
    assert "loans" in offered(ip, "loan")
    assert "loan_id" not in offered(ip, "loan_")
    unload(ip)
    assert "amount" not in offered(ip, "%%lexsi\nwhich amou")
