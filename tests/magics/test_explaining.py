"""*Explain* anywhere: a ranking and a frame of predictions in a notebook, `lx.explain(row)`, `%lexsi explain ID`."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.errors import StaleResult, UnknownCase
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.magics.frames import shown_expression
from lexsi_nb.magics.showing import bundles, live_ranking
from lexsi_nb.modeling.embedded import EmbeddedBackend
from lexsi_nb.modeling.sureness import outside, sureness
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.explanation import mean_of, sentence
from lexsi_nb.widgets.live import predictions
from lexsi_nb.widgets.live.explained import explained_html
from lexsi_nb.widgets.live.offer import LIVE
from lexsi_nb.widgets.live.predictions import is_scored, predictions_table

RANK = [
    call("train_tabular_model", df_label="known", target_column="bad", entity_column="case"),
    call("predict", df_label="opened", top_k=3),
    call("explain_prediction", top_k=2),
    say("done"),
]


class Quick(EmbeddedBackend):
    """The embedded backend, which measures quality by one round of folds."""

    def train(self, frame: Any, spec: Any, **options: Any) -> Any:
        """Train."""
        return super().train(frame, dataclasses.replace(spec, repeats=1), **options)


def frames(n: int = 300) -> dict[str, Any]:
    """Return labelled and open cases; case 107 lies far from every known one."""
    rng = np.random.default_rng(3)
    known = pd.DataFrame({"case": range(n), "x": rng.normal(size=n), "y": rng.normal(size=n)})
    known["kind"] = rng.choice(["a", "b"], n)
    known["bad"] = (known["x"] + rng.normal(size=n) > 0.5).astype(int)
    opened = pd.DataFrame({"case": range(100, 130), "x": rng.normal(size=30), "y": rng.normal(size=30)})
    opened["kind"] = rng.choice(["a", "b"], 30)
    opened.loc[opened["case"] == 107, ["x", "kind"]] = [50.0, "c"]
    return {"known": known, "opened": opened}


@pytest.fixture(scope="module")
def ranked() -> Any:
    """A session that has ranked thirty cases."""
    session = lx.Session(namespace=frames(), planner=ScriptedPlanner(RANK), backend=Quick())
    assert session.ask("q").status == "answered"
    return session


@pytest.fixture
def shell(ip: Any, ranked: Any) -> Any:
    """A notebook's shell whose magics have that session."""
    magics = getattr(ip, ATTRIBUTE)
    magics._session = ranked
    magics.frontend = "notebook"
    ip.user_ns.update(ranked.namespace)
    yield ip
    magics._session = None


def _shown(ip: Any, value: Any) -> dict[str, Any]:
    return ip.display_formatter.format(value)[0]


def test_an_explanation_has_contributions_base_rate_similar_cases_and_how_sure(ranked: Any) -> None:
    predictions = ranked.namespace["predictions"]
    found = ranked.explain(107)
    row = predictions[predictions["case"] == 107].iloc[0]
    assert found.probability == pytest.approx(row["probability"])
    assert found.base + sum(r.contribution for r in found.reasons) == pytest.approx(found.raw_score)
    assert {r.feature: r.value for r in found.reasons}["x"] == "50"
    known = ranked.namespace["known"]
    beside = dict(found.beside)
    share = known["bad"].mean()
    assert beside["score"] == (
        f"{row['probability']:.3f}; the average of known cases is {share:.2f} ({known['bad'].sum()} of 300)"
    )
    assert re.fullmatch(r"bad in [0-3] of the 3 most similar known cases", beside["most like it"])
    lines = "\n".join(words for _, words in found.beside)
    nearest = re.search(r"^case (\d+): bad (?:yes|no) \(distance 0\.\d\d\)$", lines, re.MULTILINE)
    assert nearest is not None
    said = " ".join(words for _, words in found.beside)
    assert "of the 30 known cases that scored nearest" in said.lower()
    assert "The model: AUC" in said
    assert "Outside of what was learned from: x 50 (known: " in said
    assert "kind c (no known case has it)" in said
    names = dict(ranked.namespace)
    assert found.cell is not None
    exec(found.cell.source, names)
    assert names["similar_cases"]["similar_case"].iloc[0] == int(nearest[1])
    assert "lexsi" not in found.cell.source


