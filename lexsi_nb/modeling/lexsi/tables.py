"""What is sent to be trained on, scored or explained: id, features and target, and nothing else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.errors import BadData, BadTarget
from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.modeling.cases import id_text
from lexsi_nb.modeling.columns import Columns, as_pandas, require
from lexsi_nb.modeling.lexsi.normal import ADDED, folded
from lexsi_nb.modeling.libraries.library import library_of
from lexsi_nb.modeling.source import free
from lexsi_nb.modeling.target import Target, read_target
from lexsi_nb.modeling.training import choose

HELD = 5  # every fifth row, about, is held back to measure the model on


@dataclass(frozen=True)
class Learning:
    """The table to be learned from and the rows held back, after the audit on this machine.

    `data`: the usable rows; `ids`: one each, none twice, the entity or (`by_entity` False) the row number in the frame;
    `held`: bool, whether a row is held back.
    """

    data: Any
    target: Target
    columns: Columns
    X: Any
    noted: tuple[str, ...]
    ids: tuple[str, ...]
    id_column: str
    by_entity: bool
    held: Any
    target_name: str

    @property
    def features(self) -> list[Any]:
        """The columns that are learned from."""
        return list(self.columns.features)

    @property
    def sent(self) -> tuple[str, ...]:
        """The columns that are sent."""
        return (self.id_column, *map(str, self.features), self.target_name)

    def table(self, rows: Any) -> Any:
        """Return id, features and target of some of the rows, as they are sent."""
        table = features_of(self.data, self.columns.features, self.columns.words)
        table.insert(0, self.id_column, list(self.ids))
        table[self.target_name] = self.target.y
        return table[rows].reset_index(drop=True)


def learning(frame: Any, spec: TrainSpec, cancelled: Any) -> Learning:
    """Return what would be sent to be learned from; nothing is sent.

    Raises: BadTarget, BadData, UnknownColumn: what is wrong with the frame and what to do.
    """
    import pandas as pd

    data = as_pandas(frame)
    numbers = pd.Series(range(len(data)), index=data.index)
    named = [c for c in (spec.target, spec.entity, spec.time_column) if c is not None]
    require(data, [*named, *(spec.features or ())], where=spec.frame_name)
    if spec.sample_percentage is not None:
        share = float(spec.sample_percentage) / 100
        if not 0 < share <= 1:
            raise BadData(f"Cannot train on {spec.sample_percentage:g} percent.", "", "Give a share up to 100.")
        drawn = numbers.sample(frac=share, random_state=spec.seed)
        data, numbers = data.iloc[drawn.to_numpy()], drawn
    target = read_target(data, spec)
    if target.classes:
        raise BadTarget(
            f"Target {spec.target!r} has {len(target.classes)} classes.",
            "On Lexsi two classes or a number are learned.",
            "Predict one class against the rest with a 0/1 column, or use the embedded backend.",
        )
    usable = data[target.usable]
    plain = replace(spec, dates=False)
    columns, _, X, noted = choose(usable, target, spec.task, plain, cancelled, library_of("LightGBM"))
    told_apart([*columns.features, spec.target])
    ids, id_column, by_entity = ids_of(usable, spec.entity, columns.features, spec.target, numbers[target.usable])
    held = held_back(target, spec, usable)
    return Learning(usable, target, columns, X, noted, ids, id_column, by_entity, held, str(spec.target))


def told_apart(names: list[Any]) -> None:
    """Return nothing where column names differ as text, and from what the platform adds to its answers.

    Raises: BadData: which do not.
    """
    seen: dict[str, Any] = {}
    for name in names:
        if folded(name) in ADDED:
            raise BadData(
                f"A column called {name} cannot be sent to Lexsi.", "Its answers have a column of that name.",
                "Rename it.",
            )  # fmt: skip
        if str(name) in seen:
            raise BadData(
                f"Two columns are called {name} on their way to Lexsi: {seen[str(name)]!r} and {name!r}.", "",
                "Rename one of them.",
            )  # fmt: skip
        seen[str(name)] = name


def held_back(target: Target, spec: TrainSpec, rows: Any) -> Any:
    """Return which rows are held back: about a fifth of each class, drawn by the seed; rows of one entity together."""
    import numpy as np
    import pandas as pd

    draw = np.random.default_rng(spec.seed)
    held = np.zeros(len(target.y), dtype=bool)
    groups = pd.factorize(rows[spec.entity])[0] if spec.entity is not None else np.arange(len(target.y))
    if len(np.unique(groups)) < len(groups):
        return draw.random(groups.max() + 1)[groups] < 1 / HELD
    for rows_of_class in (
        [np.arange(len(target.y))] if spec.task == "regression" else [np.flatnonzero(target.y == k) for k in (0, 1)]
    ):
        n = max(1, round(len(rows_of_class) / HELD)) if len(rows_of_class) > 2 else 0
        held[draw.permutation(rows_of_class)[:n]] = True
    return held


def ids_of(
    data: Any, entity: Any, features: Any, target: Any, numbers: Any = None
) -> tuple[tuple[str, ...], str, bool]:
    """Return (an id a row, the column they are sent in, whether they are the entity's): else they are row numbers."""
    taken = [*map(str, features), *([str(target)] if target is not None else [])]
    column = free(str(entity) if entity is not None else "row", taken)
    if entity is not None and data[entity].notna().all():
        texts = tuple(id_text(v) for v in data[entity].tolist())
        if len(set(texts)) == len(texts) and lasting(data[entity], texts):
            return texts, column, True
    return tuple(map(str, range(len(data)) if numbers is None else numbers.tolist())), column, False


def lasting(ids: Any, texts: tuple[str, ...]) -> bool:
    """Return whether ids are the same after a way through a CSV file and as the cells read them.

    What pandas reads as something else (007, NA, 1e5) would not be found again in the platform's answer.
    """
    import io

    import pandas as pd

    # The same as `id_of` of the cells.
    if ids.astype("string").str.replace(r"\.0$", "", regex=True).tolist() != list(texts):
        return False
    csv = pd.DataFrame({"id": list(texts)}).to_csv(index=False)
    back = pd.read_csv(io.StringIO(csv), low_memory=False, skip_blank_lines=False)["id"]
    return tuple(map(id_text, back.tolist())) == texts


def features_of(data: Any, features: Any, words: Any) -> Any:
    """Return the features as they are sent: numbers as float64 (infinite ones missing), words as text."""
    import numpy as np
    import pandas as pd

    out: dict[str, Any] = {}
    for feature in features:
        values = data[feature]
        if feature in words:
            out[str(feature)] = values.astype("string").to_numpy(dtype=object, na_value=None)
        else:
            out[str(feature)] = values.astype("float64").replace([np.inf, -np.inf], np.nan).to_numpy()
    return pd.DataFrame(out)


def tag_of(table: Any, prefix: str) -> str:
    """Return the tag of a table: letters and digits only, the same for the same content."""
    csv = table.to_csv(index=False).encode()
    return f"{prefix}{hashlib.sha256(csv).hexdigest()[:14]}"
