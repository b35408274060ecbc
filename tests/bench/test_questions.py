"""The benchmark's questions: their gold runs and is sensible, their halves are even, their numbers are as stated."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import reliability
from answers import questions
from unseen.tables import PACKAGES

TOOLS = (
    "connect_datalake inspect_data query_kg text_to_sql run_sql sample_values train_tabular_model predict "
    "explain_prediction summarize_result"
).split()


@pytest.fixture(scope="module", params=list(questions.FILES))
def name(request: pytest.FixtureRequest) -> str:
    """The name of a dataset."""
    return request.param


@pytest.fixture(scope="module")
def connection(name: str) -> Any:
    """A connection with the dataset's tables."""
    if name in PACKAGES:
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pytest.importorskip(PACKAGES[name])
    found = reliability.gold_connection(name)
    yield found
    found.close()


def test_ids_and_questions_are_unique(name: str) -> None:
    found = questions.load(name)
    assert len({q.id for q in found}) == len(found)
    assert len({(q.question.casefold(), *q.after) for q in found}) == len(found)


def test_each_question_says_what_is_right(name: str) -> None:
    for q in questions.load(name):
        assert q.expect in questions.EXPECTED, q.id
        if q.expect == "answer":
            assert q.gold or q.text, q.id
        if q.expect == "predictive":
            assert q.gold or q.explained, q.id
        if q.expect == "decline":
            assert q.reason, q.id
            assert q.golds == ([q.namesake["gold"]] if q.namesake else []), q.id
        if q.expect == "ask":
            assert len(q.readings) >= 2, q.id
        if q.kind in questions.UNANSWERABLE:
            assert not q.answerable, q.id


def test_numbers_of_questions(name: str) -> None:
    found = questions.load(name)
    assert len(found) >= (240 if name == "bank" else 100)
    assert sum(not q.answerable for q in found) >= 0.3 * len(found)


def test_halves_are_drawn_by_kind(name: str) -> None:
    found = questions.load(name)
    drawn = questions.halves((q.id, q.kind, q.question) for q in found)
    assert {q.id: q.split for q in found} == drawn
    for kind in {q.kind for q in found}:
        sizes = Counter(q.split for q in found if q.kind == kind)
        assert abs(sizes["dev"] - sizes["test"]) <= 1, kind
    sizes = Counter(q.split for q in found)
    assert abs(sizes["dev"] - sizes["test"]) <= 1


def test_header_states_the_numbers(name: str) -> None:
    head = questions.FILES[name].read_text("utf-8").split("questions:\n")[0]
    stated = re.findall(r"^#   (\w+): (\d+) \((\d+) \+ (\d+)\)$", head, re.MULTILINE)
    found = questions.load(name)
    counted = []
    for kind in dict.fromkeys(q.kind for q in found):
        sizes = Counter(q.split for q in found if q.kind == kind)
        counted.append((kind, str(sizes.total()), str(sizes["dev"]), str(sizes["test"])))
    assert stated == counted
    assert f"# {len(found)} questions:" in head


def test_each_tool_has_a_happy_and_an_error_question() -> None:
    cases = {(q.tool, q.tool_case) for q in questions.load("bank") if q.tool}
    assert cases >= {(tool, case) for tool in TOOLS for case in ("happy", "error")}


def test_every_gold_statement_runs_and_says_something(name: str, connection: Any) -> None:
    for q in questions.load(name):
        for sql in q.golds:
            rows = connection.sql(sql).fetchall()
            if "where false" not in sql:
                assert rows, (q.id, sql)
                assert any(cell is not None for row in rows for cell in row), (q.id, sql)


def test_a_namesake_is_the_only_one(name: str, connection: Any) -> None:
    """A name that stood in two cells would have to be asked about; one that stands in none is made up."""
    for q in questions.load(name):
        if not q.namesake:
            continue
        assert (q.kind, q.expect) == ("made_up", "decline"), q.id
        assert set(q.namesake) == {"name", "gold", "said"}, q.id
        assert len(connection.sql(q.namesake["gold"]).fetchall()) == 1, q.id
        assert cells_that_say(connection, q.namesake["name"]) == 1, q.id


def test_cells_that_say_a_name_are_counted_over_all_tables() -> None:
    import duckdb

    made = duckdb.connect()
    made.sql("create table town as select * from (values (1, 'Oz', null), (2, 'Ulm', 'oz')) t(id, name, other)")
    made.sql("create table river as select 'Ulm' as name, 5 as length")
    assert [cells_that_say(made, word) for word in ("Oz", "Ulm", "Narnia")] == [2, 2, 0]


