"""Which SQL may run: one plain read of the active dataset, nothing else."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from lexsi_nb.errors import RefusedSQL

NEXT = "Write one SELECT over the tables of the dataset."

# Statements by the word they start with -> what they would do.
_STATEMENTS = {
    "insert": "writes rows", "update": "writes rows", "delete": "deletes rows", "merge": "writes rows",
    "truncate": "deletes rows", "create": "creates an object", "drop": "drops an object", "alter": "alters an object",
    "copy": "writes or reads files", "export": "writes files", "import": "reads files", "attach": "opens a database",
    "detach": "closes a database", "install": "downloads an extension", "load": "loads an extension",
    "update extensions": "downloads extensions", "set": "changes an option", "reset": "changes an option",
    "pragma": "changes an option", "use": "changes the schema", "call": "calls a procedure",
    "prepare": "hides a statement", "execute": "runs a hidden statement", "deallocate": "drops a hidden statement",
    "explain": "is not a plain read", "begin": "starts a transaction", "start": "starts a transaction",
    "commit": "ends a transaction", "rollback": "ends a transaction", "abort": "ends a transaction",
    "checkpoint": "writes the database", "force": "writes the database", "vacuum": "rewrites the database",
    "analyze": "rewrites statistics", "comment": "alters an object", "grant": "changes rights",
    "revoke": "changes rights", "replace": "writes rows", "refresh": "writes rows", "kill": "stops a process",
    "declare": "opens a cursor", "fetch": "reads a cursor", "listen": "is not a plain read",
}  # fmt: skip
_READS = frozenset(
    {"select", "with", "values", "from", "describe", "desc", "summarize", "show", "table", "pivot", "unpivot", "("}
)

# Functions that leave the dataset.
_FILE_FUNCTION = re.compile(
    r"^(read_|write_|sniff_|parquet_|glob$|.*_scan$|.*_scan_.*|.*_query$|.*_execute$|.*_attach$|st_read|st_drivers"
    r"|load_|open_|from_substrait|get_substrait|iceberg_|delta_|http_|excel|copy_|which_secret|query$|query_table$"
    r"|import_|export_|pg_sleep|sleep)"
)
_SECRET_FUNCTION = frozenset(
    """getenv get_env duckdb_secrets which_secret duckdb_settings duckdb_logs duckdb_log_contexts duckdb_temporary_files
    duckdb_databases duckdb_extensions duckdb_variables getvariable current_setting pragma_database_list
    duckdb_approx_database_count enable_logging enable_profiling checkpoint force_checkpoint pragma_storage_info
    duckdb_external_file_cache duckdb_prepared_statements set_config setseed nextval pragma_metadata_info
    duckdb_connection_count add_parquet_key parse_duckdb_log_message write_log json_execute_serialized_sql
    pragma_user_agent pragma_platform test_all_types test_vector_types repeat_row currval pragma_show
    pg_read_file pg_read_binary_file pg_ls_dir lo_import lo_export dblink pg_get_viewdef pg_get_expr start_ui
    start_ui_server stop_ui_server current_query""".split()
)
# Functions in FROM that make rows out of their arguments alone.
_TABLE_FUNCTIONS = frozenset(
    """range generate_series generateseries unnest explode explodingGenerateSeries repeat json_each json_tree summary
    histogram_values exploding_generate_series generate_subscripts glob_match values""".lower().split()
)
# DuckDB's own views: of settings and secrets, and those with the source of a view, which holds the paths of files.
_SYSTEM_TABLE = re.compile(r"^(duckdb_|pragma_|pg_|sqlite_)")
_SYSTEM_SCHEMAS = frozenset({"information_schema", "pg_catalog", "system"})
_CATALOGUE = frozenset({"tables", "columns", "schemata"})  # of information_schema: names and types alone
_SCHEMAS = frozenset({"", "main", "temp", "memory", "system", "information_schema", "pg_catalog", "workspace"})
_FILE_NAME = re.compile(
    r"[/\\*?]|://|\.(csv|tsv|txt|json|jsonl|ndjson|parquet|pq|xlsx?|db|duckdb|sqlite3?|arrow|feather|avro|gz|zst|asc)$",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^show\s+(all\s+)?(tables|databases|schemas)(\s+from\s+\w+)?$|^show\s+(?!secrets|variables)\w+$", re.I
)


@lru_cache(maxsize=512)
def check(sql: str, known: frozenset[str] = frozenset()) -> str:
    """Return the one read statement in `sql`, without a closing semicolon.

    `known` are the table names in lower case: a table may be called "sales.csv" without being a file.

    Raises:
        RefusedSQL: the text is not one plain read; names what is refused and why.
    """
    text = bare(sql)
    if not text or not first_word(text):
        raise RefusedSQL("The SQL is empty.", "", NEXT)
    if first_word(text) == "show":  # sqlglot knows no SHOW of DuckDB and would warn
        if _SHOW.match(text):
            return text
        raise refuse(f"{text[:40]!r}", "shows more than tables")
    tree = _parsed(text)
    refuse_writes(tree, text)
    refuse_reach(tree, known)
    return text


def bare(sql: str) -> str:
    """Return the text without the semicolon at its end, and without the comment that may follow one.

    >>> bare("SELECT ';'; -- done")
    "SELECT ';'"
    """
    from sqlglot.tokens import TokenType  # pyright: ignore[reportPrivateImportUsage]  # its public place

    text = sql.strip().rstrip(";").strip()
    tokens = _tokens(text) if ";" in text else []
    if tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        return text[: tokens[-1].start].rstrip().rstrip(";").rstrip()
    return text


def refuse(what: str, why: str) -> RefusedSQL:
    """Return the refusal of a statement, or of a part of it, by name."""
    return RefusedSQL(f"Refused: {what} {why}.", "Only a plain read of the dataset may run.", NEXT)


def first_word(text: str) -> str:
    """Return the word a statement starts with, in lower case; comments before it do not count."""
    start = text.lstrip()
    if start.startswith(("/*", "--")):
        tokens = _tokens(start)
        start = start[tokens[0].start :] if tokens else ""
    if start.startswith("("):
        return "("
    found = re.match(r"[A-Za-z_]+", start)
    return found.group(0).lower() if found else start[:12]


def _tokens(text: str) -> list[Any]:
    """Return the tokens of a text without its comments; none where it cannot be cut into tokens."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return list(sqlglot.tokenize(text, read="duckdb"))
    except SqlglotError:
        return []


