"""Charts in JupyterLab: drawn by Lab in live widgets too, as wide as there is room, in the theme's colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

SETUP = """\
%load_ext lexsi_nb
import pandas as pd
loans = pd.DataFrame({"loan_id": range(40), "amount": range(0, 1200, 30), "region": ["North", "South"] * 20})
least = 250
"""
ASK = "%%lexsi --frames loans --params least\nHow many loans have an amount over {least} by region?"
SHAP = """\
import lexsi_nb as lx
from tests.widgets.conftest import loans
session = lx.Session({"loans": loans()}, namespace={})
session.ask("which loans are likely to be defaulted?")
lx.shap("beeswarm", session=session)
"""
RANKED = "%load_ext lexsi_nb\nfrom tests.widgets.conftest import loans as made\nloans = made()"
NOBODY = "window.addEventListener('lexsi:chart', event => event.stopImmediatePropagation(), true)"


def _cell(name: str, source: str) -> dict[str, object]:
    return {
        "cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None,
    }  # fmt: skip


def _run_all(page: Page, cells: int) -> None:
    page.locator(".jp-CodeCell .cm-content").first.click()
    for _ in range(cells):
        page.keyboard.press("Shift+Enter")


def _narrow(page: Page) -> None:
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    page.set_viewport_size({"width": 380, "height": 800})


def _reachable(drawn: Locator) -> bool:
    """Return whether all of a chart can be seen: it has room, or stands in something that scrolls."""
    return drawn.evaluate(
        """drawn => {
          const {right} = drawn.getBoundingClientRect();
          for (let up = drawn.parentElement; up !== null; up = up.parentElement) {
            const style = getComputedStyle(up);
            if (right <= up.getBoundingClientRect().right + 1) continue;
            if (['auto', 'scroll'].includes(style.overflowX)) return up.scrollWidth > up.clientWidth;
            if (style.overflowX !== 'visible') return false;
          }
          return true;
        }"""
    )


def test_charts_have_room_in_a_narrow_page(open_notebook: Callable[..., str], page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    open_notebook([_cell("setup", SETUP), _cell("ask", ASK), _cell("controls", "%lexsi controls")])
    _run_all(page, 3)
    widget = page.locator(".lexsi-live")
    expect(widget.locator("canvas")).to_be_visible()
    answer = page.locator(".jp-CodeCell").nth(1).locator(".lexsi-Chart canvas")
    wide = answer.evaluate("c => c.getBoundingClientRect().width")
    _narrow(page)
    for chart in (answer, widget.locator("canvas")):
        page.wait_for_function(
            "([c, most]) => c.isConnected === false || c.getBoundingClientRect().width < most",
            arg=[chart.element_handle(), wide - 20],
        )
        expect(chart).to_be_visible()
        box, around = chart.bounding_box(), page.locator(".jp-Notebook").bounding_box()
        assert box is not None
        assert around is not None
        assert box["x"] + box["width"] <= around["x"] + around["width"]
        assert box["width"] > 200
    page.locator(".jp-CodeCell").nth(1).screenshot(path=shots / "answer-380.png")
    widget.screenshot(path=shots / "controls-380.png")
    page.set_viewport_size({"width": 1280, "height": 960})  # and back
    page.wait_for_function("([c, least]) => !c.isConnected || c.getBoundingClientRect().width > least",
                           arg=[answer.element_handle(), wide - 20])  # fmt: skip


def test_without_the_extension_the_picture_stays_and_has_room(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    page.add_init_script(NOBODY)
    open_notebook([_cell("shap", SHAP), _cell("setup", SETUP), _cell("ask", ASK), _cell("controls", "%lexsi controls")])
    _run_all(page, 4)
    widget = page.locator(".lexsi-live").first
    picture = widget.locator("img")
    expect(picture).to_have_attribute("alt", re.compile("^Contributions in 80 cases"))
    expect(widget.locator("canvas")).to_have_count(0)
    expect(page.locator(".lexsi-live").nth(1).locator("img")).to_be_visible()
    _narrow(page)
    for shown in (picture, page.locator(".lexsi-live").nth(1).locator("img")):
        assert _reachable(shown)
    # What other front ends and saved notebooks show: the picture of the output.
    page.evaluate(
        """() => {
          const outputs = window.jupyterapp.shell.currentWidget.content.widgets[2].outputArea.model;
          for (let at = 0; at < outputs.length; at++) {
            const data = {...outputs.get(at).data};
            delete data['application/vnd.lexsi.chart+json'];
            delete data['application/vnd.vegalite.v5+json'];
            if ('image/png' in data) outputs.get(at).setData({data});
          }
        }"""
    )
    image = page.locator(".jp-CodeCell").nth(2).locator(".jp-RenderedImage img")
    expect(image).to_be_visible()
    assert _reachable(image)
    widget.screenshot(path=shots / "shap-picture-380.png")


def test_a_chart_follows_the_theme_has_tooltips_and_is_let_go(
    open_notebook: Callable[..., str], page: Page, shots: Path
) -> None:
    from playwright.sync_api import expect

    open_notebook([_cell("shap", SHAP)])
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    widget = page.locator(".lexsi-live")
    canvas = widget.locator("canvas")
    expect(canvas).to_be_visible()
    expect(widget.locator(".lexsi-waits")).to_have_count(0)
    at = canvas.evaluate(
        """c => {
          const {width, height, data} = c.getContext('2d').getImageData(0, 0, c.width, c.height);
          const box = c.getBoundingClientRect();
          for (let y = 40; y < height; y++) for (let x = width * 0.3 | 0; x < width * 0.7; x++) {
            const [r, g, b] = data.slice(4 * (y * width + x));
            if (Math.max(r, g, b) - Math.min(r, g, b) > 90) return [box.x + x + 2, box.y + y + 2];
          }
        }"""
    )
    page.mouse.move(*at)
    tooltip = page.locator("#vg-tooltip-element.visible")
    expect(tooltip).to_contain_text("contribution")
    expect(tooltip).to_contain_text("value")
    expect(tooltip).to_contain_text("loan_id")
    page.screenshot(path=shots / "shap-tooltip.png")
    page.mouse.move(2, 2)
    light = canvas.evaluate("c => c.toDataURL()")
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    page.wait_for_function(
        "before => (c => c && c.toDataURL() !== before)(document.querySelector('.lexsi-live canvas'))", arg=light
    )
    widget.screenshot(path=shots / "shap-theme-changed.png")
    before = _canvases(page)
    for label in ("Importance", "Dependence", "One case", "Beeswarm") * 2:
        widget.get_by_label(label).check()
        expect(widget.locator(".lexsi-waits")).to_have_count(0)
    _let_go(page, before)  # pictures before
    for number in (2, 3, 4):  # widgets before too
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Control+Enter")
        expect(page.locator(".jp-InputPrompt").first).to_have_text(f"[{number}]:")
        expect(canvas).to_be_visible()
        expect(widget.locator(".lexsi-waits")).to_have_count(0)
    _let_go(page, before)


def test_the_chart_of_an_answer_follows_the_theme(open_notebook: Callable[..., str], page: Page, shots: Path) -> None:
    from playwright.sync_api import expect

    open_notebook([_cell("setup", RANKED), _cell("ask", "%%lexsi\nwhich loans are likely to be defaulted?")])
    _run_all(page, 2)
    expect(page.locator(".lexsi-Chart canvas").first).to_be_visible()  # how scores lie, with a text beside a line
    for theme in ("Light", "Dark", "Light"):
        page.evaluate(
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: `JupyterLab ${name}`})", theme
        )
        # Its text, grey or less coloured than its marks, is black on light pages and white on dark ones.
        page.wait_for_function(
            """dark => {
              const canvas = document.querySelector('.lexsi-Chart canvas');
              if (canvas === null) return false;
              const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
              let black = 0, white = 0;
              for (let at = 0; at < data.length; at += 4) {
                if (data[at + 3] < 200) continue;
                black += Math.max(...data.slice(at, at + 3)) < 60;
                white += Math.min(...data.slice(at, at + 3)) > 200;
              }
              return dark ? black === 0 && white > 100 : black > 100;
            }""",
            arg=theme == "Dark",
        )
        page.locator(".jp-CodeCell").nth(1).screenshot(path=shots / f"answer-theme-{theme.lower()}.png")


def _let_go(page: Page, before: int) -> None:
    """Hold that canvases are let go: a change of theme draws anew for up to five seconds."""
    for _ in range(40):
        if (now := _canvases(page)) <= before + 1:
            return
        page.wait_for_timeout(250)
    raise AssertionError(f"{now} canvases, {before} before")


def _canvases(page: Page) -> int:
    """Return how many canvases the page still holds, in sight or not, after what is not used was collected."""
    session = page.context.new_cdp_session(page)
    prototype = session.send("Runtime.evaluate", {"expression": "HTMLCanvasElement.prototype"})["result"]["objectId"]
    found = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    count = session.send(
        "Runtime.callFunctionOn",
        {"objectId": found, "functionDeclaration": "function() { return this.length; }", "returnByValue": True},
    )
    session.detach()
    return count["result"]["value"]
