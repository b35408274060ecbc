"""English as data, the second file: how names are shortened, what verbs are about, units, directions, synonyms.

Nothing here is of one dataset. Another language is a pair of files like this one and the lexicon.
"""

from __future__ import annotations

import re

# Short forms and signs (as patterns) and what they stand for.
SPOKEN: tuple[tuple[str, str], ...] = (
    (r"(?<!\w)w/o(?!\w)", "without"), (r"(?<!\w)w/(?=\s)", "with"), (r"(?<!\w)#\s*(?:of\s+)?(?=[a-z])", "number of "),
    (r"(?<!\w)wht(?!\w)", "what"), (r"(?<!\w)hw many(?!\w)", "how many"), (r"(?<!\w)btw(?!\w)", "between"),
    (r"(?<!\w)std dev(?!\w)", "standard deviation"), (r"(?<!\w)(?:plz|pls)(?!\w)", "please"),
    (r"(?<!\w)do(es)?nt(?!\w)", r"do\1n't"),
)  # fmt: skip
# The beginning of a question that narrows the one before it.
OF_THOSE = (
    r"(?:and |now |but )?(?:(?:out )?(?:of|among|from) (?:those|these|them)[, ]+(?:and )?"
    r"(?:how many|which(?: ones)?|what number|count)? ?(?:of them )?"
    r"|(?:how many|which|what number) of (?:those|these|them) )(?:were|are|was|is|have been|had been|got)? ?"
)
_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_DAY = r"\d\d?"
# Years without their century: '98.
YEARS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![\w'’])['’]([3-9]\d)(?![\w'’])"), r"19\1"),
    (re.compile(r"(?<![\w'’])['’]([0-2]\d)(?![\w'’])"), r"20\1"),
)
# Whole phrases said another way, and what they are read as.
REPHRASED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^how old (?:is|are|was|were)\b", re.I), "what is the age of"),
    (re.compile(r"\b(which|what) (year|quarter|month|week|day) saw\b", re.I), r"\1 \2 had"),
    (re.compile(r"\bper cent\b", re.I), "percent"),
    (
        re.compile(r"\bage in (?=(?:\d+[- ]years? )?(?:bands|steps|buckets|bins|brackets|intervals)\b)", re.I),
        "age into ",
    ),
    (
        re.compile(
            r"^by how much (?:did|has|have) (.+?) (?:grow|grown|increased?|rise|risen|changed?) (.+?),?"
            r" in (?:percent|%)(?= *[?.]?$)",
            re.I,
        ),
        r"growth of \1 \2",
    ),
    (
        re.compile(r"(\b(?:grow|grew|growth|increased?|rise|rose|changed?)\b.*?),? in (?:percent|%)(?= *[?.]?$)", re.I),
        r"\1",
    ),
    (re.compile(r"\b(?:before|by|until|till|up to) (?:the )?end of ((?:19|20)\d\d)\b", re.I), r"until \1-12-31"),
    # "between May and August 1995", "from 10 to 24 June 1995": what is said once is meant of both ends
    (
        re.compile(rf"\b(between|from) ({_MONTH}) (and|to|until|till|through) ({_MONTH}) ((?:19|20)\d\d)\b", re.I),
        r"\1 \2 \5 \3 \4 \5",
    ),
    (
        re.compile(
            rf"\b(between|from) (?:the )?({_DAY}) (and|to|until|till|through) (?:the )?({_DAY}) (?:of )?({_MONTH})"
            r" ((?:19|20)\d\d)\b",
            re.I,
        ),
        r"\1 \2 \5 \6 \3 \4 \5 \6",
    ),
    (re.compile(r"\b((?:bigg|larg|high|small|low|great)est) single\b", re.I), r"\1"),
    # thousands and spans as they are written: 80.000, Oct-Dec 1997; days with an ordinal
    (re.compile(r"(?<![\d.,])(\d{1,3})\.000(?![\d.,]\d|\d)"), r"\1,000"),
    (
        re.compile(rf"\b(?:in |from |during |between )?({_MONTH}) ?[-–] ?({_MONTH}) ((?:19|20)\d\d)\b", re.I),
        r"between \1 \3 and \2 \3",
    ),
    (re.compile(rf"\b(\d\d?)(?:st|nd|rd|th) (?:of )?({_MONTH})\b", re.I), r"\1 \2"),
    (re.compile(rf"\b({_MONTH}) (?:the )?(\d\d?)(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b", re.I), r"\2 \1 \3"),
    (re.compile(r"\bquartiles of (?:the )?", re.I), "lower quartile, median and upper quartile of "),
    (re.compile(r"^in how many (?:cases|instances) (?:was|were|is|are|did|has|have) ", re.I), "how many "),
    (re.compile(r",? (?:each(?: one)?|every one) (?:only )?once(?= (?:please|pls)|[ .?!]*$)", re.I), ""),
)
# Words that point at the rows of an answer before: `how many of those`.
POINTING: frozenset[str] = frozenset({"those", "these", "them"})
# Words that open a span up to now, and the periods it is told in: `the last 3 months`.
LATELY: frozenset[str] = frozenset({"last", "past", "previous", "recent", "latest", "next", "coming"})
PERIODS: frozenset[str] = frozenset(
    "day days week weeks month months quarter quarters year years hour hours decade decades".split()
)
MONTH_DAYS: dict[str, int] = {
    "january": 31, "february": 29, "march": 31, "april": 30, "june": 30, "july": 31, "august": 31, "september": 30,
    "october": 31, "november": 30, "december": 31, "jan": 31, "feb": 29, "mar": 31, "apr": 30, "jun": 30, "jul": 31,
    "aug": 31, "sep": 30, "sept": 30, "oct": 31, "nov": 30, "dec": 31,
}  # fmt: skip
MONTHS_A_YEAR = 12
MONEY: frozenset[str] = frozenset({"money"})
PERCENT: frozenset[str] = frozenset({"percent", "%", "pct"})
# Verbs after which "to" says where something went.
GOING: frozenset[str] = frozenset({"go", "goes", "went", "going", "gone", "paid", "sent"})
# Questions for a meaning, and what may stand before the word that is meant.
MEANING: tuple[str, ...] = (
    r"what (?:does|do|did) (?P<what>.+?) (?:mean|stand for|represent|signify|denote)",
    r"what (?:is|are) (?:the |a )?(?:meaning|meanings|definition) of (?P<what>.+)",
    r"what (?:is|are) meant by (?P<what>.+)",
    r"(?:please )?(?:explain|define) (?:the )?(?:codes?|value|term|meaning of) (?P<what>.+)",
)
MEANT = r"^(?:(?:the|a|an|our) )?(?:(?:codes?|values?|words?|columns?|fields?|terms?|abbreviation)(?: of)? )?(?:the )?"
# Follow-ups for the rows that were counted, and for their number.
LIST_THEM = (
    r"(?:(?:and|now|please|then|ok|can you|could you) )*"
    r"(?:list|show|display|give)(?: me)? (?:them|these|those)(?: all)?"
    r"|(?:and )?which (?:ones|ones are they|ones are those|are they|are those)|(?:and )?who are they"
)
COUNT_THEM = r"(?:and )?how many(?: (?:is|are) (?:there|they|these|those|that|it))?(?: of them)?(?: in total)?"
ARTICLES: frozenset[str] = frozenset({"the", "a", "an", "?"})
# The words for an end of a ranking.
TURNED: dict[str, str] = {
    "most:desc": "the most", "most:asc": "the fewest", "super:desc": "highest", "super:asc": "lowest",
    "super:first": "oldest", "super:last": "newest", "mode:desc": "most common", "mode:asc": "least common",
}  # fmt: skip
# Words for the rows of a table, and a question that opens with their number.
ROWS: tuple[str, ...] = ("row", "record", "entry")
ROWS_COUNTED = re.compile(
    r"^\s*(?:(?:how many|(?:the )?(?:total )?number of|(?:the )?count of)(?: the)? (?:rows|records|entries)"
    r"(?: (?:are|is) there| do we have| are in the (?:data|table|dataset))?"
    r"|(?:rows|records|entries)(?= (?:by|per) ))(?! (?:of|in|on|with|where|from)\b)",
    re.I,
)
# Days of the week, words for which one it is, and the part of the week that is no working day.
DAYS: frozenset[str] = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
WEEKDAY: frozenset[str] = frozenset({"weekday", "day of week", "day of the week", "days of the week", "week day"})
WEEKEND = "weekend"
DECADE = "decade"
# Words for the bands that numbers are put into, and what opens their width: "in bands of 50".
BANDS: frozenset[str] = frozenset("bands steps buckets bins brackets intervals".split())
BANDED: frozenset[str] = frozenset(f"{lead} {w}" for lead in ("in", "into") for w in BANDS)
# Words after "at" that tell no time: `at least`, `at all`.
AT_NOT_WHEN: frozenset[str] = frozenset({"least", "most", "all", "a", "our", "your", "this", "any"})
WHENEVER: frozenset[str] = frozenset({"when", "while", "whenever"})
# What can be done by something, where the word does not end in -ed.
DONE: frozenset[str] = frozenset(
    {"made", "done", "paid", "taken", "sent", "given", "bought", "sold", "drawn", "withdrawn"}
)
# Adjectives of length and the words that a column has which they are said of.
SIZES: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("longest", "shortest"),
    (
        "length",
        "distance",
        "time",
        "period",
        "days",
        "months",
        "years",
        "hours",
        "minutes",
        "runtime",
        "delay",
        "stay",
        "height",
        "term",
        "tenure",
        "name",
        "age",
        "wait",
        "elapsed",
        "dur",
        "span",
        "interval",
        "day",
        "month",
    ),
)
# Words that judge without a measure.
BEST: tuple[str, ...] = (
    "best", "worst", "best performing", "worst performing", "top performing", "strongest", "weakest",
)  # fmt: skip
# Words for a table of cohorts by their age.
VINTAGE: tuple[str, ...] = (
    "vintage", "vintages", "vintage table", "vintage table of", "vintage analysis", "vintage analysis of",
    "vintage curve", "vintage curves", "vintage curves of", "cohort table", "cohort table of", "cohort analysis",
    "cohort analysis of", "cohorts of", "cohort", "cohorts", "by cohort", "cohort age", "age in", "at the age of",
)  # fmt: skip
# Parts of column names that shorten a word.
SHORT: dict[str, str] = {
    "cd": "code", "no": "number", "nr": "number", "num": "number", "qty": "quantity", "pct": "percent",
    "dt": "date", "nm": "name", "addr": "address", "tel": "phone", "dob": "birth date", "cust": "customer",
    "dept": "department", "mgr": "manager", "emp": "employee", "lat": "latitude", "lon": "longitude",
    "lng": "longitude", "long": "longitude", "alt": "altitude", "temp": "temperature", "tz": "time zone",
    "tzone": "time zone", "dep": "departure", "arr": "arrival", "dest": "destination", "org": "organisation",
    "txn": "transaction", "prod": "product", "cat": "category", "desc": "description",
    "lg": "league", "yr": "year", "mth": "month", "mon": "month", "wk": "week", "hr": "hour", "loc": "location",
    "ctry": "country", "curr": "currency", "inv": "invoice", "ref": "reference",
    "avg": "average", "tot": "total", "ts": "time", "req": "request", "resp": "response", "msg": "message",
    "lname": "last name", "fname": "first name", "zip": "zip code", "postcode": "zip code",
}  # fmt: skip
# Ends of names that are written together: countrycode, currencyname.
TAILS: tuple[str, ...] = ("number", "name", "code", "date", "type", "key", "cd", "id", "no")
# Beginnings of the names of true/false columns.
TRUTHS: frozenset[str] = frozenset({"is", "has", "was", "are"})

