"""The knowledge graph: what the words of a question mean in the data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from lexsi_nb.data.reading import reading
from lexsi_nb.errors import BadData, UnknownName

SECTIONS = ("concepts", "disambiguations", "metrics", "join_paths", "tables")
_KIND = {
    "concepts": "concept", "disambiguations": "disambig", "metrics": "metric", "join_paths": "join", "tables": "table",
}  # fmt: skip
_STOP = frozenset(
    """a an and are as at be been by do does for from had has have how i in is it its many me more most much my of on or
    our show than that the their them there these they this to us was we were what when where which who why will with
    you tell give list""".split()
)
_K1, _B = 1.2, 0.6  # Robertson and Zaragoza 2009, the usual range


class UnknownNode(UnknownName):
    """No such entry in the knowledge graph."""

    kind = "entry"


class UnknownSection(UnknownName):
    """No such section in the knowledge graph."""

    kind = "section"


@dataclass(frozen=True)
class Node:
    """One entry of the graph; `data` is what the file says of it."""

    id: str
    section: str
    label: str
    text: str
    triggers: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Hit:
    """An entry found by a search. `matched` are the trigger phrases that stand in the text."""

    node: Node
    score: float
    matched: tuple[str, ...]


@dataclass(frozen=True)
class JoinPath:
    """Two columns that join, and how many rows of the first meet one of the second."""

    table: str
    column: str
    to_table: str
    to_column: str
    many_to_one: bool = True
    one_to_one: bool = False
    text: str = ""


class KnowledgeGraph:
    """Concepts, disambiguations, metrics, join paths and tables of a dataset.

    `data` is the content of the file: plain mappings and lists.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.title = str(data.get("title", ""))
        self.nodes: tuple[Node, ...] = tuple(_nodes(data))
        self._by_id = {n.id: n for n in self.nodes}
        self._index = _Index(self.nodes)

    @property
    def concepts(self) -> Mapping[str, Any]:
        """Concepts by name."""
        return self.data.get("concepts") or {}

    @property
    def disambiguations(self) -> Mapping[str, Any]:
        """Readings of ambiguous words, by name."""
        return self.data.get("disambiguations") or {}

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Business figures by name: table, sql, unit."""
        return self.data.get("metrics") or {}

    @property
    def outcomes(self) -> Mapping[str, Any]:
        """What can be predicted, by name."""
        return self.data.get("outcomes") or {}

    @property
    def tables(self) -> Mapping[str, Any]:
        """Facts about tables by name."""
        return self.data.get("tables") or {}

    @property
    def join_paths(self) -> tuple[JoinPath, ...]:
        """The columns that join."""
        out = []
        for path in self.data.get("join_paths") or []:
            table, column = str(path["from"]).rsplit(".", 1)
            to_table, to_column = str(path["to"]).rsplit(".", 1)
            many, one = bool(path.get("many_to_one", True)), bool(path.get("one_to_one", False))
            out.append(JoinPath(table, column, to_table, to_column, many, one, str(path.get("text", ""))))
        return tuple(out)

    def only(self, tables: frozenset[str]) -> KnowledgeGraph:
        """Return the graph without what rests on a table that is not among `tables`."""
        if set(self.tables) <= tables:
            return self
        kept = dict(self.data)
        for section in ("concepts", "metrics", "outcomes"):
            entries = self.data.get(section) or {}
            kept[section] = {
                k: v for k, v in entries.items() if (v.get("table") or v.get("entity_table") or "") in {"", *tables}
            }
        kept["disambiguations"] = {k: v for k, v in self.disambiguations.items() if _reads(v) <= tables}
        paths = self.data.get("join_paths") or []
        kept["join_paths"] = [p for p in paths if {str(p[end]).rsplit(".", 1)[0] for end in ("from", "to")} <= tables]
        kept["tables"] = {k: v for k, v in self.tables.items() if k in tables}
        return KnowledgeGraph(kept)

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the facts about a table; empty where the graph has none."""
        return self.tables.get(name) or {}

    def column(self, table: str, column: str) -> Mapping[str, Any]:
        """Return the facts about a column, also by its alias (`A3` for region); empty where there are none."""
        columns = self.table(table).get("columns") or {}
        if column in columns:
            return columns[column] or {}
        for name, facts in columns.items():
            if facts and facts.get("alias") == column:
                return {**facts, "alias_of": name}
        return {}

    @property
    def policy(self) -> str:
        """The most that a planner elsewhere may read of these data, "" where the graph sets no limit."""
        return str(self.data.get("policy") or "")

    @property
    def private(self) -> tuple[str, ...]:
        """The columns whose values never leave this machine, as "table.column", by their aliases too."""
        found = []
        for table, about in self.tables.items():
            for name, facts in ((about or {}).get("columns") or {}).items():
                if facts and facts.get("private"):
                    found += [f"{table}.{n}" for n in (name, facts.get("alias")) if n]
        return tuple(found)

    def table_comment(self, name: str) -> str:
        """Return one line about a table, or an empty text."""
        return str(self.table(name).get("comment", ""))

    def column_comment(self, table: str, column: str) -> str:
        """Return one line about a column with its codes, or an empty text."""
        facts = self.column(table, column)
        comment = str(facts.get("comment", ""))
        if facts.get("alias_of"):
            return f"same as {facts['alias_of']}: {comment}"
        codes = _explained(facts, comment)
        return comment + (" (" + ", ".join(f"{k}: {v}" for k, v in codes.items()) + ")" if codes else "")

    def outline(self) -> str:
        """Return every section with the ids of its entries."""
        lines = [self.title] if self.title else []
        for section in SECTIONS:
            inside = [n for n in self.nodes if n.section == section and not n.id.startswith("column:")]
            if inside:
                lines.append(f"{section} ({len(inside)}): " + ", ".join(n.id for n in inside))
        if self.outcomes:
            lines.append(f"outcomes ({len(self.outcomes)}): " + ", ".join(self.outcomes))
        return "\n".join(lines)

    def search(self, text: str, k: int = 5) -> list[Hit]:
        """Return up to `k` entries for a text, best first. Give the question verbatim: phrases count most."""
        return self._index.search(text, k)

    def section(self, name: str) -> list[Node]:
        """Return the entries of a section; `disambigs` is short for disambiguations.

        Raises:
            UnknownSection: lists the sections.
        """
        wanted = {"disambigs": "disambiguations", "joins": "join_paths"}.get(name, name)
        if wanted not in SECTIONS:
            raise UnknownSection.among(name, SECTIONS, where="the knowledge graph")
        return [n for n in self.nodes if n.section == wanted and not n.id.startswith("column:")]

    def node(self, id_or_label: str) -> Node:
        """Return one entry by its id, label or bare name.

        Raises:
            UnknownNode: lists the nearest ids.
        """
        if id_or_label in self._by_id:
            return self._by_id[id_or_label]
        folded = id_or_label.casefold().replace(" ", "_")
        for node in self.nodes:
            if folded in (node.label.casefold(), node.id.casefold(), node.id.split(":", 1)[1].casefold()):
                return node
        known = [*self._by_id, *(n.label for n in self.nodes)]
        raise UnknownNode.among(id_or_label, known, where="the knowledge graph")


