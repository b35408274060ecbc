"""Names of models that look like the one that was asked for."""

from __future__ import annotations

import sys
from typing import Any, get_args

from lexsi_nb.errors import nearest
from lexsi_nb.planners.choice import ModelChoice


def near_models(choice: ModelChoice) -> list[str]:
    """Return up to three known names near a choice's; none where the library that knows them is not loaded."""
    models: Any = sys.modules.get("pydantic_ai.models")
    if models is None or choice.url:
        return []
    known = [n for n in get_args(models.KnownModelName.__value__) if n.startswith(f"{choice.provider}:")]
    return nearest(choice.name, known)
