"""Idempotency in a session: what acts outside the kernel acts once for one question, arguments and data."""

from __future__ import annotations

from lexsi_nb.planners.scripted import call, calls, say

SMALL = call("refund", customer="C-1", amount=20.0)


def steps(run) -> list[str]:
    return [s.status for s in run.steps]


def test_a_lost_reply_and_a_retry_act_once(session_of, shop):
    shop.lost = 1
    run = session_of([SMALL, SMALL, say("unsure")]).ask("refund")
    assert shop.ledger == [("C-1", 20.0)]
    assert steps(run) == ["failed", "rejected"]
    assert "may or may not have acted" in run.steps[0].summary
    assert "tell the user to check" in run.steps[1].summary


def test_a_lost_reply_in_one_kernel_and_a_retry_in_the_next_act_once(session_of, shop):
    shop.lost = 1
    session_of([SMALL, say("unsure")]).ask("refund")
    assert steps(session_of([SMALL, say("unsure")]).ask("refund")) == ["rejected"]
    assert shop.ledger == [("C-1", 20.0)]


def test_the_same_call_twice_acts_once_and_gives_the_first_result(session_of, shop):
    run = session_of([SMALL, SMALL, say("done")]).ask("refund")
    assert steps(run) == ["ok", "duplicate"]
    assert run.steps[1].summary == "refunded 20.00 to C-1"
    assert len(shop.ledger) == 1


def test_both_in_one_turn_act_once(session_of, shop):
    run = session_of([calls(SMALL, SMALL), say("done")]).ask("refund")
    assert steps(run) == ["ok", "duplicate"]
    assert len(shop.ledger) == 1


def test_the_same_question_in_another_kernel_gets_the_first_result_and_is_told(session_of, shop):
    session_of([SMALL, say("done")]).ask("refund")
    run = session_of([SMALL, say("done")]).ask("refund")
    assert steps(run) == ["duplicate"]
    assert run.steps[0].summary == "refunded 20.00 to C-1"
    assert "refund was not done again: it was done on 2" in run.facts["warnings"][0]
    assert len(shop.ledger) == 1


def test_another_question_other_arguments_other_data_and_again_act(session_of, shop, orders):
    session = session_of([SMALL, say("x"), SMALL, say("x"), SMALL, say("x")])
    session.ask("refund")
    session.ask("refund once more")
    session.ask("refund", again=True)
    assert len(shop.ledger) == 3
    upload = call("upload", frame="orders")
    session = session_of([upload, say("x"), upload, say("x"), upload, say("x")])
    session.ask("upload", approve=("upload",))
    session.ask("upload", approve=("upload",))
    assert shop.sent == [3]
    orders.loc[3] = ["W", 1.0]
    session.ask("upload", approve=("upload",))
    assert shop.sent == [3, 4]


def test_an_approved_call_that_is_finished_is_never_asked_about_again(session_of, shop):
    big = call("refund", customer="C-1", amount=900.0)
    session_of([big, say("x")]).ask("refund").resume(approve=True)
    run = session_of([big, say("x")]).ask("refund")
    assert steps(run) == ["duplicate"]
    assert len(shop.ledger) == 1


def test_a_tool_that_refuses_on_purpose_may_be_tried_again(session_of, shop):
    import lexsi_nb as lx
    from lexsi_nb.errors import BadData

    tries: list[int] = []

    @lx.tool(side_effect="write", reveals="schema")
    def book() -> str:
        """Book a room."""
        tries.append(1)
        if len(tries) == 1:
            raise BadData("The room is taken.", "", "Try again.")
        return "booked"

    session = session_of([call("book"), call("book"), say("x")])
    session.add_tool(book)
    assert steps(session.ask("book")) == ["failed", "ok"]


def test_reading_tools_keep_no_keys(session_of, state_folder):
    session_of([call("look", customer="C-1"), call("look", customer="C-1"), say("x")]).ask("look")
    assert not state_folder.exists()
