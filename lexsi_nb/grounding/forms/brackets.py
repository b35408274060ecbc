"""What stands in brackets in a question: a second name of the word before, or words of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexsi_nb.grounding.language import lexicon, passed_over
from lexsi_nb.grounding.mentions import Mention
from lexsi_nb.grounding.schema.index import Entry, SchemaIndex
from lexsi_nb.grounding.words import CLOSE, OPEN, tokens

_BRACKETS = re.compile(r"\(([^()]*)\)")


def unbracketed(question: str, index: SchemaIndex) -> str:
    """Return the question with words in brackets put in place of unknown words that they explain.

    `home runs (HR)` is HR; `statuses (B, D)` stays; `in debt (status D)` says one condition twice.
    """
    from lexsi_nb.grounding.mentions import mentions

    m = _BRACKETS.search(question)
    if m is None or any(q in question[: m.start()] for q in '"`“'):
        return question
    before, inner, after = question[: m.start()].rstrip(), m.group(1).strip(), question[m.end() :]
    if not inner:
        return f"{before} {after}"
    words = before.split()
    unknown = 0
    while unknown < min(3, len(words)):
        last = mentions(words[-1 - unknown], index).items
        if any(x.known for x in last) or not last:
            break
        if words[-1 - unknown].casefold() in passed_over.PICKING:
            return question
        unknown += 1
    explained = mentions(inner, index).items
    entries = [e for x in explained for e in x.entries]
    if unknown and entries and len(explained) == 1:
        return unbracketed(" ".join(words[: len(words) - unknown]) + f" {inner}{after}", index)
    inner_words = [t.low for t in tokens(inner)]
    columns = [e.column for x in explained for e in x.of("column") if e.column]
    entries += [
        Entry("value", c.table, c, index.values[c][(w,)])
        for c in columns for w in inner_words if (w,) in index.values.get(c, {})
    ]  # fmt: skip
    if len(explained) == 1 and (plain := _open_words(words, explained[0], index)):
        return unbracketed(f"{plain} {inner}{after}", index)
    values = {phrase_of(e) for x in mentions(" ".join(words[-4:]), index).items for e in x.of("value")}
    again = {phrase_of(e) for e in entries if e.kind == "value"}
    named = {e.column for x in mentions(" ".join(words[-4:]), index).items for e in x.of("column")}
    if len(explained) == 1 and entries and {e.column for e in explained[0].of("column")} & named:
        return unbracketed(f"{before}{after}", index)  # "a symbol (purpose)"
    if again and again & values:
        return unbracketed(f"{before}{after}", index)
    if len(explained) == 1 and (plain := _other_column(words, explained[0], inner, index)):
        return unbracketed(f"{plain} {inner}{after}", index)
    return question


def grouped(question: str) -> str:
    """Return the question with brackets around alternatives marked: `A and (B or C)`, `(A and B) or C`."""
    if not (words := lexicon.PHRASES.get("or", ())):
        return question
    either = "|".join(map(re.escape, words))
    joint = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
    out, end = "", 0
    for m in _BRACKETS.finditer(question):
        beside = joint.match(question[m.end() :].lstrip()) or re.search(rf"(?:{either})\s*$", question[: m.start()])
        if joint.search(m[1]) or beside:
            out, end = f"{out}{question[end : m.start()]}{OPEN}{m[1]}{CLOSE}", m.end()
    return out + question[end:]


def _other_column(words: Sequence[str], told: Mention, inner: str, index: SchemaIndex) -> str:
    """Return what stands before the words that a column's own name in brackets explains: `paid fee (fee_2)`.

    Empty where the words before it name no column, or the bracket holds no such name.
    """
    from lexsi_nb.grounding.mentions import mentions

    names = {e.column.name.casefold() for e in told.of("column") if e.column is not None}
    last = next(reversed(mentions(" ".join(words), index).items), None)
    if names != {inner.casefold()} or "_" not in inner or last is None or not last.of("column"):
        return ""
    alone = not last.of("table", "value", "condition", "term") and not last.tags
    return " ".join(words[: len(words) - len(last.words.split())]) if alone else ""


def _open_words(words: Sequence[str], code: Mention, index: SchemaIndex) -> str:
    """Return what stands before the words that a code in brackets decides: `a card withdrawal (C)`, of several kinds.

    Empty where the words before it are no open ones.
    """
    from lexsi_nb.grounding.mentions import mentions

    columns = {e.column for e in code.of("value")}
    if not columns or code.of("table", "column", "condition", "term"):
        return ""
    run = mentions(" ".join(words), index).items[-3:]
    last = run[-1] if run else None
    mine = {phrase_of(e) for e in code.of("value")}
    if last is None or not (last.of("term") or (last.of("table") and mine & {phrase_of(e) for e in last.of("value")})):
        return ""
    size = len(last.words.split())
    if last.of("term") and not last.gap and len(run) > 1 and run[-2].entries:
        size += len(run[-2].words.split())
    return " ".join(words[: len(words) - size])


def phrase_of(e: Entry) -> tuple[str, str]:
    """Return what tells one value from another: its column and the value."""
    return str(e.column), str(e.value)
