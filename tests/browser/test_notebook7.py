"""Notebook 7, which shows one notebook a page with JupyterLab's parts: our extension works there too."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.fixtures import Lab, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
SETUP = """import numpy as np, pandas as pd
%load_ext lexsi_nb
rng = np.random.default_rng(0)
n = 400
customers = pd.DataFrame({'customer_id': range(n), 'visits': rng.integers(1, 50, n), 'age': rng.integers(18, 80, n)})
customers['churned'] = (rng.random(n) < 1 / (1 + np.exp(customers['visits'] / 6 - 3))).astype('Int64')
customers.loc[customers.index % 4 == 0, 'churned'] = pd.NA"""
QUESTION = "%%lexsi\nWhich customers are likely to have churned? Show the top 10."


@pytest.fixture(scope="module")
def notebook(project_root: Path, extension: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A Notebook 7 that serves an empty folder."""
    pytest.importorskip("notebook")
    options = ["--JupyterNotebookApp.expose_app_in_browser=True"]
    with serving("notebook", options, project_root, extension, tmp_path_factory.mktemp("notebook")) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, notebook: Lab) -> Iterator[Page]:
    """A browser page that asks no other machine for anything."""
    page = chromium.new_page(viewport={"width": 1280, "height": 1400})
    page.set_default_timeout(90_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert [url for url in asked if not url.startswith((notebook.url, "data:", "blob:"))] == []


CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"
SCRIPTED = Path(__file__).parents[1] / "environments" / "scripted.py"
BEGIN = (
    "import pandas as pd\n%load_ext lexsi_nb\norders = pd.DataFrame({'region': list('NNNNNSSSE')})\n%run -i scripted.py"
)


def opened(notebook: Lab, page: Page, name: str, *sources: str) -> None:
    """Open a notebook of these cells in a kernel whose runs can be planned; the first cell has run."""
    shutil.copy(SCRIPTED, notebook.folder)
    empty = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**empty, "id": f"c{at}", "source": source} for at, source in enumerate((BEGIN, *sources))]
    spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    document = {"cells": cells, "metadata": spec, "nbformat": 4, "nbformat_minor": 5}
    (notebook.folder / name).write_text(json.dumps(document))
    page.goto(f"{notebook.url}/notebooks/{name}")
    # A cell that is run before the kernel is there is not run later.
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel")
    page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.context.sessionContext.ready; }")
    run(page, 0)


def run(page: Page, at: int, *, wait: bool = True) -> Locator:
    """Run a cell and return it."""
    page.evaluate(
        "at => { const app = window.jupyterapp; app.shell.currentWidget.content.activeCellIndex = at;"
        " app.commands.execute('notebook:run-cell'); }",
        at,
    )
    if wait:
        page.wait_for_function(f"at => {CELLS}[at].execution_count !== null", arg=at)
    return page.locator(f'.jp-CodeCell[data-windowed-list-index="{at}"]')


