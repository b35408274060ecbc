"""Where a recording without a name lies: by notebook and cell where the frontend tells, else by question."""

from __future__ import annotations

import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.errors import BadData
from lexsi_nb.magics.commands import command
from lexsi_nb.planners.keys import NoKey
from lexsi_nb.planners.scripted import say


@pytest.fixture
def in_lab(folder, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / "Loans of 1998.ipynb"))
    return folder


def names(folder):
    return sorted(p.name for p in (folder / ".lexsi").glob("*"))


def test_a_cell_has_one_recording(in_lab, remote, replayed, loans):
    session = remote([say("one"), say("two"), say("other")], {"loans": loans})
    session.ask("q", cell="3f2a9c1d-77")
    assert names(in_lab) == ["loans-of-1998-3f2a9c1d-77.yaml"]
    assert session.ask("q", cell="3f2a9c1d-77").answer == "one"  # run again: replayed
    assert session.ask("q edited", cell="3f2a9c1d-77").answer == "two"  # another question
    assert names(in_lab) == ["loans-of-1998-3f2a9c1d-77.yaml"]
    assert replayed({"loans": loans}).ask("q edited", cell="3f2a9c1d-77").answer == "two"


def test_a_frontend_without_cells_finds_it_by_question(in_lab, remote, replayed, loans, monkeypatch):
    session = remote([say("one"), say("two")], {"loans": loans})
    session.ask("q", cell="aaaa")
    session.ask("q", cell="bbbb")
    for name in (None, "loans-of-1998.ipynb"):
        monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
        if name:
            monkeypatch.setenv("JPY_SESSION_NAME", name)
        again = replayed({"loans": loans})
        assert [again.ask("q").answer, again.ask("q").answer] == ["one", "two"]


def test_another_notebook_has_its_own(in_lab, remote, loans, monkeypatch):
    remote([say("one")], {"loans": loans}).ask("q")
    monkeypatch.setenv("JPY_SESSION_NAME", "other.ipynb")
    assert remote([say("two")], {"loans": loans}).ask("q").answer == "two"


def test_a_notebook_name_cannot_lead_out_of_the_folder(in_lab, remote, loans, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", "../../../..\\x y\n/.ipynb")
    run = remote([say("one")], {"loans": loans}).ask("q", cell="../../etc")
    assert run.recording.startswith(".lexsi/")
    assert len(names(in_lab)) == 1


def test_a_question_of_odd_characters_has_a_plain_file_name(folder, remote, loans):
    run = remote([say("one")], {"loans": loans}).ask("../../Ünïcode?? " + "x" * 300 + "\n\x00")
    assert run.recording.removeprefix(".lexsi/") in names(folder)


def test_a_model_without_a_key_can_be_chosen_where_there_are_recordings(folder, remote, loans, monkeypatch, ip, capsys):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    line = "anthropic:some-model --key NO_SUCH_KEY"
    with pytest.raises(NoKey):
        Session({"loans": loans}, namespace={}).use(planner=line)
    remote([say("one")], {"loans": loans}).ask("q")
    ip.user_ns["loans"] = loans
    magics = ip.magics_manager.registry["LexsiMagics"]
    command(magics, f"model {line}")
    assert "Only recorded questions run for now." in capsys.readouterr().out
    ip.run_cell_magic("lexsi", "", "q")
    assert "planner replay of remote:model" in capsys.readouterr().out
    done = ip.run_cell("%%lexsi\nanother question\n")
    assert isinstance(done.error_in_exec, NoKey)


def test_with_record_all_runs_of_this_machine_are_recorded_too(in_lab, remote, loans):
    question = "How many loans are there?"
    kept = Session({"loans": loans}, namespace={}, record="all", planner="embedded")
    run = kept.ask(question, cell="aaaa")
    assert run.ok
    assert run.recording == ".lexsi/loans-of-1998-aaaa.yaml"
    assert Session({"loans": loans}, namespace={}).ask("Show the loans", cell="bbbb").recording == ""
    replayed = Session({"loans": loans}, namespace={}, replay="only").ask(question, cell="aaaa")
    assert replayed.replayed
    assert replayed.answer == run.answer
    before = (in_lab / run.recording).read_bytes()
    assert not kept.ask(question, cell="aaaa").replayed  # it plans anew, as it was told to
    assert (in_lab / run.recording).read_bytes() == before


def test_a_run_of_this_machine_takes_no_models_recording_away(in_lab, remote, loans):
    question = "How many loans are there?"
    path = in_lab / remote([say("one")], {"loans": loans}).ask(question, cell="aaaa").recording
    before = path.read_bytes()
    run = Session({"loans": loans}, namespace={}, record="all", planner="embedded").ask(question, cell="aaaa")
    assert run.ok
    assert run.recording == ""
    assert path.read_bytes() == before


def test_what_is_recorded_is_one_of_two(folder, loans):
    with pytest.raises(BadData, match=r"record is 'every'.*models, all"):
        Session({"loans": loans}, namespace={}, record="every").ask("How many loans are there?")
