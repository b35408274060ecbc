"""Every way a provider can fail ends in one line with the remedy; a busy one is asked again as it wishes."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from lexsi_nb.egress.gate import Gate
from lexsi_nb.planners import provider as module
from lexsi_nb.planners.choice import parse
from lexsi_nb.planners.failures import ModelFailed
from lexsi_nb.planners.provider import ProviderModel

APIS = [("anthropic", {}), ("openai", {}), ("openai", {"api": "responses"}), ("google", {}), ("bedrock", {})]


@pytest.fixture(params=APIS, ids=["anthropic", "chat", "responses", "google", "bedrock"])
def asked(request: pytest.FixtureRequest, model_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    provider, options = request.param
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    model_server.gate = Gate()

    def ask(**more: Any) -> str:
        model = ProviderModel(parse(model_server.choice(provider, **options, **more)), model_server.gate)
        return asyncio.run(model.complete("Hello?"))

    return ask


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("401", "refused the key.*Check the key"),
        ("402", "no credit left"),
        ("404", "There is no model .*test-model"),
        ("500", "fault of its own.*Ask again later"),
        ("529", "fault of its own.*Ask again later"),
        ("429", "limits the rate"),
        ("429:900", "asks to wait 900 s"),
        ("long", "too long.*%lexsi reset"),
        ("garbage", "Ask again"),
        ("half", "broke off.*Ask again"),
        ("400", "refused the request .HTTP 400"),
    ],
)
def test_a_failure_is_one_line_with_its_remedy(asked: Any, model_server: Any, fault: str, says: str) -> None:
    model_server.faults = [fault] * 3
    with pytest.raises(ModelFailed, match=says) as failed:
        asked()
    assert "\n" not in str(failed.value)
    assert failed.value._render_traceback_()[0].startswith("ModelFailed: ")
    model_server.faults.clear()
    assert asked() == "A plain answer."  # the next one works


def test_a_busy_provider_is_asked_again_after_the_wait_it_names(asked: Any, model_server: Any) -> None:
    model_server.faults = ["429:1"]
    started = time.monotonic()
    assert asked() == "A plain answer."
    assert 1.0 <= time.monotonic() - started < 4
    assert len(model_server.gate.sent.entries) == 2  # each attempt is noted


@pytest.mark.parametrize("fault", ["429:31", "401", "404", "400", "half"])
def test_what_another_attempt_cannot_mend_is_asked_once(asked: Any, model_server: Any, fault: str) -> None:
    model_server.faults = [fault] * 3
    with pytest.raises(ModelFailed):
        asked()
    assert len(model_server.requests) == 1


def test_three_attempts_and_no_more(asked: Any, model_server: Any) -> None:
    model_server.faults = ["500"] * 5
    with pytest.raises(ModelFailed):
        asked()
    assert len(model_server.requests) == 3


@pytest.mark.parametrize("fault", ["hang", "stall"])
def test_silence_ends_at_the_time_out(asked: Any, model_server: Any, fault: str) -> None:
    model_server.faults = [fault] * 3
    started = time.monotonic()
    with pytest.raises(ModelFailed, match=r"did not answer within 0\.5 s.*--timeout 1"):
        asked(timeout=0.5)
    assert time.monotonic() - started < 3


def test_nobody_there(model_server: Any) -> None:
    line = model_server.choice("openai")
    model_server.close()
    with pytest.raises(ModelFailed, match=r"cannot be reached.*%lexsi model off"):
        asyncio.run(ProviderModel(parse(line), Gate()).complete("Hello?"))


def test_a_cancelled_reply_lets_go_at_once(model_server: Any) -> None:
    model_server.faults = ["stall"]
    model = ProviderModel(parse(model_server.choice("anthropic")), Gate())

    async def stop() -> float:
        task = asyncio.ensure_future(model.complete("Hello?"))
        await asyncio.to_thread(model_server.stalled.wait, 10)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(stop()) < 1


def test_a_secret_in_the_providers_words_is_masked(model_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(model_server.words, "401", "bad key sk-abcdefghijklmnopqrstuv")
    model_server.faults = ["401"]
    with pytest.raises(ModelFailed) as failed:
        asyncio.run(ProviderModel(parse(model_server.choice("openai")), Gate()).complete("Hello?"))
    assert "sk-abc" not in str(failed.value)


def test_an_object_is_read_from_a_reply(model_server: Any) -> None:
    from pydantic import BaseModel

    class Sums(BaseModel):
        total: int

    model = ProviderModel(parse(model_server.choice("anthropic")), Gate())
    model_server.brain = lambda asked: model_server.Reply('Sure:\n```json\n{"total": 7}\n```')
    assert asyncio.run(model.complete("Add.", output_type=Sums)).total == 7
    model_server.brain = lambda asked: model_server.Reply("seven")
    with pytest.raises(ModelFailed, match="did not fill the form"):
        asyncio.run(model.complete("Add.", output_type=Sums))
