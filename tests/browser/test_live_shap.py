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
    picture = widget.locator("img")
    drawn = "i => i.complete && i.naturalWidth > 400"
    for label, title in (
        ("Importance", "What moved 403 scores"),
        ("Beeswarm", "What moved each of 403 scores"),
        ("Dependence", "How "),
        ("One case", "What moved the score of loan_id "),
    ):
        before = picture.get_attribute("src")
        if label != "Importance":
            widget.get_by_label(label).check()
            expect(picture).not_to_have_attribute("src", before or "")
        expect(picture).to_have_attribute("alt", re.compile(f"^{title}"))
        page.wait_for_function(f"() => ({drawn})(document.querySelector('.lexsi-live img'))")
        widget.screenshot(path=shots / f"shap-{label.split()[0].lower()}-{name}.png")
    widget.get_by_label("Dependence").check()
    widget.get_by_label("coloured by").select_option("duration")
    widget.get_by_role("button", name="Show code").click()
    expect(widget.locator(".lexsi-source")).to_contain_text("viridis")
    page.wait_for_function(f"() => ({drawn})(document.querySelector('.lexsi-live img'))")
    page.screenshot(path=shots / f"shap-dependence-by-{name}.png")
