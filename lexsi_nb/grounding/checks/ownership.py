"""Whose a name is: held against the nouns that a question says beside it.

Each check stands for a way in which a column of one table was read where rows of another were asked about: a name of
another table's rows, a group that only some rows have, one of two equal names, a participle read as a figure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.checks.asked_for import means, named_tables, yes_or_no
from lexsi_nb.grounding.checks.said_beside import said_beside
from lexsi_nb.grounding.language import grammar, schema_words
from lexsi_nb.grounding.mentions import TAGS, Mention
from lexsi_nb.grounding.reading import Choice, Column, Declined, Reading, Unread
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.labels import owner
from lexsi_nb.grounding.words import name_words, singular

_FIGURES = frozenset({"sum", "avg", "median", "min", "max", "stddev", "variance", "range", "iqr", "cv"})

_FIGURE_TAGS = frozenset({"count", "agg", "share", "ratio", "difference", "distinct"})


def owned(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold the columns of a reading against the nouns they were said with.

    Raises:
        Unread: a column belongs to other rows than those said.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _participle_as_figure(reading, items)
    _function_word_as_name(reading, items)
    _column_of_others(reading, items, index)
    _time_of_another(reading, items, index)
    _figure_of_a_parent(reading, items, index)
    _group_of_others(reading, items, index)
    _said_of_others(reading, items, index)
    said_beside(reading, items, index)
    _missing_from(reading, items)
    _loose_date(reading, items)
    _share_of_known(reading, index)
    if reading.table in index.columns:
        _group_of_few(reading, items, index)
        _one_of_two_names(reading, items, index)
        _several_parents(reading, index)
        _group_of_whom(reading, items, index)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _participle_as_figure(reading: Reading, items: Sequence[Mention]) -> None:
    """`what share of graded enrolments passed`: "graded" chooses rows; it is no sum of their grades."""
    for measure in reading.measures:
        c = measure.column
        if c is None or measure.function not in _FIGURES or c.type != "number":
            continue
        said = [m.words.casefold() for m in items if means(m, c)]
        own = name_words(c.name)
        if said and all(w.endswith(grammar.DONE_ENDS) and w.split()[-1] not in own for w in said):
            raise _decline(f"'{said[0]}' says which rows are meant, and I would read it as {c}.", said[0])


def _function_word_as_name(reading: Reading, items: Sequence[Mention]) -> None:
    """`title and count`: a word that asks for a figure is no last word of another column's name."""
    for m in items:
        loose = bool(m.entries) and all(e.weak and e.kind == "column" for e in m.entries)
        tags = {t.partition(":")[0] for t in TAGS.get((m.words.casefold(),), ())}
        if loose and tags & _FIGURE_TAGS and any(means(m, c) for c in _columns(reading)):
            c = next(c for c in _columns(reading) if means(m, c))
            raise _decline(f"'{m.words}' may be a figure or {c}. Say the whole name.", m.words)


def _columns(reading: Reading) -> list[Column]:
    own = [*reading.columns, *reading.shown, *(k.column for k in reading.keys)]
    return own + [c for m in reading.measures if (c := m.column) is not None]


