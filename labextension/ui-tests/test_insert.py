"""The *Insert* button in JupyterLab: a run's code cells appear below its cell, and one undo takes them away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

MIME = "application/vnd.lexsi.run+json"
STEPS = ["import pandas as pd\n\nframe = pd.DataFrame({'x': [1, 2]})", "total = frame['x'].sum()", "total"]


def _bundle(run: str, sources: list[str]) -> dict[str, object]:
    cells = [{"title": f"Step {i}", "source": source, "kind": "code"} for i, source in enumerate(sources, 1)]
    bundle = {
        "version": 1,
        "run": run,
        "summary": "three steps",
        "cells": cells,
        "html": "<p>sent: nothing</p><script>window.ran = 1</script>",
    }
    return {MIME: bundle, "text/html": "<p>static fallback</p>", "text/plain": "code: 3 cells"}


def _code(source: str, *outputs: dict[str, object]) -> dict[str, object]:
    cell_id = f"cell-{abs(hash(source)) % 10**8}"
    return {
        "cell_type": "code",
        "id": cell_id,
        "metadata": {},
        "source": source,
        "outputs": list(outputs),
        "execution_count": None,
    }


def _ask(run: str, sources: list[str]) -> dict[str, object]:
    return _code(f"from IPython.display import display\ndisplay({_bundle(run, sources)!r}, raw=True)")


def _sources(page: Page) -> list[str]:
    # Asked of Lab's own shared model, so that cells scrolled out of sight count too.
    return page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(c => c.getSource())"
    )


def _run_first_cell(page: Page) -> Locator:
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    line = page.locator(".lexsi-Run-line").first
    line.wait_for()
    return line


def test_insert_puts_cells_below_and_one_undo_removes_them(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    open_notebook([_ask("r1", STEPS), _code("after = 1")])
    line = _run_first_cell(page)
    expect(line.locator(".lexsi-Run-count")).to_have_text("code: 3 cells")
    expect(page.locator(".lexsi-Run")).to_contain_text("sent: nothing")
    ask, after = _sources(page)
    line.get_by_role("button", name="Insert").click()
    expect(line.get_by_role("status")).to_have_text("3 cells proposed below.")
    assert _sources(page) == [ask, *STEPS, after]
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(5)
    prompts = page.locator(".jp-Notebook .jp-InputPrompt").all_inner_texts()
    assert [p.strip() for p in prompts[1:4]] == ["[ ]:"] * 3, "inserted cells are never run"
    page.screenshot(path=shots / "insert.png")

    expect(page.locator(".lexsi-Frame-group")).to_contain_text("not run yet · Esc, Z removes them")
    page.keyboard.press("z")  # the button has the focus, and the key is the notebook's
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(2)
    assert _sources(page) == [ask, after]
    expect(line.get_by_role("status")).to_have_text("")

    line.get_by_role("button", name="Insert").click()
    line.get_by_role("button", name="Go to cells").click()
    assert _sources(page) == [ask, *STEPS, after]
    assert page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex") == 1


def test_a_second_run_replaces_untouched_cells_and_keeps_edited_ones(
    open_notebook: Callable[..., str], page: Page
) -> None:
    from playwright.sync_api import expect

    open_notebook([_ask("r1", STEPS), _code("after = 1")])
    line = _run_first_cell(page)
    line.get_by_role("button", name="Insert").click()
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(5)
    edited = page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(2)
    edited.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("  # mine")
    ask = _ask("r2", ["frame = 2", STEPS[1], "total + 1"])["source"]
    page.evaluate(
        "s => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells[0].setSource(s)",
        ask,
    )
    first = page.locator(".jp-Notebook .jp-CodeCell .cm-content").first
    first.click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-Notebook .jp-InputPrompt").first).to_have_text("[2]:")
    line.get_by_role("button", name="Insert").click()
    expect(line.get_by_role("status")).to_contain_text("1 cell you edited kept")
    assert _sources(page)[1:] == ["frame = 2", f"{STEPS[1]}  # mine", "total + 1", "after = 1"]


def test_a_saved_notebook_inserts_without_a_kernel_in_the_dark_theme(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    output = {"output_type": "display_data", "data": _bundle("r1", STEPS), "metadata": {}}
    open_notebook([_code("%%lexsi\nwhich loans?", output), _code("after = 1")], kernel=False, theme="JupyterLab Dark")
    line = page.locator(".lexsi-Run-line").first
    assert page.evaluate("() => window.ran") is None, "scripts of an untrusted notebook are never run"
    line.get_by_role("button", name="Show").click()
    expect(page.locator(".lexsi-Run-source").first).to_contain_text("import pandas as pd")
    page.screenshot(path=shots / "show-dark.png")
    line.get_by_role("button", name="Hide").click()
    line.get_by_role("button", name="Insert").click()
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(5)
    page.keyboard.press("Control+s")
    marks = page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(c => c.getMetadata().lexsi_nb)"
    )
    assert [json.loads(json.dumps(m))["step"] for m in marks if m] == [1, 2, 3]
    page.screenshot(path=shots / "insert-dark.png")
