"""Questions over the bank that were written blind: each is read as what it says, or not answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading

if TYPE_CHECKING:
    from lexsi_nb.grounding.grounder import Grounder


def rows(grounder: Grounder, question: str) -> list[tuple[Any, ...]]:
    """Return the rows of the answer to a question."""
    found = grounder.read(question)
    assert isinstance(found, Reading), found
    return [tuple(r) for r in grounder.engine.query(found.sql).itertuples(index=False)]


def same_rows(grounder: Grounder, question: str, sql: str) -> None:
    """Hold the rows of an answer against those of a statement."""
    got = rows(grounder, question)
    want = [tuple(r) for r in grounder.engine.query(sql).itertuples(index=False)]
    width = len(want[0])
    assert [r[:width] for r in got] == [pytest.approx(w) if isinstance(w[0], float) else w for w in want]


ANSWERED = [
    ("average loan size by gender of owner", "select c.gender, avg(amount) from loan join disp o using (account_id) "
     "join client c using (client_id) where o.type = 'OWNER' group by 1 order by 2 desc"),
    ("mean amount of loans granted to women", "select avg(amount) from loan join disp o using (account_id) "
     "join client c using (client_id) where o.type = 'OWNER' and gender = 'female'"),
    ("median of card withdrawals", "select median(amount) from trans where operation = 'VYBER KARTOU'"),
    ("how many transactions with a negative balance", "select count(*) from trans where balance < 0"),
    ("number of districts with unemployment in 1996 below 2 percent",
     "select count(*) from district where unemployment_1996 < 2"),
    ("how many standing orders above 10,000 go to bank QR",
     "select count(*) from \"order\" where amount > 10000 and bank_to = 'QR'"),
    ("largest standing order to bank AB",
     "select order_id from \"order\" where bank_to = 'AB' order by amount desc limit 1"),
    ("the most common birth year of clients",
     "select year(birth_date), count(*) from client group by 1 order by 2 desc, 1 limit 1"),
    ("number of accounts opened on or before 1993-06-30",
     "select count(*) from account where date <= '1993-06-30'"),
    ("districts where over 15 loans were granted", "select district_id from district d where 15 < (select count(*) "
     "from loan join account a using (account_id) where a.district_id = d.district_id) order by 1"),
    ("how many times bigger is the average loan in Prague compared to south Moravia",
     "select avg(amount) filter (region = 'Prague') / avg(amount) filter (region = 'south Moravia') "
     "from loan join account using (account_id) join district using (district_id)"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), ANSWERED)
def test_it_is_read_as_it_is_said(bank_grounder: Grounder, question: str, sql: str) -> None:
    same_rows(bank_grounder, question, sql)


COMPARED = [
    ("which have a higher default rate, men or women", ("female", "male")),
    ("which region has more clients, south Bohemia or west Bohemia", ("west Bohemia", "south Bohemia")),
]


@pytest.mark.parametrize(("question", "sides"), COMPARED)
def test_two_things_at_the_end_are_what_is_compared(
    bank_grounder: Grounder, question: str, sides: tuple[str, str]
) -> None:
    assert tuple(r[0] for r in rows(bank_grounder, question)) == sides


LEFT = [
    "which district had the higher crime in 1996, Kladno or Kolin or Decin",
    "which had more loans, 1995, 1996 or 1997",
    "average balance after transactions in 1997",
]


@pytest.mark.parametrize("question", LEFT)
def test_it_is_not_read_as_something_else(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), (Choice, Declined))
