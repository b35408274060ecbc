"""What a step does, in plain words: for progress, the run view and what is said of a run that was stopped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexsi_nb.artifacts.cells import CodeCell

TITLES = {
    "connect_datalake": "Open the data",
    "inspect_data": "Look at the tables",
    "query_kg": "Look up what the words mean",
    "text_to_sql": "Plan the query",
    "run_sql": "Query the data",
    "sample_values": "Look at values",
    "train_tabular_model": "Train the model",
    "predict": "Score the cases",
    "explain_prediction": "Explain the scores",
    "explain_model": "Explain the model",
    "render_chart": "Draw a chart",
    "show_artifacts": "Choose what is shown",
    "summarize_result": "Put the result in words",
    "read_message": "Read on in a long result",
}


def step_title(tool: str, cells: Iterable[CodeCell] = (), step: int | None = None) -> str:
    """Return what a step does: the title of its first code cell where it made one, else its tool in plain words.

    >>> step_title("run_sql"), step_title("upload_totals")
    ('Query the data', 'Upload totals')
    """
    made = next((c.title for c in cells if step is not None and c.step == step and c.title), "")
    words = tool.replace("_", " ")
    return made or TITLES.get(tool) or f"{words[:1].upper()}{words[1:]}"