def test_widgets_are_live(notebook: Lab, page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    rank, ask = "plan(*RANK)", "%%lexsi\nWhich cases end badly?"
    controls = "%%lexsi --params region\nHow many orders are there in region {region}?"
    sources = (rank, ask, "%lexsi whatif 151", "%lexsi shap", "plan(); region = 'N'", controls, "%lexsi controls")
    opened(notebook, page, "widgets.ipynb", *sources)
    for at in (1, 2):
        run(page, at)
    widget = run(page, 3).locator(".lexsi-live")
    expect(widget).to_contain_text("as it is.")
    widget.get_by_label("debt", exact=True).fill("3")
    page.keyboard.press("Tab")
    expect(widget).to_contain_text(re.compile(r"→ 0\.\d+ \(\+0\.\d+\) with 1 other value\."))
    widget = run(page, 4).locator(".lexsi-live")
    widget.get_by_label("Beeswarm").check()
    expect(widget.get_by_role("img", name=re.compile("^Contributions in 150 cases"))).to_be_visible()
    run(page, 5)
    run(page, 6)
    widget = run(page, 7).locator(".lexsi-live")
    widget.get_by_label("region").fill("S")
    page.keyboard.press("Enter")
    expect(widget.locator(".lexsi-html")).to_contain_text("region S: 3.")
    page.screenshot(path=shots / "notebook7-widgets.png", full_page=True)


def test_a_reading_is_taken_and_an_approval_given_by_a_click(notebook: Lab, page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    upload = "plan(call('upload', frame='orders'), say('Uploaded 9 orders.'))"
    ask = "%%lexsi --frames trips\naverage delay"
    opened(
        notebook, page, "clicks.ipynb", "plan()", ask, upload, "%%lexsi\nUpload the orders.", "print('sent', uploaded)"
    )
    run(page, 1)
    choice = run(page, 2)
    choice.get_by_role("radio").nth(1).check()
    page.keyboard.press("Enter")
    expect(choice.locator(".lexsi-decided")).to_contain_text("Reading 2 taken 20")
    run(page, 3)
    card = run(page, 4)
    card.get_by_role("button", name="Approve").click()
    expect(card.locator(".lexsi-decided")).to_contain_text("It ran; the answer is below.")
    expect(card).to_contain_text("Uploaded 9 orders.")
    expect(run(page, 5)).to_contain_text("sent [9]")
    page.screenshot(path=shots / "notebook7-clicks.png", full_page=True)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown()")
    page.reload()
    for cell, words in ((4, "It ran; the answer is below."), (4, "Uploaded 9 orders."), (2, "(taken)")):
        expect(page.locator(f'.jp-CodeCell[data-windowed-list-index="{cell}"]')).to_contain_text(words)


def test_stop_and_interrupt_end_the_question(notebook: Lab, page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    waits = "plan(call('forever'), say('x'))"
    ask = "%%lexsi\nPlease wait."
    opened(notebook, page, "stop.ipynb", waits, ask, waits, ask, "print('goes on')")
    run(page, 1)
    asking = run(page, 2, wait=False)
    progress = asking.get_by_role("group", name="Run under way")
    expect(progress).to_contain_text("Forever")
    page.screenshot(path=shots / "notebook7-progress.png")
    progress.get_by_role("button", name="Stop").click()
    expect(asking).to_contain_text("Stopped by you at step 1 (Forever).")
    run(page, 3)
    asking = run(page, 4, wait=False)
    expect(asking).to_contain_text("Forever")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.interrupt()")
    expect(asking).to_contain_text("Stopped by you at step 1 (Forever).")
    expect(run(page, 5)).to_contain_text("goes on")


def test_a_question_is_answered_proposed_and_explained(notebook: Lab, page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    empty = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**empty, "id": "load", "source": SETUP}, {**empty, "id": "ask", "source": QUESTION}]
    spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    document = {"cells": cells, "metadata": spec, "nbformat": 4, "nbformat_minor": 5}
    (notebook.folder / "a.ipynb").write_text(json.dumps(document))
    page.goto(f"{notebook.url}/notebooks/a.ipynb")
    shown = page.locator(".jp-Notebook .jp-CodeCell")
    shown.nth(1).wait_for()
    page.locator(".jp-NotebookPanel-toolbar").get_by_text("Python 3").first.wait_for()
    shown.first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(shown.first.locator(".jp-InputPrompt")).to_have_text("[1]:")
    # The question is prose: an apostrophe is no unclosed string.
    expect(shown.nth(1).locator(".cm-content")).to_contain_text("Which customers")
    expect(shown.nth(1).locator(".cm-content")).to_have_attribute("data-language", "lexsi")
    shown.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    line = page.locator(".lexsi-Run-line")
    line.wait_for()
    answer = shown.nth(1)
    explain = answer.get_by_role("button", name=re.compile(r"^Explain \d")).first
    expect(explain).to_be_visible()
    expect(answer.locator("table").first).to_be_visible()
    expect(answer.locator("canvas, .vega-embed svg, img").first).to_be_visible()
    expect(page.get_by_text("No lexsi-nb extension answered")).to_have_count(0)
    page.screenshot(path=shots / "notebook7.png", full_page=True)
    explain.click()
    expect(answer).to_contain_text("log-odds")
    line.get_by_role("button", name="Insert").click()
    expect(line.get_by_role("status")).to_contain_text("proposed below")
    frames = page.locator(".lexsi-Frame")
    frames.first.wait_for()
    proposed = f"() => {CELLS}.filter(c => c.getMetadata().lexsi_nb?.state === 'proposed').length"
    assert page.evaluate(proposed) >= 3
    shown.nth(2).get_by_role("button", name="Accept and run", exact=True).click()
    expect(shown.nth(2).locator(".lexsi-Frame")).to_contain_text("lexsi · ")
    expect(shown.nth(2).locator(".jp-InputPrompt")).to_have_text("[3]:")
    page.screenshot(path=shots / "notebook7-proposed.png", full_page=True)

    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown()")
    page.reload()  # its kernel is gone: the table is the static one, whose explanations are folded in
    expect(answer.get_by_text("Explain", exact=True).first).to_be_visible()
    answer.get_by_text("Explain", exact=True).first.click()
    expect(answer.locator("pre").filter(has_text="log-odds").first).to_be_visible()
    expect(answer.locator("canvas, .vega-embed svg, img").first).to_be_visible()
