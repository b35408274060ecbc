"""What every live widget holds to: replies, state, its form on the page, its bundle."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, ClassVar

import pytest

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.errors import BadData
from lexsi_nb.widgets.live.base import Answer, LiveWidget
from lexsi_nb.widgets.live.offer import LIVE, VIEW, offered
from lexsi_nb.widgets.live.wire import STATIC, connected


class Counter(LiveWidget):
    """A number that can be raised."""

    kind: ClassVar[str] = "counter"

    def __init__(self) -> None:
        super().__init__("Counter", value=0)

    def cell(self) -> CodeCell:
        return CodeCell(f"value = {self.state['value']}\n", "The value")

    def static(self) -> dict[str, Any]:
        return {"text/html": f"<b>{self.state['value']}</b>", "text/plain": str(self.state["value"])}

    def answers(self) -> dict[str, Answer]:
        return {**super().answers(), "raise": self._raise}

    def _raise(self, content: Any) -> dict[str, Any]:
        if content["by"] < 0:
            raise BadData("A counter is only raised.")
        self.update(value=self.state["value"] + content["by"])
        return {"value": self.state["value"]}


class Shell:
    """A kernel's shell of a frontend that sends cell ids."""

    def __init__(self, **names: Any) -> None:
        self.user_ns = names

    def get_parent(self) -> dict[str, Any]:
        return {"metadata": {"cellId": "a"}}


def test_a_request_is_answered_under_its_id_and_changes_the_state() -> None:
    counter = Counter()
    reply = counter.receive({"id": "7", "request": "raise", "content": {"by": 3}})
    assert reply == {"id": "7", "reply": {"value": 3}}
    assert counter.state == {"title": "Counter", "code": True, "value": 3}
    assert counter.receive({"id": "8", "request": "code"}) == {
        "id": "8",
        "reply": {"title": "The value", "source": "value = 3\n"},
    }


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"id": "1", "request": "raise", "content": {"by": -1}}, "A counter is only raised."),
        ({"id": "1", "request": "fly"}, "This widget has no 'fly'."),
        ({"id": "1", "request": "raise"}, "That did not work: KeyError: 'by'"),
        ({"id": "1"}, "That did not work: KeyError"),
    ],
)
def test_what_goes_wrong_is_a_reply_too(message: dict[str, Any], said: str) -> None:
    reply = Counter().receive(message)
    assert reply["id"] == "1"
    assert reply["error"].startswith(said)


def test_a_message_of_another_shape_gets_a_reply() -> None:
    assert "error" in Counter().receive("nonsense")


def test_the_page_hears_of_new_state_and_its_messages_are_answered() -> None:
    counter = Counter()
    wire = connected(counter)
    assert connected(counter) is wire
    sent: list[Any] = []
    wire.send = sent.append
    wire._handle_custom_msg({"id": "1", "request": "raise", "content": {"by": 2}}, [])
    assert sent == [{"id": "1", "reply": {"value": 2}}]
    assert wire.state["value"] == 2


def test_messages_of_the_page_go_to_the_shell_that_the_page_names() -> None:
    from ipykernel.comm.comm import BaseComm

    from lexsi_nb.widgets.live.wire import answer_beside

    class Sent(BaseComm):
        def publish_msg(self, *args: Any, **options: Any) -> None:
            self._reply_subshell_id = None  # as after a message from the main shell

    comm = Sent(target_name="x")
    answer_beside(comm)
    assert comm._reply_subshell_for({}, "beside") == "beside"
    answer_beside(object())


def test_a_widget_without_a_cell_has_no_show_code() -> None:
    class Bare(LiveWidget):
        kind: ClassVar[str] = "bare"

    assert Bare("x").state == {"title": "x", "code": False}
    assert "error" in Bare("x").receive({"id": "1", "request": "code"})


@pytest.mark.parametrize("environment", ["headless", "terminal", "script"])
def test_where_nobody_can_click_only_the_static_form_is_shown(environment: str) -> None:
    assert offered(Counter(), environment=environment) == {"text/html": "<b>0</b>", "text/plain": "0"}


