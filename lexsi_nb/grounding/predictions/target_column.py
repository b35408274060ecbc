"""The plan for a column whose missing values are to be predicted, from its table and the tables its rows point at."""

from __future__ import annotations

from itertools import chain, count, pairwise

from lexsi_nb.artifacts.wording import is_name_column
from lexsi_nb.grounding.language import grammar, lexicon
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.parsing.grammar import Grammar
from lexsi_nb.grounding.parsing.resolve import Resolver
from lexsi_nb.grounding.predictions.no_case import others_hint
from lexsi_nb.grounding.predictions.own_features import features_of, of_a_parent
from lexsi_nb.grounding.predictions.parents import parents_of
from lexsi_nb.grounding.reading import Column, Declined, Filter, PredictivePlan, Unread
from lexsi_nb.grounding.rendering.clauses import condition
from lexsi_nb.grounding.rendering.phrasing import _filter as _said
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import name_words
from lexsi_nb.modeling.columns import FEW_ROWS, ID_NAME, NUMBER_NAME

FEW_NUMBERS = 10  # different values that a number may be a class by: that it is none is said
MOST_KINDS = 20  # classes that a text may be of
_OF_ROWS = ("list", "top", "super", "most", "null")  # words that ask for rows, and not for how well it can be told


def _unknown_yet(items: list[Mention], m: Mention, target: Column) -> bool:
    """Whether words only say that the target is not known: `visits without a rating`, `where the rating is missing`."""
    at = next(i for i, x in enumerate(items) if x is m)
    near = items[at + 1 : at + 2] if m.tag("without") is not None else items[max(0, at - 1) : at + 2]
    says = not m.entries and (m.tag("without") is not None or m.tag("null") is not None)
    return says and any(e.column == target for x in near for e in x.of("column"))


def column_target(items: list[Mention], index: SchemaIndex) -> PredictivePlan:
    """Plan for a column whose missing values are the rows to predict, in its own table.

    Where the question asks what drives the column, it may be known everywhere: nothing is then predicted.
    """
    tables = list(dict.fromkeys(e.table for m in items for e in m.of("table")))
    options = [e.column for m in items for e in m.of("column") if e.column and (not tables or e.table in tables)]
    options = list(dict.fromkeys(options))
    explaining = any(m.tag("drives") is not None for m in items)
    items = _without_class(items, index)
    if not explaining and (first := _first_named(items, tables)) is not None:
        options = [first]
    if len(options) != 1:
        known = tuple(o.name for o in index.facts.outcomes)
        hint = f" What can be predicted here: {', '.join(known)}." if known else ""
        hint += others_hint(items) if not options else ""
        what = "more than one column" if options else "no outcome and no target column"
        raise Unread(Declined(f"This asks for a prediction but names {what}.{hint}", tuple(map(str, options)), known))
    target = options[0]
    rest = [m for m in items if not (m.of("table") or any(e.column == target for e in m.of("column")))]
    rest = [m for m in rest if not _names_the_rows(items, m, target, index) and (m.entries or not _counts(items, m))]
    rest = [m for m in rest if not _unknown_yet(items, m, target)]
    more = [m for m in rest if m.entries or m.number is not None or m.day or m.literal is not None]
    odd = [m.words for m in rest if m not in more and not _framing(m) and not (more and _joins(m))]
    if odd or (more and explaining):
        what = "what drives a column" if explaining else "a prediction of a column"
        said = tuple([*odd, *(m.words for m in more)])
        raise Unread(Declined(f"I read {what} without such conditions only.", said))
    narrowed = _conditions(target, rest, index) if more else ()
    if index.facts.column(target.table, target.name).key:
        raise Unread(Declined(f"{target} is a key, nothing to predict.", (target.name,)))
    rows = (
        narrowed
        or any(m.tag(t) is not None for m in items for t in _OF_ROWS)
        or any(_counts(items, m) for m in items)
        or any(m.words.casefold() in grammar.FORECAST for m in items)  # what is still to come, not what is known
    )
    return _simple(target, index, explaining=explaining, narrowed=narrowed, of_rows=bool(rows))


