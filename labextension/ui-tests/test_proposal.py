"""Proposed cells in JupyterLab: accept, accept and run, discard, undo; what a second run does to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

MIME = "application/vnd.lexsi.run+json"
STEPS = ["base = [1, 2, 3]", "total = sum(base)", "print('total is', total)"]
CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"


def _asking(run: str, sources: list[str]) -> str:
    cells = [{"title": f"Step {i}", "source": source, "kind": "code"} for i, source in enumerate(sources, 1)]
    bundle = {MIME: {"version": 1, "run": run, "cells": cells, "html": ""}, "text/plain": "code"}
    return f"from IPython.display import display\ndisplay({bundle!r}, raw=True)"


def _cell(name: str, source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


def _sources(page: Page) -> list[str]:
    return page.evaluate(f"() => {CELLS}.map(c => c.getSource())")


def _states(page: Page) -> list[str | None]:
    return page.evaluate(f"() => {CELLS}.map(c => c.getMetadata().lexsi_nb?.state ?? null)")


def _cells(page: Page) -> Locator:
    return page.locator(".jp-Notebook .jp-CodeCell")


def _run(page: Page, index: int) -> None:
    _cells(page).nth(index).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def _run_all(page: Page) -> None:
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")


def _undo(page: Page) -> None:
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:undo-cell-action')")


@pytest.fixture
def proposed(open_notebook: Callable[..., str], page: Page) -> Callable[..., Locator]:
    """A function that opens a notebook, runs its asking cell and clicks Insert; returns the asking cell."""

    def ask(theme: str = "JupyterLab Light") -> Locator:
        open_notebook([_cell("ask", _asking("r1", STEPS)), _cell("after", "after = 1")], theme=theme)
        _run(page, 0)
        asking = _cells(page).first
        asking.get_by_role("button", name="Insert", exact=True).click()
        page.locator(".lexsi-Frame").nth(2).wait_for()
        return asking

    return ask


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_cell_is_accepted_run_or_discarded_by_itself(
    proposed: Callable[..., Any], page: Page, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    proposed(theme)
    assert _states(page) == [None, "proposed", "proposed", "proposed", None]
    page.screenshot(path=shots / f"proposed-{theme.split()[1].lower()}.png")
    first = _cells(page).nth(1)
    first.get_by_role("button", name="Accept and run", exact=True).click()
    expect(first.locator(".jp-InputPrompt")).to_have_text("[2]:")
    expect(first.locator(".lexsi-Frame")).to_have_text("lexsi, step 1")
    _cells(page).nth(2).get_by_role("button", name="Accept", exact=True).click()
    expect(_cells(page).nth(2).locator(".jp-InputPrompt")).to_have_text("[ ]:")
    _cells(page).nth(3).get_by_role("button", name="Discard", exact=True).click()
    expect(_cells(page)).to_have_count(4)
    assert _states(page) == [None, "accepted", "accepted", None]
    page.screenshot(path=shots / f"accepted-{theme.split()[1].lower()}.png")
    _undo(page)
    expect(_cells(page)).to_have_count(5)
    assert _states(page) == [None, "accepted", "accepted", "proposed", None]


def test_all_are_accepted_and_run_in_order(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    proposed()
    _cells(page).nth(1).get_by_role("button", name="Accept and run all", exact=True).click()
    expect(_cells(page).nth(3)).to_contain_text("total is 6")
    assert _states(page) == [None, "accepted", "accepted", "accepted", None]
    assert _sources(page)[1:] == [*STEPS, "after = 1"]


def test_all_are_discarded_and_one_undo_brings_them_back(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    proposed()
    _cells(page).nth(1).get_by_role("button", name="Discard all").click()
    expect(_cells(page)).to_have_count(2)
    _undo(page)
    expect(page.locator(".lexsi-Frame")).to_have_count(3)
    assert _sources(page)[1:] == [*STEPS, "after = 1"]


def test_the_keyboard_decides_too_and_running_a_cell_accepts_it(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    proposed()
    _cells(page).nth(1).get_by_role("button", name="Accept", exact=True).focus()
    page.keyboard.press("Enter")
    expect(_cells(page).nth(1).locator(".lexsi-Frame")).to_have_text("lexsi, step 1")
    _run(page, 1)
    _run(page, 2)
    expect(_cells(page).nth(2).locator(".lexsi-Frame")).to_have_text("lexsi, step 2")
    assert _states(page) == [None, "accepted", "accepted", "proposed", None]


def test_a_second_run_replaces_untouched_cells_and_shows_how_an_edited_one_differs(
    proposed: Callable[..., Any], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    asking = proposed()
    _cells(page).nth(2).locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("  # mine")
    expect(_cells(page).nth(2).locator(".lexsi-Frame")).to_contain_text("step 2, edited")
    page.evaluate(f"s => {CELLS}[0].setSource(s)", _asking("r2", ["base = [4, 5]", "total = max(base)", STEPS[2]]))
    _run(page, 0)
    expect(_cells(page).first.locator(".jp-InputPrompt")).to_have_text("[2]:")
    asking.get_by_role("button", name="Insert", exact=True).click()
    expect(asking.get_by_role("status")).to_contain_text("1 cell you edited kept")
    assert sorted(_sources(page)[1:]) == sorted(
        ["base = [4, 5]", "total = max(base)", f"{STEPS[1]}  # mine", STEPS[2], "after = 1"]
    )
    shown = page.locator(".lexsi-Frame-difference")
    expect(shown.locator(".lexsi-mod-removed")).to_have_text("- total = max(base)")
    expect(shown.locator(".lexsi-mod-added")).to_have_text(f"+ {STEPS[1]}  # mine")
    page.screenshot(path=shots / "difference.png")


def test_run_all_twice_neither_doubles_nor_moves_a_cell(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    asking = proposed()
    for _ in range(2):
        _run_all(page)
        page.wait_for_function(f"() => {CELLS}.every(c => c.execution_count !== null)")
        asking.get_by_role("button", name="Insert", exact=True).click()
        expect(asking.get_by_role("status")).to_have_text("Already in the notebook.")
        assert _sources(page)[1:] == [*STEPS, "after = 1"]


def test_two_questions_keep_their_cells_apart(open_notebook: Callable[..., str], page: Page) -> None:
    from playwright.sync_api import expect

    asks = [_cell("one", _asking("r1", ["a = 1", "a"])), _cell("two", _asking("r2", ["b = 1", "b"]))]
    open_notebook([*asks, _cell("after", "after = 1")])
    _run_all(page)
    page.get_by_role("button", name="Insert", exact=True).nth(1).click()
    page.locator(".lexsi-Frame").nth(1).wait_for()
    page.get_by_role("button", name="Insert", exact=True).first.click()
    page.locator(".lexsi-Frame").nth(3).wait_for()
    assert _sources(page)[1:3] == ["a = 1", "a"]
    assert _sources(page)[4:] == ["b = 1", "b", "after = 1"]
    _cells(page).nth(1).get_by_role("button", name="Discard all").click()
    expect(page.locator(".lexsi-Frame")).to_have_count(2)
    assert _sources(page)[2:] == ["b = 1", "b", "after = 1"]
