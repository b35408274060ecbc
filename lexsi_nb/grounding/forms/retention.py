"""Retention: what counts as active is asked for, as a row of which table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import lexicon, retold
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import name_words

MOST = 6  # ways that a choice lists


def ask_what_is_active(cohort: str, unit: str, index: SchemaIndex) -> NoReturn:
    """Ask a row of which table makes one of the cohort's rows active; without a cohort's table, ask for both.

    Raises:
        Unread: with the choice, or a decline where no rows have a date after one of their own.
    """
    keyed = [t for t in index.columns if index.key_of(t) and len(dates_of(t, index)) == 1]
    tables = [cohort] if cohort else [t for t in keyed if not of_life(dates_of(t, index)[0], index)]
    pairs = [(t, e) for t in tables for e in events_of(t, index) if len(index.joins.any(e, t)) == 1]
    dated = [(t, e, c) for t, e in pairs for c in dates_of(e, index)][:MOST]
    if not dated:
        of = f" of {cohort}" if cohort else ""
        refuse(f"Retention needs rows with a date{of} and dated rows that belong to them; there are none.", cohort)
    alone = {e for _, e, _ in dated if len(dates_of(e, index)) == 1}
    said = [(t, e, _said(e) if e in alone else retold.OF.format(_said(e), _said(c.name))) for t, e, c in dated]
    questions = tuple(retold.RETAINED.format(_said(t), noun, unit or "year") for t, _, noun in said)
    pairs = [(t, e) for t, e, _ in said]
    if len(pairs) == 1:
        refuse(f"What counts as active? Say it, as in: {questions[0]}.")
    ways = tuple(f"{rows_word(t)} with a row of {e}" for t, e in pairs)
    raise Unread(Choice("What counts as active?", ways, questions=questions, lasting=False))


def dates_of(table: str, index: SchemaIndex) -> list[Column]:
    """Return the dates that the rows of a table may be dated by: a day of birth only where there is no other."""
    times = index.time_of(table)
    return [c for c in times if not of_life(c, index)] or times


def of_life(c: Column, index: SchemaIndex) -> bool:
    """Whether a date is a day of birth or of death."""
    return index.facts.column(c.table, c.name).birth or bool(lexicon.OF_LIFE & {*name_words(c.name)})


def events_of(cohort: str, index: SchemaIndex) -> Sequence[str]:
    """Return the tables whose rows have a date and belong to one row of another table."""
    return [t for t in index.joins.below(cohort, index.columns) if t != cohort and index.time_of(t)]


def _said(table: str) -> str:
    return table if re.fullmatch(r"[A-Za-z_]\w*", table) else f'"{table}"'
