"""Pages of a live table are what pandas gives for the same filters and order; the code cell gives the same rows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from lexsi_nb.errors import BadData
from lexsi_nb.widgets.live import frame_query
from lexsi_nb.widgets.live.frame_query import Filter, FrameRows, Query


@pytest.fixture(scope="module")
def frame() -> Any:
    """400 rows of every kind of column: gaps, ties, unicode, zones, decimals, nested values, a name that is double."""
    import numpy as np
    import pandas as pd

    draw = np.random.default_rng(7)
    n = 400
    words = np.array(["Zlín", "ZLÍN", "straße", "STRASSE", "Ústí", "日本", "a b", "50%", "", None], dtype=object)
    made = pd.DataFrame(
        {
            "id": draw.permutation(n),
            "score": np.where(draw.random(n) < 0.1, np.nan, draw.random(n).round(2)),
            "endless": draw.choice([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.5], n),
            "small": draw.integers(-128, 127, n).astype("int8"),
            "large": draw.integers(2**62, 2**63 - 1, n),
            "unsigned": draw.integers(0, 5, n).astype("uint64"),
            "nullable": pd.array(np.where(draw.random(n) < 0.2, None, draw.integers(0, 9, n)), dtype="Int64"),
            "word": pd.Series(draw.choice(words, n), dtype="str"),
            "object_word": pd.Series(draw.choice(words, n), dtype=object),
            "paid": draw.random(n) < 0.5,
            "maybe": pd.array(draw.choice(np.array([True, False, None], dtype=object), n), dtype="boolean"),
            "day": pd.to_datetime("1998-01-01") + pd.to_timedelta(draw.integers(0, 40, n), unit="D"),
            "moment": (pd.to_datetime("1998-01-01") + pd.to_timedelta(draw.integers(0, 9999, n), unit="m")).tz_localize(
                "Europe/Prague"
            ),
            "price": pd.Series([Decimal(int(v)) / 100 if v else None for v in draw.integers(0, 90, n)], dtype=object),
            "nested": pd.Series([[int(v)] if v % 3 else {"a": int(v)} for v in draw.integers(0, 20, n)], dtype=object),
            "mixed": pd.Series(draw.choice(np.array(["x", 3, None, 2.5], dtype=object), n), dtype=object),
            "date": pd.Series([date(1998, 1, 1 + int(v)) for v in draw.integers(0, 25, n)], dtype=object),
            "level": pd.Categorical(draw.choice(["low", "high"], n), ["low", "high"], ordered=True),
            "wait": pd.to_timedelta(draw.integers(0, 50, n), unit="h"),
        }
    )
    made.loc[made.index[::17], ["day", "moment"]] = pd.NaT
    made.columns = ["word" if c == "object_word" else c for c in made.columns]
    return made.sample(frac=1, random_state=1)


FILTERS: list[tuple[Filter, ...]] = [
    (),
    (Filter(1, low="0.25", high="0.75"),),
    (Filter(7, contains="zlí"),),
    (Filter(8, contains="%"),),
    (Filter(9, contains="ye"), Filter(0, high="300")),
    (Filter(6, low="3"), Filter(13, low="0.1", high="0.60")),
    (Filter(14, contains="'a'"),),
    (Filter(11, low="1998-01-10", high="1998-01-20"), Filter(12, high="1998-01-05")),
]


def _expected(frame: Any, query: Query) -> Any:
    """Return the places of all rows by plain pandas and Python, a row at a time."""
    places = list(range(len(frame)))
    for wanted in query.filters:
        places = [p for p in places if _fits(frame.iloc[p, wanted.column], wanted)]
    if query.sort is not None:
        values = frame.iloc[places, query.sort[0]].tolist()
        known = [i for i, v in enumerate(values) if not _missing(v)]
        gaps = [i for i, v in enumerate(values) if _missing(v)]
        by = _key(query.sort[0])
        # Reversed twice, so that ties stand as they were.
        ordered = sorted(known, key=lambda i: by(values[i])) if not query.sort[1] else list(
            reversed(sorted(reversed(known), key=lambda i: by(values[i])))
        )  # fmt: skip
        places = [places[i] for i in [*ordered, *gaps]]
    return places


def _key(column: int) -> Any:
    return str if column in (14, 15, 16) else ("low", "high").index if column == 17 else lambda v: v


def _missing(value: Any) -> bool:
    return value is None or str(value) in ("nan", "NaT", "<NA>")


def _fits(value: Any, wanted: Filter) -> bool:
    import pandas as pd

    if _missing(value):
        return False
    if wanted.contains:
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        if str(value) in ("True", "False"):
            text = "yes" if str(value) == "True" else "no"
        return wanted.contains.casefold() in text.casefold()
    if isinstance(value, pd.Timestamp):
        day = str(value.date())
        return (not wanted.low or day >= wanted.low) and (not wanted.high or day <= wanted.high)
    limit = Decimal if isinstance(value, Decimal) else float
    return (not wanted.low or value >= limit(wanted.low)) and (not wanted.high or value <= limit(wanted.high))


@pytest.mark.parametrize("filters", FILTERS, ids=[str(i) for i in range(len(FILTERS))])
@pytest.mark.parametrize("column", [None, *range(19)])
def test_pages_in_order_are_the_rows_that_pandas_gives(
    frame: Any, column: int | None, filters: tuple[Filter, ...]
) -> None:
    for descending in (False, True):
        sort = None if column is None else (column, descending)
        query = Query(sort, filters)
        wanted = _expected(frame, query)
        rows = FrameRows(frame, "frame")
        seen: list[int] = []
        for offset in range(0, max(len(wanted), 1), 130):
            page, matched = rows.page(Query(sort, filters, offset), 130)
            assert matched == len(wanted)
            seen += page.tolist()
        assert seen == wanted
        shown = rows.cell(query).run({"frame": frame})["shown"]
        assert shown.index.tolist() == frame.index[wanted].tolist()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("kind", ["float", "int", "text", "moment", "ties", "mostly gaps"])
def test_rows_of_a_page_are_found_without_sorting_all(
    kind: str, descending: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np
    import pandas as pd

    draw = np.random.default_rng(3)
    n = 20_000
    monkeypatch.setattr(frame_query, "SORTED_WHOLE", 0)
    monkeypatch.setattr(frame_query, "AROUND", 100)
    values = {
        "float": pd.Series(np.where(draw.random(n) < 0.3, np.nan, draw.normal(size=n).round(2))),
        "int": pd.Series(draw.integers(-50, 50, n)),
        "text": pd.Series(draw.choice(np.array(["é", "e", "z", "日", "", None], dtype=object), n), dtype="str"),
        "moment": pd.Series(pd.to_datetime(draw.integers(0, 500, n), unit="D")).mask(draw.random(n) < 0.2),
        "ties": pd.Series(np.ones(n)),
        "mostly gaps": pd.Series(np.where(np.arange(n) < n - 7, np.nan, 1.0)),
    }[kind]
    rows = FrameRows(pd.DataFrame({"v": values}), "frame")
    query = Query((0, descending))
    wanted = rows.cell(query).run({"frame": rows.frame})["shown"].index
    for offset in (0, 20, 40, 200, n - 30, n - 5, n - 300, n // 2, n // 2 - 150, n // 2 - 60, n // 2 + 300):
        page, _ = rows.page(Query((0, descending), (), offset), 20)
        assert page.tolist() == wanted[offset : offset + 20].tolist()


def test_frames_without_rows_or_columns_have_an_empty_page() -> None:
    import pandas as pd

    for frame in (pd.DataFrame(), pd.DataFrame({"a": []}), pd.DataFrame(index=[1, 2])):
        page, matched = FrameRows(frame).page(Query(), 20)
        assert len(page) == matched == len(frame)
    page, matched = FrameRows(pd.DataFrame({"a": [None, None]})).page(Query((0, True), (Filter(0, contains="x"),)), 20)
    assert (len(page), matched) == (0, 0)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Filter(1, low="half"), "'half' is no number. Write the limit of score as in 1200.5"),
        (Filter(1, low="nan"), "'nan' is no number."),
        (Filter(11, high="soon"), "'soon' is no date."),
        (Filter(11, high="1998-01-01T00:00+01:00"), "'1998-01-01T00:00+01:00' has a time zone, the column has none."),
    ],
)
def test_a_limit_that_is_none_is_said(frame: Any, wanted: Filter, said: str) -> None:
    with pytest.raises(BadData, match=r"(is no|has a)") as caught:
        FrameRows(frame).page(Query(filters=(wanted,)), 20)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "content",
    [{"sort": {"column": 99, "descending": False}}, {"sort": 3}, {"filters": [{}]}, {"filters": 1}, {"offset": "x"}],
)
def test_a_query_of_another_shape_is_refused(content: dict[str, Any]) -> None:
    with pytest.raises(BadData):
        Query.of(content, 3)


def test_what_is_typed_is_never_code(frame: Any) -> None:
    odd = "') or __import__('os').abort() or ('"
    rows = FrameRows(frame, "frame")
    page, matched = rows.page(Query(filters=(Filter(7, contains=odd),)), 20)
    assert (len(page), matched) == (0, 0)
    with pytest.raises(BadData):
        rows.page(Query(filters=(Filter(1, low="__import__('os').abort()"),)), 20)


def test_grouped_thousands_are_taken_as_they_are_shown() -> None:
    import pandas as pd

    rows = FrameRows(pd.DataFrame({"amount": [500, 1500, 2500]}))
    assert rows.page(Query(filters=(Filter(0, low="1,000", high="2,000"),)), 20)[0].tolist() == [1]
