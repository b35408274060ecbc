"""The knowledge graph: true of the data, found by the words of a question."""

from __future__ import annotations

import json

import pytest

from lexsi_nb.data.engine import Engine
from lexsi_nb.data.knowledge import KnowledgeGraph, UnknownNode, UnknownSection, load
from lexsi_nb.errors import BadData

NORTH_STAR = (
    "For loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)


@pytest.fixture(scope="module")
def graph(bank) -> KnowledgeGraph:
    found = bank.knowledge
    assert found is not None
    return found


def test_every_table_and_column_of_the_data_is_described(graph: KnowledgeGraph, bank_engine: Engine) -> None:
    for table in bank_engine.tables():
        assert table.comment, table.name
        for column in table.columns:
            assert column.comment, f"{table.name}.{column.name}"
    known = {t.name: set(t.column_names()) for t in bank_engine.tables()}
    for name, facts in graph.tables.items():
        assert set(facts["columns"]) <= known[name]


def test_codes_are_the_values_of_the_data(graph: KnowledgeGraph, bank_engine: Engine) -> None:
    for table, facts in graph.tables.items():
        for column, about in facts["columns"].items():
            if "codes" in about:
                sql = f'SELECT DISTINCT {column} AS v FROM "{table}" WHERE {column} IS NOT NULL'
                values = set(bank_engine.query(sql).v)
                # The synthetic bank has every code, and the graph knows every one.
                assert values <= set(about["codes"]), f"{table}.{column}"
                assert set(about.get("code_names", about["codes"])) == set(about["codes"])


def test_sql_of_the_graph_runs(graph: KnowledgeGraph, bank_engine: Engine) -> None:
    for metric in graph.metrics.values():
        join = " LEFT JOIN card USING (disp_id)" if "card." in metric["sql"] else ""
        assert len(bank_engine.query(f'SELECT {metric["sql"]} AS v FROM "{metric["table"]}"{join}')) == 1
    for concept in graph.concepts.values():
        if "sql" in concept:
            assert (
                len(bank_engine.query(f'SELECT * FROM "{concept["table"]}" WHERE {concept["sql"]}', max_rows=None)) > 0
            )
    outcome = graph.outcomes["default"]
    counts = {
        k: bank_engine.query(f"SELECT count(*) AS n FROM loan WHERE {outcome[k]['sql']}").n[0]
        for k in ("labelled", "scored", "already")
    }
    assert counts == {"labelled": 234, "scored": 403, "already": 45}


def test_cardinality_of_the_join_paths_is_true(graph: KnowledgeGraph, bank_engine: Engine) -> None:
    for path in graph.join_paths:
        twice = f'SELECT count(*) - count(DISTINCT {path.to_column}) AS n FROM "{path.to_table}"'
        assert path.many_to_one
        assert bank_engine.query(twice).n[0] == 0
        if path.one_to_one:
            assert (
                bank_engine.query(f'SELECT count(*) - count(DISTINCT {path.column}) AS n FROM "{path.table}"').n[0] == 0
            )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (NORTH_STAR, "disambig:running_is_c"),
        (NORTH_STAR, "disambig:default_is_b_or_d"),
        ("How many customers are there?", "disambig:customer_is_client"),
        ("How many clients lives in Prague?", "disambig:lives_in_is_client_district"),
        ("Which accounts are owned by women?", "disambig:owned_by_is_owner"),
        ("What is the default rate by region?", "metric:default_rate"),
        ("What is the average loan amount?", "metric:average_loan_amount"),
        ("How many gold cards were issued?", "column:card.type"),
        ("accounts with sanction interest", "concept:sanction_interest"),
    ],
)
def test_question_finds_its_entry(graph: KnowledgeGraph, question: str, expected: str) -> None:
    assert expected in [h.node.id for h in graph.search(question, k=5)]


def test_search_tells_which_phrase_matched(graph: KnowledgeGraph) -> None:
    best = graph.search(NORTH_STAR)[0]
    assert best.matched[0] == "currently being repaid"
    assert graph.search("xyzzy") == []
    assert graph.search("") == []


def test_search_is_stable(graph: KnowledgeGraph) -> None:
    assert graph.search(NORTH_STAR, k=20) == graph.search(NORTH_STAR, k=20)


def test_outline_section_and_node(graph: KnowledgeGraph) -> None:
    assert "disambig:running_is_c" in graph.outline()
    assert [n.label for n in graph.section("tables")] == list(graph.tables)
    assert graph.section("disambigs") == graph.section("disambiguations")
    assert graph.node("table:loan") is graph.node("loan") or graph.node("loan").id == "concept:loan"
    assert graph.node("Default rate").id == "metric:default_rate"
    assert graph.node("loan.status").id == "column:loan.status"


def test_unknown_section_and_node_name_the_nearest(graph: KnowledgeGraph) -> None:
    with pytest.raises(UnknownSection, match="metrics"):
        graph.section("metric")
    with pytest.raises(UnknownNode, match=r"There is: account, account\.account_id, .* and \d+ more\.$"):
        graph.node("zzzzzz")
    with pytest.raises(UnknownNode, match="default_rate"):
        graph.node("defaultrate")


def test_alias_stands_for_the_readable_name(graph: KnowledgeGraph) -> None:
    assert graph.column("district", "A3")["alias_of"] == "region"
    assert graph.column("district", "nothing") == {}
    assert graph.column_comment("loan", "status").startswith("how the loan stands (A:")


def test_json_and_broken_files(tmp_path) -> None:
    (tmp_path / "g.json").write_text(json.dumps({"concepts": {"x": {"text": "an x", "triggers": ["x"]}}}))
    assert load(tmp_path / "g.json").search("x")[0].node.id == "concept:x"
    (tmp_path / "bad.yaml").write_text("a: [1")
    with pytest.raises(BadData, match=r"bad\.yaml cannot be read"):
        load(tmp_path / "bad.yaml")
    (tmp_path / "list.yaml").write_text("- 1")
    with pytest.raises(BadData, match="no knowledge graph"):
        load(tmp_path / "list.yaml")
    with pytest.raises(BadData, match="does not exist"):
        load(tmp_path / "gone.yaml")


def test_what_rests_on_a_missing_table_is_left_out(graph: KnowledgeGraph) -> None:
    without = graph.only(frozenset(graph.tables) - {"trans"})
    assert "trans" not in without.tables
    assert "average_balance" not in without.metrics
    assert "sanction_interest" not in without.concepts
    assert all("trans" not in (p.table, p.to_table) for p in without.join_paths)
    assert without.outcomes == graph.outcomes
    assert set(without.disambiguations) == set(graph.disambiguations)
    assert not graph.only(frozenset({"client"})).outcomes
    assert graph.only(frozenset(graph.tables)) is graph


def test_dataset_without_a_table_has_a_graph_without_it(berka_folder) -> None:
    from lexsi_nb import datasets

    knowledge = datasets.berka(berka_folder).knowledge
    assert knowledge is not None
    assert ("trans" in knowledge.tables) == (berka_folder / "trans.asc").is_file()
