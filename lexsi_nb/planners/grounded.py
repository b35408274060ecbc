"""The embedded planner: answers what it can ground in the data, asks when two readings fit, declines the rest."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

from lexsi_nb.agent.planner import Decision, Message, Thought, ToolCall, Turn
from lexsi_nb.artifacts.results import Choice as ChoiceArtifact
from lexsi_nb.artifacts.results import Option
from lexsi_nb.grounding.grounder import Grounder
from lexsi_nb.grounding.knowledge.definitions import definition_said
from lexsi_nb.grounding.options import offered, options
from lexsi_nb.grounding.predictions.explaining import Explained
from lexsi_nb.grounding.predictions.predictive import PredictivePlan
from lexsi_nb.grounding.reading import Choice, Declined, Reading
from lexsi_nb.planners.as_given import as_given
from lexsi_nb.toolkit.spec import GOOD

ANSWER_LABEL = "answer_df"
MOST_COLUMNS = 40
MOST_LEARNED = 50_000  # rows that are learned from where nobody says how many
REMEMBERED = 6  # questions of the conversation that a new one may lean on
# What a modelling tool says of rows that no model can be made of: the question can't be answered, nothing is broken.
MODELLING = ("prepare_context", "train_tabular_model", "predict", "explain_predictions")
NOT_SCORED = re.compile(r"\bUnknownCase: No case (?P<case>'[^']*'|\S+?)\.")
UNFIT = re.compile(r"\bBadData: (?P<why>.+)", re.DOTALL)
Found = Reading | Declined | Choice | PredictivePlan


class GroundedPlanner:
    """Decides from the turn alone, with the grounding of the active dataset; nothing leaves the machine.

    `grounder` is the grounding, or a function that returns it (so that it is built on the first question).
    """

    name = "grounded"
    local = True

    def __init__(self, grounder: Grounder | Callable[[], Grounder]) -> None:
        self._grounder = grounder
        self._context: tuple[tuple[Any, ...], str | Explained] | None = None
        self._found: tuple[tuple[Any, str], Found] | None = None

    @property
    def grounder(self) -> Grounder:
        """The grounding of the active dataset."""
        return self._grounder if isinstance(self._grounder, Grounder) else self._grounder()

    async def decide(self, turn: Turn) -> AsyncIterator[Thought | Decision]:
        """Yield a thought where there is one, and the decision."""
        decision = self._decision(turn)
        if decision.thought:
            yield Thought(decision.thought)
        yield decision

    def _decision(self, turn: Turn) -> Decision:
        done = _finished(turn)
        if (given := as_given(turn.question, done, ANSWER_LABEL)) is not None:
            return given
        if done and done[-1][1].status not in GOOD:
            return _broken(done[-1][1])
        if turn.force_final:
            return Decision(
                answer=_said(done) or "No answer within the allowed steps; what was made so far is kept.",
                status="failed",
            )
        asked = self._whole(turn)
        question, wanted = (asked.question, asked) if isinstance(asked, Explained) else (asked, None)
        if not done:
            alone = wanted is not None and wanted.alone
            first = self._first(question, leans=question != turn.question and not alone)
            return self._said_after_none(turn, first) if question == turn.question else first
        names = [call.name for call, _ in done]
        if "text_to_sql" in names:
            return _after_sql(turn.question, done, wanted)
        found = self._read(question)
        if isinstance(found, Reading) and found.kind in ("tables", "schema"):
            return Decision(answer=self._schema_answer(found))
        if "query_kg" not in names and self.grounder.knowledge is not None:
            return _call("query_kg", "What the words mean in this dataset.", search=question)
        return _call(
            "text_to_sql",
            "Which rows are learned from and which are scored.",
            question=question,
            mode="predictive",
        )

    def _said_after_none(self, turn: Turn, first: Decision) -> Decision:
        """Return the decision on a question, with a word on the one it follows where that had no answer."""
        back = self.grounder.points_back(turn.question)
        if first.status not in ("declined", "needs_choice") and not back:
            return first
        said, elsewhere = _before(turn)
        if elsewhere:
            return self._said_of_other_data(turn.question, first, elsewhere)
        before = self.grounder.unanswered(said, turn.question)
        if not before:
            return first
        waits = isinstance(self.grounder.understood(before), Choice)
        if waits and (option := self.grounder.not_asked_alone(before, turn.question)):
            text = f"'{option}' is a reading that no question asks for by itself here."
            return Decision(answer=f"{text} Ask in full, with what it says in your own words.", status="declined")
        why = "waits for a choice" if waits else "was not answered"
        if back:
            text = f"This points back at the question before ('{before.rstrip(' ?.')}'), which {why}."
            after = "Choose one of its readings first, or name" if waits else "Name"
            return Decision(answer=f"{text} {after} the rows that are meant.", status="declined")
        lead = f"The question before ('{before.rstrip(' ?.')}') {why}, so this one is read by itself."
        return replace(first, answer=f"{lead} {first.answer}")

    def _said_of_other_data(self, question: str, first: Decision, before: Message) -> Decision:
        """Return the decision on a question that goes on with one over another dataset, and the word on that."""
        if not self.grounder.goes_on(question):
            return first
        asked = f"The question before ('{before.text.rstrip(' ?.')}') was asked over the dataset {before.over}"
        text = f"{asked}, and this one over {self.grounder.engine.dataset.title}."
        after = f"To go on with it, ask over that dataset: %%lexsi --data {before.over}."
        return Decision(answer=f"{text} {after} Else say in full what is asked.", status="declined")

    def _whole(self, turn: Turn) -> str | Explained:
        """Return the question with what it leaves unsaid taken from the conversation."""
        key = (self.grounder.index, turn.question, tuple(_before(turn)[0]))
        if self._context is None or self._context[0] != key:
            self._context = (key, self.grounder.in_context(key[2], turn.question))
        return self._context[1]

    def _first(self, question: str, *, leans: bool) -> Decision:
        if (meant := definition_said(question)) is not None:
            keep = f"%lexsi kg add '{meant[0]}' means {meant[1]}"
            return Decision(answer=f"This gives words a meaning; to keep it: {keep}", status="declined")
        if said := self.grounder.what_can_be_asked(question):
            return Decision(answer=said)
        found = self._read(question)
        lead = f"With the question before: {question.rstrip(' ?.')}. " if leans else ""
        if isinstance(found, Declined):
            return Decision(answer=" ".join([found.text, *_places(question)]), status="declined")
        if isinstance(found, Choice):
            looked = options if self.grounder.is_predictive(question) else offered
            ways = looked(found, question, self.grounder.read, self.grounder.engine)
            if isinstance(ways, Declined):
                return Decision(answer=ways.text, status="declined")
            artifact = ChoiceArtifact(found.prompt, tuple(Option(*vars(w).values()) for w in ways))
            lines = "; ".join(f"({i}) {w.text}" + (f": {w.number}" if w.number else "") for i, w in enumerate(ways, 1))
            return Decision(answer=f"{found.prompt} {lines}.", status="needs_choice", choice=artifact)
        if isinstance(found, PredictivePlan):
            return _call("inspect_data", f"{lead}A prediction: look at the tables first.")
        if found.kind == "schema" and found.table:
            return _call("inspect_data", "A question about the schema.", table_filter=[found.table])
        if found.kind in ("tables", "schema"):
            return _call("inspect_data", "A question about the schema.")
        return _call("text_to_sql", f"{lead}Read as: {found.text}.", question=question, mode="analytic")

    def _read(self, question: str) -> Found:
        """Return what the question means; the same question over the same tables is read once."""
        grounder = self.grounder
        key = (grounder.index, question)
        if self._found is None or self._found[0] != key:
            self._found = (key, grounder.understood(question))
        return self._found[1]

    def _schema_answer(self, found: Reading) -> str:
        tables = self.grounder.engine.tables()
        if found.kind == "tables":
            listed = "; ".join(f"{t.name} ({t.rows:,} rows" + (f", {t.comment})" if t.comment else ")") for t in tables)
            out = "".join(f" {t} is left out: {e.what}" for t, e in self.grounder.engine.unreadable().items())
            return (f"{len(tables)} tables: {listed}." if len(tables) != 1 else f"One table: {listed}.") + out
        wanted = [t for t in tables if not found.table or t.name == found.table]
        parts = [f"{note[:1].upper()}{note[1:]}." for note in found.notes]
        if parts and not found.table:
            return " ".join(parts)
        for t in wanted:
            columns = [f"{c.name} ({c.type})" for c in t.columns[:MOST_COLUMNS]]
            more = f" and {len(t.columns) - MOST_COLUMNS} more" if len(t.columns) > MOST_COLUMNS else ""
            parts.append(f"{t.name} has {len(t.columns)} columns: {', '.join(columns)}{more}.")
        return "\n".join(parts)


def _before(turn: Turn) -> tuple[list[str], Message | None]:
    """Return (the questions before over the same dataset, oldest first, the one right before where it was not)."""
    *before, now = [m for m in turn.messages if m.role == "user"] or [Message("user", turn.question)]
    same: list[str] = []
    for m in reversed(before[-REMEMBERED:]):
        if m.over and now.over and m.over != now.over:
            return same[::-1], None if same else m
        same.append(m.text)
    return same[::-1], None


def _places(question: str) -> list[str]:
    """Return how to give the values that places such as {as_of} stand for, where a question has any left."""
    names = list(dict.fromkeys(re.findall(r"\{([A-Za-z_]\w*)\}", question)))
    if not names:
        return []
    said = " and ".join(f"{{{n}}}" for n in names)
    listed = ",".join(names)
    return [f"{said} had no value: write %%lexsi --params {listed}, or ask(..., params={{...}})."]


def _call(name: str, thought: str, /, **args: Any) -> Decision:
    return Decision(calls=(ToolCall(name, args),), thought=thought)


def _finished(turn: Turn) -> list[tuple[ToolCall, Message]]:
    """Return the calls of this question with their results, oldest first."""
    calls = {c.id: c for m in turn.messages for c in m.calls}
    return [(calls.get(m.call_id, ToolCall(m.name)), m) for m in turn.observations()]


def _broken(message: Message) -> Decision:
    """A call that did not succeed ends the run with what it said: trying the same again would say the same."""
    text = message.text.strip() or "no reason given"
    said = _parsed(text)
    if said and said.get("declined"):
        return Decision(answer=str(said["declined"]), status="declined")
    if message.status in ("denied", "rejected", "declined", "awaiting_approval"):
        return Decision(answer=f"{message.name} was not run: {text}", status="declined")
    if message.name in MODELLING and (found := UNFIT.search(text)):
        return Decision(answer=found["why"].strip(), status="declined")
    if message.name == "explain_prediction" and (found := NOT_SCORED.search(text)):
        said = f"{found['case']} is not among the rows that were scored, so there is no score of it to explain."
        return Decision(answer=f"{said} Scored are the rows whose outcome is not known yet.", status="declined")
    return Decision(answer=f"{message.name} did not succeed: {text}", status="failed")


def _after_sql(question: str, done: list[tuple[ToolCall, Message]], wanted: Explained | None = None) -> Decision:
    """Decide by what text_to_sql wrote and what has been run since."""
    at = max(i for i, (call, _) in enumerate(done) if call.name == "text_to_sql")
    written, since = _parsed(done[at][1].text), done[at + 1 :]
    if written is None:
        return Decision(answer="The SQL could not be read from the result of text_to_sql.", status="failed")
    names = [call.name for call, _ in since]
    if "summarize_result" in names:
        return Decision(answer=since[-1][1].text)
    if written.get("kind") != "predictive":
        if "run_sql" not in names:
            return _call("run_sql", "Run it.", sql=written["sql"], label=ANSWER_LABEL)
        if written.get("chart") and "render_chart" not in names and not since[-1][1].text.startswith("0 rows"):
            return _call("render_chart", "Draw it.", spec=written["chart"], label=ANSWER_LABEL)
        return _call("summarize_result", "Say what came out.", question=question, sql_result_label=ANSWER_LABEL)
    return _modelling(question, written, since, wanted)


def _modelling(
    question: str, written: dict[str, Any], since: list[tuple[ToolCall, Message]], wanted: Explained | None
) -> Decision:
    names = [call.name for call, _ in since]
    ran = {str(call.args.get("label")): message for call, message in since if call.name == "run_sql"}
    for label, key, thought in (
        ("context_df", "context_sql", "The rows to learn from."),
        ("predict_df", "predict_sql", "The rows to score."),
        ("already_df", "already_sql", "The rows where it has happened already: listed, not ranked."),
    ):
        sql = written.get(key)
        if sql and label not in ran:
            return _call("run_sql", thought, sql=sql, label=label)
        if label != "already_df" and sql and ran[label].text.startswith("0 rows"):
            what = "labelled rows to learn from" if label == "context_df" else "rows to score"
            return Decision(answer=f"There are no {what}. Read as: {written.get('read_as', '')}.", status="declined")
    task, top_k = written.get("task") or {}, int(written.get("top_k") or 10)
    if wanted is not None:
        top_k = max(top_k, wanted.place)  # the ranking is listed down to the one that is asked about
    if "train_tabular_model" not in names:
        share = _share_to_learn(ran["context_df"].text)
        return _call(
            "train_tabular_model",
            f"Learn from {share['sample_percentage']:g}% of the labelled rows."
            if share
            else "Learn from the labelled rows.",
            **share,
            df_label="context_df",
            target_column=task.get("target_column"),
            entity_column=task.get("entity_column"),
            task_type=task.get("task_type", "classification"),
        )
    if written.get("predict_sql") and "predict" not in names:
        return _call("predict", "Score the open rows.", df_label="predict_df", top_k=top_k)
    if not {"explain_prediction", "explain_model"} & set(names):
        scored = next((m.text for call, m in since if call.name == "predict"), "")
        if wanted is None and not written.get("predict_sql"):
            wanted = Explained(question, kind="drivers")
        return _explaining(wanted, scored, str(task.get("entity_column")), top_k)
    share = next((c.args["sample_percentage"] for c, _ in since if "sample_percentage" in c.args), None)
    notes = {"notes": f"Learned from {share:g}% of the rows where it is known."} if share is not None else {}
    return _call("summarize_result", "Say what came out.", question=question, include_xai=True, **notes)


def _share_to_learn(told: str) -> dict[str, float]:
    """Return the share of many rows that a model learns from in reasonable time; empty where it is all of them."""
    found = re.match(r"([\d,]+) rows", told)
    rows = int(found[1].replace(",", "")) if found else 0
    return {"sample_percentage": round(100 * MOST_LEARNED / rows, 1)} if rows > MOST_LEARNED else {}


def _explaining(wanted: Explained | None, scored: str, entity: str, top_k: int) -> Decision:
    """Decide which explanation is asked for: of the highest cases, of one, or of all."""
    if wanted is None or (wanted.kind == "reasons" and not wanted.case and not wanted.place):
        return _call("explain_prediction", "What moved the highest scores.", top_k=top_k)
    if wanted.kind == "drivers":
        return _call("explain_model", "What moved the scores most.")
    if wanted.kind == "feature":
        return _call("explain_model", f"How {wanted.feature} moved the scores.", feature=wanted.feature)
    case = wanted.case or _case_at(scored, entity, wanted.place)
    if case is None:
        return Decision(answer=f"The ranking has no place {wanted.place}.", status="declined")
    if wanted.kind == "reasons":
        return _call("explain_prediction", "What moved this score.", case_ids=[case])
    more: dict[str, Any] = {"mark": wanted.mark} if wanted.mark is not None else {}
    more |= {"immutable": list(wanted.keep)} if wanted.keep else {}
    return _call(
        "explain_prediction", "What would have to change for this score.", case_ids=[case],
        include_counterfactual=True, toward=wanted.toward, **more,
    )  # fmt: skip


def _case_at(text: str, entity: str, place: int) -> str | None:
    """Return the id at a place of the ranking that predict listed."""
    import csv

    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if entity in line.split(",")), None)
    if start is None or start + place >= len(lines):
        return None
    at = lines[start].split(",").index(entity)
    return next(csv.reader([lines[start + place]]))[at]


def _parsed(text: str) -> dict[str, Any] | None:
    """Return the JSON object in an observation, None when there is none."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        said = json.loads(text[start : end + 1])
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _said(done: list[tuple[ToolCall, Message]]) -> str:
    """Return the last narrative, where one was written."""
    return next((m.text for call, m in reversed(done) if call.name == "summarize_result" and m.status in GOOD), "")
