"""Pictures of what moved scores: numbers as shap has them, cells that draw the same, sent to the page on request."""

from __future__ import annotations

import base64
import json
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.app.shap_views import ShapViews
from lexsi_nb.errors import BadData, UnknownCase, UnknownColumn
from lexsi_nb.widgets.live.shap import ShapPlots
from tests.chart_specs import plain


def loans(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "loan_id": np.arange(1, n + 1),
            "amount due": rng.integers(1_000, 90_000, n),
            "grade's": rng.choice(["a", "b", "it's"], n),
            "rate": np.where(rng.random(n) < 0.1, np.nan, rng.random(n)),
        }
    )
    push = frame["amount due"] / 30_000 + 2 * (frame["grade's"] == "b") + rng.normal(0, 1, n)
    frame["defaulted"] = np.where(np.arange(n) < 220, (push > 2).astype(float), np.nan)
    return frame


@pytest.fixture(scope="module")
def session() -> lx.Session:
    session = lx.Session({"loans": loans()}, namespace={})
    run = session.ask("which loans are likely to be defaulted?")
    assert session.explainer is not None, run.answer
    return session


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
    assert {b["feature"]: b["contribution"] for b in bars} == pytest.approx(
        dict(zip(map(str, made.trained.features), values[0], strict=True)), abs=1e-9
    )
    assert bars[0]["start"] == pytest.approx(float(np.ravel(explainer.expected_value)[-1]), abs=1e-9)
    raw = float(made.trained.model.predict(X, raw_score=True)[0])
    if not made.trained.calibrated:
        assert bars[-1]["end"] == pytest.approx(raw, abs=1e-9)


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
    plots = ShapPlots(session.explainer)
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
    plots = ShapPlots(session.explainer)
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