def _parsed(text: str) -> Any:
    """Return sqlglot's tree of the single statement, which starts as a read does."""
    word = first_word(text)
    if word in _STATEMENTS and word not in _READS:
        name = "EXPLAIN ANALYZE" if re.match(r"(?is)^\s*explain\s+analy[sz]e", text) else word.upper()
        raise refuse(name, _STATEMENTS[word])
    if word not in _READS:
        raise refuse(repr(word), "does not start a read")
    return single(text)


def single(text: str) -> Any:
    """Return sqlglot's tree of a text that holds one statement.

    Raises:
        RefusedSQL: it cannot be read, or holds a second statement.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse(text, dialect="duckdb")
        trees = [t for t in parsed if t is not None and not isinstance(t, exp.Semicolon)]
    except (SqlglotError, RecursionError) as e:
        _refuse_unreadable(text)
        line = re.sub(r"\x1b\[[0-9;]*m", "", str(e)).splitlines()[0]
        raise RefusedSQL("The SQL cannot be read.", line[:200], NEXT) from None
    if len(trees) != 1:
        raise refuse("a second statement", "cannot run in the same text")
    return trees[0]


def _refuse_unreadable(text: str) -> None:
    """Refuse by name what a text without a tree has in a bracket: a statement that writes, a function that reaches."""
    tokens = _tokens(text)
    for before, token, after in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        word = token.text.lower()
        if before.text == "(" and word in _STATEMENTS and word not in _READS and after and after.text not in "(.,)":
            raise refuse(word.upper(), _STATEMENTS[word])
        if after is not None and after.text == "(":
            _refuse_function(word)


def refuse_writes(tree: Any, text: str) -> None:
    """Refuse what is no query, or has a part that writes."""
    from sqlglot import exp

    root_kinds = (exp.Query, exp.Describe, exp.Summarize, exp.Values, exp.Pivot)
    if isinstance(tree, exp.Command):
        word = first_word(text)
        raise refuse(word.upper(), _STATEMENTS.get(word, "is not a plain read"))
    if not isinstance(tree, root_kinds):
        word = tree.key.upper()
        raise refuse(word, _STATEMENTS.get(word.lower(), "is not a plain read"))
    writes = (
        exp.Insert, exp.Update, exp.Delete, exp.DDL,
        exp.Copy, exp.Attach, exp.Detach, exp.Set, exp.Pragma, exp.Into, exp.Transaction, exp.Commit,
        exp.Rollback, exp.Use, exp.Drop, exp.Alter, exp.TruncateTable, exp.Merge, exp.Kill, exp.Execute,
    )  # fmt: skip
    for node in tree.walk():
        if node.args.get("locks"):
            raise refuse("FOR UPDATE", "locks rows")
        if isinstance(node, writes) and not isinstance(node, exp.Query):
            word = type(node).__name__.upper()
            raise refuse(word, _STATEMENTS.get(word.lower(), "writes"))
        if isinstance(node, exp.Command) and node is not tree:
            raise refuse(str(node.this).upper(), "is not a plain read")


def parsed(con: Any, text: str, wanted: frozenset[str] = frozenset({"SELECT"})) -> list[Any]:
    """Return the statement as DuckDB's own parser has it: that has its say on the kind, beside sqlglot's.

    Raises:
        RefusedSQL: another kind of statement than the `wanted` ones, or several.
    """
    found = con.extract_statements(text)
    kinds = [s.type.name for s in found]
    if kinds == ["MULTI"]:
        raise RefusedSQL(
            "Refused: PIVOT without a list of values.", "It creates a type first.", "Write: PIVOT ... ON x IN (a, b)."
        )
    if len(kinds) != 1 or kinds[0] not in wanted:
        raise RefusedSQL(f"Refused: {', '.join(kinds)}.", "It is not one plain read.", "Write one SELECT.")
    return found


def refuse_reach(tree: Any, known: frozenset[str]) -> None:
    """Refuse what reads outside the dataset: files, settings, secrets."""
    from sqlglot import exp

    for node in tree.walk():
        if isinstance(node, (exp.Table, exp.Summarize, exp.Describe)):
            name = node.this
            if isinstance(name, exp.Literal):
                raise refuse(f"the table name {name.this!r}", "reads a file")
            if isinstance(name, exp.Identifier) and name.name.lower() not in known and not _is_cte(node):
                schema = node.text("db")
                if schema.lower() not in _SCHEMAS and _FILE_NAME.search(f"{schema}.{name.name}"):
                    raise refuse(f"the table name '{schema}.{name.name}'", "reads a file")
                if _FILE_NAME.search(name.name):
                    raise refuse(f"the table name {name.name!r}", "reads a file")
                if _is_system(schema.lower(), name.name.lower()):
                    raise refuse(name.name, "shows settings, secrets or the paths of files")
            if isinstance(name, exp.Func):
                function = _function_name(name)
                _refuse_function(function)
                if function not in _TABLE_FUNCTIONS:
                    raise refuse(f"{function}()", "is no table function of a plain read")
        if isinstance(node, exp.Func):
            _refuse_function(_function_name(node))


def _is_cte(table: Any) -> bool:
    """Return whether a name is that of a WITH in whose reach it stands: inside its own body it is not."""
    from sqlglot import exp

    if table.text("db"):
        return False
    inside: Any = None
    node = table
    while node is not None:
        if isinstance(node, exp.CTE):
            inside = node
        listed = node.args.get("with_")
        if listed is not None:
            ctes = list(listed.expressions)
            reach = ctes[: ctes.index(inside)] if inside in ctes else ctes
            if any(c.alias.casefold() == table.name.casefold() for c in reach):
                return True
        node = node.parent
    return False


def _is_system(schema: str, name: str) -> bool:
    if schema == "workspace":
        return False
    if schema in _SYSTEM_SCHEMAS and name in _CATALOGUE:
        return False
    return schema in _SYSTEM_SCHEMAS or bool(_SYSTEM_TABLE.match(name))


def _function_name(node: Any) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    names = node.sql_names() if hasattr(node, "sql_names") else []
    return (names[0] if names else node.key).lower()


def _refuse_function(name: str) -> None:
    if name in _SECRET_FUNCTION:
        raise refuse(f"{name}()", "reaches settings, secrets or files")
    if _FILE_FUNCTION.match(name):
        raise refuse(f"{name}()", "reads outside the dataset")
