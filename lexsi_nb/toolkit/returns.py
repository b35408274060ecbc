"""What a tool returned, as a ToolResult: a short summary for the planner, the object itself for the notebook."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
import re
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.observation import Observation, Segment, SegmentClass
from lexsi_nb.toolkit.spec import ToolResult

PREVIEW_ROWS = 20
MOST_DRAWN = 1_000_000
PREVIEW_COLUMNS = 30
PREVIEW_CELL = 60
_DEEPEST = 50
_FRAMES = (("pandas", ("DataFrame", "Series")), ("polars", ("DataFrame", "Series")), ("pyarrow", ("Table",)))
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def convert(value: Any, *, reveals: SegmentClass = "rows", limit: int | None = 20_000) -> ToolResult:
    """Return the result of a call that returned `value`.

    None is "", scalars their text, dict, list, dataclass and pydantic objects JSON, a frame its shape and a bounded
    preview, a CodeCell or a code-cell action a proposed cell, images and PDFs (BinaryContent) shown and named.
    A ToolResult passes through. Text beyond `limit` characters is cut and said so; the payload stays whole.

    >>> convert({"a": (1, 2)}).observation.text
    '{"a": [1, 2]}'
    """
    if isinstance(value, Iterator):
        value = _drawn(value)
    if isinstance(value, AsyncIterator):
        raise ValueError("the tool returned an asynchronous generator; return a list")
    if isinstance(value, ToolResult):
        # `meta` is a copy: gates add to it, and the tool may hand out one object many times.
        parts = {"artifacts": tuple(value.artifacts or ()), "meta": dict(value.meta or {})}
        return _named(dataclasses.replace(value, summary=cap(value.observation, limit), **parts))
    if cells := _cells(value):
        return ToolResult(True, cap(_cells_observation(cells, reveals), limit), payload=value, artifacts=cells)
    if media := _media(value):
        return ToolResult(True, cap(_media_observation(media, reveals), limit), payload=value, artifacts=media)
    if value is None:
        return ToolResult(True, Observation())
    if (shape := _frame_shape(value)) is not None:
        return ToolResult(True, cap(_frame_observation(value, shape), limit), payload=value)
    text = _text(value, limit)
    observation = Observation((Segment(text, reveals),)) if text else Observation()
    return ToolResult(True, cap(observation, limit), payload=value)


def _drawn(values: Iterator[Any]) -> list[Any]:
    """Return what a generator gives, at most MOST_DRAWN of it: the object of a result is looked at more than once.

    Raises:
        ValueError: it gives more; it may have no end.
    """
    drawn = list(islice(values, MOST_DRAWN + 1))
    if len(drawn) > MOST_DRAWN:
        raise ValueError(f"the tool returned a generator of more than {MOST_DRAWN:,} values; return a list or a frame")
    return drawn


def cap(observation: Observation, limit: int | None) -> Observation:
    """Return the observation cut to `limit` characters over all its segments; a cut is said."""
    observation = Observation(tuple(_whole(s) for s in observation.segments))
    total = sum(len(s.text) for s in observation.segments)
    if limit is None or total <= limit:
        return observation
    kept: list[Segment] = []
    left = limit
    for segment in observation.segments:
        if segment.media is not None:
            kept.append(segment)
        if left <= 0 or segment.media is not None:
            continue
        kept.append(dataclasses.replace(segment, text=segment.text[:left]))
        left -= len(segment.text)
    kept.append(Segment(f"[cut: the first {limit:,} characters are shown; the object itself is whole]"))
    return Observation(tuple(kept))


def _whole(segment: Segment) -> Segment:
    """Return the segment with half characters, which no message and no file can carry, as question marks."""
    if segment.text.isascii():
        return segment
    return dataclasses.replace(segment, text=segment.text.encode("utf-8", "replace").decode())


def _named(result: ToolResult) -> ToolResult:
    """Return a failed result with at least some text, so that a planner never reads an empty failure."""
    if result.ok or result.observation.text.strip():
        return result
    return dataclasses.replace(result, summary=Observation.of(result.error or "The tool failed and did not say why."))


def _text(value: Any, limit: int | None = None) -> str:
    if isinstance(value, enum.Enum):
        return _text(value.value, limit)
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float, complex, decimal.Decimal)):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"{len(value):,} bytes"
    if _is_structure(value):
        return json.dumps(Plain(limit).of(value), ensure_ascii=False)
    if callable(getattr(value, "item", None)) and getattr(value, "ndim", 1) == 0:
        return _text(value.item(), limit)
    return plain_text(value)


def plain_text(value: Any) -> str:
    """Return `str(value)` without memory addresses, which would differ at each run; never empty, never raises."""
    try:
        text = _ADDRESS.sub("", str(value))
    except Exception as error:  # noqa: BLE001 - any __str__ of a user's class
        return f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return text or f"a {type(value).__name__}"


class Plain:
    """Turns a value into JSON's own types; what has none becomes text. At most `budget` values are visited."""

    def __init__(self, budget: int | None = None) -> None:
        self.left = budget if budget is not None else sys.maxsize

    def of(self, value: Any, depth: int = 0) -> Any:
        """Return the value in JSON's own types; "..." stands where the budget or the depth ends."""
        self.left -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, enum.Enum):
            return self.of(value.value, depth)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            # NaN and infinity have no JSON form.
            return float(value) if math.isfinite(value) else None
        if depth > _DEEPEST:
            return "..."
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._fields(((f.name, getattr(value, f.name)) for f in dataclasses.fields(value)), depth)
        if isinstance(value, Mapping):
            return self._fields(value.items(), depth)
        if isinstance(value, (set, frozenset)):
            return sorted(self._items(value, depth), key=repr)
        if isinstance(value, (list, tuple)):
            return self._items(value, depth)
        if callable(dump := getattr(type(value), "model_dump", None)):
            return self.of(dump(value, mode="json"), depth)
        if (shape := _frame_shape(value)) is not None:
            return f"{type(value).__name__} of {shape[0]:,} rows and {shape[1]:,} columns"
        if callable(tolist := getattr(value, "tolist", None)):
            return self.of(tolist(), depth)
        return _text(value)

    def _items(self, values: Iterable[Any], depth: int) -> list[Any]:
        out: list[Any] = []
        for v in values:
            if self.left <= 0:
                return [*out, "..."]
            out.append(self.of(v, depth + 1))
        return out

    def _fields(self, pairs: Iterable[tuple[Any, Any]], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for k, v in pairs:
            if self.left <= 0:
                return {**out, "...": "..."}
            out[k if isinstance(k, str) else _text(k)] = self.of(v, depth + 1)
        return out


def _is_structure(value: Any) -> bool:
    if isinstance(value, (Mapping, list, tuple, set, frozenset)):
        return True
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return True
    if hasattr(type(value), "model_dump"):
        return True
    return callable(getattr(value, "tolist", None)) and getattr(value, "ndim", 0) > 0


def _cells(value: Any) -> tuple[CodeCell, ...]:
    """Return the proposed cells a value stands for; () when it is none."""
    if isinstance(value, CodeCell):
        return (value,)
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, CodeCell) for v in value):
        return tuple(value)
    if isinstance(value, str) and '"code_cell"' in value and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return ()  # not the action after all, so it is ordinary text
    if isinstance(value, Mapping) and value.get("action") == "code_cell" and isinstance(value.get("content"), str):
        language = value.get("language") or "python"
        return (CodeCell(value["content"], title=str(value.get("title") or ""), language=str(language)),)
    return ()


