"""Secrets out of text, before it reaches an output, a log or a prompt."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from lexsi_nb.artifacts.wording import covered

MASK = "[secret]"
SHORTEST = 8  # shorter values stand in ordinary words
# Environment names whose values are secrets wherever they turn up.
_NAMES = re.compile(r"(?i)(key|token|secret|passw|credential|auth)")
_SHAPES = re.compile(
    r"(?x)"
    r"sk-[A-Za-z0-9_\-]{16,}"  # provider keys
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"  # AWS access key ids
    r"|\bxox[abprs]-[A-Za-z0-9\-]{10,}"  # Slack tokens
    r"|(?i:(?<=[?&]key=)|(?<=[?&]sig=)|(?<=[?&]token=)|(?<=[?&]api_key=)|(?<=[?&]apikey=))[^\s&'\"<>]{6,}"
    r"|(?i:(?<=X-Amz-Signature=)|(?<=X-Amz-Security-Token=))[^\s&'\"<>]{6,}"
    r"|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|eyJ[A-Za-z0-9_\-]{10,2048}\.[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{5,}"  # JSON web tokens
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"  # user:password in URLs
    r"|(?i:(?<=bearer\s))[A-Za-z0-9._\-]{12,}"
)
# name=value as in connection strings and settings; the name says that it is a secret.
_PAIR = re.compile(
    r"""(?ix)\b((?:[a-z_]{0,60}(?:password|passwd|pwd)|[a-z_]{0,60}(?:secret|access|account)_?key|client_secret)["']?\s*[=:]\s*["']?)
    ([^\s"',;&\[\]]{3,})"""
)


_LEARNT: dict[str, str] = {}  # what it is -> value


def learn(what: str, secret: str) -> None:
    """Keep a secret that is in no environment variable, as a key from the keyring, out of every text from now on."""
    if len(secret) >= SHORTEST:
        _LEARNT[what] = secret


@lru_cache(maxsize=4096)
def _named(name: str) -> bool:
    return _NAMES.search(name) is not None


def own_secrets() -> dict[str, str]:
    """Return the secrets of this process, name -> value: by the names of its environment, and those it learnt.

    Paths of files are none.
    """
    named = [n for n in os.environ if _named(n)]
    found = {n: v for n in named if len(v := os.environ.get(n, "")) >= SHORTEST}
    return {n: v for n, v in found.items() if not (os.sep in v and os.path.exists(v))} | _LEARNT


def redact(text: str) -> str:
    """Return `text` with known secret values and secret-looking strings masked."""
    spans = [hit.span() for v in own_secrets().values() if v in text for hit in re.finditer(re.escape(v), text)]
    # One secret may stand inside another: what is left of the longer one would tell too much.
    text = covered(text, [*spans, *(hit.span() for hit in _SHAPES.finditer(text))], MASK)
    return _PAIR.sub(lambda m: m[1] + MASK, text)
