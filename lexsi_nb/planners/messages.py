"""The neutral conversation as pydantic-ai messages, and a model's reply as a decision.

A reply's own parts (thinking and its signature, ids of the provider) travel in `Message.parts` as JSON; the arguments
of calls are left out there and taken from the history, which keeps secrets masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import Decision, Message, ToolCall, Turn
from lexsi_nb.planners.lean import lean
from lexsi_nb.toolkit.spec import GOOD

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse
    from pydantic_ai.tools import ToolDefinition

ANSWER_NOW = "No more calls are possible. Answer now from the results above, and say what is missing."
EVENT = "[event in the notebook] "
NOTHING = "(nothing)"


def instructions(turn: Turn) -> str:
    """Return the framing: the same text in every request of a run, so that the provider's cache holds it."""
    return "\n\n".join(t for t in (turn.system.strip(), turn.dataset.strip()) if t)


def tools(turn: Turn) -> list[ToolDefinition]:
    """Return the tool definitions, in the order of the registry."""
    from pydantic_ai.tools import ToolDefinition

    return [
        ToolDefinition(
            name=d["name"],
            description=" ".join(d.get("description", "").split()),
            parameters_json_schema=d["input_schema"],
            strict=False,
        )
        for d in map(lean, turn.tools)
    ]


def conversation(turn: Turn) -> list[ModelMessage]:
    """Return the conversation up to the decision that is asked for."""
    from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart

    out: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []

    def flush() -> None:
        if waiting:
            # Results stand right behind their calls, whatever was noted meanwhile: providers refuse them elsewhere.
            parts = sorted(waiting, key=lambda part: not isinstance(part, ToolReturnPart))
            out.append(ModelRequest(parts=parts))
            waiting.clear()

    for message in turn.messages:
        if message.role == "assistant":
            flush()
            reply = response(message)
            if reply is not None:
                out.append(reply)
        else:
            waiting.extend(_request_parts(message))
    if turn.force_final:
        waiting.append(UserPromptPart(content=ANSWER_NOW))
    flush()
    if out and isinstance(out[-1], ModelRequest):
        out[-1].instructions = instructions(turn)
    return out


def _request_parts(message: Message) -> Iterable[ModelRequestPart]:
    from pydantic_ai.messages import BinaryContent, ToolReturnPart, UserPromptPart

    if message.role != "tool":
        lead = EVENT if message.role == "system" else ""
        yield UserPromptPart(content=f"{lead}{message.text}" or NOTHING)
        return
    status = "" if message.status in ("", "ok") else f"[{message.status}] "
    text = f"{status}{message.text}".strip() or NOTHING
    media = [BinaryContent(data=m.data, media_type=m.media_type) for m in message.media]
    good = message.status in GOOD or not message.status
    yield ToolReturnPart(
        tool_name=message.name,
        content=[text, *media] if media else text,
        tool_call_id=message.call_id,
        outcome="success" if good else "failed",
    )


def response(message: Message) -> ModelResponse | None:
    """Return an earlier reply as the provider knows it; None for one that said nothing."""
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

    own = _own(message)
    if own is not None:
        return own
    parts: list[Any] = [TextPart(content=message.text)] if message.text.strip() else []
    parts += [ToolCallPart(tool_name=c.name, args=dict(c.args), tool_call_id=c.id) for c in message.calls]
    return ModelResponse(parts=parts) if parts else None


def _own(message: Message) -> ModelResponse | None:
    """Return the provider's own parts with the arguments of the history; None where the calls are not the same."""
    from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, ToolCallPart

    if not isinstance(message.parts, dict) or "pydantic_ai" not in message.parts:
        return None
    (kept,) = ModelMessagesTypeAdapter.validate_python([message.parts["pydantic_ai"]])
    assert isinstance(kept, ModelResponse)
    args = {c.id: c.args for c in message.calls}
    if [p.tool_call_id for p in kept.parts if isinstance(p, ToolCallPart)] != list(args):
        return None
    for part in kept.parts:
        if isinstance(part, ToolCallPart):
            part.args = dict(args[part.tool_call_id])  # type: ignore[assignment]
    return kept


def decision(reply: ModelResponse, *, force_final: bool = False) -> Decision:
    """Return what a finished reply decides.

    Arguments that are no JSON object become one that the schema gate refuses with the text that was sent, so that the
    model sees what was wrong and writes the call again.
    """
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    text = "".join(p.content for p in reply.parts if isinstance(p, TextPart)).strip()
    thought = "\n".join(p.content for p in reply.parts if isinstance(p, ThinkingPart) and p.content).strip()
    calls = tuple(
        ToolCall(p.tool_name, _arguments(p), p.tool_call_id) for p in reply.parts if isinstance(p, ToolCallPart)
    )
    if calls and not force_final:
        return Decision(calls=calls, thought=text or thought, parts=opaque(reply))
    if calls and not text:
        return Decision(thought=thought)  # calls although none were possible: the run ends without its answer
    return Decision(answer=text, thought=thought, parts=opaque(reply) if not calls else None)


def _arguments(part: Any) -> dict[str, Any]:
    import json

    if isinstance(part.args, dict):
        return part.args
    try:
        found = json.loads(part.args or "{}")
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"not_a_json_object": part.args}


def opaque(reply: ModelResponse) -> dict[str, Any]:
    """Return the reply's parts as JSON, the arguments of its calls left out."""
    import dataclasses

    from pydantic_ai.messages import ModelMessagesTypeAdapter, ToolCallPart

    parts = [dataclasses.replace(p, args=None) if isinstance(p, ToolCallPart) else p for p in reply.parts]
    bare = dataclasses.replace(reply, parts=parts)
    fields = ModelMessagesTypeAdapter.dump_python([bare], mode="json")[0]
    # Times and prices differ from run to run; a recording of the same replies is to be the same bytes.
    kept = ("kind", "parts", "model_name", "provider_name", "provider_response_id", "provider_details", "finish_reason")
    return {"pydantic_ai": {k: fields[k] for k in kept if fields.get(k) is not None}}


def portable(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages without any provider's own parts, as another provider may read them."""
    from dataclasses import replace

    return tuple(replace(m, parts=None) if m.parts is not None else m for m in messages)
