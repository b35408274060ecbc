"""A finished run in the cell: the answer, its charts, what was made; each with a text form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.artifacts.results import Attribution, Table
from lexsi_nb.artifacts.secrets import without_own

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.kernel.cell_output import CellOutput, Output
    from lexsi_nb.magics.lexsi import LexsiMagics
    from lexsi_nb.widgets.showing import Item

RUN = "application/vnd.lexsi.run+json"  # drawn by our Lab extension, where it is installed
CHART = "application/vnd.lexsi.chart+json"  # beside a chart: our Lab extension has it drawn as wide as there is room

MOST_ROWS = 20  # of a page of ranked cases


def show(run: Run, environment: str, *, magics: LexsiMagics | None = None, code: bool = True) -> None:
    """Show a run in the calling cell, or print it in a terminal.

    Without `code` the line about code cells is left out. `magics` have what explains more of the scored rows and takes
    what a person decides by a click.
    """
    if environment in ("terminal", "script"):
        from lexsi_nb.widgets.answer_text import answer_text
        from lexsi_nb.widgets.approval import approval_text
        from lexsi_nb.widgets.terminal import console_for, print_run

        console = console_for() if environment == "terminal" and run.approval is None else None
        if console is not None:
            print_run(run, console, code=code)
            return
        print(without_own(answer_text(run, code=code) if run.approval is None else approval_text(run.approval)))
        return
    from IPython.display import display

    for bundle, metadata in outputs(run, environment, magics=magics, code=code):
        display(bundle, raw=True, metadata=metadata)


def outputs(
    run: Run,
    environment: str,
    *,
    magics: LexsiMagics | None = None,
    code: bool = True,
    place: CellOutput | None = None,
) -> list[Output]:
    """Return what a run shows in a notebook, in order; the last output has the run's record.

    `place`: the cell that it is shown in, where that is not the one that is being run.
    """
    from lexsi_nb.magics.deciding import offer
    from lexsi_nb.widgets.record import KEY, record_of

    ranking = live_ranking(run, environment, magics.explainer if magics is not None else None)
    decision = offer(magics, run, environment, place) if magics is not None else None
    made = bundles(run, live=environment != "headless", code=code, ranking=ranking, decision=decision)
    out = [(bundle, _described(bundle)) for bundle in made]
    out[-1][1][KEY] = record_of(run)
    return out


def live_ranking(run: Run, environment: str, explainer: Any) -> dict[str, Any] | None:
    """Return the ranked cases as a live table beside their static form; None where it would not be live."""
    from lexsi_nb.widgets.answer_html import ranking_html
    from lexsi_nb.widgets.answer_text import ranking_text
    from lexsi_nb.widgets.live.offer import can_live, offered
    from lexsi_nb.widgets.live.predictions import predictions_table

    if explainer is None or not ranking_text(run) or not can_live(environment):
        return None
    static = {"text/html": ranking_html(run), "text/plain": ranking_text(run)}
    units = next((s.artifact.units for s in reversed(run.artifacts) if s.tool == "predict" and _is_table(s)), {})
    rows = 10 if run.frame is None else max(1, len(run.frame))
    table = predictions_table(
        explainer, page=min(rows, MOST_ROWS), units=units, known=run.of(Attribution), static=static
    )
    return offered(table, environment=environment)


def _is_table(shown: Any) -> bool:
    return isinstance(shown.artifact, Table)


def bundles(
    run: Run,
    *,
    live: bool = True,
    code: bool = True,
    ranking: dict[str, Any] | None = None,
    decision: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Return the outputs of a run as MIME bundles, in order, without the secrets of this process.

    Only a live one has buttons that need a person. `ranking` stands in place of the ranked cases, and `decision` in
    place of what is asked of a person, in an output of its own.
    """
    return without_own(_bundles(run, live, code, ranking, decision))


def _bundles(
    run: Run, live: bool, code: bool, ranking: dict[str, Any] | None, decision: dict[str, Any] | None
) -> list[dict[str, Any]]:
    from lexsi_nb.widgets.answer_html import foot_html, head_html
    from lexsi_nb.widgets.answer_text import facts_text, foot_text, head_text
    from lexsi_nb.widgets.chart import VEGALITE, bounded
    from lexsi_nb.widgets.facts import facts_html
    from lexsi_nb.widgets.showing import items

    if run.approval is not None:
        from lexsi_nb.widgets.approval import approval_bundle

        return [decision or approval_bundle(run.approval)]
    parts: dict[str, bool] = {"table": ranking is None, "choice": decision is None}
    head = head_text(run, **parts)
    out: list[dict[str, Any]] = [{"text/html": head_html(run, **parts), "text/plain": head}] if head else []
    if decision is not None:
        out.append(decision)
    if ranking is not None and run.shown is None:
        out += [ranking, {"text/html": facts_html(run), "text/plain": facts_text(run)}]
    for item in items(run):
        out += item_bundles(item, run) if ranking is None or not item.is_ranking else _labelled(item, ranking)
    out += [content._repr_mimebundle_() for content in run.of(BinaryContent)]
    foot: dict[str, Any] = {"text/html": foot_html(run, cells=code, copy=live), "text/plain": foot_text(run, code=code)}
    if run.cells and live and code:
        foot[RUN] = {
            "version": 1,
            "run": run.id,
            "summary": f"code: {len(run.cells)} cells",
            # Their sources, and what stands above them, are in the HTML, once: a notebook keeps every output.
            "cells": [{"title": c.title} for c in run.cells],
        }
    out.append(foot)
    return [{CHART: {"version": 1}, **b} if live and VEGALITE in b else b for b in bounded(out)]


def _labelled(item: Item, bundle: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an output under its label."""
    from html import escape

    head = {"text/html": f"<b>{escape(item.label)}</b>", "text/plain": item.label}
    return [head, bundle] if item.label else [bundle]


def _described(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return what the picture shows in words, for those who do not see it."""
    return {"image/png": {"alt": bundle["text/plain"]}} if "image/png" in bundle else {}


def item_bundles(item: Item, run: Run) -> list[dict[str, Any]]:
    """Return one shown result under its label; a chart keeps an output of its own, so that Lab draws it."""
    from lexsi_nb.widgets.answer_html import item_html
    from lexsi_nb.widgets.answer_text import item_text
    from lexsi_nb.widgets.bundle import bundle

    if not item.is_picture:
        return [{"text/html": item_html(item, run), "text/plain": item_text(item, run)}]
    made = bundle(item.artifact)
    return _labelled(item, made) if item.label != item.artifact.title else [made]


def show_live(widget: Any, magics: Any) -> None:
    """Show a live widget in the calling cell; in a terminal print what it has, in the terminal's width and colours."""
    from IPython.display import display

    from lexsi_nb.kernel.frontends import detect
    from lexsi_nb.widgets.terminal import console_for, print_blocks, print_run

    terminal = detect(magics.shell, override=magics.frontend) == "terminal"
    console = console_for() if terminal else None
    if console is None:
        display(widget)
        return
    print_blocks(widget.blocks(), console)
    if widget.kind == "controls":
        print_run(widget.controls.run, console, code=False)
