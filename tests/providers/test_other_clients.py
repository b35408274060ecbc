"""Google's and Amazon's own clients: each is built, sends through the gate alone, and sends nothing while offline."""

from __future__ import annotations

import asyncio
import importlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from lexsi_nb.egress.gate import OFFLINE, EgressRefused, Gate
from lexsi_nb.planners.choice import parse
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


def test_the_model_is_built_and_its_client_is_ours(provider: str) -> None:
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
