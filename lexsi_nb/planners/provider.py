"""A provider's model as planner and as model for side queries, through pydantic-ai's model layer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import AnswerPart, Decision, Thought, Turn, UsageReport
from lexsi_nb.egress.gate import Gate
from lexsi_nb.errors import LexsiError
from lexsi_nb.planners import messages as wire
from lexsi_nb.planners.choice import ModelChoice
from lexsi_nb.planners.clients import client_model, settings
from lexsi_nb.planners.failures import ModelFailed, explained

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters

ATTEMPTS = 3
FIRST_WAIT = 1.0  # seconds before the second attempt; doubled for the third
LONGEST_WAIT = 30.0  # a provider that asks for more is not waited for


@dataclass
class ProviderModel:
    """One chosen model. It keeps no connection, so it may be used on any event loop, by several sessions at once."""

    choice: ModelChoice
    gate: Gate = field(repr=False)
    local: bool = False
    last_usage: UsageReport | None = field(default=None, repr=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.choice.name

    async def complete(self, prompt: str, *, system: str = "", output_type: type[Any] = str) -> Any:
        """Return the reply to one prompt: text, or an object of a pydantic model class.

        Raises:
            ModelFailed: no usable reply; one line with the remedy.
        """
        from pydantic_ai.messages import ModelRequest, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters

        form = "" if output_type is str else form_of(output_type)
        framing = "\n\n".join(t for t in (system, form) if t)
        request = ModelRequest(parts=[UserPromptPart(content=prompt)], instructions=framing or None)
        reply: ModelResponse | None = None
        async for item in self.stream([request], ModelRequestParameters()):
            if isinstance(item, UsageReport):
                self.last_usage = item
            elif not isinstance(item, (Thought, AnswerPart)):
                reply = item
        assert reply is not None
        text = wire.decision(reply).answer or ""
        return text if output_type is str else parsed(text, output_type, self.name)

    async def stream(
        self, history: list[ModelMessage], parameters: ModelRequestParameters, **more: Any
    ) -> AsyncIterator[Thought | AnswerPart | UsageReport | ModelResponse]:
        """Yield thought and text as they arrive, what was used, and last the whole reply.

        A request that failed before anything arrived is made again, up to `ATTEMPTS` times, after the wait that the
        provider asks for.

        Raises:
            ModelFailed: no usable reply; one line with the remedy.
        """
        for attempt in range(1, ATTEMPTS + 1):
            begun = False
            try:
                async for item in self._once(history, parameters, more):
                    begun = True
                    yield item
                return
            except LexsiError:
                raise
            except Exception as error:
                wait = None if begun or attempt == ATTEMPTS else wait_before(error, attempt)
                if wait is None:
                    raise explained(error, self.choice) from error
                yield Thought(f"{self.name} is busy; next try in {wait:g} s.")
            await asyncio.sleep(wait)

    async def _once(
        self, history: list[ModelMessage], parameters: ModelRequestParameters, more: dict[str, Any]
    ) -> AsyncIterator[Thought | AnswerPart | UsageReport | ModelResponse]:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import PartDeltaEvent, PartStartEvent

        asked: Any = {**settings(self.choice), **more}
        async with (
            client_model(self.choice, self.gate) as model,
            model_request_stream(
                model, history, model_settings=asked, model_request_parameters=parameters, instrument=False
            ) as stream,
        ):
            async for event in stream:
                piece = event.part if isinstance(event, PartStartEvent) else None
                piece = event.delta if isinstance(event, PartDeltaEvent) else piece
                shown = _shown(piece)
                if shown is not None:
                    yield shown
            reply = stream.get()
        yield report(reply, self.name)
        if not reply.parts or reply.finish_reason in (None, "length", "content_filter", "error"):
            raise _incomplete(reply, self.choice)
        yield reply


@dataclass
class ProviderPlanner:
    """Decides by native tool calls of a provider's model."""

    model: ProviderModel
    local: bool = False
    writes: bool = True
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.model.name

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | AnswerPart | UsageReport | Decision]:
        """Yield thoughts and text as they are written, what was used, and last the decision.

        Raises:
            ModelFailed: no usable reply; one line with the remedy.
        """
        from pydantic_ai.models import ModelRequestParameters

        parameters = ModelRequestParameters(function_tools=wire.tools(turn))
        # The tools stay in a forced last request: taking them out would change the prefix that is cached.
        more = {"tool_choice": "none"} if turn.force_final and turn.tools else {}
        reply: ModelResponse | None = None
        async for item in self.model.stream(wire.conversation(turn), parameters, **more):
            if isinstance(item, (Thought, AnswerPart, UsageReport)):
                yield item
            else:
                reply = item
        assert reply is not None
        decided = wire.decision(reply, force_final=turn.force_final)
        if decided.answer == "":
            raise ModelFailed(f"{self.name} neither called a tool nor answered.", "", "Ask again, or in other words.")
        yield decided


