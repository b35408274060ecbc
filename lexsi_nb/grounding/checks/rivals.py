"""Two things of the data that one word can name, where a reading took one of them without a word for it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lexsi_nb.grounding.checks.asked_for import asks_number, means, named_tables, tables_in, yes_or_no
from lexsi_nb.grounding.checks.one_row_or_all import one_row_or_all
from lexsi_nb.grounding.checks.scruples import conditions
from lexsi_nb.grounding.language import grammar, lexicon, retold, schema_words, vocabulary
from lexsi_nb.grounding.mentions import TAGS, Mention
from lexsi_nb.grounding.reading import Choice, Column, Declined, Reading, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.schema.naming import year_like
from lexsi_nb.grounding.wordings.pinned import taken_as
from lexsi_nb.grounding.words import Token, alone, name_parts, name_words, singular


def no_rival(reading: Reading, items: Sequence[Mention], words: Sequence[Token], index: SchemaIndex) -> None:
    """Hold what a reading took against what else the words can name.

    Raises:
        Unread: with the choice.
    """
    if not reading.sql or reading.kind in ("tables", "schema"):
        return
    _value_for_a_table(reading, items)
    _figure_of_another(reading, items, index)
    _big_by_number(reading, items, index)
    _flagged_rows(reading, items, index)
    _one_found_first(reading, items)
    _figure_of_many(reading, items, index)
    _code_with_article(reading, items, index)
    _rows_or_things(reading, items, index)
    _each_or_row(reading, items, index)
    _column_counted(reading, items)
    one_row_or_all(reading, items, index)
    _piece_of_time(reading, items, index)
    _named_before_rows(reading, items)
    _sum_or_number(reading, items, index)
    _number_after_name(reading, items)
    _ordered_by_number(reading, items, index)
    _end_of_a_name(reading, items)
    _in_the_other_number(reading, items, index)
    _clause_or_value(reading, items, index)
    _rows_in_a_value(reading, items, index)
    _value_of_two_columns(reading, items, [w.low for w in words], index)


def _decline(text: str, *lacks: str) -> Unread:
    return Unread(Declined(text, tuple(lacks)))


def _value_for_a_table(reading: Reading, items: Sequence[Mention]) -> None:
    """`without any adverse event`: a row of the table of that name, or the value of a column elsewhere?"""
    used = {f.column for f in conditions(reading) if f.column is not None}
    for m, noun in pairwise([*items, Mention("")]):
        tables = [e.table for e in m.of("table") if not e.weak]
        if {e.table for e in noun.of("table", "column")} & {c.table for c in used} and not noun.gap:
            continue  # "credit transactions"
        columns = [e.column for e in m.of("value") if e.column in used]
        if (
            reading.table in {c.table for c in columns if c}
            and grammar.IS_ONE & set(m.gap)
            and reading.table in named_tables(items)
        ):
            continue  # "transactions that were credits"
        if tables and columns and not m.upper and not set(tables) & tables_in(reading):
            ways = (f"rows of {tables[0]}", f"{columns[0]} {m.words}")
            meant = (tables[0], str(columns[0]))
            raise Unread(
                Choice(f"'{m.words}' names a table and a value.", ways, m.words, said=taken_as(m.words, meant))
            )


def _figure_of_another(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`average price`, with nothing said of which rows, where another table has a price of a longer name."""
    if reading.keys or reading.links or conditions(reading) or named_tables(items) or not index.facts.empty:
        return
    for measure in reading.measures:
        c = measure.column
        said = next((m for m in items if c is not None and means(m, c)), None)
        if c is None or said is None or c.type != "number":
            continue
        last = name_words(said.words)[-1:]
        others = [
            x for t, columns in index.columns.items() if t != c.table
            for x in columns.values() if x.type == "number" and name_words(x.name)[-1:] == last
        ]  # fmt: skip
        if others:
            ways = (str(c), *map(str, others[:5]))
            raise Unread(Choice(f"'{said.words}' can be told of more than one table.", ways, said.words))


