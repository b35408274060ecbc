"""What a session does not take is refused where it is given, with what is taken; what runs made is asked by name."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.app.asked import OF_SESSION, OPTIONS, UnknownAskOption
from lexsi_nb.app.session import Session
from lexsi_nb.errors import BadData

ORDERS = pd.DataFrame({"order_no": [1, 2, 3], "amount": [1.0, 2.0, 3.0]})


@pytest.mark.parametrize(
    ("given", "says"),
    [(3, "Cannot open int"), ([ORDERS], 'names: {"orders": orders}'), ([], "list with nothing"), (print, "a dict of")],
)
def test_what_is_no_dataset_is_refused_with_what_is(given, says):
    with pytest.raises(BadData, match="Expected a path, a list of paths, a DataFrame") as refused:
        Session(given)
    assert says in str(refused.value)
    session = Session({"orders": ORDERS})
    with pytest.raises(BadData):
        session.use(dataset=given)
    assert session.ask("how many orders?").frame.iloc[0, 0] == 3
    session.close()


def test_settings_of_models_that_cannot_be_are_refused():
    for seed in (-5, 1.5, "x", 2**31):
        with pytest.raises(BadData, match=r"seed is .*whole number from 0"):
            Session({"orders": ORDERS}, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(BadData, match="There is: LightGBM, XGBoost"):
        Session({"orders": ORDERS}, model_type="Forest")


def test_a_path_is_opened_with_the_first_question_only():
    session = Session("no/such/folder")
    assert session.ask("how many orders?").status == "failed"
    session.close()


def test_values_that_are_no_frames_are_named():
    session = Session({"orders": ORDERS, "x": 3, "_private": 4})
    run = session.ask("how many orders?")
    assert run.frame.iloc[0, 0] == 3
    assert run.facts["data"] == ["Left out, for they are no DataFrames: x (int)."]
    session.close()


def test_a_question_is_text_and_its_options_are_named():
    session = Session({"orders": ORDERS})
    with pytest.raises(BadData, match="A question is text and not NoneType"):
        session.ask(None)  # type: ignore[arg-type]
    with pytest.raises(UnknownAskOption, match=r"'seed'.* max_steps, .*lx\.Session\(\.\.\., seed="):
        session.ask("how many orders?", seed=1)
    with pytest.raises(UnknownAskOption, match="Nearest: max_steps"):
        session.ask("how many orders?", max_step=1)
    assert session.ask("how many orders?", max_steps=5).ok
    session.close()


def test_the_options_that_are_named_are_those_there_are():
    import inspect

    from lexsi_nb.app.running import Running
    from lexsi_nb.app.tape import Tape

    taken = {*inspect.signature(Running).parameters, *inspect.signature(Tape.of).parameters}
    assert set(OPTIONS) == taken - {"session", "question", "tape", "taping"}
    assert set(OF_SESSION) == set(inspect.signature(Session).parameters) - {*OPTIONS}


def test_what_runs_made_is_no_data_of_the_user():
    names = {"customers": pd.DataFrame({"customer_id": [1, 2, 3]})}
    session = Session(namespace=names)
    run = session.ask("How many customers?")
    session.variables.write("customers", run.frame, run_id=run.id, producer="--into")
    assert "customers_2" in names
    assert session.ask("how many rows of customers_2").frame.iloc[0, 0] == 1
    assert session.ask("How many customers?").frame.iloc[0, 0] == 3
    del names["customers"]
    gone = session.ask("How many customers?")
    assert gone.status == "failed"
    assert "There are no data to ask about" in gone.answer
    assert "customers_2" in gone.answer
    assert session.ask("how many rows of customers_2").frame.iloc[0, 0] == 1
    names["answer_df"] = ORDERS  # a name that a run had, and the user's now
    assert session.ask("how many rows of answer_df").frame.iloc[0, 0] == 3
    session.close()
