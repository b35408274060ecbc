"""The schema `workspace`: the one place that SQL may write to, in memory, beside the read-only dataset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lexsi_nb.data.guard import bare, first_word, refuse, refuse_reach, refuse_writes, single
from lexsi_nb.errors import RefusedSQL

SCHEMA = "workspace"
ENSURE = f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"
NEXT = f"Write to {SCHEMA}.<name>, for example: CREATE TABLE {SCHEMA}.x AS SELECT ..."
_VERBS = frozenset({"create", "drop", "insert", "update", "delete", "with", "truncate", "alter", "merge"})


@dataclass(frozen=True)
class Write:
    """One statement that writes to the workspace: `verb` create, insert, update, delete or drop; the table's name."""

    text: str
    verb: str
    table: str


def is_write(sql: str) -> bool:
    """Return whether the text is meant to write to the workspace: `check_write` then says whether it may."""
    text = bare(sql)
    if first_word(text) not in _VERBS or SCHEMA not in text.casefold():
        return False
    try:
        return _target(single(text))[1] == SCHEMA
    except RefusedSQL:
        return False


@lru_cache(maxsize=128)
def check_write(sql: str, known: frozenset[str] = frozenset()) -> Write:
    """Return the one statement in `sql` that creates, fills, changes or drops a table of the workspace.

    `known` are the table names in lower case, as for `guard.check`: what the statement reads is checked as a read is.

    Raises:
        RefusedSQL: another statement, another target, or a part that writes or reaches elsewhere.
    """
    from sqlglot import exp

    text = bare(sql)
    tree = single(text)
    verbs = {exp.Create: "create", exp.Insert: "insert", exp.Update: "update", exp.Delete: "delete", exp.Drop: "drop"}
    verb = next((v for kind, v in verbs.items() if isinstance(tree, kind)), "")
    if not verb:
        raise _only(tree.key.upper())
    table, schema = _target(tree)
    if schema != SCHEMA or not table:
        raise _only(f"{verb.upper()} {schema + '.' if schema else ''}{table}".rstrip(" ."))
    if verb in ("create", "drop") and str(tree.args.get("kind")).upper() != "TABLE":
        raise _only(f"{verb.upper()} {tree.args.get('kind')}")
    if tree.args.get("returning") or tree.args.get("cascade"):
        raise _only("RETURNING" if tree.args.get("returning") else "CASCADE")
    temporary = tree.find(exp.TemporaryProperty)
    if temporary is not None:
        raise _only("CREATE TEMPORARY")
    refuse_reach(tree, known)
    for part in tree.find_all(exp.Query):
        if part.parent is tree or isinstance(part.parent, (exp.Subquery, exp.CTE)):
            refuse_writes(part, text)
    inner = [n for n in tree.walk() if n is not tree and isinstance(n, (*verbs, exp.Command, exp.Copy, exp.Attach))]
    if inner:
        raise refuse(type(inner[0]).__name__.upper(), "is hidden in a write")
    return Write(text, verb, table)


def _target(tree: Any) -> tuple[str, str]:
    """Return table and schema that a statement writes to; the schema is empty where none is spelt."""
    from sqlglot import exp

    if isinstance(tree, exp.Drop):
        named = list(tree.find_all(exp.Table))
        if len(named) != 1:
            return "", ""
        found: Any = named[0]
    else:
        found = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    if not isinstance(found, exp.Table) or found.text("catalog"):
        return "", ""
    return found.name, found.text("db").casefold()


def _only(what: str) -> RefusedSQL:
    return RefusedSQL(f"Refused: {what}.", f"Only tables of the schema {SCHEMA} may be written.", NEXT)
