"""What can be said of a failed query without a value of the data."""

from __future__ import annotations

import re

from lexsi_nb.data.failure import first_line
from lexsi_nb.errors import LexsiError

# By DuckDB's own kinds. Those that are raised while rows are read quote cells in many ways.
_WHILE_IT_RAN = {
    "ConversionException": "A value of the data does not convert. Look at it with sample_values, or use TRY_CAST.",
    "OutOfRangeException": "A number is out of the range of its type. Cast to a wider one.",
    "InvalidInputException": "A value of the data is no valid input of a function.",
    "ConstraintException": "A value of the data breaks a constraint.",
}
_BEFORE = ("BinderException", "CatalogException", "ParserException", "SyntaxException", "NotImplementedException")
_QUOTED = re.compile(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'")


def outlined(said: LexsiError, error: Exception, sql: str) -> LexsiError:
    """Return the error with what may be told of it: DuckDB's own words where they quote nothing but the statement.

    An error found before a row was read is about names and types.
    """
    if type(error).__name__ in _BEFORE:
        said.outline = _QUOTED.sub(lambda m: m[0] if m[0][1:-1] in sql else "...", first_line(error))
    else:
        said.outline = _WHILE_IT_RAN.get(type(error).__name__, "The query failed while it ran.")
    return said