# unit -> words for it. A column whose name ends in the unit is told in it.
UNITS: dict[str, tuple[str, ...]] = {
    "kg": ("kg", "kgs", "kilogram", "kilograms", "kilo", "kilos"), "g": ("gram", "grams"),
    "lb": ("lb", "lbs", "pound", "pounds"), "km": ("km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"),
    "km2": ("km2", "sq km", "sqkm", "km²", "square kilometers", "square kilometres", "square km"),
    "mi": ("mile", "miles"), "ft": ("ft", "foot", "feet"), "in": ("inch", "inches"), "cm": ("cm", "centimeters"),
    "m": ("meter", "meters", "metre", "metres"), "min": ("minute", "minutes", "mins"),
    "sec": ("second", "seconds", "secs"), "h": ("hour", "hours", "hrs"), "usd": ("dollar", "dollars", "usd"),
    "eur": ("euro", "euros", "eur"), "kmh": ("km/h", "kmh", "kph"), "mph": ("mph",), "c": ("celsius",),
    "f": ("fahrenheit",), "mb": ("mb", "megabytes"), "gb": ("gb", "gigabytes"), "l": ("litres", "liters"),
}  # fmt: skip
# Units of one dimension: told in one of them, a number in another would have to be converted.
DIMENSIONS: tuple[frozenset[str], ...] = (
    frozenset({"kg", "g", "lb"}), frozenset({"km", "mi", "ft", "in", "cm", "m"}), frozenset({"km2"}),
    frozenset({"min", "sec", "h"}), frozenset({"usd", "eur"}), frozenset({"kmh", "mph"}), frozenset({"c", "f"}),
    frozenset({"mb", "gb"}), frozenset({"l"}),
)  # fmt: skip
# Adjectives after a number and its unit, and the word that the column's name has.
ADJECTIVES: dict[str, tuple[str, ...]] = {
    "tall": ("height",), "high": ("height", "altitude", "elevation"), "heavy": ("weight", "mass"),
    "long": ("length", "distance"), "wide": ("width",), "deep": ("depth",), "fast": ("speed",),
    "old": ("age",), "away": ("distance",), "up": ("altitude", "elevation"),
}  # fmt: skip
# Words for people counted by a number, and the word that the column's name has.
HEADS: frozenset[str] = frozenset({"people", "person", "inhabitant", "resident", "citizen", "soul"})
HEADS_COLUMN = "population"

