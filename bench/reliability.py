"""How often the embedded planner is right, how much it answers, and what its errors cost.

Run: python bench/reliability.py [--data bank flights baseball world practice_shop] [--split dev|test|all] [--kind K]
                                 [--by-kind] [--show-wrong] [--json FILE]

Each question goes to `lx.Session` with the embedded planner and a namespace that holds the dataset's frames at most;
one session a dataset, its conversation forgotten between questions. answers/judging.py says what is right. The score:

    +1    answered and right; declined (or asked back) where there is nothing to answer; asked where two readings stand
          (a made-up name that the data hold after all: either, see `namesake` in answers/questions.py)
     0    declined, or asked, where there was an answer; declined where it should have asked; a run that failed
    -10   answered and wrong, or answered where there is nothing to answer or where it should have asked

precision   right answers / answers given                   (Wilson interval, 95%)
coverage    answerable questions answered / answerable      (Wilson interval, 95%)
reliability mean score                  (bootstrap interval, 95%: 2,000 draws, seed 0; and the one that the Wilson
            intervals of its two shares leave: share with a point less 10 times the share wrong, each at its far end)

The sets that begin with practice_ (bank, flights, baseball, world, shop, hospital, university, freight) and practice2_
to practice5_ were written blind and then used for tuning: they are run when named, and reported apart. Of practice3_, a
half is held out (split: test). practice6_ and practice7_ say the questions of the dev halves anew.

The test half is run and not read: nothing prints a question of it, and --json holds numbers only.
The three unseen schemas need the packages of bench/unseen/requirements.txt; without --data, what is installed is run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from answers.judging import Row, right, table
from answers.questions import FILES, MADE_UP, PRACTICE, Question, load, tables_of

PENALTY = 10
Interval = tuple[float, float]


@dataclass(frozen=True)
class Verdict:
    """What came of one question. `outcome`: right, wrong, declined, asked, needless, failed."""

    question: Question
    status: str
    outcome: str
    seconds: float
    words: str

    @property
    def score(self) -> int:
        """Points of the question, -10 to 1."""
        return {"right": 1, "wrong": -PENALTY}.get(self.outcome, 0)


def outcome_of(question: Question, status: str, correct: bool) -> str:
    """Return the outcome of a run that ended with `status`; `correct` counts for an answered one."""
    if status == "answered":
        return "right" if question.judged and correct else "wrong"
    if status == "needs_choice":
        return "right" if not question.answerable else "needless"
    if status == "declined":
        return "right" if question.expect == "decline" else "needless"
    return "failed"


def wilson(hits: int, of: int, z: float = 1.959964) -> Interval:
    """Return the Wilson score interval of a share; (0, 1) where nothing was counted."""
    if not of:
        return (0.0, 1.0)
    share, z2 = hits / of, z * z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = z / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return (max(0.0, middle - half), min(1.0, middle + half))


def bootstrap(scores: list[int], draws: int = 2_000, seed: int = 0) -> Interval:
    """Return the middle 95% of the means of resampled scores."""
    if not scores:
        return (0.0, 0.0)
    source = random.Random(seed)
    means = sorted(sum(source.choices(scores, k=len(scores))) / len(scores) for _ in range(draws))
    return (means[int(0.025 * draws)], means[int(0.975 * draws) - 1])


def far_ends(right: int, wrong: int, of: int) -> Interval:
    """Return the reliability at the far ends of the Wilson intervals of its shares; wider than 95%, as both are far."""
    (few, many), (least, most) = wilson(right, of), wilson(wrong, of)
    return (few - PENALTY * most, many - PENALTY * least)


def scores_of(verdicts: list[Verdict]) -> dict[str, Any]:
    """Return the numbers of a set of verdicts."""
    answered = [v for v in verdicts if v.status == "answered"]
    answerable = [v for v in verdicts if v.question.answerable]
    correct = sum(v.outcome == "right" for v in answered)
    given = sum(v.status == "answered" for v in answerable)
    points = [v.score for v in verdicts]
    return {
        "n": len(verdicts),
        "answered": len(answered),
        "answered right": correct,
        "answerable": len(answerable),
        "precision": correct / len(answered) if answered else None,
        "precision interval": wilson(correct, len(answered)),
        "coverage": given / len(answerable) if answerable else None,
        "coverage interval": wilson(given, len(answerable)),
        "reliability": sum(points) / len(points) if points else None,
        "reliability interval": bootstrap(points),
        "reliability far ends": far_ends(points.count(1), points.count(-PENALTY), len(points)),
        "outcomes": dict(Counter(v.outcome for v in verdicts)),
        "median seconds": sorted(v.seconds for v in verdicts)[len(verdicts) // 2] if verdicts else None,
    }


class Bench:
    """One dataset with its session and the connection that gold statements run on."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, str(folder)
        self.session: Any = None
        self.gold = gold_connection(name)
        self.dataset = dataset_of(name)

    def verdict(self, question: Question) -> Verdict:
        """Ask a question in its conversation and return what came of it."""
        session = self._session(question.fresh)
        try:
            for before in question.after:
                session.ask(before.replace("{FOLDER}", self.folder))
            start = time.perf_counter()
            run = session.ask(question.question.replace("{FOLDER}", self.folder))
            seconds = time.perf_counter() - start
        finally:
            if question.fresh:
                session.close()
        correct = run.status == "answered" and question.judged and right(question, run, self.golds(question))
        outcome = outcome_of(question, run.status, correct)
        return Verdict(question, run.status, outcome, seconds, _words(run))

    def golds(self, question: Question) -> list[list[Row]]:
        """Return the rows of the gold and of each other accepted form."""
        found = (question.gold, *question.accept, question.namesake.get("gold"))
        return [table(self.gold.sql(q).df()) for q in found if q]

    def close(self) -> None:
        """Close the session and the connection."""
        if self.session is not None:
            self.session.close()
        self.gold.close()

    def _session(self, fresh: bool) -> Any:
        import lexsi_nb as lx

        frames = self.dataset if isinstance(self.dataset, dict) else {}
        if fresh:
            return lx.Session(self.dataset, planner="embedded", namespace=dict(frames))
        if self.session is None:
            self.session = lx.Session(self.dataset, planner="embedded", namespace=dict(frames))
        self.session.reset()
        return self.session


