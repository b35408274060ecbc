"""`%lexsi kg`: look at what words mean in the data, add and remove meanings, draft a first version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

USAGE = "%lexsi kg add 'bad customer' means status B or D"


def kg(magics: LexsiMagics, rest: str) -> None:
    """Carry out one `%lexsi kg` line: an outline, a search, add, remove or draft."""
    act, _, said = rest.partition(" ")
    if act == "add":
        return _add(magics, said)
    if act == "remove":
        return _remove(magics, said)
    if act == "draft":
        return _draft(magics)
    return _look(magics, rest)


def _look(magics: LexsiMagics, text: str) -> None:
    from lexsi_nb.data.notebook_terms import FILE, read_terms

    dataset = magics.session.binding.start()
    graph = dataset.knowledge
    if graph is None:
        print(
            f"{dataset.title} has no knowledge graph. Add a meaning: {USAGE}\nOr infer a first draft: %lexsi kg draft"
        )
        return
    if text:
        hits = graph.search(text, 8)
        print("\n".join(f"{h.node.id}: {h.node.text}" for h in hits) or f"Nothing matches {text!r}.")
        return
    print(graph.outline())
    own = read_terms().get(dataset.id) or {}
    names = [str(n) for section in own.values() if isinstance(section, dict) for n in section]
    if names:
        print(f"From {FILE}: {', '.join(names)}.")


def _add(magics: LexsiMagics, said: str) -> None:
    from lexsi_nb.data import notebook_terms
    from lexsi_nb.grounding.definitions import Definition, define, definition_said

    dataset = magics.session.binding.start()
    parts = definition_said(said)
    if parts is None:
        raise BadData("This says no meaning.", "Expected words in quotes, then 'means'.", f"Such as: {USAGE}")
    found = define(*parts, magics.session.binding.grounder())
    if not isinstance(found, Definition):
        raise BadData(f"The meaning of '{parts[0]}' cannot be told.", found.text, "Say it with words of the data.")
    path = notebook_terms.add(dataset.id, "disambiguations", found.name, found.entry)
    magics.session.binding.forget_grounding()
    print(f"'{found.term}' means {found.text}: {found.table}, {found.sql}. Kept in {path.name}.")


def _remove(magics: LexsiMagics, name: str) -> None:
    from lexsi_nb.data import notebook_terms

    dataset = magics.session.binding.start()
    path = notebook_terms.remove(dataset.id, name)
    magics.session.binding.forget_grounding()
    print(f"{name.strip()} is out of {path.name}.")


def _draft(magics: LexsiMagics) -> None:
    from lexsi_nb.data import notebook_terms
    from lexsi_nb.grounding.definitions import draft

    dataset = magics.session.binding.start()
    made: dict[str, Any] = draft(magics.session.binding.grounder().index)
    path = notebook_terms.add_draft(dataset.id, made)
    magics.session.binding.forget_grounding()
    print(
        f"{len(made['tables'])} tables and {len(made['join_paths'])} verified joins written to {path.name}, "
        "marked inferred. The planner uses an entry once its mark is taken off."
    )
