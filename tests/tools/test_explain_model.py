"""explain_model and counterfactuals: reachable by a call, their cells alone give the same, their pictures are drawn."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Chart, Table
from lexsi_nb.planners.scripted import call
from tests.chart_specs import plain


@pytest.fixture
def frames() -> dict[str, Any]:
    """Return 150 labelled and 60 open cases: a number with a gap, words, a date, and noise."""
    rng = np.random.default_rng(3)

    def make(n: int, first: int) -> pd.DataFrame:
        return pd.DataFrame({
            "case": range(first, first + n),
            "amount": rng.gamma(3, 1000, n).round(),
            "noise": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "kind": pd.Series(rng.choice(["a", "b", "c"], n)).where(rng.random(n) > 0.1),
            "opened": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
        })  # fmt: skip

    known = make(150, 0)
    known["bad"] = (known["amount"] + 2000 * (known["kind"] == "c") + rng.normal(size=150) * 800 > 4200).astype(int)
    return {"known": known, "opened": make(60, 1000)}


TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="case")
SCORE = call("predict", df_label="opened")
CHANGE = call("explain_prediction", top_k=2, include_counterfactual=True, immutable=["kind"])


def charts_of(run: Any) -> dict[str, Chart]:
    return {c.name: c for c in run.of(Chart)}


@pytest.mark.parametrize("feature", ["amount", "kind", "opened"])
def test_importance_beeswarm_and_dependence_and_their_cells_alone(frames, play, feature):
    inputs = {k: v.copy() for k, v in frames.items()}
    run = play(TRAIN, SCORE, call("explain_model", feature=feature), namespace=frames)
    assert {s.status for s in run.steps} == {"ok"}, run.steps[2].summary
    charts = charts_of(run)
    assert {"importance_chart", "beeswarm_chart", "dependence_chart"} <= set(charts)
    assert frames["importance"]["feature"].iloc[0] == "amount"
    assert frames["dependence"]["cases"].sum() == 60
    assert len(frames["overall_attributions"]) == 60
    names: dict[str, Any] = inputs
    for cell in run.cells:
        assert "lexsi" not in cell.source
        exec(compile(cell.source, "<cell>", "exec"), names)
    for name in ("overall_attributions", "importance", "dependence"):
        pd.testing.assert_frame_equal(names[name], frames[name])
    for name in ("importance_chart", "beeswarm_chart", "dependence_chart"):
        assert plain(names[name].to_dict(format="vega-lite")) == plain(charts[name].spec), name


def test_pictures_have_a_mark_a_case_words_and_gaps_included(frames, play):
    convert = pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    run = play(TRAIN, SCORE, call("explain_model", feature="kind"), namespace=frames)
    charts = charts_of(run)
    for chart in charts.values():
        json.dumps(chart.spec, allow_nan=False)
        assert chart.alt.startswith(chart.title)
    swarm = convert.vegalite_to_svg(charts["beeswarm_chart"].spec, vl_version="5.20")
    assert swarm.count('aria-roledescription="circle"') == 60 * 4
    dots = convert.vegalite_to_svg(charts["dependence_chart"].spec, vl_version="5.20")
    assert dots.count('aria-roledescription="circle"') == int(frames["opened"]["kind"].notna().sum())
    bars = convert.vegalite_to_svg(charts["importance_chart"].spec, vl_version="5.20")
    size = frames["importance"]["importance"]
    assert bars.count('aria-roledescription="bar"') == int((size > 0.01 * size.max()).sum()) >= 3


def test_the_summary_leads_with_what_was_asked_for(frames, play):
    run = play(
        TRAIN, SCORE, call("explain_model", feature="amount"), call("summarize_result", question="q"), namespace=frames
    )
    text = run.steps[-1].summary
    assert text.startswith("How amount moved the scores, mean contribution in log-odds: most upward at ")
    assert "What moved the 60 scores of opened most: amount (" in text
    assert "Highest scores" not in text
    table = frames["dependence"]
    top = table.loc[table["contribution"].idxmax()]
    assert f"{top['value']}: {top['contribution']:+.2f} ({top['cases']} cases)" in text
    assert run.facts["importance"]
    assert any(t.title == "how amount moved the scores" for t in run.of(Table))


def test_a_model_is_explained_before_anything_is_scored(frames, play):
    run = play(TRAIN, call("explain_model"), namespace=frames)
    assert run.steps[1].status == "ok", run.steps[1].summary
    assert len(frames["overall_attributions"]) == 150


def test_large_frames_are_explained_by_a_sample_which_is_said(frames, play):
    frames["opened"] = pd.concat([frames["opened"]] * 50, ignore_index=True).assign(case=range(3000))
    run = play(TRAIN, SCORE, call("explain_model"), namespace=frames)
    assert len(frames["overall_attributions"]) == 2000
    assert "2,000 of 3,000 rows of opened, drawn at random" in run.facts["importance"][0]
    drawn = next(c for c in run.cells if "explained_rows" in c.produces)
    assert frames["explained_rows"]["case"].tolist() == drawn.run(frames)["explained_rows"]["case"].tolist()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"feature": "amuont"}, "Nearest: amount"),
        ({"df_label": "opend"}, "opened"),
        ({"model_id": "LightGBM_none"}, "No model 'LightGBM_none'"),
    ],
)
def test_what_is_not_there_is_named_and_nothing_is_left(frames, play, args, says):
    run = play(TRAIN, SCORE, call("explain_model", **args), namespace=frames)
    assert run.steps[2].status == "failed"
    assert says in run.steps[2].summary
    assert "overall_attributions" not in frames
    assert "predictions" in frames


def test_nothing_is_explained_without_a_model(frames, play):
    run = play(call("explain_model"), namespace=frames)
    assert "Call train_tabular_model first" in run.steps[0].summary


# -- counterfactuals


def test_a_counterfactual_is_a_table_that_keeps_immutable_columns(frames, play):
    inputs = {k: v.copy() for k, v in frames.items()}
    run = play(TRAIN, SCORE, CHANGE, call("summarize_result", question="q"), namespace=frames)
    assert {s.status for s in run.steps} == {"ok"}, run.steps[2].summary
    table = frames["counterfactuals"]
    assert table["case"].drop_duplicates().tolist() == frames["predictions"]["case"].head(2).tolist()
    assert "kind" not in set(table["feature"])
    shown = next(t for t in run.of(Table) if t.title == "what would have to change")
    assert shown.frame is table
    said = run.facts["what if"]
    assert said[0].startswith(f"Case {table['case'].iloc[0]} scores ")
    assert "Kept as they are: kind." in said[-1]
    assert "It is not advice" in said[-1]
    assert said[0] in run.steps[-1].summary
    assert said[0].split(";")[0] in run.steps[2].summary
    names: dict[str, Any] = inputs
    for cell in (c for c in run.cells if c.kind != "chart"):
        exec(compile(cell.source, "<cell>", "exec"), names)
    pd.testing.assert_frame_equal(names["counterfactuals"], table)


def test_scores_are_moved_up_and_past_a_mark_of_ones_own(frames, play):
    low = frames["opened"].query("kind == 'a'").nsmallest(1, "amount")["case"].iloc[0]
    ask = call(
        "explain_prediction", case_ids=[int(low)], include_counterfactual=True, toward="higher", mark=0.4
    )  # fmt: skip
    run = play(TRAIN, SCORE, ask, namespace=frames)
    assert run.steps[2].status == "ok", run.steps[2].summary
    assert frames["counterfactuals"]["score"].iloc[-1] >= 0.4


def test_the_summary_tells_the_first_cases_in_order_and_counts_the_others(frames, play):
    many = call("explain_prediction", top_k=7, include_counterfactual=True, immutable=["kind"])
    run = play(TRAIN, SCORE, many, call("summarize_result", question="q"), namespace=frames)
    text, ids = run.steps[-1].summary, frames["predictions"]["case"].head(7).tolist()
    assert [i for i in ids if f"Case {i} scores" in text] == ids[:4]
    assert "3 more cases in counterfactuals. Kept as they are: kind." in text


def test_several_classes_say_how_to_ask_for_one(frames, play):
    frames["known"] = frames["known"].drop(columns="bad")
    frames["known"]["outcome"] = [("low", "mid", "high")[i % 3] for i in range(len(frames["known"]))]
    train = call("train_tabular_model", df_label="known", target_column="outcome", entity_column="case")
    run = play(train, SCORE, CHANGE, namespace=frames)
    assert "Train on a column that says whether outcome is the class you mean." in run.steps[2].summary


def test_an_unknown_immutable_column_is_named_and_the_scores_stay(frames, play):
    wrong = call("explain_prediction", top_k=1, include_counterfactual=True, immutable=["amuont"])
    run = play(TRAIN, SCORE, wrong, namespace=frames)
    assert run.steps[2].status == "failed"
    assert "Nearest: amount" in run.steps[2].summary
    assert "attributions" not in frames
    assert "predictions" in frames