def _group_of_few(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`enrolments by language`, where only some students have a thesis with a language: no group of enrolments."""
    named = named_tables(items)
    for k in reading.keys if index.facts.empty else ():  # a knowledge graph says how rows belong together
        t = k.column.table
        if t == reading.table or t in named or t not in index.columns or index.joins.up(reading.table, t):
            continue
        route = next(iter(index.joins.any(reading.table, t)), ())
        said = {w for m in items if means(m, k.column) for w in name_words(m.words)}
        if not any(step.up for step in route) or said & set(name_words(t)):
            continue  # its own many rows; "by card type"
        raise _decline(
            f"{k.column.name} is told of {t}, of which a row of {reading.table} may have many or none. Name {t}.",
            k.column.name,
        )


def _one_of_two_names(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`students by department`: of their mentors or of their courses? That one of them is nearer says nothing."""
    named = set(named_tables(items))
    for k in reading.keys:
        c = k.column
        if c.table == reading.table or c.table in named:
            continue
        for m in items:
            others = [e.column for e in m.of("column") if e.column and e.column.table not in (c.table, reading.table)]
            told = [o for o in others if o.table not in named and index.joins.any(reading.table, o.table)]
            if means(m, c) and told and not any(means(m, x) for x in index.columns[reading.table].values()):
                raise Unread(
                    Choice(f"'{m.words}' can be told of more than one table.", (str(c), *map(str, told)), m.words)
                )


def _column_of_others(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`names of the franchises` are no names of teams."""
    if reading.kind not in ("list", "topk"):
        return
    named = named_tables(items)
    for i, m in enumerate(items[:-1]):
        shown = [c for c in (*reading.shown, *reading.columns) if means(m, c)]
        noun = owner(items, i)
        label = len(name_words(m.words)) == 1 and bool(schema_words.LABEL & set(name_words(m.words)))
        label_of = [c for c in shown if c == index.label_of(c.table)]
        people = items[i + 1].of("value") if grammar.OF & set(items[i + 1].gap[:1]) else []
        alone = not items[i + 1].of("table", "column") and len(name_words(m.words)) == 1
        if label_of and people and alone and not {e.table for e in people} & {c.table for c in label_of}:
            raise _decline(f"'{m.words}' is {label_of[0]}, and {items[i + 1].words} have none of their own.", m.words)
        if not shown or noun is None or noun.of("value") or (noun.of("column") and not label):
            continue
        tables = {e.table for e in noun.of("table")}
        up = [c for c in shown if any(index.joins.up(t, c.table) for t in tables)]
        if label and all(map(index.key_of, tables)):  # a client has no town's name
            up = [c for c in up if c.table in named or c != index.label_of(c.table)]
        if not up and not any(c.table in tables for c in shown):
            raise _decline(f"'{m.words}' is {shown[0]}, and {noun.words} have none of their own.", m.words)


def _figure_of_a_parent(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`salary of clients`, which is that of their town: towns are no clients, and many clients share one."""
    if reading.kind != "list" or reading.table in named_tables(items):
        return
    for i, m in enumerate(items[:-1]):
        shown = [c for c in reading.shown if c.table == reading.table and means(m, c)]
        noun = owner(items, i) if shown else None
        told = {e.table for e in noun.of("table")} if noun is not None and not noun.of("value") else set()
        below = [k.words for k in reading.links if k.table in told and not k.negated and not k.filters]
        if below and all(index.joins.up(t, reading.table) for t in told):
            said = f"'{m.words}' is {shown[0]}, which several {below[0]} may share."
            raise _decline(
                f"{said} Ask for that of {reading.table} rows, or for {below[0]} with their key and it.", m.words
            )


def _time_of_another(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`permits submitted in 2024`, where `submitted` holds text: the day of the decision is no stand-in for it."""
    read = [f.column for f in reading.filters if f.op not in ("null", "notnull")]
    read += [reading.order.column if reading.order else None, *(k.column for k in reading.keys if k.grain)]
    days = [c for c in read if c is not None and c.type == "date"]
    if not days or any(means(m, c) for m in items for c in days):
        return
    for i, m in enumerate(items):
        texts = [e.column for e in m.of("column") if e.column and e.column.type == "text"]
        if not texts or len(texts) != len(m.entries) or not any(c.table == d.table for c in texts for d in days):
            continue
        before, after = items[i - 1] if i else Mention(""), items[i + 1] if i + 1 < len(items) else Mention("")
        timed = before.tag("super") in ("first", "last") or after.tag("super") in ("first", "last")
        timed = timed or any(after.tag(t) is not None for t in ("in", "date", "between", "grain")) or bool(after.day)
        if timed and not after.of("value") and _days_as_text(texts[0], index):
            raise _decline(f"{texts[0]} is text, so I can't place it in time; {days[0]} is another day.", m.words)


_DAY = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T].*)?")


def _days_as_text(c: Column, index: SchemaIndex) -> bool:
    """Whether the texts of a column are days written in figures."""
    first = index.reads.one(f"SELECT any_value({quote(c.name)}) AS v FROM {quote(c.table)}", c.table)[0]
    return isinstance(first, str) and _DAY.fullmatch(first.strip()) is not None


def _group_of_others(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`by age of loan` is not by the age of its owner: a noun after "of" says whose column it is."""
    for k in reading.keys:
        c = k.column
        for i, m in enumerate(items[:-1]):
            noun = owner(items, i) if means(m, c) and not m.of("table", "value") else None
            tables = {e.table for e in noun.of("table")} if noun is not None else set()
            if noun is None or not tables or c.table in tables or any(index.joins.up(t, c.table) for t in tables):
                continue
            if (
                reading.table == c.table
                and (_names_its_table(m, c, index) or _follows_its_table(items, i, c))
                and noun.words.casefold() != singular(noun.words.casefold())
            ):
                continue  # "card type of clients": of the cards that they have
            raise _decline(f"'{m.words}' is {c}, and '{noun.words}' has none of its own.", m.words)


def _follows_its_table(items: Sequence[Mention], at: int, c: Column) -> bool:
    """Whether a column stands right after its table: `visit | room`."""
    return at > 0 and not items[at].gap and c.table in {e.table for e in items[at - 1].of("table")}


def _names_its_table(m: Mention, c: Column, index: SchemaIndex) -> bool:
    """Whether the words for a column begin with those for its table: `card type`."""
    words = m.words.casefold().split()
    heads = (words[:n] for n in range(1, len(words)))
    return any(e.kind == "table" and e.table == c.table for head in heads for e in index.lookup(head))


def _said_of_others(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`good sensors` are not sensors with one good reading: a word right before a noun says what its rows are."""
    named = named_tables(items)
    for link in reading.links:
        if link.negated or link.op or link.table in named or index.joins.up(reading.table, link.table):
            continue
        columns = {f.column for f in link.filters}
        for m, noun in pairwise(items):
            said = columns & {e.column for e in m.of("value")} and not (m.of("table") or noun.gap)
            if said and reading.table in {e.table for e in noun.of("table")}:
                told = f"'{m.words}' is known of {link.table}, not of {reading.table}"
                raise _decline(f"{told}. Say '{noun.words} with {m.words} {rows_word(link.table)}' if so.", m.words)


def _missing_from(reading: Reading, items: Sequence[Mention]) -> None:
    """`tail numbers missing from planes` have no row there; they are not empty."""
    for m, place, noun in zip(items, items[1:], items[2:], strict=False):
        absent = m.tag("null") is not None and not m.entries and place.tag("in") is not None and not place.entries
        if absent and noun.of("table") and reading.table not in {e.table for e in noun.of("table")}:
            text = f"'{m.words} {place.words} {noun.words}' asks for rows without one in {noun.words}"
            raise _decline(f"{text}, and I read it as an empty value. Say 'without {noun.words}'.", m.words)


def _loose_date(reading: Reading, items: Sequence[Mention]) -> None:
    """`the top player by games`, `goals per game` are no matter of the day of the final game."""
    by = [reading.order.column] if reading.order else []
    by += [k.column for k in reading.keys if not k.grain]
    for c in by:
        if c is None or c.type != "date":
            continue
        loose = [m for m in items if any(e.weak and e.column == c for e in m.of("column"))]
        named = any(e.column == c and not e.weak for m in items for e in m.of("column"))
        if loose and not named and not any(schema_words.TIMED & set(name_words(m.words)) for m in loose):
            said = f"I would go by {c}, which is a date; '{loose[0].words}' asks for no date."
            raise _decline(said, loose[0].words)


def _share_of_known(reading: Reading, index: SchemaIndex) -> None:
    """`the share of smokers`, where it is not known of everybody: of all, or of those of whom it is known?"""
    for f in [f for m in reading.measures if m.share for f in m.where]:
        c = f.column
        if c is None or c.table not in index.columns or f.op not in ("in", "=") or not yes_or_no(c, index):
            continue
        sql = f"SELECT count(*) - count({quote(c.name)}) AS n FROM {quote(c.table)}"
        if index.engine.query(sql).iloc[0, 0]:
            ways = (f"of all {c.table} rows", f"of those with a value of {c.name}")
            raise Unread(Choice(f"{c} is not known of all rows. A share of which?", ways, f.words))


def _several_parents(reading: Reading, index: SchemaIndex) -> None:
    """`names in more than one country`: a row has one country at most; it is names that have several."""
    for link in reading.links:
        exists = (link.op, link.number) in (("", 1), (">=", 1), (">", 0))
        if not exists and not link.negated and index.joins.up(reading.table, link.table):
            raise _decline(
                f"A row of {reading.table} has one row of {link.table} at most, so '{link.words}' counts nothing.",
                link.words,
            )


def _group_of_whom(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`loans by region of the borrower`: where the borrower lives, and not where the loan is kept."""
    joined = reading.sql.split("WHERE")[0]
    for k in reading.keys:
        for m, noun in pairwise(items):
            tables = {e.table for e in noun.of("table") or noun.of("value")}
            if not tables or not grammar.OF & set(noun.gap) or not means(m, k.column):
                continue
            own = [t for t in tables if t != k.column.table and index.joins.up(t, k.column.table)]
            if own and reading.table not in own and not any(re.search(rf'JOIN "?{t}"? AS', joined) for t in own):
                raise _decline(
                    f"'{m.words}' is asked of {noun.words}, and I would take that of {reading.table}.", noun.words
                )