def _without_class(items: list[Mention], index: SchemaIndex) -> list[Mention]:
    """Return the mentions without the 1 of `the probability that y is 1`: it is what the probability is of.

    Raises:
        Unread: another number is asked for, of which no probability is told.
    """
    for at, (before, m) in enumerate(pairwise(items)):
        column = next((e.column for e in before.of("column") if e.column), None)
        open_ = any(x.tag("predictive") is not None for x in items[:at]) and len(before.entries) == 1
        if not open_ or column is None or m.number is None or m.entries or set(m.gap) - lexicon.MAIN_VERBS - grammar.BE:
            continue
        if not index.is_zero_or_one(column):
            continue
        if m.number != 1:
            told = f"I tell the probability that {column.name} is 1; that of 0 is what is left to 1."
            raise Unread(Declined(told, (m.words,)))
        return [*items[: at + 1], *items[at + 2 :]]
    return items


def _first_named(items: list[Mention], tables: list[str]) -> Column | None:
    """Return the column right after the word for a prediction, where others stand in conditions: `predict x of y`."""
    for before, m in pairwise(items):
        own = {e.column for e in m.of("column") if e.column and (not tables or e.table in tables)}
        if before.tag("predictive") is not None and not before.entries and own and not m.of("table", "value"):
            return own.pop() if len(own) == 1 else None
    return None


def _joins(m: Mention) -> bool:
    return any(m.tag(t) is not None for t in ("cmp", "post", "between", "date", "half", "quarter", "monthname"))


def _names_the_rows(items: list[Mention], m: Mention, target: Column, index: SchemaIndex) -> bool:
    """Whether a key's name stands for the rows themselves: `which jobs` of a table whose key is `job_id`."""
    at = items.index(m)
    after = items[at + 1] if at + 1 < len(items) else None
    own = {e.column for e in m.of("column") if e.table == target.table}
    if len(own) != 1 or m.of("value", "condition", "outcome"):
        return False
    [column] = own
    if column is None:
        return False
    if column != index.key_of(target.table) and not (
        is_name_column(column.name) and index.unique(target.table, column.name)
    ):
        return False
    return after is None or not (after.number is not None or after.literal is not None or after.day or _joins(after))


def _counts(items: list[Mention], m: Mention) -> bool:
    """Whether a number says how many rows are wanted: `the top 5`."""
    at = items.index(m)
    if m.number is None:
        return False
    later = items[at + 1 : at + 3]
    opens = all(x.tag("list") is not None for x in items[:at])
    rows = len(later) == 2 and bool(later[0].of("table")) and later[1].tag("predictive") is not None
    return (opens and rows) or (at > 0 and items[at - 1].tag("top") is not None)


def _conditions(target: Column, rest: list[Mention], index: SchemaIndex) -> tuple[Filter, ...]:
    """Return the conditions on the rows to predict, which must be on the target's own table."""
    noun = Mention(target.table, entries=(Entry("table", target.table),))
    asks = ("predictive", "why", "list", "top", "super", "most", "null", "notnull", "count")
    kept = [m for m in rest if m.entries or not any(m.tag(t) is not None for t in asks)]
    draft = Grammar([noun, *kept], index).read()
    if draft.measures or draft.keys or draft.shown or draft.order:
        said = tuple(m.words for m in kept)
        raise Unread(
            Declined("I read a prediction of a column with conditions only, not with groups or figures.", said)
        )
    found = Resolver(draft, index).reading()
    if (
        found.links
        or any(f.home != target.table or f.op == "any" for f in found.filters)
        or found.table != target.table
    ):
        raise Unread(Declined(f"I narrow a prediction of {target} by columns of {target.table} only.", (target.name,)))
    return found.filters


def _framing(m: Mention) -> bool:
    return any(
        m.tag(t) is not None
        for t in (
            "null",
            "notnull",
            "not",
            "predictive",
            "drives",
            "why",
            "list",
            "top",
            "super",
            "most",
            "and",
            "in",
            "to",
            "by",
            "count",
            "or",
        )
    )


