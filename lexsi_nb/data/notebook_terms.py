"""What words mean here: entries kept in a YAML file beside the notebook, laid over a dataset's knowledge graph."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsi_nb.data.reading import reading
from lexsi_nb.errors import BadData, UnknownName

if TYPE_CHECKING:
    from lexsi_nb.data.knowledge import KnowledgeGraph

FILE = "lexsi_kg.yaml"
HEAD = "# What words mean in these data. Written by %lexsi kg, a section a dataset; edit it and review it like code.\n"
SECTIONS = ("concepts", "disambiguations", "metrics", "tables", "outcomes")


class UnknownTerm(UnknownName):
    """No such entry in the file beside the notebook."""

    kind = "entry"


def terms_file() -> Path:
    """Return the path of the file: in the folder the kernel works in."""
    return Path.cwd() / FILE


def stamp() -> tuple[int, int] | None:
    """Return what changes when the file is edited; None where there is none."""
    try:
        found = terms_file().stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def read_terms(path: Path | None = None) -> dict[str, dict[str, Any]]:
    """Return {dataset id: sections} of the file; empty where there is none.

    Raises:
        BadData: the file is no mapping of datasets to sections; says what is wrong.
    """
    file = path or terms_file()
    with reading(file):
        if not file.is_file():
            return {}
    import yaml

    try:
        with reading(file):
            held = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())[:200]
        raise BadData(f"{file.name} cannot be read.", said, "Correct the file, or move it away.") from error
    good = isinstance(held, dict) and all(isinstance(v, dict) for v in held.values())
    if not good:
        raise BadData(f"{file.name} holds no entries.", "Expected a mapping by dataset.", "Correct the file.")
    return held


def overlaid(graph: KnowledgeGraph | None, dataset: str, tables: tuple[str, ...]) -> KnowledgeGraph | None:
    """Return a dataset's graph with the entries of the file laid over it; the same graph where there are none."""
    own = read_terms().get(dataset)
    if not own:
        return graph
    from lexsi_nb.data.knowledge import KnowledgeGraph

    data: dict[str, Any] = dict(graph.data) if graph is not None else {"title": dataset}
    for section in SECTIONS:
        if own.get(section):
            data[section] = _merged(data.get(section) or {}, own[section])
    if own.get("policy"):
        data["policy"] = own["policy"]
    data["join_paths"] = [*(data.get("join_paths") or []), *(own.get("join_paths") or [])]
    return KnowledgeGraph(data).only(frozenset(tables))


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(under)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(out.get(key), Mapping)
        if both and value.get("inferred") and not out[key].get("inferred"):
            continue  # what was inferred covers nothing that a person wrote
        out[key] = _merged(out[key], value) if both else value
    return out


def entry(dataset: str, section: str, name: str) -> Mapping[str, Any] | None:
    """Return one entry of the file, None where there is none."""
    held = (read_terms().get(dataset) or {}).get(section) or {}
    return held.get(name) if isinstance(held, Mapping) else None


def add(dataset: str, section: str, name: str, entry: Mapping[str, Any]) -> Path:
    """Write one entry to the file and return its path; an entry of that name is replaced."""
    held = read_terms()
    held.setdefault(dataset, {}).setdefault(section, {})[name] = dict(entry)
    return _write(held)


def remove(dataset: str, name: str) -> tuple[Path, Mapping[str, Any]]:
    """Take one entry out of the file; return its path and what the entry was. A join goes by its columns or the first.

    Raises:
        UnknownTerm: no such entry; lists the nearest names.
    """
    held = read_terms()
    sections = held.get(dataset, {})
    wanted = name.strip("'\" ").replace(" ", "_").casefold()
    for section in (s for s in SECTIONS if isinstance(sections.get(s), dict)):
        hit = next((k for k in sections[section] if str(k).casefold() == wanted), None)
        if hit is not None:
            was = sections[section].pop(hit)
            return _write(_without_empty(held)), was or {}
    joins = sections.get("join_paths") or []
    for join in joins:
        if wanted in (str(join.get("from")).casefold(), f"{join.get('from')}_=_{join.get('to')}".casefold()):
            joins.remove(join)
            return _write(_without_empty(held)), join
    known = [str(k).replace("_", " ") for s in SECTIONS[:3] for k in (sections.get(s) or {})]
    known += [str(k) for s in SECTIONS[3:] for k in (sections.get(s) or {})]
    raise UnknownTerm.among(name, known, where=FILE)


def add_draft(dataset: str, draft: Mapping[str, Any]) -> Path:
    """Write an inferred draft to the file and return its path; entries that a person wrote stay as they are."""
    held = read_terms()
    mine = held.setdefault(dataset, {})
    for section, entries in draft.items():
        if isinstance(entries, Mapping):
            before = {k: v for k, v in (mine.get(section) or {}).items() if not (v or {}).get("inferred")}
            mine[section] = {**{k: v for k, v in entries.items() if k not in before}, **before}
        else:
            kept = [j for j in mine.get(section) or [] if not j.get("inferred")]
            taken = {(j.get("from"), j.get("to")) for j in kept}
            mine[section] = [*kept, *(j for j in entries if (j.get("from"), j.get("to")) not in taken)]
    return _write(held)


def accept(dataset: str, name: str = "") -> tuple[Path, list[str]]:
    """Take the marks of inferred entries off, of one table or all; return the path and the names of what is accepted.

    With a table go its columns and its joins.

    Raises:
        UnknownTerm: no such inferred entry; lists the nearest names.
    """
    held = read_terms()
    mine, wanted, taken = held.get(dataset, {}), name.casefold(), []
    tables = {str(k): v for k, v in (mine.get("tables") or {}).items() if isinstance(v, dict)}
    for table, about in tables.items():
        if wanted in ("", "all", table.casefold()) and _unmarked(about):
            taken.append(table)
    for join in mine.get("join_paths") or []:
        ends = (str(join.get("from")), str(join.get("to")))
        near = {e.casefold() for e in ends} | {e.rsplit(".", 1)[0].casefold() for e in ends}
        if (wanted in ("", "all") or wanted in near) and join.pop("inferred", False):
            taken.append(f"join {ends[0]} = {ends[1]}")
    if not taken and wanted not in ("", "all"):
        raise UnknownTerm.among(name, [t for t, v in tables.items() if _marked(v)], where=f"the draft in {FILE}")
    return (_write(held) if taken else terms_file()), taken


def _marked(entry: Mapping[str, Any]) -> bool:
    """Whether an entry, or one inside it, is marked inferred."""
    return bool(entry.get("inferred")) or any(_marked(v) for v in entry.values() if isinstance(v, Mapping))


def _unmarked(entry: dict[str, Any]) -> bool:
    """Take the marks of an entry and of those inside it off; return whether there was one."""
    marked = entry.pop("inferred", False)
    return bool([v for v in entry.values() if isinstance(v, dict) and _unmarked(v)] or marked)


def _without_empty(held: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    cut = {d: {s: e for s, e in sections.items() if e} for d, sections in held.items()}
    return {d: sections for d, sections in cut.items() if sections}


def _write(held: Mapping[str, Any]) -> Path:
    import yaml

    file = terms_file()
    text = HEAD + yaml.safe_dump(dict(held), sort_keys=False, allow_unicode=True, width=110) if held else HEAD
    part = file.with_suffix(f".{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)
    return file
