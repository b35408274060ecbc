"""A question read over one index: its form found, its reading doubted by every check. Nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexsi_nb.grounding.checks.accounts import accounted
from lexsi_nb.grounding.checks.assumptions import assumed
from lexsi_nb.grounding.checks.bare_bounds import no_bare_bound
from lexsi_nb.grounding.checks.chains import chained
from lexsi_nb.grounding.checks.dropped_words import no_word_dropped
from lexsi_nb.grounding.checks.each_once import each_once
from lexsi_nb.grounding.checks.kept_figures import conditions_of_figures_held
from lexsi_nb.grounding.checks.mean_of_parents import no_mean_of_parents
from lexsi_nb.grounding.checks.omissions import nothing_omitted
from lexsi_nb.grounding.checks.ownership import owned
from lexsi_nb.grounding.checks.passed_over import nothing_passed_over
from lexsi_nb.grounding.checks.rival_figures import no_rival_figure
from lexsi_nb.grounding.checks.rivals import no_rival
from lexsi_nb.grounding.checks.scruples import scrupulous
from lexsi_nb.grounding.checks.sense import sensible
from lexsi_nb.grounding.checks.stand_ins import no_stand_in
from lexsi_nb.grounding.checks.states_of_others import no_state_of_others
from lexsi_nb.grounding.checks.told_of_whom import told_of_whom
from lexsi_nb.grounding.everyday import plainly_asked
from lexsi_nb.grounding.everyday.ages import age_told
from lexsi_nb.grounding.forms.about_schema import about_schema
from lexsi_nb.grounding.forms.above_groups import above_groups
from lexsi_nb.grounding.forms.asking import COUNT, Ask
from lexsi_nb.grounding.forms.best_period import best_period
from lexsi_nb.grounding.forms.both_ends import both_ends
from lexsi_nb.grounding.forms.brackets import grouped, unbracketed
from lexsi_nb.grounding.forms.comparing import compared
from lexsi_nb.grounding.forms.distributions import no_number_of_values
from lexsi_nb.grounding.forms.drawn_as import drawn_as
from lexsi_nb.grounding.forms.flags import rates_said
from lexsi_nb.grounding.forms.idle_periods import idle_periods
from lexsi_nb.grounding.forms.keeping import where_kept
from lexsi_nb.grounding.forms.later_places import later_places, split_off
from lexsi_nb.grounding.forms.meanings import meaning, what_it_means
from lexsi_nb.grounding.forms.ordering import unfilled, without_keeper
from lexsi_nb.grounding.forms.own_group import above_own_group
from lexsi_nb.grounding.forms.owner_keys import owner_keys
from lexsi_nb.grounding.forms.per_group import per_group
from lexsi_nb.grounding.forms.per_many import per_many
from lexsi_nb.grounding.forms.profiles import profile
from lexsi_nb.grounding.forms.ranked import first_or_last, ranked
from lexsi_nb.grounding.forms.series import incomplete, series
from lexsi_nb.grounding.forms.shares import share
from lexsi_nb.grounding.forms.side_by_side import side_by_side
from lexsi_nb.grounding.forms.trending import trending
from lexsi_nb.grounding.forms.vintage import vintage
from lexsi_nb.grounding.forms.with_and_without import with_and_without
from lexsi_nb.grounding.forms.wording import settled
from lexsi_nb.grounding.forms.written import as_written
from lexsi_nb.grounding.forms.year_columns import change_of_years
from lexsi_nb.grounding.forms.yes_no import yes_no
from lexsi_nb.grounding.language import grammar, lexicon, undefined
from lexsi_nb.grounding.mentions import Mention, Mentions
from lexsi_nb.grounding.notes.empty_groups import empty_groups
from lexsi_nb.grounding.notes.immature import immature
from lexsi_nb.grounding.notes.left_out import left_out
from lexsi_nb.grounding.notes.namesakes import several_of_a_name
from lexsi_nb.grounding.parsing.ties import by_cut_or_all, cut_or_all, every_first
from lexsi_nb.grounding.reading import Choice, Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.kept import as_kept
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.unknown_words import no_unknown_words
from lexsi_nb.grounding.wordings.named_ways import by_named_way, named_ways
from lexsi_nb.grounding.wordings.open_periods import in_open_period
from lexsi_nb.grounding.wordings.part_of_name import called_so
from lexsi_nb.grounding.wordings.passing import passed, passing
from lexsi_nb.grounding.wordings.pinned import as_pinned, pinned
from lexsi_nb.grounding.wordings.rates_of_amounts import amounts_by_their_period
from lexsi_nb.grounding.wordings.relations import noticed
from lexsi_nb.grounding.wordings.states import no_state_lost
from lexsi_nb.grounding.wordings.units import in_currency
from lexsi_nb.grounding.wordings.values_together import values_together
from lexsi_nb.grounding.wordings.ways import by_the_graph
from lexsi_nb.grounding.wordings.who import who_asked
from lexsi_nb.grounding.wordings.written_dates import in_iso, months_named, of_its_year
from lexsi_nb.grounding.words import Token, tokens

_LOOKS = ("summary", "distribution", "missing", "duplicates", "outliers", "correlation")
# The first that reads a question decides; what none of them reads is a plain question.
_FORMS = (
    idle_periods, change_of_years, vintage, with_and_without, both_ends, side_by_side, per_many, profile, share,
    trending, yes_no, best_period, above_groups, compared, per_group, series, ranked,
)  # fmt: skip
_META = {"list", "count", "tables", "columns", "by", "and", "in"}


def _case_alone(words: Sequence[Token]) -> None:
    """Refuse `explain 260` and `why is 260 high?` where nothing was predicted before."""
    rest = [w for w in words[1:] if w.kind != "sign" and w.low not in lexicon.STOP]
    rest = [w for w in rest if w.low not in lexicon.SAID_HIGH | lexicon.SAID_LOW]
    if words and words[0].low in lexicon.REASONS and len(rest) == 1 and rest[0].kind in ("number", "quoted"):
        said = f"Nothing was predicted before, so there is no score of {rest[0].text} to explain."
        raise Unread(Declined(f"{said} Ask for a prediction first, then '{words[0].low} {rest[0].text}'."))


def _drawn(reading: Reading, chart: str, index: SchemaIndex) -> Reading:
    """Return the reading with its rows counted, where a chart of a column's values was asked for."""
    if not chart or reading.kind != "list" or not reading.distinct or len(reading.columns) != 1 or reading.limit:
        return reading
    column = reading.columns[0]
    noun = Mention(reading.table, entries=(Entry("table", reading.table),))
    key = Mention(column.name, entries=(Entry("column", column.table, column),))
    if reading.filters or reading.links:
        return reading
    return Ask((), index).read([COUNT, noun, Mention("by", tags=("by",)), key])


