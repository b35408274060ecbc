"""The conversation after a replay holds no more than the model could read when it was recorded."""

from __future__ import annotations

from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import call, say


def test_a_model_asked_after_a_replay_reads_no_rows(folder, remote, loans):
    loans["name"] = ["Quillfeather", "Ostrander", "Vandermeer", "Blythewood"]
    lines = [call("run_sql", sql="SELECT name, amount FROM loans", label="all_loans"), say("They are in all_loans.")]
    remote(lines, {"loans": loans.copy()}).ask("list them")
    session: Session = remote([say("As above.")], {"loans": loans.copy()})
    assert session.ask("list them").replayed
    assert not session.ask("and now?").replayed
    turn = session.planner().turns[-1]
    assert [m.role for m in turn.messages] == ["user", "assistant", "tool", "assistant", "user"]
    assert "Quillfeather" not in str([m.text for m in turn.messages])


def test_an_answer_put_in_words_anew_stays_out_of_what_a_model_reads(folder, remote, loans):
    lines = [call("run_sql", sql="SELECT amount FROM loans WHERE loan_id = 1", label="one"), say("It is 10.")]
    remote(lines, {"loans": loans.copy()}).ask("how much?")
    loans.loc[0, "amount"] = 777_123.0
    session: Session = remote([say("As above.")], {"loans": loans})
    run = session.ask("how much?")
    assert "777,123" in run.answer
    session.ask("and now?")
    assert "777" not in str([m.text for m in session.planner().turns[-1].messages])
