"""While the kernel is busy or gone: interrupt, restart, questions that overlap, an approval beside a running cell."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

SETUP = '''%load_ext lexsi_nb
import threading
import pandas as pd
import lexsi_nb as lx
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
loans = pd.DataFrame({"loan_id": [1, 2], "amount": [10.0, 20.0]})
uploaded = []
go_on = threading.Event()

@lx.tool
def wait_long() -> str:
    """Wait for what never comes."""
    go_on.wait()
    return "over"

@lx.tool(side_effect="irreversible")
def upload(frame: str) -> str:
    """Upload a frame.

    Args:
        frame: Label of the frame.
    """
    uploaded.append(frame)
    go_on.set()
    return "uploaded"

session = get_ipython()._lexsi_magics.session
session.add_tool(wait_long)
session.add_tool(upload)
TURNS = {
    "total": [call("run_sql", sql="SELECT sum(amount) AS total FROM loans", label="total"), say("30 in all.")],
    "count": [call("run_sql", sql="SELECT count(*) AS n FROM loans", label="n"), say("There are 2.")],
    "wait": [call("wait_long"), say("It is over.")],
    "upload": [call("upload", frame="loans"), say("Uploaded the loans.")],
    "wide": [call("run_sql", sql="SELECT * FROM wide", label="all_columns"), say("All 2,000 columns.")],
}
session.planner = lambda: ScriptedPlanner(next(turn for word, turn in TURNS.items() if word in In[-1]))
'''
CELLS = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells"


def _cell(name: str, source: str) -> dict[str, Any]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


def _open(open_notebook: Callable[..., str], **sources: str) -> None:
    cells = [_cell(name, source) for name, source in {"setup": SETUP, **sources}.items()]
    cells[0]["metadata"] = {"jupyter": {"source_hidden": True}}
    open_notebook(cells)


def _execute(page: Page, command: str) -> None:
    page.evaluate("c => { window.jupyterapp.commands.execute(c); }", command)


def _run(page: Page, at: int, *, wait: bool = True) -> Locator:
    """Run a cell and return it."""
    page.evaluate(
        "at => { const app = window.jupyterapp; app.shell.currentWidget.content.activeCellIndex = at;"
        " app.commands.execute('notebook:run-cell'); }",
        at,
    )
    if wait:
        page.wait_for_function(f"at => {CELLS}[at].execution_count !== null", arg=at)
        _idle(page)
    return page.locator(f'.jp-CodeCell[data-windowed-list-index="{at}"]')  # cells out of sight are not in the page


def _idle(page: Page) -> None:
    page.get_by_title("Change kernel for").get_by_text("Idle").wait_for()


def _ids(page: Page) -> list[str]:
    return page.evaluate(f"() => {CELLS}.map(c => c.getMetadata('lexsi_nb')?.origin ?? c.getId())")


def test_an_interrupt_ends_the_question_and_the_kernel_goes_on(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    _open(open_notebook, ask="%%lexsi Please wait.", after="%%lexsi The total?")
    _run(page, 0)
    asking = _run(page, 1, wait=False)
    expect(asking).to_contain_text("Wait long")  # the live line of its progress
    _execute(page, "kernelmenu:interrupt")
    expect(asking).to_contain_text("Stopped by you at step 1 (Wait long). Kept: nothing.")
    _execute(page, "lexsi-nb:show-runs")
    view = page.get_by_role("region", name="Runs of the notebook")
    expect(view.get_by_role("listitem").filter(has_text="Please wait.")).to_contain_text("interrupted")
    page.screenshot(path=shots / "interrupted.png")
    expect(_run(page, 2)).to_contain_text("30 in all.")


def test_stop_beside_the_progress_ends_the_question_and_leaves_nothing(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    _open(open_notebook, ask="%%lexsi Please wait.", after="%%lexsi The total?", gone="session.runs[0].status")
    _run(page, 0)
    asking = _run(page, 1, wait=False)
    progress = asking.get_by_role("group", name="Run under way")
    expect(progress).to_contain_text("Wait long")
    assert page.evaluate(f"() => {CELLS}[1].outputs.length") == 1
    expect(progress).to_contain_text(re.compile(r"Step 1: Wait long · [1-9]\d* s"))  # its clock goes on
    expect(progress.get_by_role("progressbar")).to_be_visible()
    page.screenshot(path=shots / "progress-with-stop.png")
    page.evaluate(
        "() => { const from = performance.now(); const cell ="
        f" {CELLS}[1]; cell.changed.connect(() => {{ if (cell.execution_count !== null)"
        " window.stopTook ??= performance.now() - from; }); }"
    )
    progress.get_by_role("button", name="Stop").click()
    page.wait_for_function(f"() => {CELLS}[1].execution_count !== null")
    expect(asking).to_contain_text("Stopped by you at step 1 (Wait long). Kept: nothing.")
    took = page.evaluate("() => window.stopTook")
    print(f"stopped {took:,.0f} ms before the cell had ended")
    assert took < 5_000  # the machine may be busy; what waits for the tool waits for ever
    expect(page.get_by_role("group", name="Run under way")).to_have_count(0)
    assert page.evaluate(f"() => {CELLS}[1].outputs.map(o => o.output_type)") == ["display_data"]
    expect(_run(page, 2)).to_contain_text("30 in all.")
    expect(_run(page, 3)).to_contain_text("interrupted")


def test_after_a_restart_the_runs_stay_and_their_variables_are_said_to_be_gone(
    open_notebook: Callable[..., str], page: Page
) -> None:
    from playwright.sync_api import expect

    _open(open_notebook, ask="%%lexsi The total?")
    _run(page, 0)
    _run(page, 1)
    _execute(page, "lexsi-nb:show-runs")
    view = page.get_by_role("region", name="Runs of the notebook")
    variables = view.get_by_role("region", name="Variables")
    expect(variables).to_contain_text("total")
    expect(view).not_to_contain_text("As saved.")
    _execute(page, "kernelmenu:restart")
    page.locator(".jp-Dialog").get_by_role("button", name="Restart", exact=False).last.click()
    expect(view).to_contain_text("As saved.")
    expect(variables).not_to_contain_text("not in the kernel")
    _idle(page)
    _run(page, 0)
    expect(variables).to_contain_text("not in the kernel")
    expect(view).not_to_contain_text("As saved.")
    _run(page, 1)
    expect(variables).not_to_contain_text("not in the kernel")


def test_two_questions_under_way_put_their_cells_each_below_its_own(
    open_notebook: Callable[..., str], page: Page
) -> None:
    one, other = "%%lexsi --cells insert The total?", "%%lexsi --cells insert The count?"
    _open(open_notebook, total=one, count=other)
    _run(page, 0)
    _execute(page, "notebook:run-all-cells")
    # Somebody goes on writing meanwhile.
    page.evaluate(
        f"() => {{ const m = {CELLS}[0].notebook;"
        " m.insertCell(2, {cell_type: 'code', id: 'typed', source: 'x = 1', metadata: {}}); }"
    )
    page.wait_for_function(f"() => new Set({CELLS}.map(c => c.getMetadata('lexsi_nb')?.origin)).size === 3")
    ids = _ids(page)
    at = ids.index("typed")
    assert ids[: at + 1] == ["setup", *["total"] * (at - 1), "typed"]
    assert set(ids[at + 1 :]) == {"count"}
    assert min(ids.count("total"), ids.count("count")) > 1


def test_an_approval_clicked_while_another_cell_runs_acts_once_and_blocks_nothing(
    open_notebook: Callable[..., str], page: Page
) -> None:
    from playwright.sync_api import expect

    _open(open_notebook, ask="%%lexsi Please upload them.", busy="reached = go_on.wait(5)", after="uploaded")
    _run(page, 0)
    asking = _run(page, 1)
    approve = asking.get_by_role("button", name="Approve")
    approve.wait_for()
    _run(page, 2, wait=False)
    page.get_by_title("Change kernel for").get_by_text("Busy").wait_for()
    approve.evaluate("button => { button.click(); button.click(); }")
    expect(asking).to_contain_text("Uploaded the loans.", timeout=30_000)
    page.wait_for_function(f"() => {CELLS}[2].execution_count !== null")
    expect(_run(page, 3)).to_contain_text("['loans']")
    expect(asking).to_contain_text("It ran; the answer is below.")
    expect(approve).to_have_count(0)


def test_a_frame_of_2000_columns_leaves_a_small_output(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    make = "wide = pd.DataFrame({f'column_{i}': [i, i + 1] for i in range(2_000)})"
    _open(open_notebook, make=make, ask="%%lexsi Show the wide frame.")
    _run(page, 0)
    _run(page, 1)
    asking = _run(page, 2)
    expect(asking).to_contain_text("All 2,000 columns.")
    size = page.evaluate(f"() => JSON.stringify({CELLS}[2].outputs).length")
    print(f"the output of 2,000 columns takes {size:,} characters")
    assert size < 100_000
    page.screenshot(path=shots / "wide.png")
