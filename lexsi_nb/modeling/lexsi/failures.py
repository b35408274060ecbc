"""Errors of the platform in words: what happened, why, what next. None is empty."""

from __future__ import annotations

import json
import re
from typing import Any

from lexsi_nb.errors import LexsiError

MOST = 400  # characters of what the platform said


class PlatformFailed(LexsiError):
    """The platform did not do what it was asked; says what it said, or that it said nothing."""

    quotes = True


class JobFailed(PlatformFailed):
    """A job on the platform ended without a result. `reason`: what the platform said about it, "" where nothing."""

    def __init__(self, what: str, why: str = "", next: str = "", *, reason: str = "", event_id: str = "") -> None:
        super().__init__(what, why, next)
        self.reason, self.event_id = reason, event_id


class LeakRefused(PlatformFailed):
    """A request that would have made the target or the id a feature; it was not sent."""


class NotSupported(LexsiError):
    """The installed lexsi-sdk cannot do what is asked."""


def plain(said: Any) -> str:
    """Return what the platform said as a line: no HTML, no braces, at most 400 characters; "" where nothing.

    >>> plain("<html><body>Bad gateway</body></html>")
    'Bad gateway'
    """
    if isinstance(said, dict):
        said = next((said[k] for k in ("details", "message", "error", "detail") if said.get(k)), None) or (
            json.dumps(said, default=str) if said else ""
        )
        return plain(said)
    if isinstance(said, (list, tuple)):
        return "; ".join(t for t in map(plain, said) if t)[:MOST]
    text = re.sub(r"(?is)<(script|style).*?</\1>|<[^>]+>", " ", str(said or ""))
    text = " ".join(text.split())
    return text if len(text) <= MOST else f"{text[:MOST]}..."


def sentence(text: str) -> str:
    """Return the text with a full stop."""
    return text if not text or text[-1] in ".!?" else f"{text}."


def refused(what: str, said: Any, status: int = 0) -> PlatformFailed:
    """Return the error for an answer that says no."""
    words = plain(said)
    if status in (401, 403):
        return PlatformFailed(
            f"Lexsi refused {what} ({status}).", sentence(words), "Check the SDK access token and its rights."
        )
    if status == 429:
        return PlatformFailed(f"Lexsi is asked too often ({what}).", sentence(words), "Wait a minute and ask again.")
    if status >= 500:
        return PlatformFailed(f"Lexsi failed at {what} ({status}).", sentence(words), "Ask again later.")
    why = sentence(words) or "The platform gave no reason."
    return PlatformFailed(f"Lexsi refused {what}.", why, "See the project in the Lexsi console for more.")


def ours(error: BaseException) -> LexsiError | None:
    """Return the first error of ours behind `error`: what the SDK raises while it cleans up hides the cause."""
    found, seen, at = None, set(), error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        if isinstance(at, LexsiError):
            found = at
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return found


def translated(error: BaseException, what: str) -> LexsiError:
    """Return an error of the SDK as one of ours."""
    known = ours(error)
    if known is not None:
        return known
    words = plain(error.args[0] if error.args else "") or f"{type(error).__name__} without a message"
    if not isinstance(error, Exception) or type(error) is not Exception:
        words = f"{type(error).__name__}: {words}"
    return PlatformFailed(f"lexsi-sdk failed at {what}.", sentence(words), "Ask again; %lexsi sent shows the requests.")
