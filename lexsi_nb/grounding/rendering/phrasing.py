"""A reading in words, as it is shown to a person: `number of loans with status C or D, by region`."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.mentions import describe
from lexsi_nb.grounding.reading import Column, Filter, Key, Link, Measure, Order, Reading
from lexsi_nb.grounding.words import name_words, plural, singular

# What an answer calls a figure: in English, whatever the language of the question.
_SAID = {
    "avg": "mean", "sum": "total", "min": "minimum", "max": "maximum", "median": "median",
    "stddev": "standard deviation of", "variance": "variance of", "range": "range of",
    "iqr": "interquartile range of", "cv": "coefficient of variation of",
}  # fmt: skip
_OTHERWISE = {"avg": "average of", "sum": "sum of", "min": "lowest", "max": "highest", "median": "median of"}
FIGURES = {**_SAID, "stddev": "standard deviation"}
_OPS = {">": "over", ">=": "at least", "<": "under", "<=": "at most", "=": "exactly"}
_ROWS = "rows of "
_YES_NO = {True: "yes", False: "no"}
_DATE_OPS = {">": "after", ">=": "from", "<": "before", "<=": "until"}


def phrasing(r: Reading) -> str:
    """Return the reading in words."""
    if r.measures:
        head = " and ".join(_measure(m) for m in r.measures)
        if not any(m.function == "count" for m in r.measures):
            head += f" of {_many(r.table)}"
    elif r.distinct:
        head = "distinct " + ", ".join(c.name for c in r.columns) + f" of {_many(r.table)}"
    elif r.shown:
        head = ", ".join(column_of(c, r.table) for c in r.shown) + f" of {_many(r.table)}"
    else:
        head = f"{_ROWS}{_many(r.table).removesuffix(' rows')}"
    several = len(r.filters) + len(r.links) > 1
    said = [f"({_filter(f, r.table)})" if several and f.op == "any" else _filter(f, r.table) for f in r.filters]
    parts = [head, *said, *[_link(k) for k in r.links]]
    part = any(m.where or m.links for m in r.measures)
    joint = ", among those with " if part else " with "
    text = parts[0] + (joint + ", ".join(parts[1:]) if parts[1:] else "")
    if r.keys:
        text += ", by " + " and ".join(_key(k, r.table) for k in r.keys)
    if r.having:
        text += ", where " + " and ".join(
            f"{'the percentage' if h.measure.share else _measure(h.measure)} is {_OPS[h.op]} {describe(h.value)}"
            for h in r.having
        )
    if r.order:
        what = (
            "percentage"
            if r.order.measure and r.order.measure.share
            else _measure(r.order.measure)
            if r.order.measure
            else r.order.column.name
            if r.order.column
            else ""
        )
        text += f", {end_of(r.order)} {what} first"
    if r.limit:
        text += f", {r.limit} rows" if r.limit > 1 else ", one row"
    return text


def end_of(order: Order) -> str:
    """Return the word for what comes first in an order: `highest`, or `latest` of dates."""
    dated = order.column is not None and order.column.type == "date"
    return ("latest" if dated else "highest") if order.descending else ("earliest" if dated else "lowest")


def rows_word(table: str, number: int = 2) -> str:
    """Return the noun for some rows of a table: `orders`, `order` for one, `rows` where its name is no word.

    >>> rows_word("orders", 1), rows_word("loan"), rows_word("df"), rows_word("sales_2023")
    ('order', 'loans', 'rows', 'rows')
    """
    if not table.isalpha() or len(table) < 4:
        return "row" if number == 1 else "rows"
    return singular(table.casefold()) if number == 1 else plural(table)


def rows_named(text: str) -> str:
    """Return a reading of rows as words that stand for them.

    >>> rows_named("rows of loans with status B or D")
    'loans with status B or D'
    """
    return text.removeprefix(_ROWS)


def column_of(column: Column, base: str) -> str:
    """Return a column as one of the rows of `base`: `region of district` where it is of other rows.

    >>> column_of(Column("shops", "region", "text"), "visits"), column_of(Column("shops", "region", "text"), "shops")
    ('region of shops', 'region')
    """
    return column.name if column.table == base else f"{column.name} of {column.table}"


def _column(column: Column, base: str) -> str:
    """Return a column that a value follows: `shop region` of other rows, where their table is a word."""
    noun = rows_word(column.table, 1)
    if column.table == base or noun == "row":
        return column.name if column.table == base else str(column)
    return column.name if name_words(column.name)[:1] == (noun,) else f"{noun} {column.name}"


def one_of(table: str) -> str:
    """Return one row of a table with its article: `an order`, `a row of df`."""
    noun = rows_word(table, 1)
    if noun == "row":
        return f"a row of {table}"
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _many(table: str) -> str:
    """Return the plural of a table's name, where it is a plain word."""
    return plural(table) if table.isalpha() else table


