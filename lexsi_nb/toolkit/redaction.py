"""Secrets taken out of texts before they are shown or kept; a policy of one's own replaces `mask`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from lexsi_nb.artifacts.wording import covered

MASK = "[secret]"
_SHAPES = re.compile(
    r"""(?x)
    \bsk-[A-Za-z0-9_-]{16,}                       # provider keys
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b               # AWS access key ids
    | \bgh[pousr]_[A-Za-z0-9]{20,}                # GitHub tokens
    | \bxox[abprs]-[A-Za-z0-9-]{10,}              # Slack tokens
    | \beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*  # JSON web tokens
    | (?<=://)[^/\s:@]*:[^/\s@]+(?=@)              # user:password in an address
    | (?<=[Bb]earer\ )[A-Za-z0-9._~+/=-]{8,}
    """
)
_PAIR = re.compile(
    r"""(?ix)\b([a-z_]{0,60}(?:password|passwd|pwd|secret|_token|token(?==)|api[_-]?key|access[_-]?key)[a-z_]{0,60}["']?\s*[=:]\s*["']?)([^\s"',;&]{3,})"""
)
_NAMES = re.compile(r"(?i)(password|passwd|secret|token|api_?key|access_?key|credential)")
# Environment variables whose values are secrets wherever they turn up.
_ENVIRONMENT = re.compile(r"(?i)(key|token|secret|passw|credential|auth)")
_SHORTEST = 8
_SHORTEST_GIVEN = 4  # of an argument: shorter ones stand in ordinary words


# One of these stands in any text that the patterns above find something in; looking for them is much quicker.
_IN_SHAPES = ("sk-", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "eyJ", "://", "earer ")
_IN_PAIRS = ("passw", "pwd", "secret", "token", "key")


_LEARNT: set[str] = set()


def learn(secret: str) -> None:
    """Mask a secret that is in no environment variable, as a key from the keyring, in every text from now on."""
    if len(secret) >= _SHORTEST:
        _LEARNT.add(secret)


@lru_cache(maxsize=4096)
def named_like_a_secret(name: str) -> bool:
    """Whether a name says that its value is a secret."""
    return _NAMES.search(name) is not None


@lru_cache(maxsize=4096)
def _kept_in(variable: str) -> bool:
    return _ENVIRONMENT.search(variable) is not None


@lru_cache(maxsize=8)
def _of_environment(_state: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the values of variables named like secrets. Reading them all takes longer than a small tool's call."""
    return tuple(v for n, v in os.environ.items() if len(v) >= _SHORTEST and _kept_in(n))


def mask_known(text: str) -> str:
    """Return the text with what has the form of a key, or is the value of a secret environment variable, masked.

    It leaves `api_key = b.api_key` alone, which is no secret in SQL or in code.
    """
    values = (*_of_environment(tuple(getattr(os.environ, "_data", os.environ).items())), *_LEARNT)
    # The path of a file that holds a secret is none.
    found = [v for v in values if v in text and not (os.sep in v and os.path.exists(v))]
    shaped = any(mark in text for mark in _IN_SHAPES)
    if not found and not shaped:
        return text
    spans = [hit.span() for v in found for hit in re.finditer(re.escape(v), text)]
    # One secret may stand inside another: what is left of the longer one would tell too much.
    return covered(text, [*spans, *(hit.span() for hit in _SHAPES.finditer(text) if shaped)], MASK)


def mask(text: str) -> str:
    """Return the text with what looks like a secret, or is the value of a secret environment variable, masked.

    >>> mask("login failed: password=hunter22")
    'login failed: password=[secret]'
    """
    text = mask_known(text)
    low = text.casefold()
    return _PAIR.sub(lambda m: m[1] + MASK, text) if any(mark in low for mark in _IN_PAIRS) else text


def hiding(args: Any, hide: Callable[[str], str]) -> Callable[[str], str]:
    """Return `hide` that also masks the values of arguments named like secrets, wherever a text repeats them.

    >>> hiding({"user": "ann", "password": "open sesame"}, mask)("ann: 'open sesame' is wrong")
    "ann: '[secret]' is wrong"
    """
    values = sorted(_secret_values(args), key=len, reverse=True)

    def hidden(text: str) -> str:
        for value in values:
            text = text.replace(value, MASK)
        return hide(text)

    return hidden if values else hide


def _secret_values(value: Any, name: str = "") -> set[str]:
    if isinstance(value, Mapping):
        return {found for k, v in value.items() for found in _secret_values(v, str(k))}
    if isinstance(value, list | tuple):
        return {found for v in value for found in _secret_values(v, name)}
    plain = isinstance(value, str | int | float) and not isinstance(value, bool) and named_like_a_secret(name)
    return {str(value)} if plain and len(str(value)) >= _SHORTEST_GIVEN else set()


def masked(value: Any, name: str = "") -> Any:
    """Return arguments with the values of secret-looking names masked, at any depth.

    >>> masked({"bucket": "raw", "aws_secret_access_key": "hunter22"})
    {'bucket': 'raw', 'aws_secret_access_key': '[secret]'}
    """
    if isinstance(value, Mapping):
        return {k: masked(v, str(k)) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [masked(v, name) for v in value]
    return MASK if isinstance(value, str) and value and _NAMES.search(name) else value
