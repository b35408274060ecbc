"""A run that needs a person stops, is kept, and goes on where it stopped: once, with what was shown."""

from __future__ import annotations

import threading

import pytest

from lexsi_nb.errors import BadData, RunFailed
from lexsi_nb.planners.scripted import call, calls, say
from lexsi_nb.store.parked import AlreadySettled, UnknownApproval

REFUND = call("refund", customer="C-1", amount=900.0)


def statuses(run) -> list[tuple[str, str]]:
    return [(s.tool, s.status) for s in run.steps]


def test_a_call_that_needs_a_person_parks_the_run_and_acts_after_the_yes(session_of, shop):
    session = session_of([call("look", customer="C-1"), REFUND, say("Refunded.")])
    run = session.ask("refund C-1 900")
    assert run.status == "awaiting_approval"
    assert shop.ledger == []
    assert run.approval.tool == "refund"
    assert run.approval.args == {"customer": "C-1", "amount": 900.0}
    assert session.history.open_calls() == []
    again = run.resume(approve=True)
    assert again is run
    assert (run.status, run.answer) == ("answered", "Refunded.")
    assert shop.ledger == [("C-1", 900.0)]
    assert statuses(run) == [("look", "ok"), ("refund", "ok")]
    assert [s.number for s in run.steps] == [1, 2]
    assert session.runs == [run]


def test_what_the_planner_reads_after_the_yes_is_the_conversation_with_the_result(session_of):
    session = session_of([call("look", customer="C-1"), REFUND, say("Refunded.")])
    session.ask("refund").resume(approve=True)
    turn = session.planner().turns[-1]
    assert [(m.role, m.name, m.status) for m in turn.messages] == [
        ("user", "", ""), ("assistant", "", ""), ("tool", "look", "ok"), ("assistant", "", ""),
        ("tool", "refund", "ok"),
    ]  # fmt: skip
    assert session.history.messages[-2].text == "refunded 900.00 to C-1"
    assert not any("waits" in m.text for m in session.history.messages)


def test_a_no_tells_the_planner_not_to_retry_and_the_same_call_is_not_asked_again(session_of, shop):
    session = session_of([REFUND, REFUND, say("It was declined.")])
    run = session.ask("refund").resume(decline="too much")
    assert run.status == "answered"
    assert statuses(run) == [("refund", "declined"), ("refund", "declined")]
    assert "too much" in run.steps[0].summary
    assert "Do not retry; tell the user" in run.steps[0].summary
    assert shop.ledger == []


def test_a_planner_that_repeats_a_declined_call_for_ever_is_stopped(session_of, shop):
    session = session_of([REFUND] * 20)
    run = session.ask("refund").resume(decline="no")
    assert run.status == "failed"
    assert "6 turns in a row failed" in run.answer
    assert shop.ledger == []


def test_changed_arguments_park_again_under_another_id(session_of, shop):
    session = session_of([REFUND, say("done")])
    run = session.ask("refund")
    first = run.approval.id
    run.resume(args={"customer": "C-1", "amount": 700.0})
    assert (run.status, run.approval.args["amount"]) == ("awaiting_approval", 700.0)
    assert run.approval.id != first
    with pytest.raises(AlreadySettled, match="edited"):
        session.resume(first, approve=True)
    assert shop.ledger == []
    run.resume(approve=True)
    assert shop.ledger == [("C-1", 700.0)]
    call_read = [m for m in session.history.messages if m.calls][-1].calls[0]
    assert call_read.args["amount"] == 700.0


def test_arguments_and_a_yes_together_run_what_the_person_wrote(session_of, shop):
    run = (
        session_of([REFUND, say("done")]).ask("refund").resume(approve=True, args={"customer": "C-2", "amount": 600.0})
    )
    assert run.status == "answered"
    assert shop.ledger == [("C-2", 600.0)]


