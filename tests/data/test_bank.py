"""The bundled bank: proportions, codes, consistency, and the same content everywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lexsi_nb import datasets
from lexsi_nb.data import bank as bank_module
from lexsi_nb.data.engine import Engine
from lexsi_nb.errors import BadData


def one(engine: Engine, sql: str):
    return engine.query(sql).iloc[0, 0]


def test_eight_tables_in_the_proportions_of_the_original(bank_engine: Engine) -> None:
    rows = {t.name: t.rows for t in bank_engine.tables()}
    trans = rows.pop("trans")
    assert rows == {
        "account": 4500, "card": 892, "client": 5369, "disp": 5369, "district": 77, "loan": 682, "order": 6471,
    }  # fmt: skip
    assert abs(trans - 1_056_000) < 5_000


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT status, count(*) FROM loan GROUP BY 1 ORDER BY 1", {"A": 203, "B": 31, "C": 403, "D": 45}),
        ("SELECT type, count(*) FROM disp GROUP BY 1", {"OWNER": 4500, "DISPONENT": 869}),
        ("SELECT type, count(*) FROM card GROUP BY 1", {"classic": 659, "junior": 145, "gold": 88}),
        ("SELECT gender, count(*) FROM client GROUP BY 1", {"female": 2645, "male": 2724}),
        (
            "SELECT coalesce(k_symbol, '-'), count(*) FROM \"order\" GROUP BY 1",
            {"SIPO": 3502, "UVER": 717, "POJISTNE": 532, "LEASING": 341, "-": 1379},
        ),
        (
            "SELECT year(date), count(*) FROM account GROUP BY 1",
            {1993: 1139, 1994: 439, 1995: 661, 1996: 1363, 1997: 898},
        ),
    ],
)
def test_counts(bank_engine: Engine, sql: str, expected: dict) -> None:
    assert dict(bank_engine.query(sql).itertuples(index=False)) == expected


def test_codes_are_those_of_the_original(bank_engine: Engine) -> None:
    assert set(bank_engine.query("SELECT DISTINCT frequency FROM account").frequency) == {
        "POPLATEK MESICNE", "POPLATEK TYDNE", "POPLATEK PO OBRATU",
    }  # fmt: skip
    assert set(bank_engine.query("SELECT DISTINCT type FROM trans").type) == {"PRIJEM", "VYDAJ", "VYBER"}
    symbols = set(bank_engine.query("SELECT DISTINCT k_symbol AS k FROM trans WHERE k_symbol IS NOT NULL").k)
    assert symbols == {"SIPO", "UVER", "POJISTNE", "UROK", "SANKC. UROK", "SLUZBY", "DUCHOD"}


def test_keys_are_unique_and_references_hold(bank_engine: Engine) -> None:
    for table in bank_engine.dataset.table_names():
        key = f"{table}_id"
        assert one(bank_engine, f'SELECT count(*) - count(DISTINCT {key}) FROM "{table}"') == 0
    for path in bank_engine.dataset.knowledge.join_paths:  # type: ignore[union-attr]
        on = f"a.{path.column} = b.{path.to_column}"
        sql = f'SELECT count(*) FROM "{path.table}" a ANTI JOIN "{path.to_table}" b ON {on}'
        assert one(bank_engine, sql) == 0, path


def test_finished_loans_have_ended_and_running_ones_have_not(bank_engine: Engine) -> None:
    ended = "date + to_months(duration) <= DATE '1998-12-31'"
    assert one(bank_engine, f"SELECT count(*) FROM loan WHERE (status IN ('A', 'B')) <> ({ended})") == 0
    assert one(bank_engine, "SELECT count(*) FROM loan WHERE amount <> payments * duration") == 0


def test_balance_runs(bank_engine: Engine) -> None:
    wrong = one(
        bank_engine,
        """SELECT count(*) FROM (
            SELECT balance - coalesce(lag(balance) OVER w, 0) AS step,
                   CASE WHEN type = 'PRIJEM' THEN amount ELSE -amount END AS moved
            FROM trans WINDOW w AS (PARTITION BY account_id ORDER BY trans_id))
        WHERE step <> moved""",
    )
    assert wrong == 0
    assert one(bank_engine, "SELECT count(*) FROM trans t JOIN account a USING (account_id) WHERE t.date < a.date") == 0
    assert str(one(bank_engine, "SELECT max(date) FROM trans"))[:10] == "1998-12-31"
    assert one(bank_engine, "SELECT count(DISTINCT account_id) FROM trans") == 4500


def test_loan_payments_follow_the_grant_and_equal_the_standing_order(bank_engine: Engine) -> None:
    early = """SELECT count(*) FROM trans t JOIN loan l USING (account_id)
               WHERE t.k_symbol = 'UVER' AND t.date <= l.date"""
    assert one(bank_engine, early) == 0
    same = """SELECT count(*) FROM loan l JOIN "order" o USING (account_id)
              WHERE o.k_symbol = 'UVER' AND o.amount = l.payments"""
    assert one(bank_engine, same) == 682


def test_traps_of_the_real_files_are_there(bank_engine: Engine) -> None:
    co_held = """SELECT count(*) FROM loan l JOIN disp d USING (account_id)
                 WHERE d.type = 'DISPONENT' AND l.status IN ('B', 'D')"""
    assert one(bank_engine, co_held) == 0
    late = """SELECT count(*) FROM loan l JOIN disp d USING (account_id) JOIN card c USING (disp_id)
              WHERE c.issued > l.date"""
    assert one(bank_engine, late) == 134
    assert one(bank_engine, "SELECT count(*) FROM district WHERE unemployment_1995 IS NULL") == 1


def test_causes_of_default_are_visible_before_the_grant(bank_engine: Engine) -> None:
    frame = bank_engine.query(
        """SELECT l.status IN ('B', 'D') AS bad, avg(t.balance) AS balance,
                  any_value(l.payments) * count(DISTINCT date_trunc('month', t.date))
                      / sum(t.amount) FILTER (t.type = 'PRIJEM') AS share
           FROM loan l JOIN trans t ON t.account_id = l.account_id AND t.date < l.date
           GROUP BY l.loan_id, l.status"""
    )
    bad, good = frame[frame.bad], frame[~frame.bad]
    assert bad.balance.median() < 0.7 * good.balance.median()
    assert bad.share.median() > 1.2 * good.share.median()


# Of every generated value. A change here is a change of the data: give it a new VERSION.
CONTENT = "7d53a68ba284d324"


def test_content_is_the_same_on_every_machine() -> None:
    total = hashlib.sha256()
    for table, columns in bank_module.tables().items():
        for column, values in columns.items():
            if not column.startswith("_") and column != "strain":
                total.update(f"{table}.{column}".encode() + values.astype("<i8").tobytes())
    assert total.hexdigest()[:16] == CONTENT


def test_synthetic_is_said(bank) -> None:
    assert bank.synthetic
    assert "SYNTHETIC" in bank.title
    assert "SYNTHETIC" in bank.note


def test_unwritable_cache_names_the_variable_to_set(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("LEXSI_NB_CACHE", str(blocker / "below"))
    with pytest.raises(BadData, match="LEXSI_NB_CACHE") as caught:
        datasets.bank()
    assert str(blocker) in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="Windows lets the owner write into a read-only folder")
def test_read_only_cache_names_the_variable_to_set(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv("LEXSI_NB_CACHE", str(tmp_path))
    root = os.geteuid() == 0
    if root:  # who may write everywhere: be nobody while it is tried
        tmp_path.chmod(0o555)
        os.seteuid(65534)
    try:
        with pytest.raises(BadData, match="LEXSI_NB_CACHE"):
            datasets.bank()
    finally:
        if root:
            os.seteuid(0)


def test_failed_write_leaves_nothing_behind(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder) -> None:
        (folder / "account.parquet").write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("LEXSI_NB_CACHE", str(tmp_path))
    monkeypatch.setattr(bank_module, "write", full)
    with pytest.raises(BadData, match="No space left"):
        datasets.bank()
    assert list(tmp_path.iterdir()) == []


def test_cache_folder_follows_the_environment(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("LEXSI_NB_CACHE")
    assert bank_module.cache_folder() == tmp_path / "lexsi-nb"
    monkeypatch.setenv("LEXSI_NB_CACHE", str(tmp_path / "own"))
    assert bank_module.cache_folder() == tmp_path / "own"


def test_those_who_make_it_at_once_do_not_disturb_each_other(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    everyone = threading.Barrier(8)

    def write(folder) -> None:
        for table in bank_module.COLUMNS:
            (folder / f"{table}.parquet").write_text("whole")
        everyone.wait()

    monkeypatch.setattr(bank_module, "write", write)
    for at in range(25):
        root = tmp_path / str(at)
        root.mkdir()
        (root / "account.parquet").write_text("half")
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(bank_module._make, [root] * 8))
        assert {p.read_text() for p in root.iterdir()} == {"whole"}
        assert len(list(root.iterdir())) == len(bank_module.COLUMNS)
    assert len(list(tmp_path.iterdir())) == 25


def test_half_a_folder_is_replaced_and_several_processes_do_not_collide(tmp_path) -> None:
    (tmp_path / bank_module.VERSION).mkdir()
    (tmp_path / bank_module.VERSION / "account.parquet").write_text("half")
    code = (
        "from lexsi_nb.data import bank\n"
        "bank.write = lambda folder: [(folder / f'{t}.parquet').write_text('x') for t in bank.COLUMNS]\n"
        "print(bank.bank().fingerprint())"
    )
    env = {**os.environ, "LEXSI_NB_CACHE": str(tmp_path)}
    several = [
        subprocess.Popen(
            [sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    outputs = [p.communicate() for p in several]
    assert [p.returncode for p in several] == [0] * 4, outputs
    assert len({out for out, _ in outputs}) == 1
    assert [p.name for p in tmp_path.iterdir()] == [bank_module.VERSION]


def test_setup_cell_is_written_from_the_home_folder(tmp_path, monkeypatch: pytest.MonkeyPatch, bank) -> None:
    from lexsi_nb.data.dataset import path_source

    monkeypatch.setenv("HOME", str(tmp_path))
    assert path_source(tmp_path / ".cache" / "lexsi-nb" / "bank-v1") == 'Path("~/.cache/lexsi-nb/bank-v1").expanduser()'
    assert path_source(bank.root) == f'Path("{bank.root}")'
