"""Paths that the system lets nobody read: a clear error of one kind, whatever is opened there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexsi_nb import datasets
from lexsi_nb.data import knowledge, notebook_terms, sources
from lexsi_nb.errors import BadData

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions of files are another matter on Windows")
NOBODY = 65534


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a closed file and a closed folder, looked at by somebody who may not read them."""
    place = tmp_path_factory.mktemp("closed")
    for folder in (place, place / "folder"):
        folder.mkdir(exist_ok=True)
        for name in ("data.csv", "kg.yaml", "account.asc"):
            (folder / name).write_text("a;b\n1;2\n")
            (folder / name).chmod(0)
    (place / "folder").chmod(0)
    above = place.parent
    modes = above.stat().st_mode, place.stat().st_mode
    root = os.geteuid() == 0
    if root:  # who may read everything: be nobody meanwhile
        above.chmod(0o711)
        place.chmod(0o755)
        os.seteuid(NOBODY)
    yield place
    if root:
        os.seteuid(0)
        above.chmod(modes[0])
        place.chmod(modes[1])
    (place / "folder").chmod(0o700)


@pytest.mark.parametrize(
    "opened",
    [
        lambda place: sources.open(place / "data.csv"),
        lambda place: sources.open(place / "folder"),
        lambda place: sources.open(place / "folder" / "data.csv"),
        lambda place: sources.open([place / "folder" / "data.csv"]),
        lambda place: sources.below(str(place), ["folder/data.csv"]),
        lambda place: datasets.berka(place),
        lambda place: datasets.berka(place / "folder"),
        lambda place: knowledge.load(place / "kg.yaml"),
        lambda place: knowledge.load(place / "folder" / "kg.yaml"),
        lambda place: notebook_terms.read_terms(place / "kg.yaml"),
        lambda place: notebook_terms.read_terms(place / "folder" / "kg.yaml"),
    ],
)
def test_a_closed_path_is_said_with_its_reason(place: Path, opened: Callable[[Path], object]) -> None:
    with pytest.raises(BadData, match=r"(?s)cannot be read.*Permission denied.*who may read it") as caught:
        opened(place)
    assert str(place) in str(caught.value)


def test_a_knowledge_graph_in_another_encoding_is_said(tmp_path: Path) -> None:
    file = tmp_path / "kg.yaml"
    file.write_bytes("concepts: {kn\u00f6del: {}}".encode("latin-1"))
    for read in (knowledge.load, notebook_terms.read_terms):
        with pytest.raises(BadData, match="cannot be read"):
            read(file)
