"""What a click comes to, message by message: in the outputs of the cell that asked, whichever frontend and kernel."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.widgets.record import KEY

if TYPE_CHECKING:
    from tests.environments.conftest import Kernel

START = Callable[..., "Kernel"]
SECONDS = 120
TRIPS = (
    "import pandas as pd\ntrips = pd.DataFrame({'trip_id': [1, 2], 'dep_delay': [1.0, 5.0], 'arr_delay': [10.0, 50.0]})"
)
VS_CODE = "__vsc_ipynb_file__ = '/home/me/a.ipynb'"


def check_choice(kernel: Kernel) -> list[dict[str, Any]]:
    """Take the second reading by a click, and return the outputs that the cell has then."""
    kernel.run("del orders")
    asked = kernel.run("%%lexsi average delay")
    assert "RunStopped" in asked.error
    (comm,) = [i for i, c in asked.comms.items() if c["data"].get("state", {}).get("kind") == "choice"]
    request = {"id": "1", "request": "take", "content": {"number": 2, "keep": False}}
    message = kernel.client.session.msg("comm_msg", {"comm_id": comm, "data": {"method": "custom", "content": request}})
    kernel.client.shell_channel.send(message)
    outputs: list[dict[str, Any]] = []
    kinds: list[str] = []
    end = time.monotonic() + SECONDS
    while not any(o["metadata"].get(KEY, {}).get("status") == "answered" for o in outputs):
        told = kernel.client.get_iopub_msg(timeout=max(0.1, end - time.monotonic()))
        # Not of the click: a frontend puts outputs into the cell whose message they belong to.
        if told["parent_header"].get("msg_type") == "execute_request" and told["msg_type"] not in (
            "status",
            "comm_msg",
        ):
            kinds.append(told["msg_type"])
            if told["msg_type"] == "display_data":
                outputs.append(told["content"])
    assert kinds[0] == "clear_output", "the line that the cell stopped with goes away"
    assert set(kinds[1:]) == {"display_data"}
    assert "->(2)" in outputs[0]["data"]["text/plain"]
    assert "(taken)" in outputs[0]["data"]["text/html"]
    assert any("30" in o["data"]["text/plain"] for o in outputs[1:])
    return outputs


def test_lab_shows_the_answer_of_a_click_in_the_cell_that_asked(start: START) -> None:
    outputs = check_choice(start(setup=TRIPS))
    assert "application/vnd.lexsi.live+json" in outputs[0]["data"]


def test_vs_code_shows_the_answer_of_a_click_in_the_cell_that_asked(start: START) -> None:
    outputs = check_choice(start(setup=f"{TRIPS}\n{VS_CODE}"))
    assert "application/vnd.jupyter.widget-view+json" in outputs[0]["data"]


@pytest.mark.slow
def test_ipykernel_6_shows_the_answer_of_a_click_in_the_cell_that_asked(start: START, ipykernel_6: Path) -> None:
    check_choice(start(setup=f"{TRIPS}\n{VS_CODE}", before=ipykernel_6))
