"""Figures that say nothing are not shown, and how many of the best is asked."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("total balance by region", "level"),  # a sum of balances over time
        ("total salary in Prague", "one row each"),  # a sum of averages
        ("newest customers", "day of birth"),
        ("what is a loan?", "words mean"),
        ("average account id of loans", "key"),
    ],
)
def test_figures_that_say_nothing_are_declined(bank_grounder, question, why):
    found = bank_grounder.read(question)
    assert isinstance(found, Declined), found.text
    assert why in found.text


@pytest.mark.parametrize(
    "question", ["oldest customers", "which accounts have the most transactions", "balance of account 1"]
)
def test_how_many_or_which_is_asked(bank_grounder, question):
    assert isinstance(bank_grounder.read(question), Choice)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("how many fewer loans were granted in 1995 than in 1997",
         "SELECT count(*) FILTER (WHERE year(date) = 1997) - count(*) FILTER (WHERE year(date) = 1995) FROM loan"),
        ("How many gold cards were issued in 1997 or 1998?",
         "SELECT count(*) FROM card WHERE type = 'gold' AND year(issued) IN (1997, 1998)"),
        ("how many women default?",
         "SELECT count(*) FROM loan JOIN disp d USING (account_id) JOIN client USING (client_id)"
         " WHERE d.type = 'OWNER' AND gender = 'female' AND status IN ('B', 'D')"),
        ("years with more than 100 loans",
         "SELECT year(date) FROM loan GROUP BY 1 HAVING count(*) > 100 ORDER BY 1"),
        ("the most frequent bank in standing orders",
         'SELECT bank_to FROM "order" GROUP BY 1 ORDER BY count(*) DESC LIMIT 1'),
    ],
)  # fmt: skip
def test_first_column_equals_hand_written_sql(bank_grounder, question, gold):
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    got, wanted = (bank_grounder.engine.query(sql) for sql in (reading.sql, gold))
    assert got.iloc[:, 0].tolist() == wanted.iloc[:, 0].tolist()
