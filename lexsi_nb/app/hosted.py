"""The model backend that the user chose: on this machine, or on the Lexsi platform through this session's gate."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from lexsi_nb.egress.gate import Gate
from lexsi_nb.errors import LexsiError, UnknownName
from lexsi_nb.planners import keys

if TYPE_CHECKING:
    from lexsi_nb.modeling.lexsi.account import Place

KEY = "SDK_ACCESS_TOKEN"
ADDRESS = "XAI_API_URL"
EMBEDDED = ("auto", "embedded")
OPTIONS = {"organization": str, "workspace": str, "compute": str, "url": str, "timeout": float, "parallel": int}


class UnknownBackend(UnknownName):
    """No model backend of that name."""

    kind = "model backend"


class UnknownOption(UnknownName):
    """No such option of the Lexsi backend."""

    kind = "option of the Lexsi backend"


def backend_for(chosen: Any, gate: Gate) -> Any:
    """Return the backend that a name or an object means. Nothing is sent.

    Raises:
        UnknownBackend: lists those there are.
        MissingExtra: lexsi-sdk is not installed; the exact %pip line.
    """
    if not isinstance(chosen, str):
        return chosen
    name = chosen.split(" ", 1)[0].strip().lower()
    if name in EMBEDDED or not name:
        from lexsi_nb.modeling.embedded import EmbeddedBackend

        return EmbeddedBackend()
    if name != "lexsi":
        raise UnknownBackend.among(name, (*EMBEDDED, "lexsi"))
    from lexsi_nb.errors import MissingExtra
    from lexsi_nb.modeling.lexsi import sdk
    from lexsi_nb.modeling.lexsi.account import Account
    from lexsi_nb.modeling.lexsi.backend import LexsiBackend

    if not sdk.installed():
        raise MissingExtra.of("lexsi-sdk", "lexsi", "Models on the Lexsi platform need it.")
    place = place_of(chosen)
    gate.allow(place.url, "Lexsi")
    return LexsiBackend(Account(place, http_of(gate, place.url), lambda: key_of(gate)))


def http_of(gate: Gate, url: str) -> Any:
    """Return what makes the clients that the SDK's requests go through."""

    def http(seconds: float, own: tuple[str, ...]) -> Any:
        from lexsi_nb.egress.transport import sync_client

        return sync_client(gate, url, timeout=seconds, own=own)

    return http


def key_of(gate: Gate) -> str:
    """Return the SDK access token; from now on the gate keeps it out of everything but the login.

    Raises:
        NoKey: where it is looked for.
    """
    found = os.environ.get(KEY, "").strip() or keys.in_keyring("lexsi")
    if not found:
        raise keys.NoKey(
            "Lexsi needs an SDK access token.",
            f"It is looked for in {KEY}, then in the keyring under {keys.SERVICE}, lexsi.",
            f"Set it before the kernel starts, or run in a terminal: keyring set {keys.SERVICE} lexsi",
        )
    gate.guard("the Lexsi access token", found)
    return found


def place_of(line: str) -> Place:
    """Return the place that a line names.

    >>> place_of("lexsi --workspace risk --compute medium").workspace
    'risk'

    Raises:
        UnknownOption: lists the options there are.
        LexsiError: a value that an option cannot have.
    """
    from lexsi_nb.modeling.lexsi.account import Place

    try:
        words = shlex.split(line)[1:]
    except ValueError as error:
        raise LexsiError("The line cannot be read.", f"{error}.", "Close the quotes.") from None
    given: dict[str, Any] = {"url": os.environ.get(ADDRESS, "").strip() or Place.url}
    while words:
        name, _, value = words.pop(0).partition("=")
        option = name.removeprefix("--")
        if option not in OPTIONS or not name.startswith("--"):
            raise UnknownOption.among(option, OPTIONS)
        value = value or (words.pop(0) if words else "")
        try:
            given[option] = OPTIONS[option](value)
        except ValueError:
            raise LexsiError(f"--{option} is {value!r}.", "It must be a number.") from None
        if not given[option] or (isinstance(given[option], (int, float)) and given[option] <= 0):
            raise LexsiError(f"--{option} has no usable value.", "", f"Write --{option} VALUE.")
    if not given["url"].startswith(("http://", "https://")):
        raise LexsiError(f"{given['url']} is no address.", "", "Write --url https://HOST")
    timeout = given.pop("timeout", None)
    return Place(**given, **({} if timeout is None else {"seconds": timeout}))
