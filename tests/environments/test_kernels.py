"""The kernel's side of VS Code, Colab, Lab without our extension and runs without a person, message by message."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.environments.conftest import Kernel, Reply, Start, colab, vs_code

QUESTION = "How many orders are there per region?"


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


def test_lab_without_the_extension_falls_back_and_says_so_once(start: Start) -> None:
    check_fallback(start())


def test_vs_code_falls_back_and_is_told_nothing_of_lab(start: Start) -> None:
    kernel = vs_code(start)
    first = kernel.run(f"%%lexsi\n{QUESTION}", "a")
    check_answer(first)
    opened = [c["target_name"] for r in (kernel.loaded, first) if r is not None for c in r.comms.values()]
    assert "lexsi_nb" not in opened, "it would answer that it knows no such comm"
    assert "Jupyter server" not in first.said
    assert first.said.count("said once") == 1
    assert len(kernel.run("%lexsi insert", "b").next_input) == 1


FORMS = {
    "%lexsi whatif 151 debt=3": "with 1 other value",
    "%lexsi shap": "What moved 150 scores",
    "%lexsi controls": "region",
}


def planned(start: Start, folder: Path, *, cells: bool) -> Kernel:
    """Return a kernel that has ranked cases and answered a question with a parameter."""
    shutil.copy(Path(__file__).with_name("scripted.py"), folder / "scripted.py")
    kernel = start(cells=cells)
    for source in (
        "%run -i scripted.py\nplan(*RANK)", "%%lexsi\nWhich cases end badly?", "plan()\nregion = 'N'",
        "%%lexsi --params region\nHow many orders are there in region {region}?",
    ):  # fmt: skip
        done = kernel.run(source)
        assert done.status == "ok", done.error
    return kernel


def test_lab_without_the_extension_has_the_static_form_of_each_widget(start: Start, tmp_path: Path) -> None:
    """The live form is for our extension alone, so that Lab shows what stands beside it."""
    kernel = planned(start, tmp_path, cells=True)
    kernel.run("plan(*RANK[:2], call('explain_prediction', top_k=5), say('Ranked.'))")
    ranked = kernel.run("%%lexsi\nWhich cases end badly?")
    [table] = [o for o in ranked.outputs if "application/vnd.lexsi.live+json" in o]
    folded = re.findall(r"<summary aria-label=\"Explain (\d+)\"[^>]*>Explain</summary><pre", table["text/html"])
    assert len(set(folded)) == 5, "each row unfolds what moved its score"
    kernel.run("plan()")
    for source, words in FORMS.items():
        [output] = kernel.run(source).outputs
        assert output["application/vnd.lexsi.live+json"]["model_id"]
        assert "application/vnd.jupyter.widget-view+json" not in output
        assert "<script" not in output["text/html"]
        assert words in output["text/plain"]
        assert "region" not in words or "5" in output["text/html"]
    choice = kernel.run("%%lexsi --frames trips\naverage delay")
    assert "(2) mean arr_delay of trips: 30\n      ask: " in choice.said
    assert "30" in kernel.run("%lexsi choose 2").said
    kernel.run("plan(call('upload', frame='orders'), say('Uploaded.'))")
    card = kernel.run("%%lexsi\nUpload the orders.")
    [id] = re.findall(r"%lexsi approve (\w+)", card.said)[:1]
    assert kernel.run(f"%lexsi approve {id}").status == "ok"
    assert kernel.run("print(uploaded)").text == "[9]\n"


def test_an_interrupt_in_lab_without_the_extension(start: Start, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("scripted.py"), tmp_path / "scripted.py")
    kernel = start()
    kernel.run("%run -i scripted.py\nplan(call('forever'), say('x'))")
    reply = kernel.run("%%lexsi\nWait.", interrupt_at="1 Forever")
    assert reply.said.strip() == "Stopped by you at step 1 (Forever). Kept: nothing. Run the cell again to ask again."
    assert (reply.status, reply.error) == ("error", ""), "cells queued behind it end, and no red box says it again"
    assert not any(m.get("kind") == "progress" for m in kernel.models.values()), "nothing would draw its Stop"
    assert kernel.run("print('goes on')").text == "goes on\n"


def test_stop_by_the_page_in_a_kernel_that_hears_no_click(start: Start, ipykernel_6: Path, tmp_path: Path) -> None:
    """The page draws progress by itself, and its *Stop* interrupts the kernel: no comm is heard beside the cell."""
    shutil.copy(Path(__file__).with_name("scripted.py"), tmp_path / "scripted.py")
    kernel = start(before=ipykernel_6, closes_comms=False)
    assert kernel.run("import ipykernel\nprint(ipykernel.__version__)").text.startswith("6.")
    kernel.run("%run -i scripted.py\nplan(call('forever'), say('x'))")
    reply = kernel.run("%%lexsi\nWait.", interrupt_at="application/vnd.lexsi.progress+json")
    assert reply.said.strip() == "Stopped by you at step 1 (Forever). Kept: nothing. Run the cell again to ask again."
    assert (reply.status, reply.error) == ("error", "")
    assert kernel.run("print('goes on')").text == "goes on\n"


def test_without_a_person_each_form_is_static_and_no_request_leaves(start: Start, tmp_path: Path) -> None:
    kernel = planned(start, tmp_path, cells=False)
    for source, words in FORMS.items():
        [output] = kernel.run(source).outputs
        assert {"text/html", "text/plain"} == set(output)
        assert words in output["text/plain"]
    choice = kernel.run("%%lexsi --frames trips\naverage delay")
    assert "more than one way" in choice.error
    assert kernel.models == {}
    assert kernel.run("print(outside)").text == "[]\n"


def test_an_interrupt_without_a_person(start: Start, tmp_path: Path) -> None:
    """As nbclient does it at the end of its time."""
    shutil.copy(Path(__file__).with_name("scripted.py"), tmp_path / "scripted.py")
    kernel = start(cells=False)
    kernel.run("%run -i scripted.py\nplan(call('forever'), say('x'))")
    reply = kernel.run("%%lexsi\nWait.", interrupt_at="the tool waits")
    assert reply.error.startswith("RunInterrupted: Stopped at step 1 (Forever). Kept: nothing."), "nobody stopped it"
    assert kernel.run("print('goes on')").text == "goes on\n"


@pytest.mark.slow
def test_vs_code_with_ipykernel_6(start: Start, ipykernel_6: Path) -> None:
    kernel = vs_code(start, ipykernel_6)
    assert kernel.run("import ipykernel; print(ipykernel.__version__)").text.startswith("6.")
    check_fallback(kernel)


def test_colab_falls_back_without_cell_ids(start: Start, tmp_path: Path) -> None:
    check_fallback(colab(start, tmp_path))


@pytest.mark.slow
def test_colab_with_ipykernel_6(start: Start, tmp_path: Path, ipykernel_6: Path) -> None:
    kernel = colab(start, tmp_path, ipykernel_6)
    assert kernel.run("import ipykernel; print(ipykernel.__version__)").text.startswith("6.")
    check_fallback(kernel)


@pytest.mark.slow
def test_ipykernel_6_waits_for_no_extension(start: Start, ipykernel_6: Path) -> None:
    """It handles no message beside a running cell, so a greeting cannot come; nothing may wait for one."""
    kernel = start(before=ipykernel_6)
    kernel.run(f"%%lexsi\n{QUESTION}")  # loads libraries
    timed = kernel.run(
        "import time\nbegun = time.monotonic()\nget_ipython().run_cell_magic('lexsi', '', "
        f"{QUESTION!r})\nprint('took', time.monotonic() - begun)"
    )
    assert timed.status == "ok"
    assert float(timed.text.split("took")[-1]) < 5


def test_a_run_without_a_person_inserts_nothing_and_makes_no_widget(start: Start) -> None:
    kernel = start(cells=False)
    reply = kernel.run(f"%%lexsi --cells insert\n{QUESTION}")
    check_answer(reply)
    assert reply.next_input == []
    assert "nobody sits" in reply.said
    assert reply.comms == {}
    assert not reply.kinds & {"update_display_data", "clear_output"}, "nbval takes neither"


@pytest.mark.slow
def test_a_run_without_a_person_on_ipykernel_6(start: Start, ipykernel_6: Path) -> None:
    kernel = start(before=ipykernel_6, cells=False)
    assert kernel.run("import ipykernel; print(ipykernel.__version__)").text.startswith("6.")
    reply = kernel.run(f"%%lexsi --cells insert\n{QUESTION}")
    check_answer(reply)
    assert (reply.next_input, reply.comms) == ([], {})


def test_what_a_run_saves_stays_below_100_kb(start: Start, bank: Any) -> None:
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

    once = sum(len(str(states[i]["source"]).encode()) for i in code)
    a_run = size({i: s for i, s in states.items() if i not in code})
    print(f"a run {a_run:,} bytes, of them widgets {a_run - size({}):,}; once a notebook {once:,}")
    assert len(code) == 1
    assert a_run < 100_000
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
