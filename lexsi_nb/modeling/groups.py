"""Rows that belong together: those of one entity, or copies of each other. They stay on one side of every split."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.columns import COUNTER, FEW_ROWS, NUMBER_NAME
from lexsi_nb.modeling.source import literal, literals

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

INDEX_NAME = re.compile(r"^(index|level_\d+|Unnamed: \d+|row|rows|row_?(no|nr|num|number)|line|)$", re.IGNORECASE)


@dataclass(frozen=True)
class Groups:
    """`source`: the expression for a group number a row, "" where each row stands alone; `codes` are the same."""

    source: str = ""
    together: str = ""
    codes: Any = None
    warnings: tuple[str, ...] = ()

    def rarest(self, y: np.ndarray) -> int:
        """Return the groups of the rarest class, a group counting as its highest class."""
        import numpy as np
        import pandas as pd

        of_group: Any = pd.Series(y).groupby(self.codes).max()
        return int(np.bincount(of_group.to_numpy(), minlength=y.max() + 1).min())


def groups_of(usable: Any, y: np.ndarray, *, entity: Any, rows: str) -> Groups:
    """Return which labelled rows belong together. rows: the source of their frame.

    Rows with the same entity do. Else rows that are equal in every column but the entity are taken as copies, unless
    more than half of the rows are: then the columns are too coarse to tell copies from like cases.
    """
    import pandas as pd
    from pandas.core.util.hashing import hash_pandas_object

    if entity is not None and (twice := int(usable[entity].duplicated(keep=False).sum())):
        codes = usable.groupby(entity, dropna=False).ngroup().to_numpy()
        text = f"{twice:,} rows share their {entity} with another row: those of one stay together in every split."
        source = f"{rows}.groupby({literal(entity)}, dropna=False).ngroup().to_numpy()"
        return Groups(source, f"rows of one {entity}", codes, (text,))
    nested = [c for c in usable.columns if c != entity and not hashable(usable[[c]])]
    apart = [*([] if entity is None else [entity]), *nested]
    others = usable.drop(columns=apart)
    if not others.shape[1]:
        return Groups()
    hashes = hash_pandas_object(others, index=False)
    twice = int(hashes.duplicated(keep=False).sum())
    if not twice or twice > len(y) / 2:
        return Groups()
    drop = f".drop(columns={literals(apart)})" if apart else ""
    text = f"{twice:,} rows equal another row in every column: copies stay together in every split."
    return Groups(
        f"pd.factorize(pd.util.hash_pandas_object({rows}{drop}, index=False))[0]", "copies of a row",
        pd.factorize(hashes)[0], (text,),
    )  # fmt: skip


def hashable(column: pd.DataFrame) -> bool:
    """Return whether pandas can hash the values: not where they are lists or dicts."""
    from pandas.core.util.hashing import hash_pandas_object

    try:
        hash_pandas_object(column.head(100), index=False)
        hash_pandas_object(column, index=False)
    except TypeError:
        return False
    return True


def find_entity(frame: pd.DataFrame, target: Any) -> Any:
    """Return the column that tells the rows apart, or None where no column looks like it.

    The first column with a different value in every row that is named like an identifier, as loan_id or cust_no are;
    else the first one of words; else the first that counts the cases, unless it is a frame's index. Whole numbers that
    merely differ, such as amounts, are none.
    """
    from pandas.api import types

    from lexsi_nb.modeling.columns import ID_NAME, kind_of

    def differs(column: Any) -> bool:
        values = frame[column]
        try:
            return bool(values.notna().all() and values.is_unique)
        except TypeError:  # nested values
            return False

    others = [c for c in frame.columns if c != target]
    named = (c for c in others if ID_NAME.search(str(c)) and not types.is_float_dtype(frame[c].dtype))
    enough = others if len(frame) >= FEW_ROWS else []
    whole = [c for c in enough if types.is_integer_dtype(frame[c].dtype)]
    numbered = (c for c in whole if NUMBER_NAME.search(str(c)))
    words = (c for c in enough if types.is_string_dtype(frame[c].dtype))
    counters = (c for c in whole if not INDEX_NAME.search(str(c)) and kind_of(frame[c])[1] == COUNTER)
    return next((c for c in (*named, *numbered, *words, *counters) if differs(c)), None)
