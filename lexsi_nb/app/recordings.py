"""Which recording a question runs from and which it writes: by name, by notebook and cell, or by question."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import BadData, LexsiError
from lexsi_nb.planners.rebinding import PLACE, rebound
from lexsi_nb.planners.replay import ANEW, ReplayStopped
from lexsi_nb.store.recording import Recording, is_scalar, key_of
from lexsi_nb.store.recording_files import RecordingFiles

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session

Mode = Literal["auto", "only", "off"]
Recorded = Literal["models", "all"]
EMBEDDED = ("embedded", "grounded")
LONGEST_VALUE = 200


@dataclass(frozen=True)
class Asked:
    """How a question was asked: `template` as written, with the values of the variables it names.

    `name`: the recording that was named. `anew`: ask again and write it anew. `cell`: id of the calling cell.
    """

    template: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    mode: Mode = "auto"
    anew: bool = False
    cell: str = ""


@dataclass(frozen=True)
class Source:
    """Where a run comes from: `recording` to be replayed, or None; `name` under which the run is written, or ""."""

    recording: Recording | None = None
    name: str = ""
    shown: str = ""
    ordinal: int = 1
    always: bool = False  # written whichever planner decides


class Recordings:
    """The recordings of one session."""

    def __init__(self, session: Session, files: RecordingFiles) -> None:
        self.session, self.files = session, files
        self._asked: dict[str, list[str]] = {}  # question -> the cells that asked it, "" where none was known

    @property
    def records_all(self) -> bool:
        """Whether runs of planners on this machine are recorded without a name too.

        Raises:
            BadData: the session's `record` is neither models nor all.
        """
        return one_of(Recorded, self.session.record, "record") == "all"

    def source(self, asked: Asked) -> Source:
        """Return what the run comes from.

        Raises:
            ReplayStopped: the recording named is of another question, or there is none and none may be made.
            BadRecording: the file cannot be used.
        """
        one_of(Mode, asked.mode, "replay")
        if asked.anew and asked.mode == "only":
            raise BadData("--ask asks a model, and --replay only forbids it.", "", "Leave one out.")
        found = self._named(asked) if asked.name else self._unnamed(asked)
        if found.recording is not None:
            return replace(found, recording=rebound(found.recording, asked.parameters))
        if asked.mode == "only" and not self._embedded():
            what = f"a recording {asked.name}" if asked.name else "a recording of this question"
            raise ReplayStopped(f"There is no {what.removeprefix('a ')}.", "--replay only asks no model.", f"{ANEW}.")
        return found

    def count(self, asked: Asked) -> None:
        """Count an asking that came to an end: the same question asked next is another one."""
        cells = self._asked.setdefault(key_of(asked.template), [])
        if not asked.cell or asked.cell not in cells:
            cells.append(asked.cell)

    def _named(self, asked: Asked) -> Source:
        shown = self.files.shown(self.files.path(asked.name))
        new = Source(name=asked.name if asked.mode != "off" else "", shown=shown, always=True)
        if asked.anew or asked.mode == "off":
            return new
        recording = self.files.read(asked.name)
        if recording is None:
            return new
        if recording.key != key_of(asked.template):
            was = " ".join(recording.question.split())
            raise ReplayStopped(
                f"Recording {shown} is of another question.", f"It asked: {was[:200]}", f"{ANEW}, or name another."
            )
        return Source(recording, asked.name, shown)

    def _unnamed(self, asked: Asked) -> Source:
        local = self._embedded(chosen=True)  # answers anew each time, and costs nothing
        if local and not self.records_all:
            return Source()
        key = key_of(asked.template)
        ordinal = self._ordinal(key, asked.cell)
        name = self._name(asked, key, ordinal)
        new = Source(name=name if asked.mode != "off" else "", shown=f"{self.files.folder.name}/{name}.yaml",
                     ordinal=ordinal, always=self.records_all)  # fmt: skip
        if asked.mode == "off" or not self.files.folder.is_dir():
            return new
        if local:
            there = self.files.read(name)
            return new if there is None or there.local else Source()  # a model's recording stays
        if asked.cell and (own := self.files.read(name)) is not None:
            if own.key == key and not asked.anew:
                return Source(own, name, new.shown)
            return new  # the question of the cell was edited
        notebook = notebook_name()
        for found, recording in self.files.of_question(key):
            elsewhere = notebook and recording.notebook and recording.notebook != notebook
            if recording.asked == ordinal and not elsewhere and recording.data.id == self._data_id():
                shown = f"{self.files.folder.name}/{found}.yaml"
                return replace(new, name=found, shown=shown) if asked.anew else Source(recording, found, shown)
        return new

    def _ordinal(self, key: str, cell: str) -> int:
        cells = self._asked.get(key, [])
        return cells.index(cell) + 1 if cell and cell in cells else len(cells) + 1

    def _name(self, asked: Asked, key: str, ordinal: int) -> str:
        notebook = notebook_name()
        if asked.cell and notebook:
            return f"{notebook}-{_slug(asked.cell, 12)}"
        return f"{_slug(redact(asked.template), 40)}-{key[:6]}-{ordinal}"

    def _data_id(self) -> str:
        try:
            return self.session.binding.active_id()
        except LexsiError:
            return ""

    def _embedded(self, *, chosen: bool = False) -> bool:
        """Whether no model would be asked. With `chosen`: because the user said so, not by default."""
        planner = self.session.chosen_planner
        if not isinstance(planner, str):
            return bool(getattr(planner, "local", False))  # a chosen model is none
        return planner in EMBEDDED or (planner == "auto" and not chosen)


def one_of(kind: Any, given: str, what: str) -> str:
    """Return a setting.

    Raises:
        BadData: it is none of the literals of `kind`.
    """
    if given not in get_args(kind):
        raise BadData(f"{what} is {given!r}.", f"There is: {', '.join(get_args(kind))}.")
    return given


def values_of(
    question: str, namespace: Mapping[str, Any], names: tuple[str, ...] | None, *, braces: bool
) -> dict[str, Any]:
    """Return the variables that a question names in braces, with their values as text or number.

    `names` are those that must be there; else, with `braces`, those that are single values in the namespace. Other
    braces mean nothing.

    Raises:
        BadData: a variable of `names` is not in the question, not there, or no single value.
    """
    places = list(dict.fromkeys(PLACE.findall(question)))
    if names is None:
        found = {n: single(namespace[n]) for n in places if braces and n in namespace}
        return {n: v for n, v in found.items() if v is not None}
    values = {}
    for name in names:
        if name not in places:
            raise BadData(f"The question has no {{{name}}}.", "", f"Write {{{name}}} where its value belongs.")
        value = single(namespace[name]) if name in namespace else None
        if value is None:
            why = "There is no such variable." if name not in namespace else "It is no text, number or date."
            raise BadData(f"{{{name}}} has no value.", why, f"Set it in a cell before: {name} = ...")
        values[name] = value
    return values


def single(value: Any) -> Any:
    """Return a text, number or date as a recording keeps it; None for anything else."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if hasattr(value, "isoformat"):
        text = value.isoformat()
        return str(text).removesuffix("T00:00:00")
    if isinstance(value, bool) or not is_scalar(value):
        return None
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, str) and not (0 < len(value) <= LONGEST_VALUE and value.isprintable()):
        return None
    return value


def notebook_name() -> str:
    """Return the notebook's name as part of a file name, "" where nothing tells it."""
    import sys

    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    held = getattr(shell, "user_ns", {}).get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    path = Path(str(held))
    return _slug(path.stem, 40) if path.suffix == ".ipynb" else ""


def _slug(text: str, most: int) -> str:
    return re.sub(r"[^\w]+", "-", text.casefold()).strip("-_")[:most].strip("-_") or "question"
