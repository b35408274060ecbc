"""Pictures of what moved scores: numbers as shap has them, cells that draw the same, sent to the page on request."""

from __future__ import annotations

import base64
import json
import re
import warnings
from typing import Any

import numpy as np
import pytest

import lexsi_nb as lx
from lexsi_nb.app.shap_views import ShapViews
from lexsi_nb.errors import BadData, UnknownCase, UnknownColumn
from lexsi_nb.widgets.live.shap import ShapPlots
from lexsi_nb.widgets.named_values import named_values
from tests.chart_specs import plain


def names_of(session: lx.Session) -> dict[str, Any]:
    made = session.explainer.made()
    names = {made.frame_name: made.variables.frame(made.frame_name), made.trained.name("model"): made.trained.model}
    return names | ({made.trained.name("quality"): made.trained.quality.frame} if made.trained.calibrated else {})


@pytest.mark.parametrize(
    ("plot", "chosen"),
    [
        ("importance", {}),
        ("beeswarm", {}),
        ("dependence", {"feature": "amount due"}),
        ("dependence", {"feature": "amount due", "by": "grade's"}),
        ("dependence", {"feature": "grade's", "by": "rate"}),
        ("waterfall", {}),
    ],
)
def test_the_cell_of_each_picture_draws_the_same_in_a_fresh_namespace(
    session: lx.Session, plot: Any, chosen: dict[str, Any]
) -> None:
    view = ShapViews(session.explainer).view(plot, **chosen)
    names = names_of(session)
    exec(compile(view.cell.source, "cell", "exec"), names)
    assert set(view.cell.requires) == set(names_of(session))
    assert plain(names[view.chart.name].to_dict(format="vega-lite")) == plain(view.chart.spec)


def test_a_waterfall_goes_from_the_base_value_to_the_raw_score_of_shap(session: lx.Session) -> None:
    shap = pytest.importorskip("shap")
    made = session.explainer.made()
    views = ShapViews(session.explainer)
    case = views.cases[2]
    bars = views.view("waterfall", case=str(case)).chart.spec["layer"][0]["data"]["values"]
    frame = made.variables.frame(made.frame_name)
    X = frame.loc[frame["loan_id"] == case, list(made.trained.features)].copy()
    for name in X:
        X[name] = X[name].astype("category" if name in made.trained.categories else "float64")
    booster = getattr(made.trained.model, "booster_", made.trained.model)
    explainer = shap.TreeExplainer(booster)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shap says that its output changed its form
        values = np.asarray(explainer.shap_values(X))
    values = values[-1] if values.ndim == 3 else values
    wanted = dict(zip(map(str, made.trained.features), values[0], strict=True))
    assert {b["feature"]: b["contribution"] for b in bars if b["feature"]} == pytest.approx(wanted, abs=1e-9)
    amount = frame.loc[frame["loan_id"] == case, "amount due"].iloc[0]
    assert f"amount due = {amount:,}" in [b["label"] for b in bars]
    assert bars[-1]["text"].startswith(f"{bars[-1]['end']:+.2f}")
    assert bars[0]["start"] == pytest.approx(float(np.ravel(explainer.expected_value)[-1]), abs=1e-9)
    raw = float(made.trained.model.predict(X, raw_score=True)[0])
    if not made.trained.calibrated:
        assert bars[-1]["end"] == pytest.approx(raw, abs=1e-9)


def test_cases_are_offered_in_the_order_of_the_ranking(session: lx.Session) -> None:
    scored = session.explainer.made().predicted.frame
    cases = ShapPlots(ShapViews(session.explainer)).state["cases"]
    assert [c["id"] for c in cases] == [str(i) for i in scored["loan_id"]]
    assert cases[1]["label"] == f"{cases[1]['id']} (rank 2, score {scored['probability'].iloc[1]:.3f})"