def wait_before(error: BaseException, attempt: int) -> float | None:
    """Return the seconds before another attempt, None where none would help or the wait is too long."""
    from pydantic_ai import exceptions as e

    if not isinstance(error, (e.ModelRateLimitError, e.ModelUnavailableError, e.ModelServerError)):
        return None
    asked = error.retry_after
    if asked is not None:
        return asked if asked <= LONGEST_WAIT else None
    return FIRST_WAIT * 2 ** (attempt - 1)


def report(reply: ModelResponse, name: str) -> UsageReport:
    """Return what one reply used."""
    used = reply.usage
    return UsageReport(
        1,
        used.input_tokens,
        used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
        model=name,
    )


def _shown(piece: Any) -> Thought | AnswerPart | None:
    from pydantic_ai.messages import TextPart, TextPartDelta, ThinkingPart, ThinkingPartDelta

    if isinstance(piece, (TextPart, TextPartDelta)):
        text = piece.content if isinstance(piece, TextPart) else piece.content_delta
        return AnswerPart(text) if text else None
    if isinstance(piece, (ThinkingPart, ThinkingPartDelta)):
        text = piece.content if isinstance(piece, ThinkingPart) else piece.content_delta
        return Thought(text) if text else None
    return None


def _incomplete(reply: ModelResponse, choice: ModelChoice) -> ModelFailed:
    if reply.finish_reason == "length":
        tokens = (choice.max_tokens or reply.usage.output_tokens or 4096) * 2
        return ModelFailed(
            f"The reply of {choice.name} was cut at its limit of tokens.",
            "",
            f"Allow more: %lexsi model {choice.name} --max-tokens {tokens}",
        )
    if reply.finish_reason == "content_filter":
        return ModelFailed(f"{choice.name} refused the content.", "", "Word the question otherwise.")
    if reply.parts and reply.finish_reason is None:
        return ModelFailed(f"The reply of {choice.name} broke off.", "Its end never came.", "Ask again.")
    return ModelFailed(f"{choice.name} sent an empty reply.", "", "Ask again, or choose another model: %lexsi model")


def form_of(output_type: type[Any]) -> str:
    """Return what a model is told about the form of its reply."""
    import json

    schema = json.dumps(output_type.model_json_schema(), ensure_ascii=False)
    return f"Reply with one JSON object of this schema and nothing else:\n{schema}"


def parsed(text: str, output_type: type[Any], name: str) -> Any:
    """Return the object in a reply.

    Raises:
        ModelFailed: the reply holds no such object.
    """
    from pydantic import ValidationError

    start, end = text.find("{"), text.rfind("}")
    try:
        return output_type.model_validate_json(text[start : end + 1] if start >= 0 else text)
    except ValidationError as error:
        first = error.errors()[0]
        at = ".".join(map(str, first["loc"])) or "the reply"
        raise ModelFailed(f"{name} did not fill the form.", f"{at}: {first['msg']}.", "Ask again.") from None
