"""Where data come from: the bundled bank, the real PKDD'99 files, files and databases, kernel frames."""

from __future__ import annotations

from lexsi_nb.data.bank import bank
from lexsi_nb.data.berka import berka
from lexsi_nb.data.dataset import Dataset
from lexsi_nb.data.sources import frames, open

__all__ = ["Dataset", "bank", "berka", "frames", "open"]
