"""The parameters of a question as fields: other values, and the same question is asked with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

from lexsi_nb.app.controls import Controls
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Chart
from lexsi_nb.artifacts.secrets import without_own
from lexsi_nb.errors import LexsiError
from lexsi_nb.kernel.frontends import joined
from lexsi_nb.modeling.source import literal
from lexsi_nb.widgets.answer_html import foot_html, head_html, item_html, label_html
from lexsi_nb.widgets.answer_text import answer_text
from lexsi_nb.widgets.blocks import Block, Rows, Words, blocks_text
from lexsi_nb.widgets.chart import chart_html
from lexsi_nb.widgets.live.base import Answer, LiveWidget
from lexsi_nb.widgets.live.theme import drawing, themed
from lexsi_nb.widgets.named_values import quoted
from lexsi_nb.widgets.showing import Item, items

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

KINDS = {"number": "number", "date": "day", "text": "text"}


class ParameterControls(LiveWidget):
    """A field for each parameter of the last run that had any, and the answer with the values that were run last."""

    kind: ClassVar[str] = "controls"

    def __init__(self, controls: Controls) -> None:
        self.controls = controls
        self._asked = dict(controls.values)
        self._dark: bool | None = None  # as the page says; None before
        asked = self.controls.run.asked
        super().__init__(" ".join(asked.split()), **self._drawn())

    def cell(self) -> CodeCell | None:
        """Return the cells of the run with the values that were run last, as one."""
        run = self.controls.run
        if not run.cells:
            return None
        values = ", ".join(f"{name} = {value}" for name, value in run.parameters.items())
        return CodeCell(joined(run.cells), title=values, produces=run.cells[-1].produces)

    def static(self) -> dict[str, Any]:
        """Return the answer with the values that were run last."""
        run = self.controls.run
        text = f"{blocks_text(self.blocks())}\n\n{answer_text(run, code=False)}"
        return without_own({"text/html": _html(run), "text/plain": text})

    def ask(self, values: Mapping[str, Any]) -> Run:
        """Return the run with these values, which is shown from now on. Raises: as `Controls.ask`."""
        run = self.controls.ask(values)
        self.update(**self._drawn())
        return run

    def blocks(self) -> list[Block]:
        """Return the parameters with their values, and how to run with others."""
        controls = self.controls
        rows = tuple((n, KINDS[controls.kind(n)], str(v)) for n, v in controls.values.items())
        name, value = next(iter(controls.values.items()))
        given = quoted(name, str(value))
        call = f"lx.controls().ask({{{literal(name)}: {literal(value)}}})"
        how = f"Run it with other values:\n  %lexsi controls {given}\n  {call}"
        return [
            Words(" ".join(controls.run.asked.split()), "strong"),
            Rows(("parameter", "kind", "value"), rows),
            Words(how, "quiet"),
        ]

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "run": self._run, "look": self._look, "chart": self._chart}

    def _look(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Draw the charts for the page's own ground."""
        self._dark = content.get("dark") is True
        self.update(**self._drawn())
        return {}

    def _chart(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return one chart of the answer: its spec where the page draws, else a picture. Neither is saved."""
        charts = _charts(self.controls.run)
        number = content.get("number")
        if not isinstance(number, int) or not 0 <= number < len(charts):
            raise LexsiError("This chart is not there any more.", "Another answer took its place.")
        return drawing(charts[number].spec, content)

    def _run(self, content: Mapping[str, Any]) -> dict[str, Any]:
        return {"answer": self.ask({str(n): str(v) for n, v in (content.get("values") or {}).items()}).answer}

    def _drawn(self) -> dict[str, Any]:
        controls = self.controls
        return {
            "fields": [
                {
                    "name": name,
                    "kind": controls.kind(name),
                    "value": str(value),
                    "asked": str(self._asked.get(name, value)),
                }
                for name, value in controls.values.items()
            ],
            "html": _html(controls.run, self._dark),
        }


def _html(run: Run, dark: bool | None = None) -> str:
    """Return a run without the line about its code cells, which *Show code* has.

    `dark`: whether its charts are drawn for a dark page, or a light one; None as they are saved, on white.
    """
    shown = (item if dark is None else _themed(item, dark) for item in items(run))
    number = count()
    drawn = (
        f'{label_html(item)}<div data-lexsi-chart="{next(number)}">{chart_html(item.artifact)}</div>'
        if item.is_picture
        else item_html(item, run)
        for item in shown
    )
    return head_html(run) + "".join(drawn) + foot_html(run, cells=False)


def _charts(run: Run) -> list[Chart]:
    """Return the charts of an answer in the order of their numbers in its HTML."""
    return [item.artifact for item in items(run) if item.is_picture]


def _themed(item: Item, dark: bool) -> Item:
    chart = item.artifact
    if not isinstance(chart, Chart):
        return item
    return replace(item, artifact=replace(chart, spec=themed(chart.spec, dark=dark)))
