"""What is asked of one tool alone: SQL to be run as it is, and what the knowledge graph says of something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.agent.planner import Decision, Message, ToolCall
from lexsi_nb.grounding.forms.written import asked_of_the_graph, own_sql
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.toolkit.spec import GOOD

MOST_ENTRIES = 5
ENTRY = re.compile(r"^- (?P<section>\w+):(?P<name>[^:]+): (?P<said>.+) \[matched: (?P<words>[^\]]*)\]$", re.MULTILINE)
FAILED = re.compile(r"^\w+ failed\. \w+: ")


def as_given(question: str, done: Sequence[tuple[ToolCall, Message]], label: str) -> Decision | None:
    """Return the decision of a question that is asked of one tool, None for another question."""
    if sql := own_sql(question):
        return _sql(sql, question, done, label)
    if what := asked_of_the_graph(question):
        return _entries(what, done)
    return None


def _sql(sql: str, question: str, done: Sequence[tuple[ToolCall, Message]], label: str) -> Decision:
    """Run it, and say what came out, or why it does not run."""
    if not done:
        return _call("run_sql", "Run it as it is.", sql=sql, label=label)
    last = done[-1][1]
    if last.status not in GOOD:
        return Decision(answer=f"That SQL was not run. {FAILED.sub('', last.text.strip())}", status="declined")
    if last.name == "summarize_result":
        return Decision(answer=last.text)
    return _call("summarize_result", "Say what came out.", question=question, sql_result_label=label)


def _entries(what: str, done: Sequence[tuple[ToolCall, Message]]) -> Decision:
    """Look it up, and say the entries that have it among their words."""
    if not done:
        return _call("query_kg", "Look it up in the knowledge graph.", search=what)
    last = done[-1][1]
    found = [m for m in ENTRY.finditer(last.text)][:MOST_ENTRIES] if last.status in GOOD else []
    known = {w for m in found for w in phrase(m["words"])}
    if not found or not known.issuperset(phrase(what)):
        return Decision(answer=f"The knowledge graph says nothing of '{what}'.", status="declined")
    return Decision(answer="\n".join(f"{m['name']} ({m['section']}): {m['said']}" for m in found))


def _call(name: str, thought: str, /, **args: str) -> Decision:
    return Decision(calls=(ToolCall(name, dict(args)),), thought=thought)
