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


SECOND = [
    ("how many accounts belong to men", "select count(*) from account join disp o using (account_id) "
     "join client c using (client_id) where o.type = 'OWNER' and gender = 'male'"),
    ("accounts opened before 1994 that have no loan but have a card: number?", "select count(*) from account a "
     "where year(date) < 1994 and account_id not in (select account_id from loan) "
     "and account_id in (select account_id from disp join card using (disp_id))"),
    ("latest account opening date per region", "select region, max(date) from account join district "
     "using (district_id) group by 1 order by 2 desc, 1"),
    ("What fraction of transactions in 1998 were credits?",
     "select 100.0 * avg((type = 'PRIJEM')::int) from trans where year(date) = 1998"),
    ("How large is the share of junior cards?", "select 100.0 * avg((type = 'junior')::int) from card"),
    ("Top three districts for number of loans in default", "select d.name, count(*) from loan join account using "
     "(account_id) join district d using (district_id) where status in ('B', 'D') "
     "group by 1 order by 2 desc, 1 limit 3"),
    ("by what factor is the number of transactions in 1998 larger than in 1994",
     "select count(*) filter (year(date) = 1998) / count(*) filter (year(date) = 1994) from trans"),
    ("how much money was withdrawn by card in 1998",
     "select sum(amount) from trans where operation = 'VYBER KARTOU' and year(date) = 1998"),
    ("does the loan table have null values", "select false"),
    ("are there missing values in crimes_1995", "select true, 1"),
    ("in which district does the client with the largest loan live", "select district_id, name from district where "
     "district_id = (select district_id from loan join disp o using (account_id) join client using (client_id) "
     "where o.type = 'OWNER' order by amount desc limit 1)"),
    ("how many clients own no account",
     "select count(*) from client where client_id not in (select client_id from disp where type = 'OWNER')"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), SECOND)
def test_it_is_read_as_it_is_said_too(bank_grounder: Grounder, question: str, sql: str) -> None:
    same_rows(bank_grounder, question, sql)


def test_who_owns_no_account_may_still_use_one(bank_grounder: Grounder) -> None:
    found = rows(bank_grounder, "clients who own no account")
    gold = "select client_id from client where client_id not in (select client_id from disp where type = 'OWNER')"
    assert [r[0] for r in found] == sorted(bank_grounder.engine.query(gold).iloc[:, 0])


def test_the_date_of_a_row_is_its_own(bank_grounder: Grounder) -> None:
    day = bank_grounder.engine.query("select max(issued) from card").iloc[0, 0]
    assert rows(bank_grounder, "date on which the last card was issued")[0][-1] == day


OPEN = [
    "number of accounts of women",  # whose they are, or who may use them
    "accounts by gender",
    "do accounts with weekly statements have larger loans than those with monthly statements",
    "number of loans with a duration of 17 months",
    "top 10 districts by population, bottom 10",
    "number of branches per district",  # one for each
    "number of deposits",  # in cash, or all that comes in
    "10 youngest loan holders",
    "how many have a card",  # of what
    "which of the men have the largest loan",  # of all loans, or of theirs
]


@pytest.mark.parametrize("question", OPEN)
def test_it_is_left_open(bank_grounder: Grounder, question: str) -> None:
    assert isinstance(bank_grounder.read(question), (Choice, Declined))


def test_a_follow_up_takes_the_other_end_and_another_number(bank_grounder: Grounder) -> None:
    base = "top 10 districts by population"
    assert bank_grounder.in_context([base], "what about the bottom 10?") == "bottom 10 districts by population"
    assert bank_grounder.in_context([base], "make it 3") == "top 3 districts by population"


THIRD = [
    ("the 3 most common transaction types", "select type, count(*) from trans group by 1 order by 2 desc limit 3"),
    ("do we have clients under 18", "select true"),
    ("lowest balance ever recorded on an account", "select min(balance) from trans"),
    ("hw many acounts does the bank keep", "select count(*) from account"),
    ("5th percentile of the balance in 1998",
     "select quantile_cont(balance::double, 0.05) from trans where year(date) = 1998"),
    ("number of clients aged 65 or more",
     "select count(*) from client where date_sub('year', birth_date, date '1998-12-31') >= 65"),
    ("which account had the highest balance ever",
     "select account_id, max(balance) from trans group by 1 order by 2 desc, 1 limit 1"),
    ("how many transactions have neither a k_symbol nor an operation",
     "select count(*) from trans where k_symbol is null and operation is null"),
    ("average amount of cash withdrawals, operation VYBER", "select avg(amount) from trans where operation = 'VYBER'"),
    ("which women born before 1930 live in south Bohemia", "select client_id from client join district "
     "using (district_id) where gender = 'female' and year(birth_date) < 1930 and region = 'south Bohemia' order by 1"),
    ("number of accounts without insurance order", "select count(*) from account where account_id not in "
     "(select account_id from \"order\" where k_symbol = 'POJISTNE')"),
    ("shortest loan", "select loan_id from loan order by duration, loan_id limit 1"),
    ("the 3 districts with the highest unemployment in 1996 and their regions",
     "select district_id, name, region from district order by unemployment_1996 desc limit 3"),
    ("earliest and latest loan date", "select min(date), max(date) from loan"),
    ("is the average salary in Prague above 12000", "select true"),
    ("which card type is most common among women", "select k.type from card k join disp using (disp_id) "
     "join client using (client_id) where gender = 'female' group by 1 order by count(*) desc limit 1"),
    ("loans granted in 1996 or later, number", "select count(*) from loan where year(date) >= 1996"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), THIRD)
def test_it_is_read_as_it_is_said_as_well(bank_grounder: Grounder, question: str, sql: str) -> None:
    same_rows(bank_grounder, question, sql)


@pytest.mark.parametrize(
    "question",
    [
        "For every region, the district with the highest average salary",
        "per region, which district has the most inhabitants",
    ],
)
def test_the_row_that_has_the_most_is_listed_where_it_is_named(bank_grounder: Grounder, question: str) -> None:
    found = bank_grounder.read(question)
    assert isinstance(found, Reading)
    assert "name" in bank_grounder.engine.query(found.sql).columns


def test_a_value_behind_a_group_of_another_column_makes_none(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("how much was paid out by bank transfer (PREVOD NA UCET) in 1996")
    assert isinstance(found, (Choice, Declined))


def test_what_a_code_is_is_told_by_the_code_book(bank_grounder: Grounder) -> None:
    found = bank_grounder.read("what is POPLATEK MESICNE?")
    assert isinstance(found, Reading)
    assert "monthly" in found.notes[0]


FOLLOWED = [
    ("how many loans over 200000", "and over 300000?", "how many loans over 300000"),
    ("how many clients were born before 1940", "and after 1975?", "how many clients were born after 1975"),
    ("three largest loans", "and the three smallest?", "three smallest loans"),
]


@pytest.mark.parametrize(("base", "more", "whole"), FOLLOWED)
def test_a_follow_up_takes_another_bound_or_end(bank_grounder: Grounder, base: str, more: str, whole: str) -> None:
    said = bank_grounder.in_context([base], more)
    assert isinstance(said, str)
    a, b = bank_grounder.read(said), bank_grounder.read(whole)
    assert isinstance(a, Reading)
    assert isinstance(b, Reading)
    assert a.sql == b.sql


def test_a_follow_up_that_only_narrows_is_no_question_of_its_own(bank_grounder: Grounder) -> None:
    whole = bank_grounder.in_context(["average salary by region"], "only regions with more than 8 districts")
    assert isinstance(whole, str)
    assert not isinstance(bank_grounder.read(whole), Reading)
