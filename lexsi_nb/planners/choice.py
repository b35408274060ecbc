"""Which model a user chose: `provider:model` and its options, in one line of text."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass, fields
from typing import Any, Literal, NoReturn
from urllib.parse import urlsplit

from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import LexsiError, UnknownName, argument_refused

Effort = Literal["off", "minimal", "low", "medium", "high", "xhigh", "max"]
Tier = Literal["auto", "default", "flex", "priority"]
EFFORTS: tuple[str, ...] = ("off", "minimal", "low", "medium", "high", "xhigh", "max")
TIERS: tuple[str, ...] = ("auto", "default", "flex", "priority")


class UnknownProvider(UnknownName):
    """No provider of that name."""

    kind = "model provider"


class BadModel(LexsiError):
    """A model cannot be chosen as written."""


@dataclass(frozen=True)
class Provider:
    """What is fixed about one provider. `module` is the library its extra brings."""

    extra: str
    module: str
    address: str
    key_names: tuple[str, ...]
    needs_key: bool = True


PROVIDERS: dict[str, Provider] = {
    "anthropic": Provider("anthropic", "anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",)),
    "openai": Provider("openai", "openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",)),
    "google": Provider(
        "google", "google.genai", "https://generativelanguage.googleapis.com", ("GOOGLE_API_KEY", "GEMINI_API_KEY")
    ),
    "bedrock": Provider("bedrock", "boto3", "", ("AWS_BEARER_TOKEN_BEDROCK",), needs_key=False),
    "ollama": Provider("ollama", "openai", "http://localhost:11434/v1", ("OLLAMA_API_KEY",), needs_key=False),
    "lexsi": Provider("lexsi", "lexsi_sdk", "https://api.lexsi.ai", ("SDK_ACCESS_TOKEN",)),
}


@dataclass(frozen=True)
class ModelChoice:
    """A model and how to call it. `str()` gives the line that `parse` reads.

    Args:
        provider: A name of `PROVIDERS`.
        model: The provider's name of the model.
        url: Another address that speaks the provider's protocol; with openai any compatible server.
        effort: How much it should reason; None leaves that to the model.
        tier: Service tier; None leaves it to the provider.
        timeout: Seconds without a byte of the answer before a request is given up.
        max_tokens: Of one reply; None leaves it to the provider.
        key: Name of the environment variable that holds the key, where it is not the provider's usual one.
        api: chat or responses, of openai; None: responses at OpenAI itself, chat elsewhere.
        json: The model has no tool calls and answers with JSON decisions.
        project: WORKSPACE/PROJECT of the Lexsi platform, of lexsi, whose model is written PROVIDER/MODEL.
    """

    provider: str
    model: str
    url: str | None = None
    effort: Effort | None = None
    tier: Tier | None = None
    timeout: float = 120.0
    max_tokens: int | None = None
    key: str | None = None
    api: Literal["chat", "responses"] | None = None
    json: bool = False
    project: str | None = None

    def __post_init__(self) -> None:
        if self.provider not in PROVIDERS:
            raise UnknownProvider.among(self.provider, PROVIDERS, next="Write provider:model, as anthropic:NAME.")
        if not self.model.strip():
            raise BadModel(f"{self.provider}: has no model name.", "", f"Write {self.provider}:NAME.")
        if self.url is not None:
            check_address(self.url)
        if not 0 < self.timeout < float("inf"):
            raise BadModel(f"{self.timeout:g} s is no time-out.", "", "Write a number of seconds above 0.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise BadModel(f"A reply of {self.max_tokens} tokens says nothing.", "", "Write --max-tokens from 1.")

    @property
    def name(self) -> str:
        """`provider:model`."""
        return f"{self.provider}:{self.model}"

    @property
    def address(self) -> str:
        """Where its requests go."""
        if self.url:
            return self.url
        elsewhere = {"ollama": "OLLAMA_BASE_URL", "lexsi": "XAI_API_URL"}.get(self.provider)
        if elsewhere is not None:
            import os

            if named := os.environ.get(elsewhere, "").strip():
                check_address(named)
            return named or PROVIDERS[self.provider].address
        return PROVIDERS[self.provider].address

    def __str__(self) -> str:
        plain = {f.name: f.default for f in fields(self)}
        parts = [self.name]
        for name in ("url", "effort", "tier", "timeout", "max_tokens", "key", "api", "project"):
            value = getattr(self, name)
            if value != plain[name]:
                value = f"{value:g}" if isinstance(value, float) else value
                parts.append(f"--{name.replace('_', '-')} {shlex.quote(str(value))}")
        return " ".join([*parts, "--json"] if self.json else parts)


def check_address(url: str) -> None:
    """Raise BadModel where an address cannot be called as it is written, or would show a secret."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, good = urlsplit(""), False
    if "@" in parts.netloc:
        raise BadModel(
            "The address has a user or password in it.", "It would be shown.", "Give a key by --key ENV_NAME."
        )
    if parts.query or parts.fragment:
        raise BadModel(
            "The address has a query or fragment.", "Paths are added at its end.", "Give a key by --key ENV_NAME."
        )
    if not good or not url.isprintable() or " " in url:
        raise BadModel(f"{redact(url)!r} is no address.", "", "Write --url https://HOST/v1")


