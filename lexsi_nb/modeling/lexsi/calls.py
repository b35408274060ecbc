"""One call of the SDK at a time: on a thread of its own, with a time-out, progress, and a stop within a moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from lexsi_nb.errors import Cancelled, LexsiError
from lexsi_nb.modeling.backend import Tick
from lexsi_nb.modeling.lexsi.failures import JobFailed, PlatformFailed, plain, sentence, translated
from lexsi_nb.modeling.lexsi.ticket import Ticket, working
from lexsi_nb.modeling.lexsi.wire import Wire

T = TypeVar("T")
LOOK = 0.1  # seconds between two looks at whether the run was stopped


class Calls:
    """Runs functions that call the SDK. What it prints becomes progress; what it raises becomes an error of ours."""

    def __init__(self, wire: Wire, *, seconds: float) -> None:
        self.wire, self.seconds = wire, seconds
        self._one = threading.RLock()

    def run(
        self, act: Callable[[], T], what: str, *, tick: Tick, cancelled: Callable[[], bool],
        seconds: float | None = None, keep_uploads: bool = False,
    ) -> T:  # fmt: skip
        """Return what `act` returns. `what` names it in errors and progress.

        A call that is stopped or takes too long is left behind: its thread sends nothing more.

        Raises: Cancelled; PlatformFailed: it failed or took too long; other errors of ours as they are.
        """
        limit = self.seconds if seconds is None else seconds
        ticket = Ticket(what, keep_uploads=keep_uploads)
        while not self._one.acquire(timeout=LOOK):
            if cancelled():
                raise Cancelled(f"Stopped before {what} began.", "", "")
        try:
            if cancelled():
                raise Cancelled(f"Stopped before {what} began.", "", "")
            return self._run(act, ticket, tick, cancelled, limit)
        finally:
            self._one.release()

    def _run(self, act: Callable[[], T], ticket: Ticket, tick: Tick, cancelled: Callable[[], bool], limit: float) -> T:
        said: dict[str, Any] = {"text": "", "share": 0}
        ended, kept = threading.Event(), {}

        def tell(text: str, share: float | None) -> None:
            said["text"] = text or said["text"]
            if isinstance(share, (int, float)):
                said["share"] = max(0, min(100, int(share)))

        def work() -> None:
            try:
                with working(ticket):
                    kept["value"] = act()
            except BaseException as error:  # noqa: BLE001  (it is raised again where the call is waited for)
                kept["error"] = error
            finally:
                ended.set()

        ticket.tell = tell
        begun, shown = time.monotonic(), ("", 0)

        def show() -> None:
            nonlocal shown
            if said["text"] and (said["text"], said["share"]) != shown:
                shown = (said["text"], said["share"])
                tick(said["share"], 100, f"{ticket.what}: {said['text']}"[:200])

        tick(0, 100, ticket.what)
        try:
            threading.Thread(target=work, name=f"lexsi: {ticket.what}", daemon=True).start()
            while not ended.wait(LOOK):
                if cancelled():
                    raise Cancelled(f"Stopped: {ticket.what}.", "What the platform has begun goes on there.", "")
                if time.monotonic() - begun > limit:
                    raise PlatformFailed(
                        f"Lexsi did not finish {ticket.what} within {limit:g} s.", "It may go on there.",
                        "Give it longer (timeout_seconds), or look in the Lexsi console.",
                    )  # fmt: skip
                show()
            show()  # what was told last: a call may end before it is looked at once
        except BaseException:
            ticket.give_up()
            raise
        error = kept.get("error")
        if error is None:
            return kept["value"]
        if isinstance(error, Exception):
            raise translated(error, ticket.what) from error
        raise error


def with_reason(error: LexsiError, project: Any, has_logs: bool) -> LexsiError:
    """Return a failed job's error with the reason that the platform's events and logs give, where it gave none."""
    if not isinstance(error, JobFailed):
        return error
    found = error.reason
    if not found:
        found = last_line(_asked(lambda: project.logs(return_logs=True))) if has_logs else ""
    if not found:
        events = _asked(lambda: project.events(event_id=error.event_id)) or []
        found = next((plain(e.get("message")) for e in events if isinstance(e, dict) and e.get("message")), "")
    if not found:
        why, more = "The platform gave no reason.", "See the project's events in the Lexsi console."
    else:
        why, more = sentence(plain(found)), "Change the frame or the arguments and ask again."
    return JobFailed(error.what, why, more, reason=found, event_id=error.event_id)


def _asked(look: Callable[[], Any]) -> Any:
    try:
        return look()
    except Exception:  # noqa: BLE001  (the reason is looked for beside an error that is raised anyway)
        return None


def last_line(logs: Any) -> str:
    """Return the last line of a log that says something, "" where none does."""
    lines = [line.strip() for line in str(logs or "").splitlines() if line.strip()]
    return "" if not lines or lines[-1] == "No logs found" else lines[-1]
