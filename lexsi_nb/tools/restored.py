"""Models and scores of a run that another kernel parked: made again as they were, and held to be the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import RunFailed, StaleResult
from lexsi_nb.modeling.backend import TrainSpec
from lexsi_nb.tools.context import StepContext
from lexsi_nb.tools.project import project_of

if TYPE_CHECKING:
    from lexsi_nb.modeling.backend import Predicted, Trained

LOCAL = "embedded"  # trains the same model again; elsewhere that would cost money and give another


def keep_training(ctx: StepContext, model_id: str, spec: TrainSpec) -> None:
    """Keep how a model was trained, in values that can leave the process."""
    ctx.put(f"trained_from:{model_id}", dataclasses.asdict(spec))


def keep_scoring(ctx: StepContext, predicted: Predicted, df_label: str, keep: Sequence[str]) -> None:
    """Keep how scores were made, in values that can leave the process."""
    ctx.put("predicted_from", {"model_id": predicted.model_id, "df_label": df_label, "keep": list(keep)})


def trained_again(ctx: StepContext, model_id: str) -> Trained | None:
    """Return the model of that id, trained again; None where this run has not trained it.

    Raises: RunFailed: it lived elsewhere; StaleResult: the labelled rows are others now.
    """
    fields: dict[str, Any] | None = ctx.get(f"trained_from:{model_id}")
    if fields is None:
        return None
    spec = TrainSpec(**fields)
    backend = project_of(ctx, spec.task).backend
    if backend.name != LOCAL:
        raise RunFailed(
            f"{model_id} is gone with the kernel that trained it.", "", "Call train_tabular_model again."
        )  # fmt: skip
    ctx.tick(0, None, f"making {model_id} again")
    trained = backend.train(ctx.frame(spec.frame_name), spec, tick=ctx.tick, cancelled=ctx.run.cancelled)
    if trained.model_id != model_id:
        raise StaleResult(
            f"{model_id} cannot be made again.", f"{spec.frame_name} is not what it was trained on.",
            "Call train_tabular_model again.",
        )  # fmt: skip
    ctx.put(f"model:{model_id}", trained)
    return trained


def scored_again(ctx: StepContext, trained: Trained, frame: Any, frame_name: str, keep: Sequence[str]) -> Predicted:
    """Return the scores of this run, made again.

    Raises: StaleResult: they differ from those that stand in the kernel.
    """
    backend = project_of(ctx, trained.task).backend
    predicted = backend.predict(
        trained, frame, frame_name=frame_name, keep=keep, tick=ctx.tick, cancelled=ctx.run.cancelled
    )
    standing = ctx.get("last_predictions")
    if standing is not None and not predicted.frame.equals(standing):
        raise StaleResult(
            f"{predicted.variable} is not what {trained.model_id} gives for {frame_name}.",
            "The rows or the scores were changed.", "Call predict again.",
        )  # fmt: skip
    ctx.put("last_predicted", predicted)
    return predicted
