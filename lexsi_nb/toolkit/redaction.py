"""Secrets taken out of error texts; a policy of one's own replaces `mask`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

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
    r"""(?ix)\b([a-z_]*(?:password|passwd|pwd|secret|_token|token(?==)|api[_-]?key|access[_-]?key)[a-z_]*["']?\s*[=:]\s*["']?)([^\s"',;&]{3,})"""
)
_NAMES = re.compile(r"(?i)(password|passwd|secret|token|api_?key|access_?key|credential)")
_SHORTEST = 8


def named_like_a_secret(name: str) -> bool:
    """Whether a name says that its value is a secret."""
    return _NAMES.search(name) is not None


def mask(text: str) -> str:
    """Return the text with what looks like a secret, or is the value of a secret environment variable, masked.

    >>> mask("login failed: password=hunter22")
    'login failed: password=[secret]'
    """
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST and _NAMES.search(name) and value in text:
            text = text.replace(value, MASK)
    return _PAIR.sub(lambda m: m[1] + MASK, _SHAPES.sub(MASK, text))


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