@pytest.mark.parametrize(
    ("names", "wanted", "other"),
    [({}, LIVE, VIEW), ({"__vsc_ipynb_file__": "/a.ipynb"}, VIEW, LIVE)],
    ids=["lab", "vs code"],
)
def test_the_live_form_stands_beside_the_static_one(
    names: dict[str, str], wanted: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexsi_nb.kernel.frontends.shell_now", lambda: Shell(**names))
    counter = Counter()
    made = offered(counter, environment="notebook")
    assert made[wanted]["model_id"] == connected(counter).model_id
    assert other not in made
    assert (made["text/html"], made["text/plain"]) == ("<b>0</b>", "0")


def test_without_the_widget_libraries_the_static_form_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexsi_nb.widgets.live.wire.find_spec", lambda name: None)
    assert set(offered(Counter(), environment="notebook")) == {"text/html", "text/plain"}


def test_an_exported_notebook_shows_the_static_form(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbconvert import HTMLExporter

    for names in ({}, {"__vsc_ipynb_file__": "/a.ipynb"}):
        monkeypatch.setattr("lexsi_nb.kernel.frontends.shell_now", lambda names=names: Shell(**names))
        output = nbformat.v4.new_output("display_data", data=offered(Counter(), environment="notebook"))
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[output])])
        nbformat.validate(notebook)
        page, _ = HTMLExporter().from_notebook_node(notebook)
        assert "<b>0</b>" in page
        assert "model_id" not in page


def test_ten_widgets_of_a_run_save_under_100_kb() -> None:
    wires = [connected(Counter()) for _ in range(10)]
    from ipywidgets import Widget

    assert all(w.layout is None for w in wires)  # a second model for each otherwise
    held = Widget.get_manager_state(widgets=wires, drop_defaults=True)
    import lexsi_nb.widgets.live.wire as wire

    bundle = Widget.get_manager_state(widgets=wire._holding, drop_defaults=True)
    assert len({w.held for w in wires}) == 1
    assert len(json.dumps(held)) + len(json.dumps(bundle)) < 100_000


def test_the_bundle_is_small_in_short_lines_and_fetches_nothing() -> None:
    sources = {name: (STATIC / name).read_text(encoding="utf-8") for name in ("live.js", "loader.js")}
    assert len(sources["live.js"].encode()) < 40_000
    assert len(sources["loader.js"].encode()) < 2_000
    for source in sources.values():
        assert max(map(len, source.splitlines())) < 400
        assert "http" not in source
        assert "fetch(" not in source


def test_the_bundle_is_what_its_sources_build(project_root: Path, tmp_path: Path) -> None:
    if shutil.which("node") is None or not (project_root / "node_modules" / "esbuild").is_dir():
        pytest.skip("Node or esbuild is not there; run: make live")
    folder = project_root / "labextension" / "live"
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=folder, check=True, timeout=120)
    for name in ("live.js", "loader.js"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (STATIC / name).read_text(encoding="utf-8"), (
            f"{name} is not what labextension/live/src builds; run: make live"
        )


def test_a_frame_of_2000_columns_sends_a_few_of_them_and_finds_the_others() -> None:
    import numpy as np
    import pandas as pd

    from lexsi_nb.widgets.live.table import LiveTable

    frame = pd.DataFrame(np.zeros((50_000, 2_000), dtype="int8"), columns=[f"column_{i}" for i in range(2_000)])
    table = LiveTable(frame)
    assert len(json.dumps(table.state)) < 20_000
    assert table.state["wide"] is True
    table.receive({"id": "1", "request": "page", "content": {"names": "_1999"}})
    assert [c["name"] for c in table.state["columns"]] == ["column_1999"]
    assert table.state["page"]["rows"][0]["cells"] == ["0"]


def test_a_column_has_as_many_decimals_in_every_row() -> None:
    import pandas as pd

    from lexsi_nb.widgets.live.table import LiveTable

    frame = pd.DataFrame(
        {"id": [1, 2, 3, 4], "score": [1.0, 0.995, 0.00004, None], "sum": [298020.0, 11828.25, 3.0, 0.0]}
    )
    cells = [row["cells"] for row in LiveTable(frame).state["page"]["rows"]]
    assert [c[1] for c in cells] == ["1.000", "0.995", "4e-05", ""]
    assert [c[2] for c in cells] == ["298,020.0", "11,828.2", "3.0", "0.0"]
