"""The kernel and the Lab extension together: who is told of a run, what is proposed, what happens without it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

SETUP = """%load_ext lexsi_nb
import pandas as pd
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
loans = pd.DataFrame({"loan_id": [1, 2], "amount": [10.0, 20.0]})
session = get_ipython()._lexsi_magics.session
def planner():
    turn = [call("run_sql", sql="SELECT sum(amount) AS total FROM loans"), say("30 in all.")]
    return ScriptedPlanner(turn)
session.planner = planner
"""
CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"
DONE = f"() => {CELLS}.every(c => c.execution_count !== null)"


def _cell(name: str, source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


def _asked(*options: str) -> list[dict[str, object]]:
    question = " ".join(["%%lexsi", *options]) + "\nWhat's the total amount?"
    return [_cell("setup", SETUP), _cell("ask", question), _cell("after", "after = 1")]


def _cells(page: Page) -> Locator:
    return page.locator(".jp-Notebook .jp-CodeCell")


def _execute(page: Page, command: str) -> None:
    page.evaluate("c => { window.jupyterapp.commands.execute(c); }", command)


def _run_all(page: Page) -> None:
    _execute(page, "notebook:run-all-cells")


def _ids(page: Page) -> list[str]:
    return page.evaluate(f"() => {CELLS}.map(c => ['setup', 'ask', 'after'].includes(c.getId()) ? c.getId() : 'new')")


@pytest.fixture
def setting(lab: Any) -> Iterator[Callable[[str], None]]:
    """A function that stores a setting of the extension; it is gone at the end."""
    file = lab.settings / "lexsi-nb-labextension" / "plugin.jupyterlab-settings"
    file.parent.mkdir(parents=True, exist_ok=True)
    yield file.write_text
    file.unlink(missing_ok=True)


@pytest.fixture
def without_extension(page: Page) -> None:
    """The page of a Jupyter server that has no such extension."""
    page.route("**/lexsi-nb-labextension/**", lambda route: route.abort())


def test_run_all_proposes_what_was_asked_for_once_below_its_cell(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    open_notebook(_asked("--cells insert"))
    _run_all(page)
    page.locator(".lexsi-Frame").first.wait_for()
    ids = _ids(page)
    assert ids == ["setup", "ask", *["new"] * ids.count("new"), "after"]
    assert "new" in ids
    for _ in range(3):
        last = page.evaluate(f"() => Math.max(...{CELLS}.map(c => c.execution_count))")
        _run_all(page)  # also the cells proposed before: who runs them accepts them
        page.wait_for_function(f"last => {CELLS}.every(c => c.execution_count > last)", arg=last)
        assert _ids(page) == ids
    expect(page.locator(".lexsi-mod-proposed")).to_have_count(0)
    expect(_cells(page).nth(1).get_by_role("status")).to_have_text(f"{ids.count('new')} run.")
    expect(_cells(page).nth(1).get_by_role("button", name="Go to cells")).to_be_visible()
    expect(_cells(page).nth(1)).not_to_contain_text("proposed")
    expect(_cells(page).nth(1)).not_to_contain_text("no lexsi-nb extension")
    page.screenshot(path=shots / "asked-insert.png")


def test_cells_follow_the_asking_cell_where_it_was_moved_meanwhile(
    open_notebook: Callable[..., str], page: Page
) -> None:
    asked = _asked("--cells insert")
    open_notebook([asked[0], _cell("slow", "import time; time.sleep(3)"), asked[1], asked[2]])
    _run_all(page)
    page.evaluate(f"() => {{ const m = {CELLS}; m[0].notebook.moveCell(3, 1); m[0].notebook.deleteCell(2); }}")
    page.locator(".lexsi-Frame").first.wait_for()
    ids = _ids(page)
    assert ids == ["setup", "after", "ask", *["new"] * (len(ids) - 3)]


def test_by_the_automatic_setting_cells_come_without_a_click(
    open_notebook: Callable[..., str], page: Page, setting: Callable[[str], None]
) -> None:
    setting('{"insert": "automatic"}')
    open_notebook(_asked())
    _run_all(page)
    page.locator(".lexsi-Frame").first.wait_for()
    ids = _ids(page)
    assert ids == ["setup", "ask", *["new"] * (len(ids) - 3), "after"]


def test_the_insert_command_leaves_proposals_in_place_of_its_cell(
    open_notebook: Callable[..., str], page: Page
) -> None:
    from playwright.sync_api import expect

    open_notebook([*_asked()[:2], _cell("after", "%lexsi insert")])
    _run_all(page)
    page.locator(".lexsi-Frame").first.wait_for()
    expect(page.get_by_text("%lexsi insert", exact=True)).to_have_count(0)
    ids = _ids(page)
    assert ids == ["setup", "ask", *["new"] * (len(ids) - 2)]
    origins = page.evaluate(f"() => {CELLS}.slice(2).map(c => c.getMetadata().lexsi_nb.origin)")
    assert set(origins) == {"ask"}


def test_a_page_loaded_again_still_hears_the_kernel(open_notebook: Callable[..., str], page: Page) -> None:
    open_notebook(_asked("--cells insert"))
    _cells(page).first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(f"() => {CELLS}[0].execution_count !== null")
    page.reload()
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.get_by_title("Change kernel for").get_by_text("Idle").wait_for()
    _cells(page).nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.locator(".lexsi-Frame").first.wait_for()
    assert "new" in _ids(page)


@pytest.mark.usefixtures("without_extension")
def test_without_the_extension_one_joined_cell_comes_and_is_not_doubled(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    again = "%%lexsi\nWhat's the total amount again?"
    open_notebook([*_asked("--cells insert"), _cell("again", again)])
    for _ in range(2):
        _run_all(page)
        page.wait_for_function(f"() => {CELLS}.filter(c => c.execution_count === null).length <= 1")
        page.get_by_title("Change kernel for").get_by_text("Idle").wait_for()
        expect(_cells(page)).to_have_count(5)
        assert _ids(page)[:4] == ["setup", "ask", "new", "after"]
    said = page.locator(".jp-OutputArea").get_by_text("No lexsi-nb extension answered")
    expect(said).to_have_count(0)  # it was said in the first of the two
    expect(_cells(page).nth(1)).to_contain_text("Not inserted again")
    page.screenshot(path=shots / "without-extension.png")


@pytest.mark.usefixtures("without_extension")
def test_without_the_extension_the_first_answer_says_so(open_notebook: Callable[..., str], page: Page) -> None:
    from playwright.sync_api import expect

    open_notebook([*_asked(), _cell("again", "%%lexsi\nWhat's the total amount again?")])
    _run_all(page)
    page.wait_for_function(DONE)
    expect(page.locator(".jp-OutputArea").get_by_text("No lexsi-nb extension answered")).to_have_count(1)
    expect(_cells(page).nth(1)).to_contain_text("%lexsi insert in a new cell")


@pytest.mark.usefixtures("without_extension")
def test_without_the_extension_code_is_copied_by_a_click_where_the_output_is_trusted(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_notebook(_asked())
    _run_all(page)
    page.wait_for_function(DONE)
    asked = _cells(page).nth(1)
    sources = (
        asked.locator("pre")
        .filter(has_text="duckdb")
        .first.evaluate("e => [...e.closest('details').querySelectorAll('pre')].map(p => p.textContent.trimEnd())")
    )
    assert sources
    asked.get_by_role("button", name="Copy", exact=True).click()
    expect(asked.get_by_role("button", name="Copied", exact=True)).to_be_visible()
    page.screenshot(path=shots / "copy-without-extension.png")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == "\n\n".join(sources) + "\n"
    compile(copied, "<copied>", "exec")
    answered = asked.locator(".lexsi-answer p").first.inner_text()
    outputs = page.evaluate(f"() => {CELLS}[1].getOutputs ? {CELLS}[1].getOutputs() : {CELLS}[1].outputs")
    saved = {**_cell("ask", "%%lexsi\nAsked before."), "outputs": outputs}
    open_notebook([saved], kernel=False, name="unsigned.ipynb")  # nobody signed it: no handler of the output is run
    expect(_cells(page).first).to_contain_text(answered)
    expect(_cells(page).first.locator("img, canvas, svg, table").first).to_be_visible()
    expect(_cells(page).first.get_by_text("Show", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Copy", exact=True)).to_have_count(0)
    _cells(page).first.get_by_text("Show", exact=True).click()
    expect(_cells(page).first.locator("pre").filter(has_text="duckdb").first).to_be_visible()


def test_questions_are_prose_and_tab_completes_options_and_columns(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    open_notebook([*_asked("--cells show"), _cell("empty", "")])
    asking = _cells(page).nth(1)
    expect(asking.locator(".cm-content")).to_have_attribute("data-language", "lexsi")
    expect(_cells(page).first.locator(".cm-content")).to_have_attribute("data-language", "python")
    _cells(page).first.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(f"() => {CELLS}[0].execution_count !== null")
    _cells(page).nth(3).locator(".cm-content").click()
    page.keyboard.type("%%lexsi --dry-run what's the am")
    page.keyboard.press("Tab")
    offered = page.locator(".jp-Completer-item")
    expect(offered).to_have_text(["camountcolumn"])  # its kind's letter, the name, the kind; no word of the question
    page.keyboard.press("Enter")
    expect(_cells(page).nth(3).locator(".cm-content")).to_contain_text("what's the amount")
    page.keyboard.press("Control+a")
    page.keyboard.type("%%lexsi --re")
    page.keyboard.press("Tab")
    expect(offered).to_have_count(2)
    page.screenshot(path=shots / "question.png")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+a")
    page.keyboard.type("x = 1")
    expect(_cells(page).nth(3).locator(".cm-content")).to_have_attribute("data-language", "python")


def test_the_palette_inserts_accepts_discards_and_opens_the_log(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    open_notebook(_asked())
    enabled = "id => window.jupyterapp.commands.isEnabled(id)"
    assert not page.evaluate(enabled, "lexsi-nb:insert-last")
    _run_all(page)
    page.locator(".lexsi-Run-line").wait_for()
    page.wait_for_function(DONE)
    assert not page.evaluate(enabled, "lexsi-nb:accept-all")
    _execute(page, "lexsi-nb:insert-last")
    page.locator(".lexsi-Frame").first.wait_for()
    _execute(page, "lexsi-nb:discard-all")
    expect(page.locator(".lexsi-Frame")).to_have_count(0)
    _execute(page, "lexsi-nb:insert-last")
    page.locator(".lexsi-mod-proposed").first.wait_for()
    _execute(page, "lexsi-nb:accept-and-run-all")
    page.wait_for_function(DONE)
    expect(page.locator(".lexsi-mod-proposed")).to_have_count(0)
    count = len(_ids(page))
    _execute(page, "lexsi-nb:audit")
    expect(page.locator(".lexsi-Beside")).to_contain_text("the chain is whole")
    page.screenshot(path=shots / "audit.png")
    expect(_cells(page)).to_have_count(count)


PROPOSED = """async () => {
  const app = window.jupyterapp;
  const frame = () => new Promise(requestAnimationFrame);
  const stands = () => {
    const cell = document.querySelector('.jp-Notebook .jp-Cell.lexsi-mod-proposed');
    return cell !== null && cell.querySelector('.lexsi-Frame button')?.getBoundingClientRect().height > 0
      && cell.querySelector('.cm-content')?.getBoundingClientRect().height > 0;
  };
  const insert = [...document.querySelectorAll('.lexsi-Run-line button')].find(b => b.textContent === 'Insert');
  const times = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    insert.click();
    while (!stands()) await frame();
    await frame();  // it is painted
    times.push(performance.now() - start);
    await app.commands.execute('lexsi-nb:discard-all');
    while (stands()) await frame();
  }
  return times;
}"""


def test_proposed_cells_stand_soon_after_the_click(open_notebook: Callable[..., str], page: Page) -> None:
    steps = [{"title": f"Step {i}", "kind": "code", "source": f"x{i} = {i}\n" * 20} for i in range(12)]
    bundle = {"version": 1, "run": "r1", "summary": "", "cells": steps, "html": "<p>sent: nothing</p>"}
    output = {
        "output_type": "display_data", "metadata": {},
        "data": {"application/vnd.lexsi.run+json": bundle, "text/plain": "12 cells"},
    }  # fmt: skip
    asked = {**_cell("ask", "%%lexsi What's the total amount?"), "outputs": [output]}
    open_notebook([asked, *(_cell(f"c{i}", f"y{i} = {i}\n" * 10) for i in range(100))], kernel=False)
    page.locator(".lexsi-Run-line").wait_for()
    times = page.evaluate(PROPOSED)
    print(f"12 proposed cells in a notebook of 101 stand after {', '.join(f'{t:.0f}' for t in times)} ms")
    assert min(times) < 150  # the least, as other work of the machine only adds


def test_the_extension_costs_little_of_labs_start(open_notebook: Callable[..., str], page: Page) -> None:
    profiler = page.context.new_cdp_session(page)
    profiler.send("Profiler.enable")
    profiler.send("Profiler.setSamplingInterval", {"interval": 200})
    profiler.send("Profiler.start")
    open_notebook([_cell("one", "x = 1")])
    profile = profiler.send("Profiler.stop")["profile"]
    ours = {n["id"] for n in profile["nodes"] if "lexsi-nb-labextension" in n["callFrame"]["url"]}
    assert ours, "the extension was there"
    pairs = zip(profile["samples"], profile["timeDeltas"], strict=True)
    milliseconds = sum(delta for node, delta in pairs if node in ours) / 1000
    print(f"the extension's own code ran for {milliseconds:.1f} ms of Lab's start")
    assert milliseconds < 50


def test_the_extension_is_small(extension: Path) -> None:
    files = [f for f in extension.rglob("*.js") if f.is_file()]
    size = sum(len(gzip.compress(f.read_bytes())) for f in files)
    print(f"{len(files)} files, {size:,} bytes gzipped")
    assert size < 150_000
