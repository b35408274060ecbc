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
TITLES = ["Base values", "Total of base", "Print the total"]
SECOND = ["base = [4, 5]", "total = max(base)", STEPS[2]]  # what the question gives the second time
MINE = f"{STEPS[1]}  # mine"
CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"


def _asking(run: str, sources: list[str]) -> str:
    cells = [{"title": TITLES[i % 3], "source": source, "kind": "code"} for i, source in enumerate(sources)]
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

    asking = proposed(theme)
    expect(_cells(page).nth(2).locator(".lexsi-Frame-label")).to_have_text("2 of 3 · Total of base")
    assert _states(page) == [None, "proposed", "proposed", "proposed", None]
    page.screenshot(path=shots / f"proposed-{theme.split()[1].lower()}.png")
    first = _cells(page).nth(1)
    first.get_by_role("button", name="Accept and run", exact=True).click()
    expect(first.locator(".jp-InputPrompt")).to_have_text("[2]:")
    expect(first.locator(".lexsi-Frame")).to_have_text("lexsi · Base values")
    _cells(page).nth(2).get_by_role("button", name="Accept", exact=True).click()
    expect(_cells(page).nth(2).locator(".jp-InputPrompt")).to_have_text("[ ]:")
    _cells(page).nth(3).get_by_role("button", name="Discard", exact=True).click()
    expect(_cells(page)).to_have_count(4)
    assert _states(page) == [None, "accepted", "accepted", None]
    expect(asking.get_by_role("status")).to_have_text("1 run, 1 accepted, 1 discarded.")
    page.screenshot(path=shots / f"accepted-{theme.split()[1].lower()}.png")
    _undo(page)
    expect(_cells(page)).to_have_count(5)
    assert _states(page) == [None, "accepted", "accepted", "proposed", None]
    expect(asking.get_by_role("status")).to_have_text("1 run, 1 accepted, 1 proposed.")


