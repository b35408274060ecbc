"""`python -m lexsi_nb demo`: the north-star question on the bundled synthetic bank, headless."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from lexsi_nb.errors import LexsiError, MissingExtra

QUESTION = (
    "For loans currently being repaid, which are likely to default? "
    "Show me the top 10 highest-risk loans and tell me why."
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code: 0 done, 1 failed with a line that says why."""
    parser = argparse.ArgumentParser(prog="lexsi-nb", description="A data-science agent for notebooks.")
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="ask the north-star question on the bundled synthetic bank")
    demo.add_argument("--out", type=Path, default=Path("build/demo"), help="folder for the notebook and the page")
    ask = commands.add_parser("ask", help="ask a question about a dataset and print the answer")
    ask.add_argument("question")
    ask.add_argument("--data", default="bank", help="bank, a folder or a file")
    ask.add_argument("--planner", default="auto", help="auto, embedded, or a model as provider:NAME")
    ask.add_argument("--approve", metavar="TOOLS", default="", help="tools that may act, separated by commas")
    audit = commands.add_parser("audit", help="check that a log of decisions is whole")
    audit.add_argument("file", type=Path, help="as written by %%lexsi audit export")
    audit.add_argument("--head", help="a head noted earlier, which the log must still hold")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "audit":
            _audit(chosen.file, chosen.head)
        elif chosen.command == "demo":
            _demo(chosen.out)
        else:
            return _ask(chosen.question, chosen.data, chosen.approve, chosen.planner)
    except LexsiError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


def _audit(file: Path, head: str | None) -> None:
    from lexsi_nb.store.audit import AuditLog

    if not file.is_file():
        raise LexsiError(f"There is no file {file}.")
    whole = AuditLog(file).verify(head)
    print(f"{whole.entries} entries, the chain is whole. Head {whole.head}.")


def _ask(question: str, data: str, approve: str, planner: str) -> int:
    from lexsi_nb import Session, datasets
    from lexsi_nb.widgets.answer_text import answer_text
    from lexsi_nb.widgets.approval import approval_text

    dataset = datasets.bank() if data == "bank" else datasets.open(data)
    session = Session(dataset, planner=planner)
    run = session.ask(question, approve=tuple(n.strip() for n in approve.split(",") if n.strip()))
    print(answer_text(run) if run.approval is None else approval_text(run.approval))
    session.close()
    return 0 if run.ok else 1


def _demo(out: Path) -> None:
    """Execute the demo notebook, print its answer, and write the notebook and a page that needs no network."""
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbconvert import HTMLExporter
    except ImportError as error:
        raise MissingExtra.of(error.name or "nbclient", "demo", "The demo runs a notebook.") from error
    # A temporary kernel start would otherwise warn about frozen modules under a debugger.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    # The kernel keeps its history there; the demo leaves nothing in the home folder but the data.
    os.environ.setdefault("IPYTHONDIR", str((out / "ipython").resolve()))
    out.mkdir(parents=True, exist_ok=True)
    notebook = _notebook(nbformat)
    print(f"%%lexsi --data bank\n{QUESTION}\n", flush=True)
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(out)}})
    client.extra_arguments = ["--log-level=ERROR"]  # the kernel would warn about a TCP port that is this machine's own
    client.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/plain") or output.get("text", "")
            if text:
                print(text + "\n")
    target = out / "north_star.ipynb"
    nbformat.write(notebook, target)
    exporter = HTMLExporter(
        template_name="lab", mathjax_url="", require_js_url="", jquery_url="", widget_renderer_url=""
    )
    exporter.embed_images = True
    page, _ = exporter.from_notebook_node(notebook)
    html = out / "north_star.html"
    html.write_text(page, encoding="utf-8")
    print(f"Notebook: {target}\nPage:     {html}")


def _notebook(nbformat: Any) -> Any:
    v4 = nbformat.v4
    cells = [
        v4.new_markdown_cell(
            "# Which running loans are likely to default?\n\nSYNTHETIC data: generated, no real clients.", id="title"
        ),
        v4.new_code_cell("%load_ext lexsi_nb", id="load"),
        v4.new_code_cell(f"%%lexsi --data bank\n{QUESTION}", id="ask"),
        v4.new_code_cell("%lexsi vars", id="vars"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


if __name__ == "__main__":
    sys.exit(main())
