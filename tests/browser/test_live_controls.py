"""Parameter controls in JupyterLab: values are typed, the answer with them stands below; what fails is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SETUP = """\
%load_ext lexsi_nb
import pandas as pd
loans = pd.DataFrame({"loan_id": range(40), "amount": range(0, 1200, 30), "region": ["North", "South"] * 20})
least, region = 250, "North"
"""
ASK = "%%lexsi --frames loans --params least\nHow many loans have an amount over {least} by region?"


def _cell(name: str, source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_other_values_are_run_from_the_widget(
    open_notebook: Callable[..., str], page: Page, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    open_notebook([_cell("setup", SETUP), _cell("ask", ASK), _cell("controls", "%lexsi controls")], theme=theme)
    page.locator(".jp-CodeCell .cm-content").first.click()
    for _ in range(3):
        page.keyboard.press("Shift+Enter")
    widget = page.locator(".lexsi-live")
    widget.wait_for(timeout=120_000)
    field = widget.get_by_label("least")
    expect(field).to_have_value("250")
    page.locator(".jp-CodeCell").nth(1).screenshot(path=shots / f"answer-{name}.png")
    expect(widget.locator(".lexsi-html")).to_contain_text("15")
    field.fill("900")
    page.keyboard.press("Enter")
    expect(widget.locator(".lexsi-html")).to_contain_text("over 900", timeout=30_000)
    expect(widget.get_by_role("button", name="Run")).to_be_enabled()
    widget.get_by_role("button", name="Show code").click()
    expect(widget.locator(".lexsi-source")).to_contain_text("900")
    page.screenshot(path=shots / f"controls-{name}.png")
    expect(widget.locator(".lexsi-waits")).to_have_count(0)
    ground = widget.locator("canvas").evaluate("c => c.getContext('2d').getImageData(2, 2, 1, 1).data[3]")
    assert ground == 0  # the page's own ground is seen behind the chart
    expect(widget.get_by_text("(number; asked with 250)")).to_be_visible()
    widget.get_by_role("button", name="Reset").click()
    expect(widget.locator(".lexsi-html")).to_contain_text("over 250", timeout=30_000)
    expect(widget.get_by_role("button", name="Reset")).to_be_disabled()
    field.fill("900")
    page.keyboard.press("Enter")
    expect(widget.locator(".lexsi-html")).to_contain_text("over 900", timeout=30_000)
    field.fill("much")
    widget.get_by_role("button", name="Run").click()
    expect(widget.get_by_role("status").first).to_contain_text("'much' is no value of least.")
    expect(widget.locator(".lexsi-html")).to_contain_text("over 900")
