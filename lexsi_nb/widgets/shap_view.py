"""A picture of what moved scores in words and characters: tables with bars, a strip a feature for a beeswarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.widgets.blocks import Block, Rows, Words, blocks_text
from lexsi_nb.widgets.chart import chart_bundle

if TYPE_CHECKING:
    from lexsi_nb.app.shap_views import View


def view_bundle(view: View) -> dict[str, Any]:
    """Return what a cell shows of a view: its picture, and the same as text."""
    return {**chart_bundle(view.chart), "text/plain": blocks_text(view_blocks(view))}


def view_blocks(view: View) -> list[Block]:
    """Return the title of a view and what it draws as a table with bars."""
    draws = {"importance": _importance, "beeswarm": _beeswarm, "dependence": _dependence, "waterfall": _waterfall}
    rows, foot = draws[view.plot](view)
    return [Words(view.chart.title, "strong"), rows, Words(foot, "quiet")]


def _importance(view: View) -> tuple[Rows, str]:
    found = list(view.figures.itertuples())
    rows = tuple((str(r.feature), f"{r.importance:.3f}", f"{r.share:.0%}") for r in found)
    drawn = Rows(("feature", "importance", "share"), rows, tuple(float(r.importance) for r in found))
    return drawn, f"importance: mean absolute contribution in {view.unit}; share of the sum over all features"


def _beeswarm(view: View) -> tuple[Rows, str]:
    found = list(view.figures.itertuples())
    rows = tuple((str(r.feature), f"{r.lowest:+.2f}", f"{r.median:+.2f}", f"{r.highest:+.2f}") for r in found)
    ends = f"cases from {view.figures['lowest'].min():+.2f} to {view.figures['highest'].max():+.2f}" if found else ""
    drawn = Rows(("feature", "lowest", "median", "highest"), rows, strips=view.steps, about=ends)
    return drawn, f"contributions in {view.unit}; darker where more cases lie"


def _dependence(view: View) -> tuple[Rows, str]:
    found = list(view.figures.itertuples())
    rows = tuple(
        (str(r.value), f"{r.cases:,}", f"{r.contribution:+.2f}", f"{r.lowest:+.2f}", f"{r.highest:+.2f}") for r in found
    )
    heads = ("value", "cases", "mean", "lowest", "highest")
    drawn = Rows(heads, rows, tuple(float(r.contribution) for r in found), about="mean")
    return drawn, f"contributions in {view.unit}"


def _waterfall(view: View) -> tuple[Rows, str]:
    found = list(view.figures.itertuples())
    rows = tuple((str(r.label), f"{r.contribution:+.2f}" if r.feature else "", f"{r.end:+.2f}") for r in found)
    sizes = tuple(float(r.contribution) for r in found)
    base = f", from the base value {found[0].start:+.2f}" if found else ""
    drawn = Rows(("feature", "contribution", "score then"), rows, sizes, about="lowers, raises")
    return drawn, f"contributions in {view.unit}{base}"
