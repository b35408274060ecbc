"""The last step behind the gates: the tool, on the right thread, with a time limit, its failure as a short text."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import inspect
import re
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.observation import ANY_COLUMN, Observation, Segment, SegmentClass, only_names
from lexsi_nb.artifacts.secrets import mask_known
from lexsi_nb.errors import Cancelled, LexsiError
from lexsi_nb.toolkit.call import Call
from lexsi_nb.toolkit.gates import unsure
from lexsi_nb.toolkit.hiding import masked_prints, without_secrets
from lexsi_nb.toolkit.redaction import hiding
from lexsi_nb.toolkit.returns import convert, plain_text
from lexsi_nb.toolkit.spec import Outcome, ToolResult

_MOST_ERROR_CHARS = 600
_MOST_TRACE_CHARS = 40_000
_UNCERTAIN = "It may or may not have acted; do not retry, tell the user."
_TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Raised:
    """An exception as a value: some, StopIteration for one, cannot travel through a future."""

    error: BaseException


class Runner:
    """Runs a call that has passed every gate."""

    def __init__(self, *, executor: concurrent.futures.Executor | None, redact: Callable[[str], str]) -> None:
        self.executor, self.redact = executor, redact

    async def __call__(self, call: Call) -> Outcome:
        """Return `ok` with the converted result, or `failed` with what went wrong; a cancellation goes through."""
        begun = time.perf_counter()
        timeout = call.tool.spec.timeout
        if timeout is None:
            result = await self._attempt(call)
        else:
            try:
                async with asyncio.timeout(timeout) as limit:
                    result = await self._attempt(call)
            except TimeoutError:
                if not limit.expired():
                    raise
                result = _expired(call, timeout)
        seconds = time.perf_counter() - begun
        args = call.args if isinstance(call.args, dict) else {}
        return Outcome("ok" if result.ok else "failed", result, seconds, call.name, args)

    async def _attempt(self, call: Call) -> ToolResult:
        try:
            prepared = call.tool.prepared(call.values, _injected(call), call.name)
        except Exception as error:  # noqa: BLE001 - a reference the run lacks; the tool has not begun
            return failure(call.name, error, self._hide(call), call.tool.spec.reveals)
        call.begun = True
        try:
            with masked_prints(self._hide(call)):
                value = await self._value(call, prepared)
            if isinstance(value, Raised):
                if isinstance(value.error, Cancelled):
                    raise value.error
                return self._failed(call, value.error)
            return value
        except BaseException as error:
            # Whatever a tool raises has to reach the planner as text; what stops the run goes on.
            if isinstance(error, Cancelled) or _stops(error):
                raise
            return self._failed(call, error)

    def _failed(self, call: Call, error: BaseException) -> ToolResult:
        """Return the failure. What acts outside may have acted before it raised, unless it raised on purpose."""
        result = failure(call.name, error, self._hide(call), call.tool.spec.reveals)
        if not unsure(call) or isinstance(error, LexsiError):
            return result
        summary = Observation((*result.observation.segments, Segment(_UNCERTAIN)))
        error_text = f"{result.error} {_UNCERTAIN}"
        return ToolResult(False, summary, error=error_text, meta={**result.meta, "uncertain": True})

    def _converted(self, call: Call, value: Any) -> ToolResult:
        """Return what a tool gave back as a result, without secrets in what is shown or kept of it.

        Words that the tool's author put together (a ToolResult) may be SQL or code, where `key = value` is no secret.
        """
        spec = call.tool.spec
        hide = mask_known if isinstance(value, ToolResult) else self.redact
        result = convert(value, reveals=spec.reveals, limit=spec.max_output_chars)
        return without_secrets(result, hiding(call.args, hide))

    def _hide(self, call: Call) -> Callable[[str], str]:
        return hiding(call.args, self.redact)

    async def _value(self, call: Call, prepared: Callable[[], Any]) -> ToolResult | Raised:
        if call.tool.is_async:
            return self._converted(call, await prepared())

        def work() -> Any:
            try:
                value = prepared()
                # Converted here, so that a large result does not hold up the loop.
                return value if inspect.isawaitable(value) else self._converted(call, value)
            except BaseException as error:  # carried over, answered in _attempt
                if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                    raise  # the stop button, while the tool ran on the cell's thread
                return Raised(error)

        if call.cell_thread is not None and not call.tool.spec.thread_safe:
            value = await call.cell_thread(work)
        else:
            value = await self._on_worker(call, work)
        return self._converted(call, await value) if inspect.isawaitable(value) else value

    async def _on_worker(self, call: Call, work: Callable[[], Any]) -> Any:
        context = contextvars.copy_context()
        job: concurrent.futures.Future[Any]
        if self.executor is not None:
            job = self.executor.submit(context.run, work)
        else:
            job = _in_thread(lambda: context.run(work), name=f"lexsi {call.name}")
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            # A thread cannot be stopped. What it brings after all goes to the keeper of the idempotency key.
            if call.late is not None:
                late = call.late
                call.late_pending = True
                job.add_done_callback(lambda done: late(_late_result(done)))
            raise


def _stops(error: BaseException) -> bool:
    """Return whether an exception on the loop's thread is a stop, and not something the tool raised itself."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def failure(
    name: str, error: BaseException, redact: Callable[[str], str], reveals: SegmentClass = "rows"
) -> ToolResult:
    """Return a failed result: type and message for the planner, the traceback in `meta` for the person.

    A message may quote the data: it counts as what the tool reveals, unless it is one of our own.
    """
    text = redact(f"{name} failed. {_said(error)}")
    trace = "".join(traceback.format_exception(error))
    if len(trace) > _MOST_TRACE_CHARS:
        trace = f"{trace[: _MOST_TRACE_CHARS // 2]}\n...\n{trace[-_MOST_TRACE_CHARS // 2 :]}"
    trace = redact(trace)
    meta = {"traceback": trace, "error_type": type(error).__name__}
    return ToolResult(False, Observation.of(_classified(name, error, text, reveals)), error=text, meta=meta)


