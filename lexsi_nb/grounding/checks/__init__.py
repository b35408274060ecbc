"""Doubts about a finished reading: words it drops, rivals it passed over, figures that say nothing."""
