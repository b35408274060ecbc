"""Which results rest on content that has changed since, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lexsi_nb.kernel.bound import MISSING, Entry, State, VariableRow
from lexsi_nb.kernel.fingerprint import fingerprint
from lexsi_nb.kernel.frames import describe


class Look:
    """One look at the namespace: each value is fingerprinted at most once, and only when something rests on it.

    Nothing is remembered from one look to the next: a frame can be edited in place without a trace, so only its
    content tells.
    """

    def __init__(
        self, entries: Mapping[str, Entry], namespace: Mapping[str, Any], watched: Mapping[str, Callable[[], str]]
    ) -> None:
        self.entries, self.namespace, self.watched = entries, namespace, watched
        self._marks: dict[str, str] = {}
        self._reasons: dict[str, str] = {}

    def mark(self, name: str) -> str:
        """Return the content of `name` now, "" when there is none."""
        if name not in self._marks:
            if name in self.watched:
                self._marks[name] = self.watched[name]()
            else:
                self._marks[name] = fingerprint(self.namespace[name]) if name in self.namespace else ""
        return self._marks[name]

    def edited(self, name: str) -> bool:
        """Return whether `name` holds something else than the run wrote."""
        entry, now = self.entries[name], self.namespace.get(name, MISSING)
        if now is MISSING:
            return False
        # The cheap guard can only say "edited": another size is another content. Equal sizes are compared in full.
        return describe(now) != entry.bound.description or self.mark(name) != entry.bound.fingerprint

    def reason(self, name: str) -> str:
        """Return why `name` is stale, "" when everything it rests on is as it was."""
        if name in self._reasons:
            return self._reasons[name]
        self._reasons[name] = ""  # a result that was made from itself must not loop
        bound = self.entries[name].bound
        since = f"since step {bound.step}" if bound.step is not None else f"since {name} was made"
        for parent, content in bound.parents.items():
            why = self._changed(parent, content, since)
            if why:
                self._reasons[name] = why
                break
        return self._reasons[name]

    def _changed(self, parent: str, content: str, since: str) -> str:
        """Return what happened to `parent`, "" when it is as it was and rests on nothing that changed."""
        if parent in self.watched:
            return f"{parent} has changed {since}" if self.mark(parent) != content else ""
        if not content:
            return f"{parent} cannot be checked"
        if parent not in self.namespace:
            return f"{parent} is gone"
        entry = self.entries.get(parent)
        if self.mark(parent) == content:
            above = self.reason(parent) if entry is not None else ""
            return f"{parent} is stale: {above}" if above else ""
        if entry is None:
            return f"{parent} was edited {since}"
        if not entry.anchor.holds(self.namespace[parent]):
            return f"{parent} was bound to something else {since}"
        return f"{parent} was edited {since}" if self.edited(parent) else f"{parent} was made again {since}"


def stale(
    entries: Mapping[str, Entry],
    namespace: Mapping[str, Any],
    watched: Mapping[str, Callable[[], str]],
    names: Iterable[str] | None = None,
) -> dict[str, str]:
    """Return name -> reason for the variables whose parents changed, transitively."""
    look = Look(entries, namespace, watched)
    chosen = entries if names is None else [n for n in names if n in entries]
    found = {n: look.reason(n) for n in chosen if n in namespace and _ours(entries[n], namespace[n])}
    return {n: why for n, why in found.items() if why}


def listing(
    entries: Mapping[str, Entry], namespace: Mapping[str, Any], watched: Mapping[str, Callable[[], str]]
) -> list[VariableRow]:
    """Return a row for each variable that a run made."""
    look = Look(entries, namespace, watched)
    rows: list[VariableRow] = []
    for name, entry in entries.items():
        b = entry.bound
        state: State
        reason = ""
        if name not in namespace or not _ours(entry, namespace[name]):
            state = "gone" if name not in namespace else "yours now"
        elif reason := look.reason(name):
            state = "stale"
        else:
            state = "edited" if look.edited(name) else "fresh"
        what = describe(namespace[name]) if name in namespace else b.description
        rows.append(VariableRow(name, what, b.run_id, b.step, b.producer, tuple(b.parents), state, reason))
    return rows


def _ours(entry: Entry, value: Any) -> bool:
    return entry.anchor.holds(value)
