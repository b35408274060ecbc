"""The entries of a knowledge graph as a person reads them: what a name means, where, and who said so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lexsi_nb.data.knowledge import KnowledgeGraph, Node

KINDS = {
    "words": "words",
    "figures": "figures",
    "outcomes": "outcomes to predict",
    "tables": "tables",
    "joins": "joins",
}
_KIND = {"concepts": "words", "disambiguations": "words", "metrics": "figures", "join_paths": "joins"}
_SOURCES = ("you", "inferred", "given")


@dataclass(frozen=True)
class Entry:
    """One line of a graph. `source`: given with the data, inferred from them, or you: kept beside the notebook."""

    name: str
    kind: str
    meaning: str
    place: str
    source: str
    node: Node


def entries(graph: KnowledgeGraph, own: Mapping[str, Any]) -> list[Entry]:
    """Return every entry but the columns', by kind, those of the file beside the notebook (`own`) first."""
    found = [entry_of(n, own) for n in [*graph.nodes, *_outcomes(graph)] if not n.id.startswith("column:")]
    return sorted(found, key=lambda e: (list(KINDS).index(e.kind), _SOURCES.index(e.source)))


def entry_of(node: Node, own: Mapping[str, Any]) -> Entry:
    """Return a node of a graph as an entry."""
    kind = "columns" if node.id.startswith("column:") else _KIND.get(node.section, node.section)
    name = node.label if kind in ("joins", "tables", "columns") else node.label.replace("_", " ")
    return Entry(name, kind, meaning(node), place(node), source(node, own), node)


def called(graph: KnowledgeGraph, name: str) -> list[Node]:
    """Return the nodes of a name, an id or a label; of a column's bare name, those of every table that has one."""
    wanted = "_".join(name.casefold().split())
    nodes = [*graph.nodes, *_outcomes(graph)]
    ids = [n for n in nodes if n.id.casefold() == wanted]
    plain = [n for n in nodes if wanted in ("_".join(n.label.casefold().split()), n.id.split(":", 1)[1].casefold())]
    spelt = [n for n in nodes if wanted == n.label.casefold().rsplit(".", 1)[-1] and n.id.startswith("column:")]
    return ids or plain or spelt


def names(graph: KnowledgeGraph) -> list[str]:
    """Return every name an entry is looked up by, and the phrases that point at one."""
    nodes = [*graph.nodes, *_outcomes(graph)]
    return list(dict.fromkeys(n for node in nodes for n in (node.label.replace("_", " "), *node.triggers)))


def source(node: Node, own: Mapping[str, Any]) -> str:
    """Return who said what an entry says: `given`, `inferred` or `you`."""
    if node.data.get("inferred"):
        return "inferred"
    if node.section == "join_paths":
        ends = (node.data.get("from"), node.data.get("to"))
        return "you" if ends in [(j.get("from"), j.get("to")) for j in own.get("join_paths") or []] else "given"
    table, _, column = node.label.rpartition(".") if node.id.startswith("column:") else ("", "", "")
    held = (own.get("tables") or {}).get(table) or {}
    there = column in (held.get("columns") or {}) if table else node.label in (own.get(node.section) or {})
    return "you" if there else "given"


def meaning(node: Node) -> str:
    """Return what an entry means in a line: its text, or what is known of a table or column without one."""
    data, text = node.data, node.text
    if node.section in ("concepts", "disambiguations"):
        return re.sub(rf"^'{re.escape(node.label.replace('_', ' '))}' (?:means|is) ", "", text, flags=re.IGNORECASE)
    if node.id.startswith("column:") and not text and data.get("codes"):
        return f"values {_some(list(data['codes']))}: no meaning given"
    if node.section == "outcomes":
        return f"{data.get('positive') or data.get('target') or ''} of {data.get('entity_table') or ''}".strip()
    if node.section != "tables" or node.id.startswith("column:"):
        return text
    known = [f"key {data['entity']}"] if data.get("entity") else []
    known += [f"dates {_some(data['dates'])}"] if data.get("dates") else []
    known += [f"date {data['time']}"] if data.get("time") else []
    books = [c for c, about in (data.get("columns") or {}).items() if (about or {}).get("codes")]
    known += [f"codes in {_some(books)}"] if books else []
    return "; ".join([*([text] if text else []), *known])


