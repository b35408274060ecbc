"""What a person clicks in VS Code and Colab, and in Lab without our extension, message by message.

The first two draw live widgets by ipywidgets; a view there sends what a view in a browser sends.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.environments.conftest import Kernel, Reply, colab, kernels, vs_code

VIEW = "application/vnd.jupyter.widget-view+json"
LIVE = "application/vnd.lexsi.live+json"
ASK = "%%lexsi\n"


@pytest.fixture(
    scope="module",
    params=[
        "vs code",
        "colab",
        pytest.param("vs code, ipykernel 6", marks=pytest.mark.slow),
        pytest.param("colab, ipykernel 6", marks=pytest.mark.slow),
    ],
)
def kernel(
    request: pytest.FixtureRequest, project_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kernel]:
    """A kernel of VS Code or of Colab in which runs can be planned, and which has ranked cases."""
    frontend, _, old = request.param.partition(", ")
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copy(Path(__file__).with_name("scripted.py"), folder / "scripted.py")
    before = request.getfixturevalue("ipykernel_6") if old else None
    with kernels(folder, project_root) as start:
        kernel = vs_code(start, before) if frontend == "vs code" else colab(start, folder, before)
        loaded = kernel.run("%run -i scripted.py\nplan(*RANK)")
        assert loaded.status == "ok", loaded.error
        yield kernel


@pytest.fixture(scope="module")
def ranking(kernel: Kernel) -> Reply:
    """The output of a question that ranks cases."""
    return kernel.run(f"{ASK}Which cases end badly?")


def widget(reply: Reply) -> str:
    """Return the model of the one live widget that a cell shows, by ipywidgets and beside its static form."""
    # An open question and an approval stop Run All by an error of one line.
    assert reply.status == "ok" or reply.error.startswith("RunStopped: "), reply.error
    shown = [o for o in reply.outputs if VIEW in o]
    assert len(shown) == 1
    assert not any(LIVE in o for o in reply.outputs), "no extension of ours is there to draw it"
    assert "<script" not in shown[0]["text/html"]
    assert shown[0]["text/plain"].strip()
    return shown[0][VIEW]["model_id"]


def test_a_row_is_explained_by_a_click(kernel: Kernel, ranking: Reply) -> None:
    model = widget(ranking)
    place = kernel.models[model]["state"]["page"]["rows"][1]["place"]
    reply = kernel.click(model, "explain", places=[place])["reply"]
    assert "log-odds" in reply["html"]
    assert reply["sentence"].startswith("What moved the score of case ")
    assert kernel.click(model, "page", sort={"column": 0, "descending": True})["reply"] == {}
    assert kernel.wait_for(model)["page"]["rows"][0]["name"] == "299"


def test_a_value_is_changed_by_a_click(kernel: Kernel, ranking: Reply) -> None:
    model = widget(kernel.run("%lexsi whatif 151"))
    reply = kernel.click(model, "change", feature="debt", value="3")["reply"]
    assert "with 1 other value" in reply["sentence"]
    assert "(+0." in reply["sentence"]
    assert kernel.wait_for(model, changed=1)["sentence"] == reply["sentence"]
    assert "SQL" not in kernel.click(model, "change", feature="debt", value="much")["error"]
    assert 'what_if["debt"] = 3' in kernel.click(model, "code")["reply"]["source"]


def test_pictures_of_scores_are_switched_by_a_click(kernel: Kernel, ranking: Reply) -> None:
    model = widget(kernel.run("%lexsi shap"))
    assert "debt" in kernel.click(model, "show", plot="dependence", feature="debt")["reply"]["sentence"]
    assert kernel.wait_for(model, plot="dependence")["feature"] == "debt"
    assert len(kernel.click(model, "picture", dark=True)["reply"]["png"]) > 1000


def test_a_question_is_run_with_another_value_by_a_click(kernel: Kernel) -> None:
    kernel.run("plan()\nregion = 'N'")
    asked = kernel.run("%%lexsi --params region\nHow many orders are there in region {region}?")
    assert "region N: 5." in asked.said
    model = widget(kernel.run("%lexsi controls"))
    assert "region S: 3." in kernel.click(model, "run", values={"region": "S"})["reply"]["answer"]
    assert kernel.run("print(region)").text == "N\n"


def test_a_reading_is_taken_by_a_click(kernel: Kernel) -> None:
    kernel.run("plan()")
    model = widget(kernel.run("%%lexsi --frames trips\naverage delay"))
    kernel.click(model, "take", number=2, keep=False)
    assert kernel.wait_for(model, phase="done")["said"].startswith("Reading 2 taken ")


def test_an_approval_is_given_by_a_click_and_acts_once(kernel: Kernel) -> None:
    kernel.run("plan(call('upload', frame='orders'), say('Uploaded.'))\nuploaded.clear()")
    model = widget(kernel.run(f"{ASK}Upload the orders."))
    assert kernel.run("print(uploaded)").text == "[]\n"
    for _ in range(2):
        kernel.click(model, "approve")
    assert "It ran; the answer is below." in kernel.wait_for(model, phase="done")["said"]
    assert kernel.run("print(uploaded)").text == "[9]\n"


def test_a_call_is_declined_by_a_click(kernel: Kernel) -> None:
    kernel.run("plan(call('upload', frame='orders'), say('Not uploaded.'))\nuploaded.clear()")
    model = widget(kernel.run(f"{ASK}Upload the orders again."))
    kernel.click(model, "decline", reason="not today")
    assert ": not today. It did not run" in kernel.wait_for(model, phase="done")["said"]
    assert kernel.run("print(uploaded)").text == "[]\n"


def test_an_interrupt_ends_the_question_and_progress_has_no_stop(kernel: Kernel) -> None:
    kernel.run("plan(call('forever'), say('x'))")
    reply = kernel.run(f"{ASK}Wait.", interrupt_at="1 Forever")
    assert reply.said.strip().startswith("Stopped by you at step 1 (Forever). Kept: nothing.")
    assert (reply.status, reply.error) == ("error", "")
    assert not any(m.get("kind") == "progress" for m in kernel.models.values()), "a click would not be heard"
    assert kernel.run("print('goes on')").text == "goes on\n"


def test_a_page_of_many_rows_comes_from_beside_the_cells(kernel: Kernel) -> None:
    table = "from lexsi_nb.widgets.live.table import LiveTable\nLiveTable(pd.DataFrame({'a': range(300_000)}))"
    model = widget(kernel.run(table))
    assert kernel.click(model, "page", sort={"column": 0, "descending": True}, offset=150_000)["reply"] == {}
    assert kernel.wait_for(model)["page"]["rows"][0]["cells"] == ["149,999"]


def test_tab_completes_options_columns_and_what_a_command_takes(kernel: Kernel, ranking: Reply) -> None:
    assert kernel.complete("%%lexsi --da") == ["--data"]
    assert "amount" in kernel.complete("%%lexsi\nwhich orders have the largest am")
    assert kernel.complete("%lexsi whatif 151 de") == ["debt="]
    assert kernel.complete("%lexsi shap bee") == ["beeswarm"]


def test_no_request_leaves_the_kernel(kernel: Kernel, ranking: Reply) -> None:
    widget(kernel.run("%lexsi shap"))
    assert kernel.run("print(outside)").text == "[]\n"
    # What is heard would be heard of us, too.
    heard = (
        "import socket\ntry:\n    socket.getaddrinfo('lexsi.invalid', 443)\nexcept OSError:\n    print(outside.pop())"
    )
    assert kernel.run(heard).text == "('lexsi.invalid',)\n"


def test_a_saved_notebook_has_the_static_form(kernel: Kernel, ranking: Reply) -> None:
    import nbformat.v4 as v4
    from nbconvert import HTMLExporter

    replies = [ranking, *(kernel.run(f"%lexsi {line}") for line in ("whatif 151 debt=3", "shap"))]
    outputs: list[Any] = [v4.new_output("display_data", data=o) for reply in replies for o in reply.outputs]
    page, _ = HTMLExporter().from_notebook_node(v4.new_notebook(cells=[v4.new_code_cell("", outputs=outputs)]))
    for shown in ("Ranked.", "case", "with 1 other value", "<img"):
        assert shown in page
    assert "model_id" not in page
