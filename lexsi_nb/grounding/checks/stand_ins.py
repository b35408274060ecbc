"""What stands in for what was asked: a namesake, the words of the question themselves, one of several equals.

Each check stands for a kind of question that was once answered with a figure of something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.checks.asked_for import named_tables
from lexsi_nb.grounding.checks.scruples import conditions
from lexsi_nb.grounding.language import grammar, retold, schema_words, vocabulary
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.reading import Choice, Column, Declined, Link, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.wordings.average_scopes import relative, which_rows
from lexsi_nb.grounding.wordings.verbs import told_by_verb
from lexsi_nb.grounding.words import name_words, singular


def no_stand_in(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """Hold what a reading's values and groups are against what the words ask for.

    Raises:
        Unread: something else stands in for it.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _inside_itself(reading, items, index)
    _named_elsewhere(reading, items, index)
    _said_back(reading, index)
    _average_beside_conditions(reading)
    _unlisted(reading, index)
    _once_or_each_time(reading, items, index)
    _values_of_one_row(reading, index)
    _texts_of_many(reading, index)
    _whose(items)
    _best_of_others(reading, index)
    _word_as_code(reading, items, index)
    _longer_name(reading, items, index)
    _of_the_period(reading, items)
    _sum_of_numbers(reading, items)
    _held_twice(reading, items, index)
    _second_noun(reading, items)
    _best_and_top(reading, items)
    _added_up(reading, items)
    _choosing_counted(reading, items, index)
    _counted_or_added(reading, items)
    _cut_among_equals(reading, index)
    _one_of_many(reading, items, index)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _inside_itself(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`towns in Springfield` lie in it; the town of that name is none of them."""
    label = index.label_of(reading.table) if reading.table in index.columns else None
    if label is None or reading.shown or reading.table not in named_tables(items):
        return
    for before, m in pairwise([Mention(""), *items]):
        inside = grammar.WITHIN & set(m.gap[-2:]) or (before.words.casefold() in grammar.WITHIN and not before.entries)
        if not inside or m.of("column", "table"):
            continue
        for f in conditions(reading):
            if f.column == label and f.op in ("=", "in") and label in {e.column for e in m.of("value")}:
                text = f"'{m.words}' is the name of a row of {reading.table} itself; nothing is known to lie in it."
                raise _decline(text, m.words)


def _named_elsewhere(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`area of Rome`: the town of that name has none, and the country with that capital is another thing."""
    for f in conditions(reading):
        c = f.column
        if c is None or c.type != "text" or f.op not in ("=", "in") or len(f.values) != 1 or _names(c, index):
            continue
        m = next((m for m in items if c in {e.column for e in m.of("value")}), None)
        if m is None or m.of("column", "table") or any(e.column == c for x in items for e in x.of("column")):
            continue
        held = [e.column for e in m.of("value") if e.column is not None]
        held += [x for x, _ in index.holding(str(f.values[0]))]
        rows = [x for x in held if x != c and x == index.label_of(x.table) and x.table != c.table]
        if rows:
            ways = (f"{c} {m.words}", f"the row of {rows[0].table} of that name")
            raise Unread(Choice(f"'{m.words}' names a row of {rows[0].table} too.", ways, m.words))


def _names(c: Column, index: SchemaIndex) -> bool:
    """Whether a column names rows: its own, or those that it points at."""
    if c.sql or c == index.label_of(c.table) or c == index.key_of(c.table) or index.unique(c.table, c.name):
        return c == index.label_of(c.table) or c == index.key_of(c.table)
    return bool(index.joins.leaving(c.table, c.name))


def _said_back(reading: Reading, index: SchemaIndex) -> None:
    """`state with the code TX` is not TX: the values said in the question are no answer to it."""
    if reading.kind != "list" or not reading.columns or reading.links:
        return
    said = {str(v) for f in reading.filters if f.op in ("=", "in") and not f.negated for v in f.values}
    if len(said) != 1 or any(c.type != "text" for c in reading.columns):
        return
    frame = index.engine.query(f"SELECT * FROM (\n{reading.sql}\n) AS listed LIMIT 50")
    shown = {str(v) for name in frame.columns for v in frame[name]}
    if shown and shown <= said:
        raise _decline(f"I would only say {said.pop()} back. Name what is to be listed.", reading.columns[0].name)


def _average_beside_conditions(reading: Reading) -> None:
    """`owners with a salary above average in 2016`: above that of all rows, or of those of 2016?"""
    for link in reading.links:
        held = any(map(relative, link.filters))
        if held and len(reading.filters) + sum(len(k.filters) for k in reading.links) > 1:
            raise Unread(which_rows(link.table))


def _unlisted(reading: Reading, index: SchemaIndex) -> None:
    """`planes with more than 500 flights`, where flights name planes that the table of planes does not list."""
    for link in reading.links:
        if not link.op or link.negated or link.filters:
            continue
        for j in index.joins.into(reading.table):
            if j.child == link.table and not j.complete and (n := _beyond(j.child_column, link, reading, index)):
                text = f"{n} more {j.child_column} of {link.table} would fit, and {reading.table} does not list them."
                raise Unread(
                    Choice(text, (f"only those that {reading.table} lists", f"all {j.child_column}"), link.words)
                )


def _beyond(column: str, link: Link, reading: Reading, index: SchemaIndex) -> int:
    j = next(x for x in index.joins.into(reading.table) if (x.child, x.child_column) == (link.table, column))
    sql = (
        f"SELECT count(*) AS n FROM (SELECT {quote(column)} FROM {quote(link.table)} WHERE {quote(column)} NOT IN"
        f" (SELECT {quote(j.parent_column)} FROM {quote(j.parent)} WHERE {quote(j.parent_column)} IS NOT NULL)"
        f" GROUP BY 1 HAVING count(*) {link.op} {link.number}) AS g"
    )
    return int(index.reads.one(sql, link.table, reading.table)[0])


def _once_or_each_time(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`seats flown by B6`: those of each plane once, or of each of its flights?"""
    if reading.kind != "aggregate" or not index.facts.empty or reading.table in named_tables(items):
        return
    for link in reading.links:
        many = not link.negated and not link.op and not index.joins.up(reading.table, link.table)
        figures = [m for m in reading.measures if m.function in _WEIGHED and m.column is not None]
        if many and figures and link.filters:
            name = figures[0].column.name if figures[0].column else ""
            ways = (f"{name} of each row of {reading.table} once", f"{name} of each row of {link.table}")
            raise Unread(Choice(f"Many rows of {link.table} share one {name}; counted once, or each time?", ways))


_WEIGHED = frozenset({"sum", "avg", "median", "stddev"})


def _values_of_one_row(reading: Reading, index: SchemaIndex) -> None:
    """`how many neighbours does China have`: a row holds one value of a column, whatever that value tells."""
    counted = [m.column for m in reading.measures if m.function == "distinct"]
    if reading.kind != "count" or not counted or reading.links or not index.facts.empty:
        return
    for f in reading.filters:
        one = f.column is not None and f.op in ("=", "in") and len(f.values) == 1 and not f.negated
        if one and f.column.table == reading.table and index.unique(f.column.table, f.column.name):  # type: ignore[union-attr]
            c = counted[0]
            raise _decline(f"{f.values[0]} is one row of {reading.table} with one {c.name if c else 'value'}.", f.words)


def _texts_of_many(reading: Reading, index: SchemaIndex) -> None:
    """`number of different languages`, where each row lists several in one text: the texts are no languages."""
    columns = [m.column for m in reading.measures if m.function == "distinct"] + [k.column for k in reading.keys]
    if reading.distinct and not reading.filters:
        columns += list(reading.columns)
    columns += [f.column for f in conditions(reading) if f.op in ("=", "in")]
    for c in columns:
        if c is None or c.type != "text" or c.sql or c.table not in index.columns:
            continue
        name = quote(c.name)
        sql = (
            f"SELECT count(*) FILTER (regexp_matches({name}, '^[^\\s,;|]+([,;|][^\\s,;|]+)+$')) AS many,"
            f" count(*) FILTER (trim({name}) <> '') AS filled FROM {quote(c.table)}"
        )
        many, filled = index.reads.one(sql, c.table)
        if filled and many >= _LISTED * filled:
            raise _decline(f"A {c.name} of {c.table} lists several in one text, and I can't tell them apart.", c.name)


_LISTED = 0.2  # share of the rows that hold lists


def _whose(items: Sequence[Mention]) -> None:
    """`and their capitals`: whose is told by nothing that was said."""
    for i, m in enumerate(items):
        pronoun = next((w for w in m.gap if w in grammar.POSSESSIVE), "")
        if pronoun and not any(x.entries for x in items[:i]):
            raise _decline(f"I can't tell whose {m.words} '{pronoun}' means. Name them in the same question.", pronoun)


def _best_of_others(reading: Reading, index: SchemaIndex) -> None:
    """`capital of the largest country in Africa`: the largest of all is none of Africa's."""
    held = conditions(reading)
    if reading.kind == "yesno" or len(held) < 2 or not any("LIMIT 1)" in f.sql for f in held):
        return
    frame = index.engine.query(f"SELECT * FROM (\n{reading.sql}\n) AS found LIMIT 2")
    lone = frame.iloc[0, -1] if len(frame) == 1 else None
    if frame.empty or (len(frame) == 1 and (lone is None or lone != lone or lone == 0)):
        best = next(f for f in held if "LIMIT 1)" in f.sql)
        raise _decline(f"I looked for {best.words} among all rows, and no such row meets the other conditions.")


def _word_as_code(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`that have the Euro and lie in Africa`: a word is no code that is spelt in capitals."""
    for f in conditions(reading):
        code = str(f.values[0]) if len(f.values) == 1 else ""
        if f.column is None or f.op not in ("=", "in") or not (code.isalpha() and code.isupper() and len(code) > 1):
            continue
        for before, m in pairwise([Mention(""), *items]):
            plain = m.words == code.casefold() and f.column in {e.column for e in m.of("value")}
            pointing = bool(index.joins.leaving(f.column.table, f.column.name))
            beside = bool(before.of("column", "value")) or (bool(before.entries) and pointing)
            tagged = any(before.tag(t) is not None for t in ("in", "to", "or", "not"))
            named = bool(m.of("value")) and all(map(index.named_code, m.of("value")))  # "leasing orders"
            placed = bool(m.gap) or beside or tagged or named
            if plain and len(code) > 2 and not placed:
                raise _decline(f"'{m.words}' may be a word, and I read it as {f.column} {code}.", m.words)


def _longer_name(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`states that have a Washington County`, which is a name as a whole."""
    used = {f.column for f in conditions(reading)}
    for m, noun in pairwise(items):
        part = used & {e.column for e in m.of("value")}
        if not part or noun.gap or not noun.of("table", "column") or not m.words[:1].isupper():
            continue
        text = f"{m.words} {noun.words}"
        held = [c for c, v in index.holding(text) if c not in part]
        held += [c for c, listed in index.values.items() if c not in part and phrase(text) in listed]
        if held:
            ways = (f"{held[0]} {text}", f"{m.words} as {next(iter(part))}")
            raise Unread(Choice(f"'{text}' is a name as a whole.", ways, text))


def _of_the_period(reading: Reading, items: Sequence[Mention]) -> None:
    """`first flight of the year`: the year is no column that is asked for."""
    for m in items[1:]:
        asked = any(e.column in reading.shown for e in m.of("column"))
        if (
            asked
            and {*m.gap[-2:-1]} & grammar.OF_THE
            and {*m.gap[-1:]} & vocabulary.ARTICLES
            and m.words.casefold() in vocabulary.PERIODS
        ):
            raise _decline(f"I can't tell which {m.words} 'of the {m.words}' means.", m.words)


def _sum_of_numbers(reading: Reading, items: Sequence[Mention]) -> None:
    """`total flights` counts them; the column `flight` holds their numbers."""
    for measure in reading.measures:
        c = measure.column
        if c is None or measure.function not in _WEIGHED or singular(c.table.casefold()) != c.name.casefold():
            continue
        rows = [m for m in items if c.table in {e.table for e in m.of("table")}]
        plural = any(m.words.casefold() != c.name.casefold() for m in rows)
        if plural and not set(name_words(c.name)) & schema_words.MONEY:
            ways = (f"number of {c.table} rows", f"total {c.name}")
            raise Unread(Choice(f"'{c.table}' are rows, and {c.name} is a column of them.", ways, c.name))


def _held_twice(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`population of Asia and Africa compared`: of the continents, or of their countries together?"""
    if reading.kind not in ("comparison", "yesno", "share") or named_tables(items) or not index.facts.empty:
        return
    said = [e.column for m in items for e in m.of("column") if e.column is not None]
    own = [c for c in said if c.table == reading.table and f"({c.name})" in reading.sql]
    for c in own[:1]:
        below = [x for x in said if x.table != c.table and x.name == c.name and index.joins.up(x.table, c.table)]
        if below:
            ways = (f"{c}", *(f"total {x}" for x in below))
            raise Unread(Choice(f"'{c.name}' is held by {c.table} and by {below[0].table}.", ways, c.name))


def _second_noun(reading: Reading, items: Sequence[Mention]) -> None:
    """`total population of continents and of countries` asks for two figures; countries are no condition."""
    bare = {k.table for k in reading.links if not (k.filters or k.negated or k.op)}
    if reading.kind != "aggregate" or not bare:
        return
    for before, m in pairwise(items):
        joined = before.tag("and") is not None and not before.entries
        if joined and bare & {e.table for e in m.of("table")} and not m.of("column", "value"):
            raise _decline(
                f"I read figures of {reading.table} only; ask for those of {m.words} by themselves.", m.words
            )


def _best_and_top(reading: Reading, items: Sequence[Mention]) -> None:
    """`northernmost city per country, top 3`: three of each country, or three countries?"""
    if "PARTITION BY" not in reading.sql:
        return
    ends = [m for m in items if any(m.tag(t) is not None for t in ("top", "super", "sized"))]
    if len(ends) > 1 and any(m.tag("top") is not None for m in ends):
        named = ends[-1].words
        ways = ("that many of each group", "the best of each group, and that many of the groups")
        raise Unread(Choice(f"'{named}' of each group, or of the groups?", ways, named))


def _added_up(reading: Reading, items: Sequence[Mention]) -> None:
    """`wins plus losses` is their sum; a list of both is none."""
    for before, m, after in zip(items, items[1:], items[2:], strict=False):
        plus = m.words.casefold() in grammar.PLUS and not m.entries
        if plus and before.of("column") and after.of("column") and len(reading.shown or reading.measures) > 1:
            raise _decline(f"I don't add columns up; ask for {before.words} and {after.words} by themselves.", m.words)


def _choosing_counted(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`on time flights, how many` counts some of the flights, and not the values of a column `time`."""
    counted = [m.column for m in reading.measures if m.function == "distinct" and m.column is not None]
    if reading.kind != "count" or not counted or any(m.tag("distinct") is not None for m in items):
        return
    for m, noun in pairwise(items):
        c = next((c for c in counted if any(e.column == c for e in m.of("column"))), None)
        rows = c is not None and c.table in {e.table for e in noun.of("table")} and not noun.gap
        rows = rows and not told_by_verb(m, noun, index)
        if c is not None and rows and not m.of("table") and not index.joins.leaving(c.table, c.name):
            raise _decline(f"'{m.words}' chooses among {noun.words}, and I would count the values of {c}.", m.words)


def _counted_or_added(reading: Reading, items: Sequence[Mention]) -> None:
    """`salaries in the north and the south compared`: how many, or how high?"""
    counts = reading.kind == "comparison" and "count(*)" in reading.sql
    if not counts or any(m.tag("count") is not None or m.tag("most") is not None for m in items):
        return
    for m in items:
        money = [e.column for e in m.of("column") if e.column and set(name_words(e.column.name)) & schema_words.MONEY]
        if reading.table in {e.table for e in m.of("table")} and money:
            ways = (f"number of {reading.table} rows", f"total {money[0].name}", f"mean {money[0].name}")
            raise Unread(Choice(f"Which figure of {reading.table} is compared?", ways, m.words))


def _cut_among_equals(reading: Reading, index: SchemaIndex) -> None:
    """`the three codes of the most countries`, where more than one is third: which of them is shown is chance."""
    if (
        reading.kind != "topk"
        or not reading.keys
        or (reading.limit or 0) < 2
        or not index.facts.empty
        or index.ties_told
    ):
        return
    if note := next((n for n in reading.notes if "share the last" in n), ""):
        ways = (f"the first {reading.limit}, by key", "all that share the last place as well")
        said = (retold.TIES_CUT, retold.TIES_ALL)
        raise Unread(Choice(f"{note[:1].upper()}{note[1:]}.", ways, said=said, lasting=False))


def _one_of_many(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`capital of Europe`, of which each country has one: one is asked for, and there are many."""
    shown = reading.columns if reading.distinct else ()
    beyond = any(f.home != reading.table for f in reading.filters)
    if reading.kind != "list" or len(shown) != 1 or not beyond or reading.table in named_tables(items):
        return
    said = next((m for m in items if any(e.column == shown[0] for e in m.of("column"))), None)
    if said is None or said.words.casefold() != singular(said.words.casefold()) or not index.facts.empty:
        return
    count = int(index.engine.query(f"SELECT count(*) AS n FROM (\n{reading.sql}\n) AS found").iloc[0, 0])
    if count > 1:
        ways = (f"each {shown[0].name} of {reading.table} there ({count})", "one row of them, by name")
        raise Unread(Choice(f"There are {count} different {shown[0].name}; which is meant?", ways, said.words))
