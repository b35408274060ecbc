"""Recordings in cells: by name, by cell, with variables, and stopped in one line."""

from __future__ import annotations

import pytest

SQL = "SELECT count(*) AS n FROM loans WHERE amount > 15"


@pytest.fixture
def shell(ip, folder, loans):
    ip.user_ns["loans"] = loans
    return ip


def test_a_named_cell_is_written_and_then_replayed(shell, capsys):
    shell.run_cell_magic("lexsi", "--recording q1", "How many loans are there?")
    assert "recorded      in .lexsi/q1.yaml" in capsys.readouterr().out
    shell.run_cell_magic("lexsi", "--recording q1", "How many loans are there?")
    out = capsys.readouterr().out
    assert "replayed      from .lexsi/q1.yaml, no model was asked" in out
    assert "planner replay of grounded" in out
    shell.run_line_magic("lexsi", "recordings")
    assert "q1.yaml  grounded: How many loans are there?" in capsys.readouterr().out


def test_a_cell_whose_column_is_gone_stops_run_all_in_one_line(shell, capsys):
    shell.run_cell_magic("lexsi", "--recording q1", "What is the average amount of loans?")
    shell.user_ns["loans"] = shell.user_ns["loans"].rename(columns={"amount": "lent"})
    done = shell.run_cell("%%lexsi --recording q1\nWhat is the average amount of loans?\n")
    assert not done.success
    assert "column `amount` is gone from `loans`; `--ask` to ask again" in str(done.error_in_exec)


def test_replay_only_lets_the_planner_on_this_machine_answer(shell, capsys):
    shell.run_cell("%%lexsi --replay only\nHow many loans are there?\n")
    assert "planner grounded" in capsys.readouterr().out


def test_the_options_are_known(shell, capsys):
    shell.run_cell("%%lexsi --recording q1 --ask --replay auto\nHow many loans are there?\n")
    assert "recorded" in capsys.readouterr().out


def test_a_name_that_leaves_the_folder_is_refused(shell):
    done = shell.run_cell("%%lexsi --recording ../q1\nHow many loans are there?\n")
    assert "No recording can be called '../q1'" in str(done.error_in_exec)
