"""The PKDD'99 financial files (`.asc`), decoded in plain DuckDB SQL."""

from __future__ import annotations

from pathlib import Path

from lexsi_nb.data.dataset import Dataset
from lexsi_nb.data.reading import reading
from lexsi_nb.errors import BadData

DECODER = "berka-1"
KNOWLEDGE = Path(__file__).parent / "kg" / "bank.yaml"

# Table -> the columns of its file, in file order, with the type each is read as.
COLUMNS: dict[str, dict[str, str]] = {
    "account": {"account_id": "INTEGER", "district_id": "INTEGER", "frequency": "VARCHAR", "date": "VARCHAR"},
    "card": {"card_id": "INTEGER", "disp_id": "INTEGER", "type": "VARCHAR", "issued": "VARCHAR"},
    "client": {"client_id": "INTEGER", "birth_number": "VARCHAR", "district_id": "INTEGER"},
    "disp": {"disp_id": "INTEGER", "client_id": "INTEGER", "account_id": "INTEGER", "type": "VARCHAR"},
    "district": {
        "A1": "INTEGER", "A2": "VARCHAR", "A3": "VARCHAR",
        **{f"A{i}": "INTEGER" for i in range(4, 10)},
        "A10": "DOUBLE", "A11": "INTEGER", "A12": "DOUBLE", "A13": "DOUBLE",
        "A14": "INTEGER", "A15": "INTEGER", "A16": "INTEGER",
    },
    "loan": {
        "loan_id": "INTEGER", "account_id": "INTEGER", "date": "VARCHAR", "amount": "INTEGER",
        "duration": "INTEGER", "payments": "DECIMAL(10,2)", "status": "VARCHAR",
    },
    "order": {
        "order_id": "INTEGER", "account_id": "INTEGER", "bank_to": "VARCHAR", "account_to": "BIGINT",
        "amount": "DECIMAL(12,2)", "k_symbol": "VARCHAR",
    },
    "trans": {
        "trans_id": "INTEGER", "account_id": "INTEGER", "date": "VARCHAR", "type": "VARCHAR", "operation": "VARCHAR",
        "amount": "DECIMAL(12,2)", "balance": "DECIMAL(14,2)", "k_symbol": "VARCHAR", "bank": "VARCHAR",
        "account": "VARCHAR",
    },
}  # fmt: skip

# Readable names of A1..A16, in order.
DISTRICT_NAMES = (
    "district_id", "name", "region", "inhabitants", "municipalities_under_500", "municipalities_500_to_1999",
    "municipalities_2000_to_9999", "municipalities_over_10000", "cities", "urban_ratio", "average_salary",
    "unemployment_1995", "unemployment_1996", "entrepreneurs_per_1000", "crimes_1995", "crimes_1996",
)  # fmt: skip

_DATE = "strptime('19' || {0}, '%Y%m%d')::DATE"
# Women are born in month + 50.
_BIRTH = (
    "strptime((19000000 + birth_number::INTEGER\n"
    "                     - CASE WHEN birth_number[3:4]::INTEGER > 50 THEN 5000 ELSE 0 END)::VARCHAR, '%Y%m%d')::DATE"
)
SELECTS: dict[str, str] = {
    "account": f"account_id, district_id, frequency, {_DATE.format('date')} AS date",
    "card": f"card_id, disp_id, type, {_DATE.format('issued[1:6]')} AS issued",
    "client": f"client_id,\n           {_BIRTH} AS birth_date,\n"
    "           CASE WHEN birth_number[3:4]::INTEGER > 50 THEN 'female' ELSE 'male' END AS gender,\n"
    "           district_id",
    "disp": "disp_id, client_id, account_id, type",
    "district": ",\n           ".join(
        ", ".join(f"A{i + 1} AS {DISTRICT_NAMES[i]}" for i in range(k, min(k + 4, 16))) for k in range(0, 16, 4)
    )
    + ",\n           COLUMNS('A[0-9]+')",
    "loan": f"loan_id, account_id, {_DATE.format('date')} AS date, amount, duration, payments, status",
    "order": "order_id, account_id, bank_to, account_to, amount, nullif(trim(k_symbol), '') AS k_symbol",
    "trans": f"trans_id, account_id, {_DATE.format('date')} AS date, type, nullif(trim(operation), '') AS operation,\n"
    "           amount, balance, nullif(trim(k_symbol), '') AS k_symbol,\n"
    "           nullif(trim(bank), '') AS bank, nullif(trim(account), '')::BIGINT AS account",
}


