"""`%%lexsi` in a shell: where the question stands, options, errors, loading and unloading."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.magics import ATTRIBUTE
from lexsi_nb.magics.body import OPTIONS, BadOption, pad_empty_body, question_of, split
from lexsi_nb.planners.scripted import ScriptedPlanner, call, decline, say


def script(ip, *lines):
    magics = getattr(ip, ATTRIBUTE)
    planner = ScriptedPlanner(list(lines))
    magics.session.use(planner=planner)
    magics.session.planner = lambda: planner
    return planner


def run(ip, cell: str):
    return ip.run_cell(cell, store_history=False)


@pytest.fixture
def loans(ip):
    frame = pd.DataFrame({"loan_id": [1, 2, 3], "amount": [10.0, 20.0, 30.0]})
    ip.user_ns["loans"] = frame
    return frame


@pytest.mark.parametrize(
    ("cell", "question"),
    [
        ("%%lexsi how many loans?", "how many loans?"),
        ("%%lexsi how many loans?\n", "how many loans?"),
        ("%%lexsi\nhow many loans?", "how many loans?"),
        ("%%lexsi how many\nloans?", "how many\nloans?"),
        ("%%lexsi --max-steps 3 is {x} $y 'quoted' in \"it\"?", "is {x} $y 'quoted' in \"it\"?"),
        ("%%lexsi --seed=3 -- --odd start", "--odd start"),
        ("%%lexsi\n{'a': 1} and $HOME", "{'a': 1} and $HOME"),
    ],
)
def test_the_question_stands_on_the_line_in_the_body_or_both(ip, loans, cell, question):
    planner = script(ip, decline("no"))
    assert run(ip, cell).success
    assert planner.turns[0].question == question


def test_a_failed_run_fails_the_cell_with_one_line(ip, loans, capsys):
    script(ip, call("run_sql", sql="SELECT nothing FROM loans"))
    result = run(ip, "%%lexsi q")
    assert not result.success
    assert "Traceback" not in capsys.readouterr().out


def test_an_unknown_option_names_the_nearest():
    with pytest.raises(BadOption, match="--planner"):
        split("--planer x question")


def test_options_end_where_the_question_begins():
    assert split("--data bank which --data is it?") == ("--data bank", "which --data is it?")
    assert question_of("a", "b\n") == "a\nb"


def test_only_our_cells_are_padded():
    assert pad_empty_body(["%%time\n"]) == ["%%time\n"]
    assert pad_empty_body(["%%lexsi one line?"]) == ["%%lexsi one line?\n", "\n"]


def test_loading_twice_and_unloading_leave_one_and_none(ip):
    ip.run_line_magic("reload_ext", "lexsi_nb")
    ip.run_line_magic("load_ext", "lexsi_nb")
    assert ip.input_transformers_cleanup.count(pad_empty_body) == 1
    assert len(ip.events.callbacks["post_run_cell"]) <= 2
    ip.run_line_magic("unload_ext", "lexsi_nb")
    assert pad_empty_body not in ip.input_transformers_cleanup
    assert "lexsi" not in ip.magics_manager.magics["cell"]


def test_into_binds_the_answers_frame(ip, loans):
    script(ip, call("run_sql", sql="SELECT count(*) AS n FROM loans"), say("3"))
    assert run(ip, "%%lexsi --into n_loans how many loans?").success
    assert ip.user_ns["n_loans"].iloc[0, 0] == 3


def test_run_all_twice_makes_no_second_name(ip, loans):
    lines = [call("run_sql", sql="SELECT * FROM loans ORDER BY loan_id", label="context_df"), say("ok")]
    magics = getattr(ip, ATTRIBUTE)
    for _ in range(2):
        script(ip, *lines)
        assert run(ip, "%%lexsi q").success
        for cell in magics.session.runs[-1].cells:
            assert run(ip, cell.source).success
    assert "context_df_2" not in ip.user_ns


@pytest.mark.parametrize("label", [{"label": "context_df"}, {}])
def test_the_same_question_gives_the_same_cells_after_its_cells_were_run(ip, loans, label):
    lines = [call("run_sql", sql="SELECT * FROM loans ORDER BY loan_id", **label), say("ok")]
    magics = getattr(ip, ATTRIBUTE)
    given = []
    for _ in range(3):
        script(ip, *lines)
        assert run(ip, "%%lexsi q").success
        given.append([cell.source for cell in magics.session.runs[-1].cells])
        for source in given[-1]:
            assert run(ip, source).success
    assert "con = duckdb.connect()" in given[0][0]
    assert given[1] == given[0]
    assert given[2] == given[0]


def test_a_frame_that_the_user_makes_of_a_cells_result_is_data_again(ip, loans):
    script(ip, call("run_sql", sql="SELECT * FROM loans"), say("ok"))
    run(ip, "%%lexsi q")
    session = getattr(ip, ATTRIBUTE).session
    for cell in session.runs[-1].cells:
        assert run(ip, cell.source).success
    assert session.binding.describe().startswith("1 kernel frame: loans")
    run(ip, "result = result.head(2)")
    assert "loans, result" in session.binding.describe()


def test_a_connection_of_the_users_keeps_its_name(ip, loans):
    run(ip, "con = 'mine'")
    script(ip, call("run_sql", sql="SELECT * FROM loans", label="context_df"), say("ok"))
    run(ip, "%%lexsi q")
    for cell in getattr(ip, ATTRIBUTE).session.runs[-1].cells:
        assert run(ip, cell.source).success
    assert ip.user_ns["con"] == "mine"


def test_config_is_settable(ip):
    run(ip, "%config LexsiMagics.seed = 7")
    assert getattr(ip, ATTRIBUTE).seed == 7


def test_vars_lists_what_was_made_and_that_it_is_stale(ip, loans, capsys):
    script(ip, call("run_sql", sql="SELECT sum(amount) AS s FROM loans", label="total"), say("60"))
    run(ip, "%%lexsi q")
    loans.loc[0, "amount"] = 5.0
    capsys.readouterr()
    run(ip, "%lexsi vars")
    out = capsys.readouterr().out
    assert "total" in out
    assert "stale" in out


def test_an_unknown_command_names_the_nearest(ip, capsys):
    assert not run(ip, "%lexsi varz").success
    assert "vars" in capsys.readouterr().out


def test_status_says_what_is_configured(ip, loans, capsys):
    assert run(ip, "%lexsi").success
    out = capsys.readouterr().out
    assert "sent nothing" in out
    assert "embedded" in out


def test_every_option_that_help_lists_is_taken(ip):
    magic = getattr(ip, ATTRIBUTE).lexsi
    listed = {o for action in magic.parser._actions for o in action.option_strings if o.startswith("--")}
    assert listed == set(OPTIONS)


def test_a_budget_is_an_option(ip, loans, capsys):
    planner = script(ip, say("Three."))
    planner.local = False
    run(ip, "%%lexsi --budget 10\nhow many loans?")
    assert "RunStopped: The budget of 10 tokens is not enough" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--seed -5", "--seed is -5. It is a whole number from 0"),
        ("--model-type Forest", "--model-type is 'Forest'. There is: LightGBM, XGBoost."),
    ],
)
def test_an_option_that_cannot_be_is_refused_before_anything_runs(ip, loans, options, says):
    planner = script(ip, say("never"))
    with pytest.raises(BadOption) as refused:
        getattr(ip, ATTRIBUTE).lexsi(options, "how many loans?")
    assert says in str(refused.value)
    assert not planner.turns


@pytest.mark.parametrize(("k", "says"), [("-1", "k is -1"), ("many", "k is 'many'"), ("0", "k is 0")])
def test_a_policy_tells_the_number_that_was_given(ip, k, says):
    from lexsi_nb.errors import BadData

    with pytest.raises(BadData, match=says):
        getattr(ip, ATTRIBUTE).lexsi(f"policy k {k}")
