"""An approval in JupyterLab: the card, the buttons, one click that resumes the run, one line that stops Run All."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SETUP = '''%load_ext lexsi_nb
import pandas as pd
import lexsi_nb as lx
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
orders = pd.DataFrame({"region": ["N", "S"], "amount": [1.0, 2.0]})
uploaded = []

@lx.tool(side_effect="irreversible", effect=lambda args: lx.Effect(to="crm.example.com", cost="2.00 EUR"))
def upload(frame: str, ctx: lx.ContextRef) -> str:
    """Upload a frame.

    Args:
        frame: Label of the frame.
    """
    uploaded.append(len(ctx.frame(frame)))
    return "uploaded"

session = get_ipython()._lexsi_magics.session
session.add_tool(upload)
planner = ScriptedPlanner([call("upload", frame="orders"), say("Uploaded 2 orders.")])
session.planner = lambda: planner
'''


def test_a_click_resumes_the_run_once(open_notebook: Callable[..., str], page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    empty = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None}
    sources = [SETUP, "%%lexsi\nUpload the orders.", "print('after', uploaded)"]
    open_notebook([{**empty, "id": f"c{i}", "source": s} for i, s in enumerate(sources)])
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    cell = page.locator(".jp-CodeCell").nth(1)
    expect(cell).to_contain_text("Approval needed")
    expect(cell).to_contain_text("2 rows: region, amount")
    expect(cell).to_contain_text("crm.example.com")
    expect(cell).to_contain_text("RunStopped: Waiting for approval of upload.")
    button = cell.get_by_role("button", name="Approve")
    button.wait_for()
    page.screenshot(path=shots / "approval.png")
    # Run All stopped: the cell below has not run.
    assert page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[2].execution_count"
    ) is None  # fmt: skip
    button.click()
    expect(cell).to_contain_text("Uploaded 2 orders.")
    expect(cell.get_by_role("button", name="Approve")).to_be_disabled()
    page.screenshot(path=shots / "approved.png")
    page.locator(".jp-CodeCell .cm-content").nth(2).click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-CodeCell").nth(2)).to_contain_text("after [2]")