def ready() -> list[str]:
    """Return the datasets whose packages are installed; prints what is left out."""
    from importlib.util import find_spec

    from unseen.tables import PACKAGES

    missing = {name: package for name, package in PACKAGES.items() if find_spec(package) is None}
    for name, package in missing.items():
        print(f"{name} is left out: {package} is not installed (bench/unseen/requirements.txt).")
    return [name for name in FILES if name not in missing]


def dataset_of(name: str) -> Any:
    """Return what a session is given: the bundled bank, or frames by table name."""
    import lexsi_nb as lx

    tables = tables_of(name)
    if tables == "bank":
        return lx.datasets.bank()
    if tables in MADE_UP:
        return import_module(f"unseen.{tables}").load()
    from unseen.tables import load as frames

    return frames(tables)


def gold_connection(name: str) -> Any:
    """Return a plain DuckDB connection with a view per table of the dataset."""
    import duckdb

    if tables_of(name) == "bank":
        return dataset_of("bank").setup_cell().run({})["con"]
    connection = duckdb.connect()
    for table_name, frame in dataset_of(name).items():
        connection.register(table_name, frame)
    return connection


@contextlib.contextmanager
def outside_folder() -> Iterator[Path]:
    """Give a folder with one table of four rows, for questions that connect other data."""
    with tempfile.TemporaryDirectory() as name:
        rows = "shipment_id,weight\n1,2.5\n2,3.5\n3,1.0\n4,7.25\n"
        (Path(name) / "shipments.csv").write_text(rows, "utf-8")
        yield Path(name)


def ask_all(names: list[str], split: str, kinds: list[str]) -> dict[str, list[Verdict]]:
    """Return the verdicts of each dataset. Questions of models come last: their variables stay in the session."""
    out: dict[str, list[Verdict]] = {}
    with outside_folder() as folder:
        for name in names:
            chosen = [q for q in load(name) if split in ("all", q.split) and (not kinds or q.kind in kinds)]
            bench = Bench(name, folder)
            chosen.sort(key=lambda q: (q.expect == "predictive" or q.kind == "explain", q.kind == "explain"))
            out[name] = [bench.verdict(question) for question in chosen]
            bench.close()
    return out


