"""A reading that a person chose of a question that could be read in more than one way; kept where they say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData, nearest

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.app.session import Session


def last_put_back(runs: Sequence[Run]) -> Run:
    """Return the last run that put a question back.

    Raises:
        BadData: none did.
    """
    run = next((r for r in reversed(runs) if r.choice is not None), None)
    if run is None:
        raise BadData("There is no reading to choose: no question was put back.", "", "Ask something first.")
    return run


def last_asked(runs: Sequence[Run]) -> Run:
    """Return the last run.

    Raises:
        BadData: there is none.
    """
    if not runs:
        raise BadData("No question was asked yet.", "", "Ask something first.")
    return runs[-1]


def choose(session: Session, run: Run, number: int, *, keep: bool = False, **options: Any) -> Run:
    """Return the run of the reading with a number (1 is the first) that a question put back.

    With `keep`, the words that were open mean this from now on: an entry of the file beside the notebook.

    Raises:
        BadData: the run put nothing back, has no such reading, or this one cannot be asked or kept.
    """
    choices = run.choice.options if run.choice is not None else ()
    if not choices:
        raise BadData("That run put no question back.", "", "Choose after an answer that lists its readings.")
    if not 1 <= number <= len(choices):
        raise BadData(f"There is no reading {number}.", f"There are {len(choices)}.", "Write its number.")
    option = choices[number - 1]
    if not option.question:
        why = f"It is: {option.text.rstrip('.')}."
        raise BadData(f"No question asks for reading {number} alone.", why, "Ask again and say that in your own words.")
    if keep:
        kept(session, option, run.given)
    return _of_the_same_data(session, run, option.question, options)


def _of_the_same_data(session: Session, run: Run, question: str, options: dict[str, Any]) -> Run:
    """Return the run of a question over the data that an earlier run was about, also where it named them itself."""
    made = session.ask(question, **{"dataset": run.given, **options})
    made.cell_options = run.cell_options
    return made


def whole_question(run: Run) -> str:
    """Return the question of a run with what it left to the one before it: what its first step was asked."""
    asked = [str(s.args["question"]) for s in run.steps if s.tool == "text_to_sql" and s.args.get("question")]
    return asked[0] if asked else run.question


def reread(session: Session, run: Run, words: str, means: str, *, keep: bool = False, **options: Any) -> Run:
    """Return the run of a run's question with some of its words read as others: `delay` as `arr_delay`.

    With `keep`, the words mean this from now on.

    Raises:
        BadData: the question does not have these words, or a condition cannot be said in their place.
    """
    from lexsi_nb.artifacts.results import Option
    from lexsi_nb.grounding.knowledge.conditions_placed import holds, placed
    from lexsi_nb.grounding.knowledge.definitions import Definition, define
    from lexsi_nb.grounding.reading import Declined
    from lexsi_nb.grounding.schema.kept import as_kept

    asked = whole_question(run)
    question, notes = as_kept(asked, [(words, means)])
    if not notes:
        raise _not_there(words, asked)
    session.binding.start(run.given)
    grounder = session.binding.grounder()
    if keep and (table := _table_called(words, grounder.index)):
        why = f"'{words}' is the name of the table {table}: every question about it would be about another thing."
        raise BadData(f"'{words}' is not kept as '{means}'.", why, "Ask it so once, without keep, or keep other words.")
    told = define(words, means, grounder)
    if isinstance(told, Definition) and not holds(question, told, grounder):  # `members with age < 40`
        if keep:
            kept_condition(session, told, run.given)
            return _of_the_same_data(session, run, asked, options)
        question = placed(asked, words, means, told, grounder)
        if not question:
            next_step = f"Keep it: %lexsi reading '{words}' means {means} keep"
            raise BadData(f"'{means}' cannot be said in this question.", "It is a condition on rows.", next_step)
    elif keep:
        if isinstance(read := grounder.understood(question), Declined):
            raise BadData(f"'{words}' is not kept as '{means}'.", read.text, "Say it with words of the data.")
        kept(session, Option(question, "", question, words, means), run.given)
    return _of_the_same_data(session, run, question, options)


def without(session: Session, run: Run, words: str, **options: Any) -> Run:
    """Return the run of a run's question without one of its conditions: `in Oslo`.

    Raises:
        BadData: the question does not have these words, or they are no condition that it can do without.
    """
    from lexsi_nb.grounding.knowledge.conditions_dropped import dropped

    asked = whole_question(run)
    session.binding.start(run.given)
    if not re.search(rf"(?<!\w){re.escape(words)}(?!\w)", asked, re.IGNORECASE):
        raise _not_there(words, asked)
    question = dropped(asked, words, session.binding.grounder())
    if not question:
        why = "Without these words it asks for something else, or for nothing that I can read."
        raise BadData(f"'{words}' is no condition that can be dropped here.", why, "Ask again in other words.")
    return _of_the_same_data(session, run, question, options)


def _not_there(words: str, question: str) -> BadData:
    """Return the error for words that a question does not have, with the nearest that it has."""
    own = re.findall(r"[^\W\d_][\w-]+", question)
    near = nearest(words, own)
    next_step = f"Nearest: {', '.join(near)}." if near else "Write words of it."
    return BadData(f"'{words}' is not in the question.", f"It was: {question.rstrip(' ?.')}.", next_step)


def _table_called(words: str, index: Any) -> str:
    """Return the table whose own name some words are; an empty text for other words."""
    from lexsi_nb.grounding.schema.names import phrase

    return next((t for t in index.columns if phrase(t) == phrase(words)), "")


def kept_condition(session: Session, told: Any, given: Any = None) -> str:
    """Write the condition that words stand for to the file beside the notebook, and return its name."""
    from lexsi_nb.data import notebook_terms

    path = notebook_terms.add(session.binding.start(given).id, "disambiguations", told.name, told.entry)
    session.binding.forget_grounding()
    return path.name


def kept(session: Session, option: Any, given: Any = None) -> str:
    """Write what the open words mean to the file beside the notebook, and return its name.

    Raises:
        BadData: the reading is not one of some words of the question.
    """
    from lexsi_nb.data import notebook_terms

    if not option.means:
        text = "It adds to the question and does not say what a word of it means."
        raise BadData("This choice cannot be kept.", text, "Choose without keep.")
    dataset = session.binding.start(given)
    entry = {
        "text": f"'{option.words}' is {option.means}",
        "triggers": [option.words],
        "reads": {"words": option.words, "as": option.means},
        "source": "user",
    }
    name = "_".join(option.words.casefold().split())
    path = notebook_terms.add(dataset.id, "disambiguations", name, entry)
    session.binding.forget_grounding()
    return path.name
