"""Every request of the SDK: guarded before it goes, read strictly when it comes back.

The SDK sends through `APIClient.base_request` and `.stream`. The client made here overrides both: requests go through
the transport it is given (the gate of this session), have time-outs, and stop with the call that made them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lexsi_nb.modeling.lexsi.failures import JobFailed, LeakRefused, PlatformFailed, plain, refused, sentence
from lexsi_nb.modeling.lexsi.ticket import Ticket, current

if TYPE_CHECKING:
    import httpx

    from lexsi_nb.modeling.lexsi.sdk import Sdk

Http = Callable[[float, tuple[str, ...]], Any]  # (seconds without a byte, secrets of the platform) -> httpx.Client
LOGIN, POLL, DOWNLOAD = "access-token/authorize", "events/poll", "download_tag_data"
CASE, DELETE, CONFIG, FILES = "get_case_info_components", "project/delete_data", "get_xai_config", "uploaded_files"
CONNECT = "linkservices/create"
DONE = frozenset({"completed", "complete", "success", "succeeded", "finished", "done"})
BROKEN = frozenset({"failed", "failure", "terminated", "error", "cancelled"})
ENDED = "ended"  # a stream said that it is complete, and nothing of what became of the job
BUSY = frozenset({429, 502, 503, 504})
ATTEMPTS, RECONNECTS, FIRST_WAIT = 3, 3, 0.3


class Wire:
    """What the client of one account sends with."""

    def __init__(self, http: Http, *, seconds: float, quiet_seconds: float) -> None:
        self.http, self.seconds, self.quiet_seconds = http, seconds, quiet_seconds
        self._idle = Ticket("a request")
        self.key = ""  # the SDK access token; only the login carries it

    @property
    def ticket(self) -> Ticket:
        """The call of ours that this thread works for."""
        return current() or self._idle

    def request(self, client: Any, method: str, uri: str, payload: Any, files: Any) -> httpx.Response:
        """Return the answer to one request, read strictly.

        Raises: PlatformFailed: no answer, or one that says no; LeakRefused; Cancelled; EgressRefused.
        """
        import httpx

        ticket = self.ticket
        ticket.check()
        payload = guarded(payload)
        if ticket.keep_uploads and DELETE in uri:
            return httpx.Response(200, json={"success": True, "details": "kept"})
        if DOWNLOAD in uri:
            uri = fresh(client, uri)
        own = own_of(uri, payload, self.key)
        repeats = method.upper() == "GET" or LOGIN in uri
        what = ticket.what
        for attempt in range(1, ATTEMPTS + 1):
            ticket.check()
            answer = self._send(client, method, uri, payload, files, own)
            again = answer.status_code in BUSY and (repeats or answer.status_code == 429)
            if not again or attempt == ATTEMPTS:
                break
            ticket.stop.wait(wait_of(answer, attempt))
        ticket.check()
        return self._read(answer, uri, what)

    def _send(self, client: Any, method: str, uri: str, payload: Any, files: Any, own: tuple[str, ...]) -> Any:
        import httpx

        try:
            with self.ticket.through(self.http(self.seconds, own)) as http:
                return http.request(
                    method, f"{client.base_url}/{uri}", headers=client.headers, json=payload, files=files or None
                )
        except httpx.TimeoutException:
            raise PlatformFailed(
                f"Lexsi did not answer {self.ticket.what} within {self.seconds:g} s.", "", "Ask again later."
            ) from None
        except httpx.HTTPError as error:
            raise PlatformFailed(
                f"Lexsi cannot be reached at {client.base_url}.", sentence(plain(error.args and error.args[0])),
                "Check the address and the network.",
            ) from None  # fmt: skip

    def _read(self, answer: httpx.Response, uri: str, what: str) -> httpx.Response:
        import httpx

        said: Any = None
        try:
            said = answer.json()
        except ValueError:
            if DOWNLOAD not in uri and answer.status_code < 400:
                raise PlatformFailed(
                    f"Lexsi answered {what} with something else than JSON.", sentence(plain(answer.text)),
                    "Check the address of the platform.",
                ) from None  # fmt: skip
        if answer.status_code >= 400:
            raise refused(what, said if said is not None else answer.text, answer.status_code)
        if DOWNLOAD in uri:
            if said is not None and not isinstance(said, (int, float)):
                raise refused(f"the download of {what}", said)
            return answer
        if isinstance(said, dict) and said.get("success") is False and not (CONFIG in uri or FILES in uri):
            raise refused(what, said.get("details") or said.get("message"))
        if LOGIN in uri:
            is_token(said)
        if CASE in uri:
            return httpx.Response(200, json=readable_case(said))
        return answer

    def stream(self, client: Any, uri: str, method: str, payload: Any) -> Iterator[dict[str, Any]]:
        """Yield the events of a job until it has ended. A stream that is cut is taken up again.

        Where it ends without a last word after that, `ticket.status` is not of `DONE`: the caller looks for what the
        job was to make.

        Raises: JobFailed: the platform said so; PlatformFailed; Cancelled.
        """
        ticket = self.ticket
        if POLL not in uri:
            yield from self._spoken(client, uri, method, payload)
            return
        ticket.event_id = uri.partition("event_id=")[2]
        ticket.status = ""
        for attempt in range(RECONNECTS + 1):
            for event in self._events(client, uri, method, payload):
                ticket.check()
                details = event.get("details")
                if event.get("success") is False:
                    raise self._failed(plain(details))
                if not isinstance(details, dict):
                    continue
                ticket.status = str(details.get("status") or "").lower()
                message = plain(details.get("message"))
                if ticket.status in BROKEN:
                    raise self._failed(message)
                ticket.tell(message, details.get("progress"))
                yield event
                if ticket.status in DONE:
                    return
            ticket.stop.wait(FIRST_WAIT * attempt)
            ticket.check()

    def _spoken(self, client: Any, uri: str, method: str, payload: Any) -> Iterator[dict[str, Any]]:
        """Yield the parts of a model's reply. Raises: PlatformFailed: it was refused, or cut before its end."""
        ticket = self.ticket
        ticket.status = ""
        for part in self._events(client, uri, method, payload):
            ticket.check()
            if part.get("success") is False or part.get("error"):
                raise refused(ticket.what, part)
            yield part
        if ticket.status != ENDED:
            raise PlatformFailed(f"The reply to {ticket.what} was cut off.", "", "Ask again.")

    def _failed(self, reason: str) -> JobFailed:
        what = self.ticket.what
        if "Lexsi" not in what:
            what = f"{what} on Lexsi"
        return JobFailed(
            f"{what[:1].upper()}{what[1:]} failed.", sentence(reason),
            reason=reason, event_id=self.ticket.event_id,
        )  # fmt: skip

    def _events(self, client: Any, uri: str, method: str, payload: Any) -> Iterator[dict[str, Any]]:
        import httpx

        headers = {**client.headers, "Accept": "text/event-stream"}
        try:
            with (
                self.ticket.through(self.http(self.quiet_seconds, ())) as http,
                http.stream(method, f"{client.base_url}/{uri}", headers=headers, json=payload) as answer,
            ):
                if answer.status_code >= 400:
                    answer.read()
                    if answer.status_code in BUSY:
                        return
                    raise refused(self.ticket.what, answer.text, answer.status_code)
                for line in answer.iter_lines():
                    self.ticket.check()
                    if not line.startswith("data:") or not (text := line[5:].strip()):
                        continue
                    if text == "[DONE]":
                        self.ticket.status = self.ticket.status or ENDED
                        return
                    try:
                        said = json.loads(text)
                    except ValueError:
                        continue  # half a line of a stream that was cut
                    if isinstance(said, dict):
                        yield said
        except httpx.HTTPError:
            return  # cut: the caller takes it up again


