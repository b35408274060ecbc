"""Datasets of kernel frames, and of files and databases by path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lexsi_nb.data.berka import COLUMNS, berka
from lexsi_nb.data.dataset import Dataset, py_string
from lexsi_nb.data.declared import merged
from lexsi_nb.data.files import endings, readable, tables_in
from lexsi_nb.data.frames import frames_in, is_frame, named_index
from lexsi_nb.data.reading import reading
from lexsi_nb.errors import BadData, nearest


def frames(source: Mapping[str, Any]) -> Dataset:
    """Return the dataset of the DataFrames in a namespace or mapping, a table a variable.

    Names that start with `_` are left out. Values are looked up when they are queried, so edits are seen.

    Raises:
        BadData: there is no frame.
    """
    found = frames_in(source)
    if not found:
        raise BadData("There is no DataFrame.", "Neither pandas, polars nor Arrow.", "Load one, or name a dataset.")
    return _of_frames(source, tuple(found))


def _of_frames(source: Mapping[str, Any], names: tuple[str, ...]) -> Dataset:
    index = {n: ".reset_index()" if named_index(source.get(n)) else "" for n in names}
    body = "\n".join(f"con.register({py_string(n)}, {n}{index[n]})" for n in names if n.isidentifier())
    others = [n for n in names if not n.isidentifier()]
    body += "\n" * bool(body and others)
    body += "\n".join(f"con.register({py_string(n)}, frames[{py_string(n)}]{index[n]})" for n in others)
    plural = "frame" if len(names) == 1 else "frames"
    return Dataset(
        id="frames",
        kind="frames",
        title=f"{len(names)} kernel {plural}",
        tables=names,
        body=body + "\n",
        frames=source,
        variables=names,
        requires=tuple(n for n in names if n.isidentifier()) + (("frames",) if others else ()),
    )


def mentioned(dataset: Dataset, sources: Iterable[str]) -> Dataset:
    """Return the dataset with those of its frames alone that any of the sources names; all where none does."""
    if dataset.kind != "frames" or dataset.frames is None or dataset.variables != dataset.tables:
        return dataset
    text = "\n".join(sources).casefold().replace('""', '"')
    named = [t for t in dataset.tables if re.search(rf"(?<!\w){re.escape(t.casefold())}(?!\w)", text)]
    return _of_frames(dataset.frames, tuple(named)) if named else dataset


def open(source: Any) -> Dataset:
    """Return the dataset of a path, a folder, a glob, several files, a `file://` address, or frames.

    Raises:
        BadData: no such path (lists the nearest names), or nothing in it that can be read.
    """
    if isinstance(source, Dataset):
        return source
    if is_frame(source):
        return frames({"data": source})
    if isinstance(source, Mapping):
        return replace(frames(source), note=_no_frames(source))
    must_open(source)
    with reading(str(source)):
        return _opened(source)


def _opened(source: str | Path | list[str | Path] | tuple[str | Path, ...]) -> Dataset:
    if isinstance(source, list | tuple):
        return several([_existing(Path(p).expanduser()) for p in source])
    if str(source).startswith("s3://"):
        return _bucket(str(source))
    if "://" in str(source):
        source = _local(str(source))
    path = Path(source).expanduser()
    if not path.exists() and _is_glob(path):
        return several(_matching(path), id=path.name, title=f"files {path.name}")
    path = _existing(path)
    return _folder(path) if path.is_dir() else _file(path)


def must_open(source: Any) -> None:
    """Return nothing where `source` is of a kind that `open` takes; opens nothing.

    Raises:
        BadData: it is of another; says which are taken.
    """
    if isinstance(source, Dataset | Mapping | str | Path) or is_frame(source):
        return
    several_of = isinstance(source, list | tuple)
    if several_of and source and all(isinstance(p, str | Path) for p in source):
        return
    what = type(source).__name__
    if several_of:
        what += f" of {type(source[0]).__name__}" if source else " with nothing in it"
    raise BadData(
        f"Cannot open {what}.",
        "Expected a path, a list of paths, a DataFrame, a dict of them or a Dataset.",
        'Give frames their names: {"orders": orders}.' if several_of and any(map(is_frame, source)) else "",
    )


def _no_frames(source: Mapping[str, Any]) -> str:
    """Return which values of a mapping are no frames, and so no tables, in a sentence; "" where all are."""
    others = [n for n, v in source.items() if isinstance(n, str) and not n.startswith("_") and not is_frame(v)]
    if not others:
        return ""
    told = [f"{n} ({type(source[n]).__name__})" for n in others[:3]]
    told += [f"{len(others) - 3} more"] if len(others) > 3 else []
    return f"Left out, for they are no DataFrames: {', '.join(told)}."


def below(path: str | None, files: list[str] | None = None) -> Dataset:
    """Return the dataset of a path, or of the files (names or globs) below it.

    Raises:
        BadData: as `open`.
    """
    if not files:
        return open(path or ".")
    root = Path(path or ".").expanduser()
    with reading(root):
        found = _found(root, files)
        return open(found[0]) if len(found) == 1 else several(found)


def _found(root: Path, files: list[str]) -> list[Path]:
    """Return the files that names or globs below a folder stand for, each once."""
    found: dict[Path, None] = {}
    for name in files:
        place = root / name
        if not place.exists() and _is_glob(place):
            matching = _matching(place)
            if not matching:
                raise BadData(f"No file matches {str(place)!r}.", f"Looked for {endings()}.", "Check the pattern.")
            found.update(dict.fromkeys(matching))
        else:
            found[_existing(place)] = None
    return list(found)


def inside(path: str | None, files: list[str] | None = None) -> bool:
    """Return whether all that `below(path, files)` may read lies in the working folder; links are followed."""
    here = Path.cwd().resolve()
    root = Path(path or ".").expanduser()
    for place in [root / name for name in files] if files else [root]:
        # Of a glob, what stands before the first pattern; what stands behind it may not climb.
        parts = place.parts
        at = next((i for i, part in enumerate(parts) if _is_glob(part)), len(parts))
        if ".." in parts[at:] or not Path(*parts[:at]).resolve().is_relative_to(here):
            return False
        if at < len(parts) and not all(p.is_relative_to(here) for p in _matching(place)):
            return False  # a link below leads out
        if place.is_dir() and not all(p.resolve().is_relative_to(here) for p in place.iterdir()):
            return False
    return True


def _is_glob(path: str | Path) -> bool:
    return any(c in str(path) for c in "*?[")


def _existing(path: Path) -> Path:
    if not path.exists():
        raise _missing(path)
    return path.resolve()


def _missing(path: Path) -> BadData:
    folder = path.parent if path.parent.is_dir() else Path(".")
    there = sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))
    near = nearest(path.name, there)
    why = f"Nearest in {folder}: {', '.join(near)}." if near else f"{folder} has nothing like it."
    return BadData(f"No file or folder {str(path)!r}.", why, "Check the path.")


def _local(url: str) -> str:
    """Return the path of a `file://` address."""
    from urllib.parse import unquote, urlparse

    parts = urlparse(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return unquote(parts.path)
    raise BadData(
        f"{url} is not on this machine.",
        "Files and buckets are read, web addresses are not.",
        "Download the file first, then open its path; a bucket is s3://name/prefix.",
    )


def _bucket(url: str) -> Dataset:
    """Return the dataset of `s3://bucket/prefix/`, `s3://bucket/file.parquet` or a pattern; keys come from outside."""
    from lexsi_nb.data import s3

    name, _, key = url.removeprefix("s3://").partition("/")
    prefix, _, last = key.rpartition("/")
    if last and not readable(last) and not _is_glob(last):
        prefix, last = key, ""
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    profile = None if os.environ.get("AWS_ACCESS_KEY_ID") else os.environ.get("AWS_PROFILE")
    place = s3.bucket(name, prefix, region, profile=profile, endpoint_url=endpoint)
    return s3.fetch(place, [last] if last else [])


def _matching(pattern: Path) -> list[Path]:
    """Return the files that a glob names; `**` reaches into folders below."""
    parts = pattern.parts
    at = next(i for i, part in enumerate(parts) if _is_glob(part))
    root = Path(*parts[:at]) if at else Path()
    found = root.glob(str(Path(*parts[at:])))
    return sorted(p.resolve() for p in found if p.is_file() and readable(p.name, named=False))


def _folder(root: Path) -> Dataset:
    inside = sorted(p for p in root.iterdir() if p.is_file() and not p.name.startswith((".", "~$")))
    if any(p.suffix.lower() == ".asc" and p.stem.lower() in COLUMNS for p in inside):
        return berka(root)
    files = [p for p in inside if readable(p.name, named=False)]
    if not files:
        raise BadData(
            f"No file in {str(root)!r} can be read.", f"Looked for {endings()}.", "Name another folder or a file."
        )
    return several(files, title=f"folder {root.name}")


def several(files: list[Path], *, id: str = "", title: str = "", **more: Any) -> Dataset:
    """Return the dataset of files below one folder, a table a file, named after its stem.

    Raises:
        BadData: no file, a file that cannot be read, or two that would be one table.
    """
    if not files:
        raise BadData("No file matches.", f"Looked for {endings()}.", "Check the pattern.")
    parts = [tables_in(file) for file in files]
    owner: dict[str, Path] = {}
    for part in parts:
        for name in part.names:
            if name.casefold() in owner:
                raise BadData(
                    f"{owner[name.casefold()].name} and {part.file.name} would be one table.",
                    f"Both hold {name!r}.",
                    "Rename one of them.",
                )
            owner[name.casefold()] = part.file
    root = Path(os.path.commonpath([f.parent for f in files]))
    body = "".join(p.body(f"DATA / {py_string(p.file.relative_to(root).as_posix())}") for p in parts)
    return Dataset(
        id or root.name,
        "files",
        title or (f"folder {root.name}" if len(files) > 1 else files[0].name),
        tuple(n for p in parts for n in p.names),
        body=body,
        imports=tuple(dict.fromkeys(i for p in parts for i in p.imports)),
        root=root,
        files=tuple(files),
        declared=merged(p.declared for p in parts),
        **more,
    )


def _file(file: Path) -> Dataset:
    part = tables_in(file)
    return Dataset(
        file.name,
        "database" if part.database else "files",
        file.name,
        part.names,
        body=part.body("DATA"),
        imports=part.imports,
        root=file,
        files=(file,),
        declared=part.declared,
    )