def _cells_observation(cells: tuple[CodeCell, ...], reveals: SegmentClass) -> Observation:
    segments: list[Segment] = []
    for cell in cells:
        lines = len(cell.source.splitlines())
        title = f" {cell.title!r}" if cell.title else ""
        segments.append(Segment(f"Proposed a {cell.language} cell{title} of {lines} line{'s' * (lines != 1)}:"))
        # The source may quote values, so it counts as what the tool said it reveals.
        segments.append(Segment(cell.source, reveals))
    return Observation(tuple(segments))


def _media(value: Any) -> tuple[BinaryContent, ...]:
    """Return the media a value stands for, checked for what they are; () when it is none."""
    several = value if isinstance(value, (list, tuple)) else (value,)
    if not several or not all(isinstance(v, BinaryContent) for v in several):
        return ()
    from lexsi_nb.toolkit.media import to_binary_content

    return tuple(to_binary_content(v) for v in several)


def _media_observation(media: tuple[BinaryContent, ...], reveals: SegmentClass) -> Observation:
    """Return what the media are, and beside it those a model can be shown, as what the tool said it reveals."""
    from lexsi_nb.toolkit.media import attachable

    shown = attachable(media)
    segments = [Segment(m.text) for m in media]
    if len(shown) < len(media):
        segments.append(Segment(f"[{len(media) - len(shown)} of them only the notebook shows]"))
    return Observation((*segments, *(Segment("", reveals, media=m) for m in shown)))


def _frame_shape(value: Any) -> tuple[int, int] | None:
    """Return (rows, columns) of a pandas, polars or Arrow frame or series, else None; imports nothing."""
    for module, names in _FRAMES:
        library = sys.modules.get(module)
        if library is None:
            continue
        classes = tuple(c for n in names if isinstance(c := getattr(library, n, None), type))
        if isinstance(value, classes):
            shape = value.shape
            return (shape[0], shape[1] if len(shape) > 1 else 1)
    return None


def _frame_observation(value: Any, shape: tuple[int, int]) -> Observation:
    names, types, rows = _frame_parts(value)
    columns = ", ".join(f"{n} {t}" for n, t in zip(names, types, strict=True))
    more = f", ... {shape[1] - len(names)} more" if shape[1] > len(names) else ""
    head = f"{type(value).__name__} of {shape[0]:,} rows and {shape[1]:,} columns: {columns}{more}"
    if not rows:
        return Observation((Segment(head),))
    lines = [" | ".join(names), *(" | ".join(_cell(v) for v in row) for row in rows)]
    if shape[0] > len(rows):
        lines.append(f"... {shape[0] - len(rows):,} more rows")
    return Observation((Segment(head), Segment("\n".join(lines), "rows", tuple(names))))


def _frame_parts(value: Any) -> tuple[list[str], list[str], list[list[Any]]]:
    """Return names, types and the first rows of at most PREVIEW_COLUMNS columns."""
    library = type(value).__module__.partition(".")[0]
    if library == "pandas":
        frame = value if hasattr(value, "columns") else value.to_frame("value" if value.name is None else value.name)
        part = frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
        rows = [list(r) for r in part.itertuples(index=False, name=None)]
        return [str(c) for c in part.columns], [str(t) for t in part.dtypes], rows
    if library == "polars":
        frame = value if hasattr(value, "columns") else value.to_frame()
        part = frame[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
        return list(part.columns), [str(t) for t in part.dtypes], [list(r) for r in part.rows()]
    part = value.slice(0, PREVIEW_ROWS).select(value.column_names[:PREVIEW_COLUMNS])
    columns = [c.to_pylist() for c in part.columns]
    return list(part.column_names), [str(f.type) for f in part.schema], [list(r) for r in zip(*columns, strict=True)]


def _cell(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= PREVIEW_CELL else text[: PREVIEW_CELL - 3] + "..."
