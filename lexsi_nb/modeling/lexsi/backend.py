"""The Lexsi backend: trains, scores and explains on the platform, with the results of the embedded one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from lexsi_nb.errors import BadData, Cancelled
from lexsi_nb.modeling.backend import Cancelled as Poll
from lexsi_nb.modeling.backend import (
    Checked,
    Explained,
    Predicted,
    Tick,
    Trained,
    TrainSpec,
    never,
    no_tick,
)
from lexsi_nb.modeling.cases import id_text, positions_of
from lexsi_nb.modeling.columns import as_pandas
from lexsi_nb.modeling.embedded import sortable, unseen
from lexsi_nb.modeling.extrapolation import extrapolations
from lexsi_nb.modeling.lexsi import cells, connectors, explaining, scoring, tables
from lexsi_nb.modeling.lexsi.account import Account
from lexsi_nb.modeling.lexsi.standing import Kept, counted, names_for
from lexsi_nb.modeling.lexsi.training import Sending, card_of, quality_of, train_on
from lexsi_nb.modeling.readable import readable
from lexsi_nb.modeling.source import frame_lines, free, is_literal, literal, literals, plain_value
from lexsi_nb.modeling.training import feature_matrix, few_cases

MOST_CASES = 200  # explanations in one call: each is a request


class LexsiBackend:
    """Models on the Lexsi platform. What is sent: id, features and, to be trained on, the target."""

    name = "lexsi"
    local = False
    most_cases = 100  # of a larger frame that are explained for what moves the scores of all
    cost = "as your Lexsi plan bills compute; the SDK names no price"

    def __init__(self, account: Account, *, project: str = "", kept: Kept | None = None) -> None:
        self.account, self.project_name = account, project
        self.kept = kept or Kept()

    @property
    def place(self) -> str:
        """Where data go, in words."""
        return self.account.place.text

    @property
    def compute(self) -> str:
        """The compute that models are trained and run on, unless a call says otherwise."""
        return self.account.place.compute

    @property
    def workspace(self) -> str:
        """The workspace that projects are made in."""
        return self.account.place.workspace

    def in_project(self, name: str) -> LexsiBackend:
        """Return the same backend that trains in the project `name`."""
        return LexsiBackend(self.account, project=name, kept=self.kept)

    def will_send(self, frame: Any, spec: TrainSpec) -> tuple[int, tuple[str, ...], str]:
        """Return (rows, columns, what stays here in words) of a training; nothing is sent.

        Raises: BadTarget, BadData, UnknownColumn: the frame cannot be trained on.
        """
        plan = tables.learning(frame, spec, never)
        left = "; ".join(f"{c}: {why}" for c, why in plan.columns.left_out)
        features = ", ".join(map(str, plan.features))
        note = f"Features: {features}. Target: {plan.target_name}." + (f" Not sent: {left}." if left else "")
        return len(plan.ids), plan.sent, note

    def train(
        self, frame: Any, spec: TrainSpec, *, compute: str | None = None, reopen: dict[str, Any] | None = None,
        tick: Tick = no_tick, cancelled: Poll = never,
    ) -> Trained:  # fmt: skip
        """Return a model trained on the platform, measured on rows that were held back.

        compute: of the platform; None: as the account says. reopen: `Trained.model` of a model that was trained from
        the same content before; it is looked up and measured, not trained.

        Raises: BadTarget, BadData, UnknownColumn: found before anything is sent; PlatformFailed; MissingExtra;
        Cancelled.
        """
        place = self.account.place
        tick(0, 100, "reading the columns")
        plan = tables.learning(frame, spec, cancelled)
        if cancelled():
            raise Cancelled("Stopped before anything was sent.")
        sending = Sending(
            plan, spec, compute or place.compute, self.project_name or "agentclass00000000", spec.time_limit
        )
        made = train_on(self.account, self.kept, sending, reopen, tick, cancelled)
        model = {
            "project": made.project, "model_name": made.model_name, "train_tag": made.tag, "held_tag": made.held_tag,
            "id_column": plan.id_column, "compute": sending.compute,
        }  # fmt: skip
        fit = cells.model_cell(model, made.n_rows, plan.sent, variable=spec.name("model"))
        asked = self.asked(model, spec.name("model"), made.answer)
        quality, out_of_fold, check = quality_of(
            self.account, self.kept, asked, plan, spec, made, frame, tick, cancelled, fit
        )
        words = {c: tuple(map(str, plan.X[c].cat.categories)) for c in plan.columns.words}
        held, learned = plan.held, ~plan.held
        n_positive = int(plan.target.y[learned].sum()) if spec.task == "classification" else None
        ids = plan.data[spec.entity].dropna().tolist() if spec.entity is not None else []
        n_cases = int(min(quality.n_positive or 0, quality.n_rows - (quality.n_positive or 0)))
        return Trained(
            model_id=f"{made.model_name}_{made.tag[-6:]}", model=model,
            features=plan.columns.features, categories=words, task=spec.task, target=spec.target, entity=spec.entity,
            positive=plan.target.positive, left_out=plan.columns.left_out,
            warnings=(*few_cases(quality, n_cases), *plan.target.warnings, *plan.noted, *made.warnings),
            quality=quality, card=card_of(sending, plan, quality, made, place), cells=(fit, check),
            frame_name=spec.frame_name, n_rows=int(learned.sum()), n_positive=n_positive, names=dict(spec.names),
            training={c: plan.X[c].to_numpy()[learned] for c in plan.columns.numbers},
            gaps={c: int(plan.X[c].isna().to_numpy()[learned].sum()) for c in plan.columns.words},
            train_ids=frozenset(ids), model_type=made.model_name, out_of_fold=out_of_fold if held.any() else None,
            model_name=spec.model_name,
        )  # fmt: skip

    def predict(
        self, trained: Trained, frame: Any, *, frame_name: str = "predict_df", keep: Sequence[str] = (),
        compute: str | None = None, tick: Tick = no_tick, cancelled: Poll = never,
    ) -> Predicted:  # fmt: skip
        """Return the rows of `frame` scored on the platform, highest first, with the columns `keep`.

        compute: of the platform; None: that of the model.

        Raises: UnknownColumn, BadData: found before anything is sent; PlatformFailed: it failed, or rows are missing.
        """
        here = dataclasses.replace(trained, model_type="LightGBM")
        data, shape = readable(here, frame, frame_name, also=keep)
        numbered, entity = trained.entity is None, trained.entity or "row"
        sent = scoring.rows_of(trained, data)
        on = dataclasses.replace(trained, model={**trained.model, "compute": compute or trained.model["compute"]})
        made = scoring.score(self.account, self.kept, on, sent, tick, cancelled)
        kept = [c for c in dict.fromkeys(keep) if c != entity]
        score = free("prediction" if trained.task == "regression" else "probability", [entity, *kept])
        rank = free("rank", [entity, *kept, score])
        entity_name = free(entity, kept) if numbered else entity
        lines, rows = frame_lines(frame_name, frame)
        asked = self.asked(on.model, trained.name("model"), made.answer)
        cell = cells.predict_cell(
            asked, sent.tag, frame_name=frame_name, lines=lines, rows=rows, entity=entity_name,
            by_entity=sent.by_entity, keep=kept, score=score, rank=rank, variable=trained.name("predictions"),
            sortable=numbered or sortable(data[entity]), numbered=numbered,
        )  # fmt: skip
        table = self.run(cell, {frame_name: frame, trained.name("model"): trained.model}, "scoring", tick, cancelled)
        X = feature_matrix(data, shape)
        beyond = extrapolations(trained.training, X, gaps=trained.gaps, n_labelled=trained.n_rows)
        warnings = [*(e.text for e in beyond), *unseen(trained, X)]
        if not numbered and not sent.by_entity:
            warnings.append(
                f"{entity} does not tell the rows of {frame_name} apart once they are in a file: they were sent by row "
                "number."
            )
        return Predicted(
            trained.model_id, table, str(entity_name), score, rank, cell, frame_name, trained.name("predictions"),
            tuple(warnings), beyond,
        )  # fmt: skip

    def explain(
        self, trained: Trained, frame: Any, case_ids: Sequence[Any] | None = None, *,
        frame_name: str = "predict_df", top_reasons: int = 3, case_source: tuple[str, Any, int] | None = None,
        tick: Tick = no_tick, cancelled: Poll = never,
    ) -> Explained:  # fmt: skip
        """Return the platform's SHAP values of the cases, in the order asked (None: every row, up to 200).

        Raises: UnknownCase, BadData: before anything is sent; PlatformFailed: a case could not be explained.
        """
        here = dataclasses.replace(trained, model_type="LightGBM")
        data, _ = readable(here, frame, frame_name)
        entity = trained.entity or "row"
        column = explaining.ids_column(trained, data)
        positions = list(range(len(data))) if case_ids is None else positions_of(column, case_ids, where=frame_name)
        if len(positions) > MOST_CASES:
            raise BadData(
                f"{len(positions):,} cases are too many to explain on Lexsi at once.",
                f"Each is a request of its own; {MOST_CASES} are asked for at most.",
                "Name the cases, or give a smaller frame.",
            )  # fmt: skip
        sent = scoring.rows_of(trained, data)
        made = scoring.score(self.account, self.kept, trained, sent, tick, cancelled)
        wanted = [sent.ids[i] for i in positions]
        unit = explaining.unit_of(self.account, self.kept, trained, sent, made, wanted, tick, cancelled)
        base = free("base_value", [entity, *trained.features])
        raw = free("raw_score", [entity, *trained.features])
        asked = self.asked(trained.model, trained.name("model"), made.answer)
        ids = [plain_value(column.iloc[i]) for i in positions]
        lines, rows = frame_lines(frame_name, frame)
        cell = cells.explain_cell(
            asked, sent.tag, frame_name=frame_name, entity=entity, sent_ids=wanted, features=trained.features,
            ids=literals(ids) if all(map(is_literal, ids)) else f"{rows}[{literal(entity)}].iloc[{positions}].tolist()",
            lines=[] if all(map(is_literal, ids)) else lines, base=base, raw=raw, unit=unit,
            variable=trained.name("attributions"),
        )  # fmt: skip
        names = {trained.name("model"): trained.model, frame_name: frame}
        table = self.run(cell, names, f"explaining {len(wanted)} cases", tick, cancelled, len(wanted))
        return explaining.explained(trained, data.iloc[positions], table, cell, made, wanted, unit,
                                    (entity, base, raw), frame_name, top_reasons)  # fmt: skip

    def check(
        self, trained: Trained, held: Any, against: Any, *,
        held_name: str = "already_df", against_name: str = "predict_df",
        tick: Tick = no_tick, cancelled: Poll = never,
    ) -> Checked:  # fmt: skip
        """Return the AUC of the scores of `held` (known to be positive) against those of `against`.

        Raises: BadData: a row of either was learned from, or a group has fewer than 2 rows; PlatformFailed.
        """
        here = dataclasses.replace(trained, model_type="LightGBM")
        tags, sizes, answer = [], [], None
        for frame, name in ((held, held_name), (against, against_name)):
            data, _ = readable(here, frame, name, beside=(held_name, against_name))
            known = 0 if trained.entity is None else int(data[trained.entity].isin(list(trained.train_ids)).sum())
            if known or len(data) < 2:
                why = f"{known:,} of its rows were learned from." if known else "It has fewer than 2 rows."
                raise BadData(f"{name} cannot check the model.", why, f"Give rows not in {trained.frame_name}.")
            sent = scoring.rows_of(trained, data)
            answer = scoring.score(self.account, self.kept, trained, sent, tick, cancelled).answer
            tags.append(sent.tag)
            sizes.append(len(data))
        assert answer is not None
        asked = self.asked(trained.model, trained.name("model"), answer)
        variable = trained.name("check")
        cell = cells.check_cell(
            asked, (tags[0], tags[1]), held_name=held_name, against_name=against_name, variable=variable
        )
        row = self.run(cell, {trained.name("model"): trained.model}, "checking", tick, cancelled).iloc[0]
        auc, low, high = (float(row[c]) for c in ("AUC", "low", "high"))
        text = (
            f"AUC {auc:.2f} ({low:.2f}-{high:.2f}, 95% DeLong): scores of {sizes[0]:,} rows of {held_name} against "
            f"{sizes[1]:,} of {against_name}, neither learned from"
        )
        return Checked(auc, low, high, "DeLong", sizes[0], sizes[1], text, cell, variable)

    def told(
        self, trained: Trained, frame: Any, case_ids: Sequence[Any], *, tick: Tick = no_tick, cancelled: Poll = never
    ) -> dict[str, explaining.Told]:
        """Return what else the platform tells about cases, by their ids as text: its summary, its similar cases."""
        data = as_pandas(frame)
        sent = scoring.rows_of(trained, data)
        positions = positions_of(explaining.ids_column(trained, data), case_ids, where="the scored rows")
        wanted = [sent.ids[i] for i in positions]
        found = explaining.told(self.account, self.kept, trained, sent, wanted, tick, cancelled)
        return {id_text(c): found[sent_id] for c, sent_id in zip(case_ids, wanted, strict=True)}

    def carries(self, region: str, access_key: str, secret_key: str, session_token: str, endpoint: str) -> Any:
        """Return what `connect_bucket` takes. Raises: NotSupported: a connector cannot be made of it."""
        return connectors.credentials(region, access_key, secret_key, session_token, endpoint)

    def connect_bucket(self, given: Any, *, tick: Tick = no_tick, cancelled: Poll = never) -> connectors.Connector:
        """Return the platform's S3 connector of a key pair, made where it is not there, and tested.

        Raises: PlatformFailed: it could not be made or used; Cancelled; MissingExtra.
        """
        account = self.account
        return account.calls.run(
            lambda: connectors.register(account, given), "connecting the bucket", tick=tick, cancelled=cancelled
        )

    def asked(self, model: dict[str, Any], variable: str, answer: Any) -> cells.Asked:
        """Return what cells of a model ask with."""
        place = self.account.place
        return cells.Asked(
            place.organization, place.workspace, model["compute"], variable, model["id_column"], answer, place.parallel
        )

    def run(self, cell: Any, names: dict[str, Any], what: str, tick: Tick, cancelled: Poll, total: int = 0) -> Any:
        """Return the first thing a cell binds; it is executed as it is handed out."""
        account = self.account

        def act() -> Any:
            done = counted(account.wire.ticket, total)
            return cell.run({**names, **names_for(account, self.kept, done)})

        return account.calls.run(act, what, tick=tick, cancelled=cancelled)[cell.produces[0]]
