"""The pictures of README and docs, taken from a clean notebook: what they promise is on the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from lexsi_nb.data.dataset import Dataset

pytestmark = pytest.mark.browser

QUESTION = (
    "For loans currently being repaid, which are likely to default?\n"
    "Show me the top 10 highest-risk loans and tell me why."
)
MINUTES = 60_000
EMPTY = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None}


def test_the_north_star_as_readme_shows_it(
    open_notebook: Callable[..., str], page: Page, shots: Path, bank: Dataset
) -> None:
    from playwright.sync_api import expect

    page.set_viewport_size({"width": 1000, "height": 820})
    open_notebook(
        [
            {**EMPTY, "id": "load", "source": "%load_ext lexsi_nb"},
            {**EMPTY, "id": "ask", "source": f"%%lexsi --data bank\n{QUESTION}"},
            {**EMPTY, "id": "whatif", "source": "%lexsi whatif 5789"},
            {**EMPTY, "id": "shap", "source": "%lexsi shap beeswarm"},
        ],
        name="loans.ipynb",
    )
    page.keyboard.press("Control+b")  # the file browser away
    notebook = page.locator(".jp-Notebook")
    code = page.locator(".jp-CodeCell")
    code.first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    code.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    line = page.locator(".lexsi-Run-line")
    line.wait_for(timeout=2 * MINUTES)
    answer = code.nth(1)
    table = answer.locator("table").first
    explain = answer.get_by_role("button", name="Explain 5789")
    expect(explain).to_be_visible()
    _to_top(page, answer)
    page.screenshot(path=shots / "readme-answer.png")
    explain.click()
    expect(table).to_contain_text("known")
    page.mouse.move(5, 5)
    _to_top(page, answer)
    page.screenshot(path=shots / "readme-explain.png")

    line.get_by_role("button", name="Insert").click()
    expect(page.locator(".jp-CodeCell")).to_have_count(4 + 11)
    expect(notebook).to_contain_text("11 cells proposed")
    _to_top(page, page.locator(".jp-CodeCell").nth(8), above=60)  # the bar stays in view there
    page.screenshot(path=shots / "docs-proposed.png")
    page.keyboard.press("Escape")

    for name, shot, seen in (("whatif", "docs-what-if", "Score"), ("shap", "docs-beeswarm", "feature value")):
        cell = page.locator(".jp-CodeCell", has_text=f"%lexsi {name}")
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        output = cell.locator(".jp-OutputArea-output").first
        output.wait_for(timeout=MINUTES)
        if name == "whatif":
            expect(output).to_contain_text(seen)
        else:
            expect(output.locator("svg, canvas, img").first).to_be_visible()
        _to_top(page, cell)
        page.screenshot(path=shots / f"{shot}.png")


def _to_top(page: Page, cell: Locator, above: int = 0) -> None:
    """Scroll a cell to the top of the notebook, `above` pixels below it."""
    cell.evaluate(
        """(cell, above) => {
            cell.scrollIntoView({block: 'start'});
            cell.closest('.jp-WindowedPanel-outer').scrollBy(0, -above);
        }""",
        above,
    )
    page.wait_for_timeout(300)
