"""Progress with Stop: shown once a run takes long, stops it as an interrupt does, leaves nothing."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.agent.events import ToolFinished, ToolStarted
from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.kernel.frontends import ATTRIBUTE
from lexsi_nb.magics.progress import NotebookProgress, Progress, progress_of
from lexsi_nb.magics.stopping import PAGE, StoppableProgress
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.widgets.live.offer import LIVE
from lexsi_nb.widgets.live.run_progress import RunProgress
from lexsi_nb.widgets.live.wire import connected


class Shell:
    """A kernel's shell that an extension of Lab listens to."""

    def __init__(self, *, listens: bool = True, subshells: bool = True, **names: Any) -> None:
        self.user_ns = names
        self.kernel = SimpleNamespace(_supports_kernel_subshells=subshells)
        setattr(self, ATTRIBUTE, (lambda *_: None) if listens else None)

    def get_parent(self) -> dict[str, Any]:
        return {"metadata": {"cellId": "a"}, "header": {"msg_type": "execute_request"}}


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What stands in the output."""
    output: list[Any] = []
    monkeypatch.setattr("IPython.display.clear_output", lambda wait=False: output.clear())

    def display(data: Any, raw: bool, display_id: bool = False) -> Any:
        output.append(data)
        return SimpleNamespace(update=lambda data, raw: output.__setitem__(slice(None), [data]))

    monkeypatch.setattr("IPython.display.display", display)
    return output


def _under_way(shell: Any) -> StoppableProgress:
    """Return the progress of a run that has taken long already."""
    progress = StoppableProgress(shell, after=0)
    progress.start()
    assert progress._timer is not None
    progress._timer.join()
    return progress


def test_the_lines_follow_the_run_in_one_output_that_goes_away(shown: list[Any]) -> None:
    progress = _under_way(Shell())
    widget = progress.widget
    assert widget is not None
    wire = connected(widget)
    assert [b[LIVE]["model_id"] for b in shown] == [wire.model_id]
    progress.lines = ["1 run_sql, 0.2 s", "2 train_tabular_model"]
    progress.draw()
    assert wire.state["lines"] == ["Step 1: run_sql, 0.2 s", "Step 2: train_tabular_model"]
    assert len(shown) == 1
    progress.clear()
    assert shown == []
    assert (wire.comm, wire.layout, progress.widget) == (None, None, None)


def test_a_click_beside_the_busy_thread_interrupts_it(shown: list[Any]) -> None:
    progress = _under_way(Shell())
    widget = progress.widget
    assert widget is not None
    replies: list[Any] = []
    click = threading.Timer(0.05, lambda: replies.append(widget.receive({"id": "1", "request": "stop"})))
    click.start()
    with pytest.raises(KeyboardInterrupt):
        threading.Event().wait(30)
    click.join()
    assert replies == [{"id": "1", "reply": {}}]
    assert widget.state["stopping"] is True
    progress.clear()


def test_a_click_that_comes_after_the_run_interrupts_nothing(shown: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    interrupts: list[int] = []
    monkeypatch.setattr("lexsi_nb.magics.stopping.interrupt_cell", lambda: interrupts.append(1))
    progress = _under_way(Shell())
    widget = progress.widget
    assert widget is not None
    progress.clear()
    widget.receive({"id": "1", "request": "stop"})
    assert interrupts == []


def test_a_second_click_does_not_stop_again() -> None:
    stops: list[int] = []
    widget = RunProgress(["1 a < b"], lambda: stops.append(1))
    widget.receive({"id": "1", "request": "stop"})
    widget.receive({"id": "2", "request": "stop"})
    assert stops == [1]
    assert widget.static() == {"text/html": "<pre>Step 1: a &lt; b</pre>", "text/plain": "Step 1: a < b"}


def test_show_code_has_the_cells_of_the_steps_so_far() -> None:
    cells: list[CodeCell] = []
    widget = RunProgress(["1 run_sql"], lambda: None, cells=lambda: cells)
    asked = {"id": "1", "request": "code"}
    assert widget.state["code"] is True
    assert widget.receive(asked)["error"].startswith("No step has made code yet.")
    cells.append(CodeCell("x = 1\n", title="the rows"))
    cells.append(CodeCell("y = x + 1\n", title="their sum"))
    told = widget.receive(asked)["reply"]
    assert told["title"] == "2 cells so far"
    names: dict[str, Any] = {}
    exec(told["source"], names)
    assert names["y"] == 2


def test_a_session_tells_the_cells_of_the_run_under_way() -> None:
    seen: list[list[str]] = []
    frame = pd.DataFrame({"x": [1, 2]})
    planner = ScriptedPlanner([call("run_sql", sql="SELECT sum(x) AS s FROM frame", label="sums"), say("Done.")])
    session = lx.Session(planner=planner, namespace={"frame": frame})
    run = session.ask("sum", on_event=lambda _: seen.append([c.kind for c in session.cells_so_far()]))
    assert [c.kind for c in run.cells] == ["data", "sql"]
    assert seen[0] == []
    assert ["data", "sql"] in seen
    assert session.cells_so_far() == []
    session.close()


def test_the_step_under_way_has_a_clock_and_one_that_is_over_has_none() -> None:
    progress = Progress()
    progress.start()
    progress(ToolStarted("a", "wait", {}, 1))
    assert progress.begun is not None
    going = RunProgress(progress.lines, lambda: None, begun=progress.begun - 4).state
    assert (going["lines"], going["seconds"]) == (["Step 1: Wait"], pytest.approx(4, abs=2))
    progress(ToolFinished("a", "wait", "ok", "", 4.0, 1))
    over = RunProgress(progress.lines, lambda: None, begun=progress.begun).state
    assert (over["lines"], over["seconds"]) == (["Step 1: Wait, 4.0 s"], None)


@pytest.mark.parametrize(
    "shell",
    [Shell(listens=False), Shell(subshells=False), Shell(__vsc_ipynb_file__="/a.ipynb")],
    ids=["no extension", "ipykernel 6", "vs code"],
)
def test_where_no_click_would_be_heard_the_lines_show_as_text(shell: Shell, shown: list[Any]) -> None:
    progress = _under_way(shell)
    assert progress.widget is None
    (bundle,) = shown
    assert bundle["text/plain"] == "reading the question"
    # VS Code and Colab have stop buttons of their own, and no extension of ours.
    assert (PAGE in bundle) is ("__vsc_ipynb_file__" not in shell.user_ns)
    progress.lines = ["1 Train the model"]
    progress.draw()
    (bundle,) = shown
    assert bundle["text/plain"] == "1 Train the model"
    assert PAGE not in bundle or bundle[PAGE]["lines"] == ["Step 1: Train the model"]
    progress.clear()
    assert shown == []


def test_a_short_run_loads_no_widget_library(shown: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[int] = []
    monkeypatch.setattr("lexsi_nb.widgets.live.wire.load", lambda: loaded.append(1))
    progress = StoppableProgress(Shell(), after=60)
    progress.start()
    progress.clear()
    assert progress._timer is not None
    progress._timer.join(5)
    assert not progress._timer.is_alive()
    assert loaded == []


def test_a_run_that_ends_while_the_libraries_load_shows_no_widget(
    shown: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = StoppableProgress(Shell(), after=60)
    monkeypatch.setattr("lexsi_nb.widgets.live.wire.load", progress.clear)
    progress.start()
    progress._offer()
    assert progress.widget is None
    assert shown == []


def test_the_bundle_stays_only_for_widgets_that_stay(shown: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    import lexsi_nb.widgets.live.wire as wire

    monkeypatch.setattr(wire, "_holding", [])
    monkeypatch.setattr(wire, "_open", set())
    _under_way(Shell()).clear()
    assert wire._holding == []
    kept = RunProgress(["1 run_sql"], lambda: None)
    connected(kept)
    _under_way(Shell()).clear()
    assert len(wire._holding) == 1
    wire.close(kept)
    wire.close(kept)
    assert wire._holding == []


@pytest.mark.parametrize(
    ("environment", "widgets", "kind"),
    [
        ("lab-extension", "live", StoppableProgress),
        ("notebook", "live", StoppableProgress),
        ("lab-extension", "static", NotebookProgress),
        ("headless", "live", Progress),
        ("script", "live", Progress),
    ],
)
def test_stop_comes_where_a_person_sits_and_lets_widgets_be_live(environment: str, widgets: str, kind: type) -> None:
    magics: Any = SimpleNamespace(progress="auto", widgets=widgets, shell=Shell())
    assert type(progress_of(magics, environment)) is kind


def test_a_run_that_a_click_started_has_no_stop() -> None:
    class Clicked(Shell):
        def get_parent(self) -> dict[str, Any]:
            return {"header": {"msg_type": "comm_msg"}}

    magics: Any = SimpleNamespace(progress="auto", widgets="live", shell=Clicked())
    assert type(progress_of(magics, "lab-extension")) is NotebookProgress
