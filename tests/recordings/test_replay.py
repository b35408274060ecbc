"""A finished run is recorded, and runs again without its model: the tools really run, and misfits stop by step."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.planners.replay import ReplayStopped
from lexsi_nb.planners.scripted import ScriptedPlanner, call, decline, say

QUESTION = "total of A"
LINES = [
    call("run_sql", sql="SELECT * FROM loans WHERE status = 'A'", label="good"),
    call("run_sql", sql="SELECT sum(amount) AS total FROM good", label="total"),
    say("Loans of status A add up to 40."),
]


def recorded(folder: Path) -> list[Path]:
    return sorted((folder / ".lexsi").glob("*"))


def test_a_run_is_recorded_and_replayed_without_its_model(folder, remote, replayed, loans):
    first = remote(LINES, {"loans": loans}).ask(QUESTION)
    assert first.recording == ".lexsi/total-of-a-91731a-1.yaml"
    assert [p.name for p in recorded(folder)] == ["total-of-a-91731a-1.yaml"]
    names = {"loans": loans.copy()}
    run = replayed(names).ask(QUESTION)
    assert (run.status, run.answer, run.replayed) == ("answered", first.answer, True)
    assert run.planner == "replay of remote:model"
    assert names["total"].iloc[0, 0] == 40.0
    assert run.usage.requests == 0
    assert [c.source for c in run.cells] == [c.source for c in first.cells]


def test_the_same_inputs_give_byte_equal_recordings(folder, remote, loans):
    for name in ("one", "two"):
        remote(LINES, {"loans": loans.copy()}).ask(QUESTION, recording=name)
    one, two = (p.read_bytes() for p in recorded(folder))
    assert one == two
    assert len(one) < 1500


def test_changed_rows_are_computed_anew_and_the_recorded_words_are_not_shown(folder, remote, replayed, loans):
    remote(LINES, {"loans": loans}).ask(QUESTION)
    loans.loc[0, "amount"] = 1000.0
    run = replayed({"loans": loans}).ask(QUESTION)
    assert run.status == "answered"
    assert run.frame.iloc[0, 0] == 1030.0
    assert "1,030" in run.answer
    assert "40" not in run.answer.replace("1,030", "")
    assert "put in words anew" in run.facts["replayed"][0]


def test_a_column_that_is_gone_stops_with_the_step_and_the_reason(folder, remote, replayed, loans):
    remote(LINES, {"loans": loans}).ask(QUESTION)
    names = {"loans": loans.rename(columns={"amount": "sum_lent"})}
    run = replayed(names).ask(QUESTION)
    assert run.status == "failed"
    assert "step 2: column `amount` is gone from `loans`; `--ask` to ask again" in run.answer
    assert len(names["good"]) == 2  # what the first step made is kept


def test_a_table_that_is_gone_stops_with_the_step(folder, remote, replayed, loans):
    remote(LINES, {"loans": loans, "other": loans}).ask(QUESTION)
    run = replayed({"other": loans}).ask(QUESTION)
    assert "step 1: table `loans` is gone; `--ask`" in run.answer


def test_a_column_of_another_type_is_named(folder, remote, replayed, loans):
    remote(LINES, {"loans": loans}).ask(QUESTION)
    loans["amount"] = ["a", "b", "c", "d"]
    run = replayed({"loans": loans}).ask(QUESTION)
    assert "step 2: column `amount` of `loans` was DOUBLE and is VARCHAR" in run.answer


def test_a_step_that_fails_now_says_what_happened(folder, remote, replayed, loans):
    remote([call("run_sql", sql="SELECT 1 / count(*) AS x FROM loans", label="x"), say("0.25")], {"loans": loans}).ask(
        "q"
    )
    session = replayed({"loans": loans}, scopes={"model:use"})
    run = session.ask("q")
    assert "step 1: run_sql was ok when recorded and is denied now" in run.answer


def test_a_step_that_failed_when_recorded_may_succeed_now(folder, remote, replayed, loans):
    lines = [
        call("run_sql", sql="SELECT nothing FROM loans", label="x"),
        call("run_sql", sql="SELECT count(*) AS n FROM loans", label="n"),
        say("4 loans"),
    ]
    remote(lines, {"loans": loans}).ask("q")
    assert replayed({"loans": loans}).ask("q").answer == "4 loans"
    loans["nothing"] = 1
    assert replayed({"loans": loans}).ask("q").status == "answered"


def test_other_data_are_not_replayed_over(folder, remote, replayed, loans, bank):
    remote(LINES, {"loans": loans}).ask(QUESTION, recording="q1")
    run = replayed({}, dataset=bank).ask(QUESTION, recording="q1")
    assert run.status == "failed"
    assert "these are other data" in run.answer


def test_an_edited_question_is_another_question_but_not_under_a_name(folder, remote, replayed, loans):
    remote(LINES, {"loans": loans}).ask(QUESTION, recording="q1")
    with pytest.raises(ReplayStopped, match="is of another question"):
        replayed({"loans": loans}).ask("total of B", recording="q1")
    session = remote([say("hello")], {"loans": loans})
    assert session.ask("total of B").answer == "hello"


def test_white_space_does_not_make_another_question(folder, remote, replayed, loans):
    remote(LINES, {"loans": loans}).ask(QUESTION)
    assert replayed({"loans": loans}).ask("total\n   of A").replayed


def test_the_same_question_asked_twice_has_two_recordings(folder, remote, replayed, loans):
    session = remote([say("first"), say("second")], {"loans": loans})
    session.ask("q")
    session.ask("q")
    again = replayed({"loans": loans})
    assert [again.ask("q").answer, again.ask("q").answer] == ["first", "second"]


def test_ask_asks_again_and_rewrites(folder, remote, replayed, loans):
    remote([say("old")], {"loans": loans}).ask("q")
    assert remote([say("new")], {"loans": loans}).ask("q", anew=True).answer == "new"
    assert len(recorded(folder)) == 1
    assert replayed({"loans": loans}).ask("q").answer == "new"


def test_replay_off_asks_and_leaves_the_recording_alone(folder, remote, replayed, loans):
    remote([say("old")], {"loans": loans}).ask("q")
    before = recorded(folder)[0].read_bytes()
    assert remote([say("new")], {"loans": loans}, replay="off").ask("q").answer == "new"
    assert recorded(folder)[0].read_bytes() == before


def test_replay_only_asks_nobody(folder, replayed, loans):
    with pytest.raises(ReplayStopped, match="There is no recording of this question"):
        replayed({"loans": loans}, replay="only").ask("q")
    with pytest.raises(ReplayStopped, match="There is no recording q1"):
        replayed({"loans": loans}).ask("q", recording="q1", replay="only")
    run = Session({"loans": loans}, namespace={}, replay="only").ask("How many loans are there?")
    assert run.status == "answered"  # the embedded planner is no model


def test_a_run_of_this_machine_is_recorded_only_under_a_name(folder, loans):
    session = Session({"loans": loans}, namespace={})
    session.ask("How many loans are there?")
    assert not (folder / ".lexsi").exists()
    first = session.ask("How many loans are there?", recording="count")
    assert [p.name for p in recorded(folder)] == ["count.yaml"]
    again = Session({"loans": loans}, namespace={}).ask("How many loans are there?", recording="count")
    assert again.replayed
    assert again.answer == first.answer


def test_a_declined_answer_is_replayed_while_the_data_are_the_same(folder, remote, replayed, loans):
    lines = [call("run_sql", sql="SELECT count(*) AS n FROM loans", label="n"), decline("There are too few loans.")]
    remote(lines, {"loans": loans}).ask("q")
    assert replayed({"loans": loans}).ask("q").status == "declined"
    run = replayed({"loans": pd.concat([loans] * 100)}).ask("q")
    assert run.status == "failed"
    assert "no longer those it declined about" in run.answer


def test_words_alone_over_changed_data_are_not_repeated(folder, remote, replayed, loans):
    remote([call("inspect_data"), say("There are 4 loans.")], {"loans": loans}).ask("q")
    assert replayed({"loans": loans}).ask("q").answer == "There are 4 loans."
    run = replayed({"loans": loans.head(3)}).ask("q")
    assert run.status == "failed"
    assert "4 loans" not in run.answer


def test_what_did_not_finish_is_not_recorded(folder, remote, loans):
    failing = ScriptedPlanner([])
    failing.local = False
    assert Session(planner=failing, namespace={"loans": loans}).ask("q").status == "failed"
    assert not (folder / ".lexsi").exists()


def test_a_folder_that_cannot_be_written_is_a_warning(folder, remote, loans):
    (folder / ".lexsi").write_text("a file")
    run = remote(LINES, {"loans": loans}).ask(QUESTION)
    assert run.status == "answered"
    assert any("was not recorded" in w for w in run.facts["warnings"])


def test_a_statement_that_came_back_when_recorded_comes_back_again(folder, remote, replayed, loans):
    lines = [
        call("run_sql", sql="SELECT count(*) AS n FROM loans WHERE status = 'a'", label="n"),
        call("run_sql", sql="SELECT count(*) AS n FROM loans WHERE status = 'A'", label="n"),
        say("2 loans"),
    ]
    assert [s.status for s in remote(lines, {"loans": loans}).ask("q").steps] == ["failed", "ok"]
    run = replayed({"loans": loans}).ask("q")
    assert [s.status for s in run.steps] == ["failed", "ok"]
    assert run.answer == "2 loans"


def test_a_value_that_is_gone_since_the_recording_is_a_result_of_no_rows(folder, remote, replayed, loans):
    lines = [call("run_sql", sql="SELECT count(*) AS n FROM loans WHERE status = 'A'", label="n"), say("2 loans")]
    remote(lines, {"loans": loans}).ask("q")
    run = replayed({"loans": loans[loans.status == "B"]}).ask("q")
    assert run.steps[0].status == "ok"
    assert "Mind: 'A' does not occur in loans.status." in run.steps[0].summary
    assert run.frame.iloc[0, 0] == 0
