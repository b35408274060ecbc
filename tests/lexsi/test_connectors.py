"""`connect_datalake` on the platform: a connector with the keys, the files read by this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.data import s3 as buckets
from lexsi_nb.modeling.lexsi.connectors import Credentials
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

ID, SECRET = "AKIAQQQQQQQQQQQQQQQQ", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
KEYS = {"aws_access_key_id": ID, "aws_secret_access_key": SECRET}
LAKE = {"bucket": "lake", "prefix": "raw", "files": ["cards.csv"]}
COUNT = call("run_sql", sql="SELECT count(*) AS n FROM cards", label="n")
NAME = Credentials("us-east-1", ID, SECRET).connector
ROUTES = [f"v2/linkservices/{r}" for r in ("list", "create", "list", "test_connection")]


@pytest.fixture
def lake(s3: tuple[str, Any], monkeypatch: pytest.MonkeyPatch) -> str:
    """A bucket with a file, where AWS would be."""
    address, system = s3
    system.create_dir("lake")
    with system.open_output_stream("lake/raw/cards.csv") as out:
        out.write(b"card_id,loan_id\n1,10\n2,20\n")
    real = buckets._address
    monkeypatch.setattr(buckets, "_address", lambda url: real(url or address))
    return address


@pytest.fixture
def play(server: Any, session_on: Any) -> Any:
    """Return a function that plays calls in one run on the platform and returns (session, run)."""

    def run(*lines: Any, options: str = "", approve: tuple[str, ...] = ("connect_datalake",)) -> Any:
        planner = ScriptedPlanner([*lines, say("done")])
        namespace = {"loans": pd.DataFrame({"loan_id": [10]})}
        session = session_on(f"lexsi {options}".strip(), namespace=namespace, planner=planner)
        return session, session.ask("q", approve=approve)

    return run


def to_connectors(server: Any) -> list[str]:
    return [s.path for s in server.seen if "linkservices" in s.path]


def everything(folder: Path) -> bytes:
    return b"".join(f.read_bytes() for f in folder.rglob("*") if f.is_file())


@pytest.mark.parametrize("options", ["--organization Acme", ""])
def test_a_connector_is_made_tested_and_the_files_are_read_here(
    lake: str, server: Any, play: Any, state_folder: Path, options: str
) -> None:
    session, run = play(call("connect_datalake", **LAKE, **KEYS), COUNT, options=options)
    assert [s.status for s in run.steps] == ["ok", "ok"], run.answer
    summary = run.steps[0].summary
    assert f"Connector {NAME}. It was made at Lexsi. Its test says: Connection successful." in summary
    assert "read by this machine: no call of Lexsi returns them. Views: cards." in summary
    assert session.namespace["n"].n[0] == 2
    owner = "o1" if options else "agentlakesconnects_internal"
    held = server.platform.connectors[owner, NAME]
    assert (held["access_key"], held["secret_key"], held["region"]) == (ID, SECRET, "us-east-1")
    assert to_connectors(server) == ROUTES
    # The keys travel in the one request that is there for them, and stand in nothing that is shown or kept.
    carrying = [s.path for s in server.seen if SECRET in repr(s.body) or SECRET in repr(s.query)]
    assert carrying == ["v2/linkservices/create"]
    noted = [e.body for e in session.sent.entries if "link_service" in e.body]
    assert len(noted) == 1
    assert noted[0].count("[secret]") == 2
    shown = repr(run) + run.answer + summary + repr(session.sent.entries) + "".join(c.source for c in run.cells)
    shown += repr(session.backend().account) + repr(session.backend().carries("r", ID, SECRET, "", ""))
    assert SECRET not in shown
    assert ID not in shown
    kept = everything(state_folder)
    assert NAME.encode() in kept
    assert SECRET.encode() not in kept


def test_the_name_is_of_the_keys_and_region_and_a_connector_is_made_once(lake: str, server: Any, play: Any) -> None:
    again = call("connect_datalake", **LAKE, **KEYS)
    other = call("connect_datalake", **{**LAKE, "files": None}, **KEYS)
    _, run = play(again, other, COUNT)
    assert [s.status for s in run.steps] == ["ok", "ok", "ok"], run.answer
    assert "It stood already at Lexsi." in run.steps[1].summary
    assert len(server.to("v2/linkservices/create")) == 1
    assert len(server.to("v2/linkservices/test_connection")) == 2
    assert Credentials("eu-west-1", ID, SECRET).connector != NAME
    assert NAME.isalnum()
    assert ID not in NAME


def test_a_person_is_told_that_the_keys_go_to_lexsi(lake: str, server: Any, play: Any) -> None:
    session, run = play(call("connect_datalake", **LAKE, **KEYS), approve=())
    assert (run.status, server.seen, session.sent.entries) == ("awaiting_approval", [], [])
    shown = dict(run.approval.effect)
    assert shown["goes to"].endswith(f"the keys: Lexsi at {server.url}, organisation personal, workspace lexsi-nb")
    assert "the AWS key id and secret key are sent to Lexsi at" in shown["note"]
    assert SECRET not in repr(shown)
    run.resume(approve=True)
    assert run.steps[0].status == "ok", run.steps[0].summary
    assert len(server.platform.connectors) == 1


@pytest.mark.parametrize(
    ("more", "env", "why"),
    [
        ({**KEYS, "session_token": "FwoGZXIvYXdzTOKEN"}, {}, "no session token"),
        ({**KEYS, "endpoint_url": "http://127.0.0.1:1"}, {}, "no address of another service"),
        (KEYS, {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "no address of another service"),
        ({}, {}, "neither arguments, profile nor environment"),
        ({}, {"AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": "T" * 12}, "no session"),
    ],
)
def test_what_a_connector_cannot_carry_is_refused_before_anybody_is_asked(
    lake: str, server: Any, play: Any, monkeypatch: pytest.MonkeyPatch, more: Any, env: dict[str, str], why: str
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    session, run = play(call("connect_datalake", **LAKE, **more), approve=())
    assert run.steps[0].status != "ok"
    assert why in run.steps[0].summary
    assert "%lexsi backend embedded" in run.steps[0].summary
    assert (server.seen, session.sent.entries) == ([], [])


def test_a_profile_is_carried_where_its_keys_are_lasting_ones(
    lake: str, server: Any, play: Any, tmp_path: Path
) -> None:
    file = tmp_path / "aws" / "credentials"
    file.parent.mkdir()
    pair = f"aws_access_key_id = {ID}\naws_secret_access_key = {SECRET}\n"
    file.write_text(f"[lasting]\n{pair}[passing]\n{pair}aws_session_token = FwoGZXIvYXdzTOKEN\n")
    lasting, passing = (call("connect_datalake", **LAKE, profile=p) for p in ("lasting", "passing"))
    _, run = play(passing)
    assert run.steps[0].status == "failed"
    assert "no session token" in run.steps[0].summary
    assert server.seen == []
    _, run = play(lasting)
    assert run.steps[0].status == "ok", run.steps[0].summary
    assert len(server.platform.connectors) == 1


def test_a_bucket_that_cannot_be_read_hands_no_keys_on(lake: str, server: Any, play: Any) -> None:
    _, run = play(call("connect_datalake", bucket="lake", files=["nowhere.csv"], **KEYS))
    assert run.steps[0].status == "failed"
    assert server.seen == []


@pytest.mark.parametrize("fault", ["connector_not_made", "connector_fails"])
def test_a_connector_that_does_not_work_is_no_success_and_leaves_nothing(
    lake: str, server: Any, play: Any, fault: str
) -> None:
    setattr(server.faults, fault, True)
    session, run = play(call("connect_datalake", **LAKE, **KEYS))
    assert run.steps[0].status == "failed"
    assert NAME in run.steps[0].summary
    assert SECRET not in run.steps[0].summary
    assert ("The keys were refused" if fault == "connector_not_made" else "does not open") in run.steps[0].summary
    assert server.platform.connectors == {}
    assert session.backend().account.connectors == []


def test_cleanup_deletes_connectors_too(lake: str, server: Any, play: Any) -> None:
    session, _ = play(call("connect_datalake", **LAKE, **KEYS), options="--organization Acme")
    account = session.backend().account

    def clean(*names: str) -> Any:
        act = lambda: account.clean(list(names))  # noqa: E731
        return account.calls.run(act, "cleaning", tick=lambda *_: None, cancelled=lambda: False)

    assert clean() == ([NAME], [])
    assert server.platform.connectors == {}
    gone, kept = clean(NAME)
    assert gone == []
    assert "no such connector" in kept[0]


def test_q14_rows_of_a_connected_bucket_go_up_from_the_frame_that_was_shown(
    lake: str, s3: tuple[str, Any], server: Any, play: Any, frames: dict[str, pd.DataFrame]
) -> None:
    with s3[1].open_output_stream("lake/raw/known.csv") as out:
        out.write(frames["known"].drop(columns="Prediction").to_csv(index=False).encode())
    _, run = play(
        call("connect_datalake", **{**LAKE, "files": ["known.csv"]}, **KEYS),
        call("run_sql", sql="SELECT loan_id, x, word, bad FROM known ORDER BY loan_id", label="shown"),
        call("train_tabular_model", df_label="shown", target_column="bad", entity_column="loan_id"),
        approve=("connect_datalake", "train_tabular_model"),
    )
    assert [s.status for s in run.steps] == ["ok", "ok", "ok"], run.answer
    assert [s.path for s in server.seen if "uploadfile_with_linkservices" in s.path] == []
    sent = server.to("v2/project/uploadfile_with_info")[0].body
    assert sent.split(b"\r\n\r\n", 1)[1].splitlines()[0] == b"loan_id,x,word,bad"
