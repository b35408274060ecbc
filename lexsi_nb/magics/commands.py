"""The commands of `%lexsi`: what was made, what was sent, explain, insert, undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import LexsiError, RunFailed, UnknownName
from lexsi_nb.magics import approving, choosing, keeping, knowing, parameters, platform, readings, whatif

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics


class UnknownCommand(UnknownName):
    """No such command of `%lexsi`."""

    kind = "%lexsi command"


class UnknownRun(UnknownName):
    """No run of that id in this session."""

    kind = "run"


def command(magics: LexsiMagics, line: str) -> None:
    """Carry out one `%lexsi` line.

    Raises:
        UnknownCommand: lists the nearest commands.
    """
    name, _, rest = line.strip().partition(" ")
    act = COMMANDS.get(name or "status")
    if act is None:
        raise UnknownCommand.among(name, COMMANDS, next="For a question write %%lexsi in the first line of a cell.")
    act[1](magics, rest.strip())


def _status(magics: LexsiMagics, _: str) -> None:
    session = magics.session
    sent = len(session.sent.entries)
    unusable: list[str] = []

    def named(make: Callable[[], Any], otherwise: object) -> str:
        try:
            return make().name
        except LexsiError as error:
            unusable.append(str(error))
            return f"{str(otherwise).partition(' ')[0]} (cannot be used now)"

    planner = named(session.planner, session.chosen_planner)
    backend = named(session.backend, "chosen ones")
    print(f"planner {planner}, models {backend}, data {session.binding.describe()}")
    for why in unusable:
        print(why)
    print(f"seed {session.seed}, policy {session.policy.level}, sent {'nothing' if not sent else f'{sent} requests'}")


def _help(magics: LexsiMagics, _: str) -> None:
    width = max(len(name) for name in COMMANDS)
    for name, (what, _act) in COMMANDS.items():
        print(f"%lexsi {name:<{width}}  {what}")
    print("\n%%lexsi [options] question   asks; %%lexsi? lists the options")


def _vars(magics: LexsiMagics, _: str) -> None:
    from IPython.display import display

    from lexsi_nb.widgets.bundle import labelled
    from lexsi_nb.widgets.listing import listing_html, listing_text

    rows = magics.session.variables.listing()
    output = {"text/plain": listing_text(rows), "text/html": listing_html(rows)}
    display(labelled(output, magics.session.synthetic), raw=True)


def _graph(magics: LexsiMagics, run_id: str) -> None:
    from IPython.display import display

    from lexsi_nb.widgets.display import shown

    runs = [r for r in magics.session.runs if r.variables or r.artifacts]
    if not runs:
        raise RunFailed("There is no run yet.", "", "Ask something with %%lexsi first.")
    known = {r.id: r for r in runs}
    if run_id and run_id not in known:
        raise UnknownRun.among(run_id, known)
    graph = (known[run_id] if run_id else runs[-1]).graph
    display(shown(graph), raw=True)


def _data(magics: LexsiMagics, name: str) -> None:
    from lexsi_nb.magics.lexsi import dataset_named

    if name:
        magics.session.use(dataset=dataset_named(name, magics.namespace))
    binding = magics.session.binding
    print(binding.describe())
    for table, why in binding.left_out().items():
        print(f"{table} is left out: {why}")


def _sent(magics: LexsiMagics, _: str) -> None:
    entries = magics.session.sent.entries
    if not entries:
        print("Nothing was sent.")
    for entry in entries:
        print(f"to {entry.to}, {entry.bytes:,} bytes:\n{entry.body}")


def _last(magics: LexsiMagics, *, cells: bool = True) -> Any:
    runs = [r for r in magics.session.runs if r.cells] if cells else magics.session.runs
    if not runs:
        raise RunFailed("There is no run yet.", "", "Ask something with %%lexsi first.")
    return runs[-1]


def _show(magics: LexsiMagics, _: str) -> None:
    from lexsi_nb.kernel.frontends import joined

    print(joined(_last(magics).cells))


def _insert(magics: LexsiMagics, _: str) -> None:
    from lexsi_nb.magics.placing import place

    print(place(_last(magics), "replace", shell=magics.shell, override=magics.frontend))


def _export(magics: LexsiMagics, path: str) -> None:
    print(f"Wrote {_last(magics, cells=not path.endswith(('.md', '.json'))).export(path or 'analysis.ipynb')}.")


def _explain(magics: LexsiMagics, case: str) -> None:
    from IPython.display import display

    from lexsi_nb.kernel.frontends import detect
    from lexsi_nb.widgets.bundle import alone
    from lexsi_nb.widgets.terminal import console_for, print_attribution

    if not case:
        raise LexsiError("No case was named.", "", "Write its id, as in the ranking: %lexsi explain ID")
    explained = magics.session.explain(case)
    console = console_for() if detect(magics.shell, override=magics.frontend) == "terminal" else None
    if console is None:
        display(alone(explained), raw=True)
    else:
        print_attribution(explained, console)


def _undo(magics: LexsiMagics, name: str) -> None:
    magics.session.variables.undo(name)
    print(f"{name} is back as you had edited it.")


def _recordings(magics: LexsiMagics, name: str) -> None:
    files = magics.session.recordings.files
    if name:
        if (recording := files.read(name)) is None:
            raise RunFailed(f"There is no {files.shown(files.path(name))}.", "", "See: %lexsi recordings")
        from lexsi_nb.store.recording_files import text_of

        print(text_of(recording))
        return
    listed = files.listing()
    for file, what in listed:
        print(f"{file}  {what}")
    if not listed:
        print(f"There are no recordings in {files.folder.name}/.")


def _cost(magics: LexsiMagics, _: str) -> None:
    from lexsi_nb.agent.usage import Usage

    total = Usage()
    for run in magics.session.runs:
        total.merge(run.usage)
        if run.usage.words:
            print(f"{run.id} {run.question[:60]!r}: {run.usage.words}")
    for model, counts in total.models.items():
        print(
            f"{model}: {counts['requests']:,} requests, {counts['input_tokens']:,} in, {counts['output_tokens']:,} out"
        )
    print(f"In all: {total.words}." if total.words else "No model was asked.")


def _policy(magics: LexsiMagics, line: str) -> None:
    from lexsi_nb.egress.policy import LEVELS, Policy

    session = magics.session
    now, words = session.policy, line.split()
    known = [*LEVELS, "k", "private", "public"]
    if words and words[0] not in known:
        raise UnknownName.among(words[0], known, where="%lexsi policy")
    if words and words[0] in LEVELS and len(words) > 1:
        now = replace(now, datasets={**now.datasets, words[1]: words[0]})
    elif words and words[0] in LEVELS:
        now = replace(now, level=words[0])
    elif words and words[0] == "k":
        now = replace(now, k=_number(words[1] if words[1:] else ""))
    elif words:
        named = Policy(private=frozenset(" ".join(words[1:]).replace(",", " ").split())).private
        now = replace(now, private=now.private | named if words[0] == "private" else now.private - named)
    session.policy = now
    print(f"What a planner elsewhere may read: {session.policy_over(()).words}.")


def _number(word: str) -> Any:
    """Return a word as the whole number it is; another as it was written, for the error that refuses it."""
    try:
        return int(word)
    except ValueError:
        return word


def _history(magics: LexsiMagics, _: str) -> None:
    from lexsi_nb.widgets.history import history_text

    session = magics.session
    gone = {r.name: "it is gone" for r in session.variables.listing() if r.state == "gone"}
    told = history_text(session.conversation, {**session.variables.stale(), **gone})
    print(told or "Nothing was asked yet. Ask with %%lexsi in the first line of a cell.")


def _reset(magics: LexsiMagics, _: str) -> None:
    magics.session.reset()
    print("The conversation is forgotten; variables and data stay.")


COMMANDS: dict[str, tuple[str, Callable[[Any, str], None]]] = {
    "cost": ("what the models of this session used, and its price", _cost),
    "policy": (
        "what may leave; with schema, stats, rows [DATASET], k N, private or public COLUMNS: change it",
        _policy,
    ),
    "status": ("what is configured: planner, models, data, what was sent", _status),
    "model": (
        "who decides, and the models there are; provider:NAME chooses one, --helper NAME one for side queries; off",
        choosing.model,
    ),
    "backend": ("where models are made: embedded, or lexsi with its options", platform.backend),
    "lexsi": (
        "`projects` on the Lexsi platform that runs made; `cleanup` deletes those of this session",
        platform.lexsi,
    ),
    "data": ("the dataset; with a name, folder or file: bind it", _data),
    "vars": ("the variables that runs made, by which step, from what, and whether they are stale", _vars),
    "graph": ("what the results of the last run came from, and what is stale; with an id: of that run", _graph),
    "show": ("the code cells of the last run", _show),
    "insert": ("the code cells of the last run, in place of this cell", _insert),
    "export": (
        "the code cells of the last run as a notebook; to NAME.md or NAME.json: what was said and done",
        _export,
    ),
    "explain": ("what moved the score of one case", _explain),
    "whatif": ("one case with other values, as in ID amount=1000: its score then, and what moved it", whatif.show),
    "shap": (
        "what moved the scores: importance, beeswarm, dependence feature=NAME by=NAME, waterfall case=ID",
        whatif.show_shap,
    ),
    "controls": (
        "the parameters of the last question; with NAME=VALUE it is run with these values",
        parameters.show_controls,
    ),
    "undo": ("bring back your edit of a variable that a run replaced", _undo),
    "tools": ("the tools a planner can call; with a name all about it; add NAME, remove NAME", approving.tools),
    "choose": ("take reading N of the question put back; N keep: its words mean that from now on", readings.choose),
    "reading": (
        "how the last question was read, word by word; 'WORDS' means ... asks it again, read so; "
        "without 'WORDS' drops a condition",
        readings.reading,
    ),
    "approve": ("run what an approval showed", approving.approve),
    "decline": ("say no to an approval, with a reason", approving.decline),
    "edit": ("ask again with other arguments, as JSON", approving.edit),
    "parked": ("what waits for a person; with an id its card and code", approving.parked),
    "audit": ("who decided what, when; export FILE, verify [HEAD]", approving.audit),
    "kg": (
        "what words mean in the data; with words: an entry or a search; "
        "add or edit 'WORDS' means ..., remove WORDS, draft, accept TABLE",
        knowing.kg,
    ),
    "sent": ("every request that left this machine", _sent),
    "recordings": ("the recorded runs beside the notebook; with a name, that one", _recordings),
    "keep": ("keep the conversation over restarts, under a name; `keep NAME forget` deletes it", keeping.keep),
    "messages": ("long tool results that were kept; with an id and an offset: that part", keeping.messages),
    "history": ("the conversation: each question, how it ended, its cost, and what of it is stale", _history),
    "reset": ("forget the conversation", _reset),
    "help": ("this list", _help),
}
