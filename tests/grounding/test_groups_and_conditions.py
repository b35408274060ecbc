"""The best of each group, figures of groups, groups with a condition, and conditions beside "without": right values."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

DISTRICT = "JOIN account a USING (account_id) JOIN district d ON d.district_id = a.district_id"
NO_CARD = "NOT EXISTS (SELECT 1 FROM card c JOIN disp p USING (disp_id) WHERE p.account_id = account.account_id)"
HAS_LOAN = "EXISTS (SELECT 1 FROM loan l WHERE l.account_id = account.account_id)"
IN_1995 = "year(date) = 1995"
BEST = "SELECT {k}, loan_id, amount FROM loan " + DISTRICT
RANKED = BEST + " QUALIFY rank() OVER (PARTITION BY {k} ORDER BY amount {way}) <= {n}"

# question, names of the answer's columns that are compared, gold SQL
RIGHT = [
    ("largest loan in each region", ("region", "loan_id", "amount"), RANKED.format(k="region", way="DESC", n=1)),
    ("top 2 loans per region", ("region", "loan_id", "amount"), RANKED.format(k="region", way="DESC", n=2)),
    ("smallest loan per duration", ("duration", "loan_id", "amount"), RANKED.format(k="duration", way="ASC", n=1)),
    (
        "for each loan status give me the top 3 loans by amount",
        ("status", "loan_id", "amount"),
        RANKED.format(k="status", way="DESC", n=3),
    ),
    (
        "which district has the most loans in each region?",
        ("region", "name", "number_of_loans"),
        f"SELECT region, name, count(*) AS n FROM loan {DISTRICT} GROUP BY 1, 2"
        " QUALIFY rank() OVER (PARTITION BY region ORDER BY n DESC) = 1",
    ),
    ("what is the second largest loan?", ("amount",), "SELECT amount FROM loan ORDER BY 1 DESC LIMIT 1 OFFSET 1"),
    (
        "the third highest loan amount",
        ("amount",),
        "SELECT DISTINCT amount FROM loan ORDER BY 1 DESC LIMIT 1 OFFSET 2",
    ),
    (
        "which regions have more than 100 loans?",
        ("region", "number_of_loans"),
        f"SELECT region, count(*) FROM loan {DISTRICT} GROUP BY 1 HAVING count(*) > 100",
    ),
    (
        "regions with fewer than 50 loans",
        ("region", "number_of_loans"),
        f"SELECT region, count(*) FROM loan {DISTRICT} GROUP BY 1 HAVING count(*) < 50",
    ),
    (
        "which durations have more than 130 loans?",
        ("duration", "number_of_loans"),
        "SELECT duration, count(*) FROM loan GROUP BY 1 HAVING count(*) > 130",
    ),
    (
        "how many regions have more than 100 loans?",
        ("number_of_groups",),
        f"SELECT count(*) FROM (SELECT region FROM loan {DISTRICT} GROUP BY 1 HAVING count(*) > 100)",
    ),
    (
        "how many districts have an average loan amount over 200000",
        ("number_of_groups",),
        f"SELECT count(*) FROM (SELECT name FROM loan {DISTRICT} GROUP BY 1 HAVING avg(amount) > 200000)",
    ),
    (
        "how many accounts without a card opened in 1995?",
        ("number_of_accounts",),
        f"SELECT count(*) FROM account WHERE {IN_1995} AND {NO_CARD}",
    ),
    (
        "accounts with loans and without cards opened in 1995",
        ("account_id",),
        f"SELECT account_id FROM account WHERE {IN_1995} AND {NO_CARD} AND {HAS_LOAN}",
    ),
    (
        "accounts with neither a card nor a loan",
        ("account_id",),
        f"SELECT account_id FROM account WHERE {NO_CARD} AND NOT {HAS_LOAN}",
    ),
    (
        "how many loans have status neither A nor B?",
        ("number_of_loans",),
        "SELECT count(*) FROM loan WHERE status NOT IN ('A', 'B')",
    ),
    (
        "average number of loans per region",
        ("mean_number_of_loans",),
        f"SELECT avg(n) FROM (SELECT count(*) AS n FROM loan {DISTRICT} GROUP BY region)",
    ),
    (
        "average number of loans per account",
        ("mean_number_of_loans", "mean_number_of_loans_without_zero"),
        "SELECT (SELECT count(*) FROM loan) / (SELECT count(*) FROM account),"
        " (SELECT count(*) / count(DISTINCT account_id) FROM loan)",
    ),
    (
        "how many transactions does an account have on average?",
        ("mean_number_of_trans",),
        "SELECT count(*) / count(DISTINCT account_id) FROM trans",
    ),
    ("median number of inhabitants per district", ("median_inhabitants",), "SELECT median(inhabitants) FROM district"),
    ("average salary per district", ("name", "average_salary"), "SELECT name, average_salary FROM district"),
    (
        "p95 of standing order amount", ("p95_amount",), 'SELECT quantile_cont(amount, 0.95) FROM "order"',
    ),
    ("gap between the highest and the lowest district salary", ("range_average_salary",),
     "SELECT max(average_salary) - min(average_salary) FROM district"),
    ("accounts opened per year", ("year", "number_of_accounts"), "SELECT year(date), count(*) FROM account GROUP BY 1"),
    (
        "give me count, mean, min and max of the standing order amounts",
        ("number_of_orders", "mean_amount", "min_amount", "max_amount"),
        'SELECT count(*), avg(amount), min(amount), max(amount) FROM "order"',
    ),
    ("when was the first card issued?", ("min_issued",), "SELECT min(issued) FROM card"),
    ("mean loan duration in months", ("mean_duration",), "SELECT avg(duration) FROM loan"),
    (
        "In which district does our oldest male client live?",
        ("name",),
        "SELECT name FROM client JOIN district USING (district_id) WHERE gender = 'male'"
        " ORDER BY birth_date, client_id LIMIT 1",
    ),
    (
        "region of the district with the most loans",
        ("region",),
        f"SELECT any_value(region) FROM loan {DISTRICT} GROUP BY name ORDER BY count(*) DESC LIMIT 1",
    ),
    (
        "what is the average salary in the district with the most accounts?",
        ("average_salary",),
        "SELECT any_value(average_salary) FROM account JOIN district USING (district_id) GROUP BY district_id"
        " ORDER BY count(*) DESC LIMIT 1",
    ),
    (
        "what's the gender of the owner of the account with the biggest loan",
        ("gender",),
        "SELECT gender FROM loan JOIN disp d USING (account_id) JOIN client USING (client_id) WHERE d.type = 'OWNER'"
        " ORDER BY amount DESC LIMIT 1",
    ),
    (
        "Which districts in south Moravia have a higher salary than the average district?",
        ("district_id",),
        "SELECT district_id FROM district WHERE region = 'south Moravia'"
        " AND average_salary > (SELECT avg(average_salary) FROM district)",
    ),
    (
        "loans bigger than the average loan",
        ("loan_id",),
        "SELECT loan_id FROM loan WHERE amount > (SELECT avg(amount) FROM loan)",
    ),
    (
        "sum of inhabitants over all districts of east Bohemia",
        ("total_inhabitants",),
        "SELECT sum(inhabitants) FROM district WHERE region = 'east Bohemia'",
    ),
    (
        "How much penalty interest did we charge altogether",
        ("total_amount",),
        "SELECT sum(amount) FROM trans WHERE k_symbol = 'SANKC. UROK'",
    ),
    (
        "How many classic cards are there for each gold card?",
        ("ratio",),
        "SELECT count(*) FILTER (WHERE type = 'classic') / count(*) FILTER (WHERE type = 'gold') FROM card",
    ),
    (
        "What's the difference in average loan amount between status A and status B loans?",
        ("difference",),
        "SELECT avg(amount) FILTER (WHERE status = 'A') - avg(amount) FILTER (WHERE status = 'B') FROM loan",
    ),
    (
        "5 accounts with the highest total of standing orders",
        ("account_id", "total_amount"),
        'SELECT account_id, sum(amount) FROM "order" GROUP BY 1 ORDER BY 2 DESC LIMIT 5',
    ),
    (
        "loans with status A or C and at least 48 months - count",
        ("number_of_loans",),
        "SELECT count(*) FROM loan WHERE status IN ('A', 'C') AND duration >= 48",
    ),
    (
        "what share of clients in each region are women?",
        ("region", "percentage", "number_of_clients"),
        "SELECT region, 100.0 * avg((gender = 'female')::INT), count(*) FROM client JOIN district USING (district_id)"
        " GROUP BY 1",
    ),
    (
        "share of women by region",
        ("region", "percentage", "percentage_of_all_groups"),
        "SELECT region, 100.0 * avg((gender = 'female')::INT), 100.0 * sum((gender = 'female')::INT)"
        " / sum(sum((gender = 'female')::INT)) OVER () FROM client JOIN district USING (district_id) GROUP BY 1",
    ),
    (
        "which region has the highest share of loans in default?",
        ("region", "percentage", "number_of_loans"),
        f"SELECT region, 100.0 * avg((status IN ('B', 'D'))::INT) AS p, count(*) FROM loan {DISTRICT} GROUP BY 1"
        " ORDER BY p DESC LIMIT 1",
    ),
    (
        "districts where more than 20% of loans are in default",
        ("name",),
        f"SELECT name FROM loan {DISTRICT} GROUP BY 1 HAVING avg((status IN ('B', 'D'))::INT) > 0.2",
    ),
    (
        "Of the accounts opened in each year, what share has a loan?",
        ("year", "percentage"),
        f"SELECT year(date), 100.0 * avg(({HAS_LOAN})::INT) FROM account GROUP BY 1",
    ),
    (
        "show loans over 400000 with a duration of 60 months",
        ("loan_id",),
        "SELECT loan_id FROM loan WHERE amount > 400000 AND duration = 60",
    ),
    (
        "total payments on standing orders for households",
        ("total_amount",),
        "SELECT sum(amount) FROM \"order\" WHERE k_symbol = 'SIPO'",
    ),
    (
        "does every account have a loan?",
        ("answer", "fitting", "of_all"),
        "SELECT false, (SELECT count(*) FROM loan), (SELECT count(*) FROM account)",
    ),
    (
        "list all gold cards issued in 1998",
        ("card_id",),
        "SELECT card_id FROM card WHERE type = 'gold' AND year(issued) = 1998",
    ),
    ("how many loans neither A nor C", ("number_of_loans",), "SELECT count(*) FROM loan WHERE status IN ('B', 'D')"),
    ("Which gender has more loans?", ("gender",), "SELECT 'male'"),
    (
        "average payments for loans in default vs loans not in default",
        ("mean_payments",),
        "SELECT avg(payments) FROM loan GROUP BY status IN ('B', 'D')",
    ),
    (
        "which region has the most crimes in 1996?",
        ("region", "total_crimes_1996"),
        "SELECT region, sum(crimes_1996) FROM district GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    ),
    (
        "how many inhabitants live in south Moravia",
        ("total_inhabitants",),
        "SELECT sum(inhabitants) FROM district WHERE region = 'south Moravia'",
    ),
    (
        "in which year were the most accounts opened?",
        ("year", "number_of_accounts"),
        "SELECT year(date), count(*) FROM account GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    ),
    (
        "what is the ratio of accounts to clients",
        ("ratio",),
        "SELECT (SELECT count(*) FROM account) / (SELECT count(*) FROM client)",
    ),
    (
        "number of clients who have both a loan and a card",
        ("number_of_clients",),
        "SELECT count(*) FROM client WHERE client_id IN (SELECT client_id FROM disp JOIN card USING (disp_id))"
        " AND client_id IN (SELECT client_id FROM disp JOIN loan USING (account_id) WHERE type = 'OWNER')",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("question", "names", "gold"), RIGHT, ids=[q for q, _, _ in RIGHT])
def test_answer_equals_hand_written_sql(bank_grounder, question, names, gold):
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    got = bank_grounder.engine.query(reading.sql)
    assert rows(got[list(names)]) == rows(bank_grounder.engine.query(gold)), f"{reading.text}\n{reading.sql}"


@pytest.mark.parametrize(
    "question",
    [
        "how many clients with a loan in Prague",  # who lives there, or whose loan is there
        "number of active accounts",  # known of loans only
        "how many accounts were closed in 1997?",
        "what is the status of loan 99999?",
        "average amount of the 84 month loans",
        "give every client in Zlin a gold card",
        "list regions with average salary above 9000",  # a region has many districts
        "average monthly amount of transactions",
        "average number of crimes per region in 1996",  # over the regions, or the districts in each
        "which region has the highest unemployment in 1996",
        "do gold card holders have larger loans than classic card holders?",
        "are loans in Prague larger than in south Bohemia?",
        "average salary of clients",  # districts have one, clients have none
    ],
)
def test_what_has_no_one_meaning_is_not_answered(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, (Declined, Choice)), found.text


def test_a_rate_of_groups_shows_of_how_many_rows(bank_grounder):
    reading = bank_grounder.read("top 5 districts by default rate")
    assert list(bank_grounder.engine.query(reading.sql).columns) == ["name", "default_rate", "number_of_loans"]


def test_equal_rows_at_the_cut_of_a_group_are_all_shown(frames_grounder):
    import pandas as pd

    goods = pd.DataFrame({"good_id": range(1, 6), "shop": list("xxyyy"), "price": [5, 5, 1, 2, 2]})
    grounder = frames_grounder(goods=goods)
    reading = grounder.read("the goods with the highest price in each shop")
    got = grounder.engine.query(reading.sql)
    assert sorted(got["good_id"]) == [1, 2, 4, 5]
    assert any("shown too" in n for n in reading.notes)
