"""What a run came to, put together from its loop, its context and its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexsi_nb.agent.loop import Ending
from lexsi_nb.app.circumstances import facts_of, versions
from lexsi_nb.app.closing import chosen
from lexsi_nb.app.explaining import Explainer, LateExplainer
from lexsi_nb.app.run import Run, Variable
from lexsi_nb.artifacts.cells import CodeCell, listed_once
from lexsi_nb.artifacts.secrets import mask_known
from lexsi_nb.data.sources import mentioned

if TYPE_CHECKING:
    from lexsi_nb.app.running import Running


def collected(running: Running) -> Run:
    """Return what a run came to, as it is now."""
    ending = running.ending or Ending("failed", "The run ended without an answer.")
    context, session = running.context, running.session
    run = Run(
        id=running.run_id,
        question=running.question,
        asked=running.tape.asked.template,
        cell=running.tape.asked.cell,
        parameters=dict(running.tape.parameters),
        planner=running.planner.name,
        backend=context.backend.name if context else "",
        dataset=context.dataset.title if context else "",
        given=running.dataset,
        seed=session.seed,
        status=ending.status,
        answer=mask_known(ending.answer),
        choice=ending.choice,
        traceback=ending.traceback,
        sent=session.sent.since(running.sent_before),
        versions=versions(),
    )
    if running.loop is not None:
        run.steps, run.usage = list(running.loop.steps), running.loop.usage
    if context is None:
        return run
    run.synthetic = context.synthetic
    run.artifacts = list(context.artifacts)
    run.shown, run.known = chosen(context), session.variables
    run.facts = facts_of(context.notes)
    if context.dataset.note and not context.dataset.synthetic:  # of synthetic data the banner says it
        run.facts["data"] = [context.dataset.note]
    run.readings = list(context.notes.readings)
    latest = {b.name: b for b in context.bound}
    run.variables = [
        Variable(b.name, b.description, b.step or 0, b.producer, tuple(b.parents), b.fingerprint, b.parents)
        for b in latest.values()
    ]
    run.cells = cells_of(running)
    ours = [cell for cell in run.cells if cell not in context.cells]  # what the tools did not hand out just so
    session.variables.register_cells(ours, run_id=running.run_id, question_key=context.question_key)
    predicted = context.cache.get("last_predicted")
    if predicted is not None:
        run.frame = predicted.frame.head(int(context.cache.get("last_top_k", 10)))
        session.explainer = Explainer(
            context.backend,
            context.cache[f"model:{predicted.model_id}"],
            predicted,
            predicted.frame_name,
            session.variables,
            run.synthetic,
            context.notes.units,
        )
    elif context.cache.get("predicted_from") is not None and "last_predictions" in context.cache:
        run.frame = context.cache["last_predictions"].head(int(context.cache.get("last_top_k", 10)))
        session.explainer = LateExplainer(context, session.variables, run.synthetic)
    else:
        run.frame = context.cache.get("last_sql_result")
    return run


def cells_of(running: Running) -> list[CodeCell]:
    """Return the code cells of the run so far, the one that opens the data first."""
    context = running.context
    cells = list(context.cells)
    # Cells that open data bound in mid-run stand where that happened.
    opened = next((i for i, c in enumerate(cells) if context.con in c.produces), len(cells))
    if any(context.con in c.requires for c in cells[:opened]):
        dataset = mentioned(context.datasets[0], [c.source for c in cells[:opened]])
        cells.insert(0, dataset.setup_cell(context.con))
    return listed_once(cells)