# Verbs (as said) and the words that the names of what they are about have.
ABOUT: dict[str, tuple[str, ...]] = {
    "born": ("birth", "born"), "died": ("death", "died"), "dead": ("death",), "buried": ("burial",),
    "debuted": ("debut",), "signed up": ("signup", "registration", "joined"), "sign up": ("signup",),
    "registered": ("registration", "registered"), "joined": ("joined", "join", "hire"), "hired": ("hire", "hired"),
    "placed": ("placed", "ordered", "order"), "ordered": ("ordered", "order"), "posted": ("posted",),
    "created": ("created",), "published": ("published", "publication"), "released": ("released", "release"),
    "shipped": ("shipped", "ship"), "delivered": ("delivered", "delivery"), "returned": ("returned", "return"),
    "built": ("built", "construction"), "manufactured": ("manufactured", "manufacture"),
    "founded": ("founded", "founding", "foundation"), "established": ("established",), "opened": ("opened", "opening"),
    "closed": ("closed", "closing"), "granted": ("granted", "grant"),
    "started": ("started", "start"), "ended": ("ended", "end"), "updated": ("updated",), "paid": ("paid", "payment"),
    "expires": ("expiry", "expires"), "expired": ("expiry", "expired"), "sold": ("sold", "sale"),
    "bought": ("bought", "purchase"), "purchased": ("purchased", "purchase"),
}  # fmt: skip
# Verbs that say that a row came to be and nothing more of it: with the only date of a table they mean that date.
BEGINNINGS: frozenset[str] = frozenset(
    """signed placed posted created published released built manufactured made founded established opened
    granted started given taken handed won paid sold bought purchased written filed submitted logged reported played
    flown operated scored held produced committed registered joined hired recorded booked executed processed""".split()
)
# Verbs that join two things of the data and say nothing more: "salary paid by X", "distance flown by Y".
JOINING: frozenset[str] = frozenset(
    """flown flew fly flies flying paid pays pay given gave handed earned earn earns played play plays scored hit hits
    won win wins received receive receives run operated sold sell sells bought buy buys placed place places made
    written wrote produced supplied supply supplies offered delivered stocked carried granted opened awarded
    published posted reviewed purchased ordered listed""".split()
)
JOINING_PHRASES: tuple[str, ...] = (
    "handed out",
    "came in",
    "came in through",
    "come in",
    "given out",
    "paid out",
    "signed up",
)
# Verbs whose noun may be a table's name.
NOUNS: dict[str, tuple[str, ...]] = {
    "fly": ("flight",), "flew": ("flight",), "flown": ("flight",), "flies": ("flight",), "sold": ("sale", "order"),
    "sell": ("sale",), "sells": ("sale",), "bought": ("purchase", "order"), "buy": ("purchase", "order"),
    "buys": ("purchase", "order"), "purchased": ("purchase", "order"), "ordered": ("order",), "reviewed": ("review",),
    "paid": ("payment",), "returned": ("return",), "visited": ("visit",), "booked": ("booking",),
    "rented": ("rental",), "awarded": ("award",), "supplies": ("supplier",), "supplied": ("supplier",),
    "supply": ("product", "item"), "employs": ("employee",), "teaches": ("teacher",),
}  # fmt: skip

