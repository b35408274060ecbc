"""Meanings given from the notebook: kept in a file people can review, used by the next question."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest
import yaml

from lexsi_nb.app.session import Session
from lexsi_nb.errors import LexsiError
from lexsi_nb.grounding.knowledge.definitions import definition_said
from lexsi_nb.magics.commands import command


@pytest.fixture
def magics(bank, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return SimpleNamespace(session=Session(dataset=bank, namespace={}))


def test_a_sentence_gives_words_a_meaning():
    assert definition_said("here, 'bad customer' means status B or D") == ("bad customer", "status B or D")
    assert definition_said("what does default mean") is None


def test_a_meaning_is_kept_and_used(magics, tmp_path, capsys):
    session = magics.session
    assert session.ask("how many shaky customers").status == "declined"
    command(magics, "kg add 'shaky customer' means loans with status B or D")
    assert "lexsi_kg.yaml" in capsys.readouterr().out
    entry = yaml.safe_load((tmp_path / "lexsi_kg.yaml").read_text())["bank"]["disambiguations"]["shaky_customer"]
    assert entry["reading"] == {"table": "loan", "sql": "status IN ('B', 'D')"}
    assert entry["source"] == "user"
    run = session.ask("how many shaky customers")
    gold = session.binding.engine.query(
        "SELECT count(DISTINCT client_id) FROM loan JOIN disp USING (account_id)"
        " WHERE status IN ('B', 'D') AND type = 'OWNER'"
    )
    assert run.frame.iloc[0, 0] == gold.iloc[0, 0]


@pytest.mark.parametrize(
    ("term", "said", "table", "sql"),
    [
        ("bad customer", "status B or D", "loan", "status IN ('B', 'D')"),
        ("such", "gender female", "client", "gender = 'female'"),
        ("big loan", "amount over 200000", "loan", "amount > 200000"),
    ],
)
def test_a_meaning_need_not_name_the_rows_that_one_table_has(bank_grounder, term, said, table, sql):
    from lexsi_nb.grounding.knowledge.definitions import Definition, define

    found = define(term, said, bank_grounder)
    assert isinstance(found, Definition)
    assert (found.table, found.sql) == (table, sql)


def test_a_kept_meaning_narrows_a_prediction(magics):
    from lexsi_nb.grounding.reading import Declined, PredictivePlan

    def scored(plan):
        return len(magics.session.binding.engine.query(plan.predict_sql))

    command(magics, "kg add 'big loan' means amount over 200000")
    command(magics, "kg add 'good customer' means status A or C")
    grounder = magics.session.binding.grounder()
    every, big = grounder.understood("which loans will default"), grounder.understood("which big loans will default")
    assert isinstance(every, PredictivePlan)
    assert isinstance(big, PredictivePlan)
    amounts = magics.session.binding.engine.query("SELECT amount FROM loan WHERE status = 'C'")["amount"]
    assert scored(every) == len(amounts)
    assert scored(big) == (amounts > 200_000).sum()
    good = grounder.understood("which good customers will default")  # of some it is known already
    assert isinstance(good, Declined)
    assert "known already" in good.reason


def test_a_meaning_that_rows_of_two_tables_can_have_is_asked_about(bank_grounder):
    from lexsi_nb.grounding.knowledge.definitions import define
    from lexsi_nb.grounding.reading import Choice

    found = define("bulky", "amount over 3000", bank_grounder)
    assert isinstance(found, Choice)


def test_a_meaning_can_be_taken_back(magics):
    command(magics, "kg add 'big loan' means loans with amount over 300000")
    assert magics.session.ask("how many big loans").status == "answered"
    command(magics, "kg remove big loan")
    assert magics.session.ask("how many big loans").status == "needs_choice"
    with pytest.raises(LexsiError, match="big"):
        command(magics, "kg remove big loan")


@pytest.mark.parametrize("said", ["'good' means nice people", "good is nice", "'big' means amount"])
def test_a_meaning_that_cannot_be_told_is_refused(magics, tmp_path, said):
    with pytest.raises(LexsiError):
        command(magics, f"kg add {said}")
    assert not (tmp_path / "lexsi_kg.yaml").exists()


def test_the_knowledge_is_looked_at(magics, capsys):
    command(magics, "kg")
    assert "outcomes to predict (1)" in capsys.readouterr().out
    command(magics, "kg likely to default")
    assert "default" in capsys.readouterr().out


def test_a_meaning_said_as_a_question_names_the_command(magics):
    run = magics.session.ask("here, 'bad customer' means status B or D")
    assert run.status == "declined"
    assert "%lexsi kg add 'bad customer' means status B or D" in run.answer


def test_a_draft_is_inferred_and_marked(shop, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    magics = SimpleNamespace(session=Session(dataset=dict(shop), namespace=dict(shop)))
    before = magics.session.ask("average unit price of orders by city")
    command(magics, "kg draft")
    (held,) = yaml.safe_load((tmp_path / "lexsi_kg.yaml").read_text()).values()
    assert held["tables"]["orders"]["inferred"] is True
    assert held["tables"]["orders"]["columns"]["Status"]["codes"] == {"on hold": "", "returned": "", "shipped": ""}
    assert [(j["from"], j["to"]) for j in held["join_paths"]] == [("orders.customer_id", "customers.customer_id")]
    after = magics.session.ask("average unit price of orders by city")
    assert after.frame.equals(before.frame)


def test_a_broken_file_is_named(bank, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lexsi_kg.yaml").write_text("bank: [")
    with pytest.raises(LexsiError, match=r"lexsi_kg\.yaml"):
        _ = bank.knowledge


def test_words_can_be_another_name_of_a_table_a_column_or_a_figure(magics, tmp_path):
    session = magics.session
    command(magics, "kg add 'outlay' means loan amount")
    command(magics, "kg add 'punter' means client")
    command(magics, "kg add 'ticket size' means average loan amount")
    held = yaml.safe_load((tmp_path / "lexsi_kg.yaml").read_text())["bank"]["disambiguations"]
    assert held["outlay"]["reading"] == {"column": "loan.amount"}
    assert held["punter"]["reading"] == {"table": "client"}
    average = session.binding.engine.query("SELECT avg(amount) FROM loan").iloc[0, 0]
    assert session.ask("average outlay").frame.iloc[0, 0] == average
    assert session.ask("how many punters").frame.iloc[0, 0] == 5369
    assert session.ask("ticket size").frame.iloc[0, 0] == average


def test_an_entry_is_edited_and_one_that_is_not_there_is_named(magics, capsys):
    command(magics, "kg add 'big loan' means loans with amount over 300000")
    capsys.readouterr()
    command(magics, "kg edit 'big loan' means loans with amount over 400000")
    told = capsys.readouterr().out
    assert "amount over 400,000. That is" in told
    assert "It was:" in told
    with pytest.raises(LexsiError, match="No entry 'small loan'"):
        command(magics, "kg edit 'small loan' means loans with amount under 1000")


def test_a_name_in_quotes_is_said_once(magics):
    with pytest.raises(LexsiError, match=r"No entry 'nothing'"):
        command(magics, "kg remove 'nothing'")


def test_frames_without_a_knowledge_graph_are_told_so(shop, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command(SimpleNamespace(session=Session(dataset=dict(shop), namespace=dict(shop))), "kg")
    assert f"There is no knowledge graph for {len(shop)} kernel frames." in capsys.readouterr().out


@pytest.mark.parametrize("said", ["'status' means status A", "'loan' means loans above 200000"])
def test_a_name_of_the_data_keeps_its_meaning(magics, tmp_path, said):
    with pytest.raises(LexsiError, match="is a name of the data already"):
        command(magics, f"kg add {said}")
    assert not (tmp_path / "lexsi_kg.yaml").exists()


@pytest.fixture
def pool(tmp_path, monkeypatch):
    """Return the magics over guests, their swims and what they paid."""
    monkeypatch.chdir(tmp_path)
    guests = pd.DataFrame(
        {
            "guest_id": [1, 2, 3, 4],
            "weight": [22, 35, 51, 67],
            "tariff": ["casual", "season", "season", "casual"],
            "left_us": [True, False, False, True],
        }
    )
    of = [1] * 2 + [2] * 5 + [3] * 4 + [4]
    swims = pd.DataFrame({"swim_id": range(1, 13), "guest_id": of, "laps": [40, 8, 3, 4, 2, 5, 6, 1, 2, 9, 4, 30]})
    bills = pd.DataFrame(
        {
            "bill_id": range(1, 7),
            "guest_id": [1, 1, 2, 3, 3, 4],
            "price": [10.0, 20.0, 40.0, 5.0, 80.0, 160.0],
            "state": ["settled", "void", "settled", "settled", "void", "settled"],
            "billed_on": pd.to_datetime(
                ["2023-02-01", "2024-02-01", "2023-05-01", "2024-06-01", "2023-07-01", "2024-01-05"]
            ),
        }
    )
    frames = {"guests": guests, "swims": swims, "bills": bills}
    return SimpleNamespace(session=Session(dataset=frames, namespace=dict(frames)))


def test_a_bare_number_of_rows_is_kept_as_no_column_that_was_not_named(pool, tmp_path):
    with pytest.raises(LexsiError, match="names no column") as refused:
        command(pool, "kg add 'keen' means swims > 3")
    assert not (tmp_path / "lexsi_kg.yaml").exists()
    for said, number in [("guests with > 3 swims", 2), ("swims with laps over 3", 4)]:
        assert f"%lexsi kg add 'keen' means {said}" in str(refused.value)
        command(pool, f"kg add 'keen' means {said}")
        assert pool.session.ask("how many keen guests").frame.iloc[0, 0] == number


def test_so_many_rows_are_told_of_what_has_them(pool):
    command(pool, "kg add 'keen' means at least 4 swims")
    assert pool.session.ask("how many keen guests").frame.iloc[0, 0] == 2


def test_between_two_numbers_names_no_column_either(pool):
    with pytest.raises(LexsiError, match="swims with laps between 3 and 9"):
        command(pool, "kg add 'short' means swims between 3 and 9")


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        ("how many comfy guests", "weight >= 50", 2),
        ("number of swims of comfy guests", "weight >= 50", 5),
        ("how many comfy season guests", "weight >= 50", 1),
        ("how many comfy guests", "season", 2),
    ],
)
def test_words_are_read_anew_as_a_condition_on_rows(pool, tmp_path, question, said, answer):
    assert pool.session.ask(question).status == "declined"
    assert pool.session.reread("comfy", said).frame.iloc[0, 0] == answer
    assert not (tmp_path / "lexsi_kg.yaml").exists()
    pool.session.ask(question)
    assert pool.session.reread("comfy", said, keep=True).frame.iloc[0, 0] == answer
    assert pool.session.ask(question).frame.iloc[0, 0] == answer


def test_what_the_question_cannot_be_read_with_is_not_kept(pool, tmp_path):
    pool.session.ask("how many keen guests")
    with pytest.raises(LexsiError, match="is not kept as 'swims > 3'"):
        pool.session.reread("keen", "swims > 3", keep=True)
    assert not (tmp_path / "lexsi_kg.yaml").exists()


@pytest.mark.parametrize(
    "said",
    ["total price of bills with state settled", "total price where state is settled", "sum of price of settled bills"],
)
def test_a_figure_with_a_condition_is_kept_and_more_is_said_of_it(pool, said):
    command(pool, f"kg add 'turnover' means {said}")
    ask = pool.session.ask
    assert ask("turnover").frame.iloc[0, 0] == 215
    assert dict(ask("turnover by tariff").frame.itertuples(index=False)) == {"casual": 170, "season": 45}
    assert ask("turnover in 2023").frame.iloc[0, 0] == 50
    assert ask("what is the turnover of casual guests in 2024").frame.iloc[0, 0] == 160
    assert ask("which tariff has the highest turnover").frame.iloc[0, 0] == "casual"
    assert ask("average price of bills").frame.iloc[0, 0] == 52.5


@pytest.mark.parametrize("question", ["share of turnover by tariff", "turnover with price over 30"])
def test_a_figure_is_not_told_without_its_condition_or_of_other_rows(pool, question):
    command(pool, "kg add 'turnover' means total price of bills with state settled")
    run = pool.session.ask(question)
    assert run.status == "declined"
    assert "'turnover' is total price of bills with state settled" in run.answer


def test_an_example_of_a_meaning_is_of_the_data(pool, capsys):
    command(pool, "kg")
    said = "kg add 'special guests' means tariff casual"
    assert f"%lexsi {said}\n" in capsys.readouterr().out
    with pytest.raises(LexsiError, match=said):
        command(pool, "kg add good")
    command(pool, said)
    assert pool.session.ask("how many special guests").frame.iloc[0, 0] == 2


def test_what_came_in_is_chosen_once_and_kept(pool):
    run = pool.session.ask("total earnings by tariff")
    assert run.status == "needs_choice"
    assert [bool(o.means) for o in run.choice.options] == [True, False]
    by_tariff = pool.session.choose(1, keep=True).frame
    assert dict(by_tariff.itertuples(index=False)) == {"casual": 190, "season": 125}
    assert pool.session.ask("total earnings in 2024").frame.iloc[0, 0] == 185
