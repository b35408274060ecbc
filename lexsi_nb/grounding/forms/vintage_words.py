"""The parts of a question for a vintage table: the ages, the period that cuts cohorts, whose rows, and the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention, unit_of, unit_said

_BY = Mention("by", tags=("by",))
_AFTER = (">", ">=")  # how a date is told that comes after another


@dataclass(frozen=True)
class Ages:
    """The ages asked for: `steps` whole units each; all that the data reach where no step is said."""

    unit: str = ""
    steps: tuple[int, ...] = ()
    since: tuple[Mention, ...] = ()  # what it is told since: `months since opening`


@dataclass
class Cut:
    """What cuts rows into cohorts: units of time, the date they are of, and the table that was said with it."""

    units: list[str] = field(default_factory=list)
    column: Mention | None = None
    table: Mention | None = None
    words: str = ""  # of the first unit
    rest: list[Mention] = field(default_factory=list)  # what is said besides


def is_date(m: Mention) -> bool:
    """Whether a mention names a date of the data and no table."""
    return any(e.column and e.column.type == "date" for e in m.of("column")) and not m.of("table", "value")


def bare(m: Mention, *tags: str) -> bool:
    """Whether a mention is one of the small words with a tag, and no name of the data."""
    return not m.entries and any(m.tag(t) is not None for t in tags)


# -- ages -------------------------------------------------------------------------------------------------------------


def without_ages(items: Sequence[Mention]) -> tuple[list[Mention], Ages]:
    """Return the mentions without those that say ages, and these: `within 12 and 24 months`, `months since opening`.

    Raises:
        Unread: ages are said twice.
    """
    out, ages, at = list(items), Ages(), 0
    while at < len(out):
        found = _within(out, at) or _since(out, at) or _cohort_age(out, at)
        if found is None:
            at += 1
            continue
        size, told = found
        if ages.unit:
            refuse("I read ages in one way at a time.", out[at].words)
        ages = told
        del out[at : at + size]
        at = _closed(out, at)
    return out, ages


def _closed(out: list[Mention], at: int) -> int:
    """Take the joint out that stood before the ages, where nothing follows it now; return the place after it."""
    if at < len(out) and at and bare(out[at - 1], "by") and bare(out[at], "and"):
        del out[at]  # "by age in months and opening year"
        return at
    while at and bare(out[at - 1], "by", "and") and (at == len(out) or bare(out[at], "by", "and")):
        del out[at - 1]
        at -= 1
    return at


def _within(items: list[Mention], at: int) -> tuple[int, Ages] | None:
    """`within 12, 24 and 36 months of opening`, `after 1 and 2 years`."""
    m = items[at]
    if m.entries or (m.tag("within") is None and m.tag("date") not in _AFTER):
        return None
    steps: list[int] = []
    unit, end, j = "", at, at + 1
    while j < len(items):
        number = items[j].number
        if isinstance(number, int) and number > 0:
            steps.append(number)
        elif (found := unit_said(items[j])) and unit in ("", found) and not bare(items[j - 1], "and", "or"):
            steps = steps or ([1] if set(items[j].gap) & grammar.A else [])
            unit, end = found, j + 1
        elif not (steps and bare(items[j], "and", "or")):
            break
        j += 1
        if unit and end == j and not (j + 1 < len(items) and bare(items[j], "and") and items[j + 1].number):
            break
    if not (steps and unit):
        return None
    size, since = _birth(items, end)
    return end + size - at, Ages(unit, tuple(sorted(set(steps))), since)


def _since(items: list[Mention], at: int) -> tuple[int, Ages] | None:
    """`months since opening`, `years after the account was opened`."""
    unit = unit_said(items[at])
    if not unit or at + 1 == len(items) or not bare(items[at + 1], "date"):
        return None
    size, since = _birth(items, at + 1)
    return (1 + size, Ages(unit, since=since)) if size else None


def _birth(items: list[Mention], at: int) -> tuple[int, tuple[Mention, ...]]:
    """Return (mentions used, those of the date) of what an age is told since, (0, ()) where nothing says it."""
    j = at
    said = j < len(items) and bare(items[j], "date") and items[j].tag("date") in _AFTER
    if said:
        j += 1
    elif j == len(items) or not (grammar.OF | grammar.FROM) & set(items[j].gap):
        return 0, ()
    since: list[Mention] = []
    if j + 1 < len(items) and items[j].of("table") and is_date(items[j + 1]):
        since.append(items[j])
        j += 1
    if j == len(items) or not is_date(items[j]):
        return 0, ()
    after = items[j + 1] if j + 1 < len(items) else None
    if after is not None and (after.number is not None or after.day or (said and unit_of(after))):
        return 0, ()
    return j + 1 - at, (*since, items[j])


def _cohort_age(items: list[Mention], at: int) -> tuple[int, Ages] | None:
    """`by age in years`, which a turn made `cohort age years`."""
    m = items[at]
    if bare(m, "vintage") and m.words.casefold() in grammar.COHORT_AGE and at + 1 < len(items):
        unit = unit_said(items[at + 1])
        return (2, Ages(unit)) if unit else None
    return None


# -- the cut ----------------------------------------------------------------------------------------------------------


def without_frame(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions without the words for a table of cohorts: `by cohort` and `per vintage` are a "by"."""
    out: list[Mention] = []
    ages: list[Mention] = []
    for m in items:
        said = bare(m, "vintage", "retention")
        if said and out and out[-1].entries and (unit := unit_said(out[-1])):  # where statements are monthly as well
            grain = Mention(out.pop().words, tags=(f"grain:{unit}",))
            if bare(m, "retention"):
                ages = [_BY, grain]  # "monthly retention by opening year"
            else:
                out.append(grain)  # "monthly cohorts"
        if said and m.words.casefold().split()[0] in grammar.BY_PER:
            m, said = _BY, False
        if said or (bare(m, "by", "and") and out and bare(out[-1], "by")):
            continue
        out.append(m)
    while out and bare(out[-1], "by", "and"):
        out.pop()
    return [*out, *ages]


