"""HTTP clients whose every request goes through a gate. They fit any library that takes an httpx or httpx2 client."""

from __future__ import annotations

import functools
import importlib
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from lexsi_nb.egress.gate import Gate, on_this_machine
from lexsi_nb.egress.redaction import redact

CONNECT_SECONDS = 10.0


def async_client(gate: Gate, url: str, *, timeout: float, library: str = "httpx2") -> Any:
    """Return an async client for the origin of `url`; connections are not kept, so it may be used on any event loop."""
    lib = importlib.import_module(library)
    limits = lib.Limits(max_keepalive_connections=0)
    inner = lib.AsyncHTTPTransport(proxy=proxy_for(url), limits=limits, verify=_trust(lib))
    return lib.AsyncClient(
        transport=_classes(lib)[0](gate, inner), timeout=lib.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))
    )


def sync_client(gate: Gate, url: str, *, timeout: float, library: str = "httpx", own: tuple[str, ...] = ()) -> Any:
    """Return a blocking client for the origin of `url`. `own`: secrets that its protocol carries in the body."""
    lib = importlib.import_module(library)
    inner = lib.HTTPTransport(proxy=proxy_for(url), verify=_trust(lib))
    return lib.Client(
        transport=_classes(lib)[1](gate, inner, own),
        timeout=lib.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
    )


def proxy_for(url: str) -> str | None:
    """Return the proxy that the environment names for an address; None where it names none, or for this machine."""
    parts = urlsplit(url)
    if not parts.hostname or on_this_machine(url) or proxy_bypass(parts.hostname):
        return None  # what stays on this machine must not leave it through a proxy
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")


@functools.cache
def _trust(lib: ModuleType) -> Any:
    """Return the certificates to trust, read once: that takes 40 ms."""
    return lib.create_ssl_context()


class MaskedAddresses(logging.Filter):
    """Masks secrets in the addresses that a library logs: a download of Lexsi has the bearer token in its own."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return true; the record is shown, without secrets."""
        if isinstance(record.args, tuple):
            record.args = tuple(redact(str(a)) if type(a).__name__ == "URL" else a for a in record.args)
        return True


@functools.cache
def _classes(lib: ModuleType) -> tuple[Any, Any]:
    """Return the async and the blocking transport over one of the two libraries; neither is imported before use."""
    logging.getLogger(lib.__name__).addFilter(MaskedAddresses())

    class GatedAsync(lib.AsyncBaseTransport):
        def __init__(self, gate: Gate, inner: Any) -> None:
            self.gate, self.inner = gate, inner

        async def handle_async_request(self, request: Any) -> Any:
            outgoing = self.gate.admit(request.method, str(request.url), await request.aread())
            held = AsyncExitStack()
            await held.enter_async_context(self.gate.pace(outgoing))
            try:
                self.gate.note(outgoing)
                response = await self.inner.handle_async_request(request)
            except BaseException:
                await held.aclose()
                raise
            response.stream = HeldStream(response.stream, held)
            return response

        async def aclose(self) -> None:
            await self.inner.aclose()

    class HeldStream(lib.AsyncByteStream):
        """A response that gives its place back when it has been read or closed."""

        def __init__(self, inner: Any, held: AsyncExitStack) -> None:
            self.inner, self.held = inner, held

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in self.inner:
                yield chunk

        async def aclose(self) -> None:
            try:
                await self.inner.aclose()
            finally:
                await self.held.aclose()

    class GatedSync(lib.BaseTransport):
        def __init__(self, gate: Gate, inner: Any, own: tuple[str, ...]) -> None:
            self.gate, self.inner, self.own = gate, inner, own

        def handle_request(self, request: Any) -> Any:
            self.gate.let_out(request.method, str(request.url), request.read(), own=self.own)
            return self.inner.handle_request(request)

        def close(self) -> None:
            self.inner.close()

    return GatedAsync, GatedSync
