"""Synthetic frames and, where they are there, the real loans."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def backend():
    from lexsi_nb.modeling.embedded import EmbeddedBackend

    return EmbeddedBackend()


@pytest.fixture(scope="session", params=["LightGBM", "XGBoost"])
def model_type(request):
    """Each library of models that is installed."""
    pytest.importorskip(request.param.lower(), reason=f"{request.param} is not installed: not tested with it")
    return request.param


@pytest.fixture(scope="session")
def make_cases():
    """Return a maker of labelled frames: a number, a noise number, words, gaps, dates, a target `bad`."""
    import numpy as np
    import pandas as pd

    def make(n=300, *, seed=0, rate=0.2, strength=1.5):
        rng = np.random.default_rng(seed)
        amount = rng.gamma(3, 1000, n).round()
        region = rng.choice(["north", "south", "east"], n)
        risk = strength * (amount - 3000) / 1700 + np.where(region == "south", 1.0, 0.0) + rng.logistic(size=n)
        frame = pd.DataFrame({
            "case_id": np.arange(n) * 7 + 100,
            "amount": amount,
            "noise": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "region": pd.Series(region).where(rng.random(n) > 0.05),
            "opened": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "bad": (risk > np.quantile(risk, 1 - rate)).astype(int),
        })  # fmt: skip
        return frame

    return make


@pytest.fixture(scope="session")
def spec():
    from lexsi_nb.modeling.backend import TrainSpec

    def make(**changes):
        # Two repeats of the cross-validation, where their number is not the point; None is as a user gets it.
        return TrainSpec(**{"target": "bad", "entity": "case_id", "repeats": 2, **changes})

    return make


@pytest.fixture(scope="session")
def trained(backend, make_cases, spec):
    """One model on 300 synthetic rows, as a user gets it."""
    return backend.train(make_cases(), spec(time_column="opened", repeats=None))


@pytest.fixture(scope="session")
def trained_by(backend, make_cases, spec, model_type):
    """The same with each library."""
    return backend.train(make_cases(), spec(time_column="opened", model_type=model_type))


@pytest.fixture(scope="session")
def loans(berka_folder):
    """Return (finished, running in order, running in debt) of the real loan table."""
    import pandas as pd

    loan = pd.read_csv(berka_folder / "loan.asc", sep=";")
    loan["date"] = pd.to_datetime(loan["date"].astype(str), format="%y%m%d")
    loan["is_default"] = loan["status"].isin(["B", "D"]).astype(int)
    keep = ["loan_id", "date", "amount", "duration", "is_default"]
    pick = {c: loan.loc[loan["status"].isin(list(c)), keep].reset_index(drop=True) for c in ("AB", "C", "D")}
    return pick["AB"], pick["C"], pick["D"]


@pytest.fixture(scope="session")
def run_cells():
    """Return a function: the namespace after cells ran in order, as a notebook would run them."""

    def run(cells, frames):
        names = dict(frames)
        for cell in cells:
            assert "lexsi" not in cell.source
            exec(compile(cell.source, "<cell>", "exec"), names)
        return names

    return run


@pytest.fixture(scope="session")
def check_cells(run_cells):
    """Return a function: train, score and explain, compare with the cells alone; (trained, predicted, explained)."""
    import pandas as pd

    from lexsi_nb.modeling.libraries.library import library_of

    def check(backend, frame, spec, scored=None):
        scored = frame if scored is None else scored
        made = backend.train(frame, spec)
        predicted = backend.predict(made, scored)
        ids = predicted.frame[predicted.entity].head(10).tolist()
        explained = backend.explain(made, scored, ids)
        names = run_cells([*made.cells, predicted.cell, explained.cell], {spec.frame_name: frame, "predict_df": scored})
        pd.testing.assert_frame_equal(names["predictions"], predicted.frame, rtol=0, atol=1e-9)
        pd.testing.assert_frame_equal(names["attributions"], explained.frame, rtol=0, atol=1e-6)
        pd.testing.assert_frame_equal(names["quality"], made.quality.frame)
        content = library_of(made.model_type).content
        assert content(names["model"]) == content(made.model)
        return made, predicted, explained

    return check