def _classified(name: str, error: BaseException, text: str, reveals: SegmentClass) -> Segment:
    """Return the failure as what its words may tell: an exception may quote any cell of the data."""
    told = (ANY_COLUMN,) if reveals != "schema" else ()
    kind, less = type(error).__name__, "Its words are withheld by the data policy."
    if not isinstance(error, LexsiError):
        return Segment(text, reveals, told, foreign=True, instead=f"{name} failed. {kind}: {less}")
    if "schema" in (error.reveals, reveals):
        named = [n.strip(" .") for n in re.split(r"'|, |: ", error.why)]
        return Segment(text, foreign=error.quotes or not only_names(n for n in named if n))
    less = error.outline or (type(error).__doc__ or less).splitlines()[0]
    return Segment(text, "rows", told, foreign=error.quotes, instead=f"{name} failed. {kind}: {less}")


def _said(error: BaseException) -> str:
    kind = type(error).__name__
    message = plain_text(error).strip()
    if message == f"a {kind}":
        message = ""
    if _TRACEBACK in message:
        message = message.strip().splitlines()[-1]
    if len(message) > _MOST_ERROR_CHARS:
        message = message[:_MOST_ERROR_CHARS] + "..."
    if message:
        return f"{kind}: {message}"
    behind = error.__cause__ or error.__context__
    after = f", after {_said(behind)}" if behind is not None else "."
    return f"{kind}, without a message{after}"


def _injected(call: Call) -> dict[str, Any]:
    return {"context": call.context, **call.injected}


def _expired(call: Call, timeout: float) -> ToolResult:
    acts = unsure(call)
    after = f" {_UNCERTAIN}" if acts else ""
    text = f"{call.name} failed. It did not finish within {timeout:g} s.{after}"
    return ToolResult(False, text, error=text, meta={"timeout": timeout, "uncertain": acts})


def _in_thread(work: Callable[[], Any], *, name: str) -> concurrent.futures.Future[Any]:
    """Return the future of `work` on a thread of its own; a thread that hangs does not keep the process alive."""
    job: concurrent.futures.Future[Any] = concurrent.futures.Future()
    job.set_running_or_notify_cancel()

    def run() -> None:
        try:
            job.set_result(work())
        except BaseException as error:  # noqa: BLE001 - the future carries it to whoever waits
            job.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return job


def _late_result(done: concurrent.futures.Future[Any]) -> ToolResult | None:
    if done.cancelled() or done.exception() is not None:
        return None
    value = done.result()
    return value if isinstance(value, ToolResult) and value.ok else None