def looks_like_a_model(text: str) -> bool:
    """Whether a planner's name means a model: it has a colon before any space."""
    return ":" in text.split(" ", 1)[0]


def parse(text: str) -> ModelChoice:
    """Return the choice that a line means.

    >>> str(parse("openai:local --url http://localhost:8000/v1 --json"))
    'openai:local --url http://localhost:8000/v1 --json'

    Raises:
        UnknownProvider: lists the nearest providers.
        BadModel: an option that is not there, or a value it cannot have.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadModel("The line cannot be read.", f"{error}.", "Close the quotes.") from None
    if not words:
        raise BadModel("No model was named.", "", "Write provider:model, as anthropic:NAME.")
    provider, colon, model = words[0].partition(":")
    if not colon and provider.lower() in PROVIDERS:
        raise BadModel(f"{provider} is a provider and names no model.", "", f"Write {provider.lower()}:NAME.")
    if not colon:
        raise UnknownProvider.among(provider, [*PROVIDERS, "embedded"], next="Write provider:model, as anthropic:NAME.")
    options: dict[str, Any] = vars(_reader().parse_args(words[1:]))
    return ModelChoice(provider.lower(), model, **{k: v for k, v in options.items() if v is not None})


def model(name: str, **options: Any) -> ModelChoice:
    """Return a choice for `Session(planner=...)` or `Session(model=...)`; options as in `ModelChoice`.

    Raises:
        UnknownProvider: lists the nearest providers.
        BadModel: a value that an option cannot have.
    """
    chosen = parse(name)
    known = {f.name for f in fields(ModelChoice)} - {"provider", "model"}
    for wrong in set(options) - known:
        raise UnknownOption.among(wrong, known)
    kept = {f.name: getattr(chosen, f.name) for f in fields(ModelChoice)}
    return ModelChoice(**{**kept, **options})


class UnknownOption(UnknownName):
    """No such option of a model."""

    kind = "option of a model"


class _Reader(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print before it ends the process."""
        known = ", ".join(a.option_strings[0] for a in self._actions)
        what, why = argument_refused(message)
        raise BadModel(what, why, f"Options of a model: {known}.")


def _reader() -> _Reader:
    reader = _Reader(add_help=False, allow_abbrev=False)
    reader.add_argument("--url")
    reader.add_argument("--effort", choices=EFFORTS)
    reader.add_argument("--tier", choices=TIERS)
    reader.add_argument("--timeout", type=float)
    reader.add_argument("--max-tokens", type=int)
    reader.add_argument("--key", metavar="ENV_NAME")
    reader.add_argument("--api", choices=("chat", "responses"))
    reader.add_argument("--project", metavar="WORKSPACE/PROJECT")
    reader.add_argument("--json", action="store_true")
    return reader
