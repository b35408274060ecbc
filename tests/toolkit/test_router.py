"""Which tools a planner is shown, chosen once a run."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd

import lexsi_nb as lx
from lexsi_nb.app.session import Session
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say
from lexsi_nb.toolkit.declare import tool_of
from lexsi_nb.toolkit.router import FEW, Router, stem, words
from lexsi_nb.toolkit.spec import ToolSpec
from lexsi_nb.tools.catalogue import ALWAYS, built_in

NORTH_STAR = (
    "For loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)


def spec(name: str, text: str, **more) -> ToolSpec:
    return ToolSpec(name, text, args_schema=dict, **more)


def others(n: int) -> list[ToolSpec]:
    return [spec(f"other_{i}", f"Something else, number {i}.") for i in range(n)]


def test_few_tools_are_all_shown():
    assert not Router(others(FEW)).worthwhile
    assert Router(others(FEW + 1)).worthwhile


def test_the_tool_whose_words_are_asked_for_comes_first():
    router = Router([*others(20), spec("reset_password", "Reset a forgotten password.")])
    assert router.rank("I forgot my password")[0] == "reset_password"
    assert "reset_password" in router.select("I forgot my password", 3)


def test_equal_tools_keep_the_order_of_the_registry_and_so_does_a_selection():
    router = Router(others(20))
    assert router.rank("nothing of this") == [s.name for s in others(20)]
    assert router.select("number 7", 3) == sorted(router.select("number 7", 3), key=[s.name for s in others(20)].index)


def test_words_match_by_stem_by_part_and_by_meaning():
    assert stem("running") == stem("runs") == "run"
    assert words("What are the loans?") == ["loan"]
    router = Router(
        [*others(20), spec("get_payslip", "Get a payslip."), spec("list_invoices", "List vendor invoices.")]
    )
    assert router.rank("my pay slip")[0] == "get_payslip"
    assert router.rank("bills of our suppliers")[0] == "list_invoices"


def test_what_a_tool_needs_comes_with_it_over_several_steps():
    made = [
        spec("load", "Load rows.", produces=("rows:*",)),
        spec("fit", "Fit.", requires=("rows:*",), produces=("model",)),
        spec("score", "Score.", requires=("model", "rows:new")),
    ]
    assert Router([*others(20), *made]).offer("score", 1) == {"score", "fit", "load"}


def test_the_north_star_gets_its_whole_chain_among_forty():
    router = Router([*(tool_of(t).spec for t in built_in()), *others(30)])
    chain = {"inspect_data", "text_to_sql", "run_sql", "train_tabular_model", "predict", "explain_prediction",
             "summarize_result"}  # fmt: skip
    assert chain <= router.offer(NORTH_STAR, keep=ALWAYS)


class FarPlanner(ScriptedPlanner):
    """A scripted planner that is not on this machine, so that definitions are made for it."""

    local = False


def test_the_choice_is_made_once_a_run_and_tools_left_out_still_run():
    planner = FarPlanner([call("other_3"), call("inspect_data"), say("done")])
    session = Session(planner=planner, namespace={"t": pd.DataFrame({"a": [1]})})
    for i in range(20):

        @lx.tool(name=f"other_{i}", reveals="schema")
        def other() -> str:
            """Something else entirely."""
            return "did"

        session.add_tool(other, replace=True)
    run = session.ask("Which columns are there?")
    assert [s.status for s in run.steps] == ["ok", "ok"]
    shown = [tuple(d["name"] for d in turn.tools) for turn in planner.turns]
    assert len(set(shown)) == 1
    assert set(ALWAYS) <= set(shown[0])
    assert len(shown[0]) < 20


def test_every_built_in_description_says_what_when_and_when_not():
    for made in built_in():
        text = " ".join(tool_of(made).spec.description.split())
        assert len(text) > 120, made
        assert any(w in text for w in ("Use it", "use it")), text
        assert any(w in text.lower() for w in ("not ", "never", "nothing", "no values", "cannot", "only")), text


def test_recall_and_savings_hold_on_the_requests(project_root):
    done = subprocess.run(
        [sys.executable, "bench/routing/run.py", "--check"],
        cwd=project_root,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
