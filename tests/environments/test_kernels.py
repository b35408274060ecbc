"""The kernel's side of VS Code, Colab, Lab without our extension and runs without a person, message by message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.environments.conftest import Kernel, Reply

QUESTION = "How many orders are there per region?"
START = Callable[..., "Kernel"]
# Colab's own shell, as far as it matters here: a subclass of ipykernel's in google.colab._shell.
COLAB_SHELL = "from ipykernel.zmqshell import ZMQInteractiveShell\n\n\nclass Shell(ZMQInteractiveShell):\n    pass\n"
COLAB_KERNEL = """from ipykernel.ipkernel import IPythonKernel
from traitlets import Type

from google.colab._shell import Shell


class ColabKernel(IPythonKernel):
    shell_class = Type(Shell)
"""


def colab(start: START, folder: Path, before: Path | None = None) -> Kernel:
    package = folder / "google" / "colab"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "_shell.py").write_text(COLAB_SHELL)
    (package / "_kernel.py").write_text(COLAB_KERNEL)
    kernel_class = "--IPKernelApp.kernel_class=google.colab._kernel.ColabKernel"
    return start(before=before, cells=False, options=[kernel_class])


def vs_code(start: START, before: Path | None = None) -> Kernel:
    return start(before=before, setup="__vsc_ipynb_file__ = '/home/me/a.ipynb'")


def check_answer(reply: Reply) -> None:
    assert reply.status == "ok", reply.error
    assert all(o.get("text/plain", "").strip() for o in reply.outputs), "every output has text"
    html = " ".join(o.get("text/html", "") for o in reply.outputs)
    assert "per region" in html or "by region" in html
    assert any("image/png" in o for o in reply.outputs), "the chart has a picture beside its spec"


def check_fallback(kernel: Kernel) -> None:
    """The first answer says once how to get the code, which comes as one cell and not again."""
    first = kernel.run(f"%%lexsi\n{QUESTION}", "a")
    check_answer(first)
    assert first.next_input == [], "nothing is inserted unasked"
    second = kernel.run(f"%%lexsi --cells insert\n{QUESTION}", "b")
    third = kernel.run(f"%%lexsi\n{QUESTION}", "c")
    told = [r.said.count("said once") for r in (first, second, third)]
    assert sum(told) == 1, told
    assert len(second.next_input) == 1
    source = second.next_input[0]
    assert "import pandas" in source or "import duckdb" in source
    assert "lexsi" not in source
    alone = kernel.run(source)
    assert alone.status == "ok", alone.error


def test_lab_without_the_extension_falls_back_and_says_so_once(start: START) -> None:
    check_fallback(start())


def test_vs_code_falls_back_and_is_told_nothing_of_lab(start: START) -> None:
    kernel = vs_code(start)
    first = kernel.run(f"%%lexsi\n{QUESTION}", "a")
    check_answer(first)
    opened = [c["target_name"] for r in (kernel.loaded, first) if r is not None for c in r.comms.values()]
    assert "lexsi_nb" not in opened, "it would answer that it knows no such comm"
    assert "Jupyter server" not in first.said
    assert first.said.count("said once") == 1
    assert len(kernel.run("%lexsi insert", "b").next_input) == 1


@pytest.mark.slow
def test_vs_code_with_ipykernel_6(start: START, ipykernel_6: Path) -> None:
    kernel = vs_code(start, ipykernel_6)
    assert kernel.run("import ipykernel; print(ipykernel.__version__)").text.startswith("6.")
    check_fallback(kernel)


def test_colab_falls_back_without_cell_ids(start: START, tmp_path: Path) -> None:
    check_fallback(colab(start, tmp_path))


@pytest.mark.slow
def test_colab_with_ipykernel_6(start: START, tmp_path: Path, ipykernel_6: Path) -> None:
    kernel = colab(start, tmp_path, ipykernel_6)
    assert kernel.run("import ipykernel; print(ipykernel.__version__)").text.startswith("6.")
    check_fallback(kernel)


@pytest.mark.slow
def test_ipykernel_6_waits_for_no_extension(start: START, ipykernel_6: Path) -> None:
    """It handles no message beside a running cell, so a greeting cannot come; nothing may wait for one."""
    kernel = start(before=ipykernel_6)
    kernel.run(f"%%lexsi\n{QUESTION}")  # loads libraries
    timed = kernel.run(
        "import time\nbegun = time.monotonic()\nget_ipython().run_cell_magic('lexsi', '', "
        f"{QUESTION!r})\nprint('took', time.monotonic() - begun)"
    )
    assert timed.status == "ok"
    assert float(timed.text.split("took")[-1]) < 5


def test_a_run_without_a_person_inserts_nothing_and_makes_no_widget(start: START) -> None:
    kernel = start(cells=False)
    reply = kernel.run(f"%%lexsi --cells insert\n{QUESTION}")
    check_answer(reply)
    assert reply.next_input == []
    assert "nobody sits" in reply.said
    assert reply.comms == {}
    assert not reply.kinds & {"update_display_data", "clear_output"}, "nbval takes neither"


def test_what_a_run_saves_stays_below_95_kb(start: START, bank: Any) -> None:
    """Outputs, their metadata and the state of the widgets, as Lab saves them; the widgets' code comes once a file."""
    import nbformat.v4 as v4
    from nbformat import writes

    from lexsi_nb.__main__ import QUESTION as NORTH_STAR

    reply = start().run(f"%%lexsi --data bank\n{NORTH_STAR}")
    assert reply.status == "ok", reply.error
    assert any("Explain" in o.get("text/html", "") for o in reply.outputs)
    outputs = [
        v4.new_output("display_data", data=o, metadata=m) for o, m in zip(reply.outputs, reply.metadata, strict=True)
    ]
    states = {i: c["data"].get("state", {}) for i, c in reply.comms.items() if c["target_name"] == "jupyter.widget"}
    code = [i for i, s in states.items() if "source" in s]

    def size(kept: dict[str, Any]) -> int:
        state = {"application/vnd.jupyter.widget-state+json": {"state": kept, "version_major": 2, "version_minor": 0}}
        file = v4.new_notebook(cells=[v4.new_code_cell("", outputs=outputs)], metadata={"widgets": state})
        return len(writes(file).encode())

    once = sum(len(str(states[i])) for i in code)
    a_run = size({i: s for i, s in states.items() if i not in code})
    print(f"a run {a_run:,} bytes, of them widgets {a_run - size({}):,}; once a notebook {once:,}")
    assert len(code) == 1
    assert a_run < 95_000
    assert once < 40_000


