"""The grounding of one dataset: its index kept fresh, its plans and follow-ups remembered between questions."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from lexsi_nb.errors import QueryFailed
from lexsi_nb.grounding.conversation.followups import dropped, goes_on, kept, unanswered, whole_question
from lexsi_nb.grounding.conversation.pointing import points_back
from lexsi_nb.grounding.forms.ordering import unfilled
from lexsi_nb.grounding.forms.what_to_ask import SHOWN, examples, what_to_ask
from lexsi_nb.grounding.language import conversation
from lexsi_nb.grounding.mentions import mentions
from lexsi_nb.grounding.options import OpenOption, chosen, options
from lexsi_nb.grounding.predictions.explaining import Explained
from lexsi_nb.grounding.reader import read_question
from lexsi_nb.grounding.reading import Choice, Declined, Reading, Unread
from lexsi_nb.grounding.rendering.failing import does_not_run
from lexsi_nb.grounding.schema.facts import Facts, read_facts
from lexsi_nb.grounding.schema.index import SchemaIndex
from lexsi_nb.grounding.schema.reads import Reads
from lexsi_nb.grounding.wordings.typing_slips import written_out

Marks = Callable[[], Mapping[str, str]]  # what tells the content of each table from what it was
MANY_OBJECTS = 100_000
PLANS = 50  # plans kept


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold the garbage collector off: it would walk an index of many names over and over while that grows."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
            if gc.get_count()[0] > MANY_OBJECTS:
                gc.collect()  # once, and now: else it falls on the first question


class Grounder:
    """Reads questions over one engine; the index of names and values is built on first use."""

    def __init__(self, engine: Any, knowledge: Any = None, marks: Marks | None = None) -> None:
        self.engine, self.knowledge = engine, knowledge
        self._content = marks
        self._index: SchemaIndex | None = None
        self._tables: Sequence[Any] = ()
        self._reads = Reads(engine)
        self._marks: Mapping[str, str] | None = None  # of the content that the index was built over
        self._looked = False  # whether the content was looked at in this run
        self._plans: dict[str, Any] = {}  # planner and text_to_sql ask for the same plan
        self._plans_of: SchemaIndex | None = None
        self._choices: dict[str, Choice] = {}  # what was put back of a question
        self._wholes: dict[str, str] = {}  # a question as it was typed, and what it was made
        self._leaning: dict[str, str] = {}  # a follow-up made whole, and the question before it

    @property
    def facts(self) -> Facts:
        """What the knowledge graph says; empty without one."""
        return read_facts(getattr(self.knowledge, "data", self.knowledge))

    @property
    def index(self) -> SchemaIndex:
        """The index, built again when the tables or what they hold have changed; only those are read anew.

        Where the content is told (`marks`), it is looked at once a run, see `look_again`.
        """
        if self._index is not None and self._looked:
            return self._index
        tables, marks = self.engine.tables(), self._marks
        if self._content is not None and not self._looked:
            marks, self._looked = self._content(), True
        if self._index is None or tables != self._tables or marks != self._marks:
            now, before, old = {t.name: t for t in tables}, {t.name: t for t in self._tables}, self._marks or {}
            changed = {n for n in {*now, *before} if now.get(n) != before.get(n)}
            self._reads.forget({*changed, *(t for t, m in (marks or {}).items() if m != old.get(t))})
            with _uncollected():
                self._index = SchemaIndex(self.engine, self.facts, self._reads)
            self._tables, self._marks = tables, marks
        return self._index

    def read(self, question: str) -> Reading | Declined | Choice:
        """Return what a question means over the data, or why it cannot be told."""
        try:
            found = read_question(question, self.index)
            self._choices.pop(question, None)
            return self._told_what_is_kept(found, question)
        except Unread as end:
            alone = isinstance(end.outcome, Choice) and len(end.outcome.options) == 1
            self._choices.pop(question, None)  # asked again, it is the latest
            if isinstance(end.outcome, Choice):
                self._choices = {**dict(list(self._choices.items())[-PLANS:]), question: end.outcome}
            return self._only_way(end.outcome, question) if alone else end.outcome
        except QueryFailed as end:
            return does_not_run(end)

    def _only_way(self, choice: Any, question: str) -> Reading | Declined:
        """Return the reading of a choice of one; a decline where no question asks for it."""
        only = options(choice, question, self._outcome, self.engine)[0]
        found = self._outcome(only.question) if only.question else None
        if isinstance(found, Reading):
            return replace(found, notes=(*found.notes, f"'{question.rstrip(' ?.')}' can only be this"))
        return Declined(f"{choice.prompt} There is only {only.text}: say it in these words.")

    def _outcome(self, question: str) -> Reading | Declined | Choice:
        """Return what a question means, a choice of one as it is: it may lead to the like of itself."""
        try:
            return read_question(question, self.index)
        except Unread as end:
            return end.outcome
        except QueryFailed as end:
            return does_not_run(end)

    def _told_what_is_kept(self, found: Reading, question: str) -> Reading:
        """Return the reading of a follow-up with notes on what it took over from the question before, and what not."""
        before = self.read(self._leaning[question]) if self._leaning.get(question, question) != question else None
        if not isinstance(before, Reading):
            return found
        notes = (f"kept from before: {s}",) if (s := kept(found, before)) else ()
        notes += (f"no longer: {s}",) if (s := dropped(found, before)) else ()
        return replace(found, notes=(*notes, *found.notes)) if notes else found

    def is_predictive(self, question: str) -> bool:
        """Whether the words ask for what is not yet known: predict, likely, risk."""
        from lexsi_nb.grounding.predictions.predictive import asks_ahead

        said = written_out(unfilled(question, self.index), self.index)[0]
        return any(asks_ahead(m) for m in mentions(said, self.index).items)

    def understood(self, question: str) -> Any:
        """Return the plan or the reading of a question, whichever its words ask for."""
        return self.predictive(question) if self.is_predictive(question) else self.read(question)

    def in_context(self, previous: Sequence[str], question: str) -> str | Explained:
        """Return the question with what it leaves unsaid taken from those before it, oldest first."""
        previous = self._as_chosen(previous)
        if previous and (option := self._chosen(previous[-1], question)) is not None and option.question:
            return option.question
        index = self.index
        *before, now = (self._unfilled(q, leans=at > 0) for at, q in enumerate((*previous, question)))
        whole = whole_question(before, now, index, self.understood)
        if isinstance(whole, str) and whole != now:
            base = whole_question(before[:-1], before[-1], index, self.understood)
            self._leaning = {**dict(list(self._leaning.items())[-PLANS:]), whole: str(base)}
        made = question if whole == now else whole
        if isinstance(made, str):
            self._wholes = {**dict(list(self._wholes.items())[-PLANS:]), question: made}
        return made

    def _as_chosen(self, previous: Sequence[str]) -> list[str]:
        """Return the questions before with what was chosen in the place of the number or words that chose it."""
        out: list[str] = []
        for question in previous:
            option = self._chosen(out[-1], question) if out else None
            out.append(option.question if option is not None and option.question else question)
        return out

    def _chosen(self, before: str, said: str) -> OpenOption | None:
        """Return the option of the choice that was put before, said by its number or its words."""
        asked = self._wholes.get(before, before)
        choice = self._choices.get(asked)
        return chosen(options(choice, asked, self.read, self.engine), said) if choice is not None else None

    def not_asked_alone(self, before: str, said: str) -> str:
        """Return the chosen option that no question asks for by itself; "" for any other."""
        option = self._chosen(before, said)
        return option.text if option is not None and not option.question else ""

    def what_can_be_asked(self, question: str) -> str:
        """Return what can be asked of these data, to a greeting or a call for help; an empty text to anything else."""
        if conversation.HELP.fullmatch(" ".join(question.split()).strip(" ?.!,")) is None:
            return ""
        read = (q for q in examples(self.index) if isinstance(r := self.read(q), Reading) and r.sql)
        return what_to_ask(list(self.index.columns), list(islice(read, SHOWN)))

    def _unfilled(self, question: str, *, leans: bool) -> str:
        """Return a question without what says nothing of the data; of one that points back, its pronoun says something.

        leans: there is a question before that it can point at.
        """
        plain = unfilled(question, self.index)
        lost = leans and points_back(question, self.index) and not points_back(plain, self.index)
        return question if lost else plain

    def unanswered(self, previous: Sequence[str], question: str) -> str:
        """Return the question right before a follow-up, where that had no answer; "" for others."""
        return unanswered(self._as_chosen(previous), question, self.index, self.understood)

    def points_back(self, question: str) -> bool:
        """Whether a question is about the rows of the one before, by its words."""
        return points_back(question, self.index)

    def goes_on(self, question: str) -> bool:
        """Whether a question goes on with the one before it by its words."""
        return goes_on(question, self.index)

    def predictive(self, question: str) -> Any:
        """Return the plan of a predictive question, or why there is none."""
        from lexsi_nb.grounding.predictions.predictive import plan

        index = self.index
        if self._plans_of is not index:
            self._plans, self._plans_of = {}, index
        if question not in self._plans:
            if len(self._plans) >= PLANS:
                self._plans.clear()
            try:
                self._plans[question] = plan(unfilled(question, index), index, question)
            except Unread as end:
                self._plans[question] = end.outcome
            except QueryFailed as end:
                self._plans[question] = does_not_run(end)
        return self._plans[question]

    def look_again(self) -> None:
        """Look at the content of the tables before the next question: frames may have been edited in place since."""
        self._looked = False
        if self._content is None:
            self._plans, self._index = {}, None
            self._reads = Reads(self.engine)