@lru_cache(maxsize=16)
def _loaded(path: Path, stamp: int) -> KnowledgeGraph:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() == ".json":
            import json

            data = json.loads(text)
        else:
            import yaml

            data = yaml.safe_load(text)
    except ValueError as e:
        raise BadData(f"{path.name} cannot be read.", str(e).splitlines()[0], "Correct the file.") from e
    except Exception as e:
        if type(e).__module__.split(".")[0] != "yaml":
            raise
        raise BadData(f"{path.name} cannot be read.", " ".join(str(e).split())[:200], "Correct the file.") from e
    if not isinstance(data, dict):
        sections = ", ".join(SECTIONS)
        raise BadData(f"{path.name} holds no knowledge graph.", "Expected a mapping.", f"Sections: {sections}.")
    return KnowledgeGraph(data)


@lru_cache(maxsize=16)
def _cut(path: Path, stamp: int, tables: frozenset[str]) -> KnowledgeGraph:
    return _loaded(path, stamp).only(tables)


def load(path: str | Path, tables: Iterable[str] | None = None) -> KnowledgeGraph:
    """Return the graph of a YAML or JSON file; an unchanged file is read once.

    With `tables`, only what these tables can answer.

    Raises:
        BadData: no such file, or not a knowledge graph.
    """
    file = Path(path).expanduser().resolve()
    with reading(file):
        if not file.is_file():
            raise BadData(f"No knowledge graph at {str(path)!r}.", "The file does not exist.", "Check the path.")
        stamp = file.stat().st_mtime_ns
        return _loaded(file, stamp) if tables is None else _cut(file, stamp, frozenset(tables))


