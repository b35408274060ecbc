"""The main job needs the core dependencies only: in a kernel without any optional library it still answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

OPTIONAL = "altair anywidget ipywidgets jupyterlab polars pydantic_ai lexsi_sdk shap sklearn xgboost".split()
WITHOUT = f"import sys\nfor name in {OPTIONAL!r}:\n    sys.modules[name] = None"
NORTH_STAR = (
    "%%lexsi --data bank\nFor loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)


@pytest.mark.parametrize(
    "question", ["%%lexsi --data bank\nHow many loans are there?", NORTH_STAR], ids=["count", "north star"]
)
def test_a_kernel_without_optional_libraries_answers(question: str, project_root: Path, bank_cache: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    sources = [WITHOUT, "%load_ext lexsi_nb", question]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    env = {**os.environ, "PYTHONPATH": str(project_root), "LEXSI_NB_CACHE": str(bank_cache), "OMP_NUM_THREADS": "2"}
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute(env=env)
    outputs = notebook.cells[-1].outputs
    assert any("SYNTHETIC" in output.get("data", {}).get("text/plain", "") for output in outputs)