def cut_of(items: Sequence[Mention]) -> Cut:
    """Return what cuts rows into cohorts, and the mentions that say something else.

    Raises:
        Unread: more than two periods, or more than one date or table.
    """
    cut, at = Cut(), 0
    items = items if any(unit_of(m) for m in items) else _adverbs(items)
    bys = any(bare(m, "by") for m in items)
    while at < len(items):
        opens = bare(items[at], "by") or (not bys and _opens(items, at))
        if not opens:
            cut.rest.append(items[at])
            at += 1
            continue
        start = at + 1 if bare(items[at], "by") else at
        at = _taken(items, start, cut)
        if at == start:
            refuse("I read cohorts by periods of a date.", *(m.words for m in items[at : at + 1]))
    if len(cut.units) > 2:
        refuse("I read cohorts by one period and their ages by another.", cut.words)
    return cut


def _adverbs(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with `monthly` as a period where no other is said, though the data have such a value."""
    out = list(items)
    for i, m in enumerate(out):
        ends = i + 1 == len(out) or bare(out[i + 1], "and", "by")
        if ends and m.words.casefold() in lexicon.ADVERBS and (unit := unit_said(m)):
            out[i] = Mention(m.words, tags=(f"grain:{unit}",))
    return out


def _opens(items: Sequence[Mention], at: int) -> bool:
    """Whether a period stands at a place, or the date it is of: `opening year cohorts`."""
    date = is_date(items[at]) and at + 1 < len(items) and bool(unit_of(items[at + 1]))
    return bool(unit_of(items[at])) or date


def _taken(items: Sequence[Mention], at: int, cut: Cut) -> int:
    """Take the words of one "by" into the cut; return the place after them."""
    start, table = at, False
    while at < len(items):
        m, after = items[at], items[at + 1] if at + 1 < len(items) else None
        if unit := unit_of(m):
            cut.words = cut.words or m.words
            cut.units.append(unit)
            table = False
        elif is_date(m) and cut.column is None and not conditioned(after):
            cut.column, table = m, False
        elif m.of("table") and cut.table is None and not _had(m):
            cut.table, table = m, True
        elif not (bare(m, "and") and m.words not in (",", "&") and after is not None and unit_of(after)):
            break
        at += 1
    if table and at < len(items) and not bare(items[at], "by") and at - 1 > start:
        at -= 1  # "by opening year of accounts in Prague"
    return at


def _had(m: Mention) -> bool:
    """Whether a mention is what rows have: `that took a loan`."""
    return bool(set(m.gap) & (grammar.HAD | grammar.RELATIVE_PRONOUN))


def conditioned(after: Mention | None) -> bool:
    """Whether a condition on a date follows it: `since 1995`."""
    return after is not None and (
        bare(after, "date", "cmp", "between", "in", "null", "notnull") or after.number is not None or bool(after.day)
    )


# -- whose rows and which event ---------------------------------------------------------------------------------------


def tables_of(m: Mention) -> list[str]:
    """Return the tables that a mention names, those of whole names before those of last words."""
    strong = [e.table for e in m.of("table") if not e.weak]
    return list(dict.fromkeys(strong or [e.table for e in m.of("table")]))


def tidy(items: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of one kind of rows, without joints at their ends and words that only ask for a share."""
    out = [m for m in items if not bare(m, "share", "running", "list", "count", "total")]
    while out and bare(out[-1], "and", "among", "in", "by"):
        out.pop()
    while out and bare(out[0], "and", "among"):
        out.pop(0)
    return out


def two_parts(items: Sequence[Mention], cohort: str) -> tuple[list[Mention], list[Mention]]:
    """Return (what is said of the cohorts' rows, what is said of the event), from either order.

    The noun of the cohorts is left out where it is said a second time: `accounts: share of accounts with a loan`.
    """
    own = [i for i, m in enumerate(items) if cohort in tables_of(m)]
    event = _event_at(items, cohort)
    if event is None:
        return list(items), []
    if not own or (own[0] > event and len(own) == 1):
        first = own[0] if own else len(items)
        return list(items[first:]), list(items[:first])
    again = [i for i in own[1:] if i < event]
    lead = [m for i, m in enumerate(items[:event]) if i not in again]
    return lead, [m for i, m in enumerate(items[event:], event) if i not in own]


def _event_at(items: Sequence[Mention], cohort: str) -> int | None:
    """Return where the words of the event begin: at the last name of other rows that something has, else the first."""
    others = [
        i
        for i, m in enumerate(items)
        if (tables_of(m) and cohort not in tables_of(m))
        or (m.of("value") and not m.of("table") and set(m.gap) & grammar.HAD and i)
    ]
    if not others:
        return None
    had = [i for i in others if _had(items[i])]
    at = had[-1] if had else others[0]
    while at > 0 and not items[at].gap and not items[at - 1].of("table") and _qualifies(items[at - 1]):
        at -= 1  # "a gold card", "two loans"
    if at > 0 and bare(items[at - 1], "super") and not items[at].gap:
        at -= 1  # "first loans"
    return at


def _qualifies(m: Mention) -> bool:
    return bool(m.entries) or (m.number is not None and bool(set(m.gap) & grammar.HAD))


def first_only(items: Sequence[Mention]) -> list[Mention]:
    """Return the event's mentions without `first`, which a vintage table takes anyway, its rows said to be had."""
    out = list(items)
    if len(out) > 1 and bare(out[0], "super") and out[0].tag("super") == "first":
        out.pop(0)
    return [replace(out[0], gap=("with", *out[0].gap)), *out[1:]] if out else out
