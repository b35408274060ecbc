"""Words that no name of the data has, accounted for by what they do: verbs, directions, units, adjectives, synonyms.

A word that none of these accounts for stays unknown, and the question is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from lexsi_nb.grounding.language import grammar, lexicon, vocabulary
from lexsi_nb.grounding.language import passed_over as silent
from lexsi_nb.grounding.mentions import Mention, Mentions, mentions
from lexsi_nb.grounding.reading import Column, Declined, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.wordings.by_whom import agent, by_a_value, merged, plain_verbs
from lexsi_nb.grounding.wordings.derived import derived, on_date_named
from lexsi_nb.grounding.wordings.joints import apart
from lexsi_nb.grounding.wordings.key_numbers import columns_of_numbers, key_numbers
from lexsi_nb.grounding.wordings.labels import named_rows
from lexsi_nb.grounding.wordings.letters import coded_pairs, said_once
from lexsi_nb.grounding.wordings.own_columns import own_columns
from lexsi_nb.grounding.wordings.periods import period
from lexsi_nb.grounding.wordings.periods_counted import periods_counted
from lexsi_nb.grounding.wordings.said_not import said_not
from lexsi_nb.grounding.wordings.spellings import called, like_words
from lexsi_nb.grounding.wordings.states import states
from lexsi_nb.grounding.wordings.typing_slips import written_out
from lexsi_nb.grounding.wordings.units import measured
from lexsi_nb.grounding.wordings.value_nouns import value_nouns
from lexsi_nb.grounding.wordings.ways import placed
from lexsi_nb.grounding.words import name_words, singular

LONGEST = 4  # mentions that one phrase of the vocabulary may take
_PREPOSITIONS = frozenset(vocabulary.DIRECTIONS) | vocabulary.BY_WAY
_STANDING = ("in", "date", "cmp", "between", "by")


def noticed(question: str, index: SchemaIndex) -> Mentions:
    """Return the mentions of a question, with everything that can be accounted for."""
    question, notes = written_out(question, index)
    found = accounted(mentions(question, index), index)
    return Mentions(found.items, [*notes, *found.notes])


def accounted(found: Mentions, index: SchemaIndex) -> Mentions:
    """Return the mentions with the words that only relate others resolved or taken out, and what was assumed."""
    notes = list(found.notes)
    items = apart(like_words(found.items, index), index)
    items = periods_counted(derived(columns_of_numbers(items), index, notes), index)
    items = placed(on_date_named(called(said_not(items, index, notes), index, notes)), index)
    items = own_columns(_kinds(_namesakes(coded_pairs(said_once(items), index), index)), index)
    items = _entities(items, index, notes)
    items = named_rows(items, index)
    items = _synonyms(items, index, notes)
    items = measured(items, index, notes)
    items = on_date_named(states(_verbs(items, index, notes), index, notes))
    items = _directions(items, index)
    items = value_nouns(key_numbers(_joining(items, index), index), index)
    return Mentions(items, list(dict.fromkeys(notes)))


def _kinds(items: Sequence[Mention]) -> list[Mention]:
    """`engine types` are the values of `engine`, though another column is called `type`."""
    out: list[Mention] = []
    for m in items:
        texts = out and any(e.column is not None and e.column.type == "text" for e in out[-1].of("column"))
        kind = m.words.casefold() in vocabulary.KINDS and not m.gap and m.of("column")
        if not (texts and kind and not out[-1].of("table", "value")):
            out.append(m)
    return out


def _run(items: Sequence[Mention], at: int, phrases: Collection[str]) -> tuple[int, str]:
    """Return (mentions, phrase) of the longest phrase of the vocabulary at a place; none of them may name a thing."""
    for size in range(min(LONGEST, len(items) - at), 0, -1):
        run = items[at : at + size]
        said = " ".join(w for i, m in enumerate(run) for w in ((*m.gap, m.words) if i else (m.words,))).casefold()
        if said in phrases and not any(m.entries or m.number is not None or m.day for m in run):
            return size, said
    return 0, ""


def _tables(items: Sequence[Mention]) -> list[str]:
    return list(dict.fromkeys(e.table for m in items for e in m.of("table")))


# -- names -----------------------------------------------------------------------------------------------------------


def _namesakes(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`cities named Paris`: a listed value of another table that a long column of the table said holds as well."""
    out: list[Mention] = []
    for m in items:
        values, tables = m.of("value"), _tables(out)[-1:]
        mine = {e.table for e in values}
        said = bool(set(m.gap) & grammar.CALLED) and len(values) == len(m.entries)
        if values and said and m.words[:1].isupper() and tables and not set(tables) & mine:
            held = tuple(Entry("value", c.table, c, v) for c, v in index.holding(m.words) if c.table in tables)
            if held:
                m = replace(m, entries=held)
        out.append(m)
    return out


