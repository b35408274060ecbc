"""What the columns of a result are called: `number_of_loans`, `mean_amount`, a group by its column or its grain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.grounding.grains import GRAINS, grain_name
from lexsi_nb.grounding.reading import Column, Key, Measure
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words, plural

_NAMED = {
    "avg": "mean", "sum": "total", "min": "min", "max": "max", "median": "median", "stddev": "std",
    "variance": "variance", "range": "range", "iqr": "iqr", "cv": "cv",
}  # fmt: skip


def listed_names(columns: Sequence[Column]) -> list[str]:
    """Return the output names of listed columns: with their table where two have one name."""
    names = [c.name for c in columns]
    return [n if names.count(n) == 1 else f"{c.table}_{n}" for n, c in zip(names, columns, strict=True)]


def key_name(key: Key) -> str:
    """Return the output name of a group key."""
    return grain_name(key.grain) if key.grain in GRAINS else key.column.name


def measure_name(m: Measure) -> str:
    """Return the output name of a measure: `number_of_x`, `mean_x`."""
    if m.name:
        return m.name
    if m.share or m.of_total:
        return "percentage"
    if m.function == "count":
        *words, last = name_words(m.table) or ("row",)
        return "_".join(["number_of", *words, *plural(last).split()])
    assert m.column is not None
    name = m.column.name
    words = name if quote(name) == name else "_".join(re.findall(r"[^\W_]+", name.casefold()))
    if m.function == "distinct":
        return f"number_of_{words}_values"
    said = _NAMED.get(m.function) or f"p{float(m.function[1:]) * 100:g}".replace(".", "_")
    return words if words.casefold().startswith(f"{said}_") else f"{said}_{words}"


def unique_names(names: list[str]) -> list[str]:
    """Return the names with repeats numbered."""
    seen: dict[str, int] = {}
    out = []
    for n in names:
        seen[n.casefold()] = seen.get(n.casefold(), 0) + 1
        out.append(n if seen[n.casefold()] == 1 else f"{n}_{seen[n.casefold()]}")
    return out
