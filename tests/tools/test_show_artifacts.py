"""show_artifacts: which results the answer shows, in which order, under which labels; the last good call counts."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Chart, Table
from lexsi_nb.magics.showing import bundles
from lexsi_nb.planners.scripted import call
from lexsi_nb.widgets.answer_html import answer_html
from lexsi_nb.widgets.answer_text import answer_text

SPEC = {"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"aggregate": "count"}}}
MAKE = [
    call("run_sql", sql="SELECT * FROM loans WHERE status = 'A'", label="good"),
    call("run_sql", sql="SELECT count(*) AS n FROM loans"),
    call("render_chart", spec=SPEC, label="loans", title="All loans"),
    call("render_chart", spec=SPEC, label="good", title="Good loans"),
]


@pytest.fixture
def names() -> dict:
    """Return a namespace with four loans."""
    return {"loans": pd.DataFrame({"status": list("ABAB"), "amount": [1, 2, 3, 4]})}


def show(*pairs: tuple[str, str]):
    """Return the call that shows results under labels."""
    return call("show_artifacts", artifacts=[{"id": i, "label": t} for i, t in pairs])


def test_without_it_every_chart_is_shown(names, play):
    run = play(*MAKE, namespace=names)
    assert run.shown is None
    assert [b for b in bundles(run) if "image/png" in b].__len__() == 2


def test_chosen_results_are_shown_in_order_under_their_labels(names, play):
    run = play(*MAKE, show(("chart_2", "Good ones"), ("good", "The rows")), namespace=names)
    assert run.steps[4].status == "ok", run.steps[4].summary
    assert [(label, type(s.artifact)) for label, s in run.shown] == [("Good ones", Chart), ("The rows", Table)]
    text = answer_text(run)
    assert text.index("Good ones") < text.index("The rows")
    assert "All loans" not in text
    html = answer_html(run)
    assert html.index("Good ones") < html.index("The rows")
    outputs = bundles(run)
    assert [o["text/plain"].splitlines()[0] for o in outputs[1:4]] == ["Good ones", run.of(Chart)[1].alt, "The rows"]


def test_a_result_without_a_label_has_an_id_by_its_step(names, play):
    run = play(*MAKE, show(("result_2", "How many")), namespace=names)
    assert run.shown[0][1].artifact.frame.iloc[0, 0] == 4


def test_the_last_successful_call_counts(names, play):
    run = play(*MAKE, show(("good", "Rows")), show(("chart_1", "All")), show(("chart_9", "None such")), namespace=names)
    assert run.steps[-1].status == "failed"
    assert [label for label, _ in run.shown] == ["All"]


def test_an_empty_list_shows_words_only(names, play):
    run = play(*MAKE, show(), namespace=names)
    assert run.shown == []
    assert not [b for b in bundles(run) if "image/png" in b]


@pytest.mark.parametrize(
    ("pairs", "word"),
    [
        ([("chart_9", "Nine")], "no result 'chart_9'"),
        ([("good", "good")], "its id"),
        ([("good", " ")], "empty"),
        ([("good", "A"), ("good", "B")], "twice"),
        ([("good", f"N{i}") for i in range(21)], "at most 20"),
    ],
)
def test_a_selection_that_does_not_fit_changes_nothing(names, play, pairs, word):
    run = play(*MAKE, show(*pairs), namespace=names)
    assert run.steps[4].status in ("failed", "invalid")
    assert word in run.steps[4].summary
    assert run.shown is None


def test_every_problem_is_said_at_once(names, play):
    run = play(*MAKE, show(("chart_9", "Nine"), ("good", "good")), namespace=names)
    assert "chart_9" in run.steps[4].summary
    assert "its id" in run.steps[4].summary


def test_the_choice_is_of_one_run(names, play):
    run = play(*MAKE, show(("good", "Rows")), namespace=names)
    run.planner_used.lines += [call("run_sql", sql="SELECT 1 AS a", label="one")]
    from lexsi_nb.planners.scripted import say

    run.planner_used.lines += [say("next")]
    assert run.session.ask("another").shown is None
