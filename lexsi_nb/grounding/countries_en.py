"""Countries and continents as people name them: ISO 3166 codes, English names and adjectives."""

from __future__ import annotations

from collections.abc import Sequence

# alpha-2 alpha-3 name / adjective
_TABLE = """
AF AFG afghanistan/afghan|AL ALB albania/albanian|DZ DZA algeria/algerian|AR ARG argentina/argentinian
AM ARM armenia/armenian|AU AUS australia/australian|AT AUT austria/austrian|AZ AZE azerbaijan/azerbaijani
BD BGD bangladesh/bangladeshi|BY BLR belarus/belarusian|BE BEL belgium/belgian|BO BOL bolivia/bolivian
BA BIH bosnia and herzegovina/bosnian|BR BRA brazil/brazilian|BG BGR bulgaria/bulgarian|KH KHM cambodia/cambodian
CM CMR cameroon/cameroonian|CA CAN canada/canadian|CL CHL chile/chilean|CN CHN china/chinese
CO COL colombia/colombian|CR CRI costa rica/costa rican|HR HRV croatia/croatian|CU CUB cuba/cuban
CY CYP cyprus/cypriot|CZ CZE czechia/czech|DK DNK denmark/danish|DO DOM dominican republic/dominican
EC ECU ecuador/ecuadorian|EG EGY egypt/egyptian|SV SLV el salvador/salvadoran|EE EST estonia/estonian
ET ETH ethiopia/ethiopian|FI FIN finland/finnish|FR FRA france/french|DE DEU germany/german|GH GHA ghana/ghanaian
GR GRC greece/greek|GT GTM guatemala/guatemalan|HT HTI haiti/haitian|HN HND honduras/honduran|HU HUN hungary/hungarian
IS ISL iceland/icelandic|IN IND india/indian|ID IDN indonesia/indonesian|IR IRN iran/iranian|IQ IRQ iraq/iraqi
IE IRL ireland/irish|IL ISR israel/israeli|IT ITA italy/italian|JM JAM jamaica/jamaican|JP JPN japan/japanese
JO JOR jordan/jordanian|KZ KAZ kazakhstan/kazakh|KE KEN kenya/kenyan|KR KOR south korea/south korean
KW KWT kuwait/kuwaiti|LV LVA latvia/latvian|LB LBN lebanon/lebanese|LT LTU lithuania/lithuanian
LU LUX luxembourg/luxembourgish|MY MYS malaysia/malaysian|MT MLT malta/maltese|MX MEX mexico/mexican
MD MDA moldova/moldovan|MA MAR morocco/moroccan|NP NPL nepal/nepalese|NL NLD netherlands/dutch
NZ NZL new zealand/new zealand|NI NIC nicaragua/nicaraguan|NG NGA nigeria/nigerian|NO NOR norway/norwegian
PK PAK pakistan/pakistani|PA PAN panama/panamanian|PY PRY paraguay/paraguayan|PE PER peru/peruvian
PH PHL philippines/philippine|PL POL poland/polish|PT PRT portugal/portuguese|QA QAT qatar/qatari
RO ROU romania/romanian|RU RUS russia/russian|SA SAU saudi arabia/saudi|RS SRB serbia/serbian
SG SGP singapore/singaporean|SK SVK slovakia/slovak|SI SVN slovenia/slovenian|ZA ZAF south africa/south african
ES ESP spain/spanish|LK LKA sri lanka/sri lankan|SE SWE sweden/swedish|CH CHE switzerland/swiss|SY SYR syria/syrian
TW TWN taiwan/taiwanese|TZ TZA tanzania/tanzanian|TH THA thailand/thai|TN TUN tunisia/tunisian|TR TUR turkey/turkish
UG UGA uganda/ugandan|UA UKR ukraine/ukrainian|AE ARE united arab emirates/emirati|GB GBR united kingdom/british
US USA united states/american|UY URY uruguay/uruguayan|UZ UZB uzbekistan/uzbek|VE VEN venezuela/venezuelan
VN VNM vietnam/vietnamese|ZM ZMB zambia/zambian|ZW ZWE zimbabwe/zimbabwean
"""
_ROWS = [row.split(" ", 2) for line in _TABLE.splitlines() for row in line.split("|") if row]
NAMES: dict[str, str] = {}  # code -> name
ADJECTIVES: dict[str, str] = {  # adjective -> name
    "african": "africa", "european": "europe", "asian": "asia", "north american": "north america",
    "south american": "south america", "oceanian": "oceania", "antarctic": "antarctica",
}  # fmt: skip
for _two, _three, _said in _ROWS:
    _name, _, _adjective = _said.partition("/")
    NAMES[_two] = NAMES[_three] = _name
    ADJECTIVES[_adjective] = _name
_WORDS = frozenset({"country", "nation", "nationality", "ctry"})


def code_book(name: tuple[str, ...], values: Sequence[str]) -> dict[str, str]:
    """Return {code: country} for a column that names countries by ISO codes; empty for another column."""
    if not any(w in _WORDS or w.startswith("country") for w in name):
        return {}
    known = [v for v in values if v in NAMES]
    return {v: NAMES[v] for v in known} if known and len(known) >= 0.6 * len(values) else {}
