"""Words that change a question must change its reading: what is added and leaves the SQL as it was is printed.

Run: python bench/metamorphic.py [--data bank practice_bank ...] [--most 40]

To each question of the dev halves that the embedded planner answers with SQL, each of ADDED is appended in turn. A
reading that is the same as before has passed over what was added, unless it was said already or adds nothing there
(EXPECTED, by what the question asks for). Nothing of a test half is read.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from answers.questions import FILES, PRACTICE, load

ADDED = (
    "in 1996", "except in 1996", "on Mondays", "in January", "last year", "since then", "until 1995", "over $500",
    "within 30 days", "for the first time", "on the same day", "of the previous year", "during summer",
    "above 5000", "at most 3", "at least twice", "more than once", "twice", "only once", "but only the first 3",
    "excluding the largest one", "other than the first", "starting with P", "ending in 5", "divided by 12",
    "compared with 1996", "per month", "for each quarter", "in euros", "again", "that failed",
    "together with the average",
    "and their names", "when it was opened", "before that", "by the owner himself", "from the same place",
)  # fmt: skip
# Pieces of a question that already say what is added, or with which it adds nothing.
EXPECTED: dict[str, tuple[str, ...]] = {
    "in 1996": ("1996",), "per month": ("month",), "for each quarter": ("quarter",),
    "together with the average": ("describe", "summary", "average", "statistics"),
    "and their names": ("name", "which", "district"), "when it was opened": ("opened",),
    "twice": ("twice", "more than once", "duplicate"), "more than once": ("more than once", "duplicate", "repeat"),
}  # fmt: skip


def ignored(read: Callable[[str], str | None], question: str) -> Iterator[str]:
    """Yield what leaves the reading of a question as it is; `read` returns the SQL of a question, None for none."""
    before = read(question)
    body = question.rstrip(" ?.!")
    for added in ADDED if before else ():
        said = any(w in question.casefold() for w in EXPECTED.get(added, ()))
        if not said and read(f"{body} {added}?") == before:
            yield added


def reader(name: str) -> Callable[[str], str | None]:
    """Return what reads a question over a dataset as SQL."""
    from reliability import dataset_of

    from lexsi_nb.data.engine import Engine
    from lexsi_nb.data.sources import frames
    from lexsi_nb.grounding.grounder import Grounder
    from lexsi_nb.grounding.reading import Reading

    data = dataset_of(name)
    namespace = data if isinstance(data, dict) else {}
    dataset = frames(data) if isinstance(data, dict) else data
    grounder = Grounder(Engine(dataset, namespace=namespace), dataset.knowledge)

    def read(question: str) -> str | None:
        found = None if grounder.is_predictive(question) else grounder.read(question)
        return found.sql or None if isinstance(found, Reading) else None

    return read


def main() -> int:
    """Print what was passed over; status 1 where there is any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", choices=[*FILES, *PRACTICE], default=["bank", "practice_bank"])
    parser.add_argument("--most", type=int, default=40, help="questions of each set, drawn with a seed")
    options = parser.parse_args()
    found: dict[str, list[str]] = defaultdict(list)
    asked = 0
    for name in options.data:
        read = reader(name)
        plain = [q.question for q in load(name) if q.split == "dev" and not q.after and q.expect == "answer"]
        for question in random.Random(0).sample(plain, min(options.most, len(plain))):
            asked += 1
            for added in ignored(read, question):
                found[added].append(question)
    print(f"{asked} questions, {len(ADDED)} additions each; passed over: {sum(map(len, found.values()))}")
    for added, questions in sorted(found.items(), key=lambda x: -len(x[1])):
        print(f"\n  {added}: {len(questions)}")
        for question in questions[:5]:
            print(f"    {question}")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