def read_question(question: str, index: SchemaIndex) -> Reading:
    """Return what a question means over the data of an index; by the way that it names where several lead there.

    Raises:
        Unread: with a decline or a choice, where it cannot be told.
    """
    if (pin := pinned(question, index)) is not None:
        return as_pinned(read_question(pin.question, pin.index), pin)
    if (tied := cut_or_all(question, index)) is not None:
        return by_cut_or_all(read_question(tied[0], tied[1]), every=tied[2])
    if (by := passing(question, index)) is not None:
        return _read_by(*by)
    try:
        return _read(question, index)
    except Unread:
        found: list[Reading] = []
        asked: list[Unread] = []
        for named in named_ways(question, index):
            try:
                reading = by_named_way(_read(named.question, named.index), named)
            except Unread as end:
                asked += [end] if isinstance(end.outcome, Choice) else []
                continue
            found += [reading] if reading is not None and all(r.sql != reading.sql for r in found) else []
        if len(found) == 1:
            return found[0]
        if not found and len(asked) == 1:
            raise asked[0] from None  # by that way, and still open
        raise


def _read_by(question: str, index: SchemaIndex, table: str, column: str) -> Reading:
    """Return what a question means where the ways to other rows pass a table, or leave it by a column."""
    reading = _read(question, index)
    way = f"{table}.{column}" if column else table
    if not passed(reading.sql, table, column):
        raise Unread(Declined(f"Nothing here is reached by way of {way}.", (way,)))
    return replace(reading, text=f"{reading.text} (by way of {way})")


