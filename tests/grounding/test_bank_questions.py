"""Questions over the bank with answers by hand-written SQL; what cannot be grounded is declined or asked."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

ACCOUNT_DISTRICT = "JOIN account a USING (account_id) JOIN district d ON d.district_id = a.district_id"

# question, gold SQL; the order of rows is compared where the gold orders them.
ANSWERED = [
    ("How many accounts are there?", "SELECT count(*) FROM account"),
    ("how many loans", "SELECT count(*) FROM loan"),
    ("How many customers do we have?", "SELECT count(*) FROM client"),
    ("count the clients", "SELECT count(*) FROM client"),
    ("number of loans with status C", "SELECT count(*) FROM loan WHERE status = 'C'"),
    ("how many loans have status C or D?", "SELECT count(*) FROM loan WHERE status IN ('C', 'D')"),
    ("how many loans have status A?", "SELECT count(*) FROM loan WHERE status = 'A'"),
    ("how many loans are not status A", "SELECT count(*) FROM loan WHERE status <> 'A'"),
    ("how many loans are currently being repaid", "SELECT count(*) FROM loan WHERE status = 'C'"),
    ("how many defaults", "SELECT count(*) FROM loan WHERE status IN ('B', 'D')"),
    ("how many loans defaulted", "SELECT count(*) FROM loan WHERE status IN ('B', 'D')"),
    ("how many finished loans are there", "SELECT count(*) FROM loan WHERE status IN ('A', 'B')"),
    ("how many loans were granted in 1996", "SELECT count(*) FROM loan WHERE year(date) = 1996"),
    ("how many loans before 1995", "SELECT count(*) FROM loan WHERE date < '1995-01-01'"),
    ("how many loans after 1996", "SELECT count(*) FROM loan WHERE year(date) > 1996"),
    ("how many loans since 1996", "SELECT count(*) FROM loan WHERE year(date) >= 1996"),
    (
        "how many loans were granted between January 1995 and March 1996",
        "SELECT count(*) FROM loan WHERE date BETWEEN '1995-01-01' AND '1996-03-31'",
    ),
    (
        "how many loans in the first half of 1997",
        "SELECT count(*) FROM loan WHERE year(date) = 1997 AND month(date) <= 6",
    ),
    ("how many loans in Q3 1996", "SELECT count(*) FROM loan WHERE year(date) = 1996 AND quarter(date) = 3"),
    ("how many loans over 24 months", "SELECT count(*) FROM loan WHERE duration > 24"),
    ("how many loans with a duration of 48 months or more", "SELECT count(*) FROM loan WHERE duration >= 48"),
    ("how many loans have an amount of at least 100k", "SELECT count(*) FROM loan WHERE amount >= 100000"),
    (
        "number of loans with amount over 200,000 and duration at least 24 months",
        "SELECT count(*) FROM loan WHERE amount > 200000 AND duration >= 24",
    ),
    (
        "how many loans with amount between 100000 and 200000",
        "SELECT count(*) FROM loan WHERE amount BETWEEN 100000 AND 200000",
    ),
    (
        "how many accounts are in Prague",
        "SELECT count(*) FROM account a JOIN district d USING (district_id) WHERE d.region = 'Prague'",
    ),
    (
        "how many clients live in Prague?",
        "SELECT count(*) FROM client c JOIN district d USING (district_id) WHERE d.region = 'Prague'",
    ),
    (
        "how many clients are not from Prague",
        "SELECT count(*) FROM client c JOIN district d USING (district_id) WHERE d.region <> 'Prague'",
    ),
    (
        "how many accounts in Prague or central Bohemia",
        "SELECT count(*) FROM account JOIN district d USING (district_id)"
        " WHERE d.region IN ('Prague', 'central Bohemia')",
    ),
    ("how many accounts are not monthly", "SELECT count(*) FROM account WHERE frequency <> 'POPLATEK MESICNE'"),
    ("how many loans were granted on 29 April 1996", "SELECT count(*) FROM loan WHERE date = '1996-04-29'"),
    (
        "region with the lowest default rate",
        f"SELECT d.region, avg((status IN ('B', 'D'))::INT) AS n, count(*) FROM loan {ACCOUNT_DISTRICT} GROUP BY 1"
        " ORDER BY n, 1 LIMIT 1",
    ),
    ("number of weekly accounts", "SELECT count(*) FROM account WHERE frequency = 'POPLATEK TYDNE'"),
    (
        "number of accounts with frequency weekly or monthly",
        "SELECT count(*) FROM account WHERE frequency IN ('POPLATEK TYDNE', 'POPLATEK MESICNE')",
    ),
    ("how many gold cards are there", "SELECT count(*) FROM card WHERE type = 'gold'"),
    ("how many women are there", "SELECT count(*) FROM client WHERE gender = 'female'"),
    (
        "how many women have a loan",
        "SELECT count(DISTINCT c.client_id) FROM client c JOIN disp USING (client_id) JOIN loan USING (account_id)"
        " WHERE gender = 'female' AND disp.type = 'OWNER'",
    ),
    (
        "how many accounts have no loan",
        "SELECT count(*) FROM account WHERE account_id NOT IN (SELECT account_id FROM loan)",
    ),
    ("how many accounts have a loan", "SELECT count(*) FROM account WHERE account_id IN (SELECT account_id FROM loan)"),
    (
        "how many customers have a gold card",
        "SELECT count(DISTINCT client_id) FROM disp JOIN card c USING (disp_id) WHERE c.type = 'gold'",
    ),
    (
        "how many accounts with at least 2 standing orders",
        'SELECT count(*) FROM (SELECT account_id FROM "order" GROUP BY account_id HAVING count(*) >= 2)',
    ),
    ("how many standing orders have no k symbol", 'SELECT count(*) FROM "order" WHERE k_symbol IS NULL'),
    ("how many regions are there", "SELECT count(DISTINCT region) FROM district"),
    ("number of distinct durations", "SELECT count(DISTINCT duration) FROM loan"),
    ("how many clients were born before 1950", "SELECT count(*) FROM client WHERE birth_date < '1950-01-01'"),
    ("how many districts have unemployment 1996 over 5", "SELECT count(*) FROM district WHERE unemployment_1996 > 5"),
    ("average loan amount", "SELECT avg(amount) FROM loan"),
    ("mean amount of loans with status B", "SELECT avg(amount) FROM loan WHERE status = 'B'"),
    ("what is the highest loan amount?", "SELECT max(amount) FROM loan"),
    ("min and max loan amount", "SELECT min(amount), max(amount) FROM loan"),
    ("median duration of loans", "SELECT median(duration) FROM loan"),
    ("total amount of loans granted after 1997", "SELECT sum(amount) FROM loan WHERE year(date) > 1997"),
    ("sum of order amount by k_symbol", 'SELECT k_symbol, sum(amount) FROM "order" GROUP BY 1'),
    ("average loan amount by region", f"SELECT d.region, avg(amount) FROM loan {ACCOUNT_DISTRICT} GROUP BY 1"),
    ("loans by region", f"SELECT d.region, count(*) FROM loan {ACCOUNT_DISTRICT} GROUP BY 1"),
    (
        "how many bad loans by region",
        f"SELECT d.region, count(*) FROM loan {ACCOUNT_DISTRICT} WHERE status IN ('B', 'D') GROUP BY 1",
    ),
    (
        "default rate by region",
        f"SELECT d.region, avg((status IN ('B', 'D'))::INT), count(*) FROM loan {ACCOUNT_DISTRICT} GROUP BY 1",
    ),
    (
        "average loan amount by account frequency",
        "SELECT a.frequency, avg(amount) FROM loan JOIN account a USING (account_id) GROUP BY 1",
    ),
    ("total amount of loans by status and duration", "SELECT status, duration, sum(amount) FROM loan GROUP BY 1, 2"),
    ("loans per year", "SELECT year(date), count(*) FROM loan GROUP BY 1 ORDER BY 1"),
    ("number of loans by status in 1997", "SELECT status, count(*) FROM loan WHERE year(date) = 1997 GROUP BY 1"),
    (
        "how many cards were issued in 1998 by type",
        "SELECT type, count(*) FROM card WHERE year(issued) = 1998 GROUP BY 1",
    ),
    ("number of clients by gender", "SELECT gender, count(*) FROM client GROUP BY 1"),
    (
        "number of loans by card type",
        "SELECT c.type, count(DISTINCT loan_id) FROM loan JOIN disp USING (account_id)"
        " JOIN card c USING (disp_id) GROUP BY 1",
    ),
    (
        "average amount of loans of clients in Prague",
        "SELECT avg(amount) FROM loan WHERE account_id IN (SELECT account_id FROM disp JOIN client USING (client_id)"
        " JOIN district USING (district_id) WHERE region = 'Prague')",
    ),
    (
        "top 5 districts by number of loans",
        f"SELECT d.name, count(*) AS n FROM loan {ACCOUNT_DISTRICT} GROUP BY 1 ORDER BY n DESC, 1 LIMIT 5",
    ),
    (
        "which region has the most loans?",
        f"SELECT d.region, count(*) AS n FROM loan {ACCOUNT_DISTRICT} GROUP BY 1 ORDER BY n DESC, 1 LIMIT 1",
    ),
    (
        "top 3 regions by average loan amount",
        f"SELECT d.region, avg(amount) AS n FROM loan {ACCOUNT_DISTRICT} GROUP BY 1 ORDER BY n DESC, 1 LIMIT 3",
    ),
    ("list the regions", "SELECT DISTINCT region FROM district ORDER BY 1"),
    ("distinct card types", "SELECT DISTINCT type FROM card ORDER BY 1"),
    (
        "accounts owned by women",
        "SELECT a.* FROM account a WHERE account_id IN (SELECT account_id FROM disp JOIN client USING (client_id)"
        " WHERE type = 'OWNER' AND gender = 'female')",
    ),
    ("status of loan {some_loan}", "SELECT loan_id, status FROM loan WHERE loan_id = {some_loan}"),
]

# question, gold SQL of the key column in order
LISTED = [
    ("5 largest loans by amount", "SELECT loan_id FROM loan ORDER BY amount DESC, loan_id LIMIT 5"),
    ("top 10 loans by amount", "SELECT loan_id FROM loan ORDER BY amount DESC, loan_id LIMIT 10"),
    ("smallest 3 loans by amount", "SELECT loan_id FROM loan ORDER BY amount, loan_id LIMIT 3"),
    ("which loan has the highest amount?", "SELECT loan_id FROM loan ORDER BY amount DESC, loan_id LIMIT 1"),
    ("latest loan", "SELECT loan_id FROM loan ORDER BY date DESC, loan_id LIMIT 1"),
    (
        "loans in Prague",
        f"SELECT loan_id FROM loan {ACCOUNT_DISTRICT} WHERE d.region = 'Prague' ORDER BY loan_id",
    ),
    ("loans from 1996", "SELECT loan_id FROM loan WHERE year(date) = 1996 ORDER BY loan_id"),
    ("loans with status A and B", "SELECT loan_id FROM loan WHERE status IN ('A', 'B') ORDER BY loan_id"),
    ("loans with duration 12 or 24", "SELECT loan_id FROM loan WHERE duration IN (12, 24) ORDER BY loan_id"),
    (
        "accounts without a loan",
        "SELECT account_id FROM account WHERE account_id NOT IN (SELECT account_id FROM loan) ORDER BY 1",
    ),
    (
        "which customers have no loans",
        "SELECT client_id FROM client WHERE client_id NOT IN"
        " (SELECT client_id FROM disp JOIN loan USING (account_id) WHERE type = 'OWNER') ORDER BY 1",
    ),
    (
        "list loans with status D sorted by amount descending",
        "SELECT loan_id FROM loan WHERE status = 'D' ORDER BY amount DESC, loan_id",
    ),
    (
        "districts with average salary over 10000",
        "SELECT district_id FROM district WHERE average_salary > 10000 ORDER BY 1",
    ),
    (
        "district with the highest average salary",
        "SELECT district_id FROM district ORDER BY average_salary DESC, district_id LIMIT 1",
    ),
]

DECLINED = [
    "what is the meaning of life?",
    "tell me a joke",
    "good customers",
    "who is the best customer",
    "delete all loans",
    "update loan set amount = 0",
    "accounts by shoe size",
    "how many loans in 1890s Mars",
    "how many loans in 1890",
    "how many loans in 2005",
    "how many employees",
    "compare Prague and Brno",
    "average salary by account frequency",
    "loans with status Z",
    "loans or accounts",
    "how many loans in Paris",
    "what is the weather in Prague",
    "should we approve loan 5314",
    "write me a poem about loans",
    "how many loans were repaid early",
    "hello",
    "",
    "not",
    "average of",
    "loans by",
    "interest rate of loans",
    "email all clients in Prague",
    "loans to rich customers",
    "why did loan 5314 default",
    "how many loans and accounts",
    "number of loans, accounts and clients",
    "where do clients live",
    "can clients have two accounts",
]

ASKED = [
    ("average amount", {"loan", "order"}),
    ("trend of loans", {"year", "month"}),
    ("correlation between amount and duration", {"loan", "order"}),
    ("largest payment", {"loan", "order"}),
    ("unemployment rate in Prague", {"unemployment_1995", "unemployment_1996"}),
    ("how many in Prague", {"account", "client"}),
    ("average loan amount for men and women", {"by gender"}),
    ("how many durations", {"distinct duration", "total duration"}),
    ("top 3 clients by loan amount", {"total amount", "average amount"}),
]


@pytest.fixture(params=["bank", "berka"])
def grounder(request):
    return request.getfixturevalue(f"{request.param}_grounder")


def filled(text: str, grounder) -> str:
    if "{some_loan}" not in text:
        return text
    return text.replace("{some_loan}", str(grounder.engine.query("SELECT min(loan_id) AS i FROM loan").iloc[0, 0]))


@pytest.mark.parametrize(("question", "gold"), ANSWERED, ids=[q for q, _ in ANSWERED])
def test_answer_equals_hand_written_sql(grounder, question, gold):
    reading = grounder.read(filled(question, grounder))
    assert isinstance(reading, Reading), reading.text
    got, wanted = grounder.engine.query(reading.sql), grounder.engine.query(filled(gold, grounder))
    ordered = "ORDER BY" in gold
    assert rows(got, ordered=ordered) == rows(wanted, ordered=ordered), f"{reading.text}\n{reading.sql}"


@pytest.mark.parametrize(("question", "gold"), LISTED, ids=[q for q, _ in LISTED])
def test_listed_rows_and_their_order(grounder, question, gold):
    reading = grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    wanted = grounder.engine.query(gold)
    got = grounder.engine.query(reading.sql)
    assert got[wanted.columns[0]].tolist() == wanted.iloc[:, 0].tolist(), f"{reading.text}\n{reading.sql}"


@pytest.mark.parametrize("question", DECLINED)
def test_what_cannot_be_grounded_is_declined_with_a_reason(grounder, question):
    found = grounder.predictive(question) if grounder.is_predictive(question) else grounder.read(question)
    assert isinstance(found, Declined), getattr(found, "text", found)
    assert found.text


@pytest.mark.parametrize(("question", "named"), ASKED, ids=[q for q, _ in ASKED])
def test_two_grounded_readings_are_asked_about(grounder, question, named):
    found = grounder.read(question)
    assert isinstance(found, Choice), getattr(found, "sql", found)
    assert named <= {part for option in found.options for part in option.split(".")}


def test_a_decline_names_what_is_lacking_and_what_is_near(berka_grounder):
    found = berka_grounder.read("number of accoumts by regoin in Atlantis")
    assert isinstance(found, Declined)
    assert "Atlantis" in found.lacks


def test_a_misspelling_is_read_only_when_one_word_is_near(berka_grounder):
    reading = berka_grounder.read("number of distrcts")
    assert isinstance(reading, Reading)
    assert reading.table == "district"
    assert any("distrcts" in n for n in reading.notes)


def test_schema_questions_need_no_sql(berka_grounder):
    for question in ("what tables are there?", "show me the tables", "list tables"):
        assert berka_grounder.read(question).kind == "tables"
    for question in ("what columns has loan?", "what columns are in the loan table"):
        found = berka_grounder.read(question)
        assert (found.kind, found.table) == ("schema", "loan")


def test_the_reading_is_said_in_words(berka_grounder):
    reading = berka_grounder.read("average loan amount by region for loans with status C or D")
    assert reading.text == "mean amount of loans with status C or D, by region of district"


def test_the_same_question_gives_the_same_sql(berka_grounder):
    question = "average loan amount by region for loans with status C or D"
    assert berka_grounder.read(question) == berka_grounder.read(question)


TRANSACTIONS = [
    (
        "how many credit transactions in 1997",
        "SELECT count(*) FROM trans WHERE type = 'PRIJEM' AND year(date) = 1997",
    ),
    ("average credit transaction amount", "SELECT avg(amount) FROM trans WHERE type = 'PRIJEM'"),
    ("how many client accounts", "SELECT count(DISTINCT account_id) FROM disp"),
    ("how many loan accounts", "SELECT count(DISTINCT account_id) FROM loan"),
    ("how many cash deposits", "SELECT count(*) FROM trans WHERE operation = 'VKLAD'"),
    ("how many cash withdrawals", "SELECT count(*) FROM trans WHERE operation = 'VYBER'"),
    ("number of withdrawals by credit card", "SELECT count(*) FROM trans WHERE operation = 'VYBER KARTOU'"),
    ("sum of transfers to other banks", "SELECT sum(amount) FROM trans WHERE operation = 'PREVOD NA UCET'"),
    ("sum of all insurance payments in the orders", "SELECT sum(amount) FROM \"order\" WHERE k_symbol = 'POJISTNE'"),
    (
        "accounts with statements issued after each transaction: how many",
        "SELECT count(*) FROM account WHERE frequency = 'POPLATEK PO OBRATU'",
    ),
    (
        "average balance by region",
        "SELECT region, avg(balance) FROM trans JOIN account a USING (account_id)"
        " JOIN district d ON d.district_id = a.district_id GROUP BY 1",
    ),
    (
        "how many accounts have sanction interest",
        "SELECT count(DISTINCT account_id) FROM trans WHERE k_symbol = 'SANKC. UROK'",
    ),
    (
        "total amount of transactions in 1996 by month",
        "SELECT date_trunc('month', date)::DATE, sum(amount) FROM trans WHERE year(date) = 1996 GROUP BY 1 ORDER BY 1",
    ),
]


@pytest.mark.parametrize(("question", "gold"), TRANSACTIONS, ids=[q for q, _ in TRANSACTIONS])
def test_transactions(bank_grounder, question, gold):
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    got, wanted = bank_grounder.engine.query(reading.sql), bank_grounder.engine.query(gold)
    assert rows(got) == rows(wanted), reading.sql


@pytest.mark.parametrize("question", ["how many credits", "average credit amount", "how many loan payments"])
def test_a_word_for_two_things_of_the_bank_is_asked_about(bank_grounder, question):
    assert isinstance(bank_grounder.read(question), Choice)


def test_a_long_list_is_cut_and_said(bank_grounder):
    reading = bank_grounder.read("list transactions in 1996")
    assert reading.limit == 1_000
    assert any(note.startswith("the first 1,000 of ") for note in reading.notes)
    reading = bank_grounder.read("transactions of account 1")
    assert reading.limit is None


def test_a_question_over_a_million_rows(bank_grounder):
    reading = bank_grounder.read("how many transactions are cash withdrawals by year")
    assert isinstance(reading, (Reading, Choice))
    reading = bank_grounder.read("top 3 accounts by number of transactions")
    got = bank_grounder.engine.query(reading.sql)
    gold = bank_grounder.engine.query(
        "SELECT account_id, count(*) AS n FROM trans GROUP BY 1 ORDER BY n DESC, 1 LIMIT 3"
    )
    assert rows(got, ordered=True) == rows(gold, ordered=True)
