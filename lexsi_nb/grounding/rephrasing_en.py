"""English as data, the third file: turns of speech, and the plain words that they are read as.

A turn is left alone where one of the words it takes out is a name in the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_PERIOD = r"(year|quarter|month|week|day)"
_BEST = r"(highest|largest|biggest|greatest|longest|lowest|smallest|shortest|least)"
_FIGURE = r"(average|mean|median|total|typical)"
_YEAR = r"(?:19|20)\d\d"
_GROWS = r"(grow|grew|grown|increased?|rise|rose|risen|changed?|fall|fell|fallen)"
_SPREAD = r"(std dev|standard deviation|range|variance|interquartile range)"
_MORE = r"(larger|bigger|higher|longer|smaller|lower|more|fewer)"
_MOST = {"big": "biggest", "large": "largest", "high": "highest", "long": "longest"}
_LEADS = (
    "i was wondering(?: about)?|i wonder|i'm curious|i am curious|just curious|do you know|do you happen to know"
    "|(?:could|can|would|will) you (?:please |kindly )?tell me|tell me(?: please)?|please to tell|let me know"
    "|i'd like to know|i would like to know|i need to know|i want to know|i have to know|what i want to know is"
    "|remind me|any idea|help me find out|my question is|question|quick question"
)
_END = r"(?=[ ,.?!]*$)"


Turn = str | Callable[[re.Match[str]], str]


def _turn(pattern: str, means: Turn) -> tuple[re.Pattern[str], Turn]:
    return re.compile(pattern, re.IGNORECASE), means


TURNS: tuple[tuple[re.Pattern[str], Turn], ...] = (
    # words that only stress
    _turn(r"\bvery (first|last|latest|earliest|oldest|youngest|newest|largest|biggest|smallest)\b", r"\1"),
    _turn(r"^(?:so|ok|okay|well|right|now then)[, ]+(?=how|what|which|who|when|is|are|do|does|did|list|show)", ""),
    _turn(r"\b(?:exactly|precisely|roughly|approximately) (how many|how much)\b", r"\1"),
    _turn(r"\bhow many (.+?) exactly" + _END, r"how many \1"),
    _turn(
        rf"^(?:and |but |so )?(?:(?:please|kindly),? )?(?:{_LEADS})[,:]? (?:to )?"
        r"(?!(?:about|why|more|something|everything|anything|a joke)\b)(?=\w)",
        "",
    ),
    _turn(
        rf"^(?:whether|if) (.+?) tends? to (\w+) {_MORE} (.+?) than (.+)",
        r"do \1 \2 \3 \4 than \5",
    ),
    _turn(r"\b(?:pull up|bring up|dig out|fetch|look up)\b", "show"),
    _turn(r"\b(?:whole|grand|full) (sum|total)\b", r"\1"),
    _turn(r"^quantity of (?:the )?(?=\w+ (?:which|that|who|with)\b)", "number of "),
    _turn(r"\bcnt\b(?: of)?", "number of"),
    _turn(r"\b(\d+) thousands\b", r"\1 thousand"),
    _turn(r"\bhow many percents?\b", "what percentage"),
    _turn(r"\bpercents\b", "percent"),
    _turn(r"\b(?:yoy|y/y|y-o-y)(?: %| percent)?(?: growth| change)?(?: of| in)?\b", "year over year growth of"),
    _turn(r"\b(?:mom|m/m|m-o-m)(?: %| percent)?(?: growth| change)?(?: of| in)?\b", "month over month growth of"),
    _turn(r"\b(?:qoq|q/q|q-o-q)(?: %| percent)?(?: growth| change)?(?: of| in)?\b", "quarter over quarter growth of"),
    _turn(r"\bmost (big|large|high|long)\b", lambda m: _MOST[m[1].lower()]),
    _turn(
        r"\bhow (?:strong|close|high|large|big) is the "
        r"(correlation|ratio|share|percentage|proportion|difference|gap)\b",
        r"what is the \1",
    ),
    _turn(r"^(?:do |does )?(?:it )?exists?(?: there)? (?:some|any|a|an) ", "is there any "),
    _turn(r"^(?:does it|do there|does there) exist (?:some |any |a |an )?", "are there any "),
    _turn(r"\b(?:anybody|anyone|somebody|someone)\b", "a person"),
    _turn(r"^cols (?:of|in)\b", "columns of"),
    _turn(r"^what means (?:the )?(.+)", r"what does \1 mean"),
    _turn(r"\b(?:summary )?stats (?:for|on|about)\b", "summary of"),
    _turn(r"\b(?:draw|plot|make|show)(?: me)? (?:a |the )?line (?:of|for)\b", "line chart of"),
    _turn(r"^(line|bar|pie|scatter) ?: ?", r"\1 chart of "),
    _turn(r"\b(?:after|since) the end of ((?:19|20)\d\d)\b", r"after \1"),
    _turn(
        r"\bhow (?:does|do|did|is|are) (?:that|it|this|they|those) "
        r"(?:split|break down|broken down|divide|distributed)(?: up)? by\b",
        "by",
    ),
    _turn(
        r"\bhow (?:has|have|did|does) (.+?) (?:moved?|changed?|evolved?|developed?|gone|go) "
        rf"(?:from {_PERIOD} to \2|over the {_PERIOD}s|{_PERIOD} by \4)" + _END,
        lambda m: f"{m[1]} by {m[2] or m[3] or m[4]}",
    ),
    _turn(r"\b(?:going|goes|go|went|sent|paid) out\b", ""),
    _turn(rf"\b{_GROWS} between ({_YEAR}) and ({_YEAR})\b", r"\1 from \2 to \3"),
    _turn(
        r",? (?:with the )?(highest|largest|biggest|lowest|smallest|fewest|most)(?: ones?)? "
        r"(?:on the left|on top|at the top)" + _END,
        r", \1 first",
    ),
    _turn(rf"\b(monthly|quarterly|yearly|annual|weekly|daily)\b(.+?),? {_PERIOD} (?:by|after) \3\b", r"\1\2"),
    _turn(r"\bby how (?:many|much) (?:percent|%) (did|has|have) (.+?) (grow|increase|rise|change)\b",
          r"by what percentage \1 \2 \3"),
    _turn(r"^what would be\b", "what is"),
    _turn(r"[?.,;]? (?:and )?if so,? (?:where|which|which ones|how many|in which columns?)" + _END, ""),
    _turn(r"[?.;] which (?:ones?|are they|ones are they)" + _END, ""),
    _turn(
        r"^how (?:much|widely) (?:do|does|did) (?:the )?(.+?) (?:vary|differ|spread)"
        r"(?: (by|between|across|among) (?:the )?(\w+))?"
        rf"[,.?]? (?:in terms of |as |give me |using |measured by )?(?:the )?{_SPREAD}(?: for each)?" + _END,
        lambda m: f"{m[4]} of {m[1]}" + (f" {'by' if m[2].lower() == 'by' else 'across'} {m[3]}" if m[2] else ""),
    ),
    _turn(r"^on average,? how (?:big|large|high) (?:is|are|was|were) (?:a |an |the |our )?(?=\w)", "average "),
    _turn(
        r"^how (?:big|large|high|low) (?:is|are|was|were) (?:the |our |an |a )?"
        r"(average|mean|median|largest|smallest|biggest|highest|lowest|total)\b",
        r"what is the \1",
    ),
    _turn(r"\btypical (.+?), (?:i mean|that is|meaning) (?:the )?(median|mean|average)\b,?", r"\2 \1"),
    _turn(r"^(?:the )?ratio(?: of)? (.+?) ?: ?(.+)", r"ratio of \1 to \2"),
    _turn(r"^(top|bottom) (\d+) (\w+) (?:# ?|number of |count of |nr of )(\w+)" + _END, r"\1 \2 \3 by number of \4"),
    _turn(r"\b(?:appears?|occurs?|listed|are there) doubled?\b", "appear more than once"),
    _turn(r"\b(?:any|which) (\w+) (?:whose|with) (?:an? )?(.+?) (?:sticks?|stands?) out\b", r"outliers in \2 of \1"),
    _turn(r"\bdo you think\b", ""),
    _turn(r"\bwill end up (?:in |as )?", "will "),
    _turn(r"[?.;] (\w+) of (?:them|those) (?:would do|will do|is enough|are enough|suffice)" + _END, r", top \1"),
    _turn(
        r"^what makes (?:the )?(first|second|third|fourth|fifth) (?:one |case )?(?:so |that |such a )?"
        r"(?:risky|likely|high|risk|dangerous)" + _END,
        r"why the \1 one",
    ),
    # periods
    _turn(rf"\bat the end of (?:each|every) {_PERIOD}\b", r"by \1"),
    _turn(rf",? \b{_PERIOD} (?:by|after) \1\b", r" by \1"),
    _turn(rf",? from (?:one )?{_PERIOD} to (?:the next|\1)(?: one)?\b", r" by \1"),
    # what is compared with what
    _turn(r"\b((?:19|20)\d\d) v\.? ((?:19|20)\d\d)\b", r"\1 vs \2"),
    _turn(r"\b(the (?:overall )?(?:average|mean|median)) one\b", r"\1"),
    _turn(r"\bpearson(?:'s)? r (?:of|between|for)\b", "correlation between"),
    _turn(
        r"\bhow (?:closely|strongly|tightly|well|much|far) (?:are|is|do|does) (?:the )?(.+?) "
        r"(?:cor)?(?:related|relate|relates|linked|connected|associated|correlate|correlates|go together)"
        r"(?: (?:with|to|and) (.+?))?" + _END,
        lambda m: f"correlation between {m[1]} and {m[2]}" if m[2] else f"correlation between {m[1]}",
    ),
    _turn(
        r"\bis there (?:a|any) (?:correlation|relation|relationship|connection|association) between\b",
        "correlation between",
    ),
    # groups
    _turn(
        r"\b(?:break|split|divide)(?: up)? (?:the |our |all (?:the )?)?(.+?)(?: down| up)? (?:by|per|into)\b",
        r"\1 by",
    ),
    _turn(
        r"\bhow (?:are|were|is) (?:the |our )?(\w+(?: \w+)?) (?:spread|distributed|divided|split)(?: out)? "
        r"(?:over|across|among|between|by|into) (?:the )?(\w+(?: \w+)?)" + _END,
        r"number of \1 by \2",
    ),
    _turn(
        rf"^(?:in|at|for|on) (which|what) (.+?) (?:is|was|are|were) (?:the |our )?{_FIGURE} (.+?) (?:the )?{_BEST}\b",
        r"\1 \2 has the \5 \3 \4",
    ),
    # verbs
    _turn(r"\b(takes?|took|taken) out\b", r"\1"),
    _turn(r"\b(?:comes?|came|shows?|crops?|turns?) up\b", "occurs"),
    _turn(
        r"\b(?:carrying|bearing|marked(?: as)?|labell?ed(?: as)?|flagged(?: as)?|tagged(?: as)?|classified as"
        r"|categori[sz]ed as)\b",
        "with",
    ),
    _turn(
        r"^(?:which|what) (.+?) (?:occurs?|appears?|happens?|is seen) (?:the )?most(?: often| frequently)?" + _END,
        r"what is the most common \1",
    ),
    _turn(r"\bleaving out\b", "except"),
    # bounds
    _turn(r"\bon or after\b", "since"),
    _turn(r"\bon or before\b", "until"),
    _turn(r"\bwith (?:an? |the )?negative (\w+)\b", r"with \1 below 0"),
    _turn(r"\bwhere ((?:over|more than|at least|fewer than|less than|under) \d+ \w+) (?:were|was|are|is|have been)\b",
          r"with \1"),
    _turn(r"^how many times (\w+) (is|are|was|were) (.+?),? (?:compared (?:to|with)|relative to)\b",
          r"how many times \1 \2 \3 than"),
    _turn(r"\b(?:will|would) (?:probably|presumably|most likely)\b", "are likely to"),
    _turn(r"\b(appears?|occurs?|(?:is|are) (?:there|listed)) twice(?= in\b|[ ,.?!]*$)", r"\1 more than once"),
    _turn(r"^((?:and |now )?(?:only|just)) the ones\b", r"\1 those"),
    _turn(r"\bhow low (?:did|has|have) (.+?) (?:ever )?(?:fall|fallen|go|gone|drop|dropped|get|got)\b", r"lowest \1"),
    _turn(r"\bhow high (?:did|has|have) (.+?) (?:ever )?(?:rise|risen|go|gone|climb|climbed|get|got)\b", r"highest \1"),
    # what stands for a noun said before
    _turn(r"^((?:and |but |now |then )?(?:only|just|same for|the same for|what about|how about)?(?: only)? ?(?:the )?"
          r"(?!which|what|these|those|other)\w+) ones" + _END, r"\1"),
)  # fmt: skip


def plainly(question: str, known: Callable[[str], bool]) -> str:
    """Return the question with turns of speech in plain words; `known` says whether a word names something."""
    for said, means in TURNS:
        question = said.sub(lambda m, means=means: _unless_known(m, means, known), question)
    return question


def _unless_known(m: re.Match[str], means: Turn, known: Callable[[str], bool]) -> str:
    made = means(m) if callable(means) else m.expand(means)
    kept = set(re.findall(r"\w+", made.casefold()))
    lost = [w for w in re.findall(r"\w+", m.group(0).casefold().replace("in terms of", "")) if w not in kept]
    return m.group(0) if any(known(w) for w in lost) else made
