"""What is particular to Google's and Amazon's own clients; what holds for all is in `test_wire` and `test_failures`.

Each sends through the gate alone, waits its turn, lets go at once, and takes no key to a server it is not meant for.
"""

from __future__ import annotations

import asyncio
import importlib
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from lexsi_nb.egress.gate import OFFLINE, EgressRefused, Gate, Unsent
from lexsi_nb.egress.limits import RateLimits
from lexsi_nb.egress.pace import RequestTooLarge
from lexsi_nb.planners import bedrock
from lexsi_nb.planners.choice import BadModel, parse
from lexsi_nb.planners.clients import client_model
from lexsi_nb.planners.failures import ModelFailed
from lexsi_nb.planners.provider import ProviderModel

KEYS = {
    "GOOGLE_API_KEY": "g" * 24, "AWS_ACCESS_KEY_ID": "A" * 20, "AWS_SECRET_ACCESS_KEY": "s" * 40,
    "AWS_DEFAULT_REGION": "eu-west-1", "AWS_EC2_METADATA_DISABLED": "true",
}  # fmt: skip
LIBRARIES = {"google": "google.genai", "bedrock": "boto3"}


@pytest.fixture(params=list(LIBRARIES))
def provider(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    try:
        importlib.import_module(LIBRARIES[request.param])
    except ImportError:
        pytest.skip(f"{LIBRARIES[request.param]} is not installed")
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK", raising=False)
    return request.param


def test_the_model_is_built_and_its_client_is_ours(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OFFLINE)  # building sends nothing

    async def build() -> Any:
        async with client_model(parse(f"{provider}:some-model"), Gate()) as model:
            if provider == "google":
                sent_by = model.client._api_client._async_httpx_client
                assert type(sent_by._transport).__name__ == "GatedAsync"
            return model.model_name

    assert asyncio.run(build()) == "some-model"


def test_nothing_leaves_while_offline(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OFFLINE, "1")
    gate = Gate()
    with pytest.raises(EgressRefused, match=OFFLINE):
        asyncio.run(ProviderModel(parse(f"{provider}:some-model"), gate).complete("Hello?"))
    assert gate.sent.entries == []


def test_a_request_goes_to_the_chosen_address_alone_and_is_noted(provider: str) -> None:
    got: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send_response(403)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: Any) -> None:
            """Keep quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    gate = Gate()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    key = " --key GOOGLE_API_KEY" if provider == "google" else ""
    try:
        with pytest.raises(ModelFailed, match=f"{provider}:some-model refused"):
            asyncio.run(ProviderModel(parse(f"{provider}:some-model --url {url}{key}"), gate).complete("Hello?"))
    finally:
        server.shutdown()
        server.server_close()
    assert [entry.body.encode() for entry in gate.sent.entries] == got
    assert len(got) == 1
    assert b"Hello?" in got[0]
    assert not any(value.encode() in got[0] for value in KEYS.values() if len(value) > 20)


def ask(model_server: Any, provider: str, gate: Gate, **options: Any) -> Any:
    return ProviderModel(parse(model_server.choice(provider, **options)), gate).complete("Hello?")


@pytest.mark.parametrize("fault", ["hang", "stall"])
def test_a_cancelled_reply_lets_go_at_once(provider: str, model_server: Any, fault: str) -> None:
    model_server.faults = [fault]

    async def stop() -> float:
        task = asyncio.ensure_future(ask(model_server, provider, Gate()))
        await asyncio.to_thread(model_server.stalled.wait, 10)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(stop()) < 1


def test_never_more_under_way_than_the_limits_allow(provider: str, model_server: Any) -> None:
    now, most, lock = [0], [0], threading.Lock()

    def brain(asked: Any) -> Any:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        model_server.released.wait(0.05)
        with lock:
            now[0] -= 1
        return model_server.Reply("Hello.")

    model_server.brain = brain
    gate, told = Gate(limits=RateLimits(in_flight=1)), []
    gate.told = lambda why, seconds: told.append(why)

    async def several() -> list[str]:
        return await asyncio.gather(*(ask(model_server, provider, gate) for _ in range(4)))

    assert asyncio.run(several()) == ["Hello."] * 4
    assert most == [1]
    assert any("a request that is under way (limit 1)" in why for why in told)
    gate.close()


def test_a_request_that_waits_its_turn_is_stopped_at_once_and_never_sent(provider: str, model_server: Any) -> None:
    gate, waits = Gate(limits=RateLimits(a_minute=1)), threading.Event()
    gate.told = lambda why, seconds: waits.set()
    asyncio.run(ask(model_server, provider, gate))

    async def stop() -> float:
        task = asyncio.ensure_future(ask(model_server, provider, gate))
        await asyncio.to_thread(waits.wait, 10)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(stop()) < 1
    assert len(gate.sent.entries) == len(model_server.requests) == 1
    gate.limits = RateLimits(tokens_a_minute=3)
    with pytest.raises(RequestTooLarge):
        asyncio.run(ask(model_server, provider, gate))
    assert len(model_server.requests) == 1
    gate.close()


def test_a_dry_run_lets_nothing_out(provider: str, model_server: Any) -> None:
    gate = Gate()
    with gate.shut(), pytest.raises(Unsent) as unsent:
        asyncio.run(ask(model_server, provider, gate))
    assert "Hello?" in unsent.value.outgoing.body
    assert model_server.requests == []


def test_keys_of_the_provider_stay_away_from_another_server(
    provider: str, model_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "b" * 30)
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t" * 30)
    asyncio.run(ask(model_server, provider, Gate()))
    sent = str(model_server.requests[-1].headers)
    assert not any(value in sent for value in [*KEYS.values(), "b" * 30, "t" * 30] if len(value) >= 20), sent


def test_the_key_that_was_named_goes_in_a_header(model_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "m" * 30)
    asyncio.run(ask(model_server, "google", Gate(), key="MY_KEY"))
    assert model_server.requests[-1].headers["x-goog-api-key"] == "m" * 30
    with pytest.raises(BadModel, match="over https alone"):
        asyncio.run(ask(model_server, "bedrock", Gate(), key="MY_KEY"))
    headers: list[Any] = []
    asked = bedrock._Passing.before_send

    def noted(self: Any, request: Any, **more: Any) -> None:
        headers.append(dict(request.headers))
        asked(self, request, **more)

    monkeypatch.setattr(bedrock._Passing, "before_send", noted)
    line = f"bedrock:m --url https://{model_server.url.partition('//')[2]} --key MY_KEY"
    gate = Gate()
    with gate.shut(), pytest.raises(Unsent):
        asyncio.run(ProviderModel(parse(line), gate).complete("Hello?"))
    assert [h["Authorization"] for h in headers] in ([b"Bearer " + b"m" * 30], ["Bearer " + "m" * 30])


def test_a_region_or_credentials_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK", raising=False)
    monkeypatch.delenv(OFFLINE)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    gate = Gate()
    model = ProviderModel(parse("bedrock:some-model"), gate)
    with pytest.raises(BadModel, match=r"No AWS region.*AWS_DEFAULT_REGION"):
        asyncio.run(model.complete("Hello?"))
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    with pytest.raises(ModelFailed, match=r"no credentials of AWS.*aws sso login"):
        asyncio.run(model.complete("Hello?"))
    assert gate.sent.entries == []


def test_an_exception_in_the_middle_of_a_stream_is_one_line(model_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.model_formats import Converse

    whole = Converse.events

    def cut(*args: Any) -> Any:
        yield from list(whole(*args))[:2]
        yield Converse.failing("throttlingException", "Slow down.")

    monkeypatch.setattr(Converse, "events", cut)
    with pytest.raises(ModelFailed, match=r"limits the rate.*Slow down.*Ask again later"):
        asyncio.run(ask(model_server, "bedrock", Gate()))
    assert len(model_server.requests) == 1  # part of the reply was there: it is not asked twice
