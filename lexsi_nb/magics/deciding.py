"""Cards and readings that a person may click, and what a click comes to: in the outputs of the cell that shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.secrets import without_own
from lexsi_nb.magics.progress import Progress

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.kernel.cell_output import CellOutput
    from lexsi_nb.magics.lexsi import LexsiMagics
    from lexsi_nb.widgets.live.decision import Decision, Outcome

BELOW = "the answer is below"


class ClickProgress(Progress):
    """The lines of a run that a click started, shown in its widget."""

    def __init__(self, show: Callable[[Sequence[str]], None]) -> None:
        super().__init__()
        self._show = show

    def draw(self) -> None:
        """Show the lines as they are."""
        self._show([*self.lines, *([self.writing] if self.writing else [])])


def offer(magics: LexsiMagics, run: Run, environment: str, place: CellOutput | None = None) -> dict[str, Any] | None:
    """Return what a run asks of a person as a live widget beside its static form; None where nobody can click.

    What follows a click is shown in `place`, else in the cell that is being run.
    """
    from lexsi_nb.kernel.cell_output import CellOutput
    from lexsi_nb.widgets.live.choice import can_choose
    from lexsi_nb.widgets.live.offer import can_live, offered

    if magics.widgets == "static" or not can_live(environment):
        return None
    if run.approval is None and (run.choice is None or not can_choose(run.choice)):
        return None
    place = CellOutput(magics.shell) if place is None else place
    made = (
        _card(magics, run, environment, place) if run.approval is not None else _form(magics, run, environment, place)
    )
    return offered(made, environment=environment, message=place.message)


def settle_elsewhere(magics: LexsiMagics, key: str, words: str) -> None:
    """Say on a widget that is still open that a command in another cell decided."""
    from lexsi_nb.widgets.live.decision import Outcome

    widget = magics.decisions.pop(key, None)
    if widget is not None and widget.is_open:
        widget.settle(words, Outcome("What followed stands in the cell that said so."))


def _card(magics: LexsiMagics, run: Run, environment: str, place: CellOutput) -> Decision:
    from lexsi_nb.widgets.live.approval import ApprovalCard

    assert run.approval is not None
    id = run.approval.id  # the run changes when it goes on, this card does not

    def act(progress: Callable[[Sequence[str]], None], **what: Any) -> Outcome:
        went = magics.session.resume(id, on_event=ClickProgress(progress), **what)
        ran = "It ran" if what.get("approve") else "It did not run"
        again = "the new arguments wait below" if "args" in what else "another call waits below"
        return _outcome(magics, went, environment, place, f"{ran}; {BELOW}.", f"{ran}; {again}.")

    card = ApprovalCard(run.approval, act, magics.session.stop)
    return _kept(magics, id, card, run, environment, place)


def _form(magics: LexsiMagics, run: Run, environment: str, place: CellOutput) -> Decision:
    from lexsi_nb.app.chosen import choose
    from lexsi_nb.kernel.frontends import cell_id
    from lexsi_nb.widgets.live.choice import ChoiceForm
    from lexsi_nb.widgets.live.decision import Outcome

    assert run.choice is not None
    options = run.choice.options
    cell = cell_id(magics.shell) or ""

    def act(progress: Callable[[Sequence[str]], None], *, number: int, keep: bool) -> Outcome:
        went = choose(magics.session, run, number, keep=keep, on_event=ClickProgress(progress), cell=cell)
        kept = f" {kept_words(options[number - 1])}" if keep else f" {run_again_words(options[number - 1])}"
        if went.status in ("failed", "interrupted"):  # another reading may do better
            return Outcome(_ended(went), done=False)
        return _outcome(magics, went, environment, place, f"T{BELOW[1:]}.{kept}", f"It asks once more below.{kept}")

    form = ChoiceForm(run.choice, act, magics.session.stop, run.cell_options)
    return _kept(magics, run.id, form, run, environment, place)


def run_again_words(option: Any) -> str:
    """Return what to write so that the notebook runs through: its cell asks the open question again."""
    or_keep = ", or take it and keep its meaning" if option.means else ""
    return f"Run All asks this again: to go on without, write %%lexsi {option.question} in the cell{or_keep}."


def kept_words(option: Any) -> str:
    """Return what is kept of a chosen reading, and where."""
    from lexsi_nb.data.notebook_terms import FILE

    return f"'{option.words}' is {option.means} from now on: kept in {FILE}."


def _outcome(magics: LexsiMagics, went: Run, environment: str, place: CellOutput, answered: str, asks: str) -> Outcome:
    """Return what a run came to, with what it shows where it has anything to show."""
    from lexsi_nb.kernel.frontends import joined
    from lexsi_nb.magics.showing import outputs
    from lexsi_nb.widgets.live.decision import Outcome

    code = joined(went.cells)
    if went.status in ("failed", "interrupted"):
        return Outcome(_ended(went), code=code)
    said = answered if went.ok else asks
    return Outcome(said, outputs=outputs(went, environment, magics=magics, place=place), code=code)


def _ended(run: Run) -> str:
    return "The run was stopped." if run.status == "interrupted" else f"The run failed: {run.answer}"


def _kept(magics: LexsiMagics, key: str, widget: Decision, run: Run, environment: str, place: CellOutput) -> Decision:
    """Have the cell show what was decided and what followed, in place of what it showed: a saved notebook has both."""
    from lexsi_nb.widgets.live.offer import offered
    from lexsi_nb.widgets.record import KEY, record_of

    def done(outcome: Outcome) -> None:
        magics.decisions.pop(key, None)
        shown = without_own(offered(widget, environment=environment, message=place.message))
        goes_on = bool(outcome.outputs) and run.choice is None  # the run's record stands below
        place.replace([(shown, {} if goes_on else {KEY: record_of(run)}), *outcome.outputs])
        if outcome.outputs:
            place.before.append((without_own(widget.static()), {}))

    widget.on_done = done
    magics.decisions[key] = widget
    return widget