def berka(folder: str | Path) -> Dataset:
    """Return the dataset of the PKDD'99 files in `folder`; a missing table is noted, not an error.

    Raises:
        BadData: no such folder, none of the eight files, or a file that cannot be decoded (names file and line).
    """
    from lexsi_nb.data.asc import delimiter

    with reading(folder):
        root, found = _verified(folder)
    tables = tuple(t for t in COLUMNS if t in found)
    missing = [t for t in COLUMNS if t not in found]
    note = ""
    if missing:
        note = f"{len(tables)} of {len(COLUMNS)} tables; missing: {', '.join(missing)}"
    return Dataset(
        id="berka",
        kind="berka",
        title="PKDD'99 financial data",
        tables=tables,
        body="\n".join(_create(t, found[t].name, delimiter(found[t])) for t in tables),
        root=root,
        files=tuple(found[t] for t in tables),
        note=note,
        version=DECODER,
        knowledge_file=KNOWLEDGE,
    )


def _verified(folder: str | Path) -> tuple[Path, dict[str, Path]]:
    """Return the resolved folder and the file of each table in it, each known to decode."""
    from lexsi_nb.data.asc import verify

    root = Path(folder).expanduser().resolve()
    if not root.is_dir():
        what = "is a file" if root.exists() else "does not exist"
        raise BadData(
            f"The folder {str(folder)!r} {what}.",
            "The PKDD'99 files are read from a folder.",
            f"Name the folder that holds {', '.join(f'{t}.asc' for t in sorted(COLUMNS))}.",
        )
    found = _files(root)
    if not found:
        raise BadData(
            f"No PKDD'99 file in {str(folder)!r}.",
            f"Expected some of: {', '.join(f'{t}.asc' for t in sorted(COLUMNS))} (.csv and .txt are read as well).",
            "Name another folder, or use lx.datasets.bank().",
        )
    for table, file in found.items():
        verify(table, file, deep=file.stat().st_size <= 8_000_000)
    return root, found


def _files(root: Path) -> dict[str, Path]:
    """Return the file of each table; `.asc` is preferred to `.csv` and `.txt`."""
    out: dict[str, Path] = {}
    by_name = {p.name.lower(): p for p in sorted(root.iterdir()) if p.is_file()}
    for table in COLUMNS:
        for ending in (".asc", ".csv", ".txt"):
            if file := by_name.get(table + ending):
                out.setdefault(table, file)
    return out


def _create(table: str, file: str, delim: str) -> str:
    """Return the source that decodes one file into one table."""
    name = f'"{table}"' if table == "order" else table
    columns = COLUMNS[table]
    pairs = [f"'{c}': '{t}'" for c, t in columns.items()]
    rows = [", ".join(pairs[i : i + 4]) for i in range(0, len(pairs), 4)]
    listed = ",\n                  ".join(rows)
    sql = (
        f"    CREATE TABLE {name} AS\n"
        f"    SELECT {SELECTS[table]}\n"
        f"    FROM read_csv($file, delim='{delim}', quote='\"', escape='\"', header=true, auto_detect=false,\n"
        f"         nullstr='?', columns={{\n                  {listed}}})\n"
    )
    return f'con.execute(\n    """\n{sql}    """,\n    {{"file": str(DATA / "{file}")}},\n)\n'


def diagnose(files: tuple[Path, ...]) -> None:
    """Read every line of the files and raise for the first that is wrong.

    Raises:
        BadData: names file and line.
    """
    from lexsi_nb.data.asc import verify

    for file in files:
        verify(file.stem.lower(), file, deep=True)
