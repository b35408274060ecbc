"""The embedded engine: one locked in-memory DuckDB over one dataset."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.data.connection import Connection, Form
from lexsi_nb.data.dataset import Dataset, quoted
from lexsi_nb.data.failure import explained, failures, first_line
from lexsi_nb.data.frames import is_frame, row_count, usable
from lexsi_nb.data.guard import check, parsed
from lexsi_nb.data.limits import MEMORY, ROWS, SECONDS, raised
from lexsi_nb.data.opening import opened
from lexsi_nb.data.outline import outlined
from lexsi_nb.data.references import only_table
from lexsi_nb.data.tables import ColumnInfo, TableInfo, table_infos
from lexsi_nb.data.workspace import SCHEMA, check_write
from lexsi_nb.data.zones import zone_of, zones_of
from lexsi_nb.errors import BadData, Cancelled, LexsiError, QueryFailed, UnknownTable

if TYPE_CHECKING:
    import pandas as pd

ROLLBACKS = 3


class Engine:
    """Runs plain reads over one dataset and over frames registered by name.

    External access is off and the configuration locked once the tables are made. One statement runs at a time.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        namespace: Mapping[str, Any] | None = None,
        memory_limit: str = MEMORY,
        threads: int | None = None,
    ) -> None:
        self.dataset = dataset
        self.max_rows: int | None = ROWS
        self.timeout: float | None = SECONDS
        self._namespace = namespace if namespace is not None else (dataset.frames or {})
        self._frames: dict[str, Any] = {}
        self._written: tuple[str, ...] = ()  # tables of the workspace
        self.written_by: dict[str, list[CodeCell]] = {}  # table of the workspace -> cells that made it what it is
        self._bound: set[str] = set()
        self._infos: dict[str, TableInfo] | None = None
        self._lock = threading.RLock()
        self._stop: str = ""  # why the running query should end: cancel | time
        self._running = False
        self._ended = threading.Event()  # of the running query; each has its own
        self._gate = threading.Lock()  # between a query's end and those who would stop it
        self._con = opened(dataset, memory_limit=memory_limit, threads=threads)
        self._sources = {t.casefold(): t for t in dataset.table_names()}

    @property
    def connection(self) -> Connection:
        """What a cell's source calls `con`: guarded, capped and cancellable."""
        return Connection(self)

    def tables(self) -> list[TableInfo]:
        """Return the tables of the dataset with columns and row counts; of frames those that SQL can read."""
        with self._lock:
            if self.dataset.kind == "frames":
                found = [self._frame_info_or_why(t) for t in self.dataset.table_names()]
                return [t for t in found if isinstance(t, TableInfo)]
            if self._infos is None:
                self._infos = table_infos(self._con, self.dataset)
            return list(self._infos.values())

    def unreadable(self) -> dict[str, BadData]:
        """Return the frames of the dataset that SQL cannot read, with the reason."""
        if self.dataset.kind != "frames":
            return {}
        with self._lock:
            found = {t: self._frame_info_or_why(t) for t in self.dataset.table_names()}
            return {t: why for t, why in found.items() if isinstance(why, BadData)}

    def table(self, name: str) -> TableInfo:
        """Return one table of the dataset, or one registered frame; the name may differ in case.

        Raises:
            UnknownTable: no such table; lists the nearest names.
        """
        with self._lock:
            spelt = {n.casefold(): n for n in self.readable()}
            found = spelt.get(name.casefold())
            if found is None:
                raise UnknownTable.among(name, spelt.values(), where=self.dataset.title)
            if found in self._frames:
                return self._describe(found, self._frames[found], "frame")
            if found in self.workspace():
                return self._described(found, "workspace")
            if self.dataset.kind == "frames":
                return self._frame_info(found)
            return next(t for t in self.tables() if t.name == found)

    def register(self, name: str, frame: Any) -> None:
        """Make a frame queryable under `name`, in place. Registered again before each query that reads it.

        Raises:
            BadData: the name is a table of the dataset, or the frame has duplicate columns.
        """
        source = self._sources.get(name.casefold())
        if source is not None:
            if self.dataset.kind == "frames" and self._namespace.get(self.dataset.variable(source)) is frame:
                return  # the very variable: it is read live already
            raise BadData(
                f"The frame {name!r} would hide the table {source!r}.",
                "A query could not say which of the two it reads.",
                "Give the frame another name.",
            )
        with self._lock:
            self._frames[name] = usable(name, frame)

    def unregister(self, name: str) -> None:
        """Forget a registered frame; an unknown name is no error."""
        with self._lock:
            self._frames.pop(name, None)
            self._unbind(name)

    def query(
        self,
        sql: str,
        *,
        frames: Mapping[str, Any] | None = None,
        max_rows: int | None = ROWS,
        timeout: float | None = None,
    ) -> pd.DataFrame:
        """Return the result of one read as a DataFrame.

        Raises:
            RefusedSQL: not one plain read.
            UnknownTable, UnknownColumn: lists the nearest names.
            QueryFailed: more than `max_rows` rows, out of time or memory, or an error in the SQL.
            Cancelled: `interrupt` was called.
        """
        for name, frame in (frames or {}).items():
            self.register(name, frame)
        try:
            return self.run(sql, "df", max_rows=max_rows, timeout=timeout)
        finally:
            for name in frames or {}:
                self.unregister(name)

    def run(self, sql: str, form: Form, *, max_rows: int | None, timeout: float | None, params: Any = None) -> Any:
        """Return the result of one read in a form of DuckDB's: df, to_arrow_table, pl, fetchall, columns.

        Raises: as `query`.
        """
        with self._lock:
            text = check(sql, self._known())
            return self._limited(text, lambda: self._fetch(text, form, max_rows, params), timeout)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return all rows of a read that this package put together from names of the dataset."""
        with self._lock:
            return self._limited(sql, lambda: self._composed(sql), None)

    def write(self, sql: str, *, timeout: float | None = None) -> TableInfo | None:
        """Return the workspace table that one statement made, filled or changed; None where it dropped the table.

        Raises:
            RefusedSQL: anything but a write to a table of the workspace.
            UnknownTable, UnknownColumn, QueryFailed, Cancelled: as `query`; nothing was written.
        """
        with self._lock:
            change = check_write(sql, self._known())

            def written() -> None:
                self._bind(change.text)
                parsed(self._con, change.text, frozenset({change.verb.upper()}))
                try:
                    self._con.execute("BEGIN")  # an interrupt may hit it, and leave a transaction behind
                    self._con.execute(change.text).fetchall()
                    if self._stop:
                        raise InterruptedError  # it finished all the same; its caller has gone
                    self._con.execute("COMMIT")
                except BaseException:
                    self._roll_back()
                    raise

            self._limited(change.text, written, timeout)
            found = f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{SCHEMA}' ORDER BY ALL"
            self._written = tuple(f"{SCHEMA}.{row[0]}" for row in self._con.execute(found).fetchall())
            return None if change.verb == "drop" else self.table(f"{SCHEMA}.{change.table}")

    def _roll_back(self) -> None:
        """Undo the open transaction; no interrupt may hit the undoing itself."""
        with self._gate:
            self._ended.set()  # nobody insists any more; one interrupt may still be on its way
        for attempt in range(ROLLBACKS):
            try:
                self._con.execute("ROLLBACK")
                return
            except failures() as error:
                if "no transaction is active" in str(error):
                    return  # the attempt before it had done it
                if attempt == ROLLBACKS - 1:
                    raise

    def workspace(self) -> tuple[str, ...]:
        """Return the tables of the workspace, spelt with their schema."""
        return self._written

    def take_workspace(self, other: Engine) -> None:
        """Copy the workspace of an engine that this one replaces."""
        with other._lock, self._lock:
            self._written, self.written_by = other._written, dict(other.written_by)
            for name in other._written:
                self._con.register("moved", other._con.sql(f"FROM {other.reference(name)}").to_arrow_table())
                self._con.execute(f"CREATE TABLE {self.reference(name)} AS FROM moved")
                self._con.unregister("moved")

    def reference(self, name: str) -> str:
        """Return how SQL spells a table, a frame or a table of the workspace."""
        if name in self._written:
            return f"{SCHEMA}.{quoted(name.removeprefix(SCHEMA + '.'))}"
        return quoted(name)

    def _known(self) -> frozenset[str]:
        return frozenset(n.casefold() for n in self.readable())

    def _limited(self, text: str, act: Callable[[], Any], timeout: float | None) -> Any:
        """Return what `act` returns, under the time limit; what it raises becomes an error to act on."""
        with self._gate:
            self._stop, self._running = "", True
            ended = self._ended = threading.Event()
        began = time.monotonic()
        if timeout is not None:
            threading.Thread(target=self._watch, args=(timeout, ended), daemon=True).start()
        try:
            return act()
        except failures() as e:
            raise self._reason(e, text, time.monotonic() - began, timeout) from None
        finally:
            with self._gate:
                self._running = False
                ended.set()

    def interrupt(self) -> None:
        """Stop the running query, from any thread; its caller gets `Cancelled`. Nothing happens when none runs.

        Queries that wait for their turn, and those of other engines, go on.
        """
        with self._gate:
            if not self._running or self._stop:
                return
            self._stop = "cancel"
            threading.Thread(target=self._insist, args=(self._ended,), daemon=True).start()

    def _watch(self, timeout: float, ended: threading.Event) -> None:
        if ended.wait(timeout):
            return
        with self._gate:
            if ended.is_set() or self._stop:
                return
            self._stop = "time"
        self._insist(ended)

    def _insist(self, ended: threading.Event) -> None:
        # An interrupt that arrives between two phases of a query is lost, so it is repeated until the query ends.
        while True:
            with self._gate:
                if ended.is_set():
                    return
                self._con.interrupt()
            if ended.wait(0.02):
                return

    def _reason(self, error: Exception, text: str, seconds: float, timeout: float | None) -> LexsiError:
        if self._stop == "cancel":
            return Cancelled("The query was stopped.", "", "Run it again when ready.")
        if self._stop == "time":
            return QueryFailed(
                f"The query was stopped after {seconds:.1f} s.",
                f"The limit is {timeout:g} s.",
                f"Filter or aggregate more. {raised('sql_seconds', '600')}",
            )
        return outlined(explained(error, text, self), error, text)

    def close(self) -> None:
        """Close the engine; files it held are free again."""
        if self._running:
            self.interrupt()
        with self._lock:
            self._frames.clear()
            self._con.close()

    def readable(self) -> list[str]:
        """Return every name a query can read: tables of the dataset, registered frames, tables of the workspace."""
        return [*self.dataset.table_names(), *self._frames, *self._written]

    def _fetch(self, text: str, form: Form, max_rows: int | None, params: Any) -> Any:
        self._bind(text)
        parsed(self._con, text)
        relation = self._con.sql(text, params=params) if params is not None else self._con.sql(text)
        if form == "columns":
            return list(relation.columns)
        table = only_table(text) if max_rows is not None else None
        most = self._count(table) if table else None
        if max_rows is not None and (most is None or most > max_rows):
            # One row over the cap tells a result that was cut from one that fits; it takes a quarter more time.
            relation = relation.limit(max_rows + 1)
        result = getattr(relation, form)()
        if self._stop:
            raise InterruptedError  # it finished all the same; its caller has gone
        if max_rows is not None and len(result) > max_rows:
            raise QueryFailed(
                f"The result has more than {max_rows:,} rows.",
                "Results are never cut silently.",
                f"Aggregate, filter, or add a LIMIT. {raised('sql_rows', str(10 * max_rows))}",
            )
        return result

    def _composed(self, text: str) -> list[tuple[Any, ...]]:
        self._bind(text)
        # Parsed once and executed as parsed: a relation would bind it twice, which is most of a short read.
        found = self._con.execute(parsed(self._con, text)[0]).fetchall()
        if self._stop:
            raise InterruptedError  # it finished all the same; its caller has gone
        return found

    def frame(self, name: str) -> Any:
        """Return the frame behind a name, None where there is none."""
        folded = name.casefold()
        found = next((f for n, f in self._frames.items() if n.casefold() == folded), None)
        mine = self.dataset.kind == "frames" and folded in self._sources
        return self._live(self._sources[folded]) if found is None and mine else found

    def _count(self, name: str) -> int | None:
        """Return the rows of a table or frame where that costs nothing."""
        if (frame := self.frame(name)) is not None:
            return row_count(frame)
        return self._infos[self._sources[name]].rows if self._infos and name in self._sources else None

    def _bind(self, text: str) -> None:
        """Register the frames that the text mentions again, so that edits made in place are seen."""
        folded = text.casefold()
        for name, frame in self._frames.items():
            if name.casefold().replace('"', '""') in folded:
                self._con.register(name, frame)
                self._bound.add(name)
        if self.dataset.kind == "frames":
            for table in self.dataset.table_names():
                if table.casefold().replace('"', '""') in folded:
                    self._con.register(table, self._live(table))
                    self._bound.add(table)

    def _unbind(self, name: str) -> None:
        if name in self._bound:
            self._con.unregister(name)
            self._bound.discard(name)

    def _live(self, table: str) -> Any:
        variable = self.dataset.variable(table)
        value = self._namespace.get(variable)
        if value is None and self.dataset.frames is not None:
            value = self.dataset.frames.get(variable)
        if not is_frame(value):
            there = [k for k, v in self._namespace.items() if isinstance(k, str) and is_frame(v)]
            raise UnknownTable.among(table, there, where="the kernel", next="Was the variable deleted or replaced?")
        return usable(table, value)

    def _frame_info(self, table: str) -> TableInfo:
        return self._describe(table, self._live(table), f"kernel variable {self.dataset.variable(table)}")

    def _frame_info_or_why(self, table: str) -> TableInfo | BadData:
        try:
            return self._frame_info(table)
        except BadData as why:
            return why

    def _describe(self, name: str, frame: Any, comment: str) -> TableInfo:
        try:
            self._con.register(name, frame)
        except failures() as e:
            raise BadData(
                f"The frame {name!r} cannot be read.", first_line(e), "Convert the column it names."
            ) from None
        self._bound.add(name)
        return self._described(name, comment, row_count(frame), zones_of(frame))

    def _described(
        self, name: str, comment: str, count: int | None = None, zones: dict[str, str] | None = None
    ) -> TableInfo:
        rows = self._con.execute(f"DESCRIBE {self.reference(name)}").fetchall()
        columns = tuple(
            ColumnInfo(str(r[0]), str(r[1]), zone=zone_of(str(r[1]), (zones or {}).get(str(r[0]), ""))) for r in rows
        )
        if count is None:
            count = int(self._con.execute(f"SELECT count(*) FROM {self.reference(name)}").fetchall()[0][0])
        return TableInfo(name, columns, count, comment)
