"""Questions about groups of rows: which have many, how many have, figures of each row of a table."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from lexsi_nb.grounding.notes.empty_groups import unlisted
from lexsi_nb.grounding.parsing.attachment import Attachment
from lexsi_nb.grounding.parsing.drafts import Draft, KeyDraft, LinkDraft, MeasureDraft, Ref
from lexsi_nb.grounding.reading import Column, Declined, Key, Reading, Unread
from lexsi_nb.grounding.schema.names import quote


class Groups(Attachment):
    """Turns conditions on the size or the figure of a group into groups with a condition."""

    def _grouped_by_shown(self) -> None:
        """`carriers with fewer than 1,000 flights`, `regions with an average amount over 100`: groups are listed."""
        d = self.d
        if d.having and not d.keys:
            d.keys = [KeyDraft(ref=s, words=s.words) for s in d.shown] or [KeyDraft(table=d.head, words=d.head)]
            d.shown, d.head = [], ""
        counted = [k for k in d.links if k.op and not k.negated]
        grains = bool(d.keys) and all(k.grain and k.ref is None for k in d.keys)
        if grains and len(counted) == 1 and not (d.measures or d.head or d.shown or d.order):
            d.measures = [MeasureDraft("count", table=counted[0].table, words=counted[0].words)]  # "years with over 9"
        if len(counted) != 1 or d.measures or d.keys or d.head or not d.shown or d.order:
            return
        if all(self._of_rows(s, counted[0]) for s in d.shown):
            table = counted[0].table
            d.keys, d.shown = [KeyDraft(ref=s, words=s.words) for s in d.shown], []
            d.measures = [MeasureDraft("count", table=table, words=counted[0].words)]

    def _grouped_by_itself(self) -> None:
        """`average salary per district`, where each has one: its rows; `median salary across districts`: one figure."""
        d = self.d
        if len(d.keys) != 1 or not d.keys[0].table or len(d.measures) != 1 or d.order or d.having:
            return
        table, measure = d.keys[0].table, d.measures[0]
        if measure.ref is None or {c.table for c in measure.ref.options} != {table} or measure.function == "distinct":
            return
        over_all = d.keys[0].across or not (d.fused or measure.function in ("sum", "min", "max"))
        if over_all:
            d.keys = []
            return
        label = self.index.label_of(table)
        d.measures, d.keys, d.head = [], [], table
        d.shown = [*([Ref([label], label.name, table, table)] if label else []), measure.ref]

    def _of_rows(self, ref: Ref, link: LinkDraft) -> bool:
        """Whether each row of the counted table has one value of a column, so that its values are groups of rows."""
        return any(self.index.joins.up(link.table, c.table) for c in ref.options)

    def _of_a_row(self, k: KeyDraft, column: Column) -> list[Key]:
        """Return what to group by for a column: of `the name of the client with ...`, whose name others may have."""
        table = k.ref.of_row if k.ref is not None else ""
        key = self.index.key_of(table) if table and table == column.table != self.base else None
        named = column == self.index.label_of(column.table) and not self.index.unique(column.table, column.name)
        return [*([Key(key)] if key is not None and key != column and named else []), Key(column, k.grain)]

    def _groups_counted(self) -> Draft | None:
        """Return the draft of the groups for `how many regions have more than 100 loans`, None for another question."""
        d = self.d
        if d.keys or d.shown or d.order or not d.measures:
            return None
        first, inner = d.measures[0], copy(d)
        counted = [k for k in d.links if k.op and not k.negated]
        distinct = first.function == "distinct" and first.ref is not None
        if (
            len(d.measures) == 1
            and distinct
            and len(counted) == 1
            and first.ref
            and self._of_rows(first.ref, counted[0])
        ):
            inner.keys = [KeyDraft(ref=first.ref, words=first.words)]
            inner.measures = [MeasureDraft("count", table=counted[0].table, words=counted[0].words)]
        elif len(d.measures) == 2 and len(d.having) == 1 and d.having[0][0] is d.measures[1]:
            if not distinct and first.function != "count":
                return None
            key = (
                KeyDraft(ref=first.ref, words=first.words)
                if distinct
                else KeyDraft(table=first.table, words=first.words)
            )
            inner.keys, inner.measures = [key], [d.measures[1]]
        else:
            return None
        inner.head, inner.distinct = "", False
        return inner

    def _empty_groups(self, r: Reading) -> None:
        """Refuse `fewer than 50 rows` where some groups have none at all: they would be left out in silence."""
        small = [h for h in r.having if h.measure.function == "count" and h.op in ("<", "<=", "=")]
        if not small or len(r.keys) != 1 or r.keys[0].grain or r.keys[0].column.table == r.table:
            return
        c = r.keys[0].column
        rows = replace(r, kind="groupby", having=(), order=None, limit=None)
        from lexsi_nb.grounding.rendering.sql import ReadingSQL

        body = "\n".join(x for x in ReadingSQL(rows, self.index).text().split("\n") if not x.startswith("ORDER BY"))
        sql = f"SELECT count(DISTINCT {quote(c.name)}) AS n FROM {quote(c.table)} WHERE {quote(c.name)} IS NOT NULL"
        sql += f" AND {quote(c.name)} NOT IN (SELECT {quote(c.name)} FROM (\n{body}\n) AS g"
        sql += f" WHERE {quote(c.name)} IS NOT NULL)"
        lost = int(self.index.engine.query(sql).iloc[0, 0])
        if lost:
            raise Unread(
                Declined(f"{lost:,} {c.name} values have no {r.table} at all, and I can't list them with these.")
            )

    def _unlisted_groups(self, r: Reading) -> None:
        """Ask of `clubs with more than 5 games`, by a column of games that names clubs no row of clubs is of."""
        if not r.having or len(r.keys) != 1 or len(self.d.keys) != 1 or r.keys[0].grain or r.keys[0].column.sql:
            return
        of = self.index.joins.leaving(r.table, r.keys[0].column.name) if r.keys[0].column.table == r.table else []
        if len(of) == 1:
            unlisted(r, of[0], self.d.keys[0].words, self.index)


def counted_rows(inner: Reading) -> Reading:
    """Return the reading that counts the groups of another one."""
    lines = [x for x in inner.sql.split("\n") if not x.startswith(("ORDER BY", "LIMIT"))]
    body = "\n    ".join(lines)
    sql = f"SELECT count(*) AS number_of_groups\nFROM (\n    {body}\n) AS held"
    return replace(
        inner, kind="count", keys=(), having=(), order=None, limit=None, sql=sql, text=f"number of groups: {inner.text}"
    )


def of_those_rows(r: Reading) -> None:
    """Hold the groups of `customers who ordered tea per day` to the rows told of: a day of any order is not meant.

    Raises:
        Unread: the groups would be of any related rows.
    """
    for link in r.links:
        own = next((f.words for f in link.filters if f.home == link.table), None)
        key = next((k.column for k in r.keys if k.column.table == link.table != r.table), None)
        if own is not None and key is not None:
            told = f"I would group by {key} of any {link.table}, and not only of those with '{own}'."
            raise Unread(Declined(f"{told} Ask for the number of {link.table}.", (key.name,)))
