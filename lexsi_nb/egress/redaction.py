"""Secrets out of text, before it reaches an output, a log or a prompt."""

from __future__ import annotations

import os
import re
from functools import lru_cache

MASK = "[secret]"
# Environment names whose values are secrets wherever they turn up.
_NAMES = re.compile(r"(?i)(key|token|secret|passw|credential|auth)")
_SHAPES = re.compile(
    r"(?x)"
    r"sk-[A-Za-z0-9_\-]{16,}"  # provider keys
    r"|AKIA[0-9A-Z]{16}"  # AWS access key ids
    r"|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{5,}"  # JSON web tokens
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"  # user:password in URLs
    r"|(?i:(?<=bearer\s))[A-Za-z0-9._\-]{12,}"
)


@lru_cache(maxsize=4096)
def _named(name: str) -> bool:
    return _NAMES.search(name) is not None


def own_secrets() -> dict[str, str]:
    """Return the secrets of this process, name -> value, by the names of its environment. Paths of files are none."""
    named = [n for n in os.environ if _named(n)]
    found = {n: v for n in named if len(v := os.environ.get(n, "")) >= 8}
    return {n: v for n, v in found.items() if not (os.sep in v and os.path.exists(v))}


def redact(text: str) -> str:
    """Return `text` with known secret values and secret-looking strings masked."""
    for value in own_secrets().values():
        if value in text:
            text = text.replace(value, MASK)
    return _SHAPES.sub(MASK, text)
