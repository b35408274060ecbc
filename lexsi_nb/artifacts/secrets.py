"""What a secret looks like, which ones this process holds, and how they are taken out of a text."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Any

MASK = "[secret]"
SHORTEST = 8  # shorter values stand in ordinary words
# Environment variables whose values are secrets wherever they turn up.
_ENVIRONMENT = re.compile(r"(?i)(key|token|secret|passw|credential|auth(?!or(?!i)))")  # no author
_SHAPES = re.compile(
    r"""(?x)
    \bsk-[A-Za-z0-9_-]{16,}                       # provider keys
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b               # AWS access key ids
    | \bgh[pousr]_[A-Za-z0-9]{20,}                # GitHub tokens
    | \bxox[abprs]-[A-Za-z0-9-]{10,}              # Slack tokens
    | \beyJ[A-Za-z0-9_-]{10,2048}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*  # JSON web tokens
    | (?i:(?<=[?&]key=)|(?<=[?&]sig=)|(?<=[?&]token=)|(?<=[?&]api_key=)|(?<=[?&]apikey=))[^\s&'"<>]{6,}
    | (?i:(?<=X-Amz-Signature=)|(?<=X-Amz-Security-Token=))[^\s&'"<>]{6,}
    | (?<=://)[^/\s:@]*:[^/\s@]+(?=@)              # user:password in an address
    | (?i:(?<=bearer\s))[A-Za-z0-9._~+/=-]{8,}
    """
)
# One of these stands in any text that the pattern finds something in; looking for them is much quicker.
_MARKS = ("sk-", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "eyJ", "://", "earer", "EARER", "=")
_LEARNT: dict[str, str] = {}  # secret -> what it is


def learn(what: str, secret: str) -> None:
    """Keep a secret that is in no environment variable, as a key from the keyring, out of every text from now on."""
    if len(secret) >= SHORTEST:
        _LEARNT[secret] = what


@lru_cache(maxsize=8)
def _of_environment(_state: tuple[Any, ...]) -> dict[str, str]:
    """Return value -> name of the variables named like secrets. Reading all takes longer than a small tool's call."""
    return {v: n for n, v in os.environ.items() if len(v) >= SHORTEST and _ENVIRONMENT.search(n)}


def _held() -> dict[str, str]:
    return _of_environment(tuple(getattr(os.environ, "_data", os.environ).items())) | _LEARNT


def own_secrets() -> dict[str, str]:
    """Return the secrets of this process, value -> what it is: by the names of its environment, and those it learnt."""
    return {value: what for value, what in _held().items() if not _is_path(value)}


def mask_known(text: str) -> str:
    """Return the text with what has the form of a key, or is a secret of this process, masked.

    It leaves `api_key = b.api_key` alone, which is no secret in SQL or in code.

    >>> mask_known("with sk-abcdefghijklmnop1234 it opened")
    'with [secret] it opened'
    """
    found = [v for v in _held() if v in text and not _is_path(v)]
    shaped = any(mark in text for mark in _MARKS)
    if not found and not shaped:
        return text
    spans = [hit.span() for v in found for hit in re.finditer(re.escape(v), text)]
    # One secret may stand inside another: what is left of the longer one would tell too much.
    return _covered(text, [*spans, *(hit.span() for hit in _SHAPES.finditer(text) if shaped)])


def without_own(shown: Any) -> Any:
    """Return texts, at any depth, with the secrets of this process masked, also as they stand in HTML and JSON.

    For what a cell shows: it is saved with the notebook. What only looks like a key stays, as it may be data.
    """
    held = {form for v in own_secrets() for form in (v, escape(v), json.dumps(v)[1:-1])}
    return _without(shown, sorted(held, key=len, reverse=True)) if held else shown


def _without(shown: Any, held: list[str]) -> Any:
    if isinstance(shown, str):
        for secret in held:
            if secret in shown:
                shown = shown.replace(secret, MASK)
        return shown
    if isinstance(shown, dict):
        return {k: _without(v, held) for k, v in shown.items()}
    return [_without(v, held) for v in shown] if isinstance(shown, list) else shown


def _is_path(value: str) -> bool:
    """Whether a value is the path of a file, as of one that holds a secret: the path itself is none."""
    return os.sep in value and os.path.exists(value)


def _covered(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with each stretch masked; stretches that overlap become one."""
    out, at = [], 0
    for start, stop in sorted(spans):
        if start >= at:
            out += [text[at:start], MASK]
        at = max(at, stop)
    return "".join(out) + text[at:]
