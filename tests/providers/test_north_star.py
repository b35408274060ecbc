"""The north-star question by a model's tool calls on the bank, under the policy that lets only the schema out."""

from __future__ import annotations

from typing import Any

import pytest

import lexsi_nb as lx
from bench import prompt_size
from lexsi_nb.__main__ import QUESTION
from lexsi_nb.app.run import RunStopped
from tests import north_star_brain

TOOLS = [
    "inspect_data", "query_kg", "text_to_sql", "run_sql", "run_sql", "run_sql", "train_tabular_model", "predict",
    "explain_prediction", "summarize_result",
]  # fmt: skip


@pytest.fixture
def brain() -> Any:
    return north_star_brain.brain


def test_the_north_star_by_tool_calls_in_three_requests(model_server: Any, brain: Any, bank: Any) -> None:
    model_server.brain = brain(model_server.Reply)
    namespace: dict[str, Any] = {}
    session = lx.Session(bank, planner=model_server.choice("anthropic"), namespace=namespace, replay="off")
    run = session.ask(QUESTION)
    assert run.status == "answered", run.answer
    assert [s.tool for s in run.steps] == TOOLS
    assert {s.status for s in run.steps} == {"ok"}
    assert len(namespace["predict_df"]) == 403
    assert len(namespace["context_df"]) == 234
    assert run.frame.equals(namespace["predictions"].head(10))
    # The summary, which the model could not see.
    assert "The 10 highest of 403 loans running in order score " in run.answer
    assert run.usage.requests == len(run.sent) == 3
    assert run.planner == "anthropic:test-model"
    for sent in session.sent.entries:  # what was sent has no score and no case
        for case in run.frame["loan_id"]:
            assert f"{case}," not in sent.body
    tokens = prompt_size.counter()
    sizes = [tokens(sent.body) for sent in run.sent]
    assert sizes[0] <= 3_000
    assert sum(sizes) <= 15_000
    session.close()


def test_the_first_request_of_a_model_without_tool_calls_is_small_too(model_server: Any, bank: Any) -> None:
    model_server.brain = lambda asked: model_server.Reply('{"thought": "", "final_answer": "Not now."}')
    session = lx.Session(bank, planner=model_server.choice("openai", json=True), namespace={}, replay="off")
    run = session.ask(QUESTION)
    assert run.answer == "Not now."
    assert prompt_size.counter()(prompt_size.compact(run.sent[0].body)) <= prompt_size.FIRST_AT_MOST
    session.close()


@pytest.mark.parametrize(("policy", "fault"), [("schema", "401"), ("rows", "500")])
def test_a_run_that_fails_after_it_predicted_has_the_summary_of_the_prediction(
    model_server: Any, brain: Any, bank: Any, policy: str, fault: str
) -> None:
    decide = brain(model_server.Reply)

    def without_summary(asked: Any) -> Any:
        reply = decide(asked)
        reply.calls = [c for c in reply.calls if c[0] not in ("summarize_result", "explain_prediction")]
        return reply

    model_server.brain = without_summary
    model_server.faults = ["", "", *[fault] * 9]
    session = lx.Session(bank, planner=model_server.choice("anthropic"), namespace={}, replay="off", policy=policy)
    run = session.ask(QUESTION)
    line, _, summary = run.answer.partition("\n\n")
    assert run.status == "failed"
    assert line.startswith("anthropic:test-model ")
    assert "The 10 highest of 403 loans running in order score " in summary
    assert [s.tool for s in run.steps][-2:] == ["predict", "summarize_result"]
    assert run.steps[-1].status == "ok"
    with pytest.raises(RunStopped) as stopped:
        run.raise_if_stopped()
    assert "\n" not in str(stopped.value)
    assert "Kept:" in str(stopped.value)
    assert "predictions" in str(stopped.value)
    assert not any("summar" in r.system[:40].lower() for r in model_server.requests)  # no model was asked for it
    model_server.faults.clear()
    model_server.brain = lambda asked: model_server.Reply("Fine.")
    assert session.ask("And now?").ok
    session.close()


@pytest.mark.parametrize(
    ("provider", "options"),
    [("openai", {}), ("openai", {"api": "responses"}), ("ollama", {}), ("google", {}), ("bedrock", {})],
)
@pytest.mark.slow
def test_the_north_star_through_every_api_one_call_a_turn(
    model_server: Any, brain: Any, bank: Any, provider: str, options: dict[str, Any]
) -> None:
    model_server.brain = brain(model_server.Reply, batched=False)
    session = lx.Session(bank, planner=model_server.choice(provider, **options), namespace={}, replay="off")
    run = session.ask(QUESTION)
    assert run.status == "answered", run.answer
    assert [s.tool for s in run.steps] == TOOLS
    assert prompt_size.counter()(prompt_size.compact(run.sent[0].body)) <= prompt_size.FIRST_AT_MOST
    session.close()
