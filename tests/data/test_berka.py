"""The PKDD'99 files: decoded, tolerant of what varies, exact about what is wrong."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

import pytest

from lexsi_nb import datasets
from lexsi_nb.data import asc, berka
from lexsi_nb.data.engine import Engine
from lexsi_nb.errors import BadData

SMALL = {
    "account": '"account_id";"district_id";"frequency";"date"\r\n'
    '1;18;"POPLATEK MESICNE";950324\r\n2;1;"POPLATEK TYDNE";930226\r\n',
    "card": '"card_id";"disp_id";"type";"issued"\r\n5;2;"gold";961231 00:00:00\r\n',
    "client": '"client_id";"birth_number";"district_id"\r\n1;"706213";18\r\n2;"450204";1\r\n3;"405229";1\r\n',
    "disp": '"disp_id";"client_id";"account_id";"type"\r\n1;1;1;"OWNER"\r\n2;2;2;"OWNER"\r\n3;3;2;"DISPONENT"\r\n',
    "district": "A1;A2;A3;A4;A5;A6;A7;A8;A9;A10;A11;A12;A13;A14;A15;A16\r\n"
    '1;"Hl.m. Praha";"Prague";1204953;0;0;0;1;1;100.0;12541;0.29;0.43;167;85677;99107\r\n'
    '69;"Jesenik";"north Moravia";42821;4;13;5;1;3;48.4;8173;?;7.01;124;?;1358\r\n',
    "loan": '"loan_id";"account_id";"date";"amount";"duration";"payments";"status"\r\n'
    '5314;1;930705;96396;12;8033.00;"B"\r\n',
    "order": '"order_id";"account_id";"bank_to";"account_to";"amount";"k_symbol"\r\n'
    '29401;1;"YZ";"87144583";2452.00;"SIPO"\r\n29402;2;"ST";"89597016";3372.70;" "\r\n',
    "trans": '"trans_id";"account_id";"date";"type";"operation";"amount";"balance";"k_symbol";"bank";"account"\r\n'
    '695247;1;930101;"PRIJEM";"VKLAD";700.00;700.00;"";;\r\n'
    '171812;1;930102;"PRIJEM";"PREVOD Z UCTU";900.50;1600.50;"DUCHOD";"YZ";"30300313"\r\n',
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with a few rows of each file, spelt as the real ones are."""
    for table, text in SMALL.items():
        (tmp_path / f"{table}.asc").write_bytes(text.encode())
    return tmp_path


def opened(folder: Path) -> Engine:
    return Engine(datasets.berka(folder))


def rows(folder: Path, sql: str) -> list[tuple]:
    engine = opened(folder)
    try:
        return engine.connection.sql(sql).fetchall()
    finally:
        engine.close()


def test_dates_gender_blanks_and_missing_figures_are_decoded(small: Path) -> None:
    engine = opened(small)
    sql = engine.connection.sql
    day = datetime.date
    assert sql("SELECT date FROM account ORDER BY account_id").fetchall() == [(day(1995, 3, 24),), (day(1993, 2, 26),)]
    assert sql("SELECT issued FROM card").fetchall() == [(day(1996, 12, 31),)]
    assert sql("SELECT birth_date, gender FROM client ORDER BY client_id").fetchall() == [
        (day(1970, 12, 13), "female"),
        (day(1945, 2, 4), "male"),
        (day(1940, 2, 29), "female"),
    ]
    assert sql("SELECT unemployment_1995, A12, crimes_1995, region, A3 FROM district WHERE A1 = 69").fetchall() == [
        (None, None, None, "north Moravia", "north Moravia")
    ]
    assert sql('SELECT k_symbol FROM "order" ORDER BY order_id').fetchall() == [("SIPO",), (None,)]
    assert sql("SELECT k_symbol, bank, account FROM trans ORDER BY trans_id DESC").fetchall() == [
        (None, None, None),
        ("DUCHOD", "YZ", 30300313),
    ]
    assert engine.dataset.note == ""
    engine.close()


def test_columns_equal_those_of_the_bundled_bank(small: Path, bank_engine: Engine) -> None:
    engine = opened(small)
    for table in engine.tables():
        bundled = bank_engine.table(table.name)
        assert [(c.name, c.type) for c in table.columns] == [(c.name, c.type) for c in bundled.columns], table.name
    engine.close()


def test_setup_cell_is_plain_sql_and_gives_the_same_tables(small: Path) -> None:
    dataset = datasets.berka(small)
    cell = dataset.setup_cell()
    assert "read_csv" in cell.source
    assert "lexsi" not in cell.source.replace(str(small), "")
    con = cell.run({})["con"]
    engine = Engine(dataset)
    for table in dataset.table_names():
        assert con.sql(f'FROM "{table}"').fetchall() == engine.connection.sql(f'FROM "{table}"').fetchall()
    engine.close()


def test_missing_table_is_noted(small: Path) -> None:
    (small / "trans.asc").unlink()
    dataset = datasets.berka(small)
    assert dataset.note == "7 of 8 tables; missing: trans"
    assert "trans" not in dataset.table_names()


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [";", ","])
def test_line_ends_separators_quotes_case_and_names_may_vary(tmp_path: Path, ending: str, separator: str) -> None:
    text = SMALL["loan"].replace("\r\n", ending).replace('"', "").replace(";", separator)
    (tmp_path / "LOAN.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert rows(tmp_path, "SELECT loan_id, status FROM loan") == [(5314, "B")]


def test_folder_name_with_a_quote_and_unicode(tmp_path: Path) -> None:
    folder = tmp_path / "Pavel's dáta"
    folder.mkdir()
    (folder / "loan.asc").write_text(SMALL["loan"])
    assert rows(folder, "SELECT count(*) FROM loan") == [(1,)]
    assert datasets.berka(folder).setup_cell().run({})["con"].sql("FROM loan").fetchall()[0][0] == 5314


def test_missing_folder_and_folder_without_files_say_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="does not exist"):
        datasets.berka(tmp_path / "nowhere")
    with pytest.raises(BadData, match=r"No PKDD'99 file.*loan\.asc"):
        datasets.berka(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadData, match="is a file"):
        datasets.berka(tmp_path / "file")


