"""Numbers in a model's words are found, and held against the results with an eye for rounding."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.artifacts.figures import Known, figures, marked


def known(*values: float, text: str = "") -> Known:
    out = Known()
    out.add_values(values)
    out.add_text(text)
    return out


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("403 loans", [403]),
        ("4,500 accounts and 1 055 749 rows", [4500, 1055749]),
        ("a rate of 12.5% or 0.125", [12.5, 0.125]),
        ("about 1.2 million CZK", [1.2e6]),
        ("it fell by -3", [3]),
        ("B2, LightGBM_78c7ae, v1.2.3, p95 and col_7 are names", []),
        ("1. first\n2) second", []),
        ("on 1998-07-08", []),
        ("`df.head(5)` shows it", []),
        ("the top 10 of 403.", [10, 403]),
    ],
)
def test_numbers_are_found(text: str, values: list[float]) -> None:
    assert [f.value for f in figures(text)] == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.52", 0.5179), ("0.5", 0.5179), ("52%", 0.5179), ("51.8 percent", 0.5179), ("151,410", 151410.4),
        ("151,000", 151410), ("150,000", 151410), ("1.06 million", 1055749), ("12.5%", 12.5), ("-3", -3.0), ("3", -3.2),
        ("about 20 000", 20000),
    ],
)  # fmt: skip
def test_a_rounded_number_is_that_number(text: str, value: float) -> None:
    assert marked(text, known(value)) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.53", 0.5179), ("53%", 0.5179), ("151,411", 151410), ("152,000", 151410), ("100", 103), ("1.1 million", 990000),
     ("17", 16.4), ("2,000", 2041)],
)  # fmt: skip
def test_another_number_is_marked(text: str, value: float) -> None:
    assert marked(text, known(value)) == f"{text} [not in the results]"


def test_several_marks_and_dates() -> None:
    held = known(403, text="the loan of 1998-07-08")
    text = "403 loans, 17 late, first on 1998-07-08, last on 1999-01-01."
    said = "403 loans, 17 [not in the results] late, first on 1998-07-08, last on 1999-01-01 [not in the results]."
    assert marked(text, held) == said
    assert marked("In 1998 it began.", held) == "In 1998 it began."


def test_a_marked_number_supports_nothing() -> None:
    held = known(text="It is 17 [not in the results] days.")
    assert marked("17", held) == "17 [not in the results]"


def test_a_frame_gives_its_cells_shape_and_dates() -> None:
    held = Known()
    held.add_frame(pd.DataFrame({"day": pd.to_datetime(["1998-07-08"]), "x": [2.345], "ok": [True], "s": ["lot 77"]}))
    text = "1 row, 4 columns: 2.35 on 1998-07-08 in lot 77"
    assert marked(text, held) == text
    assert marked("9.9", held) == "9.9 [not in the results]"
