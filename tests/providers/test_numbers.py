"""Every number in a model's answer is in a result, or marked in the shown answer."""

from __future__ import annotations

import json
import re
from typing import Any

import pandas as pd

import lexsi_nb as lx
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.tools.model_summary import SUMMARIZER_SYSTEM
from lexsi_nb.widgets.answer_html import answer_html
from lexsi_nb.widgets.answer_text import answer_text

FRAME = pd.DataFrame({"city": ["Brno", "Praha", "Brno"], "amount": [10, 20, 31]})
SQL = "SELECT city, sum(amount) AS total FROM sales GROUP BY city ORDER BY city"


def session_with(model_server: Any, **options: Any) -> lx.Session:
    return lx.Session({"sales": FRAME}, planner=model_server.choice("anthropic"), namespace={}, replay="off", **options)


def says(model_server: Any, text: str) -> None:
    call = [("run_sql", {"sql": SQL, "label": "totals"})]
    model_server.brain = lambda asked: model_server.Reply(text) if asked.results else model_server.Reply(calls=call)


def test_a_number_that_is_in_no_result_is_marked_in_text_and_html(model_server: Any) -> None:
    says(model_server, "Brno has 41, Praha 20 of 61 in all, so Brno has 67.2%.")
    run = session_with(model_server).ask("Total by city?")
    said = "Brno has 41, Praha 20 of 61 [not in the results] in all, so Brno has 67.2% [not in the results]."
    assert run.answer == said
    assert "61 [not in the results]" in " ".join(answer_text(run).split())
    assert "61 [not in the results]" in answer_html(run)


def test_numbers_of_the_question_and_of_earlier_results_stand(model_server: Any) -> None:
    session = session_with(model_server)
    says(model_server, "See totals.")
    assert session.ask("Total by city?").answer == "See totals."
    model_server.brain = lambda asked: model_server.Reply("Above 15 are both: 41 and 20.")
    assert session.ask("Which are above 15?").answer.startswith("Above 15 are both")


def test_what_the_model_said_before_supports_nothing(model_server: Any) -> None:
    session = session_with(model_server)
    model_server.brain = lambda asked: model_server.Reply("It is 99.")
    assert session.ask("How much?").answer == "It is 99 [not in the results]."
    assert session.ask("Sure?").answer == "It is 99 [not in the results]."


def test_notes_of_a_model_are_held_against_the_results_too(model_server: Any) -> None:
    calls = [[("run_sql", {"sql": SQL})], [("summarize_result", {"question": "Q", "notes": "In all 61."})]]
    model_server.brain = lambda asked: (
        model_server.Reply(calls=calls[len(asked.results)])
        if len(asked.results) < 2
        else model_server.Reply("61 it is.")
    )
    run = session_with(model_server).ask("Total by city?")
    assert "In all 61 [not in the results]." in run.steps[-1].summary or "withheld" in run.steps[-1].summary
    assert run.answer == "61 [not in the results] it is."


def test_a_summary_is_written_by_the_model_where_it_may_see_rows(model_server: Any) -> None:
    calls = [[("run_sql", {"sql": SQL})], [("summarize_result", {"question": "Total by city?"})]]

    def brain(asked: Any) -> Any:
        if asked.system == SUMMARIZER_SYSTEM:
            assert "Brno,41" in asked.question
            return model_server.Reply("Brno leads with 41, ahead of Praha with 20 by 22.")
        done = len(asked.results)
        return model_server.Reply(calls=calls[done]) if done < 2 else model_server.Reply(asked.results[-1][1])

    model_server.brain = brain
    run = session_with(model_server, policy="rows").ask("Total by city?")
    assert run.answer == "Brno leads with 41, ahead of Praha with 20 by 22 [not in the results]."
    assert run.usage.requests == len(run.sent) == 4
    model_server.requests.clear()
    schema = session_with(model_server).ask("Total by city?")
    assert not any(r.system == SUMMARIZER_SYSTEM for r in model_server.requests)
    assert schema.usage.requests == 3
    sent = json.dumps([r.body for r in model_server.requests])
    assert "Brno" not in sent
    assert not re.search(r"(?<!\w)41(?!\w)", sent)  # not a part of an id


def test_titles_of_charts_and_labels_of_results_are_held_against_the_results_too(model_server: Any) -> None:
    bars = {"mark": "bar", "encoding": {"x": {"field": "city"}, "y": {"field": "total"}}}
    turns = [
        [("run_sql", {"sql": SQL, "label": "totals"})],
        [
            ("render_chart", {"spec": {**bars, "title": "Brno leads with 41"}, "label": "totals"}),
            ("render_chart", {"spec": bars, "label": "totals", "title": "77 in all"}),
            ("render_chart", {"spec": {**bars, "title": "88 in all"}, "label": "totals"}),
        ],
        [
            (
                "show_artifacts",
                {"artifacts": [{"id": "totals", "label": "99 sales"}, {"id": "chart_1", "label": "Bars"}]},
            )
        ],
    ]
    model_server.brain = lambda asked: (
        model_server.Reply(calls=turns[(0, 1, 1, 1, 2)[len(asked.results)]])
        if len(asked.results) < 5
        else model_server.Reply("See the charts.")
    )
    run = session_with(model_server).ask("Total by city?")
    assert run.status == "answered", run.answer
    assert [s.status for s in run.steps] == ["ok"] * 5, [s.summary for s in run.steps]
    titles = [chart.title for chart in run.of(Chart)]
    assert titles == ["Brno leads with 41", "77 [not in the results] in all", "88 [not in the results] in all"]
    assert "99 [not in the results] sales" in answer_text(run)


def test_the_embedded_planner_is_not_marked() -> None:
    run = lx.Session({"sales": FRAME}, namespace={}).ask("total amount by city")
    assert run.ok
    assert "not in the results" not in run.answer