def check_papermill(folder: Path, project_root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    import nbformat
    import nbformat.v4 as v4
    from papermill import execute_notebook

    cells = [
        v4.new_code_cell("region = 'N'", metadata={"tags": ["parameters"]}),
        v4.new_code_cell(
            "import pandas as pd\n%load_ext lexsi_nb\n"
            "orders = pd.DataFrame({'region': list('NNNNNSSSE'), 'amount': [float(i) for i in range(9)]})"
        ),
        v4.new_code_cell("%%lexsi --params region --into found\nHow many orders are there with region {region}?"),
        v4.new_code_cell("print('found', int(found.iloc[0, 0]))"),
    ]
    path = folder / "in.ipynb"
    spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(v4.new_notebook(cells=cells, metadata=spec), path)
    monkeypatch.setenv("PYTHONPATH", str(project_root))
    return execute_notebook(str(path), str(folder / "out.ipynb"), {"region": "S"}, progress_bar=False, cwd=str(folder))


@pytest.mark.filterwarnings("default")
def test_papermill_puts_its_parameters_into_the_question(
    tmp_path: Path, project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = check_papermill(tmp_path, project_root, monkeypatch)
    texts = "".join(o.get("text", "") for o in done.cells[-1].outputs)
    assert texts.strip() == "found 3"
