"""Observations as JSON fields and back, so that what is read again later is cut by the same classes."""

from __future__ import annotations

from typing import Any

from lexsi_nb.artifacts.observation import Grid, Observation, Segment


def fields_of(observation: Observation | None) -> dict[str, Any] | None:
    """Return an observation as JSON fields; secret parts are left out."""
    if observation is None:
        return None
    segments = [_segment(s) for s in observation.segments if s.kind != "secret" and s.media is None]
    return {"dataset": observation.dataset, "segments": segments}


def observation_from(fields: dict[str, Any] | None) -> Observation | None:
    """Return the observation that `fields_of` wrote."""
    if fields is None:
        return None
    return Observation(tuple(_segment_from(s) for s in fields["segments"]), fields["dataset"])


def _segment(segment: Segment) -> dict[str, Any]:
    out: dict[str, Any] = {"text": segment.text, "kind": segment.kind}
    if segment.columns:
        out["columns"] = list(segment.columns)
    if segment.foreign is not None:
        out["foreign"] = segment.foreign
    if segment.shared is not None:
        out["shared"] = segment.shared
    if segment.instead:
        less = segment.instead
        out["instead"] = less if isinstance(less, str) else _segment(less)
    if segment.grid is not None:
        grid = segment.grid
        out["grid"] = {
            "header": list(grid.header), "rows": [list(r) for r in grid.rows],
            "origins": [list(o) for o in grid.origins], "most": grid.most,
        }  # fmt: skip
    return out


def _segment_from(fields: dict[str, Any]) -> Segment:
    less, grid = fields.get("instead", ""), fields.get("grid")
    return Segment(
        fields["text"],
        fields["kind"],
        tuple(fields.get("columns", ())),
        foreign=fields.get("foreign"),
        shared=fields.get("shared"),
        instead=less if isinstance(less, str) else _segment_from(less),
        grid=None
        if grid is None
        else Grid(
            tuple(grid["header"]),
            tuple(map(tuple, grid["rows"])),
            tuple(map(tuple, grid["origins"])),
            grid["most"],
        ),
    )
