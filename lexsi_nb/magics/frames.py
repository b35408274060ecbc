"""A frame of scored rows as the last line of a cell: the table with *Explain*; every other frame as pandas shows it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

# Where pandas says that its class lives, by version.
HOMES = ("pandas", "pandas.core.frame")


def register(magics: LexsiMagics) -> None:
    """Ask to be asked about each DataFrame that is shown. Imports nothing: the class is known by its name."""
    shell: Any = magics.shell
    for home in HOMES:
        shell.display_formatter.mimebundle_formatter.for_type_by_name(home, "DataFrame", _Shown(magics))


def unregister(magics: LexsiMagics) -> None:
    """Let pandas show frames alone again."""
    shell: Any = magics.shell
    formatter = shell.display_formatter.mimebundle_formatter
    for registered in (formatter.type_printers, formatter.deferred_printers):
        for key in [k for k, printer in registered.items() if isinstance(printer, _Shown)]:
            del registered[key]


class _Shown:
    """What the shell calls with each DataFrame; {} leaves it to pandas."""

    def __init__(self, magics: LexsiMagics) -> None:
        self.magics = magics

    def __call__(self, frame: Any) -> dict[str, Any]:
        from lexsi_nb.kernel.frontends import detect
        from lexsi_nb.widgets.live.offer import can_live, offered
        from lexsi_nb.widgets.live.predictions import is_scored, predictions_table

        explainer = self.magics.explainer
        environment = detect(self.magics.shell, override=self.magics.frontend)
        if explainer is None or not can_live(environment) or not is_scored(explainer, frame):
            return {}
        html = frame._repr_html_()
        static = {"text/plain": repr(frame), **({} if html is None else {"text/html": html})}
        name, made_by = self._named(frame)
        table = predictions_table(
            explainer, frame=frame, name=name, made_by=made_by, static=static,
            units=explainer.made().units, known=self.magics.explained,
        )  # fmt: skip
        return offered(table, environment=environment)

    def _named(self, frame: Any) -> tuple[str, str]:
        """Return (the variable that holds the frame, ""), else ("rows", the expression of the cell that made it)."""
        namespace = self.magics.namespace
        name = next((n for n, v in list(namespace.items()) if v is frame and not n.startswith("_")), "")
        return (name, "") if name else ("rows", shown_expression((namespace.get("In") or [""])[-1]))


def shown_expression(source: str) -> str:
    """Return the expression that the last line of a cell shows, "" where it shows none.

    >>> shown_expression("x = 1\\npredictions.head(x)"), shown_expression("display(a[:3])"), shown_expression("x = 1")
    ('predictions.head(x)', 'a[:3]', '')
    """
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return ""
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr):
        return ""
    shown: ast.expr = last.value
    if isinstance(shown, ast.Call) and isinstance(shown.func, ast.Name) and shown.func.id == "display":
        if len(shown.args) != 1:
            return ""
        shown = shown.args[0]
    return ast.get_source_segment(source, shown) or ""
