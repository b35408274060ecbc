"""SQL of how the values of a number lie in each group: boxes from its quartiles, and bins of equal width."""

from __future__ import annotations

from dataclasses import replace

from lexsi_nb.grounding.reading import Declined, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import unrounded
from lexsi_nb.grounding.rendering.output_names import key_name, unique_names
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.names import quote

FENCE = 1.5  # interquartile ranges that a whisker reaches at most: Tukey, Exploratory Data Analysis (1977)
BOX = (
    "median", "mean", "lower_quartile", "upper_quartile", "lower_whisker", "upper_whisker", "lowest", "highest",
    "number_of_values", "beyond_whiskers",
)  # fmt: skip


def spread_names(r: Reading) -> tuple[list[str], str]:
    """Return the output names of the groups and of the number, none twice and none that a figure has."""
    column = r.measures[0].column
    assert column is not None
    *keys, value = unique_names([*(key_name(k) for k in r.keys), column.name])
    taken = {*BOX, "bin_start", "bin_end", "number_of_rows"}
    return [f"{n}_group" if n in taken else n for n in keys], f"{value}_value" if value in taken else value


class SpreadSQL(ReadingSQL):
    """Writes the SQL of the values of one number in each group; the reading's only measure has the column."""

    def boxes(self) -> str:
        """Return the SQL of one box a group: quartiles, whiskers within 1.5 interquartile ranges, the ends."""
        keys, x = [quote(n) for n in spread_names(self.r)[0]], quote(spread_names(self.r)[1])
        over = f"OVER ({'PARTITION BY ' + ', '.join(keys) if keys else ''})"
        column = unrounded(self.r.measures[0].column, x)
        low, high = f"lower - {FENCE} * (upper - lower)", f"upper + {FENCE} * (upper - lower)"
        select = [
            *keys,
            f"median({column}) AS median",
            *([f"avg({x}) AS mean"] if any(m.function == "avg" for m in self.r.measures) else []),
            "min(lower) AS lower_quartile",
            "min(upper) AS upper_quartile",
            f"min({x}) FILTER (WHERE {x} >= {low}) AS lower_whisker",
            f"max({x}) FILTER (WHERE {x} <= {high}) AS upper_whisker",
            f"min({x}) AS lowest",
            f"max({x}) AS highest",
            "count(*) AS number_of_values",
            f"count(*) FILTER (WHERE {x} < {low} OR {x} > {high}) AS beyond_whiskers",
        ]
        return (
            f"{self.picked()}, quartiles AS (\n    SELECT *, quantile_cont({column}, 0.25) {over} AS lower,\n"
            f"           quantile_cont({column}, 0.75) {over} AS upper\n    FROM picked\n    WHERE {x} IS NOT NULL\n)\n"
            f"SELECT {(',' + chr(10) + '       ').join(select)}\nFROM quartiles" + self._grouped_by(keys)
        )

    def bins(self, number: int) -> str:
        """Return the SQL of how many values of each group are in each of some bins of equal width over all."""
        keys, x = [quote(n) for n in spread_names(self.r)[0]], quote(spread_names(self.r)[1])
        column = unrounded(self.r.measures[0].column, x)
        placed = f"least(floor(({column} - low) / width), {number - 1})"
        listed = ", ".join(["bin", *keys])
        return (
            f"{self.picked()}, limits AS (\n    SELECT min({column}) AS low, (max({column}) - min({column})) /"
            f" {number}.0 AS width\n    FROM picked\n), binned AS (\n    SELECT {', '.join([*keys, placed])} AS bin,"
            f" low, width\n    FROM picked, limits\n    WHERE {x} IS NOT NULL\n)\n"
            f"SELECT low + bin * width AS bin_start, low + (bin + 1) * width AS bin_end, {', '.join(keys)},\n"
            f"       count(*) AS number_of_rows\nFROM binned\nGROUP BY {listed}, low, width\nORDER BY {listed}"
        )

    def picked(self) -> str:
        """Return the values with their groups as a WITH clause, each row of the table once in a group."""
        r = self.r
        column = r.measures[0].column
        assert column is not None
        keys, value = spread_names(self.r)
        found = [(self._key(k), n) for k, n in zip(r.keys, keys, strict=True)] + [(self.place(column), value)]
        parts = [s if s.endswith(f".{quote(n)}") or s == quote(n) else f"{s} AS {quote(n)}" for s, n in found]
        if r.keys and r.keys[0].column.order:
            order = self.place(replace(r.keys[0].column, sql=r.keys[0].column.order), route=True)
            parts.append(f"{order} AS group_order")
        if self.fan_out:
            key = self.index.key_of(r.table)
            if key is None:
                raise Unread(Declined(f"{r.table} has no key, so rows that fan out in the join can't be told apart."))
            parts = [f"{self.place(key)} AS row_key", *parts]
        where = self.conditions(self.named_groups())
        lines = [f"SELECT {'DISTINCT ' * self.fan_out}{', '.join(parts)}", *self.b.source(), *where]
        return "WITH picked AS (\n    " + "\n".join(lines).replace("\n", "\n    ") + "\n)"

    def _grouped_by(self, keys: list[str]) -> str:
        if not keys:
            return ""
        listed, key = ", ".join(keys), self.r.keys[0]
        if key.column.order:
            order = "min(group_order)"
        else:
            own = key.grain or key.column.type in ("number", "date")
            order = listed if own else f"median DESC NULLS LAST, {listed}"
        return f"\nGROUP BY {listed}\nORDER BY {order}"
