"""A pydantic-ai model for a choice, whose every request goes through the gate."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from lexsi_nb.egress.gate import Gate
from lexsi_nb.egress.transport import async_client
from lexsi_nb.errors import MissingExtra
from lexsi_nb.planners import keys
from lexsi_nb.planners.bedrock import bedrock_model
from lexsi_nb.planners.choice import PROVIDERS, ModelChoice

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

NO_KEY = "not-needed"  # the SDKs refuse an empty one
REPLY_TOKENS = 8_192  # where a provider demands a limit


def check(choice: ModelChoice, gate: Gate) -> None:
    """Raise what would keep a choice from working: a library or a key that is not there. Nothing is sent.

    Where the gate lets nothing out (a dry run), no key is needed.

    Raises:
        MissingExtra: the exact %pip line.
        NoKey: where a key is looked for.
    """
    installed(choice.provider)
    keys.find(choice, needed=not gate.is_shut)


def installed(provider: str) -> None:
    """Raise MissingExtra where a provider's library is not installed."""
    needed = PROVIDERS[provider]
    for module in ("pydantic_ai", needed.module):
        if not is_there(module):
            raise MissingExtra.of(module.replace(".", "-"), needed.extra, f"Models of {provider} need it.")


def is_there(module: str) -> bool:
    """Whether a module can be imported; it is not."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False  # the package around it is not there


def settings(choice: ModelChoice) -> ModelSettings:
    """Return the settings of every request of a choice. Retries are ours, so that each is counted and noted."""
    out: dict[str, Any] = {"timeout": choice.timeout, "max_retries": 0, "cache": True}
    if choice.effort is not None:
        out["thinking"] = False if choice.effort == "off" else choice.effort
    if choice.tier is not None:
        out["service_tier"] = choice.tier
    if choice.max_tokens is not None:
        out["max_tokens"] = choice.max_tokens
    elif choice.provider in ("anthropic", "bedrock"):
        out["max_tokens"] = REPLY_TOKENS
    if choice.provider == "openai":
        out["openai_store"] = False  # nothing is to stay at the provider
    if choice.url:
        out.pop("cache")  # compatible servers need not know the markers
    if choice.provider == "bedrock":
        out = {k: v for k, v in out.items() if k not in ("timeout", "max_retries")}  # of the client
    return out  # type: ignore[return-value]


@asynccontextmanager
async def client_model(choice: ModelChoice, gate: Gate) -> AsyncIterator[Model]:
    """Open the model for one request. Its connection is closed afterwards, whichever event loop that was on."""
    check(choice, gate)
    key = keys.find(choice, needed=not gate.is_shut)
    if key is not None:
        gate.guard(f"the key of {choice.provider}", key.value)
    secret = key.value if key is not None else NO_KEY
    if choice.provider == "bedrock":
        async with bedrock_model(choice, gate, key.value if key is not None else None) as model:
            yield model
        return
    gate.allow(choice.address, choice.name)
    async with async_client(gate, choice.address, timeout=choice.timeout) as http:
        yield _over_http(choice, secret, http)


def _over_http(choice: ModelChoice, key: str, http: Any) -> Model:
    if choice.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(
            choice.model, provider=AnthropicProvider(api_key=key, base_url=choice.address, http_client=http)
        )
    if choice.provider == "google":
        google = importlib.import_module("pydantic_ai.models.google")
        provider = importlib.import_module("pydantic_ai.providers.google").GoogleProvider
        return google.GoogleModel(
            choice.model, provider=provider(api_key=key, base_url=choice.address, http_client=http)
        )
    if choice.provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        return OllamaModel(
            choice.model, provider=OllamaProvider(base_url=choice.address, api_key=key, http_client=http)
        )
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    served = OpenAIProvider(base_url=choice.address, api_key=key, http_client=http)
    api = choice.api or ("chat" if choice.url else "responses")
    return (OpenAIChatModel if api == "chat" else OpenAIResponsesModel)(choice.model, provider=served)
