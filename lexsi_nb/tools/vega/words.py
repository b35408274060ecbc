"""The vocabulary of Vega-Lite 5 that a spec is checked against."""

from __future__ import annotations

MARKS = frozenset(
    "arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail".split()
)
TYPES = ("quantitative", "temporal", "ordinal", "nominal", "geojson")
AGGREGATES = frozenset(
    "argmax argmin average ci0 ci1 count distinct exponential exponentialb max mean median min missing product q1 q3 "
    "stderr stdev stdevp sum valid values variance variancep".split()
)
CHANNELS = frozenset(
    "angle color column description detail facet fill fillOpacity key latitude latitude2 longitude longitude2 opacity "
    "order radius radius2 row shape size stroke strokeDash strokeOpacity strokeWidth text theta theta2 time tooltip x "
    "x2 xError xError2 xOffset y y2 yError yError2 yOffset".split()
)
# Channels that take no type of their own.
UNTYPED = frozenset("x2 y2 theta2 radius2 latitude2 longitude2 xError xError2 yError yError2".split())
VIEWS = ("mark", "layer", "hconcat", "vconcat", "concat", "facet", "repeat", "spec")
# What a sample of the rows can stand for; counts and sums of a sample would be wrong numbers.
OF_A_SAMPLE = frozenset("mean average median q1 q3 stdev stdevp variance variancep stderr ci0 ci1".split())
OF_NUMBERS = OF_A_SAMPLE | {"sum", "product", "exponential", "exponentialb"}
EXTERNAL = ("url", "href", "src")
