"""The keys through which tools share what they made: frames live in the user's namespace, the rest is scratch."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from lexsi_nb.errors import UnknownFrame
from lexsi_nb.kernel.bound import Anchor
from lexsi_nb.kernel.frames import frame_library
from lexsi_nb.kernel.labels import variable_name
from lexsi_nb.kernel.variables import Variables
from lexsi_nb.kernel.writes import StepWrites, WriteHandle

FRAME_KEY = "sql_result:"
# The keys of the tool reference; a `:` at the end stands for any suffix. Tools may add more.
KEYS = (
    FRAME_KEY, "last_sql_result", "last_sql", "last_model_id", "last_model_task", "last_train_tag",
    "last_train_df_label", "agent_run_tab_project:", "agent_workspace", "last_predictions", "last_predict_tag",
    "last_predict_df_label", "last_prediction_columns", "predict_cache:", "last_xai", "last_xai_failures", "question",
)  # fmt: skip


def _is_json(value: Any) -> bool:
    if value is None or isinstance(value, (str, bool, int, float)):
        return True
    if isinstance(value, (list, tuple)):
        return all(_is_json(v) for v in value)
    return isinstance(value, dict) and all(isinstance(k, str) and _is_json(v) for k, v in value.items())


class _Alias:
    """A scratch key that stands for a variable: read, it gives what the variable holds now."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.anchor = name, Anchor(value)


class RunCache(MutableMapping[str, Any]):
    """A dict of one run.

    `sql_result:<label>` is the variable that the label is bound to: an edit in a cell is what the next tool reads,
    a write goes by the rules of `Variables`. Other keys are scratch and are wiped by `begin`; a frame among them
    that is a variable too (`last_sql_result`) is read from the variable.
    """

    def __init__(self, variables: Variables, handle: WriteHandle | None = None, *, question: str = "") -> None:
        self.variables = variables
        self._handle = handle
        self._scratch: dict[str, Any] = {"question": question} if question else {}
        self.step: StepWrites | None = None  # the step whose buffered writes are read and added to

    def begin(self, handle: WriteHandle, question: str, scratch: dict[str, Any] | None = None) -> None:
        """Start a run: scratch keys go, variables stay. A run that goes on brings its `scratch` along."""
        self._handle, self.step = handle, None
        self._scratch = {**(scratch or {}), "question": question}

    def held(self) -> dict[str, Any]:
        """Return the scratch keys of the run, for a later `begin`."""
        return dict(self._scratch)

    def portable(self) -> dict[str, Any]:
        """Return the scratch keys that can leave the process as JSON; a variable is its name under `$variable`."""
        out: dict[str, Any] = {}
        for key, value in self._scratch.items():
            if isinstance(value, _Alias):
                out[key] = {"$variable": value.name}
            elif _is_json(value):
                out[key] = value
        return out

    def revive(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return scratch keys for `begin` from what `portable` wrote; keys of variables that are gone are left out."""
        out: dict[str, Any] = {}
        for key, value in fields.items():
            name = value.get("$variable") if isinstance(value, dict) else None
            if name is None:
                out[key] = value
            elif name in self.variables.namespace:
                out[key] = _Alias(name, self.variables.namespace[name])
        return out

    def __getitem__(self, key: str) -> Any:
        if key.startswith(FRAME_KEY):
            label = key[len(FRAME_KEY) :]
            if self.step is not None:
                mine = self.step.value(label)
                if mine is not None:
                    return mine
            name = self._name(label)
            if name is None:
                raise KeyError(key)
            return self.variables.namespace[name]
        value = self._scratch[key]
        if isinstance(value, _Alias):
            if value.name not in self.variables.namespace:
                raise KeyError(key)
            return self.variables.namespace[value.name]
        return value

    def __setitem__(self, key: str, value: Any) -> None:
        if not key.startswith(FRAME_KEY):
            name = self._variable_of(value)
            self._scratch[key] = value if name is None else _Alias(name, value)
            return
        label = key[len(FRAME_KEY) :]
        if self.step is not None:
            self.step.write(label, value)
        elif self._handle is not None:
            self._handle.write(label, value)
        else:
            self.variables.write(label, value)

    def __delitem__(self, key: str) -> None:
        if key.startswith(FRAME_KEY):
            raise TypeError(f"{key} is a variable of the notebook; `del` it there.")
        del self._scratch[key]

    def __iter__(self) -> Iterator[str]:
        labels = dict.fromkeys(self.variables.labels())
        labels.update(dict.fromkeys(self.variables.frames()))
        yield from (f"{FRAME_KEY}{label}" for label in labels if self._name(label) is not None)
        yield from (k for k in self._scratch if k in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, str):
            return False
        try:
            self[key]
        except KeyError:
            return False
        return True

    def frame(self, label: str) -> Any:
        """Return the frame of a label as it is now.

        Raises:
            UnknownFrame: no such label or variable; lists the nearest names.
        """
        try:
            return self[f"{FRAME_KEY}{label}"]
        except KeyError:
            known = [k[len(FRAME_KEY) :] for k in self if k.startswith(FRAME_KEY)]
            raise UnknownFrame.among(label, known, next="Make it with run_sql(label=...), or name a frame.") from None

    def _name(self, label: str) -> str | None:
        """Return the variable behind a label: the frame a run bound, else a frame of that name."""
        name = self.variables.named(label)
        if name is not None and frame_library(self.variables.namespace.get(name)):
            return name
        plain = variable_name(label)[0]
        return next((n for n in (label, plain) if n in self.variables.frames()), None)

    def _variable_of(self, value: Any) -> str | None:
        """Return the name under which a run bound this very frame, None for other values."""
        if not frame_library(value):
            return None
        return next((n for n in self.variables.made() if self.variables.namespace.get(n) is value), None)
