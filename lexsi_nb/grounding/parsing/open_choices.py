"""What can be meant where words leave it open: which size, by which number, how many rows of what."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import retold, schema_words, undefined
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.drafts import FilterDraft, Ref
from lexsi_nb.grounding.reading import Choice, Column, Unread
from lexsi_nb.grounding.rendering.phrasing import figure_of
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.wordings.pinned import dated_by
from lexsi_nb.grounding.words import name_words

MOST = 8
MOST_TABLES = 60  # tables up to which everything that joins is looked through


def ask(prompt: str, ways: Sequence[str], words: str = "") -> None:
    """Ask which of some ways is meant; with fewer than two there is nothing to ask.

    Raises:
        Unread: with the choice.
    """
    ways = tuple(dict.fromkeys(ways))[:MOST]
    if len(ways) > 1:
        raise Unread(Choice(prompt, ways, words, lasting=False))


def ask_date(prompt: str, times: Sequence[Column], words: str) -> None:
    """Ask by which of several dates rows are dated, with the question for each.

    Raises:
        Unread: with the choice.
    """
    if len(times) > 1:
        said = tuple(dated_by(t) for t in times)
        raise Unread(Choice(prompt, tuple(t.name for t in times), words, lasting=False, said=said if all(said) else ()))


def best_by(words: str, table: str, numbers: Sequence[str]) -> None:
    """Ask by which number `the best team` is meant, with the question for each way.

    Raises:
        Unread: with the choice.
    """
    ways = tuple(f"{table} with the highest {n}" for n in numbers[:MOST])
    said = tuple(retold.WITH_THE_HIGHEST.format(table, n) for n in numbers[:MOST]) if retold.WITH_THE_HIGHEST else ()
    raise Unread(Choice(f"'{words}' by which number of {table}?", ways, words, questions=said, lasting=False))


def number_or_sum(figure: str, rows: str, ways: Sequence[str], numbers: Sequence[str]) -> None:
    """Ask whether `total of all incoming transactions` is their number or a sum of one of their numbers.

    Raises:
        Unread: with the choice.
    """
    said = (retold.NUMBER_OF, *(retold.SUM_OF.format(n) for n in numbers))
    prompt = f"'{figure} {rows}' can be a number of rows or a sum."
    raise Unread(Choice(prompt, tuple(ways), figure, said=said, lasting=False))


def joined(table: str, index: SchemaIndex) -> list[str]:
    """Return the other tables that join a table, those that point at it first."""
    near = [s.end[0] for s in index.joins.children(table)]
    if len(index.columns) > MOST_TABLES:
        return list(dict.fromkeys(near))
    return list(dict.fromkeys([*near, *(t for t in index.columns if t != table and index.joins.any(table, t))]))


def rank_by_what(prompt: str, table: str, words: str, index: SchemaIndex) -> None:
    """Ask by what `top 3 clients` are told, with the question for each way.

    Raises:
        Unread: with the choice.
    """
    ways = list(dict.fromkeys(by_what(table, index)))[:MOST]
    others = {f"most {t}": retold.BY_NUMBER.format("{}", t) for t in index.columns}
    said = tuple(others.get(w) or retold.BY.format("{}", w) for w in ways)
    if len(ways) > 1:
        raise Unread(Choice(prompt, tuple(ways), words, lasting=False, said=said))


def by_what(table: str, index: SchemaIndex) -> list[str]:
    """Return by what rows can be ordered that have no number of their own: rows that join them, or their sizes."""
    others = [t for t in joined(table, index) if index.size_of(t) is not None or table in _parents(t, index)]
    sizes = [f"{figure_of('sum', c.name)} of {t}" for t in others if (c := index.size_of(t)) is not None]
    return [*(f"most {t}" for t in others[: MOST - len(sizes[:4])]), *sizes[:4]]


def top_by(words: str, shown: Sequence[Column], table: str, numbers: Sequence[Column], index: SchemaIndex) -> Unread:
    """Return the question by what `top 10 towns` are told: by how many rows each has, or by a number of the rows."""
    c = shown[0] if len(shown) == 1 else None
    if c is not None and c.type == "text" and c.table == table and not index.unique(table, c.name):
        named = [n.name for n in numbers if not set(name_words(n.name)[-1:]) & schema_words.PIECES] or [numbers[0].name]
        ways = (f"number of {table}", f"a figure of their rows: say it, such as 'by average {named[0]}'")
        return Unread(Choice(f"'{words}' by what?", ways, words, lasting=False))
    return Unread(Choice(f"'{words}' by which column of {table}?", tuple(n.name for n in numbers[:MOST]), words))


def _parents(table: str, index: SchemaIndex) -> set[str]:
    return {j.parent for c in index.columns[table] for j in index.joins.leaving(table, c)}


def dates_of(table: str, index: SchemaIndex) -> list[str]:
    """Return the dates of rows that join a table which has none."""
    return [str(c) for t in joined(table, index) for c in index.time_of(t)]


def sizes_of(index: SchemaIndex, tables: Sequence[str] = (), figure: str = "total") -> list[str]:
    """Return a figure of what says how large rows are, of some tables or all of them."""
    wanted = [t for t in (tables or index.columns) if t in index.columns][:MOST_TABLES]
    return [f"{figure} {c.name} of {t}" for t in wanted if (c := index.size_of(t)) is not None]


def groups_by(column: Column, words: str, index: SchemaIndex, way: str = "") -> None:
    """Ask by what `the biggest region` is, where a region is a text; `way`: desc or asc, where the words name it.

    Raises:
        Unread: with the choice.
    """
    sizes = [c.name for c in index.numeric(column.table) if c.name not in ("", column.name)][: MOST - 1]
    ways = [f"most {column.table} rows", *(f"total {n}" for n in sizes)]
    rows, ranked = (
        (retold.WITH_MOST, retold.WITH_HIGHEST) if way == "desc" else (retold.WITH_FEWEST, retold.WITH_LOWEST)
    )
    said = [rows.format(column.name, column.table), *(ranked.format(column.name, n) for n in sizes)] if way else []
    if len(ways) > 1:
        raise Unread(Choice(f"'{words}' by what?", tuple(ways), words, lasting=False, said=tuple(said)))


def figures_open(shown: Sequence[Ref], filters: Sequence[FilterDraft], index: SchemaIndex) -> str:
    """Return the table whose rows are counted by `co-owners per town`, where nothing else can be meant; "" for none.

    `sales per town` and `late fees per year` can be more than one figure: that is asked about.

    Raises:
        Unread: with the choice.
    """
    if len(shown) == 1:
        words, columns = shown[0].words, [c for c in shown[0].options if c.type == "number"]
        if len(columns) == len(shown[0].options) == 1:
            said = [figure_of(f, columns[0].name) for f in ("avg", "sum", "max", "min")]
            ask(f"Which figure of '{words}' for each group?", said, words)
        if columns:
            tables = {c.table for c in columns}
            ask(f"'{words}' is in several columns.", [c.name if len(tables) == 1 else str(c) for c in columns], words)
    first = filters[0] if filters and filters[0].op in ("in", "sql") and not filters[0].when else None
    if shown or first is None or first.negated:
        return ""
    tables = list(
        dict.fromkeys([*(c.table for c in (first.ref.options if first.ref else ())), *(e.table for e in first.entries)])
    )
    ways = [*(f"number of {t}" for t in tables), *sizes_of(index, tables)]
    told = [f"{w} {retold.WITH_THIS.format(filters[0].words)}" for w in ways]
    ask(f"What of '{filters[0].words}' for each group?", told, filters[0].words)
    return tables[0] if len(ways) == 1 else ""


def undefined_words(lacking: Sequence[Mention], items: Sequence[Mention], index: SchemaIndex) -> None:
    """Ask what words without a measure mean: `big loans`, `total volume`, `how many new ones`.

    Raises:
        Unread: with the choice.
    """
    said = [m.words.casefold() for m in lacking]
    tables = list(dict.fromkeys(e.table for m in items for e in m.of("table")))
    figures = any(m.tag("agg") is not None or m.tag("most") is not None or m.tag("super") for m in items)
    if set(said) <= undefined.AMOUNTS and figures:
        ask(f"'{lacking[0].words}' of what?", sizes_of(index, tables) or sizes_of(index), lacking[0].words)
    if set(said) <= undefined.ONES and not tables and any(m.tag("count") is not None for m in items):
        ask("How many rows of which table?", [t for t in index.columns if index.time_of(t)])
    if len(said) != 1:
        return
    after = items[items.index(lacking[0]) + 1 :][:1]
    table = after[0].of("table")[0].table if after and after[0].of("table") and not after[0].gap else ""
    size, times = (index.size_of(table), index.time_of(table)) if table else (None, [])
    word = lacking[0].words
    if table and said[0] in undefined.HIGH | undefined.LOW and size is not None:
        high = said[0] in undefined.HIGH
        ways = tuple(f"{size.name} {'above' if high else 'below'} the {middle}" for middle in ("average", "median"))
        told = tuple(w.format(after[0].words, size.name) for w in (retold.PUT_ABOVE if high else retold.PUT_BELOW))
        prompt = f"What is '{word}'? Nothing in the data says it."
        raise Unread(Choice(prompt, ways, f"{word} {after[0].words}", said=told, lasting=False))
    if table and said[0] in undefined.LATE | undefined.EARLY and len(times) == 1:
        late = said[0] in undefined.LATE
        day = _end_of(times[0], index, late=late)
        ways = (f"{table} of {day[:4]}, the {'last' if late else 'first'} year of the data", f"{table} of {day[:7]}")
        told = (f"{after[0].words} {retold.IN.format(day[:4])}", f"{after[0].words} {retold.IN.format(day[:7])}")
        prompt = f"What is '{word}'? Nothing in the data says it."
        raise Unread(Choice(prompt, ways, f"{word} {after[0].words}", said=told, lasting=False))


def _end_of(date: Column, index: SchemaIndex, *, late: bool) -> str:
    """Return the last day that a date column holds, or the first."""
    function = "max" if late else "min"
    sql = f"SELECT CAST(CAST({function}({quote(date.name)}) AS DATE) AS VARCHAR) AS d FROM {quote(date.table)}"
    return str(index.reads.one(sql, date.table)[0])


def nothing_asked(items: Sequence[Mention]) -> str:
    """Return that a question asks for nothing: what its words name, or that they name nothing of the data."""
    named = next((m for m in items if m.of("column", "value", "condition")), None)
    noun = next((m for m in items if m.of("table")), None)
    if named is None and noun is not None:
        return f"I can't tell what is asked of '{noun.words}'. Say what to count, list or rank."
    if named is None:
        return "Nothing in this question names a table or a column of the data."
    tables = list(dict.fromkeys(e.table for e in named.of("column", "value", "condition")))
    of = " or ".join(tables[:3])
    what = "a column" if named.of("column") else "a value"
    said = f"'{named.words}' is {what} of {of}, but nothing is asked of its rows"
    return f"{said}: say 'how many {tables[0]} with ...', or 'list {tables[0]} with ...'."
