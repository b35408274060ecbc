"""The hooks on real cells: registered once, removed on unload."""

from __future__ import annotations

import atexit
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.kernel import events
from lexsi_nb.kernel.variables import Variables

MAKE = CodeCell("import pandas as pd\nt = pd.DataFrame({'a': [1, 2]})\nu = t.sum() / 3\n", produces=("t", "u"))


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    config = Config()
    config.HistoryManager.enabled = False
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=config)
    yield made
    events.unregister(made)
    made.atexit_operations()
    atexit.unregister(made.atexit_operations)
    InteractiveShell.clear_instance()


@pytest.fixture
def variables(shell: InteractiveShell) -> Variables:
    made = Variables(shell.user_ns)
    events.register(shell, made)
    return made


def hooks(shell: Any) -> list[str]:
    found = [h for name in ("pre_run_cell", "post_run_cell") for h in shell.events.callbacks[name]]
    return [h.__name__ for h in found if isinstance(getattr(h, "__self__", None), events.CellEvents)]


def emit(variables: Variables) -> str:
    made = MAKE.run({})
    with variables.handle("r", question_key="q").step(2, producer="run_sql") as step:
        name = step.write("t", made["t"], cell=MAKE).name
        step.write("u", made["u"], cell=MAKE)
    variables.register_cells([MAKE], run_id="r", question_key="q")
    return name


def test_run_all_twice_in_a_real_shell(shell: InteractiveShell, variables: Variables) -> None:
    for _ in range(2):
        assert emit(variables) == "t"
        shell.run_cell(MAKE.source)
        assert variables.bound("t") is not None
    assert "t_2" not in shell.user_ns


def test_a_users_cell_takes_the_name(shell: InteractiveShell, variables: Variables) -> None:
    emit(variables)
    shell.run_cell("t = 5")
    assert variables.bound("t") is None
    assert emit(variables) == "t_2"


def test_an_in_place_edit_in_a_cell_is_seen(shell: InteractiveShell, variables: Variables) -> None:
    emit(variables)
    shell.run_cell("t.loc[0, 'a'] = 7")
    assert {r.name: r.state for r in variables.listing()} == {"t": "edited", "u": "fresh"}


def test_a_cell_of_ours_that_failed_half_way_keeps_what_it_made_ours(
    shell: InteractiveShell, variables: Variables, capsys: pytest.CaptureFixture[str]
) -> None:
    emit(variables)
    failing = CodeCell("t = pd.DataFrame({'a': [3]})\nu = nothing_there\n", produces=("t", "u"))
    variables.register_cells([failing], run_id="r", question_key="q")
    shell.run_cell("import pandas as pd")
    shell.run_cell(failing.source)
    assert variables.bound("t") is not None
    assert shell.user_ns["t"]["a"].tolist() == [3]


def test_loading_twice_leaves_one_hook_and_unloading_none(shell: InteractiveShell, variables: Variables) -> None:
    events.register(shell, variables)
    events.register(shell, Variables(shell.user_ns))
    assert hooks(shell) == ["pre_run_cell", "post_run_cell"]
    assert events.unregister(shell)
    assert hooks(shell) == []
    assert not events.unregister(shell)


def test_loading_from_inside_a_cell_is_quiet(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    made = Variables(shell.user_ns)
    shell.user_ns["load"] = lambda: events.register(shell, made)
    shell.run_cell("load()")
    shell.run_cell("load()")
    out = capsys.readouterr()
    assert "Error" not in out.out + out.err
    assert hooks(shell) == ["pre_run_cell", "post_run_cell"]


def test_importing_the_part_loads_nothing_heavy() -> None:
    code = (
        "import sys, pkgutil, importlib, lexsi_nb.kernel as k\n"
        "for m in pkgutil.iter_modules(k.__path__): importlib.import_module(f'lexsi_nb.kernel.{m.name}')\n"
        "heavy = {'numpy', 'pandas', 'polars', 'pyarrow', 'duckdb', 'lightgbm', 'altair', 'pydantic', 'IPython'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "from lexsi_nb.kernel.variables import Variables\n"
        "v = Variables({'x': 1, 'open': open})\n"
        "v.write('n', [1, 2]); v.frames(); v.listing(); v.stale()\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(p for p in sys.path if p)},
    )
    assert done.returncode == 0, done.stderr
