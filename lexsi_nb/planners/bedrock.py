"""Amazon Bedrock: its client is boto3's own, so its last hook before sending passes the gate and waits its turn."""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from lexsi_nb.egress.gate import OFFLINE, EgressRefused, Gate, offline, on_this_machine
from lexsi_nb.errors import Cancelled
from lexsi_nb.planners.choice import BadModel, ModelChoice

if TYPE_CHECKING:
    from pydantic_ai.models import Model

CONNECT_SECONDS = 10.0
AWS = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")
SIGN_IN = "[what a sign-in to AWS sends]"
# Where boto3 would ask the machine's own cloud for credentials, by requests that pass no hook.
ASKS_ITS_CLOUD = ("container-role", "iam-role")
SOME_REGION = "us-east-1"  # the client wants one; at an address of its own it means nothing


@asynccontextmanager
async def bedrock_model(choice: ModelChoice, gate: Gate, token: str | None) -> AsyncIterator[Model]:
    """Open a Bedrock model for one request.

    Raises:
        EgressRefused: real calls are banned.
        BadModel: no AWS region is known.
    """
    if offline() and not on_this_machine(choice.url or "") and not gate.is_shut:
        raise EgressRefused(
            f"No request was sent to {choice.name}.", f"{OFFLINE} is set.", f"Unset {OFFLINE} to allow real calls."
        )
    model, provider = (importlib.import_module(f"pydantic_ai.{where}.bedrock") for where in ("models", "providers"))
    passing = _Passing(choice, gate)
    # Reading the description of the service, and a sign-in, take a while.
    client = await asyncio.to_thread(_client, choice, token, passing, signed=not gate.is_shut)
    gate.allow(client.meta.endpoint_url, choice.name)
    try:
        yield model.BedrockConverseModel(choice.model, provider=provider.BedrockProvider(bedrock_client=client))
    finally:
        passing.close()
        client.close()


class _Passing:
    """What passes the gate for one request: the request itself, in its turn, and the sign-in before it."""

    def __init__(self, choice: ModelChoice, gate: Gate) -> None:
        self._choice, self._gate = choice, gate
        self._held = ExitStack()
        self._closed = threading.Event()
        self._lock = threading.Lock()

    def before_send(self, request: Any, event_name: str, **_: Any) -> None:
        """Return nothing where the request may go now; on boto3's thread, just before it is sent."""
        if not event_name.startswith("before-send.bedrock-runtime"):
            self._gate.allow(request.url, f"{self._choice.name}, sign-in")
            self._gate.let_out(request.method, request.url, SIGN_IN)
            return
        outgoing = self._gate.admit(request.method, request.url, request.body or b"")
        with ExitStack() as entered:
            entered.enter_context(self._gate.pace_here(outgoing, self._closed.is_set))
            with self._lock:
                if self._closed.is_set():
                    raise Cancelled(f"The request to {outgoing.to} was given up.", "", "")
                self._held.push(entered.pop_all())
        self._gate.note(outgoing)

    def close(self) -> None:
        """Give the place back; what still waits for one is not sent."""
        with self._lock:
            self._closed.set()
        self._held.close()


def _client(choice: ModelChoice, token: str | None, passing: _Passing, *, signed: bool = True) -> Any:
    """Return a boto3 client for one request. Retries are ours, so that each is counted and noted."""
    import boto3
    import botocore
    from botocore.config import Config
    from botocore.exceptions import NoRegionError

    url = choice.url
    if token is not None and url and urlsplit(url).scheme != "https":
        raise BadModel(
            f"A key of {choice.name} cannot go to {url}.",
            "boto3 sends one over https alone.",
            "Write --url https://HOST",
        )
    options: dict[str, Any] = {
        "read_timeout": choice.timeout,
        "connect_timeout": min(choice.timeout, CONNECT_SECONDS),
        "retries": {"total_max_attempts": 1},
    }
    if token is not None:
        options["signature_version"] = "bearer"
    elif not signed or (url and not _of_aws(url)):
        options["signature_version"] = botocore.UNSIGNED  # keys of AWS are not meant for another server
    if url and on_this_machine(url):
        options["proxies"] = {}
    session = _session(token)
    session.get_component("event_emitter").register("before-send", passing.before_send)
    if offline():
        for name in ASKS_ITS_CLOUD:
            session.get_component("credential_provider").remove(name)
    region = SOME_REGION if url and session.get_config_variable("region") is None else None
    try:
        return boto3.Session(botocore_session=session, region_name=region).client(
            "bedrock-runtime", config=Config(**options), endpoint_url=url
        )
    except NoRegionError:
        raise BadModel(
            f"No AWS region is known for {choice.name}.",
            "",
            "Set AWS_DEFAULT_REGION before the kernel starts, or a region in your AWS profile.",
        ) from None


def _session(token: str | None) -> Any:
    from botocore.session import Session
    from botocore.tokens import FrozenAuthToken

    if token is None:
        return Session()

    class ByToken(Session):
        """Signs with one bearer token and looks for nothing else."""

        def get_auth_token(self, **_: Any) -> FrozenAuthToken:
            return FrozenAuthToken(token)

        def get_credentials(self) -> None:
            return None

    return ByToken()


def _of_aws(url: str) -> bool:
    return (urlsplit(url).hostname or "").endswith(AWS)
