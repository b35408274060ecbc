"""Choosing a model: one line of text, keys from the environment or the keyring, errors that say what to write."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from lexsi_nb.egress.gate import Gate
from lexsi_nb.errors import LexsiError, MissingExtra
from lexsi_nb.planners import clients, keys
from lexsi_nb.planners.choice import BadModel, ModelChoice, UnknownOption, UnknownProvider, model, parse


@pytest.mark.parametrize(
    "line",
    [
        "anthropic:claude-sonnet-4-6",
        "openai:local --url http://localhost:8000/v1 --effort high --tier flex --timeout 30 --json",
        "openai:gpt-5.2 --max-tokens 900 --key MY_KEY --api chat",
        "ollama:qwen3:8b",
    ],
)
def test_a_choice_is_a_line_of_text_and_back(line: str) -> None:
    assert str(parse(line)) == line
    assert parse(str(parse(line))) == parse(line)


def test_options_of_the_function_are_those_of_the_line() -> None:
    assert model("openai:x", url="http://localhost:8000/v1", json=True) == parse(
        "openai:x --url http://localhost:8000/v1 --json"
    )
    with pytest.raises(UnknownOption, match="Nearest: timeout"):
        model("openai:x", timeot=3)


@pytest.mark.parametrize(
    ("line", "kind", "says"),
    [
        ("antropic:x", UnknownProvider, "Nearest: anthropic"),
        ("claude", UnknownProvider, "anthropic:NAME"),
        ("anthropic", BadModel, "Write anthropic:NAME"),
        ("openai:", BadModel, "has no model name"),
        ("openai:x --effort huge", BadModel, "huge"),
        ("openai:x --tiem 3", BadModel, "--timeout"),
        ("openai:x --url localhost", BadModel, "no address"),
        ("openai:x --url https://me:pw@host/v1", BadModel, "user or password"),
        ("openai:x --timeout 0", BadModel, "no time-out"),
        ("openai:x --timeout nan", BadModel, "no time-out"),
        ("openai:x --max-tokens 0", BadModel, "from 1"),
        ("openai:x --url http://", BadModel, "no address"),
        ("openai:x --url https:///v1", BadModel, "no address"),
        ("openai:x --url 'http://ho st/v1'", BadModel, "no address"),
        ("openai:x --url http://host:99999/v1", BadModel, "no address"),
        ("openai:x --url http://[::1/v1", BadModel, "no address"),
        ("openai:x --url https://host/v1?key=me:pw", BadModel, "query or fragment"),
        ("openai:'x", BadModel, "Close the quotes"),
        ("", BadModel, "No model was named"),
    ],
)
def test_a_mistake_says_what_to_write(line: str, kind: type[LexsiError], says: str) -> None:
    with pytest.raises(kind, match=says) as told:
        parse(line)
    assert "me:pw" not in str(told.value)


def test_a_key_is_found_in_the_environment_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-key-itself")
    found = keys.find(parse("anthropic:x"))
    assert found is not None
    assert found.value == "the-key-itself"
    assert "the-key-itself" not in repr(found) + str(found) + keys.where("anthropic")
    assert keys.where("anthropic") == "ANTHROPIC_API_KEY"


def test_a_key_is_found_in_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    stored = {("lexsi-nb", "openai"): "from-the-ring"}

    class RingError(Exception):
        pass

    ring = SimpleNamespace(get_password=lambda service, user: stored.get((service, user)), __spec__=object())
    ring.errors = SimpleNamespace(KeyringError=RingError)
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", ring.errors)
    found = keys.find(parse("openai:x"))
    assert found is not None
    assert (found.source, found.value) == ("keyring", "from-the-ring")


def test_without_a_key_it_says_where_one_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(keys, "in_keyring", lambda provider: "")
    with pytest.raises(keys.NoKey, match="OPENAI_API_KEY, then in the keyring under lexsi-nb, openai"):
        keys.find(parse("openai:x"))


def test_a_key_for_openai_is_not_sent_to_another_server(monkeypatch: pytest.MonkeyPatch, model_server: Any) -> None:
    import asyncio

    from lexsi_nb.planners.provider import ProviderModel

    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "meant-for-the-vendor")
    for provider in ("openai", "anthropic", "ollama"):
        asyncio.run(ProviderModel(parse(model_server.choice(provider)), Gate()).complete("Hi"))
    assert not any("meant-for" in " ".join(r.headers.values()) for r in model_server.requests)


def test_a_missing_library_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "is_there", lambda module: module != "google.genai")
    with pytest.raises(MissingExtra, match=r'%pip install "lexsi-nb\[google\]"'):
        clients.check(ModelChoice("google", "gemini-x"), Gate())


def test_a_module_in_a_package_that_is_absent_is_not_there() -> None:
    assert not clients.is_there("no_such_package.inside")
    assert clients.is_there("json")
