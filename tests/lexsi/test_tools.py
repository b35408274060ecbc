"""Private columns stay here, whatever they are called by then; the account's commands."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from lexsi_nb.modeling.lexsi import connectors
from lexsi_nb.modeling.lexsi.connectors import Credentials
from lexsi_nb.modeling.lexsi.failures import PlatformFailed
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from tests.lexsi_server.platform import Project

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


# -- many cases, one bad case, the account's commands

ALL = ("train_tabular_model", "predict", "explain_prediction", "explain_model")


def test_one_case_that_cannot_be_explained_leaves_the_others(server: Any, session_on: Any, frames: Any) -> None:
    bad, *others = [str(i) for i in frames["new"]["loan_id"].head(4)]
    server.faults.bad_case = bad
    session, run = ask(
        session_on, frames, TRAIN, NEW, call("explain_prediction", case_ids=[bad, *others]), approve=ALL
    )  # fmt: skip
    assert [s.status for s in run.steps][:3] == ["ok", "ok", "ok"], run.answer
    failures = session.cache["last_xai_failures"]
    assert [str(f["case_id"]) for f in failures] == [bad]
    assert f"Explanation of {bad} failed" in failures[0]["error"]
    assert [str(x["case_id"]) for x in session.cache["last_xai"]] == others


def test_similar_cases_and_summaries_of_the_platform_stand_beside_ours(
    server: Any, session_on: Any, frames: Any
) -> None:
    explain = call("explain_prediction", top_k=2, include_similar=True, include_summary=True)
    session, run = ask(session_on, frames, TRAIN, NEW, explain, approve=ALL)
    assert [s.status for s in run.steps][:3] == ["ok", "ok", "ok"], run.answer
    records = session.cache["last_xai"]
    assert [len(x["platform_similar"]) for x in records] == [3, 3]
    assert set(records[0]["platform_similar"][0]) >= {"loan_id", "x", "word"}
    assert all(x["platform_summary"] == f"What the platform says about case {x['case_id']}." for x in records)


def test_what_moves_all_scores_asks_for_a_part_of_many_cases(server: Any, session_on: Any, frames: Any) -> None:
    many = frames["new"].loc[frames["new"].index.repeat(5)].reset_index(drop=True)
    many["loan_id"] = range(50_000, 50_000 + len(many))
    told = call("explain_model", df_label="new")
    _, run = ask(session_on, {**frames, "new": many}, TRAIN, NEW, told, approve=ALL)
    assert [s.status for s in run.steps][:3] == ["ok", "ok", "ok"], run.answer
    asked = {s.body["unique_identifier"] for s in server.to("v2/ai-models/get_case_info_components")}
    assert 100 <= len(asked) <= 105


def test_cleanup_deletes_what_this_session_made_and_nothing_else(server: Any, session_on: Any, frames: Any) -> None:
    session, _ = ask(session_on, frames, TRAIN)
    account = session.backend().account
    server.platform.projects["mine"] = Project("mine", "my own project", "lexsi-nb_1", "tabular")

    def run(act: Any) -> Any:
        return account.calls.run(act, "cleaning", tick=lambda *_: None, cancelled=lambda: False)

    assert len(run(account.ours)) == 1
    with pytest.raises(PlatformFailed, match="my own project was not made by a run"):
        run(lambda: account.clean(["my own project"]))
    gone, kept = run(lambda: account.clean([]))
    assert (len(gone), kept) == (1, [])
    assert list(server.platform.projects) == ["mine"]


@pytest.mark.parametrize("organization", ["personal", "Acme"])
def test_the_commands_list_projects_and_connectors_of_runs_and_delete_them(
    server: Any, ip: Any, capsys: pytest.CaptureFixture[str], organization: str
) -> None:
    ip.run_line_magic("lexsi", f"backend lexsi --organization {organization}")
    ip.run_line_magic("lexsi", "lexsi projects")
    assert capsys.readouterr().out.endswith("Runs have left no project there.\n")
    account = ip.magics_manager.registry["LexsiMagics"].session.backend().account
    given = Credentials("us-east-1", "AKIAQQQQQQQQQQQQQQQQ", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY")

    def made() -> None:
        account.project("agentclass0123abcd", "classification")
        connectors.register(account, given)

    account.calls.run(made, "a test", tick=lambda *_: None, cancelled=lambda: False)
    ip.run_line_magic("lexsi", "lexsi projects")
    lines = capsys.readouterr().out.splitlines()
    assert "agentclass0123abcd" in lines
    assert lines[-1] == f"{given.connector}  (connector)"
    ip.run_line_magic("lexsi", "lexsi cleanup")
    said = capsys.readouterr().out
    assert given.connector in said
    assert "agentclass0123abcd" in said
    assert (server.platform.connectors, server.platform.projects) == ({}, {})
