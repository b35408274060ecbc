"""Rows to the platform and their scores back; the same rows go up once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexsi_nb.modeling.backend import Cancelled as Poll
from lexsi_nb.modeling.backend import Tick, Trained
from lexsi_nb.modeling.cases import id_text
from lexsi_nb.modeling.lexsi import sdk
from lexsi_nb.modeling.lexsi.account import Account
from lexsi_nb.modeling.lexsi.calls import with_reason
from lexsi_nb.modeling.lexsi.failures import JobFailed
from lexsi_nb.modeling.lexsi.normal import Answer, answer_of, complete
from lexsi_nb.modeling.lexsi.standing import Kept, StandingProject
from lexsi_nb.modeling.lexsi.tables import features_of, ids_of, tag_of


@dataclass(frozen=True)
class Sent:
    """A table as it is sent to be scored: id and features."""

    table: Any
    tag: str
    ids: tuple[str, ...]
    id_column: str
    by_entity: bool


@dataclass(frozen=True)
class Scored:
    """The answer to it: `scores` by id, and where they stand in the answer."""

    scores: dict[str, float]
    answer: Answer


def rows_of(trained: Trained, data: Any) -> Sent:
    """Return the rows of a frame as they are sent; nothing is sent."""
    words = [f for f in trained.features if f in trained.categories]
    ids, _, by_entity = ids_of(data, trained.entity, trained.features, trained.target)
    table = features_of(data, trained.features, words)
    column = trained.model["id_column"]
    table.insert(0, column, list(ids))
    return Sent(table, tag_of(table, "p"), ids, column, by_entity)


def upload(project: Any, table: Any, tag: str) -> bool:
    """Return whether the rows of a tag were sent; not where they are there already."""
    if tag in (project.tags() or []):
        return False
    project.upload_data(table, tag)
    return True


def inferred(account: Account, kept: Kept, model: dict[str, Any], table: Any, tag: str) -> Any:
    """Return the platform's answer for the rows of a tag; runs inside `calls.run`."""
    project = account.project(model["project"])
    standing = StandingProject(account, model["project"], kept)
    if (model["project"], model["model_name"], tag) not in kept.inferences:
        upload(project, table, tag)
    try:
        scored = standing.model_inference(model["compute"], tag=tag, model_name=model["model_name"])
        complete(scored, tuple(table[model["id_column"]]), model["id_column"], "the inference")
    except Exception as error:
        kept.inferences.pop((model["project"], model["model_name"], tag), None)
        if isinstance(error, JobFailed):
            raise with_reason(error, project, sdk.load().logs) from None
        raise
    return scored


def score(account: Account, kept: Kept, trained: Trained, sent: Sent, tick: Tick, cancelled: Poll) -> Scored:
    """Return the scores of the rows.

    Raises: PlatformFailed: the inference failed, or is not one score a row.
    """
    scored = account.calls.run(
        lambda: inferred(account, kept, trained.model, sent.table, sent.tag),
        f"scoring {len(sent.ids):,} rows", tick=tick, cancelled=cancelled,
    )  # fmt: skip
    return read(scored, sent.id_column, tuple(map(str, sent.table.columns)), regression=trained.task == "regression")


def read(scored: Any, id_column: str, columns: tuple[str, ...], *, regression: bool) -> Scored:
    """Return the scores in an answer."""
    answer = answer_of(scored, sent=columns, regression=regression)
    values = scored[answer.score].astype("float64")
    if answer.of_predicted:
        values = values.where(scored[answer.predicted].map(id_text) == "1", 1 - values)
    ids = [id_text(v) for v in scored[id_column].tolist()]
    return Scored(dict(zip(ids, values.tolist(), strict=True)), answer)
