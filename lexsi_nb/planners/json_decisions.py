"""A planner for models without tool calls: each reply is one JSON object, a call or a final answer."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from lexsi_nb.agent.planner import Decision, Message, Model, Thought, ToolCall, Turn, UsageReport
from lexsi_nb.errors import nearest
from lexsi_nb.planners.failures import ModelFailed
from lexsi_nb.planners.lean import lean

Complete = Callable[[str], str | Awaitable[str]]

PROTOCOL = """\
Reply with exactly one JSON object and nothing else, one of
{"thought": "why", "tool": "<tool name>", "args": {...}}
{"thought": "why", "final_answer": "<answer for the user>"}
One call a reply; its result comes before your next one."""
LAST = 'No more calls are possible. Reply with {"thought": "why", "final_answer": "..."} from the results above.'
REPAIR = "Your last reply was:\n{reply}\nIt cannot be used: {problem}\nReply again with one JSON object, nothing else."
QUOTED = 1_500  # characters of a bad reply that are shown to its writer


@dataclass
class JsonPlanner:
    """Decides by JSON objects that `complete` writes.

    `complete` is a `Model`, or any function text -> text, blocking or not. A reply that cannot be used is sent back
    once with what is wrong with it.
    """

    complete: Model | Complete
    name: str = ""
    local: bool = False
    writes: bool = True
    model: Model | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if not callable(self.complete) or hasattr(self.complete, "complete"):
            self.model = self.complete  # type: ignore[assignment]
        self.name = self.name or getattr(self.model, "name", "json")

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | UsageReport | Decision]:
        """Yield what was used, a thought where there is one, and the decision.

        Raises:
            ModelFailed: two replies in a row could not be used; says what was wrong.
        """
        prefix, said = framing(turn), conversation(turn)
        known = [t["name"] for t in turn.tools]
        prompt, problem = said, ""
        for _ in range(2):
            reply = await self._ask(prefix, prompt)
            yield self._usage()
            decided = read(reply, known, force_final=turn.force_final)
            if isinstance(decided, Decision):
                if decided.thought:
                    yield Thought(decided.thought)
                yield decided
                return
            problem = decided
            prompt = f"{said}\n\n{REPAIR.format(reply=_shortened(reply), problem=problem)}"
        raise ModelFailed(
            f"{self.name} did not write a decision that can be used.",
            f"{problem[:1].upper()}{problem[1:]}",
            "Ask again, or choose a model with tool calls: %lexsi model",
        )

    async def _ask(self, prefix: str, prompt: str) -> str:
        if self.model is not None:
            return str(await self.model.complete(prompt, system=prefix))
        complete: Any = self.complete
        text = f"{prefix}\n\n{prompt}"
        if inspect.iscoroutinefunction(complete):
            return str(await complete(text))
        reply = await asyncio.to_thread(complete, text)
        return str(await reply if inspect.isawaitable(reply) else reply)

    def _usage(self) -> UsageReport:
        spent = getattr(self.model, "last_usage", None)
        return spent if isinstance(spent, UsageReport) else UsageReport()


def framing(turn: Turn) -> str:
    """Return what is the same in every request of a run: rules, dataset, tools, protocol."""
    tools = []
    for whole in turn.tools:
        d = lean(whole)
        tools.append(f"- {d['name']}: {' '.join(str(d.get('description', '')).split())}\n  args: {_args(d)}")
    parts = [turn.system.strip(), turn.dataset.strip(), "Tools:\n" + "\n".join(tools) if tools else "", PROTOCOL]
    return "\n\n".join(p for p in parts if p)


def _args(definition: dict[str, Any]) -> str:
    """Return the arguments of a tool as JSON: each with its schema, and which ones are needed."""
    schema = definition["input_schema"]
    plain = set(schema) <= {"type", "properties", "required"}
    text = json.dumps(schema["properties"] if plain else schema, ensure_ascii=False, separators=(",", ":"))
    return f"{text} required: {', '.join(schema['required'])}" if plain and schema.get("required") else text


def conversation(turn: Turn) -> str:
    """Return the conversation as text; results stand between marks, so that their text is not taken for a turn."""
    lines = [_said(m) for m in turn.messages]
    return "\n\n".join([*(line for line in lines if line), LAST if turn.force_final else "Your next JSON object:"])


def _said(message: Message) -> str:
    if message.role == "user":
        return f"User: {message.text}"
    if message.role == "system":
        return f"Event in the notebook: {message.text}"
    if message.role == "tool":
        body = message.text.replace("<<<", "<").replace(">>>", ">")
        return f"Result of {message.name} ({message.status or 'ok'}):\n<<<\n{body}\n>>>"
    calls = [json.dumps({"tool": c.name, "args": c.args}, ensure_ascii=False, default=str) for c in message.calls]
    if calls:
        return "\n".join(f"You: {c}" for c in calls)
    return f"You: {json.dumps({'final_answer': message.text}, ensure_ascii=False)}" if message.text else ""


def read(reply: str, tools: list[str], *, force_final: bool = False) -> Decision | str:
    """Return the decision in a reply, or what is wrong with it in words for its writer.

    Text and fences around the object are passed over; of several objects the first counts.
    """
    said = _object(reply)
    if said is None:
        return "it holds no JSON object."
    thought = str(said.get("thought") or "").strip()
    answer, tool = said.get("final_answer"), said.get("tool")
    if (answer is None) == (tool is None):
        both = "both" if answer is not None else "neither"
        return f'it has {both} of "tool" and "final_answer"; exactly one must be there.'
    if answer is not None:
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Decision(answer=text.strip(), thought=thought) if text.strip() else '"final_answer" is empty.'
    if force_final:
        return 'no more calls are possible; write "final_answer".'
    if not isinstance(tool, str):
        return '"tool" must be the name of a tool.'
    if tool not in tools:
        near = nearest(tool, tools) or tools
        return f"there is no tool {tool!r}; nearest: {', '.join(near)}."
    args = said.get("args", {})
    if not isinstance(args, dict):
        return '"args" must be an object of the tool\'s arguments.'
    return Decision(calls=(ToolCall(tool, args),), thought=thought)


def _object(text: str) -> dict[str, Any] | None:
    """Return the first object in a text that is a decision; else the first object of any kind."""
    decoder = json.JSONDecoder(strict=False)
    first: dict[str, Any] | None = None
    at = text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except ValueError:
            found, end = _literal(text, at), at + 1
        if isinstance(found, dict):
            if found.keys() & {"tool", "final_answer"}:
                return found
            first = first if first is not None else found
            end = max(end, at + 1)
        at = text.find("{", end)
    return first


def _literal(text: str, at: int) -> Any:
    """Return an object that was written as Python: single quotes, True, None, a comma at the end."""
    end = text.rfind("}")
    try:
        return ast.literal_eval(text[at : end + 1]) if end > at else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _shortened(reply: str) -> str:
    return reply if len(reply) <= QUOTED else f"{reply[:QUOTED]}..."
