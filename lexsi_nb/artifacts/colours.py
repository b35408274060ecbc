"""The colours of charts: told apart with every colour vision, 3:1 and more on white and on a dark page."""

from __future__ import annotations

BLUE, ORANGE = "#5083b8", "#d9771f"
# Of groups. A test measures each.
CATEGORIES = (BLUE, ORANGE, "#8108ff", "#7f5b4b", "#948e9b", "#ad4d0e", "#646573", "#ad816f")
GREY = "#808080"  # 3.9:1 on white, 3.2:1 on a dark page
