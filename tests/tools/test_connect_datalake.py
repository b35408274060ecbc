"""`connect_datalake`: other data in mid-run, local and from a bucket, asked for where they lie elsewhere."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.planners.scripted import call
from lexsi_nb.toolkit.declare import tool_of
from lexsi_nb.tools.connect_datalake import connect_datalake

ID, SECRET, TOKEN = "AKIAQQQQQQQQQQQQQQQQ", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY99", "FwoGZXIvYXdzEXAMPLETOKENTOKEN"
KEYS = {"aws_access_key_id": ID, "aws_secret_access_key": SECRET, "session_token": TOKEN}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two files, and a file outside of it."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "sales.csv").write_text("region,amount\nN,10\nS,20\n")
    pd.DataFrame({"region": ["N", "S"], "head": ["Ada", "Bo"]}).to_parquet(folder / "heads.parquet")
    (tmp_path / "outside.csv").write_text("x\n1\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def raw(s3: tuple[str, Any]) -> str:
    address, system = s3
    system.create_dir("lake")
    with system.open_output_stream("lake/raw/cards.csv") as out:
        out.write(b"card_id,loan_id\n1,10\n2,20\n")
    return address


LOANS = {"loans": pd.DataFrame({"loan_id": [10, 20, 30], "amount": [1.0, 2.0, 3.0]})}


def test_arguments_and_defaults_are_those_of_the_reference() -> None:
    schema = tool_of(connect_datalake).schema.definition("x", "anthropic")["input_schema"]["properties"]
    names = ("kind", "bucket", "prefix", "region", "aws_access_key_id", "aws_secret_access_key", "files")
    assert set(names) <= set(schema)
    assert (schema["kind"]["default"], schema["prefix"]["default"], schema["region"]["default"]) == (
        "s3",
        "",
        "us-east-1",
    )


def test_files_below_the_working_folder_are_bound_without_asking(here: Path, play: Any) -> None:
    run = play(
        call("connect_datalake", path="."),
        call("run_sql", sql="SELECT head, amount FROM sales JOIN heads USING (region) ORDER BY amount", label="who"),
        namespace=dict(LOANS),
    )
    assert [s.status for s in run.steps] == ["ok", "ok"], [s.summary for s in run.steps]
    assert "Views: heads, sales" in run.steps[0].summary
    assert run.session.namespace["who"]["head"].tolist() == ["Ada", "Bo"]


def test_labels_of_before_can_be_read_beside_the_new_tables(here: Path, play: Any) -> None:
    (here / "cards.csv").write_text("card_id,loan_id\n1,10\n2,20\n")
    names: dict[str, Any] = dict(LOANS)
    run = play(
        call("run_sql", sql="SELECT * FROM loans WHERE amount > 1", label="big"),
        call("connect_datalake", path="cards.csv"),
        call("run_sql", sql="SELECT card_id, amount FROM cards JOIN big USING (loan_id)", label="both"),
        call("run_sql", sql="SELECT count(*) AS n FROM loans", label="n"),
        namespace=names,
        approve=("connect_datalake",),  # rows were read, which takes data:connect away
    )
    assert [s.status for s in run.steps] == ["ok"] * 4, [s.summary for s in run.steps]
    assert names["both"].values.tolist() == [[2, 2.0]]
    assert names["n"].n[0] == 3
    alone: dict[str, Any] = dict(LOANS)
    for cell in run.cells:
        assert "lexsi" not in cell.source
        exec(cell.source, alone)
    pd.testing.assert_frame_equal(alone["both"], names["both"])


def test_named_files_and_patterns_choose(here: Path, play: Any) -> None:
    run = play(call("connect_datalake", path=".", files=["*.csv"]), call("inspect_data"), namespace=dict(LOANS))
    assert "Views: sales." in run.steps[0].summary
    assert "heads" not in run.steps[1].summary
    run = play(call("connect_datalake", kind="local", files=["sales.csv", "heads.parquet"]), namespace=dict(LOANS))
    assert "Views: sales, heads." in run.steps[0].summary


def test_a_path_outside_the_working_folder_asks_first(here: Path, play: Any) -> None:
    outside = str(here.parent / "outside.csv")
    names: dict[str, Any] = dict(LOANS)
    run = play(call("connect_datalake", path=outside), namespace=names)
    assert run.status == "awaiting_approval"
    run = play(call("connect_datalake", path=outside), namespace=names, approve=("connect_datalake",))
    assert run.steps[0].status == "ok"
    assert "Views: outside" in run.steps[0].summary


@pytest.mark.parametrize(
    "args",
    [
        {"path": ".."},
        {"path": "~"},
        {"path": "/"},
        {"path": "../*.csv"},
        {"path": "*/../../outside.csv"},
        {"path": ".", "files": ["../outside.csv"]},
        {"path": "link"},
        {"path": "l*k/*.csv"},
        {"bucket": "lake"},
        {"kind": "s3", "bucket": "lake", "files": ["x.csv"]},
    ],
)
def test_what_leaves_the_working_folder_or_the_machine_asks(here: Path, args: dict[str, Any]) -> None:
    (here / "link").symlink_to(here.parent)
    asks = tool_of(connect_datalake).spec.needs_approval
    assert asks is not None
    assert asks(args)
    assert not asks({"path": "sales.csv"})


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({}, "bucket"),
        ({"kind": "local"}, "path"),
        ({"path": "s3://lake/raw"}, "bucket, prefix and files"),
        ({"path": "https://example.com/x.csv"}, "address"),
        ({"path": ".", "bucket": "lake"}, "exclude each other"),
        ({"kind": "gcs", "bucket": "x"}, "kind"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_what_would(play: Any, args: dict[str, Any], words: str) -> None:
    run = play(call("connect_datalake", **args), namespace=dict(LOANS), approve=("connect_datalake",))
    assert run.steps[0].status in ("rejected", "invalid")
    assert words in run.steps[0].summary


def test_a_source_that_cannot_be_opened_leaves_the_run_with_what_it_had(here: Path, play: Any) -> None:
    (here / "bad.parquet").write_text("no parquet")
    names: dict[str, Any] = dict(LOANS)
    run = play(
        call("connect_datalake", path="salse.csv"),
        call("connect_datalake", path="bad.parquet"),
        call("run_sql", sql="SELECT count(*) AS n FROM loans", label="n"),
        namespace=names,
    )
    assert [s.status for s in run.steps] == ["failed", "failed", "ok"]
    assert "sales.csv" in run.steps[0].summary
    assert "bad.parquet" in run.steps[1].summary
    assert names["n"].n[0] == 3
    assert "1 kernel frame" in run.dataset or "kernel frames" in run.dataset


def test_the_new_data_stay_for_the_next_question(here: Path, play: Any) -> None:
    from lexsi_nb.planners.scripted import ScriptedPlanner, say

    run = play(call("connect_datalake", path="sales.csv"), namespace=dict(LOANS))
    planner = ScriptedPlanner([call("run_sql", sql="SELECT sum(amount) AS s FROM sales", label="s"), say("done")])
    run.session.use(planner=planner)
    again = run.session.ask("sum")
    assert again.frame.s[0] == 30
    assert again.dataset == "sales.csv"


def test_a_dataset_for_one_run_is_not_the_next_runs(here: Path, play: Any) -> None:
    from lexsi_nb.planners.scripted import ScriptedPlanner, say

    run = play(call("inspect_data"), dataset=LOANS)
    run.session.use(planner=ScriptedPlanner([say("x"), say("y")]))
    assert run.session.ask("q", dataset=here / "sales.csv").dataset == "sales.csv"
    assert "frame" in run.session.ask("q").dataset


def test_a_bucket_is_bound_copied_and_read_in_one_run(raw: str, play: Any) -> None:
    names: dict[str, Any] = dict(LOANS)
    run = play(
        call("connect_datalake", bucket="lake", prefix="raw", files=["cards.csv"], endpoint_url=raw, **KEYS),
        call("inspect_data"),
        call("run_sql", sql="SELECT card_id, amount FROM cards JOIN loans USING (loan_id) ORDER BY 1", label="both"),
        namespace=names,
        approve=("connect_datalake",),
    )
    assert [s.status for s in run.steps] == ["ok"] * 3, [s.summary for s in run.steps]
    assert run.steps[0].summary.startswith(
        "Bound s3://lake/raw (1 file, 26 bytes, copied from s3://lake/raw). Connector s3-"
    )
    assert run.steps[0].summary.endswith("Views: cards.")
    assert "cards (2 rows)" in run.steps[1].summary
    assert [(s.to, "cards.csv" in s.body) for s in run.sent] == [("s3://lake/raw", True)]
    assert names["both"].amount.tolist() == [1.0, 2.0]


def test_a_retry_in_another_kernel_acts_once_and_binds_what_was_copied(
    raw: str, s3: tuple[str, Any], play: Any, tmp_path: Path
) -> None:
    lines = (
        call("connect_datalake", bucket="lake", prefix="raw", endpoint_url=raw, **KEYS),
        call("run_sql", sql="SELECT count(*) AS n FROM cards", label="n"),
    )
    first = play(*lines, namespace=dict(LOANS), approve=("connect_datalake",))
    with s3[1].open_output_stream("lake/raw/late.csv") as out:
        out.write(b"x\n1\n")
    names: dict[str, Any] = dict(LOANS)
    again = play(*lines, namespace=names)  # nobody named it: what is done is not asked about
    assert [s.status for s in again.steps] == ["duplicate", "ok"], [s.summary for s in again.steps]
    assert names["n"].n[0] == 2
    assert again.sent == []
    assert again.steps[0].summary == first.steps[0].summary
    assert "connect_datalake was not done again" in again.facts["warnings"][0]
    assert [c.source for c in again.cells] == [c.source for c in first.cells]


def test_copies_that_are_gone_are_said_and_not_fetched_unasked(raw: str, play: Any) -> None:
    import shutil

    from lexsi_nb.data.bank import cache_folder

    line = call("connect_datalake", bucket="lake", prefix="raw", endpoint_url=raw, **KEYS)
    assert play(line, namespace=dict(LOANS), approve=("connect_datalake",)).steps[0].status == "ok"
    shutil.rmtree(cache_folder() / "s3")
    again = play(line, namespace=dict(LOANS))
    assert again.steps[0].status == "failed"
    assert "not in the cache any more" in again.steps[0].summary
    assert "--again" in again.steps[0].summary


def test_a_copy_that_was_left_half_way_may_be_made_again(raw: str, play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lexsi_nb.data import s3 as buckets

    whole = buckets.fetch

    def lost(*args: Any, **options: Any) -> Any:
        whole(*args, **options)
        raise ConnectionResetError("reply lost")

    line = call("connect_datalake", bucket="lake", prefix="raw", endpoint_url=raw, **KEYS)
    monkeypatch.setattr(buckets, "fetch", lost)
    run = play(line, namespace=dict(LOANS), approve=("connect_datalake",))
    assert run.steps[0].status == "failed"
    assert "may or may not have acted" not in run.steps[0].summary
    monkeypatch.setattr(buckets, "fetch", whole)
    assert play(line, namespace=dict(LOANS), approve=("connect_datalake",)).steps[0].status == "ok"


def test_files_of_this_machine_need_no_key(here: Path, play: Any, state_folder: Path) -> None:
    line = call("connect_datalake", path="sales.csv")
    run = play(line, line, namespace=dict(LOANS))
    assert [s.status for s in run.steps] == ["ok", "ok"]
    assert not state_folder.exists()


def test_a_bucket_waits_for_a_person(raw: str, play: Any, tmp_path: Path) -> None:
    run = play(call("connect_datalake", bucket="lake", prefix="raw", endpoint_url=raw, **KEYS), namespace=dict(LOANS))
    assert run.status == "awaiting_approval"
    assert run.sent == []
    assert not (tmp_path / "cache" / "s3").exists()
    assert "[secret]" in repr(run.approval)
    for text in (repr(vars(run)), repr(run.session.history.messages)):
        assert not any(key in text for key in (ID, SECRET, TOKEN)), text[:400]
    assert ("goes to", "s3://lake/raw at " + raw) in run.approval.effect
    assert run.resume(approve=True).steps[-1].status == "ok"


def test_an_approval_with_other_files_keeps_the_keys_that_were_masked(raw: str, play: Any) -> None:
    run = play(call("connect_datalake", bucket="lake", prefix="rew", endpoint_url=raw, **KEYS), namespace=dict(LOANS))
    again = run.resume(approve=True, args={**run.approval.args, "prefix": "raw"})
    assert again.steps[-1].status == "ok", again.steps[-1].summary


@pytest.mark.parametrize("files", [["cards.csv"], ["nothing.csv"]])
def test_keys_are_in_no_text_of_the_run(
    raw: str, play: Any, caplog: pytest.LogCaptureFixture, files: list[str]
) -> None:
    events: list[Any] = []
    caplog.set_level(logging.DEBUG)
    arguments = {"bucket": "lake", "prefix": "raw", "files": files, "endpoint_url": raw, **KEYS}
    run = play(call("connect_datalake", **arguments), namespace=dict(LOANS), approve=("connect_datalake",))
    session = run.session
    from lexsi_nb.planners.scripted import ScriptedPlanner, say

    session.use(planner=ScriptedPlanner([call("connect_datalake", **arguments), say("x")]))
    again = session.ask("q", on_event=events.append)
    said = [
        *(repr(r) for r in (run, again)),
        *(repr(r.steps) for r in (run, again)),
        *(c.source for r in (run, again) for c in r.cells),
        *(json.dumps(e.to_dict(), default=str) for e in events),
        repr(session.history.messages),
        repr(session.binding.engine.dataset),
        caplog.text,
        run.answer,
    ]
    assert events
    for text in said:
        assert not any(key in text for key in (ID, SECRET, TOKEN)), text[:400]
    assert "[secret]" in repr(run.steps)


def test_refused_keys_fail_with_a_reason_and_without_the_keys(raw: str, play: Any) -> None:
    from urllib.request import Request, urlopen

    def checks_keys(after: int) -> None:
        head = {"Content-Type": "text/plain"}
        urlopen(Request(f"{raw}/moto-api/reset-auth", data=str(after).encode(), headers=head, method="POST")).close()

    checks_keys(0)
    try:
        run = play(
            call("connect_datalake", bucket="lake", prefix="raw", endpoint_url=raw, **KEYS),
            namespace=dict(LOANS),
            approve=("connect_datalake",),
        )
    finally:
        checks_keys(10**9)
    assert run.steps[0].status == "failed"
    assert "keys" in run.steps[0].summary
    assert ID not in run.steps[0].summary
    assert SECRET not in run.steps[0].summary


def test_synthetic_data_read_earlier_in_the_run_are_still_said(bank: Any, here: Path, play: Any) -> None:
    run = play(
        call("run_sql", sql="SELECT count(*) AS n FROM loan", label="n"),
        call("connect_datalake", path="sales.csv"),
        dataset=datasets.bank(),
    )
    assert run.synthetic
