"""Districts of the synthetic bank: real names and regions, made-up figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from lexsi_nb.data.synthetic.draws import Draws

REGIONS = (
    "Prague", "central Bohemia", "south Bohemia", "west Bohemia", "north Bohemia", "east Bohemia", "south Moravia",
    "north Moravia",
)  # fmt: skip
# Typical unemployment a region, in hundredths of a percent.
UNEMPLOYMENT = (30, 280, 210, 220, 480, 250, 340, 500)
# Districts in order of their key: name, region, thousands of inhabitants.
DISTRICTS: tuple[tuple[str, int, int], ...] = (
    ("Hl.m. Praha", 0, 1205),
    ("Benesov", 1, 89),
    ("Beroun", 1, 75),
    ("Kladno", 1, 150),
    ("Kolin", 1, 96),
    ("Kutna Hora", 1, 78),
    ("Melnik", 1, 95),
    ("Mlada Boleslav", 1, 112),
    ("Nymburk", 1, 81),
    ("Praha - vychod", 1, 92),
    ("Praha - zapad", 1, 76),
    ("Pribram", 1, 108),
    ("Rakovnik", 1, 54),
    ("Ceske Budejovice", 2, 178),
    ("Cesky Krumlov", 2, 59),
    ("Jindrichuv Hradec", 2, 94),
    ("Pelhrimov", 2, 74),
    ("Pisek", 2, 71),
    ("Prachatice", 2, 51),
    ("Strakonice", 2, 71),
    ("Tabor", 2, 103),
    ("Domazlice", 3, 58),
    ("Cheb", 3, 87),
    ("Karlovy Vary", 3, 123),
    ("Klatovy", 3, 89),
    ("Plzen - mesto", 3, 170),
    ("Plzen - jih", 3, 67),
    ("Plzen - sever", 3, 73),
    ("Rokycany", 3, 46),
    ("Sokolov", 3, 95),
    ("Tachov", 3, 51),
    ("Ceska Lipa", 4, 105),
    ("Decin", 4, 134),
    ("Chomutov", 4, 125),
    ("Jablonec n. Nisou", 4, 89),
    ("Liberec", 4, 160),
    ("Litomerice", 4, 114),
    ("Louny", 4, 86),
    ("Most", 4, 120),
    ("Teplice", 4, 128),
    ("Usti nad Labem", 4, 119),
    ("Havlickuv Brod", 5, 96),
    ("Hradec Kralove", 5, 162),
    ("Chrudim", 5, 106),
    ("Jicin", 5, 78),
    ("Nachod", 5, 113),
    ("Pardubice", 5, 163),
    ("Rychnov nad Kneznou", 5, 79),
    ("Semily", 5, 76),
    ("Svitavy", 5, 103),
    ("Trutnov", 5, 122),
    ("Usti nad Orlici", 5, 139),
    ("Blansko", 6, 108),
    ("Brno - mesto", 6, 388),
    ("Brno - venkov", 6, 157),
    ("Breclav", 6, 125),
    ("Hodonin", 6, 162),
    ("Jihlava", 6, 109),
    ("Kromeriz", 6, 109),
    ("Prostejov", 6, 111),
    ("Trebic", 6, 118),
    ("Uherske Hradiste", 6, 146),
    ("Vyskov", 6, 87),
    ("Zlin", 6, 197),
    ("Znojmo", 6, 114),
    ("Zdar nad Sazavou", 6, 126),
    ("Bruntal", 7, 106),
    ("Frydek - Mistek", 7, 229),
    ("Jesenik", 7, 43),
    ("Karvina", 7, 285),
    ("Novy Jicin", 7, 161),
    ("Olomouc", 7, 226),
    ("Opava", 7, 182),
    ("Ostrava - mesto", 7, 324),
    ("Prerov", 7, 138),
    ("Sumperk", 7, 127),
    ("Vsetin", 7, 149),
)


def districts(draws: Draws) -> dict[str, np.ndarray]:
    """Return the columns of `district`; unemployment in hundredths, ratios in tenths of a percent; -1 is missing."""
    import numpy as np

    n = len(DISTRICTS)
    region = np.array([r for _, r, _ in DISTRICTS], dtype=np.int64)
    people = np.array([k for _, _, k in DISTRICTS], dtype=np.int64) * 1000 + draws.whole(-450, 450, n)
    city = people > 165_000
    unemployed = np.array(UNEMPLOYMENT, dtype=np.int64)[region] * draws.whole(55, 145, n) // 100
    later = unemployed * draws.whole(108, 130, n) // 100 + draws.whole(5, 40, n)
    crimes = people * draws.whole(18, 42, n) // 1000 + np.where(city, people // 60, 0)
    crimes_later = crimes * draws.whole(88, 112, n) // 100
    missing = 68  # one district lacks its figures of 1995, as in the real files
    unemployed_1995, crimes_1995 = unemployed.copy(), crimes.copy()
    unemployed_1995[missing] = crimes_1995[missing] = -1
    return {
        "district_id": np.arange(1, n + 1),
        "name": np.arange(1, n + 1),  # position in DISTRICTS; the words are put in when written
        "region": region + 1,
        "inhabitants": people,
        "municipalities_under_500": np.where(city, draws.whole(0, 5, n), draws.whole(8, 95, n)),
        "municipalities_500_to_1999": np.where(city, draws.whole(0, 8, n), draws.whole(6, 42, n)),
        "municipalities_2000_to_9999": np.where(city, draws.whole(0, 4, n), draws.whole(1, 12, n)),
        "municipalities_over_10000": draws.whole(1, 3, n),
        "cities": np.where(city, draws.whole(1, 3, n), draws.whole(2, 10, n)),
        "urban_ratio": np.where(city, draws.whole(880, 1000, n), draws.whole(380, 800, n)),
        "average_salary": 8000 + people // 150 + draws.whole(0, 1500, n),
        "unemployment_1995": unemployed_1995,
        "unemployment_1996": later,
        "entrepreneurs_per_1000": draws.whole(90, 150, n),
        "crimes_1995": crimes_1995,
        "crimes_1996": crimes_later,
        "_strain": unemployed,
    }
