"""Why two tables are not joined though their names suggest it: keys that repeat, or that are in no row there."""

from __future__ import annotations

from lexsi_nb.grounding.language import schema_words
from lexsi_nb.grounding.reading import Column
from lexsi_nb.grounding.rendering.phrasing import rows_word
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Join, candidates
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words

MOST_TABLES = 200  # beyond which no reason is looked for


def no_join(base: str, table: str, words: str, index: SchemaIndex) -> str:
    """Return that there is no join from one table to another which `words` need, and why where it can be told."""
    why = _why(base, table, index)
    return f"There is no join from {base} to {table}, which '{words}' needs." + (f" {why}" if why else "")


def id_beside(base: str, table: str, words: str, index: SchemaIndex) -> Column | None:
    """Return the club_id of the rows of `base` for `by club`, where no row of the table of clubs is one club."""
    if table == base or index.key_of(table) is not None or index.joins.up(base, table):
        return None
    ids = {(*name_words(words)[-1:], w) for w in schema_words.ID}
    found = [c for n, c in index.columns[base].items() if name_words(n) in ids]
    there = {name_words(n) for n in index.columns[table]}
    return found[0] if len(found) == 1 and name_words(found[0].name) in there else None


def _why(base: str, table: str, index: SchemaIndex) -> str:
    if len(index.columns) > MOST_TABLES:
        return ""
    names = {t: [(c.name, c.type) for c in columns.values() if not c.sql] for t, columns in index.columns.items()}
    held = {frozenset((j.child, j.parent)) for j in index.joins.joins}
    suggested = [j for j in candidates(names) if frozenset((j.child, j.parent)) not in held]
    for j in _on_the_way(base, table, suggested, index):
        both = [k for k in suggested if {k.child, k.parent} == {j.child, j.parent}]
        if why := _failed(max(both, key=lambda k: _found(k, index)), index):
            return why
    return ""


def _on_the_way(base: str, table: str, suggested: list[Join], index: SchemaIndex) -> list[Join]:
    """Return the suggested joins on the shortest way from one table to the other, over those that hold as well."""
    ways: list[tuple[str, list[Join]]] = [(base, [])]
    reached = {base}
    for at, used in ways:
        if at == table:
            return used
        steps = [(j, []) for j in index.joins.joins] + [(j, [j]) for j in suggested]
        for j, more in steps:
            if at in (j.child, j.parent) and (other := j.parent if at == j.child else j.child) not in reached:
                reached.add(other)
                ways.append((other, [*used, *more]))
    return []


def _found(j: Join, index: SchemaIndex) -> float:
    """Return the share of the child's values that are in the parent, in [0, 1]: of two ways round, the right one."""
    n, hit = _met(j, index)
    return hit / n if n else 0.0


def _met(j: Join, index: SchemaIndex) -> tuple[int, int]:
    a, b, c, t = map(quote, (j.child_column, j.child, j.parent_column, j.parent))
    sql = f"SELECT count({a}) AS n, count(*) FILTER ({a} IN (SELECT {c} FROM {t})) AS hit FROM {b}"
    n, hit = index.reads.one(sql, j.child, j.parent)
    return int(n), int(hit)


def _failed(j: Join, index: SchemaIndex) -> str:
    on = f"{j.child}.{j.child_column} = {j.parent}.{j.parent_column}"
    c, t = quote(j.parent_column), quote(j.parent)
    sql = f"SELECT count(*) AS n FROM (SELECT {c} FROM {t} WHERE {c} IS NOT NULL GROUP BY {c} HAVING count(*) > 1) AS x"
    repeated = int(index.reads.one(sql, j.parent)[0])
    if repeated:
        listed = ", ".join(quote(x.name) for x in index.columns[j.parent].values() if not x.sql)
        whole = f"SELECT count(*) - (SELECT count(*) FROM (SELECT DISTINCT {listed} FROM {t}) AS x) AS n FROM {t}"
        extra = f"SELECT count({c}) - count(DISTINCT {c}) AS n FROM {t}"
        copies, surplus = (int(index.reads.one(q, j.parent)[0]) for q in (whole, extra))
        one = rows_word(j.child, 1)
        said = f"{repeated:,} {j.parent_column} values are in more than one row of {j.parent}, so by {on} one {one}"
        said += " would meet several."
        if copies and copies == surplus:
            takes = f"{j.parent} = {j.parent}.drop_duplicates() takes them out"
            said += f" {copies:,} of those rows are exact copies: {takes}."
        return said
    n, hit = _met(j, index)
    if hit < n:
        return f"Of {n:,} {j.child}.{j.child_column} values only {hit:,} are in {j.parent}.{j.parent_column}."
    return ""
