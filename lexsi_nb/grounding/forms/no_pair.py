"""Why a comparison is of no two things that can be told, and what to ask instead."""

from __future__ import annotations

from typing import NoReturn

from lexsi_nb.grounding.forms.asking import Ask, refuse


def no_pair(ask: Ask) -> NoReturn:
    """Refuse a comparison of which two things cannot be told, with what to say instead."""
    by = next((i for i, m in enumerate(ask.items) if m.tag("by") is not None and not m.entries), None)
    groups = " ".join(m.words for m in ask.items[by + 1 :]) if by else ""
    if groups and (ask.at("difference") is not None or ask.at("ratio") is not None):
        told = f"I compare two figures over all rows, and not within each {groups}."
        refuse(f"{told} Ask for the figure 'by {groups}' and by what the two are values of.", groups)
    refuse("I can't tell which two things are compared. Name the column before its values, as in 'status A and B'.")
