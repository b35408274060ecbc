"""A training on the platform: what is sent, waited for, verified, and measured on rows that were held back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.backend import Cancelled as Poll
from lexsi_nb.modeling.backend import OutOfTime, Quality, Tick, TrainSpec
from lexsi_nb.modeling.lexsi import cells, sdk
from lexsi_nb.modeling.lexsi.account import Account, Place
from lexsi_nb.modeling.lexsi.calls import with_reason
from lexsi_nb.modeling.lexsi.failures import JobFailed, PlatformFailed, translated
from lexsi_nb.modeling.lexsi.normal import Answer
from lexsi_nb.modeling.lexsi.scoring import inferred, read, upload
from lexsi_nb.modeling.lexsi.standing import Kept, names_for
from lexsi_nb.modeling.lexsi.tables import Learning, tag_of
from lexsi_nb.modeling.quality import read_quality
from lexsi_nb.modeling.quality_cells import TimeSplit
from lexsi_nb.modeling.settings import Settings
from lexsi_nb.modeling.source import frame_lines, is_literal

GPU = "v2/project/server_types"
# Our names of libraries -> the platform's.
MODELS = {"LightGBM": "LGBoost", "XGBoost": "XGBoost"}
FOUNDATION = (
    "TabPFN TabICL TabDPT OrionMSP OrionBix Mitra ContextTab TabPFNv26 TabICLv2 OrionMSPv1.5 Limix TabPFNv3 TabFM "
    "EXAONETabular ILTM XRFM"
).split()


@dataclass(frozen=True)
class Sending:
    """One training that is asked for."""

    plan: Learning
    spec: TrainSpec
    compute: str
    project: str
    seconds: float | None

    @property
    def model(self) -> str:
        """The platform's name of the kind of model."""
        return MODELS.get(self.spec.model_type, self.spec.model_type)


@dataclass(frozen=True)
class Made:
    """A model that stands on the platform."""

    project: str
    model_name: str
    tag: str
    held_tag: str
    n_rows: int
    answer: Answer
    warnings: tuple[str, ...] = ()


def train_on(
    account: Account, kept: Kept, sending: Sending, reopen: dict[str, Any] | None, tick: Tick, cancelled: Poll
) -> Made:
    """Return the model, trained or, with `reopen`, found again.

    Raises: PlatformFailed: why there is no model; JobFailed: the platform's reason.
    """
    plan = sending.plan
    learned = plan.table(~plan.held)
    held = plan.table(plan.held).drop(columns=[plan.target_name])
    tag, held_tag = tag_of(learned, "t"), tag_of(held, "h")
    name = reopen["project"] if reopen else sending.project

    def act() -> str:
        found = sdk.load()
        project = account.project(name, "" if reopen else sending.spec.task)
        if reopen:
            return reopened(project, reopen, tag)
        usable(account, project, sending)
        try:
            return trained_in(account, project, sending, learned, tag)
        except Exception as error:  # noqa: BLE001  (the SDK raises bare ones; each becomes one of ours)
            raise with_reason(translated(error, account.wire.ticket.what), project, found.logs) from None

    limit = sending.seconds
    model = account.calls.run(
        act, "training on Lexsi", tick=lambda done, of, stage: tick(int(done * 0.7), of, stage), cancelled=cancelled,
        seconds=limit, keep_uploads=True,
    )  # fmt: skip
    handle = {"project": name, "model_name": model, "id_column": plan.id_column, "compute": sending.compute}
    scored = account.calls.run(
        lambda: inferred(account, kept, handle, held, held_tag), "measuring the model", tick=tick, cancelled=cancelled
    )
    answer = read(
        scored, plan.id_column, tuple(map(str, held.columns)), regression=sending.spec.task == "regression"
    ).answer
    note = sdk.load().note
    return Made(name, model, tag, held_tag, len(learned), answer, (note,) if note else ())


def usable(account: Account, project: Any, sending: Sending) -> None:
    """Return nothing where the platform has such models and such compute; asked before any row is sent.

    Raises: PlatformFailed: with what there is.
    """
    models = [str(m) for m in project.available_models()]
    if sending.model not in models:
        raise PlatformFailed(
            f"Lexsi trains no {sending.model!r}.", f"There is: {', '.join(models)}.", "Name one as model_type."
        )
    listed = project.api_client.get("v2/users/automl_custom_servers")
    kinds = {"classic models": listed.get("details") or [], "foundation models": project.api_client.get(GPU) or []}
    fits = "foundation models" if sending.model in FOUNDATION else "classic models"
    there = [str(s["instance_name"]) for s in kinds[fits] if fits == "classic models" or "gpu" in s]
    if there and sending.compute not in there and "gova" not in sending.compute:
        raise PlatformFailed(
            f"Lexsi has no compute {sending.compute!r} for {fits}.", f"There is: {', '.join(there)}.",
            "Name one as compute_type, or: %lexsi backend lexsi --compute NAME",
        )  # fmt: skip


