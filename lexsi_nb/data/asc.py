"""Checks of an `.asc` file, line by line, so that an error can name the line."""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Iterator
from pathlib import Path

from lexsi_nb.errors import BadData

_NUMBER = re.compile(r"^[+-]?\d+(\.\d*)?$")
_WHOLE = re.compile(r"^[+-]?\d+$")
# Columns that hold a date: how many leading characters spell YYMMDD.
_DATES = {("account", "date"), ("loan", "date"), ("trans", "date"), ("card", "issued")}


def delimiter(file: Path) -> str:
    """Return the separator of the file's header: `;` as published, else `,` or a tab."""
    with file.open("rb") as f:
        head = f.readline().decode("utf-8", "replace")
    return next((d for d in (";", "\t", ",") if d in head), ";")


def verify(table: str, file: Path, *, deep: bool) -> None:
    """Check the header, and every line where `deep`.

    Raises:
        BadData: names file and line, and what was expected there.
    """
    from lexsi_nb.data.berka import COLUMNS

    columns = COLUMNS[table]
    rows = _rows(file)
    first = next(rows, None)
    if first is None:
        raise _bad(file, 1, "the file is empty", f"Expected the header {';'.join(columns)}.")
    header = [c.strip() for c in first[1]]
    if [c.casefold() for c in header] != [c.casefold() for c in columns]:
        raise _bad(file, 1, f"the columns are {', '.join(header)[:120]}", f"Expected {', '.join(columns)}.")
    if not deep:
        return
    for line, cells in rows:
        if not cells:
            continue
        if len(cells) != len(columns):
            raise _bad(
                file,
                line,
                f"{len(cells)} fields",
                f"Expected {len(columns)}: the line is cut or has a stray separator.",
            )
        for (name, type_), cell in zip(columns.items(), cells, strict=True):
            if problem := _problem(table, name, type_, cell):
                raise _bad(file, line, f"{name} is {cell[:40]!r}", problem)


def _rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and fields. Raises BadData where the bytes are not UTF-8."""
    line = 0

    def lines(handle: object) -> Iterator[str]:
        nonlocal line
        for raw in handle:  # type: ignore[attr-defined]
            line += 1
            try:
                yield raw.decode("utf-8-sig" if line == 1 else "utf-8")
            except UnicodeDecodeError:
                raise _bad(
                    file, line, "the bytes are not UTF-8", f"Convert it first: iconv -f CP1250 -t UTF-8 {file.name}"
                ) from None

    try:
        with file.open("rb") as handle:
            if b"\x00" in handle.read(4096):
                raise _bad(file, 1, "the file is binary or UTF-16", "Expected UTF-8 text.")
            handle.seek(0)
            yield from ((line, cells) for cells in csv.reader(lines(handle), delimiter=delimiter(file), strict=True))
    except csv.Error as e:
        raise _bad(file, line, f"the quoting is broken ({e})", "Expected text in double quotes.") from None
    except OSError as e:
        raise BadData(f"{file} cannot be read.", f"{e.strerror}.", "Check its permissions.") from e


def _problem(table: str, name: str, type_: str, cell: str) -> str:
    """Return what was expected of the cell, or nothing where it is right."""
    if (table, name) in _DATES:
        return "" if _is_date(cell[:6]) and len(cell) in (6, 15) else "Expected a date as YYMMDD."
    if name == "birth_number":
        return "" if _is_birth(cell) else "Expected YYMMDD, with 50 added to the month of women."
    if type_ == "VARCHAR":
        return ""
    if cell == "?" or (cell == "" and not name.endswith("_id") and name != "A1"):
        return "" if not name.endswith("_id") else "Expected a whole number."
    if type_ in ("INTEGER", "BIGINT"):
        return "" if _WHOLE.match(cell.strip()) else "Expected a whole number."
    return "" if _NUMBER.match(cell.strip()) else "Expected a number."


def _is_date(text: str) -> bool:
    if not (len(text) == 6 and text.isdigit()):
        return False
    try:
        datetime.date(1900 + int(text[:2]), int(text[2:4]), int(text[4:]))
    except ValueError:
        return False
    return True


def _is_birth(text: str) -> bool:
    if not (len(text) == 6 and text.isdigit()):
        return False
    month = int(text[2:4])
    return _is_date(f"{text[:2]}{month - 50 if month > 50 else month:02d}{text[4:]}")


def _bad(file: Path, line: int, what: str, next: str) -> BadData:
    return BadData(f"{file.name} line {line}: {what}.", f"File: {file}.", next)
