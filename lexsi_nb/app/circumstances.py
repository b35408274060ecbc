"""What an answer says beside its numbers: facts and warnings, the dataset in a line, the versions that computed it."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.observation import Observation, Segment, only_names

MOST_TABLES = 40  # named to a planner; inspect_data has the rest
NAME_CHARS = 60
LIBRARIES = ("lexsi-nb", "duckdb", "pandas", "lightgbm")


def facts_of(notes: Any) -> dict[str, list[str]]:
    """Return what the answer says beside the numbers, by heading, in the order to read it.

    Under `BRIEF` the parts of its one line, under `MIND` what may change a decision.
    """
    facts: dict[str, list[str]] = {}
    if notes.read_as:
        facts["read as"] = [notes.read_as]
    for heading in ("already", "ranked", "learned from"):
        if heading in notes.facts:
            facts[heading] = list(notes.facts[heading])
    if notes.warnings or notes.renamed:
        facts["warnings"] = [*notes.warnings, *notes.renamed]
    for heading, lines in notes.facts.items():
        facts.setdefault(heading, list(lines))
    if notes.left_out:
        facts["left out"] = [f"{what}: {why}" for what, why in notes.left_out]
    return facts


def summary(dataset: Any) -> Observation:
    """Return the dataset as a planner is told of it, in a line."""
    known = "a knowledge graph is attached" if dataset.knowledge is not None else "no knowledge graph"
    note = f" {dataset.note}" if dataset.note else ""
    names = dataset.table_names()
    more = f" and {len(names) - MOST_TABLES} more" if len(names) > MOST_TABLES else ""
    listed = ", ".join(n if len(n) <= NAME_CHARS else f"{n[: NAME_CHARS - 3]}..." for n in names[:MOST_TABLES])
    text = f"Dataset {dataset.id} ({dataset.kind}): {len(names)} tables: {listed}{more}; {known}.{note}"
    return Observation((Segment(text, foreign=not only_names([dataset.id, *names])),), dataset.id)


def versions() -> dict[str, str]:
    """Return the versions of what computed the answer."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            from lexsi_nb import __version__

            found[name] = __version__ if name == "lexsi-nb" else "absent"
    return found


def free_connection_name(variables: Any, dataset: Any) -> str:
    """Return the name of the DuckDB connection in emitted cells: `con`, unless the user has something of that name.

    A connection that a code cell of ours made, run by the user, leaves the name free: the same question gives the
    same cells again.
    """
    number, name = 1, "con"
    while not variables.is_free(name, dataset.setup_cell(name)):
        number += 1
        name = f"con_{number}"
    return name