def _as_number(target: Column, counted: tuple[int, int, int], of_rows: bool, index: SchemaIndex) -> bool:
    """Return whether a column is predicted as a number, and not as a class; `counted`: rows, those known, values.

    Raises:
        Unread: it can't be predicted, or rows are asked for and it is known of all.
    """
    n, filled, kinds = counted
    if filled == n and of_rows:
        raise Unread(
            Declined(
                f"{target} is known in all {n:,} rows; there is no row to predict it for. "
                f"'{_asks('predict', target, index)}' tells how well the other columns tell it, "
                f"'{_asks('what drives', target, index)}' what moves it.",
                (target.name,),
            )
        )
    if kinds < 2:
        raise Unread(
            Declined(
                f"{target} has {kinds} different value(s) in {filled:,} known rows, so there is nothing to learn.",
                (target.name,),
            )
        )
    coded = target.type == "text" or bool(index.facts.column(target.table, target.name).codes)
    regression = target.type == "number" and kinds > 2 and not coded  # of two values: yes or no
    most = MOST_KINDS if coded else 2
    if target.type == "date" or (not regression and kinds > most):
        can = f"numbers, and text of up to {MOST_KINDS} classes"
        raise Unread(Declined(f"{target} has {kinds} classes; I predict {can}.", (target.name,)))
    return regression


def _simple(
    target: Column, index: SchemaIndex, *, explaining: bool = False, narrowed: tuple[Filter, ...] = (),
    of_rows: bool = False,
) -> PredictivePlan:  # fmt: skip
    table, t = target.table, quote(target.table)
    c = quote(target.name)
    counts = f"SELECT count(*) AS n, count({c}) AS filled, count(DISTINCT {c}) AS kinds FROM {t}"
    n, filled, kinds = (int(x) for x in index.reads.one(counts, table))
    regression = _as_number(target, (n, filled, kinds), of_rows and not explaining, index)
    key, source = _known_by(target, n, index)
    numbered = source != t
    times = [x for x in index.columns[table].values() if x.type == "date" and not index.has_gaps(x)]
    kept, left = features_of(target, key, times, filled, n - filled, index)
    own = [x.name for x in (key, target, *times, *kept)]
    parents = parents_of(table, own, of_a_parent(target, filled, index), index)
    left += parents.left
    if not (kept or parents.select):
        why = "".join(f" {what}: {reason}." for what, reason in left)
        raise Unread(Declined(f"{table} has no other column to predict {target.name} from.{why}", (table,)))
    time = times[0] if len(times) == 1 else None
    shown = [key, *([time] if time else []), *kept]
    whose = f"{t}." if parents.joins else ""  # a name of one table needs no table before it
    of_parents = [e if e.split(".", 1)[1] == quote(n) else f"{e} AS {quote(n)}" for e, n in parents.select]
    columns = ",\n       ".join([*(f"{whose}{quote(x.name)}" for x in shown), *of_parents])
    source = "\n".join([source, *parents.joins])
    order = f"ORDER BY {whose}{quote(key.name)}"
    task = {
        "task_type": "regression" if regression else "classification",
        "target_column": target.name,
        "entity_column": key.name,
        "time_column": time.name if time else None,
        "labelled_text": f"rows with {target.name} known",
        "scored_text": f"rows with {target.name} missing",
        "positive_text": "positive",
        "already_text": "",
        "show": [],
    }
    known = f"SELECT {columns},\n       {whose}{c}\nFROM {source}\nWHERE {whose}{c} IS NOT NULL\n{order}"
    held = "".join(f"\n  AND {condition(f, whose)}" for f in narrowed)
    among = ", ".join(_said(f, table) for f in narrowed)
    missing = f"SELECT {columns}\nFROM {source}\nWHERE {whose}{c} IS NULL{held}\n{order}"
    open_ = int(index.engine.query(f"SELECT count(*) AS n FROM {t} WHERE {whose}{c} IS NULL{held}").iloc[0, 0])
    if filled < n and not open_:
        raise Unread(Declined(f"No row of {table} with {among} has {target.name} missing.", (target.name,)))
    if filled == n or explaining:  # what moves it is told of the rows where it is known, be they all or not
        missing = ""
    if filled == n and not explaining:
        known_of = f"{target} is known in all {n:,} rows, so there is none to predict it for"
        task["measured_text"] = f"{known_of}: this is how well the other columns tell it."
    read_as = (
        f"what moves {target.name}, learned from the {filled:,} rows of {table}"
        + ("" if filled == n else f" where it is known ({n - filled:,} without it are left out)")
        if explaining
        else f"how well {target.name} can be predicted, learned from the {n:,} rows of {table}, all of which have it"
        if filled == n
        else f"{target.name} of the {open_:,} rows of {table} where it is missing{', with ' * bool(among)}{among}, "
        f"learned from the {filled:,} where it is known"
    )
    if regression and kinds <= FEW_NUMBERS:
        read_as += f"; {target.name}, with {kinds} different values, is taken as a number"
    warnings = [
        f"nothing says when the columns of {table} were known: a column filled in after {target.name} would look ahead"
    ]
    if numbered:
        warnings.append(f"no column identifies a row of {table}, so {key.name} is the row number, counted from 0")
    ways = _other_ways(target, index, explaining=explaining, narrowed=bool(narrowed), open_=filled < n)
    return PredictivePlan(
        table, known, missing, "", task, tuple(left), read_as, warnings=tuple(warnings), readings=ways
    )  # fmt: skip


