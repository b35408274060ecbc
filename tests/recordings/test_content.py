"""What a recording holds: no secrets, rows only where the policy lets them out, side replies, marks of tools."""

from __future__ import annotations

import pytest

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import call, calls, say
from lexsi_nb.store.recording_files import RecordingFiles


class Helper:
    """A model for side queries that counts what it is asked."""

    name = "remote:helper"

    def __init__(self, *replies, local: bool = False) -> None:
        self.replies, self.local, self.asked = list(replies), local, []

    async def complete(self, prompt, *, system="", output_type=str):
        self.asked.append(prompt)
        return self.replies.pop(0)


@lx.tool(reveals="schema")
def classify(text: str, *, agent: lx.AgentRef) -> str:
    """Say what kind of text it is.

    Args:
        text: The text.
    """
    return agent.oneshot(prompt="One word.", query=text)


def session_with(remote, lines, names, helper, **more):
    session = remote(lines, names, **more)
    session.model = helper
    session.add_tool(classify)
    return session


def test_side_replies_are_recorded_and_replayed(folder, remote, replayed, loans):
    helper = Helper("letter", "invoice")
    lines = [call("classify", text="Dear"), call("classify", text="Sum 20"), say("A letter and an invoice.")]
    session_with(remote, lines, {"loans": loans}, helper).ask("q")
    session = replayed({"loans": loans})
    session.add_tool(classify)
    run = session.ask("q")
    assert [s.summary for s in run.steps] == ["letter", "invoice"]
    assert (run.answer, run.usage.requests) == ("A letter and an invoice.", 0)
    read = RecordingFiles().read(run.recording.removeprefix(".lexsi/"))
    assert [(r.step, r.reply) for r in read.replies] == [(1, "letter"), (2, "invoice")]


def test_a_side_query_that_was_never_asked_stops(folder, remote, replayed, loans):
    @lx.tool(reveals="schema")
    def judge(agent: lx.AgentRef) -> str:
        """Say something of the table."""
        return agent.oneshot(prompt="One word.", query=f"{len(loans)} rows")

    session = remote([call("judge"), say("big")], {"loans": loans})
    session.model = Helper("big")
    session.add_tool(judge)
    session.ask("q")
    loans.loc[len(loans)] = [5, 50.0, "A"]
    again = replayed(
        {"loans": loans},
    )
    again.add_tool(judge)
    run = again.ask("q")
    assert run.status == "failed"
    assert "step 1: judge was ok when recorded and is failed now" in run.answer
    assert "has no reply to what this tool asks" in run.answer


def test_side_replies_of_parallel_calls_stand_in_one_order(folder, remote, loans):
    @lx.tool(reveals="schema", parallel_safe=True, thread_safe=True)
    def sort(text: str, *, agent: lx.AgentRef) -> str:
        """Sort a text.

        Args:
            text: The text.
        """
        return agent.oneshot(prompt="One word.", query=text)

    class Echo(Helper):
        async def complete(self, prompt, *, system="", output_type=str):
            return prompt.upper()

    made = []
    for name in ("one", "two"):
        session = remote([calls(*(call("sort", text=t) for t in "abcdefgh")), say("x")], {"loans": loans})
        session.model = Echo()
        session.add_tool(sort)
        session.ask("q", recording=name)
        made.append((folder / ".lexsi" / f"{name}.yaml").read_bytes())
    assert made[0] == made[1]


def test_no_secret_reaches_the_file(folder, remote, loans, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "hunter2hunter2")

    @lx.tool(reveals="schema")
    def login(user: str, password: str) -> str:
        """Log in.

        Args:
            user: Who.
            password: The password.
        """
        return "in"

    lines = [
        call("login", user="sk-" + "a" * 30, password="opensesame"),
        call("run_sql", sql="SELECT 'hunter2hunter2' AS k, 'postgres://u:pw@host/db' AS u", label="k"),
        say("The key is hunter2hunter2."),
    ]
    session = remote(lines, {"loans": loans})
    session.add_tool(login)
    session.ask("what is hunter2hunter2", recording="q1")
    text = (folder / ".lexsi" / "q1.yaml").read_text()
    for secret in ("hunter2", "opensesame", "sk-aaa", "u:pw"):
        assert secret not in text
    assert text.count("[secret]") >= 5


