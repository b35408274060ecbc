"""Whether a run's answer is the right one: frames against gold rows, words against patterns.

What is compared, and what is let pass:

- Rows are a multiset; column names and column order do not count. Order counts where the question is `ordered`.
- Numbers agree within 1e-6, relative. With `percent`, a whole column may be 100 times the gold.
- Further columns are let pass: any number where rows are things (`OPEN` kinds, such as a list), else `SPARE` of them (a
  count beside a share): the more numbers stand about, the likelier one of them is the gold by chance.
- A year, quarter, month or week may be a date, a number or words: 1996, 1996-01-01, "1996-01", "Jan 1996", "1996-Q1",
  "1996-W01".
- A missing group may be null or say so ("missing", "none").
- Yes or no: a true/false cell, the single number of an "is there any", or the answer's first word.
- A comparison of two things may stand in one row with both numbers.
- Without a frame, one gold value may stand in the answer's words, and so may the names that a schema question lists.
- A made-up name that the data hold after all (`namesake`): the gold is one row, and the answer's own words must also
  say what was taken for it; a bare number could be anybody's.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from answers.questions import Question

RELATIVE = 1e-6
SPARE = 3
OPEN = frozenset(
    "list top superlative outliers explain schema above_average having duplicates chart minmax tool".split()
)
MISSING = frozenset({"", "none", "null", "nan", "missing", "(missing)", "(none)", "unknown", "n/a"})
MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
Row = tuple[Any, ...]


def plain(value: Any) -> Any:
    """Return a cell as None, bool, float or stripped text; dates as ISO text."""
    if value is None or str(value) in ("NaT", "<NA>") or value != value:
        return None
    if type(value).__module__ == "numpy":
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, dt.datetime):
        return value.isoformat()[: 10 if value.time() == dt.time() else None]
    return value.isoformat() if isinstance(value, dt.date) else str(value).strip()


def table(frame: Any) -> list[Row]:
    """Return the rows of a DataFrame as plain cells; None for a missing frame is no rows."""
    if frame is None:
        return []
    columns = [list(map(plain, _column(frame, at))) for at in range(frame.shape[1])]
    return list(zip(*columns, strict=True))


def same(gold: Any, got: Any, scale: float = 1.0) -> bool:
    """Whether two plain cells say the same; `scale` multiplies a gold number."""
    if gold is None or got is None:
        return gold is got or (gold is None and str(got).casefold() in MISSING)
    if isinstance(gold, bool) or isinstance(got, bool):
        return gold == got
    if isinstance(gold, float) and isinstance(got, float):
        return math.isclose(gold * scale, got, rel_tol=RELATIVE, abs_tol=1e-9)
    if isinstance(gold, str) and isinstance(got, str):
        return gold.casefold() == got.casefold() or _period(gold) == _period(got)
    return _period(gold) == _period(got)


def matches(gold: list[Row], got: list[Row], *, ordered: bool, percent: bool, spare: int | None) -> bool:
    """Whether `got` holds the gold rows: a column of it for each gold column, row by row."""
    if len(gold) != len(got):
        return False
    if not gold:
        return True
    width, wide = len(gold[0]), len(got[0])
    if wide < width or (spare is not None and wide - width > spare):
        return False
    scales = (1.0, 100.0) if percent else (1.0,)
    options = []
    for at in range(width):
        wanted = [row[at] for row in gold]
        fits = [(to, s) for to in range(wide) for s in scales if _alike(wanted, [r[to] for r in got], s, ordered)]
        if not fits:
            return False
        options.append(fits)
    for pick in itertools.islice(itertools.product(*options), 5_000):
        columns = [to for to, _ in pick]
        if len(set(columns)) == width and _rows_agree(gold, got, pick, ordered):
            return True
    return False


def right(question: Question, run: Any, golds: list[list[Row]]) -> bool:
    """Whether an answered run answers the question. `golds`: rows of the gold and of the other accepted forms."""
    if question.chart and not any(type(shown.artifact).__name__ == "Chart" for shown in run.artifacts):
        return False
    if question.expect == "predictive":
        return _predicted(question, run, golds[0] if golds else [])
    words = run.answer or ""
    if question.namesake:
        return _namesake(question, run, golds)
    if question.text:
        said = words + " " + " ".join(str(cell) for row in table(run.frame) for cell in row)
        return all(re.search(pattern, said) for pattern in question.text)
    got = table(run.frame)
    if question.cells:
        cells = [cell for row in got for cell in row]
        return all(any(same(g, cell) for cell in cells) for g in golds[0][0])
    return any(_holds(question, gold, got, words, run.frame is not None) for gold in golds)


def _holds(question: Question, gold: list[Row], got: list[Row], words: str, framed: bool) -> bool:
    if len(gold) == 1 and len(gold[0]) == 1 and isinstance(gold[0][0], bool):
        return _yes_or_no(gold[0][0], got, words)
    if framed:
        spare = None if question.kind in OPEN else SPARE
        if matches(gold, got, ordered=question.ordered, percent=question.percent, spare=spare):
            return True
        return question.kind == "compare" and _side_by_side(gold, got)
    if len(gold) == 1 and len(gold[0]) == 1:
        return _said(gold[0][0], words)
    return question.kind == "schema" and all(_said(row[0], words) for row in gold)


def _namesake(question: Question, run: Any, golds: list[list[Row]]) -> bool:
    if len(golds) != 1 or len(golds[0]) != 1 or not re.search(question.namesake["said"], run.answer or ""):
        return False
    return _holds(question, golds[0], table(run.frame), run.answer, run.frame is not None)


def _yes_or_no(gold: bool, got: list[Row], words: str) -> bool:
    cells = [cell for row in got for cell in row]
    said = [cell for cell in cells if isinstance(cell, bool)]
    said += [c.casefold() == "yes" for c in cells if isinstance(c, str) and c.casefold() in ("yes", "no")]
    first = re.match(r"\W*(yes|no)\b", words, re.IGNORECASE)
    if first:
        said.append(first[1].casefold() == "yes")
    if not said and len(cells) == 1 and isinstance(cells[0], float):
        said.append(cells[0] > 0)
    return bool(said) and all(value == gold for value in said)


def _side_by_side(gold: list[Row], got: list[Row]) -> bool:
    if len(got) != 1 or len(gold) != 2:
        return False
    numbers = [cell for cell in got[0] if isinstance(cell, float)]
    return all(any(same(row[-1], n) for n in numbers) for row in gold)


def _said(value: Any, words: str) -> bool:
    if isinstance(value, float):
        found = re.findall(r"-?\d[\d,]*(?:\.\d+)?", words)
        return any(same(value, float(n.replace(",", ""))) for n in found)
    return re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", words) is not None


def _predicted(question: Question, run: Any, gold: list[Row]) -> bool:
    done = {step.tool for step in run.steps if step.status == "ok"}
    if question.explained:
        shown = any(type(s.artifact).__name__ == "Attribution" for s in run.artifacts)
        return shown or bool({"explain_prediction", "explain_model"} & done)
    if "train_tabular_model" not in done:
        return False
    ids = {row[0] for row in gold}
    got = table(run.frame)
    columns = [[row[at] for row in got] for at in range(len(got[0]))] if got else []
    listed = [c for c in columns if set(c) <= ids and len(set(c)) == len(c)]
    if question.rows:
        return any(len(c) == min(question.rows, len(ids)) for c in listed)
    return bool(listed) or not columns or "predict" not in done


def _alike(wanted: list[Any], got: list[Any], scale: float, ordered: bool) -> bool:
    if not ordered:
        wanted, got = sorted(wanted, key=_key), sorted(got, key=_key)
    return all(same(g, c, scale) for g, c in zip(wanted, got, strict=True))


def _rows_agree(gold: list[Row], got: list[Row], pick: tuple[tuple[int, float], ...], ordered: bool) -> bool:
    picked = [tuple(row[to] for to, _ in pick) for row in got]
    wanted: list[Row] = list(gold)
    if not ordered:
        wanted = sorted(wanted, key=lambda row: [_key(c) for c in row])
        picked = sorted(picked, key=lambda row: [_key(c) for c in row])
    return all(
        all(same(g, c, scale) for g, c, (_, scale) in zip(a, b, pick, strict=True))
        for a, b in zip(wanted, picked, strict=True)
    )


def _key(cell: Any) -> tuple[int, float, str]:
    """Return what sorts a cell; numbers a rounding apart sort alike, so that later columns decide."""
    if cell is None or (isinstance(cell, str) and cell.casefold() in MISSING):
        return (0, 0.0, "")
    if isinstance(cell, bool):
        return (1, float(cell), "")
    if isinstance(cell, float):
        return (2, float(f"{cell:.7g}"), "")
    return (3, 0.0, cell.casefold())


def _period(cell: Any) -> str:
    """Return a day, week, month, quarter or year as the ISO date of its first day; other cells as they are."""
    text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
    if re.fullmatch(r"\d{4}", text):
        return f"{text}-01-01"
    if re.fullmatch(r"\d{4}-\d\d", text):
        return f"{text}-01"
    if quarter := re.fullmatch(r"(\d{4})\D{0,2}Q([1-4])", text, re.IGNORECASE):
        return f"{quarter[1]}-{3 * int(quarter[2]) - 2:02d}-01"
    if week := re.fullmatch(r"(\d{4})\D{0,2}W(\d\d?)", text, re.IGNORECASE):
        return dt.date.fromisocalendar(int(week[1]), int(week[2]), 1).isoformat()
    if month := re.fullmatch(r"([a-z]{3})[a-z]* (\d{4})", text, re.IGNORECASE):
        at = MONTHS.find(month[1].casefold())
        return f"{month[2]}-{at // 3 + 1:02d}-01" if at >= 0 and at % 3 == 0 else text.casefold()
    if day := re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ]00:00:00(\.0+)?", text):
        return day[1]
    return text.casefold()


def _column(frame: Any, at: int) -> list[Any]:
    return frame.iloc[:, at].tolist()
