"""Everyday wordings, that name no column, as questions that do; each says what it was read as."""

from __future__ import annotations

from lexsi_nb.grounding.everyday.adjectives import longest_on_average, price_of, said_of_a_number
from lexsi_nb.grounding.everyday.ages import oldest_on_average, with_ages
from lexsi_nb.grounding.everyday.counts import (
    busiest,
    by_sum,
    most_often,
    never_came,
    never_done,
    so_many_times,
    total_of_rows,
)
from lexsi_nb.grounding.everyday.done_nouns import noun_of_flag
from lexsi_nb.grounding.everyday.last_rows import last_by_which, period_beside
from lexsi_nb.grounding.everyday.money import earned, paid_out, spent
from lexsi_nb.grounding.everyday.nouns import (
    costs_most,
    counted_for_each,
    did,
    did_last,
    in_stock,
    rows_of_a_number,
    times_done,
    value_of,
    who_did,
)
from lexsi_nb.grounding.everyday.own_numbers import against_its_own
from lexsi_nb.grounding.everyday.rates import both_ways, called_by_flag, flag_first, flag_or_not, rate
from lexsi_nb.grounding.everyday.spans import between, lasting, same_day, still_open
from lexsi_nb.grounding.everyday.whereabouts import how_many_places, when_done
from lexsi_nb.grounding.schema.index import SchemaIndex

_FORMS = (
    period_beside, last_by_which, when_done, how_many_places, noun_of_flag, against_its_own,
    both_ways, flag_or_not, longest_on_average,
    total_of_rows, busiest, most_often, so_many_times, never_done, never_came, by_sum, flag_first,
    spent, earned, lasting, between, still_open,
    same_day, called_by_flag, paid_out, oldest_on_average,
    rate, in_stock, value_of, rows_of_a_number, counted_for_each, did_last, who_did, did,
    times_done, costs_most, said_of_a_number, price_of,
)  # fmt: skip


def plainly_asked(question: str, index: SchemaIndex) -> tuple[str, list[str]]:
    """Return the question with everyday wordings asked anew, and what they were read as.

    Raises:
        Unread: with what can be meant.
    """
    with_ages(index)
    notes: list[str] = []
    for form in _FORMS:
        made = form(question, index)
        if made is not None:
            question = made.question
            notes += [made.note] if made.note else []
    return question, notes