def place(node: Node) -> str:
    """Return the table or column that an entry reads; an empty text where its name says it."""
    data = node.data
    reading = data.get("reading") or {}
    return str(
        (reading.get("path") or [""])[0]
        or reading.get("column")
        or reading.get("table")
        or data.get("key")
        or data.get("table")
        or data.get("entity_table")
        or ""
    )


def record(node: Node, graph: KnowledgeGraph, own: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return all that is known of an entry as (what, in words), without what is not."""
    data, entry = node.data, entry_of(node, own)
    reading = data.get("reading") or {}
    spoken = dict.fromkeys(map(str, [*(data.get("names") or ()), *(data.get("triggers") or ())]))
    codes, spelt = data.get("codes") or {}, data.get("code_names") or {}
    given, bare = {k: v for k, v in codes.items() if v}, [str(k) for k, v in codes.items() if not v]
    out = [
        ("means", "" if bare and not node.text else str(data.get("comment")) if given else entry.meaning),
        ("from", _SAID[entry.source]),
        ("where", entry.place or (node.label if entry.kind in ("tables", "columns") else "")),
        ("condition", str(reading.get("sql") or data.get("sql") or "") if entry.kind in ("words", "outcomes") else ""),
        ("formula", str(data.get("sql") or "") if entry.kind == "figures" else ""),
        ("unit", str(data.get("unit") or "")),
        ("read as", str((data.get("reads") or {}).get("as") or "")),
        ("asks", " ".join(filter(None, [str(data.get("ask") or ""), "; ".join(map(str, data.get("options") or ()))]))),
        ("also said", ", ".join(n for n in spoken if n.casefold() != entry.name.casefold())),
        *((f"value {k}", f"{v}" + _also(spelt.get(k))) for k, v in given.items()),
        ("values", f"{', '.join(bare)}: no meaning given" if bare else ""),
        *((f"value {k}", f"also said {', '.join(v)}") for k, v in spelt.items() if k not in given),
        ("columns", ", ".join(map(str, data.get("columns") or ()))),
        ("joins", "; ".join(_joins(node, graph))),
        ("used by", ", ".join(_users(node, graph))),
    ]
    return [(what, said) for what, said in out if said]


_SAID = {
    "you": "you: kept in the file beside the notebook",
    "inferred": "inferred from the data, not reviewed yet and not used",
    "given": "given with the data",
}


def _also(names: Any) -> str:
    return f"; also said {', '.join(map(str, names))}" if names else ""


def _outcomes(graph: KnowledgeGraph) -> Iterator[Node]:
    """Yield what can be predicted as nodes, which the graph has none for."""
    for name, about in graph.outcomes.items():
        yield Node(f"outcome:{name}", "outcomes", str(name), "", (), about or {})


def _joins(node: Node, graph: KnowledgeGraph) -> list[str]:
    """Return the joins of a table, or of a column, each with what is said of it."""
    if node.section != "tables":
        return []
    column = node.id.startswith("column:")
    ends = [(f"{j.table}.{j.column}", f"{j.to_table}.{j.to_column}", j) for j in graph.join_paths]
    mine = [e for e in ends if node.label in (e[:2] if column else (e[2].table, e[2].to_table))]
    return [f"{a} = {b}" + (f" ({j.text.rstrip('.')})" if j.text else "") for a, b, j in mine]


def _users(node: Node, graph: KnowledgeGraph) -> list[str]:
    """Return the words, figures and outcomes that read a table or a column."""
    if node.section != "tables":
        return []
    table, _, column = node.label.rpartition(".") if node.id.startswith("column:") else (node.label, "", "")
    found = []
    for other in [*graph.nodes, *_outcomes(graph)]:
        reading = other.data.get("reading") or {}
        said = str(reading.get("sql") or other.data.get("sql") or "")
        if other.section in ("tables", "join_paths") or place(other).partition(".")[0] != table:
            continue
        if not column or place(other) == f"{table}.{column}" or re.search(rf"\b{re.escape(column)}\b", said):
            found.append(other.label.replace("_", " "))
    return list(dict.fromkeys(found))


def _some(names: Any, most: int = 6) -> str:
    listed = [str(n) for n in names]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")
