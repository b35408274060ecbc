"""English words that a reading must not pass over, and names of figures that are no groups and add up to nothing."""

from __future__ import annotations

# Said of the condition after it: it holds for these rows and for no others.
ONLY: frozenset[str] = frozenset({"only", "exclusively", "solely", "just", "purely"})
# They compare two values of rows, which a reading has to show by two columns or by a count of values.
SAME: frozenset[str] = frozenset({"same"})
# Passed over as verbs elsewhere; before the rows they are said of, they choose some of them.
CHOOSING: frozenset[str] = frozenset("living live lives single served recorded used located operated".split())
MISSING: frozenset[str] = frozenset(
    "missing null nulls empty blank unknown nan none filled known complete lacking lack lacks recorded".split()
)
# Numbers that rows are put into groups by, by the last word of the name: a floor, a year, a grade.
GROUPING: frozenset[str] = frozenset(
    """year month day week weekday hour minute quarter season decade age floor level grade class tier rank rating stars
    severity priority size code no number nr id version term round group category""".split()
)
# Figures of one thing or of one while: a sum of them says nothing.
OF_ONE: frozenset[str] = frozenset({"unit", "hourly", "daily", "weekly", "per"})
# What a thing is offered at: the sum over a list of offers is not what was paid.
OFFERED: frozenset[str] = frozenset({"price", "fee", "tariff"})
# The values of a column that only says yes or no.
FLAGS: frozenset[str] = frozenset("y n yes no t f true false 0 1 na n/a".split())
DISTINCT: frozenset[str] = frozenset({"distinct", "different", "unique", "values", "kinds", "types"})
# Last words of names of numbers that point at other rows.
POINTING: frozenset[str] = frozenset({"id", "no", "key", "number", "code"})
SUMS: frozenset[str] = frozenset(
    """total totals sum sums much overall combined altogether many more less volume revenue turnover sales spending
    """.split()
)