def _measure(m: Measure) -> str:
    if m.of_total:
        whole = f"each {' and '.join(k.grain or k.column.name for k in m.within)}" if m.within else "all groups"
        return f"percentage of {_measure(replace(m, of_total=False, within=()))} in {whole}"
    if m.where or m.links:
        said = ", ".join([*[_flag(f, m.table) or _filter(f, m.table) for f in m.where], *[_link(k) for k in m.links]])
        if m.share and m.function == "count":
            return f"percentage of {_many(m.table)} with {said}"
        rest = _measure(replace(m, where=(), links=(), share=False))
        return f"{'percentage of the ' * m.share}{rest} with {said}"
    if m.function == "count":
        return f"number of {_many(m.table)}"
    if m.function == "metric":
        return m.name.replace("_", " ")
    name = m.column.name if m.column else ""
    if m.function.startswith("q0"):
        return f"{float(m.function[1:]) * 100:g}% quantile of {name}"
    return f"number of distinct {name}" if m.function == "distinct" else figure_of(m.function, name)


def figure_of(function: str, name: str) -> str:
    """Return a figure of a column in words, no word twice.

    >>> figure_of("sum", "amount"), figure_of("sum", "total"), figure_of("avg", "mean_fee")
    ('total amount', 'sum of total', 'average of mean_fee')
    """
    said = _SAID[function]
    twice = name_words(name)[:1] == (said,)
    return f"{_OTHERWISE[function]} {name}" if twice and function in _OTHERWISE else f"{said} {name}"


def _key(k: Key, base: str) -> str:
    name = column_of(k.column, base)
    return f"{k.grain} of {name}" if k.grain else name


def link_said(k: Link) -> str:
    """Return rows that must be there in words: `a loan with amount over 100,000`."""
    return _link(k)


def filter_said(f: Filter) -> str:
    """Return a condition in words, its column named as one of the rows asked for."""
    return _filter(f, f.home)


def _flag(f: Filter, base: str) -> str:
    """Return a condition on a column of yes and no as a table shows it: `cancelled yes`; "" for any other."""
    if f.column is None or f.op != "=" or not isinstance(f.values[0], bool):
        return ""
    return f"{_column(f.column, base)} {_YES_NO[f.values[0] != f.negated]}"


def _filter(f: Filter, base: str) -> str:
    no = "not " if f.negated else ""
    if f.op == "any":
        said = [f"({_filter(p, base)})" if p.op == "AND" else _filter(p, base) for p in f.parts]
        return " or ".join([*said, *map(_link, f.links)])
    if f.op == "AND":
        return " and ".join(_filter(p, base) for p in f.parts)
    if f.column is None:
        return f"{no}'{f.words}'" + (f" ({f.sql})" if "SELECT " not in f.sql else "")  # a query is no description
    name = _column(f.column, base)
    values = [describe(v) for v in f.values]
    if f.op in ("null", "notnull"):
        return f"{name} {'missing' if (f.op == 'null') != f.negated else 'not missing'}"
    if f.op == "range":
        return f"{name} {no}from {values[0]} to before {values[1]}"
    if f.op == "between":
        return f"{name} {no}between {values[0]} and {values[1]}"
    if f.op == "in" and f.column.type == "bool":
        values = [_YES_NO.get(v, str(v)) for v in f.values]
    if f.op == "in":
        return f"{name} {no}{' or '.join(values)}"
    if said := _flag(f, base):
        return said
    words = _DATE_OPS if f.column.type == "date" else _OPS
    return f"{name} {no}{words[f.op]} {values[0]}"


def _link(k: Link) -> str:
    if k.through:
        own = [f for f in k.filters if f.home == k.through]
        rest = tuple(f for f in k.filters if f not in own)
        return f"{_link(Link(k.through, tuple(own)))} with {_link(replace(k, through='', filters=rest))}"
    inner = " with " + ", ".join(_filter(f, k.table) for f in k.filters) if k.filters else ""
    if k.op:
        one = singular(k.table.casefold()) if k.table.isalpha() else k.table
        way = "more than" if k.number == 1 and k.op == ">" else _OPS[k.op]
        return f"{way} {k.number} {one if k.number == 1 else _many(k.table)}{inner}"
    return f"{f'no {k.table}' if k.negated else one_of(k.table)}{inner}"
