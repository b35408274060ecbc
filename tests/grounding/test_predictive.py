"""The predictive plan: who is learned from, who is scored, what was known in time, what is left out."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.predictions.predictive import PredictivePlan
from lexsi_nb.grounding.reading import Declined
from tests.grounding.conftest import rows

NORTH_STAR = (
    "For loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)


@pytest.fixture(params=["bank", "berka"])
def grounder(request):
    return request.getfixturevalue(f"{request.param}_grounder")


def frames(grounder, plan):
    return [grounder.engine.query(s) if s else None for s in (plan.context_sql, plan.predict_sql, plan.already_sql)]


def test_the_populations_of_the_north_star(grounder):
    plan = grounder.predictive(NORTH_STAR)
    context, predict, already = frames(grounder, plan)
    assert (len(context), int(context.is_default.sum()), len(predict), len(already)) == (234, 31, 403, 45)
    assert (plan.top_k, plan.explain) == (10, True)
    assert plan.task["entity_column"] == "loan_id"
    assert plan.task["time_column"] == "date"
    assert plan.task["target_column"] == "is_default"
    assert list(context.columns)[:2] == ["loan_id", "date"]
    assert list(predict.columns) == list(already.columns) == list(context.columns)[:-1]
    assert context.loan_id.is_unique


def test_what_is_left_out_is_named_with_reason_and_count(grounder):
    left = dict(grounder.predictive(NORTH_STAR).left_out)
    assert left["loan.payments"] == "restates amount / duration"
    assert left["loan.status"] == "restates the outcome"
    assert left["standing orders (order)"] == "undated, 6,471 rows; UVER restates loan.payments"
    assert "undated" in left["dispositions (disp)"]
    assert "protected" in left["client: birth_date, gender"]
    assert left["card"].startswith("134 cards dated on or after")
    older = grounder.engine.query("SELECT count(*) FROM loan WHERE date <= '1995-12-31'").iloc[0, 0]
    assert f"not known yet for {older} of 682 loans" in left["district: unemployment_1995, crimes_1995"]
    assert any("average_salary" in what and why == "undated snapshot" for what, why in left.items())


def test_no_feature_comes_from_what_is_left_out(grounder):
    context = grounder.engine.query(grounder.predictive(NORTH_STAR).context_sql)
    banned = {"status", "payments", "gender", "birth_date", "unemployment_1995", "unemployment_1996", "average_salary"}
    assert not banned & set(context.columns)


def test_transactions_count_strictly_before_the_loan(bank_grounder):
    plan = bank_grounder.predictive(NORTH_STAR)
    got = bank_grounder.engine.query(plan.context_sql)
    gold = bank_grounder.engine.query(
        """
        SELECT l.loan_id, l.date - a.date AS account_age_days, count(t.trans_id), min(t.balance),
               coalesce(sum(CASE WHEN t.k_symbol = 'SANKC. UROK' THEN 1 ELSE 0 END), 0),
               coalesce(sum(CASE WHEN t.type = 'PRIJEM' THEN t.amount END), 0),
               min(CASE WHEN t.date >= l.date - INTERVAL 90 DAY THEN t.balance END)
        FROM loan l JOIN account a USING (account_id)
        LEFT JOIN trans t ON t.account_id = l.account_id AND t.date < l.date
        WHERE l.status IN ('A', 'B') GROUP BY 1, 2
        """
    )
    columns = ["loan_id", "account_age_days", "transaction_count", "balance_min", "sanction_interest_count"]
    assert rows(got[[*columns, "credit_amount_total", "balance_min_90d"]]) == rows(gold)


def test_cards_count_only_when_issued_before_the_loan(grounder):
    got = grounder.engine.query(grounder.predictive(NORTH_STAR).predict_sql)[["loan_id", "card_count"]]
    gold = grounder.engine.query(
        "SELECT l.loan_id, (SELECT count(*) FROM card c JOIN disp d USING (disp_id)"
        " WHERE d.account_id = l.account_id AND c.issued < l.date) FROM loan l WHERE status = 'C'"
    )
    assert rows(got) == rows(gold)


def test_a_plan_without_the_transactions_table(berka_grounder):
    plan = berka_grounder.predictive(NORTH_STAR)
    assert "trans" not in plan.context_sql
    assert not any(what == "trans" for what, _ in plan.left_out)


def test_conditions_of_the_question_narrow_what_is_scored_and_not_what_is_learned_from(grounder):
    plan = grounder.predictive("the 5 riskiest loans in Prague")
    context, predict, _ = frames(grounder, plan)
    gold = grounder.engine.query(
        "SELECT loan_id FROM loan JOIN account a USING (account_id) JOIN district d ON d.district_id = a.district_id"
        " WHERE status = 'C' AND region = 'Prague' ORDER BY 1"
    )
    assert plan.top_k == 5
    assert len(context) == 234
    assert predict.loan_id.tolist() == gold.loan_id.tolist()


def test_a_stated_population_is_taken_as_it_is(grounder):
    plan = grounder.predictive("which loans with status C or D will default")
    context, predict, already = frames(grounder, plan)
    assert (len(context), len(predict), already) == (234, 448, None)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("which clients are likely to default", "defined for loan"),
        ("will finished loans default?", "known already"),
        ("which loans are likely to default with shoe size", "shoe"),
        ("forecast the weather", "weather"),
        ("predict the amount of loans with a duration of 60 months", "known in all"),
        ("predict", "names no outcome"),
        ("how many running loans will default", "figure"),
        ("which loans are least likely to default", "highest"),
        ("which loans are not likely to default", "excludes"),
        ("average risk of default by region", "figure"),
        ("will it rain tomorrow", "rain"),
    ],
)
def test_predictions_that_cannot_be_grounded_are_declined(berka_grounder, question, says):
    assert berka_grounder.is_predictive(question)
    found = berka_grounder.predictive(question)
    assert isinstance(found, Declined)
    assert says in found.text


def test_a_case_whose_outcome_is_known_is_not_predicted(berka_grounder):
    found = berka_grounder.predictive("what is the risk of default of loan 5314")
    assert isinstance(found, Declined)


def test_the_plan_is_the_same_every_time(berka_grounder):
    a, b = (berka_grounder.predictive(NORTH_STAR) for _ in range(2))
    assert isinstance(a, PredictivePlan)
    assert a == b


def tiers():
    """Return customers of which a tier of three classes, and a budget, are missing for some."""
    import pandas as pd

    tier = ["gold", "silver", "bronze"] * 20
    return pd.DataFrame(
        {
            "client_id": range(60),
            "spend": [i * 1.5 for i in range(60)],
            "town": ["Oslo", "Bergen"] * 30,
            "tier": [t if i < 48 else None for i, t in enumerate(tier)],
            "budget": [float(i * 7 % 50) if i < 50 else None for i in range(60)],
        }
    )


def test_a_text_of_several_classes_is_predicted_where_it_is_missing(frames_grounder):
    from lexsi_nb.grounding.reading import PredictivePlan

    frame = tiers()
    grounder = frames_grounder(clients=frame)
    plan = grounder.understood("predict the tier of clients")
    assert isinstance(plan, PredictivePlan)
    assert plan.task["task_type"] == "classification"
    assert len(grounder.engine.query(plan.predict_sql)) == frame["tier"].isna().sum()


def test_a_prediction_of_a_column_can_have_conditions(frames_grounder):
    from lexsi_nb.grounding.reading import PredictivePlan

    frame = tiers()
    grounder = frames_grounder(clients=frame)
    for question, held in (
        ("predict the budget of clients in Oslo", frame["town"] == "Oslo"),
        ("forecast budget of clients with spend over 85", frame["spend"] > 85),
    ):
        plan = grounder.understood(question)
        assert isinstance(plan, PredictivePlan), plan
        scored = grounder.engine.query(plan.predict_sql)
        assert list(scored["client_id"]) == list(frame[held & frame["budget"].isna()]["client_id"])
        assert len(grounder.engine.query(plan.context_sql)) == 50  # it is learned from all that are known


def test_a_prediction_of_a_column_that_its_conditions_leave_empty_or_grouped_is_declined(frames_grounder):
    from lexsi_nb.grounding.reading import Declined

    grounder = frames_grounder(clients=tiers())
    for question in (
        "predict the budget of clients with spend under 3",  # all of these are known
        "predict the budget by town",
        "predict the budget of clients in Paris",
        "what drives the budget of clients in Oslo",
    ):
        assert isinstance(grounder.understood(question), Declined), question


def test_a_number_of_few_values_is_predicted_as_a_number_or_as_its_codes(tmp_path, monkeypatch):
    import pandas as pd

    from lexsi_nb.app.session import Session

    monkeypatch.chdir(tmp_path)
    rows = pd.DataFrame(
        {
            "item_id": range(1, 61),
            "size": [i % 30 for i in range(60)],
            "rating": [1.0 + i % 30 // 10 for i in range(60)],
        }
    )
    rows.loc[50:, "rating"] = None
    session = Session({"items": rows}, namespace={"items": rows})
    plan = session.binding.start() and session.binding.grounder().understood("predict the rating of items")
    assert plan.task["task_type"] == "regression"
    assert "rating, with 3 different values, is taken as a number" in plan.read_as
    (tmp_path / "lexsi_kg.yaml").write_text(
        "frames: {tables: {items: {entity: item_id, columns: {rating: {codes: {1: low, 2: middle, 3: high}}}}}}"
    )
    assert session.binding.grounder().understood("predict the rating of items").task["task_type"] == "classification"


def test_a_measurement_that_differs_in_every_row_is_a_feature_and_no_key(frames_grounder):
    """Without a key the rows are known by their number, which is said; a text, an id and a count stay keys."""
    import numpy as np
    import pandas as pd

    n = 60
    x = np.random.default_rng(0).normal(size=n)
    d = pd.DataFrame({"grp": ["p", "q"] * 30, "x": x, "paid": np.arange(n) * 7, "y": (x > 0).astype(float)})
    d.loc[50:, "y"] = None
    plan = frames_grounder(d=d).predictive("predict y")
    assert plan.task["entity_column"] == "row"
    assert "no column identifies a row of d, so row is the row number, counted from 0" in plan.warnings
    engine = frames_grounder(d=d).engine
    known, open_ = engine.query(plan.context_sql), engine.query(plan.predict_sql)
    assert list(known.columns) == ["row", "grp", "x", "paid", "y"]
    assert (known["row"].tolist(), open_["row"].tolist()) == (list(range(50)), list(range(50, 60)))
    assert known["x"].tolist() == d["x"].head(50).tolist()
    for key, values in {
        "code": [f"c{i}" for i in range(n)],
        "loan_no": np.arange(n) * 3,
        "nth": range(9, 9 + n),
    }.items():
        keyed = frames_grounder(d=d.assign(**{key: values})).predictive("predict y")
        assert keyed.task["entity_column"] == key
        assert len(keyed.warnings) == 1
    assert frames_grounder(d=d.assign(id=x)).predictive("predict y").task["entity_column"] == "row"
    assert frames_grounder(d=d.assign(row=1)).predictive("predict y").task["entity_column"] == "row_number"


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which 5 running loans are most likely to default?", 5),
        ("10 running loans most likely to default", 10),
        ("list the seven riskiest running loans", 7),
        ("the riskiest 20 loans", 20),
        ("which 3 loans of women are most likely to default?", 3),
        ("which running loan is most likely to default?", 1),
        ("the riskiest running loan", 1),
        ("which running loans will default?", 10),
        ("which loans granted in 1998 are at risk of default", 10),
        ("which of the loans with duration 60 will probably default?", 10),
    ],
)
def test_how_many_rows_are_ranked(bank_grounder, question, rows):
    assert bank_grounder.predictive(question).top_k == rows


def test_a_year_before_the_outcome_is_a_condition(bank_grounder):
    plan = bank_grounder.predictive("which loans granted in 1998 are at risk of default")
    scored = bank_grounder.engine.query(plan.predict_sql)["date"]
    assert len(scored) == 154
    assert {d.year for d in scored} == {1998}


@pytest.mark.parametrize("question", ["which district has the riskiest loans?", "which account has the riskiest loan"])
def test_a_risk_of_other_rows_is_not_ranked(bank_grounder, question):
    assert isinstance(found := bank_grounder.predictive(question), Declined)
    assert "defined for loan" in found.text


@pytest.mark.parametrize(
    "question",
    ["how likely is loan 6989 to default?", "how likely is it that loan 6989 will default?",
     "what are the odds of loan 6989 defaulting?"],
)  # fmt: skip
def test_how_likely_asks_for_the_score_of_one(bank_grounder, question):
    plan = bank_grounder.understood(question)
    assert bank_grounder.engine.query(plan.predict_sql)["loan_id"].tolist() == [6989]


@pytest.mark.parametrize(
    ("question", "at"), [("why the 12th one?", 12), ("why the third?", 3), ("why the 2nd one?", 2)]
)
def test_any_place_of_the_ranking_can_be_asked_about(bank_grounder, question, at):
    found = bank_grounder.in_context(["which running loans are most likely to default?"], question)
    assert (found.place, found.case) == (at, "")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which running loans granted in 1997 are most at risk? show 15", 15),
        ("an early-warning list: the 25 running loans with the highest risk of default", 25),
        ("rank the loans with status C by risk, riskiest first", 10),
        ("top 12 running loans in danger of default", 12),
    ],
)
def test_what_is_said_beside_the_outcome_is_no_condition(bank_grounder, question, rows):
    plan = bank_grounder.understood(question)
    scored = bank_grounder.engine.query(plan.predict_sql)
    assert plan.top_k == rows
    assert len(scored) == (130 if "1997" in question else 403)


def test_the_number_of_a_case_is_no_condition_on_another_column(bank_grounder):
    plan = bank_grounder.understood("chance that loan no. 6989 won't be repaid")
    assert bank_grounder.engine.query(plan.predict_sql)["loan_id"].tolist() == [6989]


def test_how_well_an_outcome_is_told_is_of_the_rows_learned_from(bank_grounder):
    plan = bank_grounder.understood("how accurately can we tell from the finished loans who defaults?")
    assert "loan.status" not in plan.read_as
    assert len(bank_grounder.engine.query(plan.context_sql)) == 234


@pytest.mark.parametrize("question", ["rank the running loans by risk, safest first", "rank the districts by risk"])
def test_another_order_or_other_rows_are_declined(bank_grounder, question):
    assert isinstance(bank_grounder.understood(question), Declined)


def test_a_column_known_everywhere_is_learned_and_none_is_predicted(berka_grounder):
    plan = berka_grounder.predictive("how well can the loan amount be predicted?")
    context = berka_grounder.engine.query(plan.context_sql)
    assert (len(context), plan.predict_sql, plan.task["task_type"]) == (682, "", "regression")
    assert "known in all 682 rows" in plan.task["measured_text"]
    assert not {"payments", "status"} & set(context.columns)  # computed from it, and known only afterwards
    salary = berka_grounder.predictive("train a model to predict the average salary")
    assert "A11" not in berka_grounder.engine.query(salary.context_sql).columns


def test_a_plan_whose_sql_does_not_run_is_a_decline(frames_grounder, monkeypatch):
    from lexsi_nb.errors import QueryFailed
    from lexsi_nb.grounding.predictions import predictive

    def failing(*_):
        raise QueryFailed("The query failed.", "No such function.", "")

    monkeypatch.setattr(predictive, "plan", failing)
    import pandas as pd

    kites = pd.DataFrame({"kite_id": [1, 2], "span": [1.0, None]})
    found = frames_grounder(kites=kites).predictive("predict the span of the kites")
    assert isinstance(found, Declined)
    assert "does not run. No such function." in found.reason
