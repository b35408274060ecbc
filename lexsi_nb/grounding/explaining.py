"""A question for an explanation: what drives an outcome, how a feature affects it, what would have to change."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from lexsi_nb.grounding.index import SchemaIndex
from lexsi_nb.grounding.language import grammar, lexicon, retold
from lexsi_nb.grounding.mentions import mentions
from lexsi_nb.grounding.reading import PredictivePlan
from lexsi_nb.grounding.words import place, tokens

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
        said = {k: v if k == "case" else (v or "").casefold() for k, v in match.groupdict().items()}
        if kind == "change":
            found = _change(said, text)
        elif kind == "feature":
            found = Explained("", kind="feature", feature=_column(said["feature"], index))
        else:
            found = Explained("", kind="drivers")
        if found is None:
            continue
        about = _about(said.get("what") or "", base, question if kind == "drivers" else "", index, read)
        if about is not None:
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
    if plain and plain not in lexicon.RISK:
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
