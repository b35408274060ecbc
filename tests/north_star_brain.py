"""What a model that follows the planner's framing says to the north-star question, for the server of the tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def brain(reply: Any, *, batched: bool = True) -> Callable[[Any], Any]:
    """Return a brain: `batched` puts calls whose arguments are known into one turn, else one call a turn."""

    def call(name: str, **args: Any) -> tuple[str, dict[str, Any]]:
        return name, args

    def decide(asked: Any) -> Any:
        done = [name for name, _ in asked.results]
        first = [
            call("inspect_data"),
            call("query_kg", search=asked.question),
            call("text_to_sql", question=asked.question, mode="predictive"),
        ]
        if "text_to_sql" not in done:
            missing = first[len(done) :]
            return reply(calls=missing if batched else missing[:1], thought="Look first." if not done else "")
        written = next(text for name, text in asked.results if name == "text_to_sql")
        plan = json.loads(written[written.index("{") : written.rindex("}") + 1])
        task = plan["task"]
        labels = ("context", "predict", "already")
        second = [call("run_sql", sql=f"{n}_sql", label=f"{n}_df") for n in labels if f'"{n}_sql"' in str(plan["run"])]
        second += [
            call(
                "train_tabular_model",
                df_label="context_df",
                target_column=task["target_column"],
                entity_column=task["entity_column"],
                task_type=task["task_type"],
            ),
            call("predict", df_label="predict_df", top_k=plan["top_k"]),
            call("explain_prediction", top_k=plan["top_k"]),
            call("summarize_result", question=asked.question),
        ]
        left = second[len(done) - 3 :]
        if left:
            return reply(calls=left if batched else left[:1])
        return reply(text="The loans with the highest risk are in predictions, with what moved each score beside them.")

    return decide
