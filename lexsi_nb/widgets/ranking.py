"""The ranked cases of a predictive answer as rows that HTML and text share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexsi_nb.artifacts.results import Attribution, Reason, Table
from lexsi_nb.widgets.cell import cell_text

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run

REASONS = 2
NOISE = 0.05  # a contribution below this share of the case's largest is no reason


@dataclass(frozen=True)
class RankedCase:
    """A row of the ranking: position from 1, id, kept columns, score as shown, reasons each way."""

    position: int
    case: str
    kept: tuple[str, ...]
    score: str
    raises: tuple[str, ...]
    lowers: tuple[str, ...]
    attribution: Attribution | None


@dataclass(frozen=True)
class Ranking:
    """The rows with the names of their columns."""

    entity: str
    kept: tuple[str, ...]
    rows: tuple[RankedCase, ...]


def ranking_of(run: Run) -> Ranking | None:
    """Return the ranking a run made, or None when it made none."""
    tables = [s.artifact for s in run.artifacts if s.tool == "predict" and isinstance(s.artifact, Table)]
    if not tables:
        return None
    frame, units = tables[-1].frame, tables[-1].units
    score = "probability" if "probability" in frame.columns else "prediction"
    entity = str(frame.columns[0]) if frame.columns[0] != "rank" else str(frame.columns[1])
    kept = tuple(str(c) for c in frame.columns if c not in (entity, score, "rank"))
    whys = {a.case: a for a in run.of(Attribution)}
    rows = []
    for at, row in enumerate(frame.to_dict("records"), 1):
        why = whys.get(str(row[entity]))
        raises, lowers = reasons_of(why) if why else ((), ())
        shown = f"{row[score]:.2f}" if score == "probability" else cell_text(row[score])
        rows.append(
            RankedCase(
                at,
                str(row[entity]),
                tuple(cell_text(row[c]) for c in kept),
                shown,
                raises,
                lowers,
                why,
            )
        )
    heads = tuple(f"{c} ({units[c]})" if c in units else c for c in kept)
    return Ranking(entity, heads, tuple(rows))


def reasons_of(attribution: Attribution) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the strongest reasons (that raise, that lower) of a case, as words."""
    floor = NOISE * max((abs(r.contribution) for r in attribution.reasons), default=0.0)
    return _reasons(attribution.raises, floor), _reasons(attribution.lowers, floor)


def _reasons(reasons: list[Reason], floor: float) -> tuple[str, ...]:
    return tuple(f"{r.feature} {r.value}" for r in reasons[:REASONS] if abs(r.contribution) >= floor)