def test_the_share_of_cases_that_scored_alike_is_counted(ranked: Any) -> None:
    trained = ranked.explainer.trained
    unseen = trained.out_of_fold
    nearest = unseen.iloc[(unseen["score"] - 0.4).abs().argsort(kind="stable")[:30]]
    line = sureness(trained, 0.4, {})[0]
    assert f"{int(nearest['outcome'].sum())} ended so: {nearest['outcome'].mean():.0%}" in line
    assert outside(trained, {"x": None, "kind": "a"}) == []


@pytest.mark.parametrize("form", [int, str, float], ids=["id", "text", "whole float"])
def test_a_case_is_named_by_its_id_in_any_form(ranked: Any, form: Any) -> None:
    assert ranked.explain(form(107)).case == "107"


def test_a_case_is_a_row_a_frame_of_one_row_or_a_mapping(ranked: Any) -> None:
    predictions = ranked.namespace["predictions"]
    row = predictions[predictions["case"] == 110]
    assert {ranked.explain(r).case for r in (row, row.iloc[0], {"case": 110})} == {"110"}
    with pytest.raises(UnknownCase, match="30 rows were passed"):
        ranked.explain(predictions)
    with pytest.raises(UnknownCase, match="Nearest: 11"):
        ranked.explain("1110")


