"""What a tool gives back and what it prints, without the secrets in it. The object it returned stays as it is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Segment
from lexsi_nb.artifacts.secrets import mask_known
from lexsi_nb.toolkit.spec import ToolResult

_STREAMS = ("stdout", "stderr")


def without_secrets(result: ToolResult, hide: Callable[[str], str]) -> ToolResult:
    """Return the result with `hide` applied to every text that is read, shown or stored; the payload stays whole.

    In proposed code only what has the form of a key is hidden: `token = ask()` is no secret.
    """
    observation = result.observation
    segments = tuple(_hidden(s, hide) for s in observation.segments)
    artifacts = tuple(without_keys(a) if isinstance(a, CodeCell) else a for a in result.artifacts)
    error = hide(result.error) if result.error else result.error
    meta = {k: hide(v) if isinstance(v, str) else v for k, v in result.meta.items()}
    parts = zip((*segments, *artifacts), (*observation.segments, *result.artifacts), strict=True)
    if all(new is old for new, old in parts) and error == result.error and not any(map(_text, result.meta.values())):
        return result  # as nearly always; copies take longer than the looking
    return replace(result, summary=replace(observation, segments=segments), artifacts=artifacts, error=error, meta=meta)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _hidden(segment: Segment, hide: Callable[[str], str]) -> Segment:
    text, brief = (hide(t) if t else t for t in (segment.text, segment.brief))
    instead = segment.instead
    instead = _hidden(instead, hide) if isinstance(instead, Segment) else hide(instead) if instead else instead
    if (text, brief, instead) == (segment.text, segment.brief, segment.instead):
        return segment
    grid = segment.grid
    if grid is not None:
        grid = replace(grid, rows=tuple(tuple(map(hide, row)) for row in grid.rows))
    return replace(segment, text=text, brief=brief, instead=instead, grid=grid)


def without_keys(cell: CodeCell) -> CodeCell:
    """Return the cell with what has the form of a key, or is a secret of the environment, masked in it."""
    source, title = mask_known(cell.source), mask_known(cell.title)
    return cell if (source, title) == (cell.source, cell.title) else replace(cell, source=source, title=title)


class _Masking:
    """A stream that hides secrets in each text written to it, and is the stream behind it in everything else."""

    def __init__(self, behind: Any, hide: Callable[[str], str]) -> None:
        self.behind, self.hide = behind, hide

    def write(self, text: str) -> int:
        """Write the text without its secrets; return its length, as a stream does."""
        self.behind.write(self.hide(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write each line."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


_lock = threading.Lock()
_running = 0
_installed: dict[str, _Masking] = {}


@contextmanager
def masked_prints(hide: Callable[[str], str]) -> Iterator[None]:
    """Hide secrets in what is printed meanwhile: an output is saved with its notebook.

    Streams belong to the process, so the first of several tools at once installs this and the last takes it away.
    """
    _enter(hide)
    try:
        yield
    finally:
        _leave()


def _enter(hide: Callable[[str], str]) -> None:
    global _running
    with _lock:
        _running += 1
        if _running == 1:
            for name in _STREAMS:
                stream = getattr(sys, name)
                if stream is not None:
                    _installed[name] = _Masking(stream, hide)
                    setattr(sys, name, _installed[name])


def _leave() -> None:
    global _running
    with _lock:
        _running -= 1
        if _running == 0:
            for name, stream in _installed.items():
                if getattr(sys, name) is stream:  # else somebody has put another in its place, and takes it away
                    setattr(sys, name, stream.behind)
            _installed.clear()
