"""A finished run in the cell: the answer, its charts, what was made; each with a text form."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Attribution, Chart
from lexsi_nb.errors import MissingExtra

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

VEGALITE = "application/vnd.vegalite.v5+json"  # what JupyterLab 4 draws itself
RUN = "application/vnd.lexsi.run+json"  # drawn by our Lab extension, where it is installed


def show(run: Run, environment: str, *, answer: Callable[..., Any] | None = None) -> None:
    """Show a run in the calling cell, or print it in a terminal.

    `answer` takes a person's answer to an approval from the buttons beside its card, where somebody can click.
    """
    if environment in ("terminal", "script"):
        from lexsi_nb.widgets.answer_text import answer_text
        from lexsi_nb.widgets.approval import approval_text

        print(answer_text(run) if run.approval is None else approval_text(run.approval))
        return
    from IPython.display import display

    for bundle in bundles(run, live=environment != "headless"):
        display(bundle, raw=True)
    if run.approval is not None and answer is not None and environment in ("notebook", "lab-extension"):
        from lexsi_nb.widgets.approval import buttons

        widget = buttons(run.approval, answer)
        if widget is not None:
            display(widget)


def bundles(run: Run, *, live: bool = True) -> list[dict[str, Any]]:
    """Return the outputs of a run as MIME bundles, in order. Only a live one has buttons that need a person."""
    from lexsi_nb.widgets.answer_html import foot_html, head_html
    from lexsi_nb.widgets.answer_text import foot_text, head_text

    if run.approval is not None:
        from lexsi_nb.widgets.approval import approval_bundle

        return [approval_bundle(run.approval)]
    out: list[dict[str, Any]] = [{"text/html": head_html(run), "text/plain": head_text(run)}]
    out += [chart_bundle(c) for c in run.of(Chart)]
    foot: dict[str, Any] = {"text/html": foot_html(run), "text/plain": foot_text(run)}
    if run.cells and live:
        foot[RUN] = {
            "version": 1,
            "run": run.id,
            "summary": f"code: {len(run.cells)} cells",
            "cells": [{"title": c.title, "source": c.source, "kind": c.kind, "step": c.step or 0} for c in run.cells],
            "html": foot_html(run, cells=False),
        }
    out.append(foot)
    return out


def chart_bundle(chart: Chart) -> dict[str, Any]:
    """Return a chart for Lab's own renderer, as a picture, and in words."""
    bundle: dict[str, Any] = {VEGALITE: chart.spec, "text/plain": chart.alt or chart.title}
    try:
        from lexsi_nb.widgets.images import png

        bundle["image/png"] = b64encode(png(chart.spec)).decode()
    except MissingExtra:
        # Without the drawing library Lab still draws the spec, and the text says what it shows.
        return bundle
    return bundle


def attribution_bundle(attribution: Attribution) -> dict[str, Any]:
    """Return one case's contributions as bars and as text."""
    from html import escape

    from lexsi_nb.widgets.bars import attribution_html, attribution_text

    title = f"What moved the score of {attribution.case}"
    return {
        "text/html": f"<div><b>{escape(title)}</b>{attribution_html(attribution)}</div>",
        "text/plain": f"{title}\n{attribution_text(attribution)}",
    }
