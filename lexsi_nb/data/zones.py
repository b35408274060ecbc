"""The time zone that the times of a column are told in."""

from __future__ import annotations

from typing import Any

STORED = "UTC"  # what files and databases keep moments in


def zones_of(frame: Any) -> dict[str, str]:
    """Return {column: zone} of the time columns of a pandas, polars or Arrow frame that have one."""
    if hasattr(frame, "schema") and hasattr(frame, "num_rows"):
        return {f.name: str(f.type.tz) for f in frame.schema if getattr(f.type, "tz", None)}
    if hasattr(frame, "dtypes") and hasattr(frame.dtypes, "items"):
        return {str(n): str(t.tz) for n, t in frame.dtypes.items() if getattr(t, "tz", None) is not None}
    schema = getattr(frame, "schema", None)
    if schema is not None and hasattr(schema, "items"):
        return {str(n): str(t.time_zone) for n, t in schema.items() if getattr(t, "time_zone", None)}
    return {}


def zone_of(sql_type: str, own: str = "") -> str:
    """Return the zone of a column of a DuckDB type: its own where the frame says one, else the stored one."""
    if "TIME ZONE" not in sql_type.upper():
        return ""
    return own or STORED
