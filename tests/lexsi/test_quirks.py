"""Each defect of the SDK that is known (Q1 to Q15), and what is done about it."""

from __future__ import annotations

import logging
import os
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.egress.gate import EgressRefused
from lexsi_nb.errors import Cancelled
from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.modeling.lexsi import sdk, wire
from lexsi_nb.modeling.lexsi.failures import JobFailed, LeakRefused, PlatformFailed
from lexsi_nb.modeling.lexsi.normal import contributions_of
from lexsi_nb.planners import keys
from tests.lexsi.conftest import SPEC
from tests.lexsi_server.platform import SDK_TOKEN

Frames = dict[str, pd.DataFrame]


def test_q1_the_first_upload_is_still_there_when_it_is_trained_on(backend: Any, server: Any, frames: Frames) -> None:
    assert sdk.load().deletes_upload == (sdk.load().version == "0.1.65")
    backend.train(frames["known"], SPEC)
    assert server.to("v2/project/delete_data") == []


def test_q1_without_the_guard_the_sdk_deletes_it(backend: Any, server: Any, frames: Frames) -> None:
    if not sdk.load().deletes_upload:
        pytest.skip("not in this version")

    def plain() -> None:
        project = backend.account.project("plain", "classification")
        config = {"unique_identifier": "loan_id", "true_label": "bad"}
        project.upload_data(frames["known"], "t1", config=config, compute_type="small")

    with pytest.raises(JobFailed, match="no data file of tag t1"):
        backend.account.calls.run(plain, "uploading", tick=lambda *_: None, cancelled=lambda: False)
    assert len(server.to("v2/project/delete_data")) == 1


def test_q2_inference_always_names_its_compute(backend: Any, server: Any, frames: Frames) -> None:
    trained = backend.train(frames["known"], SPEC)
    backend.predict(trained, frames["new"], frame_name="new")
    asked = server.to("v2/ai-models/run_model_on_data")
    assert [s.body["instance_type"] for s in asked] == ["small", "small"]
    # Q3: never by file name, where an unknown one ends in an AttributeError.
    assert all(s.body["tags"] and "filepath" not in s.body for s in asked)


@pytest.mark.parametrize("part", ["create_project", "upload_data_with_check", "run_model_on_data", "get_case_info"])
def test_q4_no_error_is_empty(backend: Any, server: Any, frames: Frames, part: str) -> None:
    server.faults.empty_details = part

    def whole() -> None:
        trained = backend.train(frames["known"], SPEC)
        backend.explain(trained, frames["new"], frames["new"]["loan_id"].head(2).tolist(), frame_name="new")

    with pytest.raises(PlatformFailed) as caught:
        whole()
    assert "The platform gave no reason." in str(caught.value)
    assert caught.value.next