def _read(question: str, index: SchemaIndex) -> Reading:
    """Return what a question means.

    Raises:
        Unread: with a decline or a choice, where it cannot be told.
    """
    ranking, skipped = split_off(question)
    if skipped:
        return later_places(_read(ranking, index), skipped)
    if (own := above_own_group(question, index, lambda q: _read(q, index))) is not None:
        return own
    asked = question
    if (schema := meaning(question, index) or about_schema(question, index)) is not None:
        return schema
    question, kept = as_kept(question, index.facts.kept)
    question = unbracketed(in_iso(unfilled(as_written(question, index), index), index.facts.as_of), index)
    question = grouped(months_named(question, index))
    question, said_anew = plainly_asked(rates_said(of_its_year(question, index), index), index)
    in_currency(question, index)
    question = in_open_period(question, index)
    try:
        return _told(_plain(question, asked, index), kept, said_anew, index)
    except Unread as end:
        raise _in_the_words_read(end, asked, question) from None


def _in_the_words_read(end: Unread, asked: str, read: str) -> Unread:
    """Return what is open with the question in the words that it was read in, where the open ones are among those."""
    choice = end.outcome
    if not isinstance(choice, Choice) or choice.asked or read == asked or not choice.words:
        return end
    low = choice.words.casefold()
    return Unread(replace(choice, asked=read)) if low not in asked.casefold() and low in read.casefold() else end


def _plain(question: str, asked: str, index: SchemaIndex) -> tuple[Reading, Sequence[str]]:
    """Return the reading of a question as it was written out, doubted by every check, and notes on its words.

    asked: as it was put.
    """
    words, found = tokens(question), noticed(question, index)
    _case_alone(words)
    found.items = amounts_by_their_period(called_so(found.items, index))
    no_unknown_words(question, found, index, asked)
    said = found.items = values_together(who_asked(question, owner_keys(without_keeper(found.items), index), index))
    items, chart = settled(found.items, index)
    found = Mentions(items, found.notes)
    reading = each_once(_form(question, found, words[0].low if words else "", index), found.items, asked, index)
    no_number_of_values(reading, asked, index)
    reading = scrupulous(told_of_whom(reading, found.items, index), words, index)
    reading = _drawn(reading, chart, index)
    _told_apart(reading, said, question)
    by_the_graph(reading, question, index)
    accounted(reading, said, words, index)
    sensible(reading, words, index)
    nothing_omitted(reading, words, index)
    owned(reading, said, index)
    nothing_passed_over(reading, said, words, index)
    no_word_dropped(reading, said, words)
    no_state_lost(reading, words, index)
    no_state_of_others(reading, said, index)
    no_rival(reading, said, words, index)
    no_mean_of_parents(reading, said, index)
    no_bare_bound(reading, said, question)
    no_rival_figure(reading, said, index)
    no_stand_in(reading, said, index)
    conditions_of_figures_held(reading, asked, index.facts.kept, lambda means: _read(means, index))
    chained(reading, said, [w.low for w in words], index)
    reading = every_first(assumed(reading, said, words, index), said, index)
    return drawn_as(reading, chart, index), found.notes


def _told(
    doubted: tuple[Reading, Sequence[str]], kept: Sequence[str], said_anew: Sequence[str], index: SchemaIndex
) -> Reading:
    """Return a reading with what has to be told beside it."""
    reading, spelt = doubted
    late = (*incomplete(reading, index), *immature(reading, index))
    told = (*said_anew, *age_told(reading, index))
    notes = tuple(dict.fromkeys((*kept, *spelt, *reading.notes, *told, *late)))
    apart = [*reading.apart, *several_of_a_name(reading, index), *left_out(reading, index)]
    apart = dict.fromkeys((*apart, *empty_groups(reading, index)))
    return replace(reading, notes=notes, apart=tuple(apart))


def _told_apart(reading: Reading, items: Sequence[Mention], question: str) -> None:
    """Refuse `how many cards are used`, where a word said last tells some of the rows counted from others."""
    found = undefined.SAID_LAST.search(question) if reading.kind == "count" else None
    said = (found["said"] or found["done"] or found["yet"]).casefold() if found is not None else ""
    if said and not any(m.entries and said in m.words.casefold().split() for m in items):
        raise Unread(Declined(f"'{said}' tells some of these rows from others, and nothing in the data says which."))


