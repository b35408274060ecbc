"""IPython in a terminal: tables and bars of its width; plain text where nobody looks."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lexsi_nb.artifacts.results import Attribution, Reason
from lexsi_nb.widgets.terminal import bar_values, console_for, print_attribution

pexpect = pytest.importorskip("pexpect")
COLOUR = re.compile(r"\x1b\[(?:\d;)*[349]\d[0-9;]*m")  # bold and dim are no colours
MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
QUESTION = "How many orders are there per region?"
SETUP = [
    "import pandas as pd",
    "orders = pd.DataFrame({'order_id': range(9), 'region': list('NNNNNSSSE'), 'note': ['a long note ' * 9] * 9})",
    "%load_ext lexsi_nb",
]
Terminal = Callable[..., str]


@pytest.fixture
def terminal(tmp_path: Path, project_root: Path) -> Iterator[Terminal]:
    """A function that types lines into IPython in a terminal; returns what it showed, with its control characters."""
    running: list[Any] = []

    def type_in(*lines: str, width: int = 100, interrupt_at: str = "", **env: str) -> str:
        # The terminal library forks: where the tests of this process have threads, Python 3.12 warns.
        # A size of the terminal that the environment tells (pytest -n does) would go before that of this one.
        outer = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        child = pexpect.spawn(
            sys.executable,
            ["-m", "IPython", "--no-banner", "--simple-prompt", "--colors=nocolor", "--HistoryManager.enabled=False"],
            dimensions=(50, width),
            env={**outer, "TERM": "xterm-256color", "PYTHONPATH": str(project_root), **env},
            encoding="utf-8",
            timeout=120,
            cwd=str(tmp_path),
        )
        running.append(child)
        shown: list[str] = []
        for number, line in enumerate([*SETUP, *lines], 1):
            child.expect_exact(f"In [{number}]: ")
            shown.append(child.before)
            child.sendline(line)
        if interrupt_at:
            child.expect_exact(interrupt_at)
            shown.append(child.before + interrupt_at)
            child.sendintr()
        child.expect_exact(f"In [{len(SETUP) + len(lines) + 1}]: ")
        return "".join([*shown[len(SETUP) :], child.before])

    yield type_in
    for child in running:
        child.close(force=True)


def asked(question: str) -> str:
    """Return the line that asks, as one line: a terminal continues a cell magic on the next."""
    return f"get_ipython().run_cell_magic('lexsi', '', {question!r})"


def plain(shown: str) -> str:
    return MOVES.sub("", shown).replace("\r", "\n")


def test_an_answer_has_a_table_and_bars_in_colour(terminal: Terminal) -> None:
    shown = terminal(asked(QUESTION))
    text = plain(shown)
    assert re.search(r"N +5\b", text)
    assert re.search(r"N +5 +█{24}", text)
    assert re.search(r"E +1 +█{5}\s", text)
    assert "─" in text  # the rule under the table's head
    assert COLOUR.search(shown)
    assert "%lexsi insert in an empty cell puts them there" in " ".join(text.split())


@pytest.mark.parametrize("width", [60, 140])
def test_nothing_is_wider_than_the_terminal(terminal: Terminal, width: int) -> None:
    shown = plain(terminal(asked("List the orders with their notes."), width=width))
    # What the terminal echoes of the typed line is not ours.
    lines = shown[shown.index("Lists") if "Lists" in shown else shown.index("read as") :].splitlines()
    assert lines
    assert max(map(len, lines)) <= width


def test_no_colour_where_none_is_wanted(terminal: Terminal) -> None:
    assert not COLOUR.search(terminal(asked(QUESTION), NO_COLOR="1"))


def test_a_terminal_that_moves_no_cursor_gets_plain_text(terminal: Terminal) -> None:
    shown = terminal(asked(QUESTION), TERM="dumb")
    assert not MOVES.search(shown.replace("\x1b[K", ""))
    assert "█" not in shown
    assert re.search(r"N +5\b", shown)


def test_the_code_comes_as_the_next_input(terminal: Terminal) -> None:
    shown = plain(terminal(asked(QUESTION), "%lexsi insert"))
    assert "1 code cell inserted as one" in shown or "code cells inserted as one" in shown


SCRIPTED = Path(__file__).with_name("scripted.py")
RANKED = ["%run -i scripted.py", "plan(*RANK)", "get_ipython().run_cell_magic('lexsi', '', 'Which cases end badly?')"]


def test_ctrl_c_ends_the_question_and_the_terminal_goes_on(terminal: Terminal, tmp_path: Path) -> None:
    shutil.copy(SCRIPTED, tmp_path)
    plan = "%run -i scripted.py"
    shown = plain(terminal(plan, 'plan(call("forever"), say("x"))', asked("Wait."), interrupt_at="1 Forever"))
    assert "Stopped " in shown
    assert "Traceback" not in shown


def test_an_approval_is_given_by_a_command(terminal: Terminal, tmp_path: Path) -> None:
    shutil.copy(SCRIPTED, tmp_path)
    planned = 'plan(call("upload", frame="orders"), say("Uploaded."))'
    waiting = "id = get_ipython()._lexsi_magics.session.desk.waiting()[0][0].id"
    lines = [
        planned,
        asked("Upload."),
        waiting,
        "get_ipython().run_line_magic('lexsi', f'approve {id}')",
        "print('sent', uploaded)",
    ]
    shown = plain(terminal("%run -i scripted.py", *lines, width=200))
    assert "Approval" in shown
    assert "%lexsi approve" in shown
    assert "sent [9]" in shown


def test_a_what_if_is_a_table_of_values_with_how_to_change_them(terminal: Terminal, tmp_path: Path) -> None:
    shutil.copy(SCRIPTED, tmp_path)
    shown = plain(terminal(*RANKED, "%lexsi whatif 151", "%lexsi whatif 151 debt=3 kind=b", width=90))
    first, second = shown.split("with 2 other values")
    assert re.search(r"debt +-?\d\.\d+ +-\d\.\d+ to \d\.\d+", first)
    assert re.search(r"kind +[ab] +a, b", first)
    assert "%lexsi whatif 151 debt=" in first
    assert "lx.what_if(151).tried({" in first
    assert re.search(r"debt = \S+ +[+-]\d\.\d\d +█+", first)
    assert re.search(r"Score 0\.\d{3} \u2192 0\.\d{3} \([+-]0\.\d{3}\) $", first)
    assert re.search(r"debt +3 +-?\d\.\d+ +-\d", second)
    assert re.search(r"debt = 3\S* +-\d\.\d\d +\+\d\.\d\d +\+\d\.\d\d +█", second)


def test_a_reading_is_taken_by_a_command(terminal: Terminal) -> None:
    trips = 'trips = pd.DataFrame({"trip_id": [1, 2], "dep_delay": [1.0, 5.0], "arr_delay": [10.0, 50.0]})'
    ask = "get_ipython().run_cell_magic('lexsi', '--frames trips', 'average delay')"
    shown = plain(terminal(trips, ask, "%lexsi choose 2"))
    first, second = shown.rsplit("In [6]: ", 1) if "In [6]: " in shown else shown.split("%lexsi choose 2\n", 1)
    assert "mean arr_delay" in first
    assert re.search(r"\b30\b", second)


def test_pictures_of_scores_are_bars_and_strips(terminal: Terminal, tmp_path: Path) -> None:
    shutil.copy(SCRIPTED, tmp_path)
    shown = plain(terminal(*RANKED, "%lexsi shap", "%lexsi shap beeswarm", "%lexsi shap waterfall case=151"))
    assert re.search(r"debt +\d\.\d{3} +\d+% +█{12}", shown)
    assert re.search(r"debt +-\d\.\d\d +[+-]\d\.\d\d +\+\d\.\d\d +[ ░▒▓█]{20,}", shown)
    assert "What moved the score of case 151" in shown
    assert "%lexsi shap dependence feature=debt" in shown


def test_no_request_leaves_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    shutil.copy(SCRIPTED, tmp_path)
    assert "left []" in plain(terminal(*RANKED, "%lexsi whatif 151 debt=3", "print('left', outside)"))


def test_parameters_are_a_table_and_are_run_with_other_values(terminal: Terminal) -> None:
    ask = "get_ipython().run_cell_magic('lexsi', '--params region', 'How many orders are there in region {region}?')"
    shown = plain(
        terminal("region = 'N'", ask, "%lexsi controls", "%lexsi controls region=S", "print('still', region)")
    )
    shown = shown[shown.index("parameter") :]
    first, second = shown.split("still")[0].rsplit("parameter", 1)
    assert re.search(r"region +text +N\b", first)
    assert "%lexsi controls region=N" in first
    assert re.search(r"region +text +S\b", second)
    assert "region S: 3." in second
    assert "still N" in shown


def test_piped_output_is_plain(tmp_path: Path, project_root: Path) -> None:
    script = tmp_path / "ask.ipy"
    script.write_text("\n".join([*SETUP, asked(QUESTION)]))
    env = {**os.environ, "PYTHONPATH": str(project_root), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "IPython", "--colors=nocolor", str(script)]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert "\x1b" not in done.stdout
    assert "█" not in done.stdout
    assert re.search(r"N +5\b", done.stdout)


def test_piped_forms_are_plain(tmp_path: Path, project_root: Path) -> None:
    shutil.copy(SCRIPTED, tmp_path)
    script = tmp_path / "ask.ipy"
    lines = [
        *SETUP,
        "region = 'N'",
        "get_ipython().run_cell_magic('lexsi', '--params region', 'How many orders are there in region {region}?')",
        "%lexsi controls region=S",
        *RANKED,
        "%lexsi whatif 151 debt=3",
        "%lexsi shap",
    ]
    script.write_text("\n".join(lines))
    env = {**os.environ, "PYTHONPATH": str(project_root), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "IPython", "--colors=nocolor", str(script)]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert "\x1b" not in done.stdout
    assert "█" not in done.stdout
    assert re.search(r"^region +text +S$", done.stdout, re.MULTILINE)
    assert re.search(r"^debt +3 +-?\d\.\d+ +-\d", done.stdout, re.MULTILINE)
    assert re.search(r"^debt = 3\S* +-\d\.\d\d +\+\d\.\d\d +\+\d\.\d\d +\++$", done.stdout, re.MULTILINE)
    assert re.search(r"^debt +\d\.\d{3} +\d+% +\+{20}$", done.stdout, re.MULTILINE)


def test_contributions_stand_to_both_sides_of_a_middle() -> None:
    from rich.console import Console

    out = io.StringIO()
    reasons = (Reason("amount", "1,000", 0.8), Reason("income", "900", -0.4))
    print_attribution(Attribution("7", -1.0, -0.6, 0.35, reasons, entity="id"), Console(file=out, width=80))
    lines = out.getvalue().splitlines()
    assert lines[0] == "What moved the score of id 7"
    assert lines[1].rstrip() == "amount = 1,000  +0.80          ████████████"
    assert lines[2].rstrip() == "income = 900    -0.40  ██████"
    assert lines[3] == "model's starting point -1.00 + contributions 0.40 = -0.60 log-odds (score 0.350)"


@pytest.mark.parametrize(
    "change",
    [
        {"mark": "line"},
        {"encoding": {"x": {"field": "a"}, "y": {"aggregate": "count", "type": "quantitative"}}},
        {"data": {"values": [{"a": i, "b": i} for i in range(31)]}},
        {"data": {"values": [{"a": "x", "b": 1}, {"a": "x", "b": 2}]}},
        {"data": {"values": [{"a": "x", "b": None}]}},
        {"layer": [], "mark": None},
    ],
)
def test_only_plain_bar_charts_become_bars(change: dict[str, Any]) -> None:
    spec = {
        "mark": "bar",
        "encoding": {"x": {"field": "a"}, "y": {"field": "b", "type": "quantitative"}},
        "data": {"values": [{"a": "x", "b": 1}]},
    }
    assert bar_values(spec) == [("x", 1.0)]
    assert bar_values({**spec, **change}) == []


def test_a_stream_that_is_no_terminal_has_no_console() -> None:
    assert console_for(io.StringIO()) is None
