"""Frames that must not change while a step reads them more than once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lexsi_nb.errors import StaleResult
from lexsi_nb.kernel.fingerprint import fingerprint
from lexsi_nb.tools.context import StepContext


@contextmanager
def steady(ctx: StepContext, *names: str) -> Iterator[None]:
    """Yield once; the variables have the same content after the block as before.

    Raises: StaleResult: one was changed meanwhile, so that a result would be of neither content.
    """
    before = {name: fingerprint(ctx.run.variables.namespace.get(name)) for name in names}
    yield
    for name, content in before.items():
        if fingerprint(ctx.run.variables.namespace.get(name)) != content:
            raise StaleResult(
                f"{name} was changed while {ctx.tool} read it.",
                "The result would be of neither content.",
                f"Nothing of it was kept. Call {ctx.tool} again.",
            )
