"""The platform's SHAP values under our names; what they add up to is found out, not assumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from lexsi_nb.modeling.backend import Cancelled as Poll
from lexsi_nb.modeling.backend import Explained, Tick, Trained
from lexsi_nb.modeling.cases import reasons
from lexsi_nb.modeling.lexsi.account import Account
from lexsi_nb.modeling.lexsi.failures import PlatformFailed
from lexsi_nb.modeling.lexsi.normal import contributions_of
from lexsi_nb.modeling.lexsi.scoring import Scored, Sent
from lexsi_nb.modeling.lexsi.standing import Kept, StandingProject, counted
from lexsi_nb.modeling.lexsi.ticket import working

if TYPE_CHECKING:
    from lexsi_nb.artifacts.cells import CodeCell

T = TypeVar("T")
PROBES = 4  # cases that tell what SHAP values add up to
SAME = 1e-3  # how far base values of one model may lie apart
LOG_ODDS, SCORE, UNKNOWN = "log-odds", "the score", "SHAP units of the platform"


@dataclass(frozen=True)
class Told:
    """What the platform tells about a case beside its SHAP values."""

    summary: str
    similar: list[dict[str, Any]]


def ids_column(trained: Trained, data: Any) -> Any:
    """Return the ids of the rows: the entity, or row numbers."""
    import pandas as pd

    return data[trained.entity] if trained.entity is not None else pd.Series(range(len(data)), name="row")


def case_of(account: Account, kept: Kept, trained: Trained, sent: Sent, case: str) -> Any:
    """Return one case as the platform tells it; runs inside `calls.run`."""
    model = trained.model
    project = StandingProject(account, model["project"], kept)
    return project.case_predict(case, tag=sent.tag, model_name=model["model_name"], xai=["shap"])


def shap_of(account: Account, kept: Kept, trained: Trained, sent: Sent, case: str) -> dict[str, float]:
    """Return the SHAP values of a case by feature. Raises: PlatformFailed: there are none."""
    found = contributions_of(case_of(account, kept, trained, sent, case).shap_feature_importance, 1)
    features = set(map(str, trained.features))
    if not features & set(found):
        raise PlatformFailed(
            f"Lexsi gave no SHAP values for case {case}.",
            f"It named: {', '.join(list(found)[:5]) or 'nothing'}.", "Ask again.",
        )  # fmt: skip
    return {f: v for f, v in found.items() if f in features}


def unit_of(
    account: Account, kept: Kept, trained: Trained, sent: Sent, made: Scored, wanted: Sequence[str], tick: Tick,
    cancelled: Poll,
) -> str:  # fmt: skip
    """Return what SHAP values of this model add up to: log-odds, the score, or units that are not known.

    The platform does not say. Where the score less the sum of the values is the same for a few cases, that is it.
    """
    model = trained.model
    key = (model["project"], model["model_name"])
    if key in kept.units:
        return kept.units[key]
    probes = list(dict.fromkeys([*wanted[: PROBES + 1], *sent.ids[: 2 * PROBES]]))[: PROBES + 1]

    def sum_of(case: str) -> float | None:
        try:
            return sum(shap_of(account, kept, trained, sent, case).values())
        except PlatformFailed:  # where the case was asked for, its explanation says so
            return None

    sums = each(account, sum_of, probes, "asking for SHAP values", tick, cancelled)
    known = [(made.scores[c], s) for c, s in zip(probes, sums, strict=True) if s is not None]
    unit = unit_from([p for p, _ in known], [s for _, s in known], regression=trained.task == "regression")
    if unit != UNKNOWN:
        kept.units[key] = unit
    return unit


def unit_from(scores: Sequence[float], sums: Sequence[float], *, regression: bool) -> str:
    """Return the unit in which scores less sums are one base value."""
    import math

    def apart(raw: list[float]) -> float:
        bases = [r - s for r, s in zip(raw, sums, strict=True)]
        return max(bases) - min(bases)

    if len(scores) < 2:
        return UNKNOWN
    if not regression and all(0 < p < 1 for p in scores):
        odds = [math.log(p / (1 - p)) for p in scores]
        if apart(odds) <= SAME * max(1.0, max(map(abs, odds))):
            return LOG_ODDS
    return SCORE if apart(list(scores)) <= SAME * max(1.0, max(map(abs, scores))) else UNKNOWN


def explained(
    trained: Trained, rows: Any, table: Any, cell: CodeCell, made: Scored, wanted: Sequence[str], unit: str,
    columns: tuple[str, str, str], frame_name: str, top: int,
) -> Explained:  # fmt: skip
    """Return the attributions with reasons a case and importance."""
    import numpy as np

    entity, base, raw = columns
    features = list(trained.features)
    contributions = table[features].to_numpy(dtype="float64")
    scores = np.array([made.scores[c] for c in wanted])
    cases = reasons(
        table[entity].tolist(), rows[features], contributions, table[base].to_numpy(), table[raw].to_numpy(), scores,
        top=top,
    )  # fmt: skip
    mean = np.abs(contributions).mean(axis=0)
    importance = tuple((str(features[i]), float(mean[i])) for i in np.argsort(-mean, kind="stable"))
    said = {SCORE: f"units of {trained.target}" if trained.task == "regression" else "probability"}.get(unit, unit)
    warnings = () if unit != UNKNOWN else ("The platform does not say what its SHAP values add up to.",)
    return Explained(
        trained.model_id, table, entity, base, raw, said, cases, importance, cell, frame_name,
        trained.name("attributions"), warnings,
    )  # fmt: skip


def told(
    account: Account, kept: Kept, trained: Trained, sent: Sent, wanted: Sequence[str], tick: Tick, cancelled: Poll
) -> dict[str, Told]:
    """Return summary and similar cases of each case, asked for a few at once."""

    def one(case: str) -> Told:
        found = case_of(account, kept, trained, sent, case)
        text = found.xai_summary() if found.data_id else ""
        similar = found.xai_similar_cases()
        # A sentence stands there where the platform has none.
        rows = similar.to_dict("records") if hasattr(similar, "to_dict") else []
        return Told(" ".join(str(text or "").split()), rows)

    return dict(zip(wanted, each(account, one, wanted, "asking for summaries", tick, cancelled), strict=True))


def each(
    account: Account, ask: Callable[[str], T], cases: Sequence[str], what: str, tick: Tick, cancelled: Poll
) -> list[T]:
    """Return what `ask` gives for each case, a few asked for at once; in one call of ours that stops with them."""

    def act() -> list[T]:
        ticket = account.wire.ticket
        done = counted(ticket, len(cases))

        def one(case: str) -> T:
            with working(ticket):
                found = ask(case)
            done()
            return found

        with ThreadPoolExecutor(account.place.parallel) as pool:
            return list(pool.map(one, cases))

    return account.calls.run(act, what, tick=tick, cancelled=cancelled)
