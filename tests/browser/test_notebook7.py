"""Notebook 7, which shows one notebook a page with JupyterLab's parts: our extension works there too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.fixtures import Lab, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
    shown.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    line = page.locator(".lexsi-Run-line")
    line.wait_for()
    answer = shown.nth(1)
    expect(answer.get_by_role("button", name="Explain").first).to_be_visible()
    page.screenshot(path=shots / "notebook7.png", full_page=True)
    answer.get_by_role("button", name="Explain").first.click()
    expect(answer).to_contain_text("log-odds")
    line.get_by_role("button", name="Insert").click()
    expect(line.get_by_role("status")).to_contain_text("proposed below")
    frames = page.locator(".lexsi-Frame")
    frames.first.wait_for()
    before = frames.count()
    shown.nth(2).get_by_role("button", name="Accept and run", exact=True).click()
    expect(shown.nth(2).locator(".lexsi-Frame")).to_contain_text("lexsi · ")
    expect(shown.nth(2).locator(".jp-InputPrompt")).to_have_text("[3]:")
    assert before >= 3
    page.screenshot(path=shots / "notebook7-proposed.png", full_page=True)
