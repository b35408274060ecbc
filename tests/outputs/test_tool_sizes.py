"""What each tool leaves in a notebook stays below 100 KB without charts, however large what it works on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.cells import CodeCell, listed_once
from lexsi_nb.magics.showing import bundles
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.tools.catalogue import built_in
from lexsi_nb.widgets.chart import VEGALITE

RUN = 100_000  # bytes
ROWS, COLUMNS = 10_000, 2_000


@pytest.fixture(scope="module")
def wide() -> pd.DataFrame:
    """10,000 rows of 2,000 columns: numbers, words and long texts."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(ROWS, COLUMNS - 4)).astype("float32"))
    frame.columns = [f"a_column_with_a_long_name_{i}" for i in range(frame.shape[1])]
    words = pd.DataFrame(
        {
            "case_id": np.arange(ROWS),
            "word": rng.choice([f"word {i}" for i in range(5_000)], ROWS),
            "note": ["what somebody wrote, and went on writing, " * 20] * ROWS,
            "outcome": (rng.random(ROWS) < 0.3).astype(float),
        }
    )
    return pd.concat([words, frame], axis=1)


CALLS: dict[str, list[Any]] = {
    "inspect_data": [call("inspect_data")],
    "sample_values": [call("sample_values", table="wide", column="note")],
    "query_kg": [call("query_kg", search="a_column_with_a_long_name_7", top_k=50)],
    "run_sql": [call("run_sql", sql="SELECT * FROM wide", label="all_df")],
    "show_artifacts": [
        call("run_sql", sql="SELECT * FROM wide", label="all_df"),
        call("run_sql", sql="SELECT word, count(*) AS n FROM wide GROUP BY word", label="words_df"),
        call("show_artifacts", artifacts=[{"id": "all_df", "label": "all"}, {"id": "words_df", "label": "words"}]),
    ],
    "summarize_result": [
        call("run_sql", sql="SELECT word, note FROM wide", label="words_df"),
        call("summarize_result", question="which words?", sql_result_label="words_df"),
    ],
    "text_to_sql": [call("text_to_sql", question="average a_column_with_a_long_name_7 by word", mode="analytic")],
}


@pytest.mark.parametrize("tool", CALLS)
def test_a_tool_leaves_little_of_a_wide_and_long_frame(
    tool: str, wide: pd.DataFrame, saved: Callable[..., str]
) -> None:
    session = Session(planner=ScriptedPlanner([*CALLS[tool], say("There.")]), namespace={"wide": wide})
    run = session.ask("all of it")
    session.close()
    assert [s.tool for s in run.steps][-1] == tool
    total = _without_charts(run, saved)
    print(f"{tool}: {run.steps[-1].status}, {total:,} bytes")
    assert total < RUN


FRAMES: list[pd.DataFrame] = []  # that the model is of


@pytest.fixture(scope="module")
def modelled() -> Any:
    """A run that trains on, predicts and explains 400 rows of 300 features, and says what drives all scores."""
    rng = np.random.default_rng(5)
    features = [f"a_feature_with_a_long_name_{i}" for i in range(300)]
    frame = pd.DataFrame(rng.normal(size=(400, 300)), columns=features)
    frame.insert(0, "case_id", np.arange(400))
    frame["outcome"] = ((frame[features[0]] + rng.normal(size=400)) > 0).astype(float)
    known = "SELECT * FROM cases WHERE case_id < 300"
    scored = "SELECT * EXCLUDE (outcome) FROM cases WHERE case_id >= 300"
    FRAMES[:] = [frame]
    planner = ScriptedPlanner(
        [
            call("run_sql", sql=known, label="context_df"),
            call("run_sql", sql=scored, label="predict_df"),
            call("train_tabular_model", df_label="context_df", target_column="outcome", task_type="classification",
                 entity_column="case_id"),
            call("predict", df_label="predict_df", top_k=100),
            call("explain_prediction", case_ids=[str(i) for i in range(300, 310)]),
            call("explain_model"),
            say("There."),
        ]
    )  # fmt: skip
    session = Session(planner=planner, namespace={"cases": frame})
    run = session.ask("score them")
    session.close()
    return run


def test_a_model_of_many_features_leaves_little(modelled: Any, saved: Callable[..., str]) -> None:
    statuses = {s.tool: s.status for s in modelled.steps}
    print(statuses, f"{_without_charts(modelled, saved):,} bytes")
    assert statuses["predict"] == statuses["explain_model"] == "ok", [s.summary for s in modelled.steps]
    assert _without_charts(modelled, saved) < RUN
    page = " ".join(b.get("text/html", "") for b in bundles(modelled))
    assert page.count('<summary aria-label="Explain ') == len(
        {*modelled.frame["case_id"].head(50)} & {*range(300, 310)}
    )
    assert "The first 50 of 100; the variable has all." in page


def test_the_names_of_many_features_stand_once_and_the_cells_still_make_the_same(modelled: Any) -> None:
    assert sum(c.source.count('"a_feature_with_a_long_name_299"') for c in modelled.cells if c.kind != "chart") == 1
    names: dict[str, Any] = {"cases": FRAMES[0]}
    for cell in modelled.cells:
        assert set(cell.requires) <= set(names), cell.title
        if "import altair" not in cell.source:
            exec(compile(cell.source, "cell", "exec"), names)
    assert names["predictions"]["case_id"].head(len(modelled.frame)).tolist() == modelled.frame["case_id"].tolist()


LIST = "names = [\n" + "".join(f'    "name_{i}",\n' for i in range(300)) + "]\n"


def test_a_list_is_left_out_only_where_it_is_bound_as_it_was() -> None:
    first, again = CodeCell(LIST + "a = len(names)\n", "one"), CodeCell(LIST + "b = len(names)\n", "two")
    shared = listed_once([first, again])
    assert shared[0] is first
    assert shared[1].source == "# names: as in the cell 'one'\nb = len(names)\n"
    assert shared[1].requires == ("names",)
    other = CodeCell("names = 1\n", produces=("names",))
    assert listed_once([first, other, again])[2] is again
    changed = CodeCell(LIST.replace("name_7", "name_x"), "three")
    assert listed_once([first, changed, again])[1:] == [changed, again]
    short = CodeCell("names = [\n    1,\n]\n")
    assert listed_once([short, short]) == [short, short]


def test_every_tool_that_leaves_something_is_measured() -> None:
    here = {*CALLS, "train_tabular_model", "predict", "explain_prediction", "explain_model"}
    charts = {"render_chart"}  # test_chart_size, test_saved_chart
    asks = {"connect_datalake"}  # what it leaves is the cell that opens the data, as every run does
    assert {tool.__name__ for tool in built_in()} == here | charts | asks


def _without_charts(run: Any, saved: Callable[..., str]) -> int:
    return len(saved([b for b in bundles(run) if VEGALITE not in b]).encode())
