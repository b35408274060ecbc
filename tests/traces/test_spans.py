"""Spans of a run by the GenAI conventions; what was said stays out unless it is asked for."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pandas as pd
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import lexsi_nb as lx
from lexsi_nb.agent.planner import UsageReport
from lexsi_nb.app import tracing
from lexsi_nb.app.session import Session
from lexsi_nb.errors import BadData
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

SQL = "SELECT count(*) AS n FROM loans"


class Remote(ScriptedPlanner):
    name = "maker:model-1"
    local = False

    async def decide(self, turn: Any) -> Any:
        """Report tokens with each decision."""
        yield UsageReport(1, 100, 10)
        async for item in super().decide(turn):
            yield item


@pytest.fixture(autouse=True)
def quiet():
    yield
    tracing.untrace()


def asked(lines, **options) -> Session:
    session = Session(planner=Remote(lines), namespace={"loans": pd.DataFrame({"a": [1]})}, replay="off", **options)
    session.ask("how many loans?")
    return session


def test_one_call_sends_the_spans_of_every_run():
    out = InMemorySpanExporter()
    lx.trace(out)
    asked([call("run_sql", sql=SQL, label="n"), say("one")])
    spans = out.get_finished_spans()
    assert [s.name for s in spans] == [
        "chat model-1", "execute_tool run_sql", "chat model-1", "invoke_agent lexsi-nb",
    ]  # fmt: skip
    chat, tool, _, root = spans
    assert {s.context.trace_id for s in spans} == {root.context.trace_id}
    assert all(s.parent.span_id == root.context.span_id for s in spans[:3])
    assert dict(chat.attributes)["gen_ai.usage.input_tokens"] == 100
    assert dict(root.attributes)["gen_ai.provider.name"] == "maker"
    assert dict(root.attributes)["lexsi.usage.input_tokens"] == 200
    assert dict(tool.attributes)["gen_ai.tool.name"] == "run_sql"
    assert dict(root.attributes)["lexsi.run.status"] == "answered"


def test_what_was_said_stays_out_unless_it_is_asked_for():
    out = InMemorySpanExporter()
    lx.trace(out)
    asked([call("run_sql", sql=SQL, label="n"), say("one")])
    said = str([dict(s.attributes) for s in out.get_finished_spans()])
    assert "how many loans" not in said
    assert "SELECT" not in said
    out.clear()
    lx.trace(out, content=True)
    asked([call("run_sql", sql=SQL, label="n"), say("one")])
    said = str([dict(s.attributes) for s in out.get_finished_spans()])
    assert "how many loans" in said
    assert "SELECT" in said


def test_failures_are_errors_by_their_status():
    out = InMemorySpanExporter()
    asked([call("run_sql", sql="SELECT x FROM loans", label="n"), call("nothing"), say("no")], tracer=out)
    failed = [s for s in out.get_finished_spans() if not s.status.is_ok and "error.type" in s.attributes]
    errors = {s.name: dict(s.attributes)["error.type"] for s in failed}
    assert errors == {"execute_tool run_sql": "failed", "execute_tool nothing": "unknown_tool"}


def test_a_session_has_a_tracer_of_its_own():
    everywhere, own = InMemorySpanExporter(), InMemorySpanExporter()
    lx.trace(everywhere)
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(own))
    asked([say("x")], tracer=provider.get_tracer("mine"))
    assert everywhere.get_finished_spans() == ()
    assert len(own.get_finished_spans()) == 2


def test_called_twice_spans_are_sent_once():
    out = InMemorySpanExporter()
    lx.trace(out)
    lx.trace(out)
    asked([say("x")])
    assert len(out.get_finished_spans()) == 2


def test_what_takes_no_spans_is_refused():
    with pytest.raises(BadData, match="This program has set no TracerProvider"):
        lx.trace()
    with pytest.raises(BadData, match="int takes no spans"):
        lx.trace(3)


def test_without_the_library_the_error_has_the_line_that_installs_it():
    code = "import sys; sys.modules['opentelemetry'] = None; import lexsi_nb as lx; lx.trace()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert '%pip install "lexsi-nb[otel]"' in done.stderr


def test_a_run_works_the_same_untraced():
    assert asked([say("x")]).runs[-1].answer == "x"