def test_a_large_frame_is_explained_as_a_small_one(ranked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ranked.explain(107)
    monkeypatch.setattr("lexsi_nb.app.explaining.MANY_ROWS", 5)
    assert ranked.explain(107) == whole


def test_rows_without_an_id_are_named_by_their_place() -> None:
    names = {k: v.drop(columns="case") for k, v in frames(120).items()}
    asked = [call("train_tabular_model", df_label="known", target_column="bad"), *RANK[1:]]
    session = lx.Session(namespace=names, planner=ScriptedPlanner(asked), backend=Quick())
    assert session.ask("q").status == "answered"
    top = session.namespace["predictions"].iloc[0]
    assert session.explain(top).probability == pytest.approx(top["probability"])
    assert session.explain(int(top["row"])).case == str(int(top["row"]))
    with pytest.raises(UnknownCase):
        session.explain(99)


def test_the_sentence_names_what_moved_the_score_and_no_cause(ranked: Any) -> None:
    said = sentence(ranked.explain(107))
    assert said.startswith("What moved the score of case 107 most: x 50")
    assert "because" not in said


def test_several_cases_are_explained_together_and_each(ranked: Any) -> None:
    found = ranked.explainer.explain_all([107, 110, 111])
    mean = mean_of(found)
    assert mean.base + sum(r.contribution for r in mean.reasons) == pytest.approx(mean.raw_score)
    assert mean.raw_score == pytest.approx(np.mean([a.raw_score for a in found]))
    html = explained_html(found)
    assert "What moved the score of 3 cases, on average" in html
    assert html.count("<details") == 3
    assert "<script" not in html


def test_lx_explain_and_the_command_show_all_of_it(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("import lexsi_nb as lx\nmade = lx.explain(predictions.iloc[0])")
    plain = _shown(shell, shell.user_ns["made"])["text/plain"]
    shell.run_cell("%lexsi explain 107")
    printed = capsys.readouterr().out
    for text in (plain, printed):
        for part in ("What moved the score of case", "log-odds", "average of known cases", "most like it", "how sure"):
            assert part in text, (part, text)


@pytest.mark.parametrize(
    "make",
    [
        lambda p: p,
        lambda p: p.copy(),
        lambda p: p.head(4),
        lambda p: p.sort_values("case", ascending=False),
        lambda p: p.reset_index(drop=True).iloc[::-1].reset_index(drop=True),
        lambda p: p[["probability", "case"]],
        lambda p: p.assign(more=1),
    ],
    ids=["itself", "copy", "head", "sorted", "renumbered", "columns", "more columns"],
)
def test_scored_rows_as_a_last_line_have_explain_beside_their_static_form(shell: Any, make: Any) -> None:
    frame = make(shell.user_ns["predictions"])
    shown = _shown(shell, frame)
    assert LIVE in shown
    assert shown["text/html"] == frame._repr_html_()
    assert shown["text/plain"] == repr(frame)


def test_what_was_explained_stands_in_the_rows_of_a_shown_frame(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = shell.user_ns["predictions"]
    magics = getattr(shell, ATTRIBUTE)
    table = predictions_table(magics.explainer, frame=frame, name="predictions", known=magics.explained)
    rows = {str(r["name"]): r["cells"][3] for r in table.state["page"]["rows"]}
    explained = [str(a.case) for a in magics.explained]
    assert len(explained) == 2
    assert all("x" in rows[case] for case in explained)
    assert any(not cell for cell in rows.values())
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(predictions, "predictions_table", lambda *a, **k: given.append(k) or predictions_table(*a, **k))
    assert LIVE in _shown(shell, frame)
    assert given[0]["known"] == magics.explained


@pytest.mark.parametrize(
    "make",
    [
        lambda n: n["opened"],
        lambda n: n["predictions"].head(0),
        lambda n: n["predictions"].assign(probability=0.5),
        lambda n: n["predictions"][["case", "rank"]],
        lambda n: pd.DataFrame({"case": [999], "probability": [0.5]}),
        lambda n: pd.DataFrame({"case": ["107"], "probability": [0.5]}),
        lambda n: pd.DataFrame(),
    ],
    ids=["inputs", "empty", "other scores", "no scores", "other ids", "ids as text", "nothing"],
)
def test_other_frames_are_left_to_pandas(shell: Any, make: Any) -> None:
    frame = make(shell.user_ns)
    shown = _shown(shell, frame)
    assert LIVE not in shown
    assert shown["text/html"] == frame._repr_html_()


def test_without_a_person_or_without_the_extension_frames_are_as_ever(shell: Any) -> None:
    predictions = shell.user_ns["predictions"]
    getattr(shell, ATTRIBUTE).frontend = "headless"
    assert set(_shown(shell, predictions)) == {"text/html", "text/plain"}
    getattr(shell, ATTRIBUTE).frontend = "notebook"
    shell.run_line_magic("config", "LexsiMagics.widgets = 'static'")
    assert set(_shown(shell, predictions)) == {"text/html", "text/plain"}
    shell.run_line_magic("config", "LexsiMagics.widgets = 'live'")
    assert LIVE in _shown(shell, predictions)
    shell.run_line_magic("unload_ext", "lexsi_nb")
    assert set(_shown(shell, predictions)) == {"text/html", "text/plain"}
    shell.run_line_magic("load_ext", "lexsi_nb")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("x = 1\npredictions.head(x)", "predictions.head(x)"),
        ("display(predictions[:3])", "predictions[:3]"),
        ("predictions.query(\n  'case > 107'\n)", "predictions.query(\n  'case > 107'\n)"),
        ("x = predictions", ""),
        ("display(a, b)", ""),
        ("%magic", ""),
        ("", ""),
    ],
)
def test_the_expression_that_a_cell_shows_is_found(source: str, shown: str) -> None:
    assert shown_expression(source) == shown


def test_the_code_of_a_shown_expression_makes_its_rows(ranked: Any) -> None:
    predictions = ranked.namespace["predictions"]
    part = predictions[predictions["probability"] > 0.3]
    table = predictions_table(
        ranked.explainer, frame=part, name="rows", made_by="predictions[predictions.probability > 0.3]"
    )
    reply = table.receive({"id": "1", "request": "page", "content": {"sort": {"column": 0, "descending": True}}})
    assert reply == {"id": "1", "reply": {}}
    cell = table.cell()
    assert cell is not None
    made = cell.run({"predictions": predictions})["shown"]
    assert made["case"].tolist() == sorted(part["case"], reverse=True)


def test_a_row_of_the_table_is_explained_and_its_reasons_stay_beside_it(ranked: Any) -> None:
    table = predictions_table(ranked.explainer, page=5)
    first = table.state["page"]["rows"][0]
    assert [c["name"] for c in table.state["columns"]][:4] == ["#", "case", "score", "what moved it"]
    assert first["cells"][3] == ""
    reply = table.receive({"id": "1", "request": "explain", "content": {"places": [first["place"]]}})["reply"]
    assert reply["sentence"].startswith(f"What moved the score of case {first['name']} most: ")
    assert "how sure" in reply["html"]
    table.receive({"id": "2", "request": "page", "content": {}})
    row = table.state["page"]["rows"][0]
    assert "▲\u00a0x" in row["cells"][3]
    assert re.search(r"x 50: \+\d\.\d\d", row["titles"]["3"])
    assert "No row" in table.receive({"id": "3", "request": "explain", "content": {"places": [-1, 1e9, "x"]}})["error"]
    assert (
        "At most 50"
        in table.receive({"id": "4", "request": "explain", "content": {"places": [*range(30)] * 2}})["error"]
    )


def test_a_click_sends_no_row_to_a_hosted_model(ranked: Any) -> None:
    class Hosted(Quick):
        local = False

    hosted = dataclasses.replace(ranked.explainer, backend=Hosted())
    known = ranked.explain(107)
    table = predictions_table(hosted, known=[known])
    at = {row["name"]: row["place"] for row in table.state["page"]["rows"]}
    reply = table.receive({"id": "1", "request": "explain", "content": {"places": [at.pop("107")]}})
    assert "how sure" in reply["reply"]["html"]
    other, place = at.popitem()
    reply = table.receive({"id": "2", "request": "explain", "content": {"places": [place]}})
    assert reply["error"] == (
        f"{other} is not explained yet. The model is hosted, so its row would be sent there. %lexsi explain {other}"
    )


def test_frames_of_polars_are_explained_too() -> None:
    import polars

    names = frames(120)
    names["opened"] = polars.from_pandas(names["opened"])
    session = lx.Session(namespace=names, planner=ScriptedPlanner(RANK), backend=Quick())
    assert session.ask("q").status == "answered"
    top = session.namespace["predictions"].iloc[0]
    found = session.explain(int(top["case"]))
    assert found.probability == pytest.approx(top["probability"])
    assert "most like it" in dict(found.beside)


def test_a_regression_is_explained_in_the_unit_of_its_target() -> None:
    names = frames(120)
    names["known"]["bad"] = names["known"]["x"] * 10 + 100
    train = call(
        "train_tabular_model", df_label="known", target_column="bad", entity_column="case", task_type="regression"
    )
    session = lx.Session(namespace=names, planner=ScriptedPlanner([train, *RANK[1:]]), backend=Quick())
    assert session.ask("q").status == "answered"
    found = session.explain(session.namespace["predictions"].iloc[0])
    assert found.probability is None
    assert found.base + sum(r.contribution for r in found.reasons) == pytest.approx(found.raw_score)
    assert {heading for heading, _ in found.beside if heading} == {"most like it", "how sure"}
    table = predictions_table(session.explainer)
    reply = table.receive({"id": "1", "request": "explain", "content": {"places": [0, 1]}})
    assert "on average" in reply["reply"]["html"]


def test_of_several_classes_the_predicted_one_is_explained() -> None:
    names = frames(120)
    names["known"]["bad"] = np.random.default_rng(0).choice(["a", "b", "c"], 120)
    session = lx.Session(namespace=names, planner=ScriptedPlanner(RANK), backend=Quick())
    assert session.ask("q").status == "answered"
    predictions = session.namespace["predictions"]
    found = session.explain(predictions.iloc[0])
    assert dict(found.beside)["predicted"].startswith(f"{predictions['predicted'].iloc[0]}, score ")
    one_each = predictions.drop_duplicates("predicted")["case"].tolist()
    assert "each is explained by itself" in explained_html(session.explainer.explain_all(one_each))
    alike = predictions[predictions["predicted"] == predictions["predicted"].iloc[0]]["case"].head(2).tolist()
    assert "2 cases, on average" in explained_html(session.explainer.explain_all(alike))


def test_a_ranking_is_live_in_a_notebook_and_static_without_a_person(ranked: Any) -> None:
    run = ranked.runs[-1]
    ranking = live_ranking(run, "notebook", ranked.explainer)
    assert ranking is not None
    assert LIVE in ranking
    assert "<details" in ranking["text/html"]
    live, static = bundles(run, ranking=ranking), bundles(run, live=False)
    assert [LIVE in b for b in live[:2]] == [False, True]
    assert "<details>" not in live[0]["text/html"]
    assert live[1]["text/html"] in static[0]["text/html"]
    assert live[1]["text/plain"] in static[0]["text/plain"]
    assert all(LIVE not in b for b in static)
    assert live_ranking(run, "headless", ranked.explainer) is None
    assert live_ranking(run, "terminal", ranked.explainer) is None
    assert live_ranking(run, "notebook", None) is None


def test_scores_that_are_stale_are_not_explained() -> None:
    session = lx.Session(namespace=frames(), planner=ScriptedPlanner(RANK), backend=Quick())
    session.ask("q")
    table = predictions_table(session.explainer)
    session.namespace["opened"].loc[0, "x"] = 9.0
    with pytest.raises(StaleResult):
        session.explain(107)
    reply = table.receive({"id": "1", "request": "explain", "content": {"places": [0]}})
    assert "stale" in reply["error"]
    assert is_scored(session.explainer, session.namespace["predictions"])