def test_a_large_frame_is_drawn_from_and_the_cell_draws_the_same_rows(
    session: lx.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexsi_nb.app.shap_views.MOST_CASES", 30)
    views = ShapViews(session.explainer)
    assert (views.n_rows, len(views.explained.frame)) == (80, 30)
    view = views.view("importance")
    names = names_of(session)
    exec(compile(view.cell.source, "cell", "exec"), names)
    assert plain(names[view.chart.name].to_dict(format="vega-lite")) == plain(view.chart.spec)
    assert "30 scores" in view.chart.title


def test_the_page_chooses_and_gets_the_picture_in_its_colours(session: lx.Session) -> None:
    pytest.importorskip("vl_convert")
    plots = ShapPlots(session.shap())
    plots.receive(
        {"id": "1", "request": "show", "content": {"plot": "dependence", "feature": "rate", "by": "amount due"}}
    )
    assert (plots.state["plot"], plots.state["feature"], plots.state["by"]) == ("dependence", "rate", "amount due")
    assert plots.state["alt"].startswith("How rate moved 80 scores")
    assert "rate" in plots.cell().source
    light, dark = (
        base64.b64decode(plots.receive({"id": "2", "request": "picture", "content": {"dark": d}})["reply"]["png"])
        for d in (False, True)
    )
    assert light.startswith(b"\x89PNG")
    assert light != dark
    plots.receive({"id": "3", "request": "show", "content": {"by": ""}})
    assert plots.state["by"] == ""
    assert len(json.dumps(plots.state)) < 10_000
    assert "<img" in plots.static()["text/html"]


@pytest.mark.parametrize(
    ("content", "said"),
    [({"plot": "pie"}, "There is no picture 'pie'."), ({"plot": "dependence", "feature": "rat"}, "rate"),
     ({"plot": "waterfall", "case": "9999"}, "9999")],
)  # fmt: skip
def test_what_is_not_there_is_said_and_the_picture_stays(session: lx.Session, content: Any, said: str) -> None:
    plots = ShapPlots(session.shap())
    before = dict(plots.state)
    assert said in plots.receive({"id": "1", "request": "show", "content": content})["error"]
    assert plots.state == before


def test_names_of_the_user_are_not_taken(session: lx.Session) -> None:
    made = session.explainer.made()
    made.variables.namespace["shap_values"] = "mine"
    try:
        view = ShapViews(session.explainer).view("importance")
        assert "shap_values" not in view.cell.produces
        assert made.variables.namespace["shap_values"] == "mine"
    finally:
        del made.variables.namespace["shap_values"]


def test_a_feature_or_case_that_is_not_there_is_named(session: lx.Session) -> None:
    views = ShapViews(session.explainer)
    with pytest.raises(UnknownColumn):
        views.view("dependence", feature="colour")
    with pytest.raises(UnknownCase):
        views.view("waterfall", case=9_999)


def test_a_model_elsewhere_is_not_asked(session: lx.Session) -> None:
    from dataclasses import replace

    class Away:
        local = False

    with pytest.raises(BadData, match="Lexsi platform"):
        ShapViews(replace(session.explainer.made(), backend=Away()))


def test_a_bar_in_text_is_as_long_as_the_importance(session: lx.Session) -> None:
    view = session.shap().view("importance")
    lines = [line.split() for line in repr(view).splitlines() if line.endswith("+")]
    sizes = {r.feature.split()[0]: r.importance for r in view.figures.itertuples()}
    widest = max(sizes.values())
    assert len(lines) == len(sizes)
    for words in lines:
        assert len(words[-1]) == max(1, round(20 * sizes[words[0]] / widest))
        assert words[-3] == f"{sizes[words[0]]:.3f}"


def test_a_beeswarm_in_text_counts_every_case(session: lx.Session) -> None:
    views = session.shap()
    view = views.view("beeswarm")
    assert [sum(counts) for counts in view.steps] == [80] * len(view.figures)
    moved = views.explained.frame["rate"]
    row = view.figures.set_index("feature").loc["rate"]
    assert (row["lowest"], row["highest"]) == pytest.approx((moved.min(), moved.max()))
    text = repr(view)
    assert re.search(r"rate +[+-]0\.\d\d +[+-]0\.\d\d +\+0\.\d\d +\|[ .:*#]{32}\|", text)


def test_dependence_and_waterfall_in_text_have_their_numbers(session: lx.Session) -> None:
    views = session.shap()
    case = views.cases[1]
    steps = views.view("waterfall", case=case)
    assert f"{steps.figures['end'].iloc[-1]:+.2f}" in repr(steps).splitlines()[-3]
    assert f"What moved the score of loan_id {case}" in repr(steps)
    by_word = views.view("dependence", feature="grade's")
    for row in by_word.figures.itertuples():
        assert re.search(rf"^{row.value} +{row.cases} +{re.escape(f'{row.contribution:+.2f}')} ", repr(by_word), re.M)


def test_the_text_of_a_picture_names_the_others(session: lx.Session) -> None:
    text = ShapPlots(session.shap(), "beeswarm").static()["text/plain"]
    lines = re.findall(r"^  %lexsi shap (.*)$", text, re.MULTILINE)
    assert [line.split()[0] for line in lines] == ["importance", "dependence", "waterfall"]
    for line in lines:
        [plot], chosen = named_values(line)
        assert session.shap().view(plot, **chosen).plot == plot
