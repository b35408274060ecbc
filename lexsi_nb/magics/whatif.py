"""`%lexsi whatif` and `%lexsi shap`."""

from __future__ import annotations

from typing import Any, cast

from lexsi_nb.errors import LexsiError, UnknownName

PLOTS = ("importance", "beeswarm", "dependence", "waterfall")
CHOSEN = ("feature", "by", "case")


def show(magics: Any, line: str) -> None:
    """Show a case with its values; with NAME=VALUE with these in place of its own."""
    from lexsi_nb.magics.explaining import what_if
    from lexsi_nb.magics.showing import show_live
    from lexsi_nb.widgets.named_values import named_values

    words, changes = named_values(line)
    if not words:
        raise LexsiError("No case was named.", "", "Write its id, as in the ranking: %lexsi whatif ID amount=1000")
    show_live(what_if(" ".join(words), changes, session=magics.session), magics)


def show_shap(magics: Any, line: str) -> None:
    """Show one of the pictures; with NAME=VALUE of a feature or a case."""
    from lexsi_nb.magics.explaining import shap
    from lexsi_nb.magics.showing import show_live
    from lexsi_nb.widgets.named_values import named_values

    words, chosen = named_values(line)
    for name in chosen:
        if name not in CHOSEN:
            raise UnknownName.among(name, CHOSEN, where="%lexsi shap")
    plot = " ".join(words) or "importance"
    show_live(shap(cast(Any, plot), session=magics.session, **chosen), magics)
