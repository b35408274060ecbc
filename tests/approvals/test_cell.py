"""Approvals in a cell: the card, the one-line error that stops Run All, the commands, the buttons."""

from __future__ import annotations

import pytest

from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


@pytest.fixture
def magics(ip, shop, orders):
    ip.user_ns["orders"] = orders
    magics = getattr(ip, ATTRIBUTE)
    session = magics.session
    session.scopes |= {"payments:write"}
    session.add_tool(shop)
    return magics


def script(magics, *lines) -> ScriptedPlanner:
    planner = ScriptedPlanner(list(lines))
    magics.session.planner = lambda: planner
    return planner


def run(ip, cell: str):
    return ip.run_cell(cell, store_history=False)


REFUND = call("refund", customer="C-1", amount=900.0)


def test_the_cell_shows_the_card_with_the_commands_and_fails_with_one_line(ip, magics, shop, capsys):
    script(magics, REFUND)
    result = run(ip, "%%lexsi refund C-1")
    out = capsys.readouterr().out
    id = magics.session.runs[-1].approval.id
    assert not result.success
    assert "Traceback" not in out
    for line in (
        f"%lexsi approve {id}",
        f"%lexsi decline {id} reason",
        f"%lexsi edit {id} {{",
        "argument amount",
        "900.0",
    ):
        assert line in out
    assert f"RunStopped: Waiting for approval of refund. %lexsi approve {id}" in out
    assert shop.ledger == []


def test_approve_runs_it_and_shows_the_answer(ip, magics, shop, capsys):
    script(magics, REFUND, say("Refunded 900."))
    run(ip, "%%lexsi refund C-1")
    id = magics.session.runs[-1].approval.id
    assert run(ip, f"%lexsi approve {id}").success
    assert "Refunded 900." in capsys.readouterr().out
    assert shop.ledger == [("C-1", 900.0)]
    assert not run(ip, f"%lexsi approve {id}").success
    assert "was approved before" in capsys.readouterr().out
    assert shop.ledger == [("C-1", 900.0)]


def test_decline_takes_a_reason_of_several_words(ip, magics, shop):
    planner = script(magics, REFUND, say("Not refunded."))
    run(ip, "%%lexsi refund C-1")
    assert run(ip, f"%lexsi decline {magics.session.runs[-1].approval.id} not this month").success
    assert "not this month" in planner.turns[-1].messages[-1].text
    assert shop.ledger == []


def test_edit_asks_again_with_the_new_arguments(ip, magics, shop, capsys):
    script(magics, REFUND, say("ok"))
    run(ip, "%%lexsi refund C-1")
    first = magics.session.runs[-1].approval.id
    result = run(ip, f'%lexsi edit {first} {{"customer": "C-1", "amount": 600}}')
    assert not result.success
    second = magics.session.runs[-1].approval.id
    assert second != first
    assert run(ip, f"%lexsi approve {second}").success
    assert shop.ledger == [("C-1", 600.0)]
    assert not run(ip, f"%lexsi edit {first} {{amount: 1}}").success
    assert "no JSON" in capsys.readouterr().out


def test_parked_lists_shows_and_discards(ip, magics, capsys):
    script(magics, call("run_sql", sql="SELECT * FROM orders", label="all_orders"), call("upload", frame="all_orders"))
    run(ip, "%%lexsi upload")
    id = magics.session.runs[-1].approval.id
    capsys.readouterr()
    run(ip, "%lexsi parked")
    assert f"{id}  " in capsys.readouterr().out
    run(ip, f"%lexsi parked {id}")
    out = capsys.readouterr().out
    assert "crm.example.com" in out
    assert "SELECT * FROM orders" in out
    run(ip, f"%lexsi parked discard {id}")
    run(ip, "%lexsi parked")
    assert "Nothing waits." in capsys.readouterr().out


def test_headless_nothing_is_approved_unless_named(ip, magics, shop):
    magics.frontend = "headless"
    script(magics, REFUND, say("done"))
    assert not run(ip, "%%lexsi refund C-1").success
    assert shop.ledger == []
    script(magics, REFUND, say("done"))
    assert not run(ip, "%%lexsi --approve upload refund C-1").success
    assert shop.ledger == []
    script(magics, REFUND, say("done"))
    assert run(ip, "%%lexsi --approve upload,refund refund C-1").success
    assert shop.ledger == [("C-1", 900.0)]


def test_a_question_that_acted_does_not_act_again_unless_again_is_said(ip, magics, shop, capsys):
    small = call("refund", customer="C-1", amount=20.0)
    for _ in range(2):
        script(magics, small, say("done"))
        assert run(ip, "%%lexsi refund 20").success
    assert len(shop.ledger) == 1
    assert "refund was not done again" in capsys.readouterr().out
    script(magics, small, say("done"))
    assert run(ip, "%%lexsi --again refund 20").success
    assert len(shop.ledger) == 2


