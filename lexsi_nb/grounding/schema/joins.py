"""How tables hang together: chains of verified many-to-one joins, and to-many routes for conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lexsi_nb.grounding.language import schema_words
from lexsi_nb.grounding.words import alone, name_words


@dataclass(frozen=True)
class Join:
    """Many rows of `child` point at one row of `parent`. `complete`: every child finds its parent."""

    child: str
    child_column: str
    parent: str
    parent_column: str
    complete: bool = True


@dataclass(frozen=True)
class Step:
    """One walk over a join; `up` goes from the many side to the one side."""

    join: Join
    up: bool

    @property
    def start(self) -> tuple[str, str]:
        """Table and column the walk leaves from."""
        j = self.join
        return (j.child, j.child_column) if self.up else (j.parent, j.parent_column)

    @property
    def end(self) -> tuple[str, str]:
        """Table and column the walk arrives at."""
        j = self.join
        return (j.parent, j.parent_column) if self.up else (j.child, j.child_column)


Path = tuple[Step, ...]


MANY = 500  # joins suggested by names that are not all verified at once
MOST_LOOKS = 12  # verified for one step
MOST_TURNS = 4
LOOSE = 1_000.0  # rows met for one: two tables that only share a broad attribute are not joined


class JoinGraph:
    """The joins of a dataset; candidates without proof are verified when they are first needed.

    Where names suggest very many joins, only those that a path runs over are verified, and `joins` holds those.
    """

    def __init__(
        self,
        known: Iterable[Join],
        candidates: Iterable[Join] = (),
        verify: Callable[[Join], Join | None] | None = None,
        rows: Callable[[str], int | None] = lambda table: None,
        more: Callable[[list[Join]], list[Join]] | None = None,
    ) -> None:
        self._joins = list(known)
        self._rows = rows
        self._candidates = list(candidates)
        self._verify = verify
        self._more = more  # joins that names don't suggest, given those that hold
        self._open: dict[str, list[Join]] | None = None  # of very many: those not looked at yet, by both their tables
        if len(self._candidates) > MANY and verify:
            self._open, self._more = {}, None
            for j in self._candidates:
                for table in {j.child, j.parent}:
                    self._open.setdefault(table, []).append(j)

    @property
    def joins(self) -> list[Join]:
        """Every join that holds; of very many candidates those verified so far."""
        if self._candidates and self._verify and self._open is None:
            pending, self._candidates = self._candidates, []
            held = [j for c in pending if (j := self._verify(c))]
            self._joins += _best_of(held)
        if self._more is not None:
            more, self._more = self._more, None
            self._joins += more(self._joins)
        return self._joins

    def leaving(self, table: str, column: str) -> list[Join]:
        """Return the joins in which a column points at another table."""
        self._look(j for j in self._pending(table) if (j.child, j.child_column) == (table, column))
        return [j for j in self.joins if (j.child, j.child_column) == (table, column)]

    def into(self, table: str) -> list[Join]:
        """Return the joins in which other tables point at a table."""
        self._look([j for j in self._pending(table) if j.parent == table][:MOST_LOOKS])
        return [j for j in self.joins if j.parent == table]

    def touching(self, table: str) -> list[Join]:
        """Return the joins that leave a table or point at it."""
        self._look(self._pending(table)[:MOST_LOOKS])
        return [j for j in self.joins if table in (j.child, j.parent)]

    def _pending(self, table: str) -> list[Join]:
        return list((self._open or {}).get(table, ()))

    def _look(self, pending: Iterable[Join]) -> None:
        """Verify candidates, each with its rivals: the other columns of its parent that its column could mean."""
        open_, verify = self._open, self._verify
        if open_ is None or verify is None:
            return
        for j in pending:
            key = (j.child, j.child_column, j.parent)
            rivals = [k for k in open_[j.child] if (k.child, k.child_column, k.parent) == key]
            if not rivals:
                continue  # looked at with another
            for table in {j.child, j.parent}:
                open_[table] = [k for k in open_[table] if k not in rivals]
            self._joins += _best_of([held for k in rivals if (held := verify(k))])

    def parents(self, table: str) -> list[Step]:
        """Return the many-to-one steps that leave `table`."""
        return [Step(j, True) for j in self.touching(table) if j.child == table and j.parent != table]

    def children(self, table: str) -> list[Step]:
        """Return the one-to-many steps that leave `table`."""
        return [Step(j, False) for j in self.touching(table) if j.parent == table and j.child != table]

    def up(self, base: str, target: str) -> list[Path]:
        """Return the shortest many-to-one chains from base to target; more than one means a choice."""
        return self._routes(base, target, both=False)

    def any(self, base: str, target: str) -> list[Path]:
        """Return the routes from base to target over joins in either direction, shortest first.

        Of several, the tightest is kept when it meets far fewer rows a step than the others: accounts and
        clients belong together by their dispositions, not by living in the same district.
        """
        routes = self._routes(base, target, both=True)
        tight = [r for r in routes if self.spread(r) <= LOOSE]
        if len(tight) > 1:
            tight.sort(key=self.spread)
            if self.spread(tight[1]) >= 4 * self.spread(tight[0]):
                return tight[:1]
        return tight

    def spread(self, route: Path) -> float:
        """Return how many rows a route meets for one row, counted where it turns from a parent down to children."""
        product, turned = 1.0, False
        for before, step in zip((None, *route), route, strict=False):
            turned = turned or (before is not None and before.up and not step.up)
            if turned and not step.up:
                parents, children = self._rows(step.join.parent), self._rows(step.join.child)
                product *= max(1.0, (children or 0) / max(parents or 1, 1))
        return product

    def below(self, target: str, tables: Iterable[str]) -> list[str]:
        """Return the tables whose rows each belong to one row of target, itself among them.

        Of very many candidates, only those that point at target themselves.
        """
        if self._open is not None:
            near = {target, *(j.child for j in self.into(target))}
            return [t for t in tables if t in near]
        return [t for t in tables if self.up(t, target)]

    def distance(self, base: str, target: str) -> int | None:
        """Return the length of the shortest many-to-one chain, None when there is none."""
        paths = self.up(base, target)
        return len(paths[0]) if paths else None

    def _routes(self, base: str, target: str, *, both: bool) -> list[Path]:
        """Return the shortest routes; of very many candidates, only those on such a route are verified."""
        for _ in range(MOST_TURNS):
            paths = self._shortest(base, target, self._steps(both=both))
            open_ = [s.join for p in paths for s in p if s.join in self._pending(s.join.child)]
            if not open_:
                return paths
            self._look(sorted(open_, key=lambda j: not key_like(j.child_column.casefold()))[:MOST_LOOKS])
        return []  # too many suggestions that don't hold

    def _steps(self, *, both: bool) -> Callable[[str], list[Step]]:
        """Return the function that gives the steps from a table, joins not looked at yet among them."""
        held: dict[str, list[Join]] = {}
        for j in self.joins:
            for table in {j.child, j.parent}:
                held.setdefault(table, []).append(j)

        def steps(table: str) -> list[Step]:
            found = [*held.get(table, ()), *self._pending(table)]
            ups = [Step(j, True) for j in found if j.child == table != j.parent]
            return [*ups, *(Step(j, False) for j in found if j.parent == table != j.child and both)]

        return steps

    @staticmethod
    def _shortest(base: str, target: str, steps: Callable[[str], list[Step]]) -> list[Path]:
        if base == target:
            return [()]
        reached, front = {base}, [((), base)]
        while front:
            grown = [((*path, s), s.end[0]) for path, at in front for s in steps(at) if s.end[0] not in reached]
            found = [path for path, at in grown if at == target]
            if found:
                return found
            reached |= {at for _, at in grown}
            front = grown if len(grown) < 2_000 else []
        return []


def _best_of(held: list[Join]) -> list[Join]:
    """Of several columns of one parent that a child column could mean, keep the complete one."""
    out: list[Join] = []
    for j in held:
        rivals = [k for k in held if (k.child, k.child_column, k.parent) == (j.child, j.child_column, j.parent)]
        if (
            len(rivals) == 1
            or (j.complete and [k for k in rivals if k.complete] == [j])
            or (j == rivals[0] and not any(k.complete for k in rivals))
        ):
            out.append(j)
    return out


def candidates(tables: dict[str, list[tuple[str, str]]]) -> list[Join]:
    """Return joins that names suggest: `tables` maps table -> (column, type); each must be verified.

    Equal column names that look like keys, or `customer_id` pointing at `customers.id`.
    """
    found: list[Join] = []
    owners: dict[str, list[tuple[str, str, str]]] = {}
    for table, columns in tables.items():
        for column, kind in columns:
            if kind in ("number", "text", "other"):
                owners.setdefault("_".join(name_words(column)), []).append((table, column, kind))
    parents, coded = _parents(tables)
    for key, places in owners.items():
        words = key.split("_")
        if 1 < len(places) <= 40 and not alone(words, schema_words.ROW_NUMBER):
            found += [
                Join(a, ca, b, cb)
                for a, ca, ka in places
                for b, cb, kb in places
                if a != b and ka == kb and (ka == "text" or key_like(key))
            ]
        for parent in coded.get("".join(words), ()):
            own = [c for c, k in tables[parent] if k == "text" and any(k == kb for _, _, kb in places)]
            found += [Join(t, c, parent, o) for t, c, _ in places if t != parent for o in own]
        stem = tuple(words[:-1]) if len(words) > 1 and words[-1] in schema_words.KEY_WORDS else tuple(words)
        for parent in parents.get(stem, ()):
            own = [c for c, _ in tables[parent] if _key_of(name_words(c), words[-1]) and c]
            found += [Join(t, c, parent, own[0]) for t, c, _ in places if t != parent and own]
    return list(dict.fromkeys(found))


def _parents(
    tables: dict[str, list[tuple[str, str]]],
) -> tuple[dict[tuple[str, ...], list[str]], dict[str, list[str]]]:
    """Return tables by the words of their name, and by the names their code columns would have: `zonecode`."""
    parents: dict[tuple[str, ...], list[str]] = {}
    coded: dict[str, list[str]] = {}
    for table in tables:
        words = name_words(table)
        parents.setdefault(words, []).append(table)
        if len(words) == 1:
            for end in ("", *schema_words.CODE_ENDS):
                coded.setdefault(words[0] + end, []).append(table)
    return parents, coded


def _key_of(name: tuple[str, ...], word: str) -> bool:
    """Whether a name of a column is that of the key a word is the name of: the word itself, or only `id`."""
    return len(name) == 1 and (name[0] == word or name[0] in schema_words.KEY_OR_CODE)


def key_like(key: str) -> bool:
    """Whether a column name reads like a key rather than an attribute."""
    words = key.split("_")
    glued = len(words) == 1 and len(key) > 3 and key.endswith(schema_words.KEY_ENDS) and key not in schema_words.NO_KEYS
    return words[-1] in schema_words.KEY_WORDS or glued
