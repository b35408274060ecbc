"""The code cells alone, in a fresh interpreter where lexsi_nb cannot be imported, give the same as the run did."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest

from lexsi_nb.artifacts.results import Chart
from tests.chart_specs import plain

BAN = """
import sys
class Ban:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "lexsi_nb":
            raise ImportError("lexsi_nb is not installed here")
sys.meta_path.insert(0, Ban())
"""

SAVE = """
import pathlib, json
_out = pathlib.Path(sys.argv[1])
for _name in {frames!r}:
    globals()[_name].to_pickle(_out / (_name + ".pkl"))
for _name in {charts!r}:
    (_out / (_name + ".json")).write_text(json.dumps(globals()[_name].to_dict(format="vega-lite")))
"""


def alone(run, folder) -> None:
    """Run the cells of `run` one after another in a new interpreter and save what they bind."""
    frames = [v.name for v in run.variables if "DataFrame" in v.shape]
    charts = [name for c in run.cells if c.kind == "chart" for name in c.produces]
    parts = [BAN, *(c.source for c in run.cells), SAVE.format(frames=frames, charts=charts)]
    script = folder / "cells.py"
    script.write_text("\n\n".join(parts))
    done = subprocess.run(
        [sys.executable, "-I", str(script), str(folder)], capture_output=True, text=True, cwd=folder, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]


def check(run, session, folder) -> None:
    alone(run, folder)
    seen = 0
    for variable in run.variables:
        if "DataFrame" not in variable.shape:
            continue
        mine, theirs = session.namespace[variable.name], pd.read_pickle(folder / f"{variable.name}.pkl")
        tolerance = 1e-9 if variable.name != "attributions" else 1e-6
        pd.testing.assert_frame_equal(mine, theirs, check_exact=False, rtol=0, atol=tolerance, obj=variable.name)
        seen += 1
    assert seen >= 6
    charts = [c for c in run.cells if c.kind == "chart"]
    for cell, chart in zip(charts, run.of(Chart), strict=True):
        drawn = json.loads((folder / f"{cell.produces[0]}.json").read_text())
        assert plain(drawn) == plain(chart.spec), cell.title


def test_bank_cells_alone_give_the_same(bank_run, bank_session, tmp_path):
    assert bank_run.status == "answered", bank_run.answer
    check(bank_run, bank_session, tmp_path)


def test_real_cells_alone_give_the_same(berka_run, berka_session, tmp_path):
    check(berka_run, berka_session, tmp_path)


@pytest.mark.parametrize("word", ["lexsi", "lx."])
def test_no_cell_mentions_us(bank_run, word):
    for cell in bank_run.cells:
        lines = [x for x in cell.source.splitlines() if "lexsi-nb/bank" not in x and "DATA = " not in x]
        assert word not in "\n".join(lines), cell.title


def test_an_exported_notebook_has_the_same_cells(bank_run, tmp_path):
    import nbformat

    notebook = nbformat.read(bank_run.export(tmp_path / "analysis.ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert [c.source for c in notebook.cells if c.cell_type == "code"] == [c.source for c in bank_run.cells]
