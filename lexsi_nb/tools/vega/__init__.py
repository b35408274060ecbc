"""Vega-Lite specifications: checked against data, kept small, and written as an altair cell."""
