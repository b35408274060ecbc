"""LightGBM: a small wheel, no CUDA; keeps the categories it was trained on in the model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lexsi_nb.errors import LexsiError, MissingExtra
from lexsi_nb.modeling.libraries.library import Trees, Use, Wanted

OBJECTIVES = {"classification": "binary", "multiclass": "multiclass", "regression": "regression"}
CALLS = {"score": "", "raw score": ", raw_score=True", "contributions": ", pred_contrib=True"}


class LightGBM:
    """Trains with `lightgbm.train`; exact TreeSHAP by `pred_contrib`, in float64."""

    model_type = "LightGBM"
    module = "lightgbm"
    inputs_to_score: tuple[str, str] = ("inputs_of", "X")
    refuses = "LightGBM refuses some characters"
    tolerance = "1e-9"

    def load(self) -> Any:
        """Return the lightgbm module.

        Raises: MissingExtra: not installed; LexsiError: the system lacks OpenMP, with the package that brings it.
        """
        try:
            import lightgbm
        except ImportError as error:
            raise MissingExtra.of("lightgbm", "model", "The embedded backend trains with it.") from error
        except OSError as error:
            raise broken(error) from error
        return lightgbm

    def params(self, trees: Trees) -> dict[str, Any]:
        """Return the settings under LightGBM's names."""
        values: dict[str, Any] = {
            "objective": OBJECTIVES[trees.task],
            "learning_rate": trees.learning_rate, "num_leaves": trees.leaves, "lambda_l2": trees.l2,
            "min_data_in_leaf": trees.min_rows, "min_data_per_group": trees.min_rows,
            "seed": trees.seed, "deterministic": True, "force_row_wise": True, "verbose": -1,
        }  # fmt: skip
        values |= {"num_class": trees.classes} if trees.classes else {}
        return values | ({"num_threads": 1} if trees.one_thread else {})

    def imports(self, use: Use, *, words: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the import lines of a cell; a model scores without any."""
        return (), () if use == "score" else ("import lightgbm as lgb",)

    def takes(self, names: Iterable[Any]) -> bool:
        """Return whether the names are plain words and differ: it merges blanks into `_`."""
        texts = [str(n) for n in names]
        return len(set(texts)) == len(texts) and all(re.fullmatch(r"\w+", t) for t in texts)

    def train_source(self, params: str, rounds: int, *, words: bool, patience: int = 0) -> list[str]:
        """Return lines that learn from X and y and return the model."""
        if not patience:
            return [f"params = {params}", f"return lgb.train(params, lgb.Dataset(X, y), num_boost_round={rounds})"]
        return [
            f"params = {params}",
            "first = lgb.Dataset(X[learn], y[learn])",
            f"stop = lgb.early_stopping({patience}, verbose=False)",
            "tried = lgb.train(",
            f"    params, first, num_boost_round={rounds}, valid_sets=[first.create_valid(X[held], y[held])],",
            "    callbacks=[stop],",
            ")",
            "return lgb.train(params, lgb.Dataset(X, y), num_boost_round=tried.best_iteration)",
        ]

    def again_source(self, model: str, params: str) -> list[str]:
        """Return lines that learn again: settings and rounds are read off the model."""
        return [
            f"again = lgb.train({model}.params, lgb.Dataset(X[~test], y[~test]))",
            "return again.predict(X[test])",
        ]

    def known_words_source(self, words: str, model: str) -> list[str]:
        """Return no line: the model maps the categories of later frames onto its own."""
        return []

    def scores_source(self, model: str, inputs: str, wanted: Wanted, *, classes: int = 0) -> str:
        """Return the expression for what `model` makes of the inputs."""
        cube = f".reshape(len({inputs}), {classes}, -1)" if classes and wanted == "contributions" else ""
        return f"{model}.predict({inputs}{CALLS[wanted]}){cube}"

    def categories(self, model: Any) -> list[list[str]]:
        """Return the values of each word feature that the model learned."""
        return [list(known) for known in model.pandas_categorical or []]

    def used(self, model: Any) -> list[bool]:
        """Return whether any tree splits on an input, for each input."""
        return [n > 0 for n in model.feature_importance(importance_type="split").tolist()]

    def content(self, model: Any) -> bytes:
        """Return the model's text."""
        return model.model_to_string().encode()

    def size(self, model: Any) -> tuple[int, int]:
        """Return (trees, leaves a tree at most)."""
        return model.num_trees(), model.params.get("num_leaves", 31)

    def rounds(self, model: Any) -> int:
        """Return how many rounds the model was trained for."""
        return model.current_iteration()


def broken(error: OSError) -> LexsiError:
    """Return what is wrong when the shared library of lightgbm cannot be loaded."""
    if "gomp" in str(error) or "libomp" in str(error):
        return LexsiError(
            "lightgbm cannot start: the system has no OpenMP library.",
            f"({error})",
            "Install it: `apt-get install libgomp1` (Debian, Ubuntu), `dnf install libgomp` (Fedora, RHEL) "
            "or `brew install libomp` (macOS); then restart the kernel.",
        )
    return LexsiError("lightgbm cannot start.", f"({error})", "Reinstall it: %pip install --force-reinstall lightgbm")
