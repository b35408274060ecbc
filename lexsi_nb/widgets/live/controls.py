"""The parameters of a question as fields: other values, and the same question is asked with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lexsi_nb.app.controls import Controls
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.secrets import without_own
from lexsi_nb.kernel.frontends import joined
from lexsi_nb.widgets.answer_html import foot_html, head_html, item_html
from lexsi_nb.widgets.answer_text import answer_text
from lexsi_nb.widgets.live.base import Answer, LiveWidget
from lexsi_nb.widgets.showing import items

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.app.session import Session


class ParameterControls(LiveWidget):
    """A field for each parameter of the last run that had any, and the answer with the values that were run last."""

    kind: ClassVar[str] = "controls"

    def __init__(self, session: Session) -> None:
        self.controls = Controls(session)
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
        return without_own({"text/html": _html(run), "text/plain": answer_text(run, code=False)})

    def answers(self) -> dict[str, Answer]:
        """Return what the page may ask for."""
        return {**super().answers(), "run": self._run}

    def _run(self, content: Mapping[str, Any]) -> dict[str, Any]:
        run = self.controls.ask({str(n): str(v) for n, v in (content.get("values") or {}).items()})
        self.update(**self._drawn())
        return {"answer": run.answer}

    def _drawn(self) -> dict[str, Any]:
        controls = self.controls
        return {
            "fields": [
                {"name": name, "kind": controls.kind(name), "value": str(value)}
                for name, value in controls.values.items()
            ],
            "html": _html(controls.run),
        }


def _html(run: Run) -> str:
    """Return a run without the line about its code cells, which *Show code* has."""
    return head_html(run) + "".join(item_html(item, run) for item in items(run)) + foot_html(run, cells=False)
