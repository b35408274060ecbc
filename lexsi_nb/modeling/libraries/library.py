"""What differs between two libraries of boosted trees, and the choice between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from lexsi_nb.errors import LexsiError

Use = Literal["train", "again", "score"]  # what a cell does with the library
Wanted = Literal["score", "raw score", "contributions"]
MODEL_TYPES = ("LightGBM", "XGBoost")


@dataclass(frozen=True)
class Trees:
    """Settings in words that every library has its own names for.

    `task`: classification (two classes), multiclass (`classes` of them) or regression. `min_rows`: rows a leaf holds at
    least; `curvature`: mean second derivative of the loss a row at the start, which is rate * (1 - rate) for classes
    and 1 for a number. `patience`: rounds without gain on the held-out rows after which training stops; 0: never.
    """

    task: str
    learning_rate: float
    leaves: int
    l2: float
    min_rows: int
    curvature: float
    rounds: int
    seed: int
    one_thread: bool
    classes: int = 0
    patience: int = 0


class Library(Protocol):
    """One library of boosted trees: how it is imported, set up, and written in a cell.

    In the sources `X` is the frame of inputs, its words pandas categories, and `model` the variable of the model.
    """

    model_type: str
    module: str
    inputs_to_score: tuple[str, str]  # the function that makes what a model scores, and what it returns of X
    refuses: str  # the comment beside the renaming of features
    tolerance: str  # how far base value + contributions may be off the raw score, as a share of the largest of them

    def load(self) -> Any:
        """Return the module. Raises: MissingExtra: not installed; LexsiError: cannot start, with the remedy."""
        ...

    def params(self, trees: Trees) -> dict[str, Any]:
        """Return the settings under the library's own names."""
        ...

    def imports(self, use: Use, *, words: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the import lines of a cell: (of the standard library, of others)."""
        ...

    def takes(self, names: Iterable[Any]) -> bool:
        """Return whether features can be called so, and stay so."""
        ...

    def train_source(self, params: str, rounds: int, *, words: bool, patience: int = 0) -> list[str]:
        """Return lines that learn from X and y and return the model.

        patience: stop early; the lines then read `learn` and `held`, a bool a row, and learn from all rows in the end.
        """
        ...

    def again_source(self, model: str, params: str) -> list[str]:
        """Return lines that learn from the rows of X and y outside `test`, set like `model`, and return test scores."""
        ...

    def known_words_source(self, words: str, model: str) -> list[str]:
        """Return lines that give the words of X the categories that `model` learned; none where it does so itself."""
        ...

    def scores_source(self, model: str, inputs: str, wanted: Wanted, *, classes: int = 0) -> str:
        """Return the expression for what `model` makes of the inputs to score: float64.

        classes: more than two classes make a column each; contributions are then (n_rows, classes, n_inputs + 1).
        """
        ...

    def categories(self, model: Any) -> list[list[str]]:
        """Return the values of each word feature that the model learned, in feature order."""
        ...

    def used(self, model: Any) -> list[bool]:
        """Return whether any tree splits on an input, for each input in the order of the model."""
        ...

    def content(self, model: Any) -> bytes:
        """Return bytes that are equal for equal models."""
        ...

    def size(self, model: Any) -> tuple[int, int]:
        """Return (trees, leaves a tree at most); with several classes, trees of all classes."""
        ...

    def rounds(self, model: Any) -> int:
        """Return how many rounds the model was trained for."""
        ...


def library_of(model_type: str) -> Library:
    """Return the library that trains `model_type`, case ignored; it is not imported yet.

    Raises: LexsiError: unknown, lists the known ones.
    """
    wanted = model_type.strip().lower()
    if wanted == "lightgbm":
        from lexsi_nb.modeling.libraries.lightgbm_trees import LightGBM

        return LightGBM()
    if wanted == "xgboost":
        from lexsi_nb.modeling.libraries.xgboost_trees import XGBoost

        return XGBoost()
    raise LexsiError(
        f"No model type {model_type!r} in the embedded backend.",
        f"There is: {', '.join(MODEL_TYPES)}.",
        'Leave model_type out for "LightGBM".',
    )
