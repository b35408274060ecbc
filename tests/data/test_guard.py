"""Only one plain read of the dataset may run; everything else is refused by name."""

from __future__ import annotations

import pytest

from lexsi_nb.data.guard import check
from lexsi_nb.errors import RefusedSQL

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


def test_corpus_is_large_enough() -> None:
    assert len(READS) + len(REFUSED) >= 150


@pytest.mark.parametrize("sql", ["", "   ", ";", ";;"])
def test_empty_sql_is_refused(sql: str) -> None:
    with pytest.raises(RefusedSQL, match="empty"):
        check(sql)


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
