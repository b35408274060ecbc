"""SQL of the correlations of pairs of columns: Pearson's in one pass, Spearman's of the ranks among complete pairs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.clauses import literal
from lexsi_nb.grounding.schema.names import quote

MOST_NAMED = 30  # pairs that are written with the names of their columns; more are numbered, which is shorter

Pairs = Sequence[tuple[Column, Column]]


def coefficients(picked: str, pairs: Pairs, gaps: Collection[Column], *, ranks: bool, one: bool = False) -> str:
    """Return one row a pair by the size of its coefficient, with the number of rows that have both values.

    picked: a WITH clause that has the columns. gaps: those with missing values. one: the first of all pairs is one
    column, which is not told again.
    """
    columns = list(dict.fromkeys(c for p in pairs for c in p))
    names = "second AS column_name" if one else "first, second"
    if ranks and gaps:
        body = _ranks_of_pairs(picked, columns, one=one)
    else:
        body = _in_one_pass(picked, columns, pairs, ranks=ranks)
    plain = "CASE WHEN isnan(coefficient) THEN NULL ELSE coefficient END AS correlation"
    return f"{body}\nSELECT {names}, {plain}, pairs\nFROM each_pair\nORDER BY {_BY_SIZE}"


_BY_SIZE = "round(abs(correlation), 12) DESC NULLS LAST, place"


def _in_one_pass(picked: str, columns: Sequence[Column], pairs: Pairs, *, ranks: bool) -> str:
    """Return the pairs as a WITH clause, of the values or of the ranks of all rows, each pair by its complete rows."""
    short = len(pairs) > MOST_NAMED
    named = {c: f"c{n}" if short else quote(c.name) for n, c in enumerate(columns, 1)}
    source, place = picked.rstrip("\n"), "picked"
    if short or ranks:
        made = [f"{_rank(c) if ranks else quote(c.name)} AS {named[c]}" for c in columns]
        place = "ranked" if ranks else "numbered"
        source += f", {place} AS (\n    SELECT {_lines(made)}\n    FROM picked\n)"
    at = {c: n for n, c in enumerate(columns, 1)}
    made = []
    for n, (a, b) in enumerate(pairs, 1):
        x, y = named[a], named[b]
        both = f"corr({x}, {y}), 'pairs': regr_count({x}, {y})"
        who = f"'place': {n}, 'first': {literal(a.name)}, 'second': {literal(b.name)}, 'coefficient': {both}"
        made.append(
            "{"
            + (f"'a': {at[a]}, 'b': {at[b]}, 'r': corr({x}, {y}), 'n': regr_count({x}, {y})" if short else who)
            + "}"
        )
    listed = ",\n    ".join(made)
    source += f", unnested AS (\n    SELECT unnest([\n    {listed}\n    ], recursive := true)\n    FROM {place}\n)"
    look = f"[{', '.join(literal(c.name) for c in columns)}]"
    numbered = f"1000 * a + b AS place, ({look})[a] AS first, ({look})[b] AS second, r AS coefficient, n AS pairs"
    return f"{source}, each_pair AS (\n    SELECT {numbered if short else '*'}\n    FROM unnested\n)"


def _ranks_of_pairs(picked: str, columns: Sequence[Column], *, one: bool) -> str:
    """Return the pairs as a WITH clause, each ranked among the rows that have both values."""
    names, values = (f"[{', '.join(x)}]" for x in ([literal(c.name) for c in columns], _doubles(columns)))
    numbers = ", ".join(map(str, range(1, len(columns) + 1)))
    ranks = [
        f"rank() OVER (PARTITION BY a.at, b.at ORDER BY {v})"
        f" + (count(*) OVER (PARTITION BY a.at, b.at, {v}) - 1) / 2.0 AS {n}"
        for v, n in (("a.value", "x"), ("b.value", "y"))
    ]
    joined = "a.at = 1 AND b.at > 1" if one else "a.at < b.at"
    return (
        f"{picked.rstrip()}, numbered AS (\n    SELECT *, row_number() OVER () AS line\n    FROM picked\n), "
        "long AS (\n"
        f"    SELECT line, unnest([{numbers}]) AS at, unnest({names}) AS name, unnest({values}) AS value\n"
        "    FROM numbered\n), ranked AS (\n"
        f"    SELECT {_lines(['a.at AS i, b.at AS j, a.name AS first, b.name AS second', *ranks])}\n"
        f"    FROM long AS a\n    JOIN long AS b ON a.line = b.line AND {joined}\n"
        "    WHERE a.value IS NOT NULL AND b.value IS NOT NULL\n), each_pair AS (\n"
        "    SELECT 1000 * i + j AS place, first, second, corr(x, y) AS coefficient, count(*) AS pairs\n"
        "    FROM ranked\n    GROUP BY i, j, first, second\n)"
    )


def _doubles(columns: Sequence[Column]) -> list[str]:
    return [f"CAST({quote(c.name)} AS DOUBLE)" for c in columns]


def _rank(c: Column) -> str:
    x = quote(c.name)
    return f"rank() OVER (ORDER BY {x}) + (count(*) OVER (PARTITION BY {x}) - 1) / 2.0"


def _lines(parts: Sequence[str]) -> str:
    return ",\n           ".join(parts)
