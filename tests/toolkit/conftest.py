"""A registry with the given tools, called from plain test functions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.spec import Outcome


@pytest.fixture
def call() -> Callable[..., Outcome]:
    """Return `call(tool, args, **options)`: the outcome of one call through every gate."""

    def run(tool: Any, args: Any = None, **options: Any) -> Outcome:
        registry = tool if isinstance(tool, Registry) else Registry([tool])
        name = options.pop("name", registry.names[0])
        return asyncio.run(registry.call(name, args, **options))

    return run