def cells_that_say(connection: Any, word: str) -> int:
    """How many text cells of all tables are this word, in either case."""
    found = 0
    for (table,) in connection.sql("show tables").fetchall():
        for column, kind, *_ in connection.sql(f'describe "{table}"').fetchall():
            if kind == "VARCHAR":
                said = f'select count(*) from "{table}" where lower("{column}") = lower(?)'
                found += connection.execute(said, [word]).fetchall()[0][0]
    return found


def test_answers_of_readings_differ(name: str, connection: Any) -> None:
    """Readings that come to the same are no ambiguity."""
    for q in questions.load(name):
        found = [sorted(map(repr, connection.sql(r["gold"]).fetchall())) for r in q.readings]
        assert all(a != b for at, a in enumerate(found) for b in found[at + 1 :]), q.id


def test_a_cut_in_a_ranking_falls_between_unequal_rows(name: str, connection: Any) -> None:
    """Where the k-th and the next row were equal, more than one answer would be right."""
    import sqlglot

    for q in questions.load(name):
        for sql in [q.gold] if q.expect == "answer" and q.gold else []:
            tree: Any = sqlglot.parse_one(sql, dialect="duckdb")
            order, limit = tree.args.get("order"), tree.args.get("limit")
            if order is None or limit is None:
                continue
            key, size = order.expressions[0].this, int(limit.expression.this)
            if key.is_int:  # a column by its place
                key = tree.selects[int(key.this) - 1].unalias()
            longer = tree.select(key.copy().as_("cut_key")).limit(size + 1)
            rows = connection.sql(longer.sql("duckdb")).fetchall()
            if len(rows) > size and rows[size - 1][:-1] != rows[size][:-1]:
                assert rows[size - 1][-1] != rows[size][-1], q.id


def test_sorted_answers_have_one_order(name: str, connection: Any) -> None:
    """Equal values beside each other would make the order of rows a matter of taste."""
    for q in questions.load(name):
        if q.ordered:
            keys = [row[-1] for row in connection.sql(q.gold).fetchall()]
            assert len(set(keys)) == len(keys), q.id


@pytest.mark.parametrize("name", ["bank"], indirect=True)
def test_cards_and_owners_are_counted_once(connection: Any) -> None:
    """Joins of gold statements keep the grain: one owner an account, one account a loan, one holder a card."""
    owner = "o.type = 'OWNER'"
    joins = {
        "loan": f"loan l join disp o on o.account_id = l.account_id and {owner} join client c using (client_id)",
        "card": "card k join disp o using (disp_id) join client c using (client_id)",
        "account": "account a join district d using (district_id)",
        "client": "client c join district d using (district_id)",
    }
    for table, join in joins.items():
        whole = connection.sql(f"select count(*) from {table}").fetchall()
        assert connection.sql(f"select count(*) from {join}").fetchall() == whole
    for q in questions.load("bank"):
        for sql in q.golds:
            counts = "count(" in sql or "sum(" in sql or "avg(" in sql
            assert not counts or "join disp" not in sql or "OWNER" in sql or "disp_id" in sql, q.id


def test_practice_questions_of_the_bank_are_others() -> None:
    practice = questions.load("practice_bank")
    asked = {q.question.casefold() for q in questions.load("bank")}
    assert len({q.id for q in practice}) == len(practice) >= 200
    assert not asked & {q.question.casefold() for q in practice}
    assert sum(not q.answerable for q in practice) >= 0.3 * len(practice)


def test_no_coded_name_of_the_data_stands_in_the_planner(connection: Any, project_root: Path) -> None:
    """Names that are no plain words (`dep_delay`, `yearID`) can only come from the data: not even a comment has one."""
    rows = connection.execute("SELECT DISTINCT table_name, column_name FROM information_schema.columns").fetchall()
    coded = {n for row in rows for n in row if re.search(r"[_\d]|[a-z][A-Z]", n)}
    assert coded
    folder = project_root / "lexsi_nb" / "grounding"
    for path in [*folder.rglob("*.py"), *folder.rglob("*.toml")]:
        words = set(re.findall(r"\w+", path.read_text("utf-8")))
        assert not words & coded, path.name
