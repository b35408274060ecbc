"""The one place bytes leave through: where to, what, and whether they may; noted before they go."""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lexsi_nb.artifacts.secrets import MASK, own_secrets
from lexsi_nb.egress.limits import RateLimits
from lexsi_nb.egress.pace import CHARS_A_TOKEN, Pacer, Told, pacer_of, pacers
from lexsi_nb.egress.policy import SentLog
from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import LexsiError

# Set to anything but 0, no request leaves this machine; addresses of this machine stay open.
OFFLINE = "LEXSI_NB_OFFLINE"
_PORTS = {"http": 80, "https": 443}


class EgressRefused(LexsiError):
    """A request that may not leave; nothing of it was sent."""


class Unsent(LexsiError):
    """A request of a dry run: it would have been sent. `outgoing` is what it would have been."""

    def __init__(self, outgoing: Outgoing) -> None:
        super().__init__(f"Dry run: nothing was sent to {outgoing.to}.", "", "Ask without --dry-run.")
        self.outgoing = outgoing


@dataclass(frozen=True)
class Outgoing:
    """One request on its way out: `to` in words, the address, and the body as it would be sent."""

    to: str
    method: str
    url: str
    body: str

    @property
    def host(self) -> str:
        """Host and port as in the address."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


Check = Callable[[Outgoing], None]


@dataclass(eq=False)
class Gate:
    """Lets a request out, or says why not.

    `checks` look at each request before it is noted and sent, and raise to refuse it (a budget). `pace` is entered
    before a request is noted and sent, and left when its response has been read: by `limits`, which hold for all
    sessions of the process that ask the same provider. `told` hears why one waits, and for how many seconds.
    """

    sent: SentLog = field(default_factory=SentLog)
    checks: list[Check] = field(default_factory=list)
    limits: RateLimits = field(default_factory=RateLimits)
    told: Told = lambda why, seconds: None
    _chosen: dict[str, str] = field(default_factory=dict)  # origin -> who it is
    _secrets: dict[str, str] = field(default_factory=dict, repr=False)  # what it is -> value

    def allow(self, url: str, to: str) -> None:
        """Let requests go to the origin of `url`, which the user chose as `to`."""
        self._chosen[origin(url)] = to

    def guard(self, what: str, secret: str) -> None:
        """Keep `secret` out of every body and address; it may only travel in a header."""
        if secret:
            self._secrets[what] = secret

    def let_out(self, method: str, url: str, body: bytes | str, *, own: tuple[str, ...] = ()) -> Outgoing:
        """Return the request after it was checked and noted; the caller sends it. See `admit`."""
        outgoing = self.admit(method, url, body, own=own)
        self.note(outgoing)
        return outgoing

    def note(self, outgoing: Outgoing) -> None:
        """Note a request that is sent now."""
        self.sent.record(f"{outgoing.to} ({outgoing.host})", outgoing.body)

    def pace(self, outgoing: Outgoing) -> AbstractAsyncContextManager[None]:
        """Return what is entered before a request is sent and left when its response was read.

        Raises:
            LimitsTaken: somebody else owns the limits of this event loop.
            RequestTooLarge: the request alone is beyond the limit of tokens a minute.
        """
        return self._pacer(outgoing).turn(len(outgoing.body) // CHARS_A_TOKEN + 1, self.told)

    def pace_here(self, outgoing: Outgoing, stopped: Callable[[], bool]) -> AbstractContextManager[None]:
        """As `pace`, for a thread that may wait: it gives up where `stopped()` says so.

        Raises:
            Cancelled: nobody waits for the request any more.
            LimitsTaken, RequestTooLarge: as `pace` does.
        """
        return self._pacer(outgoing).turn_here(len(outgoing.body) // CHARS_A_TOKEN + 1, self.told, stopped)

    def _pacer(self, outgoing: Outgoing) -> Pacer:
        pacer = pacer_of(origin(outgoing.url), outgoing.host)
        pacer.claim(self, self.limits)
        return pacer

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Let nothing out meanwhile: each request raises `Unsent`, with what it would have been."""
        self.checks.append(_hold)
        try:
            yield
        finally:
            self.checks.remove(_hold)

    @property
    def is_shut(self) -> bool:
        """Whether nothing is let out now."""
        return _hold in self.checks

    def close(self) -> None:
        """Give back the limits that were set through this gate."""
        for pacer in pacers():
            pacer.release(self)

    def admit(self, method: str, url: str, body: bytes | str, *, own: tuple[str, ...] = ()) -> Outgoing:
        """Return the request after it was checked; it is not noted yet.

        own: secrets that belong to the destination and that its protocol carries in the body, as a login does; they
        are noted masked.

        Raises:
            EgressRefused: real calls are banned, nobody chose the destination, or a secret is in the body or address.
        """
        text = body if isinstance(body, str) else body.decode("utf-8", "replace")
        for secret in own:
            text = text.replace(_in_json(secret), MASK)
        where = origin(url)
        to = self._chosen.get(where)
        if offline() and not on_this_machine(url) and not self.is_shut:
            raise EgressRefused(
                f"No request was sent to {where}.", f"{OFFLINE} is set.", f"Unset {OFFLINE} to allow real calls."
            )
        if to is None:
            raise EgressRefused(
                f"No request was sent to {where}.",
                "Nobody chose that destination.",
                "Choose a model with %lexsi model, or Session(planner=...).",
            )
        self._refuse_secrets(text, url)
        outgoing = Outgoing(to, method, redact(url), text)
        for check in self.checks:
            check(outgoing)
        return outgoing

    def _refuse_secrets(self, text: str, url: str) -> None:
        for secret, what in {**own_secrets(), **{v: what for what, v in self._secrets.items()}}.items():
            place = "address" if secret in url else "body" if secret in text or _in_json(secret) in text else ""
            if place:
                raise EgressRefused(
                    f"The value of {what} stands in the {place} of a request, so it was not sent.",
                    "",
                    "Take it out of the question, the data or the conversation (%lexsi reset).",
                )


def _hold(outgoing: Outgoing) -> None:
    raise Unsent(outgoing)


def offline() -> bool:
    """Whether real calls are banned for this process."""
    return os.environ.get(OFFLINE, "0") not in ("", "0")


def origin(url: str) -> str:
    """Return scheme, host and port of an address.

    >>> origin("https://api.example.com/v1/messages")
    'https://api.example.com:443'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{parts.port or _PORTS.get(parts.scheme, 0)}"


def on_this_machine(url: str) -> bool:
    """Whether an address is a loopback one."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _in_json(secret: str) -> str:
    return json.dumps(secret)[1:-1]
