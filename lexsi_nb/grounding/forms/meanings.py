"""Questions about what a code, a column or a word of the business means: told by the knowledge graph, else declined."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.grounding.forms.asking import refuse
from lexsi_nb.grounding.language import lexicon, vocabulary
from lexsi_nb.grounding.mentions import Mention, mentions
from lexsi_nb.grounding.reading import Choice, Column, Reading, Unread
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.schema.names import phrase
from lexsi_nb.grounding.words import tokens

MOST_CODES = 40


def meaning(question: str, index: SchemaIndex) -> Reading | None:
    """Return the reading of a question for a meaning, None for another question.

    Raises:
        Unread: nothing says what it means.
    """
    text = " ".join(question.split()).rstrip(" ?.!")
    found = next((m for p in vocabulary.MEANING if (m := re.fullmatch(p, text, re.IGNORECASE))), None)
    if found is None:
        return _contrast(text, index)
    what = _bare(found["what"])
    return what_it_means(_of_table(what, found, index), index)


def _of_table(what: str, found: re.Match[str], index: SchemaIndex) -> str:
    """Return what is asked for with the table that it is said to be of: `what does kind mean in orders`."""
    of = found.groupdict().get("of")
    if not of:
        return what
    items = mentions(of, index).items
    if len(items) != 1 or not items[0].of("table"):
        refuse(f"'{of}' is no table of the data.", of)
    return f"{what} of {of}"


def _contrast(text: str, index: SchemaIndex) -> Reading | None:
    """Return what two codes of one column mean, where their difference is asked for and no figure of them."""
    m = next((m for p in vocabulary.CONTRAST if (m := re.fullmatch(p, text, re.IGNORECASE))), None)
    told = [explained_code(_bare(m[group]), index) for group in ("what", "other")] if m else []
    if m is not None and not any(told):
        told = [_plain_column(_bare(m[group]), index) for group in ("what", "other")]
    if m is None or not all(told):
        return None
    return Reading("schema", text=f"what {m['what']} and {m['other']} mean", notes=("; ".join(t for t in told if t),))


def _plain_column(word: str, index: SchemaIndex) -> str | None:
    """Return what a column is for that holds no figures to be compared: a key, a date, a text."""
    items = mentions(word, index).items
    columns = [e.column for m in items for e in m.of("column") if e.column is not None]
    figures = any(c.type == "number" and not index.facts.column(c.table, c.name).key for c in columns)
    if not columns or figures or any(not m.known for m in items):
        return None
    return _column(items, index)


def explained_code(word: str, index: SchemaIndex) -> str | None:
    """Return what a code means, None where nothing says more of it than its own name."""
    try:
        said = _code(word, [m for m in mentions(word, index).items if m.tag("and") is None or m.entries], index)
    except Unread:
        return None
    named = {w for c, v in index.values.items() if phrase(word) in v for w in (*phrase(c.table), *phrase(c.name))}
    return said if said and set(phrase(said)) - {*phrase(word), *named, *lexicon.STOP} else None


def _bare(what: str) -> str:
    return re.sub(vocabulary.MEANT, "", what.strip(), flags=re.IGNORECASE).strip("'\"`‘’“” ")


def what_it_means(what: str, index: SchemaIndex) -> Reading:
    """Return the reading of what a word or a code means.

    Raises:
        Unread: nothing says what it means.
    """
    items = [m for m in mentions(what, index).items if (m.tag("and") is None and m.tag("in") is None) or m.entries]
    said = (
        _words(what, items, index)
        or _codes(what, items, index)
        or _code(what, items, index)
        or _column(items, index)
        or _table(items, index)
    )
    if said is None:
        refuse(f"Nothing in the data or the knowledge graph says what '{what}' means.", what)
    return Reading("schema", text=f"what {what} means", notes=(said,))


def _words(what: str, items: Sequence[Mention], index: SchemaIndex) -> str | None:
    """Words of the business: a condition, a metric, an outcome; a word that needs a choice is asked about."""
    entries = index.entries.get(phrase(what), [])
    for e in entries:
        if e.kind == "term" and e.value:
            raise Unread(Choice(e.text, tuple(e.value), what))
        if e.kind == "term":
            refuse(e.text, what)
    told = [e for e in entries if e.kind in ("condition", "metric", "outcome")]
    if told and len(items) == 1:
        return "; ".join(dict.fromkeys(f"'{what}' is, for rows of {e.table}: {e.sql}" for e in told))
    return None


def _codes(what: str, items: Sequence[Mention], index: SchemaIndex) -> str | None:
    """Several codes at once, of the column that is named or of any: `A, B and C in grade`."""
    named = [m for m in items if m.of("column") and not m.of("value")]
    words = [m.words for m in items if m not in named and (m.of("value") or not m.of("table"))]
    letters = [t.text for t in tokens(what) if len(t.text) == 1 and t.text.isupper()]  # `A` is an article elsewhere
    words = [*dict.fromkeys((*letters, *words))]
    if len(words) < 2 or len(named) > 1:
        return None
    columns = {e.column for m in named for e in m.of("column")}
    told = []
    for word in words:
        key = phrase(word)
        held = [(c, v[key]) for c, v in index.values.items() if key in v and (not columns or c in columns)]
        if not held:
            return None
        told.append(_explained(word, held, index) or "")
    return "; ".join(told) if all(told) else None


def _code(what: str, items: Sequence[Mention], index: SchemaIndex) -> str | None:
    """A value, with its column or alone, that a code book explains."""
    at = next((i for i, m in enumerate(items) if m.of("column")), None)
    tables = {e.table for m in items for e in m.of("table")}
    if at is None:
        word = " ".join(m.words for m in items if m.of("value") or not m.of("table")) if len(items) > 1 else what
        held = [(c, v[phrase(word)]) for c, v in index.values.items() if phrase(word) in v]
        return _explained(word, [(c, v) for c, v in held if not tables or len(items) == 1 or c.table in tables], index)
    same = {e.column for e in items[at].of("column")}
    others = [m for i, m in enumerate(items) if i != at and not (m.of("table") and not m.of("value"))]
    rest = " ".join(m.words for m in others if m.of("value") or not same & {e.column for e in m.of("column")})
    columns = [e.column for e in items[at].of("column") if e.column is not None]
    columns = [c for c in columns if c.table in tables] or columns
    if not rest:
        return None
    held = [(c, index.values[c][phrase(rest)]) for c in columns if phrase(rest) in index.values.get(c, {})]
    if not held and all(c in index.values for c in columns):
        there = sorted({str(v) for c in columns for v in index.values[c].values()})
        refuse(f"{columns[0]} has no '{rest}'; it has {', '.join(there[:MOST_CODES])}.", rest)
    return _explained(rest, held, index)


def _explained(word: str, held: Sequence[tuple[Column, object]], index: SchemaIndex) -> str | None:
    books = [(c, value, index.facts.column(c.table, c.name).codes.get(str(value), ("",))[0]) for c, value in held]
    told = [f"'{value}' in {c} is {text}" for c, value, text in books if text]
    if not told and held:
        refuse(f"'{held[0][1]}' is a value of {held[0][0]}; nothing says what it means.", word)
    return "; ".join(dict.fromkeys(told)) or None


def _column(items: Sequence[Mention], index: SchemaIndex) -> str | None:
    """What a column is for, and its codes; of the table that is named beside it."""
    if any(not m.known for m in items):
        return None
    named = [m for m in items if m.of("column") and not m.of("table")] or [m for m in items if m.of("column")]
    columns = [e.column for m in named for e in m.of("column") if e.column is not None and not e.column.sql]
    tables = {e.table for m in items if m not in named for e in m.of("table")}
    if tables and columns and not any(c.table in tables for c in columns):
        refuse(f"{' and '.join(sorted(tables))} has no {named[0].words}.", named[0].words)
    columns = [c for c in columns if c.table in tables] or columns
    told = []
    for c in dict.fromkeys(columns):
        facts = index.facts.column(c.table, c.name)
        codes = [f"{code}: {said[0]}" for code, said in facts.codes.items() if said and said[0]]
        text = ". ".join([*([facts.comment] if facts.comment else []), *([", ".join(codes)] if codes else [])])
        told += [f"'{c}' is {text}"] if text else []
    return "; ".join(told) or None


def _table(items: Sequence[Mention], index: SchemaIndex) -> str | None:
    entries: list[Entry] = [e for m in items for e in m.of("table")] if len(items) == 1 else []
    comments = {e.table: index.facts.table(e.table).comment for e in entries}
    return "; ".join(f"'{t}' is {text}" for t, text in comments.items() if text) or None
