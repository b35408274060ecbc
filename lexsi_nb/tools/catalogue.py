"""The built-in tools, related ones beside each other: the order a planner sees."""

from __future__ import annotations

from typing import Any

# A planner is shown these whatever the question: without them no question about data has a beginning and an end.
ALWAYS = ("inspect_data", "text_to_sql", "run_sql", "summarize_result")


def built_in() -> list[Any]:
    """Return the built-in tools. Adding one is a file of its name and a line here."""
    from lexsi_nb.tools.connect_datalake import connect_datalake
    from lexsi_nb.tools.explain_model import explain_model
    from lexsi_nb.tools.explain_prediction import explain_prediction
    from lexsi_nb.tools.inspect_data import inspect_data
    from lexsi_nb.tools.predict import predict
    from lexsi_nb.tools.query_kg import query_kg
    from lexsi_nb.tools.render_chart import render_chart
    from lexsi_nb.tools.run_sql import run_sql
    from lexsi_nb.tools.sample_values import sample_values
    from lexsi_nb.tools.show_artifacts import show_artifacts
    from lexsi_nb.tools.summarize_result import summarize_result
    from lexsi_nb.tools.text_to_sql import text_to_sql
    from lexsi_nb.tools.train_tabular_model import train_tabular_model

    return [
        connect_datalake,
        inspect_data,
        query_kg,
        text_to_sql,
        run_sql,
        sample_values,
        train_tabular_model,
        predict,
        explain_prediction,
        explain_model,
        render_chart,
        show_artifacts,
        summarize_result,
    ]
