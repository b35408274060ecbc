"""A secret that a person or a model wrote leaves masked, and does not block the questions after it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.artifacts.secrets import own_secrets
from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.magics.showing import bundles

SECRET = "a-plain-looking-value"


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
@pytest.mark.parametrize("json_only", [False, True])
def test_the_conversation_goes_on_without_it(
    monkeypatch: pytest.MonkeyPatch, model_server: Any, tmp_path: Path, provider: str, json_only: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SERVICE_PASSWORD", SECRET)
    said = f"It is {SECRET}."
    reply = json.dumps({"thought": SECRET, "final_answer": said}) if json_only else said
    sql = f"SELECT nosuch FROM sales WHERE note = '{SECRET}'"
    call = ("run_sql", {"sql": sql, "label": "found"})
    wanted = json.dumps({"thought": SECRET, "tool": call[0], "args": call[1]})
    replies = [model_server.Reply(wanted)] if json_only else [model_server.Reply(SECRET, [call], thought=SECRET)]
    model_server.brain = lambda asked: replies.pop() if replies else model_server.Reply(reply)
    options = {"json": True} if json_only else {}
    data = {"sales": pd.DataFrame({"amount": [10, 20]})}
    session = lx.Session(data, planner=model_server.choice(provider, **options), namespace={})
    for question in (f"Is {SECRET} the password?", "And now?"):
        assert session.ask(question).ok
    bodies = json.dumps([asked.body for asked in model_server.requests])
    assert len(model_server.requests) == 3
    assert SECRET not in bodies
    assert "Is [secret] the password?" in bodies
    written = list((tmp_path / ".lexsi").iterdir())
    assert len(written) == 2
    assert not any(SECRET in f"{file.name}{file.read_text()}" for file in written)


def test_secrets_of_the_environment_are_in_no_output_of_a_cell_and_the_variables_stay_whole(
    monkeypatch: pytest.MonkeyPatch, model_server: Any, ip: Any, capsys: Any
) -> None:
    secret = 'quite "ordinary" <words>'
    monkeypatch.setenv("SERVICE_PASSWORD", secret)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Jane Novak")  # no secret, though it has "auth" in it
    monkeypatch.setenv("PROXY_AUTHORIZATION", "Basic of-some-kind")
    assert set(own_secrets()) >= {secret, "Basic of-some-kind"}
    assert "Jane Novak" not in own_secrets()
    call = ("run_sql", {"sql": "SELECT note, n FROM sales", "label": "found"})
    model_server.brain = lambda asked: (
        model_server.Reply(f"It says {secret}.") if asked.results else model_server.Reply(calls=[call])
    )
    ip.user_ns["sales"] = pd.DataFrame({"note": [f"log in with {secret}", "Jane Novak"], "n": [1, 2]})
    ip.run_line_magic("lexsi", f"model {model_server.choice('anthropic')}")
    result = ip.run_cell(f"%%lexsi --replay off\nWhat do the notes say, {secret}?")
    assert result.success
    run = getattr(ip, ATTRIBUTE).session.runs[-1]
    shown = [capsys.readouterr().out, json.dumps(bundles(run)), json.dumps(run._repr_mimebundle_()), repr(run)]
    for artifact in run.artifacts:
        shown.append(json.dumps(artifact._repr_mimebundle_()))
    for text in shown:
        assert "ordinary" not in text, text
    assert "Jane Novak" in shown[1]
    assert ip.user_ns["found"]["note"].tolist() == [f"log in with {secret}", "Jane Novak"]
