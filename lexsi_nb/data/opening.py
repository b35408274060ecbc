"""A DuckDB connection that holds a dataset's tables and can reach nothing else."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.data.failure import first_line
from lexsi_nb.data.workspace import ENSURE
from lexsi_nb.errors import BadData, LexsiError


def opened(dataset: Dataset, *, memory_limit: str, threads: int | None) -> Any:
    """Return a DuckDB connection with the dataset's tables, external access off and configuration locked."""
    import duckdb

    config: dict[str, Any] = {
        "memory_limit": memory_limit,
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,  # a function's name in a query is no reason to download
        # What does not fit in memory: not beside the notebook, where DuckDB would put it.
        "temp_directory": os.path.join(tempfile.gettempdir(), f"lexsi-nb-{os.getpid()}"),
    }
    if threads is not None:
        config["threads"] = threads
    con = duckdb.connect(":memory:", config=config)
    try:
        # Where it is off already, DuckDB refuses to set it in a kernel that lacks ipywidgets.
        if con.execute("SELECT current_setting('enable_progress_bar')").fetchall() != [(False,)]:
            con.execute("SET enable_progress_bar = false")  # it would print into the cell's output
        dataset.prepare(con)
        con.execute(ENSURE)
        paths = ", ".join("'" + str(f).replace("'", "''") + "'" for f in dataset.files)
        con.execute(f"SET allowed_paths = [{paths}]")
        con.execute("SET enable_external_access = false")
        con.execute("SET lock_configuration = true")
    except LexsiError:
        con.close()
        raise
    except Exception as e:
        con.close()
        dataset.diagnose()
        if "utf-8" in str(e).casefold() or "unicode" in str(e).casefold():
            how = "Save it as UTF-8, or read it yourself: pandas.read_csv(PATH, encoding='latin-1')"
            raise BadData(f"{dataset.title} cannot be opened.", "It is no UTF-8 text.", how) from e
        raise BadData(f"{dataset.title} cannot be opened.", first_line(e), "Check the files.") from e
    return con
