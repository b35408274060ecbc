"""Live widgets in JupyterLab: sort, filter, page, explain, code; static where the kernel has no model any more."""

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
    "For loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)
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


SLOW = """\
import threading
import pandas as pd
from lexsi_nb.widgets.live.table import LiveTable

go = threading.Event()
table = LiveTable(pd.DataFrame({"amount": range(300_000)}))
find = table.rows.page

def slow(query, size, check):
    while query.sort is not None and not go.wait(0.01):
        check()
    return find(query, size, check)

table.rows.page = slow
table
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


def _widths(widget: Locator) -> list[int]:
    return widget.locator("thead tr:first-child th").evaluate_all("all => all.map(th => Math.round(th.offsetWidth))")


def test_it_answers_while_a_cell_runs(live: Callable[..., Locator], page: Page) -> None:
    from playwright.sync_api import expect

    widget = live()
    wait = "import time\nwhile True:\n    time.sleep(0.1)"
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:insert-cell-below')")
    page.locator(".jp-CodeCell .cm-content").nth(1).click()
    page.evaluate(
        "source => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(source)", wait
    )
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-CodeCell .jp-InputPrompt").nth(1)).to_have_text("[*]:")
    widget.get_by_role("button", name="Next").click()
    widget.get_by_text("rows 21 to 40 of 200").wait_for()
    expect(page.locator(".jp-CodeCell .jp-InputPrompt").nth(1)).to_have_text("[*]:")
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")


def test_a_page_that_takes_long_says_so_and_is_stopped(live: Callable[..., Locator], page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    widget = live(source=SLOW)
    stop = widget.get_by_role("button", name="Stop")
    expect(stop).to_be_hidden()
    widget.get_by_role("button", name="amount").click()
    expect(widget).to_contain_text("sorting 300,000 rows")
    page.screenshot(path=shots / "live-table-sorting.png")
    widget.get_by_role("button", name="Show code").click()
    expect(widget.locator(".lexsi-source")).to_contain_text("shown = predictions")  # answered meanwhile
    stop.click()
    expect(widget).to_contain_text("rows 1 to 20 of 300,000")
    expect(stop).to_be_hidden()
    expect(widget.locator("th", has_text="amount")).to_have_attribute("aria-sort", "none")
    widget.get_by_role("button", name="Next").click()
    expect(widget).to_contain_text("rows 21 to 40 of 300,000")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_table_is_sorted_filtered_paged_and_explained(
    live: Callable[..., Locator], page: Page, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    widget = live(theme)
    expect(widget).to_contain_text("rows 1 to 20 of 200")
    expect(widget.locator(".lexsi-name")).to_have_text("Predictions")
    assert _column(widget, 3)[:3] == ["1.000", "0.995", "0.990"]  # as many decimals in every row
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

    widths = _widths(widget)
    widget.get_by_role("button", name="Filter", exact=True).click()
    assert _widths(widget) == widths  # no column jumps
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
    widget.get_by_label("Explain 1004").click()
    expect(widget.locator(".lexsi-unfolded")).to_contain_text("What moved the score of 1004")
    expect(widget.get_by_label("Explain 1004")).to_have_text("Hide")
    assert widget.get_by_role("button", name="Explain chosen").is_disabled()
    widget.get_by_label("Choose all rows of this page").check()
    expect(widget.get_by_role("button", name="Explain 5 chosen")).to_be_enabled()
    widget.get_by_label("Choose all rows of this page").uncheck()
    widget.get_by_label("Choose 1004").check()
    widget.get_by_label("Choose 1016").check()
    widget.get_by_role("button", name="Explain 2 chosen").click()
    expect(widget.locator(".lexsi-heard")).to_have_text("Explained 2.")
    expect(widget.locator(".lexsi-selection")).to_contain_text("What moved the score of 10")
    page.screenshot(path=shots / f"live-table-used-{name}.png")
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    page.set_viewport_size({"width": 480, "height": 1200})
    expect(widget.locator(".lexsi-more")).to_have_count(1)  # it shows that there is more to the right
    expect(widget.get_by_label("Explain 1016")).to_be_in_viewport()
    page.screenshot(path=shots / f"live-table-narrow-{name}.png")
    widget.get_by_role("button", name="Clear filters").click()
    expect(widget).to_contain_text("of 200")
    expect(widget.get_by_label("district contains")).to_have_value("")
    expect(widget.get_by_role("button", name="Clear filters")).to_be_hidden()


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
    output.locator(".lexsi-live").wait_for()  # a page that loads again finds the kernel first
    expect(output).to_contain_text("rows 1 to 20 of 200")
    output.get_by_role("button", name="Next").click()
    expect(output).to_contain_text("rows 21 to 40 of 200")

    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()")
    output.locator(".lexsi-live").wait_for(state="detached")
    expect(output).to_contain_text("First 20 of 200 rows, as saved. Run the cell to sort, filter and explain.")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.reload()
    output.locator("table").first.wait_for()
    expect(output).to_contain_text("First 20 of 200 rows, as saved. Run the cell to sort, filter and explain.")
    expect(output).not_to_contain_text("not found")
    page.screenshot(path=shots / "live-table-reopened.png")


def test_the_ranking_of_an_answer_is_live(
    open_notebook: Callable[..., str], page: Page, shots: Path, bank: Dataset
) -> None:
    from playwright.sync_api import expect

    sources = ["%load_ext lexsi_nb", f"%%lexsi --data bank\n{QUESTION}", "predictions[predictions.amount > 200_000]"]
    open_notebook([{**_cell(source), "id": f"c{at}"} for at, source in enumerate(sources)])
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    answer, frame = (page.locator(".jp-CodeCell").nth(at) for at in (1, 2))
    frame.locator(".lexsi-live").wait_for(timeout=120_000)
    widget = answer.locator(".lexsi-live")
    expect(widget).to_contain_text("rows 1 to 10 of 403")
    first = widget.locator("tbody tr").first
    expect(first).to_contain_text("▲\u00a0amount")
    expect(first.get_by_title("amount 298,020: +")).to_be_visible()
    expect(widget.locator("thead th")).to_contain_text(["", "#", "loan_id", "score", "what moved it"])
    widget.get_by_role("button", name="Explain 5789").click()
    for part in ("most: amount 298,020", "average of known cases is 0.13", "most like it", "how sure"):
        expect(widget.locator(".lexsi-unfolded")).to_contain_text(part)
    widget.scroll_into_view_if_needed()
    page.set_viewport_size({"width": 1280, "height": 1600})
    page.screenshot(path=shots / "live-ranking.png")
    widget.get_by_role("button", name="Explain 5789").click()
    expect(widget.locator(".lexsi-unfolded")).to_have_count(0)
    took = page.evaluate(
        """async () => {
          const rows = [...document.querySelectorAll('.lexsi-live')][0].querySelectorAll('[aria-label^="Explain "]');
          const times = [];
          for (const button of [...rows].slice(1, 6)) {
            const begun = performance.now();
            const before = document.querySelectorAll('.lexsi-unfolded').length;
            button.click();
            await new Promise(resolve => {
              const look = () => document.querySelectorAll('.lexsi-unfolded').length > before
                ? resolve() : requestAnimationFrame(look);
              look();
            });
            times.push(performance.now() - begun);
          }
          return times;
        }"""
    )
    print("Explain to bars after", [round(t) for t in took], "ms")
    assert min(took) < 300  # the machine may be busy otherwise
    expect(frame.locator(".lexsi-live")).to_contain_text("of 133")
    frame.get_by_role("button", name="Show code").click()
    expect(frame.locator(".lexsi-source")).to_contain_text("rows = predictions[predictions.amount > 200_000]")
