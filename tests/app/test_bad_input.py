"""Bad input: each a clear error that says what, why and what next, and an unchanged namespace."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lexsi_nb.app.session import Session
from lexsi_nb.errors import LexsiError
from lexsi_nb.planners.scripted import ScriptedPlanner, call, say


def failed_step(frames: dict, *lines) -> str:
    """Return what the last call said; it failed, and the namespace is as it was, the labels of earlier steps apart."""
    names = dict(frames)
    run = Session(planner=ScriptedPlanner([*lines, say("end")]), namespace=names).ask("q")
    made = {v.name for v in run.variables}
    assert {n: v for n, v in names.items() if n not in made}.keys() == frames.keys()
    assert all(names[n] is v for n, v in frames.items())
    last = run.steps[len(lines) - 1]
    assert last.status in ("failed", "invalid", "rejected"), last
    assert len(last.summary) > 20
    assert "Traceback" not in last.summary
    return last.summary


def cases(n: int = 60, **columns) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(n), "x": rng.normal(size=n), "y": rng.integers(0, 2, n)})
    return frame.assign(**columns)


def train(target: str = "y", **more):
    return call("train_tabular_model", df_label="cases", target_column=target, entity_column="id", **more)


def test_unknown_table_names_the_nearest():
    assert "cases" in failed_step({"cases": cases()}, call("run_sql", sql="SELECT * FROM casez"))


def test_unknown_column_names_the_nearest():
    text = failed_step({"amounts": pd.DataFrame({"amount": [1]})}, call("run_sql", sql="SELECT amuont FROM amounts"))
    assert "amount" in text


def test_unknown_label_names_the_nearest():
    text = failed_step(
        {"cases": cases()}, call("train_tabular_model", df_label="casse", target_column="y", entity_column="id")
    )
    assert "cases" in text


def test_unknown_target_names_the_nearest():
    assert "outcome" in failed_step({"cases": cases(outcome=1)}, train("outcom"))


def test_an_empty_result_is_said_and_cannot_be_learned_from():
    text = failed_step(
        {"cases": cases()},
        call("run_sql", sql="SELECT * FROM cases WHERE x > 1e9", label="none"),
        call("train_tabular_model", df_label="none", target_column="y", entity_column="id"),
    )
    assert "row" in text


@pytest.mark.parametrize(
    ("values", "word"),
    [
        (np.full(60, np.nan), "empty"),
        (np.ones(60, dtype=int), "one"),
        (np.zeros(60, dtype=int), "one"),
        (np.arange(60) % 40, "40"),
    ],
    ids=["all-null", "single-class", "constant", "40-class"],
)
def test_a_target_that_cannot_be_learned_says_why(values, word):
    text = failed_step({"cases": cases(y=values)}, train())
    assert "y" in text
    assert word in text.lower() or "class" in text.lower(), text


def test_duplicate_column_names_are_listed():
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
    assert "names: a." in failed_step({"doubled": frame}, call("run_sql", sql="SELECT * FROM doubled"))


def test_names_with_spaces_quotes_and_unicode_work_to_the_end():
    frame = cases().rename(columns={"x": 'größe "in" cm', "y": "is it bad?", "id": "case id"})
    names = {"frame": frame}
    run = Session(
        namespace=names,
        planner=ScriptedPlanner(
            [
                call("run_sql", sql="SELECT * FROM frame", label="naïve label's"),
                call(
                    "train_tabular_model", df_label="naïve label's", target_column="is it bad?", entity_column="case id"
                ),
                call("predict", df_label="frame"),
                call("explain_prediction", top_k=2),
                call("summarize_result", question="q"),
                say("end"),
            ]
        ),
    ).ask("q")
    assert [s.status for s in run.steps] == ["ok"] * 5, [s.summary for s in run.steps]
    assert 'größe "in" cm' in names["attributions"].columns


def test_zero_rows_can_be_asked_about():
    names = {"empty": cases().head(0)}
    run = Session(
        namespace=names, planner=ScriptedPlanner([call("run_sql", sql="SELECT count(*) AS n FROM empty"), say("0")])
    ).ask("q")
    assert run.frame.iloc[0, 0] == 0


def test_predicting_without_a_column_of_the_model_names_it():
    other = cases().drop(columns=["x"])
    text = failed_step({"cases": cases(), "other": other}, train(), call("predict", df_label="other"))
    assert "'x'" in text


def test_explaining_before_predicting_says_what_to_call():
    assert "predict" in failed_step({"cases": cases()}, train(), call("explain_prediction"))


def test_predicting_before_training_says_what_to_call():
    assert "train_tabular_model" in failed_step({"cases": cases()}, call("predict", df_label="cases"))


def test_an_unknown_case_names_the_nearest():
    text = failed_step(
        {"cases": cases()}, train(), call("predict", df_label="cases"), call("explain_prediction", case_ids=["999"])
    )
    assert "999" in text


def test_wrong_arguments_are_all_named_at_once():
    text = failed_step({"cases": cases()}, call("sample_values", tabel="cases", column="x", k="many"))
    assert "tabel" in text
    assert "table" in text
    assert "k" in text


def test_xgboost_absent_or_unknown_type_is_a_clear_error():
    assert "LightGBM" in failed_step({"cases": cases()}, train(model_type="CatBoost"))


def test_an_unwritable_cache_folder_says_which_variable_to_set(tmp_path, monkeypatch):
    from lexsi_nb import datasets

    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("LEXSI_NB_CACHE", str(blocked))
    with pytest.raises(LexsiError, match="LEXSI_NB_CACHE"):
        datasets.bank()


def test_a_corrupt_file_is_named_with_its_line(tmp_path, berka_folder):
    from lexsi_nb import datasets

    for file in berka_folder.glob("*.asc"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    loan = tmp_path / "loan.asc"
    loan.write_text(loan.read_text().replace("5314;1787", "53x4;1787"))
    with pytest.raises(LexsiError, match=r"loan\.asc.*line 2"):
        datasets.berka(tmp_path)


def test_an_empty_question_is_refused():
    with pytest.raises(LexsiError, match="no question"):
        Session(namespace={"cases": cases()}).ask("  \n")


def test_two_questions_at_once_are_refused():
    import threading

    session = Session(namespace={"cases": cases()})
    inside, go = threading.Event(), threading.Event()

    def wait(turn):
        inside.set()
        go.wait(10)
        return say("done")

    session.use(planner=ScriptedPlanner([wait]))
    thread = threading.Thread(target=session.ask, args=("first",))
    thread.start()
    assert inside.wait(10)
    with pytest.raises(LexsiError, match="still running"):
        session.ask("second")
    go.set()
    thread.join(10)
