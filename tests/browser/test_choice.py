"""An open question in JupyterLab: its readings, one of them taken by keyboard, the answer below it, saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SETUP = """\
%load_ext lexsi_nb
import pandas as pd
trips = pd.DataFrame({"trip_id": [1, 2], "dep_delay": [1.0, 5.0], "arr_delay": [10.0, 50.0]})
"""


def _cell(name: str, source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_reading_is_taken_and_stays_said(
    open_notebook: Callable[..., str], page: Page, lab: Any, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    file = open_notebook(
        [_cell("setup", SETUP), _cell("ask", "%%lexsi average delay")], theme=theme, name=f"choice_{name}.ipynb"
    )
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    cell = page.locator(".jp-CodeCell").nth(1)
    group = cell.get_by_role("group", name="'delay' can be more than one column.").last
    first, second = group.get_by_role("radio").nth(0), group.get_by_role("radio").nth(1)
    expect(first).to_be_checked()
    expect(group).to_contain_text("30")
    cell.get_by_role("button", name="Show code").click()
    expect(cell.locator(".lexsi-source")).to_contain_text("%%lexsi")
    asks = cell.locator(".lexsi-source").inner_text()
    page.screenshot(path=shots / f"choice-{name}.png")
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(second).to_be_checked()
    expect(cell.locator(".lexsi-source")).not_to_have_text(asks)
    if name == "dark":
        page.set_viewport_size({"width": 560, "height": 960})
        page.screenshot(path=shots / "choice-narrow.png")
        page.set_viewport_size({"width": 1280, "height": 960})
        cell.get_by_role("checkbox").check()
        second.focus()
    page.keyboard.press("Enter")
    said = cell.locator(".lexsi-decided")
    expect(said).to_contain_text("Reading 2 taken 20")
    expect(said).to_be_focused()
    answer = cell.locator(".lexsi-answer").last
    expect(answer).to_contain_text("30")
    expect(cell).not_to_contain_text("RunStopped")
    if name == "dark":
        expect(said).to_contain_text("kept in lexsi_kg.yaml")
    page.screenshot(path=shots / f"chosen-{name}.png")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    outputs = json.loads((lab.folder / file).read_text())["cells"][1]["outputs"]
    assert "(taken)" in "".join(outputs[0]["data"]["text/html"])
    assert any("30" in "".join(o["data"]["text/plain"]) for o in outputs[1:])
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()")
    cell.locator(".lexsi-live").wait_for(state="detached")
    expect(cell).to_contain_text("(taken)")
    expect(cell).to_contain_text("The answer is below.")
