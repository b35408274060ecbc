"""How the kinds of a column are distributed in each group."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Declined, Reading


@pytest.mark.parametrize(
    "question",
    [
        "distribution of loan status by region",
        "breakdown of loan status per region",
    ],
)
def test_the_kinds_of_a_column_are_told_in_each_group(bank_grounder, question):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading), found
    frame = bank_grounder.engine.query(found.sql)
    wanted = bank_grounder.engine.query(
        "SELECT d.region, l.status, count(*) AS n FROM loan l JOIN account a USING (account_id) "
        "JOIN district d ON d.district_id = a.district_id GROUP BY ALL"
    )
    told = {(r.region, r.status): r.number_of_loans for r in frame.itertuples()}
    assert told == {(r.region, r.status): r.n for r in wanted.itertuples()}
    assert frame.groupby("region").percentage.sum().tolist() == pytest.approx([100.0] * frame.region.nunique())


def test_how_a_column_is_distributed_is_no_number_of_its_values(bank_grounder):
    found = bank_grounder.read("how is loan status distributed by region")
    assert isinstance(found, Declined)
    assert "Ask for the distribution of status by region" in found.reason
    assert isinstance(bank_grounder.read("how are loans distributed by region"), Reading)
