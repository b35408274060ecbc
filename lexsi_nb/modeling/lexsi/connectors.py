"""S3 connectors of the platform: made, tested and deleted. They hold keys; no call of the SDK returns a file's bytes.

A connector belongs to the organisation; an account without one ("personal") keeps it in a project, because the SDK can
neither test nor delete a connector that belongs to nobody.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import LexsiError
from lexsi_nb.modeling.lexsi.failures import NotSupported, PlatformFailed, plain, sentence

if TYPE_CHECKING:
    from lexsi_nb.modeling.lexsi.account import Account

OURS = "lexsinbs3"  # what the names of connectors begin with
HOLDER = "agentlakesconnects"  # the project that holds the connectors of a personal account
_INSTEAD = "To read the bucket from this machine without a connector: %lexsi backend embedded"


@dataclass(frozen=True)
class Credentials:
    """What a connector is made of: the SDK carries a region and a key pair, and nothing else."""

    region: str
    access_key: str = field(repr=False)
    secret_key: str = field(repr=False)

    @property
    def connector(self) -> str:
        """The connector's name: the same for the same key and region, and no key can be read off it."""
        digest = hashlib.sha256(f"{self.region}\x1f{self.access_key}".encode()).hexdigest()[:12]
        return f"{OURS}{digest}"

    def without(self, text: str) -> str:
        """Return a text with both keys masked."""
        return text.replace(self.secret_key, "[secret]").replace(self.access_key, "[secret]")


@dataclass(frozen=True)
class Connector:
    """A connector that stands: its name, whether this call made it, and what the platform said to its test."""

    name: str
    made: bool
    said: str


def credentials(region: str, access_key: str, secret_key: str, session_token: str, endpoint: str) -> Credentials:
    """Return what a connector is made of.

    Raises: NotSupported: the SDK cannot carry what the bucket is read with.
    """
    lacking = (
        "It takes no session token, so no temporary keys (STS, single sign-on, roles)." if session_token
        else f"It takes no address of another service ({endpoint})." if endpoint
        else "" if access_key and secret_key
        else "It takes a key pair, and neither arguments, profile nor environment give one."
    )  # fmt: skip
    if lacking:
        raise NotSupported("Lexsi gets no connector to this bucket; nothing was sent.", lacking, _INSTEAD)
    return Credentials(region, access_key, secret_key)


def register(account: Account, given: Credentials) -> Connector:
    """Return the connector of the keys: the one that stands, else a new one. It is tested either way.

    A new one that fails its test is deleted again. Runs inside `calls.run`.

    Raises: PlatformFailed: it was not made, or its test failed; NotSupported: the SDK has no connectors.
    """
    owner, name = owner_of(account), given.connector
    made = name not in names(owner)
    try:
        if made:
            pair = {"region": given.region, "access_key": given.access_key, "secret_key": given.secret_key}
            said = owner.create_data_connectors(name, "s3", s3_config=pair)
            # The SDK returns the words of a refusal as it returns those of a success.
            if name not in names(owner):
                raise PlatformFailed(f"Lexsi made no connector {name}.", sentence(plain(said)), _INSTEAD)
            account.connectors.append(name)
        return Connector(name, made, plain(owner.test_data_connectors(name)))
    except LexsiError as error:
        if made and name in account.connectors:
            delete(account, [name])
        next = _INSTEAD if made else f"Delete it with %lexsi lexsi cleanup {name} and ask again."
        raise PlatformFailed(
            f"The connector {name} at Lexsi cannot be used.", given.without(error.why or error.what), next
        ) from None


def delete(account: Account, wanted: list[str]) -> tuple[list[str], list[str]]:
    """Return (connectors that were deleted, what stood in the way of others). Runs inside `calls.run`."""
    gone, kept = [], []
    for name in wanted:
        try:
            owner = owner_of(account, make=False)
            if name not in names(owner):
                raise PlatformFailed("There is no such connector any more.", "", "Nothing is left to delete.")
            owner.delete_data_connectors(name)
            if name in names(owner):
                raise PlatformFailed(f"Lexsi kept {name}.", "", "See the connectors in the Lexsi console.")
        except LexsiError as error:
            kept.append(f"{name}: {error}")
            continue
        account.connectors[:] = [n for n in account.connectors if n != name]
        gone.append(name)
    return gone, kept


def owner_of(account: Account, *, make: bool = True) -> Any:
    """Return what holds connectors: the organisation, or a project of its own for a personal account.

    Raises: NotSupported: the SDK has no connectors; PlatformFailed: the project is not there and `make` is off.
    """
    personal = account.place.organization == "personal"
    owner = account.project(HOLDER, "classification" if make else "") if personal else account.organization()
    needed = ("create_data_connectors", "test_data_connectors", "list_data_connectors", "delete_data_connectors")
    if missing := [n for n in needed if not hasattr(owner, n)]:
        raise NotSupported("The installed lexsi-sdk has no connectors.", f"It has no {', '.join(missing)}.", _INSTEAD)
    return owner


def names(owner: Any) -> list[str]:
    """Return the names of the connectors that stand."""
    listed = owner.list_data_connectors()
    if isinstance(listed, str):
        raise PlatformFailed("Lexsi does not list its connectors.", sentence(plain(listed)), "Ask again.")
    column = "link_service_name"
    return [str(n) for n in listed[column].tolist()] if column in listed.columns else []
