"""What is left of an answer without a kernel, without trust, without styles: never nothing."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Approval, Attribution, Chart, Choice, ModelCard, Option, Reason, Table, Text
from lexsi_nb.magics.showing import RUN, bundles
from lexsi_nb.widgets.bundle import alone
from tests.outputs.github import shown, words

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

SPEC = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "data": {"values": [{"x": "a", "y": 1}, {"x": "b", "y": 2}]},
    "mark": {"type": "bar"},
    "encoding": {"x": {"field": "x", "type": "nominal"}, "y": {"field": "y", "type": "quantitative"}},
}
REASONS = (Reason("amount", "298,020", 0.8), Reason("income", "<none> & 'unknown'", -0.3), Reason("age", 41, 0.001))
# Every kind of result, and words that must be left of it.
ARTIFACTS: dict[str, tuple[Any, list[str]]] = {
    "table": (Table(pd.DataFrame({"loan": [5789], "note": ["<b>x</b>"]})), ["5,789", "<b>x</b>"]),
    "chart": (Chart(SPEC, "Loans", "Loans: bars of y by x: a 1, b 2."), []),
    "attribution": (
        Attribution("5789", -1.0, -0.499, 0.38, REASONS),
        ["amount = 298,020 +0.80 │ ████████████", "income = <none> & 'unknown' -0.30", "█", "= -0.50 log-odds"],
    ),
    "model card": (ModelCard("m1", "AUC 0.71", (("rows", "234"),), ("few cases",)), ["AUC 0.71", "234", "few cases"]),
    "choice": (Choice("Which year?", (Option("granted", "Loans granted in 1996?"),)), ["Which year?", "granted"]),
    "text": (Text("Two & two < five."), ["Two & two < five."]),
    "approval": (Approval("a1", "upload", {"rows": 2}, (("cost", "2.00 EUR"),)), ["upload", "2.00 EUR", "a1"]),
    "code": (CodeCell("x = a < b\n", "One step"), ["One step", "x = a < b"]),
}


@pytest.mark.parametrize("name", ARTIFACTS)
def test_every_result_says_itself_on_github(name: str) -> None:
    """Its sanitiser leaves no style, script, class or id; a picture stays one."""
    artifact, expected = ARTIFACTS[name]
    left = shown(alone(artifact) if not isinstance(artifact, CodeCell) else artifact._repr_mimebundle_())
    for text in expected:
        assert text in words(left)
    if name == "chart":
        data = re.search(r"base64,([^\"]+)", left)
        assert data is not None
        assert b64decode(data[1]).startswith(b"\x89PNG")
    assert "style=" not in left


@pytest.mark.parametrize("name", ARTIFACTS)
def test_every_result_has_text_and_runs_no_script(name: str) -> None:
    artifact, _ = ARTIFACTS[name]
    bundle = alone(artifact) if not isinstance(artifact, CodeCell) else artifact._repr_mimebundle_()
    assert bundle["text/plain"].strip()
    html = bundle.get("text/html", "")
    assert not re.search(r"<script|<iframe|<link|\son\w+=|javascript:", html)
    assert not re.search(r"""(src|href)=["']?https?:""", html)


def test_the_north_star_is_whole_on_github(north_star: Run) -> None:
    page = " ".join(shown(b) for b in bundles(north_star))
    said = words(page)
    assert "SYNTHETIC" in said
    assert page.count("<img src=") == len(north_star.of(Chart))
    for attribution in north_star.of(Attribution)[:10]:
        assert attribution.case in said
        first = attribution.reasons[0]
        assert f"{first.feature} = {first.value} {first.contribution:+.2f}" in said
    for cell in north_star.cells:
        assert " ".join(cell.source.split())[:200] in said


def test_bars_and_code_have_a_fixed_width_where_the_page_gives_none(north_star: Run) -> None:
    """An exported page takes the font of `pre` away."""
    blocks = re.findall(r"<pre[^>]*>", "".join(b.get("text/html", "") for b in bundles(north_star)))
    assert len(blocks) == 10 + len(north_star.cells)
    assert all("font-family:monospace" in block for block in blocks)


def test_what_lab_reads_of_a_run_has_its_sources_once(north_star: Run) -> None:
    """The extension takes them from the HTML beside it; see labextension/src/bundle.ts."""
    foot = bundles(north_star)[-1]
    listed = [unescape(p) for p in re.findall(r"<pre[^>]*>([^\0]*?)</pre>", foot["text/html"])]
    assert listed == [c.source for c in north_star.cells]
    assert [c["title"] for c in foot[RUN]["cells"]] == [c.title for c in north_star.cells]
    assert "import pandas" not in str(foot[RUN])


def test_the_same_question_leaves_the_same_outputs(bank: Any) -> None:
    """So that a re-run makes no difference in version control."""
    left = []
    for _ in range(2):
        session = Session(bank, namespace={})
        left.append(bundles(session.ask("How many loans are there per status?")))
        session.close()
    assert left[0] == left[1]


def test_outputs_read_line_by_line_in_a_diff(north_star: Run, saved: Callable[..., str]) -> None:
    """Beside pictures a line is a row, a fact or a line of code."""
    html = [b["text/html"] for b in bundles(north_star) if "text/html" in b]
    assert max(len(line) for h in html for line in h.splitlines()) < 3_000


def test_an_export_to_html_has_everything(north_star: Run, saved: Callable[..., str], tmp_path: Path) -> None:
    page = exported(saved(bundles(north_star)))
    assert north_star.answer.split(".")[0] in words(page)
    assert page.count("data:image/png;base64,") >= len(north_star.of(Chart))
    for cell in north_star.cells:
        assert " ".join(cell.source.split())[:200] in words(page)
    (tmp_path / "north_star.html").write_text(page, encoding="utf-8")


def exported(notebook: str) -> str:
    """Return a notebook as nbconvert's HTML page, with everything in it."""
    from nbconvert import HTMLExporter
    from nbformat import reads

    page, _ = HTMLExporter(embed_images=True).from_notebook_node(reads(notebook, as_version=4))
    return page
