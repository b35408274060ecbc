"""What is not there on the platform is said, before anything is sent where it can be."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.errors import BadTarget
from lexsi_nb.modeling.lexsi.failures import translated
from tests.lexsi.conftest import SPEC

Frames = dict[str, pd.DataFrame]


def test_more_than_two_classes_are_refused_before_anything_is_sent(backend: Any, server: Any, frames: Frames) -> None:
    known = frames["known"].drop(columns="Prediction").assign(bad=lambda f: f.index % 3)
    with pytest.raises(BadTarget, match=r"has 3 classes\. On Lexsi two classes or a number are learned\. .*embedded"):
        backend.train(known, SPEC)
    assert server.seen == []


def test_dates_are_no_features_there_and_the_model_says_so(backend: Any, server: Any, frames: Frames) -> None:
    days = pd.date_range("2020-01-01", periods=len(frames["known"]))
    trained = backend.train(frames["known"].assign(since=days), SPEC)
    assert "since" not in trained.features
    assert "date" in dict(trained.left_out)["since"]
    assert all(b"since" not in s.body for s in server.to("v2/project/uploadfile_with_info"))


def test_what_was_not_measured_is_said(backend: Any, frames: Frames) -> None:
    quality = backend.train(frames["known"], SPEC).quality
    assert quality.out_of_time.text == "not measured on Lexsi"
    assert quality.calibration.startswith("not calibrated; on the rows held back, mean score ")
    assert not hasattr(backend, "counterfactuals")


@pytest.mark.parametrize(
    "said", [Exception(""), Exception(None), Exception({}), Exception([]), Exception(), KeyError()]
)
def test_q4_an_error_without_words_has_some(said: Exception) -> None:
    error = translated(said, "scoring")
    assert "lexsi-sdk failed at scoring." in str(error)
    assert f"{type(said).__name__} without a message" in str(error)
    assert error.next
