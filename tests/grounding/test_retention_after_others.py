"""What asks for retention asks for itself: it is no group of the question before, and never left out."""

from __future__ import annotations

import pandas as pd
import pytest

from lexsi_nb.app.session import Session

FANS = pd.DataFrame(
    {"fan_id": range(1, 9), "since": pd.date_range("2022-01-10", periods=8, freq="20D"), "tier": list("abababab")}
)
GIGS = pd.DataFrame(
    {
        "gig_id": range(1, 25),
        "fan_id": [*range(1, 9)] * 3,
        "held_on": pd.date_range("2022-06-20", periods=24, freq="17D"),
    }
)


@pytest.fixture
def session():
    return Session({"fans": FANS, "gigs": GIGS}, namespace={})


@pytest.mark.parametrize("question", ["retention of fans by month", "cohort retention by month", "cohorts by month"])
def test_it_is_not_read_as_a_group_of_the_question_before(session, question):
    session.ask("number of gigs by tier")
    assert session.ask(question).status in ("declined", "needs_choice")


@pytest.mark.parametrize("question", ["number of gigs by month retention", "number of loans by year retention"])
def test_retention_is_not_left_out(session, bank_grounder, question):
    if "loans" in question:
        assert type(bank_grounder.read(question)).__name__ != "Reading"
    else:
        assert session.ask(question).status == "declined"


def test_where_it_can_be_told_it_is(session):
    session.ask("number of gigs by tier")
    run = session.ask("retention of fans with gigs by year")
    assert run.status == "answered"
    assert list(run.frame.columns[:2]) == ["cohort", "number_of_fans"]
