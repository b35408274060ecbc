"""Shares, comparisons, yes or no, having, profiles and series over the bank, against hand-written SQL."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows

DISTRICT = "JOIN account a USING (account_id) JOIN district d ON d.district_id = a.district_id"
OWNER = "JOIN disp o ON o.account_id = l.account_id AND o.type = 'OWNER' JOIN client c USING (client_id)"
BAD = "status IN ('B', 'D')"

# question, gold SQL of the first columns
FIGURES = [
    ("what percentage of loans defaulted", f"SELECT 100.0 * avg(({BAD})::INT) FROM loan"),
    ("share of loans with status D", "SELECT 100.0 * avg((status = 'D')::INT) FROM loan"),
    (
        "what share of the accounts in Prague has a loan",
        "SELECT 100.0 * count(l.loan_id) / count(*) FROM account JOIN district d USING (district_id)"
        " LEFT JOIN loan l USING (account_id) WHERE region = 'Prague'",
    ),
    ("percentage of women among clients", "SELECT 100.0 * avg((gender = 'female')::INT) FROM client"),
    (
        "what fraction of the lending volume went to Prague",
        f"SELECT 100.0 * sum(amount) FILTER (WHERE region = 'Prague') / sum(amount) FROM loan {DISTRICT}",
    ),
    (
        "percentage of loans in default by region",
        f"SELECT region, 100.0 * avg(({BAD})::INT) FROM loan {DISTRICT} GROUP BY 1",
    ),
    ("percentage of loans by status", "SELECT status, 100.0 * count(*) / 682 FROM loan GROUP BY 1"),
    (
        "difference between the average loan amount of men and women",
        f"SELECT (SELECT avg(amount) FROM loan l {OWNER} WHERE gender = 'male')"
        f" - (SELECT avg(amount) FROM loan l {OWNER} WHERE gender = 'female')",
    ),
    (
        "ratio of men to women",
        "SELECT 1.0 * count(*) FILTER (WHERE gender = 'male') / count(*) FILTER (WHERE gender = 'female') FROM client",
    ),
    (
        "gap in average salary between Prague and north Moravia",
        "SELECT (SELECT avg(average_salary) FROM district WHERE region = 'Prague')"
        " - (SELECT avg(average_salary) FROM district WHERE region = 'north Moravia')",
    ),
    ("is the average loan amount above 100000?", "SELECT avg(amount) > 100000 FROM loan"),
    ("is there a loan in Prague", f"SELECT count(*) > 0 FROM loan {DISTRICT} WHERE region = 'Prague'"),
    ("do all accounts have a loan", "SELECT FALSE"),
    (
        "are there more women than men",
        "SELECT count(*) FILTER (WHERE gender = 'female') > count(*) FILTER (WHERE gender = 'male') FROM client",
    ),
    (
        "is the average loan in Prague larger than in west Bohemia?",
        f"SELECT (SELECT avg(amount) FROM loan {DISTRICT} WHERE region = 'Prague')"
        f" > (SELECT avg(amount) FROM loan {DISTRICT} WHERE region = 'west Bohemia')",
    ),
    (
        "loans per district in 1996 with more than 5 loans",
        f"SELECT d.name, count(*) FROM loan {DISTRICT} WHERE year(loan.date) = 1996 GROUP BY 1 HAVING count(*) > 5",
    ),
    (
        "regions with an average loan amount over 150000",
        f"SELECT d.region, avg(amount) FROM loan {DISTRICT} GROUP BY 1 HAVING avg(amount) > 150000",
    ),
    (
        "how many loans are above the average amount",
        "SELECT count(*) FROM loan WHERE amount > (SELECT avg(amount) FROM loan)",
    ),
    (
        "how many loans are at least three times the average amount",
        "SELECT count(*) FROM loan WHERE amount >= 3 * (SELECT avg(amount) FROM loan)",
    ),
    (
        "how many loans with amount over 100000 or duration over 24",
        "SELECT count(*) FROM loan WHERE amount > 100000 OR duration > 24",
    ),
    ("most common loan duration", "SELECT duration, count(*) AS n FROM loan GROUP BY 1 ORDER BY n DESC, 1 LIMIT 1"),
    ("90th percentile of the loan amount", "SELECT quantile_cont(amount, 0.9) FROM loan"),
    (
        "interquartile range of loan amount",
        "SELECT quantile_cont(amount, 0.75) - quantile_cont(amount, 0.25) FROM loan",
    ),
    ("standard deviation of loan amount", "SELECT stddev_samp(amount) FROM loan"),
    ("how many missing values does bank have in the transactions table", "SELECT count(*) - count(bank) FROM trans"),
    ("percentage of missing values in k_symbol of trans", "SELECT 100.0 * avg((k_symbol IS NULL)::INT) FROM trans"),
    ("are there duplicate loan ids?", "SELECT FALSE"),
    ("distribution of loan durations", "SELECT duration, count(*) FROM loan GROUP BY 1"),
    (
        "correlation between loan amount and loan duration",
        "SELECT corr(amount, duration) FROM loan",
    ),
    (
        "how many outliers are there in the loan amount",
        "SELECT count(*) FROM loan, (SELECT quantile_cont(amount, 0.25) AS a, quantile_cont(amount, 0.75) AS b"
        " FROM loan)"
        " WHERE amount > b + 1.5 * (b - a) OR amount < a - 1.5 * (b - a)",
    ),
    (
        "how many clients older than 60",
        "SELECT count(*) FROM client WHERE date_sub('year', birth_date, DATE '1998-12-31') > 60",
    ),
    ("average age of clients", "SELECT avg(date_sub('year', birth_date, DATE '1998-12-31')) FROM client"),
    (
        "how many clients were born in the 1960s",
        "SELECT count(*) FROM client WHERE year(birth_date) BETWEEN 1960 AND 1969",
    ),
    ("loans between 100k and 150k, how many?", "SELECT count(*) FROM loan WHERE amount BETWEEN 100000 AND 150000"),
    (
        "running total of loans per year",
        "SELECT y, n, sum(n) OVER (ORDER BY y) FROM (SELECT year(date) AS y, count(*) AS n FROM loan GROUP BY 1)",
    ),
    (
        "growth of the number of loans by year",
        "SELECT y, n, n - lag(n) OVER (ORDER BY y) FROM (SELECT year(date) AS y, count(*) AS n FROM loan GROUP BY 1)",
    ),
    (
        "gender of the oldest client in the district with the highest average salary",
        "SELECT gender FROM client JOIN district USING (district_id) WHERE name ="
        " (SELECT name FROM district ORDER BY average_salary DESC LIMIT 1) ORDER BY birth_date LIMIT 1",
    ),
]


@pytest.mark.parametrize(("question", "gold"), FIGURES, ids=[q for q, _ in FIGURES])
def test_answer_equals_hand_written_sql(bank_grounder, question, gold):
    reading = bank_grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    got, wanted = bank_grounder.engine.query(reading.sql), bank_grounder.engine.query(gold)
    shown = got if len(wanted.columns) > 1 else got[[c for c in got.columns if c != "client_id"]]
    assert rows(shown.iloc[:, : wanted.shape[1]]) == rows(wanted), f"{reading.text}\n{reading.sql}"


def test_a_comparison_lists_both_the_larger_first(bank_grounder):
    reading = bank_grounder.read("were more loans granted in 1996 or in 1997?")
    got = bank_grounder.engine.query(reading.sql)
    gold = bank_grounder.engine.query(
        "SELECT year(date)::VARCHAR, count(*) FROM loan WHERE year(date) IN (1996, 1997) GROUP BY 1 ORDER BY 2 DESC"
    )
    assert rows(got, ordered=True) == rows(gold, ordered=True)


@pytest.mark.parametrize(
    "question",
    [
        "what percentage of loans", "ratio of loans", "difference of amounts", "more loans", "is the bank good",
        "are loans", "running total of average loan amount by year", "correlation of amount", "outliers",
        "duplicates", "how is the weather", "loans in Prague or Brno or over 1000 and under 5",
        "share of happy clients", "customers aged over 300 kilos", "loans in the 5 largest districts",
        "total loans by region", "loans with amount over the average in Prague",
    ],
)  # fmt: skip
def test_what_is_left_open_is_not_answered(bank_grounder, question):
    assert isinstance(bank_grounder.read(question), (Declined, Choice))


def test_an_incomplete_last_period_is_said(frames_grounder):
    import pandas as pd

    sales = pd.DataFrame({"sale_id": range(500), "day": pd.date_range("2021-01-01", periods=500), "price": 2.5})
    found = frames_grounder(sales=sales).read("number of sales by year")
    assert any("2022-05-15" in note for note in found.notes)


def test_a_year_column_is_a_time(frames_grounder):
    import pandas as pd

    pay = pd.DataFrame({"pay_id": range(6), "year": [2000, 2000, 2001, 2002, 2002, 2003], "pay": [1.0, 2, 3, 4, 5, 6]})
    grounder = frames_grounder(pays=pay)
    got = grounder.engine.query(grounder.read("average pay by year").sql)
    assert rows(got) == rows(pay.groupby("year").pay.mean().reset_index())
    assert grounder.engine.query(grounder.read("how many pays between 2001 and 2002").sql).iloc[0, 0] == 3
    assert isinstance(grounder.read("how many pays in 1950"), Declined)


def test_a_shortened_name_is_read_and_said(frames_grounder):
    import pandas as pd

    trips = pd.DataFrame({"trip_id": [1, 2], "arr_delay": [3.0, 5.0], "temp_c": [1.0, 2.0]})
    found = frames_grounder(trips=trips).read("average arrival delay")
    assert found.measures[0].column.name == "arr_delay"
    assert "arr_delay" in found.text


def test_codes_join_to_the_table_they_are_named_after(frames_grounder):
    import pandas as pd

    towns = pd.DataFrame({"town": ["a", "b", "c"], "landcode": ["X", "X", "Y"]})
    land = pd.DataFrame({"name": ["Xenia", "Yland"], "short": ["X", "Y"]})
    grounder = frames_grounder(towns=towns, land=land)
    assert grounder.engine.query(grounder.read("how many towns in Xenia").sql).iloc[0, 0] == 2


def test_the_best_row_of_another_table_is_a_condition(bank_grounder):
    reading = bank_grounder.read("total amount of transactions of the account with the largest loan")
    best = "SELECT account_id FROM loan ORDER BY amount DESC, loan_id LIMIT 1"
    gold = f"SELECT sum(amount) FROM trans WHERE account_id = ({best})"
    got = bank_grounder.engine.query(reading.sql)
    assert rows(got) == rows(bank_grounder.engine.query(gold))


def test_equal_places_at_the_end_of_a_ranking_are_said(bank_grounder):
    assert any("share the last place" in n for n in bank_grounder.read("top 3 loans by duration").notes)
    assert not any("share the last place" in n for n in bank_grounder.read("top 3 loans by amount").notes)


def test_an_age_says_on_which_day(bank_grounder):
    assert any("1998-12-31" in n for n in bank_grounder.read("average age of clients").notes)
