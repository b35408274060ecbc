"""`%lexsi kg`: look at what words mean in the data, add and remove meanings, draft a first version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

USAGE = "%lexsi kg add 'WORDS' means COLUMN VALUE"
MOST_KINDS = 12  # values of a column that an example is made of
MOST_HITS = 8  # entries that a search shows


def kg(magics: LexsiMagics, rest: str) -> None:
    """Carry out one `%lexsi kg` line: an outline, an entry, a search, add, edit, remove, draft or accept."""
    act, _, said = rest.partition(" ")
    if act in ("add", "edit"):
        return _add(magics, said, there=act == "edit")
    if act == "accept":
        return _accept(magics, said)
    if act == "remove":
        return _remove(magics, said)
    if act in ("draft", "infer"):
        return _draft(magics)
    if act in ("save", "load") and not said:
        return _kept(magics)
    return _look(magics, said if act in ("show", "list") else rest)


def _look(magics: LexsiMagics, text: str) -> None:
    from lexsi_nb.data.entries import KINDS, called, entries, entry_of, names, record
    from lexsi_nb.data.notebook_terms import FILE, read_terms
    from lexsi_nb.errors import nearest
    from lexsi_nb.widgets import meanings

    dataset = magics.session.binding.start()
    graph = dataset.knowledge
    if graph is None:
        print(
            f"There is no knowledge graph for {dataset.title}. Add a meaning: {_example(magics)}\n"
            "Or infer a first draft: %lexsi kg draft"
        )
        return
    own, name = read_terms().get(dataset.id) or {}, _bare(text)
    every = entries(graph, own)
    if name in KINDS:
        return _shown([e for e in every if e.kind == name], every=True)
    if found := called(graph, name) if name else []:
        known = [(entry_of(n, own), record(n, graph, own)) for n in found]
        text_ = "\n\n".join(meanings.record_text(*k) for k in known)
        return _displayed(text_, "".join(meanings.record_html(*k) for k in known))
    if name:
        hits = [entry_of(h.node, own) for h in graph.search(name, MOST_HITS)]
        if hits:
            return _shown(sorted(hits, key=lambda e: [*KINDS, "columns"].index(e.kind)))
        near = nearest(name, names(graph))
        print(f"Nothing matches '{name}'." + (f" Nearest: {', '.join(near)}." if near else ""))
        return
    mine = sum(e.source == "you" for e in every)
    open_ = any(n.data.get("inferred") for n in graph.nodes)
    said = [f"What words mean in {graph.title or dataset.title}."]
    said += [f"Yours are kept in {FILE}, which can be read and edited."] if mine or open_ else []
    said += [f"What is inferred is not used yet: read it in {FILE}, then %lexsi kg accept takes the marks off."] * open_
    _shown(every, " ".join(said), "One entry: %lexsi kg NAME   a meaning of yours: %lexsi kg add 'WORDS' means ...")


def _shown(entries: list[Any], before: str = "", after: str = "", *, every: bool = False) -> None:
    """Show entries as tables, with lines before and after them."""
    from html import escape

    from lexsi_nb.widgets.meanings import MOST, meanings_html, meanings_text

    most = len(entries) if every else MOST
    text = "\n\n".join(filter(None, [before, meanings_text(entries, most=most), after]))
    head, foot = (f"<div>{escape(line)}</div>" if line else "" for line in (before, after))
    _displayed(text, f"{head}{meanings_html(entries, most=most)}{foot}")


def _displayed(text: str, html: str) -> None:
    """Show text, in a notebook as HTML."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display

    if InteractiveShell.initialized():
        display({"text/plain": text, "text/html": html}, raw=True)
    else:
        print(text)


def _add(magics: LexsiMagics, said: str, *, there: bool) -> None:
    from lexsi_nb.data import notebook_terms
    from lexsi_nb.grounding.knowledge.definitions import Definition, Naming, define, definition_said
    from lexsi_nb.grounding.reading import Choice

    dataset = magics.session.binding.start()
    parts = definition_said(said)
    if parts is None:
        raise BadData(
            "This says no meaning.", "Expected words in quotes, then 'means'.", f"Such as: {_example(magics)}"
        )
    name = "_".join(parts[0].casefold().split())
    before = notebook_terms.entry(dataset.id, "disambiguations", name)
    if there and before is None:
        known = (notebook_terms.read_terms().get(dataset.id) or {}).get("disambiguations") or {}
        raise notebook_terms.UnknownTerm.among(parts[0], known, where=notebook_terms.FILE, next="Write kg add for it.")
    found = define(*parts, magics.session.binding.grounder())
    if isinstance(found, Choice):
        ways = "   or   ".join(f"%lexsi kg {'edit' if there else 'add'} '{parts[0]}' means {o}" for o in found.options)
        raise BadData(f"The meaning of '{parts[0]}' is open.", found.prompt, f"Write one of: {ways}")
    if not isinstance(found, Definition | Naming):
        raise BadData(f"The meaning of '{parts[0]}' cannot be told.", found.text, "Say it with words of the data.")
    path = notebook_terms.add(dataset.id, "disambiguations", found.name, found.entry)
    magics.session.binding.forget_grounding()
    was = _it_was(before, name) if before != found.entry else ""
    print(f"'{found.term}' means {found.text}.{_so_many(found, magics)} Kept in {path.name}.{was}")


