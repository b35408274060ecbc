"""English as data: the phrases a question may use and what each does. Another language is a file like this."""

from __future__ import annotations

# tag -> phrases. A phrase is words separated by blanks, in lower case. `tag:argument` carries the argument along.
PHRASES: dict[str, list[str]] = {
    "count": [
        "how many", "number of", "count", "count of", "the number of", "how often", "no of", "total number of",
        "the total number of",
    ],
    "agg:avg": ["average", "mean", "avg", "on average", "average value of", "mean value of"],
    "agg:sum": ["sum", "total", "sum of", "total of", "sum up", "how much", "combined", "overall"],
    "agg:min": ["minimum", "min", "minimum of", "minimal"],
    "agg:max": ["maximum", "max", "maximum of", "maximal"],
    "agg:median": ["median", "median of"],
    "agg:stddev": ["standard deviation", "standard deviation of", "stddev", "std"],
    "top:desc": ["top"],
    "top:asc": ["bottom"],
    "super:desc": ["highest", "largest", "biggest", "greatest", "longest", "most expensive"],
    "super:asc": ["lowest", "smallest", "least", "shortest", "cheapest"],
    "super:last": ["latest", "newest", "most recent", "last", "youngest"],
    "super:first": ["earliest", "oldest", "first"],
    "most:desc": ["most", "the most", "most often", "highest number of", "largest number of"],
    "most:asc": ["fewest", "the fewest", "lowest number of", "smallest number of"],
    "by": [
        "by", "per", "for each", "for every", "in each", "of each", "each", "every", "broken down by",
        "break down by", "grouped by", "group by", "split by", "across", "within each", "by each",
        "as a function of",
    ],
    "sort": ["sorted by", "ordered by", "order by", "sort by", "ranked by", "rank by", "in order of"],
    "desc": ["descending", "desc", "highest first", "largest first"],
    "asc": ["ascending", "asc", "lowest first", "smallest first"],
    "list": [
        "i would like to see", "i would like to know", "i would like", "would like", "i'd like to see",
        "i'd like to know", "i'd like", "list", "show", "display", "give", "get", "find", "which", "what",
        "what are", "what is", "who", "tell me", "return", "name",
    ],
    "distinct": ["distinct", "different", "unique", "possible", "various"],
    "and": ["and", ",", "&", "as well as", "plus", "also", "but"],
    "or": ["or", "either"],
    "not": [
        "not", "other than", "except", "excluding", "except for", "isn't", "aren't", "is not", "are not",
        "not in", "not equal to", "!=", "<>", "that are not", "which are not", "no longer", "never",
    ],
    "without": [
        "without", "without any", "without a", "with no", "have no", "has no", "that have no", "who have no",
        "do not have", "does not have", "don't have", "doesn't have", "that do not have", "lacking", "no",
    ],
    "null": ["missing", "null", "empty", "unknown", "not known", "blank", "not available"],
    "notnull": [
        "not missing", "not null", "not empty", "known", "is known", "is not null", "is not missing", "available",
    ],
    "cmp:>": [
        "more than", "over", "above", "greater than", "exceeding", "exceeds", "larger than", "bigger than",
        "higher than", "longer than", ">", "is over", "is above", "older than",
    ],
    "cmp:>=": [
        "at least", "no less than", "not less than", "greater than or equal to", ">=", "a minimum of",
        "minimum of at least", "not below",
    ],
    "cmp:<": [
        "less than", "under", "below", "fewer than", "smaller than", "lower than", "shorter than", "<",
        "is under", "is below",
    ],
    "cmp:<=": [
        "at most", "no more than", "not more than", "less than or equal to", "<=", "up to", "a maximum of",
        "not above", "not over",
    ],
    "cmp:=": ["equal to", "equals", "=", "==", "exactly", "is exactly"],
    "post:>=": [
        "or more", "or above", "or higher", "or longer", "or larger", "and above", "and more", "and over",
        "and up", "or over",
    ],
    "post:<=": ["or less", "or fewer", "or below", "or lower", "or shorter", "or under", "and below", "or smaller"],
    "date:<": ["before", "earlier than", "prior to"],
    "date:>": ["after", "later than"],
    "date:>=": ["since", "from", "starting", "starting in"],
    "date:<=": ["until", "till", "through", "up until"],
    "between": ["between", "ranging from", "in the range"],
    "to": ["to"],
    "in": ["in", "from", "during", "in the year", "in year", "during the year", "on"],
    "tables": ["table", "tables", "the tables", "data", "dataset", "datasets", "what data"],
    "columns": [
        "column", "columns", "field", "fields", "schema", "structure", "attribute", "attributes", "describe",
        "variables",
    ],
    "grain:year": ["year", "years", "annually", "yearly", "calendar year"],
    "grain:quarter": ["quarter", "quarters", "quarterly"],
    "grain:month": ["month", "months", "monthly", "calendar month"],
    "grain:day": ["day", "days", "daily"],
    "half:1": ["first half of", "the first half of", "h1"],
    "half:2": ["second half of", "the second half of", "h2"],
    "quarter:1": ["q1", "first quarter of", "the first quarter of"],
    "quarter:2": ["q2", "second quarter of", "the second quarter of"],
    "quarter:3": ["q3", "third quarter of", "the third quarter of"],
    "quarter:4": ["q4", "fourth quarter of", "the fourth quarter of"],
    "predictive": [
        "predict", "prediction", "predictions", "forecast", "likely", "most likely", "likelihood", "will",
        "propensity", "risk", "riskiest", "risky", "highest-risk", "highest risk", "high-risk", "at risk",
        "probability", "chance", "going to", "expected to", "about to", "risk of", "likely to", "prone to",
        "score", "estimate", "which will", "would",
    ],
    "why": [
        "why", "tell me why", "explain", "explain why", "and why", "with reasons", "and tell me why", "say why",
        "reasons",
    ],
}  # fmt: skip

# Words that carry no content in any place. Nothing that changes a meaning may stand here.
STOP: frozenset[str] = frozenset(
    """a an the of with at is are was were be been being do does did have has had having that which who whose
    whom where there this these those it its their our my me us i we you can could please kindly all any in as
    for to from than then when currently here just only's s per-se ? . ! : ; ( ) [ ] hey hi hello thanks thank
    want know need see let exist exists belong belongs belonging contain contains called named recorded existing
    value values row rows record records made held hold holds they them so live lives living located based
    situated take took taken""".split()
)

# Heads that make a sentence an order to change something, or a chat: never read as a question about the data.
FORBIDDEN: frozenset[str] = frozenset(
    """delete drop remove insert update alter truncate create write overwrite replace rename grant revoke email send
    joke poem story buy sell approve reject lend hack ignore forget""".split()
)

NUMBERS: dict[str, float] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}  # fmt: skip
SCALES: dict[str, float] = {
    "hundred": 100,
    "thousand": 1_000,
    "k": 1_000,
    "million": 1_000_000,
    "m": 1_000_000,
    "billion": 1e9,
}

MONTHS: dict[str, int] = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4,
    "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip

IRREGULAR: dict[str, str] = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index", "data": "data",
    "news": "news", "series": "series", "statuses": "status", "criteria": "criterion", "mice": "mouse",
    "feet": "foot",
}  # fmt: skip

FUNCTIONS: dict[str, str] = {
    "avg": "mean", "sum": "total", "min": "minimum", "max": "maximum", "median": "median",
    "stddev": "standard deviation of",
}  # fmt: skip
