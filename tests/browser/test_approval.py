"""An approval in JupyterLab: the card, the buttons, one click that resumes the run, one line that stops Run All."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

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


CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"


def _ask(open_notebook: Callable[..., str], page: Page, whose: str, *, theme: str = "JupyterLab Light") -> Locator:
    """Run all cells of a notebook that wants to upload, and return the cell with the card.

    `whose` stands in the question: what was done once for a question is not done again.
    """
    empty = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None}
    sources = [SETUP, f"%%lexsi\nUpload the orders of {whose}.", "print('after', uploaded)"]
    cells = [{**empty, "id": f"c{i}", "source": s} for i, s in enumerate(sources)]
    cells[0]["metadata"] = {"jupyter": {"source_hidden": True}}
    open_notebook(cells, theme=theme)
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    cell = page.locator(".jp-CodeCell").nth(1)
    cell.get_by_role("button", name="Approve").wait_for()
    return cell


def _outputs(page: Page) -> list[dict[str, Any]]:
    return page.evaluate(f"() => {CELLS}[1].toJSON().outputs")


def _after(page: Page) -> Locator:
    page.locator(".jp-CodeCell").nth(2).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    return page.locator(".jp-CodeCell").nth(2)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_click_resumes_the_run_once(open_notebook: Callable[..., str], page: Page, shots: Path, theme: str) -> None:
    from playwright.sync_api import expect

    name = theme.split()[1].lower()
    cell = _ask(open_notebook, page, name, theme=theme)
    for words in ("Approval needed", "2 rows: region, amount", "crm.example.com"):
        expect(cell).to_contain_text(words)
    expect(cell).to_contain_text("RunStopped: Waiting for approval of upload.")
    cell.get_by_role("button", name="Show code").click()
    expect(cell.locator(".lexsi-source")).to_contain_text("%lexsi approve ")
    page.screenshot(path=shots / f"approval-{name}.png")
    # Run All stopped: the cell below has not run.
    assert page.evaluate(f"() => {CELLS}[2].execution_count") is None
    page.evaluate(
        """() => {
          const from = performance.now();
          const look = () => document.body.textContent.includes('Uploaded 2 orders.')
            ? window.answerTook = performance.now() - from : requestAnimationFrame(look);
          const button = [...document.querySelectorAll('.lexsi-live button')].find(b => b.textContent === 'Approve');
          button.focus();
          button.click();
          button.click();
          look();
        }"""
    )
    expect(cell).to_contain_text("Uploaded 2 orders.")
    print(f"answer {page.evaluate('() => window.answerTook'):,.0f} ms after the click")
    expect(cell.get_by_role("button", name="Approve")).to_have_count(0)
    expect(cell.locator(".lexsi-decided")).to_contain_text("It ran; the answer is below.")
    expect(cell.locator(".lexsi-decided")).to_be_focused()
    expect(cell).not_to_contain_text("RunStopped")
    page.screenshot(path=shots / f"approved-{name}.png")
    expect(_after(page)).to_contain_text("after [2]")
    kinds = [o["output_type"] for o in _outputs(page)]
    assert set(kinds) == {"display_data"}
    assert "Approved 20" in _outputs(page)[0]["data"]["text/plain"]


def test_what_was_decided_stays_in_the_file_and_after_a_restart(
    open_notebook: Callable[..., str], page: Page, lab: Any, shots: Path
) -> None:
    """Also where the page was loaded again before the click."""
    from playwright.sync_api import expect

    _ask(open_notebook, page, "May")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.reload()
    cell = page.locator(".jp-CodeCell").nth(1)
    cell.get_by_role("button", name="Approve").click()
    expect(cell).to_contain_text("Uploaded 2 orders.")
    expect(cell.locator(".lexsi-decided")).to_contain_text("It ran; the answer is below.")
    page.evaluate("() => { window.jupyterapp.commands.execute('lexsi-nb:show-runs'); }")
    view = page.get_by_role("region", name="Runs of the notebook")
    expect(view.get_by_role("listitem").filter(has_text="Upload the orders of May.")).to_contain_text("answered")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()")
    cell.locator(".lexsi-live").wait_for(state="detached")
    expect(cell).to_contain_text("It ran; the answer is below.")
    expect(cell).to_contain_text("Uploaded 2 orders.")
    expect(cell).not_to_contain_text("%lexsi approve")
    expect(view).to_contain_text("As saved.")
    run = view.get_by_role("listitem").filter(has_text="Upload the orders of May.")
    expect(run).to_contain_text("answered")
    expect(run).not_to_contain_text("wait")
    page.screenshot(path=shots / "approved-restarted.png")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    saved = json.loads(next(lab.folder.glob("test_what_was_decided*.ipynb")).read_text())["cells"][1]["outputs"]
    assert "Approved 20" in "".join(saved[0]["data"]["text/html"])
    assert "Uploaded 2 orders." in "".join(saved[1]["data"]["text/html"])


def test_arguments_are_changed_and_shown_again_before_anything_runs(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    cell = _ask(open_notebook, page, "June")
    page.set_viewport_size({"width": 640, "height": 960})
    cell.get_by_role("button", name="Change arguments").click()
    field = cell.get_by_label("Arguments as JSON")
    field.fill('{"frame": ')
    cell.get_by_role("button", name="Ask again with these").click()
    expect(cell.get_by_role("alert")).to_contain_text("The arguments are no JSON")
    expect(field).to_be_focused()
    page.screenshot(path=shots / "approval-narrow.png")
    field.fill('{"frame": "orders"}')
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(cell).to_contain_text("the new arguments wait below")
    expect(cell.get_by_role("button", name="Approve")).to_have_count(1)
    expect(cell.get_by_role("textbox", name="Reason")).to_have_count(1)
    cell.get_by_role("textbox", name="Reason").last.fill("not this month")
    page.keyboard.press("Enter")
    expect(cell).to_contain_text(": not this month. It did not run")
    page.set_viewport_size({"width": 1280, "height": 960})
    page.screenshot(path=shots / "approval-declined.png")
    expect(_after(page)).to_contain_text("after []")
    assert [o["data"]["text/plain"].split()[0] for o in _outputs(page)[:2]] == ["Changed", "Declined"]


def test_another_view_of_the_card_follows(open_notebook: Callable[..., str], page: Page) -> None:
    from playwright.sync_api import expect

    cell = _ask(open_notebook, page, "July")
    page.evaluate(
        "() => { const app = window.jupyterapp; app.shell.currentWidget.content.activeCellIndex = 1;"
        " app.commands.execute('notebook:create-output-view'); }"
    )
    cards = page.locator(".lexsi-live")
    expect(cards).to_have_count(2)
    cards.nth(1).get_by_role("button", name="Approve").click()
    expect(page.locator(".lexsi-decided")).to_have_count(2)
    for card in (cards.nth(0), cards.nth(1)):
        expect(card).to_contain_text("It ran; the answer is below.")
        expect(card.get_by_role("button", name="Approve")).to_have_count(0)
    expect(cell).to_contain_text("Uploaded 2 orders.")
