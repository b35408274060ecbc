"""`%lexsi reading without 'WORDS'` in a cell."""

from __future__ import annotations

import pandas as pd


def test_a_condition_is_dropped_in_a_cell(ip, capsys):
    ip.user_ns["kites"] = pd.DataFrame({"kite_id": range(1, 6), "colour": ["red", "blue", "red", "red", "blue"]})
    ip.run_cell("%%lexsi\nhow many kites with colour red")
    capsys.readouterr()
    ip.run_cell("%lexsi reading without 'colour red'")
    assert "Number of kites: 5." in capsys.readouterr().out
