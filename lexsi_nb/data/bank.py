"""The bundled bank: synthetic data, generated once into the user's cache."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from lexsi_nb.data.berka import COLUMNS, DISTRICT_NAMES, KNOWLEDGE
from lexsi_nb.data.dataset import Dataset, parquet_body
from lexsi_nb.errors import BadData

VERSION = "bank-v1"
SEED = 19990930


def cache_folder() -> Path:
    """Return the folder for generated data: LEXSI_NB_CACHE, else XDG_CACHE_HOME/lexsi-nb, else ~/.cache/lexsi-nb."""
    if own := os.environ.get("LEXSI_NB_CACHE"):
        return Path(own).expanduser().absolute()
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        return Path(xdg).expanduser().absolute() / "lexsi-nb"
    return Path("~/.cache/lexsi-nb").expanduser()


def bank() -> Dataset:
    """Return the bundled dataset: synthetic, eight tables in the shape of PKDD'99; made on first use.

    Raises:
        BadData: the cache folder cannot be written; set LEXSI_NB_CACHE.
    """
    root = cache_folder() / VERSION
    tables = tuple(COLUMNS)
    files = tuple(root / f"{t}.parquet" for t in tables)
    if not _complete(root):
        _make(root)
    return Dataset(
        id="bank",
        kind="bank",
        title="bundled bank (SYNTHETIC)",
        tables=tables,
        body=parquet_body(tables),
        root=root,
        files=files,
        synthetic=True,
        note="SYNTHETIC data in the shape of PKDD'99",
        version=VERSION,
        portable=True,
        knowledge_file=KNOWLEDGE,
    )


def _complete(root: Path) -> bool:
    return all(os.path.isfile(root / f"{t}.parquet") for t in COLUMNS)  # Path.is_file raises where it may not look


def _make(root: Path) -> None:
    """Generate into a folder beside `root`, then move file by file: several processes may do so at once.

    Every file is whole when it gets its name, and what stood in a half folder is replaced before what it lacked comes,
    so that a folder with all files never holds a half one.
    """
    new = None
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{root.name}-", dir=root.parent))
        write(new)
        root.mkdir(exist_ok=True)
        for name in sorted((f"{t}.parquet" for t in COLUMNS), key=lambda name: not os.path.exists(root / name)):
            os.replace(new / name, root / name)
    except Exception as e:
        if not isinstance(e, OSError) and type(e).__module__.split(".")[0] not in ("duckdb", "_duckdb"):
            raise
        # Another process may have finished first: its files are the same.
        if not _complete(root):
            raise _unwritable(root, e) from e
    finally:
        if new is not None:
            shutil.rmtree(new, ignore_errors=True)


def _unwritable(root: Path, e: Exception) -> BadData:
    reason = getattr(e, "strerror", None) or str(e).splitlines()[0][:200]
    return BadData(
        f"The bundled bank cannot be written to {root.parent}.",
        f"{reason}.",
        "Set the environment variable LEXSI_NB_CACHE to a folder that can be written (about 25 MB).",
    )


def tables() -> dict[str, dict[str, Any]]:
    """Return the generated columns of every table, as integer codes; the same on every machine."""
    import numpy as np

    from lexsi_nb.data.synthetic import ledger, people, places
    from lexsi_nb.data.synthetic.draws import Draws

    draws = Draws(SEED)
    district = places.districts(draws)
    loan = people.loans(draws)
    account = people.accounts(draws, loan, district["_strain"], district["inhabitants"])
    client, disp = people.holders(draws, account, loan)
    card = people.cards(draws, account, loan, client, disp)
    income = ledger.income_of(draws, account["strain"], loan)
    order = people.orders(draws, account, loan, income)
    owner = np.flatnonzero(disp["_owner"])
    pensioner = np.zeros(len(income), dtype=bool)
    pensioner[disp["_row"][owner]] = client["born"][owner] < people.day_of(1937)
    trans = ledger.transactions(draws, account, loan, order, card, income, pensioner)
    ids = np.empty(len(loan["status"]), dtype=np.int64)
    ids[np.argsort(account["account_id"][: len(ids)])] = draws.sample(4959, 7308, len(ids))
    loan["loan_id"], loan["account_id"] = ids, account["account_id"][: len(ids)]
    loan["amount"] = loan["payment"] * loan["duration"]
    return {
        "account": account, "card": card, "client": client, "disp": disp, "district": district, "loan": loan,
        "order": order, "trans": trans,
    }  # fmt: skip


def write(folder: Path) -> None:
    """Write every table to `folder` as Parquet."""
    import duckdb

    con = duckdb.connect()
    try:
        # Where it is off already, DuckDB refuses to set it in a kernel that lacks ipywidgets.
        if con.execute("SELECT current_setting('enable_progress_bar')").fetchall() != [(False,)]:
            con.execute("SET enable_progress_bar = false")  # it would print into the cell's output
        for table, columns in tables().items():
            codes = {k: v for k, v in columns.items() if not k.startswith("_")}
            con.register("codes", codes)
            file = str(folder / f"{table}.parquet").replace("'", "''")
            con.execute(f"COPY ({_selects()[table]}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")
            con.unregister("codes")
    finally:
        con.close()


def _word(words: tuple[str, ...], code: str) -> str:
    """Return SQL that turns a code from 1 up into its word, and 0 into NULL."""
    listed = ", ".join("'" + w.replace("'", "''") + "'" for w in words)
    return f"[{listed}][{code}]"


def _money(column: str, digits: int = 12) -> str:
    return f"({column}::DECIMAL(16,0) * 0.01::DECIMAL(2,2))::DECIMAL({digits},2) AS {column}"


def _selects() -> dict[str, str]:
    """Return the SELECT that turns the codes of a table into its columns."""
    from lexsi_nb.data.synthetic import ledger, people, places

    date = "(DATE '1993-01-01' + {0}::INTEGER)::DATE AS {1}".format
    frequencies = ("POPLATEK MESICNE", "POPLATEK TYDNE", "POPLATEK PO OBRATU")
    figures = {
        "name": _word(tuple(d[0] for d in places.DISTRICTS), "name"),
        "region": _word(places.REGIONS, "region"),
        "urban_ratio": "urban_ratio / 10",
        "unemployment_1995": "CASE WHEN unemployment_1995 >= 0 THEN unemployment_1995 / 100 END",
        "unemployment_1996": "unemployment_1996 / 100",
        "crimes_1995": "nullif(crimes_1995, -1)::INTEGER",
    }
    cells = [(n, figures.get(n, f"{n}::INTEGER")) for n in DISTRICT_NAMES]
    named = ", ".join(f"{sql} AS {n}" for n, sql in cells)
    coded = ", ".join(f"{sql} AS A{i}" for i, (_, sql) in enumerate(cells, 1))
    return {
        "account": f"SELECT account_id::INTEGER AS account_id, district_id::INTEGER AS district_id, "
        f"{_word(frequencies, 'frequency')} AS frequency, {date('opened', 'date')} "
        "FROM codes ORDER BY date, account_id",
        "card": f"SELECT card_id::INTEGER AS card_id, disp_id::INTEGER AS disp_id, "
        f"{_word(people.CARD_TYPES, 'type')} AS type, {date('issued', 'issued')} FROM codes ORDER BY issued, card_id",
        "client": f"SELECT client_id::INTEGER AS client_id, {date('born', 'birth_date')}, "
        f"{_word(('female', 'male'), 'gender')} AS gender, district_id::INTEGER AS district_id "
        "FROM codes ORDER BY client_id",
        "disp": "SELECT disp_id::INTEGER AS disp_id, client_id::INTEGER AS client_id, "
        f"account_id::INTEGER AS account_id, {_word(('OWNER', 'DISPONENT'), 'type')} AS type "
        "FROM codes ORDER BY disp_id",
        "district": f"SELECT {named}, {coded} FROM codes ORDER BY district_id",
        "loan": f"SELECT loan_id::INTEGER AS loan_id, account_id::INTEGER AS account_id, {date('granted', 'date')}, "
        "amount::INTEGER AS amount, duration::INTEGER AS duration, payment::DECIMAL(10,2) AS payments, "
        f"{_word(tuple(people.STATUSES), '(status + 1)')} AS status FROM codes ORDER BY date, loan_id",
        "order": f"SELECT order_id::INTEGER AS order_id, account_id::INTEGER AS account_id, "
        f"{_word(people.BANKS, 'bank_to')} AS bank_to, account_to::BIGINT AS account_to, {_money('amount')}, "
        f"{_word(people.SYMBOLS, 'k_symbol')} AS k_symbol FROM codes ORDER BY order_id",
        "trans": f"SELECT trans_id::INTEGER AS trans_id, account_id::INTEGER AS account_id, {date('day', 'date')}, "
        f"{_word(ledger.TYPES, 'type')} AS type, {_word(ledger.OPERATIONS, 'operation')} AS operation, "
        f"{_money('amount')}, {_money('balance', 14)}, {_word(ledger.SYMBOLS, 'k_symbol')} AS k_symbol, "
        f"CASE WHEN partner > 0 THEN {_word(people.BANKS, f'(1 + partner % {len(people.BANKS)})')} END AS bank, "
        "nullif(partner, 0)::BIGINT AS account FROM codes",
    }
