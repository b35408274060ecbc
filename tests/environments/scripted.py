"""Put into the folder of a kernel: runs that are planned, so that a test says what happens in them."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np
import pandas as pd
from IPython.core.getipython import get_ipython
from IPython.display import display

import lexsi_nb as lx
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

outside: list[Any] = []  # addresses beyond this machine that something here looked up or connected to


def _heard(event: str, args: tuple[Any, ...]) -> None:
    address = args[1] if event == "socket.connect" else args[:1] if event == "socket.getaddrinfo" else ()
    local = ("127.0.0.1", "::1", "localhost", "", None)
    if isinstance(address, tuple) and address and address[0] not in local:
        outside.append(address)


os.environ.pop("LEXSI_NB_OFFLINE", None)  # nothing of ours holds back what would be asked
sys.addaudithook(_heard)
uploaded: list[int] = []
draw = np.random.default_rng(3)
known = pd.DataFrame({"case": range(150), "debt": draw.normal(size=150), "kind": draw.choice(["a", "b"], 150)})
known["bad"] = (known["debt"] + draw.normal(size=150) > 0.5).astype(int)
opened = known.drop(columns="bad").assign(case=range(150, 300))
trips = pd.DataFrame({"trip_id": [1, 2], "dep_delay": [1.0, 5.0], "arr_delay": [10.0, 50.0]})
RANK = (
    call("train_tabular_model", df_label="known", target_column="bad", entity_column="case"),
    call("predict", df_label="opened", top_k=5),
    say("Ranked."),
)


@lx.tool
def forever() -> str:
    """Wait."""
    display({"text/plain": "the tool waits"}, raw=True)
    while True:
        time.sleep(0.05)


@lx.tool(side_effect="irreversible")
def upload(frame: str, ctx: lx.ContextRef) -> str:
    """Upload a frame.

    Args:
        frame: Label of the frame.
    """
    uploaded.append(len(ctx.frame(frame)))
    return "uploaded"


def plan(*lines: Any) -> None:
    """Have the next questions of the notebook decided so; nothing for the planner on this machine."""
    session: Any = get_ipython()._lexsi_magics.session  # type: ignore[union-attr]
    vars(session).pop("planner", None)
    if lines:
        planner = ScriptedPlanner(list(lines))
        session.planner = lambda: planner


for tool in (forever, upload):
    get_ipython()._lexsi_magics.session.add_tool(tool)  # type: ignore[union-attr]
