"""Questions over frames without a knowledge graph: names with spaces, quotes, unicode; joins found and verified."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.grounding.predictions.predictive import PredictivePlan
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from tests.grounding.conftest import rows


def joined(shop):
    return shop["orders"].merge(shop["customers"], on="customer_id")


def by(frame, key, column, how):
    return frame.groupby(key)[column].agg(how).items()


def one(value):
    return [(value,)]


SALES = "Total Sales (EUR)"
ANSWERED = [
    ("how many customers", lambda s: one(len(s["customers"]))),
    ("how many rows in df", lambda s: one(4)),
    ("how many orders per city", lambda s: joined(s).groupby("City").size().items()),
    ("average total sales by status", lambda s: by(s["orders"], "Status", SALES, "mean")),
    ("total sales by city", lambda s: by(joined(s), "City", SALES, "sum")),
    ("sum of unit price by status", lambda s: by(s["orders"], "Status", "unitPrice", "sum")),
    ('mean of "Total Sales (EUR)" by city', lambda s: by(joined(s), "City", SALES, "mean")),
    (
        "how many orders are on hold in New York",
        lambda s: one(len(joined(s).query("Status == 'on hold' and City == 'New York'"))),
    ),
    ("how many shipped or on hold orders", lambda s: one(s["orders"].Status.isin(["shipped", "on hold"]).sum())),
    ("how many orders are not shipped", lambda s: one((s["orders"].Status != "shipped").sum())),
    ("how many customers in Zürich", lambda s: one((s["customers"].City == "Zürich").sum())),
    (
        "how many customers have no orders",
        lambda s: one((~s["customers"].customer_id.isin(s["orders"].customer_id)).sum()),
    ),
    (
        "how many customers have at least 5 orders",
        lambda s: one((s["orders"].groupby("customer_id").size() >= 5).sum()),
    ),
    ("average a by b", lambda s: by(s["df"], "b", "a", "mean")),
    ("sum of select by b", lambda s: by(s["df"], "b", "select", "sum")),
    ('max of "score ""x"""', lambda s: one(s["customers"]['score "x"'].max())),
    ("average price", lambda s: one(s["orders"].unitPrice.mean())),
    ("how many distinct cities", lambda s: one(s["customers"].City.nunique())),
    ("how many customers have missing churned", lambda s: one(s["customers"].churned.isna().sum())),
    (
        "number of customers by signup date year",
        lambda s: s["customers"].groupby(s["customers"]["Signup Date"].dt.year).size().items(),
    ),
    (
        "average unit price of orders between 2021-03-01 and 2021-05-31",
        lambda s: one(s["orders"][s["orders"].ordered_at.between("2021-03-01", "2021-05-31")].unitPrice.mean()),
    ),
    (
        "median total sales of returned orders in Oslo",
        lambda s: one(joined(s).query("Status == 'returned' and City == 'Oslo'")[SALES].median()),
    ),
    ("average weight", lambda s: one(None)),
    (
        "top 5 customers by total sales",
        lambda s: [
            (f"Person {i - 1}", x) for i, x in s["orders"].groupby("customer_id")[SALES].sum().nlargest(5).items()
        ],
    ),
]


@pytest.mark.parametrize(("question", "gold"), ANSWERED, ids=[q for q, _ in ANSWERED])
def test_answer_equals_pandas(shop, shop_grounder, question, gold):
    reading = shop_grounder.read(question)
    assert isinstance(reading, Reading), reading.text
    got = shop_grounder.engine.query(reading.sql)
    assert rows(got) == rows(pd.DataFrame(list(gold(shop)))), f"{reading.text}\n{reading.sql}"


