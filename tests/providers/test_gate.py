"""The gate: what leaves is noted first, and refused where nobody chose the way or a secret is in it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from lexsi_nb.egress.gate import OFFLINE, EgressRefused, Gate, Outgoing, on_this_machine, origin
from lexsi_nb.egress.transport import async_client, proxy_for, sync_client
from lexsi_nb.planners.choice import parse
from lexsi_nb.planners.failures import ModelFailed
from lexsi_nb.planners.keys import NoKey
from lexsi_nb.planners.provider import ProviderModel


def ask(model: ProviderModel, prompt: str = "Hello?") -> Any:
    return asyncio.run(model.complete(prompt, system="Be short."))


def test_the_exact_body_is_noted_before_it_is_sent(model_server: Any) -> None:
    gate = Gate()
    seen: list[int] = []
    model_server.brain = lambda asked: seen.append(len(gate.sent.entries)) or model_server.Reply("Hi.")
    assert ask(ProviderModel(parse(model_server.choice("anthropic")), gate)) == "Hi."
    assert seen == [1]
    (sent,) = gate.sent.entries
    assert json.loads(sent.body) == model_server.requests[0].body
    assert sent.to == f"anthropic:test-model ({model_server.url.partition('://')[2]})"


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_a_blocking_client_goes_through_it_too(model_server: Any, library: str) -> None:
    gate = Gate()
    url = f"{model_server.url}/v1/messages"
    with (
        sync_client(gate, url, timeout=5, library=library) as client,
        pytest.raises(EgressRefused, match="Nobody chose"),
    ):
        client.post(url, json={})
    assert gate.sent.entries == []
    gate.allow(url, "here")
    with sync_client(gate, url, timeout=5, library=library) as client:
        assert client.post(url, json={"messages": []}).status_code == 200
    assert gate.sent.entries[0].body == '{"messages":[]}'


def test_real_calls_are_banned_by_one_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    gate.allow("https://api.anthropic.com", "anthropic:x")
    with pytest.raises(EgressRefused, match=OFFLINE):
        gate.let_out("POST", "https://api.anthropic.com/v1/messages", b"{}")
    monkeypatch.setenv(OFFLINE, "0")
    gate.let_out("POST", "https://api.anthropic.com/v1/messages", b"{}")
    assert len(gate.sent.entries) == 1


def test_the_ban_ends_a_request_with_a_line_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 30)
    with pytest.raises(EgressRefused, match=f"{OFFLINE} is set"):
        ask(ProviderModel(parse("openai:gpt-5.2"), Gate()))


def test_only_chosen_destinations(model_server: Any) -> None:
    gate = Gate()
    gate.allow("http://127.0.0.1:1", "another")
    with pytest.raises(EgressRefused, match="Nobody chose that destination"):
        gate.let_out("POST", f"{model_server.url}/v1/messages", b"{}")
    assert gate.sent.entries == []


@pytest.mark.parametrize("secret", ["tr0ub4dor-and-3", 'quo"ted\\secret-1', "spaces are fine 99"])
def test_a_secret_of_ours_never_leaves(monkeypatch: pytest.MonkeyPatch, model_server: Any, secret: str) -> None:
    monkeypatch.setenv("WAREHOUSE_PASSWORD", secret)
    model = ProviderModel(parse(model_server.choice("openai")), Gate())
    with pytest.raises(EgressRefused, match="WAREHOUSE_PASSWORD") as refused:
        ask(model, f"Connect with {secret}")
    assert secret not in str(refused.value)
    assert model_server.requests == []


def test_a_secret_in_the_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "abcdefgh12345")
    gate = Gate()
    gate.allow("http://127.0.0.1:9", "here")
    with pytest.raises(EgressRefused, match="SOME_TOKEN stands in the address"):
        gate.let_out("GET", "http://127.0.0.1:9/x?token=abcdefgh12345", b"")


def test_the_key_goes_in_a_header_and_nowhere_else(monkeypatch: pytest.MonkeyPatch, model_server: Any) -> None:
    monkeypatch.setenv("MY_MODEL", "a-key-under-a-plain-name")
    gate = Gate()
    model = ProviderModel(parse(model_server.choice("anthropic", key="MY_MODEL")), gate)
    ask(model)
    assert "a-key-under-a-plain-name" in " ".join(model_server.requests[0].headers.values())
    assert "a-key-under" not in gate.sent.entries[0].body + repr(model) + repr(gate)
    with pytest.raises(EgressRefused, match="the key of anthropic"):
        ask(model, "My key is a-key-under-a-plain-name")


def test_a_check_can_refuse_before_anything_is_noted(model_server: Any) -> None:
    def too_dear(outgoing: Outgoing) -> None:
        raise EgressRefused(f"{len(outgoing.body)} bytes are too many.")

    gate = Gate(checks=[too_dear])
    with pytest.raises(EgressRefused, match="too many"):
        ask(ProviderModel(parse(model_server.choice("openai")), gate))
    assert gate.sent.entries == []
    assert model_server.requests == []


def test_many_at_once_and_on_several_loops(model_server: Any) -> None:
    model = ProviderModel(parse(model_server.choice("openai")), Gate())

    async def several() -> list[str]:
        return await asyncio.gather(*(model.complete(f"Q{i}") for i in range(5)))

    assert asyncio.run(several()) + asyncio.run(several()) == ["A plain answer."] * 10


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.bank:3128")
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1,.internal")
    assert proxy_for("https://api.anthropic.com/v1") == "http://proxy.bank:3128"
    assert proxy_for("https://models.internal/v1") is None
    assert proxy_for("http://localhost:11434/v1") is None


def test_what_stays_on_this_machine_takes_no_proxy(monkeypatch: pytest.MonkeyPatch, model_server: Any) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")  # nobody listens there
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert ask(ProviderModel(parse(model_server.choice("openai")), Gate())) == "A plain answer."


@pytest.mark.parametrize("code", ["301", "302", "307", "308"])
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_redirect_is_not_followed_and_says_so(model_server: Any, provider: str, code: str) -> None:
    model_server.faults = [code]
    gate = Gate()
    with pytest.raises(ModelFailed, match=r"redirects, which is not followed.*--url"):
        ask(ProviderModel(parse(model_server.choice(provider)), gate))
    assert len(model_server.requests) == len(gate.sent.entries) == 1


@pytest.mark.parametrize("key", ["abcdef\nghijkl", "abcdef\r\nx-other: 1", "abc\u2013def-ghijkl"])
def test_a_key_that_no_header_can_carry_is_named_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, model_server: Any, key: str
) -> None:
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(NoKey, match="environment variable MY_KEY cannot be sent") as failed:
        ask(ProviderModel(parse(model_server.choice("openai", key="MY_KEY")), Gate()))
    assert key[:3] not in str(failed.value)
    assert not model_server.requests
    monkeypatch.setenv("MY_KEY", "abcdefghijkl\n")  # as a file with a line end is read
    assert ask(ProviderModel(parse(model_server.choice("openai", key="MY_KEY")), Gate())) == "A plain answer."


def test_origins_and_loopback() -> None:
    assert origin("HTTPS://API.Example.com/v1") == origin("https://api.example.com:443")
    assert origin("http://a.b") != origin("https://a.b")
    here = ("http://localhost:1", "http://127.9.9.9", "http://[::1]:2")
    elsewhere = ("http://10.0.0.1", "http://localhost.evil.com", "http://127.0.0.1.evil.com")
    assert [on_this_machine(u) for u in (*here, *elsewhere)] == [True] * 3 + [False] * 3


def test_a_client_refuses_a_redirect_to_elsewhere(model_server: Any) -> None:
    """Each hop passes the gate by itself: following a redirect is sending again."""
    gate = Gate()
    gate.allow(model_server.url, "here")

    async def go() -> None:
        async with async_client(gate, model_server.url, timeout=5) as client:
            await client.post("http://127.0.0.1:1/elsewhere", json={})

    with pytest.raises(EgressRefused):
        asyncio.run(go())