# Words before a place, and the words that the name of the place's column has.
TOWARDS: tuple[str, ...] = ("dest", "destination", "to", "target", "arrival", "arr", "end", "receiver", "recipient")
OUT_OF: tuple[str, ...] = ("origin", "source", "from", "departure", "dep", "start", "sender", "orig")
DIRECTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("to", "into", "arriving in", "arriving at", "arrived in", "arrived at", "bound for", "headed to", "headed for",
         "heading to", "landing in", "landing at", "landed in", "landed at", "going to", "flying to", "flew to",
         "fly to", "flown to", "going into", "towards", "toward"), TOWARDS),
    **dict.fromkeys(
        ("from", "leaving", "leaving from", "departing", "departing from", "departed from", "departed", "left",
         "out of", "starting from", "originating in", "originating from", "flying from", "flew from", "flying out of",
         "coming from"), OUT_OF),
}  # fmt: skip
# Words before a thing by which something came about; they add nothing to its name.
BY_WAY: frozenset[str] = frozenset({"via", "through", "using", "by means of", "by way of"})

# Words of the same meaning; used where a question's word is in no name and exactly one of its group is.
SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(g.split("|"))
    for g in (
        "customer|buyer|shopper", "supplier|vendor", "product|item|article|good",
        "employee|worker|staff", "area|surface|surface area", "salary|wage|pay|salaries", "price|cost",
        "category|kind", "location|place", "city|town", "country|nation", "company|firm", "automobile|car",
        "physician|doctor", "film|movie", "quantity|pieces|units", "elevation|altitude", "birthday|birth date",
        "nation|country", "league|division", "email|e-mail|email address|e-mail address",
        "phone|phone number|telephone",
        "postal code|zip code", "job|occupation|position", "manufacturer|maker", "rating|stars",
        "last name|surname|family name", "first name|given name|forename", "home runs|HR|homers",
    )
)  # fmt: skip

# What comments say of columns: "order value, also called turnover or revenue", "S = shipped".
ALSO_CALLED = r"\b(?:also (?:called|known as|named|said)|a\.?k\.?a\.?|synonyms?:?|short for)\s+(?P<names>[^.;:()]+)"
BETWEEN_NAMES = r"\s*(?:,|/|\bor\b|\band\b)\s*"
CODE_STANDS_FOR = r"\s*(?:=|:|->|-|–|\bmeans\b|\bis\b|\bfor\b)\s*"
