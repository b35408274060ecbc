"""What a code, a column or a word of the business means: as the knowledge graph says, or not at all."""

from __future__ import annotations

import pytest

from lexsi_nb.grounding.reading import Declined, Reading

TOLD = [
    ("what does status D mean?", "'D' in loan.status is running, in debt"),
    ("what does loan status B stand for", "'B' in loan.status is finished, not paid"),
    ("what is the meaning of UVER?", "'UVER' in order.k_symbol is loan payment"),
    ("what does frequency POPLATEK MESICNE mean", "'POPLATEK MESICNE' in account.frequency is monthly"),
    ("what does the column frequency mean", "'account.frequency' is how often statements are issued"),
    ("what does 'default' mean?", "'default' is, for rows of loan: status IN ('B', 'D')"),
]


@pytest.mark.parametrize(("question", "said"), TOLD, ids=[q for q, _ in TOLD])
def test_a_meaning_of_the_knowledge_graph_is_told(bank_grounder, question, said):
    found = bank_grounder.read(question)
    assert isinstance(found, Reading)
    assert found.notes[0].startswith(said)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("what does status Z mean?", "loan.status has no 'Z'; it has A, B, C, D."),
        ("what does Prague mean?", "nothing says what it means"),
        ("what does life mean", "Nothing in the data or the knowledge graph says"),
    ],
)
def test_what_nothing_explains_is_declined(bank_grounder, question, why):
    found = bank_grounder.read(question)
    assert isinstance(found, Declined)
    assert why in found.reason


def test_without_a_code_book_a_code_has_no_meaning(shop_grounder):
    found = shop_grounder.read("what does Status returned mean?")
    assert isinstance(found, Declined)
    assert "nothing says what it means" in found.reason


def test_a_meaning_is_the_answer_of_a_session(bank):
    import lexsi_nb as lx

    session = lx.Session(bank, planner="embedded", namespace={})
    run = session.ask("what does status C mean?")
    assert (run.status, run.answer) == ("answered", "'C' in loan.status is running, OK.")
