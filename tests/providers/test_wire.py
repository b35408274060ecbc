"""The vendors' own SDKs against a provider on this machine: calls, streamed parts, opaque parts, cache, settings."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from lexsi_nb.agent.planner import AnswerPart, Decision, Message, Thought, ToolCall, Turn, UsageReport
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.egress.gate import Gate
from lexsi_nb.planners.choice import parse
from lexsi_nb.planners.provider import ProviderModel, ProviderPlanner

APIS = {
    "anthropic": ("anthropic", {}), "chat": ("openai", {}), "responses": ("openai", {"api": "responses"}),
    "ollama": ("ollama", {}), "google": ("google", {"model": "gemini-2.5-flash"}),
    "bedrock": ("bedrock", {"model": "eu.anthropic.claude-sonnet-4-6-v1"}),
}  # fmt: skip
TOOLS = tuple(
    {
        "name": n,
        "description": f"Does {n}.",
        "input_schema": {"type": "object", "properties": {"x": {"type": "string"}}},
    }
    for n in ("look", "count")
)


@pytest.fixture(params=list(APIS))
def planner(request: pytest.FixtureRequest, model_server: Any) -> ProviderPlanner:
    provider, options = APIS[request.param]
    return ProviderPlanner(ProviderModel(parse(model_server.choice(provider, **options)), Gate()))


def turn(*messages: Message, force: bool = False) -> Turn:
    return Turn("How many?", "Rules.", "Dataset d.", TOOLS, messages or (Message("user", "How many?"),), 1, force)


def decide(planner: ProviderPlanner, asked: Turn) -> list[Any]:
    async def collect() -> list[Any]:
        return [item async for item in planner.decide(asked)]

    return asyncio.run(collect())


def test_an_answer_arrives_in_pieces_and_whole(planner: ProviderPlanner, model_server: Any) -> None:
    model_server.brain = lambda asked: model_server.Reply("Forty-five loans are running in debt.")
    items = decide(planner, turn())
    pieces = [i.text for i in items if isinstance(i, AnswerPart)]
    assert len(pieces) > 1
    assert "".join(pieces) == items[-1].answer == "Forty-five loans are running in debt."
    assert items[-1].status == "answered"


def test_several_calls_of_one_turn_with_the_thought_before_them(planner: ProviderPlanner, model_server: Any) -> None:
    reply = model_server.Reply(thought="First look, then count.", calls=[("look", {"x": "a"}), ("count", {"x": "b"})])
    model_server.brain = lambda asked: reply
    items = decide(planner, turn())
    decision = items[-1]
    assert [(c.name, c.args) for c in decision.calls] == [("look", {"x": "a"}), ("count", {"x": "b"})]
    assert len({c.id for c in decision.calls}) == 2
    assert "".join(i.text for i in items if isinstance(i, Thought)) == "First look, then count."
    assert decision.answer is None


def test_usage_is_reported_once_a_request(planner: ProviderPlanner, model_server: Any) -> None:
    (used,) = [i for i in decide(planner, turn()) if isinstance(i, UsageReport)]
    assert used.requests == 1
    assert used.input_tokens > 50
    assert used.output_tokens == 20
    assert used.model == planner.name


def test_results_come_back_to_the_model_beside_their_calls(planner: ProviderPlanner, model_server: Any) -> None:
    model_server.brain = lambda asked: model_server.Reply(thought="Hm.", calls=[("look", {"x": "a"}), ("count", {})])
    first = decide(planner, turn())[-1]
    second = decide(planner, turn(*after(first, ("ok", "403 rows"), ("denied", "not allowed"))))
    (one, seen), (two, refused) = model_server.requests[-1].results
    assert (one, seen, two) == ("look", "403 rows", "count")
    assert "[denied] not allowed" in refused
    assert isinstance(second[-1], Decision)


def test_results_stand_right_behind_their_calls_whatever_was_noted_meanwhile(
    planner: ProviderPlanner, model_server: Any
) -> None:
    model_server.brain = lambda asked: model_server.Reply(calls=[("look", {"x": "a"}), ("count", {})])
    said = after(decide(planner, turn())[-1], ("ok", "403 rows"), ("ok", "3"))
    noted = Message("system", "The loans of May were added.")
    decide(planner, turn(*said[:2], noted, said[2], noted, said[3]))
    asked = model_server.requests[-1]
    assert [text for _, text in asked.results] == ["403 rows", "3"]
    body = json.dumps(asked.body)
    assert max(body.find("403 rows"), body.find('"3"')) < body.find("May were added")


def test_the_history_of_another_planner_can_be_read(planner: ProviderPlanner, model_server: Any) -> None:
    calls = (ToolCall("look", {"x": "a"}, "call-1-1"),)
    said = (Message("user", "Q1"), Message("assistant", "I look.", calls=calls),
            Message("tool", "3", call_id="call-1-1", name="look", status="ok"), Message("assistant", "Three."),
            Message("system", "user changed loans"), Message("user", "How many?"))  # fmt: skip
    decide(planner, turn(*said))
    asked = model_server.requests[-1]
    assert asked.question == "How many?"
    assert asked.results == []
    assert "user changed loans" in json.dumps(asked.body)


def test_the_prefix_is_the_same_in_every_request_of_a_run(planner: ProviderPlanner, model_server: Any) -> None:
    model_server.brain = lambda asked: (
        model_server.Reply(calls=[("look", {})]) if asked.may_call else model_server.Reply("x")
    )
    first = decide(planner, turn())[-1]
    decide(planner, turn(*after(first, ("ok", "1")), force=True))
    one, two = (prefix(r.body) for r in model_server.requests)
    assert one == two


def prefix(body: dict[str, Any]) -> str:
    keys = ("model", "system", "instructions", "tools")
    text = json.dumps({k: body[k] for k in keys if k in body}, sort_keys=True)
    leading = [m for m in body.get("messages", []) if m["role"] in ("system", "developer")]
    return text + json.dumps(leading)


def test_forced_to_answer_it_may_not_call(planner: ProviderPlanner, model_server: Any) -> None:
    decision = decide(planner, turn(force=True))[-1]
    assert not model_server.requests[-1].may_call
    assert decision.answer == "A plain answer."


def test_arguments_of_a_call_come_from_the_history_not_from_opaque_parts(
    planner: ProviderPlanner, model_server: Any
) -> None:
    model_server.brain = lambda asked: model_server.Reply(calls=[("look", {"x": "hunter2-the-password"})])
    first = decide(planner, turn())[-1]
    assert "hunter2" not in json.dumps(first.parts)
    (call,) = first.calls
    masked = ToolCall(call.name, {"x": "[secret]"}, call.id)
    decide(planner, turn(Message("user", "How many?"), Message("assistant", "", calls=(masked,), parts=first.parts),
                         Message("tool", "1", call_id=call.id, name="look", status="ok")))  # fmt: skip
    sent = json.dumps(model_server.requests[-1].body)
    assert "hunter2" not in sent
    assert "[secret]" in sent


def test_a_picture_goes_along_with_its_result(planner: ProviderPlanner, model_server: Any) -> None:
    model_server.brain = lambda asked: model_server.Reply(calls=[("look", {})])
    first = decide(planner, turn())[-1]
    png = BinaryContent(b"\x89PNG\r\n\x1a\n" + b"0" * 20, "image/png")
    shown = Message("tool", "a chart", call_id=first.calls[0].id, name="look", status="ok", media=(png,))
    decide(
        planner,
        turn(Message("user", "How many?"), Message("assistant", "", calls=first.calls, parts=first.parts), shown),
    )
    assert "iVBORw0KGgo" in json.dumps(model_server.requests[-1].body)  # base64 of the PNG's first bytes


def test_thinking_signatures_go_back_unchanged(model_server: Any) -> None:
    for provider, model, options in (
        ("anthropic", "claude-sonnet-4-6", {"effort": "high", "max_tokens": 20_000}),
        ("openai", "gpt-5.2", {"api": "responses", "effort": "high"}),
        ("google", "gemini-3-pro-preview", {"effort": "high"}),
        ("bedrock", "eu.anthropic.claude-sonnet-4-6-v1", {"effort": "high", "max_tokens": 20_000}),
    ):
        planner = ProviderPlanner(ProviderModel(parse(model_server.choice(provider, model, **options)), Gate()))
        model_server.brain = lambda asked: model_server.Reply(thought="Hm.", calls=[("look", {})])
        first = decide(planner, turn())[-1]
        assert json.loads(json.dumps(first.parts)) == first.parts
        decide(planner, turn(*after(first, ("ok", "1"))))
        assert "c2lnbmF0dXJlLW9mLXRoZS10aG91Z2h0" in json.dumps(model_server.requests[-1].body), provider


@pytest.mark.parametrize(
    ("provider", "options", "expected"),
    [
        ("anthropic", {"tier": "default"}, {"service_tier": "standard_only"}),
        ("openai", {"tier": "flex", "max_tokens": 77}, {"service_tier": "flex", "max_completion_tokens": 77}),
        ("openai", {"api": "responses"}, {"store": False}),
        ("anthropic", {"model": "claude-sonnet-4-6", "effort": "low", "max_tokens": 9000}, {"max_tokens": 9000}),
        ("openai", {"model": "gpt-5.2", "effort": "low"}, {"reasoning_effort": "low"}),
        ("openai", {"model": "gpt-5.2", "effort": "low", "api": "responses"}, {"reasoning": {"effort": "low"}}),
        ("google", {"tier": "flex"}, {"serviceTier": "flex"}),
        (
            "google",
            {"model": "gemini-3-pro-preview", "effort": "low", "max_tokens": 77},
            {
                "generationConfig": {
                    "maxOutputTokens": 77,
                    "responseModalities": ["TEXT"],
                    "thinkingConfig": {"include_thoughts": True, "thinking_level": "LOW"},
                }
            },
        ),
        (
            "bedrock",
            {"tier": "flex", "max_tokens": 77},
            {"serviceTier": {"type": "flex"}, "inferenceConfig": {"maxTokens": 77}},
        ),
    ],
)
def test_settings_reach_the_wire(
    model_server: Any, provider: str, options: dict[str, Any], expected: dict[str, Any]
) -> None:
    planner = ProviderPlanner(ProviderModel(parse(model_server.choice(provider, **options)), Gate()))
    decide(planner, turn())
    body = model_server.requests[-1].body
    assert {k: body.get(k) for k in expected} == expected


def after(decision: Decision, *results: tuple[str, str]) -> tuple[Message, ...]:
    said = [
        Message("user", "How many?"),
        Message("assistant", decision.thought, calls=decision.calls, parts=decision.parts),
    ]
    for call, (status, text) in zip(decision.calls, results, strict=True):
        said.append(Message("tool", text, call_id=call.id, name=call.name, status=status))
    return tuple(said)
