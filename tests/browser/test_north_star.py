"""The north star in JupyterLab: typed by hand, answered, its code inserted and run; no request leaves the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from lexsi_nb.data.dataset import Dataset

pytestmark = pytest.mark.browser

QUESTION = (
    "For loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)
MINUTES = 60_000
# What this kernel connects to or looks up, but for this machine itself. The page's requests are looked at by a fixture.
WATCH = """import sys
asked = []
def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        where = args[1] if event == "socket.connect" else args[0]
        host = where[0] if isinstance(where, tuple) else where
        if not str(host).startswith(("127.", "localhost", "/")):
            asked.append(where)
sys.addaudithook(watch)"""


def test_the_question_is_answered_and_its_code_runs(
    open_notebook: Callable[..., str], page: Page, shots: Path, bank: Dataset
) -> None:
    from playwright.sync_api import expect

    empty = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None}
    open_notebook(
        [
            {**empty, "id": "load", "source": f"{WATCH}\n%load_ext lexsi_nb"},
            {**empty, "id": "ask"},
            {**empty, "id": "sent", "source": "print('the kernel asked', asked)"},
        ]
    )
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    page.locator(".jp-CodeCell .cm-content").nth(1).click()
    page.keyboard.type(f"%%lexsi --data bank\n{QUESTION}")
    page.keyboard.press("Control+Enter")
    line = page.locator(".lexsi-Run-line")
    line.wait_for(timeout=2 * MINUTES)
    answer = page.locator(".jp-CodeCell").nth(1)
    expect(answer).to_contain_text("SYNTHETIC")
    expect(answer.get_by_text("Explain", exact=True)).to_have_count(10)
    expect(answer).to_contain_text("sent")
    expect(answer.locator("table").first).to_be_visible()
    expect(answer.locator("canvas, .vega-embed svg, img").first).to_be_visible()
    expect(page.get_by_text("No lexsi-nb extension answered")).to_have_count(0)
    page.screenshot(path=shots / "north-star.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 2400})
    page.screenshot(path=shots / "north-star-tall.png")

    line.get_by_role("button", name="Insert").click()
    expect(line.get_by_role("status")).to_contain_text("proposed below")
    cells = int((line.locator(".lexsi-Run-count").text_content() or "").split()[1])
    count = page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.length")
    assert count == 3 + cells
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:restart-run-all'); }")
    page.locator(".jp-Dialog").get_by_role("button", name="Restart", exact=False).last.click()
    page.wait_for_function(
        "() => { const cells = window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells;"
        " return cells.every(c => c.execution_count !== null)"
        " || cells.some(c => c.getOutputs().some(o => o.output_type === 'error')); }",
        timeout=4 * MINUTES,
    )
    errors = page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"
        ".flatMap(c => c.getOutputs()).filter(o => o.output_type === 'error').map(o => `${o.ename}: ${o.evalue}`)"
    )
    assert errors == []
    expect(page.locator(".jp-CodeCell").last).to_contain_text("the kernel asked []")
    page.screenshot(path=shots / "north-star-run.png")
