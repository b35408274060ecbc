"""Whom, when and how much of a ranking: who has the largest, the best months of a year, half the average."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading


def _same(grounder, question: str, sql: str) -> None:
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    got, wanted = grounder.engine.query(found.sql), grounder.engine.query(sql)
    key = [c for c in got.columns if c in wanted.columns] or list(got.columns[:1])
    assert list(got[key[0]]) == list(wanted[key[0]]), found.sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("who has the smallest loan", "SELECT client_id FROM loan JOIN disp d USING (account_id) "
         "WHERE d.type = 'OWNER' ORDER BY amount LIMIT 1"),
        ("top 2 months of 1995 by number of cards", "SELECT date_trunc('month', issued)::date AS month, count(*) AS n "
         "FROM card WHERE year(issued) = 1995 GROUP BY 1 ORDER BY n DESC, 1 LIMIT 2"),
        ("top 2 months in 1995 by total loan amount", "SELECT date_trunc('month', date)::date AS month, sum(amount) n "
         "FROM loan WHERE year(date) = 1995 GROUP BY 1 ORDER BY n DESC, 1 LIMIT 2"),
        ("which year saw the most junior cards", "SELECT year(issued) AS year, count(*) AS n FROM card "
         "WHERE type = 'junior' GROUP BY 1 ORDER BY n DESC LIMIT 1"),
        ("which loan duration has the lowest average amount", "SELECT duration, avg(amount) AS n FROM loan "
         "GROUP BY 1 ORDER BY n LIMIT 1"),
        ("standing orders under half the average amount", 'SELECT order_id FROM "order" '
         'WHERE amount < 0.5 * (SELECT avg(amount) FROM "order") ORDER BY order_id'),
        ("name, region and average salary of the districts in Prague", "SELECT district_id FROM district "
         "WHERE region = 'Prague'"),
        ("insurance orders over 5500", "SELECT order_id FROM \"order\" WHERE k_symbol = 'POJISTNE' AND amount > 5500 "
         "ORDER BY order_id"),
        ("leasing orders over 4600", "SELECT order_id FROM \"order\" WHERE k_symbol = 'LEASING' AND amount > 4600 "
         "ORDER BY order_id"),
    ],
)  # fmt: skip
def test_it_is_read_as_it_is_said(bank_grounder, question, sql):
    _same(bank_grounder, question, sql)


def test_name_and_an_average_column_are_listed_for_each_row(bank_grounder):
    found = bank_grounder.read("name and average salary of the districts in south Bohemia")
    assert isinstance(found, Reading), found
    frame = bank_grounder.engine.query(found.sql)
    assert list(frame.columns) == ["district_id", "name", "average_salary"]
    assert len(frame) == 8


def test_half_of_nothing_named_is_declined(bank_grounder):
    assert isinstance(bank_grounder.read("half the loans"), Declined)


def test_an_amount_of_several_tables_stays_open(bank_grounder):
    assert isinstance(bank_grounder.read("which k_symbol has the highest average amount"), Choice)
