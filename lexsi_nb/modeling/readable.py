"""Whether a frame can be read by a model: its columns are there, and numbers where it learned numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData
from lexsi_nb.modeling.backend import NAMES, Trained
from lexsi_nb.modeling.columns import as_pandas, require
from lexsi_nb.modeling.libraries.library import library_of
from lexsi_nb.modeling.source import Shape

if TYPE_CHECKING:
    import pandas as pd


def readable(
    trained: Trained, frame: Any, frame_name: str, *, also: Sequence[str] = (), beside: Sequence[str] = ()
) -> tuple[Any, Shape]:
    """Return the frame as pandas and the model's feature shape; `beside` are variables its cell reads as well.

    Raises: BadData: no rows; UnknownColumn: a column that the model needs is not there.
    """
    library = library_of(trained.model_type)
    library.load()
    data = as_pandas(frame)
    entity = [c for c in (trained.entity, trained.moment) if c is not None]
    require(data, [*trained.features, *entity], where=frame_name, next=f"{trained.model_id} was trained on it.")
    require(data, also, where=frame_name)
    if not len(data):
        raise BadData(f"{frame_name} has no rows.", "There is nothing to score.", "Loosen the filter of its query.")
    taken = frozenset({frame_name, *beside, *(trained.name(role) for role in NAMES)})
    words = tuple(c for c in trained.features if c in trained.categories)
    shape = Shape(tuple(trained.features), words, library, taken, trained.dates, trained.moment)
    not_numbers(data, shape, trained, frame_name)
    return data, shape


def not_numbers(data: pd.DataFrame, shape: Shape, trained: Trained, frame_name: str) -> None:
    """Return nothing when every number feature is one. Raises: BadData: names the columns that are not."""
    wrong = []
    for column in shape.numbers:
        if data[column].dtype.kind not in "iufb":
            try:
                data[column].astype("float64")
            except (TypeError, ValueError):
                wrong.append(str(column))
    if wrong:
        raise BadData(
            f"{', '.join(wrong)} of {frame_name}: not numbers, as {trained.model_id} learned them.",
            "A value cannot be read as a number.",
            "Cast them in SQL.",
        )
