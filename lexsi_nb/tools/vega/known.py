"""The fields that a view can use: columns of the data, and names that transforms make on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from lexsi_nb.errors import nearest

_PATH = re.compile(r"(?<!\\)[.\[]")
_DATUM = re.compile(r"""\bdatum(?:\.([A-Za-z_$][\w$]*)|\[\s*(['"])(.+?)\2\s*\])""")


@dataclass
class Report:
    """What is wrong with a spec, what was put right in it, and which columns it uses."""

    where: str
    problems: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)

    def problem(self, path: str, text: str) -> None:
        """Note a problem once."""
        line = f"{path}: {text}"
        if line not in self.problems:
            self.problems.append(line)

    def correct(self, path: str, was: str, now: str) -> None:
        """Note a name that was put right, once."""
        line = f"{path}: {was} is {now}"
        if line not in self.corrected:
            self.corrected.append(line)


class Known:
    """Names a field may have at one place of a spec; `open` where only the drawing knows them (after a pivot)."""

    def __init__(self, names: Iterable[str], *, columns: Iterable[str] = (), open: bool = False) -> None:
        self.names = dict.fromkeys(names)
        self.columns = frozenset(columns)  # those of the names that come from the result
        self.open = open

    def more(self, names: Iterable[str]) -> Known:
        """Return these names and `names`, which transforms made."""
        new = [n for n in names if n]
        return Known([*self.names, *new], columns=self.columns - set(new), open=self.open)

    def only(self, names: Iterable[str], *, open: bool = False) -> Known:
        """Return `names` alone: a transform replaced the rows."""
        new = [n for n in names if n]
        return Known(new, columns=self.columns & set(new), open=open)

    def field(self, name: str, path: str, report: Report) -> str:
        """Return the field as the spec has to write it; a problem where there is no such field."""
        plain = re.sub(r"\\(.)", r"\1", name)
        found = self._find(name, plain)
        if found is not None:
            column, text = found
            if column in self.columns:
                report.used[column] = None
            if plain != column and _root(name) != column and _root(text) != name:
                report.correct(path, name, text)
            return text
        if not self.open:
            near = nearest(name, self.names)
            there = list(self.names)
            hint = f"Nearest: {', '.join(near)}." if near else f"There is: {', '.join(there[:12]) or 'nothing'}."
            report.problem(path, f"no field {name!r} in {report.where}. {hint}")
        return name

    def _find(self, name: str, plain: str) -> tuple[str, str] | None:
        """Return (name that is known, the field text that reaches it)."""
        for wanted in (name, plain):
            if wanted in self.names:
                return wanted, escaped(wanted)
        root = _root(name)
        if root in self.names and root != name:
            return root, name
        alike = {n.casefold(): n for n in reversed(list(self.names))}
        if plain.casefold() in alike:
            right = alike[plain.casefold()]
            return right, escaped(right)
        if root.casefold() in alike and root != name:
            right = alike[root.casefold()]
            return right, escaped(right) + name[len(root) :]
        return None

    def expression(self, text: str, path: str, report: Report) -> str:
        """Return an expression with the fields it reads from `datum` put right."""

        def put(match: re.Match[str]) -> str:
            name = match.group(1) or match.group(3)
            right = self.field(name, path, report)
            if right == name:
                return match.group(0)
            plain = re.sub(r"\\(.)", r"\1", right)
            return f"datum.{plain}" if re.fullmatch(r"[A-Za-z_]\w*", plain) else f"datum[{plain!r}]"

        return _DATUM.sub(put, text)


def escaped(name: str) -> str:
    """Return a column's name as a field: Vega reads dots and brackets as a path.

    >>> print(escaped("net.amount"))
    net\\.amount
    """
    return re.sub(r"([.\[\]])", r"\\\1", name)


def _root(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", _PATH.split(name, maxsplit=1)[0])
