"""Results and runs as the last line of a cell show themselves: IPython asks here, by the name of the type."""

from __future__ import annotations

from typing import Any

# (module, class) of what shows itself. Names, so that nothing is imported before such an object exists.
TYPES = (
    *(
        ("lexsi_nb.artifacts.results", name)
        for name in ("Table", "Chart", "Attribution", "ModelCard", "Choice", "Text", "Shown")
    ),
    ("lexsi_nb.artifacts.cells", "CodeCell"),
    ("lexsi_nb.app.run", "Run"),
    ("lexsi_nb.app.graph", "ResultGraph"),
)


def register(shell: Any) -> None:
    """Tell IPython how to show our objects."""
    formatter = shell.display_formatter.mimebundle_formatter
    for module, name in TYPES:
        formatter.for_type_by_name(module, name, shown)


def unregister(shell: Any) -> None:
    """Take that back."""
    formatter = shell.display_formatter.mimebundle_formatter
    for module, name in TYPES:
        # IPython moves the entry from the deferred ones to the class once it met an object of it.
        formatter.deferred_printers.pop((module, name), None)
        for kind in [k for k in formatter.type_printers if (k.__module__, k.__name__) == (module, name)]:
            formatter.type_printers.pop(kind)


def shown(value: Any, include: Any = None, exclude: Any = None) -> dict[str, Any]:
    """Return the MIME bundle of a result, a run or a result graph."""
    kind = type(value).__name__
    if kind == "Run":
        from lexsi_nb.widgets.answer_html import answer_html
        from lexsi_nb.widgets.answer_text import answer_text

        if value.approval is not None:
            from lexsi_nb.widgets.approval import approval_bundle

            return approval_bundle(value.approval)
        return {"text/html": answer_html(value), "text/plain": answer_text(value)}
    if kind == "ResultGraph":
        from lexsi_nb.widgets.graph import graph_html, graph_text

        return {"text/html": graph_html(value), "text/plain": graph_text(value)}
    from lexsi_nb.widgets.bundle import bundle

    return bundle(value)