def _so_many(found: Any, magics: LexsiMagics) -> str:
    """Return how many rows a condition holds for, and what it says of others that the words name."""
    from lexsi_nb.grounding.knowledge.definitions import Definition
    from lexsi_nb.grounding.rendering.phrasing import rows_word
    from lexsi_nb.grounding.schema.names import quote

    if not isinstance(found, Definition):
        return ""
    held = magics.session.binding.engine.query(
        f"SELECT count(*) AS n, count(*) FILTER (WHERE {found.sql}) AS held FROM {quote(found.table)}"
    )
    rows, so = int(held["n"].iloc[0]), int(held["held"].iloc[0])
    of = f" Said of {rows_word(found.of)}: those of such {rows_word(found.table)}." if found.of else ""
    return f" That is {so:,} of {rows:,} {rows_word(found.table)}.{of}"


def _it_was(entry: Mapping[str, Any] | None, name: str) -> str:
    """Return what an entry meant before, and the line that says it so again."""
    if entry is None:
        return ""
    term = str(next(iter(entry.get("triggers") or entry.get("names") or ()), name.replace("_", " ")))
    text = str(entry.get("text") or term)
    means = entry.get("said") or (entry.get("reads") or {}).get("as") or text.partition(" means ")[2]
    again = f" To have that again: %lexsi kg add '{term}' means {means}" if means else ""
    return f" It was: {text}.{again}"


def _example(magics: LexsiMagics) -> str:
    """Return a line that gives words a meaning, of the data at hand where these have a column of few values."""
    from lexsi_nb.grounding.knowledge.definitions import Definition, define
    from lexsi_nb.grounding.rendering.phrasing import rows_word

    grounder = magics.session.binding.grounder()
    for column, held in grounder.index.values.items():
        values = list(dict.fromkeys(map(str, held.values())))
        term = f"special {rows_word(column.table)}"
        means = f"{column.name} {' or '.join(values[: 2 if len(values) > 2 else 1])}"
        if 1 < len(values) <= MOST_KINDS and isinstance(define(term, means, grounder), Definition):
            return f"%lexsi kg add '{term}' means {means}"
    return USAGE


def _remove(magics: LexsiMagics, name: str) -> None:
    from lexsi_nb.data import notebook_terms

    dataset = magics.session.binding.start()
    path, was = notebook_terms.remove(dataset.id, _bare(name))
    magics.session.binding.forget_grounding()
    said = _it_was(was, _bare(name)) if was.get("source") == "user" else ""
    print(f"'{_bare(name)}' is out of {path.name}.{said}")


def _kept(magics: LexsiMagics) -> None:
    from lexsi_nb.artifacts.wording import counted
    from lexsi_nb.data.notebook_terms import read_terms, terms_file

    mine = read_terms().get(magics.session.binding.start().id) or {}
    number = sum(len(entries) for entries in mine.values() if isinstance(entries, Mapping | list))
    entries = f"has {counted(number, 'entry').replace('entrys', 'entries')} of these data"
    print(
        f"{terms_file()} {entries if number else 'is where meanings of these data go'}: "
        "every change is written at once, and an edit of the file counts from the next question on."
    )


def _draft(magics: LexsiMagics) -> None:
    from lexsi_nb.artifacts.wording import counted
    from lexsi_nb.data import notebook_terms
    from lexsi_nb.data.declared import Declared, of_frames
    from lexsi_nb.grounding.knowledge.drafting import draft

    binding = magics.session.binding
    dataset = binding.start()
    read = [t.name for t in binding.engine.tables()] if dataset.kind == "frames" else []
    frames = {t: binding.engine.frame(t) for t in read}
    made: dict[str, Any] = draft(
        binding.grounder().index, of_frames(frames) if frames else Declared(), dataset.limits[1]
    )
    if not made["tables"] and not made["join_paths"]:
        print(f"The knowledge graph describes every table of {dataset.title} already.")
        return
    path = notebook_terms.add_draft(dataset.id, made)
    binding.forget_grounding()
    print(
        f"{counted(len(made['tables']), 'table')} and {counted(len(made['join_paths']), 'verified join')} written to "
        f"{path.name}, marked inferred. Review it; %lexsi kg accept takes the marks off, "
        "%lexsi kg accept TABLE those of one table. Until then the planner does not use it."
    )


def _accept(magics: LexsiMagics, name: str) -> None:
    from lexsi_nb.data import notebook_terms

    dataset = magics.session.binding.start()
    path, taken = notebook_terms.accept(dataset.id, _bare(name))
    magics.session.binding.forget_grounding()
    print(f"Accepted in {path.name}: {', '.join(taken)}." if taken else f"Nothing in {path.name} is marked inferred.")


def _bare(name: str) -> str:
    """Return a name as it was meant, without the quotes it may stand in."""
    return name.strip().strip("'\"‘’“”`").strip()
