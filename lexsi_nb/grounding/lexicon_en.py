"""English as data: the phrases a question may use and what each does. Another language is a file like this."""

from __future__ import annotations

from lexsi_nb.grounding.lexicon_en_numbers import IRREGULAR, MONTHS, NUMBERS, SCALES

__all__ = ["IRREGULAR", "MONTHS", "NUMBERS", "SCALES"]

# tag -> phrases. A phrase is words separated by blanks, in lower case. `tag:argument` carries the argument along.
PHRASES: dict[str, list[str]] = {
    "count": [
        "how many", "number of", "number", "count", "count of", "the number of", "how often", "no of",
        "total number of", "the total number of", "nr of", "nr. of", "num of", "the count of", "count up",
    ],
    "agg:avg": [
        "average", "mean", "avg", "on average", "on the average", "typically", "average value of", "mean value of",
        "overall average", "overall mean", "average of", "mean of", "arithmetic mean", "arithmetic mean of",
    ],
    "agg:sum": [
        "sum", "total", "sum of", "total of", "sum up", "how much", "how much money", "how much in total",
        "combined", "overall",
    ],
    "agg:min": ["minimum", "min", "minimum of", "minimal"],
    "agg:max": ["maximum", "max", "maximum of", "maximal"],
    "agg:median": ["median", "median of", "overall median", "median value of"],
    "share": [
        "percentage of", "percent of", "% of", "share of", "proportion of", "fraction of", "portion of", "pct of",
        "what percentage of", "what percent of", "what share of", "what proportion of", "what fraction of",
        "what portion of", "percentage", "percent", "share", "proportion", "fraction", "portion", "pct", "in percent",
        "as a percentage", "how large a share of", "%",
    ],
    "among": ["among", "amongst", "out of"],
    "compare": ["compare", "compared with", "compared to", "comparison of", "comparison between"],
    "vs": ["vs", "versus", "against"],
    "than": ["than"],
    "more:desc": [
        "more", "higher", "larger", "greater", "bigger", "longer", "more often", "the higher", "the larger",
    ],
    "more:asc": ["fewer", "less", "lower", "smaller", "shorter", "less often"],
    "difference": [
        "difference between", "difference in", "difference of", "gap between", "gap in", "the difference between",
        "difference", "gap", "by how much", "how many more", "how much more", "how much higher", "how much larger",
        "how many fewer", "how many less", "how much less", "how much lower", "how much smaller", "how much shorter",
    ],
    "ratio": [
        "ratio of", "ratio between", "ratio", "how many times larger", "how many times higher",
        "how many times bigger",
        "how many times more", "how many times as many", "how many times as large", "how many times greater",
    ],
    "points": ["percentage points", "in percentage points", "in points"],
    "growth": [
        "growth of", "growth in", "growth", "growth rate", "growth rate of", "grow", "grew", "grown", "change in",
        "percentage change in", "percentage change", "year over year", "year-over-year", "year on year",
        "month over month", "month on month",
        "quarter over quarter", "quarter on quarter", "change", "increase", "increased", "rise", "rose",
    ],
    "running": [
        "running total of", "running total", "cumulative", "running sum of", "cumulative sum of", "cumulated",
        "cumulative number of", "running count of", "cumulative total of", "running number of",
    ],
    "trend": [
        "trend of", "trend in", "trend", "develop", "developed", "development of", "evolve", "evolution of",
        "over time",
    ],
    "distribution": [
        "distribution of", "distribution", "distributed", "histogram of", "histogram", "breakdown of", "break down of",
        "break down", "spread over",
    ],
    "summary": [
        "describe", "summary of", "summarize", "summarise", "summary statistics of", "summary statistics for",
        "descriptive statistics of", "descriptive statistics for", "summary statistics", "statistics of",
        "statistics for", "statistics on", "stats", "stats of", "stats on", "stats for", "basic stats",
        "basic stats of",
        "basic statistics of", "basic statistics", "quick summary of", "quick summary", "short summary of",
        "key figures of", "key figures for", "overview of", "profile the", "describe the column", "profile of",
        "profile",
    ],
    "missing": [
        "missing values", "missing value", "null values", "nulls", "missing entries", "empty values", "missing data",
        "null value",
    ],
    "duplicates": [
        "duplicate", "duplicates", "duplicated", "duplicate rows", "duplicate values", "duplicates in",
        "more than once", "occur more than once", "repeated",
    ],
    "outliers": ["outliers", "outlier", "outliers in", "outliers of", "anomalies in", "extreme values of"],
    "correlation": [
        "correlation between", "correlation of", "correlation", "correlate", "correlated", "correlates",
        "how strongly", "pearson correlation of", "pearson correlation between", "pearson correlation", "corr",
        "corr between",
        "corr of", "coefficient", "the coefficient",
        "correlation coefficient", "correlation coefficient of",
        "correlation coefficient between",
    ],
    "how": ["how", "how are", "how did", "how do", "how does", "how is"],
    "drives": [
        "what drives", "drivers of", "what are the drivers of", "which factors", "what factors", "what influences",
        "which features", "what predicts", "what determines", "what affects", "most important factors",
        "key drivers of",
    ],
    "chart:bar": ["bar chart", "bar chart of", "bar plot", "bar plot of", "bar graph", "bar graph of", "bars"],
    "chart:line": ["line chart", "line chart of", "line plot", "line plot of", "line graph", "line graph of"],
    "chart:scatter": ["scatter", "scatter plot", "scatter plot of", "scatterplot", "scatterplot of", "scatter chart"],
    "chart:pie": ["pie chart", "pie chart of", "pie"],
    "chart:any": [
        "plot", "plot of", "chart", "chart of", "graph", "graph of", "draw", "visualise", "visualize", "diagram of",
    ],
    "total": ["in total", "altogether", "overall total", "in all", "in sum"],
    "question": ["what about", "how about", "only", "just", "only those", "same for", "the same for", "now", "instead"],
    "agg:variance": ["variance", "variance of"],
    "agg:range": [
        "range of", "the range of", "gap between the highest and the lowest",
        "gap between the highest and lowest", "difference between the highest and the lowest",
        "difference between the highest and lowest", "difference between the largest and the smallest",
        "difference between the largest and smallest", "difference between maximum and minimum",
        "difference between the maximum and the minimum", "difference between the maximum and minimum",
        "difference between max and min", "gap between the largest and smallest", "max minus min",
    ],
    "agg:spread": ["spread of", "the spread of", "spread in"],
    "agg:iqr": ["interquartile range", "interquartile range of", "iqr", "iqr of"],
    "agg:q0.25": [
        "first quartile", "first quartile of", "lower quartile", "lower quartile of", "bottom quartile of",
        "bottom quartile",
    ],
    "agg:q0.75": [
        "third quartile", "third quartile of", "upper quartile", "upper quartile of", "top quartile of",
        "top quartile",
    ],
    "agg:value": [
        "total value of", "total worth of", "combined value of", "add up to", "adds up to", "sum up to", "sums up to",
        "come to", "comes to",
    ],
    "mode:desc": [
        "the most common", "the most frequent", "the most popular", "the most used",
        "most common", "most frequent", "commonest", "most popular", "mode of", "most frequently used", "most used",
    ],
    "mode:asc": ["least common", "least frequent", "rarest", "least popular", "least used"],
    "times": ["times", "times the", "times as much as"],
    "twice": ["twice", "twice the", "double", "double the"],
    "age:>": ["older than", "aged over", "over the age of", "above the age of"],
    "age:>=": ["at least aged", "aged at least"],
    "age:<": ["younger than", "aged under", "under the age of", "below the age of"],
    "years old": ["years old", "years of age", "year old"],
    "agg:stddev": [
        "standard deviation", "standard deviation of", "stddev", "std", "std dev", "std dev of", "stdev", "stdev of",
        "std of",
        "stddev of", "sd of", "standard dev", "standard deviations of",
    ],
    "top:desc": ["top"],
    "top:asc": ["bottom"],
    "super:desc": ["highest", "largest", "biggest", "greatest", "longest", "most expensive"],
    "super:asc": ["lowest", "smallest", "least", "shortest", "cheapest"],
    "super:last": ["latest", "newest", "most recent", "last", "youngest"],
    "super:first": ["earliest", "oldest", "first"],
    "most:desc": ["most", "the most", "most often", "highest number of", "largest number of"],
    "most:asc": ["fewest", "the fewest", "lowest number of", "smallest number of"],
    "nth:2": ["second", "2nd"],
    "nth:3": ["third", "3rd"],
    "nth:4": ["fourth", "4th"],
    "nth:5": ["fifth", "5th"],
    "neither": ["neither"],
    "nor": ["nor"],
    "by": [
        "by", "per", "for each", "for every", "in each", "in every", "of each", "each", "every", "broken down by",
        "break down by", "grouped by", "group by", "split by", "across", "within each", "by each",
        "as a function of", "in terms of", "according to", "measured by", "depending on",
        "differ by", "differs by", "vary by", "varies by", "vary across", "differ across", "vary between",
        "differ between",
    ],
    "sort": ["sorted by", "ordered by", "order by", "sort by", "ranked by", "rank by", "in order of"],
    "desc": [
        "descending", "desc", "sorted descending", "sorted in descending order", "from highest to lowest",
        "from largest to smallest", "in decreasing order", "highest first", "largest first", "biggest first",
        "in descending order", "most first",
    ],
    "asc": [
        "ascending", "asc", "sorted ascending", "sorted in ascending order", "from lowest to highest",
        "lowest first", "smallest first", "in ascending order", "fewest first",
    ],
    "list": [
        "i would like to see", "i would like to know", "i would like", "would like", "i'd like to see",
        "i'd like to know", "i'd like", "list", "show", "display", "tell me about", "give", "get", "find", "which",
        "what",
        "what are", "what is", "who", "tell me", "return", "name", "rank",
    ],
    "distinct": ["distinct", "different", "unique", "possible", "various"],
    "and": ["and", ",", "&", "as well as", "plus", "also", "but"],
    "or": ["or", "either"],
    "not": [
        "not", "other than", "except", "excluding", "except for", "isn't", "aren't", "is not", "are not",
        "not in", "outside", "outside of", "not equal to", "!=", "<>", "that are not", "which are not", "never",
        "no longer",
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
        "higher than", "longer than", ">", "is over", "is above",
        "exceed",
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
        "column", "columns", "field", "fields", "schema", "structure", "attribute", "attributes",
        "variables",
    ],
    "grain:year": ["year", "years", "annually", "yearly", "annual", "calendar year"],
    "grain:quarter": ["quarter", "quarters", "quarterly"],
    "grain:week": ["week", "weeks", "weekly", "calendar week"],
    "grain:month": ["month", "months", "monthly", "calendar month"],
    "grain:day": ["day", "days", "daily"],
    "half:1": ["first half of", "the first half of", "h1", "1st half of", "the 1st half of"],
    "half:2": ["second half of", "the second half of", "h2", "2nd half of", "the 2nd half of"],
    "quarter:1": ["q1", "first quarter of", "the first quarter of", "1st quarter of", "the 1st quarter of"],
    "quarter:2": ["q2", "second quarter of", "the second quarter of", "2nd quarter of", "the 2nd quarter of"],
    "quarter:3": ["q3", "third quarter of", "the third quarter of", "3rd quarter of", "the 3rd quarter of"],
    "quarter:4": [
        "q4", "fourth quarter of", "the fourth quarter of", "4th quarter of", "the 4th quarter of", "last quarter of",
    ],
    "predictive": [
        "predict", "prediction", "predictions", "predicted", "how good can", "how well can",
        "forecast", "likely", "most likely", "likelihood", "will",
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
    situated take takes took taken get gets got go goes going went use uses used make makes made come comes appear
    appears appeared occur occurs occurred served serve serves operate operates operated keep keeps kept ever yet
    single collect collected per-cent some figures figure rule pls plz actually basically simply offer offers offered
    ids id really kind both receive receives received handle handles charge charged came see sees saw seen
    grant grants granting happen happens happened""".split()
)

# Last words of names that say a date is a date; other names of dates say what happened: "opened".
DATE_NOUNS: frozenset[str] = frozenset("date day time birthday timestamp at on month year".split())

# Phrases that say nothing of the data; they are taken out before a question is read.
FILLERS: tuple[str, ...] = (
    "ended up being", "ended up", "turned out to be", "turned out", "are enough", "is enough", "if possible",
    "for me",
    "at all", "so far", "by the way", "right now", "as of today", "to date", "do we have", "in our database",
    "in fact",
    "of ours", "that we have", "we have", "thanks in advance", "if you can", "out there",
)  # fmt: skip

# Heads that make a sentence an order to change something, or a chat: never read as a question about the data.
FORBIDDEN: frozenset[str] = frozenset(
    """delete drop remove insert update alter truncate create write overwrite replace rename grant revoke email send
    joke poem story buy sell approve reject lend hack ignore forget""".split()
)

# Words that an order may follow: politeness before it, or the end of another part of the sentence.
POLITE: frozenset[str] = frozenset("please pls can could would you i we want need like must should let us now".split())
OPENING: frozenset[str] = frozenset({"and", "then", "to", ",", "please"})

# Verbs and relative words that begin a condition; they carry no meaning of their own.
MAIN_VERBS: frozenset[str] = frozenset(
    """is are was were has have had do does did get gets got go goes went going take takes took make makes made use
    uses used come comes leave leaves belong belongs""".split()
)
VERBS: frozenset[str] = MAIN_VERBS | {"that", "which", "who", "whose", "where", "having", "with"}
RATES: frozenset[str] = frozenset("average avg mean median rate ratio percent percentage pct share index score".split())
NEWEST: frozenset[str] = frozenset({"newest", "latest", "recent", "last", "earliest"})
BIRTH: frozenset[str] = frozenset({"birth", "born", "birthday", "dob"})
LESS: frozenset[str] = frozenset({"fewer", "less", "lower", "smaller", "shorter"})
COUNTED_MORE: frozenset[str] = frozenset({"more", "fewer", "less", "more often", "less often"})
GROWING = frozenset({"grow", "grew", "grown", "increase", "increased", "rise", "rose"})
JOINING: frozenset[str] = frozenset({"to", "from", "in", "by", "at", "on", "of"})
LETTER_AFTER: frozenset[str] = frozenset({"neither", "nor", "not", "or", "either", "and"})
DIFFERING: tuple[str, ...] = ("differ", "vary", "varies")
ACROSS: frozenset[str] = frozenset({"across", "over", "over all", "across all"})
HOW_MUCH: frozenset[str] = frozenset({"how much", "how much money", "how much in total"})
TYPICALLY: frozenset[str] = frozenset({"on average", "typically", "on the average"})
# Words for "by" that name a group of its own for each thing: "the largest in each".
EACH: frozenset[str] = frozenset(
    {"per", "for each", "for every", "in each", "of each", "each", "every", "within each", "by each", "in every"}
)
# Words for people, and for columns with their names: what "who" may ask for.
PEOPLE: frozenset[str] = frozenset(
    """person people customer player employee user member student patient passenger manager driver
    teacher doctor author artist buyer seller staff worker guest subscriber contact""".split()
)
PERSON_NAMES: frozenset[tuple[str, ...]] = frozenset(
    {("first", "name"), ("last", "name"), ("surname",), ("given", "name"), ("full", "name"), ("name", "first"),
     ("name", "last"), ("name", "given")}
)  # fmt: skip
# First words of a question that goes on with the one before.
GOING_ON: tuple[str, ...] = (
    "and", "what about", "how about", "only", "just", "now", "same for", "the same for", "instead", "as a", "as",
    "but", "then", "also", "same",
)  # fmt: skip
ORDINALS: dict[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip
ADVERBS: frozenset[str] = frozenset("daily weekly monthly quarterly yearly annually annual".split())
# First words of a question for yes or no, and what follows them.
ASKING: frozenset[str] = frozenset("is are was were do does did has have had".split())
THERE, ALL = frozenset({"there", "any", "some"}), frozenset({"all", "every", "each"})

FUNCTIONS: dict[str, str] = {
    "avg": "mean", "sum": "total", "min": "minimum", "max": "maximum", "median": "median",
    "stddev": "standard deviation of", "variance": "variance of", "range": "range of", "iqr":
    "interquartile range of",
}  # fmt: skip

# Comparatives and superlatives that say themselves what is compared: the word a column's name may have, and which way.
SIZED: dict[str, tuple[str, str]] = {
    "taller than": ("height", "cmp:>"), "tallest": ("height", "super:desc"), "heavier than": ("weight", "cmp:>"),
    "heaviest": ("weight", "super:desc"), "lighter than": ("weight", "cmp:<"), "lightest": ("weight", "super:asc"),
    "northernmost": ("latitude", "super:desc"), "southernmost": ("latitude", "super:asc"),
    "easternmost": ("longitude", "super:desc"), "westernmost": ("longitude", "super:asc"),
    "faster than": ("speed", "cmp:>"), "fastest": ("speed", "super:desc"), "slowest": ("speed", "super:asc"),
    "heavier": ("weight", "more:desc"), "taller": ("height", "more:desc"), "pricier than": ("price", "cmp:>"),
    "priciest": ("price", "super:desc"), "dearest": ("price", "super:desc"), "costliest": ("price", "super:desc"),
    "most populated": ("population", "super:desc"), "least populated": ("population", "super:asc"),
    "most populous": ("population", "super:desc"), "least populous": ("population", "super:asc"),
    "most expensive": ("price", "super:desc"), "cheapest": ("price", "super:asc"), "cheaper than": ("price", "cmp:<"),
}  # fmt: skip

# Questions for an explanation: (kind, pattern over the whole question in lower case), the first that fits counts.
_MOVES = r"(?:affects?|influences?|impacts?|drives?|moves?|determines?|contributes? to|relates? to|matters? for)"
_FACTORS = r"(?:drivers|factors|features|variables|columns|predictors|determinants|reasons)"
EXPLANATIONS: tuple[tuple[str, str], ...] = (
    ("drivers", rf"(?:what|which {_FACTORS}) (?:mostly |most |really |mainly )?(?:{_MOVES}|predicts?|explains?"
                rf"|matters? most for|(?:is|are) (?:the )?most important (?:for|to)) (?P<what>.+?)(?: (?:the )?most)?"),
    ("drivers", rf"(?:what|which) (?:is|are) (?:the )?(?:main |key |most important |strongest )?{_FACTORS} "
                r"(?:of|for|behind) (?P<what>.+)"),
    ("drivers", r"(?:show (?:me )?)?(?:the )?(?:global )?(?:feature )?importances?(?: of (?:the )?features)? "
                r"(?:of|for) (?P<what>.+)"),
    ("feature", rf"(?:in what way |how (?:strongly |much )?)?(?:does|do|did|will|would) (?P<feature>.+?) "
                rf"(?:{_MOVES}|changes?) (?P<what>.+)"),
    ("feature", r"what (?:is|are) the (?:effect|influence|impact|role)s? of (?P<feature>.+?) (?:on|in|for) "
                r"(?P<what>.+)"),
    ("feature", r"how (?:strongly )?(?:does|do) (?P<what>.+?) (?:depend on|change with|vary with|react to) "
                r"(?P<feature>.+)"),
    ("change", r"what (?:would|must|should|could|might|does|do|needs?|has|have) (?:have |need |has )?(?:to )?(?:be )?"
               r"(?:change|changed|differ|different) (?:for|about|in|of|with) (?P<case>.+)"),
    ("change", r"(?:what|how) (?:would|could|can|might|to) (?P<toward>lower|reduce|decrease|raise|increase) "
               r"(?P<what>.+?) (?:of|for) (?P<case>.+)"),
    ("change", r"how (?:could|can|might|would) (?P<case>.+?) (?:get|have|reach) a "
               r"(?P<toward>lower|smaller|higher|larger) (?P<what>risk|score|chance|probability)"),
    ("change", r"(?:show (?:me )?)?(?:the |a )?counterfactuals? (?:for|of) (?P<case>.+)"),
)  # fmt: skip
UNCHANGED: tuple[str, ...] = (
    r"(?:,? )(?:without changing|keeping|holding|with the same|but not) (?P<keep>.+?)"
    r"(?: (?:fixed|constant|unchanged|the same|as (?:it is|they are)))?$",
    r"(?:,? )if (?P<keep>.+?) (?:stays?|remains?|can(?:not|'t)|must not|may not)(?: be)?"
    r"(?: (?:changed?|the same|fixed|constant|unchanged|as (?:it is|they are)))?$",
)
UPWARD: frozenset[str] = frozenset({"raise", "increase", "higher", "larger", "riskier", "above"})
DETERMINERS: tuple[str, ...] = ("the", "a", "an", "its", "their", "his", "her", "this", "these", "that")
RISK: frozenset[str] = frozenset({
    "risk", "risks", "score", "scores", "ranking", "ranks", "prediction", "predictions", "chance", "chances",
    "probability", "probabilities", "likelihood", "it", "them", "this", "that", "model", "result", "outcome",
})  # fmt: skip
