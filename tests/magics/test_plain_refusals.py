"""What `%lexsi` says of options and numbers that it can't take, and how much code it prints where nothing folds."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Table
from lexsi_nb.errors import BadData
from lexsi_nb.magics.body import BadOption


def test_a_seed_that_is_no_number_is_refused_in_words(ip):
    with pytest.raises(BadOption) as found:
        ip.run_cell_magic("lexsi", "--seed x", "how many loans")
    assert str(found.value).startswith("--seed takes a whole number, and 'x' is none.")


def test_a_choice_that_is_none_names_those_there_are(ip):
    with pytest.raises(BadOption) as found:
        ip.run_cell_magic("lexsi", "--replay sometimes", "how many loans")
    assert str(found.value).startswith("--replay has no choice 'sometimes'. There are: auto, only, off.")


def test_a_reading_is_chosen_by_its_number(ip):
    with pytest.raises(BadData) as found:
        ip.run_line_magic("lexsi", "choose x")
    assert "no question was put back" in str(found.value)


def test_long_code_is_cut_in_text_and_whole_in_html():
    from lexsi_nb.artifacts import stamped
    from lexsi_nb.widgets.bundle import alone

    table = Table(pd.DataFrame({"a": [1]}), title="t", name="t")
    source = "\n".join(f"x{n} = {n}" for n in range(60))
    made = alone(stamped(table, synthetic=False, cell=CodeCell(source)))
    assert "x5 = 5" in made["text/plain"]
    assert "x50 = 50" not in made["text/plain"]
    assert "more lines; %lexsi show" in made["text/plain"]
    assert "x50 = 50" in made["text/html"]
