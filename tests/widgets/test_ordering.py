"""Rows at some places of an order, and rows with a text, are those that pandas gives by sorting and looking at all."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.widgets.live import matching, ordering
from lexsi_nb.widgets.live.matching import contains, in_parts
from lexsi_nb.widgets.live.ordering import between, in_order

N = 3000
draw = np.random.default_rng(11)
WORDS = ["", "a", "a\0", "a\0\0b", "é", "e", "Ｚ", "𝒜", "abcdefg", "abcdefgh", "abcdefg\0", "abcdefghijklmnop", "zz"]
LONG = "https://www.example.com/customers/"


def text(values: Any) -> pd.Series:
    return pd.Series(values, dtype="str")


VALUES: dict[str, pd.Series] = {
    "unique": pd.Series(draw.normal(size=N)),
    "few": pd.Series(draw.integers(0, 4, N)),
    "one": pd.Series(np.zeros(N)),
    "rising": pd.Series(np.arange(N)),
    "gaps": pd.Series(np.where(draw.random(N) < 0.4, np.nan, draw.normal(size=N).round(1))),
    "endless": pd.Series(draw.choice([np.inf, -np.inf, np.nan, 0.0, -0.0], N)),
    "large": pd.Series(draw.integers(0, 2**64 - 1, N, dtype="uint64")),
    "least": pd.Series(draw.choice(np.array([-(2**63), 2**63 - 1, 0]), N)),
    "yes": pd.Series(draw.random(N) < 0.3),
    "nullable": pd.array(np.where(draw.random(N) < 0.3, None, draw.integers(2**53, 2**53 + 9, N)), dtype="Int64"),
    "maybe": pd.Series(draw.choice(np.array([True, False, None], dtype=object), N), dtype="boolean"),
    "day": pd.Series(pd.to_datetime(draw.integers(-400, 500, N), unit="D")).mask(draw.random(N) < 0.2),
    "moment": pd.Series(pd.to_datetime(draw.integers(0, 9, N), unit="h", utc=True)).dt.tz_convert("Europe/Prague"),
    "wait": pd.Series(pd.to_timedelta(draw.integers(-50, 50, N), unit="s")).mask(draw.random(N) < 0.1),
    "level": pd.Series(
        pd.Categorical(draw.choice(np.array(["low", "high", None], dtype=object), N), ["low", "high"], ordered=True)
    ),
    "words": text(draw.choice(np.array([*WORDS, None], dtype=object), N)),
    "long": text([f"{LONG}{i:05d}/{'x' * 40}{j}" for i, j in draw.integers(0, 60, (N, 2))]),
    "same": text([LONG * 300] * N),
    "objects": pd.Series(draw.choice(np.array([*WORDS, None], dtype=object), N), dtype=object),
    "nothing": pd.Series([None] * N, dtype="str"),
}


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("kind", VALUES)
def test_the_rows_at_any_place_are_those_of_the_whole_order(
    kind: str, descending: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = pd.Series(VALUES[kind])
    wanted = in_order(values, descending=descending).tolist()
    for sample in (1 << 16, 100):  # all rows partitioned, and those between two values of a sample
        monkeypatch.setattr(ordering, "SAMPLE", sample)
        for start, stop in ((0, 20), (0, N), (7, 8), (1490, 1510), (N - 700, N - 20), (N - 5, N + 9), (N, N + 20)):
            found = between(values, start, stop, descending=descending)
            assert found.tolist() == wanted[start:stop], (sample, start)


@pytest.mark.parametrize("where", ["cut", "joined"])
def test_text_that_is_a_part_of_other_text_in_memory(where: str) -> None:
    whole = VALUES["words"]
    values = whole.iloc[17:-3] if where == "cut" else pd.concat([whole, whole.iloc[5:50], whole.iloc[:0]])
    values = values.reset_index(drop=True)
    assert between(values, 30, 900, descending=False).tolist() == in_order(values, descending=False)[30:900].tolist()
    assert contains(values, "E").tolist() == by_pandas(values, "E")


@pytest.mark.parametrize("values", [[Decimal(1), Decimal(2)], [[1], [2]], ["\ud800", "a"]])
def test_what_has_no_numbers_of_its_order_is_left_to_pandas(values: Any) -> None:
    assert between(pd.Series(values, dtype=object), 0, 1, descending=False) is None


def by_pandas(values: pd.Series, words: str) -> list[bool]:
    return values.str.contains(words, case=False, regex=False, na=False).tolist()


@pytest.mark.parametrize("words", ["a", "K", "s", "ss", "É", "zL", "STRASSE", "i", "\0", "日", "%", "σ", "abcdefgH"])
def test_text_is_found_as_pandas_finds_it(words: str) -> None:
    # The Kelvin sign, a long s, a dotted capital I: letters of ASCII in another case, or nearly.
    odd = ["K", "ſ", "straße", "STRASSE", "İ", "ı", "Zlín", "ZLÍN", "ΣΊΣΥΦΟΣ", "ς", "日本", "50%", None, *WORDS]
    few = text(draw.choice(np.array(odd, dtype=object), N))
    many = text([None if w is None else f"{w}{i}" for i, w in enumerate(few.tolist())])
    plain = text([f"Customer {i} SK" for i in range(N)])
    for values in (few, many, plain, text([]), text([None, None])):
        assert contains(values, words).tolist() == by_pandas(values, words)


def test_parts_of_a_frame_are_looked_at_in_order_and_given_up_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "ROWS", 100)
    frame = pd.DataFrame({"a": range(1050)})
    assert in_parts(lambda rows: rows["a"].to_numpy() % 3 == 0, frame, lambda: None).tolist() == [
        i % 3 == 0 for i in range(1050)
    ]
    seen: list[int] = []

    def check() -> None:
        if seen:
            raise KeyError("enough")

    def fits(rows: Any) -> Any:
        seen.append(len(rows))
        return rows["a"].to_numpy() > 0

    with pytest.raises(KeyError):
        in_parts(fits, frame, check)
    assert len(seen) <= matching.CORES
