"""A question for an explanation: what drives an outcome, how a feature affects it, what would have to change."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from lexsi_nb.grounding.language import conversation, grammar, lexicon, retold
from lexsi_nb.grounding.mentions import TAGS, mentions
from lexsi_nb.grounding.reading import PredictivePlan
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.names import quote
from lexsi_nb.grounding.words import Token, place, tokens

Kind = Literal["reasons", "drivers", "feature", "change"]


@dataclass(frozen=True)
class Explained:
    """What is to be explained of the predictive question `question`.

    reasons, change: of one case, by its place in the ranking or its id; `keep` are columns that must not change,
    `toward` and `mark` the way and the score that a change should reach. feature: how that one moves the scores.
    `alone`: the predictive question was not asked before.
    """

    question: str
    place: int = 0
    case: int | str = ""
    kind: Kind = "reasons"
    feature: str = ""
    keep: tuple[str, ...] = ()
    toward: Literal["lower", "higher"] = "lower"
    mark: float | None = None
    alone: bool = False


def asked(base: str, question: str, index: SchemaIndex, read: Callable[[str], Any]) -> Explained | None:
    """Return which explanation a question asks for; None where it asks for something else.

    base: the question before it, which it may lean on; "" without one.
    """
    text = " ".join(question.split()).rstrip(" ?.!")
    for kind, pattern in lexicon.EXPLANATIONS:
        if (match := re.fullmatch(pattern, text, re.IGNORECASE)) is None:
            continue
        if kind == "reasons":
            if (one := reasons_of(match.groupdict().get("case") or "", base, index, read)) is not None:
                return one
            continue
        said = {k: v if k == "case" else (v or "").casefold() for k, v in match.groupdict().items()}
        if kind == "change":
            found = _change(said, text)
        elif kind in ("feature", "association"):
            found = Explained("", kind="feature", feature=_column(said["feature"], index))
        else:
            found = Explained("", kind="drivers")
        if found is None:
            continue
        what = said.get("what") or ""
        about = _about(what, base, question if kind == "drivers" else "", index, read)
        if kind == "association" and about is not None and about[1] and _on_a_scale(what, index):
            return None  # "how does the wait vary with the fee": how two columns go together, and nothing was predicted
        if about is not None and kind == "drivers" and not what and about[0] not in (base, question):
            continue  # "what matters most?", of nothing that was predicted
        if about is not None and _of_rows(said.get("rows") or "", about[0], index, read):
            fields = {k: v for k, v in vars(found).items() if k not in ("question", "alone")}
            return Explained(about[0], alone=about[1], **fields)
    return None


def _about(
    what: str, base: str, itself: str, index: SchemaIndex, read: Callable[[str], Any]
) -> tuple[str, bool] | None:  # fmt: skip
    """Return (the predictive question that is meant, whether it was not asked before), None where there is none."""
    if itself and isinstance(read(itself), PredictivePlan):
        return itself, True
    plain = re.sub(rf"^(?:{'|'.join(lexicon.DETERMINERS)})\s+", "", what)
    if plain and plain not in lexicon.RISK and not all("predictive" in TAGS.get((w,), ()) for w in plain.split()):
        items = mentions(plain, index).items
        if any(m.of("outcome") for m in items):
            return retold.PREDICT.format(plain), True
        columns = {e.column for m in items for e in m.of("column")}
        if len(columns) == 1 and not index.facts.outcomes:
            return retold.DRIVES.format(plain), True
        return None
    if base and isinstance(read(base), PredictivePlan):
        return base, False
    outcomes = [o for o in index.facts.outcomes if o.entity_table in index.columns]
    return (retold.PREDICT.format(outcomes[0].name), True) if len(outcomes) == 1 else None


def _on_a_scale(what: str, index: SchemaIndex) -> bool:
    """Whether what depends on something is a column that no model tells apart by classes, and no outcome."""
    items = mentions(what, index).items
    columns = [e.column for m in items for e in m.of("column") if e.column is not None]
    scales = [c for c in columns if c.type == "number" and not index.is_zero_or_one(c)]
    return bool(scales) and not any(m.of("outcome") for m in items)


def _of_rows(rows: str, about: str, index: SchemaIndex, read: Callable[[str], Any]) -> bool:
    """Whether rows that are named, if any, are those that the predictive question is about."""
    plan = read(about) if rows else None
    return not rows or (isinstance(plan, PredictivePlan) and _tables(rows, index) == {plan.table})


def _tables(word: str, index: SchemaIndex) -> set[str]:
    return {e.table for e in index.lookup([word.casefold()]) if e.kind == "table"}


def reasons_of(case: str, base: str, index: SchemaIndex, read: Callable[[str], Any]) -> Explained | None:
    """Return the explanation of one case: its place in the ranking before, or its id with a word for its rows.

    Without any words for a case it is that of the ranking before: its only row, or its highest.
    """
    plan = read(base) if base else None
    ranked = plan if isinstance(plan, PredictivePlan) else None
    if not case:
        return None if ranked is None else Explained(base, place=int(ranked.top_k == 1))
    words = [t for t in tokens(case) if t.kind != "sign"]
    places = [n for t in words if (n := _place(t.low, ranked))]
    numbers = [i for i, t in enumerate(words) if t.kind in ("number", "quoted")]
    numbers = [i for i in numbers if not (places and words[i].low in grammar.ONE)]
    tables = {name for t in words for name in _tables(t.low, index)}
    passing = lexicon.STOP | lexicon.RISK | lexicon.SAID_HIGH | lexicon.SAID_LOW | conversation.OF_CASE
    for i, t in enumerate(words):
        told = i in numbers or _place(t.low, ranked) or t.low in (passing | {*lexicon.DETERMINERS} | grammar.ONE)
        if not (told or any(e.kind in ("table", "outcome") for e in index.lookup([t.low]))):
            return None
    if len(places) + len(numbers) != 1 or (ranked is not None and tables - {ranked.table}):
        return None
    if places:
        return None if ranked is None else Explained(base, place=places[0])
    return _numbered(words, numbers[0], tables, base, ranked, index)


def _numbered(
    words: list[Token], at: int, tables: set[str], base: str, ranked: PredictivePlan | None, index: SchemaIndex
) -> Explained | None:
    """Return the explanation of a case with a number: its place where that is said, or else its id."""
    case = words[at].value
    by_place = at > 0 and words[at - 1].low in conversation.NUMBERED and not tables
    if ranked is not None and by_place and isinstance(case, int) and case <= ranked.top_k:
        return Explained(base, place=case)
    if ranked is not None and _scores(ranked, case, index):
        return Explained(base, case=case)
    outcomes = [o for o in index.facts.outcomes if o.entity_table in index.columns]
    if len(outcomes) == 1 and tables == {outcomes[0].entity_table}:
        return Explained(retold.PREDICT.format(outcomes[0].name), case=case, alone=True)
    if ranked is not None and not tables and isinstance(case, int) and case <= ranked.top_k:
        return Explained(base, case=case) if _names_a_row(ranked, case, index) else Explained(base, place=case)
    return None if ranked is None else Explained(base, case=case)


def _place(word: str, ranked: PredictivePlan | None) -> int:
    """Return the place that a word says, 0 for none: the second, the last, the top one."""
    if ranked is not None and word in conversation.AT_THE_END:
        return ranked.top_k
    return 1 if word in conversation.AT_THE_TOP else place(word) or 0


def _scores(plan: PredictivePlan, case: Any, index: SchemaIndex) -> bool:
    """Whether a case is among the rows that a plan scores."""
    key = str(plan.task["entity_column"])
    return bool(plan.predict_sql) and case in index.engine.query(plan.predict_sql)[key].tolist()


def _names_a_row(plan: PredictivePlan, case: int, index: SchemaIndex) -> bool:
    """Whether a number is the key of a row, scored or not: then it is no place of the ranking."""
    key, table = str(plan.task["entity_column"]), plan.table
    if key not in index.columns.get(table, {}):
        return False
    return bool(index.reads.one(f"SELECT count(*) FROM {quote(table)} WHERE {quote(key)} = {case}", table)[0])


def _change(said: dict[str, str | None], text: str) -> Explained | None:
    """Return the counterfactual that is asked for; None without exactly one case."""
    case, keep = said.get("case") or "", []
    for pattern in lexicon.UNCHANGED:
        while (match := re.search(pattern, case, re.IGNORECASE)) is not None:
            keep += [c for c in grammar.BETWEEN_KEPT.split(match["keep"].strip()) if c]
            case = f"{case[: match.start()]} {case[match.end() :]}"
    mark = None
    if (match := grammar.MARK.search(case)) is not None:
        mark = float(match[1].rstrip("% ")) / (100 if match[1].endswith("%") else 1)
        case = f"{case[: match.start()]} {case[match.end() :]}"
    words = [t for t in tokens(case) if t.kind != "sign"]
    places = [n for t in words if (n := place(t.low))]
    ids = [t.value for t in words if t.kind in ("number", "quoted") and not (places and t.low in grammar.ONE)]
    if len(places) + len(ids) != 1:
        return None
    way = said.get("toward") or next((w for w in re.findall(r"[^\W\d_]+", text.casefold()) if w in lexicon.UPWARD), "")
    kept = tuple(re.sub(rf"^(?:{'|'.join(lexicon.DETERMINERS)})\s+", "", k).replace(" ", "_") for k in keep)
    return Explained(
        "", place=places[0] if places else 0, case=ids[0] if ids else "", kind="change", keep=kept,
        toward="higher" if way in lexicon.UPWARD else "lower", mark=mark,
    )  # fmt: skip


def _column(words: str, index: SchemaIndex) -> str:
    """Return the column that is called so, by the name it has in the data; the words where that is open."""
    plain = re.sub(rf"^(?:{'|'.join(lexicon.DETERMINERS)})\s+", "", words)
    items = mentions(plain, index).items
    names = {e.column.name for m in items for e in m.of("column") if e.column is not None}
    if len(items) == 2 and items[0].of("table"):
        tables = {e.table for e in items[0].of("table")}
        names = {e.column.name for e in items[1].of("column") if e.column is not None and e.table in tables} or names
    return names.pop() if len(names) == 1 else plain
