"""The plan of a predictive question: which rows are learned from, which are scored, and the SQL of both."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from lexsi_nb.errors import nearest
from lexsi_nb.grounding.language import conversation, grammar
from lexsi_nb.grounding.mentions import TAGS, Mention
from lexsi_nb.grounding.parsing.grammar import Grammar
from lexsi_nb.grounding.parsing.resolve import Resolver
from lexsi_nb.grounding.predictions import first_ones
from lexsi_nb.grounding.predictions.features import Collector, Features
from lexsi_nb.grounding.predictions.no_case import groups_said, refuse_figures, time_ahead
from lexsi_nb.grounding.predictions.populations import (
    any_left,
    any_of,
    known_already,
    labelled_alone,
    others_of,
    populations,
    states,
)
from lexsi_nb.grounding.predictions.target_column import column_target
from lexsi_nb.grounding.reading import Declined, Filter, Link, PredictivePlan, Reading, Unread
from lexsi_nb.grounding.rendering.clauses import qualified
from lexsi_nb.grounding.rendering.sql import ReadingSQL
from lexsi_nb.grounding.schema.facts import ColumnFacts, Outcome
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.kept import as_kept
from lexsi_nb.grounding.schema.names import phrase, quote
from lexsi_nb.grounding.wordings.own_words import own_words
from lexsi_nb.grounding.wordings.relations import noticed
from lexsi_nb.grounding.wordings.typing_slips import written_out
from lexsi_nb.grounding.words import plural, singular

TOP_K = 10
ALIKE = 6  # letters that two words begin with in common where one is near the other


def plan(question: str, index: SchemaIndex, original: str = "") -> PredictivePlan:
    """Return the plan of a predictive question; `original` is how it was put, before turns of speech were read.

    Raises:
        Unread: with what the question or the data lacks.
    """
    question, kept = as_kept(question, index.facts.kept)
    items = noticed(question, index).items
    lacking = [m.words for m in items if not m.known and not index.holds(phrase(m.words))]
    if lacking and (ahead := time_ahead(original or question, lacking)) is not None:
        raise Unread(ahead)
    if lacking:
        lacking = own_words(lacking, original or question, written_out(question, index)[0])
        said = ", ".join(f"'{w}'" for w in lacking)
        near = dict.fromkeys(n for w in lacking for n in (*nearest(w, index.names()), *_begun_alike(w, index)))
        raise Unread(Declined(f"I find no meaning for {said} in the data.", tuple(lacking), tuple(near)))
    if turned := [m.words for m in items if _from_the_lowest(m)]:
        raise Unread(
            Declined("I rank by the highest score; the lowest risks are at the end of that list.", tuple(turned))
        )
    refuse_figures(items)
    if (first := first_ones.asked(items, index)) is not None:
        found, said = first_ones.plan(first, items, index), [m for m in items if m not in first.used]
        why = any(m.tag("why") is not None for m in items)
        return replace(found, top_k=_top(said), explain=why, notes=(*kept, *found.notes))
    top_k, explain = _top(items), any(m.tag("why") is not None for m in items)
    if lost := [m.words for i, m in enumerate(items) if m.tag("super") is not None and not _of_risk(items, i)]:
        raise Unread(Declined("I rank by the score alone, not by another figure beside it.", tuple(lost)))
    outcome = _outcome(items, index)
    found = _known_outcome(outcome, items, index) if outcome is not None else column_target(items, index)
    return replace(found, top_k=top_k, explain=explain, notes=(*kept, *found.notes))


def _begun_alike(word: str, index: SchemaIndex) -> list[str]:
    """Return the names of columns that begin as a longer word does: `cancelled` for `cancellation`."""
    begun = word.casefold()[:ALIKE]
    named = dict.fromkeys(c.name for own in index.columns.values() for c in own.values())
    return [n for n in named if len(begun) == ALIKE and n.casefold().startswith(begun)][:3]


def _from_the_lowest(m: Mention) -> bool:
    return m.tag("asc") is not None or any(m.tag(t) == "asc" for t in ("top", "super", "most"))


def asks_ahead(m: Mention) -> bool:
    """Whether a mention asks for what is not yet known."""
    return (
        m.tag("predictive") is not None
        or m.tag("drives") is not None
        or (bool(m.of("outcome")) and any("predictive" in TAGS.get((w,), ()) for w in m.words.casefold().split()))
    )


def _top(items: list[Mention]) -> int:
    for i, m in enumerate(items):
        after = items[i + 1] if i + 1 < len(items) else None
        if m.tag("top") is not None and after is not None and isinstance(after.number, int):
            return max(1, min(after.number, 1_000))
        if isinstance(m.number, int) and _ranks_many(items, i):
            return max(1, min(m.number, 1_000))
    return 1 if _asks_for_one(items) else TOP_K


def _asks_for_one(items: list[Mention]) -> bool:
    """Whether a single row is asked for: `which loan is most likely to`, `the riskiest customer`."""
    named = next((m for m in items if m.of("table")), None)
    if named is None or named.words.casefold() != singular(named.words.casefold()):
        return False
    return any(m.tag("super") is not None or grammar.HIGHEST.search(m.words.casefold()) for m in items)


def _of_risk(items: list[Mention], at: int) -> bool:
    """Whether a superlative is said of the outcome: `the highest chance of churn`, not `the highest amount`."""
    return any(asks_ahead(m) or m.of("outcome") for m in items[at + 1 : at + 3])


def _counts_rows(items: list[Mention], at: int) -> bool:
    """Whether a number at the beginning says how many rows are wanted: `show me the 5 orders most likely to`."""
    later = list(items[at + 1 :])
    while later and later[0].of("value", "condition") and not later[0].of("table", "column") and len(later) > 2:
        later.pop(0)  # "5 running loans"
    opens = all(m.tag("list") is not None or (asks_ahead(m) and not m.entries) for m in items[:at])
    noun = len(later) > 1 and bool(later[0].of("table")) and not later[0].gap
    return opens and noun and any(asks_ahead(m) or m.tag("super") is not None for m in later[1:])


def _ranks_many(items: list[Mention], at: int) -> bool:
    """Whether a number says how many are ranked: `the 10 riskiest`, and not `loan 6989 will`."""
    before, after = items[at - 1] if at else None, items[at + 1] if at + 1 < len(items) else None
    if after is None and before is not None and before.tag("list") is not None and not before.entries:
        return True  # "... are at risk? show 15"
    if after is None or (before is not None and before.of("table") and not items[at].gap):
        return False
    if _counts_rows(items, at):  # "the 5 orders most likely to"
        return True
    if before is not None and (before.of("outcome") or before.tag("super") is not None) and not items[at].gap:
        return bool(after.of("table")) and not after.gap  # "the riskiest 20 loans"
    if before is not None and before.tag("list") is None and not grammar.DEFINITE & set(items[at].gap):
        return False  # "granted in 1998", "with duration 60"
    return asks_ahead(after) or after.tag("super") is not None or after.tag("most") is not None


def _outcome(items: list[Mention], index: SchemaIndex) -> Outcome | None:
    """Return the outcome that is named; without a name, the only one there is where no column is named instead."""
    named = list(dict.fromkeys(e.value for m in items for e in m.of("outcome")))
    known = {o.name: o for o in index.facts.outcomes if o.entity_table in index.columns}
    if len(named) > 1:
        raise Unread(Declined(f"I predict one outcome at a time; this names {', '.join(named)}.", tuple(named)))
    if named or len(known) != 1:
        return known.get(named[0]) if named else None
    only = next(iter(known.values()))
    tables = {e.table for m in items for e in m.of("table")}
    risk = any(asks_ahead(m) and conversation.RISK & set(m.words.casefold().split()) for m in items)
    pairs = pairwise([*items, Mention("")])
    figure = any(m.of("column") and (after.tags or not after.words) for m, after in pairs)  # "risk by amount"
    return only if risk and tables == {only.entity_table} and not figure else None


def _known_outcome(o: Outcome, items: list[Mention], index: SchemaIndex) -> PredictivePlan:
    table = o.entity_table
    key, times = index.key_of(table), index.time_of(table)
    if key is None or len(times) != 1:
        lack = "key" if key is None else "as-of date"
        raise Unread(
            Declined(f"{table} has no {lack}, so '{o.name}' can't be predicted without looking ahead.", (lack,))
        )
    filters, links = _conditions(o, items, index)
    if any(m.tag("quality") is not None for m in items):  # "how well can it be told of finished orders?"
        filters = tuple(f for f in filters if not (states(f, o) and labelled_alone(f, o, index)))
    scored, already, scored_text, others = populations(o, filters, index)
    narrowed = others_of(filters, o, index)
    if (narrowed or links) and not any_left(o, scored, narrowed, links, key, index):
        said = ", ".join(others) or "these conditions"
        raise Unread(Declined(f"No {table} {scored_text} has {said}, so there is nothing to predict.", tuple(others)))
    collector = Collector(
        index, table, key, times[0], o.labelled.sql, any_of(o.labelled.sql, scored, o.already.sql), o.target
    )
    features = collector.collect()
    sql = _PlanSQL(o, features, index)
    needless_ones = needless(sql.select(o.labelled.sql, (), (), True), features, index)
    features.dropped |= {c for c, _ in needless_ones}
    features.left_out += needless_ones
    prune(features)
    n_labelled, n_bad = (
        collector.n_labelled,
        collector.count(f"SELECT count(*) AS n FROM {quote(table)} WHERE ({o.labelled.sql}) AND ({o.sql})"),
    )
    task = {
        "task_type": "classification",
        "target_column": o.target,
        "entity_column": key.name,
        "time_column": times[0].name,
        "positive_text": o.positive,
        "labelled_text": o.labelled.text or f"labelled rows of {table}",
        "cases_text": plural(table),
        "scored_text": scored_text,
        "already_text": o.already.text,
        "show": list(o.show),
        "units": {c: facts.unit for c in o.show if (facts := _column_facts(index, table, c)) and facts.unit},
    }
    if fixed := [c for c in features.fixed if c not in features.dropped]:
        task["immutable"] = fixed
    rows = plural(table)
    extra = "".join(f", {t}" for t in others)
    read_as = (
        f"{rows} {scored_text}{extra}, ranked by the chance of {o.name} ({o.target}: {o.sql}); "
        f"learned from {o.labelled.text or 'labelled ' + rows} ({o.labelled.sql}), "
        f"with what was known on each {table}'s {times[0].name}"
    )
    if n_bad == 0 or n_bad == n_labelled:
        raise Unread(
            Declined(
                f"All {n_labelled:,} {o.labelled.text} have the same outcome, so there is nothing to learn.", (o.name,)
            )
        )
    return PredictivePlan(
        table, sql.select(o.labelled.sql, (), (), True), sql.select(scored, others_of(filters, o, index), links, False),
        sql.select(already, others_of(filters, o, index), links, False) if already else "",
        task, tuple(features.left_out), read_as, warnings=known_already(o, scored, collector), readings=o.readings,
        units=features.units,
    )  # fmt: skip


def _column_facts(index: SchemaIndex, table: str, column: str) -> ColumnFacts | None:
    known = index.facts.tables.get(table)
    return known.columns.get(column) if known is not None else None


def _conditions(o: Outcome, items: list[Mention], index: SchemaIndex) -> tuple[tuple[Filter, ...], tuple[Link, ...]]:
    """Read what is left of the question without its predictive words: a plain list of the entity with conditions."""
    rest: list[Mention] = []
    skip = False
    for i, m in enumerate(items):
        after = items[i + 1] if i + 1 < len(items) else None
        if skip:
            skip = False
            continue
        if (
            m.of("outcome")
            or asks_ahead(m)
            or any(m.tag(t) is not None for t in ("why", "list", "super", "most", "by", "sort", "desc", "among"))
        ):
            continue
        if m.tag("top") is not None:
            skip = after is not None and after.number is not None
            continue
        if m.number is not None and _ranks_many(items, i):
            continue
        if m.tag("and") is not None and not (rest and after is not None and (after.entries or not after.known)):
            continue
        rest.append(m)
    while rest and any(rest[-1].tag(t) is not None for t in ("and", "in", "to")):
        rest.pop()
    if not any(m.entries or m.number is not None for m in rest):
        return (), ()
    rest = [_of_entity(m, o.entity_table) for m in rest]
    if not any(m.of("table", "column") for m in rest):
        rest.insert(0, Mention(o.entity_table, entries=(Entry("table", o.entity_table),)))
    draft = Grammar(rest, index).read()
    if draft.measures or draft.keys or draft.shown:
        raise Unread(Declined(groups_said(o.name), tuple(m.words for m in rest)))
    draft.head = draft.head or o.entity_table
    first = next((m for m in rest if m.of("table")), None)
    if first is not None and not any(e.table == o.entity_table for e in first.of("table")):
        draft.head = first.of("table")[0].table  # "which shop has the riskiest orders"
    if draft.head != o.entity_table:
        raise Unread(
            Declined(
                f"'{o.name}' is defined for {o.entity_table}, not for {draft.head}.", (draft.head,), (o.entity_table,)
            )
        )
    draft.order, draft.limit, draft.top = None, None, False
    reading = Resolver(draft, index).reading()
    return reading.filters, reading.links


def _of_entity(m: Mention, table: str) -> Mention:
    """`good customers`, which are those whose loan is so: the condition on the loans that are ranked."""
    own = tuple(replace(e, value=None) for e in m.of("condition") if e.table == table and e.value)
    return replace(m, entries=own, tags=()) if own else m


class _PlanSQL:
    """Writes the same columns for every population of the entity table."""

    def __init__(self, o: Outcome, features: Features, index: SchemaIndex) -> None:
        self.o, self.f, self.index = o, features, index

    def select(self, population: str, filters: tuple[Filter, ...], links: tuple[Link, ...], target: bool) -> str:
        """Return the SQL of one population, with the target where it is known."""
        f, b = self.f, self.f.builder
        root = b.alias[()]
        where = qualified(population, root)
        ctes, lines = [], [f"{root}.{quote(f.key.name)}", f"{root}.{quote(f.time.name)}"]
        lines += [
            e if e.split(".")[-1] == quote(n) else f"{e} AS {quote(n)}" for e, n in f.select if n not in f.dropped
        ]
        joins = list(b.source())
        for child in f.children:
            kept = [c for c in child.columns if c not in f.dropped]
            if not kept:
                continue
            inside = [child.lines[0], *[s for s in child.lines[1:] if s.rsplit(" AS ", 1)[1].strip('"') in kept]]
            child_root = child.lines[0].split(".")[0]
            body = [
                "SELECT " + ",\n           ".join(inside),
                *child.joins,
                f"WHERE {qualified(population, child_root)}",
            ]
            body.append(f"GROUP BY {child.lines[0]}, {child_root}.{quote(f.time.name)}")
            ctes.append(f"{child.name} AS (\n    " + "\n    ".join(body) + "\n)")
            joins.append(f"LEFT JOIN {child.name} ON {child.name}.{quote(f.key.name)} = {root}.{quote(f.key.name)}")
            for c in kept:
                column = f"{child.name}.{quote(c)}"
                lines.append(f"coalesce({column}, 0) AS {quote(c)}" if c in child.zero else column)
        if target:
            lines.append(f"CASE WHEN {qualified(self.o.sql, root)} THEN 1 ELSE 0 END AS {quote(self.o.target)}")
        more: list[str] = []
        if filters or links:
            inner = ReadingSQL(
                Reading("list", self.o.entity_table, columns=(f.key,), filters=filters, links=links), self.index
            )
            body = "\n".join(x for x in inner.text().splitlines() if not x.startswith("ORDER BY"))
            more = [f"{root}.{quote(f.key.name)} IN (\n    " + body.replace("\n", "\n    ") + "\n  )"]
        sql = "WITH " + ",\n".join(ctes) + "\n" if ctes else ""
        sql += "SELECT " + ",\n       ".join(lines) + "\n" + "\n".join(joins)
        sql += "\nWHERE " + "\n  AND ".join([where if not more else f"({where})", *more])
        return sql + f"\nORDER BY {root}.{quote(f.key.name)}"


def selected(o: Outcome, features: Features, index: SchemaIndex) -> str:
    """Return the SQL of the features of every row."""
    return _PlanSQL(o, features, index).select("TRUE", (), (), False)


def needless(sql: str, features: Features, index: SchemaIndex) -> list[tuple[str, str]]:
    """Return (feature, why) for features that are constant in the labelled rows, or equal to an earlier one."""
    frame = index.engine.query(sql)
    mine = [n for _, n in features.select] + [c for child in features.children for c in child.columns]
    out: list[tuple[str, str]] = []
    kept: list[str] = []
    for name in mine:
        twin = next((k for k in kept if frame[k].dtype == frame[name].dtype and frame[k].equals(frame[name])), None)
        if frame[name].nunique(dropna=False) <= 1:
            out.append((name, "the same in every labelled row"))
        elif twin:
            out.append((name, f"equal to {twin} in every labelled row"))
        else:
            kept.append(name)
    return out


def prune(features: Features) -> None:
    """Drop joins that only constants needed."""
    b, kept = features.builder, [e for e, n in features.select if n not in features.dropped]
    for path in sorted((p for p in b.alias if p), key=len, reverse=True):
        alias = b.alias[path]
        used = any(f"{alias}." in e for e in kept) or any(f" = {alias}." in x for x in b.lines)
        if not used:
            b.lines = [x for x in b.lines if f" AS {alias} ON " not in x]
            del b.alias[path]
