"""`%lexsi choose`: take one of the readings that a question put back, and keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.magics.lexsi import LexsiMagics

USAGE = "%lexsi choose 1   or   %lexsi choose 1 keep"


def choose(magics: LexsiMagics, rest: str) -> None:
    """Ask the reading with a number; with `keep` its words mean this from now on."""
    word, _, more = rest.partition(" ")
    if not word.isdigit() or more.strip() not in ("", "keep", "--keep"):
        raise BadData("No reading was named.", "", f"Write: {USAGE}")
    run = next((r for r in reversed(magics.session.runs) if r.choice is not None), None)
    if run is None:
        raise BadData("No question was put back.", "", "Ask something with %%lexsi first.")
    choose_here(magics, run, int(word), keep=bool(more.strip())).raise_if_stopped()


def choose_here(magics: LexsiMagics, run: Run, number: int, *, keep: bool) -> Any:
    """Return the run of a chosen reading, shown in this output."""
    from lexsi_nb.app.chosen import choose as chosen
    from lexsi_nb.kernel.frontends import detect
    from lexsi_nb.magics.deciding import kept_words, settle_elsewhere
    from lexsi_nb.magics.progress import progress_of
    from lexsi_nb.magics.showing import show

    environment = detect(magics.shell, override=magics.frontend)
    progress = progress_of(magics, environment)
    try:
        made = chosen(magics.session, run, number, keep=keep, on_event=progress)
    finally:
        progress.clear()
    settle_elsewhere(magics, run.id, f"Reading {number} taken")
    if made.status not in ("failed", "interrupted"):
        show(made, environment, magics=magics)
    if keep and run.choice is not None:
        print(kept_words(run.choice.options[number - 1]))
    return made