def test_q4_the_reason_of_a_job_that_says_nothing_is_in_its_logs(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.job = ""
    reason = "Target must have >=2 classes" if sdk.load().logs else "The platform gave no reason"  # 0.1.64 has no logs
    with pytest.raises(JobFailed, match=rf"Training on Lexsi failed.*{reason}") as caught:
        backend.train(frames["known"], SPEC)
    assert caught.value.next


def test_q5_a_second_model_of_a_run_is_trained_beside_the_first(backend: Any, server: Any, frames: Frames) -> None:
    """Q5: one configuration a project; Q6: no null pred_label; Q8: id and target are no features; Q13: the name."""
    first = backend.train(frames["known"], SPEC)
    second = backend.train(frames["known"].drop(columns="z").assign(bad=lambda f: 1 - f["bad"]), SPEC)
    assert (first.model["model_name"], second.model["model_name"]) == ("LGBoost_v1", "LGBoost_v2")
    assert len(server.to("v2/project/upload_data_with_check")) == 1
    body = server.to("v2/users/xai_config_update")[0].body
    assert sorted(body["metadata"]["feature_include"]) == ["word", "x"]
    assert {"loan_id", "bad", "z"} <= set(body["metadata"]["feature_exclude"])
    assert "pred_label" not in body
    assert "pred_label" not in server.to("v2/project/upload_data_with_check")[0].body


def test_q7_no_copy_of_the_target_is_sent_or_learned_from(backend: Any, server: Any, frames: Frames) -> None:
    trained = backend.train(frames["known"], SPEC)
    meta = server.to("v2/project/upload_data_with_check")[0].body["metadata"]
    assert meta["feature_include"] == ["x", "z", "word"]
    assert all(b"Prediction" not in s.body for s in server.to("v2/project/uploadfile_with_info"))
    assert "Prediction" in dict(trained.left_out)


def test_q8_a_request_with_the_target_among_the_features_is_not_sent() -> None:
    leak = {"unique_identifier": "id", "true_label": "y", "metadata": {"feature_include": ["x", "y"]}}
    with pytest.raises(LeakRefused, match="y would have been a feature"):
        wire.guarded(leak)
    assert wire.guarded({"true_label": "y", "pred_label": None}) == {"true_label": "y"}


def test_q9_a_stream_that_is_cut_is_taken_up_again(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.cut_streams = 2
    trained = backend.train(frames["known"], SPEC)
    assert trained.model["model_name"] == "LGBoost_v1"
    assert len(server.to("v2/events/poll")) >= 4  # three of the training, one of the inference


def test_q9_a_stream_that_ends_without_a_model_is_a_failure(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.job_never_made = True
    with pytest.raises(JobFailed, match="made no model"):
        backend.train(frames["known"], SPEC)


def test_q10_an_error_in_place_of_the_csv_is_an_error(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.csv_is_json = True
    with pytest.raises(PlatformFailed, match=r"refused the download.*Tag not found"):
        backend.train(frames["known"], SPEC)


def test_q10_an_inference_that_lacks_rows_is_an_error(backend: Any, server: Any, frames: Frames) -> None:
    trained = backend.train(frames["known"], SPEC)
    server.faults.lost_rows = 4
    with pytest.raises(PlatformFailed, match="scored 26 of 30 rows"):
        backend.predict(trained, frames["new"], frame_name="new")
    server.faults.lost_rows = 0
    uploads = len(server.to("v2/project/uploadfile_with_info"))
    assert len(backend.predict(trained, frames["new"], frame_name="new").frame) == 30
    assert len(server.to("v2/project/uploadfile_with_info")) == uploads  # the rows were there already


def test_q11_null_and_fractional_case_values_are_taken(backend: Any, server: Any, frames: Frames) -> None:
    trained = backend.train(frames["known"], SPEC)
    server.faults.null_true_value = server.faults.fractional_pred_value = True
    ids = frames["new"]["loan_id"].head(2).tolist()
    assert backend.explain(trained, frames["new"], ids, frame_name="new").frame["loan_id"].tolist() == ids
    # Nested by class: those of the class whose probability is meant.
    assert contributions_of({"0": {"x": -1.0}, "1": {"x": 1.0}}, 1) == {"x": 1.0}


def test_q12_the_real_error_is_not_hidden_by_the_cleaning_up(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.job = "GPU quota used up"

    def plain() -> None:
        project = backend.account.project("plain", "classification")
        project.upload_data(frames["known"], "t1", config={"unique_identifier": "loan_id", "true_label": "bad"},
                            compute_type="small")  # fmt: skip

    with pytest.raises(JobFailed, match="GPU quota used up"):
        backend.account.calls.run(plain, "uploading", tick=lambda *_: None, cancelled=lambda: False)


def test_q14_without_our_way_the_sdk_fails_on_a_fresh_project(backend: Any, server: Any) -> None:
    """What is done instead is tested with the connectors: rows go up from the frame that was shown."""

    def plain() -> None:
        project = backend.account.project("plain", "classification")
        pair = {"region": "us-east-1", "access_key": "a" * 8, "secret_key": "s" * 8}
        project.create_data_connectors("lake", "s3", s3_config=pair)
        project.upload_data_dataconnectors("lake", "t1", bucket_name="lake", file_path="raw/cards.csv")

    with pytest.raises(PlatformFailed, match=r"AttributeError: 'NoneType' object has no attribute 'get'"):
        backend.account.calls.run(plain, "uploading", tick=lambda *_: None, cancelled=lambda: False)


def test_q15_python_is_new_enough_for_the_sdk(project_root: Path) -> None:
    said = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]["requires-python"]
    assert said == ">=3.11"  # the SDK says 3.8 and needs 3.10


# -- what else a platform may do


def test_the_environment_and_the_output_stay_as_they_were(
    backend: Any, frames: Frames, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("XAI_API_VERSION", "DEBUG", "XAI_ENV")
    before = {n: os.environ.get(n) for n in names}
    said: list[str] = []
    backend.train(frames["known"], SPEC, tick=lambda done, of, stage: said.append(stage))
    assert {n: os.environ.get(n) for n in names} == before
    assert capsys.readouterr().out == ""
    assert any(s.startswith("training on Lexsi: ") for s in said)


def test_a_stop_is_honoured_within_a_second_and_nothing_more_is_sent(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.endless = True
    stop = threading.Event()
    begun: list[float] = []

    def watch() -> None:
        while not server.to("v2/events/poll"):
            stop.wait(0.02)
        begun.append(time.monotonic())
        stop.set()

    threading.Thread(target=watch, daemon=True).start()
    with pytest.raises(Cancelled):
        backend.train(frames["known"], SPEC, cancelled=stop.is_set)
    assert time.monotonic() - begun[0] < 1
    sent = len(server.seen)
    stop.clear()
    stop.wait(0.3)
    assert len(server.seen) == sent


def test_a_job_that_never_ends_is_given_up_after_its_time(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.endless = True
    with pytest.raises(PlatformFailed, match="did not finish training on Lexsi within 1 s"):
        backend.train(frames["known"], TrainSpec(target="bad", entity="loan_id", frame_name="known", time_limit=1))


def test_a_silent_server_is_given_up(server: Any, session_on: Any, frames: Frames) -> None:
    server.faults.silent = "users/workspaces"
    slow = session_on("lexsi --timeout 0.3").backend().in_project("agentclass0123abcd")
    with pytest.raises(PlatformFailed, match=r"did not answer training on Lexsi within 0.3 s"):
        slow.train(frames["known"], SPEC)


def test_a_busy_platform_is_asked_again_and_its_html_is_read(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.html = {"users/workspaces": (502, 2), "get_all_models": (429, 1)}
    backend.train(frames["known"], SPEC)
    server.faults.html = {"run_model_on_data": (502, 0)}
    with pytest.raises(PlatformFailed, match=r"failed at .*\(502\)\. Bad gateway\."):
        backend.train(frames["known"].assign(x=1.5 * frames["known"]["x"]), SPEC)
    assert len(server.to("v2/ai-models/run_model_on_data")) == 2  # what acts is not repeated


def test_a_token_that_ran_out_is_renewed_also_for_the_download(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.lifetime = -1
    trained = backend.train(frames["known"], SPEC)
    assert len(backend.predict(trained, frames["new"], frame_name="new").frame) == 30
    paths = [s.path.removeprefix("v2/") for s in server.seen]
    downloads = [i for i, path in enumerate(paths) if path.endswith("download_tag_data")]
    assert len(downloads) == 2
    for i in downloads:  # the SDK does not renew it there, and has put it in the address before
        assert paths[i - 1] == "access-token/authorize"
        assert server.seen[i].authorization == f"Bearer {server.seen[i].query['token']}"


def test_a_login_that_gives_no_usable_token_says_so(backend: Any, server: Any, frames: Frames) -> None:
    server.faults.opaque_token = True
    with pytest.raises(PlatformFailed, match="no usable token"):
        backend.train(frames["known"], SPEC)


def test_a_wrong_key_is_never_shown(
    server: Any, session_on: Any, frames: Frames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDK_ACCESS_TOKEN", "wrong-token-of-somebody")
    session = session_on("lexsi")
    with pytest.raises(PlatformFailed, match=r"refused .* \(401\).*Check the SDK access token") as caught:
        session.backend().in_project("agentclass0123abcd").train(frames["known"], SPEC)
    assert "wrong-token" not in str(caught.value)
    assert all("wrong-token" not in e.body for e in session.sent.entries)
    assert session.sent.entries[0].body == '{"access_token":"[secret]"}'


def test_the_handles_show_no_token(backend: Any, server: Any, frames: Frames) -> None:
    backend.train(frames["known"], SPEC)
    project = backend.account._projects["agentclass0123abcd"]
    client = project.api_client
    shown = repr(client) + str(client) + repr(list(client.__rich_repr__())) + repr(project) + repr(backend.account)
    assert "eyJ" not in shown
    assert "sdk-token" not in shown


def test_a_key_that_stands_in_the_data_is_not_sent(
    server: Any, session_on: Any, frames: Frames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SDK_ACCESS_TOKEN")
    monkeypatch.setattr(keys, "in_keyring", lambda name: SDK_TOKEN)
    backend = session_on("lexsi").backend().in_project("agentclass0123abcd")
    known = frames["known"].assign(word=lambda f: f["word"].where(f["word"] != "a", SDK_TOKEN))
    with pytest.raises(EgressRefused, match="The value of the Lexsi access token stands in the body"):
        backend.train(known, SPEC)
    assert server.to("v2/project/uploadfile_with_info") == []


def test_no_token_stands_in_what_is_logged(
    backend: Any, server: Any, frames: Frames, caplog: pytest.LogCaptureFixture
) -> None:
    """The SDK repeats the bearer token in the address of a download, and httpx logs addresses where it is asked to."""
    with caplog.at_level(logging.DEBUG):
        backend.train(frames["known"], SPEC)
    assert server.to("v2/ai-models/download_tag_data")[0].query["token"].startswith("eyJ")
    assert "download_tag_data" in caplog.text
    assert "eyJ" not in caplog.text
    assert "sdk-token" not in caplog.text


def test_models_and_compute_that_are_not_there_are_refused_before_any_upload(
    backend: Any, server: Any, frames: Frames
) -> None:
    spec = TrainSpec(target="bad", entity="loan_id", frame_name="known", model_type="XGBost")
    with pytest.raises(PlatformFailed, match="There is: XGBoost, LGBoost"):
        backend.train(frames["known"], spec)
    with pytest.raises(PlatformFailed, match=r"no compute 'T4.small' for classic models.*There is: small, medium"):
        backend.train(frames["known"], SPEC, compute="T4.small")
    assert server.to("v2/project/uploadfile_with_info") == []
