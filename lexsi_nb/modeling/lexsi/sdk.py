"""The installed `lexsi-sdk`: imported when first needed, its side effects undone, its signatures read."""

from __future__ import annotations

import builtins
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any

from lexsi_nb.errors import MissingExtra
from lexsi_nb.modeling.lexsi.failures import NotSupported, plain
from lexsi_nb.modeling.lexsi.ticket import current

TOUCHED = ("XAI_API_URL", "XAI_API_VERSION", "DEBUG", "XAI_ENV")  # environment that its import sets
KNOWN = ("0.1.64", "0.1.65")  # checked by tests, with the real client
_sdk: Sdk | None = None
_importing = threading.Lock()


@dataclass(frozen=True)
class Sdk:
    """What the installed version can do, by its signatures."""

    version: str
    api_client: type[Any]
    lexsi: type[Any]
    compute: str  # name of model_inference's first argument: compute_type, or pod before 0.1.65
    deletes_upload: bool  # a first upload deletes its own file before training on it
    logs: bool  # project.logs exists

    @property
    def note(self) -> str:
        """A sentence where the version was not checked, else ""."""
        if self.version in KNOWN:
            return ""
        return f"lexsi-sdk {self.version} was not checked with this release; {' and '.join(KNOWN)} were."


def installed() -> bool:
    """Return whether the SDK is there; it is not imported."""
    return importlib.util.find_spec("lexsi_sdk") is not None


def load() -> Sdk:
    """Return the SDK, imported on first use. The environment and what is printed stay as they were.

    Raises: MissingExtra: the exact %pip line; NotSupported: a call that is needed is not in this version.
    """
    global _sdk
    if not installed():
        raise MissingExtra.of("lexsi-sdk", "lexsi", "Models on the Lexsi platform need it.")
    with _importing:
        if _sdk is None:
            before = {name: os.environ.get(name) for name in TOUCHED}
            try:
                tabular = importlib.import_module("lexsi_sdk.core.tabular")
                lexsi = importlib.import_module("lexsi_sdk.core.lexsi").LEXSI
                client = importlib.import_module("lexsi_sdk.client.client").APIClient
                importlib.import_module("lexsi_sdk.core.text")
            finally:
                for name, value in before.items():
                    os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)
            _sdk = described(importlib.metadata.version("lexsi-sdk"), tabular.TabularProject, client, lexsi)
            quieten()
    return _sdk


def described(version: str, project: type[Any], client: type[Any], lexsi: type[Any]) -> Sdk:
    """Return what a version can do. Raises: NotSupported: what is missing, and what to install."""
    needed = {
        "upload_data": ("data", "tag", "config", "compute_type"), "model_inference": ("tag", "model_name"),
        "train_model": ("training_strategy", "model", "compute_type", "data_config"),
        "case_predict": ("unique_identifier", "tag", "model_name", "xai"),
        "models": (), "tags": (), "config": (), "events": ("event_id",), "delete_project": (),
    }  # fmt: skip
    missing = []
    for method, arguments in needed.items():
        has = names(project, method)
        if has is None:
            missing.append(method)
        else:
            missing += [f"{method}({a}=)" for a in arguments if a not in has]
    compute = next((a for a in ("compute_type", "pod") if a in (names(project, "model_inference") or ())), "")
    missing += [] if compute else ["model_inference(compute_type=)"]
    if missing:
        raise NotSupported(
            f"lexsi-sdk {version} cannot be used.", f"It has no {', '.join(missing)}.",
            f'Run: %pip install "lexsi-sdk=={KNOWN[-1]}"',
        )  # fmt: skip
    # The version that takes a region picks the compute after the upload, and there deletes the file.
    deletes = "region" in (names(project, "upload_data") or ())
    return Sdk(version, client, lexsi, compute, deletes, names(project, "logs") is not None)


def names(of: type[Any], method: str) -> tuple[str, ...] | None:
    """Return the argument names of a method, None where there is no such method."""
    found = getattr(of, method, None)
    return None if found is None else tuple(inspect.signature(found).parameters)


def quieten() -> None:
    """Let what the SDK prints reach the call of ours that a thread works for, and no figure be drawn there."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] != "lexsi_sdk" or module is None:
            continue
        vars(module)["print"] = _say
        drawn = vars(module).get("in_notebook")
        if callable(drawn):
            vars(module)["in_notebook"] = lambda drawn=drawn: current() is None and drawn()


def _say(*parts: Any, sep: str | None = " ", **how: Any) -> None:
    ticket = current()
    if ticket is None:
        builtins.print(*parts, sep=sep, **how)  # noqa: T201  (what the SDK prints on its own account)
    else:
        ticket.tell(plain((sep or " ").join(map(str, parts)))[:120], None)
