"""`%lexsi choose` and `%lexsi reading`: take one of several readings, look at one, change it, and keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.magics.lexsi import LexsiMagics

CHANGE = "%lexsi reading 'WORDS' means COLUMN   (keep at the end keeps it)"
DROP = "%lexsi reading without 'WORDS'"
USAGE = "%lexsi choose 1   or   %lexsi choose 1 keep"


def choose(magics: LexsiMagics, rest: str) -> None:
    """Ask the reading with a number; with `keep` its words mean this from now on."""
    word, _, more = rest.partition(" ")
    run = next((r for r in reversed(magics.session.runs) if r.choice is not None), None)
    if run is None:
        raise BadData(
            "There is no reading to choose: no question was put back.", "", "Ask something with %%lexsi first."
        )
    if not word.isdigit() or more.strip() not in ("", "keep", "--keep"):
        there = len(run.choice.options) if run.choice is not None else 0
        what = f"'{rest}' is no number of a reading." if rest else "No reading was named."
        raise BadData(what, f"There are {there}: 1 to {there}.", f"Write: {USAGE}")
    choose_here(magics, run, int(word), keep=bool(more.strip())).raise_if_stopped()


def reading(magics: LexsiMagics, rest: str) -> None:
    """Show how the last question was read; ask it again with 'WORDS' means ..., or without 'WORDS'."""
    from lexsi_nb.app.chosen import reread, without
    from lexsi_nb.grounding.knowledge.definitions import definition_said

    run = next(reversed(magics.session.runs), None)
    if run is None:
        raise BadData("No question was asked yet.", "", "Ask something with %%lexsi first.")
    if not rest:
        return _show_reading(magics, run)
    act, _, dropped = rest.partition(" ")
    if act == "without" and dropped.strip(" '\""):
        bare = dropped.strip(" '\"")
        _asked(magics, lambda **options: without(magics.session, run, bare, **options)).raise_if_stopped()
        return None
    body, _, last = rest.rpartition(" ")
    keep = last in ("keep", "--keep")
    said = definition_said(body if keep else rest)
    if said is None:
        raise BadData("This says no other reading.", "Expected words in quotes, then 'means'.", f"Such as: {CHANGE}")
    words, means = said
    _asked(magics, lambda **options: reread(magics.session, run, words, means, keep=keep, **options)).raise_if_stopped()
    if keep:
        print(f"'{words}' is {means} from now on: kept in lexsi_kg.yaml.")
    return None


def _show_reading(magics: LexsiMagics, run: Run) -> None:
    from lexsi_nb.app.chosen import whole_question
    from lexsi_nb.grounding.reading import Reading
    from lexsi_nb.grounding.wordings.word_meanings import words_read

    question = whole_question(run)
    leans = "" if question == run.question else f"   (with the question before: {question})"
    print(f"{run.question}{leans}")
    for line in run.facts.get("read as", []):
        print(f"read as: {line}")
    magics.session.binding.start(run.given)
    grounder = magics.session.binding.grounder()
    found = grounder.read(question) if run.status == "answered" else None
    pairs = words_read(question, grounder.index, found if isinstance(found, Reading) else None)
    width = max((len(words) for words, _ in pairs), default=0)
    for words, told in pairs:
        print(f"  {words:<{width}}  {told}")
    print(f"Change it: {CHANGE}\nDrop a condition: {DROP}")


def _asked(magics: LexsiMagics, ask: Callable[..., Run]) -> Run:
    """Return the run that `ask` makes, shown in this output."""
    from lexsi_nb.kernel.frontends import detect
    from lexsi_nb.magics.progress import progress_of
    from lexsi_nb.magics.showing import show

    environment = detect(magics.shell, override=magics.frontend)
    progress = progress_of(magics, environment)
    try:
        made = ask(on_event=progress)
    finally:
        progress.clear()
    if made.status not in ("failed", "interrupted"):
        show(made, environment, magics=magics)
    return made


def choose_here(magics: LexsiMagics, run: Run, number: int, *, keep: bool) -> Any:
    """Return the run of a chosen reading, shown in this output."""
    from lexsi_nb.app.chosen import choose as chosen
    from lexsi_nb.magics.deciding import kept_words, settle_elsewhere

    made = _asked(magics, lambda **options: chosen(magics.session, run, number, keep=keep, **options))
    settle_elsewhere(magics, run.id, f"Reading {number} taken")
    if keep and run.choice is not None:
        print(kept_words(run.choice.options[number - 1]))
    return made