def trained_in(account: Account, project: Any, sending: Sending, table: Any, tag: str) -> str:
    """Return the name of the model that a training made in a project."""
    plan, before = sending.plan, model_names(project)
    own = [plan.id_column, plan.target_name]
    if project.config() == "Not Found":
        config: dict[str, Any] = {
            "unique_identifier": plan.id_column, "true_label": plan.target_name, "feature_exclude": [],
            "drop_duplicate_uid": False, "handle_errors": False, "handle_data_imbalance": False,
            "model_name": sending.model, "xai_method": ["shap"],
        }  # fmt: skip
        project.upload_data(table, tag, config=config, compute_type=sending.compute)
    else:
        # A project has one configuration and no call removes it: later models are trained beside it.
        upload(project, table, tag)
        held = project.config()["metadata"]
        known = [*(held.get("feature_include") or ()), *(held.get("feature_exclude") or ())]
        others = [c for c in known if c not in table.columns]
        if missing := [c for c in table.columns if c not in known and c not in own]:
            raise PlatformFailed(
                f"This run's project at Lexsi cannot learn from {', '.join(map(str, missing))}.",
                "Its columns were fixed by its first training, and the SDK has no call to change them.",
                "Ask anew: each question has a project of its own.",
            )  # fmt: skip
        project.train_model(
            "simple", sending.model, sending.compute,
            data_config={
                "tags": [tag], "feature_exclude": [c for c in (*own, *others) if c in known] or own,
                "unique_identifier": plan.id_column, "true_label": plan.target_name, "xai_method": ["shap"],
            },
        )  # fmt: skip
    return verified(account, project, before)


def verified(account: Account, project: Any, before: frozenset[str]) -> str:
    """Return the model that is there now and was not before: a stream that ended is no proof.

    Raises: JobFailed: there is none.
    """
    ticket = account.wire.ticket
    new = [m for m in model_list(project) if m not in before]
    if new:
        return new[-1]
    raise JobFailed(
        "Training on Lexsi made no model.",
        "Its event stream ended without a model in the project.", "", event_id=ticket.event_id,
    )  # fmt: skip


def model_list(project: Any) -> list[str]:
    """Return the models of a project that are not failed or inactive."""
    try:
        return [str(m) for m in project.models()["model_name"].tolist()]
    except KeyError:  # the SDK looks for a column of an empty table
        return []


def model_names(project: Any) -> frozenset[str]:
    """Return the same as a set."""
    return frozenset(model_list(project))


def reopened(project: Any, model: dict[str, Any], tag: str) -> str:
    """Return the name of a model that was trained before.

    Raises: PlatformFailed: it is gone, or was trained from other content.
    """
    if model.get("train_tag") != tag or model["model_name"] not in model_list(project):
        why = "It is not in the project any more."
        if model.get("train_tag") != tag:
            why = "It was trained from other rows or columns than stand here now."
        raise PlatformFailed(f"{model['model_name']} cannot be used again.", why, "Ask with again=True (--again).")
    return model["model_name"]


def quality_of(
    account: Account, kept: Kept, asked: cells.Asked, plan: Learning, spec: TrainSpec, made: Made, frame: Any,
    tick: Tick, cancelled: Poll, fit: CodeCell,
) -> tuple[Quality, Any, CodeCell]:  # fmt: skip
    """Return (quality on the rows held back, their scores with outcomes, the cell that measures it)."""
    regression = spec.task == "regression"
    y = plan.target.y[~plan.held]
    lines, rows = frame_lines(spec.frame_name, frame)
    positive = plan.target.positive
    cell = cells.quality_cell(
        asked, made.held_tag, frame_name=spec.frame_name, lines=lines, rows=rows, entity=spec.entity,
        by_entity=plan.by_entity, target=spec.target, positive=positive if is_literal(positive) else str(positive),
        regression=regression, baseline=float(y.mean()), variable=spec.name("quality"),
        out_of_fold=spec.name("out_of_fold"), seed=spec.seed,
    )  # fmt: skip
    names = {spec.frame_name: frame, spec.name("model"): fit.run({})[spec.name("model")]}
    out = account.calls.run(
        lambda: cell.run({**names, **names_for(account, kept)}), "measuring the model", tick=tick, cancelled=cancelled
    )
    table, scores = out[spec.name("quality")], out[spec.name("out_of_fold")]
    n_positive = None if regression else int(scores["outcome"].sum())
    n_rarest = min(n_positive or 0, len(scores) - (n_positive or 0))
    settings = Settings({}, 0, 1, 1, "", 0)
    found = read_quality(
        table, TimeSplit("not measured on Lexsi"), settings, task=spec.task, n_rows=len(scores), n_positive=n_positive,
        n_rarest=n_rarest,
    )  # fmt: skip
    calibration = found.calibration.replace("; out of fold, ", "; on the rows held back, ")
    return replace(found, out_of_time=OutOfTime("not measured on Lexsi"), calibration=calibration), scores, cell


def card_of(sending: Sending, plan: Learning, quality: Quality, made: Made, place: Place) -> dict[str, Any]:
    """Return the model card: where and how it was made, and how good it is."""
    spec = sending.spec
    facts: dict[str, Any] = {"model_name": spec.model_name} if spec.model_name else {}
    return facts | {
        "model_type": sending.model, "platform": place.text, "project": made.project, "model": made.model_name,
        "library": f"lexsi-sdk {sdk.load().version}", "compute": sending.compute, "task": spec.task,
        "target": spec.target, "entity": spec.entity, "frame": spec.frame_name, "rows": made.n_rows,
        "sent": list(plan.sent), "features": [str(c) for c in plan.features], "left_out": dict(plan.columns.left_out),
        "quality": f"{quality.text}; on {quality.n_rows:,} rows held back from the platform",
        "headline": quality.headline, "out_of_time": quality.out_of_time.text, "calibration": quality.calibration,
    }  # fmt: skip
