"""The run view in the side bar: with a kernel that says what holds now, and from a saved notebook alone."""

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
loans = pd.DataFrame({"loan_id": [1, 2], "region": ["N", "S"], "amount": [10.0, 20.0]})
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
SUM = "SELECT region, sum(amount) AS total FROM loans GROUP BY region ORDER BY region"
TURNS = {
    "total": [call("run_sql", sql=SUM, label="totals"), say("10 in the north, 20 in the south.")],
    "upload": [call("upload", frame="totals"), say("Uploaded 2 regions.")],
}
session.planner = lambda: ScriptedPlanner(TURNS["upload" if "Upload" in In[-1] else "total"])
'''
SOURCES = {
    "setup": SETUP,
    "total": "%%lexsi\nWhat is the total amount of the loans in each region?",
    "edit": "loans.loc[0, 'amount'] = 15.0",
    "upload": "%%lexsi Upload the totals to the customers' system.",
}
CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"


def _cell(name: str, source: str) -> dict[str, Any]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


def _open_view(page: Page) -> Locator:
    page.evaluate("() => { window.jupyterapp.commands.execute('lexsi-nb:show-runs'); }")
    view = page.get_by_role("region", name="Runs of the notebook")
    view.wait_for()
    return view


def _run(page: Page, at: int) -> None:
    page.evaluate(
        "at => { const app = window.jupyterapp; app.shell.currentWidget.content.activeCellIndex = at;"
        " app.commands.execute('notebook:run-cell'); }",
        at,
    )
    page.wait_for_function(f"at => {CELLS}[at].execution_count !== null", arg=at)
    page.get_by_title("Change kernel for").get_by_text("Idle").wait_for()


def _active(page: Page) -> str:
    return page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCell.model.id")


def test_live_then_saved(open_notebook: Callable[..., str], page: Page, lab: Any, shots: Path) -> None:
    from playwright.sync_api import expect

    cells = [_cell(id, source) for id, source in SOURCES.items()]
    cells[0]["metadata"] = {"jupyter": {"source_hidden": True}}
    name = open_notebook(cells, name="loans.ipynb")
    page.set_viewport_size({"width": 1100, "height": 760})
    view = _open_view(page)
    expect(view).to_contain_text("Nothing was asked here yet.")
    _run(page, 0)
    _run(page, 1)
    run = view.get_by_role("listitem").filter(has_text="total amount of the loans")
    expect(run).to_contain_text("answered")
    expect(run.get_by_role("region", name="Steps")).to_contain_text("1 totals by SQL")
    expect(run.get_by_role("region", name="Variables")).to_contain_text("totals")
    expect(run.get_by_role("region", name="Sent")).to_contain_text("nothing")
    expect(run.get_by_role("region", name="Cost")).to_contain_text("no model was asked")
    expect(view).not_to_contain_text("As saved.")
    expect(view).not_to_contain_text("stale")

    _run(page, 2)
    expect(run.first).to_contain_text("1 stale")
    expect(run.get_by_role("region", name="Variables")).to_contain_text("stale: loans was edited since step 1")
    _run(page, 3)
    waiting = view.get_by_role("region", name="Waiting for approval")
    expect(waiting).to_contain_text("upload: Upload the totals")
    expect(view.get_by_role("status")).to_contain_text("2 runs, 1 waiting, 1 variable stale")
    page.screenshot(path=shots / "run-view.png")

    view.get_by_role("button", name="What is the total amount of the loans in each region?", exact=True).click()
    assert _active(page) == "total"
    waiting.get_by_role("button").click()
    assert _active(page) == "upload"
    page.locator(".jp-CodeCell").nth(3).get_by_role("button", name="Approve").click()
    expect(waiting).to_have_count(0)
    expect(view.get_by_role("listitem").filter(has_text="customers' system")).to_contain_text("answered")

    page.evaluate("() => { window.jupyterapp.commands.execute('docmanager:save'); }")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = json.loads((lab.folder / name).read_text())
    assert len(json.dumps([c["outputs"] for c in saved["cells"]])) < 100_000

    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:shutdown-kernel'); }")
    expect(view).to_contain_text("As saved.")  # the kernel that knew is gone
    page.get_by_title("Change kernel for").get_by_text("No Kernel").wait_for()
    open_notebook(saved["cells"], kernel=False, theme="JupyterLab Dark", name=name)
    view = _open_view(page)
    expect(view).to_contain_text("As saved. No kernel that knows these runs is connected.")
    # What went on after a click is saved as it ended.
    expect(view.get_by_role("region", name="Waited for approval when it was saved")).to_have_count(0)
    expect(view.get_by_role("listitem").filter(has_text="customers' system")).to_contain_text("answered")
    view.get_by_role("button", name="Details of: What is the total").click()
    run = view.get_by_role("listitem").filter(has_text="total amount of the loans")
    expect(run.get_by_role("region", name="Variables")).to_contain_text("totals")
    expect(run).not_to_contain_text("stale")
    page.set_viewport_size({"width": 640, "height": 900})
    page.screenshot(path=shots / "run-view-dark-narrow.png")
    run.get_by_role("button", name="1 totals by SQL").click()
    assert _active(page) == "total"


def test_the_keyboard_goes_from_run_to_run_and_folds(open_notebook: Callable[..., str], page: Page) -> None:
    from playwright.sync_api import expect

    record = {
        "version": 1, "status": "answered", "planner": "embedded", "models": "embedded", "variables": [], "sent": [],
        "steps": [
            {"number": 1, "tool": "run_sql", "title": "Query the data", "args": "", "status": "ok", "cells": [1]}
        ],
        "used": "", "usd": "",
    }  # fmt: skip
    cells = []
    for name in ("first", "second"):
        output = {"output_type": "display_data", "data": {"text/plain": name}}
        metadata = {"lexsi_nb": {**record, "run": name, "question": f"The {name}?"}}
        cells.append({**_cell(name, f"%%lexsi The {name}?"), "outputs": [{**output, "metadata": metadata}]})
    made = {"lexsi_nb": {"run": "first", "step": 1, "origin": "first", "digest": "0-0", "state": "accepted"}}
    cells.append({**_cell("made", "x = 1"), "metadata": made})
    open_notebook(cells, kernel=False)
    view = _open_view(page)
    first, second = (view.get_by_role("button", name=f"The {n}?", exact=True) for n in ("first", "second"))
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(second).to_be_focused()
    fold = view.get_by_role("button", name="Details of: The second?")
    expect(fold).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowLeft")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(second).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    view.get_by_role("button", name="1 Query the data").press("Enter")
    assert _active(page) == "made"


MODEL_SETUP = """%load_ext lexsi_nb
%env OPENAI_API_KEY=test-key
import pandas as pd
loans = pd.DataFrame({{"loan_id": [1, 2], "region": ["N", "S"], "amount": [10.0, 20.0]}})
%lexsi model {choice}
"""


def _command(page: Page, command: str) -> None:
    page.evaluate("name => { window.jupyterapp.commands.execute(name); }", command)


def test_a_models_run_without_outputs_and_after_a_restart(
    open_notebook: Callable[..., str], page: Page, lab: Any, shots: Path
) -> None:
    from playwright.sync_api import expect

    from tests.model_server import ModelServer, Reply

    calls = [("run_sql", {"sql": "SELECT sum(amount) AS total FROM loans", "label": "totals"})]
    server = ModelServer()
    server.brain = lambda asked: Reply("30 in all.") if asked.results else Reply(calls=calls)
    try:
        setup = MODEL_SETUP.format(choice=server.choice("openai", "gpt-4o"))
        question = "What is the total amount of all loans?"
        cells = [_cell("setup", setup), _cell("asked", f"%%lexsi\n{question}")]
        open_notebook(cells, name="by_model.ipynb")
        page.set_viewport_size({"width": 1100, "height": 760})
        view = _open_view(page)
        _run(page, 0)
        _run(page, 1)
        run = view.get_by_role("listitem").filter(has_text=question)
        expect(run).to_contain_text("answered")
        asked = len(server.requests)
        sent, cost = (run.get_by_role("region", name=name, exact=True) for name in ("Sent", "Cost"))
        expect(sent).to_contain_text(f"{asked} requests")
        expect(sent).to_contain_text("to openai:gpt-4o")
        expect(cost).to_contain_text(f"{asked} requests")
        expect(cost).to_contain_text("USD")
        steps = run.get_by_role("region", name="Steps")
        expect(steps).to_contain_text("1 totals by SQL")
        expect(view.get_by_role("status")).to_contain_text("1 run, 0.0")
        page.screenshot(path=shots / "run-view-model.png")

        _command(page, "notebook:clear-all-cell-outputs")
        page.wait_for_function(f"() => {CELLS}[1].outputs.length === 0")
        expect(view.get_by_role("status")).to_contain_text("1 run")  # the kernel remembers
        expect(view).not_to_contain_text("As saved.")
        expect(steps).to_contain_text("1 totals by SQL")
        view.get_by_role("button", name=question, exact=True).click()
        assert _active(page) == "asked"

        # Nothing is loaded after the restart, and no output is there: the recording tells.
        _command(page, "kernelmenu:restart")
        page.locator(".jp-Dialog .jp-mod-accept").click()
        expect(run).to_contain_text("answered, from recording")
        expect(view).to_contain_text("As saved.")
        expect(sent).to_contain_text(f"{asked} requests")
        expect(cost).to_contain_text("USD")
        expect(steps).to_contain_text("1 Query the data")
        expect(run.get_by_role("region", name="Variables")).to_contain_text("totals")
        page.screenshot(path=shots / "run-view-recording.png")
        view.get_by_role("button", name=question, exact=True).click()
        assert _active(page) == "asked"

        # Run again it is replayed, and is one run, not two.
        _run(page, 0)
        expect(view).not_to_contain_text("As saved.")
        expect(run).to_contain_text("from recording")
        _run(page, 1)
        expect(run).to_contain_text("answered, replayed")
        expect(view.get_by_role("status")).to_contain_text("1 run")
        assert len(server.requests) == asked
    finally:
        server.close()