def _asks(words: str, target: Column, index: SchemaIndex) -> str:
    """Return the question that asks for a column by its own name, with its table where another has that name."""
    name = " ".join(name_words(target.name))
    twice = any(c.name.casefold() == target.name.casefold() for t in index.columns if t != target.table
                for c in index.columns[t].values())  # fmt: skip
    return f"{words} {name}" + (f" of {' '.join(name_words(target.table))}" if twice else "")


def _other_ways(
    target: Column, index: SchemaIndex, *, explaining: bool, narrowed: bool, open_: bool
) -> tuple[tuple[str, str], ...]:
    """Return (what else of the column can be asked for, the question that does)."""
    name, predict = target.name, _asks("predict", target, index)
    if explaining:
        told = f"{name} of the rows where it is missing" if open_ else f"how well {name} can be predicted"
        return ((told, predict),)
    every = ((f"{name} of every row where it is missing", predict),) if narrowed else ()
    return (*every, (f"what moves {name} where it is known", _asks("what drives", target, index)))


def _known_by(target: Column, n: int, index: SchemaIndex) -> tuple[Column, str]:
    """Return the column that tells the rows apart and what is read: the table, or that with its rows numbered.

    A number that merely differs in every row, as a measurement does, stays a feature: it tells of the row.
    """
    table, t = target.table, quote(target.table)
    others = [x for x in index.columns[table].values() if x != target]
    key = index.key_of(table) or next((x for x in others if _looks_like_a_key(x, n, index)), None)
    if key is not None:
        return key, t
    taken = {name.casefold() for name in index.columns[table]}
    name = next(w for w in chain(("row", "row_number"), (f"row_{i}" for i in count(2))) if w not in taken)
    return Column(table, name, "number"), f"(SELECT row_number() OVER () - 1 AS {quote(name)}, * FROM {t}) AS {t}"


def _looks_like_a_key(x: Column, n: int, index: SchemaIndex) -> bool:
    """Whether a column differs in every row and is text, a number named like a key, or a count of the rows."""
    if x.type not in ("number", "text") or not index.unique(x.table, x.name):
        return False
    if x.type == "text":
        return True
    if not index.whole(x):
        return False
    if ID_NAME.search(x.name) or NUMBER_NAME.search(x.name):
        return True
    c = quote(x.name)
    span = index.reads.one(f"SELECT max({c}) - min({c}) + 1 AS span FROM {quote(x.table)}", x.table)[0]
    return n >= FEW_ROWS and span == n