def report(title: str, verdicts: list[Verdict], by_kind: bool) -> None:
    """Print the numbers of one half of one dataset."""
    if not verdicts:
        return
    numbers = scores_of(verdicts)
    outcomes = ", ".join(f"{k} {n}" for k, n in sorted(numbers["outcomes"].items()))
    print(f"\n{title}: {numbers['n']} questions, {numbers['answered']} answered; {outcomes}")
    for key in ("precision", "coverage", "reliability"):
        low, high = numbers[f"{key} interval"]
        how = "bootstrap" if key == "reliability" else "Wilson"
        value = "   -  " if numbers[key] is None else f"{numbers[key]:6.3f}"
        print(f"  {key:<12}{value}   [{low:.3f}, {high:.3f}] {how}")
    low, high = numbers["reliability far ends"]
    print(f"  {'':<12}         [{low:.3f}, {high:.3f}] Wilson, of the shares right and wrong")
    print(f"  median {1000 * numbers['median seconds']:.0f} ms a question")
    if by_kind:
        print_kinds(verdicts)


def print_kinds(verdicts: list[Verdict]) -> None:
    """Print a line of numbers for each kind of question."""
    kinds: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        kinds[verdict.question.kind].append(verdict)
    print(f"  {'kind':<15}{'n':>4}{'answ.':>7}  {'precision':<25}{'coverage':<25}{'reliability'}")
    for kind, rows in kinds.items():
        numbers = scores_of(rows)
        cells = ""
        for key in ("precision", "coverage", "reliability"):
            low, high = numbers[f"{key} interval"]
            cell = "-" if numbers[key] is None else f"{numbers[key]:.2f} [{low:.2f}, {high:.2f}]"
            cells += f"{cell:<25}"
        print(f"  {kind:<15}{numbers['n']:>4}{numbers['answered']:>7}  {cells.rstrip()}")


def show_wrong(verdicts: list[Verdict]) -> None:
    """Print what went wrong, or failed, in the dev half; questions of the test half are never printed."""
    for verdict in verdicts:
        question = verdict.question
        if question.split != "dev" or verdict.outcome == "right":
            continue
        print(f"\n  {question.id} [{question.kind}] {verdict.outcome} ({verdict.status}; expected {question.expect})")
        for before in question.after:
            print(f"    after: {before}")
        print(f"    {question.question}")
        if verdict.outcome != "needless":
            print(f"    gold: {question.gold or question.reason or question.text or question.readings}")
        print(f"    said: {verdict.words}")


def _words(run: Any) -> str:
    words = " ".join((run.answer or "").split())[:200]
    if run.status == "answered" and run.frame is not None:
        head = run.frame.head(3).to_dict("split")
        words += f" | {run.frame.shape[0]} rows of {head['columns']}: {head['data']}"[:300]
    return words


def main() -> int:
    """Run the benchmark and print its numbers; status 2 for what may not be shown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", choices=[*FILES, *PRACTICE], help="default: all that is installed")
    parser.add_argument("--split", choices=("dev", "test", "all"), default="all")
    parser.add_argument("--kind", nargs="+", default=[])
    parser.add_argument("--by-kind", action="store_true")
    parser.add_argument("--show-wrong", action="store_true", help="print what was not right, dev half only")
    parser.add_argument("--json", metavar="FILE", help="write the numbers")
    options = parser.parse_args()
    if options.show_wrong and options.split == "test":
        print("The test half is run and not read: --show-wrong prints the dev half only.", file=sys.stderr)
        return 2
    names = options.data or ready()
    found = ask_all(names, options.split, options.kind)
    groups = dict(found)
    unseen = [name for name in found if name != "bank" and name not in PRACTICE]
    practice = [name for name in found if name in PRACTICE]
    for title, names_of in (("unseen together", unseen), ("practice (tuned on), together", practice)):
        if len(names_of) > 1:
            groups[title] = [v for name in names_of for v in found[name]]
    numbers: dict[str, Any] = {}
    for name, verdicts in groups.items():
        for half in ("dev", "test"):
            rows = [v for v in verdicts if v.question.split == half]
            report(f"{name}, {half}", rows, options.by_kind)
            if rows:
                numbers[f"{name}, {half}"] = scores_of(rows)
        if options.show_wrong and name in found:
            show_wrong(verdicts)
    if options.json:
        Path(options.json).write_text(json.dumps(numbers, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