# -- things that a key is named after ---------------------------------------------------------------------------------


def _entities(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """`players`, where no table has that name: the table whose key is the player's id; and `entries` of a table."""
    out: list[Mention] = []
    for m in items:
        before = out[-1] if out else None
        if (
            not m.known
            and singular(m.words.casefold()) in grammar.LISTINGS
            and before is not None
            and before.of("table")
        ):
            continue
        open_ = (
            not m.of("table", "column", "condition", "metric", "outcome", "term") and not m.tags and m.literal is None
        )
        if (own := _keyed(m, index)) and not (m.words.casefold() in lexicon.STOP or m.tags):
            m = replace(m, entries=(Entry("table", own),))
            open_ = False
        table = index.keyed_by(singular(m.words.casefold())) if open_ and m.number is None and not m.day else ""
        if table:
            notes.append(f"'{m.words}' read as rows of {table}")
            entries = (Entry("table", table), *(e for e in m.of("value") if not m.words[:1].islower()))
            m = replace(m, entries=entries)
        out.append(m)
    return out


def _keyed(m: Mention, index: SchemaIndex) -> str:
    """Return the table whose key is named after a word: `jobs`, where each row of a frame has a job_id."""
    keys = [e.table for e in m.of("column") if e.weak and e.column is not None and e.column == index.key_of(e.table)]
    named = len(keys) == len(m.entries) == 1 and phrase(m.words)[:1] == name_words(str(m.entries[0].column))[-2:-1]
    return keys[0] if named else ""


# -- synonyms ---------------------------------------------------------------------------------------------------------


def _synonyms(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """A word that no name has, for the one thing of the data that a synonym names."""
    out, at = [], 0
    while at < len(items):
        size, entries, said = _meant(items, at, index)
        if size:
            words = " ".join(m.words for m in items[at : at + size])
            notes.append(f"'{words}' read as '{said}'")
            out.append(Mention(words, entries=entries, gap=items[at].gap))
            at += size
        else:
            out.append(items[at])
            at += 1
    return out


def _meant(items: Sequence[Mention], at: int, index: SchemaIndex) -> tuple[int, tuple[Entry, ...], str]:
    for size in (3, 2, 1):
        run = items[at : at + size]
        if len(run) < size or any(m.known for m in run) or any(m.gap for m in run[1:]):
            continue
        key = phrase(" ".join(m.words for m in run))
        groups = [g for g in vocabulary.SYNONYMS if any(phrase(w) == key for w in g)]
        others = {phrase(w): w for g in groups for w in g if phrase(w) != key}
        hits = {w: [e for e in index.entries.get(k, ()) if e.kind in ("table", "column")] for k, w in others.items()}
        hits = {w: e for w, e in hits.items() if e}
        if len(hits) == 1 and not _its_own(key, next(iter(hits)), items, index):
            word, entries = next(iter(hits.items()))
            strong = [e for e in entries if not e.weak]
            return size, tuple(strong or entries), word
    return 0, (), ""


def _its_own(said: tuple[str, ...], word: str, items: Sequence[Mention], index: SchemaIndex) -> bool:
    """Whether a word is said beside its synonym, or a column's name shortens it: `div_id` is the division."""
    if any(phrase(m.words) == phrase(word) for m in items):
        return True
    names = {p for columns in index.columns.values() for n in columns for p in name_words(n)[:1]}
    return len(said) == 1 and any(len(p) >= _SHORTENED and said[0] != p and said[0].startswith(p) for p in names)


_SHORTENED = 3  # letters that stand for a longer word


# -- verbs ------------------------------------------------------------------------------------------------------------


def _verbs(items: list[Mention], index: SchemaIndex, notes: list[str]) -> list[Mention]:
    """`born in Japan`, `signed up after 1 March`, `built before 1980`: which column a place or a time is about."""
    out, at = list(items), 0
    while at < len(out):
        size, said = _run(out, at, vocabulary.ABOUT)
        target = _target(out, at + size) if size else None
        if target is not None and _told(out, at, size, said, target, index, notes):
            continue
        at += 1
    return out


def _target(items: Sequence[Mention], at: int) -> int | None:
    """Return the place of what follows a verb, past prepositions and comparisons."""
    while at < len(items) and not items[at].entries and any(items[at].tag(t) is not None for t in _STANDING):
        at += 1
    return at if at < len(items) else None


def _told(out: list[Mention], at: int, size: int, said: str, target: int, index: SchemaIndex, notes: list[str]) -> bool:
    hints, aim = vocabulary.ABOUT[said], out[target]
    verb = Mention(" ".join(m.words for m in out[at : at + size]), gap=out[at].gap)
    if aim.of("value"):
        fits = tuple(e for e in aim.of("value") if e.column and _named(e.column, hints))
        if not fits:
            return False
        out[target] = replace(aim, entries=fits, tags=())
        out[at + size] = merged(verb, out[at + size])
        del out[at : at + size]
        return True
    if period(out, target) is None:
        return False
    columns = _dates(hints, _tables(out), index)
    if columns:
        notes.append(f"'{verb.words}' read as {columns[0].column}")
        out[at : at + size] = [Mention(verb.words, entries=tuple(columns), gap=verb.gap)]
        return True
    if said.split()[0] in vocabulary.BEGINNINGS and _dated_once(_tables(out), index):
        out[at + size] = merged(verb, out[at + size])
        del out[at : at + size]
        return True
    return False


def _named(column: Column, hints: Sequence[str]) -> bool:
    parts = (*name_words(column.name), *name_words(column.sql))
    words = {w for part in parts for w in (part, *vocabulary.SHORT.get(part, part).split())}
    return bool(words & set(hints))


def _dates(hints: Sequence[str], tables: Sequence[str], index: SchemaIndex) -> list[Entry]:
    """Return the date or year columns whose name has one of the words; those of the tables that were said first."""
    found = [
        Entry("column", t, c)
        for t, columns in index.columns.items()
        for n, c in columns.items()
        if (c.type == "date" or (c.type == "number" and year_like(n))) and _named(c, hints)
    ]
    own = [e for e in found if e.table in tables]
    return own or found


def _dated_once(tables: Sequence[str], index: SchemaIndex) -> bool:
    return bool(tables) and all(
        len(index.time_of(t)) == 1 or (not index.time_of(t) and len(index.year_of(t)) == 1) for t in tables[:1]
    )


def _of_another_kind(table: str, index: SchemaIndex) -> bool:
    """Whether a table is named by more than one word, `standing orders`: those are none that a verb tells of."""
    return any(" " in name for name in index.facts.table(table).names)


def _no_other_kind(m: Mention, index: SchemaIndex) -> Mention:
    """`clients who ordered a card`: nothing of their standing orders."""
    word = m.words.casefold()
    verb = word.endswith(grammar.VERB_ENDS) and (word,) not in index.entries and not m.tags
    mine = tuple(e for e in m.entries if e.kind != "table" or not _of_another_kind(e.table, index))
    return replace(m, entries=mine) if verb and len(mine) < len(m.entries) else m


def _joining(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`salary paid by X`, `planes that never flew to Y`: a verb that joins two things, or stands for a table."""
    out, at = [_no_other_kind(m, index) for m in plain_verbs(items)], 0
    phrases = vocabulary.JOINING | set(vocabulary.JOINING_PHRASES) | vocabulary.BEGINNINGS
    while at < len(out):
        size, said = _run(out, at, phrases)
        counted = at > 0 and out[at - 1].number is not None
        if (
            not size
            or counted
            or (said in silent.VERBAL_NOUNS and _as_noun(out, at))
            or any(m.tags and m.tag("in") is None and m.tag("date") is None for m in out[at : at + size])
        ):
            at += 1
            continue
        nouns = [e for n in vocabulary.NOUNS.get(said, ()) for e in index.entries.get((n,), ()) if e.kind == "table"]
        nouns = [e for e in nouns if not _of_another_kind(e.table, index)]
        if nouns and not {e.table for e in nouns} & set(_tables(out)):
            out[at : at + size] = [Mention(said, entries=tuple(nouns[:1]), gap=out[at].gap)]
            at += 1
            if at < len(out) and out[at].tag("by") is not None and not out[at].entries and agent(out, at + 1):
                del out[at]
            continue
        if not any(m.of("table", "column", "metric") for m in (*out[:at], *out[at + size :])):
            at += 1
            continue
        verb = Mention(said, gap=out[at].gap)
        del out[at : at + size]
        if at < len(out) and out[at].tag("by") is not None and not out[at].entries and agent(out, at + 1):
            verb = replace(verb, words=f"{verb.words} {out.pop(at).words}")
        if at < len(out):
            out[at] = merged(verb, out[at])
    return by_a_value(out, index)


def _as_noun(items: Sequence[Mention], at: int) -> bool:
    """Whether a word that is a verb as well stands where only a noun can: `the most wins`, `in different places`."""
    gap, before = items[at].gap, items[at - 1] if at else None
    if gap:
        return gap[-1] in silent.BEFORE_NOUNS
    return before is not None and not before.entries and bool(before.tags) and before.tag("and") is None


def _pair(items: Sequence[Mention], at: int, aim: Mention) -> bool:
    """Whether "to" stands between two things that are compared: `ratio of men to women`, `from 10 to 20`."""
    before = items[at - 1] if at else None
    alike = before is not None and {e.column for e in before.of("value")} & {e.column for e in aim.of("value")}
    return bool(alike) or any(
        m.tag(t) is not None for m in items for t in ("ratio", "difference", "compare", "growth", "between")
    )


# -- directions -------------------------------------------------------------------------------------------------------


def _directions(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """`flights to LAX`, `left JFK`: of a place that two columns know, the one that the word points at."""
    out, at = list(items), 0
    while at < len(out):
        size, said = _run(out, at, _PREPOSITIONS)
        aim = out[at + size] if size and at + size < len(out) else None
        if aim is not None and said in vocabulary.BY_WAY and aim.of("table") and not aim.of("value"):
            out[at + size] = merged(Mention(said, gap=out[at].gap), aim)
            del out[at : at + size]
            continue
        if aim is None or not aim.of("value"):
            at += 1
            continue
        hints = vocabulary.DIRECTIONS.get(said, ())
        other = vocabulary.OUT_OF if hints is vocabulary.TOWARDS else vocabulary.TOWARDS
        values = [e for e in aim.of("value") if e.column]
        fits = tuple(e for e in values if e.column and _named(e.column, hints))
        against = [e for e in values if e.column and _named(e.column, other)]
        if not fits and against and len(against) == len(values):
            raise Unread(Declined(f"'{aim.words}' occurs in {against[0].column} only, which '{said}' does not mean."))
        plain = said in vocabulary.BY_WAY or (said in grammar.FROM_TO and not _pair(out, at, aim))
        if not fits and not plain:
            at += 1
            continue
        verb = Mention(said, gap=out[at].gap)
        out[at + size] = merged(verb, replace(aim, entries=fits or aim.entries, tags=() if fits else aim.tags))
        if fits or said not in grammar.FROM:
            del out[at : at + size]
        at += 1
    return out