BROKEN = [
    ("loan", b"", r"loan\.asc line 1: the file is empty"),
    ("loan", b"a;b\n1;2\n", r"loan\.asc line 1: the columns are a, b.*loan_id"),
    ("loan", SMALL["loan"].encode() + b"5315;1;9307", r"loan\.asc line 3: 3 fields.*Expected 7"),
    (
        "loan",
        SMALL["loan"].replace("5314;1", "x5314;1").encode(),
        r"loan\.asc line 2: loan_id is 'x5314'.*whole number",
    ),
    ("loan", SMALL["loan"].replace("930705", "931305").encode(), r"loan\.asc line 2: date is '931305'.*YYMMDD"),
    (
        "loan",
        SMALL["loan"].replace("8033.00", "8 033,00").encode(),
        r"loan\.asc line 2: payments is .*Expected a number",
    ),
    ("loan", SMALL["loan"].encode("utf-16"), r"loan\.asc line 1: the file is binary or UTF-16"),
    (
        "district",
        SMALL["district"].replace("Jesenik", "Jeseník").encode("cp1250"),
        r"district\.asc line 3: .*not UTF-8.*iconv",
    ),
    ("district", SMALL["district"].replace(";1358", ";1358;9").encode(), r"district\.asc line 3: 17 fields"),
    ("client", SMALL["client"].replace("706213", "707713").encode(), r"client\.asc line 2: birth_number is '707713'"),
    ("card", SMALL["card"].replace("961231", "19961231").encode(), r"card\.asc line 2: issued"),
    ("disp", SMALL["disp"].encode() + b'4;?;2;"OWNER"\n', r"disp\.asc line 5: client_id is '\?'"),
    ("account", SMALL["account"].encode() + b'3;1;"POPLATEK;950101\n', r"account\.asc line 4"),
]


@pytest.mark.parametrize(("table", "content", "message"), BROKEN)
def test_corrupt_file_is_named_with_its_line(small: Path, table: str, content: bytes, message: str) -> None:
    (small / f"{table}.asc").write_bytes(content)
    with pytest.raises(BadData, match=message) as caught:
        datasets.berka(small)
    assert str(small) in str(caught.value)


def test_large_file_is_checked_when_it_cannot_be_loaded(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SMALL["trans"] + '9;1;930199;"PRIJEM";"VKLAD";700.00;700.00;"";;\r\n'
    (small / "trans.asc").write_bytes(text.encode())
    verify = asc.verify
    monkeypatch.setattr(asc, "verify", lambda table, file, deep: verify(table, file, deep=False))
    dataset = datasets.berka(small)
    monkeypatch.setattr(asc, "verify", verify)
    with pytest.raises(BadData, match=r"trans\.asc line 4: date is '930199'"):
        Engine(dataset)


def test_fingerprint_follows_the_files(small: Path) -> None:
    before = datasets.berka(small).fingerprint()
    assert before == datasets.berka(small).fingerprint()
    (small / "loan.asc").write_text(SMALL["loan"] + '5315;2;930705;1200;12;100.00;"A"\r\n')
    assert datasets.berka(small).fingerprint() != before


def test_unreadable_copy_of_every_column_list_matches_the_selects() -> None:
    assert set(berka.COLUMNS) == set(berka.SELECTS)


def test_real_files(berka_folder: Path) -> None:
    engine = opened(berka_folder)
    assert {t.name: t.rows for t in engine.tables() if t.name != "trans"} == {
        "account": 4500, "card": 892, "client": 5369, "disp": 5369, "district": 77, "loan": 682, "order": 6471,
    }  # fmt: skip
    counts = engine.connection.sql("SELECT status, count(*) FROM loan GROUP BY 1 ORDER BY 1").fetchall()
    assert counts == [("A", 203), ("B", 31), ("C", 403), ("D", 45)]
    assert engine.connection.sql("SELECT count(*) FROM client WHERE gender = 'female'").fetchall() == [(2645,)]
    assert engine.connection.sql("SELECT count(*) FROM district WHERE unemployment_1995 IS NULL").fetchall() == [(1,)]
    engine.close()


def test_bundled_loans_have_the_joint_distribution_of_the_real_ones(berka_folder: Path, bank_engine: Engine) -> None:
    real = opened(berka_folder)
    sql = "SELECT status, duration, year(date) AS y, count(*) AS n FROM loan GROUP BY ALL ORDER BY ALL"
    assert real.connection.sql(sql).fetchall() == bank_engine.connection.sql(sql).fetchall()
    real.close()


def test_truncated_copy_of_a_real_file(berka_folder: Path, tmp_path: Path) -> None:
    shutil.copy(berka_folder / "order.asc", tmp_path / "order.asc")
    content = (tmp_path / "order.asc").read_bytes()
    (tmp_path / "order.asc").chmod(0o644)
    (tmp_path / "order.asc").write_bytes(content[: len(content) // 2 - 9])
    with pytest.raises(BadData, match=r"order\.asc line \d+"):
        datasets.berka(tmp_path)
