"""Every Python snippet of README and docs runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FOUND = [
    pytest.param(match.group(1), id=f"{path.name}:{path.read_text()[: match.start()].count(chr(10)) + 1}")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for match in SNIPPET.finditer(path.read_text())
]


@pytest.mark.parametrize("source", FOUND)
def test_snippet_runs(source: str, bank, tmp_path):
    done = subprocess.run([sys.executable, "-c", source], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


def test_there_are_snippets():
    assert len(FOUND) >= 3