def _big_by_number(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`the biggest branch`: by its one number, or by how many rows belong to it?"""
    c = reading.order.column if reading.order else None
    ranks = [m for m in items if not m.entries and m.tag("super") in ("desc", "asc")]
    if c is None or c.type != "number" or reading.kind != "topk" or not ranks or c.table != reading.table:
        return
    declared = index.facts.table(reading.table).size
    if declared or any(means(m, c) or m.tag("sized") is not None for m in items):
        return
    below = list(dict.fromkeys(j.child for j in index.joins.into(reading.table)))
    if below and ranks[0].words.casefold().split()[-1] in grammar.BIGGEST:
        ways = (f"by {c.name}", *(f"by number of {t}" for t in below[:5]))
        said = (retold.BY.format("{}", c.name), *(retold.BY_NUMBER.format("{}", t) for t in below[:5]))
        raise Unread(Choice(f"'{ranks[0].words}' by what?", ways, ranks[0].words, said=said, lasting=False))


def _flagged_rows(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`in the hall of fame`, of which each row says whether it came to that."""
    tables = {reading.table, *(k.table for k in reading.links)}
    for before, m in pairwise(items):
        inside = before.tag("in") is not None and not before.entries and alone(m.gap, grammar.THE)
        named = [e.table for e in m.of("table") if e.table in tables and not e.weak]
        if not inside or not named or not index.facts.empty:
            continue
        at = items.index(m)
        if any(x.tag("tables") is not None for x in items[at + 1 : at + 2]):
            continue
        flags = [c for c in index.columns[named[0]].values() if c.type in ("text", "bool") and yes_or_no(c, index)]
        if len(flags) == 1 and not any(means(x, flags[0]) for x in items) and flags[0] not in _read(reading):
            ways = (f"any row of {named[0]}", *(f"{flags[0].name} {v}" for v in yes_or_no(flags[0], index)))
            raise Unread(Choice(f"Each row of {named[0]} says whether it is {flags[0].name}; which are meant?", ways))


def _read(reading: Reading) -> list[object]:
    keys = [k.column for k in reading.keys]
    return [*(f.column for f in conditions(reading)), *keys, *(m.column for m in reading.measures)]


def _one_found_first(reading: Reading, items: Sequence[Mention]) -> None:
    """`the region of the district with the most loans`: a district is ranked, not the regions."""
    if reading.kind != "topk" or len(reading.keys) != 1:
        return
    c = reading.keys[0].column
    for m, noun in pairwise(items):
        asked = means(m, c) or c.table in {e.table for e in m.of("table")}
        others = {e.table for e in noun.of("table") if not e.weak} - {c.table, reading.table}
        if (
            asked
            and others
            and grammar.OF & set(noun.gap)
            and not means(noun, c)
            and c.table not in named_tables([noun])
            and not (c.table == reading.table and noun.words.casefold() != singular(noun.words.casefold()))
        ):
            raise _decline(f"'{m.words}' is asked of one {noun.words}, which has to be found first.", m.words)


def _figure_of_many(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`area of Europe`, which has an area in each of many rows: which figure of them?"""
    if reading.kind != "list" or not reading.shown or reading.order or not conditions(reading):
        return
    if any(c.type != "number" for c in reading.shown) or reading.table in named_tables(items):
        return
    if any(_names_rows(c, index) for c in reading.shown):
        return
    count = f"SELECT count(*) AS n FROM (\n{reading.sql}\n) AS listed"
    if int(index.engine.query(count).iloc[0, 0]) > 1:
        name = reading.shown[0].name
        ways = (f"total {name}", f"average {name}", f"each {name} of {reading.table}")
        raise Unread(Choice(f"Many rows of {reading.table} have a {name}; which figure?", ways, name))


def _names_rows(c: Column, index: SchemaIndex) -> bool:
    """Whether a column is a key, its own or that of other rows: there is no figure of it, each is listed."""
    own = c == index.key_of(c.table) or index.facts.column(c.table, c.name).key
    return own or bool(index.joins.leaving(c.table, c.name))


def _code_with_article(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`the EU` is no code of a continent, though a code is spelt so."""
    for m in items:
        short = m.words.isupper() and len(m.words) <= _CODE and grammar.THE & set(m.gap[-1:])
        for f in conditions(reading) if short else ():
            c = f.column
            if c is None or c not in [e.column for e in m.of("value")] or c.type != "text":
                continue
            for j in index.joins.leaving(c.table, c.name):
                if (label := index.label_of(j.parent)) is not None:
                    ways = (f"{c.name} {m.words}, by {label} of {j.parent}", "something else of that name")
                    raise Unread(Choice(f"'the {m.words}' may be another thing than the code in {c}.", ways, m.words))


_CODE = 3  # letters of a code


def _rows_or_things(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`how many teams`, where each has a row a year: those that differ, or the rows?"""
    count = reading.kind == "count" and [m.function for m in reading.measures] == ["count"]
    if not (count or (reading.kind == "list" and not reading.shown and not reading.distinct)):
        return
    if reading.keys or reading.links or reading.order or conditions(reading) or not index.facts.empty:
        return
    if reading.table not in index.columns or index.key_of(reading.table) is not None:
        return
    for m in items:
        if reading.table not in {e.table for e in m.of("table")}:
            continue
        if any(singular(w) in vocabulary.ROWS for w in m.gap):
            return  # `how many rows of orders` says which
        noun, ids = name_words(m.words)[-1:], _ids(m, reading.table, index)
        if ids:
            ways = (f"those that differ in {ids[0].name}", f"all {reading.table} rows")
            lead = "how many" if count else "list"
            asks = (f"{lead} different {ids[0].name} of {reading.table}", f"{lead} rows of {reading.table}")
            prompt = f"One {' '.join(noun)} can have several rows of {reading.table}."
            raise Unread(Choice(prompt, ways, m.words, questions=asks, lasting=False))


def _ids(m: Mention, table: str, index: SchemaIndex) -> list[Column]:
    """Return the columns that number the things a word names, where one of them has several rows."""
    noun = name_words(m.words)[-1:]
    ids = {(*noun, w) for w in schema_words.KEY_PARTS}
    found = [c for c in index.columns[table].values() if name_words(c.name) in ids]
    return [] if not found or index.unique(table, found[0].name) else found


def _each_or_row(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`average crowd by club`, where a club has a row a season: a figure of each club, or of all the rows?"""
    plain = reading.kind == "aggregate" and not reading.keys and reading.table in index.columns
    if not plain or index.key_of(reading.table) is not None or not index.facts.empty:
        return
    for by, m in pairwise(items):
        each = by.tag("by") is not None and not by.entries and reading.table in {e.table for e in m.of("table")}
        if each and (ids := _ids(m, reading.table, index)):
            ways = (f"a figure for each {ids[0].name}", f"one figure of all {reading.table} rows")
            raise Unread(Choice(f"One {singular(m.words)} can have several rows of {reading.table}.", ways, m.words))


def _column_counted(reading: Reading, items: Sequence[Mention]) -> None:
    """`running total of salary` adds salaries up; in the singular, a word is the column and not the rows."""
    if reading.kind not in ("series", "groupby", "topk") or any(m.tag("count") is not None for m in items):
        return
    counted = [m.table for m in reading.measures if m.function == "count"]
    for m in items:
        word = m.words.casefold()
        own = [e.column for e in m.of("column") if e.column and e.column.type == "number" and not e.weak]
        rows = {e.table for e in m.of("table")} & set(counted)
        if rows and word == singular(word) and any(c.table in rows for c in own):
            ways = (f"total {own[0].name}", f"number of {counted[0]} rows")
            raise Unread(Choice(f"'{m.words}' is a column and a table.", ways, m.words))


def _piece_of_time(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`hours with rain`: the rows of those hours, or which numbers from 0 to 23?"""
    if reading.kind != "list" or len(reading.shown) != 1 or reading.distinct:
        return
    c = reading.shown[0]
    if name_words(c.name)[-1] in schema_words.PIECES and c.type == "number" and not index.unique(c.table, c.name):
        ways = (f"rows of {c.table}", f"the values of {c.name}, each once")
        raise Unread(Choice(f"'{c.name}' is the same in many rows of {c.table}; what is listed?", ways, c.name))


def _named_before_rows(reading: Reading, items: Sequence[Mention]) -> None:
    """`open tickets` are some of them; they are no list of the column `opened`."""
    if reading.kind != "list" or reading.distinct or len(reading.shown) != 1:
        return
    c = reading.shown[0]
    for m, noun in pairwise(items):
        plain = means(m, c) and not m.of("table", "value") and not noun.gap and not noun.of("column", "value")
        if plain and reading.table in {e.table for e in noun.of("table")}:
            raise _decline(f"'{m.words}' chooses among {noun.words}, and I would list {c}.", m.words)


def _sum_or_number(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`cumulative fines`: how many, or how much?"""
    counted = [m.table for m in reading.measures if m.function == "count"]
    if reading.kind != "series" or len(counted) != 1 or any(asks_number(m) for m in items):
        return
    numbers = index.numeric(counted[0]) if index.facts.empty else []
    numbers = [c for c in numbers if not set(name_words(c.name)) & set(schema_words.AGE)]  # a sum of ages says nothing
    money = [c for c in numbers if set(name_words(c.name)) & schema_words.MONEY]
    if len(numbers) == 1 and (last := name_parts(numbers[0].name)[-1]) == singular(last):
        money = numbers  # what each row is worth, no number of things
    if money:
        ways = (f"number of {counted[0]} rows", *(f"total {c.name}" for c in money[:3]))
        raise Unread(Choice(f"Which figure of {counted[0]}?", ways, counted[0]))


def _number_after_name(reading: Reading, items: Sequence[Mention]) -> None:
    """`priority 1 tickets` have that priority; 1 is not how many there are."""
    keys = [k.column for k in reading.keys]
    for m, number in pairwise(items):
        exact = any(h.op == "=" and h.value == number.number for h in reading.having)
        if number.number is not None and not number.gap and exact and any(means(m, c) for c in keys):
            raise _decline(f"I would count, and '{m.words} {number.words}' is a value.", number.words)


def _ordered_by_number(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`countries by population, highest first` lists them in that order; it counts none of each population."""
    if reading.kind not in ("groupby", "topk") or [m.function for m in reading.measures] != ["count"]:
        return
    if any(m.tag(t) is not None for m in items for t in ("count", "most", "mode")) or not index.facts.empty:
        return
    for k in reading.keys:
        c = k.column
        plain = c.type == "number" and not (k.grain or c.sql or year_like(c.name)) and c in index.numeric(c.table)
        many = (
            plain and index.reads.one(f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)}", c.table)[0]
        )
        if many and many > _FEW_GROUPS:
            ways = (f"the {reading.table} rows in the order of {c.name}", f"their number for each {c.name}")
            raise Unread(Choice("Listed, or counted in groups?", ways, c.name))


_FEW_GROUPS = 30


def _end_of_a_name(reading: Reading, items: Sequence[Mention]) -> None:
    """`the longest average flight` is long in time or in way; it is no mean of the numbers of flights."""
    for measure in reading.measures:
        c = measure.column
        own = c is not None and measure.function in _FIGURES and c.name.casefold() == singular(c.table.casefold())
        for m in items if own else ():
            if not m.entries and m.tag("super") is not None and m.words.casefold().split()[-1] in grammar.SHAPES:
                raise _decline(f"I would rank by {c}, and '{m.words}' asks for another figure.", m.words)


def _clause_or_value(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`balance after transactions`: a time told by rows, or the value of another table that is spelt so?"""
    used = {f.column for f in conditions(reading) if f.column is not None}
    for before, m in pairwise([Mention(""), *items]):
        first, _, rest = m.words.casefold().partition(" ")
        columns = [e.column for e in m.of("value") if e.column is not None and e.column in used]
        named = bool(rest) and any(e.kind in ("table", "column") for e in index.lookup(rest.split()))
        if not columns or not named or not any(t.startswith("date") for t in TAGS.get((first,), ())):
            continue
        homes = {c.table for c in columns}
        beside = homes & {e.table for e in before.of("table")} or any(means(before, c) for c in columns)
        if reading.table not in homes and not beside:
            ways = (f"{columns[0]} '{m.words}'", f"{first} the {rest}")
            raise Unread(Choice(f"'{m.words}' is a value of {columns[0]}, and can tell a time.", ways, m.words))


def _rows_in_a_value(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`salary of senior players`, where another table has a value `Seniors - Players`: players of a kind, or that?"""
    for f in conditions(reading):
        c, value = f.column, str(f.values[0]) if len(f.values) == 1 else ""
        for m in items if c is not None and c.table != reading.table and f.op in ("in", "=") else ():
            low = m.words.casefold().split()
            people = len(low) > 1 and singular(low[-1]) in lexicon.PEOPLE and m.words.islower()
            people = people and not all(map(index.named_code, m.of("value")))  # "account owners", by a code book
            if people and c in [e.column for e in m.of("value")] and value.casefold() != m.words:
                ways = (f"{c} '{value}'", f"{low[-1]} of some kind that the data do not tell")
                raise Unread(Choice(f"'{m.words}' is near to a value of {c}, and can be said of {low[-1]}.", ways))


def _value_of_two_columns(reading: Reading, items: Sequence[Mention], low: list[str], index: SchemaIndex) -> None:
    """`people from CA`, where both state columns have a CA, and one of them has too many values to be listed."""
    for f in conditions(reading):
        c, value = f.column, str(f.values[0]) if len(f.values) == 1 else ""
        if c is None or c.type != "text" or c.sql or f.op not in ("=", "in") or c == index.label_of(c.table):
            continue
        m = next((m for m in items if c in [e.column for e in m.of("value")]), None)
        named = any(means(x, c) for x in items)
        others = [] if m is None or named else [x for x, _ in index.holding(value) if x.table == c.table and x != c]
        told = {*low, *(h for w in low for h in vocabulary.ABOUT.get(w, ()))}  # "born in": a column of birth
        listed = [e.column for e in m.of("value")] if m is not None else []
        own = set(name_words(c.name)) & told
        others = [x for x in others if x not in listed and not index.facts.column(x.table, x.name).alias_of]
        others = [x for x in others if not own - set(name_words(x.name))]
        if others:
            ways = tuple(f"{x} {value}" for x in (c, *others))
            raise Unread(Choice(f"'{m.words if m else value}' can be more than one column.", ways, value))


_FIGURES = frozenset({"avg", "sum", "min", "max", "median"})


def _in_the_other_number(reading: Reading, items: Sequence[Mention], index: SchemaIndex) -> None:
    """`list the engines`: the numbers in `engines`, or the kinds in `engine`?"""
    counted = [m.column for m in reading.measures if m.function == "distinct" and m.column is not None]
    ranked = [k.column for k in reading.keys] if reading.kind == "topk" else []
    for c in (*reading.shown, *(reading.columns if reading.distinct else ()), *counted, *ranked):
        one = index.columns.get(c.table, {}).get(singular(c.name))
        plural = any(m.words.casefold() == c.name.casefold() and means(m, c) for m in items)
        if c.type == "number" and plural and one is not None and one.type == "text" and one != c:
            ways = (f"{c.name} of {c.table}, which are numbers", f"the different {one.name} of {c.table}")
            raise Unread(Choice(f"'{c.name}' and '{one.name}' are columns of {c.table}; which is meant?", ways, c.name))
