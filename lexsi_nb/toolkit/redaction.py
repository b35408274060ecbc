"""Secrets taken out of texts before they are shown or kept; a policy of one's own replaces `mask`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from lexsi_nb.artifacts.secrets import MASK, mask_known

_PAIR = re.compile(
    r"""(?ix)\b([a-z_]{0,60}(?:password|passwd|pwd|secret|_token|token(?==)|api[_-]?key|access[_-]?key)[a-z_]{0,60}["']?\s*[=:]\s*["']?)([^\s"',;&]{3,})"""
)
_NAMES = re.compile(r"(?i)(password|passwd|secret|token|api_?key|access_?key|credential)")
_SHORTEST_GIVEN = 4  # of an argument: shorter ones stand in ordinary words


_IN_PAIRS = ("passw", "pwd", "secret", "token", "key")


@lru_cache(maxsize=4096)
def named_like_a_secret(name: str) -> bool:
    """Whether a name says that its value is a secret."""
    return _NAMES.search(name) is not None


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
