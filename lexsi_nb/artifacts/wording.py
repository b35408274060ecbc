"""How a number is written for a person."""

from __future__ import annotations

import re

SYNTHETIC = "SYNTHETIC data: generated, no real clients."
_NAMES = re.compile(r"(^|_)(id|year|no|nr|code|zip|key)s?$|^year_|(?<=[a-z])(Id|ID|Year)$", re.IGNORECASE)


def is_name_column(column: object) -> bool:
    """Return whether a column's numbers name things (ids, years): their thousands are not grouped.

    >>> [is_name_column(c) for c in ("loan_id", "year", "opened_year", "amount", "paid")]
    [True, True, True, False, False]
    """
    return bool(_NAMES.search(str(column)))
