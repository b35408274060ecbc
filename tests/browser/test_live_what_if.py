"""What if in JupyterLab: a value is typed, the score and what moved are shown; the cell, reset, reopening."""

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
lx.what_if(run.frame["loan_id"].iloc[0], session=session)
"""


def _cell(source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": "what-if", "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_changed_value_changes_the_score(
    open_notebook: Callable[..., str], page: Page, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    open_notebook([_cell(SOURCE)], theme=theme)
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    widget = page.locator(".lexsi-live")
    widget.wait_for(timeout=120_000)
    expect(widget).to_contain_text("as it is.")
    field = widget.get_by_label("balance_min_90d", exact=True)
    field.fill("-20000")
    page.keyboard.press("Tab")
    score = widget.locator(".lexsi-score")
    expect(score).to_contain_text("with 1 other value")
    expect(widget.locator("tr.lexsi-chosen")).to_contain_text("balance_min_90d")
    expect(widget.locator(".lexsi-warning")).to_contain_text("Outside of what was learned from")
    widget.get_by_label("amount", exact=True).fill("20,000")
    page.keyboard.press("Tab")
    expect(score).to_contain_text(re.compile(r"^Score 0\.\d+ → 0\.\d+ \(-0\.\d+\) with 2 other values\.$"))
    page.mouse.wheel(0, 400)
    expect(score).to_be_in_viewport()  # what it makes of the score stays in sight
    widget.get_by_role("button", name="Show code").click()
    expect(widget.locator(".lexsi-source")).to_contain_text('what_if["balance_min_90d"] = -20000')
    page.screenshot(path=shots / f"what-if-{name}.png")
    field.fill("much")
    page.keyboard.press("Tab")
    expect(widget.get_by_role("status").last).to_contain_text("'much' is no value of balance_min_90d.")
    expect(field).to_have_attribute("aria-invalid", "true")
    widget.get_by_role("button", name="Put back balance_min_90d").click()
    widget.get_by_role("button", name="Put back amount").click()
    expect(widget.locator(".lexsi-score")).to_contain_text("as it is.")
    expect(widget.locator("tr.lexsi-chosen")).to_have_count(0)
    widget.get_by_label("duration", exact=True).fill("12")
    page.keyboard.press("Tab")
    expect(widget.locator("tr.lexsi-chosen")).to_contain_text("duration")
    widget.get_by_role("button", name="Reset").click()
    expect(widget.locator(".lexsi-score")).to_contain_text("as it is.")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    page.set_viewport_size({"width": 480, "height": 1200})
    page.screenshot(path=shots / f"what-if-narrow-{name}.png")
