"""The runner: what it counts as right, what it never prints, and its intervals."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import reliability
from answers import judging
from answers.questions import Question


def question(**fields: Any) -> Question:
    """A question with what the test does not care about filled in."""
    return Question(**{"id": "x1", "question": "?", "kind": "group", "expect": "answer", "split": "dev", **fields})


def run(frame: Any = None, answer: str = "", steps: tuple[str, ...] = ()) -> Any:
    """A finished run."""
    done = [SimpleNamespace(tool=tool, status="ok") for tool in steps]
    return SimpleNamespace(frame=frame, answer=answer, artifacts=[], steps=done, status="answered")


GOLD = [("A", 3.0), ("B", 5.0)]


def test_names_and_order_of_columns_and_rows_do_not_count() -> None:
    frame = pd.DataFrame({"n": [5, 3], "status": ["B", "A"]})
    assert judging.right(question(), run(frame), [GOLD])


def test_order_of_rows_counts_in_a_ranking() -> None:
    frame = pd.DataFrame({"status": ["B", "A"], "n": [5, 3]})
    assert not judging.right(question(ordered=True, kind="top"), run(frame), [GOLD])


def test_another_number_is_wrong() -> None:
    frame = pd.DataFrame({"status": ["A", "B"], "n": [3, 5.0001]})
    assert not judging.right(question(), run(frame), [GOLD])


def test_rows_belong_together() -> None:
    frame = pd.DataFrame({"status": ["A", "B"], "n": [5, 3]})
    assert not judging.right(question(), run(frame), [GOLD])


def test_a_missing_row_is_wrong() -> None:
    assert not judging.right(question(), run(pd.DataFrame({"s": ["A"], "n": [3]})), [GOLD])


def test_a_few_more_columns_pass() -> None:
    frame = pd.DataFrame({"s": ["A", "B"], "n": [3, 5], "share": [0.4, 0.6]})
    assert judging.right(question(), run(frame), [GOLD])
    wide = frame.assign(a=1, b=2, c=3)
    assert not judging.right(question(), run(wide), [GOLD])
    assert judging.right(question(kind="list"), run(wide), [GOLD])


def test_a_share_may_be_percent_where_the_question_says_so() -> None:
    frame = pd.DataFrame({"share": [25.0]})
    assert judging.right(question(percent=True), run(frame), [[(0.25,)]])
    assert not judging.right(question(), run(frame), [[(0.25,)]])


@pytest.mark.parametrize(
    "label", ["1996-04-01", "1996-04", "1996-Q2", "Apr 1996", "April 1996", pd.Timestamp("1996-04-01")]
)
def test_a_period_has_many_spellings(label: Any) -> None:
    frame = pd.DataFrame({"period": [label], "n": [1]})
    assert judging.right(question(), run(frame), [[("1996-04-01", 1.0)]])


def test_a_week_may_have_its_number() -> None:
    frame = pd.DataFrame({"week": ["1996-W02"], "n": [1]})
    assert judging.right(question(), run(frame), [[("1996-01-08", 1.0)]])


def test_a_year_may_be_a_number_or_a_date() -> None:
    frame = pd.DataFrame({"year": pd.to_datetime(["1996-01-01"]), "n": [1]})
    assert judging.right(question(), run(frame), [[(1996.0, 1.0)]])


def test_yes_and_no() -> None:
    gold = [[(True,)]]
    assert judging.right(question(kind="yesno"), run(answer="Yes: 4 loans."), gold)
    assert not judging.right(question(kind="yesno"), run(answer="No: none."), gold)
    assert judging.right(question(kind="yesno"), run(pd.DataFrame({"any": [True]})), gold)
    assert not judging.right(question(kind="yesno"), run(answer="Perhaps."), gold)


def test_a_comparison_may_stand_in_one_row() -> None:
    frame = pd.DataFrame({"A": [3], "B": [5], "more": ["B"]})
    assert judging.right(question(kind="compare"), run(frame), [GOLD])
    assert not judging.right(question(kind="group"), run(frame), [GOLD])


def test_a_chart_has_to_be_shown_where_asked_for() -> None:
    assert not judging.right(question(chart=True), run(pd.DataFrame({"s": ["A", "B"], "n": [3, 5]})), [GOLD])


def test_a_prediction_ranks_only_what_it_may() -> None:
    asked = question(expect="predictive", rows=2)
    gold = [[(1.0,), (2.0,), (3.0,)]]
    steps = ("train_tabular_model", "predict")
    assert judging.right(asked, run(pd.DataFrame({"loan_id": [1, 3], "p": [0.9, 0.8]}), steps=steps), gold)
    assert not judging.right(asked, run(pd.DataFrame({"loan_id": [1, 9], "p": [0.9, 0.8]}), steps=steps), gold)
    assert not judging.right(asked, run(pd.DataFrame({"loan_id": [1, 3], "p": [0.9, 0.8]})), gold)


def test_outcomes() -> None:
    asks, declines, answers = question(expect="ask"), question(expect="decline"), question()
    assert reliability.outcome_of(answers, "answered", True) == "right"
    assert reliability.outcome_of(answers, "answered", False) == "wrong"
    assert reliability.outcome_of(answers, "declined", False) == "needless"
    assert reliability.outcome_of(declines, "declined", False) == "right"
    assert reliability.outcome_of(declines, "needs_choice", False) == "right"
    assert reliability.outcome_of(declines, "answered", False) == "wrong"
    assert reliability.outcome_of(asks, "needs_choice", False) == "right"
    assert reliability.outcome_of(asks, "declined", False) == "needless"
    assert reliability.outcome_of(asks, "answered", False) == "wrong"
    assert reliability.outcome_of(answers, "failed", False) == "failed"


def test_scores() -> None:
    def verdict(status: str, outcome: str, **fields: Any) -> reliability.Verdict:
        return reliability.Verdict(question(**fields), status, outcome, 0.1, "")

    numbers = reliability.scores_of(
        [
            verdict("answered", "right"),
            verdict("answered", "wrong"),
            verdict("declined", "needless"),
            verdict("declined", "right", expect="decline"),
        ]
    )
    assert numbers["precision"] == 0.5
    assert numbers["coverage"] == pytest.approx(2 / 3)
    assert numbers["reliability"] == pytest.approx((1 - 10 + 0 + 1) / 4)


def test_wilson_interval() -> None:
    assert reliability.wilson(98, 100) == pytest.approx((0.930, 0.9945), abs=5e-4)
    assert reliability.wilson(0, 0) == (0.0, 1.0)


def test_the_far_ends_of_the_reliability_hold_its_value() -> None:
    low, high = reliability.far_ends(90, 2, 100)
    right, wrong = reliability.wilson(90, 100), reliability.wilson(2, 100)
    assert (low, high) == pytest.approx((right[0] - 10 * wrong[1], right[1] - 10 * wrong[0]))
    assert low < 0.9 - 10 * 0.02 < high


def test_bootstrap_repeats() -> None:
    scores = [1] * 90 + [0] * 8 + [-10] * 2
    assert reliability.bootstrap(scores) == reliability.bootstrap(scores)
    low, high = reliability.bootstrap(scores)
    assert low < sum(scores) / 100 < high


def test_the_test_half_is_never_printed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        reliability.Verdict(question(question="seen?", split="dev"), "answered", "wrong", 0.1, "words"),
        reliability.Verdict(question(question="hidden?", split="test"), "answered", "wrong", 0.1, "secret"),
    ]
    reliability.show_wrong(rows)
    reliability.report("bank, test", rows, by_kind=True)
    shown = capsys.readouterr().out
    assert "seen?" in shown
    assert "hidden?" not in shown
    assert "secret" not in shown


def test_asking_for_wrong_cases_of_the_test_half_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["reliability.py", "--split", "test", "--show-wrong"])
    assert reliability.main() == 2
    assert "not read" in capsys.readouterr().err
