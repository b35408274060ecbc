"""Make `notebooks/05_with_a_model.ipynb` and its recordings anew: python tests/record_notebook.py

Asks a scripted model on this machine through the vendor's own client, then runs the notebook again from the recordings,
without the model and without a key; those are the outputs that are saved.
"""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "notebooks" / "05_with_a_model.ipynb"
PORT = 8799
KEY = "SCRIPTED_MODEL_KEY"
NORTH_STAR = """For loans currently being repaid, which are likely to default?
Show me the top 10 highest-risk loans and tell me why."""
DATED = "%%lexsi --data bank --recording granted_before\nHow many loans were granted before {as_of} by region?"
INTRODUCTION = """# With a model

The same questions with a language model deciding the steps. **SYNTHETIC data**: the schema and proportions of the
PKDD'99 financial data, no real client.

This notebook runs without a key and without a network: its answers come from recordings in `.lexsi/`, and every tool
really runs again. To be plain about it: when they were recorded, the model was a **script on this machine** behind
Anthropic's own client library, not a model of that vendor. With a key of yours, choose a real one and add `--ask` to
a cell."""
CHOICE = """A model is used only when you choose it; a key in the environment chooses nothing. Without `--url` the
requests would go to the vendor."""
FRAMES = "The frames are variables, as with the embedded planner. Nothing left this machine in this kernel:"
DATES = """With a name for the recording, a variable in braces stands for its value. This was recorded with the first
date; the second cell runs the same steps with another one, and puts the answer in words anew."""
LOOKED_AT = """What a question would send can be looked at first: where to, about how many tokens, and the body word for
word. That needs no key, and nothing is sent."""
IGNORED = "code, its output not compared"  # the body has every tool's description, which other changes reword
CELLS = [
    ("markdown", INTRODUCTION),
    ("code", "%load_ext lexsi_nb"),
    ("markdown", CHOICE),
    ("code", f"%lexsi model anthropic:scripted-model --url http://127.0.0.1:{PORT} --key {KEY}"),
    ("markdown", LOOKED_AT),
    (IGNORED, f"%%lexsi --data bank --dry-run\n{NORTH_STAR}"),
    ("code", f"%%lexsi --data bank --recording north_star\n{NORTH_STAR}"),
    ("markdown", FRAMES),
    ("code", "predictions.head(3).round(2)"),
    ("code", "%lexsi sent"),
    ("code", "%lexsi cost"),
    ("markdown", DATES),
    ("code", 'as_of = "1997-01-01"'),
    ("code", DATED),
    ("code", 'as_of = "1998-01-01"'),
    ("code", DATED),
    ("markdown", "A recording is a small text file, to review like code."),
    ("code", "%lexsi recordings"),
]


def brain_of(server: Any) -> Any:
    """Return what the scripted model says to the questions of the notebook."""
    north_star = importlib.import_module("north_star_brain").brain(server.Reply)

    def counted(asked: Any) -> Any:
        done = dict(asked.results)
        if "text_to_sql" not in done:
            question = {"question": asked.question, "mode": "analytic"}
            return server.Reply(calls=[("text_to_sql", question)], thought="A count: have it grounded first.")
        if "run_sql" not in done:
            import json

            written = done["text_to_sql"]
            sql = json.loads(written[written.index("{") : written.rindex("}") + 1])["sql"]
            return server.Reply(calls=[("run_sql", {"sql": sql, "label": "granted_before"})])
        if "summarize_result" not in done:
            return server.Reply(calls=[("summarize_result", {"question": asked.question})])
        return server.Reply(text="The loans granted before that date, by region, are in granted_before.")

    return lambda asked: counted(asked) if "granted before" in asked.question else north_star(asked)


def run(notebook: Any, **environment: str) -> None:
    """Execute the notebook beside its recordings."""
    os.environ.update(environment)
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": NOTEBOOK.parent}}
    )
    client.execute()


def main() -> None:
    """Record, then run from the recordings and save."""
    v4 = nbformat.v4
    made = []
    for number, (kind, source) in enumerate(CELLS, 1):
        cell = (v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell)(source, id=f"cell-{number}")
        if kind == IGNORED:
            cell.metadata["tags"] = ["nbval-ignore-output"]
        made.append(cell)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = v4.new_notebook(cells=made, metadata={"kernelspec": kernel})
    shutil.rmtree(NOTEBOOK.parent / ".lexsi", ignore_errors=True)
    module = importlib.import_module("model_server")
    server = module.ModelServer(PORT)
    server.Reply = module.Reply
    server.brain = brain_of(server)
    try:
        run(notebook, **{KEY: "not-a-real-key"})
    finally:
        server.close()
    print(f"recorded with {len(server.requests)} requests")
    del os.environ[KEY]
    run(notebook)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, NOTEBOOK)
    print(f"wrote {NOTEBOOK.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
