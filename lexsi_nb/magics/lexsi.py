"""The `%%lexsi` cell magic and the `%lexsi` line magic."""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from traitlets import Enum, Float, Int, List, Unicode

from lexsi_nb.app.run import RunInterrupted
from lexsi_nb.artifacts.secrets import without_own
from lexsi_nb.data.limits import Limits
from lexsi_nb.errors import BadData, LexsiError, argument_refused
from lexsi_nb.magics.body import BadOption, question_of, split


@magics_class
class LexsiMagics(Magics):
    """Settings of `%%lexsi`; change them with `%config LexsiMagics.name = value`."""

    data = Unicode("", help="Dataset of the session: bank, a folder or a file. Empty: the kernel's DataFrames.").tag(
        config=True
    )
    planner = Unicode("auto", help="Who decides: auto, embedded, or a model as provider:NAME.").tag(config=True)
    helper = Unicode("", help="Who answers side queries: a model as provider:NAME. Empty: the planner's own.").tag(
        config=True
    )
    limits = Unicode("", help="Of requests to models: as in 4 in flight, 60 a minute, 90k tokens a minute.").tag(
        config=True
    )
    context_tokens = Int(100_000, min=4, help="A longer conversation is shortened before a model is asked.").tag(
        config=True
    )
    max_steps = Int(12, min=1, help="Tool decisions a run may take.").tag(config=True)
    seed = Int(0, min=0, max=2**31 - 1, help="Seed of everything random.").tag(config=True)
    model_type = Unicode("LightGBM", help="Of the embedded models: LightGBM, or XGBoost where it is installed.").tag(
        config=True
    )
    policy = Enum(["schema", "stats", "rows"], "schema", help="What a planner off this machine may read.").tag(
        config=True
    )
    budget = Unicode("", help="The most one run may spend on models: tokens, or money as in 0.50usd.").tag(config=True)
    approve = List(Unicode(), help="Tools that may act without asking.").tag(config=True)
    cells = Enum(["show", "insert", "none"], "show", help="What happens to the code cells.").tag(config=True)
    progress = Enum(["auto", "on", "off"], "auto", help="Live lines while a run goes.").tag(config=True)
    sql_seconds = Float(120.0, help="Seconds one query may take.").tag(config=True)
    sql_memory = Unicode("75%", help="Memory one query may take: 75% of the machine's, or like 4GB.").tag(config=True)
    sql_rows = Int(1_000_000, min=1, help="Rows one result may have.").tag(config=True)
    frontend = Unicode("auto", help="auto, terminal, notebook, lab-extension, headless or script.").tag(config=True)
    widgets = Enum(["live", "static"], "live", help="Whether tables of scores can be sorted and explained.").tag(
        config=True
    )
    replay = Enum(
        ["auto", "only", "off"],
        "auto",
        help="Replay recordings: where there are some, always, never.",
    ).tag(config=True)
    record = Enum(
        ["models", "all"],
        "models",
        help="Which finished runs are recorded without a name: those of models elsewhere, all.",
    ).tag(config=True)

    _session: Any = None
    _variables: Any = None
    matcher: Any = None

    def __init__(self, shell: Any = None, **options: Any) -> None:
        super().__init__(shell, **options)
        self.decisions: dict[str, Any] = {}  # widgets on which nothing was decided yet, by approval or run

    @property
    def asked(self) -> bool:
        """Whether there is a session by now."""
        return self._session is not None

    @property
    def variables(self) -> Any:
        """What runs made in the namespace, None before cells are followed and anything was asked."""
        return self._session.variables if self._session is not None else self._variables

    @property
    def namespace(self) -> dict[str, Any]:
        """The user's variables."""
        shell: Any = self.shell
        return shell.user_ns

    @property
    def session(self) -> Any:
        """The session behind the magics; made on first use."""
        if self._session is None:
            from lexsi_nb.app.session import Session

            self._session = Session(variables=self._variables, seed=self.seed, policy=self.policy)
            if self.data:
                self._session.use(dataset=dataset_named(self.data, self.namespace))
        return self._session

    @property
    def explainer(self) -> Any:
        """What explains the rows that were scored last for live tables, None where there are none; makes no session."""
        return None if self._session is None or self.widgets == "static" else self._session.explainer

    @property
    def explained(self) -> list[Any]:
        """The explanations of the run that scored rows last, empty where there are none."""
        from lexsi_nb.artifacts.results import Attribution

        runs = [] if self._session is None else self._session.runs
        scored = next((r for r in reversed(runs) if any(s.tool == "predict" for s in r.artifacts)), None)
        return [] if scored is None else list(scored.of(Attribution))

    def watch_cells(self) -> None:
        """Follow which cell makes which variable, from now on: code cells of ours may run before any question."""
        from lexsi_nb.kernel.events import register
        from lexsi_nb.kernel.variables import Variables

        self._variables = Variables(self.namespace)
        register(self.shell, self._variables)

    def close(self) -> None:
        """Remove the hooks and end the session."""
        from lexsi_nb.kernel.events import unregister

        unregister(self.shell)
        if self._session is not None:
            self._session.close()
            self._session = None

    @magic_arguments("%%lexsi")
    @argument("--data", metavar="WHAT", help="Ask about this dataset: bank, a folder, a file, or a variable.")
    @argument("--frames", metavar="NAMES", help="Ask about these DataFrames only, separated by commas.")
    @argument("--planner", metavar="NAME", help="Who decides: auto, embedded, or a model as provider:NAME.")
    @argument("--max-steps", metavar="N", type=int, help="Tool decisions this run may take.")
    @argument("--seed", metavar="N", type=int, help="Seed of this run.")
    @argument("--model-type", metavar="NAME", help="LightGBM, or XGBoost where it is installed.")
    @argument("--budget", metavar="LIMIT", help="The most to spend on models: tokens, or money as in 0.50usd.")
    @argument("--dry-run", action="store_true", help="Say what would be sent or changed first; do neither.")
    @argument("--into", metavar="NAME", help="Bind the answer's DataFrame to this variable.")
    @argument("--cells", choices=["show", "insert", "none"], help="What happens to the code cells.")
    @argument("--again", action="store_true", help="Act again where the same question has acted before.")
    @argument("--recording", metavar="NAME", help="Run from .lexsi/NAME.yaml where it is, else write it.")
    @argument("--replay", choices=["auto", "only", "off"], help="Replay: where it is recorded, always, never.")
    @argument("--ask", action="store_true", help="Ask again, and write the recording anew.")
    @argument("--params", metavar="NAMES", help="Variables whose values stand for {NAME} in the question.")
    @argument("--approve", metavar="TOOLS", help="Tools that may act without asking, separated by commas.")
    @line_cell_magic("lexsi")
    @no_var_expand
    def lexsi(self, line: str, cell: str | None = None) -> None:
        """Ask a question about your data: options first, then words on the line, in the body, or both.

        As a line magic it takes commands: %lexsi help lists them.
        """
        try:
            if cell is None:
                from lexsi_nb.magics.commands import command

                command(self, line)
                return
            written, on_line = split(line)
            self.ask(question_of(on_line, cell), unquoted(self._parsed(written)))
        except RunInterrupted as error:
            from lexsi_nb.magics.interrupted import calm

            raise calm(self, error) from None

    def _parsed(self, written: str) -> Any:
        """Return the options that were written.

        Raises:
            BadOption: a value that an option can't take, in plain words.
        """
        try:
            return parse_argstring(self.lexsi, written)
        except UsageError as error:
            what, why = argument_refused(str(error))
            raise BadOption(what, why, "%%lexsi? lists the options.") from None

    def ask(self, question: str, options: Any) -> None:
        """Run a question and show what it came to; raises where it did not come to an answer."""
        from lexsi_nb.kernel.frontends import detect
        from lexsi_nb.kernel.lab_channel import channel_of
        from lexsi_nb.magics.progress import progress_of

        channel_of(self.shell)
        environment = detect(self.shell, override=self.frontend)
        progress = progress_of(self, environment)
        progress.start()
        try:
            run = self._run(question, options, progress)
        except (KeyboardInterrupt, RuntimeError) as error:
            # Outside the run itself: while the data were opened or made. DuckDB turns the signal into a RuntimeError.
            if isinstance(error, RuntimeError) and "interrupt" not in str(error).lower():
                raise
            raise RunInterrupted(
                "Stopped before the data were open.", "Kept: nothing.", "Run the cell again to ask again."
            ) from None
        finally:
            progress.clear()
        from lexsi_nb.magics.showing import show

        cells = options.cells or self.cells
        if run.status not in ("failed", "interrupted"):
            show(run, environment, magics=self, code=cells != "none")
        elif summary := run.answer.partition("\n\n")[2]:  # what it had predicted before it failed
            print(without_own(summary))
        if options.into and run.frame is not None and run.ok:
            self._into(options.into, run)
        if run.ok and run.cells:
            self._place(run, cells)
        run.raise_if_stopped()

    def _run(self, question: str, options: Any, progress: Any) -> Any:
        from lexsi_nb.kernel.frontends import cell_id

        session = self.session
        session.binding.limits = Limits(self.sql_seconds, self.sql_memory, self.sql_rows)
        session.seed = self.seed if options.seed is None else options.seed
        session.model_type = options.model_type or self.model_type
        session.use(planner=options.planner or self.planner, model=self.helper or None)
        session.record = self.record
        session.limits, session.context_tokens = self.limits, self.context_tokens
        named = tuple(n.strip() for n in options.approve.split(",")) if options.approve else ()
        session.approve = tuple(self.approve) or "ask"
        asked: dict[str, Any] = {"max_steps": options.max_steps or self.max_steps, "approve": named}
        asked["again"] = options.again
        asked["budget"] = options.budget or self.budget or None
        asked |= {"recording": options.recording or "", "replay": options.replay or self.replay, "anew": options.ask}
        if options.params:
            asked["params"] = [n.strip() for n in options.params.split(",") if n.strip()]
        asked["cell"] = cell_id(self.shell) or ""
        if options.data and options.frames:
            raise BadOption("--data and --frames name two datasets.", "A question is about one.", "Leave one out.")
        if options.data or options.frames:
            dataset = dataset_named(options.data, self.namespace) if options.data else None
            if options.frames:
                dataset = frames_named(options.frames, session.variables.frames())
            asked["dataset"] = dataset
            session.binding.once = options.data or ""
        run = session.ask(question, on_event=progress, dry_run=options.dry_run, **asked)
        run.cell_options = "".join(f" --{n} {_written(v)}" for n in ("data", "frames") if (v := getattr(options, n)))
        return run

    def _into(self, name: str, run: Any) -> None:
        from lexsi_nb.app.session import question_key

        variables = self.session.variables
        same = [v.name for v in run.variables if variables.namespace.get(v.name) is run.frame]
        parents = tuple(same) or tuple(dict.fromkeys(p for v in run.variables for p in v.parents))
        bound = variables.write(
            name, run.frame, run_id=run.id, question_key=question_key(run.question), producer="--into", parents=parents
        )
        if bound.renamed_because:
            print(f"{name} is {bound.name} here: {bound.renamed_because}.")

    def _place(self, run: Any, mode: str) -> None:
        if mode == "none":
            return
        from lexsi_nb.magics.placing import place

        said = place(run, mode, shell=self.shell, override=self.frontend)
        if said:
            print(said)


