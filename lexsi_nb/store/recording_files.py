"""Recordings as files below `.lexsi/` beside the notebook: plain YAML, one thing a line, no times, no random ids."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lexsi_nb.store.folder import StoreFailed
from lexsi_nb.store.recording import BadRecording, Recording, recording_from

FOLDER = ".lexsi"
ENDING = ".yaml"
MOST_BYTES = 1_000_000
HEAD = (
    "# A run of lexsi-nb, recorded so that it runs again without a model. Review it like code; --ask writes it anew.\n"
)
_NAME = re.compile(r"\w[\w.\-]{0,99}")
_BREAKS = re.compile("[\r\x85\u2028\u2029]")  # YAML reads them as line ends
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class RecordingFiles:
    """The recordings of one folder."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where they are: as given, else `.lexsi/` in the folder the kernel works in."""
        return Path(self._folder) if self._folder is not None else Path.cwd() / FOLDER

    def path(self, name: str) -> Path:
        """Return the file of a name.

        Raises:
            BadRecording: the name could reach outside the folder, or no file may have it.
        """
        bare = name.removesuffix(ENDING)
        if not _NAME.fullmatch(bare) or ".." in bare or _DEVICES.fullmatch(bare):
            raise BadRecording(
                f"No recording can be called {name!r}.", "A name has letters, digits, _, - and dots.", "Write q1."
            )
        return self.folder / f"{bare}{ENDING}"

    def read(self, name: str) -> Recording | None:
        """Return the recording of a name, None where there is none.

        Raises:
            BadRecording: the file is no recording; says what is wrong, and never what it contains.
        """
        path = self.path(name)
        if not path.exists() and not path.is_symlink():
            return None
        try:
            return recording_from(_parsed(_text(path)))
        except BadRecording as error:
            raise BadRecording(
                f"{self.shown(path)} cannot be replayed: {error.what}", error.why, "Correct it, or --ask to ask again."
            ) from error

    def of_question(self, key: str) -> Iterator[tuple[str, Recording]]:
        """Yield (name, recording) of every recording of a question, as they were asked; others stay unread."""
        if not self.folder.is_dir():
            return
        found = []
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            name = path.name.removesuffix(ENDING)
            if _NAME.fullmatch(name) and _mentions(path, key) and (read := self.read(name)) is not None:
                found.append((read.asked, name, read))
        for _, name, read in sorted(found, key=lambda f: f[:2]):
            if read.key == key:
                yield name, read

    def any(self) -> bool:
        """Whether there is any recording."""
        return self.folder.is_dir() and next(self.folder.glob(f"*{ENDING}"), None) is not None

    def listing(self) -> list[tuple[str, str]]:
        """Return (file name, planner and question in a line, or what is wrong with the file), by file name."""
        rows = []
        for path in sorted(self.folder.glob(f"*{ENDING}")) if self.folder.is_dir() else []:
            try:
                read = self.read(path.name)
                said = f"{read.planner}: {' '.join(read.question.split())[:100]}" if read is not None else ""
            except BadRecording as error:
                said = str(error)
            rows.append((path.name, said))
        return rows

    def write(self, name: str, recording: Recording) -> Path:
        """Write a recording whole or not at all, and return its file.

        Raises:
            StoreFailed: the folder cannot be written, or leads elsewhere.
        """
        path, text = self.path(name), text_of(recording)
        folder = self.folder
        if len(text.encode()) > MOST_BYTES:
            raise StoreFailed(
                f"{self.shown(path)} would have {len(text.encode()):,} bytes.", f"At most {MOST_BYTES:,}."
            )
        try:
            if folder.is_symlink():
                raise StoreFailed(f"{folder} is a link.", "Recordings are written beside the notebook only.")
            folder.mkdir(exist_ok=True)
            handle, made = tempfile.mkstemp(dir=folder, prefix=".new-", suffix=".tmp")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                os.chmod(made, 0o644)
                os.replace(made, path)  # takes the place of a link, never writes through it
            except BaseException:
                os.unlink(made)
                raise
        except OSError as error:
            raise StoreFailed(f"{self.shown(path)} cannot be written.", f"{error.strerror}.") from error
        return path

    def shown(self, path: Path) -> str:
        """Return a path as a person reads it: from the folder that has the notebook."""
        return f"{self.folder.name}/{path.name}"


def text_of(recording: Recording) -> str:
    """Return the text of a recording's file. Equal recordings have equal texts."""
    import yaml

    body = yaml.dump(
        recording.fields(), Dumper=_writer(), sort_keys=False, allow_unicode=True, width=1_000_000,
        default_flow_style=False,
    )  # fmt: skip
    return HEAD + body


def _text(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        raise BadRecording("It is no plain file.")
    with path.open("rb") as file:
        held = file.read(MOST_BYTES + 1)
    if len(held) > MOST_BYTES:
        raise BadRecording(f"It has more than {MOST_BYTES:,} bytes.")
    try:
        return held.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRecording("It is no UTF-8 text.") from None


def _mentions(path: Path, key: str) -> bool:
    """Say whether a file could hold a recording of the question, without parsing it."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return key.encode() in file.read(400)


def _parsed(text: str) -> Any:
    import yaml

    try:
        return yaml.load(text, Loader=_reader())
    except BadRecording:
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BadRecording("It is no YAML.", f"Line {mark.line + 1}." if mark is not None else "") from None
    except (RecursionError, ValueError, OverflowError):
        raise BadRecording("It holds what no recording has.") from None


def _line_of(event: Any) -> str:
    return f"Line {event.start_mark.line + 1}."


@cache
def _reader() -> Any:
    import yaml

    class Plain(yaml.SafeLoader):
        """Reads mappings, lists and JSON's values: no tags, no anchors, no names twice."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                raise BadRecording("It has an anchor, which no recording has.", _line_of(event))
            if getattr(event, "tag", None) is not None:
                raise BadRecording("It has a tag, which no recording has.", _line_of(event))
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            names = [self.construct_object(k, deep=True) for k, _ in node.value]
            if any(not isinstance(n, str) for n in names) or len(set(names)) < len(names):
                line = node.start_mark.line + 1
                raise BadRecording("It has a name twice, or one that is no text.", f"Below line {line}.")
            return super().construct_mapping(node, deep=deep)

    kept = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:null")
    resolvers = yaml.SafeLoader.yaml_implicit_resolvers
    Plain.yaml_implicit_resolvers = {c: [r for r in rs if r[0] in kept] for c, rs in resolvers.items()}
    return Plain


@cache
def _writer() -> Any:
    import yaml

    class Lines(yaml.SafeDumper):
        """Writes text of several lines as it stands, and never an anchor."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        style = '"' if _BREAKS.search(value) else "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Lines.add_representer(str, text)
    return Lines
