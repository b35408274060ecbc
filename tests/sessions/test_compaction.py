"""A conversation that grows too long is shortened oldest first; calls keep their results, the question stays whole."""

from __future__ import annotations

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.agent.compaction import LEFT_OUT, NOTE, Room, shorten
from lexsi_nb.agent.loop import Loop
from lexsi_nb.agent.planner import Message, ToolCall, UsageReport
from lexsi_nb.agent.tokens import Measure, estimate, size
from lexsi_nb.agent.usage import window
from lexsi_nb.artifacts.media import BinaryContent
from lexsi_nb.errors import BadData
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say

LONG = "x" * 4_000  # about 1,000 tokens


def turn(n: int, calls: int = 2, text: str = LONG) -> list[Message]:
    out = [Message("user", f"question {n}")]
    for i in range(calls):
        id = f"{n}-{i}"
        out.append(Message("assistant", "", calls=(ToolCall("run_sql", {"sql": id}, id),), parts={"signature": id}))
        out.append(Message("tool", text, call_id=id, name="run_sql", status="ok"))
    return [*out, Message("assistant", f"answer {n}", parts={"signature": n})]


def pairs_are_whole(messages: tuple[Message, ...]) -> bool:
    asked = [c.id for m in messages for c in m.calls]
    return asked == [m.call_id for m in messages if m.role == "tool"]


def test_oldest_results_go_first_and_nothing_more_than_needed():
    made = shorten([*turn(1), *turn(2), *turn(3)], target=4_400)
    texts = {m.call_id: m.text for m in made.messages if m.role == "tool"}
    assert [texts[i] for i in ("1-0", "1-1")] == [LEFT_OUT, LEFT_OUT]
    assert all(texts[i] == LONG for i in ("2-0", "2-1", "3-0", "3-1"))
    assert (made.results, made.questions) == (2, 0)
    assert sum(map(size, made.messages)) <= 4_400


@pytest.mark.parametrize("target", [1, 40, 60, 500, 2_100, 3_000, 5_000])
def test_pairs_stay_whole_and_the_latest_question_too_however_little_room_there_is(target):
    made = shorten([*turn(1), *turn(2), *turn(3, calls=3)[:-1]], target=target)
    assert pairs_are_whole(made.messages)
    assert "question 3" in [m.text for m in made.messages if m.role == "user"]
    assert made.messages[-1].text == LONG  # the result that the next decision is about
    assert made.messages[0].text.startswith(NOTE)


def test_only_messages_that_stay_as_they_were_keep_the_providers_own_parts():
    before = [*turn(1), *turn(2)]
    made = shorten(before, target=2_100)
    assert all(m in before for m in made.messages if m.parts is not None)
    assert [m.parts for m in made.messages if m.text == LEFT_OUT] == [None, None]


def test_questions_that_were_left_out_are_named_also_after_a_second_time():
    once = shorten([*turn(1), *turn(2)], target=1)
    twice = shorten([*once.messages, *turn(3)], target=1)
    assert twice.messages[0].text == f"{NOTE}\nAsked before:\n- question 1\n- question 2"
    assert sum(m.text.startswith(NOTE) for m in twice.messages) == 1


def test_the_same_conversation_is_shortened_the_same_way_and_one_that_fits_is_not():
    before = [*turn(1), *turn(2)]
    assert shorten(before, target=900) == shorten(list(before), target=900)
    assert shorten(before, target=90_000).messages == tuple(before)


def test_a_picture_counts_as_a_picture_whatever_its_bytes():
    picture = Message("tool", "", media=(BinaryContent(b"0" * 3_000_000, "image/png"),))
    assert size(picture) == 1_500


def test_a_limit_without_room_is_refused():
    with pytest.raises(BadData, match="at least 4 tokens"):
        Room.of(3)


class Elsewhere(ScriptedPlanner):
    local = False