def _written(value: str) -> str:
    """Return the value of an option as it is typed: in quotes where it has spaces."""
    return f'"{value}"' if " " in value else value


def unquoted(options: Any) -> Any:
    """Return the options with the quotes around their values taken off, so that a path may have spaces.

    Raises:
        BadOption: --max-steps below 1, a seed below 0, or a model type that there is not.
    """
    for name, value in vars(options).items():
        if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            setattr(options, name, value[1:-1])
    if options.max_steps is not None and options.max_steps < 1:
        raise BadOption(
            f"--max-steps is {options.max_steps}.", "A run needs at least one step.", "Write a number from 1."
        )
    from lexsi_nb.app.asked import must_be_set

    try:
        must_be_set(options.seed, options.model_type, said=("--seed", "--model-type"))
    except BadData as error:
        raise BadOption(error.what, error.why, error.next) from None
    return options


def dataset_named(name: str, namespace: dict[str, Any]) -> Any:
    """Return the dataset that `--data` means: bank, a variable of the kernel, or a path."""
    from lexsi_nb import datasets

    if name == "bank":
        return datasets.bank()
    value = namespace.get(name)
    if value is not None:
        return datasets.open(value if not is_frame(value) else {name: value})
    return datasets.open(name)


def is_frame(value: Any) -> bool:
    """Whether a value is a DataFrame of any library."""
    from lexsi_nb.kernel.frames import frame_library

    return frame_library(value) is not None


def frames_named(names: str, known: dict[str, Any]) -> Any:
    """Return a dataset of the frames called so, separated by commas.

    Raises:
        UnknownFrame: no such frame in the kernel; lists the nearest.
    """
    from lexsi_nb import datasets
    from lexsi_nb.errors import UnknownFrame

    chosen: dict[str, Any] = {}
    for name in (n.strip() for n in names.split(",")):
        if name and name not in known:
            raise UnknownFrame.among(name, known)
        if name:
            chosen[name] = known[name]
    if not chosen:
        raise LexsiError("--frames names no frame.", "", "Write --frames orders,customers")
    return datasets.frames(chosen)
