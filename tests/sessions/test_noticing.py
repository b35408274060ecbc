"""What the user does to variables of the conversation between questions is told in the next: names and shape only."""

from __future__ import annotations

import pandas as pd
import pytest

import lexsi_nb as lx
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


@pytest.fixture
def loans() -> pd.DataFrame:
    return pd.DataFrame({"id": [1, 2, 3], "amount": [10.0, 20.0, 987654.0]})


def asked(loans: pd.DataFrame, *script):
    planner = ScriptedPlanner([call("run_sql", sql="SELECT * FROM loans WHERE amount > 10", label="big"), *script])
    session = lx.Session(planner=planner, namespace={"loans": loans, "other": loans.copy()}, replay="off")
    assert session.ask("Which are big?").ok
    return session, planner


def events(planner) -> list[str]:
    return [m.text for m in planner.turns[-1].messages if m.role == "system"]


def change(session) -> None:
    session.namespace["big"]["grade"] = "A"


def edit(session) -> None:
    session.namespace["loans"].loc[0, "amount"] = 123456.0


def delete(session) -> None:
    del session.namespace["big"]


def make_again(session) -> None:
    session.namespace["loans"] = session.namespace["loans"].head(1).drop(columns="id")


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (change, "The user changed big: it was DataFrame, 2 rows x 2 columns and is DataFrame, 2 rows x 3 columns; "
                 "new columns: grade."),
        (edit, "The user changed loans: it is DataFrame, 3 rows x 2 columns."),
        (delete, "The user deleted big."),
        (make_again, "The user made loans again: it was DataFrame, 3 rows x 2 columns and is DataFrame, "
                     "1 rows x 1 columns; columns gone: id."),
    ],
)  # fmt: skip
def test_a_change_is_told_once_before_the_next_question(loans, act, said):
    session, planner = asked(loans, say("a"), say("b"), say("c"))
    act(session)
    session.ask("And now?")
    told = events(planner)
    assert len(told) == 1
    assert told[0].startswith(said)
    assert "123456" not in told[0]
    roles = [m.role for m in planner.turns[-1].messages]
    assert roles[-2:] == ["system", "user"]
    session.ask("And still?")
    assert len(events(planner)) == 1


def test_what_the_run_itself_made_and_what_it_never_read_is_no_event(loans):
    session, planner = asked(
        loans, say("a"), call("run_sql", sql="SELECT 1 AS x FROM loans", label="big"), say("b"), say("c")
    )
    session.namespace["other"].loc[0, "amount"] = 5.0
    session.ask("Again.")
    session.ask("And now?")
    assert events(planner) == []


def test_reset_forgets_what_to_compare_with(loans):
    session, planner = asked(loans, say("a"), say("b"))
    edit(session)
    session.reset()
    session.ask("New.")
    assert [m.role for m in planner.turns[-1].messages] == ["user"]
    assert [r.question for r in session.conversation] == ["New."]


def test_an_event_of_ones_own_is_told_without_secrets(loans):
    session, planner = asked(loans, say("a"), say("b"))
    session.note_event("The loans of May came with password=hunter22.")
    session.ask("And now?")
    assert events(planner) == ["The loans of May came with password=[secret]"]
