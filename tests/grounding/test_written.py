"""Names with signs in them, rows without a table's name, and two tables that fit a question equally well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexsi_nb.grounding.grounder import Grounder


def sales() -> Any:
    """Return a frame with a column whose name holds a year and a sign."""
    import pandas as pd

    columns = {"region": ["n", "s", "n", "e"], "2024 %": [1.5, 2.5, 3.0, 4.0], "amount": [1, 2, 3, 4]}
    return pd.DataFrame(columns)


def result(grounder: Grounder, question: str) -> list[tuple[Any, ...]]:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False)]


def test_a_column_named_with_a_year_and_a_sign_is_read_whole(frames_grounder: Callable[..., Grounder]) -> None:
    frame = sales()
    grounder = frames_grounder(sales=frame)
    assert result(grounder, "average 2024 %") == [(frame["2024 %"].mean(),)]
    by_region = frame.groupby("region")["2024 %"].mean()
    assert dict(result(grounder, "average 2024 % by region")) == by_region.to_dict()
    assert not isinstance(grounder.read("average 2023 %"), Reading)


@pytest.mark.parametrize("question", ["how many rows per region?", "number of records by region", "rows by region"])
def test_rows_are_those_of_the_only_table(frames_grounder: Callable[..., Grounder], question: str) -> None:
    frame = sales()
    assert dict(result(frames_grounder(sales=frame), question)) == frame["region"].value_counts().to_dict()


def test_how_many_rows_there_are(frames_grounder: Callable[..., Grounder]) -> None:
    assert result(frames_grounder(sales=sales()), "how many rows are there?") == [(4,)]


@pytest.mark.parametrize(
    "question", ["how many rows", "how many rows per region?", "total amount", "average amount by region"]
)
def test_of_two_tables_that_fit_equally_well_the_person_chooses(
    frames_grounder: Callable[..., Grounder], question: str
) -> None:
    found = frames_grounder(sales=sales(), costs=sales()[["region", "amount"]] * 2).read(question)
    assert isinstance(found, Choice)
    assert all(any(t in option for option in found.options) for t in ("sales", "costs"))


def test_rows_with_a_condition_that_no_table_has_are_not_counted(frames_grounder: Callable[..., Grounder]) -> None:
    assert isinstance(frames_grounder(sales=sales()).read("how many rows with a discount"), Declined)
