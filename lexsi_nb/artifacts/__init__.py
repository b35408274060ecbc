"""What a tool hands to the notebook, and what a planner reads."""

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.artifacts.results import (
    Approval,
    Attribution,
    Chart,
    Choice,
    ModelCard,
    Option,
    Reason,
    Shown,
    Table,
    Text,
    by_id,
    stamped,
)

__all__ = [
    "Approval", "Attribution", "Chart", "Choice", "CodeCell", "ModelCard", "Observation", "Option", "Reason", "Segment",
    "Shown", "Table", "Text", "by_id", "stamped",
]  # fmt: skip