@pytest.mark.parametrize(
    "question",
    [
        "how many frogs", "forecast total sales", "customers by favourite colour",
        "drop table customers", "is churned correlated with score",
        "average weight by city", "predict full name", "how many customers in Atlantis", "predict the future",
        "count of nothing", "customers like Person 3",
    ],
)  # fmt: skip
def test_what_the_frames_cannot_tell_is_declined(shop_grounder, question):
    found = (
        shop_grounder.predictive(question) if shop_grounder.is_predictive(question) else shop_grounder.read(question)
    )
    assert isinstance(found, Declined), getattr(found, "sql", found)


def test_a_column_that_is_known_everywhere_is_learned_and_nothing_is_predicted(shop_grounder):
    plan = shop_grounder.predictive("predict status of orders")
    assert plan.predict_sql == ""
    assert "known in all" in plan.task["measured_text"]


@pytest.mark.parametrize("question", ["orders over 5", "top 10 orders", "top 5 customers by unit price"])
def test_open_questions_are_asked(shop_grounder, question):
    assert isinstance(shop_grounder.read(question), Choice)


def test_a_target_with_missing_rows_is_predicted_from_its_own_table(shop, shop_grounder):
    plan = shop_grounder.predictive("which customers will churn")
    assert isinstance(plan, PredictivePlan)
    known, open_ = (shop_grounder.engine.query(s) for s in (plan.context_sql, plan.predict_sql))
    assert len(known) == shop["customers"].churned.notna().sum()
    assert len(open_) == shop["customers"].churned.isna().sum()
    assert list(known.columns) == [*open_.columns, "churned"]
    assert plan.task["task_type"] == "classification"
    assert "Full Name" not in known.columns


def test_a_join_needs_a_key_and_its_values(frames_grounder):
    people = pd.DataFrame({"person_id": [1, 2, 2], "town": ["a", "b", "c"]})  # no key: repeats
    visits = pd.DataFrame({"visit_id": [1, 2, 3], "person_id": [1, 2, 2]})
    found = frames_grounder(people=people, visits=visits).read("how many visits by town")
    assert isinstance(found, Declined)
    assert "no join" in found.text


def test_rows_without_a_parent_stay_in_the_groups(frames_grounder):
    people = pd.DataFrame({"person_id": [1, 2], "town": ["Oslo", "Rome"]})
    visits = pd.DataFrame({"visit_id": range(10), "person_id": [1] * 5 + [2] * 4 + [99]})
    grounder = frames_grounder(people=people, visits=visits)
    got = grounder.engine.query(grounder.read("how many visits by town").sql)
    assert rows(got) == rows(pd.DataFrame([("Oslo", 5), ("Rome", 4), (None, 1)]))


def test_a_count_over_a_fan_out_counts_each_once(frames_grounder):
    people = pd.DataFrame({"person_id": [1, 2, 3], "town": ["Oslo", "Oslo", "Rome"], "height": [1.6, 1.8, 1.7]})
    visits = pd.DataFrame({"visit_id": range(6), "person_id": [1, 1, 1, 2, 3, 3], "kind": list("xxyxyy")})
    grounder = frames_grounder(people=people, visits=visits)
    got = grounder.engine.query(grounder.read("number of people by kind").sql)
    assert rows(got) == rows(pd.DataFrame([("x", 2), ("y", 2)]))
    assert isinstance(grounder.read("average height by kind"), Declined)


def test_an_edited_frame_is_read_anew(frames_grounder):
    names = {"people": pd.DataFrame({"person_id": [1, 2], "town": ["Oslo", "Rome"]})}
    grounder = frames_grounder(**names)
    assert isinstance(grounder.read("how many people in Rome"), Reading)
    assert isinstance(grounder.read("how many people in Paris"), Declined)


def test_a_table_of_zero_rows_is_no_error(frames_grounder):
    grounder = frames_grounder(nothing=pd.DataFrame({"x": pd.Series([], dtype="int64"), "y": pd.Series([], dtype=str)}))
    reading = grounder.read("how many rows in nothing")
    assert grounder.engine.query(reading.sql).iloc[0, 0] == 0
