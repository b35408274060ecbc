"""What a cell's source calls `con` when a tool runs it: DuckDB's spelling, the engine's limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

    from lexsi_nb.data.engine import Engine

# The forms of a result, spelt as DuckDB's methods.
Form = Literal["df", "to_arrow_table", "pl", "fetchall", "columns"]


class Result:
    """The result of `con.execute(...)`, and what it shares with a relation. Nothing runs until it is asked for.

    Only what DuckDB itself offers is here, so that source which runs here runs on a plain connection as well.
    """

    def __init__(self, engine: Engine, sql: str, params: Any = None) -> None:
        self._engine, self._sql, self._params = engine, sql, params

    def _run(self, form: Form) -> Any:
        e = self._engine
        return e.run(self._sql, form, max_rows=e.max_rows, timeout=e.timeout, params=self._params)

    def df(self) -> pd.DataFrame:
        """Return the result as a pandas DataFrame."""
        return self._run("df")

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows as tuples."""
        return self._run("fetchall")

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the first row, or None."""
        rows = self.fetchall()
        return rows[0] if rows else None


class Relation(Result):
    """The result of `con.sql(...)`."""

    fetchone = None  # type: ignore[assignment]  # DuckDB's relations have none

    @property
    def columns(self) -> list[str]:
        """The names of the result's columns."""
        return self._run("columns")

    to_df = Result.df

    def to_arrow_table(self) -> Any:
        """Return the result as a pyarrow Table."""
        return self._run("to_arrow_table")

    def arrow(self) -> Any:
        """Return the result as a pyarrow RecordBatchReader, as DuckDB 2 does."""
        return self.to_arrow_table().to_reader()

    def pl(self) -> Any:
        """Return the result as a polars DataFrame."""
        return self._run("pl")


class Connection:
    """The part of a DuckDB connection that cells use, over a guarded engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def sql(self, query: str, *, params: Any = None) -> Relation:
        """Return the relation of one read."""
        return Relation(self._engine, query, params)

    query = sql

    def execute(self, query: str, parameters: Any = None) -> Result | Connection:
        """Return the result of one read; a write to the workspace is done at once and returns the connection."""
        from lexsi_nb.data.workspace import ENSURE, is_write

        if query.strip() == ENSURE:
            return self  # the engine has it
        if parameters is None and is_write(query):
            self._engine.write(query, timeout=self._engine.timeout)
            return self
        return Result(self._engine, query, parameters)

    def register(self, name: str, frame: Any) -> Connection:
        """Make a frame queryable under `name`; returns the connection, as DuckDB does."""
        self._engine.register(name, frame)
        return self

    def unregister(self, name: str) -> Connection:
        """Forget a registered frame."""
        self._engine.unregister(name)
        return self
