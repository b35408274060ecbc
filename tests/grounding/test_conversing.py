"""Follow-ups that point back: `sort them`, `how much was that`, `there`: read with the question before or declined."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Choice, Declined


@pytest.fixture(scope="module")
def zoo(frames_grounder):
    """Keepers of animals: few rows, so that each right number is plain to see."""
    import pandas as pd

    keepers = pd.DataFrame(
        {
            "keeper_id": [1, 2, 3, 4, 5],
            "town": ["Oslo", "Oslo", "Bergen", "Bergen", "Voss"],
            "shift": ["day", "night", "day", "day", "night"],
            "hired": pd.to_datetime(["2019-01-05", "2019-06-01", "2020-02-01", "2021-03-01", "2021-09-01"]),
        }
    )
    animals = pd.DataFrame(
        {
            "animal_id": [10, 11, 12, 13, 14, 15],
            "keeper_id": [1, 1, 1, 2, 3, 3],
            "species": ["otter", "otter", "lynx", "lynx", "owl", "owl"],
            "weight": [10.0, 12.0, 30.0, 26.0, 2.0, 4.0],
        }
    )
    grounder = frames_grounder(keepers=keepers, animals=animals)
    yield grounder
    grounder.engine.close()


def _rows(grounder, before, question):
    found = grounder.read(grounder.in_context(before, question))
    assert not isinstance(found, Declined | Choice), found
    return [tuple(row) for row in grounder.engine.query(found.sql).itertuples(index=False, name=None)]


POINTING = [
    (["three heaviest animals"], "just the first two", [12, 13]),
    (["animals with weight over 5"], "sort them by weight descending", [12, 13, 11, 10]),
]


@pytest.mark.parametrize(("before", "question", "keys"), POINTING, ids=[q for _, q, _ in POINTING])
def test_the_rows_before_are_ordered_or_cut(zoo, before, question, keys):
    assert [row[0] for row in _rows(zoo, before, question)] == keys


FIGURES = [
    (["animals with weight over 5"], "what is their average weight?", 19.5),
    (["animals with weight over 5", "what is their average weight?"], "how many of them are otters?", 2),
    (["how many keepers were hired before 2020?"], "and since then?", 3),
    (["how many keepers have an animal?"], "and how many don't?", 2),
    (["how many keepers have an animal?"], "what share is that?", 60.0),
    (["which keeper has the most animals?"], "how many animals does that one have?", 3),
]


@pytest.mark.parametrize(("before", "question", "number"), FIGURES, ids=[q for _, q, _ in FIGURES])
def test_a_figure_is_of_the_rows_before(zoo, before, question, number):
    assert _rows(zoo, before, question)[0][0] == pytest.approx(number)


def test_a_condition_is_taken_off_again(zoo):
    assert sorted(_rows(zoo, ["animals with weight over 5 by species"], "now for all animals")) == [
        ("lynx", 2), ("otter", 2), ("owl", 2),
    ]  # fmt: skip


def test_a_value_is_left_out(zoo):
    assert sorted(_rows(zoo, ["animals by species"], "leave out owl")) == [("lynx", 2), ("otter", 2)]


def test_a_group_is_added(zoo):
    rows = _rows(zoo, ["number of keepers by town"], "split that by shift too")
    assert sorted(rows) == [("Bergen", "day", 2), ("Oslo", "day", 1), ("Oslo", "night", 1), ("Voss", "night", 1)]


def test_the_size_of_what_was_counted(bank_grounder):
    assert _rows(bank_grounder, ["How many loans were granted in 1995?"], "how much money was that?") == [(14174964.0,)]


def test_there_is_the_place_of_the_answer_before(bank_grounder):
    whole = bank_grounder.in_context(["which district has the highest average salary?"], "how many clients live there?")
    assert "district name Hl.m. Praha" in bank_grounder.read(whole).text


def test_another_number_of_places_of_a_prediction(bank_grounder):
    before = "Which of the loans being repaid are likely to default? Top 10."
    plan = bank_grounder.understood(bank_grounder.in_context([before], "show 20"))
    assert (plan.top_k, plan.predict_sql) == (20, bank_grounder.understood(before).predict_sql)


@pytest.mark.parametrize(
    "question",
    ["sort them by weight", "do they have animals?", "how many keepers work there?", "what share is that?"],
)
def test_what_points_at_nothing_is_not_answered(zoo, question):
    assert isinstance(zoo.read(question), Declined | Choice)


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("animals by species", "sort them by town"),  # groups have no town
        ("animals with weight over 5", "just the first two"),  # of no order
        ("keepers by shift", "now for all animals"),
    ],
)
def test_a_form_that_the_question_before_does_not_have_is_not_answered(zoo, before, question):
    assert isinstance(zoo.read(zoo.in_context([before], question)), Declined | Choice)


def test_a_chart_of_it_is_one_of_all_that_was_asked(zoo):
    found = zoo.read(zoo.in_context(["animals by species"], "make it a pie chart"))
    assert (found.chart, found.text) == ("pie", "number of animals, by species")


def test_existing_is_no_place(zoo):
    assert zoo.read("how many keepers are there").kind == "count"


def test_the_end_of_the_groups_before(zoo):
    assert _rows(zoo, ["average weight of animals by species"], "which one is lowest?") == [("owl", 3.0)]


def test_the_number_of_what_a_figure_is_of(zoo):
    assert _rows(zoo, ["total weight of animals with weight over 5"], "how many are there?") == [(4,)]
