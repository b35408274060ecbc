"""XGBoost, where it is installed: categories native, numbers in single precision."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lexsi_nb.errors import LexsiError, MissingExtra
from lexsi_nb.modeling.libraries.library import Trees, Use, Wanted

OBJECTIVES = {"classification": "binary:logistic", "multiclass": "multi:softprob", "regression": "reg:squarederror"}
CALLS = {"score": "", "raw score": ", output_margin=True", "contributions": ", pred_contribs=True"}
MATRIX = "xgb.DMatrix({}, enable_categorical=True)"


class XGBoost:
    """Trains with `xgboost.train`; exact TreeSHAP by `pred_contribs`, in float32.

    The categories go along in the model as an attribute: before 3.1 it kept none, and since then it raises on a
    category that it has not seen, which here counts as a gap.
    """

    model_type = "XGBoost"
    module = "xgboost"
    inputs_to_score: tuple[str, str] = ("matrix_of", MATRIX.format("X"))
    refuses = "XGBoost refuses [, ] and <"
    tolerance = "1e-5"  # it adds up in float32; 200 trees of 31 leaves were off by 2e-6 of the largest contribution

    def load(self) -> Any:
        """Return the xgboost module.

        Raises: MissingExtra: not installed; LexsiError: it cannot start (its own error is a ValueError).
        """
        try:
            import xgboost
        except ImportError as error:
            why = 'model_type="XGBoost" needs it. Without CUDA, on Linux: %pip install xgboost-cpu.'
            raise MissingExtra.of("xgboost", "xgboost", why) from error
        except (OSError, ValueError) as error:
            first = str(error).strip().partition("\n")[0]
            raise LexsiError("xgboost cannot start.", f"({first})", 'Leave model_type out for "LightGBM".') from error
        return xgboost

    def params(self, trees: Trees) -> dict[str, Any]:
        """Return the settings under XGBoost's names; a leaf's least rows become its least sum of curvature."""
        values: dict[str, Any] = {
            "objective": OBJECTIVES[trees.task],
            "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0, "max_leaves": trees.leaves,
            "learning_rate": trees.learning_rate, "reg_lambda": trees.l2,
            "min_child_weight": round(trees.min_rows * trees.curvature, 2), "seed": trees.seed,
        }  # fmt: skip
        values |= {"num_class": trees.classes} if trees.classes else {}
        return values | ({"nthread": 1} if trees.one_thread else {})

    def imports(self, use: Use, *, words: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the import lines of a cell; json reads and writes the categories."""
        return ("import json",) if words and use != "again" else (), ("import xgboost as xgb",)

    def takes(self, names: Iterable[Any]) -> bool:
        """Return whether the names have no `[`, `]` or `<` and differ."""
        texts = [str(n) for n in names]
        return len(set(texts)) == len(texts) and not any(set("[]<") & set(t) for t in texts)

    def train_source(self, params: str, rounds: int, *, words: bool, patience: int = 0) -> list[str]:
        """Return lines that learn from X and y and return the model, which carries the categories."""
        tried = [
            f"first, rest = [{MATRIX.format('X[rows], y[rows]')} for rows in (learn, held)]",
            "tried = xgb.train(",
            f'    params, first, num_boost_round={rounds}, evals=[(rest, "held")], early_stopping_rounds={patience},',
            "    verbose_eval=False,",
            ")",
        ]
        count = "tried.best_iteration + 1" if patience else str(rounds)
        train = f"xgb.train(params, {MATRIX.format('X, y')}, num_boost_round={count})"
        lines = [f"params = {params}", *(tried if patience else [])]
        if not words:
            return [*lines, f"return {train}"]
        return [
            *lines,
            f"trees = {train}",
            "# Later frames need the same categories in the same order, so they go along in the model.",
            'known = [X[c].cat.categories.tolist() for c in X.select_dtypes("category")]',
            "trees.set_attr(categories=json.dumps(known))",
            "return trees",
        ]

    def again_source(self, model: str, params: str) -> list[str]:
        """Return lines that learn again: a model tells its rounds but not its settings, so they are repeated."""
        return [
            f"params = {params}",
            f"seen = {MATRIX.format('X[~test], y[~test]')}",
            f"again = xgb.train(params, seen, num_boost_round={model}.num_boosted_rounds())",
            f"return again.predict({MATRIX.format('X[test]')})",
        ]

    def known_words_source(self, words: str, model: str) -> list[str]:
        """Return lines that give the words of X the categories that the model carries; others become gaps."""
        return [
            f'for c, known in zip({words}, json.loads({model}.attr("categories"))):',
            "    X[c] = X[c].cat.set_categories(known)",
        ]

    def scores_source(self, model: str, inputs: str, wanted: Wanted, *, classes: int = 0) -> str:
        """Return the expression for what `model` makes of the inputs."""
        return f'{model}.predict({inputs}{CALLS[wanted]}).astype("float64")'

    def categories(self, model: Any) -> list[list[str]]:
        """Return the values of each word feature that the model learned."""
        return json.loads(model.attr("categories") or "[]")

    def used(self, model: Any) -> list[bool]:
        """Return whether any tree splits on an input, for each input."""
        split = model.get_score(importance_type="weight")
        return [name in split for name in model.feature_names or [f"f{i}" for i in range(model.num_features())]]

    def content(self, model: Any) -> bytes:
        """Return the model as XGBoost saves it."""
        return bytes(model.save_raw("json"))

    def size(self, model: Any) -> tuple[int, int]:
        """Return (trees, leaves a tree at most)."""
        grown = json.loads(model.save_config())["learner"]["gradient_booster"]["tree_train_param"]
        booster = json.loads(model.save_config())["learner"]["learner_model_param"]
        return model.num_boosted_rounds() * max(1, int(booster["num_class"])), int(grown["max_leaves"]) or 64

    def rounds(self, model: Any) -> int:
        """Return how many rounds the model was trained for."""
        return model.num_boosted_rounds()
