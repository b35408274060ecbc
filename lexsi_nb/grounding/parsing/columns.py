"""Open columns decided: by type, by the tables that were said, by the nearest join."""

from __future__ import annotations

from collections.abc import Sequence

from lexsi_nb.grounding.language import assumptions, retold
from lexsi_nb.grounding.parsing.drafts import Draft, Ref
from lexsi_nb.grounding.parsing.open_choices import ask, sizes_of
from lexsi_nb.grounding.parsing.unjoined import no_join
from lexsi_nb.grounding.reading import Choice, Column, Declined, Having, Measure, Unread
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.joins import Path
from lexsi_nb.grounding.words import name_words, singular


class Columns:
    """A draft, the index, and the table that rows are counted or measured in (`base`)."""

    def __init__(self, draft: Draft, index: SchemaIndex) -> None:
        self.d, self.index, self.base = draft, index, ""
        self.notes = list(draft.notes)
        self.measures: tuple[Measure, ...] = ()
        self.having: list[Having] = []

    def pick(self, ref: Ref, types: tuple[str, ...] | None = None) -> Column:
        """Return the column a reference means, by type, by the tables said, then by the nearest join."""
        options = [c for c in ref.options if types is None or c.type in types]
        if not options:
            if types == ("number",):
                tables = list(dict.fromkeys(c.table for c in ref.options))
                ask(f"A figure of what, for '{ref.words}'?", sizes_of(self.index, tables), ref.words)
            kinds = " or ".join(types or ())
            raise Unread(
                Declined(f"'{ref.words}' ({', '.join(map(str, ref.options[:3]))}) is not a {kinds}.", (ref.words,))
            )
        said = [t for t in (ref.qualifier, ref.anchor, self.base, self.d.head) if t]
        for table in said:
            own = [c for c in options if c.table == table]
            if len(own) == 1:
                return self._reached(own[0], ref)
        if said and all(c.date for c in options):
            return self._reached(self._own_date(options, said, ref), ref)
        others = {t for t in (*self.d.said, *(k.table for k in self.d.keys if k.table)) if t}
        owners = [c for c in options if c.table in others]
        if len(owners) == 1:
            return self._reached(owners[0], ref)
        if len(options) == 1:
            return self._reached(options[0], ref)
        homes = [{c.table for c in f.ref.options} for f in self.d.filters if f.ref and f.ref is not ref]
        named = [r for r in (*self.d.shown, *(k.ref for k in self.d.keys)) if r is not None and r is not ref]
        homes += [h for r in named if len(h := {c.table for c in r.options}) == 1]  # "mean amount by operation"
        shared = set.intersection(*homes) if homes and not said else set()
        about = [c for c in options if c.table in shared]
        below = [c for c in options if c not in about and any(self.index.joins.up(c.table, h) for h in shared)]
        pointed = about[:1] if len(about) == 1 and about[0] == self.index.key_of(about[0].table) else []
        below = [c for c in below if not any(self._points_at(c, p) for p in pointed)]  # ids of the rows spoken of
        if len(about) == 1 and (not below or any(_names_its_table(r, about[0]) for r in named)):
            return self._reached(about[0], ref)
        told = [c for c in options if c.table in set().union(*homes)] if homes and not (said or others) else []
        lower = [c for c in options if any(self.index.joins.up(c.table, t.table) for t in told if t != c)]
        if len(told) == 1 and not lower:  # "amount of card payments by women": card payments have one
            return self._reached(told[0], ref)
        for start in dict.fromkeys(t for t in (ref.anchor, self.base) if t):
            far = {c: d for c in options if (d := self.index.joins.distance(start, c.table)) is not None}
            best = [c for c in far if far[c] == min(far.values())]
            if len(best) == 1:
                return self._reached(best[0], ref)
        raise Unread(Choice(f"'{ref.words}' can be more than one column.", tuple(map(str, options[:8])), ref.words))

    def _points_at(self, c: Column, key: Column) -> bool:
        """Whether a column holds the keys of another table's rows."""
        joins = self.index.joins.leaving(c.table, c.name)
        return any((j.parent, j.parent_column) == (key.table, key.name) for j in joins)

    def _own_date(self, options: list[Column], said: list[str], ref: Ref) -> Column:
        """Return the piece of a date that the tables said have: a date of what they belong to is of another event."""
        for table in dict.fromkeys((*said, *self.d.said)):
            own = [c for c in options if c.table == table]
            if len(own) == 1:
                return own[0]
            if own:
                ways, dates = tuple(map(str, own)), tuple(c.date for c in own)
                raise Unread(Choice(f"'{ref.words}' of which date of {table}?", ways, ref.words, dates=dates))
        asked = f"{self.base or said[0]} has no date of its own, which '{ref.words}' would be told of"
        if len(options) < 2:
            other = f"{options[0].table}.{options[0].date} is of other rows. Name it if it is meant."
            raise Unread(Declined(f"{asked}; {other}", (ref.words,)))
        ways = tuple(f"{c.table}.{c.date}" for c in options[:8])
        raise Unread(Choice(f"{asked}; by which one?", ways, ref.words, dates=tuple(c.date for c in options[:8])))

    def by_name(self, column: Column, ref: Ref) -> Column:
        """Return the name of what a column points at, where each has its own and the words don't ask for the number."""
        if set(name_words(ref.words)) & assumptions.POINTING or name_words(ref.words) == name_words(column.name):
            return column
        parents = {j.parent for j in self.index.joins.joins if (j.child, j.child_column) == (column.table, column.name)}
        labels = [c for t in parents if (c := self.index.label_of(t)) is not None and self.index.unique(t, c.name)]
        routes = self.index.joins.up(self.base, labels[0].table) if len(labels) == 1 and self.base else []
        if len(routes) != 1 or not routes[0] or routes[0][-1].start != (column.table, column.name):
            return column
        return labels[0]

    def _reached(self, column: Column, ref: Ref) -> Column:
        note = f"{column.name} on {self.index.facts.as_of}, the day the data end"
        if column.sql and column.name == "age" and self.index.facts.as_of and note not in self.notes:
            self.notes.append(note)
        if self.base:
            self._reach(column.table, ref.words)
        return column

    def _reach(self, table: str, words: str) -> None:
        up = self.index.joins.up(self.base, table)
        routes = up or self.index.joins.any(self.base, table)
        if not routes:
            raise Unread(Declined(no_join(self.base, table, words, self.index), (words,)))
        if len(routes) > 1:
            ways = tuple(
                " -> ".join([self.base, *(f"{s.end[0]} (by {s.join.child_column})" for s in p)]) for p in routes[:4]
            )
            said = tuple("\n".join(self._ways_said(p, routes, words)) for p in routes[:4])
            prompt = f"'{words}' is reached from {self.base} in more than one way."
            raise Unread(Choice(prompt, ways, words, said=said, lasting=False))

    def _ways_said(self, path: Path, routes: Sequence[Path], words: str) -> list[str]:
        """Return how a way can be said: by a table that it passes and no other one, its last step, such a column."""
        passed = [[s.end[0] for s in p[:-1]] for p in routes]
        own = [t for t in (s.end[0] for s in path[:-1]) if sum(t in tables for tables in passed) == 1]
        joins = [{(s.join.child, s.join.child_column) for s in p} for p in routes]
        left = [(s.join.child, s.join.child_column) for s in path]
        columns = [".".join(by) for by in left if sum(by in j for j in joins) == 1 and all(map(_plain, by))]
        named = [retold.PASSING.format("{}", by) for by in (*own[:1], *columns[:1])]
        return named[:1] if own else [self._way_said(path, words), *named]

    def _way_said(self, path: Path, words: str) -> str:
        """Return the words with the way to them: of the table that the last step leaves, else the column it leaves."""
        table, column = path[-1].start
        return f"{' '.join(name_words(column))} {words}" if table == self.base else retold.OF.format(words, table)


def _plain(name: str) -> bool:
    """Whether a name can be said in a question as it is."""
    return name.isidentifier()


def _names_its_table(ref: Ref, column: Column) -> bool:
    """Whether the words of another column say the table too: `loan status`, where a loan has an amount of its own."""
    table = set(map(singular, name_words(column.table)))
    own = len(ref.options) == 1 and ref.options[0].table == column.table
    return own and table < set(map(singular, name_words(ref.words)))
