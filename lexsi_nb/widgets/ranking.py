"""The ranked cases of a predictive answer as rows that HTML, text and the live table share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.results import Attribution, Reason, Table
from lexsi_nb.artifacts.wording import BRIEF
from lexsi_nb.widgets.cell import cell_text

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

REASONS = 2  # each way
NOISE = 0.05  # a contribution below this share of the case's largest is no reason
UP, DOWN = "\u25b2", "\u25bc"
MOVED = "what moved it"
DECIMALS, MOST_DECIMALS = 3, 6  # of a score: more where it takes them to tell the shown ones apart
UNCALIBRATED = "model score, not a calibrated probability"


@dataclass(frozen=True)
class RankedCase:
    """A row of the ranking: rank as shown, id, score as shown and as a share of 1, what moved it, kept columns."""

    rank: str
    case: str
    score: str
    share: float | None
    moved: tuple[Reason, ...]
    kept: tuple[str, ...]
    attribution: Attribution | None


@dataclass(frozen=True)
class Ranking:
    """The rows with the names of their columns; `hint` says what the score is, `note` that some are equal."""

    entity: str
    score: str
    hint: str
    kept: tuple[str, ...]
    rows: tuple[RankedCase, ...]
    note: str

    def first(self, most: int, *, explained: int | None = None) -> Ranking:
        """Return the first rows of it, which the note says; `explained`: how many explanations are kept."""
        rows = self.rows[:most]
        if explained is not None:
            kept = [r.case for r in rows if r.attribution is not None][:explained]
            rows = tuple(r if r.case in kept else replace(r, attribution=None) for r in rows)
        left = len(self.rows) - len(rows)
        said = f"The first {most} of {len(self.rows):,}; the variable has all." if left else ""
        return replace(self, rows=rows, note=" ".join(n for n in (self.note, said) if n))


def ranking_of(run: Run) -> Ranking | None:
    """Return the ranking a run made, or None when it made none."""
    tables = [s.artifact for s in run.artifacts if s.tool == "predict" and isinstance(s.artifact, Table)]
    if not tables:
        return None
    frame, units = tables[-1].frame, tables[-1].units
    rate = "probability" in frame.columns
    score = "probability" if rate else "prediction"
    entity = str(frame.columns[0]) if frame.columns[0] != "rank" else str(frame.columns[1])
    kept = tuple(str(c) for c in frame.columns if c not in (entity, score, "rank"))
    whys = {a.case: a for a in run.of(Attribution)}
    scores = frame[score].tolist()
    decimals, ranks = score_decimals(scores), shared_ranks(scores, range(len(scores)))
    rows = []
    for at, row in enumerate(frame.to_dict("records")):
        why = whys.get(str(row[entity]))
        rows.append(
            RankedCase(
                ranks[at],
                str(row[entity]),
                f"{row[score]:.{decimals}f}" if rate else cell_text(row[score]),
                float(row[score]) if rate else None,
                moved(why) if why else (),
                tuple(cell_text(row[c]) for c in kept),
                why,
            )
        )
    heads = tuple(f"{c} ({units[c]})" if c in units else c for c in kept)
    hint = UNCALIBRATED if "not calibrated" in run.facts.get(BRIEF, ()) else "calibrated probability" if rate else ""
    return Ranking(entity, "score" if rate else score, hint, heads, tuple(rows), tied(scores, entity))


def score_decimals(scores: Sequence[float]) -> int:
    """Return the decimals that tell scores apart which are not equal: from 3, at most 6.

    >>> score_decimals([0.5, 0.25]), score_decimals([0.51432, 0.51429]), score_decimals([0.5, 0.5])
    (3, 5, 3)
    """
    different = len(set(scores))
    return next(
        (d for d in range(DECIMALS, MOST_DECIMALS) if len({f"{s:.{d}f}" for s in scores}) == different), MOST_DECIMALS
    )


def shared_ranks(scores: Any, places: Sequence[int]) -> list[str]:
    """Return the ranks of rows by place among scores, highest first; equal ones share a rank: `1=`.

    >>> shared_ranks([0.9, 0.8, 0.8, 0.1], range(4))
    ['1', '2=', '2=', '4']
    """
    found, n = [], len(scores)
    for place in places:
        first = bisect_left(range(n), -scores[place], key=lambda i: -scores[i])
        shared = first < place or (place + 1 < n and scores[place + 1] == scores[place])
        found.append(f"{first + 1:,}{'=' * bool(shared)}")
    return found


def tied(scores: Sequence[float], entity: str) -> str:
    """Return that shown scores are equal, and what orders them then; "" where all differ."""
    if len(set(scores)) == len(scores):
        return ""
    if len(set(scores)) == 1:
        return f"These {len(scores)} scores are equal; their order is by {entity}."
    return f"Equal scores share a rank (=); their order is by {entity}."


def moved(attribution: Attribution) -> tuple[Reason, ...]:
    """Return the strongest reasons that raise, then those that lower the score of a case."""
    floor = NOISE * max((abs(r.contribution) for r in attribution.reasons), default=0.0)
    sides = (attribution.raises[:REASONS], attribution.lowers[:REASONS])
    return tuple(r for side in sides for r in side if abs(r.contribution) >= floor)


def arrow(reason: Reason) -> str:
    """Return which way a reason moved the score, and its name."""
    return f"{UP if reason.contribution > 0 else DOWN}\u00a0{reason.feature}"


def moved_text(reasons: Sequence[Reason], *, values: bool = True) -> str:
    """Return reasons as words, as in `▲ amount 298,020 ▼ age 31`; without `values` their names alone."""
    return "  ".join(f"{arrow(r)} {r.value}" if values else arrow(r) for r in reasons)


def moved_title(reasons: Sequence[Reason]) -> str:
    """Return the values and contributions of reasons, for where the pointer rests."""
    return "; ".join(f"{r.feature} {r.value}: {r.contribution:+.2f}" for r in reasons)
