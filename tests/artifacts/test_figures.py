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


CITIES = pd.DataFrame(
    {"city": ["Brno", "Praha", "Usti nad Labem"], "total": [41, 20, 7], "share": [0.603, 0.294, 0.103]}
)
SCORED = pd.DataFrame({"loan_id": [4967, 5325, 6111], "probability": [0.8234, 0.8112, 0.7]})
BY_KIND = pd.DataFrame(
    {"city": ["Brno", "Brno", "Praha", "Praha"], "kind": ["gold", "junior"] * 2, "n": [11, 12, 13, 14]}
)


def of(*frames: pd.DataFrame, text: str = "") -> Known:
    out = Known()
    for frame in frames:
        out.add_frame(frame)
    out.add_text(text)
    return out


@pytest.mark.parametrize(
    "text",
    [
        "Brno has 41, Praha 20 and Usti nad Labem 7.",
        "Brno leads with 41 (60.3%).",
        "Brno is ahead of Praha, 41 to 20.",
        "Brno has more than twice the 20 of the runner-up.",
        "Unlike Brno the other one has 20.",
        "| Brno | 41 | 60% |",
        "- Usti nad Labem: 7",
        "Of the 3 cities Brno has the highest total.",
        "The next one has 20.",
        "Brno was asked for in 1997.",
        "3 rows and 3 columns are in Brno's table.",
    ],
)
def test_numbers_of_the_row_that_is_named_stand(text: str) -> None:
    assert marked(text, of(CITIES, text="Asked in 1997.")) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Brno has 20 sales.", "Brno has 20 [not in the results for Brno] sales."),
        ("Praha leads with 41.", "Praha leads with 41 [not in the results for Praha]."),
        ("In Usti nad Labem there are 20.", "In Usti nad Labem there are 20 [not in the results for Usti nad Labem]."),
        ("Brno has 41, Praha 7.", "Brno has 41, Praha 7 [not in the results for Praha]."),
        ("| Brno | 41 | 29% |", "| Brno | 41 | 29% [not in the results for Brno] |"),
        ("- Praha: 41", "- Praha: 41 [not in the results for Praha]"),
    ],
)
def test_a_number_of_another_row_is_marked_with_the_row_that_was_named(text: str, said: str) -> None:
    assert marked(text, of(CITIES)) == said
    assert marked(said, of(CITIES)) == said


def test_ids_name_rows_too_and_counts_do_not() -> None:
    held = of(SCORED, text="403 loans are scored.")
    assert marked("Loan 4967 has 82%, loan 5325 has 81%.", held) == "Loan 4967 has 82%, loan 5325 has 81%."
    assert marked("Loan 4967 has 0.70.", held) == "Loan 4967 has 0.70 [not in the results for 4967]."
    counted = of(SCORED.assign(loan_id=[403, 404, 405]), text="403 loans are scored.")
    assert marked("403 loans are scored with 0.81 at best", counted) == "403 loans are scored with 0.81 at best"


def test_two_labels_name_the_row_that_has_both() -> None:
    assert marked("Brno has 12 junior cards.", of(BY_KIND)) == "Brno has 12 junior cards."
    wrong = "Brno has 13 gold cards."
    assert marked(wrong, of(BY_KIND)) == "Brno has 13 [not in the results for Brno, gold] gold cards."
    assert marked("Brno has 12 gold cards.", of(BY_KIND)).startswith("Brno has 12 [not")


def test_what_a_text_says_of_a_label_is_known_of_it_alone() -> None:
    held = of(CITIES, text="Praha was at 99 before. There were 55 in all.")
    assert marked("Praha had 99.", held) == "Praha had 99."
    assert marked("Brno had 99.", held) == "Brno had 99 [not in the results for Brno]."
    assert marked("Brno had 55.", held) == "Brno had 55."


def test_a_row_in_another_result_counts() -> None:
    other = pd.DataFrame({"city": ["Brno", "Praha"], "late": [20, 1]})
    assert marked("Brno has 20 late ones.", of(CITIES, other)) == "Brno has 20 late ones."


def test_days_months_and_column_counts_support_no_other_number() -> None:
    held = of(pd.DataFrame({"day": pd.to_datetime(["1998-07-08"]), "x": [2.2], "y": [1.2]}), text="1 row x 3 columns")
    assert marked("8 loans, 7 late.", held) == "8 [not in the results] loans, 7 [not in the results] late."
    assert marked("It has 3 columns; 3 loans.", held) == "It has 3 columns; 3 [not in the results] loans."
    for text in ("on 8 July 1998", "on July 8, 1998", "on the 8th of July 1998", "in 1998"):
        assert marked(text, held) == text
    assert marked("on 9 July 1998", held) == "on 9 July 1998 [not in the results]"
    assert marked("6 columns", known(text="The table has 6 columns.")) == "6 columns"


def test_holding_a_long_answer_against_many_rows_takes_little_time() -> None:
    import time

    many = pd.DataFrame(
        {"name": [f"Person {i:04}" for i in range(1_000)], **{f"x{j}": range(1_000) for j in range(20)}}
    )
    text = "\n".join(f"- Person {i:04}: {i}" for i in range(400))
    began = time.thread_time()
    assert marked(text, of(many)) == text
    assert time.thread_time() - began < 2
