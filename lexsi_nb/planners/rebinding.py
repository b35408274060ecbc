"""A recording whose question names variables, with other values in them: only where each place is beyond doubt."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lexsi_nb.store.recording import BadRecording, RecordedCall, RecordedStep, Recording

PLACE = re.compile(r"\{([^\W\d]\w*)\}")
_DATE = re.compile(r"\d{4}(-\d{2}){0,2}([ T].*)?")
_SHORT = 4  # a shorter text can stand inside a word by chance


class CannotRebind(BadRecording):
    """A new value has no place in the recording that is beyond doubt."""


def written(value: Any) -> str:
    """Return a value as it stands in a question."""
    return value if isinstance(value, str) else str(value)


def bound(template: str, values: Mapping[str, Any]) -> str:
    """Return the question with the values in their places; other braces stay as they were typed.

    >>> bound("loans before {as_of} of {x}", {"as_of": "1998-01-01"})
    'loans before 1998-01-01 of {x}'
    """
    return PLACE.sub(lambda m: written(values[m[1]]) if m[1] in values else m[0], template)


def rebound(recording: Recording, values: Mapping[str, Any]) -> Recording:
    """Return the recording as if it had been asked with `values`; its answer is to be put in words anew.

    Raises:
        CannotRebind: a value has no place, more than one meaning, or something was derived from it; says where.
    """
    old = recording.parameters
    if set(old) != set(values):
        names = ", ".join(sorted(set(old) ^ set(values)))
        raise CannotRebind(f"The question was recorded with other variables: {names}.")
    changed = {n: v for n, v in values.items() if written(v) != written(old[n])}
    if not changed:
        return recording
    work = _Work(recording.question, old, values, changed)
    work.check()
    steps = []
    for step in recording.steps:
        calls = tuple(work.call(c, work.number + i) for i, c in enumerate(step.calls, 1))
        work.number += len(calls)
        thought = "" if any(work.inside(n, step.thought) for n in changed) else step.thought
        steps.append(RecordedStep(calls, thought))
    lacking = [n for n in changed if n not in work.found]
    if lacking:
        raise CannotRebind(
            f"The value of {{{lacking[0]}}} stands in no recorded argument.", "It was used in another form."
        )
    replies = tuple(replace(r, reply=work.reply(r.reply, r.step)) for r in recording.replies)
    return replace(recording, steps=tuple(steps), replies=replies, parameters=dict(values), answer=None)


@dataclass
class _Work:
    """One rebinding under way. `found`: parameters with a place outside copies of the question."""

    template: str
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    changed: Mapping[str, Any]
    found: set[str] = field(default_factory=set)
    number: int = 0  # calls before the step
    at: str = ""
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.before, self.after = bound(self.template, self.old), bound(self.template, self.new)
        self.fixed = PLACE.sub(" ", self.template)

    def check(self) -> None:
        """Stop where a value cannot be told from the rest of the question or from another value."""
        for name in self.changed:
            value, text = self.old[name], written(self.old[name])
            if _is_number(value) != _is_number(self.new[name]) or isinstance(value, bool):
                raise CannotRebind(f"{{{name}}} is of another type than when it was recorded.")
            if not text.strip():
                raise CannotRebind(f"{{{name}}} was empty when it was recorded.")
            if _token(text).search(self.fixed):
                raise CannotRebind(f"The question says {text} beside {{{name}}} too.")
            same = [n for n, v in self.old.items() if n != name and written(v).casefold() == text.casefold()]
            if same:
                raise CannotRebind(f"{{{name}}} and {{{same[0]}}} had the same value.")

    def call(self, call: RecordedCall, number: int) -> RecordedCall:
        """Return a call with the new values."""
        self.at, self._numbers = f"Step {number}", {}
        args = {k: self.value(v, k) for k, v in call.args.items()}
        for name, count in self._numbers.items():
            if count > 1:
                self.doubt(name, f"{written(self.old[name])} stands in {call.tool} {count} times")
        return replace(call, args=args)

    def reply(self, reply: Any, step: int) -> Any:
        """Return a side reply with the new values."""
        self.at, self._numbers = f"A reply of decision {step}", {}
        made = self.value(reply, "sql" if isinstance(reply, str) and _looks_like_sql(reply) else "")
        for name, count in self._numbers.items():
            if count > 1:
                self.doubt(name, f"{written(self.old[name])} stands there {count} times")
        return made

    def value(self, value: Any, key: str) -> Any:
        """Return one argument, at any depth, with the new values."""
        if isinstance(value, dict):
            return {k: self.value(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [self.value(v, key) for v in value]
        if isinstance(value, str):
            return self._text(value, key)
        if _is_number(value):
            for name in self.changed:
                if _is_number(self.old[name]) and value == self.old[name]:
                    self._count(name)
                    return self.new[name]
                self._derived(name, value)
        return value

    def inside(self, name: str, text: str) -> bool:
        """Whether the old value stands in a text."""
        return written(self.old[name]).casefold() in text.casefold()

    def doubt(self, name: str, why: str) -> None:
        """Stop: a place is not beyond doubt."""
        raise CannotRebind(f"{self.at}: {why}, so {{{name}}} cannot be given another value.")

    def _text(self, text: str, key: str) -> str:
        if key == "sql" or key.endswith("_sql"):
            return self._sql(text)
        parts = re.split(f"({re.escape(self.before)})", text)
        return "".join(self.after if i % 2 else self._words(p) for i, p in enumerate(parts))

    def _words(self, text: str) -> str:
        if text.isidentifier() and text not in {written(self.old[n]) for n in self.changed}:
            return text  # a label or a column
        places: list[tuple[int, int, str]] = []
        for name in self.changed:
            old = written(self.old[name])
            hits = list(_token(old).finditer(text))
            if len(old) >= _SHORT and len(hits) < text.casefold().count(old.casefold()):
                self.doubt(name, f"{old} stands inside a longer word")
            for hit in hits:
                self._count(name)
                places.append((hit.start(), hit.end(), written(self.new[name])))
        return _replaced(text, places)

    def _sql(self, sql: str) -> str:
        from sqlglot.dialects.duckdb import DuckDB
        from sqlglot.errors import SqlglotError
        from sqlglot.tokens import TokenType  # pyright: ignore[reportPrivateImportUsage]  # its public place

        try:
            tokens = DuckDB.Tokenizer().tokenize(sql)
        except SqlglotError:
            raise CannotRebind(f"{self.at}: its SQL cannot be read.") from None
        places: list[tuple[int, int, str]] = []
        for token in tokens:
            source = sql[token.start : token.end + 1]
            for name in self.changed:
                new = self._literal(name, token.text, source, is_number=token.token_type == TokenType.NUMBER)
                if new is not None:
                    places.append((token.start, token.end + 1, new))
        return _replaced(sql, places)

    def _literal(self, name: str, text: str, source: str, *, is_number: bool) -> str | None:
        """Return what a token of SQL becomes, None where it stays; stops at what may come from the old value."""
        value, old = self.old[name], written(self.old[name])
        if is_number:
            number = float(text)
            if _is_number(value) and number == value:
                self._count(name)
                return repr(self.new[name])
            self._derived(name, number)
            return None
        if not source.endswith("'"):
            return None
        if text == old and source == _quoted(text):
            self._count(name)
            return _quoted(written(self.new[name]))
        if self.inside(name, text) and (len(old) >= _SHORT or _token(old).search(text)):
            self.doubt(name, f"{old} stands inside {text!r}")
        if _DATE.fullmatch(old) and _DATE.fullmatch(text) and text not in self.fixed:
            self.doubt(name, f"the date {text} may have been derived from {old}")
        return None

    def _derived(self, name: str, number: float) -> None:
        """Stop at a number that the planner may have computed from the old value."""
        value = self.old[name]
        if math.isfinite(number) and _token(f"{number:g}").search(self.fixed):
            return
        if not _is_number(value):
            year = int(written(value)[:4]) if _DATE.fullmatch(written(value)) else 0
            if year and abs(number - year) <= 1:
                self.doubt(name, f"the year {number:g} may have been derived from {value}")
            return
        near = (value - 1, value + 1, -value, value * 12, value / 12, value * 100, value / 100, value * 1000)
        if number in near and number not in (0, 1):
            self.doubt(name, f"{number:g} may have been derived from {value}")

    def _count(self, name: str) -> None:
        self.found.add(name)
        if _is_number(self.old[name]):
            self._numbers[name] = self._numbers.get(name, 0) + 1


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _token(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-]|\.\d)")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _looks_like_sql(text: str) -> bool:
    return re.match(r"\s*(select|with)\b", text, re.IGNORECASE) is not None


def _replaced(text: str, places: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text