def test_audit_prints_exports_and_verifies(ip, magics, shop, tmp_path, capsys):
    from lexsi_nb.__main__ import main

    script(magics, REFUND, say("done"))
    run(ip, "%%lexsi refund C-1")
    run(ip, f"%lexsi approve {magics.session.runs[-1].approval.id}")
    capsys.readouterr()
    run(ip, "%lexsi audit")
    out = capsys.readouterr().out
    assert [line.split()[3] for line in out.splitlines()[:3]] == ["asked", "approved", "ran"]
    assert "3 entries, the chain is whole" in out
    file = tmp_path / "log.jsonl"
    run(ip, f"%lexsi audit export {file}")
    assert main(["audit", str(file)]) == 0
    file.write_text(file.read_text().replace("900", "100"))
    assert main(["audit", str(file)]) == 1
    assert "broken at entry 1" in capsys.readouterr().err


def test_tools_lists_adds_shows_and_removes(ip, magics, capsys):
    run(ip, "import lexsi_nb as lx\n@lx.tool\ndef double(a: int) -> int:\n    '''Double a number.'''\n    return 2 * a")
    assert run(ip, "%lexsi tools add double").success
    run(ip, "%lexsi tools")
    out = capsys.readouterr().out
    assert "run_sql" in out
    assert "Double a number." in out
    assert "[irreversible, asks]" in out
    run(ip, "%lexsi tools double")
    assert '"type": "integer"' in capsys.readouterr().out
    assert run(ip, "%lexsi tools remove double").success
    assert not run(ip, "%lexsi tools double").success


def test_a_tool_defined_again_in_a_cell_replaces_itself(ip, magics):
    cell = "import lexsi_nb as lx\n@lx.tool\ndef grow(a: int) -> int:\n    '''Grow.'''\n    return a * {}"
    run(ip, cell.format(2))
    run(ip, "%lexsi tools add grow")
    for factor in (2, 3):
        run(ip, cell.format(factor))
        script(magics, call("grow", a=5), say("x"))
        assert run(ip, "%%lexsi grow").success
        assert magics.session.runs[-1].steps[0].summary == str(5 * factor)


def test_secrets_are_not_shown_on_the_card(session_of):
    import lexsi_nb as lx
    from lexsi_nb.widgets.approval import approval_html, approval_text

    @lx.tool(needs_approval=True)
    def login(user: str, password: str) -> str:
        """Log in."""
        return "in"

    session = session_of([call("login", user="ann", password="hunter22hunter22")])
    session.add_tool(login)
    approval = session.ask("log in").approval
    for shown in (approval_html(approval), approval_text(approval)):
        assert "ann" in shown
        assert "hunter22" not in shown


@pytest.mark.parametrize("said", ["refund", "look, refund", ("refund",), ["refund"]])
def test_names_are_given_as_one_text_or_several(session_of, shop, said):
    assert session_of([REFUND, say("x")]).ask("q", approve=said).status == "answered"
    assert session_of([REFUND, say("x")], approve=said).ask("q again").status == "answered"
    assert len(shop.ledger) == 2


def test_a_misspelt_name_is_said_and_approves_nothing(session_of, shop):
    from lexsi_nb.errors import UnknownTool

    with pytest.raises(UnknownTool, match="refund"):
        session_of([REFUND]).ask("q", approve="refnd")
    assert session_of([REFUND], approve="ask").ask("q").status == "awaiting_approval"
    assert shop.ledger == []


def test_the_command_line_prints_the_card_and_takes_names(capsys):
    from lexsi_nb.__main__ import main

    assert main(["ask", "How many loans are there?", "--approve", "run_sq"]) == 1
    assert "run_sql" in capsys.readouterr().err


def test_a_picture_of_a_tool_is_shown_in_the_cell(ip, magics):
    import lexsi_nb as lx
    from lexsi_nb.magics.showing import bundles

    @lx.tool
    def draw() -> lx.BinaryContent:
        """Draw."""
        return lx.BinaryContent(b"\x89PNG\r\n\x1a\n" + b"\x00" * 30, "image/png", "a dot")

    magics.session.add_tool(draw)
    script(magics, call("draw"), say("Here."))
    assert run(ip, "%%lexsi draw").success
    shown = [b for b in bundles(magics.session.runs[-1]) if "image/png" in b]
    assert [b["text/plain"] for b in shown] == ["a dot: image/png, 38 bytes"]


def test_a_toolset_defined_again_replaces_itself_with_tools_that_come_and_go(ip, magics):
    cell = (
        "import lexsi_nb as lx\n@lx.toolset\nclass Box:\n    '''A box.'''\n    @lx.tool\n    def {0}(self) -> str:\n"
        "        '''Do.'''\n        return '{0}'\nbox = Box()"
    )
    run(ip, cell.format("first"))
    assert run(ip, "%lexsi tools add box").success
    run(ip, cell.format("second"))
    script(magics, call("second"), call("first"), say("x"))
    assert run(ip, "%%lexsi do it").success
    assert [s.status for s in magics.session.runs[-1].steps] == ["ok", "unknown_tool"]


def test_a_tool_that_was_deleted_from_the_notebook_stays_and_a_value_in_its_place_is_no_tool(ip, magics):
    cell = "import lexsi_nb as lx\n@lx.tool\ndef keep() -> str:\n    '''Keep.'''\n    return 'kept'"
    run(ip, cell)
    run(ip, "%lexsi tools add keep")
    run(ip, "keep = 5")
    script(magics, call("keep"), say("x"))
    assert run(ip, "%%lexsi keep").success
    assert magics.session.runs[-1].steps[0].summary == "kept"
