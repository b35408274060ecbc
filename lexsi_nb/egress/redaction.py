"""Secrets out of a text before it leaves the machine or is kept."""

from __future__ import annotations

import re

from lexsi_nb.artifacts.secrets import MASK, mask_known

# name=value as in connection strings and settings. Narrower than what a person is shown: prompts hold SQL and code,
# where `a.api_key = b.api_key` is no secret.
_PAIR = re.compile(
    r"""(?ix)\b((?:[a-z_]{0,60}(?:password|passwd|pwd)|[a-z_]{0,60}(?:secret|access|account)_?key|client_secret)["']?\s*[=:]\s*["']?)
    ([^\s"',;&\[\]]{3,})"""
)


def redact(text: str) -> str:
    """Return `text` with known secret values and secret-looking strings masked."""
    return _PAIR.sub(lambda m: m[1] + MASK, mask_known(text))
