"""The proxy that requests to a host go through, as the environment says."""

from __future__ import annotations

from urllib.parse import urlsplit


def proxy_for(host: str, scheme: str) -> tuple[str, str] | None:
    """Return (entry of `urllib.request.getproxies()`, address) of a host's proxy, None where it is reached directly.

    HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are read, in lower case too.
    """
    from urllib.request import getproxies, proxy_bypass

    known = getproxies()
    entry = next((e for e in (scheme, "all") if known.get(e)), None)
    if entry is None or proxy_bypass(host):
        return None
    address = known[entry]
    return entry, address if "://" in address else f"http://{address}"


def masked(text: str, address: str) -> str:
    """Return a text without the name and password that a proxy's address may hold."""
    parts = urlsplit(address)
    for secret in (parts.password, parts.username):
        text = text.replace(secret, "[secret]") if secret else text
    return text
