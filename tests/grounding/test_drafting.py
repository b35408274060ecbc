"""The first draft of a knowledge graph: what a database declares and comments say, verified, marked, and accepted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from lexsi_nb import datasets
from lexsi_nb.app.session import Session
from lexsi_nb.errors import LexsiError
from lexsi_nb.magics.commands import command

DDL = """
CREATE TABLE customer(cust_ref INTEGER PRIMARY KEY, nm VARCHAR, seg VARCHAR, joined DATE);
CREATE TABLE ord(ord_no INTEGER PRIMARY KEY, payer INTEGER REFERENCES customer(cust_ref), st VARCHAR, amt INTEGER);
COMMENT ON TABLE ord IS 'Orders placed by customers';
COMMENT ON COLUMN ord.amt IS 'Order value, also called turnover or revenue';
COMMENT ON COLUMN ord.st IS 'Status: O = open, S = shipped, R = returned';
COMMENT ON COLUMN customer.seg IS 'Customer segment (B: business, P: private)';
INSERT INTO customer SELECT i, 'Name ' || i, CASE WHEN i % 3 = 0 THEN 'B' ELSE 'P' END, DATE '2020-01-01'
    FROM range(50) t(i);
INSERT INTO ord SELECT i, i % 50, ['O', 'S', 'R'][1 + i % 3], i % 97 FROM range(500) t(i);
"""


@pytest.fixture
def magics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    import duckdb

    monkeypatch.chdir(tmp_path)
    with duckdb.connect(tmp_path / "shop.duckdb") as con:
        con.execute(DDL)
    return SimpleNamespace(session=Session(dataset=tmp_path / "shop.duckdb", namespace={}))


def drafted(magics: SimpleNamespace) -> dict[str, Any]:
    command(magics, "kg draft")
    (held,) = yaml.safe_load(Path("lexsi_kg.yaml").read_text()).values()
    return held


def test_comments_and_keys_of_a_database_outlive_the_copy(magics: SimpleNamespace) -> None:
    table = magics.session.binding.engine.table("ord")
    assert table.comment == "Orders placed by customers"
    assert {c.name: c.comment for c in table.columns}["amt"] == "Order value, also called turnover or revenue"
    index = magics.session.binding.grounder().index
    assert index.key_of("customer").name == "cust_ref"
    assert [(j.child_column, j.parent, j.parent_column) for j in index.joins.joins] == [
        ("payer", "customer", "cust_ref")
    ]
    assert magics.session.ask("how many ord by seg").status == "answered"  # by the declared reference alone


def test_a_declared_reference_that_the_data_break_is_no_join(tmp_path: Path) -> None:
    import sqlite3

    from lexsi_nb.data.engine import Engine
    from lexsi_nb.grounding.grounder import Grounder

    with sqlite3.connect(tmp_path / "x.db") as db:
        db.executescript(
            "CREATE TABLE p(code INTEGER PRIMARY KEY, nm TEXT); CREATE TABLE good(g INTEGER REFERENCES p);"
            "CREATE TABLE bad(b INTEGER REFERENCES p(code));"
        )
        db.executemany("INSERT INTO p VALUES (?, ?)", [(i, f"n{i}") for i in range(2000, 2040)])
        db.executemany("INSERT INTO good VALUES (?)", [(2000 + i % 40,) for i in range(100)])
        db.executemany("INSERT INTO bad VALUES (?)", [(i,) for i in range(100)])
    dataset = datasets.open(tmp_path / "x.db")
    assert dataset.declared.references == (("bad", "b", "p", "code"), ("good", "g", "p", "code"))
    index = Grounder(Engine(dataset)).index
    assert [(j.child, j.child_column) for j in index.joins.joins] == [("good", "g")]


def test_a_draft_has_keys_joins_code_books_and_names_from_comments(magics: SimpleNamespace) -> None:
    held = drafted(magics)
    ord_, customer = held["tables"]["ord"], held["tables"]["customer"]
    assert (ord_["entity"], customer["entity"], customer["time"]) == ("ord_no", "cust_ref", "joined")
    assert ord_["names"] == ["ord", "order"]
    assert ord_["columns"]["st"]["codes"] == {"O": "open", "R": "returned", "S": "shipped"}
    assert ord_["columns"]["amt"]["names"] == ["order value", "turnover", "revenue"]
    assert customer["columns"]["seg"]["names"] == ["customer segment", "segment"]
    assert customer["columns"]["seg"]["codes"] == {"B": "business", "P": "private"}
    assert [(j["from"], j["to"], j["inferred"]) for j in held["join_paths"]] == [
        ("ord.payer", "customer.cust_ref", True)
    ]
    assert all(t["inferred"] and all(c["inferred"] for c in t["columns"].values()) for t in (ord_, customer))


def test_a_draft_is_used_once_it_is_accepted(magics: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    session = magics.session
    drafted(magics)
    assert session.ask("total revenue of shipped orders").status == "declined"
    command(magics, "kg accept ord")
    assert "Accepted in lexsi_kg.yaml: ord, join ord.payer = customer.cust_ref." in capsys.readouterr().out
    gold = session.binding.engine.query("SELECT sum(amt) FROM ord WHERE st = 'S'").iloc[0, 0]
    assert session.ask("total revenue of shipped orders").frame.iloc[0, 0] == gold
    assert session.ask("how many business customers").status == "declined"  # that table's draft is not accepted yet
    command(magics, "kg accept")
    assert session.ask("how many business customers").frame.iloc[0, 0] == 17
    assert session.ask("total revenue by segment").status == "answered"
    with pytest.raises(LexsiError, match="No entry 'orders'"):
        command(magics, "kg accept orders")


def test_a_draft_again_leaves_alone_what_a_person_accepted(magics: SimpleNamespace) -> None:
    drafted(magics)
    command(magics, "kg accept ord")
    held = drafted(magics)
    assert "inferred" not in held["tables"]["ord"]
    assert held["tables"]["customer"]["inferred"] is True


def test_a_draft_covers_nothing_that_is_known(bank: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    magics = SimpleNamespace(session=Session(dataset=bank, namespace={}))
    command(magics, "kg draft")
    assert not Path("lexsi_kg.yaml").exists()
    Path("lexsi_kg.yaml").write_text("bank: {tables: {loan: {inferred: true, names: [thing], time: null}}}")
    assert magics.session.ask("how many loans were granted in 1996").status == "answered"


def test_an_edit_by_hand_is_seen_by_the_next_question(magics: SimpleNamespace) -> None:
    assert magics.session.ask("how many vip customers").status == "declined"
    Path("lexsi_kg.yaml").write_text(
        "shop.duckdb: {disambiguations: {vip: {names: [vip customer], reading: {table: customer, sql: \"seg = 'B'\"}}}}"
    )
    assert magics.session.ask("how many vip customers").frame.iloc[0, 0] == 17


def test_comments_of_frames_are_names_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd
    import pyarrow as pa

    monkeypatch.chdir(tmp_path)
    visits = pd.DataFrame({"v_no": range(6), "dur": range(6)})
    visits.attrs["comments"] = {"dur": "Time spent, also called dwell time"}
    sites = pa.table(
        {"reg": ["N", "S"] * 3},
        schema=pa.schema([pa.field("reg", pa.string(), metadata={"comment": "N: north, S: south"})]),
    )
    held = {"visits": visits, "sites": sites}
    tables = drafted(SimpleNamespace(session=Session(held, namespace=dict(held))))["tables"]
    assert tables["visits"]["columns"]["dur"]["names"] == ["time spent", "dwell time"]
    assert tables["sites"]["columns"]["reg"]["codes"] == {"N": "north", "S": "south"}


def test_values_of_a_draft_are_not_told_to_a_model(magics: SimpleNamespace) -> None:
    from lexsi_nb.data.notebook_terms import read_terms

    drafted(magics)
    assert "business" in str(read_terms())
    Path("lexsi_kg.yaml").write_text(Path("lexsi_kg.yaml").read_text().replace("comment: 'Customer", "note: 'Customer"))
    graph = magics.session.binding.start().knowledge
    assert graph.node("customer.seg").text == ""
    assert "business" not in graph.column_comment("customer", "seg")


def test_private_columns_give_no_code_book(magics: SimpleNamespace) -> None:
    from lexsi_nb.grounding.knowledge.drafting import draft

    made = draft(magics.session.binding.grounder().index, private=("customer.seg",))
    assert "codes" not in made["tables"]["customer"]["columns"]["seg"]


def test_codes_are_told_once_and_those_without_a_meaning_not_at_all() -> None:
    from lexsi_nb.data.knowledge import KnowledgeGraph

    columns = {
        "st": {"comment": "Status: O = open, S = shipped", "codes": {"O": "open", "S": "shipped"}},
        "cat": {"codes": {"x": "", "y": ""}},
        "kind": {"comment": "what it is", "codes": {"1": "big", "2": ""}},
    }
    graph = KnowledgeGraph({"tables": {"ord": {"columns": columns}}})
    assert graph.node("ord.st").text == graph.column_comment("ord", "st") == "Status: O = open, S = shipped"
    assert graph.node("ord.cat").text == graph.column_comment("ord", "cat") == ""
    assert graph.node("ord.kind").text == "what it is: 1 = big"
