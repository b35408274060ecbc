"""Pieces of Python source that the emitted cells share: literals, imports and what the model reads of a frame."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from lexsi_nb.modeling.libraries.library import Library, Use, Wanted

DATE_PARTS = ("year", "month", "day_of_week")
CHUNK = 20_000  # rows a C call: a stop is honoured between two of them


@dataclass(frozen=True)
class Shape:
    """The features of a model, in the order it reads them, which are words or dates, and the library it is made with.

    `moment`: the column of the day that a row is about, from which days are counted back to each date, or None.
    """

    features: tuple[Any, ...]
    words: tuple[Any, ...]
    library: Library
    taken: frozenset[str] = frozenset()  # variable names the cells must not rebind
    dates: tuple[Any, ...] = ()
    moment: Any = None

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Features that enter as float64."""
        return tuple(c for c in self.features if c not in self.words and c not in self.dates)

    @property
    def dash(self) -> str:
        """What joins a date's name and the name of a part, so that no part is called like another feature."""
        names = set(map(str, self.features))
        clash = (
            d for d in ("_", " ", ": ", " / ") if not names & {f"{c}{d}{p}" for c in self.dates for p in self.parts}
        )
        return next(clash, " // ")

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that a date is read as."""
        return (*DATE_PARTS, *(["days_before"] if self.moment is not None else []))

    @property
    def inputs_by_feature(self) -> tuple[tuple[Any, Any], ...]:
        """(what the model reads, the user's column behind it), in the order of the model: parts of dates come last."""
        whole = [(c, c) for c in self.features if c not in self.dates]
        return (*whole, *((f"{c}{self.dash}{p}", c) for c in self.dates for p in self.parts))

    def name(self, wanted: str) -> str:
        """Return the name that a cell binds for its own use: `wanted` unless it is taken."""
        return free(wanted, self.taken)

    def inputs(self, rows: str) -> str:
        """Return the expression for the inputs of the labelled rows, before there is a model."""
        return f"{self.name('inputs_of')}({rows})"

    def scored(self, rows: str) -> str:
        """Return the expression for what the model is given to score the rows."""
        return f"{self.name(self.library.inputs_to_score[0])}({rows})"


def free(name: str, taken: Iterable[str]) -> str:
    """Return `name`, or the first of `name_2`, `name_3`... that is not taken."""
    taken = set(map(str, taken))
    n, candidate = 2, name
    while candidate in taken:
        candidate, n = f"{name}_{n}", n + 1
    return candidate


def spared(source: str, taken: Iterable[str]) -> str:
    """Return the source with each of its functions that is called like a taken name renamed."""
    for name in re.findall(r"^def (\w+)", source, re.MULTILINE):
        if (other := free(name, taken)) != name:
            source = re.sub(rf"\b{name}\b", other, source)
    return source


def is_literal(value: Any) -> bool:
    """Return whether `literal(value)` reads back as an equal value."""
    value = plain_value(value)
    return isinstance(value, (bool, int, str)) or (isinstance(value, float) and value - value == 0)


def plain_value(value: Any) -> Any:
    """Return a numpy scalar as the Python value it holds, anything else as it is."""
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value


def literal(value: Any) -> str:
    """Return the source of a value, in double quotes where it is text."""
    value = plain_value(value)
    if isinstance(value, str):
        quoted = repr(value)
        return quoted if '"' in value or quoted[0] == '"' else f'"{quoted[1:-1]}"'.replace("\\'", "'")
    return repr(value)


def literals(values: Iterable[Any], *, open: str = "[", close: str = "]") -> str:
    """Return the source of a list, wrapped at 100 columns."""
    items = [literal(v) for v in values]
    line = f"{open}{', '.join(items)}{close}"
    if len(line) <= 80:
        return line
    # Protect blanks inside the items from the wrapping.
    packed = textwrap.wrap(", ".join(i.replace(" ", "\0") for i in items) + ",", 96, break_long_words=False,
                           break_on_hyphens=False)  # fmt: skip
    return f"{open}\n" + "\n".join(f"    {p}".replace("\0", " ") for p in packed) + f"\n{close}"


def dict_source(values: dict[str, Any]) -> str:
    """Return the source of a dict, a line a pair."""
    return "{\n" + "".join(f"    {literal(k)}: {literal(v)},\n" for k, v in values.items()) + "}"


def frame_lines(name: str, frame: Any) -> tuple[list[str], str]:
    """Return (lines that convert polars and Arrow, the name of the pandas frame)."""
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return [], name
    return [f"{name}_pandas = {name}.to_pandas()"], f"{name}_pandas"


def inputs_source(shape: Shape, *, model: str | None = None) -> list[str]:
    """Return the lines that define `model_features` and a function that makes the inputs of rows; blank ones after.

    model: the variable of the model that scores them, whose categories count; None before there is one.
    """
    names = shape.name("model_features")
    to_number = '.astype("float64").replace([np.inf, -np.inf], np.nan)'
    to_word = '.astype("string").astype("category")'
    words = "words" if shape.numbers or shape.dates else names
    if not shape.words and not shape.dates:
        body = [f"X = rows[{names}]{to_number}"]
    elif not shape.numbers and not shape.dates:
        body = [f"X = rows[{names}]{to_word}"]
    else:
        body = list_lines("words", shape.words) if shape.words else []
        body += list_lines("dates", shape.dates) if shape.dates else []
        others = " + ".join(n for n, there in (("words", shape.words), ("dates", shape.dates)) if there)
        body += [f"numbers = [c for c in {names} if c not in {others}]"] if shape.numbers else []
        body += [f"X = rows[{names}].copy()"]
        body += [f"X[numbers] = X[numbers]{to_number}"] if shape.numbers else []
        body += [f"X[words] = X[words]{to_word}"] if shape.words else []
        body += dates_source(shape) if shape.dates else []
    if shape.words and model is not None:
        body += shape.library.known_words_source(words, model)
    if not shape.library.takes([i for i, _ in shape.inputs_by_feature]):
        body.append(f'X.columns = [f"x{{i}}" for i, _ in enumerate(X.columns)]  # {shape.library.refuses}')
    reads = ", dates as their parts" if shape.dates else ""
    return [
        f"{names} = {literals(shape.features)}",
        "",
        "",
        f"def {shape.scored('rows') if model else shape.inputs('rows')}:",
        f'    """Return what the model reads: numbers as they are, words as categories{reads}, gaps left as gaps."""',
        *indented([*body, f"return {shape.library.inputs_to_score[1] if model else 'X'}"]),
        "",
        "",
    ]


def list_lines(name: str, values: Iterable[Any]) -> list[str]:
    """Return the lines of `name = [...]`."""
    return f"{name} = {literals(values)}".split("\n")


def dates_source(shape: Shape) -> list[str]:
    """Return the lines that put the parts of each date in its place; what is no date becomes a gap."""
    read = 'pd.to_datetime({}, errors="coerce", utc=True, format="ISO8601")'
    dash = shape.dash
    lines = [
        "for c in dates:",
        f"    when = {read.format('X.pop(c)')}",
        f"    for part in {literals(DATE_PARTS)}:",
        f'        X[f"{{c}}{dash}{{part}}"] = getattr(when.dt, part).astype("float64")',
    ]
    if shape.moment is not None:
        lines[1:1] = [f"    moment = {read.format(f'rows[{literal(shape.moment)}]')}"]
        lines += [f'    X[f"{{c}}{dash}days_before"] = (moment - when).dt.days.astype("float64")']
    return lines


def indented(lines: Iterable[str]) -> list[str]:
    """Return the lines of a function's body."""
    return [f"    {line}" if line else "" for line in lines]


def imports(shape: Shape, *names: str, use: Use | None = None) -> list[str]:
    """Return import lines and a blank one: those of the library for this use, and `numpy` and `pandas` where named."""
    standard, others = shape.library.imports(use, words=bool(shape.words)) if use else ((), ())
    known = {"numpy": "import numpy as np", "pandas": "import pandas as pd"}
    read = [*(["numpy"] if shape.numbers else []), *(["pandas"] if shape.dates else [])]
    lines = {*others, *(known[n] for n in (*names, *read))}
    return [*standard, *([""] if standard and lines else []), *sorted(lines), ""]


def scores_source(shape: Shape, model: str, rows: str, n_rows: int, wanted: Wanted = "score") -> str:
    """Return the expression for the scores of `rows`, in chunks where the frame is large."""
    if n_rows <= CHUNK:
        return shape.library.scores_source(model, shape.scored(rows), wanted)
    part = shape.library.scores_source(model, shape.scored(f"{rows}.iloc[i : i + {CHUNK:_}]"), wanted)
    return f"np.concatenate([\n    {part}\n    for i in range(0, len({rows}), {CHUNK:_})\n])"


def target_source(
    frame: str, column: Any, values: pd.Series, positive: Any, *, complete: bool, known: str, classes: str = ""
) -> tuple[list[str], str, str]:
    """Return (lines that drop rows without a target into the variable `known`, the frame's name then, y).

    classes: the variable that lists more than two classes.
    """
    lines: list[str] = []
    rows, whole = frame, f"{frame}[{literal(column)}]"
    if not complete:
        number = positive is None and not classes
        usable = f'np.isfinite({whole}.astype("float64"))' if number else f"{whole}.notna()"
        lines, rows = [f"{known} = {frame}[{usable}]"], known
    picked = f"{rows}[{literal(column)}]"
    if classes:
        as_text = "" if all(is_literal(v) for v in values.dropna().unique()) else '.astype("string")'
        return lines, rows, f'pd.Index({classes}).get_indexer({picked}{as_text}).astype("int32")'
    if positive is None:
        return lines, rows, f'{picked}.astype("float64").to_numpy()'
    numeric = values.dtype.kind in "iufb" and not values.isna().any()
    if numeric and positive == 1 and set(values.unique().tolist()) == {0, 1}:
        return lines, rows, f'{picked}.to_numpy(dtype="int32")'
    if is_literal(positive):
        return lines, rows, f'({picked} == {literal(positive)}).to_numpy(dtype="int32")'
    return lines, rows, f'({picked}.astype("string") == {literal(str(positive))}).to_numpy(dtype="int32")'