def test_inside_one_long_question_older_results_go_and_events_say_so():
    planner = Elsewhere([*[call("inspect_data", table_filter=["wide"]) for _ in range(9)], say("done")])
    wide = pd.DataFrame({f"a_column_with_a_long_name_{i}": [i] for i in range(60)})
    session = lx.Session({"wide": wide}, planner=planner, namespace={}, replay="off", context_tokens=4_500)
    events = []
    run = session.ask("Look again and again.", on_event=events.append)
    assert run.answer == "done"
    kinds = [e.kind for e in events]
    assert kinds.count("compaction_started") == kinds.count("compaction_finished") >= 1
    finished = next(e for e in events if e.kind == "compaction_finished")
    assert finished.results >= 1
    last = planner.turns[-1].messages
    assert pairs_are_whole(last)
    assert any(m.text == LEFT_OUT for m in last)
    assert "Look again and again." in [m.text for m in last]
    assert sum(m.text == LEFT_OUT for m in run.messages) == 0  # the trajectory keeps what was read


def test_a_planner_on_this_machine_is_never_shortened():
    planner = ScriptedPlanner([*[call("inspect_data") for _ in range(6)], say("done")])
    session = lx.Session({"t": pd.DataFrame({"x": [1]})}, planner=planner, namespace={}, replay="off", context_tokens=8)
    assert session.ask("q").ok
    assert not any(m.text == LEFT_OUT for m in planner.turns[-1].messages)


def test_the_window_of_a_known_model_is_kept_in_the_same_proportion():
    assert window("openai:gpt-4o") == window("lexsi:openai/gpt-4o") == 128_000
    assert window("anthropic:claude-sonnet-4-6") == 1_000_000
    assert [window(name) for name in ("openai:nobody-knows", "grounded", "mine")] == [None] * 3
    assert Room.of(240_000).within(128_000) == Room(96_000, 24_000)
    assert Room.of(100_000).within(8_000) == Room(6_000, 1_500)
    assert Room.of(100_000).within(1_000_000) == Room.of(100_000).within(None) == Room.of(100_000)


def test_a_run_has_the_room_of_its_model(monkeypatch):
    rooms = []
    for name in ("openai:gpt-4o", "openai:nobody-knows"):
        planner = Elsewhere([say("done")])
        planner.name = name
        session = lx.Session(
            {"t": pd.DataFrame({"x": [1]})}, planner=planner, namespace={}, replay="off", context_tokens=240_000
        )
        monkeypatch.setattr(Loop, "_shorten", lambda self, *_: rooms.append(self.room) or False)
        assert session.ask("q").ok
    assert rooms == [Room(96_000, 24_000), Room(240_000, 60_000)]


class Counting(Elsewhere):
    """Its provider counts four times what the estimate says, as of a text in Chinese."""

    async def decide(self, turn):
        yield UsageReport(1, estimate(turn) * 4, 10, model=self.name)
        async for item in super().decide(turn):
            yield item


def test_what_the_provider_counted_decides_when_the_conversation_is_shortened():
    wide = pd.DataFrame({f"a_column_with_a_long_name_{i}": [i] for i in range(60)})
    started = {}
    for kind in (Elsewhere, Counting):
        planner = kind([*[call("inspect_data", table_filter=["wide"]) for _ in range(6)], say("done")])
        session = lx.Session({"wide": wide}, planner=planner, namespace={}, replay="off", context_tokens=14_000)
        events = []
        assert session.ask("Look again and again.", on_event=events.append).answer == "done"
        started[kind] = [e.tokens for e in events if e.kind == "compaction_started"]
        assert pairs_are_whole(planner.turns[-1].messages)
    assert started[Elsewhere] == []
    assert started[Counting]
    assert min(started[Counting]) > 14_000


def test_a_provider_that_counts_less_changes_nothing():
    measure = Measure()
    measure.learn(1_000, 10)
    assert measure.of(500) == 500
    measure.learn(1_000, 2_500)
    assert measure.of(500) == 1_250
    measure.learn(0, 5)
    measure.learn(10, 10_000)
    assert measure.times == 8.0


def test_what_happened_just_before_the_latest_question_stays_however_little_room_there_is():
    changed = Message("system", "The user changed loans: it is 3 rows x 2 columns.")
    made = shorten([*turn(1), changed, *turn(2), changed, *turn(3)], target=1)
    assert [m.role for m in made.messages if m.role in ("system", "user")] == ["system", "system", "user"]
    assert made.messages[1] == changed
    assert made.messages[0].text == f"{NOTE}\nAsked before:\n- question 1\n- question 2"
