"""A backend elsewhere: its calls are asked about with what they send, and act once."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.modeling.embedded import EmbeddedBackend
from lexsi_nb.planners.scripted import call

TRAIN = call("train_tabular_model", df_label="known", target_column="bad", compute_type="T4.small")


class Elsewhere(EmbeddedBackend):
    """Says that it is elsewhere; what it was sent is counted."""

    name = "models.example.com"
    local = False

    def __init__(self) -> None:
        self.trained = 0

    def train(self, *args: Any, **options: Any) -> Any:
        self.trained += 1
        return super().train(*args, **options)


@pytest.fixture
def names() -> dict[str, Any]:
    import numpy as np

    draw = np.random.default_rng(0)
    x = draw.normal(size=200)
    bad = (x + draw.normal(size=200) > 0.5).astype(int)
    return {"known": pd.DataFrame({"id": range(200), "x": x, "bad": bad})}


def test_training_elsewhere_shows_rows_columns_place_compute_and_cost_first(names: dict[str, Any], play: Any) -> None:
    backend = Elsewhere()
    run = play(TRAIN, namespace=names, backend=backend)
    assert (run.status, backend.trained) == ("awaiting_approval", 0)
    assert dict(run.approval.effect) == {
        "frame known": "200 rows: id, x, bad",
        "goes to": "models.example.com",
        "cost": "it may cost money; the backend does not say how much",
        "note": "Compute: T4.small.",
    }
    run.resume(approve=True)
    assert (run.steps[0].status, backend.trained) == ("ok", 1)


def test_training_elsewhere_acts_once_for_one_question(names: dict[str, Any], play: Any) -> None:
    backend = Elsewhere()
    twice = play(TRAIN, TRAIN, namespace=names, backend=backend, approve=("train_tabular_model",))
    assert [s.status for s in twice.steps] == ["ok", "duplicate"]
    later = play(TRAIN, namespace=names, backend=backend, approve=("train_tabular_model",))
    assert later.steps[0].status == "failed"
    assert "--again" in later.steps[0].summary
    assert backend.trained == 1


def test_a_backend_that_does_not_say_where_it_is_counts_as_elsewhere(names: dict[str, Any], play: Any) -> None:
    class Silent:
        name = "silent"

    assert play(TRAIN, namespace=names, backend=Silent()).status == "awaiting_approval"


def test_training_here_asks_nobody_and_keeps_no_key(names: dict[str, Any], play: Any, state_folder: Any) -> None:
    run = play(TRAIN, TRAIN, namespace=names)
    assert [s.status for s in run.steps] == ["ok", "ok"]
    assert not state_folder.exists()