def client_of(sdk: Sdk, wire: Wire, url: str) -> Any:
    """Return an API client of the SDK that sends by `wire`; its repr has no token."""

    class Client(sdk.api_client):
        def base_request(self, method: str, uri: str, payload: Any = None, files: Any = None) -> Any:
            """Return the answer, as `Wire.request` does."""
            return wire.request(self, method, uri, {} if payload is None else payload, files)

        def stream(self, uri: str, method: str, payload: Any = None) -> Iterator[dict[str, Any]]:
            """Yield events, as `Wire.stream` does."""
            self.refresh_bearer_token()
            return wire.stream(self, uri, method, payload)

        def __repr_args__(self) -> list[tuple[str, Any]]:
            return [("base_url", self.base_url)]

    return Client(debug=False, base_url=url)


def own_of(uri: str, payload: Any, key: str) -> tuple[str, ...]:
    """Return the secrets that a request is there to carry: a login's key, a connector's key pair."""
    if LOGIN in uri:
        return (key,) if key else ()
    pair = payload.get("link_service") if CONNECT in uri and isinstance(payload, dict) else None
    return tuple(pair[k] for k in ("secret_key", "access_key") if pair.get(k)) if isinstance(pair, dict) else ()


def guarded(payload: Any) -> Any:
    """Return the payload without a null `pred_label`. Raises: LeakRefused: the id or the target among features."""
    if not isinstance(payload, dict):
        return payload
    meta = payload.get("metadata")
    if isinstance(meta, dict) and "feature_include" in meta:
        own = {payload.get("unique_identifier"), payload.get("true_label"), payload.get("pred_label")} - {None, ""}
        if leaks := [str(f) for f in meta["feature_include"] or () if f in own]:
            raise LeakRefused(
                "Nothing was sent to be trained.",
                f"{', '.join(leaks)} would have been a feature: the id or the target.",
                "This is a fault of lexsi-nb; report it.",
            )  # fmt: skip
    if "pred_label" in payload and payload["pred_label"] is None:
        payload = {k: v for k, v in payload.items() if k != "pred_label"}
    return payload