def test_arguments_that_do_not_fit_are_said_to_the_person_and_the_run_waits_on(session_of, shop):
    run = session_of([REFUND, say("done")]).ask("refund")
    with pytest.raises(BadData, match="amuont"):
        run.resume(approve=True, args={"customer": "C-1", "amuont": 1})
    run.resume(approve=True)
    assert shop.ledger == [("C-1", 900.0)]


@pytest.mark.parametrize("said", [{}, {"approve": True, "decline": "no"}, {"args": {}, "decline": "no"}])
def test_an_answer_says_one_thing(session_of, said):
    run = session_of([REFUND]).ask("refund")
    with pytest.raises(BadData):
        run.resume(**said)
    assert run.status == "awaiting_approval"


def test_two_answers_act_once(session_of, shop):
    session = session_of([REFUND, say("done")])
    run = session.ask("refund")
    id = run.approval.id
    errors: list[Exception] = []

    def click() -> None:
        try:
            session.resume(id, approve=True)
        except (AlreadySettled, RunFailed) as error:
            errors.append(error)

    threads = [threading.Thread(target=click) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(errors) == 3
    assert shop.ledger == [("C-1", 900.0)]
    assert run.status == "answered"
    with pytest.raises(RunFailed, match="not waiting"):
        run.resume(approve=True)


def test_a_yes_while_another_question_runs_queues_behind_it(session_of, shop):
    order: list[str] = []
    going, go_on = threading.Event(), threading.Event()

    def slow(turn):
        going.set()
        assert go_on.wait(20)
        order.append("question")
        return say("later")

    session = session_of([REFUND, slow, say("refunded")])
    run = session.ask("refund")
    asking = threading.Thread(target=lambda: session.ask("something else"))
    asking.start()
    assert going.wait(20)
    clicking = threading.Thread(target=lambda: order.append(run.resume(approve=True).answer))
    clicking.start()
    assert shop.ledger == []
    go_on.set()
    asking.join(20)
    clicking.join(20)
    assert order == ["question", "refunded"]
    assert shop.ledger == [("C-1", 900.0)]


def test_a_question_asked_meanwhile_keeps_the_conversation_whole(session_of, shop):
    session = session_of([REFUND, say("forty-two"), say("refunded")])
    run = session.ask("refund")
    session.ask("what is 6 times 7?")
    run.resume(approve=True)
    assert shop.ledger == [("C-1", 900.0)]
    assert session.history.open_calls() == []
    texts = [m.text for m in session.history.messages]
    assert texts.index("forty-two") < texts.index("refunded")
    assert any("went on and is answered" in t for t in texts)
    # The planner of the resumed run never saw the question in between.
    assert not any("6 times 7" in m.text for m in session.planner().turns[-1].messages)


def test_finished_calls_of_the_turn_are_neither_made_nor_asked_about_again(session_of, shop):
    turn = calls(
        call("look", customer="C-1"), REFUND, call("refund", customer="C-2", amount=800.0), call("look", customer="C-3")
    )
    session = session_of([turn, say("done")])
    run = session.ask("refund both")
    assert statuses(run) == [("look", "ok"), ("refund", "awaiting_approval")]
    run.resume(approve=True)
    assert run.status == "awaiting_approval"
    assert run.approval.args["customer"] == "C-2"
    assert shop.ledger == [("C-1", 900.0)]
    run.resume(approve=True)
    assert run.status == "answered"
    assert shop.ledger == [("C-1", 900.0), ("C-2", 800.0)]
    assert statuses(run) == [("look", "ok"), ("refund", "ok"), ("refund", "ok"), ("look", "ok")]
    assert [s.number for s in run.steps] == [1, 2, 3, 4]


def test_an_approval_holds_for_the_data_that_were_shown(session_of, shop, orders):
    session = session_of([call("upload", frame="orders"), say("done")])
    run = session.ask("upload")
    shown = dict(run.approval.effect)
    assert shown["frame orders"] == "3 rows: region, amount"
    assert shown["goes to"] == "crm.example.com"
    assert shown["cost"] == "2.00 EUR"
    first = run.approval.id
    orders.loc[3] = ["W", 4.0]
    run.resume(approve=True)
    assert run.status == "awaiting_approval"
    assert run.approval.id != first
    assert shop.sent == []
    assert dict(run.approval.effect)["frame orders"] == "4 rows: region, amount"
    run.resume(approve=True)
    assert shop.sent == [4]


def test_an_unknown_id_lists_what_waits(session_of):
    session = session_of([REFUND])
    run = session.ask("refund")
    with pytest.raises(UnknownApproval, match=run.approval.id):
        session.resume("nothing", approve=True)


def test_discarding_forgets_the_run(session_of, shop):
    session = session_of([REFUND])
    run = session.ask("refund")
    assert session.desk.discard(run.approval.id).tool == "refund"
    with pytest.raises(AlreadySettled, match="discarded"):
        run.resume(approve=True)
    assert session.desk.waiting() == []
    assert shop.ledger == []


def test_what_the_run_had_made_is_there_when_it_goes_on(session_of, shop):
    session = session_of([
        call("run_sql", sql="SELECT * FROM orders WHERE region = 'S'", label="south"),
        call("upload", frame="south"),
        call("run_sql", sql="SELECT count(*) AS n FROM south", label="n"),
        say("Uploaded 2."),
    ])  # fmt: skip
    run = session.ask("upload the south")
    assert session.namespace["south"].shape == (2, 2)
    run.resume(approve=True)
    assert (run.status, shop.sent) == ("answered", [2])
    assert [v.name for v in run.variables] == ["south", "n"]
    assert run.frame.iloc[0, 0] == 2


def test_a_resumed_run_still_has_no_more_than_its_steps(session_of, shop):
    session = session_of([REFUND, call("look", customer="C-1"), call("look", customer="C-2")], max_steps=2)
    run = session.ask("refund").resume(approve=True)
    assert (run.status, run.answer) == ("answered", "No answer within the allowed steps.")
    assert statuses(run) == [("refund", "ok"), ("look", "ok")]


def test_a_yes_on_the_thread_that_runs_a_question_is_refused_instead_of_waiting_for_ever(session_of):
    session = session_of([])
    parked = session_of([REFUND]).ask("refund")

    import lexsi_nb as lx

    @lx.tool
    def sneak() -> str:
        """Approve from inside."""
        session.resume(parked.approval.id, approve=True)
        return "done"

    session.add_tool(sneak)
    session.planner().lines.extend([call("sneak"), say("x")])
    run = session.ask("q")
    assert run.steps[0].status == "failed"
    assert "very thread" in run.steps[0].summary


def test_a_removed_tool_is_said_and_the_run_waits_on(session_of, shop):
    session = session_of([REFUND, say("done")])
    run = session.ask("refund")
    session.remove_tool("refund")
    with pytest.raises(RunFailed, match="refund is not among the tools"):
        run.resume(approve=True)
    session.add_tool(shop.refund)
    run.resume(approve=True)
    assert shop.ledger == [("C-1", 900.0)]


def test_the_same_question_in_two_notebooks_waits_under_two_ids(session_of, shop):
    big = call("refund", customer="C-1", amount=900.0)
    one, two = session_of([big, say("one")]), session_of([big, say("two")])
    first, second = one.ask("refund"), two.ask("refund")
    assert first.approval.id != second.approval.id
    assert {a.id for a, _, _ in one.desk.waiting()} == {first.approval.id, second.approval.id}
    second.resume(decline="not here")
    assert first.status == "awaiting_approval"
    first.resume(approve=True)
    assert (first.status, first.answer, second.answer) == ("answered", "one", "two")
    assert shop.ledger == [("C-1", 900.0)]


def test_an_old_answer_does_not_act_on_a_new_wait(session_of, shop):
    big = call("refund", customer="C-1", amount=900.0)
    session = session_of([big, say("x"), big, say("x")])
    first = session.ask("refund")
    old = first.approval.id
    first.resume(approve=True)
    second = session.ask("refund", again=True)
    assert second.status == "awaiting_approval"
    with pytest.raises(AlreadySettled):
        session.resume(old, approve=True)
    assert len(shop.ledger) == 1


def test_asking_again_in_one_notebook_waits_once(session_of, shop):
    big = call("refund", customer="C-1", amount=900.0)
    session = session_of([big, big, say("x")])
    assert session.ask("refund").approval.id == session.ask("refund").approval.id
    assert len(session.desk.waiting()) == 1


# -- the latest word of a person decides


def test_a_changed_call_is_shown_also_where_its_tool_would_not_ask_for_it(session_of, shop):
    session = session_of([REFUND, say("done")])
    run = session.ask("refund")
    run.resume(args={"customer": "C-1", "amount": 100.0})  # below what the tool asks about
    assert (run.status, run.approval.args["amount"]) == ("awaiting_approval", 100.0)
    assert "changed by hand" in run.approval.why
    assert shop.ledger == []
    run.resume(approve=True)
    assert shop.ledger == [("C-1", 100.0)]


def test_a_changed_call_can_still_be_declined(session_of, shop):
    session = session_of([REFUND, say("done")])
    run = session.ask("refund")
    run.resume(args={"customer": "C-1", "amount": 100.0})
    run.resume(decline="not even that")
    assert statuses(run) == [("refund", "declined")]
    assert shop.ledger == []


def test_a_declined_call_does_not_run_where_its_tool_asks_no_more(session_of, shop, orders):
    import lexsi_nb as lx

    @lx.tool(side_effect="write", reveals="schema", needs_approval=lambda args, ctx: len(ctx.frame("orders")) > 2)
    def pay(n: int) -> str:
        """Pay. Use it to pay; not to refund.

        Args:
            n: How much.
        """
        shop.sent.append(n)
        return "paid"

    session = session_of([call("pay", n=5), call("pay", n=5), say("done")])
    session.add_tool(pay)
    run = session.ask("pay")
    session.namespace["orders"] = orders.head(1)
    run.resume(decline="no")
    assert statuses(run) == [("pay", "declined"), ("pay", "declined")]
    assert shop.sent == []


def test_what_was_declined_can_be_agreed_to_later(session_of, shop):
    session = session_of([REFUND, call("refund", customer="C-2", amount=900.0), say("done")])
    run = session.ask("refund").resume(decline="wrong customer")
    run.resume(args={"customer": "C-1", "amount": 900.0})
    assert run.approval.args["customer"] == "C-1"
    run.resume(approve=True)
    assert shop.ledger == [("C-1", 900.0)]


def test_the_log_tells_a_yes_to_what_was_shown_from_one_to_what_the_person_wrote(session_of):
    session = session_of([REFUND, REFUND, say("done")])
    run = session.ask("refund")
    run.resume(approve=True, args={"customer": "C-2", "amount": 600.0})
    run.resume(approve=True)
    entries = [(e["event"], bool(e.get("digest"))) for e in session.desk.audit.entries() if e["event"] != "ran"]
    assert entries == [("asked", True), ("edited and approved", False), ("asked", True), ("approved", True)]
    changed = next(e for e in session.desk.audit.entries() if e["event"] == "edited and approved")
    assert '"amount": 600' in changed["args"]


def test_a_call_with_a_picture_can_be_approved_and_declined(session_of, shop):
    import lexsi_nb as lx

    dot = (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0"
        b"IEND\xaeB`\x82"
    )

    @lx.tool(side_effect="irreversible")
    def post(picture: lx.BinaryContent) -> str:
        """Post a picture. Use it to publish; not to look at one.

        Args:
            picture: What to post.
        """
        shop.sent.append(len(picture.data))
        return "posted"

    for answer, status in (({"approve": True}, "ok"), ({"decline": "no"}, "declined")):
        session = session_of([call("post", picture="plot"), say("done")])
        session.namespace["plot"] = lx.BinaryContent(dot, "image/png")
        session.add_tool(post)
        run = session.ask(f"post it {status}")
        assert run.status == "awaiting_approval"
        run.resume(**answer)
        assert statuses(run) == [("post", status)]
    assert shop.sent == [len(dot)]
