"""Pictures of what moved scores in JupyterLab: switched, of a feature and a case, in the colours of the theme."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SOURCE = """\
import lexsi_nb as lx
session = lx.Session(lx.datasets.bank(), namespace={})
run = session.ask("For loans currently being repaid, which are likely to default?")
lx.shap(session=session)
"""


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_each_picture_is_drawn(open_notebook: Callable[..., str], page: Page, shots: Path, theme: str) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    cell = {"cell_type": "code", "id": "shap", "metadata": {}, "source": SOURCE, "outputs": [], "execution_count": None}
    open_notebook([cell], theme=theme)
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    widget = page.locator(".lexsi-live")
    widget.wait_for(timeout=120_000)
    chart = widget.get_by_role("img")
    for label, title in (
        ("Importance", "What moved 403 scores"),
        ("Beeswarm", "Contributions in 200 of 403 cases, drawn at random"),
        ("Dependence", "How "),
        ("One case", "What moved the score of loan_id "),
    ):
        widget.get_by_label(label).check()
        expect(chart).to_have_attribute("aria-label", re.compile(f"^{title}"))
        expect(chart.locator("canvas")).to_be_visible()  # drawn by Lab, not a picture
        expect(widget.locator(".lexsi-waits")).to_have_count(0)
        widget.screenshot(path=shots / f"shap-{label.split()[0].lower()}-{name}.png")
    expect(widget.locator("img")).to_have_count(0)
    widget.get_by_label("Dependence").check()
    busy = widget.get_by_label("coloured by").evaluate(
        """select => {
          select.value = 'duration';
          select.dispatchEvent(new Event('change'));
          return document.querySelector('.lexsi-waits')?.getAttribute('aria-busy');
        }"""
    )
    assert busy == "true"  # the picture before is dimmed at once
    expect(widget.locator(".lexsi-waits")).to_have_count(0)
    widget.get_by_role("button", name="Show code").click()
    expect(widget.locator(".lexsi-source")).to_contain_text("plasma")
    page.screenshot(path=shots / f"shap-dependence-by-{name}.png")