def _reads(entry: Mapping[str, Any]) -> set[str]:
    """Return the tables that the reading of a disambiguation names."""
    reading = entry.get("reading") or {}
    columns = [reading["column"]] if "column" in reading else list(reading.get("path") or ())
    return {str(c).rsplit(".", 1)[0] for c in columns} | ({str(reading["table"])} if "table" in reading else set())


def _nodes(data: Mapping[str, Any]) -> Iterable[Node]:
    """Yield the entries of every section, and one for each column."""
    for section in ("concepts", "disambiguations", "metrics"):
        for name, facts in (data.get(section) or {}).items():
            triggers = tuple(map(str, facts.get("triggers") or ()))
            yield Node(f"{_KIND[section]}:{name}", section, name, str(facts.get("text", "")), triggers, facts)
    for path in data.get("join_paths") or []:
        label = f"{path['from']} = {path['to']}"
        yield Node(f"join:{path['from']}", "join_paths", label, str(path.get("text", "")), (), path)
    for table, facts in (data.get("tables") or {}).items():
        names = tuple(map(str, facts.get("names") or ()))
        yield Node(f"table:{table}", "tables", table, str(facts.get("comment", "")), names, facts)
        for column, about in (facts.get("columns") or {}).items():
            about = about or {}
            spelt = [word for group in (about.get("code_names") or {}).values() for word in group]
            triggers = tuple(map(str, [*(about.get("names") or ()), *spelt]))
            text = str(about.get("comment", ""))
            if codes := _explained(about, text):
                text += ": " + "; ".join(f"{k} = {v}" for k, v in codes.items())
            yield Node(f"column:{table}.{column}", "tables", f"{table}.{column}", text, triggers, about)


def _explained(about: Mapping[str, Any], comment: str) -> dict[str, Any]:
    """Return the codes with a meaning that the comment does not tell already.

    None of an inferred book: they are values that nobody has looked at.
    """
    codes = {} if about.get("inferred") else {k: v for k, v in (about.get("codes") or {}).items() if v}
    return {} if all(f"{k} = {v}" in comment or f"{k}: {v}" in comment for k, v in codes.items()) else codes


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, plural endings off, stop words left out."""
    return [_stem(w) for w in re.findall(r"[^\W_]+(?:[-.'][^\W_]+)*", text.casefold()) if w not in _STOP]


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


class _Index:
    """BM25 over the words of the entries, plus the weight of each trigger phrase that stands in the text."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self._nodes = nodes
        self._docs: list[dict[str, int]] = []
        self._phrases: list[list[tuple[str, list[str]]]] = []
        frequency: dict[str, int] = {}
        for node in nodes:
            doc: dict[str, int] = {}
            for word in words(" ".join([node.label.replace("_", " "), node.text, *node.triggers])):
                doc[word] = doc.get(word, 0) + 1
            for word in doc:
                frequency[word] = frequency.get(word, 0) + 1
            self._docs.append(doc)
            self._phrases.append([(t, _plain(t)) for t in node.triggers])
        n = len(nodes)
        self._idf = {w: math.log(1 + (n - f + 0.5) / (f + 0.5)) for w, f in frequency.items()}
        self._mean = sum(sum(d.values()) for d in self._docs) / max(n, 1)

    def search(self, text: str, k: int) -> list[Hit]:
        asked, plain = set(words(text)), _plain(text)
        hits = []
        for i, node in enumerate(self._nodes):
            doc, length = self._docs[i], sum(self._docs[i].values())
            score = 0.0
            for word in asked & doc.keys():
                tf = doc[word]
                score += self._idf[word] * tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * length / self._mean))
            matched = [t for t, phrase in self._phrases[i] if phrase and _contains(plain, phrase)]
            # The longest phrase tells most: "currently being repaid" beats "loan".
            longest = max((len(_plain(t)) for t in matched), default=0)
            score += 2.0 * longest + 0.5 * (len(matched) > 1)
            if node.section == "disambiguations" and matched:
                score *= 1.5
            elif node.id.startswith("column:"):
                score *= 0.8
            if score > 0:
                hits.append(Hit(node, round(score, 4), tuple(sorted(matched, key=lambda t: (-len(t), t)))))
        hits.sort(key=lambda h: (-h.score, h.node.id))
        return hits[:k]


def _plain(text: str) -> list[str]:
    return [_stem(w) for w in re.findall(r"[^\W_]+", text.casefold())]


def _contains(words_: list[str], phrase: list[str]) -> bool:
    n = len(phrase)
    return any(words_[i : i + n] == phrase for i in range(len(words_) - n + 1))
