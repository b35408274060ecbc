"""OpenTelemetry spans of a run, named by the GenAI conventions; what was said stays out unless it is asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent import events as ev
from lexsi_nb.app.trajectory import plain
from lexsi_nb.errors import BadData, MissingExtra
from lexsi_nb.toolkit.redaction import masked
from lexsi_nb.toolkit.spec import GOOD

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

AGENT = "lexsi-nb"
_HELP = "Spans go to OpenTelemetry's library."


class Tracing:
    """Where the spans of runs go. `content`: questions, arguments, results and answers go along."""

    def __init__(self, tracer: Any, *, content: bool = False) -> None:
        self.tracer, self.content = tracer, content


_everywhere: Tracing | None = None


def trace(to: Any = None, *, content: bool = False) -> Tracing:
    """Send spans of every run in this process from now on; called again, the last call counts.

    Args:
        to: A span exporter, a TracerProvider or a Tracer. None: the provider that this program has set.
        content: Let questions, arguments, results and answers go along. Secrets are masked; data are not.

    Raises:
        MissingExtra: the library is not installed; the exact %pip line.
        BadData: no provider is set and none was given, or `to` is none of these.
    """
    global _everywhere
    _everywhere = tracing_of(to, content=content)
    return _everywhere


def untrace() -> None:
    """Send no more spans, but those of sessions that have a tracer of their own."""
    global _everywhere
    _everywhere = None


def tracing_of(to: Any, *, content: bool = False) -> Tracing:
    """Return where spans go, for a session's `tracer`. Raises as `trace` does."""
    if isinstance(to, Tracing):
        return to
    try:
        from opentelemetry import trace as api
    except ImportError as error:
        raise MissingExtra.of("opentelemetry-sdk", "otel", _HELP) from error
    if hasattr(to, "start_span"):
        return Tracing(to, content=content)
    if to is None:
        to = api.get_tracer_provider()
        if type(to).__name__ == "ProxyTracerProvider":
            raise BadData(
                "No spans would arrive anywhere.", "This program has set no TracerProvider.", "Pass a span exporter."
            )
    if hasattr(to, "export") and not hasattr(to, "get_tracer"):
        to = _provider(to)
    if not hasattr(to, "get_tracer"):
        raise BadData(f"{type(to).__name__} takes no spans.", "", "Pass a span exporter, TracerProvider or Tracer.")
    return Tracing(to.get_tracer("lexsi_nb"), content=content)


def _provider(exporter: Any) -> Any:
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    except ImportError as error:
        raise MissingExtra.of("opentelemetry-sdk", "otel", _HELP) from error
    provider = TracerProvider(resource=Resource({"service.name": AGENT}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider


def spans_for(tracing: Tracing | None) -> Spans | None:
    """Return the spans of a run that begins now, None where nobody listens. A session's own tracing wins."""
    where = tracing or _everywhere
    return Spans(where) if where is not None else None


class Spans:
    """The spans of one run, made from its events: the run, each decision, each call."""

    def __init__(self, tracing: Tracing) -> None:
        self._tracer, self._content = tracing.tracer, tracing.content
        self._run: Any = None
        self._decision: Any = None
        self._calls: dict[str, Any] = {}
        self._planner = ""
        self._used = (0, 0)

    def on(self, event: ev.Event) -> None:
        """Follow the run by one event."""
        if isinstance(event, ev.RunStarted):
            if self._run is None:  # a resumed run goes on in its span
                self._begin(event)
        elif isinstance(event, ev.StepStarted):
            self._end_decision()
            model = ":" in self._planner
            name = f"chat {self._planner.partition(':')[2]}" if model else f"plan {self._planner}"
            about: dict[str, Any] = {"gen_ai.operation.name": "chat" if model else "plan", "lexsi.step": event.step}
            self._decision = self._start(name, {**about, **self._model()})
        elif isinstance(event, ev.UsageUpdated):
            self._usage(event)
        elif isinstance(event, ev.ToolStarted):
            self._end_decision()
            self._calls[event.tool_call_id] = self._start(f"execute_tool {event.name}", self._called(event))
        elif isinstance(event, ev.ToolFinished):
            self._finished(event)
        elif isinstance(event, ev.TurnFinished):
            self._end_decision()

    def end(self, run: Run) -> None:
        """End the run's span with how it ended; a run that waits for a person stays open."""
        self._end_decision()
        for span in self._calls.values():
            self._fail(span, run.status)
            span.end()
        self._calls.clear()
        if self._run is None or run.status == "awaiting_approval":
            return
        self._run.set_attributes({"lexsi.run.status": run.status, "lexsi.run.replayed": run.replayed})
        if self._content:
            self._run.set_attribute("gen_ai.output.messages", _messages("assistant", run.answer))
        if run.status in ("failed", "interrupted"):
            self._fail(self._run, run.status)
        self._run.end()
        self._run = None

    def _begin(self, event: ev.RunStarted) -> None:
        self._planner = event.planner
        about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": AGENT, "lexsi.run.id": event.run_id}
        self._run = self._tracer.start_span(f"invoke_agent {AGENT}", attributes={**about, **self._model()})
        if self._content:
            self._run.set_attribute("gen_ai.input.messages", _messages("user", event.question))

    def _start(self, name: str, about: dict[str, Any]) -> Any:
        from opentelemetry.trace import set_span_in_context

        parent = set_span_in_context(self._run) if self._run is not None else None
        return self._tracer.start_span(name, context=parent, attributes=about)

    def _model(self) -> dict[str, str]:
        provider, colon, model = self._planner.partition(":")
        return {"gen_ai.provider.name": provider, "gen_ai.request.model": model} if colon else {}

    def _usage(self, event: ev.UsageUpdated) -> None:
        now = (event.input_tokens, event.output_tokens)
        span = self._decision or self._run
        if span is not None:
            new = [max(0, n - before) for n, before in zip(now, self._used, strict=True)]
            span.set_attributes({"gen_ai.usage.input_tokens": new[0], "gen_ai.usage.output_tokens": new[1]})
        if self._run is not None:
            self._run.set_attributes({"lexsi.usage.input_tokens": now[0], "lexsi.usage.output_tokens": now[1]})
        self._used = now

    def _called(self, event: ev.ToolStarted) -> dict[str, Any]:
        about: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": event.name, "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": event.tool_call_id, "lexsi.step": event.step,
        }  # fmt: skip
        if self._content:
            about["gen_ai.tool.call.arguments"] = json.dumps(plain(masked(event.args)), ensure_ascii=False)
        return about

    def _finished(self, event: ev.ToolFinished) -> None:
        span = self._calls.pop(event.tool_call_id, None)
        if span is None:
            return
        span.set_attribute("lexsi.outcome", event.status)
        if self._content:
            span.set_attribute("gen_ai.tool.call.result", plain(event.summary))
        if event.status not in GOOD and event.status != "awaiting_approval":
            self._fail(span, event.status)
        span.end()

    def _end_decision(self) -> None:
        if self._decision is not None:
            self._decision.end()
            self._decision = None

    def _fail(self, span: Any, why: str) -> None:
        from opentelemetry.trace import Status, StatusCode

        span.set_attribute("error.type", why)
        span.set_status(Status(StatusCode.ERROR, why))


def _messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": plain(text)}]}], ensure_ascii=False)
