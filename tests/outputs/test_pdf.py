"""An exported page as PDF, printed by Chromium, which is how nbconvert's webpdf makes one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest

from lexsi_nb.artifacts.results import Attribution, Chart
from lexsi_nb.magics.showing import bundles
from tests.outputs.test_never_blank import exported

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

pytestmark = pytest.mark.browser


def test_an_exported_page_prints_whole(
    north_star: Run, saved: Callable[..., str], tmp_path: Path, project_root: Path
) -> None:
    """What is folded on the page is whole on paper, with its numbers and reasons; picture and table are there."""
    from pypdf import PdfReader

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium; run: apt-get install chromium")
    page_file, pdf = tmp_path / "a.html", tmp_path / "a.pdf"
    page_file.write_text(exported(saved(bundles(north_star))), encoding="utf-8")
    # Every host is unknown: nbconvert's page asks for MathJax.
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
    options += [f"--user-data-dir={tmp_path / 'profile'}", "--no-pdf-header-footer", f"--print-to-pdf={pdf}"]
    subprocess.run([chromium, *options, page_file.as_uri()], check=True, capture_output=True, timeout=120)
    read = PdfReader(pdf)
    text = " ".join(" ".join(p.extract_text().split()) for p in read.pages)
    text = normalize("NFKC", text)  # fonts join some letters
    assert "SYNTHETIC" in text
    assert north_star.answer.split(".")[0] in text
    predictions = next(a.artifact.frame for a in north_star.artifacts if a.tool == "predict")
    for case in predictions.iloc[:10]["loan_id"]:
        assert str(case) in text
    for attribution in north_star.of(Attribution)[:10]:  # behind *Explain*
        for reason in attribution.reasons[:3]:
            assert f"{reason.feature} = {reason.value}" in text
            assert f"{reason.contribution:+.2f}" in text
    for said in ("question read as", "sent off this machine", "made with", f"run {north_star.id}"):  # behind the lines
        assert said in text
    assert sum(len(p.images) for p in read.pages) >= len(north_star.of(Chart))
