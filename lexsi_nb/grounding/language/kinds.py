"""What a table of a language may hold beside words and numbers: patterns."""

from __future__ import annotations

import re
from typing import Annotated

# A pattern that is put together, or compiled, where it is used. Where a file has none it fits nothing.
Regex = Annotated[str, "regex"]
Pattern = re.Pattern[str]  # compiled, without regard to case
