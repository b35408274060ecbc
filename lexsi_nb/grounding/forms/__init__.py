"""Kinds of questions beyond one count, figure, group or list: shares, comparisons, yes or no, profiles, series."""
