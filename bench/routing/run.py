"""How often the right tool is among those a planner is shown, and what leaving the others out saves.

Run: python bench/routing/run.py [--check] [--dev]    (--check: status 1 where recall@8 on the test half is below 0.98)

The 160 requests were written and committed before the router was tuned, and split once: of the four of each tool the
first and third are for tuning, the second and fourth for the figure. Tokens are an approximation, said as such: a
quarter of the characters of the definitions as JSON; no tokenizer of a provider comes without a download.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from catalogue import VAGUE, forty, ours, spec

from lexsi_nb.toolkit.declare import tool_of
from lexsi_nb.toolkit.router import Router
from lexsi_nb.toolkit.spec import ToolSpec
from lexsi_nb.tools.catalogue import ALWAYS, built_in

LIMIT = 0.98
CHARS_PER_TOKEN = 4


def requests() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return (tuning half, test half), each a list of (tool, request)."""
    halves: tuple[list[tuple[str, str]], list[tuple[str, str]]] = ([], [])
    seen: dict[str, int] = {}
    with (Path(__file__).parent / "requests.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            at = seen[row["tool"]] = seen.get(row["tool"], -1) + 1
            halves[at % 2].append((row["tool"], row["request"]))
    return halves


def recall(router: Router, asked: list[tuple[str, str]], k: int) -> tuple[float, list[tuple[str, str]]]:
    """Return the share of requests whose tool is among the best k, and the others."""
    missed = [(tool, text) for tool, text in asked if tool not in router.rank(text)[:k]]
    return 1 - len(missed) / len(asked), missed


def tokens(specs: list[ToolSpec], names: set[str] | None = None) -> float:
    """Return the tokens of definitions, approximately."""
    own = {tool_of(t).name: tool_of(t) for t in built_in()}
    total = 0
    for s in specs:
        if names is not None and s.name not in names:
            continue
        if s.name in own:
            definition = own[s.name].schema.definition(s.description, "anthropic")
        else:
            definition = {"name": s.name, "description": s.description, "input_schema": {"type": "object"}}
        total += len(json.dumps(definition))
    return total / CHARS_PER_TOKEN


def accuracy(specs: list[ToolSpec], asked: list[tuple[str, str]]) -> tuple[int, int]:
    """Return (right first picks, requests) among the requests for these tools."""
    router, names = Router(specs), {s.name for s in specs}
    mine = [(tool, text) for tool, text in asked if tool in names]
    return sum(router.rank(text)[0] == tool for tool, text in mine), len(mine)


def main() -> int:
    """Print the figures; return 1 where --check was asked and the limit is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--dev", action="store_true", help="the tuning half only, with what it misses")
    chosen = parser.parse_args()
    dev, test = requests()
    specs = forty()
    router = Router(specs)
    for k in (1, 3, 5, 8):
        share, missed = recall(router, dev, k)
        line = f"recall@{k}: tuning half {share:.3f} ({len(dev) - len(missed)} of {len(dev)})"
        if not chosen.dev:
            got, out = recall(router, test, k)
            line += f", test half {got:.3f} ({len(test) - len(out)} of {len(test)})"
        print(line)
    if chosen.dev:
        for tool, text in recall(router, dev, 5)[1]:
            print(f"  {tool}: {text!r} -> {router.rank(text)[:5]}")
        return 0
    whole = tokens(specs)
    for k in (3, 5, 8):
        shown = [set(router.select(text, k)) for _, text in test]
        offered = [set(router.offer(text, k, keep=ALWAYS)) for _, text in test]
        few = sum(tokens(specs, s) for s in shown) / len(test)
        with_needs = sum(tokens(specs, s) for s in offered) / len(test)
        print(
            f"k={k}: about {few:,.0f} of {whole:,.0f} tokens, {1 - few / whole:.0%} saved; as a session shows them, "
            f"with what they need, {sum(map(len, offered)) / len(test):.1f} tools, {1 - with_needs / whole:.0%} saved"
        )
    start = time.perf_counter()
    for _, text in test:
        router.rank(text)
    print(f"ranking: {1e6 * (time.perf_counter() - start) / len(test):.0f} microseconds a request")
    every = [*dev, *test]
    vague = [spec(s.name, VAGUE.get(s.name, "Does things.")) for s in ours()]
    for label, those in (("vague", vague), ("precise", ours())):
        right, of = accuracy(those, every)
        print(f"first pick among our ten, {label} descriptions: {right} of {of}")
    right, of = accuracy(ours(), every)
    p = right / of
    print(f"p^n with p = {p:.3f} of our ten tools: " + ", ".join(f"n={n} {p**n:.3f}" for n in (1, 3, 5, 9)))
    reached = recall(router, test, 8)[0]
    if chosen.check and reached < LIMIT:
        print(f"recall@8 on the test half is {reached:.3f}, below {LIMIT}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
