"""A saved answer opened without a kernel and without trust: everything that was read is still there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.__main__ import QUESTION

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_an_untrusted_answer_without_a_kernel_is_whole(
    open_notebook: Callable[..., str], page: Page, shots: Path, bank: Any
) -> None:
    from playwright.sync_api import expect

    from lexsi_nb.app.session import Session
    from lexsi_nb.magics.showing import bundles

    session = Session(bank, namespace={})
    run = session.ask(QUESTION)
    session.close()
    outputs = [{"output_type": "display_data", "data": b, "metadata": {}} for b in bundles(run)]
    cell = {
        "cell_type": "code", "id": "ask", "metadata": {}, "source": f"%%lexsi --data bank\n{QUESTION}",
        "outputs": outputs, "execution_count": 1,
    }  # fmt: skip
    open_notebook([cell], kernel=False)
    answer = page.locator(".jp-CodeCell").first
    expect(answer).to_contain_text("SYNTHETIC")
    expect(answer.get_by_text("Explain", exact=True)).to_have_count(10)
    answer.get_by_text("Explain", exact=True).first.click()
    first = run.artifacts and next(a.artifact for a in run.artifacts if type(a.artifact).__name__ == "Attribution")
    expect(answer).to_contain_text(f"{first.reasons[0].feature} = {first.reasons[0].value}")
    expect(answer.locator("canvas, .vega-embed svg, img").first).to_be_visible()
    line = answer.locator(".lexsi-Run-line")
    line.get_by_role("button", name="Show").click()
    expect(answer.locator(".lexsi-Run-source").first).to_contain_text("import")
    page.set_viewport_size({"width": 1280, "height": 2200})
    page.screenshot(path=shots / "reopened.png")
    trusted = page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.cells.get(0).trusted")
    assert trusted is False