def fresh(client: Any, uri: str) -> str:
    """Return the address of a download with a bearer token that is still good; the SDK repeats it in the address."""
    before = client.get_auth_token()
    client.refresh_bearer_token()
    return uri.replace(before, client.get_auth_token()) if before else uri


def readable_case(said: Any) -> Any:
    """Return a case as the SDK's class takes it: no value null where it wants text, numbers with a fraction as text."""
    details = said.get("details") if isinstance(said, dict) else None
    if not isinstance(details, dict):
        return said
    fixed: dict[str, Any] = {"observations": [], "similar_cases": [], "status": "", "model_name": "", **details}
    for name in ("true_value", "pred_value", "pred_category"):
        value = fixed.get(name)
        fixed[name] = "" if value is None else value if isinstance(value, (str, int)) else str(value)
    for name in ("observations", "similar_cases"):
        fixed[name] = fixed[name] or []
    for name in ("status", "model_name", "data_id"):
        fixed[name] = "" if fixed.get(name) is None else str(fixed[name])
    return {**said, "details": fixed}


def is_token(said: Any) -> None:
    """Return nothing when the login gave a bearer token. Raises: PlatformFailed: none, or none that is a JWT."""
    token = said.get("access_token") if isinstance(said, dict) else None
    parts = token.split(".") if isinstance(token, str) else []
    try:
        for part in parts[:2]:
            json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        good = len(parts) == 3
    except ValueError:
        good = False
    if not good:
        raise PlatformFailed(
            "The login at Lexsi gave no usable token.",
            "The SDK can only work with a JSON web token." if token else "The answer has no access token.",
            "Check the address of the platform.",
        )


def wait_of(answer: Any, attempt: int) -> float:
    """Return seconds to wait before the next attempt: what the platform asks for, up to 30."""
    asked = answer.headers.get("retry-after", "")
    return min(30.0, float(asked)) if asked.isdigit() else FIRST_WAIT * 2**attempt