def _form(question: str, found: Mentions, first: str, index: SchemaIndex) -> Reading:
    """Return the reading by the first form that the mentions have."""
    words = tokens(question)
    if (meta := _meta(found.items, index)) is not None:
        return meta
    from lexsi_nb.grounding.predictions.predictive import asks_ahead

    if ahead := [m.words for m in found.items if asks_ahead(m)]:
        raise Unread(Declined("This asks for a prediction.", tuple(ahead)))
    if (
        words
        and words[0].low in grammar.WHEN
        and (reading := first_or_last(Ask(tuple(found.items), index))) is not None
    ):
        return reading
    if words and words[0].low in grammar.WHEREABOUTS:
        raise Unread(Declined(f"I don't read questions with '{words[0].low}' yet.", (words[0].text,)))
    if words and (
        first in grammar.SHOULD or (first in grammar.MAY and (len(words) < 2 or words[1].low not in grammar.WE))
    ):
        raise Unread(Declined("I tell what the data hold, not what to do.", (words[0].text,)))
    counts = bool(found.items) and found.items[0].tag("count") is not None
    grown = any(m.tag(t) is not None for m in found.items if not m.entries for t in ("growth", "moving"))
    judged = first in lexicon.ASKING and any(
        m.tag("cmp") is not None or m.tag("more") is not None for m in found.items if not m.entries
    )  # "is the number of visits above 20"
    ask = Ask(tuple(found.items), index, "" if counts and not (grown or judged) else first)
    for form in _FORMS:
        if (reading := form(ask)) is not None:
            return reading
    if len(found.items) == 2 and found.items[0].words.casefold() in grammar.WHAT_IS:
        return _what_is(found.items[1], ask)
    return ask.read(found.items)


def _what_is(m: Mention, ask: Ask) -> Reading:
    """Return the reading of `what is` with one noun: the columns of a table, what a code or a column means."""
    what, columns = ask.items[0].words.casefold(), m.of("column")
    if m.of("table") and grammar.A & set(m.gap):
        raise Unread(Declined("I tell what the data hold, not what words mean.", (m.words,)))
    if m.of("value") and what in grammar.WHAT_IS_ONE and grammar.A & set(m.gap):
        return what_it_means(m.words, ask.index)
    alone = bool(columns) and len(columns) == len(m.entries) and not m.gap
    if (m.of("value") and m.words.isupper()) or (alone and what in grammar.WHAT_IS_ONE):
        return what_it_means(m.words, ask.index)
    named = what not in grammar.WHICH and not (m.gap and what not in grammar.WHAT_IS_ONE)  # "what ports are there"
    tables = [e.table for e in m.of("table") if named and not (e.weak and columns)]
    return Reading("schema", tables[0], text=f"columns of {tables[0]}") if tables else ask.read(ask.items)


def _tables_known(named: Sequence[Mention], index: SchemaIndex) -> None:
    """Refuse `columns of the table branches` where that is a word for rows of another table, and no table."""
    for m in named:
        if not m.of("table")[0].table or any(e.kind == "table" for e in index.lookup(list(phrase(m.words)))):
            continue
        raise Unread(Declined(f"There is no table {m.words}.", (m.words,)))


def _meta(items: list[Mention], index: SchemaIndex) -> Reading | None:
    """Questions about the schema: `what tables are there`, `what columns has x`."""
    tables, columns = ([m for m in items if m.tag(t) is not None] for t in ("tables", "columns"))
    if (not tables and not columns) or any(m.tag(t) is not None for m in items for t in _LOOKS):
        return None
    if (found := where_kept(items)) is not None:
        return found
    named = list(dict.fromkeys(e.table for m in items for e in m.of("table")))
    rest = [m for m in items if not (m.of("table") or {t.partition(":")[0] for t in m.tags} & _META)]
    if rest or (tables and named and not columns):
        counted = any(m.tag("count") is not None and not m.entries for m in items)  # "row count of table x"
        if tables and not columns and not rest and named and not counted:
            return Reading("schema", named[0], text=f"columns of {', '.join(named)}")
        raise Unread(Declined("I can't place this question about the schema.", tuple(m.words for m in rest)))
    if columns:
        if tables:
            _tables_known([m for m in items if m.of("table")], index)
        text = f"columns of {', '.join(named)}" if named else "columns of every table"
        return Reading("schema", named[0] if named else "", text=text)
    return Reading("tables", text="the tables of the data")
