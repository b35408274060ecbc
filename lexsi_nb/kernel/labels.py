"""From a label that a planner chose to a variable name that Python and the reader accept."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata

MAX_LENGTH = 60
# Names that emitted cells or IPython use: a frame under one of them would break the next cell.
RESERVED = frozenset(
    {"In", "Out", "exit", "quit", "get_ipython", "pd", "np", "pl", "pa", "alt", "lgb", "duckdb", "con", "lx", "DATA"}
)


def variable_name(label: str) -> tuple[str, str]:
    """Return (name, why it differs from the label); the reason is empty when the label is used as it is.

    >>> variable_name("context_df")
    ('context_df', '')
    >>> variable_name("top 10 loans")[0]
    'top_10_loans'
    >>> variable_name("sum")
    ('sum_df', "'sum' is a Python builtin")
    """
    text = unicodedata.normalize("NFKC", str(label))
    name = re.sub(r"_{2,}", "_", re.sub(r"\W", "_", text)).strip("_")
    why = "" if name == str(label) else f"{str(label)!r} is not a plain Python name"
    if not name:
        return "frame", f"{str(label)!r} has no letter or digit"
    if not name.isidentifier():  # a leading digit, or a letter-like sign that may not start a name
        name = f"df_{name}"
        why = f"{str(label)!r} does not start with a letter"
    if len(name) > MAX_LENGTH:
        name, why = name[:MAX_LENGTH].rstrip("_"), f"the label is longer than {MAX_LENGTH} characters"
    if keyword.iskeyword(name):
        return f"{name}_df", f"{name!r} is a Python keyword"
    if hasattr(builtins, name):
        return f"{name}_df", f"{name!r} is a Python builtin"
    if name in RESERVED:
        return f"{name}_df", f"{name!r} is used by notebooks for something else"
    return name, why
