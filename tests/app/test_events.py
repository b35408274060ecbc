"""Events over a wire: each goes to plain JSON and comes back as it was."""

from __future__ import annotations

import asyncio
import json

import pytest

import lexsi_nb as lx
from lexsi_nb.agent.events import KINDS, from_dict
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


def test_events_of_a_run_come_back_from_json_as_they_were():
    session = lx.Session(lx.datasets.bank(), planner=ScriptedPlanner([call("inspect_data"), say("done")]))

    async def streamed():
        return [event async for event in session.stream("what is there?")]

    events = asyncio.run(streamed())
    assert {"run_started", "tool_finished", "turn_finished"} <= {e.kind for e in events}
    for event in events:
        assert event.kind in KINDS
        assert from_dict(json.loads(json.dumps(event.to_dict()))) == event


def test_an_event_of_no_kind_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="unknown event kind 'over'; known: run_started, "):
        from_dict({"kind": "over"})
