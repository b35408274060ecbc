"""Every part of a question can be read in both themes: 4.5:1 and more (WCAG 1.4.3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SOURCE = "%%lexsi --data bank --dry-run\nWhich loans aren't paid back?"
CONTRASTS = """() => {
  const numbers = text => text.match(/[\\d.]+/g).map(Number);
  const light = colour => {
    const parts = colour.map(c => c / 255).map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = node => {
    for (let up = node; up !== null; up = up.parentElement) {
      const colour = numbers(getComputedStyle(up).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
  };
  return [...document.querySelectorAll('.cm-line span')].map(span => {
    const [low, high] = [numbers(getComputedStyle(span).color), ground(span)].map(light).sort((a, b) => a - b);
    return [span.textContent, (high + 0.05) / (low + 0.05)];
  });
}"""


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_each_part_of_a_question_is_seen(
    open_notebook: Callable[..., str], page: Page, shots: Path, theme: str
) -> None:
    cell = {"cell_type": "code", "id": "q", "metadata": {}, "source": SOURCE, "outputs": [], "execution_count": None}
    open_notebook([cell], theme=theme)
    page.locator(".cm-line span", has_text="--dry-run").first.wait_for()
    found = dict(page.evaluate(CONTRASTS))
    assert {"%%lexsi", "--dry-run"} <= set(found), found
    assert min(found.values()) >= 4.5, found
    page.locator(".jp-CodeCell").screenshot(path=shots / f"question-{theme.split()[1].lower()}.png")
