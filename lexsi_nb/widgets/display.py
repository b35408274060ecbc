"""What a result, a run or a result graph shows as the last line of a cell."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.secrets import without_own


def shown(value: Any) -> dict[str, Any]:
    """Return the MIME bundle of a result, a run, a result graph or a what-if, without the secrets of this process."""
    return without_own(_bundle(value))


def _bundle(value: Any) -> dict[str, Any]:
    kind = type(value).__name__
    if kind == "Run":
        from lexsi_nb.widgets.answer_html import answer_html
        from lexsi_nb.widgets.answer_text import answer_text

        if value.approval is not None:
            from lexsi_nb.widgets.approval import approval_bundle

            return approval_bundle(value.approval)
        return {"text/html": answer_html(value), "text/plain": answer_text(value)}
    if kind == "ResultGraph":
        from lexsi_nb.widgets.bundle import labelled
        from lexsi_nb.widgets.graph import graph_html, graph_text

        return labelled({"text/html": graph_html(value), "text/plain": graph_text(value)}, value.synthetic)
    made = _explaining(kind, value)
    if made is not None:
        return made
    from lexsi_nb.widgets.bundle import alone

    return alone(value)


def _explaining(kind: str, value: Any) -> dict[str, Any] | None:
    """Return what is shown of a what-if, of pictures of scores or of parameters; None of anything else."""
    if kind == "Trial":
        from lexsi_nb.widgets.trial import trial_bundle

        return trial_bundle(value)
    if kind == "View":
        from lexsi_nb.widgets.shap_view import view_bundle

        return view_bundle(value)
    if kind == "WhatIf":
        from lexsi_nb.widgets.live.what_if import WhatIfForm

        return WhatIfForm(value).static()
    if kind == "ShapViews":
        from lexsi_nb.widgets.live.shap import ShapPlots

        return ShapPlots(value).static()
    if kind == "Controls":
        from lexsi_nb.widgets.live.controls import ParameterControls

        return ParameterControls(value).static()
    return None
