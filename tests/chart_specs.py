"""Chart specs without what altair only adds, so that a spec and the chart that a cell draws can be compared."""

from __future__ import annotations

import json
from typing import Any


def plain(spec: dict[str, Any]) -> Any:
    """Return a spec without schema version, theme and names of data sets; numbers rounded to six places."""
    datasets = spec.get("datasets", {})

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            if set(node) == {"name"} and node["name"] in datasets:
                return {"values": walk(datasets[node["name"]])}
            return {k: walk(v) for k, v in node.items() if k not in ("$schema", "config", "datasets")}
        if isinstance(node, list):
            return [walk(v) for v in node]
        return round(node, 6) if isinstance(node, float) else node

    return walk(json.loads(json.dumps(spec)))
