"""Labels become variables; what the user made is never overwritten."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pandas as pd
import pytest

from lexsi_nb.artifacts import CodeCell
from lexsi_nb.errors import Cancelled, LexsiError, StaleResult, UnknownFrame
from lexsi_nb.kernel.labels import variable_name
from lexsi_nb.kernel.variables import UnknownVariable, Variables


def frame(*values: Any) -> pd.DataFrame:
    return pd.DataFrame({"a": list(values)})


@pytest.fixture
def names() -> dict[str, Any]:
    return {}


@pytest.fixture
def variables(names: dict[str, Any]) -> Variables:
    return Variables(names)


def test_a_free_label_becomes_a_variable(variables: Variables, names: dict[str, Any]) -> None:
    value = frame(1)
    bound = variables.write("context_df", value, run_id="r1", step=4, producer="run_sql")
    assert names["context_df"] is value
    assert (bound.name, bound.requested, bound.renamed_because, bound.note) == ("context_df", "context_df", "", "")
    assert bound.description == "DataFrame, 1 rows x 1 columns"


def test_a_users_variable_is_never_overwritten_and_it_is_said(variables: Variables, names: dict[str, Any]) -> None:
    mine = names["context_df"] = frame("mine")
    also = names["context_df_2"] = 7
    bound = variables.write("context_df", frame(1), question_key="q")
    assert bound.name == "context_df_3"
    assert bound.renamed_because == "context_df is a variable of yours"
    assert names["context_df"] is mine
    assert names["context_df_2"] is also


def test_asking_again_takes_the_same_second_name(variables: Variables, names: dict[str, Any]) -> None:
    names["context_df"] = frame("mine")
    first = variables.write("context_df", frame(1), question_key="q")
    again = variables.write("context_df", frame(2), question_key="q")
    assert first.name == again.name == "context_df_2"
    assert "context_df_3" not in names


def test_a_second_name_of_one_label_is_not_taken_by_another_label(variables: Variables, names: dict[str, Any]) -> None:
    names["context_df"] = frame("mine")
    variables.write("context_df", frame(1))
    assert variables.write("context_df_2", frame(2)).name == "context_df_2_2"


def test_our_own_variable_is_written_again(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1), question_key="q1")
    assert variables.write("context_df", frame(2), question_key="q2").name == "context_df"
    assert names["context_df"]["a"].tolist() == [2]


def test_a_name_that_the_user_rebinds_is_the_users(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1), question_key="q")
    mine = names["context_df"] = frame("mine")
    assert variables.bound("context_df") is None
    assert variables.write("context_df", frame(2), question_key="q").name == "context_df_2"
    assert names["context_df"] is mine


def test_a_deleted_name_is_free_again(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1))
    del names["context_df"]
    assert variables.write("context_df", frame(2)).name == "context_df"


def test_a_deleted_frame_is_not_kept_alive(variables: Variables, names: dict[str, Any]) -> None:
    value = frame(1)
    alive = weakref.ref(value)
    variables.write("context_df", value)
    del value, names["context_df"]
    gc.collect()
    assert alive() is None


def test_equal_content_is_no_conflict(variables: Variables, names: dict[str, Any]) -> None:
    names["context_df"] = frame(1)
    assert variables.write("context_df", frame(1)).name == "context_df"


def test_the_same_question_replaces_an_edit_and_undo_brings_it_back(
    variables: Variables, names: dict[str, Any]
) -> None:
    variables.write("context_df", frame(1, 2), question_key="q")
    edited = names["context_df"]
    edited.loc[0, "a"] = 99
    bound = variables.write("context_df", frame(1, 2), question_key="q")
    assert bound.name == "context_df"
    assert "%lexsi undo context_df" in bound.note
    fresh = names["context_df"]
    assert fresh["a"].tolist() == [1, 2]
    assert variables.undo("context_df") is edited
    assert names["context_df"] is edited
    assert variables.listing()[0].state == "edited"
    assert variables.undo("context_df") is fresh  # a second undo swaps back


def test_another_question_leaves_an_edited_variable_alone(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1, 2), question_key="q1")
    names["context_df"].loc[0, "a"] = 99
    bound = variables.write("context_df", frame(5), question_key="q2")
    assert (bound.name, bound.renamed_because) == ("context_df_2", "context_df was edited by you")
    assert names["context_df"]["a"].tolist() == [99, 2]


def test_undo_without_an_edit_says_so(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1), question_key="q")
    with pytest.raises(LexsiError, match="Nothing to undo"):
        variables.undo("context_df")


def test_undo_does_not_overwrite_what_the_user_bound_meanwhile(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1), question_key="q")
    names["context_df"].loc[0, "a"] = 9
    variables.write("context_df", frame(1), question_key="q")
    mine = names["context_df"] = frame("mine")
    with pytest.raises(LexsiError, match="yours now"):
        variables.undo("context_df")
    assert names["context_df"] is mine


def test_a_forgotten_name_is_the_users(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("context_df", frame(1))
    variables.forget("context_df")
    assert variables.listing() == []
    assert variables.write("context_df", frame(2)).name == "context_df_2"
    with pytest.raises(UnknownVariable, match="Nearest: context_df_2"):
        variables.forget("contextdf_2")


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("context_df", "context_df"), ("top 10 loans", "top_10_loans"), ("it's \"quoted\"", "it_s_quoted"),
        ("2020", "df_2020"), ("class", "class_df"), ("list", "list_df"), ("pd", "pd_df"), ("In", "In_df"),
        ("účet", "účet"), ("x²", "x2"), ("_hidden", "hidden"), ("", "frame"), ("???", "frame"), ("a--b", "a_b"),
        ("con", "con_df"), ("x" * 80, "x" * 60), ("表", "表"), ("a\nb; import os", "a_b_import_os"),
    ],
)  # fmt: skip
def test_labels_become_plain_names_and_a_change_is_said(label: str, name: str) -> None:
    got, why = variable_name(label)
    assert got == name
    assert got.isidentifier()
    assert bool(why) == (label != name)


def test_labels_that_look_alike_get_two_names(variables: Variables, names: dict[str, Any]) -> None:
    assert variables.write("top 10", frame(1)).name == "top_10"
    assert variables.write("top-10", frame(2)).name == "top_10_2"
    assert variables.write("top 10", frame(3)).name == "top_10"
    assert variables.named("top-10") == "top_10_2"


# steps ------------------------------------------------------------------------------------------------------


def test_a_step_binds_everything_at_its_end(variables: Variables, names: dict[str, Any]) -> None:
    with variables.handle("r1", question_key="q").step(5, producer="train_tabular_model") as step:
        step.write("model", 1)
        step.write("quality", frame(1), parents=["model"])
        assert names == {}
        assert step.value("model") == 1
    assert list(names) == ["model", "quality"]
    assert variables.stale() == {}
    assert {(r.run_id, r.step, r.tool) for r in variables.listing()} == {("r1", 5, "train_tabular_model")}


def test_a_failed_step_writes_nothing(variables: Variables, names: dict[str, Any]) -> None:
    with pytest.raises(ZeroDivisionError), variables.handle("r1").step(1) as step:  # noqa: PT012
        step.write("a", frame(1))
        _ = 1 / 0
    assert names == {}
    assert variables.listing() == []
    with pytest.raises(Cancelled):
        step.write("b", frame(1))
    with pytest.raises(Cancelled):
        step.commit()


def test_a_revoked_handle_writes_nothing_more(variables: Variables, names: dict[str, Any]) -> None:
    handle = variables.handle("r1")
    handle.write("before", frame(1))
    with pytest.raises(Cancelled), handle.step(2) as step:  # noqa: PT012
        step.write("a", frame(1))
        handle.revoke()
    with pytest.raises(Cancelled):
        handle.write("b", frame(1))
    with pytest.raises(Cancelled), handle.step(3):
        pass
    assert list(names) == ["before"]


def test_a_name_bound_while_the_step_ran_is_not_overwritten(variables: Variables, names: dict[str, Any]) -> None:
    with pytest.raises(StaleResult, match="while the step ran"), variables.handle("r1").step(1) as step:  # noqa: PT012
        step.write("first", frame(0))
        step.write("a", frame(1))
        names["a"] = "mine"
    assert names == {"a": "mine"}


def test_an_interrupt_between_two_names_binds_neither() -> None:
    class Interrupted(dict[str, Any]):
        def __setitem__(self, name: str, value: Any) -> None:
            if name == "b":
                raise KeyboardInterrupt
            super().__setitem__(name, value)

    variables = Variables(Interrupted(a="old"))
    variables.write("a", "old")  # equal content: ours from here on
    with pytest.raises(KeyboardInterrupt), variables.handle("r1").step(1) as step:  # noqa: PT012
        step.write("a", "new")
        step.write("b", 1)
    assert variables.namespace == {"a": "old"}
    assert [(r.name, r.state) for r in variables.listing()] == [("a", "fresh")]


def test_the_name_for_a_cell_is_the_name_that_is_bound(variables: Variables, names: dict[str, Any]) -> None:
    names["a"] = frame("mine")
    with variables.handle("r1").step(1) as step:
        assert step.name_for("a") == "a_2"
        assert step.write("a", frame(1)).name == "a_2" == step.name_for("a")


def test_a_name_used_in_source_stays_for_the_whole_run(variables: Variables, names: dict[str, Any]) -> None:
    mine = names["model"] = frame(1)
    handle = variables.handle("r1")
    with handle.step(1) as step:
        assert step.name_for("model") == "model_2"  # cells of this step say model_2
    with handle.step(2) as step:
        bound = step.write("model", frame(1))  # equal content would take the plain name
    assert (bound.name, bound.renamed_because) == ("model_2", "model is a variable of yours")
    assert names["model"] is mine


def test_two_labels_are_not_promised_one_name(variables: Variables, names: dict[str, Any]) -> None:
    with variables.handle("r1").step(1) as step:
        assert [step.name_for(label) for label in ("top 10", "top-10", "top 10")] == ["top_10", "top_10_2", "top_10"]
        assert [step.write(label, 1).name for label in ("top-10", "top 10")] == ["top_10_2", "top_10"]


def test_a_promised_name_that_the_user_took_is_left_alone(variables: Variables, names: dict[str, Any]) -> None:
    handle = variables.handle("r1")
    with handle.step(1) as step:
        assert step.name_for("model") == "model"
    names["model"] = "mine"
    assert handle.write("model", 1).name == "model_2"
    assert names["model"] == "mine"


def test_the_last_write_of_a_label_in_a_step_wins(variables: Variables, names: dict[str, Any]) -> None:
    with variables.handle("r1").step(1) as step:
        step.write("a", frame(1))
        assert step.write("a", frame(2)).name == "a"
    assert names["a"]["a"].tolist() == [2]


# reading ----------------------------------------------------------------------------------------------------


def test_frames_are_those_a_user_would_name(variables: Variables, names: dict[str, Any]) -> None:
    import polars as pl
    import pyarrow as pa

    names.update(
        a=frame(1), b=pl.DataFrame({"x": [1]}), c=pa.table({"x": [1]}), d=pa.record_batch({"x": [1]}), _=frame(1),
        _12=frame(1), _private=frame(1), In=[], Out={1: frame(1)}, number=3, series=pd.Series([1]), open=open,
    )  # fmt: skip
    assert list(variables.frames()) == ["a", "b", "c", "d"]
    with pytest.raises(UnknownFrame, match="There is: a, b, c, d"):
        variables.frame("loans")


# code cells -------------------------------------------------------------------------------------------------

MAKE = CodeCell(
    "import pandas as pd\n\ncontext_df = pd.DataFrame({'a': [1, 2]})  # two rows\n", produces=("context_df",)
)
DOUBLE = CodeCell("double = context_df * 2\n", requires=("context_df",), produces=("double",))


def execute(variables: Variables, source: str) -> None:
    """Run a cell as the kernel does: bind names, then tell which."""
    names = variables.namespace
    assert isinstance(names, dict)
    before = dict(names)
    exec(source, names)
    names.pop("__builtins__", None)
    variables.note_cell_run(source, [n for n, v in names.items() if n not in before or before[n] is not v])


def ask(variables: Variables) -> str:
    """Run the question that makes context_df and hand out its cells."""
    value = MAKE.run({})["context_df"]
    with variables.handle("r", question_key="q").step(4, producer="run_sql") as step:
        bound = step.write("context_df", value, cell=MAKE)
    variables.register_cells([MAKE, DOUBLE], run_id="r", question_key="q", producer="run_sql")
    return bound.name


@pytest.mark.parametrize(
    "source",
    [
        MAKE.source,
        "# my comment\nimport pandas as pd\ncontext_df = pd.DataFrame( {'a':[1,2]} )",
        f"{MAKE.source}\n\n{DOUBLE.source}",
        f"{DOUBLE.source}\n{MAKE.source}",
    ],
)
def test_run_all_twice_makes_no_second_name(variables: Variables, names: dict[str, Any], source: str) -> None:
    for _ in range(3):
        assert ask(variables) == "context_df"
        execute(variables, source)
    assert set(names) - {"double"} == {"pd", "context_df"}
    row = next(r for r in variables.listing() if r.name == "context_df")
    assert (row.tool, row.state) == ("run_sql", "fresh")


def test_what_a_cell_of_ours_made_stays_ours_with_other_content(variables: Variables, names: dict[str, Any]) -> None:
    cell = CodeCell("context_df = make()", produces=("context_df",))
    variables.write("context_df", frame(1), question_key="q1")
    variables.register_cells([cell], run_id="r", question_key="q1")
    names["make"] = lambda: frame(7, 8)
    execute(variables, cell.source)
    assert variables.write("context_df", frame(2), question_key="q2").name == "context_df"


def test_a_changed_cell_makes_a_variable_of_the_user(variables: Variables, names: dict[str, Any]) -> None:
    ask(variables)
    execute(variables, MAKE.source.replace("[1, 2]", "[1, 3]"))
    assert ask(variables) == "context_df_2"
    assert names["context_df"]["a"].tolist() == [1, 3]


def test_a_cell_run_before_its_run_in_a_new_kernel_is_recognised(variables: Variables, names: dict[str, Any]) -> None:
    cell = CodeCell("context_df = make()", produces=("context_df",))
    names["make"] = lambda: frame(7, 8)  # other content than the run makes
    execute(variables, f"{cell.source}\nprint(len(context_df))")
    assert variables.write("context_df", frame(1), question_key="q", cell=cell).name == "context_df"
    variables.undo("context_df")
    assert names["context_df"]["a"].tolist() == [7, 8]


def test_a_cell_that_also_edits_the_name_is_the_users(variables: Variables, names: dict[str, Any]) -> None:
    cell = CodeCell("context_df = make()", produces=("context_df",))
    names["make"] = lambda: frame(7, 8)
    for edit in (
        "context_df = context_df.head(1)",
        "context_df.loc[0, 'a'] = 5",
        "context_df['b'] = 1",
        "context_df.b = 1",
    ):
        execute(variables, f"{cell.source}\n{edit}")
        assert variables.name_for("context_df", cell=cell) == "context_df_2"


def test_a_cell_built_for_the_second_name_is_recognised_under_the_first(
    variables: Variables, names: dict[str, Any]
) -> None:
    names["make"] = lambda: frame(7)
    execute(variables, "context_df = make()")
    second = CodeCell("context_df_2 = make()", produces=("context_df_2",))
    assert variables.write("context_df", frame(1), cell=second).name == "context_df"


def test_a_forgotten_name_does_not_come_back_by_running_the_cell(variables: Variables, names: dict[str, Any]) -> None:
    ask(variables)
    variables.forget("context_df")
    execute(variables, MAKE.source)
    assert variables.bound("context_df") is None
    assert ask(variables) == "context_df_2"


def test_cells_registered_from_an_earlier_kernel_are_recognised_before_any_write(
    variables: Variables, names: dict[str, Any]
) -> None:
    execute(variables, MAKE.source)
    assert variables.name_for("context_df") == "context_df_2"
    variables.register_cells([MAKE], run_id="recorded", question_key="q")
    assert variables.name_for("context_df") == "context_df"


def test_a_new_connection_makes_nothing_stale(variables: Variables, names: dict[str, Any]) -> None:
    cells = [
        CodeCell("con = object()", produces=("con",)),
        CodeCell("t = make(con)", requires=("con",), produces=("t",)),
    ]
    names["make"] = lambda con: frame(1)
    variables.write("t", frame(1), question_key="q")
    variables.register_cells(cells, run_id="r", question_key="q")
    for cell in [*cells, cells[0]]:
        execute(variables, cell.source)
    assert variables.stale() == {}
    assert [r.name for r in variables.listing()] == ["t"]


def test_a_label_stands_for_the_newest_of_its_variables(variables: Variables, names: dict[str, Any]) -> None:
    variables.write("t", frame(1))
    names["t"] = frame("mine")
    variables.write("t", frame(2))
    assert variables.named("t") == "t_2"
    del names["t"]
    variables.write("t", frame(3))
    assert variables.named("t") == "t"


def test_magics_and_broken_cells_are_nobodys(variables: Variables, names: dict[str, Any]) -> None:
    ask(variables)
    for source in ("%%time\nx = 1", "!ls", "def (", "'''open", "%%lexsi\nwhich loans?"):
        assert variables.note_cell_run(source, ["x"]) == ()