def test_a_planner_of_this_machine_writes_no_rows_under_the_policy(folder, loans):
    from lexsi_nb.planners.scripted import ScriptedPlanner

    loans["name"] = ["Quillfeather", "Ostrander", "Vandermeer", "Blythewood"]
    lines = [
        call("run_sql", sql="SELECT name FROM loans ORDER BY amount DESC", label="top"),
        say("The largest is Blythewood."),
    ]
    run = Session(planner=ScriptedPlanner(lines), namespace={"loans": loans}).ask("q", recording="q1")
    assert run.recording
    assert "Blythewood" not in (folder / ".lexsi" / "q1.yaml").read_text()
    again = Session(planner=ScriptedPlanner([]), namespace={"loans": loans.copy()}).ask("q", recording="q1")
    assert "Blythewood" in again.answer  # put in words from the results
    named = [*lines[:1], call("run_sql", sql="SELECT * FROM loans WHERE name = 'Blythewood'", label="one"), say("x")]
    run = Session(planner=ScriptedPlanner(named), namespace={"loans": loans.copy()}).ask("q", recording="q2")
    assert any("was not recorded. Step 2 (run_sql) has 'blythewood'" in w for w in run.facts["warnings"])
    Session(planner=ScriptedPlanner(named), namespace={"loans": loans.copy()}, policy="rows").ask("q", recording="q2")
    assert "Blythewood" in (folder / ".lexsi" / "q2.yaml").read_text()


def tool_of(doc: str, **parameters):
    """Return the tool `grade` with these parameters."""
    arguments = ", ".join(f"{n}: {t}" for n, t in parameters.items())
    names: dict = {}
    exec(f'def grade({arguments}) -> str:\n    """{doc}"""\n    return "ok"\n', names)
    return lx.tool(names["grade"], reveals="schema")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        pytest.param(("Grade it.", {"level": "str"}), "takes other arguments now", id="type"),
        pytest.param(("Grade it.", {"depth": "int"}), "takes other arguments now", id="name"),
        pytest.param(("Grade it.", {"level": "int", "more": "str"}), "is invalid now", id="one more that is needed"),
        pytest.param(None, "the tool `grade` is gone", id="gone"),
    ],
)
def test_a_tool_that_changed_stops_at_its_step(folder, remote, replayed, loans, changed, said):
    session = remote([call("inspect_data"), call("grade", level=3), say("3")], {"loans": loans})
    session.add_tool(tool_of("Grade it.", level="int"))
    session.ask("q")
    again = replayed({"loans": loans})
    if changed is not None:
        again.add_tool(tool_of(changed[0], **changed[1]))
    run = again.ask("q")
    assert run.status == "failed"
    assert "step 2: " in run.answer
    assert said in run.answer


def test_a_tool_that_only_says_it_otherwise_or_takes_more_still_fits(folder, remote, replayed, loans):
    session = remote([call("grade", level=3), say("Graded.")], {"loans": loans})
    session.add_tool(tool_of("Grade it.", level="int"))
    session.ask("q")
    again = replayed({"loans": loans})
    again.add_tool(tool_of("Grade it well.", level="int", depth="int = 1"))
    run = again.ask("q")
    assert run.answer == "Graded."
    assert "grade describes itself in other words" in run.facts["replayed"][0]


def test_an_argument_without_a_plain_form_is_a_warning(folder, remote, loans):
    run = remote([call("inspect_data", table_filter={1, 2}), say("x")], {"loans": loans}).ask("q")
    assert any("was not recorded" in w for w in run.facts["warnings"])


def test_a_run_that_a_tool_ended_ends_the_same_way(folder, remote, replayed, loans):
    @lx.tool(reveals="schema")
    def finish(loop: lx.LoopControllerRef) -> str:
        """End the run."""
        loop.set_state(loop.STOP_SUCCESS)
        return "That is all."

    for session in (remote([call("finish")], {"loans": loans}), replayed({"loans": loans})):
        session.add_tool(finish)
        assert session.ask("q").answer == "That is all."
