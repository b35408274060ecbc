"""A question about frames on the platform; also in a process of its own: `asks_again.py FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

ACTS = ("train_tabular_model", "predict", "explain_prediction")


def ask(folder: Path) -> dict[str, Any]:
    """Return (status, summary) of each step and the frames that were made of FOLDER's known.pkl and new.pkl."""
    lines = [
        call("train_tabular_model", df_label="known", target_column="bad", entity_column="loan_id"),
        call("predict", df_label="new"),
        call("explain_prediction", top_k=2),
        say("done"),
    ]
    namespace = {name: pd.read_pickle(folder / f"{name}.pkl") for name in ("known", "new")}
    session = Session(backend="lexsi", namespace=namespace, planner=ScriptedPlanner(lines), replay="off")
    run = session.ask("Who goes bad?", approve=ACTS)
    session.close()
    frames = {n: session.namespace[n] for n in ("predictions", "attributions") if n in session.namespace}
    return {"steps": [[s.status, s.summary] for s in run.steps if s.tool in ACTS], **frames}


if __name__ == "__main__":
    here = Path(sys.argv[1])
    found = ask(here)
    for frame in ("predictions", "attributions"):
        found.pop(frame).to_pickle(here / f"{frame}.pkl")
    (here / "said.json").write_text(json.dumps(found))
