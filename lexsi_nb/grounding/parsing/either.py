"""Conditions that `or` joins, made one condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lexsi_nb.grounding.parsing.drafts import FilterDraft
from lexsi_nb.grounding.reading import Declined, Filter, Unread


def either(
    own: Sequence[Filter], placed: Mapping[int, Filter], drafts: Sequence[FilterDraft], base: str
) -> list[Filter]:
    """Return the conditions on rows of `base` with those that `or` joins made one; `placed` has them by their draft.

    Raises:
        Unread: one of them is not on the rows asked for, or on what each of them has one of.
    """
    out, at_draft = list(own), dict(placed)
    for at, draft in enumerate(drafts):
        if draft.other_way is None:
            continue
        before, after = draft.other_way
        left = [f for i in range(at - before, at) if (f := at_draft.get(i)) is not None]
        right = [f for i in range(at, at + after) if (f := at_draft.get(i)) is not None]
        if len(left) < before or len(right) < after:
            raise Unread(Declined("I can't join these conditions by 'or'.", (draft.words,)))
        ways = left[0].parts if left[0].op == "any" else (_all(left, base),)  # "A or B or C"
        one = Filter(None, "any", parts=(*ways, _all(right, base)), table=base, words=draft.words)
        place = next(i for i, f in enumerate(out) if f is left[0])
        out = [f for f in out if not any(f is g for g in (*left, *right))]
        out.insert(place, one)
        at_draft[at] = one
    return out


def _all(filters: Sequence[Filter], base: str) -> Filter:
    """Return the condition that each of some conditions holds."""
    if len(filters) == 1:
        return replace(filters[0])
    return Filter(None, "AND", parts=tuple(filters), table=base, words=filters[0].words)
