"""`%lexsi kg`: look at what words mean in the data, add and remove meanings, draft a first version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

USAGE = "%lexsi kg add 'WORDS' means COLUMN VALUE"
MOST_KINDS = 12  # values of a column that an example is made of


def kg(magics: LexsiMagics, rest: str) -> None:
    """Carry out one `%lexsi kg` line: an outline, an entry, a search, add, edit, remove, draft or accept."""
    act, _, said = rest.partition(" ")
    if act in ("add", "edit"):
        return _add(magics, said, there=act == "edit")
    if act == "accept":
        return _accept(magics, said)
    if act == "remove":
        return _remove(magics, said)
    if act == "draft":
        return _draft(magics)
    return _look(magics, rest)


def _look(magics: LexsiMagics, text: str) -> None:
    from lexsi_nb.data.knowledge import UnknownNode
    from lexsi_nb.data.notebook_terms import FILE, read_terms
    from lexsi_nb.tools.query_kg import full, inferred, line

    dataset = magics.session.binding.start()
    graph = dataset.knowledge
    if graph is None:
        print(
            f"There is no knowledge graph for {dataset.title}. Add a meaning: {_example(magics)}\n"
            "Or infer a first draft: %lexsi kg draft"
        )
        return
    if text:
        try:
            print(full(graph.node(_bare(text))))
        except UnknownNode:
            hits = graph.search(text, 8)
            print("\n".join(line(h.node) for h in hits) or f"Nothing matches '{_bare(text)}'.")
        return
    print(graph.outline())
    own = read_terms().get(dataset.id) or {}
    names = [str(n) for section in own.values() if isinstance(section, dict) for n in section]
    if names:
        print(f"From {FILE}: {', '.join(names)}.")
    if any(map(inferred, graph.nodes)):
        print("What is marked inferred is not used yet: %lexsi kg accept takes the marks off.")


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
    told = f": {found.table}, {found.sql}" if isinstance(found, Definition) else ""
    replaced = f" It was: {before.get('text', name)}." if before else ""
    print(f"'{found.term}' means {found.text}{told}. Kept in {path.name}.{replaced}")


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
    path = notebook_terms.remove(dataset.id, _bare(name))
    magics.session.binding.forget_grounding()
    print(f"'{_bare(name)}' is out of {path.name}.")


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
