"""Words that a reading would pass over although they change what is asked: pronouns, spans, places in time.

Each check stands for a kind of question that was once answered as if the words were not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.language import conversation, grammar, lexicon, schema_words, vocabulary
from lexsi_nb.grounding.reading import Choice, Declined, Filter, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.words import Token, singular


def nothing_omitted(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold a reading against the words that ask for more than it tells.

    Raises:
        Unread: a word changes the question and has no place in the reading.
    """
    if not reading.table:
        return
    low = [w.low for w in words if w.kind != "sign"]
    _pointing_back(reading, low, index)
    _what_they_do(reading, low)
    _last_periods(words)
    _no_such_day(words)
    _period_with(reading, low)
    _age_at_an_event(reading, words)
    _at_that_time(reading, low)
    _done_by(reading, low, index)
    _per_and_by(reading, low, index)
    _average_of_averages(low)
    _average_of_totals(reading, low, index)
    _told_by_the(reading, low, index)
    _meaning(low)
    _more_often(reading, low)
    _share_of_nothing(reading)
    _adverb_or_value(reading, index)
    _name_or_value(reading, words, index)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _pointing_back(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`how many of those have a loan?`, `do they have one?`: of the question before, which is not known here."""
    for i in range(len(low) - 1):
        counted = next((k for k in range(max(i - 2, 0), i) if " ".join(low[k:i]) in lexicon.PHRASES["count"]), i)
        named = counted < i and any(e.kind == "table" for w in low[:counted] for e in index.lookup([w]))
        pointing = low[i] in grammar.AMONG and low[i + 1] in vocabulary.POINTING
        beside = low[counted - 1 : counted]  # "loans each year and how many of them are running": two counts
        if (
            pointing
            and named
            and reading.keys
            and len(reading.measures) < 2
            and set(beside) & {*lexicon.PHRASES["and"]}
        ):
            said = " ".join(low[counted - 1 : i + 2])
            raise _decline(f"I tell one count a group, and not a second one '{said}'. Ask for each by itself.", said)
        if pointing and not named:
            said = f"{low[i]} {low[i + 1]}"
            raise _decline(f"I can't tell which rows '{said}' points at. Say them in the same question.", said)
    for i, word in enumerate(low):
        if word in conversation.BACK and not any(index.lookup([w]) for w in low[:i]):
            raise _decline(f"I can't tell whom or what '{word}' means. Name them in the same question.", word)
        beside = {*low[max(i - 1, 0) : i], *low[i + 1 : i + 2]}
        nouns = {e.table for w in low[:i] for e in index.lookup([w]) if e.kind == "table"}
        if word in conversation.PLACE and len(nouns) < 2 and not beside & conversation.EXISTING:
            raise _decline(f"I can't tell which place '{word}' means. Name it in the same question.", word)
    if len(low) > 2 and low[-1] in conversation.CLOSING and low[-2] in grammar.BEEN:
        raise _decline(f"I can't tell what '{low[-1]}' means. Name it in the same question.", low[-1])


def _what_they_do(reading: Reading, low: Sequence[str]) -> None:
    """`what did clients buy?`: what they bought, and not those who did."""
    asked = low[:1] and low[0] in grammar.WHICH and low[1:2] and low[1] in grammar.DOES
    verbs = vocabulary.JOINING | vocabulary.NOUNS.keys() | vocabulary.BEGINNINGS
    if asked and reading.kind in ("list", "schema") and (said := next((w for w in low[2:] if w in verbs), "")):
        raise _decline(f"I can't tell what it is that is meant by '{said}'. Name what is to be listed.", said)


def _last_periods(words: Sequence[Token]) -> None:
    """`loans of the last 3 months`: a span of time, not the last three rows."""
    for i in range(len(words) - 2):
        first, number, unit = words[i : i + 3]
        if first.low in vocabulary.LATELY and number.kind == "number" and unit.low in vocabulary.PERIODS:
            said = f"{first.text} {number.text} {unit.text}"
            raise _decline(f"I can't tell from which day '{said}' is counted. Give the first and the last day.", said)


def _period_with(reading: Reading, low: Sequence[str]) -> None:
    """`the average in the year with the highest volume`: rows of a period that is itself to be found first."""
    for i in range(1, 0 if reading.keys else len(low) - 1):
        found = low[i - 1] in grammar.THE_THAT and low[i + 1] in grammar.OPENS_CLAUSE
        if found and low[i] in vocabulary.PERIODS:
            raise _decline(f"I don't look for a {low[i]} first and then read its rows; name the {low[i]}.", low[i])


def _no_such_day(words: Sequence[Token]) -> None:
    """`31 June 1997` is no day, and 31 is no value of a column."""
    for i in range(len(words) - 1):
        for day, month in ((words[i], words[i + 1]), (words[i + 1], words[i])):
            number = day.value if day.kind == "number" and isinstance(day.value, int) else 0
            days = vocabulary.MONTH_DAYS.get(month.low, 0) if month.kind == "word" else 0
            if days and days < number <= 31:
                said = f"{words[i].text} {words[i + 1].text}"
                raise _decline(f"'{said}' is no day of the calendar.", said)


def _at_that_time(reading: Reading, low: Sequence[str]) -> None:
    """`the average salary when the loan was granted`: a time, if no condition is said after it."""
    at = next((i for i in range(1, len(low)) if low[i] in grammar.WHEN), 0)
    usual = at + 1 < len(low) and low[at + 1] in grammar.ANYBODY  # "when they take a loan"
    if not at or usual or not set(low[:at]) - grammar.ASKED_WITH:
        return
    said = {w for f in _conditions(reading) for w in f.words.casefold().split()}
    if not said & set(low[at:]):
        raise _decline("I can't tell at which time 'when' means. Say it as a condition or a day.", "when")


def _conditions(reading: Reading) -> list[Filter]:
    inner = [f for link in reading.links for f in link.filters]
    return [*reading.filters, *inner, *(f for m in reading.measures for f in m.where)]


def _age_at_an_event(reading: Reading, words: Sequence[Token]) -> None:
    """`the average age at loan grant`: the age known is that of the day the data end."""
    columns = [f.column for f in _conditions(reading)] + [m.column for m in reading.measures]
    columns += [*reading.columns, *(k.column for k in reading.keys)]
    if not any(
        c is not None and c.sql and not any(b in c.name for b in schema_words.BIRTH) and c.name == "age"
        for c in columns
    ):
        return
    for now, after in pairwise(words):
        event = now.low in grammar.AT and after.kind == "word" and after.low not in vocabulary.AT_NOT_WHEN
        if event or now.low in vocabulary.WHENEVER:
            raise _decline("I know the age on the day the data end only, not the one at another time.", now.text)


def _done_by(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`how many payments were made by card`: by what means, not one number for each card."""
    if not reading.keys or " ".join(low[:2]) not in grammar.HOW_MANY:
        return
    key = reading.keys[0].column
    if key not in (index.key_of(key.table), index.label_of(key.table)) or key.table == reading.table:
        return
    _by_some(reading, low, key.table, index)
    for i in range(1, len(low) - 1):
        done = low[i - 1].endswith(grammar.DONE_ENDS) or low[i - 1] in vocabulary.DONE
        named = any(e.kind == "table" and e.table == key.table for e in index.lookup([low[i + 1]]))
        if low[i] in grammar.BY and done and named and grammar.BEEN & set(low[:i]):
            raise _decline(f"'by {low[i + 1]}' says how it was done, and I read it as one group for each.", low[i + 1])


def _by_some(reading: Reading, low: Sequence[str], table: str, index: SchemaIndex) -> None:
    """`how many visits by patients from Oslo`: those of these patients together, or a number for each of them?"""
    at = next((i for i in range(1, len(low) - 1) if low[i] in grammar.BY), 0)
    if not at or len(low) <= at + 2 or low[at + 2] in grammar.AND or len(reading.keys) > 1:
        return
    noun = low[at + 1]
    some = singular(noun) != noun and any(e.kind == "table" and e.table == table for e in index.lookup([noun]))
    if some and any(f.home == table for f in reading.filters):
        ways = (f"those of all such {table} together", f"a number for each of the {table}")
        told = (_said(low, at, "of"), _said(low, at, "for each"))
        raise Unread(
            Choice(f"'by {noun}' can be more than one figure.", ways, f"by {noun}", questions=told, lasting=False)
        )


def _said(low: Sequence[str], at: int, joint: str) -> str:
    return " ".join((*low[:at], joint, *low[at + 1 :]))


def _per_and_by(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`average volume per client by region`: a mean over the clients of each region, or over the rows of each."""
    keyed = [k for k in reading.keys if k.column == index.key_of(k.column.table)]
    if len(reading.keys) < 2 or not keyed or not grammar.EACH & set(low) or not grammar.BY & set(low):
        return
    if any(m.function in ("avg", "median") for m in reading.measures):
        ways = (
            f"in each group, the mean over all {reading.table} rows",
            f"in each group, the mean over its {keyed[0].column.table} rows, of what each has together",
        )
        raise Unread(Choice("The average over which rows?", ways))


def _average_of_averages(low: Sequence[str]) -> None:
    """`the average of the average amount by region` is one figure, over those of the groups."""
    for i in range(len(low) - 2):
        after = low[i + 3] if low[i + 2] in grammar.THE and i + 3 < len(low) else low[i + 2]
        if low[i] in grammar.AVERAGE and low[i + 1] in grammar.OF and after in grammar.AVERAGE:
            raise _decline("I don't average averages; ask for the average itself.", low[i])


def _average_of_totals(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`the average volume per year`: of the rows in each year, or of the totals of the years?"""
    said = f" {' '.join(low)} "
    for m in reading.measures if reading.keys else ():
        if m.column is None or m.function not in ("avg", "median"):
            continue
        totals = index.facts.column(m.column.table, m.column.name).totals
        named = next((t for t in totals if f" {t.casefold()} " in said), "")
        if named:
            ways = (
                f"in each group, the mean {m.column.name} of its rows",
                f"the mean over the groups of their {named}",
            )
            raise Unread(Choice(f"'average {named}' can be more than one figure.", ways, named))


def _told_by_the(reading: Reading, low: Sequence[str], index: SchemaIndex) -> None:
    """`sum of instalments per month`, where each is monthly already: due in a month, or of the rows of each month?"""
    grains = {k.grain for k in reading.keys if k.grain}
    for m in reading.measures if grammar.EACH & set(low) else ():
        if m.column is None or not grains:
            continue
        names = {w for n in index.facts.column(m.column.table, m.column.name).names for w in n.casefold().split()}
        told = next((g for g in sorted(grains) if grammar.TOLD_BY.get(g) in names), "")
        if told:
            ways = (f"what is due each {told}, of all rows", f"of the {reading.table} rows of each {told}")
            raise Unread(Choice(f"{m.column} is told by the {told} already; what is 'per {told}'?", ways))


def _meaning(low: Sequence[str]) -> None:
    """`what does X mean` asks for words, not for a mean."""
    asked = bool({" ".join(low[:2]), *low[:1]} & grammar.MEANING_OPENS)
    if asked and grammar.MEANS & set(low[2:]):
        raise _decline("I tell what the data hold, not what words mean.", "mean")


def _more_often(reading: Reading, low: Sequence[str]) -> None:
    """`do women default more often than men?` compares shares, not numbers."""
    said = " ".join(low)
    often = any(p in said for p in grammar.OFTENER)
    counts = "/" not in reading.sql and "avg(" not in reading.sql.lower()
    if often and counts and grammar.THAN & set(low) and reading.kind in ("comparison", "yesno"):
        text = "That compares shares, and I read it as numbers of rows. Ask for the share by group."
        raise _decline(text, "often")


def _share_of_nothing(reading: Reading) -> None:
    """`the share of running loans that are in debt`, where no running one can be: always zero."""
    for m in reading.measures if reading.kind == "share" else ():
        for part in m.where:
            for whole in reading.filters:
                if _never_both(part, whole):
                    raise _decline(
                        f"No row that is '{whole.words}' is '{part.words}' as well, so their share says nothing.",
                        part.words,
                    )


def _never_both(a: Filter, b: Filter) -> bool:
    same = a.column is not None and a.column == b.column and a.op in ("in", "=") and b.op in ("in", "=")
    return same and not (a.negated or b.negated) and not set(a.values) & set(b.values)


def _adverb_or_value(reading: Reading, index: SchemaIndex) -> None:
    """`monthly card issues`, where `monthly` is a value of another table and these rows have a date."""
    if not index.time_of(reading.table):
        return
    for f in _conditions(reading):
        adverb = next((w for w in f.words.casefold().split() if w in lexicon.ADVERBS), "")
        beside = any(g is not f and g.column == f.column for g in _conditions(reading))  # "monthly or weekly reports"
        if beside:
            continue
        if adverb and f.words.casefold().strip() == adverb and f.column is not None and f.home != reading.table:
            raise Unread(
                Choice(
                    f"'{adverb}' can mean a period or a value.", (f"the {reading.table} rows by period", f"{f.column}")
                )
            )


def _placed(low: Sequence[str]) -> set[str]:
    """Return the words that only say by what, or where: `by district` does not tell whose income is meant."""
    plain = [w for w in low if w not in grammar.ARTICLES]
    return {after for before, after in pairwise(plain) if before in grammar.PLACING}


def _name_or_value(reading: Reading, words: Sequence[Token], index: SchemaIndex) -> None:
    """`the average income`, where a column is called so and a value of another table as well, and neither is told."""
    bare = reading.kind in ("aggregate", "groupby") and not reading.filters
    placed = _placed([w.low for w in words])
    for m in reading.measures if bare else ():
        if m.column is None or reading.links:
            continue
        entries = [(w.low, index.lookup([w.low])) for w in words if w.kind == "word" and w.low not in lexicon.STOP]
        said = [w for w, found in entries if any(e.kind == "column" and e.column == m.column for e in found)]
        told = any(e.table == reading.table for w, found in entries if w not in (*said, *placed) for e in found)
        others = [
            e.column for w, found in entries if w in said for e in found
            if e.kind == "value" and e.column is not None and e.table != reading.table
        ]  # fmt: skip
        if others and not told:
            raise Unread(Choice(f"'{said[0]}' can mean a column or a value.", (str(m.column), str(others[0])), said[0]))
