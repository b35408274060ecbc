"""After a kernel restart the same question opens the model that stands on the platform."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from tests.lexsi.asks_again import ask

UPLOAD, TRAIN, INFER = (
    "v2/project/uploadfile_with_info", "v2/project/upload_data_with_check", "v2/ai-models/run_model_on_data",
)  # fmt: skip


def ask_in_another_process(folder: Path, root: Path) -> dict[str, Any]:
    script = root / "tests" / "lexsi" / "asks_again.py"
    command = [sys.executable, str(script), str(folder)]
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    frames = {n: pd.read_pickle(folder / f"{n}.pkl") for n in ("predictions", "attributions")}
    return {**json.loads((folder / "said.json").read_text()), **frames}


def test_a_second_process_opens_the_model_and_uploads_nothing(
    server: Any, frames: dict[str, pd.DataFrame], tmp_path: Path, project_root: Path
) -> None:
    for name, frame in frames.items():
        frame.to_pickle(tmp_path / f"{name}.pkl")
    first = ask(tmp_path)
    assert [s[0] for s in first["steps"]] == ["ok", "ok", "ok"], first["steps"]
    sent = {path: len(server.to(path)) for path in (UPLOAD, TRAIN)}
    assert sent == {UPLOAD: 3, TRAIN: 1}  # rows to learn from, rows held back, rows to score
    logins = len(server.to("v2/access-token/authorize"))

    again = ask_in_another_process(tmp_path, project_root)
    assert [s[0] for s in again["steps"]] == ["duplicate"] * 3, again["steps"]
    assert {path: len(server.to(path)) for path in (UPLOAD, TRAIN)} == sent
    assert server.to("v2/users/xai_config_update") == []
    assert len(server.platform.projects) == 1
    assert len(server.to("v2/access-token/authorize")) > logins  # it did ask the platform, and not only a store
    for name in ("predictions", "attributions"):
        pd.testing.assert_frame_equal(again[name], first[name])


def test_after_a_restart_a_model_that_was_deleted_is_said_to_be_gone(
    server: Any, frames: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    for name, frame in frames.items():
        frame.to_pickle(tmp_path / f"{name}.pkl")
    assert ask(tmp_path)["steps"][0][0] == "ok"
    server.platform.projects.clear()
    status, summary = ask(tmp_path)["steps"][0]
    assert status == "failed"
    assert "no project agentclass" in summary
    assert "--again" in summary
    assert len(server.to(UPLOAD)) == 3