def test_all_are_accepted_and_run_in_order(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    proposed()
    _cells(page).nth(1).get_by_role("button", name="Accept and run all", exact=True).click()
    expect(_cells(page).nth(3)).to_contain_text("total is 6")
    assert _states(page) == [None, "accepted", "accepted", "accepted", None]
    assert _sources(page)[1:] == [*STEPS, "after = 1"]


def test_all_are_discarded_and_one_undo_brings_them_back(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    asking = proposed()
    _cells(page).nth(1).get_by_role("button", name="Discard all").click()
    expect(_cells(page)).to_have_count(2)
    expect(asking.get_by_role("status")).to_have_text("3 discarded.")
    _undo(page)
    expect(page.locator(".lexsi-Frame")).to_have_count(3)
    assert _sources(page)[1:] == [*STEPS, "after = 1"]


def test_the_keyboard_decides_too_and_running_a_cell_accepts_it(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    proposed()
    _cells(page).nth(1).get_by_role("button", name="Accept", exact=True).focus()
    page.keyboard.press("Enter")
    expect(_cells(page).nth(1).locator(".lexsi-Frame")).to_have_text("lexsi · Base values")
    _run(page, 1)
    _run(page, 2)
    expect(_cells(page).nth(2).locator(".lexsi-Frame")).to_have_text("lexsi · Total of base")
    assert _states(page) == [None, "accepted", "accepted", "proposed", None]


@pytest.fixture
def edited(proposed: Callable[..., Locator], page: Page) -> Callable[..., Locator]:
    """A function that edits step 2, runs a question that now proposes another, and inserts; returns the asking cell."""
    from playwright.sync_api import expect

    def edit(theme: str = "JupyterLab Light") -> Locator:
        asking = proposed(theme)
        _cells(page).nth(2).locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("  # mine")
        expect(_cells(page).nth(2).locator(".lexsi-Frame")).to_contain_text("Total of base, edited")
        page.evaluate(f"s => {CELLS}[0].setSource(s)", _asking("r2", SECOND))
        _run(page, 0)
        expect(_cells(page).first.locator(".jp-InputPrompt")).to_have_text("[2]:")
        asking.get_by_role("button", name="Insert", exact=True).click()
        expect(asking.get_by_role("status")).to_have_text(
            "3 cells proposed below, 1 cell of an earlier run removed, 1 cell you edited kept."
        )
        return asking

    return edit


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_an_edit_is_kept_apart_from_what_a_second_run_proposes(
    edited: Callable[..., Any], page: Page, shots: Path, theme: str
) -> None:
    from playwright.sync_api import expect

    edited(theme)
    assert _sources(page)[1:] == [*SECOND[:2], MINE, SECOND[2], "after = 1"]
    assert _states(page) == [None, "proposed", "proposed", "kept", "proposed", None]
    expect(page.locator(".lexsi-Frame-group")).to_contain_text("3 new cells · 1 of yours kept")
    mine = _cells(page).nth(3).locator(".lexsi-Frame")
    expect(mine.locator(".lexsi-Frame-label")).to_have_text("Your edit of step 2 (kept)")
    expect(mine.get_by_role("button")).to_have_text(["Keep mine", "Take the new one", "Hide difference"])
    expect(mine.locator(".lexsi-Frame-caption")).to_have_text("- proposed now+ yours")
    expect(mine.locator(".lexsi-Frame-changed.lexsi-mod-removed")).to_have_text(f"- {SECOND[1]}")
    expect(mine.locator(".lexsi-Frame-changed.lexsi-mod-added")).to_have_text(f"+ {MINE}")
    suffix = "" if theme == "JupyterLab Light" else "-dark"
    page.screenshot(path=shots / f"difference{suffix}.png")
    page.get_by_role("button", name="Discard all").click()
    expect(_cells(page)).to_have_count(3)
    assert _sources(page)[1:] == [MINE, "after = 1"]
    _undo(page)
    expect(_cells(page)).to_have_count(6)
    assert _states(page) == [None, "proposed", "proposed", "kept", "proposed", None]


def test_accept_and_run_all_runs_the_edit_and_not_the_new_one(edited: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    asking = edited()
    page.get_by_role("button", name="Accept and run all").click()
    expect(_cells(page).nth(4)).to_contain_text("total is 9")  # sum([4, 5]), where the new one says max
    assert _states(page) == [None, "accepted", "proposed", "kept", "accepted", None]
    expect(_cells(page).nth(2).locator(".jp-InputPrompt")).to_have_text("[ ]:")
    expect(_cells(page).nth(2).get_by_role("status")).to_contain_text("your edit of this step was run instead")
    expect(asking.get_by_role("status")).to_have_text("2 run, 1 proposed, 1 of yours kept.")


def test_mine_is_kept_or_the_new_one_taken(edited: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    asking = edited()
    _cells(page).nth(3).get_by_role("button", name="Keep mine").click()
    expect(_cells(page)).to_have_count(5)
    assert _sources(page)[1:] == [SECOND[0], MINE, SECOND[2], "after = 1"]
    assert _states(page) == [None, "proposed", "accepted", "proposed", None]
    expect(asking.get_by_role("button", name="Go to cells")).to_be_visible()
    _undo(page)
    expect(_cells(page)).to_have_count(6)
    _cells(page).nth(3).get_by_role("button", name="Take the new one").click()
    expect(_cells(page)).to_have_count(5)
    assert _sources(page)[1:] == [*SECOND, "after = 1"]
    assert _states(page) == [None, "proposed", "accepted", "proposed", None]


def test_run_all_twice_neither_doubles_nor_moves_a_cell(proposed: Callable[..., Any], page: Page) -> None:
    from playwright.sync_api import expect

    asking = proposed()
    for _ in range(2):
        _run_all(page)
        page.wait_for_function(f"() => {CELLS}.every(c => c.execution_count !== null)")
        expect(asking.get_by_role("status")).to_have_text("3 run.")
        asking.get_by_role("button", name="Go to cells").click()
        page.evaluate("() => window.jupyterapp.commands.execute('lexsi-nb:insert-last')")
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


RATIO = """element => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = colour => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map(part => part / 255)
      .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { color, backgroundColor } = getComputedStyle(element);
  const [high, low] = [light(color), light(backgroundColor)].sort((one, other) => other - one);
  return (high + 0.05) / (low + 0.05);
}"""


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast"])
def test_the_main_button_is_legible_and_every_button_large_enough(
    proposed: Callable[..., Any], page: Page, theme: str
) -> None:
    proposed(theme)
    for button in page.locator(".lexsi-Frame .lexsi-mod-filled").all():
        assert button.evaluate(RATIO) >= 4.5
    _cells(page).first.get_by_role("button", name="Show", exact=True).click()  # the code, with its Copy buttons
    assert all(b.bounding_box()["height"] >= 24 for b in page.locator(".lexsi-Button:visible").all())


def test_the_bar_of_many_cells_stays_in_view(open_notebook: Callable[..., str], page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    many = [f"x{i} = {i}\n" * 12 for i in range(9)]
    open_notebook([_cell("ask", _asking("r1", many)), _cell("after", "after = 1")])
    _run(page, 0)
    _cells(page).first.get_by_role("button", name="Insert", exact=True).click()
    bar = page.locator(".lexsi-Sticky")
    page.locator(".lexsi-Frame-group").first.wait_for()
    expect(bar).to_be_hidden()
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.scrollToItem(6, 'start')")
    expect(bar).to_contain_text("9 cells proposed")
    page.screenshot(path=shots / "proposed-long.png")
    bar.get_by_role("button", name="Discard all").click()
    expect(bar).to_be_hidden()
    expect(_cells(page)).to_have_count(2)
