"""The key of a provider: from the environment, else the system's keyring. Never shown."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass, field

from lexsi_nb.artifacts.secrets import learn
from lexsi_nb.errors import LexsiError
from lexsi_nb.planners.choice import PROVIDERS, ModelChoice

SERVICE = "lexsi-nb"  # of the keyring; the user name there is the provider


class NoKey(LexsiError):
    """The chosen provider needs a key and none was found."""


@dataclass(frozen=True)
class Key:
    """A key and where it came from; its repr shows only that."""

    source: str
    value: str = field(repr=False)


def find(choice: ModelChoice, *, needed: bool = True) -> Key | None:
    """Return the key of a chosen model, or None where the provider works without. It is masked in every text.

    needed: False for a request that is only looked at, in a dry run.

    Raises:
        NoKey: says where a key is looked for.
    """
    provider = PROVIDERS[choice.provider]
    names = (choice.key,) if choice.key else provider.key_names
    if choice.url and not choice.key:
        names = ()  # a provider's usual key is not meant for another server
    for name in names:
        if value := os.environ.get(name, "").strip():
            return _usable(Key(f"environment variable {name}", value), choice)
    if not choice.url and (value := in_keyring(choice.provider)):
        return _usable(Key("keyring", value), choice)
    if needed and (choice.key or (provider.needs_key and not choice.url)):
        where = " or ".join(names)
        raise NoKey(
            f"{choice.name} needs a key.",
            f"It is looked for in {where}, then in the keyring under {SERVICE}, {choice.provider}.",
            f"Set it before the kernel starts, or run in a terminal: keyring set {SERVICE} {choice.provider}",
        )
    return None


def _usable(key: Key, choice: ModelChoice) -> Key:
    if not (key.value.isascii() and key.value.isprintable()):
        raise NoKey(
            f"The key of {choice.name} in the {key.source} cannot be sent.",
            "It has a line break or a letter that no key has.",
            "Copy it anew.",
        )
    learn(f"the key of {choice.provider}", key.value)  # keyrings and plain names are no secret environment
    return key


def where(provider: str) -> str:
    """Return where a provider's key is, in words, "" where there is none; the key itself is not returned."""
    for name in PROVIDERS[provider].key_names:
        if os.environ.get(name, "").strip():
            return name
    return "the keyring" if in_keyring(provider) else ""


def in_keyring(provider: str) -> str:
    """Return what the keyring has under a name, "" where there is nothing."""
    if importlib.util.find_spec("keyring") is None:
        return ""
    import keyring  # pyright: ignore[reportMissingImports] (an extra)
    from keyring.errors import KeyringError  # pyright: ignore[reportMissingImports]

    try:
        return (keyring.get_password(SERVICE, provider) or "").strip()
    except KeyringError:
        return ""  # no keyring service runs here, as on most servers; the environment is left
