"""Live widgets in JupyterLab: sort, filter, page, explain, code; static where the kernel has no model any more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

TABLE = """\
import pandas as pd
from lexsi_nb.widgets.live.table import LiveTable

predictions = pd.DataFrame({
    "loan_id": range(1001, 1201),
    "district": ["Prague", "Brno", "Ostrava", "Zlín"] * 50,
    "amount": [float(10_000 + 37 * (i * 61 % 200)) for i in range(200)],
    "probability": [round(1 - i / 200, 3) for i in range(200)],
})

def explain(places):
    ids = [str(predictions["loan_id"].iloc[p]) for p in places]
    return f"<b>What moved the score of {', '.join(ids)}</b>", f"Explained {len(ids)}."

LiveTable(predictions, explain=explain, title="Predictions")
"""


def _cell(source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": "table", "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


@pytest.fixture
def live(open_notebook: Callable[..., str], page: Page) -> Callable[..., Locator]:
    """A function that opens a notebook and runs the cell with the table; returns the live widget."""

    def show(theme: str = "JupyterLab Light", source: str = TABLE) -> Locator:
        open_notebook([_cell(source)], theme=theme)
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Control+Enter")
        widget = page.locator(".lexsi-live")
        widget.wait_for()
        return widget

    return show


def _column(widget: Locator, at: int) -> list[str]:
    return widget.locator(f"tbody tr td:nth-child({at + 2})").all_text_contents()


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_table_is_sorted_filtered_paged_and_explained(
    live: Callable[..., Locator], page: Page, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    widget = live(theme)
    expect(widget).to_contain_text("rows 1 to 20 of 200")
    page.screenshot(path=shots / f"live-table-{name}.png")
    widget.get_by_role("button", name="Next").click()
    expect(widget).to_contain_text("rows 21 to 40 of 200")
    assert _column(widget, 0)[0] == "1021"

    widget.get_by_role("button", name="amount").click()
    expect(widget.locator("th[aria-sort=ascending]")).to_have_text("amount")
    amounts = [float(a.replace(",", "")) for a in _column(widget, 2)]
    assert amounts == sorted(amounts)
    widget.get_by_role("button", name="amount").click()
    expect(widget.locator("th[aria-sort=descending]")).to_have_text("amount")
    expect(widget.locator("tbody tr").first).to_contain_text("17,363")

    widget.get_by_role("button", name="Filter").click()
    widget.get_by_label("district contains").fill("zlÍ")
    widget.get_by_label("probability from").fill("0.5")
    expect(widget).to_contain_text("of 25 (200 without filters)")
    assert set(_column(widget, 1)) == {"Zlín"}
    widget.get_by_label("probability from").fill("half")
    expect(widget.get_by_role("status")).to_contain_text("'half' is no number.")
    widget.get_by_label("probability from").fill("0.9")
    expect(widget).to_contain_text("rows 1 to 5 of 5")

    widget.get_by_role("button", name="Show code").click()
    code = widget.locator(".lexsi-source")
    expect(code).to_contain_text('sort_values("amount", ascending=False, kind="stable")')
    widget.get_by_role("button", name="Explain", exact=False).first.click()
    expect(widget.locator(".lexsi-unfolded")).to_contain_text("What moved the score of 10")
    widget.get_by_role("checkbox").nth(0).check()
    widget.get_by_role("checkbox").nth(2).check()
    widget.get_by_role("button", name="Explain 2 chosen").click()
    expect(widget.get_by_role("status")).to_have_text("Explained 2.")
    page.screenshot(path=shots / f"live-table-used-{name}.png")
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    page.set_viewport_size({"width": 480, "height": 1200})
    page.screenshot(path=shots / f"live-table-narrow-{name}.png")


def test_the_keyboard_does_everything(live: Callable[..., Locator], page: Page) -> None:
    from playwright.sync_api import expect

    widget = live()
    widget.get_by_role("button", name="loan_id").focus()
    page.keyboard.press("Enter")
    expect(widget.locator("th[aria-sort=ascending]")).to_have_text("loan_id")
    page.keyboard.press("Space")
    expect(widget.locator("tbody tr").first).to_contain_text("1200")
    widget.get_by_label("Explain 1200").focus()
    page.keyboard.press("Enter")
    expect(widget.locator(".lexsi-unfolded")).to_contain_text("1200")
    expect(widget.get_by_label("Explain 1200")).to_have_attribute("aria-expanded", "true")
    assert page.locator(".jp-CodeCell").count() == 1  # Lab took no key for itself


def test_reopened_with_the_kernel_it_lives_and_without_it_is_static(
    live: Callable[..., Locator], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    live()
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.reload()
    output = page.locator(".jp-OutputArea-output").first
    expect(output.locator(".lexsi-live")).to_contain_text("rows 1 to 20 of 200")
    output.get_by_role("button", name="Next").click()
    expect(output).to_contain_text("rows 21 to 40 of 200")

    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()")
    expect(output.locator(".lexsi-live")).to_have_count(0)
    expect(output).to_contain_text("180 more rows in predictions")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.reload()
    output.locator("table").first.wait_for()
    expect(output).to_contain_text("180 more rows in predictions")
    expect(output).not_to_contain_text("not found")
    page.screenshot(path=shots / "live-table-reopened.png")
