"""A data-science agent inside the kernel: `%load_ext lexsi_nb`, then `%%lexsi` and a question.

Public names load on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> the module it lives in.
_HOMES = {
    "Session": "lexsi_nb.app.session",
    "datasets": "lexsi_nb.datasets",
    "tool": "lexsi_nb.toolkit.declare",
    "toolset": "lexsi_nb.toolkit.declare",
    "AgentRef": "lexsi_nb.toolkit.refs",
    "ToolFnRef": "lexsi_nb.toolkit.refs",
    "ToolNameRef": "lexsi_nb.toolkit.refs",
    "LoopControllerRef": "lexsi_nb.toolkit.refs",
    "ContextRef": "lexsi_nb.toolkit.refs",
    "ToolResult": "lexsi_nb.toolkit.spec",
    "Effect": "lexsi_nb.toolkit.effect",
    "CodeCell": "lexsi_nb.artifacts.cells",
    "BinaryContent": "lexsi_nb.artifacts.media",
    "trace": "lexsi_nb.app.tracing",
    "model": "lexsi_nb.planners.choice",
    "explain": "lexsi_nb.magics.explaining",
    "what_if": "lexsi_nb.magics.explaining",
    "shap": "lexsi_nb.magics.explaining",
    "controls": "lexsi_nb.magics.parameters",
}
__all__ = ["__version__", *_HOMES]

if TYPE_CHECKING:
    from lexsi_nb import datasets as datasets
    from lexsi_nb.app.session import Session as Session
    from lexsi_nb.app.tracing import trace as trace
    from lexsi_nb.artifacts.cells import CodeCell as CodeCell
    from lexsi_nb.artifacts.media import BinaryContent as BinaryContent
    from lexsi_nb.planners.choice import model as model
    from lexsi_nb.toolkit.declare import tool as tool
    from lexsi_nb.toolkit.declare import toolset as toolset
    from lexsi_nb.toolkit.effect import Effect as Effect
    from lexsi_nb.toolkit.refs import AgentRef as AgentRef
    from lexsi_nb.toolkit.refs import ContextRef as ContextRef
    from lexsi_nb.toolkit.refs import LoopControllerRef as LoopControllerRef
    from lexsi_nb.toolkit.refs import ToolFnRef as ToolFnRef
    from lexsi_nb.toolkit.refs import ToolNameRef as ToolNameRef
    from lexsi_nb.toolkit.spec import ToolResult as ToolResult


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'lexsi_nb' has no attribute {name!r}; public names: {', '.join(__all__)}")
    import importlib

    module = importlib.import_module(home)
    value = module if home == f"lexsi_nb.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Make `%%lexsi` and `%lexsi` known to this IPython."""
    from lexsi_nb.magics import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Take the magics and their hooks away again."""
    from lexsi_nb.magics import unload

    unload(shell)
