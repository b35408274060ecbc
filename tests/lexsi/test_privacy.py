"""Private columns stay here, whatever they are called by then; the account's commands."""

from __future__ import annotations

from typing import Any

import pandas as pd

from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

TRAIN = call("train_tabular_model", df_label="known", target_column="bad", entity_column="loan_id")
NEW = call("predict", df_label="new")


def ask(
    session_on: Any,
    frames: dict[str, pd.DataFrame],
    *lines: Any,
    approve: Any = ("train_tabular_model", "predict"),
    **more: Any,
) -> Any:
    session = session_on("lexsi", namespace=dict(frames), planner=ScriptedPlanner([*lines, say("done")]), **more)
    return session, session.ask("q", approve=approve)


def test_a_private_column_is_no_feature_and_is_not_sent(server: Any, session_on: Any, frames: Any) -> None:
    _, run = ask(session_on, frames, TRAIN, NEW, policy={"level": "rows", "private": ["known.z"]})
    assert [s.status for s in run.steps][:2] == ["ok", "ok"], run.answer
    bodies = [s.body for s in server.to("v2/project/uploadfile_with_info")]
    heads = [b.split(b"\r\n\r\n", 1)[1].splitlines()[0] for b in bodies]
    assert heads == [b"loan_id,x,word,bad", b"loan_id,x,word", b"loan_id,x,word"]
    assert "z: private by the data policy; it does not leave this machine" in run.steps[0].summary


def test_a_private_id_stops_the_training_before_anything_is_sent(server: Any, session_on: Any, frames: Any) -> None:
    _, run = ask(session_on, frames, TRAIN, policy={"level": "rows", "private": ["loan_id"]})
    assert run.steps[0].status == "failed"
    assert "loan_id is private" in run.steps[0].summary
    assert server.seen == []
