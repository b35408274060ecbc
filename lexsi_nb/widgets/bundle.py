"""Any artifact as what a cell shows of it: HTML, stable text, and a picture where it is one."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Approval, Attribution, Chart, Choice, ModelCard, Shown, Table, Text
from lexsi_nb.artifacts.wording import SYNTHETIC
from lexsi_nb.widgets.approval import approval_html, approval_text
from lexsi_nb.widgets.attribution import attribution_spec
from lexsi_nb.widgets.chart import chart_bundle, chart_html, chart_text, picture_of
from lexsi_nb.widgets.choice import choice_html, choice_text
from lexsi_nb.widgets.code_cell import code_cell_html, code_cell_text
from lexsi_nb.widgets.explanation import explanation_html, explanation_text
from lexsi_nb.widgets.model_card import model_card_html, model_card_text
from lexsi_nb.widgets.table import table_html, table_text
from lexsi_nb.widgets.text import text_html, text_text

MOST_LINES, FIRST_LINES = 20, 8  # of a cell in text, which does not fold: more than the one are cut to the other

# Kind -> its HTML and its text.
FORMS: dict[type, tuple[Callable[[Any], str], Callable[[Any], str]]] = {
    Table: (table_html, table_text),
    Chart: (chart_html, chart_text),
    Attribution: (explanation_html, explanation_text),
    ModelCard: (model_card_html, model_card_text),
    CodeCell: (code_cell_html, code_cell_text),
    Choice: (choice_html, choice_text),
    Text: (text_html, text_text),
    Approval: (approval_html, approval_text),
}


def html_of(artifact: Any) -> str:
    """Return an artifact as HTML that needs no kernel, no script and no network."""
    return FORMS[type(artifact)][0](artifact)


def text_of(artifact: Any) -> str:
    """Return an artifact as text that is the same at each run."""
    return FORMS[type(artifact)][1](artifact)


def bundle(artifact: Any) -> dict[str, Any]:
    """Return what a cell shows of an artifact, as MIME type -> data."""
    if isinstance(artifact, Shown):
        artifact = artifact.artifact
    if isinstance(artifact, Chart):
        return chart_bundle(artifact)
    if hasattr(artifact, "_repr_mimebundle_") and type(artifact) not in FORMS:
        return artifact._repr_mimebundle_()  # an image or a file of a tool, which shows itself
    made = {"text/html": html_of(artifact), "text/plain": text_of(artifact)}
    picture = image(artifact)
    return made if picture is None else {**made, "image/png": b64encode(picture).decode()}


def alone(artifact: Any) -> dict[str, Any]:
    """Return what a cell shows of an artifact by itself: with the label of synthetic data and the cell that makes it.

    A chart of Lab's has no HTML beside it, or Lab would show that instead of drawing: its title has the label.
    """
    if isinstance(artifact, Shown):
        artifact = artifact.artifact
    made = labelled(bundle(artifact), getattr(artifact, "synthetic", False))
    cell = getattr(artifact, "cell", None)
    if cell is None:
        return made
    lines = code_cell_text(cell).splitlines()
    if len(lines) > MOST_LINES:  # text does not fold
        more = f"... {len(lines) - FIRST_LINES} more lines; %lexsi show prints the cells of the run"
        lines = [*lines[:FIRST_LINES], more]
    made["text/plain"] = f"{made['text/plain']}\n\nmade by:\n" + "\n".join(lines)
    if "text/html" in made:
        folded = '<summary role="button" style="cursor:pointer;font-size:90%">code that makes it</summary>'
        made["text/html"] += f"<details>{folded}{code_cell_html(cell)}</details>"
    return made


def labelled(made: dict[str, Any], synthetic: bool) -> dict[str, Any]:
    """Return the output with the label of synthetic data, where they are."""
    if not synthetic:
        return dict(made)
    out = {**made, "text/plain": f"{SYNTHETIC}\n{made.get('text/plain', '')}"}
    if "text/html" in made:
        out["text/html"] = f'<div style="font-size:85%">{SYNTHETIC}</div>{made["text/html"]}'
    return out


def image(artifact: Any) -> bytes | None:
    """Return an artifact that is a picture as PNG; None for the others, and where nothing can draw.

    Charts and attributions are pictures.
    """
    if isinstance(artifact, Chart):
        return picture_of(artifact.spec)
    return picture_of(attribution_spec(artifact)) if isinstance(artifact, Attribution) else None
